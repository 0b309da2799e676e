//! Deviations as a compiler shows errors: problem, place, line, remedy.
//!
//! The place is the true one even where the line is shown cut or written out, so the arrow is drawn here and only the
//! rest by the renderer, which counts in its input.

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use jury::syntax::{Deviation, Position};

use super::excerpt::Excerpt;
use super::style::FAINT;
use super::{Positions, inert, painted};
use crate::input::Document;

/// How many are shown of each kind.
const MOST: usize = 20;
/// The longest message in characters: a reviewer's value may be quoted in it.
const LONGEST_MESSAGE: usize = 400;
/// The renderer would cut lines, too, and then the mark of the cut would be its own.
const WIDER_THAN_ANY_EXCERPT: usize = 10_000;

/// The effect of a deviation for the command that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// It stands in the way.
    Error,
    /// The command goes on.
    Warning,
    /// Nothing is wrong.
    Note,
}

impl Weight {
    fn level(self) -> Level<'static> {
        match self {
            Self::Error => Level::ERROR,
            Self::Warning => Level::WARNING,
            Self::Note => Level::NOTE,
        }
    }
}

/// Shows the deviations of a document, at the given weight, and its notes. A blank line follows each.
pub(crate) fn deviations(document: &Document, weight: Weight) -> String {
    let mut text = several(document, &document.reading.deviations, weight);
    text.push_str(&several(document, &document.reading.notes, Weight::Note));
    text
}

fn several(document: &Document, deviations: &[Deviation], weight: Weight) -> String {
    let mut places = Positions::new(&document.bytes);
    let mut text = String::new();
    for deviation in deviations.iter().take(MOST) {
        text.push_str(&one(document, deviation, places.at(deviation.span.start), weight));
        text.push('\n');
    }
    if let Some(more @ 1..) = deviations.len().checked_sub(MOST) {
        text.push_str(&painted(FAINT, &format!("… and {more} more; `jury check --format json` shows all")));
        text.push_str("\n\n");
    }
    text
}

fn one(document: &Document, deviation: &Deviation, position: Position, weight: Weight) -> String {
    let renderer = Renderer::styled().term_width(WIDER_THAN_ANY_EXCERPT);
    let message = inert::short_line(&deviation.message, LONGEST_MESSAGE);
    let title = weight.level().primary_title(message).id(deviation.reason.code());
    let excerpt = Excerpt::of(&document.bytes, deviation.span);
    let mut body = Group::with_level(weight.level());
    if !document.bytes.is_empty() {
        let mark = AnnotationKind::Primary.span(excerpt.marked);
        body = body.element(Snippet::source(excerpt.text).line_start(position.line).annotation(mark));
    }
    body = body.element(Level::HELP.message(deviation.reason.help()));
    let title = renderer.render(&[Group::with_title(title)]);
    format!("{title}\n{}\n{}\n", arrow(&document.name, position), renderer.render(&[body]))
}

/// Draws the line that names the place, under the gutter of the line's number.
fn arrow(name: &str, Position { line, column }: Position) -> String {
    let gutter = " ".repeat(line.to_string().len());
    format!("{gutter}{} {name}:{line}:{column}", painted(DEFAULT_LINE_NUM_STYLE, "-->"))
}
