//! The tree that JSON and YAML have in common: values that know where they stand.

use std::borrow::Cow;

use super::Span;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// Where it stands.
    pub span: Span,
    /// Its value.
    pub value: Value<'a>,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, as it is spelled.
    Number(Cow<'a, str>),
    /// A text.
    String(Cow<'a, str>),
    /// A sequence.
    Array(Vec<Node<'a>>),
    /// Named members in the document's order; a name may occur twice, which its reader refuses.
    Object(Vec<Member<'a>>),
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// The name.
    pub key: Cow<'a, str>,
    /// Where the name stands.
    pub key_span: Span,
    /// The value.
    pub node: Node<'a>,
}

impl Node<'_> {
    /// Returns the word for its kind, with its article.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    /// Returns the tree without its places, for comparison with other readers.
    #[cfg(test)]
    pub(crate) fn plain(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(text) => serde_json::from_str(text).unwrap(),
            Value::String(text) => text.as_ref().into(),
            Value::Array(items) => items.iter().map(Self::plain).collect(),
            Value::Object(members) => {
                serde_json::Value::Object(members.iter().map(|m| (m.key.to_string(), m.node.plain())).collect())
            }
        }
    }

    /// Returns the first member of a name, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match &self.value {
            Value::Object(members) => members.iter().find(|member| member.key == name).map(|member| &member.node),
            _ => None,
        }
    }
}
