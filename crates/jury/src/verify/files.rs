//! Two trees in; which file is which, and where each line went, out. A file that kept its path is itself; one that is gone is
//! looked for among those that are new.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Texts;
use crate::model::RepoPath;
use crate::syntax::hunks::{self, Hunk};

/// How many of its lines, in percent, a file shares with the one it was renamed from.
pub(super) const RENAMED: usize = 50;

/// Where a line went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Went {
    /// It is this line, unchanged.
    To(usize),
    /// Other lines stand in its place: these, from 1 and with an open end, none if it was taken away.
    Replaced(Range<usize>),
}

/// A file then and now.
pub(super) struct File {
    pub(super) now: RepoPath,
    /// Whether that is another path than before.
    pub(super) is_moved: bool,
    hunks: Vec<Hunk>,
}

impl File {
    fn new(then: &RepoPath, now: &RepoPath, then_text: &str, now_text: &str) -> Self {
        let (before, after) = (hunks::split(then_text.as_bytes()), hunks::split(now_text.as_bytes()));
        Self { now: now.clone(), is_moved: then != now, hunks: hunks::compare(&before, &after) }
    }

    /// Tells where a line went, counted from 1.
    pub(super) fn went(&self, line: usize) -> Went {
        match hunks::after(&self.hunks, line.saturating_sub(1)) {
            Ok(index) => Went::To(index + 1),
            Err(hunk) => Went::Replaced(hunk.after.start + 1..hunk.after.end + 1),
        }
    }

    /// Returns about where a line went.
    pub(super) fn about(&self, line: usize) -> usize {
        match self.went(line) {
            Went::To(line) => line,
            Went::Replaced(range) => range.start,
        }
    }

    /// Tells whether nothing differs.
    pub(super) fn is_same(&self) -> bool {
        self.hunks.is_empty()
    }

    /// Returns the places that differ.
    pub(super) fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }
}

/// Finds each file again: by its path, else among the new ones by its lines.
pub(super) fn files(then: &Texts, now: &Texts) -> BTreeMap<RepoPath, File> {
    let mut files = BTreeMap::new();
    for (path, text) in then {
        if let Some(now_text) = now.get(path) {
            files.insert(path.clone(), File::new(path, path, text, now_text));
        }
    }
    let gone: Vec<(&RepoPath, &String)> = then.iter().filter(|(path, _)| !now.contains_key(*path)).collect();
    let new: Vec<(&RepoPath, &String)> = now.iter().filter(|(path, _)| !then.contains_key(*path)).collect();
    let counted: Vec<_> = new.iter().map(|(_, text)| lines(text)).collect();
    let mut pairs = Vec::new();
    for (gone_at, (_, text)) in gone.iter().enumerate() {
        let had = lines(text);
        for (new_at, has) in counted.iter().enumerate() {
            let likeness = likeness(&had, has);
            if likeness >= RENAMED {
                pairs.push((100 - likeness, gone_at, new_at));
            }
        }
    }
    pairs.sort_unstable();
    let (mut is_found, mut is_taken) = (vec![false; gone.len()], vec![false; new.len()]);
    for (_, gone_at, new_at) in pairs {
        if !is_found[gone_at] && !is_taken[new_at] {
            (is_found[gone_at], is_taken[new_at]) = (true, true);
            let ((path, text), (now_path, now_text)) = (gone[gone_at], new[new_at]);
            files.insert(path.clone(), File::new(path, now_path, text, now_text));
        }
    }
    files
}

/// Counts the lines of a text that say something.
pub(super) fn lines(text: &str) -> BTreeMap<&str, usize> {
    let mut counted = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| line.len() > 1) {
        *counted.entry(line).or_default() += 1;
    }
    counted
}

pub(super) fn likeness(one: &BTreeMap<&str, usize>, two: &BTreeMap<&str, usize>) -> usize {
    let shared: usize = one.iter().map(|(line, count)| *count.min(two.get(line).unwrap_or(&0))).sum();
    let longer = one.values().sum::<usize>().max(two.values().sum());
    (shared * 100).checked_div(longer).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(files: &[(&str, &str)]) -> Texts {
        files.iter().map(|(path, text)| (RepoPath::new(path).unwrap(), (*text).to_owned())).collect()
    }

    #[test]
    fn lines_are_followed_through_hunks() {
        let path = RepoPath::new("a").unwrap();
        let file = File::new(&path, &path, "a\nb\nc\nd\ne\n", "new\na\nB\nBB\nc\ne\n");
        let went: Vec<Went> = (1..=5).map(|line| file.went(line)).collect();
        assert_eq!(went, [Went::To(2), Went::Replaced(3..5), Went::To(5), Went::Replaced(6..6), Went::To(6)]);
    }

    #[test]
    fn a_file_is_found_by_its_path_or_by_its_lines() {
        let then = texts(&[("kept", "one\ntwo\n"), ("old", "three\nfour\nfive\n"), ("gone", "six\n")]);
        let now = texts(&[("kept", "else\n"), ("new", "three\nfour\nother\n"), ("copy", "one\ntwo\n")]);
        let found = files(&then, &now);
        let to = |path: &str| found.get(&RepoPath::new(path).unwrap()).map(|file| file.now.to_string());
        assert_eq!(to("kept").as_deref(), Some("kept"));
        assert_eq!(to("old").as_deref(), Some("new"));
        assert_eq!(to("gone"), None);
    }
}
