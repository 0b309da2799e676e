//! A Markdown text as a list of units: headings, items, paragraphs and tables, each with its place.
//!
//! In: a text. Out: its top-level parts in order. Deliberately not here: what any of them says (`markdown`).

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::prose;
use crate::syntax::Span;

/// A part of a document on its top level.
pub(super) struct Unit<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
}

pub(super) enum Kind<'t> {
    Heading { level: usize, text: &'t str },
    Item { lead: String, body: String },
    Paragraph { lead: &'t str, body: &'t str },
    Table { head: Vec<&'t str>, rows: Vec<(Vec<&'t str>, Span)> },
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
pub(super) fn units(text: &str, from: usize) -> Vec<Unit<'_>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let source = &text[from..];
    let mut units = Vec::new();
    let (mut depth, mut cells, mut rows, mut head) = (0_usize, Vec::new(), Vec::new(), Vec::new());
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        let span = Span::new(range.start + from, range.end + from);
        let raw = text.get(span.start..span.end).unwrap_or_default();
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                units.push(Unit { kind: Kind::Heading { level: level_of(level), text: heading_text(raw) }, span });
                depth += 1;
            }
            Event::Start(Tag::Paragraph) if depth == 0 => {
                paragraphs(raw, span, &mut units);
                depth += 1;
            }
            // The items of the outermost lists; what is nested belongs to its item.
            Event::Start(Tag::Item) if depth == 1 => {
                let (lead, body) = item(raw);
                units.push(Unit { kind: Kind::Item { lead, body }, span });
                depth += 1;
            }
            Event::Start(Tag::TableHead) => {
                cells = Vec::new();
                depth += 1;
            }
            Event::End(TagEnd::TableHead) => {
                head = std::mem::take(&mut cells);
                depth = depth.saturating_sub(1);
            }
            Event::Start(Tag::TableRow) => {
                cells = Vec::new();
                depth += 1;
            }
            Event::End(TagEnd::TableRow) => {
                rows.push((std::mem::take(&mut cells), span));
                depth = depth.saturating_sub(1);
            }
            Event::Start(Tag::TableCell) => {
                cells.push(raw.trim().trim_matches('|').trim());
                depth += 1;
            }
            Event::End(TagEnd::Table) => {
                depth = depth.saturating_sub(1);
                let kind = Kind::Table { head: std::mem::take(&mut head), rows: std::mem::take(&mut rows) };
                units.push(Unit { kind, span });
            }
            Event::Start(Tag::BlockQuote(_) | Tag::CodeBlock(_) | Tag::HtmlBlock) if depth == 0 => {
                units.push(Unit { kind: Kind::Other, span });
                depth += 1;
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    units
}

fn level_of(level: HeadingLevel) -> usize {
    level as usize
}

fn heading_text(raw: &str) -> &str {
    let line = raw.lines().next().unwrap_or(raw);
    line.trim().trim_start_matches('#').trim_end_matches('#').trim()
}

/// Splits a paragraph at the lines that start with a tag of their own; the rest of each is its body.
fn paragraphs<'t>(raw: &'t str, span: Span, units: &mut Vec<Unit<'t>>) {
    let mut starts = vec![0];
    let mut at = 0;
    for line in raw.split_inclusive('\n') {
        if at > 0 && prose::leading_severity(line).is_some() {
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

/// Splits a list item into its lead, which may be broken over lines, and what is nested or follows.
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

/// Tells whether a line starts an item.
pub(super) fn is_marker(line: &str) -> bool {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker)) || digits > 0 && line[digits..].starts_with(". ")
}
