//! `codex-verdict`: the answer of the Codex plugin's review, `review-output.schema.json`. Read, never written.
//!
//! The schema allows no further fields. The plugin's prompt asks for `needs-attention` if anything is worth blocking
//! on and for `approve` only if nothing substantive can be said, which makes both ends contradictions that can be
//! seen.

use super::reading::{Claims, Reading};
use super::{Format, json, vocabulary};
use crate::model::{Claim, Facts, GateVerdict, Report, Stated};
use crate::syntax::{Limits, Node, Reader, Source, Unknown};

pub(super) const FORMAT: Format = Format {
    id: "codex-verdict",
    seed: "Codex plugin",
    what: "the verdict of the Codex plugin's review: `approve` or `needs-attention`",
    extension: "json",
    states_attendance: false,
    recognises: |source| json::has_every_key(source, &["verdict", "next_steps"]),
    read,
    write: None,
};

/// The two verdicts. `needs-attention` closes the gate.
const VERDICTS: [(&str, GateVerdict); 2] = [("approve", GateVerdict::Pass), ("needs-attention", GateVerdict::Fail)];

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let mut fields = reader.fields(root)?;
        let verdict = fields.required(reader, "verdict", |reader, node| {
            let verdict = |text: &str| VERDICTS.iter().find(|(word, _)| *word == text).map(|(_, verdict)| *verdict);
            reader.token(node, verdict, VERDICTS.map(|(word, _)| word)).map(|verdict| (verdict, node.span))
        });
        let summary = fields.required(reader, "summary", Reader::text);
        let mut claims = Claims::default();
        let findings = fields.required(reader, "findings", Reader::items);
        if let Some(nodes) = findings {
            claims.read_each(reader, nodes, claim);
        }
        let next_steps = fields.required(reader, "next_steps", texts).unwrap_or_default();
        let is_ambiguous = fields.is_ambiguous();
        fields.end(reader, Unknown::Refuse);
        let verdict = verdict
            .filter(|(verdict, span)| findings.is_some() && !is_ambiguous && claims.bear_out(reader, *verdict, *span));
        let steps = next_steps.iter().map(|step| format!("- {step}"));
        let notes: Vec<String> = summary.map(str::to_owned).into_iter().chain(steps).collect();
        let facts = Facts { notes: (!notes.is_empty()).then(|| notes.join("\n")), ..Facts::default() };
        let header =
            verdict.map(|(verdict, _)| Report { stated: Some(Stated::Gate(verdict)), facts, ..Report::default() });
        Some((claims, header))
    })
}

fn texts<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Vec<&'n str>> {
    let texts: Vec<Option<&str>> = reader.items(node)?.iter().map(|node| reader.text(node)).collect();
    texts.into_iter().collect()
}

fn claim<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let severity =
        fields.required(reader, "severity", |reader, node| json::severity(reader, node, &vocabulary::CODEX_VERDICT));
    let title = fields.required(reader, "title", |reader, node| json::title(reader, node, usize::MAX));
    let why = fields.required(reader, "body", Reader::text);
    let file = fields.required(reader, "file", json::analyser_file);
    let start = fields.required(reader, "line_start", json::line);
    let end = fields.required(reader, "line_end", json::line);
    let confidence = fields.required(reader, "confidence", json::fraction);
    let fix = fields.required(reader, "recommendation", json::text_or_blank).flatten();
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    let at = |line| json::Position { line, column: None };
    let location = match file? {
        Some(file) => Some(json::place(reader, node.span, file, at(start), at(end))?),
        None => None,
    };
    Some(Claim {
        confidence,
        location,
        why: why.map(str::to_owned),
        fix: fix.map(str::to_owned),
        ..Claim::new(title?, severity?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Severity;

    #[test]
    fn a_claim_says_what_the_finding_says() {
        let text = r#"{"verdict": "needs-attention", "summary": "No.", "next_steps": ["Do this.", "Do that."], "findings": [
            {"severity": "critical", "title": "t", "body": "b", "file": "./a.ts", "line_start": 3, "line_end": 4,
             "confidence": 0.25, "recommendation": " "}]}"#;
        let report = FORMAT.read(text.as_bytes(), &Limits::default()).report.unwrap();
        assert_eq!(report.stated, Some(Stated::Gate(GateVerdict::Fail)));
        assert_eq!(report.facts.notes.as_deref(), Some("No.\n- Do this.\n- Do that."));
        let claim = &report.claims[0];
        assert_eq!((claim.severity, claim.confidence.unwrap().percent()), (Severity::Blocker, 25));
        assert_eq!(claim.location.as_ref().unwrap().to_string(), "a.ts:3-4");
        assert_eq!((claim.why.as_deref(), claim.fix.as_deref()), (Some("b"), None));
    }
}
