//! Instructions of agents. In: the text before and after a change. Out: whether the edit speaks about how changes are reviewed, tested or let through.
//!
//! An edit is a line that came or went, together with the headings that it stands below: "Leave them out" below "Tests" is about tests. Deliberately
//! not here: settings of agents, which are always for a person.

use std::collections::BTreeMap;

use super::edits::Edit;

/// What an edit of prose does.
pub(super) struct Weighed {
    pub(super) edit: Edit,
    /// The line that says so, after the change.
    pub(super) line: Option<u32>,
}

/// Stems of words about reviews, tests, checks, permissions and the gate, in some languages. A text in other letters counts as well: nobody here
/// can tell what it speaks about.
const ABOUT: &[&str] = &[
    "review",
    "approv",
    "test",
    "spec",
    "check",
    "gate",
    "jury",
    "verdict",
    "finding",
    "lint",
    "type error",
    "ci",
    "hook",
    "verify",
    "verif",
    "skip",
    "ignor",
    "bypass",
    "suppress",
    "disabl",
    "waive",
    "merge",
    "block",
    "sever",
    "pass",
    "fail",
    "permission",
    "allow",
    "deny",
    "secret",
    "token",
    "credential",
    "password",
    "push",
    "force",
    "sandbox",
    "security",
    "audit",
    "coverage",
    "assert",
    "trust",
    "policy",
    "workflow",
    "pipeline",
    "trigger",
    "quality",
    "quiet",
    "warning",
    "error",
    "instruction",
    "noqa",
    "commit --no",
    "no-verify",
    "accept",
    "sign",
    "bug",
    "issue",
    "defect",
    "prüf",
    "genehmig",
    "freigeb",
    "freigab",
    "durchwink",
    "überspring",
    "revis",
    "aprob",
    "rechaz",
    "approuv",
    "vérif",
    "valid",
    "essai",
    "prueb",
    "teste",
    "ignora",
    "omit",
    "salta",
    "contrôl",
    "control",
];

/// Weighs an edit.
pub(super) fn weigh(before: &str, after: &str) -> Weighed {
    let (old, new) = (said(before), said(after));
    let spare = |lines: &[Said<'_>]| {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        lines.iter().for_each(|it| *count.entry(it.text.to_owned()).or_default() += 1);
        count
    };
    let changed = |lines: &[Said<'_>], mut other: BTreeMap<String, usize>| -> Vec<(u32, String)> {
        let mut found = Vec::new();
        for it in lines {
            match other.get_mut(it.text).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None => found.push((it.line, format!("{} {}", it.above, it.text))),
            }
        }
        found
    };
    let came = changed(&new, spare(&old));
    let went = changed(&old, spare(&new));
    let line = came.iter().find(|(_, text)| is_about(text)).map(|(line, _)| *line);
    let is_about = line.is_some() || went.iter().any(|(_, text)| is_about(text));
    Weighed { edit: if is_about { Edit::AboutReviews } else { Edit::Instructions }, line }
}

struct Said<'t> {
    line: u32,
    above: String,
    text: &'t str,
}

/// Returns the lines that say something, with the headings above them.
fn said(text: &str) -> Vec<Said<'_>> {
    let mut headings: Vec<(usize, &str)> = Vec::new();
    let mut lines = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let level = text.chars().take_while(|c| *c == '#').count();
        if level > 0 {
            headings.retain(|(above, _)| *above < level);
        }
        let above = headings.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ");
        if level > 0 {
            headings.push((level, text));
        }
        lines.push(Said { line, above, text });
    }
    lines
}

fn is_about(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_in_other_letters = text.chars().any(|c| c.is_alphabetic() && c > '\u{24f}');
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty()).collect();
    let says = |stem: &&str| match stem.contains(' ') {
        true => lower.contains(*stem),
        false if stem.len() <= 4 => words.iter().any(|word| {
            word == stem || word.strip_prefix(*stem).is_some_and(|rest| ["s", "ed", "es", "ing"].contains(&rest))
        }),
        false => words.iter().any(|word| word.contains(*stem)),
    };
    is_in_other_letters || ABOUT.iter().any(says)
}
