//! A record in; the decision out, with all that led to it. Pure, so that a review and its replay are the same function.
//!
//! Two steps, so that a review judges once: `hear` takes the outputs in, which tells which files are cited; `conclude` makes
//! findings and the verdict of it. Nothing is judged that is not in the record (DESIGN §1, promise 4).

mod acceptable;
mod failed_check;
mod gaps;
mod hearing;
mod intent;
mod listing;
mod notes;
mod refusal;
mod restate;
mod since;
mod verification;
mod weigh;

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::code_review::ReviewVerdict as VerdictFile;

use crate::formats;
use crate::intake::Intake;
use crate::model::{
    AssessedCriterion, Claim, CommitSha, Facts, Gap, GateOwner, Policy, RepoPath, Report, Severity, Stated, Status,
    Verdict,
};
use crate::record::{Decision, Record};
use crate::synthesis::{self, Before, Options, Synthesis};
use crate::verdict;

pub use crate::synthesis::Settled;
pub use acceptable::acceptable;
pub(crate) use hearing::is_unsure;
pub use hearing::{Asked, Content, Hearing, ReviewerOutput, hear, output_of, take_in};
pub use restate::{current_report, restated, verified_report};
pub use verification::{Looks, files_of, followed, former_names, with_status};

/// The findings, gaps and verdict of several outputs.
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
    /// The acceptance criteria, each with its answer.
    pub assessed: Vec<AssessedCriterion>,
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

/// The judgement of a record.
pub struct Judgement {
    /// The findings, the fate of every other claim, the gaps and the verdict.
    pub merged: Merged,
    /// The same as one report, with every gap as a claim: the verdict file and the report for people are written from it.
    pub report: Report,
    /// The verdict file.
    pub file: VerdictFile,
}

impl Judgement {
    /// Finds a finding of the verdict file by its id, as synthesis settled it. A gap was never settled.
    pub fn settled(&self, id: &str) -> Option<&Settled> {
        let index = self.file.findings.iter().position(|finding| finding.id == id)?;
        let shown = self.merged.synthesis.findings.iter().filter(|settled| is_stated(settled));
        shown.into_iter().nth(index).map(|settled| &**settled)
    }

    /// Returns the ids of the findings of the verdict file that state a gap: those after the settled ones.
    pub fn gap_ids(&self) -> BTreeSet<String> {
        let settled = self.merged.synthesis.findings.iter().filter(|settled| is_stated(settled)).count();
        self.file.findings.iter().skip(settled).map(|finding| finding.id.clone()).collect()
    }

    /// Returns the ids of the findings of the verdict file that only a person can settle.
    pub fn person_ids(&self) -> BTreeSet<String> {
        let settled = self.merged.synthesis.findings.iter().filter(|settled| is_stated(settled));
        let owners = settled.map(|settled| settled.finding.owner()).chain(self.merged.gaps.iter().map(Gap::owner));
        let findings = self.file.findings.iter().zip(owners);
        findings.filter(|(_, owner)| *owner == GateOwner::Person).map(|(finding, _)| finding.id.clone()).collect()
    }

    /// Returns what the waivers name that moved a finding aside.
    fn waivers<'r>(&self, record: &'r Record) -> impl Iterator<Item = &'r String> {
        let counted = &self.merged.synthesis.counted_waivers;
        let counted = counted.iter().filter_map(|index| record.waivers.get(*index)).map(|waiver| &waiver.finding);
        counted.collect::<Vec<_>>().into_iter()
    }

    /// Returns the ids of the findings of the verdict file that are failures of checks.
    pub fn check_ids(&self) -> BTreeSet<String> {
        let settled = self.merged.synthesis.findings.iter().filter(|settled| is_stated(settled));
        let findings = self.file.findings.iter().zip(settled).filter(|(_, settled)| settled.finding.is_of_check);
        findings.map(|(finding, _)| finding.id.clone()).collect()
    }

    /// Writes the decision into the record, with the features by which a later review recognises its findings.
    pub fn write_into(&self, record: &mut Record) {
        let waived = Some(self.waivers(record).cloned().collect());
        let (gaps, person, checks) = (self.gap_ids(), self.person_ids(), self.check_ids());
        record.decision = Some(Decision { file: self.file.clone(), gaps, person, checks, waived });
        record.found = Some(listing::found_features(self));
    }
}

/// Judges a record.
pub fn judge(record: &Record) -> Judgement {
    decide(record, hear(record))
}

/// Decides a review whose outputs were taken in, and writes the decision into its record, with the comparison with the full review
/// before.
pub fn conclude(record: &mut Record, hearing: Hearing, before: Option<&Record>) -> Judgement {
    let mut judgement = decide(record, hearing);
    judgement.write_into(record);
    if let Some(before) = before {
        record.since = Some(since::since(before, record));
        judgement.report.facts.notes = Some(notes::notes(record, &judgement.merged, None));
    }
    judgement
}

/// Decides a record whose outputs were taken in.
pub fn decide(record: &Record, mut hearing: Hearing) -> Judgement {
    let change = record.scope.change();
    let tree: BTreeMap<RepoPath, Vec<u8>> =
        record.cited.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
    let assessed = intent::assess(&mut hearing, &tree, record.policy.policy.not_met);
    let raised = hearing.raised_ignores();
    let before = record.base_look.as_ref();
    let before = before.map(|look| Before::of(look, record.policy.policy.lowest_block_at(), raised));
    let options = Options {
        tree: Some(&tree),
        guidelines: (!record.guidelines.is_empty()).then_some(&record.guidelines),
        change: Some(&change),
        before: before.as_ref(),
        waivers: &record.waivers,
        today: Some(record.today()),
        ..Options::default()
    };
    let mut merged = settle(hearing, gaps::known_gaps(record), &options, &record.policy.policy);
    merged.assessed = assessed;
    let idle = notes::idle_waivers(record, &merged.synthesis);
    merged.synthesis.residual_risks.extend(idle);
    merged.synthesis.residual_risks.extend(notes::failed_looks(record));
    merged.synthesis.residual_risks.extend(gaps::excused(record));
    let report = report(record, &merged);
    let (file, _) = formats::verdict_file(&report);
    Judgement { merged, report, file }
}

/// Makes findings of the claims and decides. `gaps` are those that were known before any output was read.
pub fn settle(hearing: Hearing, mut gaps: Vec<Gap>, options: &Options<'_>, policy: &Policy) -> Merged {
    let Hearing { intakes, reports, sources, refusals, unheard, gaps: heard, reweighted, excused, assessed: _ } =
        hearing;
    gaps.extend(heard);
    let mut synthesis = synthesis::synthesise(reports, &Options { sources: &sources, ..*options });
    gaps.extend(refusals.iter().filter_map(|refusal| refusal.unheeded(&synthesis)));
    weigh::show_stated(&mut synthesis, &reweighted);
    synthesis.residual_risks.extend(excused);
    let standing = synthesis.findings.iter().map(|settled| &settled.finding);
    let verdict = verdict::decide(standing, &gaps, policy);
    Merged { intakes, synthesis, unheard, gaps, verdict, assessed: Vec::new() }
}

/// Returns the runs, by index, whose answers were not understood.
pub fn unheard(record: &Record, merged: &Merged) -> BTreeSet<usize> {
    let indices: Vec<usize> = hearing::answered(record).map(|(index, ..)| index).collect();
    merged.unheard.iter().map(|output| indices[*output]).collect()
}

/// Returns the open findings as one report, with the facts of the review.
fn report(record: &Record, merged: &Merged) -> Report {
    let stated = merged.synthesis.findings.iter().filter(|settled| is_stated(settled)).map(|settled| claim_of(settled));
    let gaps = merged.gaps.iter().map(|gap| gap.as_finding().representative);
    Report {
        stated: Some(Stated::Review(merged.verdict.review)),
        claims: stated.chain(gaps).collect(),
        residual_risks: merged.synthesis.residual_risks.clone(),
        testing_gaps: merged.synthesis.testing_gaps.clone(),
        facts: facts(record, merged),
        ..Report::default()
    }
}

/// Praise has no place in a verdict file.
fn is_stated(settled: &Settled) -> bool {
    settled.finding.severity() != Severity::Praise
}

/// Returns a finding as one claim of its domain, as bad as the worst that was merged into it.
fn claim_of(settled: &Settled) -> Box<Claim> {
    let finding = &settled.finding;
    Box::new(Claim {
        reviewer: Some(finding.domain.clone()),
        severity: finding.severity(),
        status: Some(Status::Open),
        system_breaking: finding.is_system_breaking(),
        support: None,
        ..(*finding.representative).clone()
    })
}

fn facts(record: &Record, merged: &Merged) -> Facts {
    let scope = &record.scope;
    // A repository of SHA-256 has commits that 002 has no place for.
    let commit = |id: &Option<String>| id.as_deref().and_then(|id| CommitSha::new(id).ok());
    Facts {
        review_id: Some(record.review_id.clone()),
        timestamp: Some(record.timestamp.clone()),
        scope: Some(scope.kind),
        target: Some(scope.target.clone()),
        mode: Some(record.mode),
        report_path: record.report_path.clone(),
        title: Some(format!("Review {} of {}", record.review_id, scope.target)),
        reviewed_sha: commit(&scope.head),
        base_sha: commit(&scope.base),
        files_reviewed: Some(scope.files.iter().map(|file| file.path.clone()).collect()),
        re_review_required: Some(false),
        notes: Some(notes::notes(record, merged, None)),
        ..Facts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Outcome, ReviewerKind};
    use crate::record::fixtures::{record, run};

    #[test]
    fn a_file_that_is_in_no_brief_closes_the_gate() {
        let merged = |files: &[&str]| {
            let output = r#"{"findings":[],"residual_risks":[],"testing_gaps":[],"reviewer":"qa"}"#;
            let mut record = record(vec![run("qa", ReviewerKind::Agent, Some(files), output)]);
            record.scope.unreviewed.clear();
            judge(&record).merged
        };
        assert_eq!(merged(&["a.ts", "b.ts"]).verdict.outcome, Outcome::Clear);
        let merged = merged(&["a.ts"]);
        assert_eq!(merged.verdict.outcome, Outcome::Incomplete);
        assert_eq!(merged.gaps[0].what, "qa was not asked about b.ts");
    }
}
