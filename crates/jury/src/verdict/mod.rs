//! Findings, gaps and policy in; the verdict, the next action and the gate out. Pure, total, and blind
//! to order.
//!
//! Deliberately not here: the tables of the contracts (`model::verdict`).

mod conditions;
mod file;
mod next;
mod rounds;
mod sealed;

pub use conditions::{Case, Checked, Condition, DecidedBy, Decision, Declined, Gate, Match, People, gate, unattested};
pub use file::{finding_states, new_finding_states, recomputed, stated_verdict, unknown_word, verified_outcome};
pub use next::{Action, FindingState, Next, Situation, next};
pub use rounds::{End, Key, Position, Step, step};
pub use sealed::{SealedReview, unshown};

use crate::model::{Finding, Gap, GateOwner, Outcome, Policy, ReviewVerdict, Tally, Verdict};

/// Decides.
pub fn decide<'f>(findings: impl IntoIterator<Item = &'f Finding> + Clone, gaps: &[Gap], policy: &Policy) -> Verdict {
    let standing = || findings.clone().into_iter().filter(|finding| finding.status.stands());
    let mut tally = Tally::default();
    for finding in standing() {
        let halts = finding.is_system_breaking() || policy.abort_domains.contains(&finding.domain);
        tally.add(finding.severity(), halts);
    }
    for gap in gaps {
        tally.add(gap.as_finding().severity(), false);
    }
    let review = tally.review();
    let aborted = if review == ReviewVerdict::Abort { Outcome::Aborted } else { Outcome::Clear };
    let closing = standing().filter(|finding| policy.closes(finding.severity(), finding.file()));
    let outcomes = closing.map(|finding| by_owner(finding.owner(), Outcome::Blocked));
    let outcomes = outcomes.chain(gaps.iter().map(|gap| by_owner(gap.owner(), Outcome::Incomplete)));
    let outcome = outcomes.fold(aborted, Outcome::or_graver);
    Verdict { review, gate: tally.gate(), approval: tally.approval(), outcome }
}

/// Returns the outcome of something that closes the gate: `agents` if an agent can mend it.
fn by_owner(owner: GateOwner, agents: Outcome) -> Outcome {
    match owner {
        GateOwner::Agent => agents,
        GateOwner::Person => Outcome::Waiting,
    }
}

#[cfg(test)]
mod tests;
