//! Lowers TypeScript, TSX and JavaScript.

use tree_sitter::Node;

use super::super::ir::Unit;
use super::Lowering;

/// Lowers a file.
pub(crate) fn lower<'t>(_root: Node<'_>, text: &'t str) -> Unit<'t> {
    Lowering::new(text).unit
}
