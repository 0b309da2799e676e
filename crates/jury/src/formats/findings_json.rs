//! `findings-json`: reviewer findings with anchored confidence (004), artifact and compact tier.
//!
//! A document is of the artifact tier if every finding has its detail (`why_it_matters`, `evidence`); one that leaves
//! any of it out is read as compact (004, `_meta.return_tiers`). The seed allows further members, and so does this.

use jury_wire::Reason;
use jury_wire::v1::findings as wire;
use serde_json::Map;

use super::reading::{Claims, Reading};
use super::{Format, Written, json, prose, vocabulary};
use crate::model::{
    Attendance, AutofixClass, Claim, Confidence, Domain, FindingId, Line, LineRange, Location, Owner, Report, Reviewer,
    whole_number,
};
use crate::syntax::{Limits, Node, Reader, Source, Unknown};

pub(super) const FORMAT: Format = Format {
    id: "findings-json",
    seed: "004",
    what: "reviewer findings with anchored confidence, artifact or compact tier",
    extension: "json",
    states_attendance: false,
    recognises: |source| json::has_any_key(source, &["findings", "residual_risks", "testing_gaps", "reviewer"]),
    read,
    write: Some(write),
};

/// 004: `maxLength` of `title`.
const LONGEST_TITLE: usize = 100;
/// 004: the five anchors.
const ANCHORS: [i64; 5] = [0, 25, 50, 75, 100];

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let mut fields = reader.fields(root)?;
        let reviewer = fields.required(reader, "reviewer", json::domain);
        let mut claims = Claims::default();
        let findings = fields.required(reader, "findings", Reader::items);
        if let Some(nodes) = findings {
            claims.read_each(reader, nodes, |reader, node| claim(reader, node, reviewer.as_ref()));
        }
        let residual_risks = fields.required(reader, "residual_risks", Reader::strings).unwrap_or_default();
        let testing_gaps = fields.required(reader, "testing_gaps", Reader::strings).unwrap_or_default();
        let is_ambiguous = fields.is_ambiguous();
        fields.end(reader, Unknown::Allow);
        let reviewers = reviewer
            .map(|name| Reviewer {
                name,
                attendance: Attendance::Spoke { verdict: None, confidence: None, file: None },
            })
            .into_iter()
            .collect();
        // Without the list of findings nothing was reported, which is not the same as an empty list; and of two lists
        // neither is the one.
        let header = findings.filter(|_| !is_ambiguous).map(|_| Report {
            reviewers,
            residual_risks,
            testing_gaps,
            ..Report::default()
        });
        Some((claims, header))
    })
}

fn claim<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, reviewer: Option<&Domain>) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let title = fields.required(reader, "title", |reader, node| json::title(reader, node, LONGEST_TITLE));
    let severity =
        fields.required(reader, "severity", |reader, node| json::severity(reader, node, &vocabulary::FINDINGS));
    let file = fields.required(reader, "file", json::file);
    let line = fields.required(reader, "line", json::line);
    let autofix = fields.required(reader, "autofix_class", |reader, node| {
        json::token(reader, node, AutofixClass::ALL, AutofixClass::token)
    });
    let owner = fields.required(reader, "owner", |reader, node| json::token(reader, node, Owner::ALL, Owner::token));
    let requires_verification = fields.required(reader, "requires_verification", Reader::boolean);
    let fix = fields.nullable(reader, "suggested_fix", Reader::string);
    let confidence = fields.required(reader, "confidence", anchor);
    let pre_existing = fields.required(reader, "pre_existing", Reader::boolean);
    let why = fields.optional(reader, "why_it_matters", Reader::string);
    let evidence = fields.optional(reader, "evidence", |reader, node| {
        let evidence = reader.strings(node)?;
        if evidence.is_empty() {
            reader.deviate(Reason::EvidenceRequired, node.span, "expected at least one item");
            return None;
        }
        Some(evidence)
    });
    if !fields.end(reader, Unknown::Allow) {
        return None;
    }
    Some(Claim {
        reviewer: reviewer.cloned(),
        confidence,
        location: file?.map(|file| Location::new(file, line.map(LineRange::single))),
        why: why.map(str::to_owned),
        evidence: evidence.unwrap_or_default(),
        fix: fix.map(str::to_owned),
        autofix,
        owner,
        requires_verification,
        pre_existing,
        ..Claim::new(title?, severity?)
    })
}

fn anchor<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Confidence> {
    let text = reader.number(node)?;
    let confidence = whole_number(text)
        .filter(|percent| ANCHORS.contains(percent))
        .and_then(|percent| u32::try_from(percent).ok())
        .and_then(|percent| Confidence::from_percent(percent).ok());
    if confidence.is_none() {
        let message = format!("expected one of 0, 25, 50, 75, 100, found {text}");
        reader.deviate(Reason::BadConfidence, node.span, message);
    }
    confidence
}

fn write(report: &Report) -> Written {
    let reviewer = report.sole_reviewer().map_or("review", Domain::as_str).to_owned();
    let mut kept = Vec::new();
    let mut findings = Vec::new();
    for (index, claim) in report.claims.iter().enumerate() {
        let Some(severity) = vocabulary::FINDINGS.word(claim.severity) else { continue };
        if !claim.status().is_unsettled() {
            continue;
        }
        kept.push(index);
        // Each finding carries the detail it has; the document then is of the artifact tier exactly if all have all.
        findings.push(wire::Finding {
            merge: merge_tier(claim, severity),
            why_it_matters: claim.why.clone(),
            evidence: (!claim.evidence.is_empty()).then(|| claim.evidence.clone()),
            other: Map::new(),
        });
    }
    let document = wire::Findings {
        reviewer,
        findings,
        residual_risks: report.residual_risks.clone(),
        testing_gaps: report.testing_gaps.clone(),
        other: Map::new(),
    };
    Written { text: json::to_text(&document), kept }
}

fn merge_tier(claim: &Claim, severity: &str) -> wire::MergeTier {
    let location = claim.location.as_ref();
    wire::MergeTier {
        title: prose::shortened(claim.title.as_str(), LONGEST_TITLE),
        severity: severity.to_owned(),
        file: location.map_or(FindingId::WHOLE_REPOSITORY, |location| location.file.as_str()).to_owned(),
        line: location.and_then(|location| location.lines).map_or(Line::FIRST, LineRange::start).get(),
        // What the reviewer did not say is filled in carefully: nothing is fixed or waved through unasked. The owner is
        // never `human`, which would turn a P0 into an ABORT that nobody called for.
        autofix_class: claim.autofix.unwrap_or(AutofixClass::Manual).token().to_owned(),
        owner: claim.owner.unwrap_or(Owner::DownstreamResolver).token().to_owned(),
        requires_verification: claim.requires_verification.unwrap_or(true),
        suggested_fix: claim.fix.clone(),
        confidence: claim.confidence.unwrap_or(Confidence::UNSTATED).anchor(),
        pre_existing: claim.pre_existing.unwrap_or(false),
    }
}
