//! Reading a tree field by field: every deviation is noted at its place, and reading goes on.
//!
//! In: a [`Node`]. Out: typed values, or `None` with the deviation noted. Deliberately not here: the meaning of a field.

use std::fmt::Display;

use jury_wire::Reason;

use super::{Deviation, Limits, Member, Node, Source, Span, Value};
use crate::model::whole_number;

/// Takes a document apart and notes its deviations.
pub struct Reader<'s, 'a> {
    /// The document.
    pub source: &'s Source<'a>,
    /// The limits.
    pub limits: &'s Limits,
    /// The deviations so far.
    pub deviations: Vec<Deviation>,
}

/// The treatment of fields that the contract does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Note them as deviations.
    Refuse,
    /// The contract allows them.
    Allow,
}

impl<'s, 'a> Reader<'s, 'a> {
    /// Starts on a document.
    pub fn new(source: &'s Source<'a>, limits: &'s Limits) -> Self {
        Self { source, limits, deviations: Vec::new() }
    }

    /// Notes a deviation.
    pub fn deviate(&mut self, reason: Reason, span: Span, message: impl Into<String>) {
        self.deviations.push(Deviation::new(reason, span, message));
    }

    /// Notes a deviation unless the value is there after all; hands the value on.
    pub fn expect<T, E: Display>(&mut self, reason: Reason, span: Span, value: Result<T, E>) -> Option<T> {
        value.map_err(|error| self.deviate(reason, span, error.to_string())).ok()
    }

    fn wrong_type<T>(&mut self, node: &Node<'_>, expected: &str) -> Option<T> {
        self.deviate(Reason::WrongType, node.span, format!("expected {expected}, found {}", node.kind()));
        None
    }

    /// Takes an object apart.
    pub fn fields<'n>(&mut self, node: &'n Node<'a>) -> Option<Fields<'n, 'a>> {
        let Value::Object(members) = &node.value else {
            return self.wrong_type(node, "an object");
        };
        let has_twice = self.note_duplicates(members);
        let asked = Vec::with_capacity(members.len());
        Some(Fields { span: node.span, members, asked, is_ambiguous: has_twice, is_usable: !has_twice })
    }

    fn note_duplicates(&mut self, members: &[Member<'_>]) -> bool {
        let again = Member::duplicates(members);
        for member in &again {
            self.deviate(Reason::DuplicateKey, member.key_span, format!("`{}` occurs twice", member.key));
        }
        !again.is_empty()
    }

    /// Notes the duplicate names anywhere in a value that the contract does not look into.
    fn note_nested_duplicates(&mut self, node: &Node<'_>) {
        match &node.value {
            Value::Array(items) => items.iter().for_each(|item| self.note_nested_duplicates(item)),
            Value::Object(members) => {
                self.note_duplicates(members);
                members.iter().for_each(|member| self.note_nested_duplicates(&member.node));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Reads a text.
    pub fn string<'n>(&mut self, node: &'n Node<'a>) -> Option<&'n str> {
        match &node.value {
            Value::String(text) => Some(text),
            _ => self.wrong_type(node, "a string"),
        }
    }

    /// Reads a text that must say something.
    pub fn text<'n>(&mut self, node: &'n Node<'a>) -> Option<&'n str> {
        let text = self.string(node)?;
        if text.trim().is_empty() {
            self.deviate(Reason::Blank, node.span, "expected a text, found a blank");
            return None;
        }
        Some(text)
    }

    /// Reads a truth value.
    pub fn boolean(&mut self, node: &Node<'a>) -> Option<bool> {
        match node.value {
            Value::Bool(value) => Some(value),
            _ => self.wrong_type(node, "true or false"),
        }
    }

    /// Reads the spelling of a number.
    pub fn number<'n>(&mut self, node: &'n Node<'a>) -> Option<&'n str> {
        match &node.value {
            Value::Number(text) => Some(text),
            _ => self.wrong_type(node, "a number"),
        }
    }

    /// Reads a whole number; `7.0` is one, as JSON Schema has it.
    pub fn integer(&mut self, node: &Node<'a>) -> Option<i64> {
        let text = self.number(node)?;
        let number = whole_number(text);
        if number.is_none() {
            self.deviate(Reason::WrongType, node.span, format!("expected a whole number, found {text}"));
        }
        number
    }

    /// Reads a sequence.
    pub fn items<'n>(&mut self, node: &'n Node<'a>) -> Option<&'n [Node<'a>]> {
        match &node.value {
            Value::Array(items) => Some(items),
            _ => self.wrong_type(node, "an array"),
        }
    }

    /// Reads a sequence of texts; `None` if any is none.
    pub fn strings(&mut self, node: &Node<'a>) -> Option<Vec<String>> {
        let items = self.items(node)?;
        let texts: Vec<Option<String>> = items.iter().map(|item| self.string(item).map(str::to_owned)).collect();
        texts.into_iter().collect()
    }

    /// Reads one word of a closed set.
    pub fn token<T>(
        &mut self,
        node: &Node<'a>,
        from_token: impl Fn(&str) -> Option<T>,
        legal: impl IntoIterator<Item = &'static str>,
    ) -> Option<T> {
        let text = self.string(node)?;
        let value = from_token(text);
        if value.is_none() {
            let legal: Vec<&str> = legal.into_iter().collect();
            self.deviate(Reason::UnknownToken, node.span, format!("expected {}, found {text:?}", one_of(&legal)));
        }
        value
    }
}

/// Lists the words of a closed set for a message.
pub(crate) fn one_of(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [single] => single.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
        [] => String::new(),
    }
}

/// The fields of one object, while it is being read.
pub struct Fields<'n, 'a> {
    span: Span,
    members: &'n [Member<'a>],
    asked: Vec<&'static str>,
    is_ambiguous: bool,
    is_usable: bool,
}

impl<'n, 'a> Fields<'n, 'a> {
    /// Returns the place of the object.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Tells whether a name occurs twice, so that the object is ambiguous.
    pub fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    /// Returns the place of the first character of the object: where to say that something is missing in it.
    pub fn opening(&self, reader: &Reader<'_, 'a>) -> Span {
        let rest = reader.source.text().get(self.span.start..).unwrap_or_default();
        Span::new(self.span.start, self.span.start + rest.chars().next().map_or(0, char::len_utf8))
    }

    /// Returns a field's value, if it is there.
    pub fn get(&mut self, name: &'static str) -> Option<&'n Node<'a>> {
        self.asked.push(name);
        self.members.iter().find(|member| member.key == name).map(|member| &member.node)
    }

    /// Returns the value of a member that the contract does not name; it still counts as unknown.
    pub fn further(&self, name: &str) -> Option<&'n Node<'a>> {
        self.members.iter().find(|member| member.key == name).map(|member| &member.node)
    }

    /// Reads a field that must be there.
    pub fn required<'s, T>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'s, 'a>, &'n Node<'a>) -> Option<T>,
    ) -> Option<T> {
        let node = self.get(name);
        if node.is_none() {
            reader.deviate(Reason::MissingField, self.opening(reader), format!("`{name}` is missing"));
            self.is_usable = false;
        }
        self.value(reader, node?, read)
    }

    /// Reads a field that may be there.
    pub fn optional<'s, T>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'s, 'a>, &'n Node<'a>) -> Option<T>,
    ) -> Option<T> {
        let node = self.get(name)?;
        self.value(reader, node, read)
    }

    fn value<'s, T>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        node: &'n Node<'a>,
        read: impl FnOnce(&mut Reader<'s, 'a>, &'n Node<'a>) -> Option<T>,
    ) -> Option<T> {
        let value = read(reader, node);
        self.is_usable &= value.is_some();
        value
    }

    /// Reads a field that may be there, or be null instead.
    pub fn nullable<'s, T>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'s, 'a>, &'n Node<'a>) -> Option<T>,
    ) -> Option<T> {
        let node = self.get(name)?;
        if node.value == Value::Null { None } else { self.value(reader, node, read) }
    }

    /// Ends the object; true if every value in it could be used.
    pub fn end(self, reader: &mut Reader<'_, 'a>, unknown: Unknown) -> bool {
        for member in self.members.iter().filter(|member| !self.asked.iter().any(|name| *name == member.key)) {
            reader.note_nested_duplicates(&member.node);
            if unknown == Unknown::Refuse {
                reader.deviate(
                    Reason::UnknownField,
                    member.key_span,
                    format!("`{}` is not a field of the contract", member.key),
                );
            }
        }
        self.is_usable
    }
}
