//! A changed file as text. In: a file of the scope. Out: its text before and after, and the lines that the change adds and removes.

use std::borrow::Cow;

use crate::model::{ChangedFile, FileChange, LineRange, RepoPath, Scope, Side};

/// A changed file as text, with the lines that the change adds and removes.
pub(super) struct Texts<'s> {
    file: &'s ChangedFile,
    before: Cow<'s, str>,
    after: Cow<'s, str>,
    added: &'s [LineRange],
    removed: &'s [LineRange],
}

/// The same, borrowed, for the parts of this reviewer.
pub(super) struct Altered<'t> {
    /// The path after the change; of a file that is gone, before it.
    pub(super) path: &'t RepoPath,
    /// The path before it.
    pub(super) path_before: &'t RepoPath,
    /// Whether the file is gone.
    pub(super) is_gone: bool,
    pub(super) before: &'t str,
    pub(super) after: &'t str,
    added: &'t [LineRange],
    removed: &'t [LineRange],
}

impl<'s> Texts<'s> {
    pub(super) fn of(scope: &'s Scope, file: &'s ChangedFile) -> Self {
        let text = |bytes: &'s Option<std::sync::Arc<[u8]>>| bytes.as_deref().map(String::from_utf8_lossy);
        Self {
            file,
            before: text(&file.before).unwrap_or_default(),
            after: text(&file.after).unwrap_or_default(),
            added: scope.change.lines(&file.path, Side::Right),
            removed: scope.change.lines(&file.path, Side::Left),
        }
    }

    pub(super) fn altered(&self) -> Altered<'_> {
        let path_before = match &self.file.change {
            FileChange::Renamed { from } => from,
            _ => &self.file.path,
        };
        Altered {
            path: &self.file.path,
            path_before,
            is_gone: self.file.change == FileChange::Deleted,
            before: &self.before,
            after: &self.after,
            added: self.added,
            removed: self.removed,
        }
    }
}

impl<'t> Altered<'t> {
    /// Returns the lines that the change adds or alters, with their numbers.
    pub(super) fn added(&self) -> impl Iterator<Item = (u32, &'t str)> {
        lines_of(self.after, self.added)
    }

    /// Returns the lines that it removes or alters, with the numbers they had.
    pub(super) fn removed(&self) -> impl Iterator<Item = (u32, &'t str)> {
        lines_of(self.before, self.removed)
    }

    /// Tells whether the change adds or alters a line.
    pub(super) fn is_added(&self, line: u32) -> bool {
        has(self.added, line)
    }

    /// Tells whether the change removes or alters a line.
    pub(super) fn is_removed(&self, line: u32) -> bool {
        has(self.removed, line)
    }
}

fn has(ranges: &[LineRange], line: u32) -> bool {
    let next = ranges.partition_point(|range| range.end().get() < line);
    ranges.get(next).is_some_and(|range| range.start().get() <= line)
}

fn lines_of<'t>(text: &'t str, ranges: &'t [LineRange]) -> impl Iterator<Item = (u32, &'t str)> {
    (1..).zip(text.lines()).filter(|(line, _)| has(ranges, *line))
}
