//! A report that refuses the change, and the findings in; a gap out if none of its reasons counts.

use crate::model::{Confidence, Domain, Gap, GapKind, Report, Severity, Stated};
use crate::synthesis::{Settled, Step, Synthesis};

/// A report whose verdict closes the gate.
pub(super) struct Refusal {
    reviewer: Domain,
    report_index: usize,
    stated: Stated,
    /// Whether the reviewer says itself that it is not sure of something that blocks.
    is_unsure: bool,
}

impl Refusal {
    pub(super) fn of(report: &Report, report_index: usize, fallback: &Domain) -> Option<Self> {
        let stated = report.stated.filter(|stated| stated.closes_the_gate())?;
        let is_unsure = report.claims().any(|claim| {
            let is_doubted = claim.confidence.is_some_and(|confidence| confidence < Confidence::UNSTATED);
            is_doubted && claim.severity.is_at_least(Severity::High)
        });
        Some(Self { reviewer: report.sole_reviewer().unwrap_or(fallback).clone(), report_index, stated, is_unsure })
    }

    /// A refusal counts (001: "any reviewer `verdict: fail` → gate fails"), even if each of its reasons is below the confidence
    /// threshold. A sure claim that the tree refutes is no reason.
    pub(super) fn unheeded(&self, synthesis: &Synthesis) -> Option<Gap> {
        let is_reason = |settled: &Settled| {
            let is_of_report = settled.origins.iter().any(|origin| origin.report_index as usize == self.report_index);
            is_of_report && settled.finding.representative.severity.is_at_least(Severity::High)
        };
        let is_unsure = |settled: &Settled| {
            let is_of_tree = settled.trail.iter().any(|entry| entry.step == Step::Ground);
            settled.ignored().is_none() && (self.is_unsure || !is_of_tree)
        };
        let Synthesis { findings, suppressed, pre_existing, waived, .. } = synthesis;
        let is_heeded = [findings, pre_existing, waived].into_iter().flatten().any(|settled| is_reason(settled));
        let is_meant = !is_heeded && suppressed.iter().any(|settled| is_reason(settled) && is_unsure(settled));
        is_meant.then(|| Gap {
            reviewer: self.reviewer.clone(),
            kind: GapKind::UnknownState,
            what: format!("the verdict is {}, but its reasons are below the confidence threshold", self.stated),
            remedy: "check the suppressed findings, or have the reviewer give evidence".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Content, Merged, ReviewerOutput, settle, take_in};
    use super::*;
    use crate::model::{Outcome, Policy, RepoPath};
    use crate::syntax::Limits;
    use crate::synthesis::{Options, Source};

    fn merged(text: &str, source: Source, options: &Options<'_>) -> Merged {
        let content = Content::Printed(text.as_bytes(), None);
        let output = ReviewerOutput {
            reviewer: Domain::unnamed(),
            content,
            source,
            weighting: None,
            asked: None,
            replaced_by: None,
        };
        settle(take_in(&[output], &[], &Limits::default()), Vec::new(), options, &Policy::default())
    }

    #[test]
    fn who_refuses_is_heard_even_if_no_reason_is_sure_enough() {
        let tree = BTreeMap::from([(RepoPath::new("a.rs").unwrap(), b"let x = 1;\n\n\n\n\nlet z = 3;\n".to_vec())]);
        let outcome = |confidence: &str, quote: &str, verdict: &str| {
            let text = format!(
                r#"{{"findings":[{{"title":"Race","severity":"high","file":"a.rs","line":1,"confidence":{confidence},
                "evidence":["{quote}"]}}],"verdict":"{verdict}"}}"#
            );
            let options = Options { tree: Some(&tree), ..Options::default() };
            merged(&text, Source::Unknown, &options).verdict.outcome
        };
        assert_eq!(outcome("36", "let x = 1;", "fail"), Outcome::Incomplete);
        assert_eq!(outcome("36", "let x = 1;", "pass"), Outcome::Clear);
        assert_eq!(outcome("90", "let x = 1;", "fail"), Outcome::Blocked);
        // The quote is in another line, which does not raise the confidence.
        assert_eq!(outcome("36", "let z = 3;", "fail"), Outcome::Incomplete);
        // The code that it quotes is not there.
        assert_eq!(outcome("90", "let y = 2;", "fail"), Outcome::Clear);
    }

    #[test]
    fn only_a_specialist_of_ours_is_believed_about_what_an_author_ignores() {
        let text = r#"{"reviewer":"security","findings":[{"title":"t","severity":"P1","file":"a.rs","line":1,
            "autofix_class":"manual","owner":"human","requires_verification":true,"confidence":100,"pre_existing":false,
            "why_it_matters":"w","evidence":["x"],"ignored":"ours"}],"residual_risks":[],"testing_gaps":[]}"#;
        let standing = |source| {
            let merged = merged(text, source, &Options::default());
            (merged.synthesis.findings.len(), merged.synthesis.suppressed.len())
        };
        assert_eq!((standing(Source::BuiltIn), standing(Source::Model)), ((0, 1), (1, 0)));
    }
}
