//! Texts as they stand in the Markdown, both directions: prose that renders as plain text, code, and paths.
//!
//! Text written here is shown as it is: active Markdown is escaped, and invisible characters
//! (control characters, bidirectional marks, zero-width and tag characters) never stand there raw. Backticks that pair up on a line are
//! code spans, a line break of the text is one on the page, and in the notes a span that names a line of a reviewed file is a link to it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use crate::syntax::acts;

/// Tells whether a character must not stand in the Markdown as it is. Tabs and line feeds may.
pub(super) fn is_invisible(c: char) -> bool {
    acts(c) && !matches!(c, '\t' | '\n')
}

/// The headings that the notes of a saved report have: no other line begins a heading.
const HEADINGS: [&str; 2] = ["#### Findings", "#### Verification"];

/// Makes links of places: the way from the report to the root of the repository, and its files.
pub(super) struct Links<'l> {
    pub(super) root: String,
    pub(super) files: &'l [String],
}

impl Links<'_> {
    /// Returns the target of a code span, if it names a line of one of the files.
    fn target(&self, span: &str) -> Option<String> {
        let (path, _) = span.rsplit_once(':')?;
        let is_file = self.files.iter().any(|file| file == path);
        is_file.then(|| line_target(span)).flatten().map(|target| format!("{}{target}", self.root))
    }
}

/// Returns the target of a place below the root: `src/a.ts:2-4` is `src/a.ts#L2-L4`. A path that a link would have to spell otherwise has
/// none.
fn line_target(span: &str) -> Option<String> {
    let (path, lines) = span.rsplit_once(':')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let lines: Vec<&str> = lines.split('-').collect();
    let is_range = (1..=2).contains(&lines.len()) && lines.iter().all(is_number);
    (is_range && path.chars().all(is_plain)).then(|| format!("{path}#L{}", lines.join("-L")))
}

/// Writes a text of any number of lines as paragraphs.
pub(super) fn prose(text: &str) -> String {
    linked_prose(text, None)
}

/// Writes a text as paragraphs with links.
pub(super) fn linked_prose(text: &str, links: Option<&Links<'_>>) -> String {
    let inner = text.trim_matches('\n');
    let leading = text.len() - text.trim_start_matches('\n').len();
    let trailing = text.len() - leading - inner.len();
    let mut out = "&#10;".repeat(leading);
    let lines: Vec<&str> = inner.split('\n').collect();
    for (index, line) in lines.iter().enumerate() {
        if links.is_some() && HEADINGS.contains(line) {
            out.push_str(line);
        } else {
            escape(&mut out, line, block_start(line), links);
        }
        if let Some(next) = lines.get(index + 1) {
            // Two spaces before its end break a line inside a paragraph; readers do not look at them.
            let breaks = links.is_some()
                && !line.is_empty()
                && !next.is_empty()
                && ![line, next].iter().any(|it| HEADINGS.contains(it));
            out.push_str(if breaks { "  \n" } else { "\n" });
        }
    }
    out.push_str(&"&#10;".repeat(trailing));
    out
}

/// Writes a text as the end of a heading, in one line.
pub(super) fn heading(text: &str) -> String {
    let mut out = String::new();
    // A run of `#` at the end of a heading closes it and is not shown.
    let closing = text.trim_end_matches('#').len();
    escape(&mut out, text, (closing < text.len()).then_some(closing), None);
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
fn escape(out: &mut String, line: &str, block: Option<usize>, links: Option<&Links<'_>>) {
    let spans = spans(line);
    let mut next = 0;
    for (at, c) in line.char_indices() {
        if at < next {
            continue;
        }
        if let Some(span) = spans.iter().find(|span| span.start == at) {
            next = span.end;
            let whole = &line[span.clone()];
            match links.and_then(|links| links.target(whole.trim_matches('`'))) {
                Some(target) => out.push_str(&format!("[{whole}]({target})")),
                None => out.push_str(whole),
            }
            continue;
        }
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

/// Returns the code spans of a line, each with its backticks, if all of its backticks pair up in single ones; else none, and every
/// backtick is escaped.
fn spans(line: &str) -> Vec<Range<usize>> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    let pairs = ticks.chunks(2).map(|pair| pair.first().copied()..pair.get(1).map(|end| end + 1));
    let spans: Option<Vec<Range<usize>>> = pairs.map(|pair| Some(pair.start?..pair.end?)).collect();
    let is_shown = |span: &Range<usize>| {
        let inner = &line[span.start + 1..span.end - 1];
        // Without spaces at its ends, the content of a span is what is shown.
        !inner.is_empty()
            && !inner.starts_with(' ')
            && !inner.ends_with(' ')
            && !inner.chars().any(|c| is_invisible(c) || matches!(c, '\n' | '\t'))
    };
    let is_apart = |spans: &Vec<Range<usize>>| spans.windows(2).all(|pair| pair[0].end < pair[1].start);
    spans.filter(|spans| spans.iter().all(is_shown) && is_apart(spans)).unwrap_or_default()
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
    while let Some(next) = line[at..].find(['\\', '&', '`', '[']).map(|length| at + length) {
        out.push_str(&line[at..next]);
        let rest = &line[next..];
        at = next + 1;
        match rest.as_bytes()[0] {
            b'\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => {
                out.push_str(&rest[1..2]);
                at = next + 2;
            }
            b'[' if let Some((span, length)) = linked(rest) => {
                out.push_str(span);
                at = next + length;
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

/// Takes a link off the start of a text that leads from a code span to the line that it names. Returns the span and the length of the
/// link. Any other link stays as it is.
fn linked(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix("[`")?;
    let end = inner.find('`')?;
    let target = inner[end..].strip_prefix("`](")?;
    let target = &target[..target.find(')')?];
    let below = target.trim_start_matches("../");
    let length = 2 + end + 3 + target.len() + 1;
    (line_target(&inner[..end]).as_deref() == Some(below)).then(|| (&text[1..end + 3], length))
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
            "Loose equality on `one`, `two` and `a*b`",
        ] {
            assert_eq!(prose(text), text);
        }
        let links = Links { root: String::new(), files: &[] };
        assert_eq!(linked_prose("erste Zeile\nzweite Zeile", Some(&links)), "erste Zeile  \nzweite Zeile");
        assert_eq!(linked_prose("#### Findings\n\na\nb", Some(&links)), "#### Findings\n\na  \nb");
    }

    #[test]
    fn places_in_notes_link_to_their_lines_and_read_back() {
        let files = ["src/a.ts".to_owned(), "src/b c.ts".to_owned()];
        let links = Links { root: "../../".to_owned(), files: &files };
        for (text, written) in [
            ("at `src/a.ts:2`.", "at [`src/a.ts:2`](../../src/a.ts#L2)."),
            ("`src/a.ts:2-4`", "[`src/a.ts:2-4`](../../src/a.ts#L2-L4)"),
            ("`src/other.ts:2`", "`src/other.ts:2`"),
            ("`src/b c.ts:2`", "`src/b c.ts:2`"),
            ("[`src/a.ts:2`](https://a.b)", "[[`src/a.ts:2`](../../src/a.ts#L2)\\](https\\://a.b)"),
        ] {
            let linked = linked_prose(text, Some(&links));
            assert_eq!(linked, written);
            assert_eq!(unescape(&linked), text);
        }
        assert_eq!(unescape("[`a`](https://a.b)"), "[`a`](https://a.b)");
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
