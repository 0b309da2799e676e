//! The words of a verdict file (000) as types; `None` for a word that the contract does not have.

use jury_wire::v1::code_review::{Finding, ReviewVerdict as VerdictFile};

use crate::model::{Mode, ReviewVerdict, Severity, Status};

/// Returns how the review was made.
pub fn mode_of(file: &VerdictFile) -> Option<Mode> {
    Mode::from_token(&file.mode)
}

/// Returns the verdict.
pub fn verdict_of(file: &VerdictFile) -> Option<ReviewVerdict> {
    ReviewVerdict::from_token(&file.verdict)
}

/// Returns the status of a finding.
pub fn status_of(finding: &Finding) -> Option<Status> {
    Status::from_token(&finding.status)
}

/// Returns the severity of a finding. Praise is none that a verdict file has.
pub fn severity_of(finding: &Finding) -> Option<Severity> {
    Severity::ALL.into_iter().find(|of| of.word() == finding.severity && *of != Severity::Praise)
}
