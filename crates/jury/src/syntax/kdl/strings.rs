//! The strings of KDL v2: in quotes or raw, on one line or on several.
//!
//! In: a parser that stands at the opening. Out: the text, and the parser behind the closing.

use std::borrow::Cow;

use super::characters::{is_newline, is_space};
use super::{Deviation, Parser, Span};

const TRIPLE: &str = "\"\"\"";

impl<'a> Parser<'a, '_> {
    /// Reads a string that starts with a quote.
    pub(super) fn quoted_string(&mut self) -> Result<Cow<'a, str>, Deviation> {
        let start = self.at;
        let (quotes, is_multi_line) = self.opening()?;
        let body = self.at;
        loop {
            self.eat_while(|c| c != '"' && c != '\\' && (is_multi_line || !is_newline(c)));
            match self.peek() {
                Some('\\') => self.skip_escape()?,
                Some('"') if self.starts_with(quotes) => break,
                Some('"') => self.at += 1,
                Some(_) => return Err(self.error("expected the string to end on its line")),
                None => return Err(self.never_closed(start, quotes.len())),
            }
        }
        let raw = &self.text[body..self.at];
        self.at += quotes.len();
        if !is_multi_line {
            return Ok(unescape(raw));
        }
        // White space that is escaped goes first, so that it counts neither as a line nor as indentation.
        let joined = without_escaped_space(raw);
        self.dedent(&joined, body).map(|text| Cow::Owned(unescape(&text).into_owned()))
    }

    /// Reads a string between so many hashes, in which nothing is escaped.
    pub(super) fn raw_string(&mut self, hashes: usize) -> Result<Cow<'a, str>, Deviation> {
        let start = self.at;
        self.at += hashes;
        let (quotes, is_multi_line) = self.opening()?;
        let body = self.at;
        let closing = format!("{quotes}{}", &self.text[start..start + hashes]);
        loop {
            self.eat_while(|c| c != '"' && (is_multi_line || !is_newline(c)));
            match self.peek() {
                Some('"') if self.starts_with(&closing) => break,
                Some('"') => self.at += 1,
                Some(_) => return Err(self.error("expected the string to end on its line")),
                None => return Err(self.never_closed(start, hashes + quotes.len())),
            }
        }
        let raw = &self.text[body..self.at];
        self.at += closing.len();
        if is_multi_line { self.dedent(raw, body).map(Cow::Owned) } else { Ok(Cow::Borrowed(raw)) }
    }

    /// Passes over the opening quotes, and over the line break that has to follow three of them.
    fn opening(&mut self) -> Result<(&'static str, bool), Deviation> {
        if !self.eat(TRIPLE) {
            self.eat("\"");
            return Ok(("\"", false));
        }
        if !self.eat_newline() {
            return Err(self.error("expected a line break after `\"\"\"`"));
        }
        Ok((TRIPLE, true))
    }

    fn never_closed(&self, start: usize, length: usize) -> Deviation {
        self.refuse(Span::new(start, start + length), "a string is never closed")
    }

    /// Passes over an escape, or says that it is none.
    fn skip_escape(&mut self) -> Result<(), Deviation> {
        let start = self.at;
        self.at += 1;
        if self.eat_while(|c| is_space(c) || is_newline(c)) {
            return Ok(());
        }
        if self.eat("u{") {
            let digits = self.at;
            self.eat_while(|c| c.is_ascii_hexdigit());
            let code = &self.text[digits..self.at];
            if !self.eat("}") || scalar(code).is_none() {
                return Err(self.refuse(Span::new(start, self.at), "`\\u{…}` is not a Unicode scalar value"));
            }
            return Ok(());
        }
        match self.peek().and_then(simple_escape) {
            Some(_) => self.at += 1,
            None => return Err(self.error("expected an escape such as `\\n` or `\\u{2014}`")),
        }
        Ok(())
    }

    /// Takes the indentation of the last line, on which the closing quotes stand, off every line.
    fn dedent(&self, text: &str, body: usize) -> Result<String, Deviation> {
        let unified = text.replace("\r\n", "\n");
        let mut lines: Vec<&str> = unified.split(is_newline).collect();
        let indentation = lines.pop().unwrap_or_default();
        let here = Span::new(body, self.at);
        if !indentation.chars().all(is_space) {
            return Err(self.refuse(here, "the closing `\"\"\"` is not on a line of its own"));
        }
        let lines: Option<Vec<&str>> = lines
            .into_iter()
            .map(|line| if line.chars().all(is_space) { Some("") } else { line.strip_prefix(indentation) })
            .collect();
        let lines = lines.ok_or_else(|| self.refuse(here, "a line is not indented like the closing `\"\"\"`"))?;
        Ok(lines.join("\n"))
    }
}

fn simple_escape(c: char) -> Option<char> {
    Some(match c {
        '"' | '\\' => c,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        's' => ' ',
        _ => return None,
    })
}

fn scalar(digits: &str) -> Option<char> {
    let is_short = (1..=6).contains(&digits.len());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_short).and_then(char::from_u32)
}

/// Drops every backslash with the white space that it escapes, and leaves the other escapes.
fn without_escaped_space(raw: &str) -> String {
    let mut joined = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        joined.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let kept = after.trim_start_matches(|c| is_space(c) || is_newline(c));
        if kept.len() == after.len() {
            // Both characters of another escape are taken, so that `\\` does not escape the next one.
            let length = 1 + after.chars().next().map_or(0, char::len_utf8);
            joined.push_str(&rest[at..at + length]);
            rest = &rest[at + length..];
        } else {
            rest = kept;
        }
    }
    joined + rest
}

/// Resolves escapes that were checked before.
fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let joined = without_escaped_space(raw);
    let mut text = String::with_capacity(joined.len());
    let mut rest = joined.as_str();
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some((digits, after)) = rest.strip_prefix("u{").and_then(|code| code.split_once('}')) {
            text.extend(scalar(digits));
            rest = after;
        } else {
            let mut characters = rest.chars();
            text.extend(characters.next().and_then(simple_escape));
            rest = characters.as_str();
        }
    }
    Cow::Owned(text + rest)
}
