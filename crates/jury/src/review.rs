//! One review, top to bottom: scope, dispatch, intake, synthesis, verdict, store. The table of contents of the code.
//!
//! In: a repository, what to review, and the time. Out: the decision, saved. What is judged goes into a record first, and
//! only the record is judged. Deliberately not here: the work of any stage, and anything that is shown.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io;
use std::time::Duration;

use jury_rules::{PROJECT, Redactor, RuleError, RuleFile, Specialist};
use jury_wire::v1::record::{self as wire, Record};

use crate::config::{self, Config, ConfigError};
use crate::dispatch::{
    Answer, BuiltIn, GateIntegrity, Memory, Outside, Reviewer, Run, Terms, Tree, TreeFile, Unanswered, dispatch,
};
use crate::formats;
use crate::intake::complaint;
use crate::judge::{Judgement, RecordError, heard, judge};
use crate::model::{
    AutofixClass, Base, Budget, Day, Definition, Domain, FileChange, FindingId, GapKind, LineRange, Mode, Outcome,
    Owner, RepoPath, ReviewVerdict, ReviewerKind, Scope, Side, Timestamp, Usage, Waiver,
};
use crate::recheck;
use crate::report;
use crate::scope::{self, Repository, ScopeError, Snapshot};
use crate::store::{Kept, Save, Saved, Store, StoreError, Trust};
use crate::syntax::Limits;

/// How long a command waits for another one that writes.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// What somebody asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// What to look at.
    pub scope: scope::Request,
    /// On what terms reviewers are asked.
    pub asking: Asking,
    /// The time, in UTC.
    pub now: Timestamp,
}

/// On what terms somebody wants reviewers to be asked.
#[derive(Clone, Debug, Default)]
pub struct Asking {
    /// Whose commands may be run, and to whom code may be sent.
    pub trust: Trust,
    /// How much they may take, beside what the team says.
    pub budget: Budget,
    /// Whether what was answered before counts.
    pub kept: KeptAnswers,
}

/// Whether what was answered before counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeptAnswers {
    /// It does.
    #[default]
    Use,
    /// Everybody is asked anew.
    Ignore,
    /// It does, and the review that was begun before was of the same tree.
    Resume,
}

/// A review that was made.
pub struct Reviewed {
    /// What was judged, and the decision.
    pub record: Record,
    /// All that led to it.
    pub judgement: Judgement,
    /// Where the verdict file of somebody else was put.
    pub set_aside: Option<RepoPath>,
}

/// What a watcher is told while a review goes on.
pub enum Progress<'a> {
    /// It is known what is under review, and who will look.
    Started {
        /// What is under review.
        scope: &'a Scope,
        /// Who will look at it.
        reviewers: Vec<Domain>,
    },
    /// A reviewer has come to an end.
    Ended(&'a Run),
}

/// Why no review was made. What was there before is still there.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// What to review could not be made out.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// The state on disk was refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of the team cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The record cannot be judged.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no review to go on with.
    #[error("no review was begun and left unfinished here")]
    NothingBegun,
    /// The review that was begun was of another tree.
    #[error("the review that was left unfinished was of another tree")]
    OtherTree,
}

/// Reviews, decides and saves.
pub fn review(
    repository: &Repository,
    store: &Store,
    request: &Request,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Reviewed, ReviewError> {
    let set_aside = check_state(store)?;
    let reviewed = assess(repository, store, request, watch)?;
    let saved = save(store, &reviewed.record, &reviewed.judgement)?;
    if request.scope != scope::Request::Quick {
        store.finish()?;
    }
    Ok(Reviewed { set_aside: set_aside.or(saved.set_aside), ..reviewed })
}

/// Reviews and decides as [`review`] does, and writes no verdict: what a commit is held against is no verdict of its own.
pub fn assess(
    repository: &Repository,
    store: &Store,
    request: &Request,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Reviewed, ReviewError> {
    let snapshot = snapshot(repository, store)?;
    let scope = repository.scope(&snapshot, &request.scope)?;
    let is_quick = request.scope == scope::Request::Quick;
    let base = judging_base(repository, &snapshot, is_quick, &scope.base)?;
    let decided = Decided::read(repository, &base)?;
    decided.check_in_force(Day::of(&request.now))?;

    let tree = Shown { repository, snapshot: &snapshot, base: &base };
    let reviewers = reviewers(&decided, is_quick, &request.asking.trust, &tree, &scope);
    watch(Progress::Started { scope: &scope, reviewers: reviewers.iter().map(|reviewer| reviewer.name()).collect() });
    let is_lasting = !is_quick && reviewers.iter().any(|reviewer| reviewer.kind() != ReviewerKind::BuiltIn);
    begin(store, &request.asking, is_lasting, &scope)?;
    let runs = ask(store, &decided.config, &request.asking, &reviewers, &scope, watch);

    let moved = moved(repository, store, &scope)?;
    let mut record = record(store, request, &scope, &decided, runs, moved)?;
    let redactor = knowing_secrets_of(&scope);
    hide_secrets(&mut record, &redactor);
    record.cited = cited(&record, &snapshot, &redactor)?;
    let mut judgement = judge(&record)?;
    if let Some(before) = store.state()?.full.filter(|_| !is_quick) {
        record.since = recheck::since(store, &before, &record, &judgement);
        judgement = judge(&record)?;
    }
    record.decision = Some(judgement.file.clone());
    Ok(Reviewed { record, judgement, set_aside: None })
}

/// Notes what is begun, if it may last. What is gone on with has to be the same: answers about another tree are no answers.
fn begin(store: &Store, asking: &Asking, is_lasting: bool, scope: &Scope) -> Result<(), ReviewError> {
    if asking.kept == KeptAnswers::Resume {
        match store.begun()? {
            None => return Err(ReviewError::NothingBegun),
            Some(tree) if tree != scope.tree.as_str() => return Err(ReviewError::OtherTree),
            Some(_) => {}
        }
    }
    if is_lasting {
        store.begin(scope.tree.as_str())?;
    }
    Ok(())
}

/// Has reviewers asked on the terms of the team and of whoever wants the review.
pub(crate) fn ask(
    store: &Store,
    config: &Config,
    asking: &Asking,
    reviewers: &[Box<dyn Reviewer + '_>],
    scope: &Scope,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Vec<Run> {
    let redactor = std::sync::LazyLock::new(|| knowing_secrets_of(scope));
    let redact = |text: &str| redactor.redact(text).into_owned();
    let memory = Remembered { store, redact: &redact };
    let budget = config.budget.and(asking.budget);
    let is_fresh = asking.kept == KeptAnswers::Ignore;
    let terms = Terms { parallel: config.parallel, budget, memory: &memory, is_fresh, hear: heard };
    dispatch(reviewers, &terms, scope, &mut |run| watch(Progress::Ended(run)))
}

/// The answers that a store keeps, without the secrets of what they are about.
struct Remembered<'s> {
    store: &'s Store,
    redact: &'s (dyn Fn(&str) -> String + Sync),
}

impl Memory for Remembered<'_> {
    fn recall(&self, key: &str) -> Option<Answer> {
        let Kept { output, unreviewed, nonce, .. } = self.store.recall(key)?;
        Some(Answer { output, unreviewed, nonce, usage: None })
    }

    fn keep(&self, key: &str, reviewer: &str, answer: &Answer) {
        let kept = Kept::new(reviewer, &(self.redact)(&answer.output), &answer.unreviewed, answer.nonce.as_deref());
        // A cache that cannot be written to costs money later, and nothing else.
        _ = self.store.keep(key, &kept);
    }

    fn forget(&self, key: &str) {
        _ = self.store.forget(key);
    }
}

/// Refuses state that would be refused at the end before anybody works. Somebody else's verdict file is put aside first, so
/// that it is part of the tree before and after.
fn check_state(store: &Store) -> Result<Option<RepoPath>, StoreError> {
    match store.state() {
        Ok(_) => Ok(None),
        Err(StoreError::Foreign { .. }) => store.lock(PATIENCE)?.set_aside_foreign(),
        Err(refused) => Err(refused),
    }
}

/// Returns the base whose policy judges. A quick check compares with the last commit, which is part of the change.
pub(crate) fn judging_base(
    repository: &Repository,
    snapshot: &Snapshot,
    is_quick: bool,
    compared_with: &Base,
) -> Result<Base, ScopeError> {
    if !is_quick {
        return Ok(compared_with.clone());
    }
    match repository.base_of(snapshot, None) {
        // Without any branch to merge into, the last commit is the best there is.
        Err(ScopeError::NoBase) => Ok(compared_with.clone()),
        base => base,
    }
}

/// Takes a snapshot of the working tree without what Jury itself wrote there.
pub fn snapshot(repository: &Repository, store: &Store) -> Result<Snapshot, ScopeError> {
    // What cannot be tidied up is seen, and so keeps the gate closed.
    let _ = store.tidy(PATIENCE);
    repository.snapshot(&|path, bytes| store.vouches(path, bytes))
}

/// What a team has decided, as the base has it.
pub struct Decided {
    /// How to decide, and who has to report.
    pub config: Config,
    /// What people have accepted.
    pub waivers: Vec<config::waivers::Entry>,
    /// Its own rules, if it has any.
    pub rules: Option<&'static Specialist>,
    /// The day on which the base was committed: it is not earlier than that, whatever a clock says.
    pub as_of: Option<Day>,
}

impl Decided {
    /// Reads it from the base: what is changed in the change under review decides nothing.
    pub fn read(repository: &Repository, base: &Base) -> Result<Self, ReviewError> {
        let file = |path: &str| repository.base_file(base, &RepoPath::new(path).expect("the path is a plain one"));
        Ok(Self {
            config: configured(repository, base, file(config::POLICY_FILE)?.as_deref())?,
            waivers: config::waivers::read(file(config::WAIVERS_FILE)?.as_deref())?,
            rules: own_rules(repository, base)?,
            as_of: repository.base_day(base)?,
        })
    }

    /// Says the policy as records keep it.
    pub fn policy(&self) -> wire::Policy {
        let names = |domains: &mut dyn Iterator<Item = &Domain>| domains.map(ToString::to_string).collect();
        // A reviewer that a team defines is one that it wants to hear.
        let config = &self.config;
        let defined = config.reviewers.iter().map(|reviewer| &reviewer.name);
        let defined = defined.filter(|name| !config.required.contains(name));
        wire::Policy {
            block_at: config.policy.block_at.word().to_owned(),
            required: names(&mut config.required.iter().chain(defined)),
            abort_domains: names(&mut config.policy.abort_domains.iter()),
            accept_wont_fix: config.policy.accept_wont_fix.token().to_owned(),
        }
    }

    /// Says the waivers as records keep them.
    pub fn wire_waivers(&self) -> Vec<wire::Waiver> {
        let waiver = |waiver: &Waiver| wire::Waiver {
            finding: waiver.finding.clone(),
            reason: waiver.reason.clone(),
            author: waiver.author.clone(),
            expires: waiver.expires.to_string(),
        };
        self.waivers.iter().map(|entry| waiver(&entry.waiver)).collect()
    }

    /// Refuses to decide by waivers of which one has ended: somebody still believes in it. A clock that runs behind the base
    /// brings none of them back (FAULTS, row 25).
    pub fn check_in_force(&self, today: Day) -> Result<(), ConfigError> {
        config::waivers::check_in_force(&self.waivers, today)?;
        let as_of = self.as_of.filter(|as_of| *as_of > today);
        as_of.map_or(Ok(()), |as_of| config::waivers::check_in_force(&self.waivers, as_of)).map_err(|mut error| {
            error.what.push_str(&format!("; the clock says {today}, but the base was committed later"));
            error
        })
    }
}

/// Reads a policy. The personas that it names are those of the base, wherever it comes from itself.
pub fn configured(repository: &Repository, base: &Base, policy: Option<&[u8]>) -> Result<Config, ConfigError> {
    Config::read(policy, &|path| text_of_base(repository, base, path))
}

/// Reads a file of the base as text; `None` if there is none.
fn text_of_base(repository: &Repository, base: &Base, path: &str) -> Option<String> {
    let bytes = repository.base_file(base, &RepoPath::new(path).ok()?).ok()??;
    String::from_utf8(bytes).ok()
}

/// Reads the rules of a repository's own.
fn own_rules(repository: &Repository, base: &Base) -> Result<Option<&'static Specialist>, ReviewError> {
    let folder = RepoPath::new(config::RULES_FOLDER).expect("the path is a plain one");
    let mut files = Vec::new();
    for (path, bytes) in repository.base_files(base, &folder)? {
        if !["yml", "yaml"].contains(&path.extension().unwrap_or_default()) {
            continue;
        }
        let path = path.to_string();
        let text = String::from_utf8(bytes)
            .map_err(|_| ConfigError { file: path.clone(), what: "it is not UTF-8".to_owned() })?;
        files.push(RuleFile { path, text });
    }
    if files.is_empty() {
        return Ok(None);
    }
    let refuse = |RuleError { file, line, column, what }| ConfigError {
        file,
        what: format!("line {line}, column {column}: {what}"),
    };
    Ok(Some(Specialist::of_project(files).map_err(refuse)?))
}

/// Returns who looks: every built-in specialist, but for those that a team defines itself, the team's own rules, and always
/// the one that looks after the gate. In a quick check, only 003's two specialists, and whoever else has to report.
pub(crate) fn reviewers<'a>(
    decided: &'a Decided,
    is_quick: bool,
    trust: &Trust,
    tree: &'a dyn Tree,
    scope: &Scope,
) -> Vec<Box<dyn Reviewer + 'a>> {
    let Decided { config, rules, .. } = decided;
    let is_asked_if_quick = |name: &Domain| !is_quick || config.required.contains(name);
    let second = |definition: &Definition| {
        let name = definition.second.as_ref()?;
        let second = config.reviewers.iter().find(|other| other.name == *name)?;
        Some((second, trust.covers(second)))
    };
    let outside: Vec<Outside<'a>> = config
        .reviewers
        .iter()
        .flat_map(|definition| match is_asked_if_quick(&definition.name) {
            true => {
                let all = Outside::of(definition, trust.covers(definition), tree, scope);
                all.into_iter().map(|reviewer| reviewer.backed_by(second(definition))).collect()
            }
            false => vec![Outside::skipped(definition, tree, "it is not asked in a quick check")],
        })
        .collect();
    let is_wanted = |reviewer: &BuiltIn| {
        let domain = reviewer.domain();
        let is_quick_one = config::QUICK.contains(&domain.as_str()) || is_asked_if_quick(&domain);
        // Whoever stands in for a specialist and is not asked itself leaves the work to it.
        let is_replaced = outside.iter().any(|reviewer| reviewer.is_asked() && reviewer.name() == domain);
        (is_quick_one || domain.as_str() == PROJECT) && !is_replaced
    };
    let mut reviewers: Vec<Box<dyn Reviewer + 'a>> = Vec::new();
    for reviewer in BuiltIn::all(*rules).filter(is_wanted) {
        reviewers.push(Box::new(reviewer));
    }
    reviewers.push(Box::new(GateIntegrity));
    reviewers.extend(outside.into_iter().map(|reviewer| Box::new(reviewer) as Box<dyn Reviewer + 'a>));
    reviewers
}

/// The tree of a snapshot, with what tools would execute as the base has it.
pub(crate) struct Shown<'s> {
    pub(crate) repository: &'s Repository,
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) base: &'s Base,
}

impl Tree for Shown<'_> {
    fn executed_from(&self) -> String {
        let Base { name: _, commit, tip } = self.base;
        tip.as_ref().or(commit.as_ref()).cloned().unwrap_or_default()
    }

    fn visit(
        &self,
        is_executed: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(TreeFile<'_>) -> io::Result<()>,
    ) -> Result<(), String> {
        self.snapshot.visit(&mut |path, kind, bytes| {
            let name = String::from_utf8_lossy(path);
            let told = |error: &dyn Display| format!("{name}: {error}");
            let of_base = match RepoPath::new(&name) {
                Ok(name) if is_executed(name.as_str()) => {
                    let bytes = self.repository.base_file(self.base, &name).map_err(|error| told(&error))?;
                    let Some(bytes) = bytes else { return Ok(()) };
                    Some(bytes)
                }
                _ => None,
            };
            let bytes = of_base.as_deref().unwrap_or(bytes);
            each(TreeFile { path, kind, bytes }).map_err(|error| told(&error))
        })
    }
}

/// Looks at the tree again, and says so if it is no longer the one that was given to the reviewers.
pub(crate) fn moved(repository: &Repository, store: &Store, scope: &Scope) -> Result<Option<wire::Gap>, ScopeError> {
    let now = match snapshot(repository, store) {
        Ok(snapshot) => snapshot.id() == &scope.tree,
        Err(ScopeError::Moved(_)) => false,
        Err(error) => return Err(error),
    };
    Ok((!now).then(|| wire::Gap {
        reviewer: "scope".to_owned(),
        kind: GapKind::UnknownState.token().to_owned(),
        what: "the tree changed while it was reviewed".to_owned(),
        remedy: "run `jury review` again when nobody else is writing".to_owned(),
    }))
}

/// Writes down everything that is to be judged.
fn record(
    store: &Store,
    request: &Request,
    scope: &Scope,
    decided: &Decided,
    runs: Vec<Run>,
    moved: Option<wire::Gap>,
) -> Result<Record, StoreError> {
    let mode = if request.scope == scope::Request::Quick { Mode::Quick } else { Mode::Full };
    let seed = [request.now.as_str(), scope.tree.as_str(), &scope.target, mode.token()].join("\n");
    let review_id = store.unused_review_id(seed.as_bytes())?.to_string();
    let report_path = match mode {
        Mode::Quick => String::new(),
        _ => report_path(&request.now, scope.kind.token(), &review_id),
    };
    let mut gaps: Vec<wire::Gap> = moved.into_iter().collect();
    let runs = runs.into_iter().map(|run| wire_run(run, &mut gaps)).collect();
    Ok(Record {
        version: wire::VERSION,
        review_id,
        timestamp: request.now.to_string(),
        mode: mode.token().to_owned(),
        scope: wire_scope(scope),
        policy: decided.policy(),
        waivers: decided.wire_waivers(),
        runs,
        cited: BTreeMap::new(),
        gaps,
        report_path,
        decision: None,
        since: None,
        verification: None,
    })
}

/// 000: the report lies under `docs/code-reviews/{date}-{scope}-{reviewId}.md`.
fn report_path(now: &Timestamp, kind: &str, review_id: &str) -> String {
    format!("docs/code-reviews/{}-{kind}-{review_id}.md", Day::of(now))
}

/// How much of what an agent says about its own failure is told.
const MOST_SAID: usize = 300;

pub(crate) fn wire_run(run: Run, gaps: &mut Vec<wire::Gap>) -> wire::Run {
    let mut nonce = None;
    let mut unseen = Vec::new();
    let (output, failure, skipped) = match run.result {
        Ok(answer) => {
            nonce = answer.nonce;
            unseen.extend(answer.unreviewed.iter().map(|(path, _)| path.clone()));
            gaps.extend(answer.unreviewed.into_iter().map(|(path, why)| wire::Gap {
                reviewer: run.reviewer.to_string(),
                kind: GapKind::UncoveredHunk.token().to_owned(),
                what: format!("{path} was not looked at: {why}"),
                remedy: "a person looks at the file, or it is split".to_owned(),
            }));
            (Some(answer.output), None, None)
        }
        Err(Unanswered::Failed { why, printed, .. }) => {
            // An agent that fails says why in its envelope, and seldom anywhere else.
            let said = printed.as_deref().and_then(|text| complaint(text, &Limits::default(), MOST_SAID));
            (printed, Some(said.map_or(why.clone(), |said| format!("{why}: {said}"))), None)
        }
        Err(Unanswered::Skipped(why)) => (None, None, Some(why)),
    };
    wire::Run {
        domain: (run.domain != run.reviewer).then(|| run.domain.to_string()),
        reviewer: run.reviewer.to_string(),
        kind: run.kind.token().to_owned(),
        model: run.model,
        definition: run.definition,
        format: run.format.map(str::to_owned),
        nonce,
        files: run.files,
        unseen,
        output,
        failure,
        skipped,
        usage: run.usage.map(wire_usage),
        cached: run.is_kept,
        again: run.is_again,
        unconfined: run.unconfined,
    }
}

fn wire_usage(usage: Usage) -> wire::Usage {
    let Usage { input, output, cost } = usage;
    wire::Usage { input_tokens: input, output_tokens: output, cost_micro_dollars: cost }
}

/// Says a scope as records keep it.
pub(crate) fn wire_scope(scope: &Scope) -> wire::Scope {
    let ranges = |path: &RepoPath, side| -> Vec<String> {
        scope.change.lines(path, side).iter().map(LineRange::to_string).collect()
    };
    let file = |file: &crate::model::ChangedFile| wire::File {
        path: file.path.to_string(),
        change: match &file.change {
            FileChange::Added => "added".to_owned(),
            FileChange::Modified => "modified".to_owned(),
            FileChange::Deleted => "deleted".to_owned(),
            FileChange::Renamed { from } => format!("renamed from {from}"),
            FileChange::ModeChanged => "mode changed".to_owned(),
            FileChange::TypeChanged => "type changed".to_owned(),
            FileChange::Whole => "whole".to_owned(),
        },
        id: file.id.clone(),
        patch: Some(file.patch.to_string()),
        after: ranges(&file.path, Side::Right),
        before: ranges(&file.path, Side::Left),
    };
    let unreviewed = |unreviewed: &crate::model::Unreviewed| wire::Unreviewed {
        path: unreviewed.path.clone(),
        why: unreviewed.why.token().to_owned(),
        id: unreviewed.id.clone(),
    };
    wire::Scope {
        kind: scope.kind.token().to_owned(),
        target: scope.target.clone(),
        base_name: scope.base.name.clone(),
        base: scope.base.commit.clone(),
        head: scope.head.clone(),
        branch: scope.branch.clone(),
        commits: scope.commits.clone(),
        tree: scope.tree.to_string(),
        patch: scope.patch.to_string(),
        files: scope.files.iter().map(file).collect(),
        unreviewed: scope.unreviewed.iter().map(unreviewed).collect(),
    }
}

/// Learns the secrets of what is under review, so that nobody who quotes one without its name gives it away.
pub(crate) fn knowing_secrets_of(scope: &Scope) -> Redactor {
    let files: Vec<Cow<'_, str>> =
        scope.files.iter().filter_map(|file| file.after.as_deref()).map(String::from_utf8_lossy).collect();
    Redactor::knowing(files.iter().map(AsRef::as_ref))
}

/// Takes the secrets out of everything that somebody wrote. A record is kept for long, and all that is shown is made from it:
/// what is not in it is in no verdict file, report or terminal either.
pub(crate) fn hide_secrets(record: &mut Record, redactor: &Redactor) {
    let texts = record.runs.iter_mut().flat_map(|run| run.output.iter_mut().chain(&mut run.failure));
    let texts = texts.chain(record.gaps.iter_mut().map(|gap| &mut gap.what));
    let texts = texts.chain(record.waivers.iter_mut().map(|waiver| &mut waiver.reason));
    for text in texts.chain(&mut record.scope.commits) {
        if let Cow::Owned(redacted) = redactor.redact(text) {
            *text = redacted;
        }
    }
}

/// Returns the files that claims name, so that quotes can be held against them from the record alone.
fn cited(record: &Record, snapshot: &Snapshot, redactor: &Redactor) -> Result<BTreeMap<String, String>, RecordError> {
    let judgement = judge(record)?;
    let synthesis = &judgement.merged.synthesis;
    let settled = synthesis.lists().into_iter().flatten();
    let claims = settled.flat_map(|settled| settled.finding.claims());
    let files: BTreeSet<RepoPath> =
        claims.filter_map(|claim| claim.location.as_ref()).map(|location| location.file.clone()).collect();
    let text = |path: RepoPath| {
        let bytes = snapshot.file(&path)?;
        Some((path.to_string(), cited_text(&bytes, redactor)))
    };
    Ok(files.into_iter().filter_map(text).collect())
}

/// Returns what a file says, as records keep it.
pub(crate) fn cited_text(bytes: &[u8], redactor: &Redactor) -> String {
    redactor.redact(&String::from_utf8_lossy(bytes)).into_owned()
}

/// Saves a record with the files that are made from it.
pub(crate) fn save(store: &Store, record: &Record, judgement: &Judgement) -> Result<Saved, StoreError> {
    let value = serde_json::to_value(record).expect("a record is always JSON");
    let report = RepoPath::new(&record.report_path).ok().map(|path| (path, markdown(judgement)));
    let is_aborted = judgement.merged.verdict.review == ReviewVerdict::Abort;
    let save = Save {
        record: &crate::store::canonical_json(&value),
        verdict: &judgement.file,
        report,
        abort_reason: is_aborted.then(|| report::abort_reason(record, judgement)),
    };
    store.lock(PATIENCE)?.save(&save)
}

/// Writes the report for people, in 002's Markdown.
fn markdown(judgement: &Judgement) -> String {
    let written = formats::by_id("review-md").and_then(|format| format.write(&judgement.report));
    written.expect("the report for people is a format that can be written").text
}

/// Returns what a review comes to, and so the exit code of the command that made it.
pub fn outcome(reviewed: &Reviewed) -> Outcome {
    reviewed.judgement.merged.verdict.outcome
}

/// The name under which a team agent speaks.
const TEAM: &str = "team-agent";

/// Halts the team at its own wish: what the last full review found stands, with one Blocker more (003, ABORT).
pub fn abort(repository: &Repository, store: &Store, reason: &str, now: &Timestamp) -> Result<Reviewed, ReviewError> {
    let set_aside = check_state(store)?;
    let mut record = match store.state()?.full {
        Some(full) => crate::gate::record(store, &full.record)?,
        // Without any review, what is there is not reviewed, and the gaps say so.
        None => {
            let snapshot = snapshot(repository, store)?;
            let scope = scope::Request::Changeset { base: None };
            let request = Request { scope, asking: Asking::default(), now: now.clone() };
            let scope = repository.scope(&snapshot, &request.scope)?;
            record(store, &request, &scope, &Decided::read(repository, &scope.base)?, Vec::new(), None)?
        }
    };
    record.runs.retain(|run| run.reviewer != TEAM);
    // A secret that is cut to fit a title would no longer be known for one.
    record.runs.push(raised_by_team(&jury_rules::redact(reason)));
    hide_secrets(&mut record, &Redactor::default());
    record.review_id = store.unused_review_id([reason, now.as_str(), "abort"].join("\n").as_bytes())?.to_string();
    record.timestamp = now.to_string();
    record.report_path = report_path(now, &record.scope.kind, &record.review_id);
    let judgement = judge(&record)?;
    record.decision = Some(judgement.file.clone());
    let saved = save(store, &record, &judgement)?;
    Ok(Reviewed { record, judgement, set_aside: set_aside.or(saved.set_aside) })
}

fn raised_by_team(reason: &str) -> wire::Run {
    use jury_wire::v1::findings as reported;
    let title: String = format!("Aborted by the team: {}", reason.split_whitespace().collect::<Vec<_>>().join(" "));
    let finding = reported::Detailed {
        merge: reported::MergeTier {
            // 004: at most 100 characters; the whole reason is in the evidence.
            title: title.chars().take(100).collect(),
            severity: "P0".to_owned(),
            file: FindingId::WHOLE_REPOSITORY.to_owned(),
            line: 1,
            autofix_class: AutofixClass::Manual.token().to_owned(),
            owner: Owner::Human.token().to_owned(),
            requires_verification: true,
            suggested_fix: Some("A person decides what becomes of the work.".to_owned()),
            confidence: 100,
            pre_existing: false,
        },
        why_it_matters: reason.to_owned(),
        evidence: vec![reason.to_owned()],
        other: serde_json::Map::new(),
    };
    let document = reported::Artifact {
        reviewer: TEAM.to_owned(),
        findings: vec![finding],
        residual_risks: Vec::new(),
        testing_gaps: Vec::new(),
        other: serde_json::Map::new(),
    };
    let output = serde_json::to_string(&document).expect("strings, numbers and lists are always JSON");
    let definition = crate::model::short_digest(&[TEAM], 64);
    wire::Run {
        reviewer: TEAM.to_owned(),
        domain: None,
        kind: ReviewerKind::Team.token().to_owned(),
        model: None,
        definition,
        format: Some("findings-json".to_owned()),
        nonce: None,
        files: None,
        unseen: Vec::new(),
        output: Some(output),
        failure: None,
        skipped: None,
        usage: None,
        cached: false,
        again: false,
        unconfined: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::tests::scope_of;
    use crate::dispatch::{Answer, Run};
    use crate::model::Change;

    /// What any reviewer printed, why one failed, and what an author wrote into a commit lose their secrets on the way into
    /// the record; and the answer is still understood.
    #[test]
    fn no_secret_goes_into_a_record() {
        let password = "hV7xk29sQmZ";
        let key = ["AK", "IAQ3ZX7KMN2VB4WRTY"].concat();
        let answer = |title: String| {
            let mut run = raised_by_team(&format!("a log-in with {password} and {key}"));
            run.output = run.output.map(|output| output.replace("Aborted by the team", &title));
            let unreviewed = vec![("a".to_owned(), key.clone())];
            Answer { unreviewed, ..Answer::whole(run.output.unwrap_or_default()) }
        };
        let run = |result| Run {
            reviewer: Domain::new("correctness").unwrap(),
            domain: Domain::new("correctness").unwrap(),
            kind: ReviewerKind::BuiltIn,
            model: None,
            definition: String::new(),
            format: Some("findings-json"),
            files: None,
            result,
            usage: None,
            is_kept: false,
            is_again: false,
            unconfined: None,
        };
        let mut gaps = Vec::new();
        let runs = [
            run(Ok(answer(format!("{key}, {password}")))),
            run(Err(Unanswered::Failed { why: format!("it printed {key}"), printed: Some(key.clone()), usage: None })),
        ];
        let runs = runs.into_iter().map(|run| wire_run(run, &mut gaps)).collect();
        let mut scope = wire_scope(&scope_of(Vec::new(), Change::default()));
        scope.commits = vec![format!("Use {key}")];
        let policy = wire::Policy {
            block_at: "High".to_owned(),
            required: Vec::new(),
            abort_domains: Vec::new(),
            accept_wont_fix: "below-high".to_owned(),
        };
        let mut record = Record {
            version: wire::VERSION,
            review_id: "a3f8c12b".to_owned(),
            timestamp: "2025-01-01T00:00:00Z".to_owned(),
            mode: Mode::Full.token().to_owned(),
            scope,
            policy,
            waivers: Vec::new(),
            runs,
            cited: BTreeMap::new(),
            gaps,
            report_path: String::new(),
            decision: None,
            since: None,
            verification: None,
        };
        hide_secrets(&mut record, &Redactor::knowing([format!("password = \"{password}\"").as_str()]));
        let written = serde_json::to_string(&record).unwrap();
        assert!(!written.contains(password) && !written.contains(&key), "{written}");
        let judgement = judge(&record).unwrap();
        let title = &judgement.file.findings[0].title;
        assert!(title.contains("[redacted aws-access-key ") && title.contains("[redacted password "), "{title}");
    }
}
