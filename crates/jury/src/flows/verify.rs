//! `jury verify` (003, `--verify`): the review and the current tree in; the result for each finding marked fixed out,
//! saved.
//!
//! The reviewers look again at the files that hold or may hold such a finding, and at all that changed since the review.

use crate::base::BasePolicy;
use crate::dispatch::GateIntegrity;
use crate::error::FlowError;
use crate::judge::{self, Looks, judge};
use crate::model::{Day, Mode, Outcome, Report, ReviewVerdict, Status, Timestamp};
use crate::panel::{AskOptions, Panel, Progress};
use crate::record::{
    self, Decision, Record, RecordedScope, Verification, cited_text, secrets_of, status_of, verdict_of,
};
use crate::scope::{Repository, ReviewedTree};
use crate::store::{Store, VerdictFile, Verified};
use crate::verdict::{recomputed, verified_outcome};
use crate::worktree::{self, PATIENCE};

/// A verification that was made and saved.
pub struct VerifiedReview {
    /// The record of the look.
    pub record: Record,
    /// The result.
    pub verification: Verification,
    /// The verdict file as it is now.
    pub file: VerdictFile,
    /// The findings of the review as they stand now.
    pub report: Report,
    /// The outcome.
    pub outcome: Outcome,
}

/// Looks again at the findings that are marked fixed. Returns `None` if there is no full review.
pub fn verify(
    repository: &Repository,
    store: &Store,
    options: &AskOptions,
    now: &Timestamp,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Option<VerifiedReview>, FlowError> {
    let Some(current) = store.state()?.full else { return Ok(None) };
    worktree::last_look(store, &current)?;
    let review = worktree::recorded(store, &current.record)?;
    let then = judge(&review);
    let marked = judge::with_status(&current.file, Status::Fixed);

    // The same change as it is now, and the files to look at. A finding that was verified before may have come back.
    let snapshot = worktree::snapshot(repository, store)?;
    let mut scope = repository.scope(&snapshot, &worktree::same_change(repository, &snapshot, &review.scope))?;
    let (kind, target) = (review.scope.kind, review.scope.target.clone());
    let recorded = RecordedScope { kind, target, ..RecordedScope::of(&scope) };
    let verified = judge::with_status(&current.file, Status::Verified);
    let held = judge::files_of(&[marked.clone(), verified].concat(), &then);
    repository.add_whole(&snapshot, &mut scope, &held.iter().cloned().collect::<Vec<_>>())?;
    let changed = review.scope.changed(&recorded, &|path| snapshot.file_id(path));
    scope.focus = Some(changed.union(&held).cloned().collect());

    // The reviewers, as the base defines them now.
    let policy = BasePolicy::read(repository, &scope.base)?;
    policy.check_in_force(Day::of(now))?;
    let tree = ReviewedTree { repository, snapshot: &snapshot, base: &scope.base };
    let panel = Panel::of(&policy, false, &options.trust, &tree, &scope);
    watch(Progress::Started { scope: &scope, reviewers: panel.names() });
    let runs = panel.ask(store, &policy, options, &scope, watch);

    // The record of the look. A finding is judged as it was when it was found; the gate asks whether that still holds.
    let moved = worktree::moved(repository, store, &snapshot)?;
    let redactor = secrets_of(&scope);
    let focused = scope.files.iter().filter(|file| scope.is_in_focus(&file.path));
    let texts = focused.filter_map(|file| Some((file.path.clone(), cited_text(file.after.as_deref()?, &redactor))));
    let mut record = Record {
        timestamp: now.clone(),
        mode: Mode::Verify,
        scope: recorded,
        runs,
        cited: texts.collect(),
        gaps: moved.into_iter().collect(),
        decision: None,
        since: None,
        verification: None,
        ..review.clone()
    };
    record.redact(&redactor);
    let mut verification = Verification {
        of: current.record.clone(),
        statuses: Vec::new(),
        untested: GateIntegrity::untested_since(&review.cited, &record.cited, &scope),
        changed,
        checked: Vec::new(),
        new: Vec::new(),
        beyond: Vec::new(),
        gaps: Vec::new(),
    };
    let gaps = review.gap_ids();
    let looks = Looks { now: judge(&record), then, review };

    // The decision, under the lock: a finding that was marked in the meantime is left as it is.
    let saved = store.lock(PATIENCE)?.verify(&current.record, |file| {
        let still_marked = judge::with_status(file, Status::Fixed);
        let asked: Vec<String> = marked.iter().filter(|id| still_marked.contains(id)).cloned().collect();
        verification.statuses =
            file.findings.iter().map(|finding| status_of(finding).unwrap_or(Status::Open)).collect();
        looks.decide(&record, &mut verification, &asked);
        let (file, own) = judge::restated(file, &record, &looks.then, &verification);
        let file = recomputed(&file);
        record.decision = Some(Decision { file: file.clone(), gaps: gaps.clone() });
        record.verification = Some(verification.clone());
        let is_halted = verdict_of(&file) == Some(ReviewVerdict::Abort);
        Ok::<_, FlowError>(Verified { file, own, record: record::write(&record), is_halted })
    })?;
    let outcome = verified_outcome(&saved.file, &gaps, &verification, record.policy.policy.block_at)?;
    let report = judge::verified_report(&looks.then, &saved.file, &record, &verification);
    Ok(Some(VerifiedReview { record, verification, file: saved.file, report, outcome }))
}
