//! The outputs of several reviewers in; their claims and gaps out. From the claims, the cited files are known.
//!
//! Deliberately not here: the work of intake, and making findings of the claims.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::findings::Artifact;

use super::failed_check;
use super::refusal::Refusal;
use super::weigh::weigh;
use crate::formats::{self, Format};
use crate::intake::{self, Intake};
use crate::model::{
    Assessment, CheckResult, Claim, Domain, Gap, GapKind, Line, RepoPath, Report, ReviewerKind, Reweighted, Severity,
    Weighting,
};
use crate::record::{self, ROOT, Record, RecordedAnswer, Run};
use crate::syntax::Limits;
use crate::synthesis::{Origin, Source};

/// One reviewer's output.
pub struct ReviewerOutput<'a> {
    /// The reviewer, if the output itself does not name one.
    pub reviewer: Domain,
    /// The findings.
    pub content: Content<'a>,
    /// The kind of its reviewer. Only a built-in one reads suppressions in the code itself.
    pub source: Source,
    /// How its findings and its failure count; `None` is in full.
    pub weighting: Option<&'a Weighting>,
    /// The reviewer that was asked, if one was.
    pub asked: Option<Asked<'a>>,
    /// The reviewer that answered in its place, if one did.
    pub replaced_by: Option<&'a Domain>,
}

/// The findings of an output.
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// Bytes, and the format to read them as; `None` to find out.
    Printed(&'a [u8], Option<&'static Format>),
    /// A value.
    Stated(&'a Artifact),
    /// How a check of this name ended.
    Checked(&'a Domain, &'a CheckResult),
    /// The answer to acceptance criteria.
    Assessed(&'a [u8], &'a [String]),
}

impl<'a> Content<'a> {
    /// Takes the output of a run of a reviewer.
    pub fn of(reviewer: &'a Domain, output: &'a record::Output, format: Option<&'static Format>) -> Self {
        match output {
            record::Output::Stated(document) => Self::Stated(document),
            record::Output::Printed(text) => Self::Printed(text.as_bytes(), format),
            record::Output::Checked(result) => Self::Checked(reviewer, result),
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
    pub(super) intakes: Vec<Intake>,
    pub(super) reports: Vec<Report>,
    /// Who each report is from.
    pub(super) sources: Vec<Source>,
    pub(super) refusals: Vec<Refusal>,
    pub(super) unheard: Vec<usize>,
    pub(super) gaps: Vec<Gap>,
    /// The claims that count with another severity than their reviewer states.
    pub(super) reweighted: BTreeMap<Origin, Reweighted>,
    /// Outputs that were not understood, of reviewers that need not report.
    pub(super) excused: Vec<String>,
    /// The answers to acceptance criteria.
    pub(super) assessed: Vec<Assessed>,
}

/// The answer of one reviewer to acceptance criteria.
pub(super) struct Assessed {
    /// The domain of the reviewer.
    pub(super) domain: Domain,
    /// The criteria.
    pub(super) criteria: Vec<String>,
    /// The answer to each.
    pub(super) answers: Vec<Assessment>,
    /// How its findings count.
    pub(super) weighting: Weighting,
}

/// Takes in the outputs of a record.
pub fn hear(record: &Record) -> Hearing {
    let output =
        |(index, run, answer)| ReviewerOutput { replaced_by: next_asked(record, index), ..output_of(run, answer) };
    let outputs: Vec<ReviewerOutput<'_>> = answered(record).map(output).collect();
    take_in(&outputs, &[ROOT], &Limits::default())
}

/// Returns who was asked next in the place of a run, and answered. If that answer does not count either, it has its own gap.
fn next_asked(record: &Record, index: usize) -> Option<&Domain> {
    let (before, later) = record.runs.split_at(index + 1);
    let run = before.last()?;
    let first = run.stands_in_for.as_ref().unwrap_or(&run.reviewer);
    let is_next = |other: &&Run| other.stands_in_for.as_ref() == Some(first) && other.files == run.files;
    later.iter().find(|other| is_next(other) && other.answer().is_some()).map(|other| &other.reviewer)
}

/// Returns the runs with an answer, each with its index.
pub(super) fn answered(record: &Record) -> impl Iterator<Item = (usize, &Run, &RecordedAnswer)> {
    record.runs.iter().enumerate().filter_map(|(index, run)| Some((index, run, run.answer()?)))
}

/// Returns the output of a run.
pub fn output_of<'r>(run: &'r Run, answer: &'r RecordedAnswer) -> ReviewerOutput<'r> {
    let source = match run.kind {
        // The team's own word, on an abort, is stated by Jury.
        ReviewerKind::BuiltIn | ReviewerKind::Team => Source::BuiltIn,
        ReviewerKind::Tool => Source::Tool,
        ReviewerKind::Check => Source::Check,
        ReviewerKind::Agent | ReviewerKind::Api => Source::Model,
    };
    let asked = Asked {
        name: run.reviewer.as_str(),
        nonce: answer.nonce.as_deref(),
        model: run.model.as_deref(),
        is_again: run.is_again,
    };
    let content = match &answer.output {
        record::Output::Printed(text) if !run.criteria.is_empty() => Content::Assessed(text.as_bytes(), &run.criteria),
        output => Content::of(&run.reviewer, output, run.format.and_then(formats::by_id)),
    };
    ReviewerOutput {
        reviewer: run.domain.clone(),
        content,
        source,
        weighting: Some(&run.weighting),
        asked: (run.kind != ReviewerKind::BuiltIn).then_some(asked),
        replaced_by: None,
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
        reweighted: BTreeMap::new(),
        excused: Vec::new(),
        assessed: Vec::new(),
    };
    for (index, output) in outputs.iter().enumerate() {
        let mut intake = match output.content {
            Content::Printed(bytes, from) => intake::take_below(bytes, from, roots, limits),
            Content::Stated(document) => take_stated(document, roots, limits),
            Content::Checked(name, result) => intake::take_stated(failed_check::report(name, result), stated_format()),
            Content::Assessed(bytes, criteria) => {
                let answers = intake::assessments(bytes, criteria.len(), limits);
                hearing.assess(index, output, criteria, answers, limits);
                continue;
            }
        };
        let missing: Vec<Gap> = intake.gaps_of(&output.reviewer).into_iter().chain(unechoed(output, limits)).collect();
        hearing.unheard.extend((!missing.is_empty()).then_some(index));
        let is_unechoed = missing.len() > intake.gaps.len();
        hearing.miss(output, missing, intake.reports.is_empty() || is_unechoed);
        for mut report in std::mem::take(&mut intake.reports) {
            if let Some(asked) = &output.asked {
                take_as(&mut report, &output.reviewer, asked);
            }
            name_claims(&mut report, &output.reviewer);
            hearing.reweighted.extend(weigh(&mut report, hearing.reports.len(), output.weighting));
            if output.source != Source::BuiltIn {
                drop_ignores(&mut report);
            }
            hearing.gaps.extend(report.gaps());
            hearing.gaps.extend(unread(&report, &output.reviewer));
            match (unsure(&report, output), output.weighting.filter(|it| !it.has_to_report())) {
                (Some(gap), Some(weighting)) => hearing.excused.push(format!("{} ({})", gap.what, weighting.role)),
                (gap, _) => hearing.gaps.extend(gap),
            }
            hearing.refusals.extend(Refusal::of(&report, hearing.reports.len(), &output.reviewer));
            hearing.reports.push(report);
            hearing.sources.push(output.source);
        }
        hearing.intakes.push(intake);
    }
    hearing
}

fn stated_format() -> &'static Format {
    formats::by_id("findings-json").expect("004 is a format")
}

/// Takes a stated document. One that breaks its contract is read as text, so that every deviation is noted.
fn take_stated(document: &Artifact, roots: &[&str], limits: &Limits) -> Intake {
    let format = stated_format();
    match formats::stated(document) {
        Some(report) => intake::take_stated(report, format),
        None => {
            let text = serde_json::to_string(document).expect("strings, numbers and lists are always JSON");
            intake::take_below(text.as_bytes(), Some(format), roots, limits)
        }
    }
}

impl Hearing {
    /// Returns the files that claims and answers to criteria name.
    pub fn cited_files(&self) -> BTreeSet<RepoPath> {
        let claims = self.reports.iter().flat_map(Report::claims);
        let of_claims = claims.filter_map(|claim| claim.location.as_ref()).map(|location| location.file.clone());
        of_claims.chain(self.assessed_files().cloned()).collect()
    }

    /// Returns the files that answers to criteria name.
    pub fn assessed_files(&self) -> impl Iterator<Item = &RepoPath> {
        self.assessed.iter().flat_map(|it| &it.answers).filter_map(|answer| answer.file.as_ref())
    }

    /// Notes what an output lacks: as gaps, unless it says nothing at all and need not, or another reviewer has answered in its place.
    fn miss(&mut self, output: &ReviewerOutput<'_>, missing: Vec<Gap>, says_nothing: bool) {
        let missing = missing.into_iter().map(|gap| named(gap, output));
        let excuse = output.weighting.filter(|it| !it.has_to_report()).map(|it| it.role.to_string());
        match (output.replaced_by, excuse) {
            (Some(other), _) if says_nothing => {
                let name = output.asked.map_or(output.reviewer.as_str(), |asked| asked.name);
                let note = |gap: Gap| format!("{other} answered in place of {name}: {}", gap.what);
                self.excused.extend(missing.map(note));
            }
            (_, Some(role)) if says_nothing => {
                self.excused.extend(missing.map(|gap| format!("{} ({role})", gap.what)));
            }
            _ => self.gaps.extend(missing),
        }
    }

    /// Takes in the answer to acceptance criteria. One that cannot be read, or was not written for its brief, assesses nothing.
    fn assess(
        &mut self,
        index: usize,
        output: &ReviewerOutput<'_>,
        criteria: &[String],
        answers: Result<Vec<Assessment>, String>,
        limits: &Limits,
    ) {
        let report = Report::default();
        self.intakes.push(intake::take_stated(report, stated_format()));
        let unreadable = |why: &String| Gap {
            reviewer: output.reviewer.clone(),
            kind: GapKind::UnreadableOutput,
            what: why.clone(),
            remedy: "answer every criterion in the form of the brief, then review again".to_owned(),
        };
        let missing: Vec<Gap> =
            answers.as_ref().err().map(unreadable).into_iter().chain(unechoed(output, limits)).collect();
        match answers {
            Ok(answers) if missing.is_empty() => {
                let (domain, criteria) = (output.reviewer.clone(), criteria.to_vec());
                let weighting = output.weighting.cloned().unwrap_or_default();
                self.assessed.push(Assessed { domain, criteria, answers, weighting });
            }
            _ => {
                self.unheard.push(index);
                self.miss(output, missing, true);
            }
        }
    }

    /// Returns the claims, each with the kind of its reviewer.
    pub fn claims(&self) -> impl Iterator<Item = (Source, &Claim)> {
        let sources = self.sources.iter().copied();
        sources.zip(&self.reports).flat_map(|(source, report)| report.claims().map(move |claim| (source, claim)))
    }

    /// Returns the `jury-ignore` comments that the review raises itself, by file and line, with the severity of that claim.
    pub(super) fn raised_ignores(&self) -> BTreeMap<(RepoPath, Line), Severity> {
        let is_of_gate =
            |claim: &Claim| claim.reviewer.as_ref().is_some_and(|reviewer| reviewer.as_str() == Domain::GATE_INTEGRITY);
        let raised = self.claims().filter(|(source, claim)| *source == Source::BuiltIn && is_of_gate(claim));
        let place = |claim: &Claim| {
            let location = claim.location.as_ref()?;
            Some((location.file.clone(), location.lines?.start()))
        };
        raised.filter_map(|(_, claim)| Some((place(claim)?, claim.severity))).collect()
    }
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
        Content::Printed(bytes, _) | Content::Assessed(bytes, _) => intake::repeats_nonce(bytes, nonce, limits),
        // A value has no place for a nonce.
        Content::Stated(_) | Content::Checked(..) => false,
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
