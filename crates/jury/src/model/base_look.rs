//! The findings of the text before the change, so that a finding of the text after it can be compared with them.
//!
//! In: the second look of a review. Out: plain data that records keep. Deliberately not here: how the base is looked at, and
//! the comparison (`synthesis`).

use super::{Confidence, Domain, Fingerprint, LineRange, RepoPath, Severity, Title};

/// The second look of a review, at the text before the change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseLook {
    /// The findings of the base, in the files that were looked at.
    pub findings: Vec<BaseFinding>,
    /// The reviewers that could not look at the base.
    pub failed: Vec<FailedLook>,
}

/// A finding of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseFinding {
    /// The domain of its reviewer.
    pub domain: Domain,
    /// The rule.
    pub rule: Option<String>,
    /// The defect, in one line.
    pub title: Title,
    /// How bad it is.
    pub severity: Severity,
    /// How sure the reviewer is.
    pub confidence: Option<Confidence>,
    /// Its file on the base.
    pub file: RepoPath,
    /// Its lines on the base.
    pub lines: Option<LineRange>,
    /// Its place after the change; `None` if the change alters any of its lines, or its file was not reviewed alike.
    pub unchanged: Option<UnchangedPlace>,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Its fingerprint of version 1, by which an old waiver names it.
    pub first_fingerprint: Fingerprint,
}

/// The place after the change of a finding of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnchangedPlace {
    /// The file.
    pub file: RepoPath,
    /// The lines of the finding.
    pub lines: Option<LineRange>,
    /// The lines that it rests on.
    pub trace: Vec<LineRange>,
}

/// A reviewer that could not look at the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedLook {
    /// The reviewer.
    pub reviewer: Domain,
    /// The reason.
    pub why: String,
}
