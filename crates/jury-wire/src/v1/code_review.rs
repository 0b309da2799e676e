//! The verdict file of 000 and 003. Words are plain strings here; which ones are legal, the schema says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::whole;

/// The verdict file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "camelCase")]
pub struct ReviewVerdict {
    /// Eight hexadecimal digits; matches the Markdown report.
    #[schemars(regex(pattern = "^[0-9a-f]{8}$"))]
    pub review_id: String,
    /// When, in ISO 8601.
    #[schemars(extend("format" = "date-time"))]
    pub timestamp: String,
    /// The kind of scope.
    #[schemars(extend("enum" = ["changeset", "package", "team", "file"]))]
    pub scope: String,
    /// The scope, for example `origin/master..HEAD`.
    pub target: String,
    /// How it was reviewed.
    #[schemars(extend("enum" = ["full", "quick", "verify"]))]
    pub mode: String,
    /// The verdict over findings that are open or reopened.
    #[schemars(extend("enum" = ["PASS", "WARN", "FAIL", "ABORT"]))]
    pub verdict: String,
    /// How many findings of each severity are open or reopened.
    pub summary: Summary,
    /// The relative path of the Markdown report; empty for a quick check.
    pub report_path: String,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// How many findings of each severity are open or reopened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Blockers.
    #[serde(deserialize_with = "whole")]
    pub blocker: u64,
    /// Highs.
    #[serde(deserialize_with = "whole")]
    pub high: u64,
    /// Mediums.
    #[serde(deserialize_with = "whole")]
    pub medium: u64,
    /// Lows.
    #[serde(deserialize_with = "whole")]
    pub low: u64,
    /// Infos.
    #[serde(deserialize_with = "whole")]
    pub info: u64,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// `{domain}-{first 8 hex of SHA-256(file)}-{lineRange or 0}`.
    pub id: String,
    /// The specialist that produced it.
    pub domain: String,
    /// How bad it is.
    #[schemars(extend("enum" = ["Blocker", "High", "Medium", "Low", "Info"]))]
    pub severity: String,
    /// How sure the specialist is.
    #[schemars(range(min = 0.5, max = 1.0))]
    pub confidence: f64,
    /// The file, relative to the repository root.
    pub file: String,
    /// The lines, as `42` or `42-58`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = "^[1-9][0-9]*(-[1-9][0-9]*)?$"))]
    pub line_range: Option<String>,
    /// The problem.
    #[schemars(length(min = 1, max = 120))]
    pub title: String,
    /// A concrete instruction.
    pub recommendation: String,
    /// How far it has come; the one field a team agent may change.
    #[schemars(extend("enum" = ["open", "fixed", "verified", "reopened", "wont_fix"]))]
    pub status: String,
}
