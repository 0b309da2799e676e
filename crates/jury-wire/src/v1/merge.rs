//! Output of `jury merge --format json`, in 004's vocabulary.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The whole result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The decision, in every vocabulary.
    pub verdict: Verdict,
    /// Open findings, worst first.
    pub findings: Vec<Finding>,
    /// Findings below the confidence threshold.
    pub suppressed: Vec<Finding>,
    /// Pre-existing findings.
    pub pre_existing: Vec<Finding>,
    /// Waived findings.
    pub waived: Vec<Finding>,
    /// Claims that are unreliable.
    pub rejected: Vec<Rejected>,
    /// Gaps.
    pub gaps: Vec<Gap>,
    /// Repairs.
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
    /// clear, blocked, incomplete or aborted: the meaning of the exit code.
    pub outcome: String,
}

/// One finding: the union of the claims that were merged into it.
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
    /// In percent; null if not stated.
    pub confidence: Option<u32>,
    /// How a fix may be made.
    pub autofix_class: Option<String>,
    /// The owner of the next action.
    pub owner: Option<String>,
    /// Whether a fix must be checked again.
    pub requires_verification: Option<bool>,
    /// Whether the defect was there before the change.
    pub pre_existing: bool,
    /// Its reviewers.
    pub reviewers: Vec<String>,
    /// The independent ones among them.
    pub independent_reviewers: Vec<String>,
    /// Quotes and observations.
    pub evidence: Vec<String>,
    /// The impact.
    pub why_it_matters: Option<String>,
    /// The action to take.
    pub suggested_fix: Option<String>,
    /// Its identity across edits.
    pub fingerprint: String,
    /// The events on its way, and why.
    pub trail: Vec<Step>,
}

/// One step on the way of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Which step.
    pub step: String,
    /// The event, and why.
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
    /// The kind of gap.
    pub kind: String,
    /// The missing part.
    pub what: String,
    /// The remedy.
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
    /// The original text.
    pub was: String,
    /// The text as it was read.
    pub became: String,
}
