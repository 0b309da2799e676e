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

use crate::model::{Domain, FileLine, RepoPath};

/// The texts of a tree, as far as they are known, without secrets.
pub type Texts = BTreeMap<RepoPath, String>;

/// A name of a finding: its reviewer, and its rule or title.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TraceName {
    /// The domain of the reviewer.
    pub domain: Domain,
    /// The rule, or the normalised title where no rule is named.
    pub what: String,
    /// The weakness, where it is named.
    pub cwe: Option<u32>,
}

/// A finding, as far as it can be known again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Under which names it goes, one for each claim.
    pub names: Vec<TraceName>,
    /// Its name.
    pub title: String,
    /// The code that it quotes.
    pub quote: Option<String>,
    /// Where it stands; none for the repository as a whole.
    pub place: Option<FileLine>,
}

/// The findings of a tree, and their files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TracedTree {
    /// The findings.
    pub traces: Vec<Trace>,
    /// The files.
    pub texts: Texts,
}

/// Follows each finding from one tree to a later one.
pub fn follow(then: &TracedTree, now: &TracedTree) -> Vec<Option<Followed>> {
    identity::follow(then, now, &files::files(&then.texts, &now.texts))
}
