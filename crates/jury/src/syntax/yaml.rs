//! YAML with places, as the same tree that JSON gives.
//!
//! In: a part of a source. Out: a tree, or the first place that is not YAML. The crate underneath refuses duplicate
//! keys and alias bombs; depth and aliases are held to our own limits. Plain scalars stay texts: a reader that wants
//! a number asks for one.

use std::borrow::Cow;
use std::fmt;

use jury_wire::Reason;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use super::{Deviation, Limits, Member, Node, Source, Span, Value};

/// Reads the YAML document that a span of the source holds.
pub fn parse<'a>(source: &Source<'a>, span: Span, limits: &Limits) -> Result<Node<'a>, Deviation> {
    let text = source.slice(span);
    let places = Places { offset: span.start, text };
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_depth: limits.depth,
            max_aliases: limits.aliases,
            max_anchors: limits.aliases,
            flow_nesting_limit: limits.depth,
        },
    };
    let raw: Spanned<Raw> =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| places.deviation(&error))?;
    Ok(places.node(raw))
}

/// Where the crate's own places lie in the source.
struct Places<'a> {
    offset: usize,
    text: &'a str,
}

impl<'a> Places<'a> {
    fn span(&self, location: serde_saphyr::Location) -> Span {
        let span = location.span();
        // The crate counts characters; we count bytes.
        let byte = |character: usize| {
            self.text.char_indices().nth(character).map_or(self.text.len(), |(byte, _)| byte) + self.offset
        };
        let start = byte(span.offset() as usize);
        let end = byte((span.offset() + span.len()) as usize);
        Span::new(start, end)
    }

    fn deviation(&self, error: &serde_saphyr::Error) -> Deviation {
        let span = error.location().map_or(Span::at(self.offset), |location| self.span(location));
        let message = error.without_snippet().to_string();
        let reason = match error.without_snippet() {
            serde_saphyr::Error::Budget { breach, .. } => match breach {
                serde_saphyr::budget::BudgetBreach::Depth { .. } => Reason::LimitDepth,
                _ => Reason::LimitAliases,
            },
            serde_saphyr::Error::DuplicateMappingKey { .. } => Reason::DuplicateKey,
            _ => Reason::YamlSyntax,
        };
        Deviation::new(reason, span, message)
    }

    fn node(&self, raw: Spanned<Raw>) -> Node<'a> {
        let value = match raw.value {
            Raw::Null => Value::Null,
            Raw::Bool(value) => Value::Bool(value),
            Raw::Number(text) => Value::Number(Cow::Owned(text)),
            Raw::String(text) => Value::String(Cow::Owned(text)),
            Raw::Array(items) => Value::Array(items.into_iter().map(|item| self.node(item)).collect()),
            Raw::Object(members) => Value::Object(
                members
                    .into_iter()
                    .map(|(key, value)| Member {
                        key_span: self.span(key.referenced),
                        key: Cow::Owned(key.value),
                        node: self.node(value),
                    })
                    .collect(),
            ),
        };
        Node { span: self.span(raw.referenced), value }
    }
}

enum Raw {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Spanned<Raw>>),
    Object(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::String(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Raw::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Raw::Object(members))
    }
}
