//! A record in; the decision out, with all that led to it. Pure, so that a review and its replay are the same function.
//!
//! Nothing is judged that is not in the record (DESIGN §1, promise 4). Deliberately not here: how a record comes to be.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use jury_wire::v1::code_review::ReviewVerdict;
use jury_wire::v1::record::{Gap as WireGap, Record, Run};

use crate::config;
use crate::coverage::Coverage;
use crate::dispatch::{Answer, Heard, ROOT, Reviewer, Unanswered};
use crate::formats::{self, Format};
use crate::intake;
use crate::merge::{self, Asked, Merged, Output};
use crate::model::{
    AcceptWontFix, Change, Claim, CommitSha, Day, Domain, Facts, Gap, GapKind, LineRange, Mode, Policy, RepoPath,
    Report, ReviewId, ReviewerKind, ScopeKind, Side, Spent, Stated, Status, Timestamp, Usage, Waiver,
};
use crate::syntax::Limits;
use crate::synthesis::{Options, Settled};

/// The format of the verdict file.
const VERDICT_FILE: &str = "code-review";

/// What a record comes to.
pub struct Judgement {
    /// What the reviewers say together, and the verdict.
    pub merged: Merged,
    /// The same as one report, with every gap as a claim: what the verdict file and the report for people are written from.
    pub report: Report,
    /// The verdict file.
    pub file: ReviewVerdict,
}

/// Why a record cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record's {member} cannot be used: {what}")]
pub struct RecordError {
    /// Which member of the record.
    pub member: &'static str,
    /// What is wrong with it.
    pub what: String,
}

impl Judgement {
    /// Finds a finding of the verdict file by its id, as synthesis settled it. A gap was never settled.
    pub fn settled(&self, id: &str) -> Option<&Settled> {
        let index = self.file.findings.iter().position(|finding| finding.id == id)?;
        let shown = self.merged.synthesis.findings.iter().filter(|settled| is_stated(settled));
        shown.into_iter().nth(index).map(|settled| &**settled)
    }
}

/// Judges what a record holds.
pub fn judge(record: &Record) -> Result<Judgement, RecordError> {
    let change = change(record)?;
    let tree = cited(record)?;
    let policy = policy(record)?;
    let waivers = waivers(record)?;
    let names: Vec<Domain> = record.runs.iter().map(domain_of).collect::<Result<_, _>>()?;
    let outputs: Vec<Output<'_>> = answered(record)
        .map(|(index, run, output)| {
            let name = &names[index];
            let is_ours = run.kind == ReviewerKind::BuiltIn.token();
            let asked = Asked {
                name: &run.reviewer,
                nonce: run.nonce.as_deref(),
                model: run.model.as_deref(),
                is_again: run.again,
            };
            Ok(Output {
                reviewer: name.clone(),
                bytes: output.as_bytes(),
                from: format_of(run)?,
                is_ours,
                asked: (!is_ours).then_some(asked),
            })
        })
        .collect::<Result<_, RecordError>>()?;
    let options = Options {
        tree: Some(&tree),
        change: Some(&change),
        waivers: &waivers,
        today: Some(Day::of(&parsed("timestamp", Timestamp::new(&record.timestamp))?)),
        ..Options::default()
    };
    let merged = merge::merge(&outputs, &[ROOT], gaps(record, &names)?, &options, &policy, &Limits::default());
    let report = report(record, &merged)?;
    let written = formats::by_id(VERDICT_FILE).and_then(|format| format.write(&report));
    let written = written.expect("the verdict file is a format that can be written");
    let file = serde_json::from_str(&written.text).expect("the verdict file is written as its own type reads it");
    Ok(Judgement { merged, report, file })
}

/// Says what can be told of a result on its own, while others are still asked.
pub(crate) fn heard(reviewer: &dyn Reviewer, result: &Result<Answer, Unanswered>) -> Heard {
    let limits = Limits::default();
    let (text, answer) = match result {
        Ok(answer) => (answer.output.as_str(), Some(answer)),
        Err(Unanswered::Failed { printed: Some(printed), .. }) => (printed.as_str(), None),
        Err(_) => return Heard::default(),
    };
    let is_agent = reviewer.kind() == ReviewerKind::Agent;
    let usage = is_agent.then(|| intake::usage(text.as_bytes(), &limits)).flatten();
    let Some(answer) = answer else { return Heard { usage, ..Heard::default() } };
    let format = reviewer.format().and_then(formats::by_id);
    let taken = intake::take_below(text.as_bytes(), format, &[ROOT], &limits);
    let is_understood = taken.gaps.is_empty() && taken.rejected.is_empty() && !taken.reports.is_empty();
    let is_echoed = answer.nonce.as_deref().is_none_or(|nonce| intake::echoes(text.as_bytes(), nonce, &limits));
    let is_complete = |report: &Report| report.gaps().is_empty() && report.facts.verdict_file.is_none();
    Heard {
        usage,
        is_whole: is_understood && is_echoed && taken.reports.iter().all(is_complete),
        is_unsure: taken.reports.iter().any(merge::is_unsure),
    }
}

/// Sums up what the models took that were asked; `None` if none has said so.
pub fn spent(record: &Record) -> Option<Spent> {
    let usage = |run: &Run| {
        let usage = run.usage?;
        Some(Usage { input: usage.input_tokens, output: usage.output_tokens, cost: usage.cost_micro_dollars })
    };
    let models = [ReviewerKind::Agent, ReviewerKind::Api].map(ReviewerKind::token);
    let is_asked = |run: &&Run| {
        models.contains(&run.kind.as_str()) && !run.cached && run.skipped.is_none() && run.output.is_some()
    };
    let names = |is_said: bool| -> BTreeSet<&str> {
        let runs = record.runs.iter().filter(is_asked).filter(|run| run.usage.is_some() == is_said);
        runs.map(|run| run.reviewer.as_str()).collect()
    };
    let usage = record.runs.iter().filter_map(usage).reduce(Usage::and)?;
    Some(Spent { models: names(true).len().max(1), silent: names(false).len(), usage })
}

/// Returns the runs that count, each with its index and what was printed.
fn answered(record: &Record) -> impl Iterator<Item = (usize, &Run, &str)> {
    let counts = |run: &&Run| run.failure.is_none() && run.skipped.is_none();
    let indexed = record.runs.iter().enumerate().filter(move |(_, run)| counts(run));
    indexed.filter_map(|(index, run)| run.output.as_deref().map(|output| (index, run, output)))
}

/// Returns the runs, by index, whose answers were not understood.
pub fn unheard(record: &Record, merged: &Merged) -> BTreeSet<usize> {
    let indices: Vec<usize> = answered(record).map(|(index, ..)| index).collect();
    merged.unheard.iter().map(|output| indices[*output]).collect()
}

/// Returns what was not obtained, as far as that is known before any output is read.
fn gaps(record: &Record, names: &[Domain]) -> Result<Vec<Gap>, RecordError> {
    let mut gaps = Vec::new();
    for (run, name) in record.runs.iter().zip(names) {
        if run.skipped.is_none() && (run.output.is_none() || run.failure.is_some()) {
            let why = run.failure.as_deref().unwrap_or("it returned nothing");
            gaps.push(dead(name, &run.reviewer, format!("{} did not report: {why}", run.reviewer)));
        }
    }
    for required in &record.policy.required {
        let required = parsed("policy.required", Domain::new(required))?;
        if !names.contains(&required) && !record.runs.iter().any(|run| run.reviewer == required.as_str()) {
            gaps.push(dead(&required, required.as_str(), format!("{required} is required and did not run")));
        }
    }
    gaps.extend(unreviewed(record));
    for (reviewer, paths) in Coverage::holes(record) {
        gaps.push(Gap {
            reviewer: parsed("runs", Domain::new(reviewer))?,
            kind: GapKind::UncoveredHunk,
            what: format!("{reviewer} was not asked about {}", first_of(&paths)),
            remedy: "review again; if that does not help, a person looks at these files".to_owned(),
        });
    }
    for WireGap { reviewer, kind, what, remedy } in &record.gaps {
        let reviewer = parsed("gaps", Domain::new(reviewer))?;
        let kind = GapKind::from_token(kind).ok_or_else(|| refused("gaps", format!("no kind is {kind:?}")))?;
        gaps.push(Gap { reviewer, kind, what: what.clone(), remedy: remedy.clone() });
    }
    Ok(gaps)
}

fn dead(reviewer: &Domain, name: &str, what: String) -> Gap {
    let remedy = format!("make the {name} reviewer run to its end, then review again");
    Gap { reviewer: reviewer.clone(), kind: GapKind::DeadReviewer, what, remedy }
}

/// One gap for each reason why files were not reviewed, with the first few of them.
fn unreviewed(record: &Record) -> Vec<Gap> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for unreviewed in &record.scope.unreviewed {
        by_reason.entry(&unreviewed.why).or_default().push(&unreviewed.path);
    }
    let gap = |(why, paths): (&str, Vec<&str>)| Gap {
        reviewer: Domain::new("scope").expect("the name is a plain word"),
        kind: GapKind::UncoveredHunk,
        what: format!("not looked at ({}): {}", why.replace('-', " "), first_of(&paths)),
        remedy: "a person looks at these files, or they leave the change".to_owned(),
    };
    by_reason.into_iter().map(gap).collect()
}

/// Names the first few paths, and how many more there are.
fn first_of(paths: &[&str]) -> String {
    const MOST: usize = 3;
    let shown = paths.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    let more = paths.len().saturating_sub(MOST);
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

/// Says what stands as one report, with the facts of the review.
fn report(record: &Record, merged: &Merged) -> Result<Report, RecordError> {
    let stated = merged.synthesis.findings.iter().filter(|settled| is_stated(settled)).map(|settled| claim_of(settled));
    let gaps = merged.gaps.iter().map(|gap| gap.as_finding().representative);
    Ok(Report {
        stated: Some(Stated::Review(merged.verdict.review)),
        claims: stated.chain(gaps).collect(),
        residual_risks: merged.synthesis.residual_risks.clone(),
        testing_gaps: merged.synthesis.testing_gaps.clone(),
        facts: facts(record, merged)?,
        ..Report::default()
    })
}

/// Praise has no place in a verdict file.
fn is_stated(settled: &Settled) -> bool {
    settled.finding.severity() != crate::model::Severity::Praise
}

/// Says a finding as one claim of its domain, as bad as the worst that was merged into it.
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

fn facts(record: &Record, merged: &Merged) -> Result<Facts, RecordError> {
    let scope = &record.scope;
    let kind = ScopeKind::from_token(&scope.kind);
    let mode = Mode::from_token(&record.mode);
    let report_path = match record.report_path.as_str() {
        "" => None,
        path => Some(parsed("report_path", RepoPath::new(path))?),
    };
    let files = scope.files.iter().map(|file| parsed("scope.files", RepoPath::new(&file.path)));
    // A repository of SHA-256 has commits that 002 has no place for.
    let commit = |id: &Option<String>| id.as_deref().and_then(|id| CommitSha::new(id).ok());
    Ok(Facts {
        review_id: Some(parsed("review_id", ReviewId::new(&record.review_id))?),
        timestamp: Some(parsed("timestamp", Timestamp::new(&record.timestamp))?),
        scope: Some(kind.ok_or_else(|| refused("scope.kind", format!("no scope is {:?}", scope.kind)))?),
        target: Some(scope.target.clone()),
        mode: Some(mode.ok_or_else(|| refused("mode", format!("no mode is {:?}", record.mode)))?),
        report_path,
        title: Some(format!("Review {} of {}", record.review_id, scope.target)),
        reviewed_sha: commit(&scope.head),
        base_sha: commit(&scope.base),
        files_reviewed: Some(files.collect::<Result<_, _>>()?),
        re_review_required: Some(false),
        notes: Some(notes(record, merged)),
        ..Facts::default()
    })
}

/// What the report for people says beside the findings: who looked, and what is not among them.
fn notes(record: &Record, merged: &Merged) -> String {
    let asked = record.runs.iter().filter(|run| run.skipped.is_none());
    let mut who: Vec<&str> = asked.map(|run| run.reviewer.as_str()).collect();
    // An agent that was given the change in parts is still one.
    who.dedup();
    let mut lines = vec![
        format!("Verdict: {} (tree {}).", merged.verdict.review, record.scope.tree),
        format!("Reviewed by {}, against {}.", who.join(", "), record.scope.base_name),
    ];
    lines.extend(spent(record).map(|spent| {
        let said = spent.to_string();
        format!("{}{}.", said[..1].to_uppercase(), &said[1..])
    }));
    lines.extend(record.runs.iter().filter_map(|run| {
        let why = run.skipped.as_ref()?;
        Some(format!("Skipped: {} ({why}).", run.reviewer))
    }));
    lines.extend(unconfined(record).into_iter().map(|line| format!("{line}.")));
    lines.extend(Coverage::of(record, &unheard(record, merged)).lines());
    lines.extend(record.since.as_ref().map(|since| {
        let still = since.persisting + since.moved;
        let moved = if since.moved == 0 { String::new() } else { format!(" ({} of them moved)", since.moved) };
        format!("Since review {}: {} new, {still} still open{moved}, {} gone.", since.review_id, since.new, since.gone)
    }));
    let synthesis = &merged.synthesis;
    for (list, what) in [
        (&synthesis.pre_existing, "was there before the change"),
        (&synthesis.suppressed, "is not sure enough to be reported"),
        (&synthesis.waived, "was accepted by a person"),
    ] {
        let named = list.iter().map(|settled| {
            let place = settled.finding.representative.location.as_ref();
            let place = place.map(|location| format!(" ({location})")).unwrap_or_default();
            let what =
                settled.ignored().map_or_else(|| format!("{what}."), |why| format!("is ignored by its author: {why}"));
            format!("{}: {}{place} {what}", settled.finding.severity().word(), settled.finding.representative.title)
        });
        lines.extend(named);
    }
    lines.extend(synthesis.residual_risks.iter().map(|risk| format!("Note: {risk}.")));
    lines.join("\n")
}

/// Says of whom it could not be ensured that they write only where they may; one line for each reason.
pub fn unconfined(record: &Record) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (run, why) in record.runs.iter().filter_map(|run| Some((run, run.unconfined.as_ref()?))) {
        let names = by_reason.entry(why).or_default();
        if names.last() != Some(&run.reviewer.as_str()) {
            names.push(&run.reviewer);
        }
    }
    let line = |(why, names): (&str, Vec<&str>)| format!("Writes were not confined ({}): {why}", names.join(", "));
    by_reason.into_iter().map(line).collect()
}

fn change(record: &Record) -> Result<Change, RecordError> {
    let mut change = Change::default();
    for file in &record.scope.files {
        let path = parsed("scope.files", RepoPath::new(&file.path))?;
        change.add_file(path.clone());
        for (side, ranges) in [(Side::Right, &file.after), (Side::Left, &file.before)] {
            for range in ranges {
                change.add_lines(path.clone(), side, parsed("scope.files", LineRange::parse(range))?);
            }
        }
    }
    Ok(change)
}

fn cited(record: &Record) -> Result<BTreeMap<RepoPath, Vec<u8>>, RecordError> {
    let file =
        |(path, text): (&String, &String)| Ok((parsed("cited", RepoPath::new(path))?, text.clone().into_bytes()));
    record.cited.iter().map(file).collect()
}

/// Returns how a record was to be decided.
pub(crate) fn policy(record: &Record) -> Result<Policy, RecordError> {
    let word = &record.policy.block_at;
    let block_at =
        config::severity(word).ok_or_else(|| refused("policy.block_at", format!("no severity is {word:?}")))?;
    let domains = record.policy.abort_domains.iter().map(|name| parsed("policy.abort_domains", Domain::new(name)));
    let accept_wont_fix = AcceptWontFix::from_token(&record.policy.accept_wont_fix)
        .ok_or_else(|| refused("policy.accept_wont_fix", "it is none of the policy's words".to_owned()))?;
    Ok(Policy { block_at, abort_domains: domains.collect::<Result<_, _>>()?, accept_wont_fix })
}

fn waivers(record: &Record) -> Result<Vec<Waiver>, RecordError> {
    let waiver = |waiver: &jury_wire::v1::record::Waiver| {
        let expires = Day::new(&waiver.expires);
        Ok(Waiver {
            finding: waiver.finding.clone(),
            reason: waiver.reason.clone(),
            author: waiver.author.clone(),
            expires: expires.ok_or_else(|| refused("waivers", format!("no day is {:?}", waiver.expires)))?,
        })
    };
    record.waivers.iter().map(waiver).collect()
}

/// Returns what the findings of a run are about.
fn domain_of(run: &Run) -> Result<Domain, RecordError> {
    parsed("runs", Domain::new(run.domain.as_ref().unwrap_or(&run.reviewer)))
}

fn format_of(run: &Run) -> Result<Option<&'static Format>, RecordError> {
    let by_id = |id: &String| formats::by_id(id).ok_or_else(|| refused("runs", format!("no format is {id:?}")));
    run.format.as_ref().map(by_id).transpose()
}

fn parsed<T, E: Display>(member: &'static str, result: Result<T, E>) -> Result<T, RecordError> {
    result.map_err(|error| refused(member, error.to_string()))
}

fn refused(member: &'static str, what: String) -> RecordError {
    RecordError { member, what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::tests::{record, run};
    use crate::model::Outcome;

    #[test]
    fn a_file_that_is_in_no_brief_closes_the_gate() {
        let runs = |files: &[&str]| {
            let output = "{\"findings\":[],\"residual_risks\":[],\"testing_gaps\":[],\"reviewer\":\"qa\"}";
            let mut record =
                record(serde_json::json!([run("qa", "agent", serde_json::json!({"files": files, "output": output}))]));
            record.scope.unreviewed.clear();
            judge(&record).unwrap().merged
        };
        assert_eq!(runs(&["a.ts", "b.ts"]).verdict.outcome, Outcome::Clear);
        let merged = runs(&["a.ts"]);
        assert_eq!(merged.verdict.outcome, Outcome::Incomplete);
        assert_eq!(merged.gaps[0].what, "qa was not asked about b.ts");
    }
}
