//! `jury verify` (003, `--verify`): the review and the current tree in; the result for each finding marked fixed out,
//! saved.
//!
//! The reviewers look again at the files that hold or may hold such a finding, and at all that changed since the review.

use crate::base::BasePolicy;
use crate::config::waivers::Entry;
use crate::dispatch::GateIntegrity;
use crate::error::FlowError;
use crate::focus::Focus;
use crate::judge::{self, Looks, judge};
use crate::look_back::LookBack;
use crate::model::{Day, Mode, Outcome, RepoPath, Report, ReportWriting, ReviewVerdict, Status, Timestamp};
use crate::panel::{AskOptions, Asking, Panel, Progress};
use crate::record::{self, Decision, Record, Verification, cited_text, secrets_of, status_of, verdict_of};
use crate::saving;
use crate::scope::{Repository, ReviewedTree};
use crate::store::{Store, VerdictFile, Verified};
use crate::verdict::{recomputed, verified_outcome};
use crate::worktree::{self, BegunAgain, PATIENCE};

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
    /// The waivers of the base that have ended.
    pub ended: Vec<Entry>,
}

/// Looks again at the findings that are marked fixed. Returns `None` if there is no full review.
pub fn verify(
    repository: &Repository,
    store: &Store,
    options: &AskOptions,
    now: &Timestamp,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Option<VerifiedReview>, FlowError> {
    let Some(begun) = worktree::begin_again(repository, store)? else { return Ok(None) };
    let BegunAgain { current, review, snapshot, mut scope } = begun;
    let then = judge(&review);
    let policy = BasePolicy::judging(repository, &snapshot, &scope, Mode::Verify)?;
    policy.exclude(repository, &mut scope)?;

    // The files to look at.
    let Focus { scope, recorded, changed, marked } =
        Focus::of(repository, &snapshot, scope, (&review, &then), &current.file)?;

    // The reviewers, as the base defines them now, and the tree again.
    let options = &AskOptions { criteria: review.criteria().to_vec(), ..options.clone() };
    let asking = Asking { repository, store, policy: &policy, options };
    let tree = ReviewedTree { repository, files: &snapshot, base: &policy.base };
    let runs = Panel::of(asking, Mode::Verify, &tree, &scope, None).ask_all(&scope, watch);
    let moved = worktree::moved(repository, store, &snapshot)?;

    // The record of the look. A finding is judged as it was when it was found; the gate asks whether that still holds.
    let redactor = secrets_of(&scope);
    let focused = scope.files.iter().filter(|file| scope.is_in_focus(&file.path));
    let texts = focused.filter_map(|file| Some((file.path.clone(), cited_text(file.after.as_deref()?, &redactor))));
    let mut record = Record {
        timestamp: now.clone(),
        mode: Mode::Verify,
        scope: recorded,
        base_day: policy.as_of,
        guidelines: policy.told(&runs),
        runs,
        cited: texts.collect(),
        gaps: moved.into_iter().collect(),
        decision: None,
        found: None,
        since: None,
        verification: None,
        ..review.clone()
    };
    record.redact(&redactor);
    let hearing = judge::hear(&record);
    // What is shown of a criterion can be in any file.
    for path in hearing.assessed_files() {
        let text = snapshot.file(path).map(|bytes| cited_text(&bytes, &redactor));
        record.cited.extend(text.map(|text| (path.clone(), text)));
    }
    record.base_look = Some(LookBack { asking, scope: &scope, redactor: &redactor }.look(&record, &hearing)?);
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
    let (gaps, person, checks) = (review.gap_ids(), review.person_ids(), review.check_ids());
    let looks = Looks { now: judge::decide(&record, hearing), then, review };
    let waived = looks.waivers(&record);

    // The decision, under the lock: a finding that was marked in the meantime is left as it is.
    let saved = store.lock(PATIENCE)?.verify(&current.record, |file| {
        let still_marked = judge::with_status(file, Status::Fixed);
        let asked: Vec<String> = marked.iter().filter(|id| still_marked.contains(id)).cloned().collect();
        verification.statuses =
            file.findings.iter().map(|finding| status_of(finding).unwrap_or(Status::Open)).collect();
        looks.decide(&record, &mut verification, &asked);
        let (file, own) = judge::restated(file, &record, &looks.then, &verification);
        let file = recomputed(&file);
        record.decision = Some(Decision {
            file: file.clone(),
            gaps: gaps.clone(),
            person: person.clone(),
            checks: checks.clone(),
            waived: waived.clone(),
        });
        record.verification = Some(verification.clone());
        let is_halted = verdict_of(&file) == Some(ReviewVerdict::Abort);
        let report = judge::verified_report(&looks, &file, &record, &verification);
        let text = saving::markdown(&report, &file, Some(&verification));
        let is_written = |path: &RepoPath| {
            policy.config.report == ReportWriting::Always || store.find_source(path).is_ok_and(|it| it.is_some())
        };
        let report = record.report_path.clone().filter(is_written).map(|path| (path, text));
        Ok::<_, FlowError>(Verified { file, own, record: record::write(&record), is_halted, report })
    })?;
    let outcome = verified_outcome(&saved.file, &record, &verification)?;
    let report = judge::verified_report(&looks, &saved.file, &record, &verification);
    let ended = policy.ended(Day::of(now));
    Ok(Some(VerifiedReview { record, verification, file: saved.file, report, outcome, ended }))
}
