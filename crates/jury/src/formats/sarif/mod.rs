//! `sarif`: the results of static analysis tools (OASIS SARIF 2.1.0), one run per reviewer.
//!
//! Values without a place in SARIF stand in its property bags under the key `jury`. Read are the parts that give the
//! defect, its place and its severity; further members are allowed everywhere. Nothing that a log refers to outside itself is
//! ever looked at.

mod bag;
mod location;
mod message;
mod read;
mod related;
mod result;
mod tool;
mod uri;
mod write;

use jury_wire::Reason;

use super::{Format, json};
use crate::syntax::{Deviation, Fields, Node, Reader, Source, Span, Value};

pub(super) const FORMAT: Format = Format {
    id: "sarif",
    seed: "SARIF 2.1.0",
    what: "the results of static analysis tools, one run per tool",
    extension: "sarif",
    // A missing reviewer is a run that failed; but few consumers look there, so the gap is stated as a result, too.
    states_attendance: false,
    recognises,
    read: read::read,
    write: Some(write::write),
};

/// The one version that is read and written.
const VERSION: &str = "2.1.0";
/// The base that relative URIs are resolved against: the root of the repository.
const SOURCE_ROOT: &str = "%SRCROOT%";
/// An `error` with at least this `security-severity` is a Blocker (DESIGN §5).
const CRITICAL: f64 = 9.0;
/// How many related places of a result are kept.
const MOST_RELATED: usize = 100;
/// How many weaknesses of a result are kept.
const MOST_WEAKNESSES: usize = 100;

fn recognises(source: &Source<'_>) -> bool {
    let names_schema = || {
        let schema = crate::syntax::json::top_level_string(source.text(), "$schema");
        schema.is_some_and(|schema| schema.contains("sarif"))
    };
    json::has_any_key(source, &["runs"]) || json::has_any_key(source, &["$schema"]) && names_schema()
}

/// State over a whole log.
#[derive(Default)]
struct Account {
    /// Remarks on a conforming log.
    notes: Vec<Deviation>,
    /// How many bytes of text have been taken over into claims. Results refer to texts that stand once in a log, so a
    /// small log can say much; it may not say more than the largest one.
    taken: usize,
    /// Whether it was noted that no more is taken over.
    is_full: bool,
}

impl Account {
    fn note(&mut self, reason: Reason, span: Span, message: impl Into<String>) {
        self.notes.push(Deviation::new(reason, span, message));
    }
}

/// Reads a member that may be there. Null is noted, but says no more than absence.
fn member<'n, 's, 'a, T>(
    reader: &mut Reader<'s, 'a>,
    fields: &mut Fields<'n, 'a>,
    name: &'static str,
    read: impl FnOnce(&mut Reader<'s, 'a>, &'n Node<'a>) -> Option<T>,
) -> Option<T> {
    match fields.get(name) {
        Some(node) if node.value == Value::Null => {
            reader.deviate(Reason::WrongType, node.span, format!("`{name}` is null; leave it out"));
            None
        }
        _ => fields.optional(reader, name, read),
    }
}

/// Reads an array index; -1 stands for none (§3.7.4).
fn index<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<(usize, Span)>> {
    let number = reader.integer(node)?;
    if number == -1 {
        return Some(None);
    }
    let index = usize::try_from(number).map_err(|_| format!("{number} is not an index"));
    reader.expect(Reason::BadReference, node.span, index).map(|index| Some((index, node.span)))
}

/// Reads the plain text of a message-like object.
fn plain_text<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<&'n str> {
    let mut fields = reader.fields(node)?;
    let text = fields.required(reader, "text", Reader::string);
    fields.end(reader, crate::syntax::Unknown::Allow);
    text
}

/// Returns the members of an object whose names are free, duplicates noted.
fn entries<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<&'n [crate::syntax::Member<'a>]> {
    reader.fields(node)?;
    match &node.value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

/// Returns the number of the weakness that a tag or taxon names, for example `external/cwe/cwe-079` or `CWE-79: …`.
fn weakness(text: &str) -> Option<u32> {
    let places = text.as_bytes().windows(3).enumerate().filter(|(_, window)| window.eq_ignore_ascii_case(b"cwe"));
    places
        .map(|(at, _)| &text[at + 3..])
        .find_map(|rest| number(rest.strip_prefix(['-', '_', ':', '/', ' ']).unwrap_or(rest)))
}

/// Returns the number that a text starts with.
fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..digits)?.parse().ok().filter(|number| *number > 0)
}
