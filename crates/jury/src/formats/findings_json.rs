//! `findings-json`: reviewer findings with anchored confidence (004), artifact and compact tier.
//!
//! A document is of the artifact tier if every finding has its detail (`why_it_matters`, `evidence`); one that leaves
//! any of it out is read as compact (004, `_meta.return_tiers`). The seed allows further members, and so does
//! this: those about the support for a finding are read and written, the rest is passed over.

use jury_wire::Reason;
use jury_wire::v1::findings as wire;
use serde_json::{Map, Value as Json};

use super::reading::{Claims, Reading};
use super::{Format, Written, json, prose, vocabulary};
use crate::model::{
    Attendance, AutofixClass, Claim, Confidence, Domain, Facts, FindingId, Line, LineRange, Location, Owner, RepoPath,
    Report, Reviewer, Support, Title, whole_number,
};
use crate::syntax::{Fields, Limits, Node, Reader, Source, Unknown, Value, json as syntax};

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
/// The prefix of a weakness's number.
const WEAKNESS: &str = "CWE-";
/// The value of a stamp without a reference.
const STAMPED: &str = "true";
/// 004: the five anchors.
const ANCHORS: [i64; 5] = [0, 25, 50, 75, 100];

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, document)
}

/// Reads the returns of several reviewers in one array, each with its place; nothing unless all of them conform.
pub fn returns<'s, 'a>(source: &'s Source<'a>, limits: &Limits) -> Option<Vec<(&'s Node<'a>, Report)>> {
    let Value::Array(items) = &syntax::tree(source, limits).ok()?.value else { return None };
    let mut left = limits.claims;
    let mut read = |node: &'s Node<'a>| {
        let mut reader = Reader::new(source, limits);
        let (claims, header) = document(&mut reader, node)?;
        let reading = claims.end(reader, header);
        left = left.checked_sub(reading.understood())?;
        reading.report.filter(|_| reading.deviations.is_empty()).map(|report| (node, report))
    };
    if items.is_empty() { None } else { items.iter().map(&mut read).collect() }
}

fn document<'a>(reader: &mut Reader<'_, 'a>, root: &Node<'a>) -> Option<(Claims, Option<Report>)> {
    let mut fields = reader.fields(root)?;
    let reviewer = fields.required(reader, "reviewer", json::domain);
    let mut claims = Claims::default();
    let findings = fields.required(reader, "findings", Reader::items);
    if let Some(nodes) = findings {
        claims.read_each(reader, nodes, |reader, node| claim(reader, node, reviewer.as_ref()));
    }
    let residual_risks = fields.required(reader, "residual_risks", Reader::strings).unwrap_or_default();
    let testing_gaps = fields.required(reader, "testing_gaps", Reader::strings).unwrap_or_default();
    let facts = Facts {
        model: said(fields.further("model")),
        independence_verified: truth(fields.further("independence_verified")),
        ..Facts::default()
    };
    let is_ambiguous = fields.is_ambiguous();
    fields.end(reader, Unknown::Allow);
    let reviewers = reviewer
        .map(|name| Reviewer { name, attendance: Attendance::Spoke { verdict: None, confidence: None, file: None } })
        .into_iter()
        .collect();
    // Without the list of findings nothing was reported, which is not the same as an empty list; and of two lists
    // neither is the one.
    let header = findings.filter(|_| !is_ambiguous).map(|_| Report {
        reviewers,
        residual_risks,
        testing_gaps,
        facts,
        ..Report::default()
    });
    Some((claims, header))
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
    let support = support(&fields);
    let rule = said(fields.further("rule"));
    let cwe = weaknesses(fields.further("cwe"));
    let trace = ranges(fields.further("trace"));
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
        rule,
        cwe,
        trace,
        support,
        ..Claim::new(title?, severity?)
    })
}

/// Takes a document of the artifact tier that never was text, as reading its text would; `None` if it breaks the contract.
pub fn stated(document: &wire::Artifact) -> Option<Report> {
    let wire::Artifact { reviewer, findings, residual_risks, testing_gaps, other } = document;
    let name = Domain::new(reviewer).ok()?;
    let claims: Option<Vec<Box<Claim>>> =
        findings.iter().map(|finding| stated_claim(finding, &name).map(Box::new)).collect();
    Some(Report {
        reviewers: vec![Reviewer {
            name,
            attendance: Attendance::Spoke { verdict: None, confidence: None, file: None },
        }],
        claims: claims?,
        residual_risks: residual_risks.clone(),
        testing_gaps: testing_gaps.clone(),
        facts: Facts {
            model: other.get("model").and_then(said_value),
            independence_verified: other.get("independence_verified").and_then(Json::as_bool),
            ..Facts::default()
        },
        ..Report::default()
    })
}

fn stated_claim(finding: &wire::Detailed, reviewer: &Domain) -> Option<Claim> {
    /// The members beside the contract's own that built-in reviewers state.
    const KNOWN: [&str; 6] = ["rule", "cwe", "trace", "source", "ignored", "ignored_at"];
    let wire::Detailed { merge, why_it_matters, evidence, other } = finding;
    if evidence.is_empty()
        || !ANCHORS.contains(&i64::from(merge.confidence))
        || other.keys().any(|member| !KNOWN.contains(&member.as_str()))
    {
        return None;
    }
    let line = LineRange::single(Line::new(i64::from(merge.line)).ok()?);
    let location = match merge.file.as_str() {
        FindingId::WHOLE_REPOSITORY => None,
        file => Some(Location::new(RepoPath::new(file).ok()?, Some(line))),
    };
    let ignored = other.get("ignored").and_then(said_value);
    let ignored_at = other.get("ignored_at").and_then(stated_line);
    Some(Claim {
        reviewer: Some(reviewer.clone()),
        confidence: Some(Confidence::from_percent(merge.confidence).ok()?),
        location,
        why: Some(why_it_matters.clone()),
        evidence: evidence.clone(),
        fix: merge.suggested_fix.clone(),
        autofix: Some(AutofixClass::from_token(&merge.autofix_class)?),
        owner: Some(Owner::from_token(&merge.owner)?),
        requires_verification: Some(merge.requires_verification),
        pre_existing: Some(merge.pre_existing),
        rule: other.get("rule").and_then(said_value),
        cwe: stated_weaknesses(other.get("cwe")),
        trace: stated_ranges(other.get("trace")),
        support: (ignored.is_some() || ignored_at.is_some())
            .then(|| Box::new(Support { ignored, ignored_at, ..Support::default() })),
        ..Claim::new(Title::new(&merge.title).ok()?, vocabulary::FINDINGS.severity(&merge.severity)?)
    })
}

fn said_value(value: &Json) -> Option<String> {
    value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn stated_weaknesses(value: Option<&Json>) -> Vec<u32> {
    let number = |value: &Json| value.as_str()?.strip_prefix(WEAKNESS)?.parse().ok().filter(|number: &u32| *number > 0);
    let numbers: Option<Vec<u32>> = match value {
        Some(Json::Array(items)) => items.iter().map(number).collect(),
        value => value.and_then(number).map(|number| vec![number]),
    };
    let mut numbers = numbers.unwrap_or_default();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn stated_line(value: &Json) -> Option<Line> {
    Line::new(value.as_i64()?).ok()
}

fn stated_ranges(value: Option<&Json>) -> Vec<LineRange> {
    let range = |value: &Json| match value.as_array().map(Vec::as_slice) {
        Some([first, last]) => LineRange::new(stated_line(first)?, stated_line(last)?).ok(),
        _ => None,
    };
    let ranges = value.and_then(Json::as_array).and_then(|items| items.iter().map(range).collect());
    LineRange::joined(ranges.unwrap_or_default())
}

/// Reads the members about the support for a finding. The seed does not name them, so one of another type is not
/// a deviation; it is ignored.
fn support(fields: &Fields<'_, '_>) -> Option<Box<Support>> {
    let support = Support {
        reviewers: names(fields.further("reviewers")),
        independent_reviewers: names(fields.further("independent_reviewers")),
        independence_verified: truth(fields.further("independence_verified")),
        promoted: truth(fields.further("promoted")),
        settled_conflict: fields.further("settled_conflict").and_then(stamp),
        first_evidence: said(fields.further("first_evidence")),
        ignored: said(fields.further("ignored")),
        ignored_at: fields.further("ignored_at").and_then(line_number),
    };
    (support != Support::default()).then(|| Box::new(support))
}

/// Reads a text that says something.
fn said(node: Option<&Node<'_>>) -> Option<String> {
    match &node?.value {
        Value::String(text) if !text.trim().is_empty() => Some(text.to_string()),
        _ => None,
    }
}

/// Reads weaknesses, as `"CWE-89"` or a list of these; an invalid item makes the list empty.
fn weaknesses(node: Option<&Node<'_>>) -> Vec<u32> {
    let number = |node: &Node<'_>| match &node.value {
        Value::String(text) => text.strip_prefix(WEAKNESS)?.parse().ok().filter(|number| *number > 0),
        _ => None,
    };
    let numbers: Option<Vec<u32>> = match node.map(|node| &node.value) {
        Some(Value::Array(items)) => items.iter().map(number).collect(),
        _ => node.and_then(number).map(|number| vec![number]),
    };
    let mut numbers = numbers.unwrap_or_default();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn line_number(node: &Node<'_>) -> Option<Line> {
    match &node.value {
        Value::Number(text) => Line::new(whole_number(text)?).ok(),
        _ => None,
    }
}

/// Reads ranges of lines, each as `[first, last]`; an invalid item makes the list empty.
fn ranges(node: Option<&Node<'_>>) -> Vec<LineRange> {
    let range = |node: &Node<'_>| match &node.value {
        Value::Array(ends) => match ends.as_slice() {
            [first, last] => LineRange::new(line_number(first)?, line_number(last)?).ok(),
            _ => None,
        },
        _ => None,
    };
    let ranges: Option<Vec<LineRange>> = match node.map(|node| &node.value) {
        Some(Value::Array(items)) => items.iter().map(range).collect(),
        _ => None,
    };
    LineRange::joined(ranges.unwrap_or_default())
}

fn truth(node: Option<&Node<'_>>) -> Option<bool> {
    match node?.value {
        Value::Bool(value) => Some(value),
        _ => None,
    }
}

/// Reads a list of reviewers; one name that is none makes the list say nothing.
fn names(node: Option<&Node<'_>>) -> Vec<Domain> {
    let Some(Value::Array(items)) = node.map(|node| &node.value) else { return Vec::new() };
    let name = |item: &Node<'_>| match &item.value {
        Value::String(text) => Domain::new(text).ok(),
        _ => None,
    };
    items.iter().map(name).collect::<Option<_>>().unwrap_or_default()
}

/// Reads a stamp: a text that names the conflict, or anything else that is not empty. It keeps a finding from being
/// suppressed, so an unusual spelling still counts.
pub(crate) fn stamp(node: &Node<'_>) -> Option<String> {
    match &node.value {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) => (!text.trim().is_empty()).then(|| text.to_string()),
        Value::Array(items) => (!items.is_empty()).then(|| STAMPED.to_owned()),
        Value::Object(members) => (!members.is_empty()).then(|| STAMPED.to_owned()),
        Value::Bool(true) | Value::Number(_) => Some(STAMPED.to_owned()),
    }
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
            other: further_members(claim),
        });
    }
    let document = wire::Findings {
        reviewer,
        findings,
        residual_risks: report.residual_risks.clone(),
        testing_gaps: report.testing_gaps.clone(),
        other: members([
            ("model", words(&report.facts.model)),
            ("independence_verified", report.facts.independence_verified.map(Json::from)),
        ]),
    };
    Written { text: json::to_text(&document), kept }
}

/// Collects the members that have something to say.
fn members<const N: usize>(members: [(&str, Option<Json>); N]) -> Map<String, Json> {
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn words(text: &Option<String>) -> Option<Json> {
    text.as_deref().filter(|text| !text.trim().is_empty()).map(Json::from)
}

/// Writes the members that this reads and the seed does not name.
fn further_members(claim: &Claim) -> Map<String, Json> {
    let weaknesses: Vec<String> = claim.cwe.iter().map(|number| format!("{WEAKNESS}{number}")).collect();
    let mut further = claim.support.as_deref().map(support_members).unwrap_or_default();
    further.extend(members([
        ("rule", words(&claim.rule)),
        ("cwe", (!weaknesses.is_empty()).then(|| Json::from(weaknesses))),
        ("trace", (!claim.trace.is_empty()).then(|| claim.trace.iter().map(ends).collect())),
    ]));
    further
}

fn ends(lines: &LineRange) -> Json {
    Json::from(vec![lines.start().get(), lines.end().get()])
}

fn support_members(support: &Support) -> Map<String, Json> {
    let names = |names: &[Domain]| -> Option<Json> {
        (!names.is_empty()).then(|| names.iter().map(Domain::as_str).collect::<Vec<_>>().into())
    };
    members([
        ("reviewers", names(&support.reviewers)),
        ("independent_reviewers", names(&support.independent_reviewers)),
        ("independence_verified", support.independence_verified.map(Json::from)),
        ("promoted", support.promoted.map(Json::from)),
        ("settled_conflict", words(&support.settled_conflict)),
        ("first_evidence", words(&support.first_evidence)),
        ("ignored", words(&support.ignored)),
        ("ignored_at", support.ignored_at.map(|line| Json::from(line.get()))),
    ])
}

fn merge_tier(claim: &Claim, severity: &str) -> wire::MergeTier {
    let location = claim.location.as_ref();
    wire::MergeTier {
        title: prose::shortened(claim.title.as_str(), LONGEST_TITLE),
        severity: severity.to_owned(),
        file: location.map_or(FindingId::WHOLE_REPOSITORY, |location| location.file.as_str()).to_owned(),
        line: location.and_then(|location| location.lines).map_or(Line::FIRST, LineRange::start).get(),
        // Values that the reviewer did not state are filled in with care: nothing is fixed or passed unasked. The owner is
        // never `human`, which would turn a P0 into an ABORT that no reviewer asked for.
        autofix_class: claim.autofix.unwrap_or(AutofixClass::Manual).token().to_owned(),
        owner: claim.owner.unwrap_or(Owner::DownstreamResolver).token().to_owned(),
        requires_verification: claim.requires_verification.unwrap_or(true),
        suggested_fix: claim.fix.clone(),
        confidence: claim.confidence.unwrap_or(Confidence::UNSTATED).anchor(),
        pre_existing: claim.pre_existing.unwrap_or(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(members: &str, further: &str) -> Reading {
        let text = format!(
            r#"{{"reviewer":"qa","findings":[{{"title":"t","severity":"P1","file":"a","line":1,"autofix_class":"manual",
            "owner":"human","requires_verification":true,"confidence":75,"pre_existing":false{members}}}],
            "residual_risks":[],"testing_gaps":[]{further}}}"#
        );
        FORMAT.read(text.as_bytes(), &Limits::default())
    }

    #[test]
    fn what_stands_behind_a_finding_is_read_and_written_back() {
        let reading = read(
            r#","reviewers":["a","b"],"independent_reviewers":["a"],"independence_verified":true,"promoted":false,
            "settled_conflict":"D-1","first_evidence":"x()","ignored":"ours","ignored_at":4,"rule":"sql-injection","cwe":"CWE-89",
            "trace":[[9,12],[5,5],[6,7]]"#,
            r#","model":"claude-x","independence_verified":false"#,
        );
        assert!(reading.is_conforming());
        let report = reading.report.unwrap();
        let support = report.claims[0].support.as_deref().unwrap();
        assert_eq!((support.reviewers.len(), support.promoted), (2, Some(false)));
        assert_eq!(report.facts.model.as_deref(), Some("claude-x"));
        assert_eq!(
            (report.claims[0].rule.as_deref(), report.claims[0].cwe.as_slice()),
            (Some("sql-injection"), [89].as_slice())
        );
        let trace: Vec<String> = report.claims[0].trace.iter().map(ToString::to_string).collect();
        assert_eq!((trace, support.ignored_at.map(Line::get)), (vec!["5-7".to_owned(), "9-12".to_owned()], Some(4)));
        let written = write(&report).text;
        assert_eq!(FORMAT.read(written.as_bytes(), &Limits::default()).report, Some(report));
    }

    #[test]
    fn members_of_other_types_say_nothing_and_break_nothing() {
        let reading = read(
            r#","reviewers":["a",1],"independent_reviewers":"a","independence_verified":"yes","promoted":1,
            "settled_conflict":false,"first_evidence":[" "],"ignored":true,"ignored_at":0,"rule":7,"cwe":["CWE-89","SQL"],
            "trace":[[1,2],[3]]"#,
            r#","model":{"name":"x"}"#,
        );
        assert!(reading.is_conforming());
        let report = reading.report.unwrap();
        assert_eq!((report.claims[0].support.as_deref(), report.facts.model), (None, None));
        assert_eq!((report.claims[0].rule.as_deref(), report.claims[0].cwe.len()), (None, 0));
        assert_eq!(report.claims[0].trace, []);
        let stamped = read(r#","settled_conflict":{"id":"D-1"}"#, "").report.unwrap();
        assert_eq!(stamped.claims[0].settled_conflict(), Some(STAMPED));
    }
}
