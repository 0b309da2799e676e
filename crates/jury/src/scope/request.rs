//! The scopes that a person can ask for.

use std::path::PathBuf;

use crate::model::Base;

/// The requested scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The changes of the branch, uncommitted work included.
    Changeset {
        /// The base; found automatically if absent.
        base: Option<String>,
    },
    /// The changes of the working tree against exactly this base.
    Since {
        /// The base.
        base: Base,
    },
    /// Uncommitted work only.
    Quick,
    /// What is staged, against HEAD.
    Staged {
        /// The index that git names to its hooks; default: that of the working tree.
        index: Option<PathBuf>,
    },
    /// A whole package.
    Package {
        /// A file or folder in it: absolute, or relative to the folder the repository was discovered from.
        target: PathBuf,
    },
    /// Everything that a team owns.
    Team {
        /// Its name as CODEOWNERS spells it, with or without `@` and organisation.
        name: String,
    },
    /// Whole files and folders.
    Files {
        /// Each absolute, or relative to the folder the repository was discovered from.
        paths: Vec<PathBuf>,
    },
}

impl Request {
    /// Tells whether it is about uncommitted work only, and so for a quick check.
    pub fn is_quick(&self) -> bool {
        matches!(self, Self::Quick | Self::Staged { .. })
    }
}
