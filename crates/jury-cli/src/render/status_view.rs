//! The status of a worktree. For programs first; people see text made from the same values.

use std::collections::{BTreeMap, BTreeSet};

use jury::flows::GateView;
use jury::judge::Judgement;
use jury::model::{Outcome, Status};
use jury::record::{Record, Since, TextOnly, Verification};
use jury::store::Current;
use jury::verdict::{Action, FindingState, Match};
use jury_wire::v1::code_review::{Finding, Summary};
use jury_wire::v1::surface as wire;

use super::decided::{decided_lines, wire_decided, wire_refused};
use super::explained::wire_aside;
use super::finding_line::{finding_line, finding_line_at};
use super::gate_view::{ended_lines, wire_ended};
use super::reviewed::{tally, verdict};
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::verified::{asides, wire_verification};
use super::{count, inert, painted};

/// How many findings are shown that the full review left open beside a quick check.
const MOST_LEFT: usize = 20;

/// Says the status for programs.
pub(crate) fn wire_status(
    view: &GateView,
    action: Action,
    judgement: Option<&Judgement>,
    record: Option<&Record>,
) -> wire::Status {
    let since = record.and_then(|record| record.since.as_ref());
    let is_latest = |review: &Current| view.state.latest.as_ref().is_some_and(|latest| latest.record == review.record);
    let of_review = |review: &Current| {
        let file = jury::verdict::recomputed(&review.file);
        wire::Review {
            review_id: file.review_id,
            timestamp: file.timestamp,
            mode: file.mode,
            scope: file.scope,
            target: file.target,
            verdict: file.verdict,
            summary: file.summary,
            report_path: file.report_path,
            findings: file.findings,
            rules: judgement.filter(|_| is_latest(review)).map(rules).unwrap_or_default(),
        }
    };
    let (latest, full) = (view.state.latest.as_ref(), beside(view));
    let changed = match &view.tree {
        Some(Match::Differs(paths)) => paths.clone(),
        _ => Vec::new(),
    };
    wire::Status {
        review: latest.map(of_review),
        full: full.map(of_review),
        gate: view.gate.outcome.token().to_owned(),
        action: action.token().to_owned(),
        aside: judgement.map(wire_aside).unwrap_or_default().into_iter().filter(|aside| aside.count > 0).collect(),
        since: view.state.latest.as_ref().and(since).map(wire_since),
        verification: verification_of(view).map(wire_verification),
        usage: record.and_then(super::wire_usage),
        changed,
        notes: view.state.notes.clone(),
        ended_waivers: view.ended.iter().map(wire_ended).collect(),
        text_only: record.map(text_only).unwrap_or_default(),
        decided: wire_decided(view),
        refused_acceptances: wire_refused(view),
    }
}

/// Returns the rules of the findings of a review.
fn rules(judgement: &Judgement) -> BTreeMap<String, String> {
    let findings = judgement.file.findings.iter();
    let rule = |id: &str| judgement.settled(id)?.finding.representative.rule.clone();
    findings.filter_map(|finding| Some((finding.id.clone(), rule(&finding.id)?))).collect()
}

/// Returns the last full review, if a quick check stands in its place.
fn beside(view: &GateView) -> Option<&Current> {
    let (latest, full) = (view.state.latest.as_ref()?, view.state.full.as_ref()?);
    (latest.record != full.record).then_some(full)
}

/// Shows what the full review left open beside a quick check: its verdict, and what closes the gate. Nothing, if it left nothing.
pub(crate) fn left_open(view: &GateView) -> String {
    let Some(full) = beside(view) else { return String::new() };
    let left: Vec<&FindingState> = view.gate.left().collect();
    if left.is_empty() {
        return String::new();
    }
    let file = jury::verdict::recomputed(&full.file);
    let findings: Vec<&Finding> =
        file.findings.iter().filter(|finding| left.iter().any(|it| it.id == finding.id)).collect();
    let mut text =
        full_line(&file.verdict, &file.summary, &file.findings, &format!("{}, review {}", file.target, file.review_id));
    let gaps = left.iter().filter(|it| it.is_gap).map(|it| it.id.as_str()).collect::<BTreeSet<_>>();
    for finding in findings.iter().take(MOST_LEFT) {
        text.push_str(&finding_line(finding, gaps.contains(finding.id.as_str())));
    }
    if findings.len() > MOST_LEFT {
        text.push_str(&format!("  … and {} more: `jury next` lists them\n", findings.len() - MOST_LEFT));
    }
    text
}

/// The line of the full review beside a quick check.
fn full_line(word: &str, summary: &Summary, findings: &[Finding], what: &str) -> String {
    let tally = painted(STRONG, &format!("{}{}", tally(summary), unverified(findings)));
    // A PASS that rests on marks is no PASS yet.
    let word = if unverified(findings).is_empty() { verdict(word) } else { painted(WARN, "not verified") };
    format!(
        "{} {word}  {tally}  {}\n",
        painted(STRONG, "full review:"),
        painted(FAINT, &inert::line(&format!("({what})")))
    )
}

/// Says how many findings are claimed to be fixed.
fn unverified(findings: &[Finding]) -> String {
    match findings.iter().filter(|finding| finding.status == Status::Fixed.token()).count() {
        0 => String::new(),
        number => format!(", {number} marked fixed (unverified)"),
    }
}

/// Returns the files that were read as text only.
fn text_only(record: &Record) -> Vec<String> {
    let TextOnly { unread, let_pass } = TextOnly::of(record);
    unread.into_iter().chain(let_pass).map(ToString::to_string).collect()
}

/// Returns the result of the last verification of the latest review.
fn verification_of(view: &GateView) -> Option<&Verification> {
    let is_latest = view.state.latest.as_ref().is_some_and(|latest| latest.verified.is_some());
    view.full.as_ref().filter(|_| is_latest)?.verification.as_ref()
}

fn wire_since(since: &Since) -> wire::Since {
    let Since { review_id, new, persisting, moved, gone } = since.clone();
    wire::Since { review_id: review_id.to_string(), new, persisting, moved, gone }
}

/// Shows the status.
pub(crate) fn status(status: &wire::Status, gaps: &BTreeSet<String>) -> String {
    let Some(review) = &status.review else {
        return format!("{}\n{} jury review\n", painted(STRONG, "no review yet"), painted(FAINT, "next:"));
    };
    let what = format!("{} ({}, review {}, {})", review.target, review.mode, review.review_id, review.timestamp);
    // Nothing new is no PASS while the full review has findings open, or the gate is closed for whatever reason.
    let is_left = |finding: &Finding| ["open", "reopened", "fixed"].contains(&finding.status.as_str());
    let is_closed = status.gate != Outcome::Clear.token();
    let is_beside = status.full.as_ref().is_some_and(|full| is_closed || full.findings.iter().any(is_left));
    let word = match review.verdict.as_str() {
        "PASS" if is_beside => painted(STRONG, "quick check:"),
        word => format!("{} ", verdict(word)),
    };
    let mut text = format!(
        "{word} {}  {}\n",
        painted(STRONG, &format!("{}{}", tally(&review.summary), unverified(&review.findings))),
        painted(FAINT, &inert::line(&what))
    );
    if !status.text_only.is_empty() {
        const MOST: usize = 5;
        let paths: Vec<String> = status.text_only.iter().take(MOST).map(|path| inert::line(path)).collect();
        let more = status.text_only.len().saturating_sub(MOST);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        text.push_str(&format!("{} {}{more}\n", painted(WARN, "read as text only:"), paths.join(", ")));
    }
    for finding in &review.findings {
        let rule = review.rules.get(&finding.id).map(String::as_str);
        text.push_str(&finding_line_at(finding, gaps.contains(&finding.id), None, rule));
        let checked = status.verification.iter().flat_map(|verification| &verification.checked);
        let why = checked.filter(|checked| checked.id == finding.id && checked.status == finding.status);
        text.extend(
            why.filter_map(|checked| checked.why.as_deref())
                .map(|why| format!("          {}\n", painted(FAINT, &inert::short_line(why, 200)))),
        );
    }
    if let Some(full) = &status.full {
        let what = format!("{}, review {}", full.target, full.review_id);
        text.push_str(&full_line(&full.verdict, &full.summary, &full.findings, &what));
        let is_settled = |finding: &&Finding| finding.status != Status::Verified.token();
        full.findings.iter().filter(is_settled).for_each(|it| text.push_str(&finding_line(it, gaps.contains(&it.id))));
    }
    if let Some(since) = &status.since {
        let still = since.persisting + since.moved;
        let what = format!("{} new, {still} still open, {} gone", since.new, since.gone);
        text.push_str(&format!("{} {what}\n", painted(FAINT, &format!("since review {}:", since.review_id))));
    }
    text.extend(status.verification.iter().map(asides));
    for aside in &status.aside {
        text.push_str(&format!("{} {} {}\n", painted(FAINT, "set aside:"), aside.count, aside.what));
    }
    text.extend(status.usage.as_ref().map(super::usage_line));
    for note in &status.notes {
        text.push_str(&format!("{} {}\n", painted(FAINT, "note:"), inert::line(note)));
    }
    text.push_str(&decided_lines(&status.decided, &status.refused_acceptances));
    text.push_str(&ended_lines(&status.ended_waivers));
    if !status.changed.is_empty() {
        let number = count(status.changed.len(), "path has", "paths have");
        text.push_str(&format!("{} {number} changed since the last full review\n", painted(BAD, "stale:")));
    }
    let gate = match status.gate.as_str() {
        "clear" => painted(GOOD, "open"),
        "waiting" => painted(WARN, "waiting for a person"),
        _ => painted(BAD, "closed"),
    };
    text.push_str(&format!("{} {gate}   {} {}\n", painted(FAINT, "gate:"), painted(FAINT, "next:"), status.action));
    text
}
