//! Lines and members that state a severity and became part of no finding, because something around them was damaged.
//!
//! In: a text whose findings do not block. Out: where it states a blocker. Deliberately not here: elements, whose brackets tell more (`elements`).

use super::synonyms::{self, Field};
use super::{no_findings, node_kinds, scalars};
use crate::model::Severity;
use crate::syntax::{Member, Node, Span, Value};

/// Finds a line that states, in YAML, a blocking or unknown severity, or that opens a list of findings.
pub(super) fn line(text: &str) -> Option<Span> {
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        if ["findings:", "issues:", "blockers:"].contains(&line.trim_end()) {
            return Some(span);
        }
        let behind = line.match_indices(':').find_map(|(at, _)| {
            let name = line[..at].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            is_nearly(&name.to_lowercase(), "severity").then(|| &line[at + 1..])
        })?;
        let stated = behind.split_whitespace().next()?.trim_matches(['"', '\'', ',', '`', '*']);
        may_block(stated).then_some(span)
    })
}

/// Finds a member of an object, at any depth, with nearly the name of a severity and a blocking or unknown value. Without
/// another sign of a finding, the object was passed over.
pub(super) fn member(node: &Node<'_>) -> Option<Span> {
    match &node.value {
        Value::Array(items) => items.iter().find_map(member),
        Value::Object(members) => members.iter().find_map(|Member { key, node, .. }| match &node.value {
            Value::String(stated) => {
                let is_near = synonyms::field(key).is_none() && is_nearly(&key.to_lowercase(), "severity");
                (is_near && may_block(stated)).then_some(node.span)
            }
            _ => member(node),
        }),
        _ => None,
    }
}

/// Tells whether a word is a severity that blocks, or may be one.
fn may_block(stated: &str) -> bool {
    let blocks = scalars::severity(stated).is_none_or(|(severity, _)| severity.is_at_least(Severity::High));
    !stated.is_empty() && !node_kinds::says_none(stated) && blocks
}

/// Tells whether a word is another one but for one letter that was lost, added, changed, or changed places with the next.
fn is_nearly(word: &str, other: &str) -> bool {
    let same_start = word.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
    let one: Vec<char> = word.chars().skip(same_start).collect();
    let two: Vec<char> = other.chars().skip(same_start).collect();
    let same_end = one.iter().rev().zip(two.iter().rev()).take_while(|(one, two)| one == two).count();
    let (one, two) = (&one[..one.len() - same_end], &two[..two.len() - same_end]);
    match (one, two) {
        ([a, b], [c, d]) => a == d && b == c,
        _ => one.len() <= 1 && two.len() <= 1,
    }
}

/// Finds a short line that has a word for findings that block and is not the text of another field: `severty: critical`, `high`.
pub(super) fn word(text: &str) -> Option<Span> {
    let blocks = |word: &str| scalars::severity(word).is_some_and(|(severity, _)| severity.is_at_least(Severity::High));
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        let bare = line.trim().trim_start_matches(['-', '*', ' ', '\t', '[']);
        let (name, value) = bare.split_once([':', '=']).unwrap_or(("", bare));
        let is_other = synonyms::field(name).is_some_and(|(field, _)| field != Field::Severity)
            // `Blockers: none` and `High: 0` say that there is nothing.
            || !name.is_empty() && (no_findings::says_none(value) || !value.contains(char::is_alphabetic));
        let words: Vec<&str> = bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        // A value that starts with one of these words is one, with anything attached to it.
        let first = value.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        let is_value = !name.is_empty() && !name.trim().contains(' ') && first.is_some_and(blocks);
        let is_short = words.len() <= MOST_WORDS && words.iter().any(|word| blocks(word));
        (!is_other && (is_short || is_value)).then_some(span)
    })
}

/// A longer value is a sentence, which may mention a severity.
const MOST_WORDS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_heard() {
        for text in ["everity: critical", "- severty: high", "x\n sevreity: grue", "severity: critical", "severity : x"]
        {
            assert_eq!(line(text).is_some(), !text.contains(" :"), "{text}");
        }
        for text in ["severity: low", "severe: high", "security: critical", "title: severity"] {
            assert_eq!(line(text), None, "{text}");
        }
    }

    #[test]
    fn short_lines_are_heard_and_sentences_are_not() {
        for text in ["severty: critical", "  sevxrity = \"high\"", "title: x\nblocker\n", "severity critical"] {
            assert!(word(text).is_some(), "{text}");
        }
        for text in [
            "title: High load",
            "severity: low",
            "Blockers: none",
            "high: 0",
            "critical: []",
            "the load is high on all of them",
            "",
            "file=high.rs",
        ] {
            assert_eq!(word(text), None, "{text}");
        }
    }
}
