//! What was found in one tree and what is found in a later one in; what became of each finding out: found again, gone, or not
//! to be told (DESIGN §9, the matching half).
//!
//! Pure. Who looks again, and where the texts come from, is not its business; neither is what a status does to a verdict.

mod beyond;
mod code;
mod decide;
mod files;
mod identity;

use std::collections::BTreeMap;

pub use decide::{Became, Known, Recheck};
pub use identity::{Followed, Pass};

use crate::model::{Domain, RepoPath};

/// The texts of a tree, as far as they are known, without secrets.
pub type Texts = BTreeMap<RepoPath, String>;

/// Who states a finding, and as what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The domain of the reviewer.
    pub domain: Domain,
    /// The rule, or the normalised title where no rule is named.
    pub what: String,
    /// The weakness, where it is named.
    pub cwe: Option<u32>,
}

/// A place in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: RepoPath,
    /// The first line, from 1; none for the file as a whole.
    pub line: Option<u32>,
}

/// A finding, as far as it can be known again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Under which names it goes, one for each claim.
    pub names: Vec<Name>,
    /// What it is called.
    pub title: String,
    /// The code that it quotes.
    pub quote: Option<String>,
    /// Where it stands; none for the repository as a whole.
    pub place: Option<Place>,
}

/// What was found in a tree, and the files that it was found in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The findings.
    pub traces: Vec<Trace>,
    /// The files.
    pub texts: Texts,
}

/// Follows each finding from one tree to a later one.
pub fn follow(then: &Seen, now: &Seen) -> Vec<Option<Followed>> {
    identity::follow(then, now, &files::files(&then.texts, &now.texts))
}
