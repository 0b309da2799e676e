//! Which lines a change touches, on both sides. In: files and ranges. Out: whether a place is touched.
//! Deliberately not here: how a diff is read (`syntax::diff`).

use std::collections::BTreeMap;

use super::{Line, LineRange, Location, RepoPath, Side};

/// The lines that a change touches, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    files: BTreeMap<RepoPath, Touched>,
}

/// The touched lines of one file, ascending and apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Touched {
    before: Vec<LineRange>,
    after: Vec<LineRange>,
}

impl Change {
    /// Adds a file without naming lines, such as one that was only renamed.
    pub fn add_file(&mut self, file: RepoPath) {
        self.files.entry(file).or_default();
    }

    /// Adds lines of a file.
    pub fn add_lines(&mut self, file: RepoPath, side: Side, lines: LineRange) {
        let touched = self.files.entry(file).or_default();
        let ranges = match side {
            Side::Left => &mut touched.before,
            Side::Right => &mut touched.after,
        };
        // A diff names its lines in order, so this is almost always the end.
        let at = ranges.partition_point(|range| range.start() <= lines.start());
        ranges.insert(at, lines);
        if at > 0 || ranges.len() > 1 {
            join_overlapping(ranges, at.saturating_sub(1));
        }
    }

    /// Returns the touched lines of a file on one side, ascending and apart from each other.
    pub fn lines(&self, file: &RepoPath, side: Side) -> &[LineRange] {
        self.files.get(file).map_or(&[], |touched| match side {
            Side::Left => &touched.before,
            Side::Right => &touched.after,
        })
    }

    /// Tells whether the change names the file.
    pub fn has_file(&self, file: &RepoPath) -> bool {
        self.files.contains_key(file)
    }

    /// Tells whether the change touches any of the lines that a location names, or its file if it names none.
    pub fn touches(&self, location: &Location) -> bool {
        match location.lines {
            Some(lines) => self.touches_lines(&location.file, location.side, lines),
            None => self.has_file(&location.file),
        }
    }

    /// Tells whether the change touches any line of a range.
    pub fn touches_lines(&self, file: &RepoPath, side: Side, lines: LineRange) -> bool {
        let ranges = self.lines(file, side);
        let next = ranges.partition_point(|range| range.end() < lines.start());
        ranges.get(next).is_some_and(|range| range.start() <= lines.end())
    }

    /// Tells whether the change touches a line as it is after the change.
    pub fn touches_line(&self, file: &RepoPath, line: Line) -> bool {
        self.touches_lines(file, Side::Right, LineRange::single(line))
    }
}

/// Joins the ranges from an index on as far as they overlap, so that the list stays apart and ascending.
fn join_overlapping(ranges: &mut Vec<LineRange>, from: usize) {
    let mut at = from;
    while let (Some(range), Some(next)) = (ranges.get(at).copied(), ranges.get(at + 1).copied()) {
        if next.start() > range.end() {
            if at > from {
                return;
            }
            at += 1;
            continue;
        }
        let joined = LineRange::new(range.start(), range.end().max(next.end()));
        ranges[at] = joined.expect("the later of two ends is not before the earlier start");
        ranges.remove(at + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> RepoPath {
        RepoPath::new("src/a.rs").unwrap()
    }

    fn range(text: &str) -> LineRange {
        LineRange::parse(text).unwrap()
    }

    fn change(ranges: &[&str]) -> Change {
        let mut change = Change::default();
        for text in ranges {
            change.add_lines(file(), Side::Right, range(text));
        }
        change
    }

    #[test]
    fn order_and_overlap_do_not_matter() {
        let whole = change(&["3-9", "12", "20-30"]);
        assert_eq!(change(&["20-25", "12", "5-9", "3-6", "22-30"]), whole);
        assert_eq!(change(&["3-9", "4", "12", "12", "20-30", "21"]), whole);
    }

    #[test]
    fn lines_are_touched_or_not() {
        let change = change(&["3-9", "12"]);
        for (text, touched) in [("1-2", false), ("1-3", true), ("9", true), ("10-11", false), ("10-40", true)] {
            assert_eq!(change.touches(&Location::new(file(), Some(range(text)))), touched, "{text}");
        }
        assert!(change.touches(&Location::new(file(), None)));
        assert!(!change.touches(&Location::new(RepoPath::new("b").unwrap(), None)));
        assert!(!change.touches(&Location { side: Side::Left, ..Location::new(file(), Some(range("3"))) }));
    }
}
