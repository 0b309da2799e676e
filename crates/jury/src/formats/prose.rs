//! Short texts inside documents: one line, at most so long, with or without a reference to a place.

use jury_wire::Reason;

use crate::model::{LineRange, Location, RepoPath};

/// Joins a text into one line: white space and control characters become single spaces.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    words.join(" ")
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

/// What a short text says about its place: nothing, a location, or one that cannot be.
pub(super) type Place = Result<Option<Location>, (Reason, String)>;

/// Takes `file:line — text`, `file:line text` or `file — text` apart. A text that names no place is all text.
pub(super) fn split_reference(text: &str) -> (Place, &str) {
    let parts = text.split_once(DASH).map(|(place, rest)| (place_of(place, true), rest));
    let parts = parts
        .filter(|(place, _)| *place != Ok(None))
        .or_else(|| text.split_once(' ').map(|(place, rest)| (place_of(place, false), rest)));
    match parts {
        Some((place, rest)) if place != Ok(None) && !rest.trim_matches([' ', '—']).is_empty() => (place, rest.trim()),
        _ => (Ok(None), text),
    }
}

/// Reads `file:line` or `file:start-end`; a bare file only where a dash tells it from a word.
fn place_of(place: &str, before_dash: bool) -> Place {
    let is_lines = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let is_file = |text: &str| text.contains(['/', '.']) && !text.contains(|c: char| c.is_whitespace() || c == ':');
    let file = |text: &str| RepoPath::new(text).map_err(|error| (Reason::BadPath, error.to_string()));
    match place.rsplit_once(':') {
        Some((path, lines)) if is_lines(lines) && (before_dash || !path.is_empty()) => {
            let lines = LineRange::parse(lines).map_err(|error| (Reason::BadLine, error.to_string()))?;
            file(path).map(|file| Some(Location::new(file, Some(lines))))
        }
        _ if before_dash && is_file(place) => file(place).map(|file| Some(Location::new(file, None))),
        _ => Ok(None),
    }
}

/// Puts a place and a text together with a dash, as 001's YAML block does.
pub(super) fn with_reference(location: Option<&Location>, text: &str) -> String {
    match location {
        None => text.to_owned(),
        Some(location) => format!("{}{DASH}{text}", place(location)),
    }
}

/// Puts a place and a text together with a space, as 001's verdict file does, where that can be read back.
pub(super) fn with_plain_reference(location: Option<&Location>, text: &str) -> String {
    match location {
        Some(location) if location.lines.is_some() && !location.file.as_str().contains(char::is_whitespace) => {
            format!("{} {text}", place(location))
        }
        _ => with_reference(location, text),
    }
}

fn place(location: &Location) -> String {
    match location.lines {
        Some(lines) => format!("{}:{lines}", location.file),
        None => location.file.to_string(),
    }
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
        assert_eq!(split("../x:3 — y"), (Err(Reason::BadPath), "y".to_owned()));
        assert_eq!(split("/etc/passwd:3 y"), (Err(Reason::BadPath), "y".to_owned()));
        assert_eq!(split("a.ts:0 — y"), (Err(Reason::BadLine), "y".to_owned()));
        assert_eq!(split("a.ts:9-3 y"), (Err(Reason::BadLine), "y".to_owned()));
    }

    #[test]
    fn texts_are_joined_and_cut() {
        assert_eq!(one_line(" a\n\tb\u{0} c "), "a b c");
        assert_eq!(shortened("äbc", 3), "äbc");
        assert_eq!(shortened("äbcd", 3), "äb…");
    }
}
