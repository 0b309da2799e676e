//! A list of patterns as OpenSSH writes it (ssh_config(5), `PATTERNS`): names with `*` and `?`, separated by commas, some negated with `!`.

/// Tells whether a name matches the list: one of its patterns, and none of the negated ones.
pub(super) fn matches(list: &str, name: &str) -> bool {
    let mut is_matched = false;
    for pattern in list.split(',') {
        match pattern.strip_prefix('!') {
            Some(negated) if matches_one(negated.as_bytes(), name.as_bytes()) => return false,
            Some(_) => {}
            None => is_matched |= matches_one(pattern.as_bytes(), name.as_bytes()),
        }
    }
    is_matched
}

/// Tells whether a name matches a pattern. It goes back to the last star alone, so the cost is at most the product of both lengths.
fn matches_one(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut of) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(wanted) if *wanted == b'?' || *wanted == name[of] => {
                at += 1;
                of += 1;
            }
            _ => match star {
                Some((star_at, covered)) => {
                    star = Some((star_at, covered + 1));
                    at = star_at + 1;
                    of = covered + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|rest| *rest == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negated_pattern_outweighs_every_other() {
        assert!(matches("*@example.com", "ann@example.com"));
        assert!(!matches("*@example.com", "ann@example.com.evil"));
        assert!(matches("git,jury-*", "jury-verdict@v1"));
        assert!(!matches("jury-*,!jury-verdict@v1", "jury-verdict@v1"));
        assert!(!matches("!jury-accept@v1", "jury-verdict@v1"), "a list that only negates matches nothing");
        assert!(matches("a?c", "abc") && !matches("a?c", "ac"));
        assert!(!matches("", "a"));
        assert!(matches("a*b*c", "a-b-b-c") && !matches("a*b*c", "a-b-b-d"));
    }
}
