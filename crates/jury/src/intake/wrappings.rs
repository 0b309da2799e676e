//! Wrappings of a whole text: terminal colours, a prefix on each line, HTML escapes, another encoding.
//!
//! In: the text, or its bytes. Out: the text without its wrapping, and the kind of wrapping. A wrapping is taken off only if every line has it and
//! the rest starts like a document. Deliberately not here: envelopes, fences and prose, which leave the text as it is.

use jury_wire::Reason;

use crate::syntax::{Limits, Node, Value, json};

/// A text without its wrapping, and the kind of wrapping.
pub(super) type Bare = (String, Reason, &'static str);

/// Decodes UTF-16 that says so by its byte order mark.
pub(super) fn decoded(bytes: &[u8]) -> Option<Bare> {
    let (is_little, rest) = match bytes {
        [0xff, 0xfe, rest @ ..] => (true, rest),
        [0xfe, 0xff, rest @ ..] => (false, rest),
        _ => return None,
    };
    let units = rest.chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    });
    let text: String = char::decode_utf16(units).collect::<Result<_, _>>().ok()?;
    (rest.len() % 2 == 0).then_some((text, Reason::LinesStripped, "UTF-16"))
}

/// Takes off the outermost wrapping of a text, if it has one.
pub(super) fn unwrapped(text: &str) -> Option<Bare> {
    without_colours(text)
        .map(|plain| (plain, Reason::ProseRemoved, "colours of a terminal"))
        .or_else(|| without_prefixes(text).map(|plain| (plain, Reason::LinesStripped, "something before each line")))
        .or_else(|| without_entities(text).map(|plain| (plain, Reason::LinesStripped, "escapes of HTML")))
        .or_else(|| without_backslashes(text).map(|plain| (plain, Reason::LinesStripped, "escaped quotes")))
}

/// Takes the colours of a terminal out of a text that is no JSON.
fn without_colours(text: &str) -> Option<String> {
    if !text.contains("\u{1b}[") || text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        // Anything but a colour moves the cursor or erases: the visible text is unknown.
        plain.push_str(rest.strip_prefix('m')?);
    }
    Some(plain)
}

fn starts_document(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("```") || text.starts_with("[{") || text.starts_with("{\"") || opens_line(text)
}

fn opens_line(text: &str) -> bool {
    let mut lines = text.lines();
    let is_bracket = lines.next().is_some_and(|line| matches!(line.trim_end(), "{" | "[" | "[{"));
    is_bracket && lines.next().is_some_and(|line| line.trim_start().starts_with(['"', '{', '\'']))
}

/// Removes a common prefix of every line: `> `, `| `, a name and a bar, a time and a level.
fn without_prefixes(text: &str) -> Option<String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next()?;
    let length = first.find(['{', '[', '`']).into_iter().chain(first.find("] ").map(|at| at + 2)).find(|length| {
        let (prefix, rest) = first.split_at(*length);
        !prefix.trim().is_empty() && (starts_document(rest) || matches!(rest.trim(), "{" | "[" | "[{"))
    });
    let length = length.or_else(|| past_level(first))?;
    let shape = shape(&first[..length]);
    // One line with something before it is prose.
    if lines.clone().count() < 2 || shape.len() > 80 {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        if line.trim().is_empty() {
            plain.push('\n');
            continue;
        }
        let rest = past_shape(line, &shape)?;
        plain.push_str(rest);
        plain.push('\n');
    }
    starts_document(&plain).then_some(plain)
}

/// Returns where a line with a time in brackets and a level goes on: `[2026-05-01 10:00:00] INFO  {`.
fn past_level(line: &str) -> Option<usize> {
    let (at, _) = line.char_indices().rev().find(|(_, c)| matches!(c, '{' | '['))?;
    let before = line[..at].trim_end();
    (!before.is_empty() && before.contains(|c: char| c.is_ascii_digit()) && line[at..].trim().len() == 1).then_some(at)
}

/// The common form of two prefixes: digits are any digits.
fn shape(prefix: &str) -> Vec<char> {
    prefix.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

/// Returns the text after a prefix of a form; an empty line may have lost the blank at its end.
fn past_shape<'t>(line: &'t str, wanted: &[char]) -> Option<&'t str> {
    let end = line.char_indices().nth(wanted.len()).map_or(line.len(), |(at, _)| at);
    let found = shape(&line[..end]);
    let is_same = found == wanted;
    let is_cut = end == line.len() && wanted.starts_with(&found) && wanted[found.len()..].iter().all(|c| *c == ' ');
    (is_same || is_cut).then(|| &line[end..])
}

/// Turns `&quot;` and its like back in a text that has no quotes of its own.
fn without_entities(text: &str) -> Option<String> {
    if text.contains('"') || !text.contains("&quot;") && !text.contains("&#34;") {
        return None;
    }
    let mut plain = text.to_owned();
    // The ampersand last, so that no escape is decoded twice.
    for (escape, character) in [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&apos;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ] {
        plain = plain.replace(escape, character);
    }
    Some(plain)
}

/// Turns `{\"a\": \"b\"}`, a string that lost its own quotes, back into its content.
fn without_backslashes(text: &str) -> Option<String> {
    let bare = text.trim();
    let is_escaped = ["{\\\"", "[{\\\"", "{\\n", "[\\n"].iter().any(|start| bare.starts_with(start));
    if !is_escaped {
        return None;
    }
    let quoted = format!("\"{}\"", bare.replace('\n', "\\n"));
    match json::parse_at(&quoted, 0, &Limits::default()).ok()? {
        (Node { value: Value::String(text), .. }, end) if end == quoted.len() => Some(text.into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Option<String> {
        unwrapped(text).map(|(plain, _, _)| plain)
    }

    #[test]
    fn what_every_line_has_is_taken_off() {
        let document = "{\n  \"findings\": [],\n  \"n\": 1\n}\n";
        for prefix in ["> ", "| ", "reviewer-1  | ", "[2026-05-01T10:00:00Z] INFO  ", "12:00:01 DEBUG "] {
            let text: String = document.lines().map(|line| format!("{prefix}{line}\n")).collect();
            assert_eq!(plain(&text).as_deref(), Some(document), "{prefix}");
        }
        assert_eq!(plain("{&quot;a&quot;: 1}").as_deref(), Some("{\"a\": 1}"));
        assert_eq!(plain("{\\\"a\\\": \\\"x\\\\\\\"y\\\"}").as_deref(), Some("{\"a\": \"x\\\"y\"}"));
        assert_eq!(plain("\u{1b}[31mHigh\u{1b}[0m").as_deref(), Some("High"));
    }

    #[test]
    fn what_only_some_lines_have_stays() {
        for text in [
            "> {\n> \"a\": 1\n}\n",
            "Result: {\n  \"a\": 1\n}\n",
            "> quoted\n> prose\n> here\n",
            "plain",
            "say &quot;x&quot; or \"y\"",
            "{\n  \"a\": 1\n}",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn a_byte_order_mark_says_which_way_round() {
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain("{é}".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain("{é}".encode_utf16().flat_map(u16::to_be_bytes)).collect();
        for bytes in [little, big] {
            assert_eq!(decoded(&bytes).map(|(text, _, _)| text).as_deref(), Some("{é}"));
            assert!(decoded(&bytes[..bytes.len() - 1]).is_none());
        }
        assert!(decoded(b"{}").is_none());
    }
}
