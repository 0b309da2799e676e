//! Lines of the form `key: value`, of which 001's verdict file and its pointer are made.
//!
//! In: lines. Out: which key, and the value with its place; and the check that keys come in the contract's order.

use jury_wire::Reason;

use crate::syntax::{Reader, Span};

/// One line of a known key.
#[derive(Clone, Copy)]
pub(super) struct KeyLine<'a> {
    /// The key.
    pub(super) key: &'static str,
    /// The line.
    pub(super) span: Span,
    /// The value, without white space around it.
    pub(super) value: &'a str,
    /// Where the value stands; the line where there is none.
    pub(super) value_span: Span,
}

/// Takes a line apart that starts with one of the keys and a colon.
pub(super) fn key_line<'a>(keys: &[&'static str], span: Span, line: &'a str) -> Option<KeyLine<'a>> {
    let (key, rest) = line.split_once(':')?;
    let key = *keys.iter().find(|known| **known == key)?;
    let value = rest.trim();
    let start = span.end - rest.trim_start().len();
    let value_span = if value.is_empty() { span } else { Span::new(start, start + value.len()) };
    Some(KeyLine { key, span, value, value_span })
}

/// The lines of a document, of which some keys may stand in one only.
pub(super) struct KeyLines<'a> {
    lines: Vec<KeyLine<'a>>,
    repeated: Vec<&'static str>,
}

impl<'a> KeyLines<'a> {
    /// Takes the lines, and notes every repetition of a single key.
    pub(super) fn new(reader: &mut Reader<'_, '_>, lines: Vec<KeyLine<'a>>, single: &[&'static str]) -> Self {
        let mut of_document = Self { lines: Vec::new(), repeated: Vec::new() };
        let mut seen = Vec::new();
        for line in lines {
            if seen.contains(&line.key) {
                reader.deviate(Reason::DuplicateKey, line.span, format!("`{}:` occurs twice", line.key));
                of_document.repeated.push(line.key);
            } else {
                seen.extend(single.iter().filter(|key| **key == line.key));
                of_document.lines.push(line);
            }
        }
        of_document
    }

    /// Returns every line of a key that may be repeated, and the first of any other.
    pub(super) fn iter(&self) -> impl Iterator<Item = &KeyLine<'a>> {
        self.lines.iter()
    }

    /// Returns the line of a single key. Of several that may disagree none is returned.
    pub(super) fn only(&self, key: &str) -> Option<&KeyLine<'a>> {
        if self.repeated.contains(&key) {
            return None;
        }
        self.lines.iter().find(|line| line.key == key)
    }

    /// Notes every line whose key should have come before that of a line above it. `order` names the keys in the
    /// contract's order, those of equal rank together.
    pub(super) fn check_order(&self, reader: &mut Reader<'_, '_>, order: &[&[&str]]) {
        let rank = |line: &KeyLine<'_>| order.iter().position(|keys| keys.contains(&line.key));
        let mut latest: Option<&KeyLine<'_>> = None;
        for line in &self.lines {
            match latest {
                Some(above) if rank(line) < rank(above) => {
                    let message = format!("`{}:` stands after `{}:`", line.key, above.key);
                    reader.deviate(Reason::LineOrder, line.span, message);
                }
                _ => latest = Some(line),
            }
        }
    }

    /// Notes that a line which the contract fixes is not there; `place` is where it should be.
    pub(super) fn expect(&self, reader: &mut Reader<'_, '_>, key: &str, place: Span, line: &str) {
        if !self.lines.iter().any(|line| line.key == key) {
            reader.deviate(Reason::FixedLine, place, format!("expected `{line}`"));
        }
    }
}
