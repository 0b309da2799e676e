//! Findings as elements: `<finding><severity>high</severity>…</finding>`, as many reviewers are asked to write them.
//!
//! In: a text. Out: the tree of the elements in it, with their places. Unclosed tags are text, because code has them as well;
//! escapes stay as they are. Deliberately not here: strict XML (`syntax::xml`), and the meaning of the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::scalars;
use super::synonyms::{self, Field};
use crate::model::Severity;
use crate::syntax::{Member, Node, Span, Value};

/// No document has elements this deep; code that looks like them may.
const DEEPEST: usize = 16;

/// A longer text, or one with more tags, is not a reviewer's own message.
const LONGEST: usize = 512 * 1024;
const MOST_TAGS: usize = 2_000;
const LONGEST_TAG: usize = 4_096;

/// An element that was found.
struct Element<'t> {
    name: &'t str,
    attributes: &'t str,
    /// Where the attributes start in the text.
    at: usize,
    span: Span,
    inner: Span,
}

/// Reads the elements of a text as one tree, if any of them states a severity.
pub(super) fn parse(text: &str) -> Option<Node<'_>> {
    let states_severity = text.match_indices('<').any(|(at, _)| {
        let rest = &text[at + 1..];
        let name = &rest[..name_length(rest)];
        let is_severity = |name: &str| synonyms::field(name).is_some_and(|(field, _)| field == Field::Severity);
        let tag = tag_length(rest).map_or("", |length| &rest[..length]);
        is_severity(name) || !name.is_empty() && attributes(tag, at + 1).iter().any(|member| is_severity(&member.key))
    });
    // Each tag may be looked for to the end of the text, so there may not be too many of both.
    if !states_severity || text.len() > LONGEST || text.matches('<').count() > MOST_TAGS {
        return None;
    }
    let elements = elements(text, Span::new(0, text.len()));
    let root = Node { span: Span::new(0, text.len()), value: children(text, &elements, 0) };
    (!elements.is_empty()).then_some(root)
}

/// Finds a tag for a severity that has no partner, or a word for findings that block which stands in a short text of its own between
/// two brackets. Where no finding blocks, the tag around it was damaged.
pub(super) fn stray_severity(text: &str) -> Option<Span> {
    if let Some(span) = unpaired_severity(text) {
        return Some(span);
    }
    text.split(['<', '>']).find_map(|piece| {
        let words: Vec<&str> = piece.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let blocks =
            |word: &&str| scalars::severity(word).is_some_and(|(severity, _)| severity.is_at_least(Severity::High));
        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
        (words.len() <= 4 && words.iter().any(blocks)).then(|| Span::new(start, start + piece.len()))
    })
}

/// Finds the first tag for a severity of a name that is opened more often than it is closed, or the other way round.
fn unpaired_severity(text: &str) -> Option<Span> {
    let tags = text.match_indices('<').filter_map(|(at, _)| {
        let rest = &text[at + 1..];
        let is_end = rest.starts_with('/');
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let name = &rest[..name_length(rest)];
        let is_severity = synonyms::field(name).is_some_and(|(field, _)| field == Field::Severity);
        let is_empty = || tag_length(rest).is_some_and(|length| rest[..length].ends_with('/'));
        (is_severity && (is_end || !is_empty())).then_some((name, is_end, at))
    });
    let mut open: BTreeMap<&str, (isize, usize)> = BTreeMap::new();
    for (name, is_end, at) in tags {
        open.entry(name).or_insert((0, at)).0 += if is_end { -1 } else { 1 };
    }
    let (name, (_, at)) = open.into_iter().find(|(_, (count, _))| *count != 0)?;
    Some(Span::new(at, at + 1 + name.len()))
}

fn name_length(text: &str) -> usize {
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) { length } else { 0 }
}

/// Returns where a tag ends: at the first `>` that stands in none of its values. Over several lines it goes only from one attribute to
/// the next, and a value that is not closed or another `<` makes it none.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote: Option<char> = None;
    let mut last = ' ';
    // Whether all that came since the line broke are attributes.
    let mut is_broken = false;
    for (at, c) in text.char_indices().take(LONGEST_TAG) {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'') if last == '=' => quote = Some(c),
            (None, '>') => {
                let has_attributes = !attributes(&text[name_length(text)..at], 0).is_empty();
                return (!is_broken || has_attributes).then_some(at);
            }
            (None, '<') => return None,
            (None, '\n') => is_broken = true,
            _ => {}
        }
        if quote.is_some() || !c.is_whitespace() {
            last = c;
        }
    }
    None
}

/// Finds the outermost elements of a part of a text.
fn elements(text: &str, part: Span) -> Vec<Element<'_>> {
    let inside = &text[..part.end];
    let mut found = Vec::new();
    let mut at = part.start;
    while let Some(offset) = inside[at..].find('<') {
        let start = at + offset;
        at = start + 1;
        let rest = &inside[start + 1..];
        let name = &rest[..name_length(rest)];
        let Some(length) = tag_length(rest).filter(|_| !name.is_empty()) else { continue };
        let tag = &rest[..length];
        let behind = start + 1 + length + 1;
        let attributes = tag[name.len()..].trim_end_matches('/');
        let element = |span: Span, inner: Span| Element { name, attributes, at: start + 1 + name.len(), span, inner };
        if tag.ends_with('/') {
            found.push(element(Span::new(start, behind), Span::at(behind)));
            at = behind;
        } else if let Some(end) = closing(&inside[behind..], name) {
            let inner = Span::new(behind, behind + end);
            at = inner.end + name.len() + 3;
            found.push(element(Span::new(start, at), inner));
        }
    }
    found
}

/// Finds the end tag that closes an element, past those of elements of the same name in it.
fn closing(text: &str, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut depth = 0;
    let mut at = 0;
    loop {
        let end = at + text[at..].find(&close)?;
        depth += text[at..end]
            .match_indices(&open)
            .filter(|(at_open, _)| {
                !text[at + at_open + open.len()..]
                    .starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            })
            .count();
        if depth == 0 {
            return Some(end);
        }
        depth -= 1;
        at = end + close.len();
    }
}

/// Makes a value of elements: a list if all go by one name, else an object in which those of one name are a list.
fn children<'t>(text: &'t str, elements: &[Element<'t>], depth: usize) -> Value<'t> {
    let mut members: Vec<Member<'t>> = Vec::new();
    for element in elements {
        let node = node(text, element, depth + 1);
        match members.iter_mut().find(|member| member.key == element.name) {
            Some(member) => {
                let span = Span::new(member.node.span.start, node.span.end);
                let first = std::mem::replace(&mut member.node, Node { span, value: Value::Null });
                let items = match first.value {
                    Value::Array(items) => [items, vec![node]].concat(),
                    _ => vec![first, node],
                };
                member.node.value = Value::Array(items);
            }
            None => {
                let key_span = Span::new(element.span.start, element.span.start + 1 + element.name.len());
                members.push(Member { key: Cow::Borrowed(element.name), key_span, node });
            }
        }
    }
    Value::Object(members)
}

fn node<'t>(text: &'t str, element: &Element<'t>, depth: usize) -> Node<'t> {
    let content = &text[element.inner.start..element.inner.end];
    let inner = if depth < DEEPEST { elements(text, element.inner) } else { Vec::new() };
    let mut members = attributes(element.attributes, element.at);
    // An element without a child for a field of a finding, or for a list of findings, is a text.
    let is_known =
        |element: &Element<'_>| synonyms::field(element.name).is_some() || synonyms::part(element.name).is_some();
    let holds = inner.iter().any(|element| is_known(element) || !element.attributes.trim().is_empty())
        || inner.iter().any(|element| !elements(text, element.inner).is_empty());
    if holds {
        if let Value::Object(further) = children(text, &inner, depth) {
            members.extend(further);
        }
        return Node { span: element.span, value: Value::Object(members) };
    }
    let bare = unescaped(content.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>").trim());
    if members.is_empty() {
        return Node { span: element.span, value: Value::String(bare) };
    }
    if !bare.is_empty() {
        let node = Node { span: element.inner, value: Value::String(bare) };
        members.push(Member { key: Cow::Borrowed("text"), key_span: element.inner, node });
    }
    Node { span: element.span, value: Value::Object(members) }
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    Cow::Owned(plain.replace("&amp;", "&"))
}

/// Reads `name="value"` pairs.
fn attributes(text: &str, offset: usize) -> Vec<Member<'_>> {
    let mut members = Vec::new();
    let mut at = 0;
    while let Some(equals) = text[at..].find('=') {
        let before = &text[at..at + equals];
        let name = before.trim().rsplit(char::is_whitespace).next().unwrap_or_default();
        let rest = &text[at + equals + 1..];
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some(length) = rest[1..].find(quote) else { break };
        let start = at + equals + 2;
        let span = Span::new(offset + start, offset + start + length);
        if !name.is_empty() {
            let node = Node { span, value: Value::String(unescaped(&text[start..start + length])) };
            members.push(Member { key: Cow::Borrowed(name), key_span: span, node });
        }
        at = start + length + 1;
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(node: &Node<'_>) -> String {
        match &node.value {
            Value::String(text) => text.to_string(),
            Value::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Value::Object(members) => {
                let members: Vec<String> =
                    members.iter().map(|member| format!("{}: {}", member.key, shown(&member.node))).collect();
                format!("{{{}}}", members.join(", "))
            }
            _ => String::new(),
        }
    }

    #[test]
    fn elements_are_a_tree() {
        for (text, expected) in [
            (
                "<finding><severity>high</severity><title>a &lt; b</title></finding>",
                "{finding: {severity: high, title: a < b}}",
            ),
            (
                "<r>\n<finding><severity>a</severity></finding>\n<finding><severity>b</severity></finding></r>",
                "{r: {finding: [{severity: a}, {severity: b}]}}",
            ),
            ("x <issue severity=\"low\" line='3'>why</issue> y", "{issue: {severity: low, line: 3, text: why}}"),
            ("<issue severity=\"low\" title=\"t\"/>", "{issue: {severity: low, title: t}}"),
            (
                "<issue\n  severity=\"low\"\n  title=\"a > b\">\n<location\n file=\"a.ts\"/>\n</issue>",
                "{issue: {severity: low, title: a > b, location: {file: a.ts}}}",
            ),
            (
                "<finding><severity>low</severity><code>if a < b { <p> }</code></finding>",
                "{finding: {severity: low, code: if a < b { <p> }}}",
            ),
        ] {
            assert_eq!(parse(text).as_ref().map(shown).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_states_no_severity_is_left_alone() {
        for text in ["<details><summary>x</summary></details>", "Vec<Severity>", "a < b", "<severity", ""] {
            assert!(
                parse(text).is_none_or(|root| matches!(&root.value, Value::Object(members) if members.is_empty())),
                "{text}"
            );
        }
    }
}
