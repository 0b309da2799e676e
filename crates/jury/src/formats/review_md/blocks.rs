//! The lines of the Markdown and the parts they form: header, files, findings, notes.
//!
//! In: a source. Out: lines that know whether they are code, cut where the template starts a new part. Headings inside
//! fenced code cut nothing. Deliberately not here: the meaning of any line.

use super::{FILES, FINDING, FINDINGS, NOTES, RULE, trailer};
use crate::syntax::{Source, Span};

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) span: Span,
    pub(super) text: &'a str,
    pub(super) kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Outside fenced code.
    Text,
    /// Opens fenced code.
    Open,
    /// Inside fenced code.
    Code,
    /// Closes fenced code.
    Close,
}

impl<'a> Line<'a> {
    pub(super) fn is_blank(&self) -> bool {
        self.kind == LineKind::Text && self.trimmed().is_empty()
    }

    /// Returns the line without the white space at its end.
    pub(super) fn trimmed(&self) -> &'a str {
        self.text.trim_end_matches([' ', '\t'])
    }

    /// Tells whether the line, white space at its end aside, is this text outside code.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == LineKind::Text && self.trimmed() == text
    }

    /// Returns the text after a label and a space, if the line starts with them.
    pub(super) fn after(&self, label: &str) -> Option<&'a str> {
        let rest = self.trimmed().strip_prefix(label).filter(|_| self.kind == LineKind::Text)?;
        rest.strip_prefix(' ').map(|rest| rest.trim_start_matches([' ', '\t']))
    }

    /// Takes `### F001: [High/Error] Summary` apart into id, severity, category and summary.
    pub(super) fn finding(&self) -> Option<[&'a str; 4]> {
        let (id, rest) = self.after(FINDING)?.split_once(": [")?;
        let (severity, rest) = rest.split_once('/')?;
        let (category, summary) = rest.split_once("] ")?;
        Some([id, severity, category, summary.trim_start_matches([' ', '\t'])])
    }

    /// Returns the place of a part of the line.
    pub(super) fn place(&self, part: &str) -> Span {
        let start = self.span.start + (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Span::new(start, start + part.len())
    }
}

/// A document as lines.
pub(super) struct Document<'a> {
    lines: Vec<Line<'a>>,
    /// Where fenced code opens without a known end, in the order of the document.
    unclosed: Vec<Span>,
    /// Where the comment at the end starts.
    pub(super) trailer: Option<usize>,
}

/// The parts of the template, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Header,
    Files,
    Findings,
    Finding,
    Notes,
}

/// One part: its first line, its body without blank lines around, and the rule that ends it.
pub(super) struct Block<'d, 'a> {
    pub(super) part: Part,
    pub(super) heading: &'d Line<'a>,
    pub(super) body: &'d [Line<'a>],
    pub(super) rule: Option<&'d Line<'a>>,
}

impl Block<'_, '_> {
    /// Returns the place of the part, the rule aside.
    pub(super) fn span(&self) -> Span {
        Span::new(self.heading.span.start, self.body.last().unwrap_or(self.heading).span.end)
    }
}

impl<'a> Document<'a> {
    /// Takes a source apart. A line ends in `\r\n` throughout if the first one does.
    ///
    /// Code that holds the start of another fence as long as its own could be two blocks, the first of them unclosed and
    /// with everything between them in it; then it is held to be just that.
    pub(super) fn new(source: &Source<'a>) -> Self {
        let text = source.text();
        let has_returns = text.split('\n').next().is_some_and(|line| line.len() < text.len() && line.ends_with('\r'));
        let mut document = Self { lines: Vec::new(), unclosed: Vec::new(), trailer: None };
        let mut fence: Option<(Fence, Span)> = None;
        let mut start = 0;
        for line in text.split('\n') {
            let next = start + line.len() + 1;
            let line = if has_returns { line.strip_suffix('\r').unwrap_or(line) } else { line };
            let span = Span::new(start, start + line.len());
            if fence.is_none() && line.starts_with(trailer::OPENING) {
                document.trailer = Some(start);
                break;
            }
            let kind = match fence {
                Some((open, _)) if open.is_closed_by(line) => {
                    fence = None;
                    LineKind::Close
                }
                Some((open, at)) => {
                    if document.unclosed.last() != Some(&at) && open.is_opened_again_by(line) {
                        document.unclosed.push(at);
                    }
                    LineKind::Code
                }
                None => {
                    fence = Fence::opened_by(line).map(|open| (open, span));
                    if fence.is_some() { LineKind::Open } else { LineKind::Text }
                }
            };
            document.lines.push(Line { span, text: line, kind });
            start = next;
        }
        document.unclosed.extend(fence.map(|(_, at)| at));
        document.unclosed.dedup();
        document
    }

    /// Returns where the first fence without a known end opens in a place.
    pub(super) fn unclosed_in(&self, place: Span) -> Option<Span> {
        let first = self.unclosed.partition_point(|fence| fence.start < place.start);
        self.unclosed.get(first).copied().filter(|fence| fence.start < place.end)
    }

    /// Cuts the document into the parts of the template, in any order: a possible finding is never lost in
    /// a text.
    pub(super) fn blocks(&self) -> Vec<Block<'_, 'a>> {
        let mut cuts: Vec<(Part, usize)> = Vec::new();
        for (index, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.is_blank()) {
            let section = [(FILES, Part::Files), (FINDINGS, Part::Findings), (NOTES, Part::Notes)]
                .into_iter()
                .find_map(|(heading, part)| line.is(heading).then_some(part));
            let part = match cuts.last() {
                None => Some(Part::Header),
                Some((Part::Findings | Part::Finding, _)) if line.after(FINDING).is_some() => Some(Part::Finding),
                Some(_) => section.or_else(|| line.finding().map(|_| Part::Finding)),
            };
            cuts.extend(part.map(|part| (part, index)));
        }
        let ends = cuts.iter().skip(1).map(|(_, index)| *index).chain([self.lines.len()]);
        cuts.iter().zip(ends).map(|((part, start), end)| block(*part, &self.lines[*start..end])).collect()
    }
}

fn block<'d, 'a>(part: Part, lines: &'d [Line<'a>]) -> Block<'d, 'a> {
    let (heading, body) = lines.split_first().expect("a part is cut at its first line");
    let mut body = without_blanks(body);
    let mut rule = None;
    if let Some((last, rest)) = body.split_last()
        && part != Part::Notes
        && last.is(RULE)
    {
        rule = Some(last);
        body = without_blanks(rest);
    }
    Block { part, heading, body, rule }
}

/// Returns the lines without the blank ones at both ends.
pub(super) fn without_blanks<'d, 'a>(lines: &'d [Line<'a>]) -> &'d [Line<'a>] {
    let start = lines.iter().position(|line| !line.is_blank()).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !line.is_blank()).map_or(start, |last| last + 1);
    &lines[start..end]
}

/// The marks that open fenced code.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// Takes up to three spaces off a line and counts the marks it starts with. Returns them and the rest.
    fn marks(line: &str) -> Option<(Self, &str)> {
        let marked = line.trim_start_matches(' ');
        let mark = marked.chars().next().filter(|_| line.len() - marked.len() < 4)?;
        let rest = marked.trim_start_matches(mark);
        Some((Self { mark, length: marked.len() - rest.len() }, rest)).filter(|_| matches!(mark, '`' | '~'))
    }

    fn opened_by(line: &str) -> Option<Self> {
        let (fence, info) = Self::marks(line)?;
        (fence.length >= 3 && (fence.mark == '~' || !info.contains('`'))).then_some(fence)
    }

    fn is_opened_again_by(self, line: &str) -> bool {
        Self::opened_by(line).is_some_and(|fence| fence.mark == self.mark && fence.length >= self.length)
    }

    fn is_closed_by(self, line: &str) -> bool {
        Self::marks(line).is_some_and(|(fence, rest)| {
            fence.mark == self.mark && fence.length >= self.length && rest.trim_matches([' ', '\t']).is_empty()
        })
    }
}
