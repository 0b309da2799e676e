//! The features of a finding by which it is recognised in a later tree.
//!
//! In: the findings of a judgement. Out: plain data that records keep. Deliberately not here: recognising (`verify`).

use super::{Domain, FileLine};

/// A name of a finding: its reviewer, and its rule or title.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingName {
    /// The domain of the reviewer.
    pub domain: Domain,
    /// The rule, or the normalised title where no rule is named.
    pub what: String,
    /// The weakness, where it is named.
    pub cwe: Option<u32>,
}

/// The features of one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// Its names, one for each claim.
    pub names: Vec<FindingName>,
    /// Its title.
    pub title: String,
    /// The code that it quotes.
    pub quote: Option<String>,
    /// Its place; `None` for the repository as a whole.
    pub place: Option<FileLine>,
}

/// The features of all findings of a review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundFeatures {
    /// The open findings.
    pub open: Vec<Features>,
    /// The findings that do not count: suppressed, pre-existing or waived.
    pub others: Vec<Features>,
}
