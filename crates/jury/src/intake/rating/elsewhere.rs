//! Severities that stand elsewhere in a line than at its front: in brackets, behind a label or a title, at the end.
//!
//! In: one line. Out: the severity that it states, and the rest.

use super::{leading, states_something, tag, without_emoji, worse};
use crate::intake::synonyms::{self, Field};
use crate::model::Severity;

/// Finds a severity in brackets anywhere in a heading: `C-1 (Critical): x`, `S-4 — x (Major, carried from R1)`.
pub(in crate::intake) fn bracketed(line: &str) -> Option<Severity> {
    line.split(['(', '[', '（', '【']).skip(1).find_map(|group| {
        let inside = group.split([')', ']', ',', ';', '/', '）', '】']).next()?;
        tag(inside)
    })
}

/// Reads a line that is a labelled severity in bold and a text behind it: `**Severity: major** — x`.
pub(in crate::intake) fn labelled(line: &str) -> Option<(Severity, String)> {
    let (label, rest) = line.trim_start().strip_prefix("**")?.split_once("**")?;
    let (name, word) = label.split_once(':')?;
    let is_severity = synonyms::field(name).is_some_and(|(field, _)| field == Field::Severity);
    let rest = rest.trim_start();
    let text = rest.trim_start_matches(['—', '–', '-', ':', '|', ' ']);
    let severity = tag(word).filter(|_| is_severity && text.len() < rest.len() && states_something(text))?;
    Some((severity, text.to_owned()))
}

/// Reads a text that starts with the name of a severity, the severity and the rest: `Severity: major. x`.
pub(in crate::intake) fn named(line: &str) -> Option<(Severity, String)> {
    let (name, rest) = line.trim_start().split_once(':')?;
    let is_severity = synonyms::field(name).is_some_and(|(field, _)| field == Field::Severity);
    let rest = rest.trim_start();
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | '—' | '–' | '|'))?;
    let text = rest[end..].trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '"' | '\''));
    let severity = tag(&rest[..end]).filter(|_| is_severity && states_something(text))?;
    Some((severity, text.to_owned()))
}

/// Reads a line that starts with a title in bold and has its severity behind that: `**Stale cache**: Critical - x`.
pub(in crate::intake) fn behind_title(line: &str) -> Option<(Severity, String)> {
    let (title, rest) = line.trim_start().strip_prefix("**")?.split_once("**")?;
    let rest = rest.trim_start_matches([':', ' ', '—', '–', '-', '|']);
    let (severity, rest) = leading(rest).filter(|_| !title.trim().is_empty())?;
    Some((severity, format!("**{}**: {rest}", title.trim_end_matches([':', ' ']))))
}

/// No severity in brackets is longer.
const LONGEST_TAG: usize = 40;

/// Finds a severity that a line has in brackets of its own, `x [Severity: High] y`, or ends with: `x — Critical`,
/// `x 🔴 **High**`. The returned rest is the line without it.
pub(in crate::intake) fn closing(line: &str) -> Option<(Severity, String)> {
    for (open, _) in line.match_indices(['(', '[']) {
        let Some(length) = line[open..].find([')', ']']) else { break };
        if length > LONGEST_TAG {
            continue;
        }
        let inside = &line[open + 1..open + length];
        // `(P3, safe_auto)`: the rating is the head of what stands in the brackets.
        let head = inside.split([',', ';']).next().unwrap_or(inside);
        if let Some(severity) = tag(inside).or_else(|| tag(head)) {
            let rest = format!("{}{}", line[..open].trim_end(), &line[open + length + 1..]);
            return states_something(&rest).then_some((severity, rest));
        }
    }
    let bare = line.trim_end().trim_end_matches(['.', ' ']);
    let dash =
        [" — ", " – ", " - ", " -- ", " | "].iter().filter_map(|dash| Some((bare.rfind(dash)?, dash.len()))).max();
    let bold = bare.strip_suffix("**").and_then(|inner| inner.rfind("**")).map(|at| (at, 0));
    let last = bare.rfind(' ').filter(|at| !bare[*at..].contains(char::is_alphanumeric)).map(|at| (at, 0));
    [dash, bold, last].into_iter().flatten().find_map(|(at, length)| {
        let severity = tag(&without_emoji(&bare[at + length..]))?;
        let rest = bare[..at].trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | ')' | ']' | '*'));
        states_something(rest).then(|| (severity, rest.to_owned()))
    })
}

/// Reads a line that only rates the next one: `⚠️ **Potential issue** | 🟠 Major`, `**Severity: High**`.
pub(in crate::intake) fn only(line: &str) -> Option<Severity> {
    let pieces: Vec<String> = line.split(['|', '·']).map(|piece| without_emoji(piece.trim())).collect();
    let is_short = pieces.len() > 1 && pieces.iter().all(|piece| piece.split_whitespace().count() <= 3);
    let worst = pieces.iter().filter_map(|piece| tag(piece)).reduce(worse);
    // The last word is the rating; the words before name a kind.
    pieces.last().filter(|_| is_short).and_then(|piece| tag(piece)).and(worst)
}
