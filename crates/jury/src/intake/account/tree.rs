//! A Markdown text as a tree of leaves: headings, items, rows, lines and code, each with its place and its parent.
//!
//! In: a text. Out: its leaves in order. Deliberately not here: their meaning (`fates`).

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::mark;
use crate::intake::markdown_units::item;
use crate::intake::{blocks, prose};
use crate::syntax::Span;

/// The kind of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::intake) enum Kind {
    Heading(usize),
    Item,
    Row,
    /// A line of a paragraph, with the lines that go on with it.
    Line,
    Code,
    Html,
}

/// One leaf.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) kind: Kind,
    /// The leaf's own text, without nested leaves; code of a language has none.
    pub(super) span: Span,
    pub(super) text: String,
    /// The heading, label or item that it stands below.
    pub(super) parent: Option<usize>,
    /// The list, table or paragraph that it is a member of.
    pub(super) group: usize,
    /// For an item with a box, whether that is checked.
    pub(super) checked: Option<bool>,
}

/// The leaves of a text, and the head of each table.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) leaves: Vec<Leaf>,
    /// For each group that is a table, its columns.
    pub(super) heads: Vec<(usize, Vec<String>)>,
    /// The lists that a labelled field of the item before opens: `Evidence:`.
    pub(super) fields: BTreeSet<usize>,
}

impl Tree {
    /// Takes a text apart, from an offset on.
    pub(super) fn of(text: &str, from: usize) -> Self {
        let mut builder = Builder { text, ..Builder::default() };
        let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
        for (event, range) in Parser::new_ext(&text[from..], options).into_offset_iter() {
            builder.event(event, Span::new(range.start + from, range.end + from));
        }
        builder.tree
    }

    /// Returns the leaves above a leaf, nearest first.
    pub(super) fn above(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.leaves[at].parent, |at| self.leaves[*at].parent)
    }

    /// Returns the columns of the table that a row stands in.
    pub(super) fn head(&self, group: usize) -> &[String] {
        let at = self.heads.binary_search_by_key(&group, |(group, _)| *group);
        at.map_or(&[], |at| self.heads[at].1.as_slice())
    }
}

/// The level of a section that a folding opens: below all headings.
const FOLDING: usize = 7;

/// The tree while it grows.
#[derive(Default)]
struct Builder<'t> {
    text: &'t str,
    tree: Tree,
    /// The headings above, with their levels.
    sections: Vec<(usize, usize)>,
    /// The open lists: the group and the leaf that each stands below.
    lists: Vec<(usize, Option<usize>)>,
    items: Vec<usize>,
    groups: usize,
    cells: Vec<String>,
}

impl<'t> Builder<'t> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.heading(level, span),
            Event::Start(Tag::Paragraph) => self.paragraph(span),
            Event::Start(Tag::List(_)) => {
                self.groups += 1;
                let owner = self.items.last().copied().or_else(|| self.label_above(span)).or_else(|| self.section());
                self.lists.push((self.groups, owner));
                let before = self.text.get(..span.start).unwrap_or_default().trim_end().lines().next_back();
                if before.is_some_and(|line| line.ends_with(':') && prose::label(line).is_some()) {
                    self.tree.fields.insert(self.groups);
                }
            }
            Event::End(TagEnd::List(_)) => drop(self.lists.pop()),
            Event::Start(Tag::Item) => self.item(span),
            Event::End(TagEnd::Item) => drop(self.items.pop()),
            Event::TaskListMarker(is_checked) => {
                if let Some(at) = self.items.last() {
                    self.tree.leaves[*at].checked = Some(is_checked);
                }
            }
            Event::Start(Tag::Table(_)) => self.groups += 1,
            Event::Start(Tag::TableHead | Tag::TableRow) => self.cells = Vec::new(),
            Event::Start(Tag::TableCell) => {
                self.cells.push(self.raw(span).trim().trim_matches('|').trim().to_owned());
            }
            Event::End(TagEnd::TableHead) => {
                self.tree.heads.push((self.groups, std::mem::take(&mut self.cells)));
            }
            Event::End(TagEnd::TableRow) => {
                let text = std::mem::take(&mut self.cells).join(" | ");
                self.push(Kind::Row, span, text, self.groups);
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                self.groups += 1;
                let text = if is_of_a_language(&kind) { "" } else { self.raw(span) };
                self.push(Kind::Code, span, text.to_owned(), self.groups);
            }
            Event::Start(Tag::HtmlBlock) => self.html(span),
            _ => {}
        }
    }

    fn raw(&self, span: Span) -> &'t str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn section(&self) -> Option<usize> {
        self.sections.last().map(|(_, at)| *at)
    }

    fn owner(&self) -> Option<usize> {
        self.items.last().copied().or_else(|| self.section())
    }

    fn push(&mut self, kind: Kind, span: Span, text: String, group: usize) {
        let parent = self.owner();
        self.tree.leaves.push(Leaf { kind, span, text, parent, group, checked: None });
    }

    fn heading(&mut self, level: HeadingLevel, span: Span) {
        let level = level as usize;
        let line = self.raw(span).lines().next().unwrap_or_default();
        let text = line.trim_start_matches(['>', ' ']).trim_start_matches('#').trim_end_matches('#').trim();
        if self.items.is_empty() {
            while self.sections.last().is_some_and(|(last, _)| *last >= level) {
                self.sections.pop();
            }
        }
        self.push(Kind::Heading(level), span, text.to_owned(), 0);
        if self.items.is_empty() {
            self.sections.push((level, self.tree.leaves.len() - 1));
        }
    }

    /// Enters a block of HTML. The summary of a folding is the heading of the text in it.
    fn html(&mut self, span: Span) {
        self.groups += 1;
        let raw = self.raw(span);
        if raw.contains("</details>") && self.sections.last().is_some_and(|(level, _)| *level == FOLDING) {
            self.sections.pop();
        }
        let summary = raw.split_once("<summary>").and_then(|(_, rest)| rest.split_once("</summary>"));
        match summary.filter(|_| self.items.is_empty()) {
            Some((text, _)) => {
                self.push(Kind::Heading(FOLDING), span, without_tags(text), self.groups);
                self.sections.push((FOLDING, self.tree.leaves.len() - 1));
            }
            None => self.push(Kind::Html, span, without_tags(raw), self.groups),
        }
    }

    /// Enters the lines of a paragraph: each that starts with a mark of its own is a leaf.
    fn paragraph(&mut self, span: Span) {
        if let Some(at) = self.items.last() {
            // The first paragraph of an item is its own text.
            let item = &self.tree.leaves[*at];
            if *at + 1 == self.tree.leaves.len() && span.start < item.span.end {
                return;
            }
        }
        self.groups += 1;
        let raw = self.raw(span);
        let (mut start, mut at) = (0, 0);
        for line in raw.split_inclusive('\n') {
            if at > start && mark::starts_leaf(line.trim_start_matches(['>', ' '])) {
                self.line(span.start + start, &raw[start..at]);
                start = at;
            }
            at += line.len();
        }
        self.line(span.start + start, &raw[start..]);
    }

    fn line(&mut self, start: usize, raw: &str) {
        let lines: Vec<&str> = raw.lines().map(|line| line.trim_start_matches(['>', ' ']).trim_end()).collect();
        self.push(Kind::Line, Span::new(start, start + raw.trim_end().len()), lines.join(" "), self.groups);
    }

    /// Returns the short line directly above a list that stands for its heading: `Must fix:`, `**Blockers**`.
    fn label_above(&self, list: Span) -> Option<usize> {
        let at = self.tree.leaves.len().checked_sub(1)?;
        let leaf = &self.tree.leaves[at];
        let between = self.text.get(leaf.span.end..list.start).unwrap_or_default();
        (leaf.kind == Kind::Line && between.trim().is_empty() && mark::is_label(&leaf.text)).then_some(at)
    }

    fn item(&mut self, span: Span) {
        let raw = self.raw(span);
        let (lead, body) = item(raw);
        let own = Span::new(span.start, span.start + raw.len().saturating_sub(body.len()).max(1));
        let (group, owner) = self.lists.last().copied().unwrap_or((self.groups, None));
        self.tree.leaves.push(Leaf { kind: Kind::Item, span: own, text: lead, parent: owner, group, checked: None });
        self.items.push(self.tree.leaves.len() - 1);
    }
}

/// Tells whether a block of code names its language.
fn is_of_a_language(kind: &CodeBlockKind<'_>) -> bool {
    match kind {
        CodeBlockKind::Indented => false,
        CodeBlockKind::Fenced(info) => {
            !["", "text", "txt", "plaintext", "markdown", "md"].contains(&blocks::language(info).as_str())
        }
    }
}

/// Removes HTML tags and comments.
fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let end = if after.starts_with("!--") { "-->" } else { ">" };
        rest = after.split_once(end).map_or("", |(_, after)| after);
        plain.push(' ');
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
