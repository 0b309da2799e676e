//! Fenced blocks of a message: the start, the info string and the end of each.
//!
//! In: a source. Out: its blocks in order, closed or not. Deliberately not here: the content of a block.

use crate::syntax::{Source, Span};

/// A block between two lines of backticks.
pub(super) struct Block<'a> {
    /// The opening line.
    pub(super) opening: Span,
    /// The text after its backticks.
    pub(super) info: &'a str,
    /// The text between the fences.
    pub(super) body: Span,
    /// The closing line, if there is one.
    pub(super) closing: Option<Span>,
}

impl Block<'_> {
    /// Returns the span of the block with its fences.
    pub(super) fn whole(&self) -> Span {
        Span::new(self.opening.start, self.closing.map_or(self.body.end, |closing| closing.end))
    }
}

/// Returns every fenced block.
pub(super) fn blocks<'a>(source: &Source<'a>) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut open_ticks = None;
    for (span, line) in source.lines() {
        match (open_ticks, blocks.last_mut()) {
            (Some(ticks), Some(block)) => {
                if closes(line, ticks) {
                    block.body.end = span.start;
                    block.closing = Some(span);
                    open_ticks = None;
                }
            }
            _ => {
                if let Some((ticks, info)) = opening(line) {
                    let next_line = source.text()[span.end..].find('\n').map_or(span.end, |at| span.end + at + 1);
                    let body = Span::new(next_line, source.text().len());
                    blocks.push(Block { opening: span, info, body, closing: None });
                    open_ticks = Some(ticks);
                }
            }
        }
    }
    blocks
}

/// Tells whether a line opens a block.
pub(super) fn is_opening(line: &str) -> bool {
    opening(line).is_some()
}

/// Takes an opening line apart: the number of backticks, and the text after them.
fn opening(line: &str) -> Option<(usize, &str)> {
    let line = unindented(line);
    let info = line.trim_start_matches('`');
    let ticks = line.len() - info.len();
    (ticks >= 3 && !info.contains('`')).then_some((ticks, info.trim()))
}

fn closes(line: &str, ticks: usize) -> bool {
    let line = unindented(line).trim_end();
    line.len() >= ticks && line.bytes().all(|byte| byte == b'`')
}

/// A fence may be indented by up to three spaces, as in Markdown.
fn unindented(line: &str) -> &str {
    let text = line.trim_start_matches(' ');
    if line.len() - text.len() <= 3 { text } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Limits;

    #[test]
    fn blocks_end_at_a_fence_as_long_as_their_own() {
        let text = "a\n````yaml\nx\n```\ny\r\n`````  \nb\n```\nz";
        let source = Source::new(text.as_bytes(), &Limits::default()).unwrap();
        let blocks = blocks(&source);
        let shown: Vec<(&str, &str, bool)> =
            blocks.iter().map(|block| (block.info, source.slice(block.body), block.closing.is_some())).collect();
        assert_eq!(shown, [("yaml", "x\n```\ny\r\n", true), ("", "z", false)]);
        assert_eq!(source.slice(blocks[0].whole()), "````yaml\nx\n```\ny\r\n`````  ");
        assert_eq!(source.slice(blocks[1].whole()), "```\nz");
    }

    #[test]
    fn inline_code_and_indented_code_are_no_fences() {
        for line in ["`x`", "``", "```x``` y", "    ```", "x ```"] {
            assert!(!is_opening(line), "{line}");
        }
        assert!(is_opening("   ```yaml"));
    }
}
