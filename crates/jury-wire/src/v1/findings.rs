//! Reviewer findings of 004, in both tiers. The seed allows further members everywhere, and these keep them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::whole;

/// The artifact tier: every field of every finding.
pub type Artifact = Findings<Detailed>;

/// The compact tier: the fields that an orchestrator needs for merging.
pub type Compact = Findings<Finding>;

/// The return of one reviewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CodeReviewFindings")]
pub struct Findings<F> {
    /// The persona that produced it.
    pub reviewer: String,
    /// The findings; empty if there are none.
    pub findings: Vec<F>,
    /// Risks that were noticed but not confirmed.
    pub residual_risks: Vec<String>,
    /// Tests that are missing.
    pub testing_gaps: Vec<String>,
    /// Members that the contract does not name.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A finding with its detail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Detailed {
    /// The fields of both tiers.
    #[serde(flatten)]
    pub merge: MergeTier,
    /// The impact.
    pub why_it_matters: String,
    /// Snippets, references, observations.
    #[schemars(length(min = 1))]
    pub evidence: Vec<String>,
    /// Members that the contract does not name.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A finding in the compact tier. It may carry its detail all the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The fields of both tiers.
    #[serde(flatten)]
    pub merge: MergeTier,
    /// The impact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub why_it_matters: Option<String>,
    /// Snippets, references, observations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub evidence: Option<Vec<String>>,
    /// Members that the contract does not name.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The fields of a finding in both tiers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MergeTier {
    /// Short and specific.
    #[schemars(length(max = 100))]
    pub title: String,
    /// How bad it is.
    #[schemars(extend("enum" = ["P0", "P1", "P2", "P3"]))]
    pub severity: String,
    /// The file, relative to the repository root.
    pub file: String,
    /// The primary line.
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 1))]
    pub line: u32,
    /// How a fix may be made.
    #[schemars(extend("enum" = ["safe_auto", "gated_auto", "manual", "advisory"]))]
    pub autofix_class: String,
    /// The owner of the next action.
    #[schemars(extend("enum" = ["review-fixer", "downstream-resolver", "human", "release"]))]
    pub owner: String,
    /// Whether a fix must be checked again.
    pub requires_verification: bool,
    /// A concrete, minimal fix; null says the same as leaving it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_fix: Option<String>,
    /// One of the five anchors.
    #[serde(deserialize_with = "whole")]
    #[schemars(extend("enum" = [0, 25, 50, 75, 100]))]
    pub confidence: u32,
    /// Whether the defect was there before the change.
    pub pre_existing: bool,
}
