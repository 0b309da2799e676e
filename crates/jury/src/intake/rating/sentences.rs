//! Sentences that rate their subject: `This one is critical.`
//!
//! In: a text. Out: the worst severity that one of its sentences gives it. A sentence with a denial gives none.

use super::{tag, worse};
use crate::intake::lexicon::List;
use crate::model::Severity;

/// Finds the severity that a text states in a sentence: `This one is critical.`, `a medium-severity issue in`, `a nit: x`.
pub(in crate::intake) fn in_sentences(text: &str) -> Option<Severity> {
    text.split(['\n', '!', '?']).flat_map(|line| line.split(". ")).filter_map(in_sentence).reduce(worse)
}

fn in_sentence(sentence: &str) -> Option<Severity> {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.iter().any(|word| List::SentenceDenials.has(word)) {
        return None;
    }
    let subject = ["this", "that", "it", "i", "definitely", "clearly"];
    let is_judgement = words.len() <= 8 && words.first().is_some_and(|word| subject.contains(word));
    words.iter().enumerate().find_map(|(at, word)| {
        let severity = tag(word).filter(|_| word.is_ascii())?;
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        let next = words.get(at + 1).copied();
        let is_last = next.is_none();
        let is_rating = is_judgement && is_last && ["is", "a", "an", "as", "it", "s"].contains(&before);
        let names_it =
            words.iter().skip(at + 1).take(2).any(|word| List::DefectNouns.has(word)) && ["a", "an"].contains(&before);
        let opens = ["a", "an"].contains(&before) && lower.contains(&format!("{before} {word}:"));
        (is_rating || names_it || opens).then_some(severity)
    })
}

/// Finds the severity that a sentence gives its finding: `The principal P2 finding was x`. A sentence about a settled finding, or about
/// another round, gives none.
pub(in crate::intake) fn told(sentence: &str) -> Option<Severity> {
    let lower = sentence.split(". ").next().unwrap_or(sentence).to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.iter().any(|word| List::SentenceDenials.has(word) || List::ToldGone.has(word)) {
        return None;
    }
    words.windows(4).take(4).find_map(|four| {
        let is_told = List::Articles.has(four[0])
            && ["finding", "issue", "problem", "defect"].contains(&four[2])
            && ["is", "was", "concerns", "concerned"].contains(&four[3]);
        tag(four[1]).filter(|_| is_told)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_rate_what_they_speak_of() {
        for (text, severity) in [
            ("You find that in a.py. This one is critical.", Severity::Blocker),
            ("It is off. I'd treat this as a P0.", Severity::Blocker),
            ("There's also a medium-severity issue in x", Severity::Medium),
            ("Finally a nit: the readme", Severity::Info),
            ("This is a critical security hole and must be fixed", Severity::Blocker),
        ] {
            assert_eq!(in_sentences(text), Some(severity), "{text}");
        }
        assert_eq!(told("The principal P2 finding was labelling. It is fixed"), Some(Severity::Medium));
        for text in
            ["The P1 finding was fixed", "The P1 finding was that of the last round", "The high issue count is odd"]
        {
            assert_eq!(told(text), None, "{text}");
        }
        for text in ["The timeout is low.", "This is not a critical issue.", "a high number of calls", "low level code"]
        {
            assert_eq!(in_sentences(text), None, "{text}");
        }
    }
}
