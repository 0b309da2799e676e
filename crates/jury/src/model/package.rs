//! The packages that a change moves, as its lockfiles say. In and out: plain values.

use super::RepoPath;

/// The packages that came, went or moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageChanges {
    /// The first of them, by lockfile and name.
    pub listed: Vec<PackageChange>,
    /// How many more there are.
    pub more: u64,
}

/// A package whose locked versions or source a change moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageChange {
    /// The lockfile.
    pub lockfile: RepoPath,
    /// The name.
    pub name: String,
    /// The versions that are locked no more.
    pub gone: Vec<String>,
    /// The versions that are new.
    pub came: Vec<String>,
    /// Where it comes from now, if that is new or no registry.
    pub source: Option<String>,
}

impl PackageChanges {
    /// The most packages that a record lists.
    pub const MOST: usize = 1_000;

    /// Lists as many as a record takes, and counts the others.
    pub fn of(all: impl Iterator<Item = PackageChange>) -> Self {
        let mut listed: Vec<PackageChange> = all.collect();
        let more = listed.len().saturating_sub(Self::MOST) as u64;
        listed.truncate(Self::MOST);
        Self { listed, more }
    }
}

impl PackageChange {
    /// Describes the move in one line.
    pub fn line(&self) -> String {
        let (gone, came) = (self.gone.join(", "), self.came.join(", "));
        let moved = match (gone.is_empty(), came.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!(" {came} came"),
            (false, true) => format!(" {gone} went"),
            (false, false) => format!(" {gone} → {came}"),
        };
        let source = self.source.as_ref().map(|source| format!(", from {source}")).unwrap_or_default();
        format!("{}{moved}{source} ({})", self.name, self.lockfile)
    }
}
