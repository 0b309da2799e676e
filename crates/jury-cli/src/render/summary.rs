//! What a document is and how it stands, in one line; and several documents in one more.

use std::collections::BTreeMap;

use jury::formats::{Reading, confidence_word};
use jury::intake::Intake;
use jury::model::{Report, Severity, Tally};

use super::merged::more_gaps;
use super::style::{BAD, GOOD, STRONG};
use super::{inert, painted};
use crate::input::Document;

/// How many gaps are shown; most repeat a deviation that stands above them.
const MOST_GAPS: usize = 5;
/// The longest gap that is shown, in characters.
const LONGEST_GAP: usize = 120;

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

/// Says in a line or two what can be made of a document that does not conform.
pub(crate) fn taken(intake: &Intake) -> String {
    let mut parts = vec![count(intake.understood(), "finding", "findings")];
    if !intake.rejected.is_empty() {
        parts.push(format!("{} rejected", intake.rejected.len()));
    }
    parts.push(count(intake.repairs.len(), "repair", "repairs"));
    let envelopes: String = intake.envelopes.iter().map(|name| format!(" in the envelope of {name}")).collect();
    let mut text = format!("  taken as {}{envelopes}: {}\n", intake.dialect.id(), parts.join(", "));
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    intake.repairs.iter().for_each(|repair| *codes.entry(repair.reason.code()).or_default() += 1);
    if !codes.is_empty() {
        let codes: Vec<String> = codes.iter().map(|(code, number)| format!("{number} {code}")).collect();
        text.push_str(&format!("    repaired: {}\n", codes.join(", ")));
    }
    for gap in intake.gaps.iter().take(MOST_GAPS) {
        text.push_str(&format!("    {}: {}\n", painted(BAD, "gap"), inert::short_line(&gap.message, LONGEST_GAP)));
    }
    if intake.gaps.len() > MOST_GAPS {
        text.push_str(&format!("    {}", more_gaps(intake.gaps.len(), MOST_GAPS)));
    }
    text
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
