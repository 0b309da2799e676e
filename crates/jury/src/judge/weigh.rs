//! Claims in; the severities with which they count out, by the role and the rules of their reviewer (DESIGN §10).

use std::collections::BTreeMap;

use crate::model::{Report, Reweighted, Weighting};
use crate::synthesis::{Origin, Step, Synthesis, TrailEntry};

/// Gives every claim the severity with which it counts, and returns those that are changed.
pub(super) fn weigh(
    report: &mut Report,
    report_index: usize,
    weighting: Option<&Weighting>,
) -> Vec<(Origin, Reweighted)> {
    let Some(weighting) = weighting.filter(|weighting| **weighting != Weighting::default()) else { return Vec::new() };
    let report_index = u32::try_from(report_index).expect("reports are counted in hundreds");
    let weighed = report.claims.iter_mut().zip(0..).filter_map(|(claim, claim_index)| {
        let reweighted = weighting.weigh(claim.rule.as_deref(), claim.severity)?;
        claim.severity = reweighted.counts;
        Some((Origin { report_index, claim_index }, reweighted))
    });
    weighed.collect()
}

/// Adds the severity that a reviewer states to the trail of findings that count with another.
pub(super) fn show_stated(synthesis: &mut Synthesis, reweighted: &BTreeMap<Origin, Reweighted>) {
    if reweighted.is_empty() {
        return;
    }
    let Synthesis { findings, suppressed, pre_existing, waived, .. } = synthesis;
    for settled in [findings, suppressed, pre_existing, waived].into_iter().flatten() {
        let stated = settled.origins.iter().filter_map(|origin| reweighted.get(origin));
        let entry = |it: &Reweighted| TrailEntry { step: Step::Weigh, reason: it.to_string().into() };
        let entries: Vec<TrailEntry> = stated.map(entry).collect();
        settled.trail.extend(entries);
    }
}
