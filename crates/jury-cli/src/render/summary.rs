//! What a document is and how it stands, in one line; and several documents in one more.

use jury::formats::{Reading, confidence_word};
use jury::model::{Report, Severity, Tally};

use super::painted;
use super::style::{BAD, GOOD, STRONG};
use crate::input::Document;

/// Says in one line what a document is, what it states, and whether it conforms.
pub(crate) fn summary(document: &Document) -> String {
    let Document { name, format, reading, .. } = document;
    let mut parts = vec![format.map_or_else(|| "no known format".to_owned(), |format| format.id.to_owned())];
    if let Some(report) = &reading.report {
        parts.extend(report.stated.map(|verdict| format!("verdict {verdict}")));
        parts.extend(report.confidence.map(|confidence| format!("confidence {}", confidence_word(confidence))));
        parts.push(findings(report));
    }
    format!("{}: {}: {}\n", painted(STRONG, name), parts.join(", "), standing(reading))
}

/// Counts findings by severity: `3 findings (1 Blocker, 2 Low)`.
fn findings(report: &Report) -> String {
    let tally = Tally::of_claims(&report.claims, |_| true);
    let counts: Vec<String> = Severity::ALL
        .into_iter()
        .filter(|severity| tally.count(*severity) > 0)
        .map(|severity| format!("{} {severity}", tally.count(severity)))
        .collect();
    let total = count(report.claims.len(), "finding", "findings");
    if counts.is_empty() { total } else { format!("{total} ({})", counts.join(", ")) }
}

fn standing(reading: &Reading) -> String {
    if reading.is_conforming() {
        return painted(GOOD, "conforms");
    }
    let mut faults = count(reading.deviations.len(), "deviation", "deviations");
    if !reading.rejected.is_empty() {
        faults.push_str(&format!(", {} rejected", count(reading.rejected.len(), "finding", "findings")));
    }
    let standing = if reading.report.is_some() { "does not conform" } else { "cannot be relied upon" };
    format!("{} ({faults})", painted(BAD, standing))
}

/// Says in one line how several files stand.
pub(crate) fn total(conforming: usize, deviating: usize, unreadable: usize) -> String {
    let mut parts = Vec::new();
    let mut add = |number, style, one, several| {
        if number > 0 {
            parts.push(painted(style, &count(number, one, several)));
        }
    };
    add(conforming, GOOD, "conforms", "conform");
    add(deviating, BAD, "does not conform", "do not conform");
    add(unreadable, BAD, "could not be read", "could not be read");
    format!("{}: {}\n", count(conforming + deviating + unreadable, "file", "files"), parts.join(", "))
}

/// Counts things in words.
pub(crate) fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}
