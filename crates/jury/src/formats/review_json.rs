//! `review-json`: the review summary of 002. Its rules hold for the Markdown twin as well, which reads and writes
//! through the functions here that take and give single values, claims and whole summaries.
//!
//! A required value that was not stated has one spelling each: a commit of forty zeros, and the file `.` at
//! line 1 for a finding on the change as a whole. A reason, suggestion or note that is blank says nothing.

use jury_wire::Reason;
use jury_wire::v1::review as wire;

use super::reading::{Claims, Reading};
use super::{Format, Written, json, prose, vocabulary};
use crate::model::{
    Approval, Category, Claim, CommitSha, Domain, Facts, FindingId, Line, LineRange, Location, RepoPath, Report,
    Severity, Side, Stated, Tally, Title,
};
use crate::syntax::{Limits, Node, Reader, Source, Span, Unknown};

pub(super) const FORMAT: Format = Format {
    id: "review-json",
    seed: "002",
    what: "the review summary with findings, verdict and blocking count",
    extension: "json",
    states_attendance: false,
    recognises,
    read,
    write: Some(write),
};

/// 002: "max 80 chars".
const LONGEST_SUMMARY: usize = 80;
/// The commit that git itself writes where there is none.
const NO_COMMIT: &str = "0000000000000000000000000000000000000000";
/// The names of the blocking count.
const BLOCKING: [(&str, Severity); 2] = [("critical", Severity::Blocker), ("high", Severity::High)];

/// A lone finding of 002 is recognised too, so that the message names the missing parts of a review.
fn recognises(source: &Source<'_>) -> bool {
    let has = |keys: &[&str]| json::has_any_key(source, keys);
    has(&["reviewed_sha", "base_sha", "blocking_count", "files_reviewed", "re_review_required"])
        || (has(&["category"]) && has(&["location"]))
}

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let mut fields = reader.fields(root)?;
        let mut claims = Claims::default();
        let reviewed_sha = fields.required(reader, "reviewed_sha", commit).flatten();
        let base_sha = fields.required(reader, "base_sha", commit).flatten();
        let files_reviewed = fields.required(reader, "files_reviewed", files);
        let findings = fields.required(reader, "findings", Reader::items);
        if let Some(nodes) = findings {
            let mut nth = 0;
            claims.read_each(reader, nodes, |reader, node| {
                nth += 1;
                claim(reader, node, nth)
            });
        }
        let verdict = fields.required(reader, "verdict", verdict);
        let counts = fields.required(reader, "blocking_count", blocking_count).unwrap_or_default();
        let re_review_required = fields.required(reader, "re_review_required", Reader::boolean);
        let notes = fields.optional(reader, "reviewer_notes", Reader::string).and_then(said);
        let is_ambiguous = fields.is_ambiguous();
        fields.end(reader, Unknown::Refuse);
        let stated = findings.and_then(|_| check(reader, &claims, verdict, &counts));
        let facts = Facts { reviewed_sha, base_sha, files_reviewed, re_review_required, notes, ..Facts::default() };
        let stated = stated.filter(|_| !is_ambiguous);
        Some((claims, stated.map(|stated| Report { stated: Some(stated), facts, ..Report::default() })))
    })
}

/// Reads a commit; forty zeros say that it is not known.
pub(super) fn commit<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<CommitSha>> {
    let text = reader.string(node)?;
    let commit = reader.expect(Reason::BadCommitSha, node.span, CommitSha::new(text))?;
    Some((commit.as_str() != NO_COMMIT).then_some(commit))
}

/// Reads the files that were reviewed; `None` if any of them is no path.
pub(super) fn files<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Vec<RepoPath>> {
    let items = reader.items(node)?;
    let files: Vec<Option<RepoPath>> = items
        .iter()
        .map(|item| {
            let text = reader.string(item)?;
            reader.expect(Reason::BadPath, item.span, RepoPath::new(text))
        })
        .collect();
    files.into_iter().collect()
}

/// Reads the verdict and its place.
pub(super) fn verdict<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<(Approval, Span)> {
    json::token(reader, node, Approval::ALL, Approval::token).map(|verdict| (verdict, node.span))
}

/// A severity, how often the document says that it occurs, and where it says so.
pub(super) type StatedCount = (Severity, u64, Span);

/// Reads how many findings block.
pub(super) fn blocking_count<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Vec<StatedCount>> {
    let mut fields = reader.fields(node)?;
    let mut counts = Vec::new();
    for (name, severity) in BLOCKING {
        let count = fields.required(reader, name, json::count);
        counts.extend(count.map(|(count, span)| (severity, count, span)));
    }
    fields.end(reader, Unknown::Refuse);
    Some(counts)
}

/// Returns a text that says something.
pub(super) fn said(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// Reads the `nth` finding of the review, counted from 1.
pub(super) fn claim<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, nth: usize) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let opening = Span::new(fields.span().start, fields.span().start + 1);
    fields.required(reader, "id", |reader, node| id(reader, node, nth));
    let severity =
        fields.required(reader, "severity", |reader, node| json::severity(reader, node, &vocabulary::REVIEW));
    let category =
        fields.required(reader, "category", |reader, node| json::token(reader, node, Category::ALL, Category::token));
    let location = fields.required(reader, "location", location);
    let title = fields.required(reader, "summary", summary);
    let reason_span = fields.get("reason").map_or(opening, |node| node.span);
    let why = fields.optional(reader, "reason", Reader::string).and_then(said);
    let evidence = fields.required(reader, "evidence", |reader, node| {
        let evidence = said(reader.string(node)?);
        if evidence.is_none() {
            reader.deviate(Reason::EvidenceRequired, node.span, "expected code or an observation, found a blank");
        }
        evidence
    });
    let fix = fields.optional(reader, "suggestion", Reader::string).and_then(said);
    if why.is_none() && severity.is_some_and(is_blocking) {
        reader.deviate(Reason::ReasonRequired, reason_span, "a Critical or High finding needs a reason");
    }
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    Some(Claim {
        location: location?,
        category,
        why,
        evidence: evidence.into_iter().collect(),
        fix,
        ..Claim::new(title?, severity?)
    })
}

/// 002: "Sequential within review: F001, F002, ...".
fn spelled_id(nth: usize) -> String {
    format!("F{nth:03}")
}

fn id<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, nth: usize) -> Option<()> {
    let stated = reader.string(node)?;
    let expected = spelled_id(nth);
    if stated != expected {
        reader.deviate(Reason::IdSequence, node.span, format!("expected `{expected}`, found {stated:?}"));
    }
    Some(())
}

fn location<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Location>> {
    let mut fields = reader.fields(node)?;
    let file = fields.required(reader, "file", json::file);
    let line =
        |reader: &mut Reader<'_, 'a>, node: &Node<'a>| json::line(reader, node).map(|number| (number, node.span));
    let start = fields.required(reader, "line_start", line);
    let end = fields.optional(reader, "line_end", line);
    let side = fields.optional(reader, "side", |reader, node| json::token(reader, node, Side::ALL, Side::token));
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    let start = start?;
    let (end, end_span) = end.unwrap_or(start);
    let lines = reader.expect(Reason::BadLine, end_span, LineRange::new(start.0, end))?;
    let Some(file) = file? else {
        if lines != LineRange::single(Line::FIRST) {
            reader.deviate(Reason::BadLine, start.1, "the repository as a whole has no lines; its line is 1");
        }
        return Some(None);
    };
    Some(Some(Location { side: side.unwrap_or(Side::Right), ..Location::new(file, Some(lines)) }))
}

fn summary<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Title> {
    let title = json::title(reader, node, LONGEST_SUMMARY)?;
    if title.as_str().contains(is_line_break) {
        reader.deviate(Reason::NotOneLine, node.span, "expected one line, found a line break");
    }
    Some(title)
}

/// Tells whether a character ends a line in any system.
fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blocking(severity: Severity) -> bool {
    severity.is_at_least(Severity::High)
}

/// Checks the counts and the verdict of the document against its findings. Returns the verdict if it is reliable.
pub(super) fn check(
    reader: &mut Reader<'_, '_>,
    claims: &Claims,
    verdict: Option<(Approval, Span)>,
    counts: &[StatedCount],
) -> Option<Stated> {
    let tally = Tally::of_claims(claims.understood(), |_| true);
    for (severity, stated, span) in counts.iter().filter(|_| claims.are_complete()) {
        let found = tally.count(*severity) as u64;
        if *stated != found {
            let word = vocabulary::REVIEW.word(*severity).unwrap_or_default();
            let message = format!("the review counts {stated} {word}, the findings give {found}");
            reader.deviate(Reason::CountMismatch, *span, message);
        }
    }
    let (verdict, span) = verdict?;
    // A rejected finding could have called for changes, so only a complete list shows which milder verdict is right.
    let is_certain = claims.are_complete() || tally.approval() == Approval::ChangesRequested;
    if is_certain && !agrees(verdict, &tally) {
        let message = format!("the verdict is {verdict}, but the findings give {}", tally.approval());
        reader.deviate(Reason::VerdictContradiction, span, message);
        return None;
    }
    Some(Stated::Approval(verdict))
}

/// 002, "Verdict Logic": the verdict of the findings, or APPROVED where they give COMMENTED ("reviewer may upgrade").
fn agrees(verdict: Approval, tally: &Tally) -> bool {
    verdict == tally.approval() || (verdict, tally.approval()) == (Approval::Approved, Approval::Commented)
}

fn write(report: &Report) -> Written {
    let (document, kept) = summary_of(report);
    Written { text: json::to_text(&document), kept }
}

/// Says a report as a review summary, and which claims it states.
pub(super) fn summary_of(report: &Report) -> (wire::ReviewSummary, Vec<usize>) {
    let (kept, claims): (Vec<usize>, Vec<&Claim>) =
        report.claims().enumerate().filter(|(_, claim)| claim.status().is_unsettled()).unzip();
    let tally = Tally::of_claims(claims.iter().copied(), |_| true);
    let verdict = match report.stated {
        Some(Stated::Approval(stated)) if agrees(stated, &tally) => stated,
        _ => tally.approval(),
    };
    let commit = |commit: &Option<CommitSha>| commit.as_ref().map_or(NO_COMMIT, CommitSha::as_str).to_owned();
    let facts = &report.facts;
    let reviewer = report.sole_reviewer();
    let document = wire::ReviewSummary {
        reviewed_sha: commit(&facts.reviewed_sha),
        base_sha: commit(&facts.base_sha),
        files_reviewed: facts.files_reviewed.iter().flatten().map(ToString::to_string).collect(),
        findings: claims.iter().enumerate().map(|(index, claim)| finding(claim, index + 1, reviewer)).collect(),
        verdict: verdict.token().to_owned(),
        blocking_count: wire::BlockingCount {
            critical: tally.count(Severity::Blocker) as u64,
            high: tally.count(Severity::High) as u64,
        },
        re_review_required: facts.re_review_required.unwrap_or(false),
        reviewer_notes: facts.notes.as_deref().and_then(said),
    };
    (document, kept)
}

fn finding(claim: &Claim, nth: usize, reviewer: Option<&Domain>) -> wire::Finding {
    let title = claim.title.as_str();
    let category = claim.category.or_else(|| claim.reviewer.as_ref().or(reviewer).map(category_of));
    let reason = claim.why.as_deref().and_then(said);
    wire::Finding {
        id: spelled_id(nth),
        severity: vocabulary::REVIEW.word(claim.severity).expect("002 has a word for every severity").to_owned(),
        category: category.unwrap_or(Category::Logic).token().to_owned(),
        location: wire_location(claim.location.as_ref()),
        summary: prose::shortened(&on_one_line(title), LONGEST_SUMMARY),
        reason: reason.or_else(|| is_blocking(claim.severity).then(|| title.to_owned())),
        evidence: said(&claim.evidence.join("\n")).unwrap_or_else(|| title.to_owned()),
        suggestion: claim.fix.as_deref().and_then(said),
    }
}

fn wire_location(location: Option<&Location>) -> wire::Location {
    let lines = location.and_then(|location| location.lines).unwrap_or(LineRange::single(Line::FIRST));
    wire::Location {
        file: location.map_or(FindingId::WHOLE_REPOSITORY, |location| location.file.as_str()).to_owned(),
        line_start: lines.start().get(),
        line_end: lines.end_if_longer().map(Line::get),
        side: Some(location.map_or(Side::Right, |location| location.side).token().to_owned()),
    }
}

/// Joins the lines of a title. One that is a single line stays as it is, its white space included.
fn on_one_line(title: &str) -> String {
    if !title.contains(is_line_break) {
        return title.to_owned();
    }
    let lines: Vec<&str> = title.split(is_line_break).map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

/// The category that is obvious from the reviewer; without one, the defect is one of behaviour.
fn category_of(reviewer: &Domain) -> Category {
    let name = reviewer.as_str().to_ascii_lowercase();
    match name.as_str() {
        name if name.contains("security") => Category::Security,
        name if name.contains("performance") => Category::Perf,
        name if name.starts_with("test") || name == "qa" => Category::Test,
        "docs" | "documentation" => Category::Doc,
        name if name.contains("type") => Category::Type,
        "maintainability" | "style" => Category::Style,
        _ => Category::Logic,
    }
}
