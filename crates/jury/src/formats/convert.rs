//! From one format to another, with a list of all losses.
//!
//! In: a report and a target. Out: the text, and every field that changed. The list is not kept by
//! the writers: the text is read back and compared, so nothing can be lost without being listed.

use std::borrow::Cow;

use jury_wire::Reason;

use super::Format;
use crate::model::{Difference, Report, differences};
use crate::syntax::Limits;

/// A report in another format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The text.
    pub text: String,
    /// For each finding of the text in order, the index of the claim it states; no claim has the index of one that was added.
    pub kept: Vec<usize>,
    /// Values that the text no longer has.
    pub losses: Vec<Difference>,
    /// Values that the target requires and the source did not have.
    pub filled: Vec<Difference>,
}

/// Why a report cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The format is only read.
    #[error("`{0}` is only read, never written")]
    ReadOnly(&'static str),
    /// The text does not read back as conforming, so it is withheld.
    #[error("the report cannot be expressed in `{format}`: {} ({})", .detail, .reason.code())]
    Unsayable {
        /// The target.
        format: &'static str,
        /// The reason of the target's reader.
        reason: Reason,
        /// Its words.
        detail: String,
    },
}

/// Converts a report.
pub fn convert(report: &Report, target: &Format) -> Result<Conversion, ConvertError> {
    let written = target.write(&with_gaps_as_claims(report, target)).ok_or(ConvertError::ReadOnly(target.id))?;
    let reading = target.read(written.text.as_bytes(), &Limits::default());
    let again = match (reading.report, reading.deviations.into_iter().next()) {
        (Some(again), None) => again,
        (_, deviation) => {
            let (reason, detail) = deviation.map_or((Reason::WrongType, String::new()), |d| (d.reason, d.message));
            return Err(ConvertError::Unsayable { format: target.id, reason, detail });
        }
    };
    let (losses, filled) =
        differences(report, &again, &written.kept).into_iter().partition(|difference| difference.is_loss());
    Ok(Conversion { text: written.text, kept: written.kept, losses, filled })
}

/// States the gaps of a report as High claims where the target has no other way: an unreviewed or failed
/// part never becomes green by conversion.
fn with_gaps_as_claims<'r>(report: &'r Report, target: &Format) -> Cow<'r, Report> {
    let mut stated = Cow::Borrowed(report);
    if target.states_attendance {
        return stated;
    }
    for gap in report.gaps() {
        let claim = gap.as_finding().representative;
        // A report that was converted before may state its gaps already.
        if !stated.claims.contains(&claim) {
            stated.to_mut().claims.push(claim);
        }
    }
    stated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{FORMATS, by_id};
    use crate::model::{GateVerdict, Severity, Stated, Tally};

    #[test]
    fn a_gate_that_nobody_opened_stays_closed_everywhere() {
        for text in [
            "verdict-summary version=1\ntask-id \"t\"\ngate \"fail\"\nskipped \"qa\"\n",
            "verdict-summary version=1\ntask-id \"t\"\ngate \"fail\"\nmissing \"qa\"\n",
        ] {
            let kdl = by_id("verdict-kdl").unwrap().read(text.as_bytes(), &Limits::default());
            let report = kdl.report.unwrap();
            for target in FORMATS.iter().filter(|format| format.is_writable()) {
                let text = convert(&report, target).unwrap().text;
                let there = target.read(text.as_bytes(), &Limits::default()).report.unwrap();
                let tally = Tally::of_claims(&there.claims, |claim| claim.status().stands());
                let is_closed =
                    tally.any_at_least(Severity::High) || there.stated == Some(Stated::Gate(GateVerdict::Fail));
                assert!(is_closed, "{target:?}:\n{text}");
            }
        }
    }
}
