//! What `jury merge --format json` prints, in 004's vocabulary.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The whole result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// What was decided, in every vocabulary.
    pub verdict: Verdict,
    /// What stands, worst first.
    pub findings: Vec<Finding>,
    /// What is kept aside because nobody is sure enough of it.
    pub suppressed: Vec<Finding>,
    /// What was there before the change.
    pub pre_existing: Vec<Finding>,
    /// What people have accepted.
    pub waived: Vec<Finding>,
    /// What was claimed and cannot be relied upon.
    pub rejected: Vec<Rejected>,
    /// What was asked for and not obtained.
    pub gaps: Vec<Gap>,
    /// What was read otherwise than it was written.
    pub repairs: Vec<Repair>,
    /// Risks that were noticed but not confirmed.
    pub residual_risks: Vec<String>,
    /// Tests that are missing.
    pub testing_gaps: Vec<String>,
    /// How many findings of each confidence anchor are suppressed.
    pub suppressed_by_confidence: BTreeMap<String, usize>,
}

/// The decision in the words of each contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// PASS, WARN, FAIL or ABORT (000).
    pub review: String,
    /// pass, warn or fail (001).
    pub gate: String,
    /// APPROVED, COMMENTED or CHANGES_REQUESTED (002).
    pub approval: String,
    /// clear, blocked, incomplete or aborted: what the exit code says.
    pub outcome: String,
}

/// One finding: what the claims that were merged into it say together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Its number in this result, from 1.
    pub number: usize,
    /// Its title.
    pub title: String,
    /// P0 to P3.
    #[schemars(extend("enum" = ["P0", "P1", "P2", "P3"]))]
    pub severity: String,
    /// The file; null for the change as a whole.
    pub file: Option<String>,
    /// The first line; null for the file as a whole.
    pub line: Option<u32>,
    /// The last line, if it is not the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// In percent; null if nobody said.
    pub confidence: Option<u32>,
    /// How a fix may be made.
    pub autofix_class: Option<String>,
    /// Who owns the next action.
    pub owner: Option<String>,
    /// Whether a fix must be checked again.
    pub requires_verification: Option<bool>,
    /// Whether the defect was there before the change.
    pub pre_existing: bool,
    /// Who says so.
    pub reviewers: Vec<String>,
    /// Who says so independently of the others.
    pub independent_reviewers: Vec<String>,
    /// Quotes and observations.
    pub evidence: Vec<String>,
    /// What breaks.
    pub why_it_matters: Option<String>,
    /// What to do.
    pub suggested_fix: Option<String>,
    /// Its identity across edits.
    pub fingerprint: String,
    /// What was done to it on the way, and why.
    pub trail: Vec<Step>,
}

/// One step on the way of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Which step.
    pub step: String,
    /// What it did, and why.
    pub what: String,
}

/// A claim that was rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    /// The document it stands in.
    pub path: String,
    /// The stable reason code.
    pub code: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Its text as it was written.
    pub raw: String,
}

/// Something that was asked for and not obtained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// The document or reviewer it is about.
    pub reviewer: String,
    /// What kind of gap it is.
    pub kind: String,
    /// What is missing.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// Something that was read otherwise than it was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Repair {
    /// The document.
    pub path: String,
    /// The stable reason code.
    pub code: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What stood there.
    pub was: String,
    /// What it was read as.
    pub became: String,
}
