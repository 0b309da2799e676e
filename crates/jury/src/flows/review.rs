//! `jury review`, top to bottom: scope, dispatch, intake, synthesis, verdict, store. The table of contents of the code.
//!
//! In: a repository, the target, and the time. Out: the decision, saved. All input of the decision goes into a record first,
//! and only the record is judged, once.

use super::Reviewed;
use crate::base::{BasePolicy, judging_base};
use crate::dispatch::touch_moved;
use crate::error::FlowError;
use crate::judge;
use crate::look_back::LookBack;
use crate::model::{Day, Mode, RepoPath, Timestamp};
use crate::panel::{AskOptions, Panel, Progress};
use crate::record::{Record, RecordedScope, cited_text, secrets_of};
use crate::scope::{self, Repository, ReviewedTree};
use crate::store::Store;
use crate::worktree;

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
    let is_quick = *wanted == scope::Request::Quick;
    let mode = if is_quick { Mode::Quick } else { Mode::Full };
    let mut set_aside = if *is_saved { worktree::check_state(store)? } else { None };

    // The tree, the change, and the policy of the base.
    let snapshot = worktree::snapshot(repository, store)?;
    let mut scope = repository.scope(&snapshot, wanted)?;
    touch_moved(&mut scope);
    let base = judging_base(repository, &snapshot, is_quick, &scope.base)?;
    let policy = BasePolicy::read(repository, &base)?;
    policy.check_in_force(Day::of(now))?;

    // The reviewers.
    let tree = ReviewedTree { repository, files: &snapshot, base: &base };
    let panel = Panel::of(&policy, is_quick, &options.trust, &tree, &scope);
    watch(Progress::Started { scope: &scope, reviewers: panel.names() });
    panel.begin(store, options.cache, is_quick, &scope)?;
    let runs = panel.ask(store, &policy, options, &scope, watch);

    // The record, without secrets, with the files that claims name, and how those were before the change.
    let seed = [now.as_str(), scope.tree.as_str(), &scope.target, mode.token()].join("\n");
    let moved = worktree::moved(repository, store, &snapshot)?;
    let review_id = store.unused_review_id(seed.as_bytes())?;
    let recorded = RecordedScope::of(&scope);
    let mut record = Record::new(review_id, now.clone(), mode, recorded, policy.policy(), policy.waivers());
    record.runs = runs;
    record.gaps.extend(moved);
    let redactor = secrets_of(&scope);
    record.redact(&redactor);
    let hearing = judge::hear(&record);
    let text = |path: RepoPath| Some((path.clone(), cited_text(&snapshot.file(&path)?, &redactor)));
    let look_back =
        LookBack { repository, store, policy: &policy, options, judging: &base, scope: &scope, redactor: &redactor };
    record.base_look = Some(look_back.look(&record, &hearing)?);
    record.cited = hearing.cited_files().into_iter().filter_map(text).collect();

    // The decision, and how it compares with the full review before.
    let mut judgement = judge::decide(&record, hearing);
    record.decision = Some(judgement.decision());
    if let Some(before) = store.state()?.full.filter(|_| !is_quick) {
        // A record that cannot be read is no reason to lose the review.
        let before = worktree::recorded(store, &before.record).ok();
        let since = before.map(|before| judge::since((&before, &judge::judge(&before)), (&record, &judgement)));
        judgement.compare_with(&mut record, since);
    }

    if *is_saved {
        set_aside = set_aside.or(worktree::save(store, &record, &judgement)?);
        if !is_quick {
            store.finish()?;
        }
    }
    Ok(Reviewed { record, judgement, set_aside })
}
