//! Where a claim points: a file, perhaps lines of it, on one side of the change.

use std::fmt;
use std::num::NonZeroU32;

use super::RepoPath;
use super::closed_set::closed_set;

/// A line number; the first line is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(NonZeroU32);

/// A column in characters; the first is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(NonZeroU32);

/// A range of lines, both ends included, that never ends before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRange {
    start: Line,
    end: Line,
}

/// Why numbers are not a line or a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Lines are counted from 1.
    #[error("line {0} does not exist; lines are counted from 1 to {max}", max = u32::MAX)]
    NoSuchLine(i64),
    /// The range runs backwards.
    #[error("the range ends at line {end}, before its start at line {start}")]
    Backwards {
        /// Where it starts.
        start: Line,
        /// Where it ends.
        end: Line,
    },
    /// The text is neither `42` nor `42-58`.
    #[error("not a line range")]
    Malformed,
}

closed_set! {
    /// The side of the change on which a location lies.
    Side {
        /// Before the change.
        Left = "LEFT",
        /// After the change.
        Right = "RIGHT",
    }
}

/// A place in the repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file.
    pub file: RepoPath,
    /// The lines; `None` means the file as a whole.
    pub lines: Option<LineRange>,
    /// The column in the first line, where it is known.
    pub column: Option<Column>,
    /// The side of the change.
    pub side: Side,
}

impl Line {
    /// The first line of a file.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// Takes a number as a line.
    pub fn new(number: i64) -> Result<Self, LineError> {
        let line = u32::try_from(number).ok().and_then(NonZeroU32::new);
        line.map(Self).ok_or(LineError::NoSuchLine(number))
    }

    /// Returns the number, at least 1.
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl Column {
    /// Takes a number as a column.
    pub fn new(number: i64) -> Option<Self> {
        u32::try_from(number).ok().and_then(NonZeroU32::new).map(Self)
    }

    /// Returns the number, at least 1.
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl LineRange {
    /// Makes a range from its ends.
    pub fn new(start: Line, end: Line) -> Result<Self, LineError> {
        if end < start {
            return Err(LineError::Backwards { start, end });
        }
        Ok(Self { start, end })
    }

    /// Makes the range of one line.
    pub const fn single(line: Line) -> Self {
        Self { start: line, end: line }
    }

    /// Reads 000's `lineRange`: `42` or `42-58`.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        // A leading zero is refused: a second spelling of one place would give it a second id.
        let is_plain =
            |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        let number = |digits: &str| match digits.parse::<i64>() {
            Ok(number) if is_plain(digits) => Line::new(number),
            _ => Err(LineError::Malformed),
        };
        match text.split_once('-') {
            Some((start, end)) => Self::new(number(start)?, number(end)?),
            None => number(text).map(Self::single),
        }
    }

    /// Sorts ranges, and joins those that overlap or touch each other.
    pub fn joined(mut ranges: Vec<Self>) -> Vec<Self> {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        let mut joined: Vec<Self> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match joined.last_mut().filter(|last| range.start.get() <= last.end.get().saturating_add(1)) {
                Some(last) => last.end = last.end.max(range.end),
                None => joined.push(range),
            }
        }
        joined
    }

    /// Tells whether all lines of another range are in this one.
    pub fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the first line.
    pub const fn start(self) -> Line {
        self.start
    }

    /// Returns the last line.
    pub const fn end(self) -> Line {
        self.end
    }

    /// Returns the last line if it is not the first, too.
    pub fn end_if_longer(self) -> Option<Line> {
        (self.end != self.start).then_some(self.end)
    }
}

impl Location {
    /// Makes a location after the change.
    pub fn new(file: RepoPath, lines: Option<LineRange>) -> Self {
        Self { file, lines, column: None, side: Side::Right }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.fmt(f)?;
        if let Some(lines) = self.lines {
            write!(f, ":{lines}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{}", column.get())?;
        }
        if self.side == Side::Left { f.write_str(" (before the change)") } else { Ok(()) }
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end_if_longer() {
            Some(end) => write!(f, "{}-{end}", self.start),
            None => self.start.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_and_write_alike() {
        for text in ["1", "42", "42-58", "4294967295"] {
            assert_eq!(LineRange::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(LineRange::parse("7-7").unwrap().to_string(), "7");
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in [
            "",
            "0",
            "-1",
            "0-5",
            "5-4",
            "1-",
            "-",
            "a",
            "1-2-3",
            "+1",
            " 1",
            "1 - 2",
            "4294967296",
            "1.0",
            "042",
            "4-05",
        ] {
            assert!(LineRange::parse(text).is_err(), "{text:?}");
        }
    }
}
