//! The review summary of 002.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A whole review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewSummary {
    /// The commit that was reviewed.
    #[schemars(regex(pattern = "^[0-9a-f]{40}$"))]
    pub reviewed_sha: String,
    /// The merge base.
    #[schemars(regex(pattern = "^[0-9a-f]{40}$"))]
    pub base_sha: String,
    /// The files that were reviewed.
    pub files_reviewed: Vec<String>,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The verdict that the findings give.
    #[schemars(extend("enum" = ["APPROVED", "CHANGES_REQUESTED", "COMMENTED"]))]
    pub verdict: String,
    /// How many findings block.
    pub blocking_count: BlockingCount,
    /// Whether the change has moved on since.
    pub re_review_required: bool,
    /// Other remarks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub reviewer_notes: Option<String>,
}

/// How many findings block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockingCount {
    /// Critical ones.
    pub critical: u64,
    /// High ones.
    pub high: u64,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// F001, F002, … in sequence.
    #[schemars(regex(pattern = "^F[0-9]{3,}$"))]
    pub id: String,
    /// How bad it is.
    #[schemars(extend("enum" = ["Critical", "High", "Medium", "Low", "Nit", "Praise"]))]
    pub severity: String,
    /// Its kind.
    #[schemars(extend("enum" = ["Security", "Logic", "Error", "Type", "Test", "Perf", "Style", "Doc"]))]
    pub category: String,
    /// Where it is.
    pub location: Location,
    /// The defect, in one line.
    #[schemars(length(min = 1, max = 80))]
    pub summary: String,
    /// Why it matters; required for Critical and High.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub reason: Option<String>,
    /// Code or a clear observation.
    #[schemars(length(min = 1))]
    pub evidence: String,
    /// A proposed fix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub suggestion: Option<String>,
}

/// Where a finding is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// The file, relative to the repository root.
    pub file: String,
    /// The first line.
    #[schemars(range(min = 1))]
    pub line_start: u32,
    /// The last line, if it is not the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1))]
    pub line_end: Option<u32>,
    /// Before (`LEFT`) or after (`RIGHT`, the default) the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["LEFT", "RIGHT"]))]
    pub side: Option<String>,
}
