//! Texts as they stand in the Markdown, both directions: prose that renders as plain text, code, and paths.
//!
//! Text written here is shown as it is: active Markdown is escaped, and invisible characters
//! (control characters, bidirectional marks, zero-width and tag characters) never stand there raw.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::syntax::acts;

/// Tells whether a character must not stand in the Markdown as it is. Tabs and line feeds may.
pub(super) fn is_invisible(c: char) -> bool {
    acts(c) && !matches!(c, '\t' | '\n')
}

/// Writes a text of any number of lines as paragraphs.
pub(super) fn prose(text: &str) -> String {
    let inner = text.trim_matches('\n');
    let leading = text.len() - text.trim_start_matches('\n').len();
    let trailing = text.len() - leading - inner.len();
    let mut out = "&#10;".repeat(leading);
    for (index, line) in inner.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        escape(&mut out, line, block_start(line));
    }
    out.push_str(&"&#10;".repeat(trailing));
    out
}

/// Writes a text as the end of a heading, in one line.
pub(super) fn heading(text: &str) -> String {
    let mut out = String::new();
    // A run of `#` at the end of a heading closes it and is not shown.
    let closing = text.trim_end_matches('#').len();
    escape(&mut out, text, (closing < text.len()).then_some(closing));
    out
}

/// Writes a text so that not even its first character stands there as it is.
pub(super) fn referenced(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(reference).unwrap_or_default();
    first + &heading(chars.as_str())
}

fn reference(c: char) -> String {
    format!("&#{};", u32::from(c))
}

/// Escapes a line; `block` is the offset of a character that would turn the line into another kind of block.
fn escape(out: &mut String, line: &str, block: Option<usize>) {
    for (at, c) in line.char_indices() {
        let (before, after) = (&line[..at], &line[at + c.len_utf8()..]);
        let is_edge = matches!(c, ' ' | '\t') && (before.is_empty() || after.is_empty());
        if is_invisible(c) || c == '\n' || is_edge {
            out.push_str(&reference(c));
            continue;
        }
        if block == Some(at) || is_active(c, before, after) {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Returns the offset of the character by which a line would be a heading, a list item, a quotation, a rule, the
/// underline of a heading or the delimiter row of a table.
fn block_start(line: &str) -> Option<usize> {
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    let is_made_of = |set: &[char]| line.chars().all(|c| set.contains(&c));
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match line.chars().next()? {
        '#' | '>' => Some(0),
        '+' => ends_word(&line[1..]).then_some(0),
        '-' if ends_word(&line[1..]) || line[1..].starts_with('-') => Some(0),
        '=' => is_made_of(&['=', ' ', '\t']).then_some(0),
        '-' | '|' | ':' => is_made_of(&['-', '|', ':', ' ', '\t']).then_some(0),
        '0'..='9' => {
            let rest = line[digits..].strip_prefix(['.', ')'])?;
            (digits <= 9 && ends_word(rest)).then_some(digits)
        }
        _ => None,
    }
}

/// Tells whether Markdown (CommonMark, and GitHub's extensions) could act upon a character inside a line. Ordinary prose
/// is left alone where that is safe: `a_b`, `2 * 3`, `arr[0]`, `x < y`, `R&D`, `~5 ms`.
fn is_active(c: char, before: &str, after: &str) -> bool {
    // The first and last character of a line are no white space in the Markdown: there, a reference stands for it.
    let is_apart = before.len() > 1 && before.ends_with(' ') && after.len() > 1 && after.starts_with(' ');
    let follows = |set: fn(char) -> bool| after.starts_with(set);
    match c {
        '\\' => !follows(|c| c.is_ascii_alphanumeric()),
        '`' => true,
        '*' => !is_apart,
        '_' => {
            !(is_apart
                || before.ends_with(|c: char| c.is_ascii_alphanumeric()) && follows(|c| c.is_ascii_alphanumeric()))
        }
        // It can only strike through if another one can close it, and that one would have to follow a word.
        '~' => !((before.is_empty() || before.ends_with(' ')) && follows(|c| c.is_ascii_alphanumeric() || c == '/')),
        '<' => !(after.is_empty() || after.starts_with(' ')),
        // No link, image, definition or footnote without one of these.
        '[' => follows(|c| c == '^'),
        ']' => follows(|c| matches!(c, '(' | '[' | ':')),
        '&' => starts_with_entity(after),
        // GitHub links these without any mark.
        ':' => after.starts_with("//"),
        '.' => {
            before.len().checked_sub(3).and_then(|at| before.get(at..)).is_some_and(|w| w.eq_ignore_ascii_case("www"))
        }
        _ => false,
    }
}

fn starts_with_entity(after_ampersand: &str) -> bool {
    let rest = after_ampersand.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#');
    rest.len() < after_ampersand.len() && rest.starts_with(';')
}

/// Reads a line of prose: escapes and references are resolved, code spans are taken as they are.
pub(super) fn unescape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut ticks: Option<Ticks> = None;
    let mut at = 0;
    while let Some(next) = line[at..].find(['\\', '&', '`']).map(|length| at + length) {
        out.push_str(&line[at..next]);
        let rest = &line[next..];
        at = next + 1;
        match rest.as_bytes()[0] {
            b'\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => {
                out.push_str(&rest[1..2]);
                at = next + 2;
            }
            b'&' if let Some((c, length)) = resolve(rest) => {
                out.push(c);
                at = next + length;
            }
            b'`' => {
                let length = run_length(rest);
                let ticks = ticks.get_or_insert_with(|| Ticks::of(line));
                at = ticks.end_after(next + length, length).unwrap_or(next + length);
                out.push_str(&line[next..at]);
            }
            _ => out.push_str(&rest[..1]),
        }
    }
    out.push_str(&line[at..]);
    out
}

/// Resolves the character reference that a text starts with, and returns its length.
fn resolve(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\'')];
    // The longest is `&#1114111;`, and nothing is searched beyond it.
    let end = text.bytes().take(10).position(|byte| byte == b';')?;
    let name = &text[1..end];
    let named = NAMED.iter().find(|(of, _)| *of == name).map(|(_, c)| *c);
    let number = |digits: &str, radix: u32, longest: usize| {
        let is_number = (1..=longest).contains(&digits.len()) && digits.chars().all(|c| c.is_digit(radix));
        is_number.then(|| u32::from_str_radix(digits, radix).ok())?
    };
    let numbered = || {
        let digits = name.strip_prefix('#')?;
        let code = match digits.strip_prefix(['x', 'X']) {
            Some(digits) => number(digits, 16, 6)?,
            None => number(digits, 10, 7)?,
        };
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    };
    named.or_else(numbered).map(|c| (c, end + 1))
}

fn run_length(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Where the runs of backticks of a line end, by their length.
struct Ticks(BTreeMap<usize, Vec<usize>>);

impl Ticks {
    fn of(line: &str) -> Self {
        let mut ends: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut at = 0;
        while let Some(start) = line[at..].find('`').map(|length| at + length) {
            let length = run_length(&line[start..]);
            at = start + length;
            ends.entry(length).or_default().push(at);
        }
        Self(ends)
    }

    /// Returns where the first run of a length ends that starts at an offset or later.
    fn end_after(&self, offset: usize, length: usize) -> Option<usize> {
        let ends = self.0.get(&length)?;
        ends.get(ends.partition_point(|end| *end < offset + length)).copied()
    }
}

/// Writes a text as a code span, which must be in one line.
pub(super) fn code_span(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let is_blank = text.bytes().all(|byte| byte == b' ');
    let would_lose_spaces = text.starts_with(' ') && text.ends_with(' ') && !is_blank;
    let pad = if text.starts_with('`') || text.ends_with('`') || would_lose_spaces { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Takes the code span off the start of a text. Returns its content, and the rest.
pub(super) fn split_code_span(text: &str) -> Option<(&str, &str)> {
    let length = run_length(text);
    if length == 0 {
        return None;
    }
    let end = Ticks::of(text).end_after(length, length)?;
    let inner = &text[length..end - length];
    let is_blank = inner.bytes().all(|byte| byte == b' ');
    let unpadded = inner.strip_prefix(' ').and_then(|inner| inner.strip_suffix(' ')).filter(|_| !is_blank);
    Some((unpadded.unwrap_or(inner), &text[end..]))
}

/// Returns a fence that no line of the code closes.
pub(super) fn fence_around(code: &str) -> String {
    "`".repeat((longest_run(code) + 1).max(3))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Shows code: invisible characters become `\u{…}`, and a line ends in a line feed. This cannot be reversed.
pub(super) fn shown_code(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\r' || chars.peek() != Some(&'\n') {
            push_shown(&mut out, c, is_invisible(c));
        }
    }
    out
}

/// Shows a path in one line. A path has no backslash, so this can be reversed.
pub(super) fn shown_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    path.chars().for_each(|c| push_shown(&mut out, c, is_invisible(c) || c == '\n'));
    out
}

fn push_shown(out: &mut String, c: char, is_hidden: bool) {
    if is_hidden {
        write!(out, "\\u{{{:x}}}", u32::from(c)).expect("a string takes everything");
    } else {
        out.push(c);
    }
}

/// Reads a path as it is shown. A text that is shown nowhere so is taken as it is.
pub(super) fn path_from_shown(shown: &str) -> Cow<'_, str> {
    let mut parts = shown.split("\\u{");
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let hidden = part.split_once('}').and_then(|(code, rest)| {
            let code = u32::from_str_radix(code, 16).ok()?;
            char::from_u32(code).map(|c| (c, rest))
        });
        let Some((c, rest)) = hidden else { return Cow::Borrowed(shown) };
        path.push(c);
        path.push_str(rest);
    }
    if shown_path(&path) == shown { Cow::Owned(path) } else { Cow::Borrowed(shown) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_prose_looks_natural() {
        for text in [
            "Network failures crash the app",
            "Good progress on the API client. Address the error handling before merge.",
            "don't (really) do x-y, a_b",
            "2 * 3 < 7 && arr[0] -> x | y || z; R&D, C# and C++ #42 at ~5 ms in ~/bin",
            "Wow! 50% \"of\" {this} = that, 1.5 or v1.2: a/b? $HOME @you",
            "C:\\dir and \\d",
            "- is a dash in the middle - of - this".trim_start_matches("- "),
            "erste Zeile\nzweite Zeile\n\nAbsatz",
        ] {
            assert_eq!(prose(text), text);
        }
    }

    #[test]
    fn what_markdown_acts_upon_is_escaped() {
        for (text, escaped) in [
            ("# h", "\\# h"),
            ("## Reviewer Notes", "\\## Reviewer Notes"),
            ("> q", "\\> q"),
            ("- a\n+ b\n* c\n1. d\n2) e", "\\- a\n\\+ b\n\\* c\n1\\. d\n2\\) e"),
            ("---", "\\---"),
            ("===", "\\==="),
            ("***", "\\*\\*\\*"),
            ("a\n-|-", "a\n\\-|-"),
            ("a|b\n:-:|:-:", "a|b\n\\:-:|:-:"),
            ("**Evidence:**", "\\*\\*Evidence:\\*\\*"),
            ("__init__", "\\_\\_init\\_\\_"),
            ("```\nx\n```", "\\`\\`\\`\nx\n\\`\\`\\`"),
            ("~~~", "\\~\\~\\~"),
            ("<b>x</b> <!-- y -->", "\\<b>x\\</b> \\<!-- y -->"),
            ("![i](u) [a][b] [c]: d", "![i\\](u) [a\\][b] [c\\]: d"),
            ("[^1]: hidden", "\\[^1\\]: hidden"),
            ("&lt; &#60; & &x", "\\&lt; \\&#60; & &x"),
            ("see https://a.b/c or www.a.b", "see https\\://a.b/c or www\\.a.b"),
            ("a\\*b \\\\ c\\", "a\\\\\\*b \\\\\\\\ c\\\\"),
            ("    code", "&#32;   code"),
            ("break  \nx", "break &#32;\nx"),
            ("\n\na\n", "&#10;&#10;a&#10;"),
            ("a\r\nb\u{202e}c\0", "a&#13;\nb&#8238;c&#0;"),
        ] {
            assert_eq!(prose(text), escaped);
        }
        assert_eq!(heading("a ##"), "a \\##");
        assert_eq!(heading("- a\nb "), "- a&#10;b&#32;");
        assert_eq!(referenced("abc"), "&#97;bc");
    }

    #[test]
    fn escapes_and_references_are_resolved_outside_code() {
        for (line, text) in [
            ("a \\* b \\d \\", "a * b \\d \\"),
            ("&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&copy;&#;&#x;&", "&<>\"'AB&copy;&#;&#x;&"),
            ("&#xD800;&#1114112;&#99999999;", "\u{fffd}\u{fffd}&#99999999;"),
            ("`\\*` \\* `` a\\`b `` \\*", "`\\*` * `` a\\`b `` *"),
            ("` \\*", "` *"),
            ("\\`\\*` \\*", "`*` *"),
        ] {
            assert_eq!(unescape(line), text);
        }
    }

    #[test]
    fn code_spans_hold_any_line() {
        for (text, span) in [
            ("a/b.ts:3", "`a/b.ts:3`"),
            ("a`b", "``a`b``"),
            ("`a``", "``` `a`` ```"),
            (" a ", "`  a  `"),
            (" a", "` a`"),
            ("  ", "`  `"),
        ] {
            assert_eq!(code_span(text), span);
            assert_eq!(split_code_span(&format!("{span}-7")), Some((text, "-7")));
        }
        for text in ["", "a", "`a", "``a`"] {
            assert_eq!(split_code_span(text), None);
        }
    }

    #[test]
    fn paths_are_shown_in_one_line_and_read_back() {
        for (path, shown) in [("a\nb\u{202e}", "a\\u{a}b\\u{202e}"), ("a b", "a b"), ("\u{1}{}", "\\u{1}{}")] {
            assert_eq!(shown_path(path), shown);
            assert_eq!(path_from_shown(shown), path);
        }
        for text in ["a\\u{41}", "a\\u{", "a\\u{zz}", "a\\u{0a}", "\\u{+a}"] {
            assert_eq!(path_from_shown(text), text);
        }
    }

    #[test]
    fn code_is_shown_without_what_cannot_be_seen() {
        assert_eq!(shown_code("a\r\n\tb\rc\u{200b}\n"), "a\n\tb\\u{d}c\\u{200b}\n");
        assert_eq!(fence_around("x"), "```");
        assert_eq!(fence_around("a ```` b"), "`````");
    }
}
