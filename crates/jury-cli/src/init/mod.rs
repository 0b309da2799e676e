//! `jury init`, apart from its command line: the existing files → a plan of edits → files.
//!
//! `found`, `hosts`, `merge`, `git_hook`, `notes` and `plan` are pure: they take texts and give texts. `world` reads the files and makes the edits.
//! Deliberately not here: the files for agents (`plugin/`), and writing a file (`jury::store`).

pub(crate) mod entries;
pub(crate) mod found;
pub(crate) mod git_hook;
pub(crate) mod hosts;
pub(crate) mod notes;
pub(crate) mod plan;
pub(crate) mod world;

use std::collections::{BTreeMap, BTreeSet};

use jury::store::Spot;

use git_hook::HookPlace;
use notes::Notes;

/// Everything that a plan is made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    /// Paths of the working tree, a few levels deep; folders end with a slash.
    pub(crate) paths: BTreeSet<String>,
    /// Which of the programs that matter are on the PATH.
    pub(crate) programs: BTreeSet<String>,
    /// The content of the files that could be edited; missing files are left out.
    pub(crate) texts: BTreeMap<Spot, Text>,
    /// Where git looks for hooks.
    pub(crate) hooks: HookPlace,
    /// The notes of an earlier run.
    pub(crate) notes: Notes,
    /// Globs of the code here that no grammar reads.
    pub(crate) text_only: BTreeSet<String>,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// Text.
    Read(String),
    /// Something that is not to be edited, and why.
    Unreadable(String),
}

/// A change to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) spot: Spot,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) is_executable: bool,
}

/// A file that is left alone although something should change in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) spot: Spot,
    /// Why.
    pub(crate) why: String,
    /// The text that a person can add by hand; empty if none.
    pub(crate) add: String,
}

/// A plan of edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) edits: Vec<Edit>,
    pub(crate) refused: Vec<Refusal>,
    /// How many files are already as they should be.
    pub(crate) settled: usize,
    /// The notes for later runs.
    pub(crate) notes: Notes,
}

/// Spells a place for people.
pub(crate) fn shown(spot: &Spot) -> String {
    match spot {
        Spot::Tree(path) => path.clone(),
        Spot::Hook(name) => format!("git hook {name}"),
    }
}
