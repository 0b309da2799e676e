//! The part of SARIF 2.1.0 (OASIS) that Jury writes. Members that are not named here are kept as they are.
//!
//! The schema is OASIS's own, so none is made here. Words are plain strings; which ones are legal, that schema says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::whole;

/// A log: the runs of one or more tools (§3.13).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// Where the schema lies.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// `2.1.0`.
    pub version: String,
    /// One run after the other.
    pub runs: Vec<Run>,
    /// Values without a place in SARIF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Map<String, Value>>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// One run of one tool (§3.14).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Which tool.
    pub tool: Tool,
    /// How it went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<Vec<Invocation>>,
    /// In which unit columns are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column_kind: Option<String>,
    /// The results; absent if the tool did not get so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<Finding>>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A tool (§3.18).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its main part.
    pub driver: Component,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A part of a tool (§3.19).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// The rules it knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<Rule>>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A rule (§3.49).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Its id.
    pub id: String,
    /// Values without a place in SARIF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Map<String, Value>>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// How one process of a run went (§3.20).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    /// Whether it ran to a good end.
    pub execution_successful: bool,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// One thing that was found, which SARIF calls a result (§3.27).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The rule, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_id: Option<String>,
    /// The rule, by its place among the driver's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_index: Option<i64>,
    /// Whether it is a defect at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How bad it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The text.
    pub message: Message,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<Location>>,
    /// Other places that belong to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub related_locations: Option<Vec<Location>>,
    /// Its identity across runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_fingerprints: Option<BTreeMap<String, String>>,
    /// The decision about the suppression; null or absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressions: Option<Vec<Suppression>>,
    /// Whether it was there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<String>,
    /// Values without a place in SARIF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Map<String, Value>>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A message (§3.11).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// As plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A place (§3.28).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// In a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_location: Option<PhysicalLocation>,
    /// Values without a place in SARIF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Map<String, Value>>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A place in a file (§3.29).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    /// Which file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_location: Option<ArtifactLocation>,
    /// Which part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A file (§3.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactLocation {
    /// Its URI, relative to the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The base, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<String>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A part of a file (§3.30).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// The first line.
    #[serde(default, deserialize_with = "some_whole", skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    /// The column in the first line.
    #[serde(default, deserialize_with = "some_whole", skip_serializing_if = "Option::is_none")]
    pub start_column: Option<u32>,
    /// The last line.
    #[serde(default, deserialize_with = "some_whole", skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The text there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Content>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The content of a file (§3.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// As text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// That a result was set aside (§3.35).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suppression {
    /// In the source or outside it.
    pub kind: String,
    /// Whether that was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Further members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

fn some_whole<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    whole(deserializer).map(Some)
}
