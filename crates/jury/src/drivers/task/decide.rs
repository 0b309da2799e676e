//! The files in the folder of a task → the status of the task: 001's aggregation, with everything that is missing.
//!
//! In: names and bytes, and the roles that have to report. Out: every role, its verdict, blockers and gaps; the gate; the
//! summary. Pure: the same files give the same bytes (001, "Replay is possible from the file alone").

use std::collections::{BTreeMap, BTreeSet};

use super::delivery::{blocks, text_of};
use super::inventory::Inventory;
use crate::formats;
use crate::model::{
    Attendance, Claim, Confidence, Domain, Evidence, Facts, Gap, GapKind, GateVerdict, Outcome, Report, Reviewer, Role,
    TaskId, aggregate, closed_set,
};

/// The summary of a task (001, "File layout").
pub const SUMMARY: &str = "verdict-summary.kdl";
/// The percentage below which a reviewer says of itself that it is not sure: 001's `low`.
const UNSURE_BELOW: u32 = 70;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A plain file.
    Bytes(Vec<u8>),
    /// Something that was not read, and why.
    Refused(String),
    /// Nothing that is ever read.
    Other,
}

/// The files in the folder of a task, by name.
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
pub struct RoleStatus {
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
    /// Its claims.
    pub claims: Vec<Box<Claim>>,
    /// Where the depth lies.
    pub evidence: Option<Evidence>,
    /// Its gaps.
    pub gaps: Vec<Gap>,
}

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskStatus {
    /// The task.
    pub task: TaskId,
    /// Every role that is expected, was skipped or has reported, sorted.
    pub roles: Vec<RoleStatus>,
    /// Gaps that belong to no role.
    pub gaps: Vec<Gap>,
    /// Files that are no role's verdict.
    pub others: Vec<String>,
    /// Notes for a person.
    pub notes: Vec<String>,
    /// The gate by 001's aggregation; `fail` while there is any gap.
    pub gate: GateVerdict,
    /// The outcome: blockers before gaps, as in every review.
    pub outcome: Outcome,
}

impl RoleStatus {
    /// Returns the claims that close the gate, in one line each.
    pub fn blockers(&self) -> impl Iterator<Item = String> {
        self.claims.iter().filter(|claim| blocks(claim)).map(|claim| text_of(claim))
    }

    /// Returns the other claims, in one line each.
    pub fn advisories(&self) -> impl Iterator<Item = String> {
        self.claims.iter().filter(|claim| !blocks(claim)).map(|claim| text_of(claim))
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

impl TaskStatus {
    /// Tells whether any role has to report, and all of those did.
    pub fn is_complete(&self) -> bool {
        self.roles.iter().any(|role| role.is_expected) && !self.roles.iter().any(RoleStatus::is_awaited)
    }

    /// Tells whether everything that was asked for is there.
    pub fn has_gaps(&self) -> bool {
        !self.gaps.is_empty() || self.roles.iter().any(|role| !role.gaps.is_empty())
    }

    /// Returns the outcome of one role alone.
    pub fn outcome_of(&self, role: &Role) -> Outcome {
        match self.roles.iter().find(|standing| standing.role == *role) {
            Some(role) if role.blockers().next().is_some() => Outcome::Blocked,
            Some(role) if role.gaps.is_empty() && role.verdict.is_some() => Outcome::Clear,
            Some(_) | None => Outcome::Incomplete,
        }
    }

    /// Collects the blockers of all failing reviewers, each once with all roles that state it (001, "Consumer contract").
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

    /// Writes `verdict-summary.kdl`. A gap is a finding too (DESIGN §5), so that a reader of only this file is not misled.
    pub fn summary(&self) -> String {
        let mut report =
            Report { facts: Facts { task_id: Some(self.task.to_string()), ..Facts::default() }, ..Report::default() };
        for role in &self.roles {
            let name = role.role.domain();
            report.reviewers.push(Reviewer { name: name.clone(), attendance: role.attendance() });
            let claims = role.claims.iter().map(|claim| {
                let mut claim = claim.clone();
                claim.reviewer = Some(name.clone());
                claim
            });
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

fn stated(gap: &Gap) -> Box<Claim> {
    gap.as_finding().representative
}

/// Decides the status of a task by the files in its folder. `expect` names roles that have to report in addition to those that the
/// folder itself says were started.
pub fn decide(task: &TaskId, contents: &Contents, expect: &[Role]) -> TaskStatus {
    let mut folder = Inventory::of(contents);
    folder.expected.extend(expect.iter().cloned());
    let mut names: BTreeSet<Role> = folder.expected.iter().chain(&folder.skipped).cloned().collect();
    names.extend(folder.deliveries.keys().cloned());
    let roles: Vec<RoleStatus> = names.into_iter().map(|role| folder.stand(role)).collect();
    let Inventory { mut gaps, others, mut notes, .. } = folder;
    if !roles.iter().any(|role| role.is_expected) {
        gaps.push(nobody_expected(task));
    }
    notes.extend(
        roles
            .iter()
            .filter(|role| is_unsure(role))
            .map(|role| format!("{} has low confidence: run it again with another model, or ask a person", role.role)),
    );
    let reviewers: Vec<Reviewer> =
        roles.iter().map(|role| Reviewer { name: role.role.domain(), attendance: role.attendance() }).collect();
    let has_gaps = !gaps.is_empty() || roles.iter().any(|role| !role.gaps.is_empty());
    let is_blocked = roles.iter().any(|role| role.blockers().next().is_some());
    let (gate, outcome) = match (is_blocked, has_gaps, aggregate(&reviewers)) {
        (true, _, _) | (false, false, GateVerdict::Fail) => (GateVerdict::Fail, Outcome::Blocked),
        (false, true, _) => (GateVerdict::Fail, Outcome::Incomplete),
        (false, false, gate) => (gate, Outcome::Clear),
    };
    TaskStatus { task: task.clone(), roles, gaps, others, notes, gate, outcome }
}

fn is_unsure(role: &RoleStatus) -> bool {
    role.confidence.is_some_and(|confidence| confidence.percent() < UNSURE_BELOW)
}

/// A task without expected roles was not reviewed, and is never green.
fn nobody_expected(task: &TaskId) -> Gap {
    Gap {
        reviewer: Domain::unnamed(),
        kind: GapKind::UnknownState,
        what: "no role is expected to report".to_owned(),
        remedy: format!("name the roles: `jury task start {task} --expect ROLE,…`, or `--expect` here"),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
