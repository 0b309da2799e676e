//! Counts that a document states: `3 blockers`, `Critical: 1 | High: 0`, `Findings: 5`.
//!
//! In: the text of a leaf. Out: how many findings it counts. A count has to be borne out by the claims (`markdown`).
//! Deliberately not here: the claims.

use crate::intake::lexicon::{self, List};
use crate::intake::{rating, synonyms};
use crate::model::Severity;

/// The numbers of one leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::intake) struct Stated {
    /// Findings of a severity that blocks.
    pub(in crate::intake) blocking: usize,
    /// All findings of a known severity, or of all severities together.
    pub(in crate::intake) total: usize,
    /// Whether a number of findings that block is given, and one of all findings.
    pub(in crate::intake) names_blocking: bool,
    pub(in crate::intake) names_all: bool,
    /// All numbers together.
    sum: usize,
}

impl Stated {
    /// Tells whether every number is zero.
    pub(in crate::intake) fn is_zero(&self) -> bool {
        self.sum == 0
    }
}

/// Reads a leaf that is nothing but counts of findings: every part has one number and one name, and few words besides.
pub(in crate::intake) fn stated(text: &str) -> Option<Stated> {
    let lower = text.to_lowercase();
    if lower.split(|c: char| !c.is_alphanumeric()).any(|word| List::CountsGone.has(word)) || text.len() > 240 {
        return None;
    }
    let mut stated = Stated::default();
    let mut parts = 0;
    // `Findings: 3 (1 critical, 2 low)` counts twice what is there once.
    let text =
        text.split_once('(').map_or(text, |(before, inside)| if of_part(before).is_some() { inside } else { text });
    for part in text.split(['|', ',', ';', '·', '•', '/', '(', ')', '+']).map(str::trim).filter(|part| !part.is_empty())
    {
        if part.chars().all(|c| !c.is_alphanumeric()) {
            continue;
        }
        // A heading before the counts: `Findings by severity: Critical 1`.
        let part =
            part.rsplit_once(": ").filter(|(_, behind)| of_part(behind).is_some()).map_or(part, |(_, behind)| behind);
        let Some((severity, number)) = of_part(part) else {
            // One word that names the line is no count.
            if part.split_whitespace().count() <= 2 && parts == 0 && !part.contains(|c: char| c.is_ascii_digit()) {
                continue;
            }
            return None;
        };
        parts += 1;
        stated.sum += number;
        match severity {
            Some(severity) if severity.is_at_least(Severity::High) => {
                stated.blocking += number;
                stated.names_blocking = true;
            }
            Some(_) => {}
            None => {
                stated.total = stated.total.max(number);
                stated.names_all = true;
            }
        }
    }
    (parts > 0).then_some(stated)
}

/// Tells whether a line of a log sums up its run: `error: could not compile due to 1 previous error; 1 warning emitted`.
pub(super) fn sums_up_a_run(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_level = words.first().is_some_and(|word| ["error", "warning", "note", "info"].contains(word));
    let counts = |three: &[&str]| {
        three[0].bytes().all(|b| b.is_ascii_digit())
            && three[1..]
                .iter()
                .any(|word| ["error", "errors", "warning", "warnings", "problem", "problems"].contains(word))
    };
    is_level && (words.windows(2).any(counts) || words.windows(3).any(counts))
}

/// Reads a row of a table that counts: a severity, and a number behind it in a column that is no id, line or text.
pub(in crate::intake) fn of_row(head: &[String], row: &str) -> Option<Stated> {
    let cells: Vec<&str> = row.split(" | ").map(|cell| cell.trim_matches(['*', '_', '`', ' '])).collect();
    let (at, severity) = cells.iter().enumerate().find_map(|(at, cell)| Some((at, rating::tag(cell)?)))?;
    let is_count = |(column, cell): (usize, &&str)| {
        let name = head.get(column).map(|name| synonyms::fold_word(name)).unwrap_or_default();
        let is_other = ["#", "id", "no", "nr", "line", "lines", "row", "confidence", "score"].contains(&name.as_str());
        cell.parse::<usize>()
            .ok()
            .filter(|_| column != at && !is_other && (column > at || name == "count" || name == "total"))
    };
    let number = cells.iter().enumerate().find_map(is_count)?;
    let is_short = cells.len() <= 5 && cells.iter().all(|cell| cell.split_whitespace().count() <= 8);
    let blocks = severity.is_at_least(Severity::High);
    is_short.then(|| Stated {
        blocking: if blocks { number } else { 0 },
        names_blocking: blocks,
        sum: number,
        ..Stated::default()
    })
}

/// Reads one count: a number and a severity or a noun for findings, with at most two words besides.
fn of_part(part: &str) -> Option<(Option<Severity>, usize)> {
    let words: Vec<&str> = part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.len() > 5 || words.len() < 2 {
        return None;
    }
    let mut numbers = words.iter().filter_map(|word| word.parse::<usize>().ok().or_else(|| spelled(word)));
    let number = numbers.next().filter(|number| *number < 1000)?;
    if numbers.next().is_some() {
        return None;
    }
    let severity = words.iter().find_map(|word| rating::tag(singular(word)).or_else(|| rating::tag(word)));
    let is_noun = lexicon::names_findings(part);
    let others = words
        .iter()
        .filter(|word| word.parse::<usize>().is_err() && spelled(word).is_none())
        .filter(|word| {
            rating::tag(singular(word)).is_none() && rating::tag(word).is_none() && !lexicon::names_findings(word)
        })
        .filter(|word| !List::CountFillers.has(&synonyms::fold_word(word)))
        .count();
    // `Finding 3` and `High 1` are names of one finding.
    let is_counted = words.first().is_some_and(|word| word.parse::<usize>().is_ok() || spelled(word).is_some())
        || part.contains([':', '=', '：']);
    (others == 0 && is_counted && (severity.is_some() || is_noun)).then_some((severity, number))
}

fn singular(word: &str) -> &str {
    word.strip_suffix(['s', 'S']).unwrap_or(word)
}

fn spelled(word: &str) -> Option<usize> {
    let lower = word.to_lowercase();
    List::Numbers.iter().position(|number| *number == lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_such() {
        for (text, blocking, total) in [
            ("Findings: 0 | Blockers: 0", 0, 0),
            ("3 blockers, 2 low", 3, 0),
            ("**Critical:** 1 | **High:** 2 | Medium: 4", 3, 0),
            ("Two high findings", 2, 0),
            ("Total findings: 7", 0, 7),
            ("Findings: 3 (1 critical, 2 low)", 1, 0),
        ] {
            let stated = stated(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((stated.blocking, stated.total), (blocking, total), "{text}");
        }
        for text in [
            "The lock of 3 handlers is dropped",
            "auto-approves with 0 blockers",
            "P1: none",
            "All 3 blockers fixed",
            "High: x",
            "Port 80",
        ] {
            assert_eq!(stated(text), None, "{text}");
        }
    }
}
