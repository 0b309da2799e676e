//! Ignore comments. In: the text of a file. Out: its `jury-ignore: RULE-ID -- reason` comments, and the lines that each
//! covers. Deliberately not here: whether they are honoured, which synthesis decides, and whether one is new, which
//! `gate-integrity` reports.

use std::collections::BTreeSet;

/// The mark at the start of such a comment.
const MARK: &str = "jury-ignore:";
/// Comment starts of all languages. Without one before it, the mark is ordinary text.
const OPENERS: &[&str] = &["//", "#", "/*", "<!--", "--", "*"];
/// Comment ends of comments that may end before their line does.
const CLOSERS: &[&str] = &["*/", "-->"];

/// The most unknown names of a file that are reported.
const MOST_UNKNOWN: usize = 20;
/// The bytes of a name that are compared with known ids.
const LONGEST_NAME: usize = 80;

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

/// Returns the comment that covers the findings of a rule on a line. The comments are those of one text, in its order.
pub(crate) fn covering<'i>(ignores: &'i [Ignore], rule: &str, line: u32) -> Option<&'i Ignore> {
    // None covers more than its own line and the next.
    let near = &ignores[ignores.partition_point(|ignore| ignore.last < line)..];
    near.iter().take_while(|ignore| ignore.line <= line).find(|ignore| ignore.covers(rule, line))
}

/// A name in an ignore comment that is the id of no rule.
pub(crate) struct Unknown<'i> {
    pub(crate) line: u32,
    pub(crate) name: &'i str,
    /// The known id that is most like it.
    pub(crate) closest: &'i str,
}

/// Finds the names that are the id of no rule, each once, up to a limit.
pub(crate) fn unknown<'i>(ignores: &'i [Ignore], known: &BTreeSet<&'i str>) -> Vec<Unknown<'i>> {
    let named = ignores.iter().flat_map(|ignore| ignore.rules.iter().map(|name| (ignore.line, name.as_str())));
    let mut seen = BTreeSet::new();
    let unknown = named.filter(|(_, name)| !known.contains(name) && seen.insert(*name)).take(MOST_UNKNOWN);
    let closest = |name: &str| known.iter().copied().min_by_key(|id| distance(name, id));
    unknown.filter_map(|(line, name)| Some(Unknown { line, name, closest: closest(name)? })).collect()
}

/// Returns the number of bytes to insert, delete or replace to turn one text into another.
fn distance(one: &str, other: &str) -> usize {
    let one = &one.as_bytes()[..one.len().min(LONGEST_NAME)];
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (at, byte) in other.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, own) in one.iter().enumerate() {
            let change = diagonal + usize::from(*own != byte);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[one.len()]
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
    fn the_comment_of_a_line_is_found_among_many() {
        let text: String = (0..50).map(|at| format!("// jury-ignore: r{at} -- ours\nf();\n")).collect();
        let all = ignores(&text);
        for line in 1..=100 {
            let rule = format!("r{}", (line - 1) / 2);
            assert_eq!(covering(&all, &rule, line).map(|ignore| ignore.line), Some((line - 1) / 2 * 2 + 1), "{line}");
            assert_eq!(covering(&all, "other", line), None);
        }
        assert_eq!(covering(&[], "a", 1), None);
    }

    #[test]
    fn an_unknown_name_is_told_with_the_closest_id() {
        let all = ignores("# jury-ignore: weak-hsah -- ours\n# jury-ignore: weak-hash, weak-hsah -- ours\n");
        let found = unknown(&all, &BTreeSet::from(["private-key", "weak-hash"]));
        let found: Vec<_> = found.iter().map(|one| (one.line, one.name, one.closest)).collect();
        assert_eq!(found, [(1, "weak-hsah", "weak-hash")]);
        assert_eq!((distance("", "abc"), distance("kitten", "sitting"), distance("a", "a")), (3, 3, 0));
    }

    #[test]
    fn a_text_that_mentions_it_is_no_comment() {
        for line in ["say(\"jury-ignore: a -- b\")", "the jury-ignore: a -- b comment", "// jury-ignore a -- b"] {
            assert_eq!(ignores(line), [], "{line}");
        }
    }
}
