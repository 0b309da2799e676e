//! The result of verifying a finding, and a place in a tree.

use std::fmt;

use super::{RepoPath, Status};

/// A file of a tree, and a line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    /// The file.
    pub file: RepoPath,
    /// The first line, from 1; `None` for the file as a whole.
    pub line: Option<u32>,
}

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => self.file.fmt(f),
        }
    }
}

/// The result of verifying a finding that was marked fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Became {
    /// It is gone.
    Verified,
    /// It is still there.
    Reopened {
        /// How that is known.
        why: String,
        /// The place, if it was found again.
        place: Option<FileLine>,
    },
    /// It cannot be told.
    Unknown {
        /// The reason.
        why: String,
    },
}

impl Became {
    /// Returns the status that follows: a finding that cannot be told stays `fixed`.
    pub fn status(&self) -> Status {
        match self {
            Self::Verified => Status::Verified,
            Self::Reopened { .. } => Status::Reopened,
            Self::Unknown { .. } => Status::Fixed,
        }
    }

    /// Returns why it is not verified.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Verified => None,
            Self::Reopened { why, .. } | Self::Unknown { why } => Some(why),
        }
    }

    /// Returns its place, if it was found again.
    pub fn place(&self) -> Option<&FileLine> {
        match self {
            Self::Reopened { place, .. } => place.as_ref(),
            Self::Verified | Self::Unknown { .. } => None,
        }
    }
}
