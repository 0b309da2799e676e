//! `jury loop`: rounds of review, fix and verification, until the gate passes or progress stops.
//!
//! In: a repository and a command that fixes. Out: how it ended, with the verdict file and the last brief left for a person.
//! `verdict::step` decides; only the gate, on a tree that was reviewed in full, says that it passed. Deliberately not here: any
//! change of the user's files, any commit, and the words for people.

mod brief;
mod identity;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use std::rc::Rc;

use crate::dispatch::GateIntegrity;
use crate::error::FlowError;
use crate::flows::GateView;
use crate::flows::gate::{Subject, gate};
use crate::flows::review::{self, review};
use crate::flows::verify::verify;
use crate::judge::{Judgement, judge};
use crate::model::{Base, Budget, GateOwner, Outcome, Severity, Status, Timestamp, Usage};
use crate::panel::{AskOptions, Progress};
use crate::process::{How, LONGEST, run_openly};
use crate::record::{NewFinding, Record, RecordError, RecordId, Verification, status_of};
use crate::scope::{self, Repository, ScopeError};
use crate::store::{Current, Store, StoreError, TaskFolder, Trust, VerdictFile};
use crate::verdict::{End, FindingState, Key, Position, Step, finding_states, recomputed, step};
use crate::worktree::{PATIENCE, recorded, snapshot};
use identity::{FindingKeys, Sight};

/// The name of the lock against a second loop.
const HOLD: &str = "rounds";
/// How the names of briefs start.
const BRIEF: &str = "round-";

/// The options of a loop.
#[derive(Clone, Debug)]
pub struct LoopRequest<'a> {
    /// The base of the change; default: detected.
    pub base: Option<&'a str>,
    /// The program that fixes, and its arguments.
    pub command: &'a [OsString],
    /// The folder in which it is started.
    pub folder: &'a Path,
    /// How many rounds there are at most.
    pub rounds: usize,
    /// How long all of it may take.
    pub time: Duration,
    /// How much the models may take that are asked in all rounds.
    pub budget: Budget,
    /// Whose commands may be run as reviewers.
    pub trust: &'a Trust,
}

/// Progress of a loop.
pub enum Event<'a> {
    /// A review or a second look goes on.
    Progress(Progress<'a>),
    /// The whole change was reviewed.
    Reviewed(&'a VerdictFile),
    /// A round begins: its number, how much is required, and its brief.
    Begun(usize, usize, &'a Path),
    /// The fixer has ended: its error, if any.
    Fixed(Option<&'a str>),
    /// The code has changed and nothing was marked, so these findings were, to be looked at.
    Marked(&'a [String]),
    /// The findings that are marked fixed were verified.
    Verified(&'a Verification),
}

/// A round that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// How many findings were required when it began.
    pub required: usize,
    /// The error of the fixer, if any.
    pub trouble: Option<String>,
    /// Whether the tree is another one since.
    pub has_changed: bool,
    /// The findings that the fixer marked itself.
    pub marked: Vec<String>,
    /// Those that were marked on its behalf.
    pub marked_for_it: Vec<String>,
}

/// How it ended.
pub struct Looped {
    /// In which way.
    pub end: End,
    /// The rounds that were made.
    pub rounds: Vec<Round>,
    /// The verdict file as it is now.
    pub file: VerdictFile,
    /// Where that is.
    pub path: PathBuf,
    /// The gate of the current tree.
    pub gate: GateView,
    /// The findings that are still required, worst first.
    pub required: Vec<String>,
    /// The last brief.
    pub brief: Option<PathBuf>,
}

/// Why it did not come to an end of its own.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// A flow could not do its job.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// There is no such program.
    #[error("cannot start `{program}`: {why}")]
    NotStarted {
        /// The command.
        program: String,
        /// The reason the system gives.
        why: String,
    },
    /// The fixer changed its own measure.
    #[error("the fixer {0}")]
    Measure(String),
}

impl From<StoreError> for LoopError {
    fn from(error: StoreError) -> Self {
        Self::Flow(error.into())
    }
}

impl From<ScopeError> for LoopError {
    fn from(error: ScopeError) -> Self {
        Self::Flow(error.into())
    }
}

impl From<RecordError> for LoopError {
    fn from(error: RecordError) -> Self {
        Self::Flow(error.into())
    }
}

/// Takes a change through review and fix until it ends.
pub fn run(
    repository: &Repository,
    store: &Store,
    request: &LoopRequest<'_>,
    now: &dyn Fn() -> Timestamp,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Looped, LoopError> {
    let folder = store.loop_folder()?;
    let _hold = folder.hold(HOLD)?;
    for (name, _) in folder.names()?.into_iter().filter(|(name, _)| name.starts_with(BRIEF)) {
        folder.remove(&name)?;
    }
    let mut driver = Loop::new(repository, store, request, now, watch, folder)?;
    driver.review()?;
    loop {
        let view = driver.view()?;
        match step(&driver.past, &view.position, request.rounds, driver.over()) {
            Step::Review => driver.review()?,
            Step::Fix => driver.round(view)?,
            Step::End(end) => return Ok(driver.ended(end, view)),
        }
    }
}

/// The measure of the fixer's work, which it must not change: the branch and its base.
#[derive(PartialEq, Eq)]
struct Measure {
    branch: Option<String>,
    base: Base,
}

struct Loop<'a> {
    repository: Repository,
    store: &'a Store,
    request: &'a LoopRequest<'a>,
    now: &'a dyn Fn() -> Timestamp,
    watch: &'a mut dyn FnMut(Event<'_>),
    folder: TaskFolder,
    start: Instant,
    measure: Measure,
    keys: FindingKeys,
    /// The last record that was judged: the same record is not judged twice.
    judged: Option<(RecordId, Rc<Judged>)>,
    seen: BTreeMap<Key, Sight>,
    /// The required findings at the start of each round.
    past: Vec<BTreeSet<Key>>,
    rounds: Vec<Round>,
    brief: Option<PathBuf>,
    /// The last full review that was made here.
    reviewed: Option<OwnReview>,
    /// Whether there was anything to review when all began.
    had_change: bool,
    /// The known usage of the models.
    spent: Usage,
}

/// A full review that was made here, and not by the fixer.
struct OwnReview {
    review_id: String,
    tree: String,
    /// Whether nothing was done since.
    is_last: bool,
}

/// A record and its judgement.
struct Judged {
    record: Record,
    judgement: Judgement,
}

/// The state of the work, and its base.
struct View {
    position: Position,
    gate: GateView,
    current: Current,
    judged: Rc<Judged>,
    required: Vec<String>,
    tree: String,
}

impl<'a> Loop<'a> {
    fn new(
        repository: &Repository,
        store: &'a Store,
        request: &'a LoopRequest<'a>,
        now: &'a dyn Fn() -> Timestamp,
        watch: &'a mut dyn FnMut(Event<'_>),
        folder: TaskFolder,
    ) -> Result<Self, LoopError> {
        let repository = Repository::discover(repository.root())?;
        let measure = measure(&repository, store, request)?;
        Ok(Self {
            repository,
            store,
            request,
            now,
            watch,
            folder,
            start: Instant::now(),
            measure,
            keys: FindingKeys::default(),
            judged: None,
            seen: BTreeMap::new(),
            past: Vec::new(),
            rounds: Vec::new(),
            brief: None,
            reviewed: None,
            had_change: false,
            spent: Usage::default(),
        })
    }

    /// Returns how much time is left.
    fn left(&self) -> Duration {
        self.request.time.min(LONGEST).saturating_sub(self.start.elapsed())
    }

    /// Returns the end for want of time or money, if it has come to that.
    fn over(&self) -> Option<End> {
        let Budget { cost, tokens, .. } = self.left_to_spend();
        let is_spent = cost == Some(0) || tokens == Some(0);
        is_spent.then_some(End::OutOfBudget).or(self.left().is_zero().then_some(End::OutOfTime))
    }

    /// Returns how much of the budget is left.
    fn left_to_spend(&self) -> Budget {
        let Budget { cost, tokens, .. } = self.request.budget;
        Budget {
            cost: cost.map(|most| most.saturating_sub(self.spent.cost.unwrap_or_default())),
            tokens: tokens.map(|most| most.saturating_sub(self.spent.tokens())),
            time: None,
        }
    }

    /// Charges the usage of a review to the budget.
    fn pay(&mut self, record: &Record) {
        for usage in record.runs.iter().filter_map(|run| run.usage) {
            let usage = Usage { cost: Some(usage.cost.unwrap_or_default()), ..usage };
            self.spent = Usage { cost: Some(self.spent.cost.unwrap_or_default()), ..self.spent }.and(usage);
        }
    }

    /// Returns how reviewers are asked.
    fn options(&self) -> AskOptions {
        AskOptions { trust: self.request.trust.clone(), budget: self.left_to_spend(), ..AskOptions::default() }
    }

    /// Reads and judges a record, unless that was just done.
    fn judged(&mut self, id: &RecordId) -> Result<Rc<Judged>, LoopError> {
        if let Some((_, judged)) = self.judged.as_ref().filter(|(of, _)| of == id) {
            return Ok(Rc::clone(judged));
        }
        let record = recorded(self.store, id)?;
        let judged = Rc::new(Judged { judgement: judge(&record), record });
        self.judged = Some((id.clone(), Rc::clone(&judged)));
        Ok(judged)
    }

    /// Reviews the whole change.
    fn review(&mut self) -> Result<(), LoopError> {
        let scope = scope::Request::Changeset { base: self.request.base.map(str::to_owned) };
        let request = review::ReviewRequest { scope, options: self.options(), now: (self.now)(), is_saved: true };
        let watch = &mut self.watch;
        let reviewed = review(&self.repository, self.store, &request, &mut |event| watch(Event::Progress(event)))?;
        (self.watch)(Event::Reviewed(&reviewed.judgement.file));
        self.pay(&reviewed.record);
        let scope = &reviewed.record.scope;
        let has_change = !scope.files.is_empty() || !scope.unreviewed.is_empty();
        if self.had_change && !has_change {
            return Err(LoopError::Measure("reverted the whole change".to_owned()));
        }
        self.had_change |= has_change;
        let (review_id, tree) = (reviewed.record.review_id.to_string(), scope.tree.to_string());
        self.reviewed = Some(OwnReview { review_id, tree, is_last: true });
        self.seen.values_mut().for_each(|sight| sight.place = None);
        Ok(())
    }

    /// Looks at where things stand.
    fn view(&mut self) -> Result<View, LoopError> {
        let view = gate(&self.repository, self.store, self.request.base, Subject::Worktree, &(self.now)())?;
        let gone = || LoopError::Measure("removed the review".to_owned());
        let current = view.state.full.clone().ok_or_else(gone)?;
        let judged = self.judged(&current.record)?;
        self.keys.take(&judged);
        let block_at = judged.record.policy.policy.lowest_block_at();
        let findings = finding_states(&current.file, &judged.record)?;
        let required: Vec<&FindingState> =
            findings.iter().filter(|it| self.is_required(it, &current.file, block_at)).collect();
        let tree = snapshot(&self.repository, self.store)?.id().to_string();
        let position = Position {
            gate: view.gate.outcome,
            required: required.iter().filter_map(|finding| self.keys.key(&finding.id)).collect(),
            // The fixer cannot decline its own gate-integrity findings.
            is_open: required.iter().any(|finding| finding.status.stands() || self.weakens(finding, &current.file)),
            is_reviewed: self
                .reviewed
                .as_ref()
                .is_some_and(|seen| seen.review_id == current.file.review_id && (seen.is_last || seen.tree == tree)),
            needs_review: view.full.as_ref().is_some_and(|record| only_a_review_tells(record, block_at)),
        };
        let required = required.iter().map(|finding| finding.id.clone()).collect();
        Ok(View { position, gate: view, current, judged, required, tree })
    }

    /// Makes one round: brief, fixer, marks, second look.
    fn round(&mut self, before: View) -> Result<(), LoopError> {
        let number = self.rounds.len() + 1;
        let brief = self.write_brief(number, &before)?;
        self.past.push(before.position.required.clone());
        (self.watch)(Event::Begun(number, before.required.len(), &brief));
        let ended = run_openly(&mut self.command(number, &brief), self.left());
        self.brief = Some(brief);
        self.reviewed = self.reviewed.take().map(|seen| OwnReview { is_last: false, ..seen });
        if let How::NotStarted(why) = ended.how {
            let program = self.request.command.first().map(|program| program.to_string_lossy().into_owned());
            return Err(LoopError::NotStarted { program: program.unwrap_or_default(), why });
        }
        let is_late = matches!(ended.how, How::TimedOut(_));
        let trouble = if is_late { Some("ran out of time".to_owned()) } else { ended.trouble(&[0]) };
        (self.watch)(Event::Fixed(trouble.as_deref()));

        // Any edit of the verdict file beyond its statuses is refused here.
        let state = self.store.state()?;
        self.repository = Repository::discover(self.repository.root())?;
        self.check_measure()?;
        let gone = || LoopError::Measure("removed the review".to_owned());
        let full = state.full.ok_or_else(gone)?;
        let is_quick = state.latest.is_none_or(|latest| latest.record != full.record);
        let has_changed = snapshot(&self.repository, self.store)?.id().as_str() != before.tree;
        let mut round = Round {
            required: before.required.len(),
            has_changed,
            marked: marked(&before.current.file, &full.file),
            marked_for_it: Vec::new(),
            trouble,
        };
        // A quick check that stands in the place of the review takes no marks for it; the next review tells.
        if !is_late && !is_quick {
            if round.trouble.is_none() && has_changed && round.marked.is_empty() {
                round.marked_for_it = self.mark(&full)?;
            }
            self.rounds.push(round);
            return self.verify();
        }
        self.rounds.push(round);
        if is_quick && !is_late { self.review() } else { Ok(()) }
    }

    fn command(&self, number: usize, brief: &Path) -> Command {
        let (program, arguments) =
            self.request.command.split_first().map_or((None, &[][..]), |(p, rest)| (Some(p), rest));
        let mut command = Command::new(program.cloned().unwrap_or_default());
        command.args(arguments).current_dir(self.request.folder);
        command.env("JURY_BRIEF", brief).env("JURY_VERDICT", self.store.latest_path());
        command.env("JURY_ROUND", number.to_string());
        command
    }

    fn check_measure(&self) -> Result<(), LoopError> {
        let now = measure(&self.repository, self.store, self.request)?;
        if now == self.measure {
            return Ok(());
        }
        let branch = |measure: &Measure| measure.branch.clone().unwrap_or_else(|| "no branch".to_owned());
        Err(LoopError::Measure(if now.branch != self.measure.branch {
            format!("switched from {} to {}", branch(&self.measure), branch(&now))
        } else {
            format!("moved the base of the change: {} to {}", shown(&self.measure.base), shown(&now.base))
        }))
    }

    /// 003: every Blocker and High has to be fixed; and all findings that close the gate by the team's policy; and those of a
    /// round against the checks. A finding that is only marked fixed, or was declined, still counts.
    fn is_required(&self, finding: &FindingState, file: &VerdictFile, block_at: Severity) -> bool {
        // A finding that only a person can settle is no work for the fixer, unless it is about the fixer's own work.
        let is_persons = finding.owner == GateOwner::Person;
        let is_grave = is_grave(finding.severity, block_at) && !is_persons || self.weakens(finding, file);
        is_grave && finding.severity != Severity::Praise && !finding.is_gap && finding.status != Status::Verified
    }

    /// Tells whether a finding says that a check was weakened since the rounds began.
    fn weakens(&self, finding: &FindingState, file: &VerdictFile) -> bool {
        let stated = file.findings.iter().find(|stated| stated.id == finding.id);
        stated.is_some_and(|stated| stated.domain == GateIntegrity::DOMAIN) && self.keys.came_later(&finding.id)
    }

    /// Claims on behalf of a fixer that claims nothing; a claim like any other.
    fn mark(&mut self, full: &Current) -> Result<Vec<String>, LoopError> {
        let judged = self.judged(&full.record)?;
        let block_at = judged.record.policy.policy.lowest_block_at();
        let findings = finding_states(&full.file, &judged.record)?;
        let open = findings.iter().filter(|it| self.is_required(it, &full.file, block_at) && it.status.stands());
        let ids: Vec<String> = open.map(|finding| finding.id.clone()).collect();
        let moves: Vec<(&str, Status)> = ids.iter().map(|id| (id.as_str(), Status::Fixed)).collect();
        let reason = "`jury loop`: the code was changed";
        self.store.lock(PATIENCE)?.mark(&moves, Some(reason), &(self.now)(), recomputed)?;
        (self.watch)(Event::Marked(&ids));
        Ok(ids)
    }

    /// Verifies the findings that are marked fixed.
    fn verify(&mut self) -> Result<(), LoopError> {
        let options = self.options();
        let watch = &mut self.watch;
        let verified = verify(&self.repository, self.store, &options, &(self.now)(), &mut |event| {
            watch(Event::Progress(event));
        })?;
        let verified = verified.ok_or_else(|| LoopError::Measure("removed the review".to_owned()))?;
        self.pay(&verified.record);
        // The fixer may have reviewed by itself, so the findings are those of the review that counts now.
        let judged = self.judged(&verified.verification.of)?;
        self.keys.take(&judged);
        for checked in &verified.verification.checked {
            let Some(key) = self.keys.key(&checked.id) else { continue };
            let place = checked.became.place().cloned();
            match checked.became.why() {
                Some(why) => _ = self.seen.insert(key, Sight { why: why.to_owned(), place }),
                None => _ = self.seen.remove(&key),
            }
        }
        (self.watch)(Event::Verified(&verified.verification));
        Ok(())
    }

    fn ended(self, end: End, view: View) -> Looped {
        let View { gate, current, mut required, .. } = view;
        if end == End::Converged {
            // The remaining findings were declined, as the policy allows.
            required.clear();
        }
        let path = self.store.latest_path();
        Looped { end, rounds: self.rounds, file: current.file, path, gate, required, brief: self.brief }
    }
}

fn measure(repository: &Repository, store: &Store, request: &LoopRequest<'_>) -> Result<Measure, LoopError> {
    let snapshot = snapshot(repository, store)?;
    Ok(Measure { branch: repository.branch()?, base: repository.base_of(&snapshot, request.base)? })
}

fn shown(base: &Base) -> String {
    let short = |id: &String| id.chars().take(12).collect::<String>();
    let commit = base.tip.as_ref().or(base.commit.as_ref()).map(short);
    format!("{} ({})", base.name, commit.unwrap_or_else(|| "nothing".to_owned()))
}

fn is_grave(of: Severity, block_at: Severity) -> bool {
    of.is_at_least(Severity::High) || of.is_at_least(block_at)
}

/// Tells whether a verification found new findings, which only a full review writes to the verdict file, or was incomplete.
fn only_a_review_tells(record: &Record, block_at: Severity) -> bool {
    let Some(verification) = &record.verification else { return false };
    let is_grave = |of: Severity| is_grave(of, block_at);
    let counts = |new: &NewFinding| new.domain.as_str() == GateIntegrity::DOMAIN || is_grave(new.severity);
    let is_new = verification.new.iter().any(counts);
    let is_untold = verification.checked.iter().any(|checked| checked.status() == Status::Fixed);
    is_new || is_untold || !verification.gaps.is_empty()
}

/// Returns the findings marked since.
fn marked(before: &VerdictFile, after: &VerdictFile) -> Vec<String> {
    let is_claim = |status: Option<Status>| matches!(status, Some(Status::Fixed | Status::WontFix));
    let was = |id: &str| {
        let same = before.findings.iter().find(|finding| finding.id == id && before.review_id == after.review_id);
        same.and_then(status_of)
    };
    let is_marked = |finding: &&jury_wire::v1::code_review::Finding| {
        is_claim(status_of(finding)) && was(&finding.id) != status_of(finding)
    };
    after.findings.iter().filter(is_marked).map(|finding| finding.id.clone()).collect()
}

impl Looped {
    /// Returns the outcome of the gate, if the rounds ended well: a loop never succeeds while it is closed.
    pub fn outcome(&self) -> Outcome {
        match self.end {
            End::Converged => self.gate.gate.outcome,
            End::Waiting => Outcome::Waiting,
            End::Aborted => Outcome::Aborted,
            End::Stuck | End::Oscillating | End::Regressing => Outcome::Blocked,
            End::Incomplete | End::OutOfRounds | End::OutOfTime | End::OutOfBudget => Outcome::Incomplete,
        }
    }
}
