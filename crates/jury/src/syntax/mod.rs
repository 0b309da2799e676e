//! Text to trees with places: the base of every format and every stage that reads text.
//!
//! In: bytes of unknown worth. Out: a checked [`Source`], a tree of [`Node`]s that know where they stand, and
//! [`Deviation`]s that name a reason and a place. Deliberately not here: the meaning of any key.

mod acting;
mod deviation;
pub mod diff;
mod fields;
pub mod hunks;
pub mod json;
pub mod kdl;
mod node;
mod source;
pub mod toml_tree;
pub mod xml;
pub mod yaml;

pub use acting::acts;
pub use deviation::{Deviation, Limits};
pub use fields::{Fields, Reader, Unknown};
pub use node::{Member, Node, Value};
pub use source::{Position, Source, Span};
