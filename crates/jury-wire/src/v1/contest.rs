//! The contests of one review, as they are kept beside its record: canonical JSON, sealed by its digest.
//!
//! The result of a contest is not in it. It follows from these facts, and from the tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of contests that this program writes, and the newest that it reads.
pub const VERSION: u32 = 1;

/// The contests of one review, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Contests {
    /// The version of this type.
    pub version: u32,
    /// The digest of the record of the review.
    pub review: String,
    /// The contests.
    pub contests: Vec<Contest>,
}

/// A contest of one finding on one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Contest {
    /// The id of the finding.
    pub finding: String,
    /// Its identity across edits.
    pub fingerprint: String,
    /// How bad it was (000).
    pub severity: String,
    /// Who raised it.
    pub raised_by: Vec<String>,
    /// The tree that everybody looked at.
    pub tree: String,
    /// Who contests it.
    pub by: String,
    /// Why.
    pub reason: String,
    /// The evidence against the finding.
    pub evidence: Evidence,
    /// The premise that the tree refuted; null if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuted: Option<Refutation>,
    /// Who was asked.
    pub voices: Vec<Voice>,
    /// When.
    pub day: String,
}

/// Evidence against a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Evidence {
    /// A line of the tree.
    Quote {
        /// Its file.
        path: String,
        /// Its number, from 1.
        line: u32,
        /// Its text, or a part of it.
        quote: String,
    },
    /// The file of the finding declares a name.
    Declared {
        /// The name.
        name: String,
    },
    /// Nothing but the reason.
    Reason,
}

/// A premise that the tree refutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refutation {
    /// The premise.
    #[schemars(extend("enum" = ["file-missing", "name-undeclared", "code-quoted"]))]
    pub premise: String,
    /// The text of the tree that refutes it.
    pub proof: String,
}

/// Somebody who was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Voice {
    /// Who.
    pub reviewer: String,
    /// The family of its model, or its own name.
    pub family: String,
    /// Whether it raised the finding.
    pub is_raiser: bool,
    /// The answer.
    #[schemars(extend("enum" = ["concedes", "upholds", "silent"]))]
    pub stance: String,
    /// Why.
    pub why: String,
    /// The nonce of its brief; null if it was not asked in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// All that it printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}
