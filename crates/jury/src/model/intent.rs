//! Whether a change does what it was meant to do: the answer to one acceptance criterion.
//!
//! Deliberately not here: reading criteria and answers (`intake`), and what follows from an answer (`judge`).

use super::closed_set::closed_set;
use super::{Domain, LineRange, RepoPath};

closed_set! {
    /// Whether a criterion is met.
    Fulfilment {
        /// It is, with evidence.
        Met = "met",
        /// It is not: a finding.
        NotMet = "not met",
        /// Nobody can tell: a gap.
        NotAssessed = "not assessed",
    }
}

/// The answer of one reviewer to one criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The index of the criterion, from 0.
    pub criterion: usize,
    /// The answer.
    pub answer: Fulfilment,
    /// The file that shows it.
    pub file: Option<RepoPath>,
    /// Its lines.
    pub lines: Option<LineRange>,
    /// Quotes of that file.
    pub evidence: Vec<String>,
    /// The reason.
    pub why: String,
}

/// A criterion, and what its reviewers say together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssessedCriterion {
    /// The domain of the reviewer.
    pub domain: Domain,
    /// The criterion.
    pub text: String,
    /// The answer.
    pub answer: Fulfilment,
}
