//! Structured text as a tree whose nodes know their lines. In: the text of a lockfile or manifest. Out: the tree, or why there is none.
//!
//! One tree for JSON, TOML and YAML, so that a family says only where its packages stand. A name that occurs twice in one object is
//! refused: managers disagree about which one counts, and a reader that picks one hides the other. Deliberately not here: what the
//! members mean.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use toml::de::{DeTable, DeValue};

/// The deepest nesting. A lockfile of npm v1 nests once for each folder of `node_modules` inside another.
const DEEPEST: usize = 100;
/// The deepest nesting of YAML, whose crate takes much stack for each level; no manager writes more than six.
const DEEPEST_YAML: usize = 16;
/// The most nodes of one file.
const MOST_NODES: usize = 1_000_000;

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// Its first and its last line, from 1.
    pub(crate) lines: (u32, u32),
    pub(crate) value: Value,
}

/// The value of a node. Numbers, booleans and dates are texts: no lockfile states a version as a number for long.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Returns the member of a name. Its lines begin at the name.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.members().iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }

    /// Returns the members; none if it is no map.
    pub(crate) fn members(&self) -> &[(String, Node)] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// Returns the items; none if it is no list.
    pub(crate) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the text of a member.
    pub(crate) fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Tells whether a member is true.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.get(name).is_some_and(|node| node.value == Value::Bool(true))
    }

    /// Returns the names of a member's members.
    pub(crate) fn names_of(&self, name: &str) -> impl Iterator<Item = &String> {
        self.get(name).into_iter().flat_map(|node| node.members().iter().map(|(key, _)| key))
    }
}

/// Where lines begin, so that an offset has its line.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self([0].into_iter().chain(ends).collect())
    }

    fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    fn lines(&self, range: &Range<usize>) -> (u32, u32) {
        let first = self.line(range.start);
        (first, self.line(range.end.saturating_sub(1)).max(first))
    }
}

/// Refuses a name that stands twice, and takes the lines of the name into the node.
fn member(
    members: &mut Vec<(String, Node)>,
    seen: &mut Seen,
    key: String,
    line: u32,
    mut node: Node,
) -> Result<(), String> {
    if !seen.insert(&key) {
        return Err(format!("`{}` occurs twice (line {line}), and which one counts is not certain", shown(&key)));
    }
    node.lines = (line.min(node.lines.0), node.lines.1.max(line));
    members.push((key, node));
    Ok(())
}

/// The names of one object so far.
#[derive(Default)]
struct Seen(std::collections::BTreeSet<String>);

impl Seen {
    fn insert(&mut self, key: &str) -> bool {
        self.0.insert(key.to_owned())
    }
}

/// Shows a text of a lockfile in a message: one short line without characters that act on a terminal.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let plain = |c: char| if c.is_control() || is_hidden(c) || c == '`' { '\u{fffd}' } else { c };
    let mut line: String = text.chars().take(LONGEST).map(plain).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

/// Tells characters that cannot be seen, or turn the text around them.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Reads JSON. With `is_lenient`, comments and trailing commas are let be, as Bun writes them.
pub(crate) fn json(text: &str, is_lenient: bool) -> Result<Node, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Json { text, at: 0, line: 1, nodes: 0, is_lenient };
    let node = reader.node(0)?;
    reader.space()?;
    if reader.at < text.len() {
        return Err(reader.wrong("text after the end"));
    }
    Ok(node)
}

struct Json<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    nodes: usize,
    is_lenient: bool,
}

impl Json<'_> {
    fn wrong(&self, what: &str) -> String {
        format!("{what} at line {}", self.line)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) -> Result<(), String> {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                b'/' if self.is_lenient => {
                    self.comment()?;
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), String> {
        let rest = &self.text[self.at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").ok_or_else(|| self.wrong("a comment without an end"))? + 2
        } else {
            return Err(self.wrong("an unexpected `/`"));
        };
        self.line += u32::try_from(rest[..length].matches('\n').count()).unwrap_or(u32::MAX);
        self.at += length;
        Ok(())
    }

    fn node(&mut self, depth: usize) -> Result<Node, String> {
        self.space()?;
        self.nodes += 1;
        if depth > DEEPEST || self.nodes > MOST_NODES {
            return Err(self.wrong("nested too deeply, or too many members,"));
        }
        let first = self.line;
        let value = match self.peek() {
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(_) => self.word()?,
            None => return Err(self.wrong("an unexpected end")),
        };
        Ok(Node { lines: (first, self.line), value })
    }

    fn word(&mut self) -> Result<Value, String> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-._".contains(c))).unwrap_or(rest.len());
        let word = &rest[..end];
        self.at += end;
        Ok(match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ if word.parse::<f64>().is_ok() => Value::Text(word.to_owned()),
            _ => return Err(self.wrong("expected a value")),
        })
    }

    fn string(&mut self) -> Result<String, String> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        let mut is_plain = true;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    is_plain = false;
                    at += 2;
                }
                Some(b'\n') | None => return Err(self.wrong("a string without an end")),
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        if is_plain {
            return Ok(self.text[start + 1..at].to_owned());
        }
        serde_json::from_str(&self.text[start..=at]).map_err(|_| self.wrong("a damaged string"))
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space()?;
            if self.peek() == Some(b']') && (items.is_empty() || self.is_lenient) {
                break;
            }
            items.push(self.node(depth + 1)?);
            if !self.goes_on(b']')? {
                return Ok(Value::List(items));
            }
        }
        self.at += 1;
        Ok(Value::List(items))
    }

    fn map(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let (mut members, mut seen) = (Vec::new(), Seen::default());
        loop {
            self.space()?;
            if self.peek() == Some(b'}') && (members.is_empty() || self.is_lenient) {
                break;
            }
            if self.peek() != Some(b'"') {
                return Err(self.wrong("expected a name"));
            }
            let line = self.line;
            let key = self.string()?;
            self.space()?;
            if self.peek() != Some(b':') {
                return Err(self.wrong("expected `:`"));
            }
            self.at += 1;
            let node = self.node(depth + 1)?;
            member(&mut members, &mut seen, key, line, node)?;
            if !self.goes_on(b'}')? {
                return Ok(Value::Map(members));
            }
        }
        self.at += 1;
        Ok(Value::Map(members))
    }

    /// Passes over the comma before the next item, or over the end.
    fn goes_on(&mut self, end: u8) -> Result<bool, String> {
        self.space()?;
        let found = self.peek();
        self.at += 1;
        match found {
            Some(b',') => Ok(true),
            Some(byte) if byte == end => Ok(false),
            _ => {
                self.at -= 1;
                Err(self.wrong("expected `,`"))
            }
        }
    }
}

/// Reads TOML.
pub(crate) fn toml(text: &str) -> Result<Node, String> {
    // Each dot in the name of a table is a level of its own.
    let name = |line: &str| line.split('=').next().unwrap_or_default().matches('.').count();
    if text.lines().any(|line| name(line) > DEEPEST) {
        return Err("nested too deeply".to_owned());
    }
    let starts = LineStarts::of(text);
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| starts.line(span.start));
        let what = error.message().lines().next().unwrap_or("no TOML").to_owned();
        line.map_or(what.clone(), |line| format!("{} at line {line}", shown(&what)))
    })?;
    let lines = starts.lines(&table.span());
    toml_table(&starts, lines, table.into_inner(), 0)
}

fn toml_table(starts: &LineStarts, lines: (u32, u32), table: DeTable<'_>, depth: usize) -> Result<Node, String> {
    if depth > DEEPEST {
        return Err("nested too deeply".to_owned());
    }
    let mut members = Vec::new();
    for (key, value) in table {
        let line = starts.line(key.span().start);
        let mut node = toml_value(starts, value, depth + 1)?;
        node.lines = (line.min(node.lines.0), node.lines.1.max(line));
        members.push((key.into_inner().into_owned(), node));
    }
    members.sort_by_key(|(_, node)| node.lines.0);
    // The crate's place of a table is its header; what stands in it goes on below.
    let last = members.iter().map(|(_, node)| node.lines.1).fold(lines.1, u32::max);
    Ok(Node { lines: (lines.0, last), value: Value::Map(members) })
}

fn toml_value(starts: &LineStarts, value: toml::Spanned<DeValue<'_>>, depth: usize) -> Result<Node, String> {
    let mut lines = starts.lines(&value.span());
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(Cow::into_owned(text)),
        DeValue::Integer(number) => Value::Text(number.to_string()),
        DeValue::Float(number) => Value::Text(number.to_string()),
        DeValue::Boolean(value) => Value::Bool(value),
        DeValue::Datetime(date) => Value::Text(date.to_string()),
        DeValue::Array(items) => {
            let items: Vec<Node> =
                items.into_iter().map(|item| toml_value(starts, item, depth + 1)).collect::<Result<_, _>>()?;
            lines.1 = items.iter().map(|node| node.lines.1).fold(lines.1, u32::max);
            Value::List(items)
        }
        DeValue::Table(table) => return toml_table(starts, lines, table, depth),
    };
    Ok(Node { lines, value })
}

/// Reads YAML: one document, without aliases.
pub(crate) fn yaml(text: &str) -> Result<Node, String> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 1, },
        budget: serde_saphyr::budget! {
            max_depth: DEEPEST_YAML,
            max_aliases: 1,
            max_anchors: 1,
            flow_nesting_limit: DEEPEST_YAML,
            max_nodes: MOST_NODES,
            max_events: 3 * MOST_NODES,
        },
    };
    let raw: Spanned<Raw> = serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| shown(&error.without_snippet().to_string()))?;
    Ok(yaml_node(raw))
}

fn yaml_node(raw: Spanned<Raw>) -> Node {
    let line = u32::try_from(raw.referenced.line()).unwrap_or(u32::MAX).max(1);
    let mut lines = (line, line);
    let value = match raw.value {
        Raw::Null => Value::Null,
        Raw::Bool(value) => Value::Bool(value),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => {
            let items: Vec<Node> = items.into_iter().map(yaml_node).collect();
            lines.1 = items.iter().map(|node| node.lines.1).fold(lines.1, u32::max);
            Value::List(items)
        }
        Raw::Map(members) => {
            let members: Vec<(String, Node)> = members
                .into_iter()
                .map(|(key, value)| {
                    let line = u32::try_from(key.referenced.line()).unwrap_or(u32::MAX).max(1);
                    let mut node = yaml_node(value);
                    node.lines = (line, node.lines.1.max(line));
                    (key.value, node)
                })
                .collect();
            lines.1 = members.iter().map(|(_, node)| node.lines.1).fold(lines.1, u32::max);
            Value::Map(members)
        }
    };
    Node { lines, value }
}

enum Raw {
    Null,
    Bool(bool),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
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
        Ok(Raw::Text(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
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
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Raw::Map(members))
    }
}
