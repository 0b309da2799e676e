//! The accounts of a document: every leaf of its tree is part of a claim, known to state none, or unread (DESIGN §6).
//!
//! In: a Markdown text and the spans of the claims that the readers understood. Out: each leaf with its fate. An unread leaf
//! is one that could be a claim; a known sibling, or "None" elsewhere, never speaks for it. Deliberately not here: the
//! reading of claims, and the gaps that follow (`markdown`).

mod checks;
mod counts;
mod fate;
mod fates;
mod mark;
mod structure;
mod tree;
mod wording;

pub(super) use counts::stated as stated_count;
pub use fate::{Fate, NonClaim, Unread};
pub(super) use mark::code_of as code;
pub(super) use structure::structure;

use super::rating::Legend;
use crate::syntax::Span;

/// A leaf of a document and its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its own text in the document, without nested leaves.
    pub span: Span,
    /// What became of it.
    pub fate: Fate,
}

/// The places of the claims in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claims<'a> {
    /// Those that were understood, or rejected for another reason than a missing severity.
    pub(super) entered: &'a [Span],
    /// Those without a severity, whose fate is to be decided.
    pub(super) undecided: &'a [Span],
}

/// Returns every leaf of a text, from an offset on, with its fate.
pub(super) fn account(text: &str, from: usize, claims: Claims<'_>, legend: &Legend) -> Vec<Leaf> {
    let tree = tree::Tree::of(text, from);
    fates::of(&tree, claims, legend)
}
