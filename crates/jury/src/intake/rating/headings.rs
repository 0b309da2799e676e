//! Headings and labels that are nothing but the name of a severity, and lines that announce findings.
//!
//! In: a heading or a line. Out: the severity of the text below it.

use super::{is_code, tag, worse};
use crate::intake::lexicon::List;
use crate::intake::synonyms::{self, SEVERITIES};
use crate::model::Severity;

/// Returns the severity that a heading or a label is nothing but the name of: `#### Blockers`, `## P1 Findings (3)`,
/// `Non-blocking suggestions`, `## 严重问题`.
pub(in crate::intake) fn pure(text: &str) -> Option<Severity> {
    let bare = text.trim().trim_matches(['*', '_', ':', '#', ' ', '`', '：']);
    // `### [Critical]`, with the subject on the next line.
    let bare = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(bare);
    let before = bare.split(['(', '[', '（']).next().unwrap_or(bare).trim().trim_end_matches([':', '-', '—', ' ', '*']);
    let inside =
        bare.split_once(['(', '（']).and_then(|(_, rest)| rest.split_once([')', '）'])).map(|(inside, _)| inside);
    let words = heading_words(before);
    if words.iter().all(|word| List::NoHeading.has(word)) && !before.is_empty() {
        return None;
    }
    let worst = severities(&words)?;
    // `Advisory (P3)`, `Suggestions (LOW)`: the code in brackets is the exacter word.
    Some(inside.and_then(tag).filter(|_| words.len() <= 2).unwrap_or(worst))
}

/// Returns the severity of a heading that groups findings: a tag, and behind it a severity in other words: `[Blocker] — Must fix before shipping`.
pub(in crate::intake) fn group(text: &str) -> Option<Severity> {
    let (severity, rest) = super::leading(text)?;
    let words = heading_words(rest);
    let phrase = |length: usize| words.get(..length).and_then(|words| synonyms::word(SEVERITIES, &words.join(" ")));
    let is_short = words.len() <= 6 && !rest.contains(['`', ':', '/']);
    (2..=4).find_map(phrase).filter(|_| is_short).map(|second| worse(severity, second))
}

fn heading_words(text: &str) -> Vec<String> {
    let mut text = text.to_owned();
    for filler in List::GluedFillers.iter() {
        text = text.replace(filler, " ");
    }
    let parts =
        text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '|' | '&' | ',' | '-' | '_' | '—' | '–' | '、'));
    let words: Vec<String> = parts
        .map(synonyms::fold_word)
        .filter(|word| !word.is_empty() && !word.bytes().all(|b| b.is_ascii_digit()))
        .collect();
    // Emoji count only where there are no words.
    let has_words = words.iter().any(|word| word.contains(char::is_alphanumeric));
    words.into_iter().filter(|word| !has_words || word.contains(char::is_alphanumeric)).collect()
}

/// Reads words as nothing but severities, of one word or several, and fillers.
fn severities(words: &[String]) -> Option<Severity> {
    let mut found: Option<Severity> = None;
    let mut at = 0;
    while at < words.len() {
        let phrase = (1..=4.min(words.len() - at)).rev().find_map(|length| {
            let severity = synonyms::word(SEVERITIES, &words[at..at + length].join(" "))?;
            Some((severity, length))
        });
        match phrase {
            Some((severity, length)) => {
                found = Some(found.map_or(severity, |found| worse(found, severity)));
                at += length;
            }
            None if List::RatingFillers.has(&words[at]) => at += 1,
            None => return None,
        }
    }
    found
}

/// Returns the severity that a line ending in a colon announces: `Two mediums:`, `A couple of optional suggestions:`.
pub(in crate::intake) fn announced(line: &str) -> Option<Severity> {
    let bare = line.trim_end().trim_end_matches('*').strip_suffix([':', '：'])?;
    let last = bare.rsplit(['.', '!', '?', '。', '！']).next()?.trim();
    // `The review found these must-fix issues:` announces the noun after its last verb.
    let words: Vec<&str> = last.split_whitespace().collect();
    let introduces = |word: &&str| List::Introductions.has(&word.to_lowercase());
    let last = match words.iter().rposition(introduces) {
        Some(at) if at + 1 < words.len() && words.len() <= 10 => {
            let start = words[at + 1].as_ptr() as usize - last.as_ptr() as usize;
            &last[start..]
        }
        _ => last,
    };
    (last.split_whitespace().count() <= 6).then(|| pure(last).or_else(|| naming(last))).flatten()
}

/// Returns the blocking severity that a heading names among other words: `Top-5 must-fix issues for v0.6`, `Two blocking
/// evidence gaps`. Lesser severities do not count: findings below may be worse.
pub(in crate::intake) fn naming(text: &str) -> Option<Severity> {
    let bare = text.split(['(', '（']).next().unwrap_or(text).trim_end_matches([':', ' ', '*', '：']);
    let words = heading_words(bare);
    // A heading with more text behind a colon is one finding, or a count.
    let is_other = bare.contains([':', '：']) || bare.split_whitespace().any(|word| word == "0");
    if is_other || words.len() > 9 || words.iter().any(|word| List::HeadingDenials.has(word)) {
        return None;
    }
    (0..words.len()).find_map(|at| {
        let (severity, length) = (1..=3.min(words.len() - at)).rev().find_map(|length| {
            let phrase = words[at..at + length].join(" ");
            Some((tag(&phrase).or_else(|| synonyms::word(SEVERITIES, &phrase).filter(|_| length > 1))?, length))
        })?;
        // `Critical path issues` and `High availability concerns` name something else, where `blocking` can mean nothing else.
        let is_plain =
            words[at..at + length].iter().any(|word| word.starts_with("block") || is_code(word)) || length > 1;
        let reach = if is_plain { 2 } else { 1 };
        let is_named = words.iter().skip(at + length).take(reach).any(|word| List::HeadingNouns.has(word));
        (severity.is_at_least(Severity::High) && is_named).then_some(severity)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_are_severities_are_known() {
        for (text, severity) in [
            ("Blockers", Severity::Blocker),
            ("Blockers (untested ACs)", Severity::Blocker),
            ("High Priority (Should fix before merge)", Severity::High),
            ("P1 Findings (3)", Severity::High),
            ("🔴 BLOCKER", Severity::Blocker),
            ("BLOCKER / HIGH", Severity::Blocker),
            ("Nitpicks (Optional)", Severity::Info),
            ("Advisory (P3)", Severity::Low),
            ("Informational", Severity::Info),
            ("[Critical]", Severity::Blocker),
            ("Medium", Severity::Medium),
        ] {
            assert_eq!(pure(text), Some(severity), "{text}");
        }
        for text in [
            "Summary",
            "Findings",
            "Notes",
            "MEDIUM: Touch target",
            "Security",
            "High availability",
            "What is good",
            "Findings (High)",
        ] {
            assert_eq!(pure(text), None, "{text}");
        }
    }

    #[test]
    fn sections_are_named_in_many_words_and_languages() {
        for (text, severity) in [
            ("❗ Must fix", Severity::Blocker),
            ("Non-blocking suggestions:", Severity::Low),
            ("Nice to have", Severity::Info),
            ("Kritisch", Severity::Blocker),
            ("Muss behoben werden:", Severity::Blocker),
            ("Importante (alta)", Severity::High),
            ("Mineur", Severity::Low),
            ("严重问题", Severity::Blocker),
            ("P1 -- High", Severity::High),
            ("重大", Severity::High),
        ] {
            assert_eq!(pure(text), Some(severity), "{text}");
        }
        for text in ["Not blocking", "No critical issues", "Questions", "Must read", "High availability"] {
            assert_eq!(pure(text), None, "{text}");
        }
        assert_eq!(announced("No critical or high issues! Two mediums:"), Some(Severity::Medium));
        assert_eq!(announced("Things that must be discussed:"), None);
        assert_eq!(announced("The reviewer found two blocking evidence gaps:"), Some(Severity::Blocker));
    }

    #[test]
    fn findings_that_block_are_named_among_other_words() {
        for (text, severity) in [
            ("Top-5 Must-Fix Issues for v0.6", Severity::Blocker),
            ("Remaining P1 findings in the parser", Severity::High),
            ("Blocking (carried into the verdict) issues", Severity::Blocker),
        ] {
            assert_eq!(naming(text).or_else(|| pure(text)), Some(severity), "{text}");
        }
        for text in [
            "No blocking issues",
            "Non-blocking issues",
            "Critical path issues",
            "High availability concerns",
            "Blocking issues resolved",
            "Previous must-fix findings",
            "Top-5 minor issues for v0.6",
        ] {
            assert_eq!(naming(text), None, "{text}");
        }
    }
}
