//! Shared by the JSON formats: recognising, reading common kinds of fields, writing. How tools and agents
//! name a file and a place stands here as well, because all of them but one speak JSON.

use std::borrow::Cow;

use jury_wire::Reason;
use serde::Serialize;

use super::reading::{Claims, Reading};
use super::vocabulary::Severities;
use crate::model::{
    Column, Confidence, Domain, FindingId, Line, LineRange, Location, PathError, RepoPath, Report, Severity, Title,
};
use crate::syntax::{Limits, Node, Reader, Source, Span, json};

/// Tells whether the document is a JSON object that has one of the keys, as far as it can be read.
pub(super) fn has_any_key(source: &Source<'_>, keys: &[&str]) -> bool {
    json::names(source).iter().any(|name| keys.contains(&name.as_ref()))
}

/// Tells whether the document is a JSON object that has all of the keys, as far as it can be read.
pub(super) fn has_every_key(source: &Source<'_>, keys: &[&str]) -> bool {
    has_all(json::names(source), keys)
}

/// Tells whether the document is a JSON array whose first item has all of the keys, as far as it can be read.
pub(super) fn first_item_has_every_key(source: &Source<'_>, keys: &[&str]) -> bool {
    has_all(json::names_of_first_item(source), keys)
}

fn has_all(names: &[Cow<'_, str>], keys: &[&str]) -> bool {
    keys.iter().all(|key| names.iter().any(|name| name == key))
}

/// Reads a JSON document: its syntax first, then its content by the format's function. A format that returns no header says that
/// the document as a whole cannot be relied upon.
pub(super) fn read<'a>(
    source: &Source<'a>,
    limits: &Limits,
    read: impl for<'n> FnOnce(&mut Reader<'_, 'a>, &'n Node<'a>) -> Option<(Claims, Option<Report>)>,
) -> Reading {
    let root = match json::tree(source, limits) {
        Ok(root) => root,
        Err(deviation) => return Reading::unreadable(deviation),
    };
    let mut reader = Reader::new(source, limits);
    let (claims, header) = read(&mut reader, root).unwrap_or_default();
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
    reader.token(node, |word| words.severity(word), words.words())
}

/// Reads one word of a set that is spelled alike everywhere.
pub(super) fn token<'a, T: Copy>(
    reader: &mut Reader<'_, 'a>,
    node: &Node<'a>,
    all: &[T],
    spelling: impl Fn(T) -> &'static str,
) -> Option<T> {
    let legal = all.iter().map(|value| spelling(*value));
    reader.token(node, |word| all.iter().copied().find(|value| spelling(*value) == word), legal)
}

/// Reads a file; `.` stands for the repository as a whole, which is no file.
pub(super) fn file<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<RepoPath>> {
    match reader.string(node)? {
        FindingId::WHOLE_REPOSITORY => Some(None),
        text => reader.expect(Reason::BadPath, node.span, RepoPath::new(text)).map(Some),
    }
}

/// Reads a file as tools and agents name it: `./` before it is dropped, `.` is the repository as a whole. An absolute
/// path is read, and noted, below a folder in which the writer is known to have seen the tree. Any other names no file: these
/// documents do not state where the repository lies, and a guess could name another one. It is refused, or noted where the
/// document counts as a plain message.
pub(super) fn analyser_file<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<RepoPath>> {
    let text = reader.string(node)?;
    if let Some(file) = reader.source.within_roots(text) {
        reader.deviate(Reason::PathNormalised, node.span, format!("`{file}` in the tree"));
        return Some(Some(file));
    }
    if reader.source.is_elsewhere(text) {
        reader.deviate(Reason::ValueDropped, node.span, "no file: the path is absolute");
        return Some(None);
    }
    let file = match text.strip_prefix("./").unwrap_or(text) {
        FindingId::WHOLE_REPOSITORY => Ok(None),
        text => RepoPath::new(text).map(Some),
    };
    let file = file.map_err(|error| match error {
        PathError::Absolute => "the path is absolute; expected one relative to the root of the repository".to_owned(),
        error => error.to_string(),
    });
    reader.expect(Reason::BadPath, node.span, file)
}

/// Reads a line number.
pub(super) fn line<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Line> {
    let number = reader.integer(node)?;
    reader.expect(Reason::BadLine, node.span, Line::new(number))
}

/// Reads a line number where 0 stands for none.
pub(super) fn line_or_zero<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Line>> {
    match reader.integer(node)? {
        0 => Some(None),
        number => reader.expect(Reason::BadLine, node.span, Line::new(number)).map(Some),
    }
}

/// Reads a column where 0 stands for none.
pub(super) fn column_or_zero<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Column>> {
    match reader.integer(node)? {
        0 => Some(None),
        number => {
            let column = Column::new(number).ok_or_else(|| format!("column {number} does not exist"));
            reader.expect(Reason::BadLine, node.span, column).map(Some)
        }
    }
}

/// A position in a file; a tool may leave out either number.
#[derive(Clone, Copy, Default)]
pub(super) struct Position {
    pub(super) line: Option<Line>,
    pub(super) column: Option<Column>,
}

/// Makes a place from where it starts and ends. An end in the first column of a later line stands before that line,
/// because the ends of tools are exclusive. A place without a line is the file as a whole.
pub(super) fn place(
    reader: &mut Reader<'_, '_>,
    span: Span,
    file: RepoPath,
    start: Position,
    end: Position,
) -> Option<Location> {
    let Some(first) = start.line else { return Some(Location::new(file, None)) };
    let last = match end.line {
        Some(last) if last > first && end.column.is_some_and(|column| column.get() == 1) => {
            Line::new(i64::from(last.get()) - 1).unwrap_or(first)
        }
        last => last.unwrap_or(first),
    };
    let lines = reader.expect(Reason::BadLine, span, LineRange::new(first, last))?;
    Some(Location { column: start.column, ..Location::new(file, Some(lines)) })
}

/// Reads a confidence from 0 to 1.
pub(super) fn fraction<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Confidence> {
    let text = reader.number(node)?;
    let confidence = Confidence::from_fraction(text).map_err(|_| format!("expected 0 to 1, found {text}"));
    reader.expect(Reason::BadConfidence, node.span, confidence)
}

/// Reads a text of which a blank one says nothing.
pub(super) fn text_or_blank<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Option<&'n str>> {
    reader.string(node).map(|text| Some(text).filter(|text| !text.trim().is_empty()))
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

/// Writes a document as one line of JSON Lines, with its line feed.
pub(super) fn to_line(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string(document).expect("string keys and finite numbers are always JSON");
    text.push('\n');
    text
}
