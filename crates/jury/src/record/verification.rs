//! The result of a verification, and the comparison of a full review with the one before.

use std::collections::BTreeSet;

use super::RecordId;
use crate::model::{Became, Domain, FileLine, RepoPath, ReviewId, Severity, Status};

/// How the findings of a full review compare with those of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// The review before.
    pub review_id: ReviewId,
    /// How many are new.
    pub new: usize,
    /// How many are where they were.
    pub persisting: usize,
    /// How many are elsewhere.
    pub moved: usize,
    /// How many are no longer found.
    pub gone: usize,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The record of the review whose findings were verified.
    pub of: RecordId,
    /// The statuses of all findings of that review when this one began, in its order.
    pub statuses: Vec<Status>,
    /// The paths that changed since that review.
    pub changed: BTreeSet<RepoPath>,
    /// The files from which tests were removed.
    pub untested: BTreeSet<RepoPath>,
    /// The result for each finding that was marked fixed.
    pub checked: Vec<Recheck>,
    /// Findings that came with the fixes.
    pub new: Vec<NewFinding>,
    /// The paths with changes beside the fixes, or that were not reviewed; for showing.
    pub beyond: Vec<String>,
    /// The gaps of this verification, beside those of the review; for display.
    pub gaps: Vec<String>,
}

/// The result for one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recheck {
    /// The id of the finding.
    pub id: String,
    /// Its result.
    pub became: Became,
}

/// A finding that came with the fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFinding {
    /// Its domain.
    pub domain: Domain,
    /// Its severity.
    pub severity: Severity,
    /// Its title.
    pub title: String,
    /// Its place, if it has one.
    pub place: Option<FileLine>,
}

impl Recheck {
    /// Returns the status that follows.
    pub fn status(&self) -> Status {
        self.became.status()
    }
}
