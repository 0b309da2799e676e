//! Lowers a syntax tree to `ir`. In: the tree of a file in one language. Out: a `Unit`. One file per family of
//! languages, each shaped like its siblings. Deliberately not here: any knowledge about library functions.

use super::ir::{Block, ExprId, Kind, Stmt, Unit};
use crate::language::Language;
use crate::nodes::Node;

mod arms;
mod bash;
mod csharp;
mod dockerfile;
mod go;
mod holes;
mod java;
mod php;
mod python;
mod ruby;
mod rust;
mod script;
mod yaml;

/// Lowers a file.
pub(crate) fn lower<'t>(language: Language, root: Option<Node<'_>>, text: &'t str) -> Option<Unit<'t>> {
    match (language, root) {
        (Language::Bash, Some(root)) => Some(bash::lower(root, text)),
        (Language::CSharp, Some(root)) => Some(csharp::lower(root, text)),
        (Language::Dockerfile, _) => Some(dockerfile::lower(text)),
        (Language::Go, Some(root)) => Some(go::lower(root, text)),
        (Language::Java, Some(root)) => Some(java::lower(root, text)),
        (Language::JavaScript | Language::Tsx | Language::TypeScript, Some(root)) => Some(script::lower(root, text)),
        (Language::Php, Some(root)) => Some(php::lower(root, text)),
        (Language::Python, Some(root)) => Some(python::lower(root, text)),
        (Language::Ruby, Some(root)) => Some(ruby::lower(root, text)),
        (Language::Rust, Some(root)) => Some(rust::lower(root, text)),
        (Language::Yaml, Some(root)) => Some(yaml::lower(root, text)),
        _ => None,
    }
}

/// The common state of all lowerers: the text, and the unit they fill.
pub(crate) struct Lowering<'t> {
    pub(crate) text: &'t str,
    pub(crate) unit: Unit<'t>,
}

impl<'t> Lowering<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, unit: Unit::default() }
    }

    /// Returns the text of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'t str {
        &self.text[node.byte_range()]
    }

    /// Adds an expression at the position of a node.
    pub(crate) fn add(&mut self, kind: Kind<'t>, node: Node<'_>) -> ExprId {
        self.unit.add(kind, node.byte_range())
    }

    /// Adds a name.
    pub(crate) fn name(&mut self, node: Node<'_>) -> ExprId {
        let text = self.text(node);
        self.add(Kind::Name(text), node)
    }

    /// Adds a name that the code does not spell out, such as `this`.
    pub(crate) fn implied(&mut self, name: &'t str, node: Node<'_>) -> ExprId {
        self.add(Kind::Name(name), node)
    }

    /// Adds an unknown value.
    pub(crate) fn other(&mut self, parts: Vec<ExprId>, node: Node<'_>) -> ExprId {
        self.add(Kind::Other(parts), node)
    }
}

/// Returns the named children of a node, without comments. Parse errors stay: they may contain calls.
pub(crate) fn parts<'n>(node: Node<'n>) -> Vec<Node<'n>> {
    node.named_children().filter(|child| !child.is_extra() || child.is_error()).collect()
}

/// Returns the children of a node in a field.
pub(crate) fn fields<'n>(node: Node<'n>, name: &str) -> Vec<Node<'n>> {
    node.children_by_field_name(name).collect()
}

/// Turns a block into one statement.
pub(crate) fn block(statements: Block) -> Stmt {
    Stmt::Block(statements)
}

/// The largest number of arms that are lowered with their tests: a chain of tests nests as deep as it is long.
pub(crate) const MOST_TESTED_ARMS: usize = 40;

/// Turns arms that are tried in order into one statement; the arm without a test is the last.
pub(crate) fn chain(arms: Vec<(Option<ExprId>, Block)>) -> Block {
    if arms.len() > MOST_TESTED_ARMS {
        let has_default = arms.iter().any(|(test, _)| test.is_none());
        let mut blocks: Vec<Block> = arms.into_iter().map(|(_, body)| body).collect();
        if !has_default {
            blocks.push(Block::new());
        }
        return vec![Stmt::OneOf(blocks)];
    }
    let (tested, untested): (Vec<_>, Vec<_>) = arms.into_iter().partition(|(test, _)| test.is_some());
    let mut otherwise: Block = untested.into_iter().flat_map(|(_, body)| body).collect();
    for (test, then) in tested.into_iter().rev() {
        let Some(test) = test else { continue };
        otherwise = vec![Stmt::If { test, then, otherwise }];
    }
    otherwise
}

/// Tells whether a node is small enough to be lowered again for every arm of a switch over it.
pub(crate) fn is_small(node: Node<'_>) -> bool {
    node.descendant_count() <= 24
}

#[cfg(test)]
pub(crate) mod show;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::nodes::Nodes;

    /// Lowers a text and shows the result.
    pub(crate) fn lowered(language: Language, text: &str) -> String {
        let nodes = Nodes::parsed(language, text);
        show::show(&lower(language, Some(nodes.root()), text).expect("the language is lowered"))
    }
}
