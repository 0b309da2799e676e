//! Texts in a report with an empty list that contradict the list.
//!
//! In: a tree that lists no finding. Out: the first text that mentions a skipped review, or counts blocking findings.
//! Deliberately not here: verdicts and counts under names of their own (`dialect`).

use super::lexicon::List;
use super::{incomplete, rating, scalars};
use crate::model::Severity;
use crate::syntax::{Node, Span, Value};

/// Says why a text next to the findings of a report makes the report doubtful if none of them blocks.
pub(super) fn next_to_findings(text: &str) -> Option<&'static str> {
    if incomplete::says_so(text) {
        return Some("a text states that the review was not finished");
    }
    let line = text.trim().lines().next().unwrap_or_default();
    let (severity, rest) = rating::leading(line)?;
    let tag = &line[..line.len() - rest.len()];
    // `P0 and P1 findings are resolved` starts with a rating that rates nothing.
    let is_marked = tag.contains(|c: char| !c.is_alphanumeric() && !c.is_whitespace());
    let lower = rest.to_lowercase();
    let is_gone = lower.split(|c: char| !c.is_alphanumeric()).any(|word| List::SettledWords.has(word));
    (severity.is_at_least(Severity::High) && is_marked && !is_gone)
        .then_some("a text is rated like a blocking finding, but no finding is")
}

/// Finds a text that makes an empty list doubtful, and says why.
pub(super) fn contradiction(node: &Node<'_>) -> Option<(Span, &'static str)> {
    match &node.value {
        Value::String(text) => doubt_in(text).map(|why| (node.span, why)),
        Value::Array(items) => items.iter().find_map(contradiction),
        Value::Object(members) => members.iter().find_map(|member| contradiction(&member.node)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn doubt_in(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase().replace('’', "'");
    if List::NotReviewed.iter().any(|words| lower.contains(words)) {
        return Some("no finding is listed, and a text states that there was no review");
    }
    let counts_blocking = lower.split(['.', ';', '\n', '!']).any(|sentence| {
        let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).collect();
        !words.iter().any(|word| List::DoubtsGone.has(word))
            && words
                .iter()
                .any(|word| ["found", "identified", "detected", "issues", "findings", "blockers"].contains(word))
            && counts_blocking(&words)
    });
    counts_blocking.then_some("no finding is listed, but a text counts blocking findings")
}

/// Tells whether a number stands before a word for findings that block: `3 critical`, `two new blockers`.
fn counts_blocking(words: &[&str]) -> bool {
    let is_number = |word: &str| {
        word.parse::<usize>().is_ok_and(|number| (1..1000).contains(&number))
            || ["one", "two", "three", "four", "five", "several"].contains(&word)
    };
    let blocks = |word: &&str| {
        List::CountedSeverities.has(word)
            && scalars::severity(word).is_some_and(|(severity, _)| severity.is_at_least(Severity::High))
    };
    let mut starts = words.iter().enumerate().filter(|(_, word)| is_number(word));
    starts.any(|(at, _)| words.iter().skip(at + 1).filter(|word| !word.is_empty()).take(2).any(blocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_beside_an_empty_list_is_heard() {
        for text in [
            "I could not access the repository, so there is nothing to list.",
            "Found 3 critical issues.",
            "Found 2 critical issues in the code of the cart.",
            "Identified 1 high, 2 low.",
        ] {
            assert!(doubt_in(text).is_some(), "{text}");
        }
        for text in [
            "All is well.",
            "All 6 earlier findings (2 major, 4 minor) are resolved.",
            "No critical issues found.",
            "0 critical, 0 high issues found",
            "The 3 high findings of the last round were fixed.",
        ] {
            assert!(doubt_in(text).is_none(), "{text}");
        }
    }
}
