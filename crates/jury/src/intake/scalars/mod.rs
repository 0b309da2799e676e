//! Single values as reviewers write them: severities, confidences, places, statuses.
//!
//! In: the text or number of one field. Out: the model's own value, its original text, and whether it was literal.
//! Deliberately not here: the field that a value comes from, and the fate of a claim with an unusable value.

mod place;

use jury_wire::Reason;
pub(super) use place::{File, FileRef, Lines, file, lines, named_lines, split_place};

use super::synonyms::{self, CONFIDENCES, LITERAL_SEVERITIES, NOTHING, SEVERITIES, VERDICTS};
use crate::model::{Confidence, GateVerdict, Severity};

/// A value and the reason why its reading was not literal, if it was not.
pub(super) type Read<T> = (T, Option<Reason>);

/// Reads a severity: a contract's word, a known other word, or a text that starts with one of them. Of two words
/// (`Medium/High`) the worse counts.
pub(super) fn severity(text: &str) -> Option<Read<Severity>> {
    // A rating that was changed is the one that it was changed to.
    let last = ["→", "->", "➜", "⇒"].iter().filter_map(|arrow| text.rsplit_once(arrow)).map(|(_, last)| last).next();
    if let Some(last) = last {
        return severity(last).map(|(severity, _)| (severity, Some(Reason::SynonymWord)));
    }
    let trimmed = text.trim();
    if LITERAL_SEVERITIES.contains(&trimmed) {
        return synonyms::word(SEVERITIES, trimmed).map(|severity| (severity, None));
    }
    if let Some(severity) = synonyms::word(SEVERITIES, trimmed) {
        let is_same_word = LITERAL_SEVERITIES.iter().any(|word| word.eq_ignore_ascii_case(trimmed));
        return Some((severity, Some(if is_same_word { Reason::CaseFolded } else { Reason::SynonymWord })));
    }
    worst_of_several(trimmed).map(|severity| (severity, Some(Reason::SynonymWord)))
}

/// Reads `P1 - High`, `🔴 BLOCKER`, `High (security)`, `Medium/High`, `High priority`.
fn worst_of_several(text: &str) -> Option<Severity> {
    let before_remark = text.split(['(', '—', '–']).next().unwrap_or(text);
    let mut worst: Option<Severity> = None;
    for piece in before_remark.split(|c: char| c.is_whitespace() || matches!(c, '/' | '|' | ',' | '-' | ':' | '_')) {
        let folded = synonyms::fold_word(piece);
        if folded.is_empty()
            || ["priority", "severity", "to", "or", "and", "risk", "issue", "issues"].contains(&folded.as_str())
        {
            continue;
        }
        // One unknown word makes the whole unknown: `not critical` is not critical.
        let severity = synonyms::word(SEVERITIES, &folded)?;
        worst = Some(worst.map_or(severity, |worst| if severity.is_at_least(worst) { severity } else { worst }));
    }
    worst
}

/// Reads a CVSS score.
pub(super) fn severity_of_score(text: &str) -> Option<Severity> {
    let score: f64 = text.trim().parse().ok()?;
    match score {
        9.0..=10.0 => Some(Severity::Blocker),
        7.0..9.0 => Some(Severity::High),
        4.0..7.0 => Some(Severity::Medium),
        0.0..4.0 => Some(Severity::Low),
        _ => None,
    }
}

/// Reads a confidence: a percent, a fraction, a mark out of ten, or a word.
///
/// Where the scale is open to doubt (`1`, `8`) the higher reading is taken: too high a confidence suppresses nothing.
pub(super) fn confidence(text: &str) -> Option<Read<Confidence>> {
    let text = text.trim();
    let rescaled = |confidence: Confidence| (confidence, Some(Reason::ConfidenceRescaled));
    if let Some(percent) = text.strip_suffix('%') {
        return whole(percent.trim()).and_then(|percent| Confidence::from_percent(percent).ok()).map(rescaled);
    }
    if let Some((mark, of)) = text.split_once('/') {
        let (mark, of) = (whole(mark.trim())?, whole(of.trim())?);
        let percent = mark.checked_mul(100)?.checked_div(of)?;
        return Confidence::from_percent(percent).ok().map(rescaled);
    }
    if let Some(number) = whole(text) {
        return match number {
            0 => Confidence::from_percent(0).ok().map(|none| (none, None)),
            1..=10 if number == 1 => Confidence::from_percent(100).ok().map(rescaled),
            2..=10 => Confidence::from_percent(number * 10).ok().map(rescaled),
            _ => Confidence::from_percent(number).ok().map(|percent| (percent, None)),
        };
    }
    if let Ok(fraction) = Confidence::from_fraction(text) {
        return Some(rescaled(fraction));
    }
    // `85.5` is a percent with decimals.
    if let Some((percent, decimals)) = text.split_once('.')
        && decimals.bytes().all(|b| b.is_ascii_digit())
        && let Some(percent) = whole(percent)
    {
        return Confidence::from_percent(percent).ok().map(rescaled);
    }
    let percent = synonyms::word(CONFIDENCES, text)?;
    Confidence::from_percent(percent).ok().map(rescaled)
}

fn whole(text: &str) -> Option<u32> {
    let text = text.strip_suffix(".0").unwrap_or(text);
    // `007` is a code or a name, and no number that anybody writes.
    if text.len() > 1 && text.starts_with('0') {
        return None;
    }
    (!text.is_empty() && text.len() < 9 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Reads a verdict: the text as a whole, or its beginning up to a dash, full stop, comma, colon or bracket.
pub(super) fn verdict(text: &str) -> Option<GateVerdict> {
    let text = text.trim();
    if let Some(verdict) = synonyms::word(VERDICTS, text) {
        return Some(verdict);
    }
    let end = text
        .char_indices()
        .find(|(at, c)| {
            matches!(c, '—' | '–' | '.' | ',' | ';' | ':' | '(' | '\n' | '|')
                || text[*at..].starts_with(" - ")
                || text[*at..].starts_with(" for ")
                || text[*at..].starts_with(" with lane")
        })
        .map_or(text.len(), |(at, _)| at);
    synonyms::word(VERDICTS, &text[..end]).or_else(|| refusal(text))
}

/// Reads a refusal of several words before text without a mark: `Do not merge until the token is gone`.
fn refusal(text: &str) -> Option<GateVerdict> {
    let folded = synonyms::fold_word(text.lines().next().unwrap_or_default());
    let refuses = |(verdict, words): &(GateVerdict, &[&str])| {
        let starts = |word: &&str| {
            word.contains(' ') && folded.strip_prefix(*word).is_some_and(|behind| behind.starts_with(' '))
        };
        *verdict == GateVerdict::Fail && words.iter().any(starts)
    };
    VERDICTS.iter().any(refuses).then_some(GateVerdict::Fail)
}

/// Tells whether a text only says that there is none.
pub(super) fn is_nothing(text: &str) -> bool {
    NOTHING.contains(&synonyms::fold_word(text).as_str()) || NOTHING.contains(&text.trim())
}

/// Returns the first sentence of a text, on one line and not too long for a title.
pub(super) fn first_sentence(text: &str) -> String {
    let line = text.trim().lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let end = line
        .char_indices()
        .find(|(at, c)| {
            matches!(c, '.' | '!' | '?')
                && *at > 15
                && line[at + 1..].starts_with([' ', '\n'])
                && line[at + 1..].trim_start().starts_with(|c: char| !c.is_lowercase())
        })
        .map_or(line.len(), |(at, _)| at);
    let sentence = &line[..end];
    match sentence.char_indices().nth(160) {
        Some((cut, _)) => {
            let cut = sentence[..cut].rfind(' ').filter(|at| *at > 40).unwrap_or(cut);
            format!("{}…", &sentence[..cut])
        }
        None => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_read_from_words_and_phrases() {
        let read = |text| severity(text).map(|(severity, _)| severity);
        for (text, expected) in [
            ("P0", Severity::Blocker),
            ("p2", Severity::Medium),
            ("HIGH", Severity::High),
            ("🔴 BLOCKER", Severity::Blocker),
            ("Kritisch", Severity::Blocker),
            ("High Priority", Severity::High),
            ("Medium/High", Severity::High),
            ("P1 - High", Severity::High),
            ("High (security)", Severity::High),
            ("tech_debt", Severity::Low),
            ("suggestion", Severity::Info),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in ["", "not critical", "8", "spicy", "P9", "no high", "low confidence"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(severity("High").unwrap().1, None);
        assert_eq!(severity("HIGH").unwrap().1, Some(Reason::CaseFolded));
        assert_eq!(severity("major").unwrap().1, Some(Reason::SynonymWord));
    }

    #[test]
    fn paths_have_brackets_around_whole_segments_only() {
        for (text, file, lines) in [
            ("app/bookings/[id]/page.tsx:398", "app/bookings/[id]/page.tsx", Some("398")),
            ("app/(shop)/[...slug].tsx:7 is slow", "app/(shop)/[...slug].tsx", Some("7")),
            ("src/a.ts(12,5)", "src/a.ts", Some("12")),
            ("src/a.ts[3]", "src/a.ts", None),
            ("[src/a.ts:3]", "src/a.ts", Some("3")),
            ("`Card.tsx` (~205–228, ~286+)", "Card.tsx", Some("205–228")),
            ("Card.tsx (2)", "Card.tsx", None),
        ] {
            let place = split_place(text).unwrap();
            assert_eq!((place.file, place.lines), (file, lines), "{text}");
        }
    }

    #[test]
    fn confidences_are_read_on_every_usual_scale() {
        for (text, percent) in [
            ("75", 75),
            ("100", 100),
            ("0", 0),
            ("0.9", 90),
            ("1.0", 100),
            ("1", 100),
            ("8", 80),
            ("85%", 85),
            ("8/10", 80),
            ("high", 100),
            ("Medium", 75),
            ("82.5", 82),
            ("75.0", 75),
            ("0.85", 85),
        ] {
            assert_eq!(confidence(text).map(|(c, _)| c.percent()), Some(percent), "{text}");
        }
        for text in ["NaN", "", "-1", "101", "so-so", "1e3", "inf"] {
            assert_eq!(confidence(text), None, "{text}");
        }
    }

    #[test]
    fn places_are_taken_apart() {
        for (text, file, lines, rest) in [
            ("src/a.ts:58", "src/a.ts", Some("58"), None),
            ("src/a.ts:257-259", "src/a.ts", Some("257-259"), None),
            ("src/a.ts", "src/a.ts", None, None),
            ("`src/a.ts:75`", "src/a.ts", Some("75"), None),
            ("[src/a.tsx:28-37]", "src/a.tsx", Some("28-37"), None),
            ("src/a.ts:12:5", "src/a.ts", Some("12"), None),
            ("src/a.ts, Zeilen 12–15", "src/a.ts", Some("12–15"), None),
            ("`src/a.ts` L33", "src/a.ts", Some("33"), None),
            ("`src/(a)/[b].ts:3`", "src/(a)/[b].ts", Some("3"), None),
            ("src/a.ts#L12-L15", "src/a.ts", Some("12-L15"), None),
            ("src/a.ts (line 12)", "src/a.ts", Some("12"), None),
            ("src/a.ts lines 12–15", "src/a.ts", Some("12–15"), None),
            ("src/a.ts:127-128 vs b.ts:3", "src/a.ts", Some("127-128"), Some("vs b.ts:3")),
            ("[o.md](New/.github/o.md#L434)", "New/.github/o.md", Some("434"), None),
            ("./src/a.ts:~97", "./src/a.ts", Some("97"), None),
            ("Dockerfile:3", "Dockerfile", Some("3"), None),
            ("https://example.org/o/r/blob/0a1b/src/a.go#L7-L9 : x", "src/a.go", Some("7-L9"), Some(": x")),
            ("[src/a.py](/home/u/r/src/a.py:9)", "src/a.py", Some("9"), None),
            ("src/a.ts(12,5): error x", "src/a.ts", Some("12"), Some(": error x")),
            ("shop:src/a.java", "src/a.java", None, None),
            ("C:\\x\\a.ts:3", "C:\\x\\a.ts", Some("3"), None),
        ] {
            assert_eq!(split_place(text), Some(FileRef { file, lines, rest }), "{text}");
        }
        for text in ["", "the login form", "https://example.org/a", "v1.2", "and/or nothing"] {
            let place = split_place(text);
            assert!(place.is_none() || text.starts_with("and/or") || text.starts_with("v1"), "{text}: {place:?}");
        }
    }

    #[test]
    fn lines_are_read_and_nothing_else_is() {
        let range = |text: &str| match lines(text) {
            Lines::Exact(range) | Lines::Read(range) => Some(range.to_string()),
            Lines::None => None,
        };
        for (text, expected) in [
            ("42", "42"),
            ("42-45", "42-45"),
            ("L42", "42"),
            ("lines 42–45", "42-45"),
            ("~978", "978"),
            ("186-192, 244-248", "186-192"),
            ("12-L15", "12-15"),
            ("9-3", "9"),
            ("line 7", "7"),
        ] {
            assert_eq!(range(text), Some(expected.to_owned()), "{text}");
        }
        for text in ["", "0", "N/A", "-1", "chapter 3", "99999999999999999999"] {
            assert_eq!(range(text), None, "{text}");
        }
    }

    #[test]
    fn paths_are_normalised_or_refused() {
        assert!(matches!(file("src/a.ts"), File::Exact(_)));
        assert!(matches!(file("./src//a.ts"), File::Normalised(path) if path.as_str() == "src/a.ts"));
        assert!(matches!(file("src\\a.ts"), File::Normalised(path) if path.as_str() == "src/a.ts"));
        assert_eq!(file("/tmp/x/a.ts"), File::Absolute);
        for text in ["../x", "a\\..\\b", "C:\\x", "\\\\?\\x", "a\0b", "", "/a/../b", "//server/x", &"x".repeat(5000)] {
            assert!(matches!(file(text), File::Illegal(_)), "{text}");
        }
    }

    #[test]
    fn verdicts_are_read_from_their_beginning() {
        assert_eq!(verdict("Ready to merge — R1 resolved"), Some(GateVerdict::Pass));
        assert_eq!(verdict("Ready with fixes"), Some(GateVerdict::Warn));
        assert_eq!(verdict("needs_revision"), Some(GateVerdict::Fail));
        assert_eq!(verdict("PASS (limited scope)"), Some(GateVerdict::Pass));
        assert_eq!(verdict("perhaps"), None);
    }

    #[test]
    fn titles_are_first_sentences() {
        assert_eq!(first_sentence("The a.ts file breaks things. It also x."), "The a.ts file breaks things");
        assert_eq!(first_sentence("\n one line\nsecond"), "one line");
        assert!(first_sentence(&"word ".repeat(100)).chars().count() <= 161);
    }
}
