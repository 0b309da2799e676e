//! Caps on a claim's confidence before it is merged: for its reviewer and for want of a quote; and whether its reviewer
//! has shown evidence, without which agreement proves nothing.

use super::attribute::{Author, FAST_PASS};
use super::candidate::{Candidate, Grounding, SpeakerNames, Step};

/// The highest confidence of a claim without a close look or without a quote.
const CAP: u32 = 50;

/// Caps the confidence of the candidates, which still are one claim each.
pub(super) fn cap(candidates: &mut [Candidate], panel: &SpeakerNames, authors: &[Author], has_tree: bool) {
    for candidate in candidates {
        let is_above = candidate.claim.confidence.is_some_and(|confidence| confidence.percent() > CAP);
        let speaks_alone = |name| matches!(&*candidate.voices, [voice] if panel.name(voice).as_str() == name);
        if is_above && speaks_alone(FAST_PASS) {
            candidate.cap(CAP);
            candidate.note(Step::Weigh, "capped at 50: a fast pass is not a close look");
        }
        // The quote rule. A synthesis has applied it before merging.
        let lacks_quote = candidate.claim.first_evidence().is_none() && !candidate.is_synthesised;
        let uses_quotes = candidate.origins.iter().any(|origin| authors[origin.report_index as usize].quotes);
        let is_reported = candidate.claim.confidence.is_some_and(|confidence| confidence.percent() >= 75);
        if lacks_quote && uses_quotes && is_reported {
            candidate.cap(CAP);
            candidate.note(Step::Weigh, "capped at 50: the return quotes the line elsewhere, and not for this");
        }
        let has_evidence = match candidate.grounding {
            Grounding::Found => true,
            Grounding::Unquoted | Grounding::Refuted | Grounding::Placeless => false,
            Grounding::Unchecked => {
                !has_tree && (!candidate.claim.evidence.is_empty() || candidate.claim.first_evidence().is_some())
            }
        };
        for voice in candidate.voices.iter_mut() {
            voice.has_evidence = has_evidence;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Support;
    use crate::synthesis::tests::{claim, confidences, report};
    use crate::synthesis::{Options, synthesise};

    fn quoted(title: &str, first_evidence: Option<&str>) -> crate::model::Claim {
        let first_evidence = first_evidence.map(str::to_owned);
        let support = Support { first_evidence, ..Support::default() };
        crate::model::Claim { support: Some(Box::new(support)), ..claim(title, Some(("a", "1"))) }
    }

    #[test]
    fn a_return_that_quotes_must_quote_throughout() {
        let claims = vec![quoted("quoted", Some("x()")), quoted("unquoted", None)];
        let result = synthesise(vec![report("qa", claims)], &Options::default());
        assert_eq!(confidences(&result.findings), [("quoted".to_owned(), Some(75))]);
        assert_eq!(confidences(&result.suppressed), [("unquoted".to_owned(), Some(50))]);
    }

    #[test]
    fn a_return_that_never_quotes_keeps_its_confidence() {
        let result = synthesise(vec![report("qa", vec![quoted("unquoted", None)])], &Options::default());
        assert_eq!(confidences(&result.findings), [("unquoted".to_owned(), Some(75))]);
    }

    #[test]
    fn a_fast_pass_is_capped_alone_and_in_company() {
        let fast = || report("fast-pass", vec![claim("t", Some(("a", "1")))]);
        let alone = synthesise(vec![fast()], &Options::default());
        assert_eq!(confidences(&alone.suppressed), [("t".to_owned(), Some(50))]);
        let slow = report("qa", vec![crate::model::Claim { evidence: Vec::new(), ..claim("t", Some(("a", "1"))) }]);
        let both = synthesise(vec![fast(), slow], &Options::default());
        assert_eq!(confidences(&both.findings), [("t".to_owned(), Some(75))]);
        assert_eq!(both.findings[0].independent_reviewers.len(), 1);
    }
}
