//! The place of one finding: file, line and location fields in any spelling.
//!
//! In: the fields of a finding, or a text that names a place. Out: the location; an unusable one is noted, and a path that leaves
//! the repository refuses the finding. Deliberately not here: how one text is taken apart (`scalars`).

use jury_wire::Reason;

use super::fields::{Fields, flattened, note_name};
use super::finding::Refusal;
use super::ledger::Ledger;
use super::places;
use super::scalars::{self, File, Lines};
use super::synonyms::{self, Field};
use crate::model::{Column, Line, LineRange, Location, whole_number};
use crate::syntax::{Member, Node, Span, Value};

/// A place that stands before a finding and not in it.
#[derive(Clone, Debug)]
pub(super) struct InheritedPlace {
    pub(super) file: String,
    pub(super) lines: Option<String>,
}

/// Makes the location of a finding without a file, from the inherited place and the finding's own lines.
pub(super) fn of_surroundings(
    ledger: &mut Ledger<'_>,
    span: Span,
    own_lines: Option<&str>,
    inherited: Option<&InheritedPlace>,
) -> Result<Option<Location>, Refusal> {
    let Some(inherited) = inherited else { return Ok(None) };
    let place = scalars::FileRef { file: &inherited.file, lines: own_lines.or(inherited.lines.as_deref()), rest: None };
    let found = location_of(ledger, span, &place)?;
    if let Some(found) = &found {
        ledger.repair(Reason::LocationSplit, span, "a place around the finding", &found.to_string());
    }
    Ok(found)
}

/// Looks for the place of a finding whose fields name none: around it, then in its texts.
pub(super) fn elsewhere(
    ledger: &mut Ledger<'_>,
    span: Span,
    fields: &Fields<'_, '_>,
    inherited: Option<&InheritedPlace>,
) -> Result<Option<Location>, Refusal> {
    // An unusable place is no reason to look for another one. A place with lines alone names no file.
    let mut named = [Field::File, Field::Place, Field::Places].into_iter().flat_map(|field| fields.all(field));
    if named.any(|member| names_file(&member.node)) {
        return Ok(None);
    }
    if inherited.is_some() {
        let own_lines =
            lines(ledger, fields).or_else(|| lines_of_places(ledger, fields)).map(|lines| lines.to_string());
        return of_surroundings(ledger, span, own_lines.as_deref(), inherited);
    }
    let texts = [Field::Title, Field::Why, Field::Evidence].into_iter().flat_map(|field| fields.all(field));
    for member in texts {
        let text = flattened(&member.node);
        let Some(place) = places::marked_place(&text).filter(|place| place.lines.is_some()) else { continue };
        if let Ok(Some(found)) = location_of(ledger, member.node.span, &place) {
            ledger.repair(Reason::LocationSplit, member.node.span, "a place in the text", &found.to_string());
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Tells whether a field for a place can name a file: a text does, and an object with a member for one.
fn names_file(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Object(members) => members.iter().any(|member| {
            synonyms::field(&member.key)
                .is_some_and(|(field, _)| matches!(field, Field::File | Field::Place | Field::Places))
                && names_file(&member.node)
        }),
        Value::Array(items) => items.iter().any(names_file),
        // An address is where to read about it.
        Value::String(text) => !text.contains("://"),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Returns the lines that the objects for a place give beside a file that is named elsewhere.
fn lines_of_places(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>) -> Option<LineRange> {
    let objects =
        fields.all(Field::Place).chain(fields.all(Field::Places)).filter_map(|member| match &member.node.value {
            Value::Object(members) => Some(members.as_slice()),
            _ => None,
        });
    objects.into_iter().find_map(|members| lines(ledger, &Fields::of(members))).or_else(|| lines_in_words(fields))
}

/// Returns the lines that a text for a place names beside words: `POST handler L78-96`.
fn lines_in_words(fields: &Fields<'_, '_>) -> Option<LineRange> {
    let texts = fields.all(Field::Place).filter_map(|member| match &member.node.value {
        Value::String(text) => places::named_line(text),
        _ => None,
    });
    texts.into_iter().find_map(|text| match scalars::lines(text) {
        Lines::Exact(range) | Lines::Read(range) => Some(range),
        Lines::None => None,
    })
}

/// Finds the first place that a text starts with or has in backticks or brackets.
pub(super) fn place_in_text(ledger: &mut Ledger<'_>, span: Span, text: &str) -> Option<Location> {
    let start = scalars::split_place(text).filter(|place| place.lines.is_some());
    let quoted =
        || text.split('`').skip(1).step_by(2).filter_map(scalars::split_place).find(|place| place.file.contains('.'));
    let marked = || places::marked_place(text).filter(|place| place.lines.is_some());
    let place = start.or_else(quoted).or_else(marked)?;
    location_of(ledger, span, &place).ok().flatten()
}

/// Puts together the place that file, line and location fields give.
pub(super) fn location(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>) -> Result<Option<Location>, Refusal> {
    let mut found: Option<Location> = None;
    for member in fields.all(Field::File).chain(fields.all(Field::Place)).chain(fields.all(Field::Places)) {
        let is_own_name = member.key == "file";
        let place = match &member.node.value {
            Value::String(text) => place_of_text(ledger, member, text)?,
            Value::Object(members) => location(ledger, &Fields::of(members))?,
            Value::Array(items) => place_of_list(ledger, member, items)?,
            _ => None,
        };
        let Some(place) = place else { continue };
        if !is_own_name {
            ledger.repair(Reason::SynonymField, member.key_span, &member.key, "file");
        }
        // The first field that names a file is the place; a later one may only add the line of the same file.
        match &mut found {
            None => found = Some(place),
            Some(first) if first.file == place.file && first.lines.is_none() => first.lines = place.lines,
            Some(_) => {}
        }
        if found.as_ref().is_some_and(|found| found.lines.is_some()) {
            break;
        }
    }
    let Some(mut location) = found else { return Ok(None) };
    if location.lines.is_none() {
        location.lines = lines(ledger, fields).or_else(|| lines_of_places(ledger, fields));
    }
    if location.lines.is_some()
        && let Some(text) = fields.text(Field::Column)
    {
        location.column = whole_number(&text).and_then(Column::new);
    }
    Ok(Some(location))
}

fn place_of_list(
    ledger: &mut Ledger<'_>,
    member: &Member<'_>,
    items: &[Node<'_>],
) -> Result<Option<Location>, Refusal> {
    if items.len() > 1 {
        ledger.repair(Reason::LocationSplit, member.node.span, &format!("{} places", items.len()), "the first of them");
    }
    for item in items {
        let place = match &item.value {
            Value::String(text) => place_of_text(ledger, member, text)?,
            Value::Object(members) => location(ledger, &Fields::of(members))?,
            _ => None,
        };
        if place.is_some() {
            return Ok(place);
        }
    }
    Ok(None)
}

fn place_of_text(ledger: &mut Ledger<'_>, member: &Member<'_>, text: &str) -> Result<Option<Location>, Refusal> {
    let span = member.node.span;
    if scalars::is_nothing(text) {
        ledger.repair(Reason::ValueDropped, span, text, "no file");
        return Ok(None);
    }
    // A path may have blanks, if the field can hold nothing but a path.
    let is_file_field = synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::File);
    if is_file_field
        && let File::Exact(path) = scalars::file(text)
        && !text.contains([':', '#', ',', '(', '`', ';'])
        && (text.contains(['/', '.']) || !text.contains(char::is_whitespace))
        && !text.contains(" + ")
        && !text.contains(" and ")
    {
        return Ok(Some(Location::new(path, None)));
    }
    match scalars::split_place(text) {
        Some(place) => {
            if place.lines.is_some() || place.rest.is_some() {
                ledger.repair(Reason::LocationSplit, span, text, place.file);
            }
            location_of(ledger, span, &place)
        }
        None if is_file_field => match scalars::file(text.trim()) {
            File::Illegal(error) => Err((Reason::BadPath, error.to_string())),
            _ => {
                ledger.repair(Reason::ValueDropped, span, text, "no file");
                Ok(None)
            }
        },
        None => {
            ledger.repair(Reason::ValueDropped, span, text, "no file");
            Ok(None)
        }
    }
}

/// Makes a location of a place that was taken apart. A path of another machine leaves the claim without a place, noted; one
/// that leaves the repository takes the claim with it.
pub(super) fn location_of(
    ledger: &mut Ledger<'_>,
    span: Span,
    place: &scalars::FileRef<'_>,
) -> Result<Option<Location>, Refusal> {
    let file = match scalars::file(place.file) {
        File::Exact(file) => file,
        File::Normalised(file) => {
            ledger.repair(Reason::PathNormalised, span, place.file, file.as_str());
            file
        }
        File::Absolute => {
            if let Some(file) = ledger.within_roots(place.file) {
                ledger.repair(Reason::PathNormalised, span, place.file, file.as_str());
                file
            } else {
                ledger.repair(Reason::ValueDropped, span, place.file, "no file: the path is absolute");
                return Ok(None);
            }
        }
        File::Illegal(error) => return Err((Reason::BadPath, error.to_string())),
    };
    let lines = place.lines.map(scalars::lines).and_then(|lines| match lines {
        Lines::Exact(range) | Lines::Read(range) => Some(range),
        Lines::None => {
            ledger.repair(Reason::ValueDropped, span, place.lines.unwrap_or_default(), "no line");
            None
        }
    });
    Ok(Some(Location::new(file, lines)))
}

/// Reads the number of a line, alone or in an object: `{"line": 3, "column": 5}`.
fn line_in(node: &Node<'_>) -> Option<Line> {
    match &node.value {
        Value::Object(members) => {
            let is_line = |member: &&Member<'_>| {
                synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::Line)
                    && !matches!(member.node.value, Value::Object(_) | Value::Array(_))
            };
            members.iter().find(is_line).and_then(|member| line_in(&member.node))
        }
        _ => whole_number(&flattened(node)).and_then(|number| Line::new(number).ok()),
    }
}

/// Returns the lines that the first of the fields for them gives which gives any.
pub(super) fn lines(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>) -> Option<LineRange> {
    fields.all(Field::Line).find_map(|member| lines_of(ledger, fields, member))
}

fn lines_of(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>, member: &Member<'_>) -> Option<LineRange> {
    let dropped = |ledger: &mut Ledger<'_>, was: &str| {
        ledger.repair(Reason::ValueDropped, member.node.span, was, "no line");
        None
    };
    let range = match &member.node.value {
        Value::Number(text) => match whole_number(text).map(Line::new) {
            Some(Ok(line)) => LineRange::single(line),
            _ => return dropped(ledger, text),
        },
        Value::String(text) => match scalars::lines(text.trim()) {
            Lines::Exact(range) | Lines::Read(range) => {
                ledger.repair(Reason::LocationSplit, member.node.span, text, &range.to_string());
                range
            }
            Lines::None => return dropped(ledger, text),
        },
        Value::Array(items) => {
            let numbers: Vec<Line> = items
                .iter()
                .filter_map(|item| whole_number(&flattened(item)))
                .filter_map(|n| Line::new(n).ok())
                .collect();
            let range = match numbers.as_slice() {
                [first, last] => LineRange::new(*first, *last).unwrap_or(LineRange::single(*first)),
                [first, ..] => LineRange::single(*first),
                [] => match items.first().map(|item| scalars::lines(&flattened(item))) {
                    Some(Lines::Exact(range) | Lines::Read(range)) => range,
                    _ => return dropped(ledger, "a list"),
                },
            };
            ledger.repair(Reason::LocationSplit, member.node.span, "a list of lines", &range.to_string());
            range
        }
        Value::Object(members) => {
            let number = |names: &[&str]| {
                let of_name =
                    members.iter().find(|member| names.contains(&synonyms::fold_name(&member.key).as_str()))?;
                line_in(&of_name.node)
            };
            let start = number(&["start", "from", "startline", "begin", "line", "first", "linenumber", "row"]);
            let Some(start) = start else {
                return dropped(ledger, "an object");
            };
            let end = number(&["end", "to", "endline", "last"]).and_then(|end| LineRange::new(start, end).ok());
            let range = end.unwrap_or(LineRange::single(start));
            ledger.repair(Reason::LocationSplit, member.node.span, "an object", &range.to_string());
            range
        }
        _ => return dropped(ledger, member.node.kind()),
    };
    note_name(ledger, member, "line");
    let end =
        fields.text(Field::EndLine).and_then(|text| whole_number(&text)).and_then(|number| Line::new(number).ok());
    let longer =
        end.filter(|_| range.end_if_longer().is_none()).and_then(|end| LineRange::new(range.start(), end).ok());
    Some(longer.unwrap_or(range))
}
