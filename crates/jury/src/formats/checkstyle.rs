//! `checkstyle`: the XML report of Checkstyle, which many other tools write as well.
//!
//! A file that Checkstyle failed on has an `exception` in place of its errors: it was not reviewed, and that is a
//! claim. An error outside any file belongs to the run as a whole. Tools write line or column 0 where they know none,
//! and absolute names if they were started so; see `json::analyser_file`.

use std::fmt::Write as _;

use jury_wire::Reason;

use super::reading::{Claims, Reading};
use super::{Format, Written, json, prose, vocabulary};
use crate::model::{Claim, FindingId, LineRange, Location, RepoPath, Report, Severity, Title};
use crate::syntax::xml::{self, Element};
use crate::syntax::{Limits, Node, Reader, Source, Unknown, Value};

pub(super) const FORMAT: Format = Format {
    id: "checkstyle",
    seed: "Checkstyle",
    what: "the XML report of Checkstyle, which other tools write as well",
    extension: "xml",
    states_attendance: false,
    recognises: |source| xml::root_name(source.text()) == Some("checkstyle"),
    read,
    write: Some(write),
};

/// The severity of an entry that is not to be shown.
const IGNORE: &str = "ignore";

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let root = match xml::parse(source, limits) {
        Ok(root) => root,
        Err(deviation) => return Reading::unreadable(deviation),
    };
    let mut reader = Reader::new(source, limits);
    let mut claims = Claims::default();
    if root.name != "checkstyle" {
        let message = format!("expected the element `checkstyle`, found `{}`", root.name);
        reader.deviate(Reason::WrongType, root.attributes.span, message);
        return claims.end(reader, None);
    }
    if let Some(mut fields) = reader.fields(&root.attributes) {
        fields.optional(&mut reader, "version", Reader::string);
        fields.end(&mut reader, Unknown::Allow);
    }
    reject_text(&mut reader, &mut claims, &root);
    let parts = claims.within_limit(&mut reader, &root.children, |element| element.span);
    for element in parts.iter().filter(|element| !is_ignored(element)) {
        match element.name {
            "file" => file(&mut reader, &mut claims, element),
            // Without a file, the claim is about the run as a whole.
            _ => finding(&mut reader, &mut claims, element, None),
        }
    }
    claims.end(reader, Some(Report::default()))
}

/// Rejects text where elements are expected: old versions wrote an exception so, and so it may claim something.
fn reject_text(reader: &mut Reader<'_, '_>, claims: &mut Claims, element: &Element<'_>) {
    if let Some((span, _)) = &element.text {
        claims.read_one(reader, *span, |reader| {
            reader.deviate(Reason::WrongType, *span, "expected an element, found text");
            None
        });
    }
}

fn file<'a>(reader: &mut Reader<'_, 'a>, claims: &mut Claims, element: &Element<'a>) {
    let before = reader.deviations.len();
    let name = reader.fields(&element.attributes).and_then(|mut fields| {
        let name = fields.required(reader, "name", json::analyser_file);
        name.filter(|_| fields.end(reader, Unknown::Allow))
    });
    let reason = reader.deviations.get(before).map(|deviation| deviation.reason);
    reject_text(reader, claims, element);
    for child in element.children.iter().filter(|child| !is_ignored(child)) {
        match &name {
            Some(name) => finding(reader, claims, child, name.as_ref()),
            None => claims.reject(child.span, reason.unwrap_or(Reason::BadPath)),
        }
    }
}

/// Reads an `error` or an `exception`.
fn finding<'a>(reader: &mut Reader<'_, 'a>, claims: &mut Claims, element: &Element<'a>, file: Option<&RepoPath>) {
    match element.name {
        "error" => {
            claims.read_one(reader, element.span, |reader| error(reader, element, file));
            reject_text(reader, claims, element);
        }
        "exception" => claims.read_one(reader, element.span, |reader| exception(reader, element, file)),
        _ => return reject_element(reader, claims, element),
    }
    for child in &element.children {
        reject_element(reader, claims, child);
    }
}

/// Rejects an element where the format has none: its claim is unknown.
fn reject_element(reader: &mut Reader<'_, '_>, claims: &mut Claims, element: &Element<'_>) {
    claims.read_one(reader, element.span, |reader| {
        let message = format!("`{}` is not an element of the format here", element.name);
        reader.deviate(Reason::UnknownField, element.attributes.span, message);
        None
    });
}

/// Tells whether an error says, and says once, that it is none to be shown.
fn is_ignored(element: &Element<'_>) -> bool {
    let Value::Object(members) = &element.attributes.value else { return false };
    let mut severities = members.iter().filter(|member| member.key == "severity").map(|member| &member.node.value);
    let is_stated = severities.next() == Some(&Value::String(IGNORE.into())) && severities.next().is_none();
    element.name == "error" && is_stated && element.children.is_empty() && element.text.is_none()
}

fn error<'a>(reader: &mut Reader<'_, 'a>, element: &Element<'a>, file: Option<&RepoPath>) -> Option<Claim> {
    let mut fields = reader.fields(&element.attributes)?;
    let line = fields.optional(reader, "line", |reader, node| json::line_or_zero(reader, &number(node))).flatten();
    let column =
        fields.optional(reader, "column", |reader, node| json::column_or_zero(reader, &number(node))).flatten();
    let severity = fields.required(reader, "severity", |reader, node| {
        let legal = vocabulary::CHECKSTYLE.words().chain([IGNORE]);
        reader.token(node, |word| vocabulary::CHECKSTYLE.severity(word), legal)
    });
    let title = fields.required(reader, "message", |reader, node| json::title(reader, node, usize::MAX));
    let rule = fields.optional(reader, "source", json::text_or_blank).flatten();
    if !fields.end(reader, Unknown::Allow) {
        return None;
    }
    let lines = line.map(LineRange::single);
    let location =
        file.map(|file| Location { column: column.filter(|_| lines.is_some()), ..Location::new(file.clone(), lines) });
    Some(Claim { location, rule: rule.map(str::to_owned), ..Claim::new(title?, severity?) })
}

/// Takes an attribute that is spelled as a whole number for one.
fn number<'a>(node: &Node<'a>) -> Node<'a> {
    let value = match &node.value {
        Value::String(text) if text.parse::<i64>().is_ok() => Value::Number(text.clone()),
        other => other.clone(),
    };
    Node { span: node.span, value }
}

/// Reads an exception; its first line is the error, the others are places in Checkstyle.
fn exception<'a>(reader: &mut Reader<'_, 'a>, element: &Element<'a>, file: Option<&RepoPath>) -> Option<Claim> {
    let trace = element.text.as_ref().map_or("", |(_, text)| text.trim());
    let what = prose::one_line(trace.lines().next().unwrap_or_default());
    let what = if what.is_empty() { "no reason given".to_owned() } else { what };
    let title = Title::new(&format!("Not checked, Checkstyle failed: {what}"));
    let title = reader.expect(Reason::Blank, element.span, title)?;
    let location = file.map(|file| Location::new(file.clone(), None));
    Some(Claim { location, ..Claim::new(title, Severity::High) })
}

fn write(report: &Report) -> Written {
    let mut kept = Vec::new();
    // The version is Checkstyle's own; other tools write 4.3.
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n");
    let mut open: Option<&str> = None;
    for (index, claim) in report.claims.iter().enumerate() {
        let Some(severity) = vocabulary::CHECKSTYLE.word(claim.severity) else { continue };
        if !claim.status().is_unsettled() {
            continue;
        }
        kept.push(index);
        let file = claim.location.as_ref().map_or(FindingId::WHOLE_REPOSITORY, |location| location.file.as_str());
        if open != Some(file) {
            text.push_str(if open.is_some() { "  </file>\n" } else { "" });
            let _ = writeln!(text, "  <file name=\"{}\">", escaped(file));
            open = Some(file);
        }
        text.push_str(&error_element(claim, severity));
    }
    text.push_str(if open.is_some() { "  </file>\n" } else { "" });
    text.push_str("</checkstyle>\n");
    Written { text, kept }
}

fn error_element(claim: &Claim, severity: &str) -> String {
    let location = claim.location.as_ref();
    let line = location.and_then(|location| location.lines).map_or(0, |lines| lines.start().get());
    let mut text = format!("    <error line=\"{line}\"");
    if let Some(column) = location.and_then(|location| location.column).filter(|_| line > 0) {
        let _ = write!(text, " column=\"{}\"", column.get());
    }
    let _ = write!(text, " severity=\"{severity}\" message=\"{}\"", escaped(claim.title.as_str()));
    if let Some(rule) = claim.rule.as_ref().filter(|rule| !rule.trim().is_empty()) {
        let _ = write!(text, " source=\"{}\"", escaped(rule));
    }
    text.push_str("/>\n");
    text
}

/// Writes a text so that it comes back as it is; a character that XML does not have becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            character if xml::is_character(character) => escaped.push(character),
            _ => escaped.push(char::REPLACEMENT_CHARACTER),
        }
    }
    escaped
}
