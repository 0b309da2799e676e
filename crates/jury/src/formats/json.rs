//! What the JSON formats have in common: recognising, reading shared kinds of fields, writing.

use std::borrow::Cow;

use jury_wire::Reason;
use serde::Serialize;

use super::reading::{Claims, Reading};
use super::vocabulary::Severities;
use crate::model::{Domain, FindingId, Line, RepoPath, Report, Severity, Title};
use crate::syntax::{Limits, Node, Reader, Source, Span, json};

/// Tells whether the document is a JSON object that has one of the keys, as far as it can be read.
pub(super) fn has_any_key(source: &Source<'_>, keys: &[&str]) -> bool {
    json::top_level_keys(source.text()).any(|key: Cow<'_, str>| keys.contains(&key.as_ref()))
}

/// Reads a JSON document: its syntax first, then what the format makes of it. A format that returns no header says that
/// the document as a whole cannot be relied upon.
pub(super) fn read<'a>(
    source: &Source<'a>,
    limits: &Limits,
    read: impl for<'n> FnOnce(&mut Reader<'_, 'a>, &'n Node<'a>) -> Option<(Claims, Option<Report>)>,
) -> Reading {
    let root = match json::parse(source, limits) {
        Ok(root) => root,
        Err(deviation) => return Reading::unreadable(deviation),
    };
    let mut reader = Reader::new(source, limits);
    let (claims, header) = read(&mut reader, &root).unwrap_or_default();
    claims.end(reader, header)
}

/// Reads the name of a reviewer.
pub(super) fn domain<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Domain> {
    let text = reader.string(node)?;
    reader.expect(Reason::BadName, node.span, Domain::new(text))
}

/// Reads a title; one that is too long is noted and kept.
pub(super) fn title<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, longest: usize) -> Option<Title> {
    let text = reader.string(node)?;
    let length = text.chars().count();
    if length > longest {
        reader.deviate(Reason::TooLong, node.span, format!("{length} characters, at most {longest} are allowed"));
    }
    reader.expect(Reason::Blank, node.span, Title::new(text))
}

/// Reads a severity in a contract's words.
pub(super) fn severity<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, words: &Severities) -> Option<Severity> {
    reader.token(node, |word| words.severity(word), &words.words())
}

/// Reads one word of a set that is spelled alike everywhere.
pub(super) fn token<'a, T: Copy>(
    reader: &mut Reader<'_, 'a>,
    node: &Node<'a>,
    all: &[T],
    spelling: impl Fn(T) -> &'static str,
) -> Option<T> {
    let words: Vec<&str> = all.iter().map(|value| spelling(*value)).collect();
    reader.token(node, |word| all.iter().copied().find(|value| spelling(*value) == word), &words)
}

/// Reads a file; `.` stands for the repository as a whole, which is no file.
pub(super) fn file<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<RepoPath>> {
    match reader.string(node)? {
        FindingId::WHOLE_REPOSITORY => Some(None),
        text => reader.expect(Reason::BadPath, node.span, RepoPath::new(text)).map(Some),
    }
}

/// Reads a line number.
pub(super) fn line<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Line> {
    let number = reader.integer(node)?;
    reader.expect(Reason::BadLine, node.span, Line::new(number))
}

/// Reads a count and its place.
pub(super) fn count<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<(u64, Span)> {
    let number = reader.integer(node)?;
    let count = u64::try_from(number).map_err(|_| format!("{number} is not a count"));
    reader.expect(Reason::BadCount, node.span, count).map(|count| (count, node.span))
}

/// Writes a document in the canonical form: two spaces, one line feed at the end.
pub(super) fn to_text(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("string keys and finite numbers are always JSON");
    text.push('\n');
    text
}
