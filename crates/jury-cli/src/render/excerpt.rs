//! The one line of a document that a deviation is about, fit to be shown.
//!
//! In: the bytes of a document, which need not be UTF-8, and a span. Out: the line, inert, cut to a window if it is long,
//! and which part of it to mark. The cost does not grow with the document or the line.

use std::ops::Range;

use jury::syntax::Span;

use super::inert;

/// The longest line that is shown whole, in characters as they are shown.
const LONGEST: usize = 160;
/// How much is shown of a longer one.
const WINDOW: usize = 100;
/// The part of it for the text before the mark.
const BEFORE: usize = WINDOW / 3;
/// How many bytes are looked at on each side: no character takes more than four.
const REACH: usize = 4 * (LONGEST + 1);
/// Stands where something was cut off.
const CUT: &str = "…";

/// A line as it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The line, or a window of it.
    pub(crate) text: String,
    /// The bytes of `text` to mark.
    pub(crate) marked: Range<usize>,
}

/// One character as it is shown.
struct Cell {
    shown: String,
    is_marked: bool,
}

/// The cells on one side of the start of the mark, and whether the line goes on beyond them.
struct Side {
    cells: Vec<Cell>,
    is_cut: bool,
}

impl Excerpt {
    /// Takes the line on which the span starts, and marks as much of the span as lies on it.
    pub(crate) fn of(bytes: &[u8], span: Span) -> Self {
        let start = span.start.min(bytes.len());
        let (mut before, mut after) = (before(bytes, start), after(bytes, start, span.end));
        let is_long = before.is_cut || after.is_cut || before.width() + after.width() > LONGEST;
        if is_long {
            let right = WINDOW - before.width().min(BEFORE);
            let left = WINDOW - after.width().min(right);
            before.keep_last(left);
            after.keep_first(right);
        }
        Self::joined(&before, &after)
    }

    fn joined(before: &Side, after: &Side) -> Self {
        let mut text = String::new();
        text.push_str(if before.is_cut { CUT } else { "" });
        text.extend(before.cells.iter().map(|cell| cell.shown.as_str()));
        let start = text.len();
        text.extend(after.cells.iter().filter(|cell| cell.is_marked).map(|cell| cell.shown.as_str()));
        let marked = start..text.len();
        text.extend(after.cells.iter().filter(|cell| !cell.is_marked).map(|cell| cell.shown.as_str()));
        text.push_str(if after.is_cut { CUT } else { "" });
        Self { text, marked }
    }
}

impl Cell {
    fn width(&self) -> usize {
        self.shown.chars().count()
    }
}

impl Side {
    fn width(&self) -> usize {
        self.cells.iter().map(Cell::width).sum()
    }

    fn keep_first(&mut self, width: usize) {
        let kept = fitting(self.cells.iter(), width);
        self.is_cut |= kept < self.cells.len();
        self.cells.truncate(kept);
    }

    fn keep_last(&mut self, width: usize) {
        let kept = fitting(self.cells.iter().rev(), width);
        self.is_cut |= kept < self.cells.len();
        self.cells.drain(..self.cells.len() - kept);
    }
}

/// Counts the cells that fit into a width.
fn fitting<'c>(cells: impl Iterator<Item = &'c Cell>, width: usize) -> usize {
    let used = cells.scan(0, |used, cell| {
        *used += cell.width();
        Some(*used)
    });
    used.take_while(|used| *used <= width).count()
}

fn continues_character(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

fn before(bytes: &[u8], start: usize) -> Side {
    let reach = &bytes[start.saturating_sub(REACH)..start];
    let (line, is_cut) = match reach.iter().rposition(|byte| *byte == b'\n') {
        Some(line_feed) => (&reach[line_feed + 1..], false),
        None if reach.len() == start => (reach, false),
        // The reach may begin inside a character.
        None => (&reach[reach.iter().take(3).take_while(|byte| continues_character(**byte)).count()..], true),
    };
    let line = if bytes.get(start) == Some(&b'\n') { without_return(line) } else { line };
    Side { cells: cells(line, 0), is_cut }
}

fn after(bytes: &[u8], start: usize, marked_until: usize) -> Side {
    let rest = &bytes[start..];
    let reach = &rest[..rest.len().min(REACH)];
    let (line, is_cut) = match reach.iter().position(|byte| *byte == b'\n') {
        Some(line_feed) => (without_return(&reach[..line_feed]), false),
        None if reach.len() == rest.len() => (without_return(reach), false),
        None => {
            let broken =
                rest[..=reach.len()].iter().rev().take(4).take_while(|byte| continues_character(**byte)).count();
            (&reach[..reach.len() - broken], true)
        }
    };
    Side { cells: cells(line, marked_until.saturating_sub(start)), is_cut }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Takes a line apart, of which so many bytes are marked.
fn cells(line: &[u8], marked: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut offset = 0;
    let mut push = |shown: String, length: usize| {
        cells.push(Cell { shown, is_marked: offset < marked });
        offset += length;
    };
    for chunk in line.utf8_chunks() {
        chunk.valid().chars().for_each(|c| push(inert::character(c), c.len_utf8()));
        chunk.invalid().iter().for_each(|byte| push(inert::byte(*byte), 1));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows an excerpt with the mark in brackets.
    fn excerpt(bytes: impl AsRef<[u8]>, start: usize, end: usize) -> String {
        let Excerpt { mut text, marked } = Excerpt::of(bytes.as_ref(), Span::new(start, end));
        text.insert(marked.end, ']');
        text.insert(marked.start, '[');
        text
    }

    #[test]
    fn the_line_of_the_start_is_shown() {
        assert_eq!(excerpt("ab\ncd\nef", 4, 5), "c[d]");
        assert_eq!(excerpt("ab\ncd\nef", 4, 8), "c[d]");
        assert_eq!(excerpt("ab\r\ncd\r\n", 1, 9), "a[b]");
        assert_eq!(excerpt("ab\r\n", 3, 3), "ab[]");
        assert_eq!(excerpt("ab", 9, 12), "ab[]");
        assert_eq!(excerpt("ab\n", 3, 3), "[]");
        assert_eq!(excerpt("", 0, 0), "[]");
    }

    #[test]
    fn what_acts_is_written_out_and_the_mark_moves_along() {
        assert_eq!(excerpt("\ta\u{1b}b", 2, 3), "    a[\\u{1b}]b");
        assert_eq!(excerpt("\u{202e}ä", 3, 5), "\\u{202e}[ä]");
        assert_eq!(excerpt(b"a\xff\xfeb", 1, 2), "a[\\xff]\\xfeb");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let long = "ä".repeat(1000);
        let middle = excerpt(&long, 1000, 1004);
        assert_eq!(middle, format!("…{}[ää]{}…", "ä".repeat(BEFORE), "ä".repeat(WINDOW - BEFORE - 2)));
        assert_eq!(excerpt(&long, 0, 2), format!("[ä]{}…", "ä".repeat(WINDOW - 1)));
        assert_eq!(excerpt(&long, 1998, 2000), format!("…{}[ä]", "ä".repeat(WINDOW - 1)));
        assert_eq!(excerpt(&long, 0, 2000), format!("[{}]…", "ä".repeat(WINDOW)));
    }

    #[test]
    fn lines_up_to_the_longest_are_shown_whole() {
        let line = "x".repeat(LONGEST);
        assert_eq!(excerpt(&line, 0, 1).len(), LONGEST + 2);
        assert!(excerpt(line + "x", 0, 1).ends_with(CUT));
    }

    #[test]
    fn any_bytes_at_any_place_give_an_excerpt() {
        let bytes: Vec<u8> = (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for start in 0..=bytes.len() {
            let Excerpt { text, marked } = Excerpt::of(&bytes, Span::new(start, start + start % 700));
            assert!(text.get(marked).is_some());
            assert!(text.chars().count() <= LONGEST);
        }
    }
}
