//! 004's thresholds: below 75 suppressed, except a Blocker at 50 or more; and findings that the author of the code ignores with a
//! reason. Suppressed findings are kept and counted.

use super::candidate::{Candidate, Step, counted_confidence};
use crate::model::{Claim, Severity};

/// 004 (`_meta.confidence_thresholds`): below this anchor nothing is reported …
const REPORT: u32 = 75;
/// … except P0 from this anchor on: "critical-but-uncertain issues must not be silently dropped".
const REPORT_BLOCKER: u32 = 50;

/// The list of a finding, in the order of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Disposition {
    /// It is open.
    Open,
    /// It is not sure enough.
    Suppressed,
    /// It was there before the change.
    PreExisting,
}

/// Returns the list of each candidate: suppressed for want of confidence first, then pre-existing.
pub(super) fn apply<'a>(candidates: impl IntoIterator<Item = &'a mut Candidate>) -> Vec<Disposition> {
    candidates.into_iter().map(land).collect()
}

fn land(candidate: &mut Candidate) -> Disposition {
    if let Some(reason) = candidate.claim.ignored() {
        let reason = format!("ignored by the author of the code: {reason}");
        candidate.note(Step::Gate, reason);
        return Disposition::Suppressed;
    }
    // An unstated confidence counts as the lowest that is reported, so that silence suppresses nothing.
    let percent = counted_confidence(&candidate.claim).percent();
    let is_blocker = candidate.claim.severity == Severity::Blocker;
    let is_sure = percent >= REPORT || (is_blocker && percent >= REPORT_BLOCKER);
    if !is_sure && let Some(conflict) = candidate.claim.settled_conflict() {
        let reason = format!("kept at {percent}%: it conflicts with a settled decision ({conflict})");
        candidate.note(Step::Gate, reason);
    } else if !is_sure {
        let least = if is_blocker { REPORT_BLOCKER } else { REPORT };
        candidate.note(Step::Gate, format!("suppressed: {percent}% is below {least}%"));
        return Disposition::Suppressed;
    } else if percent < REPORT {
        candidate.note(Step::Gate, format!("kept at {percent}%: a Blocker is reported from {REPORT_BLOCKER}% on"));
    }
    if candidate.claim.pre_existing == Some(true) { Disposition::PreExisting } else { Disposition::Open }
}

/// Returns the anchor of 004 at which a finding is suppressed, if that is for want of confidence.
pub(super) fn suppression_anchor(claim: &Claim, disposition: Disposition) -> Option<u32> {
    let is_unsure = disposition == Disposition::Suppressed && claim.ignored().is_none();
    is_unsure.then(|| counted_confidence(claim).anchor())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::{Confidence, Support};
    use crate::synthesis::tests::{candidate, claim, report};
    use crate::synthesis::{Options, synthesise};

    fn is_suppressed(severity: Severity, percent: Option<u32>, conflict: Option<&str>) -> bool {
        let support = Support { settled_conflict: conflict.map(str::to_owned), ..Support::default() };
        let of = Claim {
            severity,
            confidence: percent.and_then(|percent| Confidence::from_percent(percent).ok()),
            support: Some(Box::new(support)),
            ..claim("t", None)
        };
        apply(&mut [candidate(of)]) == [Disposition::Suppressed]
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
    fn what_its_author_ignores_is_suppressed_unless_it_halts_the_team_or_another_states_it() {
        let asked = || Support { ignored: Some("ours".to_owned()), ..Support::default() };
        let of = |ignored: bool| Claim {
            confidence: Confidence::from_percent(100).ok(),
            support: ignored.then(|| Box::new(asked())),
            ..claim("t", None)
        };
        assert_eq!(apply(&mut [candidate(of(true))]), [Disposition::Suppressed]);
        let halting = Claim { severity: Severity::Blocker, system_breaking: true, ..of(true) };
        assert_eq!(apply(&mut [candidate(halting)]), [Disposition::Open]);
        let old = Claim { pre_existing: Some(true), ..of(true) };
        assert_eq!(apply(&mut [candidate(old)]), [Disposition::PreExisting]);
        for others in [[true, false], [false, true]] {
            let reports = others.map(|ignored| report(if ignored { "a" } else { "b" }, vec![of(ignored)]));
            let result = synthesise(reports.to_vec(), &Options::default());
            assert_eq!((result.findings.len(), result.suppressed.len()), (1, 0));
        }
        let result = synthesise(vec![report("a", vec![of(true)])], &Options::default());
        assert_eq!((result.ignored().count(), result.suppressed_by_confidence.len()), (1, 0));
        assert_eq!(result.suppressed[0].trail[0].reason, "ignored by the author of the code: ours");
    }

    #[test]
    fn the_suppressed_are_counted_by_anchor() {
        let of = |percent: u32| Claim {
            confidence: Confidence::from_percent(percent).ok(),
            ..claim(&format!("t{percent}"), None)
        };
        let claims = [50, 74, 25, 0, 75].map(of).to_vec();
        let result = synthesise(vec![report("qa", claims)], &Options::default());
        assert_eq!(result.suppressed_by_confidence, BTreeMap::from([(0, 1), (25, 1), (50, 2)]));
    }

    #[test]
    fn the_unsure_are_suppressed_before_the_old_is_put_aside() {
        let of = |percent| {
            let confidence = Confidence::from_percent(percent).ok();
            candidate(Claim { confidence, pre_existing: Some(true), ..claim("t", None) })
        };
        assert_eq!(apply(&mut [of(50), of(100)]), [Disposition::Suppressed, Disposition::PreExisting]);
    }
}
