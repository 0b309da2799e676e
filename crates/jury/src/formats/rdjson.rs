//! `rdjson`: the `DiagnosticResult` of the reviewdog Diagnostic Format. Its line-wise twin is `rdjsonl`.
//!
//! The format is protocol buffers as JSON, so a name may be spelled in either case, null is absence, and an enum may
//! be its number. Like reviewdog itself, this reader refuses fields that the format does not have. A severity that is
//! nowhere stated is none that could be relied upon.

use jury_wire::Reason;
use jury_wire::v1::rdformat as wire;

use super::reading::{Claims, Reading};
use super::{Format, Written, json, vocabulary};
use crate::model::{Attendance, Claim, Domain, FindingId, LineRange, Location, Report, Reviewer, Severity};
use crate::syntax::{Fields, Limits, Node, Reader, Source, Span, Unknown, Value};

pub(super) const FORMAT: Format = Format {
    id: "rdjson",
    seed: "reviewdog",
    what: "the reviewdog Diagnostic Format, one `DiagnosticResult`",
    extension: "json",
    states_attendance: false,
    recognises: |source| json::has_any_key(source, &["diagnostics"]),
    read,
    write: Some(write),
};

/// Values that a result states once for all of its diagnostics.
#[derive(Clone, Default)]
pub(super) struct Defaults {
    source: Option<Domain>,
    severity: Option<Severity>,
}

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let mut fields = reader.fields(root)?;
        let defaults = Defaults {
            source: fields.nullable(reader, "source", tool).flatten(),
            severity: fields.nullable(reader, "severity", severity).flatten(),
        };
        let mut claims = Claims::default();
        let diagnostics = fields.required(reader, "diagnostics", Reader::items);
        if let Some(nodes) = diagnostics {
            claims.read_each(reader, nodes, |reader, node| diagnostic(reader, node, &defaults));
        }
        let is_ambiguous = fields.is_ambiguous();
        fields.end(reader, Unknown::Refuse);
        let spoke = Attendance::Spoke { verdict: None, confidence: None, file: None };
        let reviewers = defaults.source.map(|name| Reviewer { name, attendance: spoke }).into_iter().collect();
        // Without the list nothing was reported, which is not the same as an empty list.
        let header = diagnostics.filter(|_| !is_ambiguous).map(|_| Report { reviewers, ..Report::default() });
        Some((claims, header))
    })
}

/// Reads one `Diagnostic`.
pub(super) fn diagnostic<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, defaults: &Defaults) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let title = fields.required(reader, "message", |reader, node| json::title(reader, node, usize::MAX));
    let location = fields.required(reader, "location", location);
    let severity = severity_or_default(reader, &mut fields, defaults.severity);
    let source = fields.nullable(reader, "source", tool).flatten();
    let rule = fields.nullable(reader, "code", code).flatten();
    let fix = fields.nullable(reader, "suggestions", suggestions).flatten();
    let output = either(reader, &mut fields, ["original_output", "originalOutput"], Reader::string);
    let related = either(reader, &mut fields, ["related_locations", "relatedLocations"], related);
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    Some(Claim {
        reviewer: source.or_else(|| defaults.source.clone()),
        location: location?,
        rule: rule.map(str::to_owned),
        related: related.unwrap_or_default(),
        evidence: output.filter(|output| !output.is_empty()).map(str::to_owned).into_iter().collect(),
        fix,
        ..Claim::new(title?, severity?)
    })
}

/// Reads a field that has two spellings, of which only one may be used.
fn either<'s, 'n, 'a, T>(
    reader: &mut Reader<'s, 'a>,
    fields: &mut Fields<'n, 'a>,
    [name, camel]: [&'static str; 2],
    read: impl FnOnce(&mut Reader<'s, 'a>, &'n Node<'a>) -> Option<T>,
) -> Option<T> {
    let is_twice = fields.get(name).is_some() && fields.get(camel).is_some();
    let name = if fields.get(camel).is_some() { camel } else { name };
    fields.nullable(reader, name, |reader, node| {
        if is_twice {
            reader.deviate(Reason::DuplicateKey, node.span, format!("`{name}` occurs in both spellings"));
            return None;
        }
        read(reader, node)
    })
}

/// Reads a severity; `UNKNOWN_SEVERITY` is none.
fn severity<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Severity>> {
    let words = &vocabulary::RDFORMAT;
    let is_unknown = |word: &str| word == "UNKNOWN_SEVERITY";
    if let Value::Number(_) = node.value {
        let number = reader.integer(node)?;
        let known = usize::try_from(number).ok().and_then(|number| match number {
            0 => Some(None),
            number => words.words().nth(number - 1).map(|word| words.severity(word)),
        });
        return reader.expect(
            Reason::UnknownToken,
            node.span,
            known.ok_or(format!("unknown severity number {number}")),
        );
    }
    let legal = words.words().chain(["UNKNOWN_SEVERITY"]);
    reader.token(node, |word| if is_unknown(word) { Some(None) } else { words.severity(word).map(Some) }, legal)
}

fn severity_or_default<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    fields: &mut Fields<'n, 'a>,
    default: Option<Severity>,
) -> Option<Severity> {
    let opening = Span::new(fields.span().start, fields.span().start + 1);
    let node = fields.get("severity").filter(|node| node.value != Value::Null);
    match node {
        None if default.is_none() => {
            reader.deviate(Reason::MissingField, opening, "`severity` is missing, here and for the whole result");
            None
        }
        None => default,
        Some(node) => {
            let stated = fields.optional(reader, "severity", severity)?.or(default);
            if stated.is_none() {
                reader.deviate(Reason::UnknownToken, node.span, "the severity is `unknown`");
            }
            stated
        }
    }
}

/// Reads the name of a tool, if it has one.
fn tool<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Domain>> {
    let mut fields = reader.fields(node)?;
    let name = fields.nullable(reader, "name", |reader, node| match reader.string(node)? {
        "" => Some(None),
        _ => json::domain(reader, node).map(Some),
    });
    fields.nullable(reader, "url", Reader::string);
    fields.end(reader, Unknown::Refuse).then_some(name.flatten())
}

fn code<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Option<&'n str>> {
    let mut fields = reader.fields(node)?;
    let value = fields.nullable(reader, "value", json::text_or_blank);
    fields.nullable(reader, "url", Reader::string);
    fields.end(reader, Unknown::Refuse).then_some(value.flatten())
}

/// Reads the suggested texts; their ranges are not looked into, because a claim has no place for them.
fn suggestions<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<String>> {
    let mut texts = Vec::new();
    for node in reader.items(node)? {
        let mut fields = reader.fields(node)?;
        fields.get("range");
        let text = fields.nullable(reader, "text", Reader::string);
        if !fields.end(reader, Unknown::Refuse) {
            return None;
        }
        texts.push(text.unwrap_or_default());
    }
    Some((!texts.is_empty()).then(|| texts.join("\n")))
}

/// Reads the other places. An unusable one, for example in a system header, is noted and left out: the
/// claim stands without it.
fn related<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Vec<Location>> {
    let mut places = Vec::new();
    for node in reader.items(node)? {
        let mut fields = reader.fields(node)?;
        fields.nullable(reader, "message", Reader::string);
        let place = fields.required(reader, "location", location);
        fields.end(reader, Unknown::Refuse);
        places.extend(place.flatten());
    }
    Some(places)
}

/// Reads a place; `None` inside is the repository as a whole.
fn location<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Location>> {
    let mut fields = reader.fields(node)?;
    let file = fields.required(reader, "path", json::analyser_file);
    let range = fields.nullable(reader, "range", range);
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    let Some(file) = file? else { return Some(None) };
    let (start, end) = range.unwrap_or_default();
    json::place(reader, node.span, file, start, end).map(Some)
}

fn range<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<(json::Position, json::Position)> {
    let mut fields = reader.fields(node)?;
    let start = fields.required(reader, "start", position);
    let end = fields.nullable(reader, "end", position);
    fields.end(reader, Unknown::Refuse).then_some((start?, end.unwrap_or_default()))
}

fn position<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<json::Position> {
    let mut fields = reader.fields(node)?;
    let line = fields.nullable(reader, "line", json::line_or_zero).flatten();
    let column = fields.nullable(reader, "column", json::column_or_zero).flatten();
    fields.end(reader, Unknown::Refuse).then_some(json::Position { line, column })
}

fn write(report: &Report) -> Written {
    let source = match report.reviewers.as_slice() {
        [Reviewer { name, attendance: Attendance::Spoke { .. } }] => Some(name),
        _ => None,
    };
    let (kept, diagnostics) = diagnostics(report, source).unzip();
    let document = wire::DiagnosticResult { source: source.map(named), diagnostics };
    Written { text: json::to_text(&document), kept }
}

/// Returns the claims that the format can express, each with its index. `source` need not be repeated.
pub(super) fn diagnostics(report: &Report, source: Option<&Domain>) -> impl Iterator<Item = (usize, wire::Diagnostic)> {
    report.claims.iter().enumerate().filter(|(_, claim)| claim.status().is_unsettled()).filter_map(
        move |(index, claim)| {
            let severity = vocabulary::RDFORMAT.word(claim.severity)?;
            let rule = claim.rule.as_ref().filter(|rule| !rule.trim().is_empty());
            let output = claim.evidence.join("\n");
            let diagnostic = wire::Diagnostic {
                message: claim.title.to_string(),
                location: written_location(claim.location.as_ref()),
                severity: severity.to_owned(),
                source: claim.reviewer.as_ref().filter(|name| Some(*name) != source).map(named),
                code: rule.map(|rule| wire::Code { value: rule.clone() }),
                suggestions: claim.fix.iter().map(|fix| wire::Suggestion { text: fix.clone() }).collect(),
                original_output: (!output.is_empty()).then_some(output),
                related_locations: claim
                    .related
                    .iter()
                    .map(|place| wire::RelatedLocation { location: written_location(Some(place)) })
                    .collect(),
            };
            Some((index, diagnostic))
        },
    )
}

fn named(name: &Domain) -> wire::Source {
    wire::Source { name: name.to_string() }
}

fn written_location(location: Option<&Location>) -> wire::Location {
    let Some(location) = location else {
        return wire::Location { path: FindingId::WHOLE_REPOSITORY.to_owned(), range: None };
    };
    let range = location.lines.map(|lines| wire::Range {
        start: wire::Position { line: lines.start().get(), column: location.column.map(|column| column.get()) },
        end: LineRange::end_if_longer(lines).map(|line| wire::Position { line: line.get(), column: None }),
    });
    wire::Location { path: location.file.to_string(), range }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(range: &str) -> String {
        let text = format!(
            r#"{{"diagnostics": [{{"message": "m", "severity": 1, "location": {{"path": "a", "range": {range}}}}}]}}"#
        );
        let report = FORMAT.read(text.as_bytes(), &Limits::default()).report.unwrap();
        report.claims[0].location.as_ref().unwrap().to_string()
    }

    #[test]
    fn ranges_end_where_the_format_says() {
        for (range, expected) in [
            (r#"{"start": {"line": 5}}"#, "a:5"),
            (r#"{"start": {"line": 5}, "end": {"line": 6}}"#, "a:5-6"),
            (r#"{"start": {"line": 5, "column": 23}, "end": {"line": 6, "column": 1}}"#, "a:5:23"),
            (r#"{"start": {"line": 5}, "end": {"line": 6, "column": 2}}"#, "a:5-6"),
            (r#"{"start": {"line": 5, "column": 1}, "end": {"line": 5, "column": 1}}"#, "a:5:1"),
            (r#"{"start": {"line": 5}, "end": {"column": 4}}"#, "a:5"),
            (r#"{"start": {"column": 4}}"#, "a"),
        ] {
            assert_eq!(place(range), expected, "{range}");
        }
    }

    #[test]
    fn a_tool_stands_for_what_names_none() {
        let text = r#"{"source": {"name": "a"}, "severity": "INFO", "diagnostics": [
            {"message": "m", "location": {"path": "x"}},
            {"message": "m", "location": {"path": "x"}, "source": {"name": "b"}, "severity": "ERROR",
             "suggestions": [{"text": "one"}, {"text": "two"}], "relatedLocations": [{"location": {"path": "y"}}]}]}"#;
        let report = FORMAT.read(text.as_bytes(), &Limits::default()).report.unwrap();
        let claims: Vec<(&str, Severity)> =
            report.claims.iter().map(|claim| (claim.reviewer.as_ref().unwrap().as_str(), claim.severity)).collect();
        assert_eq!(claims, [("a", Severity::Low), ("b", Severity::High)]);
        assert_eq!(report.claims[1].fix.as_deref(), Some("one\ntwo"));
        assert_eq!(report.claims[1].related[0].to_string(), "y");
    }
}
