//! Short texts inside documents: one line, at most so long, with or without a reference to a place.

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

/// Takes `file:line — text`, `file:line text` or `file — text` apart. A text that names no place is all text.
pub(super) fn split_reference(text: &str) -> (Option<Location>, &str) {
    if let Some((place, rest)) = text.split_once(DASH)
        && let Some(location) = place_of(place, true)
        && !rest.trim().is_empty()
    {
        return (Some(location), rest.trim());
    }
    if let Some((place, rest)) = text.split_once(' ')
        && let Some(location) = place_of(place, false)
        && !rest.trim().is_empty()
    {
        return (Some(location), rest.trim());
    }
    (None, text)
}

/// Reads `file:line` or `file:start-end`; a bare file only where a dash tells it from a word.
fn place_of(place: &str, before_dash: bool) -> Option<Location> {
    if let Some((file, lines)) = place.rsplit_once(':')
        && let Ok(lines) = LineRange::parse(lines)
    {
        return RepoPath::new(file).ok().map(|file| Location::new(file, Some(lines)));
    }
    let looks_like_a_file = place.contains(['/', '.']) && !place.contains(|c: char| c.is_whitespace() || c == ':');
    if !before_dash || !looks_like_a_file {
        return None;
    }
    RepoPath::new(place).ok().map(|file| Location::new(file, None))
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
            let (location, rest) = split_reference(text);
            (location.map(|l| (l.file.to_string(), l.lines.map(|l| l.to_string()))), rest.to_owned())
        };
        let at = |file: &str, lines: Option<&str>, rest: &str| {
            (Some((file.to_owned(), lines.map(str::to_owned))), rest.to_owned())
        };
        let nowhere = |rest: &str| (None, rest.to_owned());
        assert_eq!(split("src/a.ts:88 — SQL concat"), at("src/a.ts", Some("88"), "SQL concat"));
        assert_eq!(split("src/a.ts:88 SQL concat"), at("src/a.ts", Some("88"), "SQL concat"));
        assert_eq!(split("src/a.ts:8-12 — x"), at("src/a.ts", Some("8-12"), "x"));
        assert_eq!(split("test/a.test.ts — missing assertion"), at("test/a.test.ts", None, "missing assertion"));
        assert_eq!(split("with space/a.ts:3 — x"), at("with space/a.ts", Some("3"), "x"));
        assert_eq!(
            split("no test for 0-length input; happy path only"),
            nowhere("no test for 0-length input; happy path only")
        );
        assert_eq!(
            split("test distribution 70/20/10 — slightly under"),
            nowhere("test distribution 70/20/10 — slightly under")
        );
        assert_eq!(split("../x:3 — y"), nowhere("../x:3 — y"));
        assert_eq!(split("a.ts:0 — y"), nowhere("a.ts:0 — y"));
        assert_eq!(split("a.ts:3 — "), nowhere("a.ts:3 — "));
    }

    #[test]
    fn texts_are_joined_and_cut() {
        assert_eq!(one_line(" a\n\tb\u{0} c "), "a b c");
        assert_eq!(shortened("äbc", 3), "äbc");
        assert_eq!(shortened("äbcd", 3), "äb…");
    }
}
