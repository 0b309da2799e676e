//! Values as Python prints them: `Finding(severity='high', line=3)`, `<Severity.HIGH: 'high'>`, `Severity.HIGH`, `('a', 3)`.
//!
//! In: a text at one of these values. Out: the object of its named arguments, its one argument, or the list of them.

use std::borrow::Cow;

use jury_wire::Reason;

use super::Tolerant;
use crate::syntax::{Deviation, Member, Span, Value};

/// Returns how long the name is that a text starts with: letters, digits and dots.
pub(super) fn name_length(text: &str) -> usize {
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { length } else { 0 }
}

/// Tells whether a text starts with an object as Python prints it, and not with a call of code: the name of a class, and a named
/// argument that is a literal.
pub(in crate::intake) fn starts(text: &str) -> bool {
    let Some((name, arguments)) = text.split_at(name_length(text)).1.strip_prefix('(').map(|rest| (text, rest)) else {
        return false;
    };
    let class = name[..name_length(name)].rsplit('.').next().unwrap_or_default();
    let argument = name_length(arguments);
    let behind = arguments[argument..].trim_start().strip_prefix('=').map(str::trim_start);
    let is_literal = |value: &str| {
        value.starts_with(['\'', '"', '[', '{', '<', '('])
            || value.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
    };
    class.starts_with(|c: char| c.is_ascii_uppercase()) && argument > 0 && behind.is_some_and(is_literal)
}

impl<'a> Tolerant<'a, '_> {
    /// Reads the object that a class prints, or the member of an enumeration; nothing if there is neither here.
    pub(super) fn constructed(&mut self) -> Result<Option<Value<'a>>, Deviation> {
        let start = self.at;
        let rest = self.rest();
        if let Some(inside) = rest.strip_prefix('<') {
            return self.enumerated(inside);
        }
        let length = name_length(rest);
        let (name, behind) = rest.split_at(length);
        if behind.starts_with('(') {
            self.at += length;
            let value = self.printed()?;
            self.mend(Reason::LiteralMended, Span::new(start, start + length), "its content");
            return Ok(Some(value));
        }
        match name.rsplit_once('.') {
            Some((_, last)) if !last.is_empty() => {
                self.at += length;
                self.mend(Reason::LiteralMended, Span::new(start, self.at), "a text");
                Ok(Some(Value::String(Cow::Borrowed(last))))
            }
            _ => Ok(None),
        }
    }

    /// Reads `<Severity.HIGH: 'high'>` as its value.
    fn enumerated(&mut self, inside: &'a str) -> Result<Option<Value<'a>>, Deviation> {
        let start = self.at;
        let length = name_length(inside);
        if length == 0 || !inside[length..].starts_with(':') {
            return Ok(None);
        }
        self.at += 1 + length + 1;
        self.skip()?;
        let node = self.value()?;
        self.skip()?;
        if self.peek() != Some(b'>') {
            return Err(self.error("expected `>`"));
        }
        self.at += 1;
        self.mend(Reason::LiteralMended, Span::new(start, self.at), "its value");
        Ok(Some(node.value))
    }

    /// Reads the content of round brackets.
    pub(super) fn printed(&mut self) -> Result<Value<'a>, Deviation> {
        self.printed += 1;
        let value = self.nested(Self::arguments);
        self.printed -= 1;
        value
    }

    /// Reads arguments up to their closing bracket.
    fn arguments(&mut self) -> Result<Value<'a>, Deviation> {
        let mut named: Vec<Member<'a>> = Vec::new();
        let mut bare = Vec::new();
        loop {
            self.skip()?;
            match self.peek() {
                None => {
                    self.cut();
                    break;
                }
                Some(b')') => {
                    self.at += 1;
                    break;
                }
                Some(_) => {}
            }
            let start = self.at;
            let length = name_length(self.rest());
            let behind = self.rest()[length..].trim_start();
            if length > 0 && behind.starts_with('=') && !behind.starts_with("==") {
                let key = Cow::Borrowed(&self.rest()[..length]);
                let key_span = Span::new(start, start + length);
                self.at = self.text.len() - behind.len() + 1;
                self.skip()?;
                let node = self.value()?;
                named.push(Member { key, key_span, node });
            } else {
                bare.push(self.value()?);
            }
            self.skip()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b')') | None => {}
                Some(_) => return Err(self.error("expected `,` or `)`")),
            }
        }
        if !named.is_empty() {
            // Unnamed values are kept next to the named ones, for readers that look at every member.
            named.extend(bare.into_iter().enumerate().map(|(at, node)| Member {
                key: Cow::Owned(format!("argument {at}")),
                key_span: node.span,
                node,
            }));
            return Ok(Value::Object(named));
        }
        match bare.len() {
            0 => Ok(Value::Object(Vec::new())),
            1 => Ok(bare.remove(0).value),
            _ => Ok(Value::Array(bare)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Limits;

    #[test]
    fn what_a_class_prints_is_an_object() {
        for (text, value) in [
            ("Finding(severity='high', line=3)", r#"{"severity":"high","line":3}"#),
            ("[a.B(x=<S.HIGH: 'high'>, y=S.LOW), C(x=None)]", r#"[{"x":"high","y":"LOW"},{"x":null}]"#),
            ("Review(findings=[], path=PosixPath('a/b'), at=(1, 2))", r#"{"findings":[],"path":"a/b","at":[1,2]}"#),
        ] {
            let mended = super::super::parse(text, 0, &Limits::default()).unwrap();
            let value: serde_json::Value = serde_json::from_str(value).unwrap();
            assert_eq!((mended.root.plain(), mended.end), (value, text.len()), "{text}");
        }
        for text in ["Finding(severity=severity)", "finding(severity='high')", "Finding('high')", "Finding", "(x='a')"]
        {
            assert!(!starts(text), "{text}");
        }
    }
}
