//! JSON that is nearly JSON: a tolerant reader that gives the same tree as the strict one, and notes all repairs.
//!
//! In: a text and where the value starts. Out: a tree with places, the repairs, and the damage that could not be repaired.
//! Anything outside its short list of repairs is an error: it never guesses past text that it does not understand, except to
//! give up one item of a list and go on with the next. Deliberately not here: the meaning of the document.

mod constructors;
mod strings;

use std::borrow::Cow;

use jury_wire::Reason;

use super::dialect::Damage;
use crate::syntax::{Deviation, Limits, Member, Node, Span, Value};
pub(super) use constructors::starts as starts_constructed;

/// A repair: the reason, the place, and the new text.
pub(super) type Mend = (Reason, Span, &'static str);

/// The new text of a string with quotes inside.
const INNER_QUOTES: &str = "the quotes inside escaped";

/// Tells whether a repair changed the nesting, and not only the spelling.
pub(super) fn is_structural((reason, _, became): &Mend) -> bool {
    matches!(reason, Reason::BracketMended)
        || *became == INNER_QUOTES
        || (*reason == Reason::TrailingComma && *became == ",")
}

/// The result of a tolerant reading.
#[derive(Debug)]
pub(super) struct Mended<'a> {
    pub(super) root: Node<'a>,
    pub(super) mends: Vec<Mend>,
    pub(super) damage: Damage,
    /// Where the value ends.
    pub(super) end: usize,
}

/// Reads the JSON value at an offset of a text, with unambiguous repairs. Only objects and lists are taken.
pub(super) fn parse<'a>(text: &'a str, start: usize, limits: &Limits) -> Result<Mended<'a>, Deviation> {
    let mut parser = Tolerant {
        text,
        at: start,
        depth: 0,
        limits,
        mends: Vec::new(),
        damage: Damage::default(),
        has_bare_names: false,
        printed: 0,
    };
    parser.skip()?;
    if !matches!(parser.peek(), Some(b'{' | b'[')) && !starts_constructed(parser.rest()) {
        return Err(parser.error("expected an object or a list"));
    }
    let root = parser.value()?;
    Ok(Mended { root, mends: parser.mends, damage: parser.damage, end: parser.at })
}

struct Tolerant<'a, 'l> {
    text: &'a str,
    at: usize,
    depth: usize,
    limits: &'l Limits,
    mends: Vec<Mend>,
    damage: Damage,
    /// Whether a name came that is not quoted: then the next one may follow a string as well.
    has_bare_names: bool,
    /// The depth of objects that a program printed.
    printed: usize,
}

/// A quote that opens a string, and those that close it.
fn quotes(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '“' | '”' | '„' | '‟' => Some(&['”', '“', '"', '‟']),
        '‘' | '’' => Some(&['’', '‘']),
        _ => None,
    }
}

impl<'a> Tolerant<'a, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn next_char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn error(&self, expected: &str) -> Deviation {
        let found = self.next_char().map_or("the end of the text".to_owned(), |found| format!("{found:?}"));
        let length = self.next_char().map_or(0, char::len_utf8);
        Deviation::new(Reason::JsonSyntax, Span::new(self.at, self.at + length), format!("{expected}, found {found}"))
    }

    fn mend(&mut self, reason: Reason, span: Span, became: &'static str) {
        self.mends.push((reason, span, became));
    }

    /// Passes over white space and comments.
    fn skip(&mut self) -> Result<(), Deviation> {
        loop {
            let blank = self.rest().len()
                - self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += blank;
            let start = self.at;
            if self.rest().starts_with("//") || self.rest().starts_with('#') {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                let end = self.rest().find("*/").ok_or_else(|| self.error("expected the end of a comment"))?;
                self.at += end + 2;
            } else {
                return Ok(());
            }
            self.mend(Reason::CommentRemoved, Span::new(start, self.at), "");
        }
    }

    /// Notes that the text ends inside something.
    fn cut(&mut self) {
        self.damage.cut_at.get_or_insert(self.text.len());
        self.at = self.text.len();
    }

    fn value(&mut self) -> Result<Node<'a>, Deviation> {
        let start = self.at;
        let value = match self.next_char() {
            Some('{') => self.nested(Self::object)?,
            Some('[') => self.nested(Self::array)?,
            Some('(') => {
                let value = self.printed()?;
                self.mend(Reason::LiteralMended, Span::new(start, start + 1), "a list");
                value
            }
            Some(open) if quotes(open).is_some() => Value::String(self.string(false)?),
            Some('-' | '+' | '.' | '0'..='9') => self.number()?,
            Some(_) => self.word()?,
            None => {
                self.cut();
                Value::Null
            }
        };
        Ok(Node { span: Span::new(start, self.at), value })
    }

    fn nested(&mut self, inside: fn(&mut Self) -> Result<Value<'a>, Deviation>) -> Result<Value<'a>, Deviation> {
        if self.depth == self.limits.depth {
            let message = format!("nested deeper than {} levels", self.limits.depth);
            return Err(Deviation::new(Reason::LimitDepth, Span::new(self.at, self.at + 1), message));
        }
        self.depth += 1;
        self.at += 1;
        let value = inside(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Result<Value<'a>, Deviation> {
        let mut items = Vec::new();
        loop {
            self.skip()?;
            match self.peek() {
                None => {
                    self.cut();
                    return Ok(Value::Array(items));
                }
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                // The object around the list closes, so the list has ended, too.
                Some(b'}') => {
                    self.mend(Reason::BracketMended, Span::at(self.at), "]");
                    return Ok(Value::Array(items));
                }
                Some(b',') => {
                    self.mend(Reason::TrailingComma, Span::new(self.at, self.at + 1), "");
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let start = self.at;
            let mends = self.mends.len();
            match self.value() {
                Ok(item) => items.push(item),
                Err(deviation) if deviation.reason == Reason::LimitDepth => return Err(deviation),
                Err(deviation) => {
                    self.mends.truncate(mends);
                    items.push(self.give_up_item(start, deviation)?);
                }
            }
            self.after_item(b']')?;
        }
    }

    /// Gives up the item that starts at a place, and goes on where the next one seems to start.
    fn give_up_item(&mut self, start: usize, deviation: Deviation) -> Result<Node<'a>, Deviation> {
        let from = deviation.span.start.max(start).min(self.text.len());
        let rest = &self.text[from..];
        let next = rest
            .match_indices('}')
            .map(|(at, _)| at + 1)
            .find(|at| {
                let after = rest[*at..].trim_start();
                after.starts_with(']')
                    || after.strip_prefix(',').is_some_and(|after| after.trim_start().starts_with('{'))
            })
            .ok_or(deviation)?;
        let span = Span::new(start, from + next);
        self.at = span.end;
        self.damage.broken.push(span);
        Ok(Node { span, value: Value::Object(Vec::new()) })
    }

    /// Passes over the comma after an item. Where none stands, the next item must follow, or the end.
    fn after_item(&mut self, close: u8) -> Result<(), Deviation> {
        self.skip()?;
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.skip()?;
                if self.peek() == Some(close) {
                    self.mend(Reason::TrailingComma, Span::new(comma, comma + 1), "");
                }
                Ok(())
            }
            Some(byte) if byte == close => Ok(()),
            Some(b'{' | b'[' | b'"') => {
                self.mend(Reason::TrailingComma, Span::at(self.at), ",");
                Ok(())
            }
            Some(b'}' | b']') | None => Ok(()),
            Some(_) => Err(self.error("expected `,` or the end of the list or object")),
        }
    }

    fn object(&mut self) -> Result<Value<'a>, Deviation> {
        let mut members = Vec::new();
        loop {
            self.skip()?;
            match self.next_char() {
                None => {
                    self.cut();
                    return Ok(Value::Object(members));
                }
                Some('}') => {
                    self.at += 1;
                    return Ok(Value::Object(members));
                }
                Some(']') => {
                    self.mend(Reason::BracketMended, Span::at(self.at), "}");
                    return Ok(Value::Object(members));
                }
                Some(',') => {
                    self.mend(Reason::TrailingComma, Span::new(self.at, self.at + 1), "");
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let start = self.at;
            let key = self.name()?;
            let key_span = Span::new(start, self.at);
            self.skip()?;
            match self.peek() {
                Some(b':') => self.at += 1,
                None => {
                    self.cut();
                    return Ok(Value::Object(members));
                }
                Some(_) => return Err(self.error("expected `:`")),
            }
            self.skip()?;
            let node = self.value()?;
            members.push(Member { key, key_span, node });
            self.after_item(b'}')?;
        }
    }

    /// Reads the name of a member: a string, or a bare identifier.
    fn name(&mut self) -> Result<Cow<'a, str>, Deviation> {
        if self.next_char().is_some_and(|open| quotes(open).is_some()) {
            return self.string(true);
        }
        let length = self
            .rest()
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$')))
            .unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.error("expected a member name"));
        }
        let name = &self.rest()[..length];
        self.has_bare_names = true;
        self.mend(Reason::QuoteMended, Span::new(self.at, self.at + length), "a quoted name");
        self.at += length;
        Ok(Cow::Borrowed(name))
    }

    fn word(&mut self) -> Result<Value<'a>, Deviation> {
        let length = self.rest().find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest().len());
        let word = &self.rest()[..length];
        let (value, became) = match word {
            "true" => (Value::Bool(true), None),
            "false" => (Value::Bool(false), None),
            "null" => (Value::Null, None),
            "True" | "TRUE" => (Value::Bool(true), Some("true")),
            "False" | "FALSE" => (Value::Bool(false), Some("false")),
            "None" | "NULL" | "Null" | "nil" | "undefined" => (Value::Null, Some("null")),
            // Kept as a text, for the reader of the field to refuse.
            "NaN" | "Infinity" | "nan" | "inf" => (Value::String(Cow::Borrowed(word)), Some("no number")),
            _ if length > 0 && self.at + length == self.text.len() => {
                self.cut();
                return Ok(Value::Null);
            }
            _ => return self.constructed()?.ok_or_else(|| self.error("expected a JSON value")),
        };
        if let Some(became) = became {
            self.mend(Reason::LiteralMended, Span::new(self.at, self.at + length), became);
        }
        self.at += length;
        Ok(value)
    }

    fn number(&mut self) -> Result<Value<'a>, Deviation> {
        // A number of JSON5, which is never a line.
        if self.rest().starts_with("0x") || self.rest().starts_with("0X") {
            let digits = self.rest()[2..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(self.rest().len() - 2);
            let text = &self.rest()[..2 + digits];
            self.mend(Reason::LiteralMended, Span::new(self.at, self.at + text.len()), "a text");
            self.at += text.len();
            return Ok(Value::String(Cow::Borrowed(text)));
        }
        let length = self
            .rest()
            .find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
            .unwrap_or(self.rest().len());
        let text = &self.rest()[..length];
        if self.rest()[length..].starts_with(|c: char| c.is_alphabetic()) {
            if text == "-" && self.rest()[1..].starts_with("Infinity") {
                self.mend(Reason::LiteralMended, Span::new(self.at, self.at + 9), "no number");
                self.at += 9;
                return Ok(Value::String(Cow::Borrowed("-Infinity")));
            }
            return Err(self.error("expected a number"));
        }
        self.at += length;
        if self.at == self.text.len() {
            self.cut();
        }
        let plain = text.trim_start_matches('+');
        if serde_like_number(plain) {
            return Ok(Value::Number(Cow::Borrowed(plain)));
        }
        self.mend(Reason::LiteralMended, Span::new(self.at - length, self.at), "a text");
        Ok(Value::String(Cow::Borrowed(text)))
    }
}

fn serde_like_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).map_or((unsigned, None), |(m, e)| (m, Some(e)));
    let (whole, decimals) = mantissa.split_once('.').map_or((mantissa, None), |(w, d)| (w, Some(d)));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && decimals.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.trim_start_matches(['+', '-'])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::json;

    fn mended(text: &str) -> (String, Vec<&'static str>) {
        let mended = parse(text, 0, &Limits::default()).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let mut codes: Vec<&str> = mended.mends.iter().map(|(reason, _, _)| reason.code()).collect();
        codes.dedup();
        if mended.damage.cut_at.is_some() {
            codes.push("cut");
        }
        codes.extend(mended.damage.broken.iter().map(|_| "broken"));
        (mended.root.plain().to_string(), codes)
    }

    #[test]
    fn each_mend_is_made_and_noted() {
        for (text, value, codes) in [
            (r#"{"a":[1,2,],}"#, r#"{"a":[1,2]}"#, vec!["trailing-comma"]),
            ("{\"a\":1 // x\n, /* y */ \"b\":2}", r#"{"a":1,"b":2}"#, vec!["comment-removed"]),
            (
                "{'a': 'it''s', b: True, \"c\": None}",
                r#"{"a":"it''s","b":true,"c":null}"#,
                vec!["quote-mended", "literal-mended"],
            ),
            (
                "{a: \"x\", b: 0x1F, c: +9}",
                r#"{"a":"x","b":"0x1F","c":9}"#,
                vec!["quote-mended", "literal-mended", "quote-mended"],
            ),
            ("{“a”: “b”}", r#"{"a":"b"}"#, vec!["quote-mended"]),
            ("{\"a\": \"x\ny\"}", r#"{"a":"x\ny"}"#, vec!["newline-in-string"]),
            (r#"{"a": "say "hi" to", "b": 1}"#, r#"{"a":"say \"hi\" to","b":1}"#, vec!["quote-mended"]),
            (r#"{"a": "C:\path \d"}"#, r#"{"a":"C:\\path \\d"}"#, vec!["escape-mended"]),
            (r#"{"a": NaN}"#, r#"{"a":"NaN"}"#, vec!["literal-mended"]),
            ("{\"a\": 1\n\"b\": 2}", r#"{"a":1,"b":2}"#, vec!["trailing-comma"]),
            (r#"{"a": [{"b": 1}, {"b": 2}"#, r#"{"a":[{"b":1},{"b":2}]}"#, vec!["cut"]),
            (r#"{"a": [{"b": 1}, {"b": "tor"#, r#"{"a":[{"b":1},{"b":"tor"}]}"#, vec!["cut"]),
            (r#"{"a": [{"b": 1}}"#, r#"{"a":[{"b":1}]}"#, vec!["bracket-mended"]),
            (r#"[{"b": 1}, {"b" 2}, {"b": 3}]"#, r#"[{"b":1},{},{"b":3}]"#, vec!["broken"]),
        ] {
            assert_eq!(mended(text), (value.to_owned(), codes), "{text}");
        }
    }

    #[test]
    fn what_is_json_needs_no_mending() {
        for text in [
            r#"{"a":[1,-0.5e+3,true,false,null],"b":{},"c":"\u0041\n\ud83d\ude00\"\\\/\b\f\r\t é, \"x\": 1"}"#,
            "[]",
            r#"["",[[]]]"#,
        ] {
            let limits = Limits::default();
            let source = crate::syntax::Source::new(text.as_bytes(), &limits).unwrap();
            let strict = json::parse(&source, &limits).unwrap();
            assert_eq!(mended(text), (strict.plain().to_string(), vec![]), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_mended_is_refused() {
        for text in
            ["", "hello", "{\"a\": hello}", "{\"a\" = 1}", "\"x\"", "{\"a\": \"x, \"b\": 1, \"c\": 2}", "{\"a\": /* x"]
        {
            assert!(parse(text, 0, &Limits::default()).is_err(), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(parse(&deep, 0, &Limits::default()).unwrap_err().reason, Reason::LimitDepth);
    }
}
