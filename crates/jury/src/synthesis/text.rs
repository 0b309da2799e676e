//! The text of one file, made for finding code in it: its lines, and all of it without white space, which does not count.

use crate::model::{Line, LineRange};

/// A file of the tree.
pub(super) struct FileText {
    text: String,
    /// Where each line starts in the text.
    starts: Vec<usize>,
    bare: String,
    /// Where each line starts in the bare text.
    bare_starts: Vec<usize>,
}

/// How many places of one quote are looked at. More than this is no quote.
const MOST_PLACES: usize = 10_000;

impl FileText {
    /// Reads a file; bytes that are not UTF-8 become replacement characters.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut starts = Vec::new();
        let mut bare_starts = Vec::new();
        let mut bare = String::with_capacity(text.len());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            starts.push(start);
            bare_starts.push(bare.len());
            bare.extend(line.chars().filter(|c| !c.is_whitespace()));
            start += line.len();
        }
        Self { text, starts, bare, bare_starts }
    }

    /// Returns how many lines there are.
    pub(super) fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the text of a line without its end; nothing if the line does not exist.
    pub(super) fn line(&self, line: Line) -> &str {
        let index = line.get() as usize - 1;
        let Some(start) = self.starts.get(index) else { return "" };
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text[*start..end].trim_end_matches(['\n', '\r'])
    }

    /// Returns the lines of a range, joined; those past the end are nothing.
    pub(super) fn lines(&self, first: u32, last: u32) -> String {
        let last = last.min(u32::try_from(self.line_count()).unwrap_or(u32::MAX));
        let lines = (first.max(1)..=last).filter_map(|number| Line::new(number.into()).ok());
        lines.map(|line| self.line(line)).collect::<Vec<_>>().join("\n")
    }

    /// Tells whether code occurs, white space aside.
    pub(super) fn has(&self, code: &str) -> bool {
        let bare = bare(code);
        !bare.is_empty() && self.bare.contains(&bare)
    }

    /// Returns the lines where code occurs, white space aside. Places where one line holds it letter for letter go before
    /// all others: if there are any, only they are returned.
    pub(super) fn places(&self, code: &str) -> Vec<LineRange> {
        let bare = bare(code);
        if bare.is_empty() {
            return Vec::new();
        }
        let line_at = |offset: usize| {
            let number = self.bare_starts.partition_point(|start| *start <= offset);
            Line::new(i64::try_from(number).unwrap_or(i64::MAX)).unwrap_or(Line::FIRST)
        };
        let matches = self.bare.match_indices(&bare).take(MOST_PLACES);
        let mut places: Vec<LineRange> =
            matches.filter_map(|(at, found)| LineRange::new(line_at(at), line_at(at + found.len() - 1)).ok()).collect();
        places.dedup();
        let code = code.trim();
        let is_verbatim = |place: &LineRange| place.start() == place.end() && self.line(place.start()).contains(code);
        if places.iter().any(is_verbatim) {
            places.retain(is_verbatim);
        }
        places
    }

    /// Returns the column, in characters from 1, at which a line holds code letter for letter.
    pub(super) fn column(&self, line: Line, code: &str) -> Option<i64> {
        let text = self.line(line);
        let at = text.find(code.trim().lines().next()?.trim())?;
        i64::try_from(text[..at].chars().count() + 1).ok()
    }
}

/// Takes the white space out of code.
pub(super) fn bare(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, code: &str) -> Vec<String> {
        FileText::new(text.as_bytes()).places(code).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn code_is_found_through_white_space_and_over_lines() {
        let text = "fn a() {\r\n\tlet x = 1;\n}\n\nlet  x=1 ;\n";
        assert_eq!(places(text, "let x=1;"), ["2", "5"]);
        assert_eq!(places(text, "let x = 1;"), ["2"]);
        assert_eq!(places(text, "fn a() { let x = 1; }"), ["1-3"]);
        assert_eq!(places(text, "let y"), [""; 0]);
        assert_eq!(places(text, " "), [""; 0]);
    }

    #[test]
    fn lines_are_those_of_an_editor() {
        let text = FileText::new("a\nbü = c(d)\r\n\n".as_bytes());
        assert_eq!(text.line_count(), 3);
        assert_eq!(text.line(Line::new(2).unwrap()), "bü = c(d)");
        assert_eq!(text.line(Line::new(9).unwrap()), "");
        assert_eq!(text.lines(1, 99), "a\nbü = c(d)\n");
        assert_eq!(text.column(Line::new(2).unwrap(), " c(d) "), Some(6));
        assert_eq!(FileText::new(b"").line_count(), 0);
    }
}
