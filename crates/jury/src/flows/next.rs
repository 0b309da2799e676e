//! `jury next`: a worktree and its gate in; the next action of 003's protocol out.

use std::collections::BTreeSet;

use super::GateView;
use crate::error::FlowError;
use crate::model::Severity;
use crate::record::{NewFinding, Record, mode_of};
use crate::store::Store;
use crate::verdict::{self, Next, Situation, finding_states, stated_verdict, unknown_word};
use crate::worktree;

/// The next action, and the findings that no change of code closes.
pub struct NextStep {
    /// The action.
    pub next: Next,
    /// The ids of the findings that state a gap.
    pub gaps: BTreeSet<String>,
    /// Whether the report that a pull request names has yet to be written.
    pub needs_report: bool,
}

/// Decides the next action, by the team's current review.
pub fn next(store: &Store, view: &GateView) -> Result<NextStep, FlowError> {
    let Some(review) = view.acted_on() else {
        return Ok(NextStep { next: verdict::next(None), gaps: BTreeSet::new(), needs_report: false });
    };
    let is_full = view.state.full.as_ref().is_some_and(|full| full.record == review.record);
    let read;
    let record = match view.full.as_ref().filter(|_| is_full) {
        Some(record) => record,
        None => {
            read = worktree::last_look(store, review)?;
            &read
        }
    };
    let situation = Situation {
        mode: mode_of(&review.file).ok_or_else(|| unknown_word("mode"))?,
        verdict: stated_verdict(&review.sealed)?,
        findings: finding_states(&review.file, record)?,
        gate: &view.gate,
        needs_review: view.full.as_ref().and_then(needs_review),
    };
    let mut gaps = record.gap_ids();
    gaps.extend(view.full.iter().flat_map(Record::gap_ids));
    let report = record.report_path.as_ref();
    let needs_report = report.is_some_and(|path| store.find_source(path).is_ok_and(|found| found.is_none()));
    Ok(NextStep { next: verdict::next(Some(&situation)), gaps, needs_report })
}

/// Says why a full review is needed although all that is marked fixed was verified, if so.
fn needs_review(record: &Record) -> Option<&'static str> {
    let verification = record.verification.as_ref()?;
    let is_high = |new: &NewFinding| matches!(new.severity, Severity::Blocker | Severity::High);
    if verification.new.iter().any(is_high) {
        return Some("the fixes added findings that need a review");
    }
    if !verification.gaps.is_empty() {
        return Some("the last verification was incomplete");
    }
    (!verification.beyond.is_empty()).then_some("more changed since the review than the marked findings")
}
