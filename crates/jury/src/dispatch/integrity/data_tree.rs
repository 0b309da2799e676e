//! A YAML or JSON document as values with lines. In: a text. Out: its tree, with aliases and merges resolved and every scalar as its text, or why it
//! cannot be read. Comments, quotes and layout are gone, so that two documents that say the same are equal.
//!
//! Deliberately not here: the meaning of any key.

use crate::syntax::{Limits, Node, Source, Span, Value, yaml};

/// The largest document that is read.
const LARGEST: usize = 1 << 20;

/// A value and its line, from 1; 0 is nowhere.
#[derive(Clone, Debug, Default)]
pub(super) struct DataTree {
    pub(super) line: u32,
    pub(super) value: Content,
}

/// A value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Content {
    #[default]
    Nothing,
    Text(String),
    List(Vec<DataTree>),
    Map(Vec<(String, DataTree)>),
}

impl PartialEq for DataTree {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl DataTree {
    /// Reads a document.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        // GitLab's own tag names a part of another job; as a text it is a value like any other.
        let text = referenced(text);
        let limits = Limits { bytes: LARGEST, ..Limits::default() };
        let source = Source::new(text.as_bytes(), &limits).map_err(|deviation| deviation.message)?;
        let node = yaml::parse(&source, Span::new(0, text.len()), &limits).map_err(|deviation| deviation.message)?;
        Ok(of_node(&node, &source))
    }

    /// Returns a member of a map.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.members().iter().find(|(name, _)| name == key).map(|(_, tree)| tree)
    }

    /// Returns the members of a map; another value has none.
    pub(super) fn members(&self) -> &[(String, Self)] {
        if let Content::Map(members) = &self.value { members } else { &[] }
    }

    /// Returns the items of a list; a single value is its own item.
    pub(super) fn items(&self) -> &[Self] {
        match &self.value {
            Content::Nothing => &[],
            Content::List(items) => items,
            Content::Text(_) | Content::Map(_) => std::slice::from_ref(self),
        }
    }

    /// Returns the text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        if let Content::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Returns the texts of a list, those of lists in it included, or of a scalar.
    pub(super) fn texts(&self) -> Vec<String> {
        match &self.value {
            Content::Text(text) => vec![text.clone()],
            Content::List(items) => items.iter().flat_map(Self::texts).collect(),
            Content::Nothing | Content::Map(_) => Vec::new(),
        }
    }

    /// Tells whether it is a truth value, or the text of one.
    pub(super) fn is(&self, value: bool) -> bool {
        self.text().is_some_and(|text| text.eq_ignore_ascii_case(if value { "true" } else { "false" }))
    }

    /// Tells whether there is anything in it.
    pub(super) fn is_empty(&self) -> bool {
        match &self.value {
            Content::Nothing => true,
            Content::Text(text) => text.trim().is_empty(),
            Content::List(items) => items.is_empty(),
            Content::Map(members) => members.is_empty(),
        }
    }

    /// Writes it in one form, the members of maps by their names.
    pub(super) fn canonical(&self) -> String {
        match &self.value {
            Content::Nothing => String::new(),
            Content::Text(text) => text.trim().to_owned(),
            Content::List(items) => {
                format!("[{}]", items.iter().map(Self::canonical).collect::<Vec<_>>().join(", "))
            }
            Content::Map(members) => {
                let mut said: Vec<String> =
                    members.iter().map(|(key, tree)| format!("{key}: {}", tree.canonical())).collect();
                said.sort();
                format!("{{{}}}", said.join(", "))
            }
        }
    }

    /// Lists every scalar below it, keys left out.
    pub(super) fn scalars(&self) -> Vec<&str> {
        match &self.value {
            Content::Nothing => Vec::new(),
            Content::Text(text) => vec![text],
            Content::List(items) => items.iter().flat_map(Self::scalars).collect(),
            Content::Map(members) => members.iter().flat_map(|(_, tree)| tree.scalars()).collect(),
        }
    }

    /// Takes a member out of a map.
    pub(super) fn remove(&mut self, key: &str) {
        if let Content::Map(members) = &mut self.value {
            members.retain(|(name, _)| name != key);
        }
    }

    /// Replaces every scalar below it.
    pub(super) fn put_in(&mut self, written: &dyn Fn(&str) -> String) {
        match &mut self.value {
            Content::Nothing => {}
            Content::Text(text) => *text = written(text),
            Content::List(items) => items.iter_mut().for_each(|item| item.put_in(written)),
            Content::Map(members) => members.iter_mut().for_each(|(_, tree)| tree.put_in(written)),
        }
    }

    /// Puts the members of another map below its own: what both have is its own, map by map.
    pub(super) fn over(&self, other: &Self) -> Self {
        let (Content::Map(own), Content::Map(base)) = (&self.value, &other.value) else { return self.clone() };
        let mut members = own.clone();
        for (key, below) in base {
            match members.iter_mut().find(|(name, _)| name == key) {
                Some((_, tree)) => *tree = tree.over(below),
                None => members.push((key.clone(), below.clone())),
            }
        }
        Self { line: self.line, value: Content::Map(members) }
    }
}

/// Writes `!reference [a, b]` as the text `!reference a.b`.
fn referenced(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("!reference") {
        let (before, tagged) = rest.split_at(at);
        written.push_str(before);
        let tagged = &tagged["!reference".len()..];
        match tagged.trim_start().strip_prefix('[').and_then(|inside| inside.split_once(']')) {
            Some((inside, behind)) => {
                let names: Vec<&str> = inside.split(',').map(|name| name.trim().trim_matches(['"', '\''])).collect();
                written.push_str(&format!("\"!reference {}\"", names.join(".").replace(['"', '\\'], "")));
                rest = behind;
            }
            None => {
                written.push_str("!reference");
                rest = tagged;
            }
        }
    }
    written.push_str(rest);
    written
}

fn of_node(node: &Node<'_>, source: &Source<'_>) -> DataTree {
    let line = u32::try_from(source.position(node.span.start).line).unwrap_or(0);
    let value = match &node.value {
        Value::Null => Content::Nothing,
        Value::Bool(value) => Content::Text(value.to_string()),
        Value::Number(text) => Content::Text(text.to_string()),
        Value::String(text) => Content::Text(text.to_string()),
        Value::Array(items) => Content::List(items.iter().map(|item| of_node(item, source)).collect()),
        Value::Object(members) => return merged(line, members, source),
    };
    DataTree { line, value }
}

/// Returns a map with what `<<` brings in below its own members.
fn merged(line: u32, members: &[crate::syntax::Member<'_>], source: &Source<'_>) -> DataTree {
    let mut own = Vec::new();
    let mut brought = Vec::new();
    for member in members {
        let tree = of_node(&member.node, source);
        if member.key == "<<" {
            brought.extend(tree.items().iter().cloned());
        } else {
            let line = u32::try_from(source.position(member.key_span.start).line).unwrap_or(0);
            own.push((member.key.to_string(), DataTree { line, ..tree }));
        }
    }
    for (key, tree) in brought.iter().flat_map(DataTree::members) {
        if !own.iter().any(|(name, _)| name == key) {
            own.push((key.clone(), tree.clone()));
        }
    }
    DataTree { line, value: Content::Map(own) }
}
