//! Short texts inside documents: one line, at most so long, with or without a reference to a place.

use jury_wire::Reason;

use crate::model::{LineRange, Location, RepoPath};

/// Joins a text into one line: white space and control characters become single spaces.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    words.join(" ")
}

/// Tells whether a text has no line break of any kind that Unicode knows.
pub(super) fn is_one_line(text: &str) -> bool {
    !text.contains(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Tells whether a text can stand in a line as it is: no line break, no control character but the tab.
pub(super) fn is_plain(text: &str) -> bool {
    is_one_line(text) && text.chars().all(|c| c == '\t' || !c.is_control())
}

/// Makes a text fit for one line of a text format: without line breaks, control characters and white space around it,
/// and never blank. A text that is fit stays as it is.
pub(super) fn plain_line(text: &str) -> String {
    let text = text.trim();
    let line = if is_plain(text) { text.to_owned() } else { one_line(text) };
    if line.is_empty() { "untitled".to_owned() } else { line }
}

/// Cuts a text to at most so many characters, the last of which then is an ellipsis.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// The separator of 001's `file:line — text`.
const DASH: &str = " — ";

/// The place in a short text: none, a location, or an impossible one.
pub(super) type ParsedLocation = Result<Option<Location>, (Reason, String)>;

/// Takes `file:line — text`, `file:line text` or `file — text` apart. A text that names no place is all text.
pub(super) fn split_reference(text: &str) -> (ParsedLocation, &str) {
    let names_a_place = |(place, _): &(ParsedLocation, &str)| *place != Ok(None);
    // A first word with a line is the place, before any dashes; only a path with a space in it needs the dash.
    let by_word = text.split_once(char::is_whitespace).map(|(place, rest)| {
        let rest = rest.trim_start();
        (place_of(place, false), rest.strip_prefix("— ").unwrap_or(rest))
    });
    let by_dash = || text.split_once(DASH).map(|(place, rest)| (place_of(place, true), rest));
    match by_word.filter(names_a_place).or_else(|| by_dash().filter(names_a_place)) {
        Some((place, rest)) if !rest.trim_matches([' ', '—']).is_empty() => (place, rest.trim()),
        _ => (Ok(None), text),
    }
}

/// Reads `file:line` or `file:start-end`; a bare file only where a dash tells it from a word. A web address is no place,
/// and neither are `file:line:column` and a list of places, which the contract does not know: they stay text.
fn place_of(place: &str, before_dash: bool) -> ParsedLocation {
    let is_lines =
        |text: &str| text.bytes().any(|b| b.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let has_lines = |text: &str| text.rsplit_once(':').is_some_and(|(_, lines)| is_lines(lines));
    let is_list = |text: &str| text.contains(char::is_whitespace) && text.contains([':', ',']);
    let is_file = |text: &str| text.contains(['/', '.']) && !text.contains(|c: char| c.is_whitespace() || c == ':');
    let file = |text: &str| RepoPath::new(text).map_err(|error| (Reason::BadPath, error.to_string()));
    match place.rsplit_once(':') {
        Some((path, _)) if path.contains("://") || has_lines(path) || is_list(path) => Ok(None),
        Some((path, lines)) if is_lines(lines) && (before_dash || !path.is_empty()) => {
            let lines = LineRange::parse(lines).map_err(|error| (Reason::BadLine, error.to_string()))?;
            file(path).map(|file| Some(Location::new(file, Some(lines))))
        }
        _ if before_dash && is_file(place) => file(place).map(|file| Some(Location::new(file, None))),
        _ => Ok(None),
    }
}

/// Puts a place and a line of text together with a dash, as 001's YAML block does.
pub(super) fn with_reference(location: Option<&Location>, text: &str) -> String {
    referenced(location, text, &[DASH])
}

/// Puts a place and a line of text together with a space, as 001's verdict file does, where that can be read back.
pub(super) fn with_plain_reference(location: Option<&Location>, text: &str) -> String {
    referenced(location, text, &[" ", DASH])
}

/// Joins a place and a text by the first separator with which they come apart again. A text that would come apart
/// otherwise, perhaps as an impossible place, gets a word in front, so that it is read as text.
fn referenced(location: Option<&Location>, text: &str, separators: &[&str]) -> String {
    let Some(location) = location.filter(|location| is_plain(location.file.as_str())) else {
        return as_text(text);
    };
    let place = match location.lines {
        Some(lines) => format!("{}:{lines}", location.file),
        None => location.file.to_string(),
    };
    let comes_apart = |line: &String| {
        let (place, rest) = split_reference(line.trim());
        matches!(place, Ok(Some(place)) if place.file == location.file && place.lines == location.lines) && rest == text
    };
    let mut lines = separators.iter().map(|separator| format!("{place}{separator}{text}"));
    lines.find(comes_apart).unwrap_or_else(|| as_text(&format!("{place}{DASH}{text}")))
}

/// Makes a line that is read as text, without a place.
fn as_text(line: &str) -> String {
    let line = line.trim();
    if split_reference(line) == (Ok(None), line) { line.to_owned() } else { format!("note{DASH}{line}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_taken_apart() {
        let split = |text| {
            let (place, rest) = split_reference(text);
            let place = place.map(|location| location.map(|l| (l.file.to_string(), l.lines.map(|l| l.to_string()))));
            (place.map_err(|(reason, _)| reason), rest.to_owned())
        };
        let at = |file: &str, lines: Option<&str>, rest: &str| {
            (Ok(Some((file.to_owned(), lines.map(str::to_owned)))), rest.to_owned())
        };
        assert_eq!(split("src/a.ts:88 — SQL concat"), at("src/a.ts", Some("88"), "SQL concat"));
        assert_eq!(split("src/a.ts:88 SQL concat"), at("src/a.ts", Some("88"), "SQL concat"));
        assert_eq!(split("src/a.ts:8-12 — x"), at("src/a.ts", Some("8-12"), "x"));
        assert_eq!(split("Makefile:3 x — y"), at("Makefile", Some("3"), "x — y"));
        assert_eq!(split("test/a.test.ts — missing assertion"), at("test/a.test.ts", None, "missing assertion"));
        assert_eq!(split("with space/a.ts:3 — x"), at("with space/a.ts", Some("3"), "x"));
        for text in [
            "no test for 0-length input on parseToken; happy path only",
            "test distribution 70/20/10 — slightly under target",
            "a.ts:3 — ",
            "a.ts:3",
            "3: x",
            "note: see above",
        ] {
            assert_eq!(split(text), (Ok(None), text.to_owned()));
        }
        for text in [
            "https://x.io:443 — open",
            "http://x:80 open",
            "a.ts:3:7 — x",
            "a.ts:3: x",
            "TODO:- x",
            "a: — x",
            "a.ts:3, b.ts:4 — x",
        ] {
            assert_eq!(split(text), (Ok(None), text.to_owned()));
        }
        assert_eq!(split("src/a.ts:8 see b.ts:4 — x"), at("src/a.ts", Some("8"), "see b.ts:4 — x"));
        assert_eq!(split("src/a.ts:8\t—  x"), at("src/a.ts", Some("8"), "x"));
        assert_eq!(split("a:b:3 x"), at("a:b", Some("3"), "x"));
        assert_eq!(split("../x:3 — y"), (Err(Reason::BadPath), "y".to_owned()));
        assert_eq!(split("/etc/passwd:3 y"), (Err(Reason::BadPath), "y".to_owned()));
        assert_eq!(split("a.ts:0 — y"), (Err(Reason::BadLine), "y".to_owned()));
        assert_eq!(split("a.ts:9-3 y"), (Err(Reason::BadLine), "y".to_owned()));
    }

    #[test]
    fn what_is_put_together_comes_apart_again() {
        let at = |file: &str, lines: Option<&str>| {
            Location::new(RepoPath::new(file).unwrap(), lines.map(|lines| LineRange::parse(lines).unwrap()))
        };
        for (location, text, dashed, plain) in [
            (None, "x", "x", "x"),
            (Some(at("a.ts", Some("3"))), "x", "a.ts:3 — x", "a.ts:3 x"),
            (Some(at("a.ts", Some("3-5"))), "x — y", "a.ts:3-5 — x — y", "a.ts:3-5 x — y"),
            (Some(at("a.ts", Some("3"))), "— x", "a.ts:3 — — x", "a.ts:3 — — x"),
            (Some(at("a.ts", None)), "x", "a.ts — x", "a.ts — x"),
            (Some(at("a b.ts", Some("3"))), "x", "a b.ts:3 — x", "a b.ts:3 — x"),
        ] {
            assert_eq!(with_reference(location.as_ref(), text), dashed);
            assert_eq!(with_plain_reference(location.as_ref(), text), plain);
            assert_eq!(split_reference(dashed), (Ok(location.clone()), text));
            assert_eq!(split_reference(plain), (Ok(location), text));
        }
        for (location, text, line) in [
            (None, "../x:3 boom", "note — ../x:3 boom"),
            (None, "a.ts:0 — boom", "note — a.ts:0 — boom"),
            (None, "12:30 boom", "note — 12:30 boom"),
            (None, ".. — boom", "note — .. — boom"),
            (Some(at("x.ts — y", Some("3"))), "boom", "note — x.ts — y:3 — boom"),
            (Some(at("x/.. — y", None)), "boom", "note — x/.. — y — boom"),
            (Some(at("a.ts", Some("3"))), "—", "a.ts:3 — —"),
            (Some(at("Makefile", None)), "x", "Makefile — x"),
            (Some(at(" a", Some("3"))), "x", "note — a:3 — x"),
            (Some(at("a\nb", Some("3"))), "x", "x"),
            (Some(at("a\u{2028}b", None)), "../x:3 y", "note — ../x:3 y"),
        ] {
            assert_eq!(with_reference(location.as_ref(), text), line);
            assert_eq!(split_reference(line), (Ok(None), line));
        }
    }

    #[test]
    fn texts_are_joined_and_cut() {
        assert_eq!(one_line(" a\n\tb\u{0} c "), "a b c");
        assert_eq!(plain_line(" a  b\tc "), "a  b\tc");
        assert_eq!(plain_line("a  b\u{2028}c\u{1b}[0m"), "a b c [0m");
        assert_eq!(plain_line("\u{0}\n"), "untitled");
        assert_eq!(shortened("äbc", 3), "äbc");
        assert_eq!(shortened("äbcd", 3), "äb…");
    }
}
