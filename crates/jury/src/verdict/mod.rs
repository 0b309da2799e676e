//! Findings, gaps and policy in; the verdict out, what to do about it, and whether the gate opens. Pure, total, and blind
//! to order.
//!
//! Deliberately not here: the tables of the contracts (`model::verdict`).

mod gate;
mod next;
mod rounds;

pub use gate::{Case, Checked, Condition, Declined, Gate, Match, gate};
pub use next::{Action, Next, Situation, Standing, next};
pub use rounds::{End, Key, Position, Step, step};

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
