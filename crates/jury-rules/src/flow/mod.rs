//! Rules over calls, values and taint. In: a file's syntax tree and the flow rules for its language. Out: matches.
//! The parts: `lower` makes the shapes of `ir` out of a tree.

pub(crate) mod ir;
pub(crate) mod lower;
