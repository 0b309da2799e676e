//! What lies in the folder of a task → how the task stands: 001's aggregation, with everything that is missing.
//!
//! In: names and bytes, and the roles that have to report. Out: every role, its verdict, blockers and gaps; the gate; the
//! summary. Pure: the same files give the same bytes (001, "Replay is possible from the file alone").

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::task as wire;

use super::delivery::{self, Delivery, Kind, blocks, text_of};
use crate::formats;
use crate::model::{
    Attendance, Claim, Confidence, Domain, Evidence, Facts, Gap, GapKind, GateVerdict, Outcome, Report, Reviewer, Role,
    TaskId, aggregate, closed_set,
};

/// The summary of a task (001, "File layout").
pub const SUMMARY: &str = "verdict-summary.kdl";
/// How the names of Jury's own files start. No role does, so none of them is taken for a verdict.
pub(super) const OURS: &str = ".jury-";
/// Who has to report.
pub(super) const STARTED: &str = ".jury-task.json";
/// The version of Jury's own files.
pub(super) const VERSION: u64 = 1;
/// The percentage below which a reviewer says of itself that it is not sure: 001's `low`.
const UNSURE_BELOW: u32 = 70;

/// Returns the name of what is kept of a reviewer's run, without its ending.
pub(super) fn run_name(role: &Role) -> String {
    format!("{OURS}run-{role}")
}

/// Returns the name of the file that keeps a reviewer's run.
pub(super) fn run_file(role: &Role) -> String {
    format!("{}.json", run_name(role))
}

/// What lies under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A plain file.
    Bytes(Vec<u8>),
    /// Something that was not read, and why.
    Refused(String),
    /// Nothing that is ever read.
    Other,
}

/// What lies in the folder of a task, by name.
pub type Contents = BTreeMap<String, Content>;

closed_set! {
    /// How far a role is.
    State {
        /// It has delivered something.
        Reported = "reported",
        /// Its reviewer was started and has not ended.
        Running = "running",
        /// It has to report and did not.
        Missing = "missing",
        /// It was not enabled for this change.
        Skipped = "skipped",
    }
}

/// How one role stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleStanding {
    /// The role.
    pub role: Role,
    /// Whether it has to report.
    pub is_expected: bool,
    /// How far it is.
    pub state: State,
    /// Its verdict, as far as it was understood.
    pub verdict: Option<GateVerdict>,
    /// How sure it is.
    pub confidence: Option<Confidence>,
    /// The name of the file that counts.
    pub file: Option<String>,
    /// What it claims.
    pub claims: Vec<Claim>,
    /// Where the depth lies.
    pub evidence: Option<Evidence>,
    /// What was not obtained of it.
    pub gaps: Vec<Gap>,
}

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The task.
    pub task: TaskId,
    /// Every role that is expected, was skipped or has reported, sorted.
    pub roles: Vec<RoleStanding>,
    /// What is not obtained and belongs to no role.
    pub gaps: Vec<Gap>,
    /// Names that are nobody's verdict.
    pub others: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// What 001's aggregation gives; `fail` while there is any gap.
    pub gate: GateVerdict,
    /// What it comes to: blockers before gaps, as in every review.
    pub outcome: Outcome,
}

impl RoleStanding {
    /// Returns what closes the gate, in one line each.
    pub fn blockers(&self) -> impl Iterator<Item = String> {
        self.claims.iter().filter(|claim| blocks(claim)).map(text_of)
    }

    /// Returns what else it says, in one line each.
    pub fn advisories(&self) -> impl Iterator<Item = String> {
        self.claims.iter().filter(|claim| !blocks(claim)).map(text_of)
    }

    /// Tells whether there is still something to wait for.
    pub fn is_awaited(&self) -> bool {
        self.state == State::Running || (self.is_expected && self.state == State::Missing)
    }

    fn attendance(&self) -> Attendance {
        match self.state {
            State::Skipped => Attendance::Skipped,
            State::Missing => Attendance::Missing,
            State::Running | State::Reported => Attendance::Spoke {
                verdict: if self.gaps.is_empty() { self.verdict } else { Some(GateVerdict::Fail) },
                confidence: self.confidence,
                file: self.file.clone(),
            },
        }
    }
}

impl Standing {
    /// Tells whether somebody has to report, and everybody who has to did.
    pub fn is_complete(&self) -> bool {
        self.roles.iter().any(|role| role.is_expected) && !self.roles.iter().any(RoleStanding::is_awaited)
    }

    /// Tells whether everything that was asked for is there.
    pub fn has_gaps(&self) -> bool {
        !self.gaps.is_empty() || self.roles.iter().any(|role| !role.gaps.is_empty())
    }

    /// Returns what one role alone comes to.
    pub fn outcome_of(&self, role: &Role) -> Outcome {
        match self.roles.iter().find(|standing| standing.role == *role) {
            Some(role) if role.blockers().next().is_some() => Outcome::Blocked,
            Some(role) if role.gaps.is_empty() && role.verdict.is_some() => Outcome::Clear,
            Some(_) | None => Outcome::Incomplete,
        }
    }

    /// Collects the blockers of all failing reviewers, each once with everybody who states it (001, "Consumer contract").
    pub fn blockers(&self) -> Vec<(String, Vec<Role>)> {
        let mut collected: Vec<(String, Vec<Role>)> = Vec::new();
        for (role, text) in self.roles.iter().flat_map(|role| role.blockers().map(move |text| (&role.role, text))) {
            match collected.iter_mut().find(|(known, _)| *known == text) {
                Some((_, roles)) if roles.contains(role) => {}
                Some((_, roles)) => roles.push(role.clone()),
                None => collected.push((text, vec![role.clone()])),
            }
        }
        collected
    }

    /// Writes `verdict-summary.kdl`. A gap is a finding too (DESIGN §5), so that whoever reads only this file is not misled.
    pub fn summary(&self) -> String {
        let mut report =
            Report { facts: Facts { task_id: Some(self.task.to_string()), ..Facts::default() }, ..Report::default() };
        for role in &self.roles {
            let name = role.role.domain();
            report.reviewers.push(Reviewer { name: name.clone(), attendance: role.attendance() });
            let claims = role.claims.iter().map(|claim| Claim { reviewer: Some(name.clone()), ..claim.clone() });
            report.claims.extend(claims);
            // That a role is missing has a word of its own in the summary.
            let is_said = role.state == State::Missing && role.gaps.len() == 1;
            report.claims.extend(role.gaps.iter().filter(|_| !is_said).map(stated));
        }
        report.claims.extend(self.gaps.iter().map(stated));
        let format = formats::by_id("verdict-kdl").expect("the format is in the table");
        format.write(&report).expect("the format can be written").text
    }
}

fn stated(gap: &Gap) -> Claim {
    *gap.as_finding().representative
}

/// Decides how a task stands by what lies in its folder. `expect` names roles that have to report beside those that the
/// folder itself says were started.
pub fn decide(task: &TaskId, contents: &Contents, expect: &[Role]) -> Standing {
    let mut folder = Folder::of(contents);
    folder.expected.extend(expect.iter().cloned());
    let mut names: BTreeSet<Role> = folder.expected.iter().chain(&folder.skipped).cloned().collect();
    names.extend(folder.deliveries.keys().cloned());
    let roles: Vec<RoleStanding> = names.into_iter().map(|role| folder.stand(role)).collect();
    let Folder { mut gaps, others, mut notes, .. } = folder;
    if !roles.iter().any(|role| role.is_expected) {
        gaps.push(nobody_expected(task));
    }
    notes.extend(roles.iter().filter(|role| is_unsure(role)).map(|role| {
        format!("{} is not sure (confidence: low): run it again with another model, or ask a person", role.role)
    }));
    let reviewers: Vec<Reviewer> =
        roles.iter().map(|role| Reviewer { name: role.role.domain(), attendance: role.attendance() }).collect();
    let has_gaps = !gaps.is_empty() || roles.iter().any(|role| !role.gaps.is_empty());
    let is_blocked = roles.iter().any(|role| role.blockers().next().is_some());
    let (gate, outcome) = match (is_blocked, has_gaps, aggregate(&reviewers)) {
        (true, _, _) | (false, false, GateVerdict::Fail) => (GateVerdict::Fail, Outcome::Blocked),
        (false, true, _) => (GateVerdict::Fail, Outcome::Incomplete),
        (false, false, gate) => (gate, Outcome::Clear),
    };
    Standing { task: task.clone(), roles, gaps, others, notes, gate, outcome }
}

fn is_unsure(role: &RoleStanding) -> bool {
    role.confidence.is_some_and(|confidence| confidence.percent() < UNSURE_BELOW)
}

/// What was not reviewed is never green: a task of which nobody knows who has to report has not been.
fn nobody_expected(task: &TaskId) -> Gap {
    Gap {
        reviewer: Domain::unnamed(),
        kind: GapKind::UnknownState,
        what: "nobody is known to have to report".to_owned(),
        remedy: format!("name the roles: `jury task start {task} --expect ROLE,…`, or `--expect` here"),
    }
}

/// The folder of a task, taken apart.
#[derive(Default)]
struct Folder {
    expected: BTreeSet<Role>,
    skipped: BTreeSet<Role>,
    runs: BTreeMap<Role, wire::Run>,
    /// What each role delivered, the file with the fixed name first.
    deliveries: BTreeMap<Role, Vec<(String, Delivery)>>,
    gaps: Vec<Gap>,
    others: Vec<String>,
    notes: Vec<String>,
}

impl Folder {
    fn of(contents: &Contents) -> Self {
        let mut folder = Self::default();
        // Who is expected decides which names are verdict files, so Jury's own files come first.
        let (ours, theirs): (Vec<_>, Vec<_>) = contents.iter().partition(|(name, _)| name.starts_with(OURS));
        ours.into_iter().for_each(|(name, content)| folder.take_own(name, content));
        theirs.into_iter().filter(|(name, _)| *name != SUMMARY).for_each(|(name, content)| folder.take(name, content));
        for (role, deliveries) in &mut folder.deliveries {
            deliveries.sort_by_key(|(name, _)| *name != role.file());
        }
        folder
    }

    fn take_own(&mut self, name: &str, content: &Content) {
        let run = name.strip_prefix(OURS).and_then(|name| name.strip_prefix("run-")?.strip_suffix(".json"));
        if name == STARTED {
            match parsed::<wire::Started>(content, |started| started.version) {
                Ok(started) => {
                    let expected = self.roles(name, &started.expected);
                    self.expected.extend(expected);
                    self.skipped = self.roles(name, &started.skipped);
                }
                Err(what) => self.gaps.push(unknown_state(Domain::unnamed(), format!("{name} {what}"))),
            }
        } else if let Some(role) = run.and_then(|role| Role::new(role).ok()) {
            let run = parsed::<wire::Run>(content, |run| run.version).unwrap_or_else(|what| {
                let gap = unknown_state(role.domain(), format!("{name} {what}"));
                wire::Run { version: VERSION, ended: true, gaps: vec![kept(&gap)] }
            });
            // Whoever was started has to report.
            self.expected.insert(role.clone());
            self.runs.insert(role, run);
        }
    }

    /// Takes names as roles; one that is none is a gap, for somebody was meant.
    fn roles(&mut self, file: &str, names: &[String]) -> BTreeSet<Role> {
        let mut roles = BTreeSet::new();
        for name in names {
            match Role::new(name) {
                Ok(role) => _ = roles.insert(role),
                Err(error) => {
                    let what = format!("{file} names {name:?}, which is no role: {error}");
                    self.gaps.push(unknown_state(Domain::unnamed(), what));
                }
            }
        }
        roles
    }

    /// Takes whatever else has a name: the verdict file of a role, or nobody's.
    fn take(&mut self, name: &str, content: &Content) {
        let Some(role) = Role::of_file(name) else { return self.others.push(name.to_owned()) };
        // A fixed name is a verdict file whatever is in it. Any other name may be that of evidence (001, "Optional
        // `evidence_path`"), and is a verdict file only if it looks like one.
        let is_fixed = name == role.file() && (role.is_listed() || self.expected.contains(&role));
        let delivery = match content {
            Content::Bytes(bytes) if is_fixed || delivery::looks_like_verdict(bytes) => {
                delivery::read(&role, name, bytes)
            }
            Content::Refused(why) if is_fixed => unread(&role, format!("{name} was not read: {why}")),
            Content::Bytes(_) | Content::Refused(_) | Content::Other => return self.others.push(name.to_owned()),
        };
        let delivery = match delivery.kind {
            Kind::Verdict => delivery,
            Kind::Pointer(_) => unread(&role, format!("{name} is no verdict, but points to one elsewhere")),
            Kind::Summary => unread(&role, format!("{name} is no verdict, but the summary of a task")),
        };
        self.deliveries.entry(role).or_default().push((name.to_owned(), delivery));
    }

    fn stand(&mut self, role: Role) -> RoleStanding {
        let is_expected = self.expected.contains(&role);
        let deliveries = self.deliveries.remove(&role).unwrap_or_default();
        let run = self.runs.remove(&role);
        let mut gaps: Vec<Gap> = run.iter().flat_map(|run| &run.gaps).map(|gap| read_back(&role, gap)).collect();
        let state = match (&run, deliveries.is_empty()) {
            (Some(wire::Run { ended: false, .. }), _) => State::Running,
            (_, false) => State::Reported,
            (_, true) if is_expected => State::Missing,
            (_, true) => State::Skipped,
        };
        match state {
            State::Running => gaps.push(dead(&role, format!("the run of {role} has not ended"))),
            State::Missing => gaps.push(dead(&role, format!("{role} did not report"))),
            State::Reported | State::Skipped => {}
        }
        if let [(first, one), (second, other)] = deliveries.as_slice()
            && !one.agrees_with(other)
        {
            gaps.push(dead(&role, format!("{first} and {second} do not say the same")));
        }
        let mut standing = RoleStanding {
            role,
            is_expected,
            state,
            verdict: None,
            confidence: None,
            file: deliveries.first().map(|(name, _)| name.clone()),
            claims: Vec::new(),
            evidence: None,
            gaps,
        };
        for (name, delivery) in deliveries {
            if name != standing.role.file() {
                self.notes.push(format!("{name} is the older name of {}", standing.role.file()));
            }
            self.notes.extend(delivery.notes.iter().cloned());
            standing.hear(delivery);
        }
        standing
    }
}

impl RoleStanding {
    /// Adds what one of its documents says. Of two that agree, the first is the one that counts.
    fn hear(&mut self, delivery: Delivery) {
        let verdict = delivery.verdict();
        // A verdict that cannot be relied upon is none, unless it closes the gate.
        let is_reliable = delivery.gaps.is_empty() || verdict == Some(GateVerdict::Fail);
        self.verdict = self.verdict.or(verdict.filter(|_| is_reliable));
        self.gaps.extend(delivery.gaps);
        let Some(report) = delivery.report else { return };
        self.confidence = [self.confidence, report.confidence].into_iter().flatten().min();
        self.evidence = self.evidence.take().or(report.evidence);
        for claim in report.claims {
            if !self.claims.iter().any(|known| text_of(known) == text_of(&claim)) {
                self.claims.push(claim);
            }
        }
    }
}

fn unread(role: &Role, what: String) -> Delivery {
    let remedy = format!("let the {role} reviewer write its verdict to {}", role.file());
    let gap = Gap { reviewer: role.domain(), kind: GapKind::UnreadableOutput, what, remedy };
    Delivery { kind: Kind::Verdict, report: None, gaps: vec![gap], notes: Vec::new(), is_dead: false }
}

/// Makes the gap of a reviewer that has to run again.
pub(super) fn dead(role: &Role, what: String) -> Gap {
    let remedy = format!("run the {role} reviewer again");
    Gap { reviewer: role.domain(), kind: GapKind::DeadReviewer, what, remedy }
}

fn unknown_state(reviewer: Domain, what: String) -> Gap {
    let remedy = "start the task again with `jury task start`, and run its reviewers".to_owned();
    Gap { reviewer, kind: GapKind::UnknownState, what, remedy }
}

/// Brings a gap into the form in which it is kept.
pub(super) fn kept(gap: &Gap) -> wire::Gap {
    wire::Gap { kind: gap.kind.token().to_owned(), what: gap.what.clone(), remedy: gap.remedy.clone() }
}

fn read_back(role: &Role, gap: &wire::Gap) -> Gap {
    let kind = GapKind::from_token(&gap.kind).unwrap_or(GapKind::UnknownState);
    Gap { reviewer: role.domain(), kind, what: gap.what.clone(), remedy: gap.remedy.clone() }
}

/// Reads one of Jury's own files, or says what is wrong with it.
fn parsed<T: serde::de::DeserializeOwned>(content: &Content, version: fn(&T) -> u64) -> Result<T, String> {
    let bytes = match content {
        Content::Bytes(bytes) => bytes,
        Content::Refused(why) => return Err(format!("was not read: {why}")),
        Content::Other => return Err("is no plain file".to_owned()),
    };
    let value: T = serde_json::from_slice(bytes).map_err(|error| format!("is damaged: {error}"))?;
    match version(&value) {
        VERSION => Ok(value),
        other => Err(format!("is of version {other}, which this Jury does not know")),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
