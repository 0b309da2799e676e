//! Two independent reviewers that agree, each with evidence, raise the confidence by one anchor: 50 → 75 → 100.

use super::candidate::{Candidate, SpeakerNames, Step};
use crate::model::Confidence;

/// Promotes claims on which independent reviewers agree. Reviewers that a synthesis has already counted are not counted twice.
pub(super) fn promote<'a>(candidates: impl Iterator<Item = &'a mut Candidate>, panel: &SpeakerNames) {
    for candidate in candidates.filter(|candidate| candidate.voices.len() > 1) {
        let Some(raised) = candidate.claim.confidence.and_then(next_anchor) else { continue };
        let agreeing = panel.independent(candidate.voices.iter().filter(|voice| voice.has_evidence));
        let is_news = agreeing.iter().any(|voice| !voice.is_counted);
        if agreeing.len() < 2 || candidate.promoted == Some(true) || (candidate.promoted == Some(false) && !is_news) {
            continue;
        }
        let names: Vec<&str> = agreeing.iter().map(|voice| panel.name(voice).as_str()).collect();
        let reason = format!("raised to {raised}: {} agree independently", names.join(", "));
        candidate.claim.confidence = Some(raised);
        candidate.promoted = Some(true);
        candidate.note(Step::Promote, reason);
    }
}

/// Returns the anchor above a confidence. Below 50 there is no verified claim that agreement could confirm.
fn next_anchor(confidence: Confidence) -> Option<Confidence> {
    let percent = match confidence.anchor() {
        50 => 75,
        75 => 100,
        _ => return None,
    };
    Confidence::from_percent(percent).ok()
}

#[cfg(test)]
mod tests {
    use crate::model::{Claim, Confidence, Report, Support};
    use crate::synthesis::tests::{claim, report};
    use crate::synthesis::{Options, synthesise};

    fn stated(percent: u32) -> Claim {
        Claim { confidence: Confidence::from_percent(percent).ok(), ..claim("t", Some(("a", "1"))) }
    }

    fn merged(reports: Vec<Report>) -> (u32, bool) {
        let result = synthesise(reports, &Options::default());
        let settled = result.findings.iter().chain(&result.suppressed).next().unwrap();
        (settled.finding.representative.confidence.unwrap().percent(), settled.promoted)
    }

    #[test]
    fn two_independent_reviewers_raise_one_anchor() {
        for (percent, raised) in [(0, 0), (25, 25), (50, 75), (60, 75), (75, 100), (100, 100)] {
            let (now, promoted) = merged(vec![report("a", vec![stated(percent)]), report("b", vec![stated(percent)])]);
            assert_eq!((now, promoted), (raised, raised != percent), "{percent}");
        }
    }

    #[test]
    fn nobody_agrees_with_himself_or_his_kind() {
        let of_model = |name: &str, model: &str| {
            let mut report = report(name, vec![stated(50)]);
            report.facts.model = Some(model.to_owned());
            report
        };
        let twice = vec![report("a", vec![stated(50)]), report("a", vec![stated(50)])];
        assert_eq!(merged(twice), (50, false));
        assert_eq!(merged(vec![report("a", vec![stated(50)]), report("fast-pass", vec![stated(50)])]), (50, false));
        assert_eq!(merged(vec![report("a", vec![stated(50)]), report("adversarial-b", vec![stated(50)])]), (50, false));
        assert_eq!(merged(vec![of_model("a", "claude-opus-4"), of_model("b", "sonnet")]), (50, false));
        assert_eq!(merged(vec![of_model("a", "claude-opus-4"), of_model("b", "gpt-5")]), (75, true));
        let mut verified = report("adversarial-b", vec![stated(50)]);
        verified.facts.independence_verified = Some(true);
        assert_eq!(merged(vec![report("a", vec![stated(50)]), verified]), (75, true));
    }

    #[test]
    fn agreement_without_evidence_proves_nothing() {
        let compact = || Claim { evidence: Vec::new(), ..stated(75) };
        let compact_b = || report("b", vec![compact()]);
        assert_eq!(merged(vec![report("a", vec![compact()]), compact_b()]), (75, false));
        assert_eq!(merged(vec![report("a", vec![stated(75)]), compact_b()]), (75, false));
        // The artifact of the same reviewer brings the evidence that its compact return left out.
        let artifact_b = report("b", vec![stated(75)]);
        assert_eq!(merged(vec![report("a", vec![stated(75)]), compact_b(), artifact_b]), (100, true));
    }

    #[test]
    fn a_synthesis_carries_its_own_reviewers_and_nobody_else_does() {
        let carrying = |name: &str, promoted| {
            let names = vec![crate::model::Domain::new("x").unwrap(), crate::model::Domain::new("y").unwrap()];
            let support =
                Support { reviewers: names.clone(), independent_reviewers: names, promoted, ..Support::default() };
            vec![report(name, vec![Claim { support: Some(Box::new(support)), ..stated(50) }])]
        };
        assert_eq!(merged(carrying("synthesis", None)), (75, true));
        assert_eq!(merged(carrying("synthesis", Some(true))), (50, true));
        assert_eq!(merged(carrying("synthesis", Some(false))), (50, false));
        assert_eq!(merged(carrying("boaster", None)), (50, false));
        let mut joined = carrying("synthesis", Some(false));
        joined.push(report("z", vec![stated(50)]));
        assert_eq!(merged(joined), (75, true));
    }
}
