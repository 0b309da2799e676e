//! The macros of Rust. In: a macro call, whose arguments the tree has as loose tokens. Out: those arguments, parsed and
//! lowered, and format strings as texts with holes.

use std::convert::Infallible;

use tree_sitter::{Point, Range};

use super::super::super::ir::{Arg, ExprId, Kind};
use super::super::parts;
use super::Rust;
use super::expressions::content;
use crate::language::Language;
use crate::nodes::{Node, Nodes};

/// The deepest nesting of macros whose arguments are read: each is parsed again for every one around it.
const DEEPEST_MACRO: usize = 8;

impl<'t> Rust<'t> {
    /// `format!(…)` is its resulting text; any other macro is a call, and its formatted text is one argument.
    pub(super) fn macro_call(&mut self, node: Node<'_>) -> ExprId {
        let callee = self.field(node, "macro");
        let name = match self.low.unit.kind(callee) {
            Kind::Name(name) | Kind::Member(_, name) => *name,
            _ => "",
        };
        let list = parts(node).into_iter().find(|part| part.kind() == "token_tree");
        let args = list.map(|list| self.macro_args(list)).unwrap_or_default();
        match (name, &args[..]) {
            ("vec", _) => {
                let items = args.into_iter().map(|arg| arg.value).collect();
                self.low.add(Kind::List(items), node)
            }
            ("format" | "format_args" | "concat", [one]) => one.value,
            ("concat", _) => {
                let parts = args.into_iter().map(|arg| arg.value).collect();
                self.low.add(Kind::Concat(parts), node)
            }
            _ => self.low.add(Kind::Call { callee, args }, node),
        }
    }

    /// Parses the arguments of a macro and lowers them.
    pub(super) fn macro_args(&mut self, list: Node<'_>) -> Vec<Arg<'t>> {
        if self.depth >= DEEPEST_MACRO {
            return Vec::new();
        }
        let Some(mut parser) = self.parser.take() else { return Vec::new() };
        // Line numbers are not needed.
        let range = |bytes: std::ops::Range<usize>| {
            let [start_point, end_point] = [bytes.start, bytes.end].map(|column| Point { row: 0, column });
            Range { start_byte: bytes.start, end_byte: bytes.end, start_point, end_point }
        };
        // Without its semicolon an expression is not a statement, and the parser tries every alternative before it
        // inserts one; so it gets the next semicolon of the text.
        let end = list.end_byte();
        let semicolon = self.low.text[end..].find(';').map(|at| range(end + at..end + at + 1));
        let ranges: Vec<Range> = [range(list.byte_range())].into_iter().chain(semicolon).collect();
        let tree = parser.set_included_ranges(&ranges).ok().and_then(|()| parser.parse(self.low.text, None));
        self.parser = Some(parser);
        let Some(tree) = tree else { return Vec::new() };
        let Ok(tree) = Nodes::of(Language::Rust, tree.root_node(), |_, _| Ok::<(), Infallible>(()));
        let mut nodes = parts(tree.root());
        while let [one] = nodes[..] {
            if !matches!(
                one.kind(),
                "expression_statement" | "tuple_expression" | "parenthesized_expression" | "array_expression" | "ERROR"
            ) {
                break;
            }
            let is_list = one.kind() != "expression_statement" && one.kind() != "ERROR";
            nodes = parts(one);
            if is_list {
                break;
            }
        }
        self.depth += 1;
        let args = self.formatted(nodes);
        self.depth -= 1;
        args
    }

    /// Arguments of which the first text with holes takes the following ones.
    fn formatted(&mut self, nodes: Vec<Node<'_>>) -> Vec<Arg<'t>> {
        let is_format = |node: &Node<'_>| node.kind().ends_with("string_literal") && self.low.text(*node).contains('{');
        let at = nodes.iter().position(is_format).unwrap_or(nodes.len());
        let mut args = Vec::new();
        for node in &nodes[..at] {
            args.push(Arg { name: None, value: self.expr(*node) });
        }
        if let Some((format, rest)) = nodes[at..].split_first() {
            let value = self.holes(*format, rest);
            args.push(Arg { name: None, value });
        }
        args
    }

    /// `"a {x} {} {0} {y:>5} {{}}"` and its arguments as one text.
    pub(super) fn holes(&mut self, format: Node<'_>, rest: &[Node<'_>]) -> ExprId {
        let mut named: Vec<(&'t str, ExprId)> = Vec::new();
        let mut positional: Vec<ExprId> = Vec::new();
        for node in rest {
            let name = node.child_by_field_name("left").filter(|_| node.kind() == "assignment_expression");
            match name {
                Some(name) => named.push((self.low.text(name), self.field(*node, "right"))),
                None => positional.push(self.expr(*node)),
            }
        }
        let text = content(self.low.text(format));
        let start = format.start_byte() + self.low.text(format).find('"').map_or(0, |at| at + 1);
        let mut parts = Vec::new();
        let (mut from, mut at, mut next) = (0, 0, 0);
        let bytes = text.as_bytes();
        while at < bytes.len() {
            let is_doubled = bytes.get(at + 1) == Some(&bytes[at]);
            match bytes[at] {
                b'{' | b'}' if is_doubled => {
                    parts.push(self.low.unit.add(Kind::Text(&text[from..=at]), start + from..start + at + 1));
                    at += 2;
                    from = at;
                }
                b'{' => {
                    let Some(length) = text[at..].find('}') else { break };
                    let name = text[at + 1..at + length].split(':').next().unwrap_or("").trim();
                    if from < at {
                        parts.push(self.low.unit.add(Kind::Text(&text[from..at]), start + from..start + at));
                    }
                    let span = start + at..start + at + length + 1;
                    let value = match (name, name.parse::<usize>()) {
                        ("", _) => {
                            next += 1;
                            positional.get(next - 1).copied()
                        }
                        (_, Ok(index)) => positional.get(index).copied(),
                        _ => named.iter().find(|(known, _)| *known == name).map(|(_, value)| *value),
                    };
                    parts.push(match value {
                        Some(value) => value,
                        None if name == "self" => self.low.unit.add(Kind::Name("this"), span),
                        None if name.is_empty() => self.low.unit.add(Kind::Other(Vec::new()), span),
                        None => self.low.unit.add(Kind::Name(name), span),
                    });
                    at += length + 1;
                    from = at;
                }
                _ => at += 1,
            }
        }
        if from < text.len() {
            parts.push(self.low.unit.add(Kind::Text(&text[from..]), start + from..start + text.len()));
        }
        self.low.add(Kind::Concat(parts), format)
    }
}
