//! The packages that a record says came, went or moved.

use super::{Record, Run};
use crate::model::{PackageChange, PackageChanges};

impl Record {
    /// Returns the packages that the change moves, as the reviewers of its lockfiles list them.
    pub fn packages(&self) -> (Vec<&PackageChange>, u64) {
        let answers = || self.runs.iter().filter_map(Run::answer);
        let listed = answers().flat_map(|answer| &answer.packages.listed).collect();
        (listed, answers().map(|answer| answer.packages.more).sum())
    }

    /// Says them, one line each, and how many more there are.
    pub fn package_lines(&self, most: usize) -> Vec<String> {
        let (listed, uncounted) = self.packages();
        let more = listed.len().saturating_sub(most) as u64 + uncounted;
        let mut lines: Vec<String> = listed.iter().take(most).map(|package| package.line()).collect();
        lines.extend((more > 0).then(|| format!("and {more} more")));
        lines
    }
}

impl PackageChanges {
    /// Changes every text in it.
    pub(super) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.listed.iter_mut().flat_map(|PackageChange { lockfile: _, name, gone, came, source }| {
            [name].into_iter().chain(gone).chain(came).chain(source)
        })
    }
}
