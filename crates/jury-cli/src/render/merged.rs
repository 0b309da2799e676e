//! The merged result of several reviewers: the verdict first, then the findings, then the suppressed and rejected claims.

use jury::intake::Intake;
use jury::judge::Merged;
use jury::model::{GateVerdict, Severity};
use jury::synthesis::Settled;
use jury_wire::v1::merge as wire;

use super::style::{BAD, FAINT, GOOD, STRONG};
use super::{Positions, count, inert, painted};
use crate::error::Error;

/// The longest title or text that is shown, in characters.
const LONGEST: usize = 100;

/// How many gaps are shown.
const MOST_GAPS: usize = 20;

/// Says how many gaps are not shown, if any.
pub(super) fn more_gaps(count: usize, shown: usize) -> String {
    let left = count.saturating_sub(shown);
    if left == 0 { String::new() } else { format!("… and {left} more gaps; --format json shows all\n") }
}

/// A document and the name it was given by.
pub(crate) struct Named<'a> {
    /// The path as it was given.
    pub(crate) path: String,
    /// The bytes.
    pub(crate) bytes: &'a [u8],
}

/// Shows the result for people.
pub(crate) fn merged(merged: &Merged, sources: &[Named<'_>]) -> String {
    let verdict = merged.verdict;
    let style = if verdict.gate == GateVerdict::Pass { GOOD } else { BAD };
    let words = format!("{} · {} · {}", verdict.review, verdict.gate, verdict.approval);
    let mut text = format!("{} {}\n", painted(style, &words), painted(FAINT, &format!("({})", verdict.outcome)));
    let synthesis = &merged.synthesis;
    for settled in &synthesis.findings {
        text.push_str(&finding(settled));
    }
    for gap in merged.gaps.iter().take(MOST_GAPS) {
        let what = inert::short_line(&gap.what, LONGEST);
        text.push_str(&format!("\n{} {}: {what}\n", painted(BAD, "gap"), inert::line(gap.reviewer.as_str())));
        text.push_str(&format!("    {} {}\n", painted(FAINT, "→"), inert::short_line(&gap.remedy, LONGEST)));
    }
    if merged.gaps.len() > MOST_GAPS {
        text.push_str(&format!("\n{}", more_gaps(merged.gaps.len(), MOST_GAPS)));
    }
    let is_pre_existing = |settled: &Settled| settled.finding.representative.pre_existing == Some(true);
    let suppressed = match synthesis.suppressed.iter().filter(|settled| is_pre_existing(settled)).count() {
        0 => "suppressed".to_owned(),
        number => format!("suppressed ({number} pre-existing)"),
    };
    let aside = [
        (synthesis.suppressed.len(), suppressed.as_str()),
        (synthesis.pre_existing.len(), "pre-existing"),
        (synthesis.waived.len(), "waived"),
        (merged.intakes.iter().map(|intake| intake.rejected.len()).sum(), "rejected"),
    ];
    let aside: Vec<String> =
        aside.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    let findings = count(synthesis.findings.len(), "finding", "findings");
    let outputs = count(sources.len(), "output", "outputs");
    text.push_str(&format!("\n{}", painted(STRONG, &format!("{findings} from {outputs}"))));
    text.push_str(&if aside.is_empty() { "\n".to_owned() } else { format!("; {}\n", aside.join(", ")) });
    text
}

fn finding(settled: &Settled) -> String {
    let claim = &settled.finding.representative;
    let severity = settled.finding.severity();
    let style = if severity.is_at_least(Severity::High) { BAD } else { STRONG };
    let title = inert::short_line(claim.title.as_str(), LONGEST);
    let place = claim.location.as_ref().map_or_else(|| "the change as a whole".to_owned(), ToString::to_string);
    let confidence = claim.confidence.map(|confidence| format!(", {confidence}")).unwrap_or_default();
    let reviewers: Vec<&str> = settled.reviewers.iter().map(|name| name.as_str()).collect();
    let mut text = format!("\n{:>3}. {} {title}\n", settled.number, painted(style, severity.word()));
    let facts = format!("{} ({}{confidence})", inert::line(&place), inert::line(&reviewers.join(", ")));
    text.push_str(&format!("     {}\n", painted(FAINT, &facts)));
    if let Some(why) = &claim.why {
        text.push_str(&format!("     {}\n", inert::short_line(why, LONGEST)));
    }
    if let Some(fix) = &claim.fix {
        text.push_str(&format!("     {} {}\n", painted(FAINT, "→"), inert::short_line(fix, LONGEST)));
    }
    text
}

/// Shows the trail of a finding. Numbers are those of the reported findings.
pub(crate) fn trail(merged: &Merged, number: usize) -> Result<String, Error> {
    let findings = &merged.synthesis.findings;
    let settled = number.checked_sub(1).and_then(|index| findings.get(index));
    let settled = settled.ok_or(Error::NoSuchFinding { number, last: findings.len() })?;
    let mut text = finding(settled).trim_start_matches('\n').to_owned();
    let claims = count(settled.origins.len(), "claim", "claims");
    text.push_str(&format!("\n     built from {claims}, fingerprint {}\n", settled.finding.fingerprint.as_str()));
    for entry in &settled.trail {
        text.push_str(&format!("     {}: {}\n", painted(STRONG, entry.step.token()), inert::line(&entry.reason)));
    }
    if settled.trail.is_empty() {
        text.push_str("     merging changed nothing\n");
    }
    Ok(text)
}

/// Says the result for programs.
pub(crate) fn merged_json(merged: Merged, sources: &[Named<'_>]) -> String {
    let synthesis = merged.synthesis;
    let list =
        |settled: Vec<Box<Settled>>| settled.into_iter().map(|settled| wire_finding(*settled)).collect::<Vec<_>>();
    let intakes = || merged.intakes.iter().zip(sources);
    let by_anchor = &synthesis.suppressed_by_confidence;
    let output = wire::Output {
        verdict: wire::Verdict {
            review: merged.verdict.review.to_string(),
            gate: merged.verdict.gate.to_string(),
            approval: merged.verdict.approval.to_string(),
            outcome: merged.verdict.outcome.to_string(),
        },
        findings: list(synthesis.findings),
        suppressed: list(synthesis.suppressed),
        pre_existing: list(synthesis.pre_existing),
        waived: list(synthesis.waived),
        rejected: intakes().flat_map(|(intake, source)| rejected(intake, source)).collect(),
        gaps: merged
            .gaps
            .iter()
            .map(|gap| wire::Gap {
                reviewer: gap.reviewer.to_string(),
                kind: gap.kind.to_string(),
                what: gap.what.clone(),
                remedy: gap.remedy.clone(),
            })
            .collect(),
        repairs: intakes().flat_map(|(intake, source)| repairs(intake, source)).collect(),
        residual_risks: synthesis.residual_risks,
        testing_gaps: synthesis.testing_gaps,
        suppressed_by_confidence: by_anchor.iter().map(|(anchor, number)| (anchor.to_string(), *number)).collect(),
    };
    serde_json::to_string_pretty(&output).expect("strings, numbers and lists are always JSON")
}

/// Lists the rejected claims, for programs.
pub(crate) fn rejected(intake: &Intake, source: &Named<'_>) -> Vec<wire::Rejected> {
    let mut places = Positions::new(source.bytes);
    let rejected = intake.rejected.iter().map(|reject| {
        let position = places.at(reject.span.start);
        wire::Rejected {
            path: source.path.clone(),
            code: reject.reason.code().to_owned(),
            line: position.line,
            column: position.column,
            raw: reject.raw.clone(),
        }
    });
    rejected.collect()
}

/// Lists the repairs, for programs.
pub(crate) fn repairs(intake: &Intake, source: &Named<'_>) -> Vec<wire::Repair> {
    let mut places = Positions::new(source.bytes);
    let repairs = intake.repairs.iter().map(|repair| {
        let position = places.at(repair.span.start);
        wire::Repair {
            path: source.path.clone(),
            code: repair.reason.code().to_owned(),
            line: position.line,
            column: position.column,
            was: repair.was.clone(),
            became: repair.became.clone(),
        }
    });
    repairs.collect()
}

fn wire_finding(settled: Settled) -> wire::Finding {
    let severity = settled.finding.severity();
    let claim = settled.finding.representative;
    let lines = claim.location.as_ref().and_then(|location| location.lines);
    let names = |names: &[jury::model::Domain]| names.iter().map(|name| name.as_str().to_owned()).collect();
    wire::Finding {
        number: settled.number,
        title: claim.title.as_str().to_owned(),
        severity: priority(severity).to_owned(),
        file: claim.location.as_ref().map(|location| location.file.as_str().to_owned()),
        line: lines.map(|lines| lines.start().get()),
        end_line: lines.and_then(|lines| lines.end_if_longer()).map(|line| line.get()),
        confidence: claim.confidence.map(|confidence| confidence.percent()),
        autofix_class: claim.autofix.map(|class| class.token().to_owned()),
        owner: claim.owner.map(|owner| owner.token().to_owned()),
        requires_verification: claim.requires_verification,
        pre_existing: claim.pre_existing.unwrap_or(false),
        reviewers: names(&settled.reviewers),
        independent_reviewers: names(&settled.independent_reviewers),
        evidence: claim.evidence,
        why_it_matters: claim.why,
        suggested_fix: claim.fix,
        fingerprint: settled.finding.fingerprint.as_str().to_owned(),
        trail: settled
            .trail
            .into_iter()
            .map(|entry| wire::Step { step: entry.step.token().to_owned(), what: entry.reason.to_string() })
            .collect(),
    }
}

/// 004's word for a severity; one without a word is the lowest.
fn priority(severity: Severity) -> &'static str {
    match severity {
        Severity::Blocker => "P0",
        Severity::High => "P1",
        Severity::Medium => "P2",
        Severity::Low | Severity::Info | Severity::Praise => "P3",
    }
}
