//! Hunks in; the lines that they touch out. Pure.

use std::ops::Range;

use crate::model::{Line, LineRange};
pub(super) use crate::syntax::hunks::{Hunk, compare, split};

/// Returns a range of indices as lines; `None` if it is empty.
pub(super) fn lines(indices: &Range<usize>) -> Option<LineRange> {
    let line = |number: usize| Line::new(i64::try_from(number).unwrap_or(i64::MAX)).ok();
    LineRange::new(line(indices.start + 1)?, line(indices.end)?).ok()
}

/// Returns the lines that closed ranks where lines were taken away: those on both sides of an empty range. Code
/// there may be a defect only since, for example an emptied handler.
pub(super) fn around(removed: &Range<usize>, count: usize) -> Option<LineRange> {
    let neighbours = removed.start.saturating_sub(1)..(removed.start + 1).min(count);
    removed.is_empty().then(|| lines(&neighbours)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_close_ranks_are_touched() {
        let shown = |at: usize, count| around(&(at..at), count).map(|lines| lines.to_string());
        assert_eq!(shown(2, 5).as_deref(), Some("2-3"));
        assert_eq!(shown(0, 5).as_deref(), Some("1"));
        assert_eq!(shown(5, 5).as_deref(), Some("5"));
        assert_eq!(shown(0, 0), None);
        assert_eq!(around(&(1..2), 5), None);
    }

    fn touched(before: &str, after: &str) -> Vec<(String, String)> {
        let hunks = compare(&split(before.as_bytes()), &split(after.as_bytes()));
        let show = |range: &Range<usize>| lines(range).map_or_else(String::new, |lines| lines.to_string());
        hunks.iter().map(|hunk| (show(&hunk.before), show(&hunk.after))).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn hunks_name_both_sides() {
        assert_eq!(touched("a\nb\nc\n", "a\nx\nc\n"), pairs(&[("2", "2")]));
        assert_eq!(touched("a\nb\nc\n", "a\nc\n"), pairs(&[("2", "")]));
        assert_eq!(touched("a\nc\n", "a\nb\nb\nc\n"), pairs(&[("", "2-3")]));
        assert_eq!(touched("", "a\nb\n"), pairs(&[("", "1-2")]));
        assert_eq!(touched("a", "a\n"), pairs(&[("1", "1")]));
        assert_eq!(touched("a\r\n", "a\n"), pairs(&[("1", "1")]));
        assert_eq!(touched("a\n", "a\n"), pairs(&[]));
    }
}
