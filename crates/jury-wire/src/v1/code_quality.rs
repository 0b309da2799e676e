//! The GitLab Code Quality report, as far as Jury writes it: an array of [`Issue`]s.

use serde::Serialize;

/// One violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// The problem.
    pub description: String,
    /// The rule.
    pub check_name: String,
    /// Its identity among all violations.
    pub fingerprint: String,
    /// How bad it is: `info`, `minor`, `major`, `critical` or `blocker`.
    pub severity: String,
    /// Where.
    pub location: Location,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The file, relative to the repository root.
    pub path: String,
    /// The lines, or the positions where a column is known.
    #[serde(flatten)]
    pub extent: Extent,
}

/// The part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Extent {
    /// Whole lines.
    Lines {
        /// The first.
        begin: u32,
        /// The last, if it is not the first.
        #[serde(skip_serializing_if = "Option::is_none")]
        end: Option<u32>,
    },
    /// From a position to another.
    Positions {
        /// Where it starts.
        begin: Position,
        /// Where it ends, if on another line.
        #[serde(skip_serializing_if = "Option::is_none")]
        end: Option<Position>,
    },
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
