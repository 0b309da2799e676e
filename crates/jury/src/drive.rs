//! Many rounds: review, let somebody fix, look again, until nothing required stands or going on makes no sense (`jury loop`).
//!
//! In: a repository and a command. Out: how it ended, with the verdict file and the last brief left for a person to go on from.
//! What is decided is decided by `verdict::step`, and what is green is what the gate says of a tree that was reviewed in full.
//! Deliberately not here: any change of the user's files, any commit, and the words for people.

mod brief;
mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use jury_wire::v1::record::{self as wire, Record};

use crate::config::severity;
use crate::gate::{Look, look, recomputed, record as read, standings};
use crate::judge::{Judgement, RecordError, judge, policy};
use crate::model::{Base, Budget, Outcome, Severity, Status, Timestamp, Usage};
use crate::process::{How, LONGEST, run_openly};
use crate::recheck::recheck;
use crate::review::{self, Asking, PATIENCE, Progress, ReviewError, review, snapshot};
use crate::scope::{self, Repository, ScopeError};
use crate::store::{Current, Store, StoreError, TaskFolder, Trust, VerdictFile};
use crate::verdict::{End, Key, Position, Standing, Step, step};
use known::{Known, Sight};

/// What the lock against a second loop is called.
const HOLD: &str = "rounds";
/// How the names of briefs start.
const BRIEF: &str = "round-";
/// How the ids of the findings start that are about the checks themselves.
const GATE_INTEGRITY: &str = "gate-integrity-";

/// What somebody asks for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What the change is compared with; else what is found.
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

/// What a watcher is told.
pub enum Event<'a> {
    /// A review or a second look goes on.
    Progress(Progress<'a>),
    /// The whole change was reviewed.
    Reviewed(&'a VerdictFile),
    /// A round begins: its number, how much is required, and its brief.
    Begun(usize, usize, &'a Path),
    /// The fixer has ended: what went wrong, if anything did.
    Fixed(Option<&'a str>),
    /// The code has changed and nothing was marked, so these findings were, to be looked at.
    Marked(&'a [String]),
    /// What was marked fixed was looked at.
    Rechecked(&'a wire::Verification),
}

/// A round that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// How many findings were required when it began.
    pub required: usize,
    /// What went wrong with the fixer, if anything did.
    pub trouble: Option<String>,
    /// Whether the tree is another one since.
    pub has_changed: bool,
    /// The findings that the fixer marked itself.
    pub marked: Vec<String>,
    /// Those that were marked on its behalf.
    pub marked_for_it: Vec<String>,
}

/// How it ended.
pub struct Driven {
    /// In which way.
    pub end: End,
    /// The rounds that were made.
    pub rounds: Vec<Round>,
    /// The verdict file as it is now.
    pub file: VerdictFile,
    /// Where that is.
    pub path: PathBuf,
    /// What the gate says of the tree as it is now.
    pub look: Look,
    /// The findings that are still required, worst first.
    pub required: Vec<String>,
    /// The last brief.
    pub brief: Option<PathBuf>,
}

/// Why it did not come to an end of its own.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// A review could not be made, or the state was refused.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// There is no such program.
    #[error("cannot start `{program}`: {why}")]
    NotStarted {
        /// What was to be started.
        program: String,
        /// The reason the system gives.
        why: String,
    },
    /// The fixer has changed what its work is measured by.
    #[error("the fixer {0}")]
    Measure(String),
}

impl From<StoreError> for DriveError {
    fn from(error: StoreError) -> Self {
        Self::Review(error.into())
    }
}

impl From<ScopeError> for DriveError {
    fn from(error: ScopeError) -> Self {
        Self::Review(error.into())
    }
}

impl From<RecordError> for DriveError {
    fn from(error: RecordError) -> Self {
        Self::Review(error.into())
    }
}

/// Drives a change through review and fix until it ends.
pub fn drive(
    repository: &Repository,
    store: &Store,
    request: &Request<'_>,
    now: &dyn Fn() -> Timestamp,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Driven, DriveError> {
    let folder = store.loop_folder()?;
    let _hold = folder.hold(HOLD)?;
    for (name, _) in folder.names()?.into_iter().filter(|(name, _)| name.starts_with(BRIEF)) {
        folder.remove(&name)?;
    }
    let mut driver = Driver::new(repository, store, request, now, watch, folder)?;
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

/// What the work of the fixer is measured by, and it must leave alone: the branch, and what that goes into.
#[derive(PartialEq, Eq)]
struct Measure {
    branch: Option<String>,
    base: Base,
}

struct Driver<'a> {
    repository: Repository,
    store: &'a Store,
    request: &'a Request<'a>,
    now: &'a dyn Fn() -> Timestamp,
    watch: &'a mut dyn FnMut(Event<'_>),
    folder: TaskFolder,
    start: Instant,
    measure: Measure,
    known: Known,
    seen: BTreeMap<Key, Sight>,
    /// What was required when each round began.
    past: Vec<BTreeSet<Key>>,
    rounds: Vec<Round>,
    brief: Option<PathBuf>,
    /// The last full review that was made here.
    reviewed: Option<Seen>,
    /// Whether there was anything to review when all began.
    had_change: bool,
    /// What the models took that were asked, as far as it is known.
    spent: Usage,
}

/// A full review that was made here, and not by the fixer.
struct Seen {
    review_id: String,
    tree: String,
    /// Whether nothing was done since.
    is_last: bool,
}

/// How things stand, and what they stand on.
struct View {
    position: Position,
    look: Look,
    current: Current,
    record: Record,
    judgement: Judgement,
    required: Vec<String>,
    tree: String,
}

impl<'a> Driver<'a> {
    fn new(
        repository: &Repository,
        store: &'a Store,
        request: &'a Request<'a>,
        now: &'a dyn Fn() -> Timestamp,
        watch: &'a mut dyn FnMut(Event<'_>),
        folder: TaskFolder,
    ) -> Result<Self, DriveError> {
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
            known: Known::default(),
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

    /// Takes what the models of a review took from the budget.
    fn pay(&mut self, record: &Record) {
        for usage in record.runs.iter().filter_map(|run| run.usage) {
            let cost = Some(usage.cost_micro_dollars.unwrap_or_default());
            let usage = Usage { input: usage.input_tokens, output: usage.output_tokens, cost };
            self.spent = Usage { cost: Some(self.spent.cost.unwrap_or_default()), ..self.spent }.and(usage);
        }
    }

    /// Returns on what terms reviewers are asked.
    fn asking(&self) -> Asking {
        Asking { trust: self.request.trust.clone(), budget: self.left_to_spend(), ..Asking::default() }
    }

    /// Reviews the whole change.
    fn review(&mut self) -> Result<(), DriveError> {
        let scope = scope::Request::Changeset { base: self.request.base.map(str::to_owned) };
        let request = review::Request { scope, asking: self.asking(), now: (self.now)() };
        let watch = &mut self.watch;
        let reviewed = review(&self.repository, self.store, &request, &mut |event| watch(Event::Progress(event)))?;
        (self.watch)(Event::Reviewed(&reviewed.judgement.file));
        self.pay(&reviewed.record);
        let scope = &reviewed.record.scope;
        let has_change = !scope.files.is_empty() || !scope.unreviewed.is_empty();
        if self.had_change && !has_change {
            return Err(DriveError::Measure("left nothing of the change that was to be fixed".to_owned()));
        }
        self.had_change |= has_change;
        let (review_id, tree) = (reviewed.record.review_id.clone(), scope.tree.clone());
        self.reviewed = Some(Seen { review_id, tree, is_last: true });
        self.seen.values_mut().for_each(|sight| sight.place = None);
        Ok(())
    }

    /// Looks at where things stand.
    fn view(&mut self) -> Result<View, DriveError> {
        let look = look(&self.repository, self.store, self.request.base, &(self.now)())?;
        let gone = || DriveError::Measure("removed the review".to_owned());
        let current = look.state.full.clone().ok_or_else(gone)?;
        let record = read(self.store, &current.record)?;
        let judgement = judge(&record)?;
        self.known.take(&record, &judgement)?;
        let block_at = policy(&record)?.block_at;
        let findings = standings(&current.file)?;
        let required: Vec<&Standing> = findings.iter().filter(|it| self.is_required(it, block_at)).collect();
        let tree = snapshot(&self.repository, self.store)?.id().to_string();
        let position = Position {
            gate: look.gate.outcome,
            required: required.iter().filter_map(|finding| self.known.key(&finding.id)).collect(),
            // Nobody declines what he did to the checks himself.
            is_open: required.iter().any(|finding| finding.status.stands() || self.weakens(finding)),
            is_reviewed: self
                .reviewed
                .as_ref()
                .is_some_and(|seen| seen.review_id == current.file.review_id && (seen.is_last || seen.tree == tree)),
            needs_review: look.full.as_ref().is_some_and(|record| only_a_review_tells(record, block_at)),
        };
        let required = required.iter().map(|finding| finding.id.clone()).collect();
        Ok(View { position, look, current, record, judgement, required, tree })
    }

    /// Makes one round: brief, fixer, marks, second look.
    fn round(&mut self, before: View) -> Result<(), DriveError> {
        let number = self.rounds.len() + 1;
        let brief = self.write_brief(number, &before)?;
        self.past.push(before.position.required.clone());
        (self.watch)(Event::Begun(number, before.required.len(), &brief));
        let ended = run_openly(&mut self.command(number, &brief), self.left());
        self.brief = Some(brief);
        self.reviewed = self.reviewed.take().map(|seen| Seen { is_last: false, ..seen });
        if let How::NotStarted(why) = ended.how {
            let program = self.request.command.first().map(|program| program.to_string_lossy().into_owned());
            return Err(DriveError::NotStarted { program: program.unwrap_or_default(), why });
        }
        let is_late = matches!(ended.how, How::TimedOut(_));
        let trouble = if is_late { Some("ran out of time".to_owned()) } else { ended.trouble(&[0]) };
        (self.watch)(Event::Fixed(trouble.as_deref()));

        // Whatever was done to the verdict file beyond its statuses is refused here.
        let state = self.store.state()?;
        self.repository = Repository::discover(self.repository.root())?;
        self.check_measure()?;
        let gone = || DriveError::Measure("removed the review".to_owned());
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
            return self.recheck();
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

    fn check_measure(&self) -> Result<(), DriveError> {
        let now = measure(&self.repository, self.store, self.request)?;
        if now == self.measure {
            return Ok(());
        }
        let branch = |measure: &Measure| measure.branch.clone().unwrap_or_else(|| "no branch".to_owned());
        Err(DriveError::Measure(if now.branch != self.measure.branch {
            format!("went from {} to {}", branch(&self.measure), branch(&now))
        } else {
            format!("moved what the change is compared with: {} to {}", shown(&self.measure.base), shown(&now.base))
        }))
    }

    /// 003: every Blocker and High has to be fixed; and whatever else closes the gate by the team's policy; and whatever a
    /// round has done to the checks. What is only claimed to be fixed, or was declined, is not known to be.
    fn is_required(&self, finding: &Standing, block_at: Severity) -> bool {
        let is_grave = is_grave(finding.severity, block_at) || self.weakens(finding);
        is_grave && finding.severity != Severity::Praise && !finding.is_gap && finding.status != Status::Verified
    }

    /// Tells whether a finding says that a check was weakened since the rounds began.
    fn weakens(&self, finding: &Standing) -> bool {
        finding.id.starts_with(GATE_INTEGRITY) && self.known.came_later(&finding.id)
    }

    /// Claims on behalf of a fixer that claims nothing; a claim like any other.
    fn mark(&mut self, full: &Current) -> Result<Vec<String>, DriveError> {
        let block_at = policy(&read(self.store, &full.record)?)?.block_at;
        let findings = standings(&full.file)?;
        let open = findings.iter().filter(|it| self.is_required(it, block_at) && it.status.stands());
        let ids: Vec<String> = open.map(|finding| finding.id.clone()).collect();
        let moves: Vec<(&str, Status)> = ids.iter().map(|id| (id.as_str(), Status::Fixed)).collect();
        let reason = "`jury loop`: the code was changed";
        self.store.lock(PATIENCE)?.mark(&moves, Some(reason), &(self.now)(), recomputed)?;
        (self.watch)(Event::Marked(&ids));
        Ok(ids)
    }

    /// Has what is marked fixed looked at.
    fn recheck(&mut self) -> Result<(), DriveError> {
        let asking = self.asking();
        let watch = &mut self.watch;
        let rechecked = recheck(&self.repository, self.store, &asking, &(self.now)(), &mut |event| {
            watch(Event::Progress(event));
        })?;
        let rechecked = rechecked.ok_or_else(|| DriveError::Measure("removed the review".to_owned()))?;
        self.pay(&rechecked.record);
        // The fixer may have reviewed by itself, so the findings are those of the review that counts now.
        let of = read(self.store, &crate::store::RecordId::new(&rechecked.verification.of).ok_or_else(no_record)?)?;
        self.known.take(&of, &judge(&of)?)?;
        for checked in &rechecked.verification.checked {
            let Some(key) = self.known.key(&checked.id) else { continue };
            match &checked.why {
                Some(why) => _ = self.seen.insert(key, Sight { why: why.clone(), place: checked.place.clone() }),
                None => _ = self.seen.remove(&key),
            }
        }
        (self.watch)(Event::Rechecked(&rechecked.verification));
        Ok(())
    }

    fn ended(self, end: End, view: View) -> Driven {
        let View { look, current, mut required, .. } = view;
        if end == End::Converged {
            // What is left by then was declined, as the policy allows.
            required.clear();
        }
        let path = self.store.latest_path();
        Driven { end, rounds: self.rounds, file: current.file, path, look, required, brief: self.brief }
    }
}

fn measure(repository: &Repository, store: &Store, request: &Request<'_>) -> Result<Measure, DriveError> {
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

/// Tells whether a second look found what only a full review puts into the verdict file, or could not tell.
fn only_a_review_tells(record: &Record, block_at: Severity) -> bool {
    let Some(verification) = &record.verification else { return false };
    let is_grave = |of: Severity| is_grave(of, block_at);
    let counts = |new: &wire::NewFinding| {
        new.domain == GATE_INTEGRITY.trim_end_matches('-') || severity(&new.severity).is_none_or(is_grave)
    };
    let is_new = verification.new.iter().any(counts);
    let is_untold = verification.checked.iter().any(|checked| checked.status == Status::Fixed.token());
    is_new || is_untold || !verification.gaps.is_empty()
}

/// Returns the findings that somebody has marked since.
fn marked(before: &VerdictFile, after: &VerdictFile) -> Vec<String> {
    let is_claim = |status: &str| [Status::Fixed, Status::WontFix].map(Status::token).contains(&status);
    let was = |id: &str| {
        let same = before.findings.iter().find(|finding| finding.id == id && before.review_id == after.review_id);
        same.map(|finding| finding.status.clone())
    };
    let is_marked = |finding: &&jury_wire::v1::code_review::Finding| {
        is_claim(&finding.status) && was(&finding.id).as_ref() != Some(&finding.status)
    };
    after.findings.iter().filter(is_marked).map(|finding| finding.id.clone()).collect()
}

fn no_record() -> RecordError {
    RecordError { member: "verification", what: "it names no review".to_owned() }
}

impl Driven {
    /// Returns what the gate says, if the rounds ended well: nobody is told of success while it is closed.
    pub fn outcome(&self) -> Outcome {
        match self.end {
            End::Converged => self.look.gate.outcome,
            End::Aborted => Outcome::Aborted,
            End::Stuck | End::Oscillating | End::Regressing => Outcome::Blocked,
            End::Incomplete | End::OutOfRounds | End::OutOfTime | End::OutOfBudget => Outcome::Incomplete,
        }
    }
}
