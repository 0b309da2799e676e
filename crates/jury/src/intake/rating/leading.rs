//! Severities at the front of a line.
//!
//! In: one line. Out: the severity that it starts with, and the rest. Deliberately not here: severities elsewhere in a line.

use super::logs::{follows_place, level};
use super::{is_code, past_ordinal, states_something, tag, worse};
use crate::intake::lexicon;
use crate::intake::synonyms::{self, STATUSES};
use crate::model::Severity;

/// Opens a tag, or decorates a line before one.
const MARKS: &[char] = &['*', '_', '[', '(', '~', ' ', '`', '【'];

/// Returns how much of a line comes before its first word: marks, an ordinal, emoji that say nothing.
fn opening(line: &str) -> usize {
    let mut rest = line;
    loop {
        let before = rest.len();
        rest = rest.trim_start_matches(MARKS);
        let decorates = |c: char| {
            !c.is_ascii() && (!c.is_alphanumeric() || c == 'ℹ') && !matches!(c, '—' | '–' | '“' | '”' | '«' | '»' | '…')
        };
        if let Some(first) = rest.chars().next()
            && decorates(first)
            && tag(&first.to_string()).is_none()
        {
            rest = &rest[first.len_utf8()..];
        }
        rest = past_ordinal(rest);
        if rest.len() == before {
            return line.len() - rest.len();
        }
    }
}

/// Takes a severity off the front of a line: `[P2] x`, `**High** — x`, `MEDIUM: x`, `1) HIGH-1 — x`, `🔴 x`, `(HIGH) x`,
/// `ERROR src/a.ts:3 x`.
pub(in crate::intake) fn leading(line: &str) -> Option<(Severity, &str)> {
    let line = past_status(line.trim_start());
    let (marks, rest) = line.split_at(opening(line));
    let first = rest.chars().next()?;
    if !first.is_alphanumeric()
        && let Some(severity) = tag(&first.to_string())
    {
        let after = rest[first.len_utf8()..].trim_start_matches(['\u{fe0f}', ' ', '*']);
        // An emoji before a word only decorates it.
        return leading(after).or(Some((severity, after))).filter(|(_, rest)| states_something(rest));
    }
    let start = Start::of(marks, rest);
    if let Some(severity) = level(start.word)
        && follows_place(start.after)
    {
        return Some((severity, start.after.trim_start_matches([']', ')', ':', ' ', '\t', '*', '-'])));
    }
    let (severity, start) = start.rated()?;
    let rest = start.rest().filter(|_| !start.names_other())?;
    let rest = rest.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '*' | ':' | '—' | '–' | '-' | '|' | ']' | ')' | '_' | '：' | ',')
    });
    states_something(rest).then_some((severity, rest))
}

/// The start of a line: the marks before its first word, the word or phrase, and the text behind it.
struct Start<'t> {
    marks: &'t str,
    word: &'t str,
    after: &'t str,
    is_phrase: bool,
}

impl<'t> Start<'t> {
    fn of(marks: &'t str, rest: &'t str) -> Self {
        let ends_phrase =
            |c: char| matches!(c, ']' | ')' | ':' | '—' | '–' | '*' | '|' | '_' | '/' | ',' | '`' | '：' | '】' | '(');
        let phrase_end = rest.find(ends_phrase).unwrap_or(rest.len());
        let phrase_end = rest[..phrase_end].find(" - ").unwrap_or(phrase_end);
        let phrase = rest[..phrase_end].trim_end();
        let word_end = rest.find(|c: char| ends_phrase(c) || c.is_whitespace()).unwrap_or(rest.len());
        let is_phrase = phrase.len() > word_end && phrase.split_whitespace().count() <= 4 && tag(phrase).is_some();
        let (mut word, mut after) = rest.split_at(if is_phrase { phrase.len() } else { word_end });
        // `High priority:` and `Medium severity —` are one tag.
        for second in [" priority", " severity", " Priority", " Severity", " PRIORITY"] {
            if let Some(behind) = after.strip_prefix(second).filter(|_| !is_phrase) {
                word = &rest[..word.len() + second.len()];
                after = behind;
            }
        }
        Self { marks, word, after, is_phrase }
    }

    fn is_shouted(&self) -> bool {
        self.word.len() > 2 && self.word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
    }

    /// Reads the word as a severity. Of `BLOCKER / HIGH` the worse counts.
    fn rated(mut self) -> Option<(Severity, Self)> {
        // A warning is one if it is marked; in plain text the word opens any sentence.
        let is_marked_warning = ["warning", "warn"].contains(&synonyms::fold_word(self.word).as_str())
            && (self.is_shouted()
                || self.marks.contains(['*', '['])
                || self.after.trim_start().starts_with(['—', '–']));
        let severity = tag(self.word).or(is_marked_warning.then_some(Severity::Medium))?;
        let Some(second) = self.after.trim_start().strip_prefix('/') else { return Some((severity, self)) };
        let second = second.trim_start();
        let end = second.find(|c: char| !c.is_alphanumeric()).unwrap_or(second.len());
        let other = tag(&second[..end])?;
        self.after = &second[end..];
        Some((worse(severity, other), self))
    }

    /// Tells whether the word starts a label that is none of findings: `**Critical dependencies**: x`.
    fn names_other(&self) -> bool {
        let is_label = |bold: &str, behind: &str| behind.starts_with(':') || bold.ends_with(':');
        !self.is_phrase
            && self.marks.contains('*')
            && self.after.trim_start().starts_with(char::is_alphabetic)
            && self.after.starts_with(' ')
            && !is_code(self.word)
            && self.after.split_once("**").is_some_and(|(bold, behind)| {
                (1..=2).contains(&bold.split_whitespace().count())
                    && is_label(bold, behind)
                    && !lexicon::names_findings(bold)
            })
    }

    /// Returns the text behind the tag, if something sets the tag off from it.
    fn rest(&self) -> Option<&'t str> {
        let after = self.after;
        let is_bracketed = self.marks.trim_end_matches(['*', '_', '`', ' ', '~']).ends_with(['[', '(', '【'])
            && after.starts_with([']', ')', ',', ':', ' ', '|', '—', '–', '】'])
            && after.contains([']', ')', '】']);
        if is_bracketed {
            return Some(after.split_once([']', ')', '】']).map_or(after, |(_, rest)| rest));
        }
        let is_bold =
            self.marks.contains('*') && (after.starts_with("**") || after.starts_with([':', ' ', '—', '–', '：']));
        let is_followed = after.starts_with([':', '—', '–', '|', '：'])
            || after.starts_with(',') && is_code(self.word)
            || after.trim_start_matches(['*', ' ']).starts_with(['—', '–', '|'])
            || after.starts_with(" - ")
            || after.starts_with(" -- ");
        (is_bold || is_followed || is_code(self.word) || self.is_shouted()).then_some(after)
    }
}

/// Passes over the status of a finding before its severity: `RESOLVED: Low: x`, `[FIXED] [P1] x`.
fn past_status(line: &str) -> &str {
    let bare = line.trim_start_matches(['*', '[', '(', '_', '~']);
    let end = bare.find([':', ']', ')', '—', '–', '*']).unwrap_or(0);
    let word = &bare[..end];
    let is_status = (1..=3).contains(&word.split_whitespace().count()) && synonyms::word(STATUSES, word).is_some();
    let rest = bare[end..].trim_start_matches([':', ']', ')', '—', '–', '*', ' ']);
    if is_status && !rest.is_empty() { rest } else { line }
}
