//! Text that cannot act: nothing a reviewer wrote reaches a terminal as anything but visible characters.
//!
//! In: any text. Out: the same text with control characters, direction marks, invisible characters and line separators
//! written out as in `\u{202e}`. Deliberately not here: look-alike letters, which are visible.

use std::borrow::Cow;
use std::fmt::Write;

use jury::syntax::acts;

/// How many columns a tab takes in a line of source.
const TAB: &str = "    ";

fn write_out(c: char, text: &mut String) {
    match c {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        c => _ = write!(text, "\\u{{{:x}}}", u32::from(c)),
    }
}

/// Escapes control characters, except allowed ones.
fn replaced<'t>(text: &'t str, may_stay: &[char], mut replace: impl FnMut(char, &mut String)) -> Cow<'t, str> {
    let mut inert = String::new();
    let mut copied = 0;
    while let Some((at, acting)) = acting(text, copied, may_stay) {
        inert.push_str(&text[copied..at]);
        replace(acting, &mut inert);
        copied = at + acting.len_utf8();
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    inert.push_str(&text[copied..]);
    Cow::Owned(inert)
}

/// Returns the first character from an offset on that must not be shown as it is. Most of any text is plain ASCII.
fn acting(text: &str, from: usize, may_stay: &[char]) -> Option<(usize, char)> {
    let mut at = from;
    loop {
        at += text.as_bytes()[at..].iter().position(|byte| !matches!(byte, b' '..=b'~'))?;
        let c = text[at..].chars().next()?;
        if acts(c) && !may_stay.contains(&c) {
            return Some((at, c));
        }
        at += c.len_utf8();
    }
}

/// Makes a text safe to show on one line.
pub(crate) fn line(text: &str) -> String {
    let replace = |c, inert: &mut String| if c == '\t' { inert.push(' ') } else { write_out(c, inert) };
    replaced(text, &[], replace).into_owned()
}

/// Makes a text safe to show on one line of at most so many characters. An escape is never cut apart.
pub(crate) fn short_line(text: &str, longest: usize) -> String {
    // A character is written out as one or more, so more than this many are not needed.
    let end = text.char_indices().nth(longest + 1).map_or(text.len(), |(end, _)| end);
    let whole = line(&text[..end]);
    if whole.chars().count() <= longest {
        return whole;
    }
    let mut short = String::new();
    let mut left = longest.saturating_sub(1);
    for c in text.chars() {
        let shown = line(c.encode_utf8(&mut [0; 4]));
        let Some(rest) = left.checked_sub(shown.chars().count()) else { break };
        short.push_str(&shown);
        left = rest;
    }
    short.push('…');
    short
}

/// Makes a document safe to show; its line feeds and tabs stay.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, &['\n', '\t'], write_out)
}

/// Makes JSON safe to show without changing its value: control characters occur only inside strings, where they can be
/// written as `\u202e`. The line feeds between them stay.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    replaced(text, &['\n'], |c, inert| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            _ = write!(inert, "\\u{unit:04x}");
        }
    })
}

/// Returns the text for one character in a line of source.
pub(crate) fn character(c: char) -> String {
    let mut text = String::new();
    match c {
        '\t' => text.push_str(TAB),
        c if acts(c) => write_out(c, &mut text),
        c => text.push(c),
    }
    text
}

/// Returns the text for a byte that is not UTF-8.
pub(crate) fn byte(byte: u8) -> String {
    format!("\\x{byte:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_written_out() {
        assert_eq!(line("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(line("\u{9b}2J\u{7f}\0\r\n\t."), "\\u{9b}2J\\u{7f}\\u{0}\\r\\n .");
        assert_eq!(line("\u{202e}\u{2066}\u{200b}\u{feff}"), "\\u{202e}\\u{2066}\\u{200b}\\u{feff}");
        assert_eq!(line("\u{e0041}\u{2028}\u{ad}"), "\\u{e0041}\\u{2028}\\u{ad}");
        assert_eq!(lines("a\tb\n\u{1b}"), "a\tb\n\\u{1b}");
    }

    #[test]
    fn honest_text_stays() {
        for text in ["naïve — “quotes” … 漢字 ⚠\u{fe0f} 🦀", "\\u{202e} spelled out", ""] {
            assert_eq!(line(text), text);
            assert!(matches!(lines(text), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn json_says_what_it_said() {
        let value = serde_json::json!({"a\u{202e}": "\u{1b}\u{7f}\u{9b}\u{2028}\u{e0041}\u{feff} \n ä \\u202e"});
        let text = serde_json::to_string_pretty(&value).unwrap();
        let inert = json(&text);
        assert!(!inert.replace('\n', "").contains(acts), "{inert}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&inert).unwrap(), value);
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(short_line("abc", 3), "abc");
        assert_eq!(short_line("abcd", 3), "ab…");
        assert_eq!(short_line("ab\u{1b}", 3), "ab…");
        assert_eq!(short_line("ab\u{1b}", 8), "ab\\u{1b}");
        assert_eq!(short_line("ab\u{1b}cd", 9), "ab\\u{1b}…");
        assert_eq!(short_line(&"x".repeat(1 << 20), 3), "xx…");
    }
}
