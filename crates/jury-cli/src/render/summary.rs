//! The format and state of a document, in one line; and several documents in one more.

use jury::formats::{Reading, confidence_word};
use jury::intake::{Intake, Reliability};
use jury::model::{Claim, Report, Severity};
use jury::syntax::Position;

use super::merged::more_gaps;
use super::style::{BAD, GOOD, STRONG};
use super::{Positions, inert, painted};
use crate::input::Document;

/// How many gaps are shown; most repeat a deviation that stands above them.
const MOST_GAPS: usize = 5;
/// The longest gap that is shown, in characters.
const LONGEST_GAP: usize = 120;

/// How many repairs are shown.
const MOST_REPAIRS: usize = 20;
/// The longest value that is shown of a repair, in characters.
const LONGEST_VALUE: usize = 60;

/// Describes a document in one line: format, content, and whether it conforms. `repaired` replaces a
/// document that is accepted although it does not.
pub(crate) fn summary(document: &Document, repaired: Option<&Intake>) -> String {
    let Document { name, format, reading, .. } = document;
    let mut parts = vec![format.map_or_else(|| "unknown format".to_owned(), |format| format.id.to_owned())];
    let reports = repaired.map_or(reading.report.as_slice(), |intake| &intake.reports);
    if let [report] = reports {
        parts.extend(report.stated.map(|verdict| format!("verdict {verdict}")));
        parts.extend(report.confidence.map(|confidence| format!("confidence {}", confidence_word(confidence))));
    }
    if !reports.is_empty() {
        parts.push(findings(reports));
    }
    format!("{}: {}: {}\n", painted(STRONG, name), parts.join(", "), conformity(reading, repaired.is_some()))
}

/// Describes the repair of a nonconforming document: every repair with its place, and every obstacle.
pub(crate) fn taken(intake: &Intake, standing: Reliability, bytes: &[u8]) -> String {
    let mut parts = vec![count(intake.understood(), "finding", "findings")];
    if !intake.rejected.is_empty() {
        parts.push(format!("{} rejected", intake.rejected.len()));
    }
    parts.push(count(intake.repairs.len(), "repair", "repairs"));
    let envelopes: String = intake.envelopes.iter().map(|name| format!(" in the envelope of {name}")).collect();
    let mut text = format!("  read as {}{envelopes}: {}\n", intake.dialect.id(), parts.join(", "));
    text.push_str(&repairs(intake, bytes));
    for gap in intake.gaps.iter().take(MOST_GAPS) {
        text.push_str(&format!("    {}: {}\n", painted(BAD, "gap"), inert::short_line(&gap.message, LONGEST_GAP)));
    }
    if intake.gaps.len() > MOST_GAPS {
        text.push_str(&format!("    {}", more_gaps(intake.gaps.len(), MOST_GAPS)));
    }
    if let Reliability::Unreliable(reason) = standing {
        text.push_str(&format!(
            "    {}: {} ({})\n",
            painted(BAD, "beyond repair"),
            reason.description(),
            reason.code()
        ));
    }
    text
}

fn repairs(intake: &Intake, bytes: &[u8]) -> String {
    let mut places = Positions::new(bytes);
    let mut text = String::new();
    for repair in intake.repairs.iter().take(MOST_REPAIRS) {
        let Position { line, column } = places.at(repair.span.start);
        let was = inert::short_line(&repair.was, LONGEST_VALUE);
        let became = inert::short_line(&repair.became, LONGEST_VALUE);
        let change = if became.is_empty() { format!("{was} → left out") } else { format!("{was} → {became}") };
        text.push_str(&format!("    repaired {line}:{column} {}: {}\n", repair.reason.code(), change.trim_start()));
    }
    if let Some(more @ 1..) = intake.repairs.len().checked_sub(MOST_REPAIRS) {
        text.push_str(&format!("    … and {more} more repairs; --format json shows all\n"));
    }
    text
}

/// Counts findings by severity: `3 findings (1 Blocker, 2 Low)`.
fn findings(reports: &[Report]) -> String {
    let claims: Vec<&Claim> = reports.iter().flat_map(Report::claims).collect();
    let number = |severity| claims.iter().filter(|claim| claim.severity == severity).count();
    let counts: Vec<String> = Severity::ALL
        .into_iter()
        .filter(|severity| number(*severity) > 0)
        .map(|severity| format!("{} {severity}", number(severity)))
        .collect();
    let total = count(claims.len(), "finding", "findings");
    if counts.is_empty() { total } else { format!("{total} ({})", counts.join(", ")) }
}

fn conformity(reading: &Reading, is_accepted: bool) -> String {
    if reading.is_conforming() {
        return painted(GOOD, "conforms");
    }
    if is_accepted {
        let deviations = count(reading.deviations.len(), "deviation", "deviations");
        return format!("{} ({deviations})", painted(STRONG, "repaired, not conforming"));
    }
    let mut faults = count(reading.deviations.len(), "deviation", "deviations");
    if !reading.rejected.is_empty() {
        faults.push_str(&format!(", {} rejected", count(reading.rejected.len(), "finding", "findings")));
    }
    let standing = if reading.report.is_some() { "does not conform" } else { "unusable" };
    format!("{} ({faults})", painted(BAD, standing))
}

/// How many files stand how.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) conforming: usize,
    pub(crate) repaired: usize,
    pub(crate) refused: usize,
    pub(crate) unreadable: usize,
}

impl Counts {
    /// Returns how many files there are.
    pub(crate) fn all(self) -> usize {
        self.conforming + self.repaired + self.refused + self.unreadable
    }
}

/// Says in one line how several files stand.
pub(crate) fn total(counts: &Counts) -> String {
    let rows = [
        (counts.conforming, GOOD, "conforms", "conform"),
        (counts.repaired, STRONG, "repaired", "repaired"),
        (counts.refused, BAD, "refused", "refused"),
        (counts.unreadable, BAD, "could not be read", "could not be read"),
    ];
    let parts: Vec<String> = rows
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, style, one, several)| painted(style, &count(number, one, several)))
        .collect();
    format!("{}: {}\n", count(counts.all(), "file", "files"), parts.join(", "))
}

/// Counts things in words.
pub(crate) fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}
