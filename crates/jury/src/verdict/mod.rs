//! Findings, gaps and policy in; the verdict, the next action and the gate out. Pure, total, and blind
//! to order.
//!
//! Deliberately not here: the tables of the contracts (`model::verdict`).

mod conditions;
mod file;
mod next;
mod rounds;
mod sealed;

pub use conditions::{Case, Checked, Condition, Declined, Gate, Match, gate};
pub use file::{finding_states, new_finding_states, recomputed, stated_verdict, unknown_word, verified_outcome};
pub use next::{Action, FindingState, Next, Situation, next};
pub use rounds::{End, Key, Position, Step, step};
pub use sealed::{SealedReview, unshown};

use crate::model::{Finding, Gap, Outcome, Policy, ReviewVerdict, Tally, Verdict};

/// Decides.
pub fn decide(findings: &[Finding], gaps: &[Gap], policy: &Policy) -> Verdict {
    let mut tally = Tally::default();
    for finding in findings.iter().filter(|finding| finding.status.stands()) {
        let halts = finding.is_system_breaking() || policy.abort_domains.contains(&finding.domain);
        tally.add(finding.severity(), halts);
    }
    let is_blocked = tally.any_at_least(policy.block_at);
    for gap in gaps {
        tally.add(gap.as_finding().severity(), false);
    }
    let review = tally.review();
    let outcome = if review == ReviewVerdict::Abort {
        Outcome::Aborted
    } else if is_blocked {
        Outcome::Blocked
    } else if !gaps.is_empty() {
        Outcome::Incomplete
    } else {
        Outcome::Clear
    };
    Verdict { review, gate: tally.gate(), approval: tally.approval(), outcome }
}

#[cfg(test)]
mod tests;
