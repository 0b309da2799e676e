//! Ignore comments. In: the text of a file. Out: its `jury-ignore: RULE-ID -- reason` comments, and the lines that each
//! covers. Deliberately not here: whether they are honoured, which synthesis decides, and whether one is new, which
//! `gate-integrity` reports.

/// The mark at the start of such a comment.
const MARK: &str = "jury-ignore:";
/// Comment starts of all languages. Without one before it, the mark is ordinary text.
const OPENERS: &[&str] = &["//", "#", "/*", "<!--", "--", "*"];
/// Comment ends of comments that may end before their line does.
const CLOSERS: &[&str] = &["*/", "-->"];

/// A comment that asks to ignore the findings of some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    /// Its line, from 1.
    pub line: u32,
    /// The last line it covers: its own, or the next one if nothing else is on its line.
    pub last: u32,
    /// The ids of the named rules.
    pub rules: Vec<String>,
    /// The reason; without one the comment has no effect.
    pub reason: Option<String>,
}

impl Ignore {
    /// Tells whether it covers the findings of a rule on a line.
    pub fn covers(&self, rule: &str, line: u32) -> bool {
        (self.line..=self.last).contains(&line) && self.rules.iter().any(|named| named == rule)
    }
}

/// Finds such comments in a text.
pub fn ignores(text: &str) -> Vec<Ignore> {
    if !text.contains(MARK) {
        return Vec::new();
    }
    (1..).zip(text.lines()).filter_map(|(number, line)| read(number, line)).collect()
}

fn read(number: u32, line: &str) -> Option<Ignore> {
    let (before, said) = line.split_once(MARK)?;
    if !OPENERS.iter().any(|opener| before.trim_end().ends_with(opener)) {
        return None;
    }
    let end = CLOSERS.iter().filter_map(|closer| Some((said.find(closer)?, closer.len()))).min();
    let (said, behind) = end.map_or((said, ""), |(at, length)| (&said[..at], &said[at + length..]));
    let (names, reason) = said.split_once("--").unwrap_or((said, ""));
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    // Malformed comments have no reason, so that a typo never ignores more than intended.
    let is_plain = names.iter().all(|name| is_id(name));
    let reason = Some(reason.trim()).filter(|reason| is_plain && reason.chars().any(char::is_alphanumeric));
    let stands_alone =
        before.chars().all(|c| "/#*<!-{ \t".contains(c)) && behind.trim_matches([' ', '\t', '}']).is_empty();
    Some(Ignore {
        line: number,
        last: if stands_alone { number.saturating_add(1) } else { number },
        rules: names.iter().filter_map(|name| name.split_whitespace().next()).map(str::to_owned).collect(),
        reason: reason.map(str::to_owned),
    })
}

fn is_id(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Ignore {
        let mut found = ignores(line);
        assert_eq!(found.len(), 1, "{line}");
        found.remove(0)
    }

    #[test]
    fn every_comment_syntax_is_read() {
        for line in [
            "// jury-ignore: a-b -- the list is ours",
            "  # jury-ignore: a-b -- the list is ours",
            "/* jury-ignore: a-b -- the list is ours */",
            " * jury-ignore: a-b -- the list is ours",
            "<!-- jury-ignore: a-b -- the list is ours -->",
            "-- jury-ignore: a-b -- the list is ours",
            "\t{/* jury-ignore: a-b -- the list is ours */}",
        ] {
            let ignore = one(line);
            assert_eq!((ignore.rules, ignore.reason.as_deref()), (vec!["a-b".to_owned()], Some("the list is ours")));
            assert_eq!((ignore.line, ignore.last), (1, 2), "{line}");
        }
    }

    #[test]
    fn a_comment_behind_or_before_code_covers_its_own_line_only() {
        for line in
            ["f(x); // jury-ignore: a -- ours", "/* jury-ignore: a -- ours */ f(x);", "x = 1  # jury-ignore: a -- ours"]
        {
            let ignore = one(line);
            assert!(ignore.covers("a", 1) && !ignore.covers("a", 2) && !ignore.covers("b", 1), "{line}");
        }
    }

    #[test]
    fn several_rules_are_parted_by_commas() {
        assert_eq!(one("# jury-ignore: a, b-c ,d -- why not").rules, ["a", "b-c", "d"]);
    }

    #[test]
    fn without_a_reason_or_the_form_it_counts_for_nothing() {
        for line in [
            "// jury-ignore: a",
            "// jury-ignore: a --",
            "// jury-ignore: a -- …",
            "<!-- jury-ignore: a -->",
            "/* jury-ignore: a -- */ // because",
            "// jury-ignore: a because it is ours",
            "// jury-ignore: a b -- ours",
            "// jury-ignore: a, -- ours",
            "// jury-ignore: * -- ours",
        ] {
            assert_eq!(one(line).reason, None, "{line}");
        }
    }

    #[test]
    fn a_text_that_mentions_it_is_no_comment() {
        for line in ["say(\"jury-ignore: a -- b\")", "the jury-ignore: a -- b comment", "// jury-ignore a -- b"] {
            assert_eq!(ignores(line), [], "{line}");
        }
    }
}
