//! A worktree: its repository and the state that Jury keeps of it, together.
//!
//! In: a repository and a store. Out: the start of a review; snapshots without Jury's own files, records, and how the tree now compares
//! with the one that was judged. Deliberately not here: the meaning of a difference (`verdict`).

use std::time::Duration;

use crate::error::FlowError;
use crate::model::{
    Base, Domain, FileChange, Gap, GapKind, Line, LineRange, RepoPath, Scope, ScopeKind, Side, Unreviewed,
};
use crate::record::{self, Record, RecordId, RecordedScope};
use crate::scope::{Repository, Request, ScopeError, Snapshot};
use crate::store::{Current, State, Store, StoreError};
use crate::verdict::{self, Match, SealedReview};

/// How long a command waits for another one that writes.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The start of a review.
pub struct Begun {
    /// The working tree.
    pub snapshot: Snapshot,
    /// The change.
    pub scope: Scope,
    /// The record of the full review before, for a full review.
    pub before: Option<Record>,
    /// The new path of a verdict file that Jury did not write.
    pub set_aside: Option<RepoPath>,
}

/// Checks the state of a worktree, and takes the tree and the change. A review that is not saved puts nothing aside.
pub fn begin(repository: &Repository, store: &Store, request: &Request, is_saved: bool) -> Result<Begun, FlowError> {
    let (state, set_aside) = if is_saved { check_state(store)? } else { (store.state()?, None) };
    let full = state.full.filter(|_| !request.is_quick());
    // A record that cannot be read is no reason to lose the review.
    let before = full.and_then(|full| recorded(store, &full.record).ok());
    let snapshot = match request {
        Request::Staged { index } => repository.staged(index.as_deref(), &|path, bytes| store.vouches(path, bytes))?,
        _ => snapshot(repository, store)?,
    };
    let scope = change(repository, &snapshot, request)?;
    Ok(Begun { snapshot, scope, before, set_aside })
}

/// The start of a verification.
pub struct BegunAgain {
    /// The full review, as the verdict file has it now.
    pub current: Current,
    /// Its record.
    pub review: Record,
    /// The working tree.
    pub snapshot: Snapshot,
    /// The same change, as it is now.
    pub scope: Scope,
}

/// Reads the full review, and takes the tree and the same change as it is now; `None` without a full review.
pub fn begin_again(repository: &Repository, store: &Store) -> Result<Option<BegunAgain>, FlowError> {
    let Some(current) = store.state()?.full else { return Ok(None) };
    last_look(store, &current)?;
    let review = recorded(store, &current.record)?;
    let snapshot = snapshot(repository, store)?;
    let scope = change(repository, &snapshot, &same_change(repository, &snapshot, &review.scope))?;
    Ok(Some(BegunAgain { current, review, snapshot, scope }))
}

/// Refuses state that would be refused at the end before any reviewer works. A verdict file that Jury did not write is put
/// aside first, so that it is part of the tree before and after; its new path is returned.
pub fn check_state(store: &Store) -> Result<(State, Option<RepoPath>), StoreError> {
    match store.state() {
        Err(StoreError::Foreign { .. }) => {
            let set_aside = store.lock(PATIENCE)?.set_aside_foreign()?;
            Ok((store.state()?, set_aside))
        }
        state => Ok((state?, None)),
    }
}

/// Takes a snapshot of the working tree without Jury's own files.
pub fn snapshot(repository: &Repository, store: &Store) -> Result<Snapshot, ScopeError> {
    // A file that cannot be removed is seen, and so keeps the gate closed.
    let _ = store.tidy(PATIENCE);
    repository.snapshot(&|path, bytes| store.vouches(path, bytes))
}

/// Looks at the tree again; a gap if it is no longer the one that the reviewers were given.
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

/// Returns the change. Every line of a file counts as touched that moved to where rules look at it otherwise: from a folder of tests,
/// from a name of no known language. Nobody reviewed it as what it is now.
pub fn change(repository: &Repository, snapshot: &Snapshot, request: &Request) -> Result<Scope, ScopeError> {
    let mut scope = repository.scope(snapshot, request)?;
    for file in &scope.files {
        let FileChange::Renamed { from } = &file.change else { continue };
        let Some(text) = file.after.as_deref().map(String::from_utf8_lossy) else { continue };
        let line = |number: usize| Line::new(i64::try_from(number).unwrap_or(i64::MAX));
        let all = line(1).and_then(|first| LineRange::new(first, line(text.lines().count().max(1))?));
        if !jury_rules::is_looked_at_alike(from.as_str(), file.path.as_str(), &text)
            && let Ok(lines) = all
        {
            scope.change.add_lines(file.path.clone(), Side::Right, lines);
        }
    }
    Ok(scope)
}

/// Names the paths in which HEAD differs from the working tree, Jury's own files left out.
pub fn uncommitted(
    repository: &Repository,
    store: &Store,
    snapshot: &Snapshot,
    head: Option<&str>,
) -> Result<Vec<String>, ScopeError> {
    repository.differing_from(snapshot, head, &|path, bytes| store.vouches(path, bytes))
}

/// Reads a record of the store.
pub fn recorded(store: &Store, id: &RecordId) -> Result<Record, FlowError> {
    Ok(record::read(&store.record(id)?)?)
}

/// Reads the record of the last look at a review: the review itself, or a verification of it. A seal that states what this record
/// does not show is refused.
pub fn last_look(store: &Store, current: &Current) -> Result<Record, FlowError> {
    let is_verified = current.verified.is_some();
    let record = recorded(store, current.verified.as_ref().unwrap_or(&current.record))?;
    let sealed = SealedReview { file: &current.sealed, review: &current.record, is_verified };
    match verdict::unshown(sealed, &record) {
        Some(what) => Err(store.unshown(what).into()),
        None => Ok(record),
    }
}

/// Returns the request for the same change again: against the branch it was compared with, as that is now, if it only went on;
/// else against the very commit. Commits of the branch are not the change.
fn same_change(repository: &Repository, snapshot: &Snapshot, scope: &RecordedScope) -> Request {
    let then = scope.base();
    let is_ancestor = |newer: &str| match &then.commit {
        Some(commit) => repository.is_ancestor(commit, newer).unwrap_or(false),
        None => true,
    };
    let now = repository.base_of(snapshot, Some(&then.name)).ok().filter(|now| now.name == then.name);
    if let Some(now) = now.filter(|now| now.commit.as_deref().is_some_and(is_ancestor)) {
        return Request::Since { base: Base { rule: then.rule, ..now } };
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
    // On the same base, the same patch makes the same tree: another tree there was not reviewed.
    let has_moved = scope.base.commit != then.base;
    let is_known = |it: &Unreviewed| it.id.is_some() && then.unreviewed.contains(it);
    if scope.patch == then.patch && scope.unreviewed.iter().all(is_known) && (is_same_tree || has_moved) {
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
