//! `jury init`, apart from its command line: what is there → a plan of edits → files.
//!
//! `found`, `hosts`, `merge`, `git_hook`, `notes` and `plan` are pure: they take texts and give texts. `world` reads what is there and makes the edits.
//! Deliberately not here: what agents load (`plugin/`), and how a file is written (`jury::store`).

pub(crate) mod found;
pub(crate) mod git_hook;
pub(crate) mod hosts;
pub(crate) mod merge;
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
    /// What the files hold that could be edited; those that are not there are missing.
    pub(crate) texts: BTreeMap<Spot, Text>,
    /// Where git looks for hooks.
    pub(crate) hooks: HookPlace,
    /// What an earlier run left word of.
    pub(crate) notes: Notes,
}

/// What a file holds.
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
    /// What a person can add by hand; empty if there is nothing to add.
    pub(crate) add: String,
}

/// What is to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) edits: Vec<Edit>,
    pub(crate) refused: Vec<Refusal>,
    /// How many files are already as they should be.
    pub(crate) settled: usize,
    /// What is remembered afterwards.
    pub(crate) notes: Notes,
}

/// Spells a place for people.
pub(crate) fn shown(spot: &Spot) -> String {
    match spot {
        Spot::Tree(path) => path.clone(),
        Spot::Hook(name) => format!("git hook {name}"),
    }
}
