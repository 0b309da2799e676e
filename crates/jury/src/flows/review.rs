//! `jury review`, top to bottom: scope, dispatch, intake, synthesis, verdict, store. The table of contents of the code.
//!
//! In: a repository, the target, and the time. Out: the decision, saved. All input of the decision goes into a record first,
//! and only the record is judged, once.

use super::Reviewed;
use crate::base::BasePolicy;
use crate::error::FlowError;
use crate::judge;
use crate::look_back::LookBack;
use crate::model::{Definition, Mode, RepoPath, Timestamp};
use crate::panel::{AskOptions, Asking, LastReview, Panel, Progress};
use crate::record::{cited_text, secrets_of};
use crate::saving;
use crate::scope::{self, Repository, ReviewedTree};
use crate::store::Store;
use crate::worktree::{self, Begun};

/// The target of a review.
#[derive(Clone, Debug)]
pub struct ReviewRequest {
    /// The scope.
    pub scope: scope::Request,
    /// How reviewers are asked.
    pub options: AskOptions,
    /// The time, in UTC.
    pub now: Timestamp,
    /// Whether the verdict is written: a check of a commit writes none.
    pub is_saved: bool,
}

/// Reviews, decides and saves.
pub fn review(
    repository: &Repository,
    store: &Store,
    request: &ReviewRequest,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Reviewed, FlowError> {
    let ReviewRequest { scope: wanted, options, now, is_saved } = request;
    let mode = if wanted.is_quick() { Mode::Quick } else { Mode::Full };

    // The tree, the change, and the policy of the base, which may exclude a part of it.
    let Begun { snapshot, mut scope, before, set_aside } = worktree::begin(repository, store, wanted, *is_saved)?;
    let policy = BasePolicy::judging(repository, &snapshot, &scope, mode)?;
    policy.exclude(repository, &mut scope)?;
    if !options.criteria.is_empty() && !policy.config.reviewers.iter().any(Definition::assesses_intent) {
        return Err(FlowError::NobodyForIntent);
    }

    // The reviewers, and the record of their answers, without secrets. The tree must not have changed meanwhile.
    let redactor = secrets_of(&scope);
    let asking = Asking { repository, store, policy: &policy, options };
    let tree = ReviewedTree { repository, files: &snapshot, base: &policy.base };
    let last = before.as_ref().map(|before| LastReview::of(before, &snapshot, &scope));
    let panel = Panel::of(asking, mode, &tree, &scope, last.as_ref());
    let mut record = panel.review(&scope, (mode, now), &redactor, watch)?;
    record.gaps.extend(panel.not_started(&record));
    record.gaps.extend(worktree::moved(repository, store, &snapshot)?);

    // Their claims, the files that these name, and how those were before the change.
    let hearing = judge::hear(&record);
    let look_back = LookBack { asking, scope: &scope, redactor: &redactor };
    record.base_look = Some(look_back.look(&record, &hearing)?);
    let text = |path: RepoPath| Some((path.clone(), cited_text(&snapshot.file(&path)?, &redactor)));
    record.cited = hearing.cited_files().into_iter().filter_map(text).collect();

    // The decision, and how it compares with the full review before.
    let judgement = judge::conclude(&mut record, hearing, before.as_ref());

    // The disk.
    let (ends_review, report) = (mode == Mode::Full, policy.config.report);
    let saved = if *is_saved { saving::save(store, &record, &judgement, (ends_review, report))? } else { None };
    Ok(Reviewed { record, judgement, set_aside: set_aside.or(saved), report })
}
