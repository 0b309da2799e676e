//! Outputs of several reviewers in; findings, gaps and the verdict out, in two steps: `take_in` takes the outputs in, `settle` makes
//! findings of the claims and decides. Between the two, the cited files are known.
//!
//! Deliberately not here: the work of intake, synthesis and verdict.

use std::collections::BTreeSet;

use jury_wire::v1::findings::Artifact;

use crate::formats::{self, Format};
use crate::intake::{self, Intake};
use crate::model::{
    Claim, Confidence, Domain, Finding, Gap, GapKind, Policy, RepoPath, Report, Severity, Stated, Verdict,
};
use crate::record;
use crate::syntax::Limits;
use crate::synthesis::{self, Options, Settled, Source, Step, Synthesis};
use crate::verdict;

/// One reviewer's output.
pub struct ReviewerOutput<'a> {
    /// The reviewer, if the output itself does not name one.
    pub reviewer: Domain,
    /// The findings.
    pub content: Content<'a>,
    /// The kind of its reviewer. Only a built-in one reads suppressions in the code itself.
    pub source: Source,
    /// The reviewer that was asked, if one was.
    pub asked: Option<Asked<'a>>,
}

/// The findings of an output.
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// Bytes, and the format to read them as; `None` to find out.
    Printed(&'a [u8], Option<&'static Format>),
    /// A value.
    Stated(&'a Artifact),
}

impl<'a> Content<'a> {
    /// Takes the output of a run.
    pub fn of(output: &'a record::Output, format: Option<&'static Format>) -> Self {
        match output {
            record::Output::Stated(document) => Self::Stated(document),
            record::Output::Printed(text) => Self::Printed(text.as_bytes(), format),
        }
    }
}

/// The reviewer that was asked, regardless of the name in its output.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Its name, which need not be the domain of its findings.
    pub name: &'a str,
    /// The nonce that the output has to repeat to count.
    pub nonce: Option<&'a str>,
    /// The model that answers.
    pub model: Option<&'a str>,
    /// Whether it was asked because the first answer was of low confidence (001).
    pub is_again: bool,
}

/// Several outputs, taken in.
pub struct Hearing {
    intakes: Vec<Intake>,
    reports: Vec<Report>,
    /// Who each report is from.
    sources: Vec<Source>,
    refusals: Vec<Refusal>,
    unheard: Vec<usize>,
    gaps: Vec<Gap>,
}

/// The result of several outputs.
pub struct Merged {
    /// The reading of each output, in order; the reports themselves have become findings.
    pub intakes: Vec<Intake>,
    /// The findings, and the fate of every other claim.
    pub synthesis: Synthesis,
    /// The outputs, by index, that were not understood.
    pub unheard: Vec<usize>,
    /// The gaps.
    pub gaps: Vec<Gap>,
    /// The decision.
    pub verdict: Verdict,
}

impl Merged {
    /// Returns the open findings as one report, with every gap as a claim, for any format.
    pub fn into_report(self) -> Report {
        let mut report =
            Synthesis { suppressed: Vec::new(), pre_existing: Vec::new(), waived: Vec::new(), ..self.synthesis }
                .into_report();
        report.claims.extend(self.gaps.iter().map(|gap| gap.as_finding().representative));
        report
    }
}

/// Takes outputs in. Absolute paths below one of `roots` are those of files in the tree.
pub fn take_in(outputs: &[ReviewerOutput<'_>], roots: &[&str], limits: &Limits) -> Hearing {
    let mut hearing = Hearing {
        intakes: Vec::with_capacity(outputs.len()),
        reports: Vec::new(),
        sources: Vec::new(),
        refusals: Vec::new(),
        unheard: Vec::new(),
        gaps: Vec::new(),
    };
    for (index, output) in outputs.iter().enumerate() {
        let mut intake = match output.content {
            Content::Printed(bytes, from) => intake::take_below(bytes, from, roots, limits),
            Content::Stated(document) => take_stated(document, roots, limits),
        };
        let missing: Vec<Gap> = intake.gaps_of(&output.reviewer).into_iter().chain(unechoed(output, limits)).collect();
        hearing.unheard.extend((!missing.is_empty()).then_some(index));
        hearing.gaps.extend(missing.into_iter().map(|gap| named(gap, output)));
        for mut report in std::mem::take(&mut intake.reports) {
            if let Some(asked) = &output.asked {
                take_as(&mut report, &output.reviewer, asked);
            }
            name_claims(&mut report, &output.reviewer);
            if output.source != Source::BuiltIn {
                drop_ignores(&mut report);
            }
            hearing.gaps.extend(report.gaps());
            hearing.gaps.extend(unread(&report, &output.reviewer));
            hearing.gaps.extend(unsure(&report, output));
            hearing.refusals.extend(Refusal::of(&report, hearing.reports.len(), &output.reviewer));
            hearing.reports.push(report);
            hearing.sources.push(output.source);
        }
        hearing.intakes.push(intake);
    }
    hearing
}

/// Takes a stated document. One that breaks its contract is read as text, so that every deviation is noted.
fn take_stated(document: &Artifact, roots: &[&str], limits: &Limits) -> Intake {
    let format = formats::by_id("findings-json").expect("004 is a format");
    match formats::stated(document) {
        Some(report) => intake::take_stated(report, format),
        None => {
            let text = serde_json::to_string(document).expect("strings, numbers and lists are always JSON");
            intake::take_below(text.as_bytes(), Some(format), roots, limits)
        }
    }
}

impl Hearing {
    /// Returns the files that claims name.
    pub fn cited_files(&self) -> BTreeSet<RepoPath> {
        let claims = self.reports.iter().flat_map(Report::claims);
        claims.filter_map(|claim| claim.location.as_ref()).map(|location| location.file.clone()).collect()
    }

    /// Returns the claims, each with the kind of its reviewer.
    pub(super) fn claims(&self) -> impl Iterator<Item = (Source, &Claim)> {
        let sources = self.sources.iter().copied();
        sources.zip(&self.reports).flat_map(|(source, report)| report.claims().map(move |claim| (source, claim)))
    }
}

/// Makes findings of the claims and decides. `gaps` are those that were known before any output was read.
pub fn settle(hearing: Hearing, mut gaps: Vec<Gap>, options: &Options<'_>, policy: &Policy) -> Merged {
    let Hearing { intakes, reports, sources, refusals, unheard, gaps: heard } = hearing;
    gaps.extend(heard);
    let synthesis = synthesis::synthesise(reports, &Options { sources: &sources, ..*options });
    gaps.extend(refusals.iter().filter_map(|refusal| refusal.unheeded(&synthesis)));
    let standing: Vec<Finding> = synthesis.findings.iter().map(|settled| settled.finding.clone()).collect();
    let verdict = verdict::decide(&standing, &gaps, policy);
    Merged { intakes, synthesis, unheard, gaps, verdict }
}

/// Names the reviewer in a gap, if the domain does not.
fn named(gap: Gap, output: &ReviewerOutput<'_>) -> Gap {
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

/// Attributes a report to the reviewer that was asked: its own words could pass for another reviewer, or for several.
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
fn unechoed(output: &ReviewerOutput<'_>, limits: &Limits) -> Option<Gap> {
    let nonce = output.asked.and_then(|asked| asked.nonce)?;
    let gap = || Gap {
        reviewer: output.reviewer.clone(),
        kind: GapKind::DeadReviewer,
        what: format!("{} did not report: its answer lacks the nonce of its brief", output.reviewer),
        remedy: format!("make the {} reviewer follow its brief, then review again", output.reviewer),
    };
    let is_repeated = match output.content {
        Content::Printed(bytes, _) => intake::repeats_nonce(bytes, nonce, limits),
        // A value has no place for a nonce.
        Content::Stated(_) => false,
    };
    (!is_repeated).then(gap)
}

/// Drops an author's request to ignore a claim: only built-in reviewers read it in the code.
fn drop_ignores(report: &mut Report) {
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

/// An answer of low confidence after the second question is left to a person (001, "escalate to a human").
fn unsure(report: &Report, output: &ReviewerOutput<'_>) -> Option<Gap> {
    let reviewer = &output.reviewer;
    let is_meant = output.asked.is_some_and(|asked| asked.is_again) && is_unsure(report);
    is_meant.then(|| Gap {
        reviewer: reviewer.clone(),
        kind: GapKind::UnknownState,
        what: format!("{reviewer} answered with low confidence, twice"),
        remedy: format!("have a person review the change for {reviewer}, or set another model in `second`"),
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

    /// A refusal counts (001: "any reviewer `verdict: fail` → gate fails"), even if each of its reasons is below the confidence
    /// threshold. A sure claim that the tree refutes is no reason.
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
            what: format!("the verdict is {}, but its reasons are below the confidence threshold", self.stated),
            remedy: "check the suppressed findings, or have the reviewer give evidence".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Outcome;
    use std::collections::BTreeMap;

    fn merged(text: &str, source: Source, options: &Options<'_>) -> Merged {
        let content = Content::Printed(text.as_bytes(), None);
        let output = ReviewerOutput { reviewer: Domain::unnamed(), content, source, asked: None };
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
