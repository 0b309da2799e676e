//! `codex-review`: Codex's answer to its own review prompt. Read, never written.
//!
//! The priority stands in a field, which may be left out, and as a tag before the title; where both are there they
//! have to agree, and without either the severity is unknown. The prompt asks for absolute paths; see
//! `json::analyser_file`.

use jury_wire::Reason;

use super::reading::{Claims, Reading};
use super::{Format, json};
use crate::model::{Claim, Facts, GateVerdict, Location, RepoPath, Report, Severity, Stated, Title};
use crate::syntax::{Limits, Node, Reader, Source, Span, Unknown};

pub(super) const FORMAT: Format = Format {
    id: "codex-review",
    seed: "Codex",
    what: "the answer to Codex's review prompt, with its overall correctness",
    extension: "json",
    states_attendance: false,
    recognises: |source| json::has_any_key(source, &["overall_correctness"]),
    read,
    write: None,
};

/// The prompt: a title has at most 80 characters, its tag included.
const LONGEST_TITLE: usize = 80;
/// The severities of the priorities 0 to 3.
const PRIORITIES: [Severity; 4] = [Severity::Blocker, Severity::High, Severity::Medium, Severity::Low];
const CORRECT: &str = "patch is correct";
const INCORRECT: &str = "patch is incorrect";

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let mut fields = reader.fields(root)?;
        let mut claims = Claims::default();
        let findings = fields.required(reader, "findings", Reader::items);
        if let Some(nodes) = findings {
            claims.read_each(reader, nodes, claim);
        }
        let verdict = fields.required(reader, "overall_correctness", |reader, node| {
            let words = [(CORRECT, GateVerdict::Pass), (INCORRECT, GateVerdict::Fail)];
            let verdict = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, verdict)| *verdict);
            reader.token(node, verdict, [CORRECT, INCORRECT]).map(|verdict| (verdict, node.span))
        });
        let notes = fields.required(reader, "overall_explanation", json::text_or_blank).flatten();
        let confidence = fields.required(reader, "overall_confidence_score", json::fraction);
        let is_ambiguous = fields.is_ambiguous();
        fields.end(reader, Unknown::Refuse);
        let verdict = verdict
            .filter(|(verdict, span)| findings.is_some() && !is_ambiguous && claims.bear_out(reader, *verdict, *span));
        let facts = Facts { notes: notes.map(str::to_owned), ..Facts::default() };
        let header = verdict.map(|(verdict, _)| Report {
            stated: Some(Stated::Gate(verdict)),
            confidence,
            facts,
            ..Report::default()
        });
        Some((claims, header))
    })
}

fn claim<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let title = fields.required(reader, "title", tagged_title);
    let why = fields.required(reader, "body", json::text_or_blank).flatten();
    let confidence = fields.required(reader, "confidence_score", json::fraction);
    let priority = fields.nullable(reader, "priority", priority);
    let location = fields.required(reader, "code_location", code_location);
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    let (tag, title) = title?;
    let severity = match (tag, priority) {
        (Some(tag), Some(priority)) if tag != priority => {
            reader.deviate(Reason::DuplicateKey, node.span, "the tag of the title and `priority` do not agree");
            return None;
        }
        (None, None) => {
            let opening = Span::new(node.span.start, node.span.start + 1);
            reader.deviate(
                Reason::MissingField,
                opening,
                "`priority` is missing, and the title has no tag such as `[P1]`",
            );
            return None;
        }
        (tag, priority) => priority.or(tag)?,
    };
    Some(Claim { confidence, location: location?, why: why.map(str::to_owned), ..Claim::new(title, severity) })
}

/// Reads a title, and takes a tag like `[P1]` off it.
fn tagged_title<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<(Option<Severity>, Title)> {
    let title = json::title(reader, node, LONGEST_TITLE)?;
    let tagged = PRIORITIES.iter().zip(["[P0]", "[P1]", "[P2]", "[P3]"]).find_map(|(severity, tag)| {
        title.as_str().trim_start().strip_prefix(tag).map(|rest| (*severity, rest.trim_start()))
    });
    match tagged {
        None => Some((None, title)),
        Some((severity, rest)) => {
            let title = reader.expect(Reason::Blank, node.span, Title::new(rest))?;
            Some((Some(severity), title))
        }
    }
}

fn priority<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Severity> {
    let number = reader.integer(node)?;
    let severity = usize::try_from(number).ok().and_then(|number| PRIORITIES.get(number)).copied();
    reader.expect(Reason::UnknownToken, node.span, severity.ok_or_else(|| format!("expected 0 to 3, found {number}")))
}

/// Reads a place; `None` inside is the repository as a whole.
fn code_location<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Location>> {
    let mut fields = reader.fields(node)?;
    let file: Option<Option<RepoPath>> = fields.required(reader, "absolute_file_path", json::analyser_file);
    let range = fields.required(reader, "line_range", |reader, node| {
        let mut fields = reader.fields(node)?;
        let start = fields.required(reader, "start", json::line);
        let end = fields.required(reader, "end", json::line);
        let at = |line| json::Position { line, column: None };
        fields.end(reader, Unknown::Refuse).then_some((at(start), at(end)))
    });
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    let Some(file) = file? else { return Some(None) };
    let (start, end) = range?;
    json::place(reader, node.span, file, start, end).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_says_what_the_finding_says() {
        let text = r#"{"findings": [{"title": "[P2] Close the file", "body": "It leaks.", "confidence_score": 0.7,
            "code_location": {"absolute_file_path": "a/b.py", "line_range": {"start": 3, "end": 5}}}],
            "overall_correctness": "patch is correct", "overall_explanation": "Fine.", "overall_confidence_score": 0.9}"#;
        let report = FORMAT.read(text.as_bytes(), &Limits::default()).report.unwrap();
        assert_eq!(report.stated, Some(Stated::Gate(GateVerdict::Pass)));
        assert_eq!(report.facts.notes.as_deref(), Some("Fine."));
        assert_eq!(report.confidence.map(|confidence| confidence.percent()), Some(90));
        let claim = &report.claims[0];
        assert_eq!((claim.title.as_str(), claim.severity), ("Close the file", Severity::Medium));
        assert_eq!(claim.location.as_ref().unwrap().to_string(), "a/b.py:3-5");
        assert_eq!((claim.why.as_deref(), claim.confidence.unwrap().percent()), (Some("It leaks."), 70));
    }
}
