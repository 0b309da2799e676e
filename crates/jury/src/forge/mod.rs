//! Forges: actions of `publish` in; requests out, and the state of a pull request in the same words for every forge.
//!
//! One file and one row per forge. `http` has what all have in common: the token, spacing, limits, asking again. Deliberately not here: what
//! is said, and to what end (`publish`).

mod gitea;
mod github;
mod gitlab;
mod http;
mod place;

use std::collections::BTreeSet;

use crate::publish::{Action, ForgeState, Key, Opinions};

pub use http::{ForgeError, Pace, Trouble};
pub use place::{Named, Place, PlaceError, find};

/// The name of our status.
const CONTEXT: &str = "jury";

/// A pull request on a forge.
pub trait Forge {
    /// Reads its state.
    fn state(&mut self) -> Result<ForgeState, ForgeError>;

    /// Makes one write; returns the findings for which the forge refused every place.
    fn perform(&mut self, action: &Action) -> Result<Vec<Key>, ForgeError>;

    /// Reads what people said.
    fn opinions(&mut self) -> Result<Opinions, ForgeError>;

    /// Reads the accounts of a team.
    fn members(&mut self, team: &str) -> Result<BTreeSet<String>, ForgeError>;

    /// Returns how many requests were made: those that read, and those that wrote.
    fn requests(&self) -> (usize, usize);
}

/// A kind of forge.
struct Row {
    /// Its name on the command line.
    name: &'static str,
    /// The path of its interface, below the address of the server.
    api: &'static str,
    /// Its public address, if it has one.
    public: Option<&'static str>,
    /// What the environment of its CI says; `None` in any other.
    detect: fn(&place::Environment<'_>) -> Option<place::Found>,
    /// The variables that may hold a token, in this order, after `JURY_FORGE_TOKEN`.
    tokens: &'static [&'static str],
    /// Speaks with it.
    open: fn(&Place, Pace) -> Box<dyn Forge>,
}

/// Every kind of forge, in the order of detection: Gitea's CI also sets the variables of GitHub's.
const FORGES: &[Row] = &[gitea::ROW, github::ROW, gitlab::ROW];

/// Returns the names of all kinds of forges.
pub fn names() -> impl Iterator<Item = &'static str> {
    FORGES.iter().map(|row| row.name)
}

/// Speaks with a forge.
pub fn open(place: &Place, pace: Pace) -> Box<dyn Forge> {
    let row = FORGES.iter().find(|row| row.name == place.forge).expect("a place has the name of a row");
    (row.open)(place, pace)
}
