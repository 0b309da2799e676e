//! A Markdown text as a list of units: headings, items, paragraphs and tables, each with its place.
//!
//! In: a text. Out: its top-level parts in order. Deliberately not here: their meaning (`markdown`).

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::lexicon::List;
use super::rating::{self, Legend};
use super::{places, prose, tables};
use crate::syntax::Span;

/// A part of a document on its top level.
pub(super) struct Unit<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
}

pub(super) enum Kind<'t> {
    Heading {
        level: usize,
        text: Cow<'t, str>,
    },
    Item {
        lead: String,
        body: String,
    },
    Paragraph {
        lead: &'t str,
        body: &'t str,
    },
    Table {
        head: Vec<&'t str>,
        rows: Vec<(Vec<&'t str>, Span)>,
    },
    /// Ends the section that a tag opened.
    End,
    Other,
}

/// Returns where the YAML between `---` lines at the start of a text stands.
pub(super) fn front_matter(text: &str) -> Option<Range<usize>> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let start = text.len() - rest.len();
    let mut at = start;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some(start..at + line.len());
        }
        at += line.len();
    }
    None
}

/// Takes a document apart into its top-level parts.
pub(super) fn units<'t>(text: &'t str, from: usize, legend: &Legend) -> Vec<Unit<'t>> {
    if let Some(table) = tables::csv(text, from) {
        return vec![table];
    }
    let mut units = Vec::new();
    part(text, from..text.len(), legend, &mut units);
    units
}

/// Takes a part of a document apart.
fn part<'t>(text: &'t str, range: Range<usize>, legend: &Legend, units: &mut Vec<Unit<'t>>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let from = range.start;
    let mut part = Part { text, legend, units, folds: Vec::new(), depth: 0, grid: Grid::default() };
    for (event, range) in Parser::new_ext(&text[range], options).into_offset_iter() {
        part.event(&event, Span::new(range.start + from, range.end + from));
    }
}

/// The table that is being read.
#[derive(Default)]
struct Grid<'t> {
    head: Vec<&'t str>,
    cells: Vec<&'t str>,
    rows: Vec<(Vec<&'t str>, Span)>,
}

/// A part of a document while it is being taken apart.
struct Part<'p, 't> {
    text: &'t str,
    legend: &'p Legend,
    units: &'p mut Vec<Unit<'t>>,
    /// Which of the foldings that are open stand for a section.
    folds: Vec<bool>,
    depth: usize,
    grid: Grid<'t>,
}

impl<'t> Part<'_, 't> {
    fn event(&mut self, event: &Event<'_>, span: Span) {
        match event {
            Event::Start(tag) => {
                if self.depth == 0 {
                    self.block(tag, span);
                }
                self.nested(tag, span);
                self.depth += 1;
            }
            Event::End(end) => {
                self.depth = self.depth.saturating_sub(1);
                self.end(*end, span);
            }
            _ => {}
        }
    }

    /// Takes a block on the top level.
    fn block(&mut self, tag: &Tag<'_>, span: Span) {
        let raw = self.text.get(span.start..span.end).unwrap_or_default();
        match tag {
            // Labelled lines above a `---` are no heading.
            Tag::Heading { .. } if is_underlined_text(raw) => {
                let end = raw.trim_end().rfind('\n').unwrap_or(raw.len());
                paragraphs(&raw[..end], Span::new(span.start, span.start + end), self.legend, self.units);
            }
            Tag::Heading { level, .. } => {
                let kind = Kind::Heading { level: *level as usize, text: Cow::Borrowed(heading_text(raw)) };
                self.units.push(Unit { kind, span });
            }
            Tag::Paragraph => match tables::csv(&self.text[..span.end], span.start) {
                Some(table) => self.units.push(table),
                None => paragraphs(raw, span, self.legend, self.units),
            },
            Tag::HtmlBlock if !fold(raw, span, self.legend, &mut self.folds, self.units) => {
                html(self.text, span, self.legend, self.units);
            }
            // A quoted line with a severity counts.
            Tag::BlockQuote(_) if states_findings(raw, self.legend) => quoted(raw, span, self.legend, self.units),
            Tag::BlockQuote(_) | Tag::CodeBlock(_) => {
                let other = Unit { kind: Kind::Other, span };
                self.units.push(tables::fenced(self.text, span).unwrap_or(other));
            }
            _ => {}
        }
    }

    /// Takes the items of the outermost lists, whose nested text belongs to them, and the cells of tables anywhere.
    fn nested(&mut self, tag: &Tag<'_>, span: Span) {
        let raw = self.text.get(span.start..span.end).unwrap_or_default();
        match tag {
            Tag::Item if self.depth == 1 => {
                let (lead, body) = item(raw);
                self.units.push(Unit { kind: Kind::Item { lead, body }, span });
            }
            Tag::TableHead | Tag::TableRow => self.grid.cells = Vec::new(),
            Tag::TableCell => self.grid.cells.push(raw.trim().trim_matches('|').trim()),
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd, span: Span) {
        match end {
            TagEnd::TableHead => self.grid.head = std::mem::take(&mut self.grid.cells),
            TagEnd::TableRow => self.grid.rows.push((std::mem::take(&mut self.grid.cells), span)),
            TagEnd::Table => {
                let Grid { head, rows, .. } = std::mem::take(&mut self.grid);
                self.units.push(Unit { kind: Kind::Table { head, rows }, span });
            }
            _ => {}
        }
    }
}

/// Tells whether a heading by underline is a paragraph of several lines, or a label.
fn is_underlined_text(raw: &str) -> bool {
    !raw.trim_start().starts_with('#') && (raw.trim().lines().count() > 2 || prose::label(raw).is_some())
}

fn unquoted(line: &str) -> &str {
    line.trim_start_matches(['>', ' ']).trim_end()
}

fn states_findings(raw: &str, legend: &Legend) -> bool {
    raw.lines().any(|line| legend.rated(unquoted(line)).is_some_and(|(_, rest)| places::marked_place(&rest).is_some()))
}

/// Takes the findings of a quotation apart: each starts with the line that says how bad it is.
fn quoted<'t>(raw: &'t str, span: Span, legend: &Legend, units: &mut Vec<Unit<'t>>) {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in raw.split_inclusive('\n') {
        if starts.is_empty() || legend.rated(unquoted(line)).is_some() {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(raw.len());
    for pair in starts.windows(2) {
        if let [start, end] = pair {
            let (lead, body) = raw[*start..*end].split_once('\n').unwrap_or((&raw[*start..*end], ""));
            let span = Span::new(span.start + start, span.start + end);
            units.push(Unit { kind: Kind::Paragraph { lead: unquoted(lead), body }, span });
        }
    }
}

/// Reads the lines that open and close a `<details>`. One with a severity in its summary is a section or a finding.
fn fold<'t>(raw: &'t str, span: Span, legend: &Legend, folds: &mut Vec<bool>, units: &mut Vec<Unit<'t>>) -> bool {
    if raw.contains("<table") || !raw.contains("<details") && !raw.contains("</details>") {
        return false;
    }
    let ends = raw.matches("</details>").count();
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once("<details") {
        close(before.matches("</details>").count(), span, folds, units);
        let inner = after.split("<details").next().unwrap_or(after);
        let summary = inner.split_once("<summary>").and_then(|(_, text)| text.split_once("</summary>"));
        let heading = summary.map(|(text, _)| without_tags(text)).filter(|text| {
            rating::pure(text).is_some() || legend.rated(text).is_some() || rating::closing(text).is_some()
        });
        folds.push(heading.is_some());
        match (heading, summary) {
            (Some(text), summary) => {
                units.push(Unit { kind: Kind::Heading { level: TAG_LEVEL, text: Cow::Owned(text) }, span });
                // Text that follows the summary without a blank line is ordinary text.
                let body = summary.map_or("", |(_, body)| body.split("</details>").next().unwrap_or(body));
                if let Some(body) = Some(body.trim()).filter(|body| !body.is_empty()) {
                    let (lead, body) = body.split_once('\n').unwrap_or((body, ""));
                    units.push(Unit { kind: Kind::Paragraph { lead, body }, span });
                }
            }
            (None, _) => units.push(Unit { kind: Kind::Other, span }),
        }
        rest = after;
    }
    close(rest.matches("</details>").count(), span, folds, units);
    if ends > 0 && !raw.contains("<details") {
        units.push(Unit { kind: Kind::Other, span });
    }
    true
}

fn close(count: usize, span: Span, folds: &mut Vec<bool>, units: &mut Vec<Unit<'_>>) {
    for _ in 0..count {
        if folds.pop() == Some(true) {
            units.push(Unit { kind: Kind::End, span });
        }
    }
}

/// Removes HTML tags from a line; code elements become backticks.
fn without_tags(text: &str) -> String {
    let text = text.replace("<code>", "`").replace("</code>", "`");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        rest = after.split_once('>').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.trim().to_owned()
}

/// The level of a section that a tag opens: below all headings, above labels.
const TAG_LEVEL: usize = 6;

/// Takes HTML apart: tables, and sections that are named by tags of the reviewer's own. All else is left alone.
fn html<'t>(text: &'t str, span: Span, legend: &Legend, units: &mut Vec<Unit<'t>>) {
    let raw = text.get(span.start..span.end).unwrap_or_default();
    if let Some(table) = tables::html(raw, span) {
        return units.push(table);
    }
    if !raw.lines().any(|line| own_tag(line).is_some()) {
        return units.push(Unit { kind: Kind::Other, span });
    }
    let (mut at, mut inner) = (span.start, span.start);
    for line in raw.split_inclusive('\n') {
        let next = at + line.len();
        if let Some(name) = own_tag(line) {
            part(text, inner..at, legend, units);
            inner = next;
            let kind = if name.starts_with('/') {
                Kind::End
            } else {
                Kind::Heading { level: TAG_LEVEL, text: Cow::Borrowed(name) }
            };
            units.push(Unit { kind, span: Span::new(at, next) });
        }
        at = next;
    }
    part(text, inner..span.end, legend, units);
}

/// Reads a line that is nothing but one tag, and none of HTML's that reviewers use.
fn own_tag(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix('<')?.strip_suffix('>')?;
    let bare = name.trim_start_matches('/');
    let is_name = !bare.is_empty() && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let is_html = List::HtmlTags.has(&bare.to_ascii_lowercase());
    (is_name && !is_html).then_some(name)
}

fn heading_text(raw: &str) -> &str {
    let line = raw.lines().next().unwrap_or(raw);
    line.trim().trim_start_matches('#').trim_end_matches('#').trim()
}

/// Splits a paragraph at the lines that start with a tag of their own; the rest of each is its body.
fn paragraphs<'t>(raw: &'t str, span: Span, legend: &Legend, units: &mut Vec<Unit<'t>>) {
    let mut starts = vec![0];
    let mut at = 0;
    let mut lines = raw.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let points = lines.peek().is_some_and(|next| rating::diagnostic(line, next).is_some());
        if at > 0 && (points || starts_finding(line, legend)) {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(raw.len());
    for pair in starts.windows(2) {
        if let [start, end] = pair {
            let part = &raw[*start..*end];
            let (lead, body) = part.split_once('\n').unwrap_or((part, ""));
            units.push(Unit {
                kind: Kind::Paragraph { lead, body },
                span: Span::new(span.start + start, span.start + end),
            });
        }
    }
}

/// Tells whether a line of a paragraph starts a finding of its own: it says how bad it is, or it has an ordinal.
fn starts_finding(line: &str, legend: &Legend) -> bool {
    let bare = line.trim_start();
    let is_ordinal = rating::past_ordinal(bare).len() < bare.len();
    is_ordinal || legend.rated(line).is_some()
}

/// Splits a list item into its lead, which may be broken over lines, and the nested or following text.
pub(super) fn item(raw: &str) -> (String, String) {
    let raw = raw.trim_start();
    let digits = raw.len() - raw.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let raw = raw[digits..].trim_start_matches(['-', '*', '+', '.', ')']);
    let raw = raw.trim_start();
    let raw = raw.strip_prefix("[ ] ").or(raw.strip_prefix("[x] ")).or(raw.strip_prefix("[X] ")).unwrap_or(raw);
    let mut lead = String::new();
    let mut at = 0;
    for line in raw.split_inclusive('\n') {
        let bare = line.trim();
        let nested = at > 0
            && (bare.is_empty()
                || is_marker(bare)
                || prose::label(bare).is_some()
                || bare.starts_with("```")
                || bare.starts_with('>'));
        if nested {
            break;
        }
        if !lead.is_empty() {
            lead.push(' ');
        }
        lead.push_str(bare);
        at += line.len();
    }
    (lead, raw[at..].to_owned())
}

/// Takes the items of the outermost list in the body of an item.
pub(super) fn nested_items(body: &str) -> Vec<(String, String)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let markers = || body.split_inclusive('\n').filter(|line| is_marker(line.trim()));
    let Some(outermost) = markers().map(indent).min() else { return Vec::new() };
    let mut items: Vec<String> = Vec::new();
    for line in body.split_inclusive('\n') {
        if indent(line) == outermost && is_marker(line.trim()) {
            items.push(line.to_owned());
        } else if let Some(last) = items.last_mut() {
            last.push_str(line);
        }
    }
    items.iter().map(|raw| item(raw)).collect()
}

/// Tells whether a line starts an item.
pub(super) fn is_marker(line: &str) -> bool {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker)) || digits > 0 && line[digits..].starts_with(". ")
}
