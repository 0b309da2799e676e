//! Strings that are nearly JSON's: other quotes, quotes inside, line breaks, escapes of other languages.
//!
//! In: the text from an opening quote on. Out: the value of the string, and its repairs. A lost quote makes a string swallow the text
//! after it, which is seen by the members in it and is never repaired.

use std::borrow::Cow;

use jury_wire::Reason;

use super::{INNER_QUOTES, Tolerant, quotes};
use crate::syntax::{Deviation, Span};

impl<'a> Tolerant<'a, '_> {
    /// Reads a string. An unescaped quote inside is distinguished from the closing one by the text after it.
    pub(super) fn string(&mut self, is_name: bool) -> Result<Cow<'a, str>, Deviation> {
        let start = self.at;
        let open = self.next_char().unwrap_or('"');
        let closing = quotes(open).unwrap_or(&['"']);
        self.at += open.len_utf8();
        let mut text = String::new();
        let has_quote = open != '"';
        let (mut has_break, mut has_escape) = (false, false);
        let mut inner_quotes = 0;
        loop {
            let Some(c) = self.next_char() else {
                if swallows_members(&text) {
                    return Err(lost_quote(Span::new(start, self.at)));
                }
                self.cut();
                return Ok(Cow::Owned(text));
            };
            if c == '\\' {
                has_escape |= !self.escape(&mut text)?;
                continue;
            }
            self.at += c.len_utf8();
            if closing.contains(&c) {
                if self.closes(is_name, open) {
                    break;
                }
                inner_quotes += 1;
            } else if c < ' ' {
                has_break = true;
            }
            text.push(c);
        }
        let span = Span::new(start, self.at);
        // A closing quote that was lost makes a string swallow the members after it.
        if (inner_quotes > 0 || has_break) && swallows_members(&text) {
            return Err(lost_quote(span));
        }
        if inner_quotes > 0 {
            self.mend(Reason::QuoteMended, span, INNER_QUOTES);
        } else if has_quote {
            self.mend(Reason::QuoteMended, span, "a string in double quotes");
        }
        if has_break {
            // A line break is a slip of the pen. A raw escape sequence is not.
            let is_break = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
            let reason = if text.chars().all(is_break) { Reason::NewlineInString } else { Reason::ControlCharacter };
            self.mend(reason, span, "an escape");
        }
        if has_escape {
            self.mend(Reason::EscapeMended, span, "a backslash");
        }
        Ok(Cow::Owned(text))
    }

    /// Tells whether the quote that was just passed closes the string: only if the next text can follow a string there.
    fn closes(&self, is_name: bool, open: char) -> bool {
        let rest = self.rest().trim_start();
        let mut after = rest.chars();
        // A name has no quotes inside, and Python prints only escaped ones.
        if is_name || self.printed > 0 {
            return true;
        }
        match after.next() {
            None => true,
            Some(':') => false,
            Some('}' | ']') => {
                let next = after.as_str().trim_start();
                next.is_empty()
                    || next.starts_with([',', '}', ']', '`', '\n'])
                    || rest[1..].starts_with('\n')
                    || rest[1..].starts_with("\r\n")
            }
            Some(',') => {
                let next = after.as_str().trim_start();
                let is_new_line = after.as_str().trim_start_matches([' ', '\t', '\r']).starts_with('\n');
                let starts_value = next.starts_with(['{', '[', '}', ']'])
                    || next.starts_with(|c: char| c.is_ascii_digit() || c == '-');
                let starts_string = next.starts_with(|c: char| c == open || quotes(c).is_some());
                let starts_word =
                    ["true", "false", "null", "True", "False", "None"].iter().any(|word| next.starts_with(word));
                let starts_name = (open == '\'' || self.has_bare_names) && is_bare_name(next);
                next.is_empty()
                    || starts_name
                    || is_new_line
                    || starts_value
                    || starts_string && string_follows(next)
                    || starts_word
                    || next.starts_with("//")
            }
            // A missing comma: the next member starts on a line of its own.
            Some(c) => {
                quotes(c).is_some()
                    && self.rest()[..self.rest().len() - rest.len()].contains('\n')
                    && string_follows(rest)
            }
        }
    }

    /// Reads an escape; false if it is none of JSON's, and the backslash was kept.
    fn escape(&mut self, text: &mut String) -> Result<bool, Deviation> {
        self.at += 1;
        let Some(c) = self.next_char() else {
            self.cut();
            return Ok(true);
        };
        let plain = match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return Ok(self.unicode_escape(text)),
            '\'' => {
                text.push('\'');
                self.at += 1;
                return Ok(false);
            }
            _ => {
                text.push('\\');
                return Ok(false);
            }
        };
        self.at += c.len_utf8();
        text.push(plain);
        Ok(true)
    }

    fn unicode_escape(&mut self, text: &mut String) -> bool {
        let hex = |at: usize| self.text.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(first) = hex(self.at + 1) else {
            text.push('\\');
            return false;
        };
        let second = (self.text.get(self.at + 5..self.at + 7) == Some("\\u")).then(|| hex(self.at + 7)).flatten();
        let (code, length) = match second {
            Some(second) if (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second) => {
                (0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 11)
            }
            _ => (first, 5),
        };
        self.at += length;
        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        char::from_u32(code).is_some()
    }
}

fn lost_quote(span: Span) -> Deviation {
    let message = "a string has no end; further members seem to follow";
    Deviation::new(Reason::JsonSyntax, span, message)
}

/// Tells whether a text starts with an unquoted name and a colon.
fn is_bare_name(text: &str) -> bool {
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    length > 0 && text[length..].trim_start().starts_with(':')
}

/// Tells whether a text that starts with a quote goes on like a member or an item of a list.
fn string_follows(text: &str) -> bool {
    let Some(open) = text.chars().next() else { return false };
    let inside = &text[open.len_utf8()..];
    let Some(end) = inside.find(quotes(open).unwrap_or(&['"'])) else { return true };
    let after = inside[end..].chars().next().map_or("", |quote| &inside[end + quote.len_utf8()..]).trim_start();
    after.is_empty() || after.starts_with([':', ',', ']', '}'])
}

/// Tells whether a text has the look of `", "name": value` inside, which a lost quote makes of two members.
fn swallows_members(text: &str) -> bool {
    text.match_indices('"').any(|(at, _)| {
        let after = text[at + 1..].trim_start();
        let before = &text[..at];
        let name_start = before.rfind('"').map_or(0, |quote| quote + 1);
        let name = &before[name_start..];
        let is_name =
            !name.is_empty() && name.len() <= 40 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let starts_member = before[..name_start].trim_end_matches('"').trim_end().ends_with([',', '{']);
        is_name && starts_member && after.starts_with(':')
    })
}
