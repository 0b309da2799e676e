//! `code-review`: the verdict file `.code-review/review-latest.json` (000, 003).
//!
//! The seed lets a team agent change `status` and nothing else, so between a mark and the next run `summary` and
//! `verdict` may still count findings marked `fixed` or `wont_fix`. Both readings conform; a verdict never does
//! that leaves out an open finding.

use jury_wire::Reason;
use jury_wire::v1::code_review as wire;

use super::reading::{Claims, Reading};
use super::{Format, Written, json, prose, vocabulary};
use crate::model::{
    Claim, Confidence, Domain, FindingId, LineRange, Location, Mode, RepoPath, Report, ReviewId, ReviewVerdict,
    ScopeKind, Severity, Stated, Status, Tally, Timestamp, mint_ids,
};
use crate::model::{Facts, short_digest};
use crate::syntax::{Fields, Limits, Node, Reader, Source, Span, Unknown};

pub(super) const FORMAT: Format = Format {
    id: "code-review",
    seed: "000, 003",
    what: "the verdict file of the review loop, `.code-review/review-latest.json`",
    extension: "json",
    states_attendance: false,
    recognises: |source| json::has_any_key(source, &["reviewId", "reportPath"]),
    read,
    write: Some(write),
};

/// 000: "max 120 chars".
const LONGEST_TITLE: usize = 120;
/// 000: confidence is 0.50–1.00.
const LOWEST_CONFIDENCE: u32 = 50;
/// The names of the summary, worst severity first.
const SUMMARY: [(&str, Severity); 5] = [
    ("blocker", Severity::Blocker),
    ("high", Severity::High),
    ("medium", Severity::Medium),
    ("low", Severity::Low),
    ("info", Severity::Info),
];

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let mut fields = reader.fields(root)?;
        let mut claims = Claims::default();
        let mut ids = Vec::new();
        let facts = facts(reader, &mut fields);
        let verdict = fields.required(reader, "verdict", |reader, node| {
            json::token(reader, node, ReviewVerdict::ALL, ReviewVerdict::token).map(|verdict| (verdict, node.span))
        });
        let summary = fields.required(reader, "summary", |reader, node| summary(reader, node));
        let findings = fields.required(reader, "findings", Reader::items);
        if let Some(nodes) = findings {
            claims.read_each(reader, nodes, |reader, node| claim(reader, node, &mut ids));
        }
        let is_ambiguous = fields.is_ambiguous();
        fields.end(reader, Unknown::Refuse);
        check_ids(reader, &ids);
        let is_complete = findings.is_some() && claims.are_complete();
        if is_complete {
            check_counts(reader, claims.understood(), summary.as_deref().unwrap_or_default());
        }
        let verdict = verdict.filter(|(verdict, span)| {
            let agrees = agrees(*verdict, claims.understood(), is_complete);
            if !agrees {
                let expected = Tally::of_claims(claims.understood(), |claim| claim.status().stands()).review();
                let message = format!("the verdict is {verdict}, but the findings give {expected}");
                reader.deviate(Reason::VerdictContradiction, *span, message);
            }
            agrees && findings.is_some() && !is_ambiguous
        });
        let header =
            verdict.map(|(verdict, _)| Report { stated: Some(Stated::Review(verdict)), facts, ..Report::default() });
        Some((claims, header))
    })
}

fn facts<'n, 'a>(reader: &mut Reader<'_, 'a>, fields: &mut Fields<'n, 'a>) -> Facts {
    let review_id = fields.required(reader, "reviewId", |reader, node| {
        let text = reader.string(node)?;
        reader.expect(Reason::BadReviewId, node.span, ReviewId::new(text))
    });
    let timestamp = fields.required(reader, "timestamp", |reader, node| {
        let text = reader.string(node)?;
        reader.expect(Reason::BadTimestamp, node.span, Timestamp::new(text))
    });
    let scope =
        fields.required(reader, "scope", |reader, node| json::token(reader, node, ScopeKind::ALL, ScopeKind::token));
    let target = fields.required(reader, "target", Reader::string);
    let mode = fields.required(reader, "mode", |reader, node| json::token(reader, node, Mode::ALL, Mode::token));
    let report_path = fields.required(reader, "reportPath", |reader, node| report_path(reader, node, mode)).flatten();
    Facts {
        review_id,
        timestamp,
        scope,
        target: target.filter(|target| !target.is_empty()).map(str::to_owned),
        mode,
        report_path,
        ..Facts::default()
    }
}

fn report_path<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, mode: Option<Mode>) -> Option<Option<RepoPath>> {
    let text = reader.string(node)?;
    let is_quick = mode == Some(Mode::Quick);
    if mode.is_some() && is_quick != text.is_empty() {
        let message = if is_quick { "a quick check has no report" } else { "only a quick check has no report" };
        reader.deviate(Reason::BadReportPath, node.span, message);
    }
    if text.is_empty() {
        return Some(None);
    }
    reader.expect(Reason::BadPath, node.span, RepoPath::new(text)).map(Some)
}

fn summary<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Vec<(Severity, u64, Span)>> {
    let mut fields = reader.fields(node)?;
    let mut counts = Vec::new();
    for (name, severity) in SUMMARY {
        let count = fields.required(reader, name, json::count);
        counts.extend(count.map(|(count, span)| (severity, count, span)));
    }
    fields.end(reader, Unknown::Refuse);
    Some(counts)
}

/// An id as stated, and the id that it should be if no other finding shares it.
struct StatedId {
    stated: Option<(String, Span)>,
    unshared: FindingId,
}

fn claim<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, ids: &mut Vec<StatedId>) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let id = fields.required(reader, "id", |reader, node| Some((reader.string(node)?, node.span)));
    let domain = fields.required(reader, "domain", json::domain);
    let severity =
        fields.required(reader, "severity", |reader, node| json::severity(reader, node, &vocabulary::VERDICT_FILE));
    let confidence = fields.required(reader, "confidence", confidence);
    let file = fields.required(reader, "file", |reader, node| Some((reader.string(node)?, json::file(reader, node)?)));
    let has_range = fields.get("lineRange").is_some();
    let line_range = fields.optional(reader, "lineRange", |reader, node| {
        let text = reader.string(node)?;
        let lines = reader.expect(Reason::BadLine, node.span, LineRange::parse(text))?;
        if file.as_ref().is_some_and(|(_, file)| file.is_none()) {
            reader.deviate(Reason::BadLine, node.span, "the repository as a whole has no lines");
        }
        Some((text, lines))
    });
    let title = fields.required(reader, "title", |reader, node| json::title(reader, node, LONGEST_TITLE));
    let fix = fields.required(reader, "recommendation", Reader::string);
    let status =
        fields.required(reader, "status", |reader, node| json::token(reader, node, Status::ALL, Status::token));
    let is_usable = fields.end(reader, Unknown::Refuse);
    // An id is not held against parts that are themselves unreadable.
    if let (Some(domain), Some((file, _)), true) = (&domain, &file, has_range == line_range.is_some()) {
        let unshared = FindingId::spelled(domain.as_str(), file, line_range.map(|(text, _)| text));
        ids.push(StatedId { stated: id.map(|(id, span)| (id.to_owned(), span)), unshared });
    }
    if !is_usable {
        return None;
    }
    let (_, file) = file?;
    Some(Claim {
        reviewer: domain,
        confidence,
        location: file.map(|file| Location::new(file, line_range.map(|(_, lines)| lines))),
        fix: fix.filter(|fix| !fix.is_empty()).map(str::to_owned),
        status,
        ..Claim::new(title?, severity?)
    })
}

fn confidence<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Confidence> {
    let text = reader.number(node)?;
    let confidence = Confidence::from_fraction_of_at_least(text, LOWEST_CONFIDENCE);
    let confidence = confidence.map_err(|_| format!("expected 0.50 to 1.00, found {text}"));
    reader.expect(Reason::BadConfidence, node.span, confidence)
}

fn check_ids(reader: &mut Reader<'_, '_>, ids: &[StatedId]) {
    let minted = mint_ids(ids.iter().map(|id| id.unshared.clone()));
    for (id, expected) in ids.iter().zip(minted) {
        if let Some((stated, span)) = &id.stated
            && stated != expected.as_str()
        {
            reader.deviate(Reason::IdMismatch, *span, format!("expected `{expected}`, found {stated:?}"));
        }
    }
}

/// Tells whether a finding may count in a summary or verdict that was written before its status was last changed.
fn may_count(status: Status) -> bool {
    status.stands() || matches!(status, Status::Fixed | Status::WontFix)
}

fn check_counts(reader: &mut Reader<'_, '_>, claims: &[Box<Claim>], summary: &[(Severity, u64, Span)]) {
    let all = Tally::of_claims(claims, |_| true);
    let standing = Tally::of_claims(claims, |claim| claim.status().stands());
    for (severity, stated, span) in summary {
        let (least, most) = (standing.count(*severity) as u64, all.count(*severity) as u64);
        if !(least..=most).contains(stated) {
            let message = format!("the summary counts {stated} {severity}, the findings give {most}");
            reader.deviate(Reason::CountMismatch, *span, message);
        }
    }
}

/// Tells whether a verdict can be the one that 000's table gives. Findings that could not be read may be of any
/// severity, so they can account for a bad verdict, but never for a good one.
fn agrees(
    verdict: ReviewVerdict,
    claims: impl IntoIterator<Item = impl AsRef<Claim>> + Clone,
    is_complete: bool,
) -> bool {
    let must = Tally::of_claims(claims.clone(), |claim| claim.status().stands());
    let may = Tally::of_claims(claims, |claim| may_count(claim.status()));
    let may_have = |severity| !is_complete || may.count(severity) > 0;
    match verdict {
        ReviewVerdict::Pass => must.review() == ReviewVerdict::Pass,
        ReviewVerdict::Warn => must.count(Severity::Blocker) == 0 && may_have(Severity::High),
        ReviewVerdict::Fail | ReviewVerdict::Abort => may_have(Severity::Blocker),
    }
}

fn write(report: &Report) -> Written {
    let (document, kept) = document(report);
    Written { text: json::to_text(&document), kept }
}

/// Returns the verdict file of a report, and the claims that are in it, by index.
pub fn document(report: &Report) -> (wire::ReviewVerdict, Vec<usize>) {
    let (kept, claims): (Vec<usize>, Vec<&Claim>) = report
        .claims()
        .enumerate()
        .filter(|(_, claim)| vocabulary::VERDICT_FILE.word(claim.severity).is_some())
        .unzip();
    let findings = findings(report, &claims);
    let tally = Tally::of_claims(claims.iter().copied(), |claim| claim.status().stands());
    // A verdict of 000 that came in stays as it is while it can be right: an ABORT, or one older than a mark.
    let verdict = match report.stated {
        Some(Stated::Review(stated)) if agrees(stated, claims.iter().copied(), true) => stated,
        _ => tally.review(),
    };
    let count = |severity| tally.count(severity) as u64;
    let facts = &report.facts;
    // Without a report for people this was no full review, so it does not pass for one.
    let (mode, report_path) = match (facts.mode, &facts.report_path) {
        (Some(Mode::Quick), _) | (_, None) => (Mode::Quick, ""),
        (mode, Some(path)) => (mode.unwrap_or(Mode::Full), path.as_str()),
    };
    let document = wire::ReviewVerdict {
        review_id: facts.review_id.as_ref().map_or_else(|| minted_review_id(&findings), ToString::to_string),
        timestamp: facts.timestamp.as_ref().map_or("1970-01-01T00:00:00Z", Timestamp::as_str).to_owned(),
        scope: facts.scope.unwrap_or(ScopeKind::Changeset).token().to_owned(),
        target: facts.target.clone().unwrap_or_default(),
        mode: mode.token().to_owned(),
        verdict: verdict.token().to_owned(),
        summary: wire::Summary {
            blocker: count(Severity::Blocker),
            high: count(Severity::High),
            medium: count(Severity::Medium),
            low: count(Severity::Low),
            info: count(Severity::Info),
        },
        report_path: report_path.to_owned(),
        findings,
    };
    (document, kept)
}

fn findings(report: &Report, claims: &[&Claim]) -> Vec<wire::Finding> {
    let fallback = report.sole_reviewer().map_or("review", Domain::as_str);
    let domain = |claim: &Claim| claim.reviewer.as_ref().map_or(fallback, Domain::as_str).to_owned();
    let lines = |claim: &Claim| claim.location.as_ref().and_then(|l| l.lines).map(|lines| lines.to_string());
    let file = |claim: &Claim| {
        claim.location.as_ref().map_or(FindingId::WHOLE_REPOSITORY, |location| location.file.as_str()).to_owned()
    };
    let ids =
        mint_ids(claims.iter().map(|claim| FindingId::spelled(&domain(claim), &file(claim), lines(claim).as_deref())));
    let least = Confidence::from_percent(LOWEST_CONFIDENCE).expect("50 is a percent");
    claims
        .iter()
        .zip(ids)
        .map(|(claim, id)| {
            let confidence = claim.confidence.or(report.confidence).unwrap_or(Confidence::UNSTATED).max(least);
            wire::Finding {
                id: id.to_string(),
                domain: domain(claim),
                severity: vocabulary::VERDICT_FILE.word(claim.severity).unwrap_or_default().to_owned(),
                confidence: confidence.fraction().parse().expect("a fraction is a number"),
                file: file(claim),
                line_range: lines(claim),
                title: prose::shortened(claim.title.as_str(), LONGEST_TITLE),
                recommendation: claim.fix.clone().unwrap_or_default(),
                status: claim.status().token().to_owned(),
            }
        })
        .collect()
}

/// Derives the id of a review without one from its findings: same findings, same id.
fn minted_review_id(findings: &[wire::Finding]) -> String {
    short_digest(&[&json::to_text(&findings)], 8)
}
