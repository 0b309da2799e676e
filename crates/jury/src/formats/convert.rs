//! From one format to another, with an honest account of what that costs.
//!
//! In: a report and a target. Out: the text, and every field that is no longer what it was. The account is not kept by
//! the writers: what was written is read back and compared, so nothing can be lost without being listed.

use jury_wire::Reason;

use super::Format;
use crate::model::{Attendance, Difference, Gap, GapKind, Report, differences};
use crate::syntax::Limits;

/// A report in another format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The text.
    pub text: String,
    /// For each finding of the text in order, the index of the claim it states; beyond the claims of the report stand
    /// its gaps.
    pub kept: Vec<usize>,
    /// What was said and is no longer said so.
    pub losses: Vec<Difference>,
    /// What the target requires and the source did not say.
    pub filled: Vec<Difference>,
}

/// Why a report cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The format is only read.
    #[error("`{0}` is only read, never written")]
    ReadOnly(&'static str),
    /// What was written does not read back as conforming, so it is withheld.
    #[error("the report cannot be said in `{format}`: {} ({})", .detail, .reason.code())]
    Unsayable {
        /// The target.
        format: &'static str,
        /// What the reader of the target refuses.
        reason: Reason,
        /// Its words.
        detail: String,
    },
}

/// Converts a report.
pub fn convert(report: &Report, target: &Format) -> Result<Conversion, ConvertError> {
    let report = &with_gaps_as_claims(report, target);
    let written = target.write(report).ok_or(ConvertError::ReadOnly(target.id))?;
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

/// States each missing reviewer as a High claim where the target cannot say that a reviewer is missing: what was not
/// reviewed never becomes green by conversion.
fn with_gaps_as_claims(report: &Report, target: &Format) -> Report {
    let mut report = report.clone();
    if target.states_attendance {
        return report;
    }
    for reviewer in &report.reviewers {
        if reviewer.attendance == Attendance::Missing {
            let gap = Gap {
                reviewer: reviewer.name.clone(),
                kind: GapKind::DeadReviewer,
                what: format!("{} did not report", reviewer.name),
                remedy: format!("run the {} reviewer again", reviewer.name),
            };
            let claim = gap.as_finding().representative;
            // A target that does say who is missing may be the source of the next conversion.
            if !report.claims.contains(&claim) {
                report.claims.push(claim);
            }
        }
    }
    report
}
