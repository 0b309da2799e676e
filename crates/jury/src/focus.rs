//! The files that a verification looks at: the review, its verdict file and the change as it is now in; the files for the reviewers out.
//!
//! These are the files of findings that were marked fixed or verified, those to which such code may have moved, and all that changed since
//! the review. Deliberately not here: which reviewers look (`panel`).

use std::collections::{BTreeMap, BTreeSet};

use crate::judge::{self, Judgement};
use crate::model::{RepoPath, Scope, ScopeKind, Status};
use crate::record::{Record, RecordedScope};
use crate::scope::{Repository, ScopeError, Snapshot};
use crate::store::VerdictFile;

/// The scope of a verification.
pub struct Focus {
    /// The scope, with its focus.
    pub scope: Scope,
    /// The scope as the record keeps it: the kind and target are those of the review.
    pub recorded: RecordedScope,
    /// The files that changed since the review.
    pub changed: BTreeSet<RepoPath>,
    /// The ids of the findings that are marked fixed.
    pub marked: Vec<String>,
}

impl Focus {
    /// Adds the files to look at to a scope.
    pub fn of(
        repository: &Repository,
        snapshot: &Snapshot,
        mut scope: Scope,
        (review, then): (&Record, &Judgement),
        file: &VerdictFile,
    ) -> Result<Self, ScopeError> {
        let (kind, target) = (review.scope.kind, review.scope.target.clone());
        let recorded = RecordedScope { kind, target, ..RecordedScope::of(&scope) };
        let marked = judge::with_status(file, Status::Fixed);
        // A finding that was verified before may have come back.
        let looked_for = [marked.clone(), judge::with_status(file, Status::Verified)].concat();
        let held = judge::files_of(&looked_for, then);
        repository.add_whole(snapshot, &mut scope, &held.iter().cloned().collect::<Vec<_>>())?;
        let changed = review.scope.changed(&recorded, &|path| snapshot.file_id(path));

        // Code that moved is asked for under its old name, too: a path that switches rules off is not a fix.
        let texts = texts(kind, &scope, &changed);
        let texts = texts.iter().map(|(path, text)| (path, text.as_str()));
        scope.former = judge::former_names(&looked_for, (review, then), texts);
        let moved_to: BTreeSet<RepoPath> = scope.former.keys().cloned().collect();
        repository.add_whole(snapshot, &mut scope, &moved_to.iter().cloned().collect::<Vec<_>>())?;
        let focus: BTreeSet<RepoPath> = changed.union(&held).cloned().collect();
        scope.focus = Some(focus.union(&moved_to).cloned().collect());
        Ok(Self { scope, recorded, changed, marked })
    }
}

/// Returns the texts in which moved code is looked for: the files that changed since a review, or, where that was of some
/// files only, all files of the tree.
fn texts(kind: ScopeKind, scope: &Scope, changed: &BTreeSet<RepoPath>) -> BTreeMap<RepoPath, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let of_change = scope.files.iter().filter(|file| changed.contains(&file.path));
    let of_change = of_change.filter_map(|file| Some((file.path.clone(), text(file.after.as_deref()?))));
    let whole = scope.whole.files().filter(|_| kind != ScopeKind::Changeset);
    let of_tree = whole
        .into_iter()
        .flat_map(|files| files.paths().into_iter().filter_map(|path| Some((path.clone(), text(&files.text(&path)?)))));
    of_change.chain(of_tree).collect()
}
