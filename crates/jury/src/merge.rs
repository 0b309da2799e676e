//! Outputs of several reviewers, top to bottom: intake, synthesis, verdict.
//!
//! In: the bytes of each output with its name, and what claims are held against. Out: findings, what became of every other
//! claim, the gaps, the verdict. This is a table of contents: it knows every stage and does none of their work.

use crate::formats::Format;
use crate::intake::{self, Intake};
use crate::model::{Confidence, Domain, Finding, Gap, GapKind, Policy, Report, Severity, Stated, Verdict};
use crate::syntax::Limits;
use crate::synthesis::{self, Options, Settled, Step, Synthesis};
use crate::verdict;

/// One reviewer's output.
pub struct Output<'a> {
    /// Who it is from, where the output itself does not say.
    pub reviewer: Domain,
    /// What was printed.
    pub bytes: &'a [u8],
    /// The format to read it as; `None` to find out.
    pub from: Option<&'static Format>,
    /// Whether it is from a specialist of ours, which reads in the code itself what the author asks to be ignored.
    pub is_ours: bool,
    /// What is known of whoever was asked for it, where somebody was.
    pub asked: Option<Asked<'a>>,
}

/// What is known of a reviewer that was asked, whatever its output says about itself.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What it is called, which need not be what its findings are about.
    pub name: &'a str,
    /// What the output has to repeat to count.
    pub nonce: Option<&'a str>,
    /// The model that speaks.
    pub model: Option<&'a str>,
    /// Whether it was asked because the first answer was not sure (001).
    pub is_again: bool,
}

/// What several outputs come to.
pub struct Merged {
    /// What was taken from each output, in order; the reports themselves have become findings.
    pub intakes: Vec<Intake>,
    /// The findings, and what became of every other claim.
    pub synthesis: Synthesis,
    /// The outputs, by index, that were not understood, so that nobody can say what was looked at.
    pub unheard: Vec<usize>,
    /// What was not obtained.
    pub gaps: Vec<Gap>,
    /// The decision.
    pub verdict: Verdict,
}

impl Merged {
    /// Says what stands as one report, with every gap as a claim, so that it can be written in any format.
    pub fn into_report(self) -> Report {
        let mut report =
            Synthesis { suppressed: Vec::new(), pre_existing: Vec::new(), waived: Vec::new(), ..self.synthesis }
                .into_report();
        report.claims.extend(self.gaps.iter().map(|gap| gap.as_finding().representative));
        report
    }
}

/// Merges outputs and decides. Absolute paths below one of `roots` are those of files in the tree. `gaps` are those that
/// are known before any output is read.
pub fn merge(
    outputs: &[Output<'_>],
    roots: &[&str],
    mut gaps: Vec<Gap>,
    options: &Options<'_>,
    policy: &Policy,
    limits: &Limits,
) -> Merged {
    let mut intakes: Vec<Intake> =
        outputs.iter().map(|output| intake::take_below(output.bytes, output.from, roots, limits)).collect();
    let mut reports = Vec::new();
    let mut refusals = Vec::new();
    let mut unheard = Vec::new();
    for (index, (output, intake)) in outputs.iter().zip(&mut intakes).enumerate() {
        let missing: Vec<Gap> = intake.gaps_of(&output.reviewer).into_iter().chain(unechoed(output, limits)).collect();
        unheard.extend((!missing.is_empty()).then_some(index));
        gaps.extend(missing.into_iter().map(|gap| named(gap, output)));
        for mut report in std::mem::take(&mut intake.reports) {
            if let Some(asked) = &output.asked {
                take_as(&mut report, &output.reviewer, asked);
            }
            name_claims(&mut report, &output.reviewer);
            if !output.is_ours {
                heed_nobody(&mut report);
            }
            gaps.extend(report.gaps());
            gaps.extend(unread(&report, &output.reviewer));
            gaps.extend(unsure(&report, output));
            refusals.extend(Refusal::of(&report, reports.len(), &output.reviewer));
            reports.push(report);
        }
    }
    let synthesis = synthesis::synthesise(reports, options);
    gaps.extend(refusals.iter().filter_map(|refusal| refusal.unheeded(&synthesis)));
    let standing: Vec<Finding> = synthesis.findings.iter().map(|settled| settled.finding.clone()).collect();
    let verdict = verdict::decide(&standing, &gaps, policy);
    Merged { intakes, synthesis, unheard, gaps, verdict }
}

/// Says in a gap whose it is, where the domain does not.
fn named(gap: Gap, output: &Output<'_>) -> Gap {
    match output.asked.map(|asked| asked.name).filter(|name| *name != output.reviewer.as_str()) {
        Some(name) if !gap.what.contains(name) => Gap { what: format!("{name}: {}", gap.what), ..gap },
        _ => gap,
    }
}

/// Gives the claims that name no reviewer the one that the report, or else the output, is from.
fn name_claims(report: &mut Report, fallback: &Domain) {
    let reviewer = report.sole_reviewer().unwrap_or(fallback).clone();
    for claim in report.claims.iter_mut().filter(|claim| claim.reviewer.is_none()) {
        claim.reviewer = Some(reviewer.clone());
    }
}

/// Takes a report for that of whoever was asked: in what it says about itself it could pass for somebody else, or for several.
fn take_as(report: &mut Report, reviewer: &Domain, asked: &Asked<'_>) {
    for named in &mut report.reviewers {
        named.name = reviewer.clone();
    }
    for claim in &mut report.claims {
        claim.reviewer = Some(reviewer.clone());
    }
    if let Some(model) = asked.model {
        report.facts.model = Some(model.to_owned());
        report.facts.independence_verified = None;
    }
}

/// An answer that does not repeat the nonce of its brief may be one that stood in the change (DESIGN §10).
fn unechoed(output: &Output<'_>, limits: &Limits) -> Option<Gap> {
    let nonce = output.asked.and_then(|asked| asked.nonce)?;
    let gap = || Gap {
        reviewer: output.reviewer.clone(),
        kind: GapKind::DeadReviewer,
        what: format!("{} did not report: its answer does not repeat the nonce of its brief", output.reviewer),
        remedy: format!("make the {} reviewer answer as its brief asks, then review again", output.reviewer),
    };
    (!intake::echoes(output.bytes, nonce, limits)).then(gap)
}

/// Takes nobody's word for it that the author of the code asks for something to be ignored.
fn heed_nobody(report: &mut Report) {
    for support in report.claims.iter_mut().filter_map(|claim| claim.support.as_mut()) {
        support.ignored = None;
    }
}

/// A pointer names the file that counts and is not that file (001, "Gate on file content, not stdout body").
fn unread(report: &Report, reviewer: &Domain) -> Option<Gap> {
    let file = report.facts.verdict_file.as_ref()?;
    Some(Gap {
        reviewer: reviewer.clone(),
        kind: GapKind::UnreadableOutput,
        what: format!("the verdict is in `{file}`, which was not read"),
        remedy: format!("give `{file}` instead of the pointer to it"),
    })
}

/// The least confidence, in percent, that 001 does not call `low` (DESIGN §5).
const SURE: u32 = 70;

/// Tells whether a reviewer says of its report that it is not sure (001, `confidence: low`).
pub(crate) fn is_unsure(report: &Report) -> bool {
    report.confidence.is_some_and(|confidence| confidence.percent() < SURE)
}

/// Who is not sure, and was not when asked again either, leaves it to a person (001, "escalate to a human").
fn unsure(report: &Report, output: &Output<'_>) -> Option<Gap> {
    let reviewer = &output.reviewer;
    let is_meant = output.asked.is_some_and(|asked| asked.is_again) && is_unsure(report);
    is_meant.then(|| Gap {
        reviewer: reviewer.clone(),
        kind: GapKind::UnknownState,
        what: format!("{reviewer} is not sure of its answer (`confidence: low`), and was not when it was asked again"),
        remedy: format!("a person looks at the change for {reviewer}, or `second` names another model"),
    })
}

/// A report whose verdict closes the gate.
struct Refusal {
    reviewer: Domain,
    report_index: usize,
    stated: Stated,
    /// Whether the reviewer says itself that it is not sure of something that blocks.
    is_unsure: bool,
}

impl Refusal {
    fn of(report: &Report, report_index: usize, fallback: &Domain) -> Option<Self> {
        let stated = report.stated.filter(|stated| stated.closes_the_gate())?;
        let is_unsure = report.claims().any(|claim| {
            let is_doubted = claim.confidence.is_some_and(|confidence| confidence < Confidence::UNSTATED);
            is_doubted && claim.severity.is_at_least(Severity::High)
        });
        Some(Self { reviewer: report.sole_reviewer().unwrap_or(fallback).clone(), report_index, stated, is_unsure })
    }

    /// Who refuses means it (001: "any reviewer `verdict: fail` → gate fails"), even if it is too unsure of each reason by itself for
    /// the reason to be reported. What it was sure of and the tree refutes is no reason.
    fn unheeded(&self, synthesis: &Synthesis) -> Option<Gap> {
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
            what: format!("the verdict is {}, for reasons that are too unsure to be reported", self.stated),
            remedy: "look at what is suppressed, or have the reviewer show its evidence".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Outcome, RepoPath};
    use std::collections::BTreeMap;

    #[test]
    fn who_refuses_is_heard_even_if_no_reason_is_sure_enough() {
        let tree = BTreeMap::from([(RepoPath::new("a.rs").unwrap(), b"let x = 1;\n\n\n\n\nlet z = 3;\n".to_vec())]);
        let outcome = |confidence: &str, quote: &str, verdict: &str| {
            let text = format!(
                r#"{{"findings":[{{"title":"Race","severity":"high","file":"a.rs","line":1,"confidence":{confidence},
                "evidence":["{quote}"]}}],"verdict":"{verdict}"}}"#
            );
            let output =
                Output { reviewer: Domain::unnamed(), bytes: text.as_bytes(), from: None, is_ours: false, asked: None };
            let options = Options { tree: Some(&tree), ..Options::default() };
            let merged = merge(&[output], &[], Vec::new(), &options, &Policy::default(), &Limits::default());
            merged.verdict.outcome
        };
        assert_eq!(outcome("36", "let x = 1;", "fail"), Outcome::Incomplete);
        assert_eq!(outcome("36", "let x = 1;", "pass"), Outcome::Clear);
        assert_eq!(outcome("90", "let x = 1;", "fail"), Outcome::Blocked);
        // What was quoted is in another line, which makes it no surer.
        assert_eq!(outcome("36", "let z = 3;", "fail"), Outcome::Incomplete);
        // The code that it quotes is not there.
        assert_eq!(outcome("90", "let y = 2;", "fail"), Outcome::Clear);
    }

    #[test]
    fn only_a_specialist_of_ours_is_believed_about_what_an_author_ignores() {
        let text = r#"{"reviewer":"security","findings":[{"title":"t","severity":"P1","file":"a.rs","line":1,
            "autofix_class":"manual","owner":"human","requires_verification":true,"confidence":100,"pre_existing":false,
            "why_it_matters":"w","evidence":["x"],"ignored":"ours"}],"residual_risks":[],"testing_gaps":[]}"#;
        let standing = |is_ours| {
            let output =
                Output { reviewer: Domain::unnamed(), bytes: text.as_bytes(), from: None, is_ours, asked: None };
            let merged = merge(&[output], &[], Vec::new(), &Options::default(), &Policy::default(), &Limits::default());
            (merged.synthesis.findings.len(), merged.synthesis.suppressed.len())
        };
        assert_eq!((standing(true), standing(false)), ((0, 1), (1, 0)));
    }
}
