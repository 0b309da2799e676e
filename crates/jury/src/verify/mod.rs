//! The findings of one tree and of a later one in; the result for each earlier one out: found again, gone, or not
//! to be told (DESIGN §9, the matching half).
//!
//! Pure. Deliberately not here: the reviewers, the source of the texts, and the effect of a status on a verdict.

mod beyond;
mod code;
mod decide;
mod files;
mod identity;
mod successors;

use std::collections::BTreeMap;

pub use decide::{Comparison, TreeFacts};
pub use identity::{Followed, Pass};
pub use successors::successors;

use crate::model::{Features, RepoPath};

/// The texts of a tree, as far as they are known, without secrets.
pub type Texts = BTreeMap<RepoPath, String>;

/// The findings of a tree, and their files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeFindings {
    /// The findings.
    pub features: Vec<Features>,
    /// The files.
    pub texts: Texts,
}

/// Follows each finding from one tree to a later one.
pub fn follow(then: &TreeFindings, now: &TreeFindings) -> Vec<Option<Followed>> {
    identity::follow(then, now, &files::files(&then.texts, &now.texts))
}
