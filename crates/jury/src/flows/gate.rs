//! `jury gate`: the state on disk, the tree now and the base in; whether the gate opens out. No reviewer runs, nothing is written.

use super::{GateView, Judged};
use crate::base::BasePolicy;
use crate::decisions::{self, Decisions, Look, decisions};
use crate::error::FlowError;
use crate::model::{Day, Timestamp};
use crate::people::Approval;
use crate::scope::Repository;
use crate::store::Store;
use crate::verdict::{self, Case, finding_states, new_finding_states, stated_verdict};
use crate::worktree;

/// The tree that the gate is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The commit that is checked out, as a merge takes it: the working tree has to be the same.
    Head,
    /// The working tree, committed or not.
    Worktree,
}

/// Decides whether the gate opens.
pub fn gate(
    repository: &Repository,
    store: &Store,
    base: Option<&str>,
    subject: Subject,
    now: &Timestamp,
) -> Result<GateView, FlowError> {
    approved(repository, store, base, (subject, &[]), now)
}

/// Decides whether the gate opens, with approvals of the change on its forge.
pub fn approved(
    repository: &Repository,
    store: &Store,
    base: Option<&str>,
    (subject, approvals): (Subject, &[Approval]),
    now: &Timestamp,
) -> Result<GateView, FlowError> {
    let state = store.state()?;
    let Some(current) = state.full.clone() else {
        let gate = verdict::gate(None);
        let (ended, refused) = (Vec::new(), Vec::new());
        return Ok(GateView { state, full: None, tree: None, judged: None, ended, refused, gate });
    };
    let record = worktree::last_look(store, &current)?;
    let snapshot = worktree::snapshot(repository, store)?;
    let goes_into = repository.base_of(&snapshot, base)?;
    let tree = worktree::compare(repository, &snapshot, base, &goes_into, &record.scope)?;
    let head = repository.head()?;
    let uncommitted = match subject {
        Subject::Head => Some(worktree::uncommitted(repository, store, &snapshot, head.as_deref())?),
        Subject::Worktree => None,
    };
    let of_base = BasePolicy::read(repository, &goes_into)?;
    let look = Look {
        repository,
        snapshot: &snapshot,
        base: &goes_into,
        of_base: &of_base,
        is_verified: current.verified.is_some(),
        tree: &tree,
        is_own_machine: !decisions::is_ci(),
        approvals,
        now,
    };
    let (stored, contests) = (decisions::stored(repository, store)?, decisions::contests_of(store, &current)?);
    let Decisions { people, refused } =
        decisions(&look, &stored, &contests, || worktree::recorded(store, &current.record))?;
    let policy = &record.policy.policy;
    let verification = record.verification.as_ref();
    let case = Case {
        review_id: current.file.review_id.clone(),
        verdict: stated_verdict(&current.sealed)?,
        findings: finding_states(&current.file, &record)?,
        accept_wont_fix: policy.accept_wont_fix,
        not_whole: worktree::not_whole(repository, &goes_into, &record.scope)?,
        is_same_policy: of_base.is_same_as(&record),
        ended: of_base.ended_since(&record, now).into_iter().map(|waiver| waiver.finding).collect(),
        tree: tree.clone(),
        uncommitted,
        beyond: verification.map(|verification| verification.beyond.clone()).unwrap_or_default(),
        new: verification.map(|verification| new_finding_states(verification, policy)).unwrap_or_default(),
        gaps: verification.map(|verification| verification.gaps.clone()).unwrap_or_default(),
        people,
    };
    let judged = Judged { tree: snapshot.id().clone(), head, base: goes_into };
    let ended = of_base.ended(Day::of(now));
    let gate = verdict::gate(Some(&case));
    Ok(GateView { gate, full: Some(record), tree: Some(tree), judged: Some(judged), ended, refused, state })
}
