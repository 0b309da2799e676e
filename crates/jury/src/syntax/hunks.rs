//! Two contents in; the hunks in which they differ out. Pure.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// A place where two contents differ, in indices of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The lines that were there before.
    pub before: Range<usize>,
    /// The lines that stand in their place.
    pub after: Range<usize>,
}

/// Returns the index after the change of a line that the hunks leave as it was, or the hunk that alters it.
pub fn after(hunks: &[Hunk], index: usize) -> Result<usize, &Hunk> {
    let next = hunks.partition_point(|hunk| hunk.before.end <= index);
    match hunks.get(next) {
        Some(hunk) if hunk.before.contains(&index) => Err(hunk),
        _ => Ok(next.checked_sub(1).map_or(index, |last| index - hunks[last].before.end + hunks[last].after.end)),
    }
}

/// Splits content into lines, each with its line break. The last line may have none, and then differs from one that has.
pub fn split(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Compares two lists of lines.
pub fn compare(before: &[&[u8]], after: &[&[u8]]) -> Vec<Hunk> {
    let mut input = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| Hunk { before: range(hunk.before), after: range(hunk.after) }).collect()
}
