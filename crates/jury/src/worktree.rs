//! A worktree: its repository and the state that Jury keeps of it, together.
//!
//! In: a repository and a store. Out: snapshots without Jury's own files, records, and how the tree now compares with the one
//! that was judged. Deliberately not here: the meaning of a difference (`verdict`).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::error::FlowError;
use crate::formats;
use crate::judge::Judgement;
use crate::model::{Base, Domain, Gap, GapKind, RepoPath, ReviewVerdict, Scope, ScopeKind};
use crate::record::{self, Record, RecordId, RecordedScope};
use crate::report;
use crate::scope::{Repository, Request, ScopeError, Snapshot};
use crate::store::{Save, Store, StoreError};
use crate::verdict::Match;

/// How long a command waits for another one that writes.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Refuses state that would be refused at the end before any reviewer works. A verdict file that Jury did not write is put
/// aside first, so that it is part of the tree before and after; its new path is returned.
pub fn check_state(store: &Store) -> Result<Option<RepoPath>, StoreError> {
    match store.state() {
        Ok(_) => Ok(None),
        Err(StoreError::Foreign { .. }) => store.lock(PATIENCE)?.set_aside_foreign(),
        Err(refused) => Err(refused),
    }
}

/// Takes a snapshot of the working tree without Jury's own files.
pub fn snapshot(repository: &Repository, store: &Store) -> Result<Snapshot, ScopeError> {
    // A file that cannot be removed is seen, and so keeps the gate closed.
    let _ = store.tidy(PATIENCE);
    repository.snapshot(&|path, bytes| store.vouches(path, bytes))
}

/// Looks at the tree again; a gap if it is no longer the one that was given to the reviewers.
pub fn moved(repository: &Repository, store: &Store, seen: &Snapshot) -> Result<Option<Gap>, ScopeError> {
    let _ = store.tidy(PATIENCE);
    let is_same = match repository.is_current(seen, &|path, bytes| store.vouches(path, bytes)) {
        Err(ScopeError::Moved(_)) => false,
        is_current => is_current?,
    };
    Ok((!is_same).then(|| Gap {
        reviewer: Domain::new("scope").expect("the name is a plain word"),
        kind: GapKind::UnknownState,
        what: "the tree changed while it was reviewed".to_owned(),
        remedy: "run `jury review` again when nothing else writes to the tree".to_owned(),
    }))
}

/// Reads a record of the store.
pub fn recorded(store: &Store, id: &RecordId) -> Result<Record, FlowError> {
    Ok(record::read(&store.record(id)?)?)
}

/// Returns the texts in which moved code is looked for: the files that changed since a review, or, where that was of some
/// files only, all files of the tree.
pub fn texts(kind: ScopeKind, scope: &Scope, changed: &BTreeSet<RepoPath>) -> BTreeMap<RepoPath, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let of_change = scope.files.iter().filter(|file| changed.contains(&file.path));
    let of_change = of_change.filter_map(|file| Some((file.path.clone(), text(file.after.as_deref()?))));
    let whole = scope.whole.files().filter(|_| kind != ScopeKind::Changeset);
    let of_tree = whole
        .into_iter()
        .flat_map(|files| files.paths().into_iter().filter_map(|path| Some((path.clone(), text(&files.text(&path)?)))));
    of_change.chain(of_tree).collect()
}

/// Returns the request for the same change again: against the branch it was compared with, as that is now, if it only went on;
/// else against the very commit. Commits of the branch are not the change.
pub fn same_change(repository: &Repository, snapshot: &Snapshot, scope: &RecordedScope) -> Request {
    let then = scope.base();
    let is_ancestor = |newer: &str| match &then.commit {
        Some(commit) => repository.is_ancestor(commit, newer).unwrap_or(false),
        None => true,
    };
    let now = repository.base_of(snapshot, Some(&then.name)).ok().filter(|now| now.name == then.name);
    if let Some(now) = now.filter(|now| now.commit.as_deref().is_some_and(is_ancestor)) {
        return Request::Since { base: now };
    }
    if is_ancestor("HEAD") {
        return Request::Since { base: then };
    }
    Request::Changeset { base: None }
}

/// Compares the tree now with the one that was judged; only if it is another, or goes elsewhere, the change itself.
pub fn compare(
    repository: &Repository,
    snapshot: &Snapshot,
    base: Option<&str>,
    goes_into: &Base,
    then: &RecordedScope,
) -> Result<Match, ScopeError> {
    // A repository inside this one has no id and is in no tree; it is not reviewed all the same.
    let is_same_tree = *snapshot.id() == then.tree && snapshot.is_whole();
    if is_same_tree && goes_into.commit == then.base {
        return Ok(Match::SameTree);
    }
    let scope = repository.scope(snapshot, &Request::Changeset { base: base.map(str::to_owned) })?;
    if scope.patch == then.patch && scope.unreviewed.is_empty() {
        return Ok(if is_same_tree { Match::SameTree } else { Match::SamePatch });
    }
    let mut differing = then.differing(&RecordedScope::of(&scope), is_same_tree);
    if is_same_tree && differing.is_empty() {
        return Ok(Match::SameTree);
    }
    if differing.is_empty() {
        differing.insert("the mode of a file, or the base it is compared with".to_owned());
    }
    Ok(Match::Differs(differing.into_iter().collect()))
}

/// Says why a review did not see the whole change, if so. One that looked back further than the base saw more than it, but for
/// what was taken back in between, which `compare` names.
pub fn not_whole(
    repository: &Repository,
    goes_into: &Base,
    scope: &RecordedScope,
) -> Result<Option<String>, ScopeError> {
    if scope.kind != ScopeKind::Changeset {
        return Ok(Some(format!("only the {} {} was reviewed", scope.kind, scope.target)));
    }
    let reaches_back = match (&scope.base, &goes_into.commit) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(was), _) if !repository.has_commit(was)? => {
            return Ok(Some(format!("the base of the review is a commit of {} that is missing here", scope.base_name)));
        }
        (Some(was), Some(is)) => was == is || repository.is_ancestor(was, is)?,
    };
    Ok((!reaches_back)
        .then(|| format!("the review is based on {}, which leaves out part of {}", scope.base_name, goes_into.name)))
}

/// Saves a record with the files that are made from it; returns the new path of a verdict file that Jury did not write.
pub fn save(store: &Store, record: &Record, judgement: &Judgement) -> Result<Option<RepoPath>, StoreError> {
    let markdown = || {
        let written = formats::by_id("review-md").and_then(|format| format.write(&judgement.report));
        written.expect("the report for people is a format that can be written").text
    };
    let is_aborted = judgement.merged.verdict.review == ReviewVerdict::Abort;
    let save = Save {
        record: &record::write(record),
        verdict: &judgement.file,
        report: record.report_path.clone().map(|path| (path, markdown())),
        abort_reason: is_aborted.then(|| report::abort_reason(record, judgement)),
    };
    Ok(store.lock(PATIENCE)?.save(&save)?.set_aside)
}
