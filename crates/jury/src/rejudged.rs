//! A record that travelled, judged again in a clone: its bytes and the facts of the clone in; the verdict file, made again, or why it is another.
//!
//! The scope is made out anew, the built-in specialists run again, every quote is grounded in this tree, and the judgement has to come to the
//! same verdict file. Answers of tools and models are those of the record: who signed vouches for them. Deliberately not here: signatures.

use std::collections::BTreeSet;

use crate::base::BasePolicy;
use crate::clone_facts::Clone;
use crate::error::FlowError;
use crate::judge;
use crate::look_back::LookBack;
use crate::model::{Mode, RepoPath, ReviewerKind, ScopeKind};
use crate::panel::{AskOptions, Asking, CacheMode, Panel};
use crate::record::{self, Record, RecordId, RecordedScope, cited_text, redact_runs, secrets_of};
use crate::saving::markdown;
use crate::scope::{Repository, Request, ReviewedTree};
use crate::store::{Store, VerdictFile};
use crate::worktree;

/// The most bytes of a record that travels.
pub const MOST_BYTES: u64 = 64 << 20;

/// A record that was judged again, with its verdict file.
pub struct Rejudged {
    /// The record, as it was made out here.
    pub record: Record,
    /// The verdict file.
    pub file: VerdictFile,
    /// The reviewers whose answers are those of models.
    pub models: BTreeSet<String>,
}

/// Judges a record again; `Err` inside says why the clone does not bear it out.
pub fn rejudged(
    repository: &Repository,
    store: &Store,
    base: Option<&str>,
    clone: &Clone,
    (id, bytes): (&str, Option<Vec<u8>>),
) -> Result<Result<Rejudged, String>, FlowError> {
    let refuse = |what: &str| Ok(Err(what.to_owned()));
    let Some(bytes) = bytes else { return refuse("it is missing") };
    if RecordId::of(&bytes).as_str() != id {
        return refuse("its ref names another content");
    }
    let then = match record::read(&bytes) {
        Ok(record) => record,
        Err(error) => return refuse(&error.to_string()),
    };
    let is_full = then.mode == Mode::Full && then.scope.kind == ScopeKind::Changeset && then.verification.is_none();
    let Some(decision) = then.decision.as_ref().filter(|_| is_full) else { return refuse("it is not a full review") };
    if !clone.policy.is_same_as(&then) {
        return refuse("it was decided by another policy");
    }

    // The scope. A report of the review that was committed since is no part of it; its text is checked below.
    let is_report = |path: &RepoPath| then.report_path.as_ref() == Some(path);
    let snapshot = repository.staged(None, &|path, _| is_report(path))?;
    let scope = worktree::change(repository, &snapshot, &Request::Changeset { base: base.map(str::to_owned) })?;
    let now = RecordedScope::of(&scope);
    if (&now.tree, &now.patch, &now.files, &now.unreviewed)
        != (&then.scope.tree, &then.scope.patch, &then.scope.files, &then.scope.unreviewed)
    {
        return refuse("it is about another change");
    }

    // The built-in specialists, and what they find.
    let options = AskOptions { cache: CacheMode::Ignore, ..AskOptions::default() };
    let asking = Asking { repository, store, policy: &clone.policy, options: &options };
    let redactor = secrets_of(&scope);
    let tree = ReviewedTree { repository, files: &snapshot, base: &clone.policy.base };
    let mut runs = Panel::of(asking, Mode::Full, &tree, &scope, None).built_in().ask(&scope, &mut |_| {});
    redact_runs(&mut runs, &redactor);
    let mut record = then.clone();
    let names = |runs: &[record::Run]| -> BTreeSet<String> {
        let built_in = runs.iter().filter(|run| run.kind == ReviewerKind::BuiltIn);
        built_in.map(|run| run.reviewer.to_string()).collect()
    };
    if names(&record.runs) != names(&runs) {
        return refuse("other specialists looked than those of the base");
    }
    for run in record.runs.iter_mut().filter(|run| run.kind == ReviewerKind::BuiltIn) {
        if let Some(again) = runs.iter().find(|again| again.reviewer == run.reviewer) {
            *run = again.clone();
        }
    }

    // The claims, the look at the base, and the quotes, in this tree.
    let hearing = judge::hear(&record);
    if record.runs.iter().all(|run| run.kind != ReviewerKind::Tool) {
        let look_back = LookBack { asking, scope: &scope, redactor: &redactor };
        record.base_look = Some(look_back.look(&record, &hearing)?);
    }
    let text = |path: RepoPath| Some((path.clone(), cited_text(&snapshot.file(&path)?, &redactor)));
    record.cited = hearing.cited_files().into_iter().filter_map(text).collect();
    let policy = BasePolicy::judging(repository, &snapshot, &scope, Mode::Full)?;
    record.guidelines = policy.told(&record.runs);
    record.guidelines.values_mut().for_each(|text| *text = redactor.redact(text).into_owned());

    // The decision.
    let judgement = judge::decide(&record, hearing);
    if judgement.file != decision.file {
        return refuse("it leads to another verdict here");
    }
    let committed = then.report_path.as_ref().and_then(|path| clone.snapshot.file(path));
    let report = markdown(&judgement.report, &judgement.file, None);
    if then.since.is_none() && committed.is_some_and(|bytes| bytes != report.as_bytes()) {
        return refuse("the committed report is another one");
    }
    let models = record.runs.iter().filter(|run| run.kind.is_model() && run.answer().is_some());
    let models = models.map(|run| run.reviewer.to_string()).collect();
    judgement.write_into(&mut record);
    Ok(Ok(Rejudged { record, file: judgement.file, models }))
}
