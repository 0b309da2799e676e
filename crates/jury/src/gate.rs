//! Where a worktree stands: the state on disk, the tree now and what the base has decided in; the gate and the next action
//! out. No reviewer runs.
//!
//! Deliberately not here: the conditions themselves (`verdict`), and anything that is shown.

use std::collections::BTreeMap;

use jury_rules::{PROJECT, Specialist};
use jury_wire::v1::code_review::{Finding, ReviewVerdict as VerdictFile};
use jury_wire::v1::record::{self as wire, Record};

use crate::config::severity;
use crate::judge::RecordError;
use crate::model::{Day, Gap, Mode, ReviewVerdict, ScopeKind, Severity, Status, Timestamp};
use crate::review::{Decided, ReviewError, snapshot, wire_scope};
use crate::scope::{Repository, Request, Snapshot};
use crate::store::{Current, RecordId, State, Store};
use crate::verdict::{Case, Gate, Match, Next, Situation, Standing, gate as decide_gate, next as decide_next};

/// A worktree, looked at once.
pub struct Look {
    /// What counts on disk.
    pub state: State,
    /// The record of the last full review, or of the last look at what it found.
    pub full: Option<Record>,
    /// How the tree compares with the one that the last full review judged.
    pub tree: Option<Match>,
    /// The gate.
    pub gate: Gate,
}

/// Looks at a worktree: reads the state, takes a snapshot of the tree, and decides whether the gate opens.
pub fn look(repository: &Repository, store: &Store, base: Option<&str>, now: &Timestamp) -> Result<Look, ReviewError> {
    let state = store.state()?;
    let Some(current) = state.full.clone() else {
        return Ok(Look { state, full: None, tree: None, gate: decide_gate(None) });
    };
    // The last look at the tree is what counts: the review itself, or a verification of what it found.
    let record = record(store, current.verified.as_ref().unwrap_or(&current.record))?;
    let snapshot = snapshot(repository, store)?;
    let tree = compare(repository, &snapshot, base, &record)?;
    let verification = record.verification.as_ref();
    let case = Case {
        review_id: current.file.review_id.clone(),
        verdict: verdict_of(&current.sealed)?,
        findings: standings(&current.file)?,
        block_at: severity(&record.policy.block_at).ok_or_else(|| unusable("policy.block_at"))?,
        not_whole: not_whole(repository, &snapshot, base, &record)?,
        is_same_policy: is_same_policy(repository, &snapshot, base, now, &record)?,
        tree: tree.clone(),
        beyond: verification.map(|verification| verification.beyond.clone()).unwrap_or_default(),
        new: verification.map(new_standings).transpose()?.unwrap_or_default(),
    };
    Ok(Look { gate: decide_gate(Some(&case)), full: Some(record), tree: Some(tree), state })
}

impl Look {
    /// Returns the review that the team acts on: the latest, unless the last full one halted the team. A quick check sees
    /// uncommitted changes only, so it lifts no abort.
    pub fn acted_on(&self) -> Option<&Current> {
        let is_aborted = |full: &&Current| full.sealed.verdict == ReviewVerdict::Abort.token();
        self.state.full.as_ref().filter(is_aborted).or(self.state.latest.as_ref())
    }

    /// Decides what to do next, by the review that the team acts on.
    pub fn next(&self) -> Result<Next, ReviewError> {
        let Some(latest) = self.acted_on() else { return Ok(decide_next(None)) };
        let situation = Situation {
            mode: Mode::from_token(&latest.file.mode).ok_or_else(|| unusable("mode"))?,
            verdict: verdict_of(&latest.sealed)?,
            findings: standings(&latest.file)?,
            is_stale: matches!(self.tree, Some(Match::Differs(_))),
            needs_review: self.needs_review(),
        };
        Ok(decide_next(Some(&situation)))
    }
}

impl Look {
    /// Says why a full review is needed although all that is marked fixed was looked at, if so.
    fn needs_review(&self) -> Option<&'static str> {
        let verification = self.full.as_ref()?.verification.as_ref()?;
        let is_high = |new: &wire::NewFinding| {
            [Severity::Blocker, Severity::High].map(Severity::word).contains(&new.severity.as_str())
        };
        if verification.new.iter().any(is_high) {
            return Some("the fixes brought something new that has to be reviewed");
        }
        (!verification.beyond.is_empty()).then_some("more has changed since the review than was marked fixed")
    }
}

/// Returns what came with the fixes, as far as deciding looks at it.
fn new_standings(verification: &wire::Verification) -> Result<Vec<Standing>, ReviewError> {
    let standing = |new: &wire::NewFinding| {
        let place = if new.place.is_empty() { String::new() } else { format!(" ({})", new.place) };
        Ok(Standing {
            id: format!("{}{place}", new.title),
            severity: severity(&new.severity).ok_or_else(|| unusable("verification.new[].severity"))?,
            status: Status::Open,
            is_gap: false,
        })
    };
    verification.new.iter().map(standing).collect()
}

/// Reads a record of the store.
pub fn record(store: &Store, id: &RecordId) -> Result<Record, ReviewError> {
    let bytes = store.record(id)?;
    let refuse = |error: serde_json::Error| RecordError { member: "text", what: error.to_string() };
    Ok(serde_json::from_slice(&bytes).map_err(refuse)?)
}

/// Returns the findings of a verdict file as far as deciding looks at them.
pub fn standings(file: &VerdictFile) -> Result<Vec<Standing>, ReviewError> {
    file.findings.iter().map(standing).collect()
}

fn standing(finding: &Finding) -> Result<Standing, ReviewError> {
    Ok(Standing {
        id: finding.id.clone(),
        severity: severity(&finding.severity).ok_or_else(|| unusable("findings[].severity"))?,
        status: Status::from_token(&finding.status).ok_or_else(|| unusable("findings[].status"))?,
        is_gap: Gap::is_stated_as(&finding.title, &finding.file),
    })
}

fn verdict_of(file: &VerdictFile) -> Result<ReviewVerdict, ReviewError> {
    ReviewVerdict::from_token(&file.verdict).ok_or_else(|| unusable("verdict"))
}

/// Returns the statuses' own verdict and summary, for a verdict file whose statuses Jury has changed (000's table).
pub fn recomputed(file: &VerdictFile) -> VerdictFile {
    let Ok(findings) = standings(file) else { return file.clone() };
    let mut tally = crate::model::Tally::default();
    for finding in findings.iter().filter(|finding| finding.status.stands()) {
        tally.add(finding.severity, false);
    }
    let mut file = file.clone();
    let count = |severity| tally.count(severity) as u64;
    file.summary.blocker = count(Severity::Blocker);
    file.summary.high = count(Severity::High);
    file.summary.medium = count(Severity::Medium);
    file.summary.low = count(Severity::Low);
    file.summary.info = count(Severity::Info);
    // What halted the team halts it until a review says otherwise: nobody marks an ABORT away.
    if file.verdict != ReviewVerdict::Abort.token() {
        file.verdict = tally.review().token().to_owned();
    }
    file
}

/// Compares the tree now with the one that was judged; only if it is another, the change itself.
fn compare(
    repository: &Repository,
    snapshot: &Snapshot,
    base: Option<&str>,
    record: &Record,
) -> Result<Match, ReviewError> {
    // What has no id, such as a repository inside this one, is in no tree; it is not reviewed all the same.
    if snapshot.id().as_str() == record.scope.tree && snapshot.is_whole() {
        return Ok(Match::SameTree);
    }
    let scope = repository.scope(snapshot, &Request::Changeset { base: base.map(str::to_owned) })?;
    if scope.patch.as_str() == record.scope.patch && scope.unreviewed.is_empty() {
        return Ok(Match::SamePatch);
    }
    let (was, is) = (&record.scope, wire_scope(&scope));
    let by_path = |scope: &'_ wire::Scope| -> BTreeMap<String, wire::File> {
        scope.files.iter().map(|file| (file.path.clone(), file.clone())).collect()
    };
    let (files_then, files_now) = (by_path(was), by_path(&is));
    let changed = is.files.iter().filter(|file| files_then.get(&file.path) != Some(*file)).map(|file| &file.path);
    let gone = was.files.iter().map(|file| &file.path).filter(|path| !files_now.contains_key(*path));
    let unreviewed = is.unreviewed.iter().map(|unreviewed| &unreviewed.path);
    let mut differing: Vec<String> = changed.chain(gone).chain(unreviewed).cloned().collect();
    if differing.is_empty() {
        differing.push("the mode of a file, or the base it is compared with".to_owned());
    }
    Ok(Match::Differs(differing))
}

/// Says why the review did not see the whole change. One that looked back further than the base saw more than it.
fn not_whole(
    repository: &Repository,
    snapshot: &Snapshot,
    base: Option<&str>,
    record: &Record,
) -> Result<Option<String>, ReviewError> {
    let scope = &record.scope;
    if scope.kind != ScopeKind::Changeset.token() {
        return Ok(Some(format!("only the {} {} was reviewed", scope.kind, scope.target)));
    }
    let now = repository.base_of(snapshot, base)?;
    let reaches_back = match (&scope.base, &now.commit) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(was), Some(is)) => was == is || repository.is_ancestor(was, is)?,
    };
    Ok((!reaches_back)
        .then(|| format!("the review compared with {}, which leaves out part of {}", scope.base_name, now.name)))
}

/// Tells whether the base would have it decided as it was, today.
fn is_same_policy(
    repository: &Repository,
    snapshot: &Snapshot,
    base: Option<&str>,
    now: &Timestamp,
    record: &Record,
) -> Result<bool, ReviewError> {
    let decided = Decided::read(repository, &repository.base_of(snapshot, base)?)?;
    let today = Day::of(now);
    let was_in_force = |waiver: &wire::Waiver| {
        Day::new(&waiver.expires)
            .zip(Timestamp::new(&record.timestamp).ok())
            .is_some_and(|(end, at)| Day::of(&at) <= end)
    };
    let has_ended = |waiver: &wire::Waiver| Day::new(&waiver.expires).is_none_or(|end| end < today);
    let expired = record.waivers.iter().any(|waiver| was_in_force(waiver) && has_ended(waiver));
    let rules_then = record.runs.iter().find(|run| run.reviewer == PROJECT).map(|run| run.definition.clone());
    let are_same_rules = rules_then == decided.rules.map(Specialist::definition_digest);
    let is_same_policy = decided.policy() == record.policy && decided.wire_waivers() == record.waivers;
    Ok(is_same_policy && are_same_rules && !expired)
}

fn unusable(member: &'static str) -> ReviewError {
    RecordError { member, what: "it is none of the contract's words".to_owned() }.into()
}
