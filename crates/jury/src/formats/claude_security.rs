//! `claude-security`: the security review of Claude Code, as the model answers and as its GitHub action prints it.
//! Read, never written.
//!
//! A review that was not completed is no review: its reviewer is missing, with or without findings. The action filters
//! probable false positives and keeps them next to the findings; they are claims with the status `wont_fix`. The
//! counts are the model's own, made before the filter, so they lie between the findings that were kept and all.

use jury_wire::Reason;

use super::reading::{Claims, Reading};
use super::{Format, json, vocabulary};
use crate::model::{
    Attendance, Category, Claim, Domain, LineRange, Location, Report, Reviewer, Severity, Status, Tally,
};
use crate::syntax::{Limits, Node, Reader, Source, Span, Unknown};

pub(super) const FORMAT: Format = Format {
    id: "claude-security",
    seed: "Claude Code",
    what: "the Claude Code security review, or the output of its GitHub action",
    extension: "json",
    states_attendance: true,
    recognises: |source| json::has_any_key(source, &["analysis_summary"]),
    read,
    write: None,
};

/// The counts of the summary.
const COUNTS: [(&str, Severity); 3] =
    [("high_severity", Severity::High), ("medium_severity", Severity::Medium), ("low_severity", Severity::Low)];

type Counts = Vec<(Severity, u64, Span)>;

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let reviewer = Domain::new("security").expect("a short name");
        let mut fields = reader.fields(root)?;
        let mut claims = Claims::default();
        let findings = fields.required(reader, "findings", Reader::items);
        if let Some(nodes) = findings {
            claims.read_each(reader, nodes, |reader, node| claim(reader, node, &reviewer, None));
        }
        let kept = findings.unwrap_or_default().len();
        fields.optional(reader, "filtering_summary", |reader, node| {
            filtering_summary(reader, node, &mut claims, kept, &reviewer)
        });
        let summary = fields.required(reader, "analysis_summary", analysis_summary);
        for name in ["pr_number", "repo"] {
            fields.get(name);
        }
        let is_ambiguous = fields.is_ambiguous();
        fields.end(reader, Unknown::Refuse);
        let (counts, is_completed) = summary.unwrap_or_default();
        if findings.is_some() && claims.are_complete() && !is_ambiguous {
            check_counts(reader, claims.understood(), &counts);
        }
        let attendance = match is_completed {
            true => Attendance::Spoke { verdict: None, confidence: None, file: None },
            false => Attendance::Missing,
        };
        // Without the list of findings nothing was reported, which is not the same as an empty list.
        let header = findings
            .filter(|_| !is_ambiguous)
            .map(|_| Report { reviewers: vec![Reviewer { name: reviewer, attendance }], ..Report::default() });
        Some((claims, header))
    })
}

/// Reads the counts, and whether the review ran to its end; if it does not say so, it did not.
fn analysis_summary<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<(Counts, bool)> {
    let mut fields = reader.fields(node)?;
    fields.required(reader, "files_reviewed", json::count);
    let mut counts = Vec::new();
    for (name, severity) in COUNTS {
        let count = fields.required(reader, name, json::count);
        counts.extend(count.map(|(count, span)| (severity, count, span)));
    }
    let is_completed = fields.required(reader, "review_completed", Reader::boolean);
    let is_ambiguous = fields.is_ambiguous();
    fields.end(reader, Unknown::Refuse);
    Some((counts, is_completed == Some(true) && !is_ambiguous))
}

/// Reads the filtered findings as claims with the status `wont_fix`.
fn filtering_summary<'a>(
    reader: &mut Reader<'_, 'a>,
    node: &Node<'a>,
    claims: &mut Claims,
    kept: usize,
    reviewer: &Domain,
) -> Option<()> {
    let mut fields = reader.fields(node)?;
    let excluded = fields.required(reader, "excluded_findings_details", Reader::items);
    for node in excluded.unwrap_or_default() {
        // One that was left out for its directory stands there bare, the others with the reason.
        let finding = node.get("finding").unwrap_or(node);
        claims.read_one(reader, node.span, |reader| claim(reader, finding, reviewer, Some(Status::WontFix)));
    }
    let found = [("kept_findings", Some(kept)), ("excluded_findings", excluded.map(<[_]>::len))];
    for (name, found) in found {
        let stated = fields.optional(reader, name, json::count);
        if let (Some((stated, span)), Some(found)) = (stated, found)
            && stated != found as u64
        {
            reader.deviate(Reason::CountMismatch, span, format!("`{name}` is {stated}, but there are {found}"));
        }
    }
    fields.end(reader, Unknown::Allow);
    Some(())
}

fn check_counts(reader: &mut Reader<'_, '_>, claims: &[Box<Claim>], counts: &Counts) {
    let all = Tally::of_claims(claims, |_| true);
    let kept = Tally::of_claims(claims, |claim| claim.status().stands());
    for (severity, stated, span) in counts {
        let (least, most) = (kept.count(*severity) as u64, all.count(*severity) as u64);
        if !(least..=most).contains(stated) {
            let message = format!("the summary counts {stated} {severity}, the findings give {most}");
            reader.deviate(Reason::CountMismatch, *span, message);
        }
    }
}

fn claim<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, reviewer: &Domain, status: Option<Status>) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let file = fields.required(reader, "file", json::analyser_file);
    let line = fields.required(reader, "line", json::line);
    let severity =
        fields.required(reader, "severity", |reader, node| json::severity(reader, node, &vocabulary::CLAUDE_SECURITY));
    let rule = fields.required(reader, "category", json::text_or_blank).flatten();
    let title = fields.required(reader, "description", |reader, node| json::title(reader, node, usize::MAX));
    let why = fields.required(reader, "exploit_scenario", json::text_or_blank).flatten();
    let fix = fields.required(reader, "recommendation", json::text_or_blank).flatten();
    let confidence = fields.required(reader, "confidence", json::fraction);
    // The filter's own remarks on a finding that it kept.
    fields.get("_filter_metadata");
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    Some(Claim {
        reviewer: Some(reviewer.clone()),
        confidence,
        location: file?.map(|file| Location::new(file, line.map(LineRange::single))),
        category: Some(Category::Security),
        rule: rule.map(str::to_owned),
        why: why.map(str::to_owned),
        fix: fix.map(str::to_owned),
        status,
        ..Claim::new(title?, severity?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(is_completed: &str) -> Report {
        let text = format!(
            r#"{{"findings": [], "analysis_summary": {{"files_reviewed": 0, "high_severity": 0, "medium_severity": 0,
                "low_severity": 0 {is_completed}}}}}"#
        );
        FORMAT.read(text.as_bytes(), &Limits::default()).report.unwrap()
    }

    #[test]
    fn what_the_filter_took_out_is_not_wanted_to_be_fixed() {
        let finding = |severity: &str| {
            format!(
                r#"{{"file": "a.py", "line": 3, "severity": "{severity}", "category": "xss", "description": "d",
                    "exploit_scenario": "e", "recommendation": "r", "confidence": 0.8}}"#
            )
        };
        let (kept, excluded) = (finding("LOW"), finding("HIGH"));
        let text = format!(
            r#"{{"findings": [{kept}], "filtering_summary": {{"excluded_findings_details": [{{"finding": {excluded}}}]}},
                "analysis_summary": {{"files_reviewed": 1, "high_severity": 1, "medium_severity": 0, "low_severity": 1,
                "review_completed": true}}}}"#
        );
        let reading = FORMAT.read(text.as_bytes(), &Limits::default());
        assert_eq!(reading.deviations, []);
        let claims = reading.report.unwrap().claims;
        assert_eq!((claims[0].severity, claims[0].status), (Severity::Low, None));
        assert_eq!((claims[1].severity, claims[1].status), (Severity::High, Some(Status::WontFix)));
        let claim = &claims[0];
        assert_eq!((claim.rule.as_deref(), claim.category), (Some("xss"), Some(Category::Security)));
        assert_eq!((claim.why.as_deref(), claim.fix.as_deref()), (Some("e"), Some("r")));
        assert_eq!(claim.location.as_ref().unwrap().to_string(), "a.py:3");
    }

    #[test]
    fn a_review_that_did_not_end_is_a_missing_reviewer() {
        let attendance = |text| read(text).reviewers[0].attendance.clone();
        let spoke = Attendance::Spoke { verdict: None, confidence: None, file: None };
        assert_eq!(attendance(r#", "review_completed": true"#), spoke);
        for text in [
            r#", "review_completed": false"#,
            "",
            r#", "review_completed": "true""#,
            r#", "review_completed": true, "review_completed": true"#,
        ] {
            assert_eq!(attendance(text), Attendance::Missing, "{text}");
        }
    }
}
