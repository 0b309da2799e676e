//! The result of a replay, for people and for programs.
//!
//! In: the judged changes. Out: counts by outcome and by reason, and the list of those whose gate was closed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::judge::{CLEAR, EMPTY, Judged};
use crate::Failure;

/// How many findings of a change are listed for people.
const LISTED: usize = 8;

/// The result.
#[derive(Serialize)]
pub(super) struct Replay {
    /// How many changes came to which outcome.
    pub(super) outcomes: BTreeMap<String, usize>,
    /// Why gates were closed, the commonest reason first.
    pub(super) reasons: Vec<Reason>,
    /// The changes, newest first.
    pub(super) changes: Vec<Judged>,
}

/// A reason for which gates were closed.
#[derive(Serialize)]
pub(super) struct Reason {
    pub(super) reason: String,
    /// How many changes it closed.
    pub(super) changes: usize,
    /// How many of them for no other reason.
    pub(super) alone: usize,
    /// How many findings there were; none if it is a condition without one.
    pub(super) findings: usize,
}

impl Replay {
    pub(super) fn of(changes: Vec<Judged>) -> Replay {
        let mut outcomes = BTreeMap::new();
        let mut reasons: BTreeMap<&str, Reason> = BTreeMap::new();
        for change in &changes {
            *outcomes.entry(change.outcome.clone()).or_default() += 1;
            let closed_for = change.reasons();
            for reason in &closed_for {
                let sums = reasons.entry(reason).or_insert_with(|| Reason {
                    reason: (*reason).to_owned(),
                    changes: 0,
                    alone: 0,
                    findings: 0,
                });
                sums.changes += 1;
                sums.alone += usize::from(closed_for.len() == 1);
                sums.findings += change.findings.iter().filter(|finding| finding.reason == *reason).count();
            }
        }
        let mut reasons: Vec<Reason> = reasons.into_values().collect();
        reasons.sort_by(|one, other| other.changes.cmp(&one.changes).then_with(|| one.reason.cmp(&other.reason)));
        Replay { outcomes, reasons, changes }
    }

    pub(super) fn json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // What changes no file is no change that a gate could open or close.
        let all = self.changes.iter().filter(|change| change.outcome != EMPTY).count().max(1);
        for (outcome, count) in &self.outcomes {
            let share = (outcome != EMPTY).then(|| format!("{:>5.1} %", 100.0 * *count as f64 / all as f64));
            let _ = writeln!(text, "{outcome:<11} {count:>5}  {}", share.unwrap_or_default());
        }
        if !self.reasons.is_empty() {
            text.push_str("\nchanges  alone  findings  reason\n");
        }
        for Reason { reason, changes, alone, findings } in &self.reasons {
            let _ = writeln!(text, "{changes:>7}  {alone:>5}  {findings:>8}  {}", inert(reason));
        }
        for change in self.changes.iter().filter(|change| ![CLEAR, EMPTY].contains(&change.outcome.as_str())) {
            text.push('\n');
            text.push_str(&listed(change));
        }
        text.trim_end().to_owned()
    }
}

fn listed(change: &Judged) -> String {
    let mut text = format!("{:.10} {} {}\n", change.commit, change.outcome, inert(&change.subject));
    if let Some(failure) = &change.failure {
        let _ = writeln!(text, "    {}", inert(failure));
    }
    for condition in &change.conditions {
        let owner = condition.owner.as_ref().map(|owner| format!(" ({owner})")).unwrap_or_default();
        let _ = writeln!(text, "    {}{owner}: {}", condition.condition, inert(&condition.seen));
    }
    for finding in change.findings.iter().take(LISTED) {
        let place =
            finding.lines.as_ref().map_or_else(|| finding.file.clone(), |lines| format!("{}:{lines}", finding.file));
        let rule = finding.rule.as_deref().unwrap_or("-");
        let _ = writeln!(text, "    {} {rule} {}: {}", finding.severity, inert(&place), inert(&finding.title));
    }
    if change.findings.len() > LISTED {
        let _ = writeln!(text, "    and {} more", change.findings.len() - LISTED);
    }
    text
}

/// Takes away what would act on a terminal.
fn inert(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}
