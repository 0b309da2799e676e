//! The notes of the report for people.

use super::{Merged, unheard};
use crate::model::{FailedLook, ReviewVerdict, Waiver};
use crate::record::{Coverage, NotRead, Record, TextOnly};
use crate::synthesis::{IdleWaiver, Synthesis};

/// The most packages that the report lists.
const MOST_PACKAGES: usize = 100;

/// Returns the notes of the report: the reviewers, the coverage, and the suppressed claims. `now` is the verdict that the findings have by
/// now, if the report is a later one.
pub(super) fn notes(record: &Record, merged: &Merged, now: Option<ReviewVerdict>) -> String {
    let asked = record.runs.iter().filter(|run| run.skipped().is_none());
    let mut who: Vec<&str> = asked.map(|run| run.reviewer.as_str()).collect();
    // An agent that was given the change in parts is still one.
    who.dedup();
    let mut lines = vec![
        verdict(record, merged.verdict.review, now),
        format!("Reviewed by {}, against {}.", who.join(", "), record.scope.base_name),
    ];
    lines.extend(TextOnly::of(record).line().map(|line| format!("{}{}.", line[..1].to_uppercase(), &line[1..])));
    lines.extend(NotRead::of(record).lines().iter().map(|line| format!("{}{}.", line[..1].to_uppercase(), &line[1..])));
    lines.extend(record.checks().map(|line| format!("C{}.", &line[1..])));
    lines.extend(merged.assessed.iter().map(|it| {
        let answer = it.answer.token();
        format!("Criterion, {}: {answer}. {}", it.domain, it.text)
    }));
    lines.extend(record.package_lines(MOST_PACKAGES).into_iter().map(|line| format!("Package: {line}.")));
    lines.extend(record.spent().map(|spent| {
        let said = spent.to_string();
        format!("{}{}.", said[..1].to_uppercase(), &said[1..])
    }));
    lines.extend(record.runs.iter().filter_map(|run| {
        let why = run.skipped()?;
        Some(format!("Skipped: {} ({why}).", run.reviewer))
    }));
    lines.extend(record.dependent().into_iter().map(|line| format!("{line}.")));
    lines.extend(record.unconfined().into_iter().map(|line| format!("{line}.")));
    lines.extend(Coverage::of(record, &unheard(record, merged)).lines());
    lines.extend(record.since.as_ref().map(|since| {
        let still = since.persisting + since.moved;
        let moved = if since.moved == 0 { String::new() } else { format!(" ({} of them moved)", since.moved) };
        format!("Since review {}: {} new, {still} still open{moved}, {} gone.", since.review_id, since.new, since.gone)
    }));
    let synthesis = &merged.synthesis;
    for (list, what) in [
        (&synthesis.pre_existing, "is pre-existing"),
        (&synthesis.suppressed, "is below the confidence threshold"),
        (&synthesis.waived, "is waived"),
    ] {
        let named = list.iter().map(|settled| {
            let place = settled.finding.representative.location.as_ref();
            let place = place.map(|location| format!(" ({location})")).unwrap_or_default();
            let grounding = || settled.grounding().map(|why| format!(" ({why})")).unwrap_or_default();
            let what = settled
                .ignored()
                .map_or_else(|| format!("{what}{}.", grounding()), |why| format!("is ignored by its author: {why}"));
            format!("{}: {}{place} {what}", settled.finding.severity().word(), settled.finding.representative.title)
        });
        lines.extend(named);
    }
    lines.extend(synthesis.residual_risks.iter().map(|risk| format!("Note: {risk}.")));
    lines.join("\n")
}

fn verdict(record: &Record, then: ReviewVerdict, now: Option<ReviewVerdict>) -> String {
    let tree = &record.scope.tree;
    match now.filter(|now| *now != then) {
        Some(now) => format!("Verdict of these findings: {now} now, {then} when reviewed (tree {tree})."),
        None => format!("Verdict: {then} (tree {tree})."),
    }
}

/// Returns a note on each waiver that does not count: one that has ended must not look alive.
pub(super) fn idle_waivers(record: &Record, synthesis: &Synthesis) -> Vec<String> {
    let note = |idle: &IdleWaiver| {
        let Waiver { finding, author, .. } = record.waivers.get(idle.waiver_index)?;
        Some(format!("the waiver of {finding} by {author} does not count: {}", idle.reason))
    };
    synthesis.idle_waivers.iter().filter_map(note).collect()
}

/// Returns a note on each reviewer that could not look at the base.
pub(super) fn failed_looks(record: &Record) -> Vec<String> {
    let failed = record.base_look.iter().flat_map(|look| &look.failed);
    let note = |failed: &FailedLook| {
        format!("{} could not look at the base, so its findings count as new: {}", failed.reviewer, failed.why)
    };
    failed.map(note).collect()
}
