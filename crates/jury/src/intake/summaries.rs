//! Findings that only the summary of a report names: `2 major: the quoting of templates, a matrix that is there twice.`
//!
//! In: one text. Out: the findings that it counts and names, with their severities. Names count only if there are as many
//! as the count says; anything else stays a count without findings. Deliberately not here: whether the text speaks for the report (`dialect`).

use super::lexicon::List;
use super::synonyms::{self, SEVERITIES};
use crate::model::Severity;

/// No summary is longer.
const LONGEST: usize = 4_096;

/// Returns the findings that a text counts and names.
pub(super) fn enumerated(text: &str) -> Vec<(Severity, &str)> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    sentences(text).into_iter().filter_map(of_sentence).flatten().collect()
}

fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(". ") {
        if !is_inside_brackets(&text[start..at]) {
            sentences.push(&text[start..at]);
            start = at + 2;
        }
    }
    sentences.push(text[start..].trim_end().trim_end_matches('.'));
    sentences
}

fn is_inside_brackets(text: &str) -> bool {
    text.matches('(').count() > text.matches(')').count()
}

fn of_sentence(sentence: &str) -> Option<Vec<(Severity, &str)>> {
    let sentence = sentence.trim();
    let mut words = sentence.split_whitespace();
    let first = words.next()?.to_lowercase();
    let count = first.parse::<usize>().ok().or_else(|| List::Numbers.iter().position(|number| *number == first))?;
    // The severity follows within two words, the noun within four.
    let mut severity = None;
    let mut named_from = None;
    for (at, word) in words.enumerate().take(5) {
        let end = word.as_ptr() as usize + word.len() - sentence.as_ptr() as usize;
        let bare = word.trim_end_matches(':');
        let folded = synonyms::fold_word(bare);
        match severity {
            None => severity = synonyms::word(SEVERITIES, &folded).filter(|_| at < 2),
            Some(_) if List::BetweenCounts.has(&folded) || bare.chars().all(char::is_alphabetic) => {}
            Some(_) => return None,
        }
        if severity.is_some() && (word.ends_with(':') || folded.starts_with("cover")) {
            named_from = Some(end);
            break;
        }
    }
    let (severity, named) = (severity?, sentence.get(named_from?..)?.trim());
    let pieces = [numbered(named), separated(named, ';'), separated(named, ','), vec![named]];
    let pieces =
        pieces.into_iter().find(|pieces| pieces.len() == count && pieces.iter().all(|piece| !piece.is_empty()))?;
    Some(pieces.into_iter().map(|piece| (severity, piece)).collect())
}

/// Splits `(1) x; (2) y`.
fn numbered(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = None;
    for number in 1..=20 {
        let mark = format!("({number})");
        let Some(at) = text.find(&mark) else { break };
        if let Some(start) = start {
            pieces.push(bare(&text[start..at]));
        }
        start = Some(at + mark.len());
    }
    pieces.extend(start.map(|start| bare(&text[start..])));
    pieces
}

/// Splits at a separator and at the last `and`, outside of brackets.
fn separated(text: &str, separator: char) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if c == separator && !is_inside_brackets(&text[start..at]) {
            pieces.push(bare(&text[start..at]));
            start = at + c.len_utf8();
        }
    }
    let last = &text[start..];
    match last.rsplit_once(" and ").filter(|(before, _)| !is_inside_brackets(before)) {
        Some((before, after)) if !before.trim().is_empty() => pieces.extend([bare(before), bare(after)]),
        _ => pieces.push(bare(last)),
    }
    pieces
}

fn bare(text: &str) -> &str {
    let text = text.trim().trim_end_matches([';', ',', '.']).trim();
    text.strip_prefix("and ").unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_and_named_is_taken() {
        use Severity::{Blocker, High, Low};
        for (text, expected) in [
            (
                "Fine on the whole. 2 critical: the gate mixes records and the check fires twice. 2 major: quoting, a matrix (a, b) twice.",
                vec![
                    (Blocker, "the gate mixes records"),
                    (Blocker, "the check fires twice"),
                    (High, "quoting"),
                    (High, "a matrix (a, b) twice"),
                ],
            ),
            ("Two Critical findings: (1) x, y and z; (2) w v.", vec![(Blocker, "x, y and z"), (Blocker, "w v")]),
            ("Three Minor findings cover a b, c d, and e f.", vec![(Low, "a b"), (Low, "c d"), (Low, "e f")]),
            ("One new Major: all of it, and more", vec![(High, "all of it, and more")]),
        ] {
            assert_eq!(enumerated(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_named_or_not_as_often_is_left_alone() {
        for text in [
            "4 minor inaccuracies.",
            "Five minor findings cover a, b and c.",
            "All 5 findings (2 Major: a, b) resolved.",
            "2 tests: a, b.",
            "0 critical: none.",
        ] {
            assert_eq!(enumerated(text), vec![], "{text}");
        }
    }
}
