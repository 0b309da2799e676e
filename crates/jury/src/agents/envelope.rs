//! The result that a host prints: the types, and the readers that several hosts share.
//!
//! In: the JSON events of a result. Out: the final message or the failure, and the usage. Deliberately not here: finding the events in a
//! text, and the content of the message.

use crate::model::{Usage, micro_dollars};
use crate::syntax::{Node, Span, Value};

/// One form of a result.
pub struct Envelope {
    /// Its name in reports and documentation.
    pub id: &'static str,
    /// Tells whether events are of this form.
    pub recognises: fn(&[Node<'_>]) -> bool,
    /// Returns the end of the run. It succeeded only if the envelope's own fields say so.
    pub open: for<'n, 'a> fn(&'n [Node<'a>]) -> Ending<'n, 'a>,
    /// Returns the tokens and money that the run took, if the envelope says so.
    pub usage: fn(&[Node<'_>]) -> Option<Usage>,
}

/// The end of a run.
#[derive(Debug)]
pub enum Ending<'n, 'a> {
    /// The final message, and its place.
    Message(String, Span),
    /// A run without a final message.
    NoMessage(Span),
    /// A failed run.
    Failed {
        /// The place that says so.
        at: Span,
        /// How it ended; with a colon at the end where an explanation belongs.
        how: String,
        /// The host's explanation, if it gives one.
        why: Option<&'n Node<'a>>,
    },
}

impl<'n, 'a> Ending<'n, 'a> {
    pub(super) fn failed(at: Span, how: impl Into<String>) -> Self {
        Self::Failed { at, how: how.into(), why: None }
    }

    /// A failure in a form that has a place for an explanation.
    pub(super) fn failed_because(at: Span, how: &str, why: Option<&'n Node<'a>>) -> Self {
        Self::Failed { at, how: format!("{how}: "), why }
    }

    pub(super) fn no_message(events: &[Node<'_>]) -> Self {
        Self::NoMessage(whole(events))
    }

    /// Takes the text of a node for the final message.
    pub(super) fn message_in(node: Option<&Node<'_>>, events: &[Node<'_>]) -> Self {
        match node {
            Some(Node { span, value: Value::String(text) }) => Self::Message(text.to_string(), *span),
            _ => Self::no_message(events),
        }
    }
}

/// Returns the `type` of an event.
pub(super) fn kind<'n>(event: &'n Node<'_>) -> &'n str {
    text_at(event, &["type"]).unwrap_or_default()
}

/// Returns the last event of a type.
pub(super) fn last_of<'n, 'a>(events: &'n [Node<'a>], of: &str) -> Option<&'n Node<'a>> {
    events.iter().rfind(|event| kind(event) == of)
}

/// Returns the place of all events together.
pub(super) fn whole(events: &[Node<'_>]) -> Span {
    let start = events.first().map_or(0, |event| event.span.start);
    Span::new(start, events.last().map_or(start, |event| event.span.end))
}

/// Returns the node at a path.
pub(super) fn at<'n, 'a>(node: &'n Node<'a>, path: &[&str]) -> Option<&'n Node<'a>> {
    path.iter().try_fold(node, |node, name| node.get(name))
}

/// Returns the text at a path.
pub(super) fn text_at<'n>(node: &'n Node<'_>, path: &[&str]) -> Option<&'n str> {
    match &at(node, path)?.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the number at a path, whole and not negative.
pub(super) fn count_at(node: &Node<'_>, path: &[&str]) -> Option<u64> {
    match &at(node, path)?.value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    }
}

/// Returns the dollars at a path in micro-dollars, rounded.
pub(super) fn cost_at(node: &Node<'_>, path: &[&str]) -> Option<u64> {
    let Value::Number(text) = &at(node, path)?.value else { return None };
    // Small amounts are spelled with an exponent.
    let text = text.parse::<f64>().ok().filter(|dollars| dollars.is_finite() && *dollars >= 0.0)?;
    micro_dollars(&format!("{text:.6}"))
}

/// Returns the sum of the numbers at some paths, if the first of them is there.
pub(super) fn sum_at(node: &Node<'_>, paths: &[&[&str]]) -> Option<u64> {
    count_at(node, paths.first()?)?;
    Some(paths.iter().filter_map(|path| count_at(node, path)).fold(0, u64::saturating_add))
}

/// Returns the sum of the usages of all events; `None` if no event has one.
pub(super) fn summed(events: &[Node<'_>], of: impl Fn(&Node<'_>) -> Option<Usage>) -> Option<Usage> {
    events.iter().filter_map(of).reduce(Usage::and)
}
