//! Places in prose: the file and lines that a line names.
//!
//! In: a line or a text. Out: the file and lines that it names, and the rest of the line. Deliberately not here: how one
//! place is taken apart (`scalars`), and whether its path may be used (`finding`).

use super::lexicon::List;
use super::scalars;

/// Takes the place off the front of a lead: in bold, backticks or brackets, or after `File:`.
pub(super) fn leading_place(lead: &str) -> (Option<scalars::FileRef<'_>>, &str) {
    let lead = past_remarks(lead.trim_start());
    let start = lead.trim_start_matches(['*', '_', '`', '[', '(', ' ', '#']);
    let start = start
        .strip_prefix("File:")
        .or(start.strip_prefix("Files:"))
        .map_or(start, |rest| rest.trim_start_matches(['*', '`', ' ', '[']));
    // An id may stand first: `I1` `src/a.ts:16`, `[Recurring] src/a.ts:3`.
    let past_id = start
        .split_once(|c: char| c.is_whitespace())
        .map(|(first, rest)| (first, rest.trim_start_matches(['*', '_', '`', '[', '(', ' ', '—', '–', '-'])));
    let candidates = [Some(start), past_id.filter(|(first, _)| first.len() <= 14).map(|(_, rest)| rest)];
    for candidate in candidates.into_iter().flatten() {
        let offset = lead.len() - candidate.len();
        // With its backtick, a path may have brackets.
        let quoted = lead[..offset].ends_with('`').then(|| &lead[offset - 1..]);
        let Some(place) = scalars::split_place(quoted.unwrap_or(candidate)) else { continue };
        // A bare word with a dot in running text is no place unless it is marked or has a line.
        let is_marked = lead[..offset].ends_with(['`', '[', '*']) || lead[..offset].ends_with("File: ");
        let is_set_off = offset == 0
            && [" — ", " – ", " - ", ": "].iter().any(|dash| after_file(candidate, &place).starts_with(dash));
        if place.lines.is_none() && !((is_marked || is_set_off) && is_surely_a_file(place.file)) {
            continue;
        }
        let rest = after_place(candidate, &place);
        return (Some(place), rest);
    }
    (None, lead)
}

/// Returns the text right behind the file of a place, wherever in the text that stands.
fn after_file<'t>(text: &'t str, place: &scalars::FileRef<'t>) -> &'t str {
    let end = place.file.as_ptr() as usize + place.file.len() - text.as_ptr() as usize;
    text.get(end..).unwrap_or_default()
}

/// Passes over remarks in brackets that are no place: `[advisory -> human] `, `[Recurring] `.
fn past_remarks(lead: &str) -> &str {
    let inside = lead.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match inside {
        Some((remark, rest))
            if remark.len() <= 40
                && !rest.starts_with('(')
                && scalars::split_place(remark).is_none()
                && !rest.trim().is_empty() =>
        {
            past_remarks(rest.trim_start())
        }
        _ => lead,
    }
}

pub(super) fn is_surely_a_file(file: &str) -> bool {
    file.contains('/')
        || ["Dockerfile", "Makefile", "Gemfile", "Rakefile", "Procfile", "Justfile"].contains(&file)
        || file.rsplit_once('.').is_some_and(|(_, ending)| List::FileEndings.has(ending))
}

/// Returns the text after the place: past its closing marks, further places, and a confidence in brackets.
fn after_place<'t>(text: &'t str, place: &scalars::FileRef<'t>) -> &'t str {
    let consumed = match (place.lines, place.rest) {
        (Some(lines), _) => lines.as_ptr() as usize + lines.len() - text.as_ptr() as usize,
        (None, _) => place.file.as_ptr() as usize + place.file.len() - text.as_ptr() as usize,
    };
    // A backtick right after the place closes its mark; one that comes later opens the next.
    let mut rest = text.get(consumed..).unwrap_or_default().trim_start_matches(['`', ']', '*', ')']);
    loop {
        let before = rest;
        rest = rest.trim_start_matches([']', '*', ',', ' ', ':', '—', '–', ')', '_']);
        rest = rest.strip_prefix("-- ").or(rest.strip_prefix("- ")).unwrap_or(rest);
        // Further lines or places: `, 47`, `+ src/b.ts:828`, `vs src/b.ts:3`, `and line 74`.
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '–')).len();
        if digits > 0 && before.trim_start().starts_with([',', ':']) {
            rest = &rest[digits..];
        }
        for joint in ["+ ", "vs ", "and ", "& "] {
            if let Some(next) = rest.strip_prefix(joint)
                && let Some(place) = scalars::split_place(next.trim_start_matches(['`', '*', '[']))
                && place.lines.is_some()
            {
                rest = after_one(next, &place);
            }
        }
        // A confidence, or where the link that the place was in leads to.
        let inside = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("", |(inside, _)| inside);
        if inside.to_ascii_lowercase().contains("confidence") || inside.contains("://") {
            rest = rest.split_once(')').map_or(rest, |(_, rest)| rest);
        }
        if rest == before {
            return rest;
        }
    }
}

fn after_one<'t>(text: &'t str, place: &scalars::FileRef<'t>) -> &'t str {
    let end = place
        .lines
        .map_or(place.file.as_ptr() as usize + place.file.len(), |lines| lines.as_ptr() as usize + lines.len());
    text.get(end - text.as_ptr() as usize..).unwrap_or_default()
}

/// Finds the first place in the text of a field, with any text around it.
pub(super) fn first_place(text: &str) -> Option<scalars::FileRef<'_>> {
    scalars::split_place(text).or_else(|| marked_place(text)).or_else(|| {
        starts_of_words(text)
            .filter_map(scalars::split_place)
            .find(|place| place.lines.is_some() || place.file.contains('/'))
    })
}

/// Tells whether a text has a place with a line number in backticks.
pub(super) fn quotes_a_line(text: &str) -> bool {
    text.split('`').skip(1).step_by(2).filter_map(scalars::split_place).any(|place| place.lines.is_some())
}

/// Finds the first `path:line` that is marked or stands as a word of its own.
pub(super) fn marked_place(text: &str) -> Option<scalars::FileRef<'_>> {
    let ticks = text.match_indices('`').step_by(2).filter_map(|(at, _)| scalars::split_place(window(text, at)));
    let links = text.match_indices("](").filter_map(|(at, _)| {
        let label = text[..at].rfind(['[', '\n']).filter(|start| text[*start..].starts_with('[')).unwrap_or(at + 2);
        scalars::split_place(window(text, label))
    });
    let words = starts_of_words(text).filter_map(scalars::split_place);
    let mut without_line = None;
    for (is_marked, place) in ticks.chain(links).map(|place| (true, place)).chain(words.map(|place| (false, place))) {
        if place.lines.is_some() {
            return Some(place);
        }
        let is_file = place.file.contains('/') && place.file.contains('.') || is_marked && is_surely_a_file(place.file);
        if is_file {
            without_line.get_or_insert(place);
        }
    }
    without_line
}

/// No place is longer: the search from each word stays short, so that the cost stays linear.
const LONGEST_PLACE: usize = 512;

fn window(text: &str, start: usize) -> &str {
    &text[start..text.floor_char_boundary((start + LONGEST_PLACE).min(text.len()))]
}

/// Returns the text from the start of each of its words on, as far as a place could reach.
fn starts_of_words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(|word| window(text, word.as_ptr() as usize - text.as_ptr() as usize))
}

/// Takes the place, or only the line, that a line starts with off its front: `a.ts:3 - x`, `L23: x`, `5:10  x`. The first
/// of the pair is how the place is spelled in front of a title.
pub(super) fn past_place(line: &str) -> Option<(String, &str)> {
    if let Some((lines, rest)) = leading_line(line) {
        return Some((format!("line {lines}:"), rest));
    }
    let (place, rest) = leading_place(line);
    let place = place?;
    let spelled = match place.lines {
        Some(lines) => format!("{}:{lines}", place.file),
        None => format!("`{}`", place.file),
    };
    // The dashes after a place were taken off; a level between two of them is one all the same.
    Some((spelled, rest))
}

/// Takes a line number off the front of a line that names no file: `L23: x`, `line 4 — x`, `5:10  x`.
pub(super) fn leading_line(line: &str) -> Option<(&str, &str)> {
    let bare = line.trim_start().trim_start_matches(['*', '`', '[', '(']);
    if let Some((line, rest)) = position(bare) {
        return Some((line, rest));
    }
    let (lines, rest) = scalars::named_lines(bare)?;
    let rest = rest.trim_start_matches(['*', '`', ']', ')']);
    let after = rest.trim_start_matches([':', ' ', '—', '–', '-', '：']);
    (rest.len() > after.len()).then_some((lines, after))
}

/// Takes `5:10` and a blank off the front.
fn position(text: &str) -> Option<(&str, &str)> {
    let (line, rest) = text.split_once(':')?;
    let column = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_number = !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
    (is_number && column > 0 && rest[column..].starts_with([' ', '\t'])).then(|| (line, &rest[column..]))
}

/// Reads a heading or label that is nothing but the name of a file.
pub(super) fn only_a_file(text: &str) -> Option<&str> {
    let bare = text.trim().trim_matches(['*', '_', '`', ':', ' ', '#', '📄', '📁']);
    let place = scalars::split_place(bare).filter(|place| place.file == bare)?;
    is_surely_a_file(place.file).then_some(place.file)
}

/// Finds a line that a text names in words, `around line 210` or `(L31)`, wherever it stands.
pub(super) fn named_line(text: &str) -> Option<&str> {
    let mut starts = starts_of_words(text).map(|text| text.trim_start_matches(['(', '[', '*', ',']));
    starts.find_map(|text| scalars::named_lines(text)).map(|(lines, _)| lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&str, Option<&str>)> {
        marked_place(text).map(|place| (place.file, place.lines))
    }

    #[test]
    fn places_are_found_with_the_lines_beside_them() {
        for (text, file, lines) in [
            ("see `k8s/rbac.yaml`, line 31", "k8s/rbac.yaml", Some("31")),
            ("`ops/run.sh`\nlines 8-14", "ops/run.sh", Some("8-14")),
            ("`flags/p.py` L33. Toggling", "flags/p.py", Some("33")),
            ("x ([walker.py](src/walker.py#L77))", "src/walker.py", Some("77")),
            ("`Dockerfile`\nline 2", "Dockerfile", Some("2")),
            ("`src/app/(shop)/[slug]/page.tsx:31` — x", "src/app/(shop)/[slug]/page.tsx", Some("31")),
            ("in invites/accept.py, line 47. Anyone", "invites/accept.py", Some("47")),
            ("(`lager/b.py`, Zeile 142)", "lager/b.py", Some("142")),
            ("`core/F.php` ligne 210 : x", "core/F.php", Some("210")),
            ("`expenses/list.html` and more", "expenses/list.html", None),
        ] {
            assert_eq!(found(text), Some((file, lines)), "{text}");
        }
        assert_eq!(found("`object.member` is null"), None);
        // The path does not stand at the start of its line.
        assert!(leading_place("</é").0.is_none());
        assert_eq!(leading_place("<é/a.ts — é").0.map(|place| place.file), Some("é/a.ts"));
        assert_eq!(named_line("at line 40 of `a.ts`"), Some("40"));
        assert_eq!(named_line("the line is long"), None);
        assert_eq!(named_line("第 12 行"), Some("12"));
    }
}
