//! Places as reviewers write them: a path with lines, a link, lines alone.
//!
//! In: the text of one place. Out: the file and its lines. Deliberately not here: places in running text (`places`), and whether
//! a path may be used (`location`).

use crate::intake::lexicon::List;
use crate::intake::places;
use crate::model::{Line, LineRange, PathError, RepoPath};

/// A place as a text gives it: the file, perhaps lines, and the further places that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::intake) struct FileRef<'t> {
    pub(in crate::intake) file: &'t str,
    pub(in crate::intake) lines: Option<&'t str>,
    pub(in crate::intake) rest: Option<&'t str>,
}

/// Takes apart `path:42-45`, `path:42:7`, `path#L42`, `path (line 42)`, `path, lines 42-45`, `[text](path#L4)` and lists
/// of these. `None` if the text does not start with something that looks like a path.
pub(in crate::intake) fn split_place(text: &str) -> Option<FileRef<'_>> {
    let text = text.trim();
    if let Some((label, target)) = link(text) {
        let place = split_place(target)?;
        // `[src/a.ts](/home/x/src/a.ts:3)`: the target says where the label lies on another machine.
        let lies_there =
            place.file.starts_with('/') && place.file.strip_suffix(label).is_some_and(|folder| folder.ends_with('/'));
        return Some(if lies_there && looks_like_path(label) { FileRef { file: label, ..place } } else { place });
    }
    if let Some(path) = permalink(text) {
        return split_place(path);
    }
    // Within backticks a path may have brackets: `src/(shop)/[slug]/page.tsx`.
    let quoted = text.strip_prefix('`').and_then(|inner| inner.split_once('`')).map(|(inner, _)| inner);
    let is_quoted = quoted.is_some_and(|inner| inner.contains('/') && !inner.contains([' ', '=', ';', '"', '\'']));
    let text = text.trim_start_matches(['`', '[', '(', '"', '\'', '*', '<']);
    let file_end = text
        .char_indices()
        .find(|(at, c)| {
            c.is_whitespace()
                || matches!(c, '`' | '"' | '\'' | ',' | ';' | '#' | '*' | '<' | '>' | '|' | '，' | '：' | '。')
                || !is_quoted && matches!(c, ']' | ')' | '(' | '[') && !is_of_segment(text, *at)
                || *c == ':' && !is_drive(text, *at)
        })
        .map_or(text.len(), |(at, _)| at);
    let (file, rest) = text.split_at(file_end);
    let file = file.trim_end_matches(['.', ':']);
    if !places::is_surely_a_file(file)
        && let Some(place) = in_project(file, rest)
    {
        return Some(place);
    }
    if !looks_like_path(file) {
        return None;
    }
    let (lines, rest) = leading_lines(rest);
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || ",;`])}*\"'(".contains(c));
    Some(FileRef { file, lines, rest: (!rest.is_empty()).then_some(rest) })
}

/// Reads `project:src/a.ts` and `group.name:module:src/a.ts`: a path after the name of its project.
fn in_project<'t>(name: &str, rest: &'t str) -> Option<FileRef<'t>> {
    let names = &rest[..rest.find('/')?];
    let (names, _) = names.split_at(names.rfind(':')? + 1);
    let path = &rest[names.len()..];
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@');
    let are_names = names.starts_with(':') && names.chars().all(|c| is_name(c) || c == ':');
    let is_named = !name.is_empty() && name.chars().all(is_name) && are_names && !path.starts_with('/');
    is_named.then(|| split_place(path)).flatten().filter(|place| path.starts_with(place.file))
}

/// Tells whether a bracket is one of two around a whole segment of a path: `app/[id]/page.tsx`, `app/(shop)/[slug].tsx`.
fn is_of_segment(text: &str, at: usize) -> bool {
    let Some(open) = text[..=at].rfind(['[', '(']).filter(|open| text[..*open].ends_with('/')) else { return false };
    let close = if text[open..].starts_with('[') { ']' } else { ')' };
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let behind = text[open + 1..].trim_start_matches(is_inside);
    let end = text.len() - behind.len();
    let is_closed = behind.strip_prefix(close).is_some_and(|behind| {
        let mut next = behind.chars();
        match next.next() {
            Some('/') => true,
            Some('.') => next.next().is_some_and(char::is_alphabetic),
            _ => false,
        }
    });
    is_closed && (at == open || at == end)
}

fn is_drive(text: &str, colon: usize) -> bool {
    colon == 1
        && text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && matches!(text.as_bytes().get(2), Some(b'/' | b'\\'))
}

/// Takes a link of Markdown apart into its label and its target.
fn link(text: &str) -> Option<(&str, &str)> {
    let (label, target) = text.strip_prefix('[')?.split_once("](")?;
    let (target, _) = target.split_once(')')?;
    Some((label.trim_matches('`'), target))
}

/// Returns the path in the address of a file at a commit: `https://host/owner/name/blob/COMMIT/src/a.ts#L3`.
fn permalink(text: &str) -> Option<&str> {
    let address = text.strip_prefix("https://").or(text.strip_prefix("http://"))?;
    let end = address.find(char::is_whitespace).unwrap_or(address.len());
    let (_, behind) = address[..end].split_once("/blob/")?;
    let (_, path) = behind.split_once('/')?;
    let start = path.as_ptr() as usize - text.as_ptr() as usize;
    text.get(start..)
}

/// Tells whether a text without blanks could be the path of a file: it has a folder or an ending.
pub(in crate::intake) fn looks_like_path(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let has_ending = ending.is_some_and(|ending| {
        (1..=12).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
            && !ending.bytes().all(|b| b.is_ascii_digit())
    });
    let has_folder = text.contains(['/', '\\']) && !text.starts_with("//") && !text.contains("://");
    let is_known = ["Dockerfile", "Makefile", "Gemfile", "Rakefile", "LICENSE", "Procfile", "Justfile", "CODEOWNERS"]
        .contains(&name);
    !text.is_empty()
        && !text.chars().any(char::is_whitespace)
        && !text.contains("](")
        && (has_ending || has_folder || is_known)
}

/// Takes line numbers off the front: `:42`, `:42-45`, `#L42-L45`, ` (line 42)`, ` lines 42–45`, `, line 7`, `:~97`.
fn leading_lines(rest: &str) -> (Option<&str>, &str) {
    let trimmed = rest.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, ':' | '#' | '(' | ',' | '`' | '~' | '@' | '[' | ']' | '*' | '≈' | '，' | '（')
    });
    // `a.ts(12,5)`, as compilers have it, and nothing else in brackets.
    let is_pair = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).is_some_and(|(inside, _)| {
        inside.starts_with(|c: char| c.is_ascii_digit()) && inside.bytes().all(|b| b.is_ascii_digit() || b == b',')
    });
    // `a.ts (~12)`: about there.
    let is_about =
        rest.trim_start_matches([' ', '`']).strip_prefix('(').is_some_and(|rest| rest.starts_with(['~', '≈']));
    let is_direct = rest.starts_with([':', '#']) || is_pair || is_about;
    let found = named_lines(trimmed).or_else(|| is_direct.then(|| numbers(trimmed))?);
    let Some((lines, after)) = found else { return (None, rest) };
    if is_pair {
        return (Some(lines), after.split_once(')').map_or(after, |(_, after)| after));
    }
    // `file:12:5`: the column says nothing that the line does not.
    let after = match after.strip_prefix(':') {
        Some(column) if column.starts_with(|c: char| c.is_ascii_digit()) => {
            column.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        _ => after,
    };
    (Some(lines), after)
}

/// Takes line numbers with their word off the front: `line 42`, `L42-L45`, `Zeilen 3–5`, `lines 71 to 90`, `第 12 行`.
pub(in crate::intake) fn named_lines(text: &str) -> Option<(&str, &str)> {
    let word =
        List::LineWords.iter().find(|word| text.get(..word.len()).is_some_and(|start| start.to_lowercase() == *word));
    let after_word = match word {
        Some(word) => text[word.len()..].trim_start_matches([' ', ':', '~', '#', '\u{a0}']),
        // `L33`, and nothing shorter or in lower case: that is any word.
        None if text.starts_with('L') && text[1..].starts_with(|c: char| c.is_ascii_digit()) => text,
        None => return None,
    };
    numbers(after_word)
}

fn numbers(text: &str) -> Option<(&str, &str)> {
    let digits = text.trim_start_matches(['L', 'l', '~']);
    let length = digits
        .char_indices()
        .find(|(_, c)| !(c.is_ascii_digit() || matches!(c, '-' | '–' | '—' | 'L' | '~' | '‑')))
        .map_or(digits.len(), |(at, _)| at);
    let lines = digits[..length].trim_end_matches(|c: char| !c.is_ascii_digit());
    lines.starts_with(|c: char| c.is_ascii_digit()).then(|| (lines, &digits[lines.len()..]))
}

/// The result of reading a text as lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::intake) enum Lines {
    /// Exactly this range, literally.
    Exact(LineRange),
    /// This range, out of more text.
    Read(LineRange),
    /// Says that there is no line, or cannot be one.
    None,
}

/// Reads lines: `42`, `42-45`, `L42`, `lines 42–45`, `~42`, `12, 30-33` (the first of them).
pub(in crate::intake) fn lines(text: &str) -> Lines {
    if let Ok(range) = LineRange::parse(text) {
        return Lines::Exact(range);
    }
    let start = match text.find(|c: char| c.is_ascii_digit()) {
        Some(start) if !text[..start].ends_with('-') => start,
        _ => return Lines::None,
    };
    // Anything but a word for lines before the number makes it the number of something else.
    let before = text[..start].trim().trim_end_matches(['#', ':', '~', '.', '(', '[', '≈']).trim().to_lowercase();
    let says_lines =
        ["", "l", "approx", "around", "about", "near", "ll"].contains(&before.as_str()) || List::LineWords.has(&before);
    if !says_lines {
        return Lines::None;
    }
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let rest = &text[start..];
    let first_length = digits(rest);
    let Some(first) = rest[..first_length].parse::<i64>().ok().and_then(|number| Line::new(number).ok()) else {
        return Lines::None;
    };
    let after = rest[first_length..].trim_start();
    let second =
        after.strip_prefix(['-', '–', '—', '‑']).map(|after| after.trim_start().trim_start_matches(['L', 'l', '~']));
    let last = second
        .and_then(|second| second[..digits(second)].parse::<i64>().ok())
        .and_then(|number| Line::new(number).ok());
    let range = last.and_then(|last| LineRange::new(first, last).ok()).unwrap_or(LineRange::single(first));
    Lines::Read(range)
}

/// The result of reading a text as the path of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::intake) enum File {
    /// Exactly this path.
    Exact(RepoPath),
    /// This path, in its shortest form.
    Normalised(RepoPath),
    /// A path of another machine, which names no file of the repository.
    Absolute,
    /// Leaves the repository, or is none that could be.
    Illegal(PathError),
}

/// Reads a path.
pub(in crate::intake) fn file(text: &str) -> File {
    let error = match RepoPath::new(text) {
        Ok(path) => return File::Exact(path),
        Err(error) => error,
    };
    if error == PathError::Absolute && text.starts_with('/') && !text.starts_with("//") {
        return if RepoPath::is_elsewhere(text) { File::Absolute } else { File::Illegal(PathError::Escapes) };
    }
    if !matches!(error, PathError::NotNormal | PathError::Backslash) {
        return File::Illegal(error);
    }
    let segments: Vec<&str> =
        text.split(['/', '\\']).filter(|segment| !segment.is_empty() && *segment != ".").collect();
    match RepoPath::new(&segments.join("/")) {
        Ok(path) => File::Normalised(path),
        Err(error) => File::Illegal(error),
    }
}
