//! The known members of a finding, by the table of synonyms.
//!
//! In: the members of an object. Out: those of one meaning, the contract's own name first, and their texts. Deliberately not here:
//! the meaning of a value.

use std::borrow::Cow;

use jury_wire::Reason;

use super::ledger::Ledger;
use super::synonyms::{self, Field};
use crate::syntax::{Member, Node, Span, Value};

/// Returns the places of names that occur a second time.
pub(super) fn duplicates(members: &[Member<'_>]) -> Vec<Span> {
    Member::duplicates(members).into_iter().map(|member| member.key_span).collect()
}

/// The members of a finding that mean something.
pub(super) struct Fields<'n, 'a>(Vec<(Field, usize, &'n Member<'a>)>);

/// How much further off the members of an inner object are than any other name for the same.
const FURTHER: usize = 1_000;

/// Returns the members of the one object in a finding that says how bad it is, where the finding has a place.
pub(super) fn inner_rating<'n, 'a>(members: &'n [Member<'a>]) -> Option<&'n [Member<'a>]> {
    let is_place = |member: &Member<'_>| {
        is_text(member)
            && means(member, |field| matches!(field, Field::File | Field::Place | Field::Rule | Field::Line))
    };
    rated_object(members).filter(|_| members.iter().any(is_place) || inner_place(members).is_some())
}

fn rated_object<'n, 'a>(members: &'n [Member<'a>]) -> Option<&'n [Member<'a>]> {
    let is_severity = |member: &Member<'_>| {
        matches!(member.node.value, Value::String(_)) && means(member, |field| field == Field::Severity)
    };
    only_object(members, |_, inner| inner.iter().any(is_severity))
}

/// Returns the members of the one object in a finding, or in an object of it, that names a file.
fn inner_place<'n, 'a>(members: &'n [Member<'a>]) -> Option<&'n [Member<'a>]> {
    let names_file = |member: &Member<'_>| {
        matches!(member.node.value, Value::String(_)) && means(member, |field| field == Field::File)
    };
    let holds_place = |member: &Member<'_>| {
        let is_place = means(member, |field| matches!(field, Field::File | Field::Place));
        matches!(&member.node.value, Value::Object(inner) if is_place && inner.iter().any(names_file))
    };
    only_object(members, |_, inner| inner.iter().any(|member| names_file(member) || holds_place(member)))
}

/// Returns the members of the one object in a finding that gives a line: `"CauseMetadata": {"StartLine": 3}`.
fn inner_lines<'n, 'a>(members: &'n [Member<'a>]) -> Option<&'n [Member<'a>]> {
    let is_line = |member: &Member<'_>| is_text(member) && means(member, |field| field == Field::Line);
    only_object(members, |member, inner| synonyms::field(&member.key).is_none() && inner.iter().any(is_line))
}

/// Returns the members of the one object among others that is of a kind, and no list or count of a report.
fn only_object<'n, 'a>(
    members: &'n [Member<'a>],
    is_kind: impl Fn(&Member<'_>, &[Member<'_>]) -> bool,
) -> Option<&'n [Member<'a>]> {
    let mut objects = members.iter().filter_map(|member| match &member.node.value {
        Value::Object(inner) if synonyms::part(&member.key).is_none() && is_kind(member, inner) => {
            Some(inner.as_slice())
        }
        _ => None,
    });
    objects.next().filter(|_| objects.next().is_none())
}

fn is_text(member: &Member<'_>) -> bool {
    matches!(member.node.value, Value::String(_) | Value::Number(_))
}

fn means(member: &Member<'_>, wanted: impl Fn(Field) -> bool) -> bool {
    synonyms::field(&member.key).is_some_and(|(field, _)| wanted(field))
}

impl<'n, 'a> Fields<'n, 'a> {
    pub(super) fn of(members: &'n [Member<'a>]) -> Self {
        let meant = members.iter().filter(|member| !matches!(member.node.value, Value::Null));
        let mut fields: Vec<_> = meant
            .filter_map(|member| synonyms::field(&member.key).map(|(field, rank)| (field, rank, member)))
            .collect();
        fields.sort_by_key(|(_, rank, _)| *rank);
        Self(fields)
    }

    /// Takes the known members, and fills those that are missing from objects inside the finding: its severity, `{"path": …,
    /// "extra": {"severity": …, "message": …}}`, its file, and its line.
    pub(super) fn of_finding(members: &'n [Member<'a>]) -> Self {
        let mut fields = Self::of(members);
        let is_placed = fields.first(Field::File).is_some() || fields.first(Field::Place).is_some();
        let place = inner_place(members).filter(|_| !is_placed);
        let rating = match fields.first(Field::Severity).map(|member| &member.node.value) {
            None => inner_rating(members),
            // A list of scores is no word; the one beside it is.
            Some(Value::Array(_)) => rated_object(members),
            Some(_) => None,
        };
        if rating.is_some() {
            fields.0.retain(|(field, _, _)| *field != Field::Severity);
            fields.further(place, 1, |_| true);
        } else {
            fields.further(place, 1, |field| {
                matches!(field, Field::File | Field::Place | Field::Places) || is_line(field)
            });
        }
        fields.further(rating, 2, |_| true);
        if fields.first(Field::Line).is_none() {
            fields.further(inner_lines(members), 3, is_line);
        }
        fields.0.sort_by_key(|(_, rank, _)| *rank);
        fields
    }

    /// Takes those members of an inner object that have a wanted meaning.
    fn further(&mut self, inner: Option<&'n [Member<'a>]>, distance: usize, wanted: fn(Field) -> bool) {
        let inner = Self::of(inner.unwrap_or_default()).0.into_iter().filter(|(field, _, _)| wanted(*field));
        self.0.extend(inner.map(|(field, rank, member)| (field, rank + distance * FURTHER, member)));
    }

    /// Returns the members of one meaning, the contract's own name first.
    pub(super) fn all(&self, wanted: Field) -> impl Iterator<Item = &'n Member<'a>> + '_ {
        self.0.iter().filter(move |(field, _, _)| *field == wanted).map(|(_, _, member)| *member)
    }

    pub(super) fn first(&self, wanted: Field) -> Option<&'n Member<'a>> {
        self.all(wanted).next()
    }

    pub(super) fn text(&self, wanted: Field) -> Option<Cow<'n, str>> {
        self.all(wanted).find_map(|member| match &member.node.value {
            Value::String(text) | Value::Number(text) => Some(Cow::Borrowed(text.as_ref())),
            _ => None,
        })
    }
}

fn is_line(field: Field) -> bool {
    matches!(field, Field::Line | Field::EndLine | Field::Column)
}

pub(super) fn note_name(ledger: &mut Ledger<'_>, member: &Member<'_>, name: &str) {
    if member.key != name {
        ledger.repair(Reason::SynonymField, member.key_span, &member.key, name);
    }
}

/// Turns any value into one text.
pub(super) fn flattened(node: &Node<'_>) -> String {
    match &node.value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) | Value::String(text) => text.to_string(),
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(flattened).filter(|text| !text.is_empty()).collect();
            texts.join("\n")
        }
        Value::Object(members) => {
            let is_text = |member: &&Member<'_>| {
                !matches!(synonyms::fold_name(&member.key).as_str(), "id" | "severity" | "confidence" | "type")
            };
            let texts: Vec<String> = members
                .iter()
                .filter(is_text)
                .map(|member| flattened(&member.node))
                .filter(|text| !text.is_empty())
                .collect();
            texts.join(" — ")
        }
    }
}

pub(super) fn boolean(fields: &Fields<'_, '_>, field: Field) -> Option<bool> {
    match &fields.first(field)?.node.value {
        Value::Bool(value) => Some(*value),
        Value::String(text) => match synonyms::fold_word(text).as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
