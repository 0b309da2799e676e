//! 004's thresholds: below 75 suppressed, except a Blocker at 50 or more. Suppressed findings are kept and counted.

use std::collections::BTreeMap;

use super::candidate::{Candidate, Step, counted_confidence};
use crate::model::Severity;

/// 004 (`_meta.confidence_thresholds`): below this anchor nothing is reported …
const REPORT: u32 = 75;
/// … except P0 from this anchor on: "critical-but-uncertain issues must not be silently dropped".
const REPORT_BLOCKER: u32 = 50;

/// What becomes of the candidates.
#[derive(Default)]
pub(super) struct Gated {
    pub(super) standing: Vec<Candidate>,
    pub(super) suppressed: Vec<Candidate>,
    pub(super) pre_existing: Vec<Candidate>,
}

/// Parts the candidates: what is not sure enough first, then what was there before the change.
pub(super) fn gate(candidates: Vec<Candidate>) -> Gated {
    let mut gated = Gated::default();
    for mut candidate in candidates {
        // An unstated confidence counts as the lowest that is reported, so that silence suppresses nothing.
        let percent = counted_confidence(&candidate.claim).percent();
        let is_blocker = candidate.claim.severity == Severity::Blocker;
        let is_sure = percent >= REPORT || (is_blocker && percent >= REPORT_BLOCKER);
        let conflict = candidate.claim.settled_conflict();
        if !is_sure && let Some(conflict) = conflict {
            let reason = format!("kept at {percent}%: it conflicts with a settled decision ({conflict})");
            candidate.note(Step::Gate, reason);
        } else if !is_sure {
            let least = if is_blocker { REPORT_BLOCKER } else { REPORT };
            candidate.note(Step::Gate, format!("suppressed: {percent}% is below {least}%"));
            gated.suppressed.push(candidate);
            continue;
        } else if percent < REPORT {
            candidate.note(Step::Gate, format!("kept at {percent}%: a Blocker is reported from {REPORT_BLOCKER}% on"));
        }
        let list =
            if candidate.claim.pre_existing == Some(true) { &mut gated.pre_existing } else { &mut gated.standing };
        list.push(candidate);
    }
    gated
}

/// Counts the suppressed by 004's anchors.
pub(super) fn count_by_anchor(suppressed: &[Candidate]) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    for candidate in suppressed {
        *counts.entry(counted_confidence(&candidate.claim).anchor()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Claim, Confidence, Support};
    use crate::synthesis::tests::{candidate, claim};

    fn is_suppressed(severity: Severity, percent: Option<u32>, conflict: Option<&str>) -> bool {
        let support = Support { settled_conflict: conflict.map(str::to_owned), ..Support::default() };
        let of = Claim {
            severity,
            confidence: percent.and_then(|percent| Confidence::from_percent(percent).ok()),
            support: Some(Box::new(support)),
            ..claim("t", None)
        };
        let gated = gate(vec![candidate(of)]);
        assert_eq!(gated.suppressed.len() + gated.standing.len(), 1);
        gated.suppressed.len() == 1
    }

    #[test]
    fn thresholds_are_those_of_the_seed() {
        for (severity, percent, suppressed) in [
            (Severity::High, Some(74), true),
            (Severity::High, Some(75), false),
            (Severity::High, None, false),
            (Severity::Blocker, Some(49), true),
            (Severity::Blocker, Some(50), false),
            (Severity::Praise, Some(50), true),
            (Severity::Praise, Some(100), false),
        ] {
            assert_eq!(is_suppressed(severity, percent, None), suppressed, "{severity} {percent:?}");
        }
        assert!(!is_suppressed(Severity::Low, Some(0), Some("D-1")));
    }

    #[test]
    fn the_suppressed_are_counted_by_anchor() {
        let of = |percent| candidate(Claim { confidence: Confidence::from_percent(percent).ok(), ..claim("t", None) });
        let counts = count_by_anchor(&[of(50), of(74), of(25), of(0)]);
        assert_eq!(counts, BTreeMap::from([(0, 1), (25, 1), (50, 2)]));
    }

    #[test]
    fn the_unsure_are_suppressed_before_the_old_is_put_aside() {
        let of = |percent| Claim {
            confidence: Confidence::from_percent(percent).ok(),
            pre_existing: Some(true),
            ..claim("t", None)
        };
        let gated = gate(vec![candidate(of(50)), candidate(of(100))]);
        assert_eq!((gated.suppressed.len(), gated.pre_existing.len(), gated.standing.len()), (1, 1, 0));
    }
}
