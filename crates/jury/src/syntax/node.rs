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

/// In an object of so many members, each is compared with each; a larger one is sorted, so that it cannot cost a square of its size.
const FEW: usize = 32;

impl Member<'_> {
    /// Returns the members whose name stands earlier in the same object, by name.
    pub fn duplicates<'n, 'a>(members: &'n [Member<'a>]) -> Vec<&'n Member<'a>> {
        let is_again = |at: usize| members[..at].iter().any(|earlier| earlier.key == members[at].key);
        if members.len() <= FEW && !(1..members.len()).any(is_again) {
            return Vec::new();
        }
        let mut sorted: Vec<&Member<'a>> = members.iter().collect();
        sorted.sort_by(|a, b| (&a.key, a.key_span).cmp(&(&b.key, b.key_span)));
        sorted.windows(2).filter(|pair| pair[0].key == pair[1].key).map(|pair| pair[1]).collect()
    }
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
