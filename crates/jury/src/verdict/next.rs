//! The action of a team agent after a verdict: 003's action protocol, as data.
//!
//! In: the review that the team acts on, and the gate. Out: one action, and which findings it is about. It is derived from the
//! conditions of the gate, so the two never disagree. Deliberately not here: the words and commands for people.

use super::conditions::{Checked, Condition, Gate};
use crate::model::closed_set;
use crate::model::{GateOwner, Mode, Outcome, ReviewVerdict, Severity, Status};

closed_set! {
    /// The next action.
    Action {
        /// Nothing is left for the agent: the pull request is where a person looks.
        ProceedToPr = "proceed_to_pr",
        /// Change the code.
        Fix = "fix",
        /// Have claimed fixes looked at.
        Verify = "verify",
        /// Have the change reviewed.
        Review = "review",
        /// Commit the tree that was judged.
        Commit = "commit",
        /// Ask a person to decide.
        AskPerson = "ask_person",
        /// Stop, and let a person look.
        Halt = "halt",
        /// Go on working.
        Continue = "continue",
    }
}

/// The state of a finding of the verdict file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingState {
    /// Its id.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
    /// How far it has come.
    pub status: Status,
    /// Whether it states a gap, which no change of code closes.
    pub is_gap: bool,
    /// Who can settle it.
    pub owner: GateOwner,
    /// Whether it closes the gate while it stands, by the policy.
    pub closes: bool,
}

/// Where a team stands after its last review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation<'g> {
    /// How that review was made.
    pub mode: Mode,
    /// Its verdict.
    pub verdict: ReviewVerdict,
    /// Its findings, in its order.
    pub findings: Vec<FindingState>,
    /// The gate, which goes by the last full review.
    pub gate: &'g Gate,
    /// Why the change needs a new review although the fixes were verified, if so.
    pub needs_review: Option<&'static str>,
}

/// The next action, its findings, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The action.
    pub action: Action,
    /// Required findings, worst first.
    pub required: Vec<String>,
    /// Findings and gaps that a person has to decide.
    pub person: Vec<String>,
    /// Recommended findings.
    pub recommended: Vec<String>,
    /// Optional findings.
    pub optional: Vec<String>,
    /// Why this action.
    pub why: &'static str,
    /// How to review, if that is the action.
    pub mode: Mode,
}

/// Decides the next action; without any review, that is a review.
pub fn next(situation: Option<&Situation<'_>>) -> Next {
    let Some(situation) = situation else { return Next::about(Action::Review, "no review yet") };
    let mut next = match situation.mode {
        Mode::Quick => after_quick_check(situation),
        Mode::Full | Mode::Verify => after_review(situation),
    };
    if next.action != Action::Halt {
        let rest = |severities: &[Severity]| {
            let is_left = |finding: &FindingState| !situation.gate.is_settled(&finding.id);
            let ids = ids(situation, severities, |it| it.status.stands() && !it.is_gap && is_left(it));
            let is_listed = |id: &String| next.required.contains(id) || next.person.contains(id);
            ids.into_iter().filter(|id| !is_listed(id)).collect::<Vec<_>>()
        };
        // A High or Blocker is left here only where the policy of the base does not let it close the gate.
        let recommended = rest(&[Severity::Blocker, Severity::High, Severity::Medium]);
        let optional = rest(&[Severity::Low, Severity::Info]);
        next = Next { recommended, optional, ..next };
    }
    next
}

/// 003, "After Full Review or Verify": the first condition of the gate that the agent can make hold.
fn after_review(situation: &Situation<'_>) -> Next {
    let gate = situation.gate;
    let person = persons(gate);
    let is_high = |finding: &FindingState| [Severity::Blocker, Severity::High].contains(&finding.severity);
    let is_left = |finding: &FindingState| finding.status.stands() && !gate.is_settled(&finding.id);
    let is_high_left = situation.findings.iter().any(|finding| is_high(finding) && is_left(finding));
    match gate.outcome {
        Outcome::Aborted => halt(situation),
        Outcome::Clear => Next::about(Action::ProceedToPr, "the gate is open"),
        Outcome::Waiting if is_high_left => {
            let why = "only a person can decide what is left; the agent may also decline it with a reason \
                       (`jury mark ID wont_fix --reason TEXT`) and open the pull request, where a person looks";
            Next { person, ..Next::about(Action::AskPerson, why) }
        }
        Outcome::Waiting => {
            let why = "nothing is left for the agent; a person decides the rest in the pull request";
            Next { person, ..Next::about(Action::ProceedToPr, why) }
        }
        Outcome::Blocked | Outcome::Incomplete => Next { person, ..agents_turn(situation) },
    }
}

/// Something is left for the agent: fix, then close gaps, then verify, then review again, then commit.
fn agents_turn(situation: &Situation<'_>) -> Next {
    let gate = situation.gate;
    let owned = |condition| worst_first(gate, condition);
    let (open, gaps, claimed) =
        (owned(Condition::NothingOpen), owned(Condition::NoGap), owned(Condition::NothingClaimed));
    let is_marked = situation.findings.iter().any(|finding| finding.status == Status::Fixed);
    if !open.is_empty() {
        let why = match situation.verdict {
            ReviewVerdict::Fail => "Blockers come first, then High; both have to be fixed",
            _ => "every blocking finding has to be fixed",
        };
        Next { required: open, ..Next::about(Action::Fix, why) }
    } else if !gaps.is_empty() {
        let why = "the review is incomplete: remove the cause, then review again";
        Next { required: gaps, ..Next::about(Action::Review, why) }
    } else if !claimed.is_empty() {
        Next { required: claimed, ..Next::about(Action::Verify, VERIFY) }
    } else if let Some(why) = situation.needs_review {
        Next::about(Action::Review, why)
    } else if gate.fails(Condition::SameTree) && is_marked {
        Next::about(Action::Verify, VERIFY)
    } else if gate.fails(Condition::SameTree) {
        Next::about(Action::Review, "the tree changed since the review")
    } else if let Some(why) = review_again(gate) {
        Next::about(Action::Review, why)
    } else {
        Next::about(Action::Commit, "nothing is left to fix; the reviewed tree has to be committed")
    }
}

const VERIFY: &str = "the marked fixes have to be verified";

/// The other conditions that only a new review makes hold.
const REVIEW_AGAIN: [(Condition, &str); 5] = [
    (Condition::Reviewed, "no full review yet"),
    (Condition::WholeChange, "the review did not see the whole change"),
    (Condition::SamePolicy, "the policy of the base changed since the review"),
    (Condition::NoGap, "the last verification was incomplete"),
    (Condition::NothingNew, "the fixes added findings that need a review"),
];

/// Says why a new review is needed, if one of these conditions is left to the agent.
fn review_again(gate: &Gate) -> Option<&'static str> {
    let is_left = |condition| {
        let checked = gate.checked.iter().find(|checked| checked.condition == condition);
        checked.is_some_and(|checked| checked.owner == Some(GateOwner::Agent))
    };
    REVIEW_AGAIN.iter().find(|(condition, _)| is_left(*condition)).map(|(_, why)| *why)
}

/// 003, "After Quick Check". What the last full review left open is still open.
fn after_quick_check(situation: &Situation<'_>) -> Next {
    let gate = situation.gate;
    let standing = |severity| ids(situation, &[severity], |it| it.status.stands() && !it.is_gap);
    let high = [Severity::Blocker, Severity::High];
    let of_gaps = |owner| ids(situation, &Severity::ALL, |it| it.is_gap && it.owner == owner);
    let is_high = |it: &FindingState| high.contains(&it.severity) || it.closes;
    let claimed = ids(situation, &Severity::ALL, |it| it.status == Status::Fixed && !it.is_gap && is_high(it));
    let (blockers, highs, gaps) = (standing(Severity::Blocker), standing(Severity::High), of_gaps(GateOwner::Agent));
    let (left_open, left_gaps) = (worst_first(gate, Condition::NothingOpen), worst_first(gate, Condition::NoGap));
    let mut person = of_gaps(GateOwner::Person);
    person.extend(persons(gate).into_iter().filter(|id| !person.contains(id)).collect::<Vec<_>>());
    let quick = |action, why| Next { mode: Mode::Quick, ..Next::about(action, why) };
    let next = if situation.verdict == ReviewVerdict::Abort {
        return halt(situation);
    } else if !blockers.is_empty() {
        let required = [blockers, highs].concat();
        Next { required, ..Next::about(Action::Fix, "a Blocker stops the current work: fix it now") }
    } else if !highs.is_empty() {
        Next { required: highs, ..Next::about(Action::Fix, "fix every High before the next piece of work") }
    } else if !gaps.is_empty() {
        let why = "the check is incomplete: remove the cause, then check again";
        Next { required: gaps, ..quick(Action::Review, why) }
    } else if !claimed.is_empty() {
        let why = "the marked fixes have to be checked again";
        Next { required: claimed, ..quick(Action::Review, why) }
    } else if !left_open.is_empty() {
        let why = "the quick check is clear; the full review left these open";
        Next { required: left_open, ..Next::about(Action::Fix, why) }
    } else if !left_gaps.is_empty() {
        let why = "the quick check is clear; the full review is incomplete: remove the cause, then review again";
        Next { required: left_gaps, ..Next::about(Action::Review, why) }
    } else if gate.fails(Condition::NothingClaimed) {
        let required = worst_first(gate, Condition::NothingClaimed);
        Next { required, ..Next::about(Action::Verify, VERIFY) }
    } else {
        Next::about(Action::Continue, "nothing has to be fixed now; note the rest for later")
    };
    Next { person, ..next }
}

/// A halt holds regardless of later marks: only a person lifts it.
fn halt(situation: &Situation<'_>) -> Next {
    let required = ids(situation, &[Severity::Blocker], |finding| !finding.is_gap);
    Next { required, ..Next::about(Action::Halt, "a system-breaking Blocker stands: do not attempt a fix") }
}

/// Returns the findings and gaps that a person has to decide, in the order of the conditions.
fn persons(gate: &Gate) -> Vec<String> {
    let checked = gate.checked.iter().filter(|checked| !checked.holds);
    checked.flat_map(|checked| checked.owned_by(GateOwner::Person)).map(|finding| finding.id.clone()).collect()
}

/// Returns the findings of a condition that the agent has to settle, worst first.
fn worst_first(gate: &Gate, condition: Condition) -> Vec<String> {
    let checked = gate.checked.iter().find(|checked| checked.condition == condition && !checked.holds);
    let owned: Vec<&FindingState> = checked.into_iter().flat_map(of_agent).collect();
    let of = |severity: Severity| owned.iter().filter(move |finding| finding.severity == severity);
    Severity::ALL.into_iter().flat_map(|severity| of(severity).map(|finding| finding.id.clone())).collect()
}

fn of_agent(checked: &Checked) -> impl Iterator<Item = &FindingState> {
    checked.owned_by(GateOwner::Agent)
}

fn ids(situation: &Situation<'_>, severities: &[Severity], counts: impl Fn(&FindingState) -> bool) -> Vec<String> {
    let of = |severity: Severity| {
        let findings = situation.findings.iter().filter(move |finding| finding.severity == severity);
        findings.filter(|finding| counts(finding)).map(|finding| finding.id.clone()).collect::<Vec<_>>()
    };
    severities.iter().flat_map(|severity| of(*severity)).collect()
}

impl Next {
    fn about(action: Action, why: &'static str) -> Self {
        let none = Vec::new;
        let mode = Mode::Full;
        Self { action, required: none(), person: none(), recommended: none(), optional: none(), why, mode }
    }
}

#[cfg(test)]
mod tests;
