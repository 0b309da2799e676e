//! Limits of the syntax engine. In: a text, or its tree. Out: the reason why it is not reviewed, if it exceeds one. All
//! limits count bytes and steps, never time: the same input is reviewed the same way on any machine (DESIGN §1).

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_language::SupportLang;

use crate::language::Language;
use crate::nodes::Nodes;

/// The largest file of code whose syntax is matched. Text rules have no such limit.
pub(crate) const LARGEST: usize = 2 * 1024 * 1024;
/// The largest file of data whose syntax is matched. A larger one was written by a program; text rules search it.
pub(crate) const LARGEST_DATA: usize = 512 * 1024;
/// The deepest nesting of brackets that is parsed, and of nodes that is walked. Real code stays under a hundred; the
/// cost of each step of a relational rule grows with the depth of the tree.
pub(crate) const DEEPEST: usize = 1_000;
/// The total number of bytes that all match attempts in one file may look at. Real files of the largest size stay under
/// a tenth of it; a file that nests every call in the next does not.
pub(crate) const MOST_WORK: usize = 64 * 1024 * 1024;

/// Checks a text before it is parsed.
pub(crate) fn too_much(text: &str) -> Option<String> {
    if text.len() > LARGEST {
        return Some(format!("larger than {} KiB, so only rules over text were run", LARGEST / 1024));
    }
    // A text with few opening brackets cannot nest deeply. Counting them is fast, with one-byte counters per chunk.
    let opening = |piece: &[u8]| {
        let ones = piece.iter().map(|byte| u8::from(matches!(byte, b'(' | b'[' | b'{')));
        usize::from(ones.fold(0_u8, u8::wrapping_add))
    };
    if text.as_bytes().chunks(usize::from(u8::MAX)).map(opening).sum::<usize>() <= DEEPEST {
        return None;
    }
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Some(too_deep());
        }
    }
    None
}

/// Results of walking a tree.
pub(crate) struct Seen {
    /// The line, from 1, of the first part that could not be parsed.
    pub(crate) broken_from: Option<usize>,
    /// All nodes, so that later searches need not walk the tree.
    pub(crate) nodes: Nodes,
}

/// Checks a tree before it is matched: nesting needs no brackets (`a + a + …`, `!!…`).
pub(crate) fn look_over(language: Language, tree: &AstGrep<StrDoc<SupportLang>>) -> Result<Seen, String> {
    let root = tree.root().get_inner_node();
    let has_error = root.has_error();
    let mut broken_from = None;
    let nodes = Nodes::of(language, root, |node, depth| {
        if depth > DEEPEST {
            return Err(too_deep());
        }
        if has_error
            && broken_from.is_none()
            && (node.is_error() && !is_character(node, tree.source()) || node.is_missing())
        {
            broken_from = Some(node.start_position().row + 1);
        }
        Ok(())
    })?;
    Ok(Seen { broken_from, nodes })
}

/// Tells whether an error is a plain `&` in the text or an attribute of JSX: the grammar takes it for the start of a
/// character reference, and HTML does not.
fn is_character(error: tree_sitter::Node<'_>, text: &str) -> bool {
    let Some(parent) = error.parent() else { return false };
    let said = text.get(error.byte_range()).unwrap_or_default();
    let is_plain = !said.contains(['<', '>', '{', '}']);
    match parent.kind() {
        // Between the quotes there is nothing but text.
        "string" => is_plain && parent.parent().is_some_and(|outer| outer.kind() == "jsx_attribute"),
        "jsx_element" | "jsx_fragment" => is_plain && said.starts_with('&'),
        _ => false,
    }
}

fn too_deep() -> String {
    format!("nested deeper than {DEEPEST} levels, so only rules over text were run")
}
