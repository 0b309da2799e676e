//! TOML with places, as the same tree that JSON gives.
//!
//! In: a part of a source. Out: a tree, or nothing if it is no TOML: no contract is written in it, so no error is reported.
//! Members stand in the order of the text. Dates are texts.

use std::borrow::Cow;
use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::{Limits, Member, Node, Source, Span, Value};

/// Reads the TOML document that a span of the source holds.
pub fn parse<'a>(source: &Source<'a>, span: Span, limits: &Limits) -> Option<Node<'a>> {
    let text = source.slice(span);
    // Each dot in the name of a table is a level of its own.
    let name = |line: &str| line.split('=').next().unwrap_or_default().matches('.').count();
    if text.lines().any(|line| name(line) > limits.depth) {
        return None;
    }
    let table = DeTable::parse(text).ok()?;
    let places = TomlSpans { offset: span.start };
    let whole = places.span(table.span());
    places.table(table.into_inner(), limits.depth).map(|value| Node { span: whole, value })
}

/// Where the crate's own places lie in the source.
struct TomlSpans {
    offset: usize,
}

impl TomlSpans {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.offset + range.start, self.offset + range.end)
    }

    fn table<'a>(&self, table: DeTable<'a>, depth: usize) -> Option<Value<'a>> {
        let depth = depth.checked_sub(1)?;
        let member = |(key, value): (Spanned<Cow<'a, str>>, Spanned<DeValue<'a>>)| {
            let key_span = self.span(key.span());
            Some(Member { key: key.into_inner(), key_span, node: self.node(value, depth)? })
        };
        let mut members: Vec<Member<'a>> = table.into_iter().map(member).collect::<Option<_>>()?;
        members.sort_by_key(|member| member.key_span);
        Some(Value::Object(members))
    }

    fn node<'a>(&self, value: Spanned<DeValue<'a>>, depth: usize) -> Option<Node<'a>> {
        let span = self.span(value.span());
        let value = match value.into_inner() {
            DeValue::String(text) => Value::String(text),
            DeValue::Integer(number) if number.radix() == 10 => Value::Number(Cow::Owned(number.as_str().to_owned())),
            DeValue::Integer(number) => Value::String(Cow::Owned(number.to_string())),
            DeValue::Float(number) if number.as_str().ends_with(|c: char| c.is_ascii_digit()) => {
                Value::Number(Cow::Owned(number.as_str().to_owned()))
            }
            DeValue::Float(number) => Value::String(Cow::Owned(number.to_string())),
            DeValue::Boolean(value) => Value::Bool(value),
            DeValue::Datetime(date) => Value::String(Cow::Owned(date.to_string())),
            DeValue::Array(items) => {
                let depth = depth.checked_sub(1)?;
                Value::Array(items.into_iter().map(|item| self.node(item, depth)).collect::<Option<_>>()?)
            }
            DeValue::Table(table) => self.table(table, depth)?,
        };
        Some(Node { span, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        fn shown(node: &Node<'_>) -> String {
            match &node.value {
                Value::Null => "null".to_owned(),
                Value::Bool(value) => value.to_string(),
                Value::Number(text) => text.to_string(),
                Value::String(text) => format!("{text:?}"),
                Value::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
                Value::Object(members) => {
                    let members = members.iter().map(|member| format!("{}: {}", member.key, shown(&member.node)));
                    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
                }
            }
        }
        let limits = Limits::default();
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        parse(&source, source.whole(), &limits).as_ref().map(shown)
    }

    #[test]
    fn toml_is_a_tree_in_the_order_of_the_text() {
        let text = "verdict = \"fail\"\nat = 2026-01-02\n\n[[findings]]\ntitle = '''a'''\nline = 1_0\nodds = 0.5\n\n[[findings]]\nnew = true\nlines = [1, 2]\n";
        let expected = "{verdict: \"fail\", at: \"2026-01-02\", findings: [{title: \"a\", line: 10, odds: 0.5}, {new: true, lines: [1, 2]}]}";
        assert_eq!(read(text).as_deref(), Some(expected));
    }

    #[test]
    fn places_are_those_of_the_source() {
        let text = "```\na = \"b\"\n```\n";
        let limits = Limits::default();
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        let root = parse(&source, Span::new(4, 12), &limits).unwrap();
        let Value::Object(members) = &root.value else { panic!("{root:?}") };
        assert_eq!((source.slice(members[0].key_span), source.slice(members[0].node.span)), ("a", "\"b\""));
    }

    #[test]
    fn what_is_no_toml_or_too_deep_is_nothing() {
        let deep = format!("[{}a]\nb = 1\n", "a.".repeat(100_000));
        let brackets = format!("a = {}", "[".repeat(100_000));
        for text in ["a = b", "a = 1\na = 2\n", "[x\n", deep.as_str(), brackets.as_str()] {
            assert_eq!(read(text), None);
        }
    }
}
