//! The text of one document and the places in it.

use std::borrow::Cow;
use std::sync::OnceLock;

use jury_wire::Reason;
use memchr::memchr_iter;

use super::{Deviation, Limits, Node};
use crate::model::RepoPath;

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Where it starts.
    pub start: usize,
    /// Where it ends, exclusively.
    pub end: usize,
}

impl Span {
    /// Makes a span from its ends.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Makes the empty span at an offset.
    pub const fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }
}

/// A place for people: line and column from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A document that is UTF-8 and within the limits of size and, unless it starts like a format without lines, of line length.
#[derive(Debug)]
pub struct Source<'a> {
    text: &'a str,
    roots: Option<&'a [&'a str]>,
    /// Each of these is worked out when it is first asked for.
    line_starts: OnceLock<Vec<usize>>,
    json: OnceLock<Result<Node<'a>, Deviation>>,
    names: OnceLock<Vec<Cow<'a, str>>>,
}

impl<'a> Source<'a> {
    /// Sets the folders in which its writer saw the tree, so that absolute paths below them name files of it. Others are those of
    /// another machine, which is no reason to refuse the text.
    pub fn below(self, roots: &'a [&'a str]) -> Self {
        Self { roots: Some(roots), ..self }
    }

    /// Returns the file of the tree that an absolute path names, if the folders of the tree are known and it lies in one.
    pub fn within_roots(&self, absolute: &str) -> Option<RepoPath> {
        self.roots.unwrap_or_default().iter().find_map(|root| RepoPath::below(root, absolute))
    }

    /// Tells whether a path is one of another machine, where the writer of the document may have seen the tree anywhere.
    pub fn is_elsewhere(&self, path: &str) -> bool {
        self.roots.is_some() && RepoPath::is_elsewhere(path) && self.within_roots(path).is_none()
    }

    /// Takes bytes as a document, or says which limit or rule they break.
    pub fn new(bytes: &'a [u8], limits: &Limits) -> Result<Self, Deviation> {
        if bytes.len() > limits.bytes {
            let message = format!("the document has more than {} bytes", limits.bytes);
            return Err(Deviation::new(Reason::LimitBytes, Span::at(0), message));
        }
        let text = str::from_utf8(bytes).map_err(|error| {
            let message = format!("byte {} is not UTF-8", error.valid_up_to() + 1);
            Deviation::new(Reason::NotUtf8, Span::at(error.valid_up_to()), message)
        })?;
        let source =
            Self { text, roots: None, line_starts: OnceLock::new(), json: OnceLock::new(), names: OnceLock::new() };
        // JSON and XML have no lines. Whoever finds out that it is neither asks for the limit then.
        let is_of_lines = !text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[', '"', '<']);
        match source.long_line(limits).filter(|_| is_of_lines) {
            Some(deviation) => Err(deviation),
            None => Ok(source),
        }
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let breaks = memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(breaks.map(|at| at + 1)).collect()
        })
    }

    /// Returns the first line that is longer than the limit.
    pub fn long_line(&self, limits: &Limits) -> Option<Deviation> {
        if self.text.len() <= limits.line_bytes {
            return None;
        }
        let ends = self.line_starts().iter().skip(1).copied().chain([self.text.len()]);
        let (start, _) = self.line_starts().iter().zip(ends).find(|(start, end)| end - *start > limits.line_bytes)?;
        let message = format!("a line has more than {} bytes", limits.line_bytes);
        Some(Deviation::new(Reason::LimitLine, Span::at(*start), message))
    }

    /// Returns the tree of the whole as JSON, which is read when it is first asked for.
    pub(super) fn json(&self, read: impl FnOnce() -> Result<Node<'a>, Deviation>) -> &Result<Node<'a>, Deviation> {
        self.json.get_or_init(read)
    }

    /// Returns the names of the members that the text starts with as JSON, which are read when they are first asked for.
    pub(super) fn names(&self, read: impl FnOnce() -> Vec<Cow<'a, str>>) -> &[Cow<'a, str>] {
        self.names.get_or_init(read)
    }

    /// Returns the text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the part of the text that a span covers.
    pub fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the span of the whole text.
    pub fn whole(&self) -> Span {
        Span::new(0, self.text.len())
    }

    /// Returns the line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let starts = self.line_starts();
        position(self.text.as_bytes(), starts.partition_point(|start| *start <= offset), starts, offset)
    }

    /// Returns the lines without their line ends (`\n` or `\r\n`), each with its span.
    pub fn lines(&self) -> impl Iterator<Item = (Span, &'a str)> {
        let starts = self.line_starts();
        let count = starts.len() - usize::from(self.text.is_empty() || self.text.ends_with('\n'));
        starts.iter().take(count).map(|start| {
            let line = self.text[*start..].split('\n').next().unwrap_or_default();
            let line = line.strip_suffix('\r').unwrap_or(line);
            (Span::new(*start, *start + line.len()), line)
        })
    }

    /// Returns the span of the line that holds an offset, without its line end.
    pub fn line_at(&self, offset: usize) -> Span {
        let starts = self.line_starts();
        let line = starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = starts[line];
        let end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
        Span::new(start, end)
    }
}

fn position(bytes: &[u8], line: usize, line_starts: &[usize], offset: usize) -> Position {
    let start = line.checked_sub(1).and_then(|index| line_starts.get(index)).copied().unwrap_or(0);
    let before = bytes.get(start..offset.min(bytes.len())).unwrap_or_default();
    // Bytes that continue a character are not characters of their own.
    let characters = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    Position { line: line.max(1), column: characters + 1 }
}

impl Position {
    /// Returns the line and column of an offset in bytes that need not be UTF-8.
    pub fn in_bytes(bytes: &[u8], offset: usize) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Self { line, ..position(bytes, 1, &[start], offset) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source<'_> {
        Source::new(text.as_bytes(), &Limits::default()).unwrap()
    }

    #[test]
    fn positions_count_characters_from_one() {
        let text = "aé\n\nz";
        for (offset, line, column) in [(0, 1, 1), (1, 1, 2), (3, 1, 3), (4, 2, 1), (5, 3, 1), (6, 3, 2), (99, 3, 2)] {
            assert_eq!(source(text).position(offset), Position { line, column }, "{offset}");
            assert_eq!(Position::in_bytes(text.as_bytes(), offset), Position { line, column }, "{offset}");
        }
    }

    #[test]
    fn lines_come_without_their_ends() {
        let lines = |text| source(text).lines().map(|(_, line)| line.to_owned()).collect::<Vec<_>>();
        assert_eq!(lines("a\r\nb\n\nc"), ["a", "b", "", "c"]);
        assert_eq!(lines("a\n"), ["a"]);
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(source("ab\ncd\n").line_at(4), Span::new(3, 5));
        assert_eq!(source("ab\n").line_at(3), Span::new(3, 3));
    }

    #[test]
    fn limits_and_encoding_are_refused_with_their_own_reason() {
        let limits = Limits { bytes: 8, line_bytes: 4, ..Limits::default() };
        let reason = |bytes: &[u8]| Source::new(bytes, &limits).unwrap_err().reason;
        assert_eq!(reason(b"123456789"), Reason::LimitBytes);
        assert_eq!(reason(b"12345"), Reason::LimitLine);
        assert_eq!(reason(b"a\xff"), Reason::NotUtf8);
        assert!(Source::new(b"123\n123\n", &limits).is_ok());
        // What has no lines may have a long one, until somebody finds that it is no such document.
        for text in ["{12345}", "[12345]", "\"12345\"", "<12345>"] {
            let source = Source::new(text.as_bytes(), &limits).unwrap();
            assert_eq!(source.long_line(&limits).map(|deviation| deviation.reason), Some(Reason::LimitLine), "{text}");
        }
    }
}
