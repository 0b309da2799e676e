//! `gitlab-code-quality`: the Code Quality report that GitLab shows in merge requests, an array of violations.
//!
//! GitLab looks at the fields named here and no others of the CodeClimate format, and so does this. The fingerprint is
//! GitLab's own means to tell violations apart; a claim gets its identity from Jury, so it is checked and left.

use std::collections::BTreeMap;

use jury_wire::Reason;
use jury_wire::v1::code_quality as wire;

use super::reading::{Claims, Reading};
use super::{Format, Written, json, vocabulary};
use crate::model::{Claim, Domain, FindingId, Fingerprint, Line, LineRange, Location, Report};
use crate::syntax::{Limits, Node, Reader, Source, Unknown};

pub(super) const FORMAT: Format = Format {
    id: "gitlab-code-quality",
    seed: "GitLab",
    what: "the GitLab Code Quality report",
    extension: "json",
    states_attendance: false,
    recognises: |source| {
        ["fingerprint", "check_name"].iter().any(|key| json::first_item_has_every_key(source, &["description", key]))
    },
    read,
    write: Some(write),
};

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let issues = reader.items(root)?;
        let mut claims = Claims::default();
        claims.read_each(reader, issues, claim);
        Some((claims, Some(Report::default())))
    })
}

fn claim<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let title = fields.required(reader, "description", |reader, node| json::title(reader, node, usize::MAX));
    let rule = fields.required(reader, "check_name", Reader::text);
    fields.required(reader, "fingerprint", Reader::text);
    let severity =
        fields.required(reader, "severity", |reader, node| json::severity(reader, node, &vocabulary::CODE_QUALITY));
    let location = fields.required(reader, "location", location);
    if !fields.end(reader, Unknown::Allow) {
        return None;
    }
    Some(Claim { location: location?, rule: rule.map(str::to_owned), ..Claim::new(title?, severity?) })
}

/// Reads a place: `lines` or `positions`, and if both are there, they must start on the same line.
fn location<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Location>> {
    let mut fields = reader.fields(node)?;
    let file = fields.required(reader, "path", json::analyser_file);
    let positions = fields.optional(reader, "positions", |reader, node| extent(reader, node, position));
    let needs_lines = fields.get("positions").is_none();
    let whole_line = |reader: &mut Reader<'_, 'a>, node: &Node<'a>| {
        json::line(reader, node).map(|line| json::Position { line: Some(line), column: None })
    };
    let read_lines = |reader: &mut Reader<'_, 'a>, node: &Node<'a>| extent(reader, node, whole_line);
    let lines = match needs_lines {
        true => fields.required(reader, "lines", read_lines),
        false => fields.optional(reader, "lines", read_lines),
    };
    if !fields.end(reader, Unknown::Allow) {
        return None;
    }
    if let (Some((by_lines, _)), Some((by_positions, _))) = (lines, positions)
        && by_lines.line != by_positions.line
    {
        reader.deviate(Reason::DuplicateKey, node.span, "`lines` and `positions` name different lines");
        return None;
    }
    let (begin, end) = positions.or(lines)?;
    let Some(file) = file? else { return Some(None) };
    json::place(reader, node.span, file, begin, end).map(Some)
}

/// Reads where something begins and, if it says so, ends.
fn extent<'s, 'n, 'a>(
    reader: &mut Reader<'s, 'a>,
    node: &'n Node<'a>,
    read: impl Fn(&mut Reader<'s, 'a>, &'n Node<'a>) -> Option<json::Position>,
) -> Option<(json::Position, json::Position)> {
    let mut fields = reader.fields(node)?;
    let begin = fields.required(reader, "begin", &read);
    let end = fields.nullable(reader, "end", &read);
    fields.end(reader, Unknown::Allow).then_some((begin?, end.unwrap_or_default()))
}

fn position<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<json::Position> {
    let mut fields = reader.fields(node)?;
    let line = fields.required(reader, "line", json::line);
    let column = fields.nullable(reader, "column", json::column_or_zero).flatten();
    fields.end(reader, Unknown::Allow).then_some(json::Position { line, column })
}

fn write(report: &Report) -> Written {
    let review = Domain::unnamed();
    let reviewer = report.sole_reviewer().unwrap_or(&review);
    let mut seen: BTreeMap<Fingerprint, usize> = BTreeMap::new();
    let mut kept = Vec::new();
    let mut issues = Vec::new();
    for (index, claim) in report.claims.iter().enumerate() {
        let Some(severity) = vocabulary::CODE_QUALITY.word(claim.severity) else { continue };
        if !claim.status().is_unsettled() {
            continue;
        }
        kept.push(index);
        let rule = claim.rule.as_deref().filter(|rule| !rule.trim().is_empty());
        let check_name = rule.unwrap_or(claim.reviewer.as_ref().unwrap_or(reviewer).as_str());
        let location = written_location(claim.location.as_ref());
        // Made of nothing but the report, and without the lines: the same finding keeps its fingerprint when it is
        // read and written again, and when its code moves within the file.
        let fingerprint = Fingerprint::new(&review, &claim.title.normalised(), check_name, &location.path);
        let nth = seen.entry(fingerprint.clone()).and_modify(|nth| *nth += 1).or_insert(1);
        issues.push(wire::Issue {
            description: claim.title.to_string(),
            check_name: check_name.to_owned(),
            fingerprint: numbered(fingerprint.as_str(), *nth),
            severity: severity.to_owned(),
            location,
        });
    }
    Written { text: json::to_text(&issues), kept }
}

/// Tells apart violations that share a fingerprint, of which GitLab shows only one.
fn numbered(fingerprint: &str, nth: usize) -> String {
    if nth == 1 { fingerprint.to_owned() } else { format!("{fingerprint}~{nth}") }
}

fn written_location(location: Option<&Location>) -> wire::Location {
    let path = location.map_or(FindingId::WHOLE_REPOSITORY, |location| location.file.as_str()).to_owned();
    let lines = location.and_then(|location| location.lines).unwrap_or(LineRange::single(Line::FIRST));
    let (begin, end) = (lines.start().get(), lines.end_if_longer().map(Line::get));
    let extent = match location.and_then(|location| location.column) {
        None => wire::Extent::Lines { begin, end },
        Some(column) => wire::Extent::Positions {
            begin: wire::Position { line: begin, column: Some(column.get()) },
            end: end.map(|line| wire::Position { line, column: None }),
        },
    };
    wire::Location { path, extent }
}
