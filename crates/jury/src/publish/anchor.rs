//! The lines of a finding and the hunks of the change in; where a comment can hang out: on lines that the forge shows, else on the file,
//! else nowhere.
//!
//! Forges refuse a comment outside the hunks, and some refuse the whole review with it. The hunks are our own, of the very commit.

use std::ops::Range;

use crate::syntax::hunks::{self, Hunk};

/// How many lines forges show around a change.
const CONTEXT: usize = 3;

/// A file of the change as a forge shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffFile {
    /// Its path.
    pub path: String,
    /// Its path before the change; `None` if it is new.
    pub old_path: Option<String>,
    hunks: Vec<Hunk>,
    /// The windows of shown lines, after the change, in indices.
    windows: Vec<Window>,
}

/// Lines that are shown in one piece, in indices after the change.
pub type Window = Range<usize>;

/// A line that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Its number after the change.
    pub new: u32,
    /// Its number before it, if the change left it as it was.
    pub old: Option<u32>,
}

/// Where a comment can hang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// On lines, the first and the last.
    Lines {
        /// The file.
        path: String,
        /// Its path before the change.
        old_path: Option<String>,
        /// The first line.
        start: Spot,
        /// The last line.
        end: Spot,
    },
    /// On the file as a whole.
    File {
        /// The file.
        path: String,
        /// Its path before the change.
        old_path: Option<String>,
    },
    /// Only in the summary.
    Nowhere,
}

impl Anchor {
    /// Returns the file and the last line, as far as there are any.
    pub fn place(&self) -> Option<(&str, Option<u32>)> {
        match self {
            Self::Lines { path, end, .. } => Some((path, Some(end.new))),
            Self::File { path, .. } => Some((path, None)),
            Self::Nowhere => None,
        }
    }
}

impl DiffFile {
    /// Makes out the hunks of a file. One without text on either side has none.
    pub fn new(path: &str, old_path: Option<&str>, before: Option<&[u8]>, after: Option<&[u8]>) -> Self {
        let (before, after) = (hunks::split(before.unwrap_or_default()), hunks::split(after.unwrap_or_default()));
        let found = hunks::compare(&before, &after);
        let mut windows: Vec<Window> = Vec::new();
        for hunk in &found {
            let window = hunk.after.start.saturating_sub(CONTEXT)..(hunk.after.end + CONTEXT).min(after.len());
            match windows.last_mut() {
                Some(last) if window.start <= last.end => last.end = window.end,
                _ => windows.push(window),
            }
        }
        Self { path: path.to_owned(), old_path: old_path.map(str::to_owned), hunks: found, windows }
    }

    /// Returns a line by its index after the change.
    fn spot(&self, index: usize) -> Spot {
        let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
        let next = self.hunks.partition_point(|hunk| hunk.after.end <= index);
        let is_new = self.hunks.get(next).is_some_and(|hunk| hunk.after.contains(&index));
        let last = next.checked_sub(1).map(|last| &self.hunks[last]);
        let old = last.map_or(index, |hunk| index - hunk.after.end + hunk.before.end);
        Spot { new: number(index), old: (!is_new).then(|| number(old)) }
    }

    fn lines(&self, first: u32, last: u32) -> Option<(Spot, Spot)> {
        let wanted = (first.max(1) as usize - 1)..(last.max(first).max(1) as usize);
        let shared = |window: &Window| {
            let shared = window.start.max(wanted.start)..window.end.min(wanted.end);
            (shared.start < shared.end).then_some(shared)
        };
        let shared = self.windows.iter().find_map(shared)?;
        Some((self.spot(shared.start), self.spot(shared.end - 1)))
    }
}

/// Returns where a comment about lines of a file can hang.
pub fn anchor(files: &[DiffFile], path: &str, lines: Option<(u32, u32)>) -> Anchor {
    let Ok(at) = files.binary_search_by(|file| file.path.as_str().cmp(path)) else { return Anchor::Nowhere };
    let file = &files[at];
    let (path, old_path) = (file.path.clone(), file.old_path.clone());
    match lines.and_then(|(first, last)| file.lines(first, last)) {
        Some((start, end)) => Anchor::Lines { path, old_path, start, end },
        None => Anchor::File { path, old_path },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(lines: impl IntoIterator<Item = u32>) -> Vec<u8> {
        lines.into_iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
    }

    #[test]
    fn lines_hang_in_the_hunk_that_shows_them() {
        let before = numbered(1..=40);
        let after = numbered((1..=9).chain([100, 101]).chain(11..=30).chain(36..=40));
        let file = DiffFile::new("a", Some("a"), Some(&before), Some(&after));
        let at = |first, last| match anchor(std::slice::from_ref(&file), "a", Some((first, last))) {
            Anchor::Lines { start, end, .. } => Some(((start.new, start.old), (end.new, end.old))),
            _ => None,
        };
        assert_eq!(at(10, 11), Some(((10, None), (11, None))));
        assert_eq!(at(7, 7), Some(((7, Some(7)), (7, Some(7)))));
        assert_eq!(at(14, 14), Some(((14, Some(13)), (14, Some(13)))));
        assert_eq!(at(15, 15), None, "outside of every hunk");
        assert_eq!(at(1, 10), Some(((7, Some(7)), (10, None))), "cut to what is shown");
        assert_eq!(at(11, 31), Some(((11, None), (14, Some(13)))), "never across two hunks");
        assert_eq!(at(32, 32), Some(((32, Some(36)), (32, Some(36)))));
        assert_eq!(at(0, 0), None);
        assert_eq!(at(900, 7), None);
    }

    #[test]
    fn without_lines_it_is_the_file_and_without_the_file_nowhere() {
        let files = [DiffFile::new("a", None, None, Some(b"x\n")), DiffFile::new("logo.png", None, None, None)];
        let file = |path: &str| Anchor::File { path: path.to_owned(), old_path: None };
        assert_eq!(anchor(&files, "a", None), file("a"));
        assert_eq!(anchor(&files, "logo.png", Some((1, 1))), file("logo.png"));
        assert_eq!(anchor(&files, "b", Some((1, 1))), Anchor::Nowhere);
        assert!(matches!(anchor(&files, "a", Some((1, 1))), Anchor::Lines { start: Spot { new: 1, old: None }, .. }));
    }
}
