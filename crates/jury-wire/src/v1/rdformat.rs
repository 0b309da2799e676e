//! The reviewdog Diagnostic Format, as far as Jury writes it: `rdjson` is one [`DiagnosticResult`], `rdjsonl` one
//! [`Diagnostic`] per line. The names are those of `proto/rdf/reviewdog.proto`.

use serde::Serialize;

/// The report of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagnosticResult {
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Its findings.
    pub diagnostics: Vec<Diagnostic>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The problem.
    pub message: String,
    /// Where.
    pub location: Location,
    /// How bad it is: `ERROR`, `WARNING` or `INFO`.
    pub severity: String,
    /// The tool, where it is not that of the whole result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// The replacement.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    /// The tool's own output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_output: Option<String>,
    /// Other places that belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<RelatedLocation>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The file.
    pub path: String,
    /// The part of it; the whole file if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Range {
    /// Where it starts.
    pub start: Position,
    /// Where it ends; a line without a column is included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Position>,
}

/// A position, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Its name.
    pub name: String,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Code {
    /// Its id.
    pub value: String,
}

/// The replacement. Jury knows no range for it, so it cannot be applied blindly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// The text.
    pub text: String,
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelatedLocation {
    /// The place.
    pub location: Location,
}
