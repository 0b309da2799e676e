//! A pull request and the review of it: whether its head is what was judged, and what is to be said.
//!
//! In: the head that a forge names, a record, the gate. Out: the head as it was read from objects, and the publication. This joins `scope`,
//! `store` and `judge` for the flows that speak with forges. Deliberately not here: the forge, and what is written there (`publish`).

mod said;

use crate::error::FlowError;
use crate::model::{Base, FileChange, Scope};
use crate::publish::DiffFile;
use crate::record::Record;
use crate::scope::{Repository, Request, Snapshot};
use crate::store::Store;
use crate::verdict::Match;
use crate::worktree;

pub use said::{Parts, publication};

/// The head of a pull request, as objects.
pub struct Head {
    /// The commit.
    pub commit: String,
    /// Its tree.
    pub snapshot: Snapshot,
    /// Its change.
    pub scope: Scope,
    /// How it compares with what was judged.
    pub tree: Match,
}

impl Head {
    /// Reads a head, and compares it with the last look at a review.
    pub fn read(
        repository: &Repository,
        store: &Store,
        (base, goes_into): (Option<&str>, &Base),
        judged: &Record,
        commit: &str,
    ) -> Result<Self, FlowError> {
        let at = repository.at(commit)?;
        let snapshot = worktree::snapshot(&at, store)?;
        // The base that was found for the worktree is that of the pull request, too.
        let base = base.or(Some(&goes_into.name)).filter(|name| !name.contains(['~', ' ']));
        let scope = at.scope(&snapshot, &Request::Changeset { base: base.map(str::to_owned) })?;
        let tree = worktree::compare(&at, &snapshot, base, &scope.base, &judged.scope)?;
        Ok(Self { commit: commit.to_owned(), snapshot, scope, tree })
    }

    /// Tells whether it is what was judged: the tree, or the same patch at its place.
    pub fn is_judged(&self) -> bool {
        !matches!(self.tree, Match::Differs(_))
    }

    /// Returns the files of the change as a forge shows them, by path.
    pub fn files(&self) -> Vec<DiffFile> {
        let file = |file: &crate::model::ChangedFile| {
            let old = match &file.change {
                FileChange::Renamed { from } => Some(from.as_str()),
                FileChange::Added => None,
                _ => Some(file.path.as_str()),
            };
            DiffFile::new(file.path.as_str(), old, file.before.as_deref(), file.after.as_deref())
        };
        let mut files: Vec<DiffFile> = self.scope.files.iter().map(file).collect();
        // What cannot be read as text is shown, too, as a file.
        let unread = self.scope.unreviewed.iter().map(|it| DiffFile::new(&it.path, Some(&it.path), None, None));
        files.extend(unread);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files.dedup_by(|one, other| one.path == other.path);
        files
    }
}
