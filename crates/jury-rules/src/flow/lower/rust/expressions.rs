//! The expressions and types of Rust. In: a node. Out: an expression of the unit; code that could not be parsed keeps
//! its calls.

use super::super::super::ir::{Arg, ExprId, Kind};
use super::super::parts;
use super::{Rust, held, is_number};
use crate::nodes::Node;

impl<'t> Rust<'t> {
    pub(super) fn field(&mut self, node: Node<'_>, name: &str) -> ExprId {
        match node.child_by_field_name(name) {
            Some(part) => self.expr(part),
            None => self.low.other(Vec::new(), node),
        }
    }

    fn exprs(&mut self, nodes: Vec<Node<'_>>) -> Vec<ExprId> {
        nodes.into_iter().map(|node| self.expr(node)).collect()
    }

    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "identifier" | "type_identifier" | "primitive_type" | "field_identifier" | "crate" | "super" => {
                self.identifier(node)
            }
            "self" => self.low.implied("this", node),
            "scoped_identifier" | "scoped_type_identifier" => {
                let name = node.child_by_field_name("name").map_or("", |name| self.low.text(name));
                match node.child_by_field_name("path") {
                    Some(path) => {
                        let object = self.expr(path);
                        self.low.add(Kind::Member(object, name), node)
                    }
                    None => self.low.add(Kind::Name(name), node),
                }
            }
            "generic_function" => self.field(node, "function"),
            "generic_type" | "generic_type_with_turbofish" => self.field(node, "type"),
            "bracketed_type" | "qualified_type" => self.first(node),
            "string_literal" | "raw_string_literal" => {
                let text = content(self.low.text(node));
                self.low.add(Kind::Text(text), node)
            }
            "integer_literal" | "float_literal" | "boolean_literal" | "char_literal" | "negative_literal" => {
                let text = self.low.text(node);
                self.low.add(Kind::Literal(text), node)
            }
            "field_expression" => {
                let object = self.field(node, "value");
                let name = node.child_by_field_name("field").map_or("", |field| self.low.text(field));
                let member = self.low.add(Kind::Member(object, name), node);
                let is_called =
                    node.parent().is_some_and(|parent| parent.child_by_field_name("function") == Some(node));
                let is_number = !is_called && self.numbers.contains(name);
                if is_number { self.low.add(Kind::Cast("u64", member), node) } else { member }
            }
            "index_expression" => match self.exprs(parts(node))[..] {
                [object, index] => self.low.add(Kind::Index(object, index), node),
                ref inner => self.low.other(inner.to_vec(), node),
            },
            "call_expression" => self.call(node),
            "macro_invocation" => self.macro_call(node),
            "struct_expression" => self.structure_value(node),
            "tuple_expression" | "array_expression" => {
                let items = self.exprs(parts(node));
                self.low.add(Kind::List(items), node)
            }
            "closure_expression" => {
                let function = self.function(node);
                let id = self.low.unit.add_function(function);
                self.low.add(Kind::Function(id), node)
            }
            "binary_expression" => self.binary(node),
            "unary_expression" => match self.low.text(node).as_bytes().first() {
                Some(b'*') => self.first(node),
                _ => {
                    let operator = self.low.text(node).get(..1).unwrap_or("");
                    let operands = self.exprs(parts(node));
                    self.low.add(Kind::Operation(operator, operands), node)
                }
            },
            "range_expression" => {
                let operands = self.exprs(parts(node));
                self.low.add(Kind::Operation("..", operands), node)
            }
            "type_cast_expression" => {
                let of = node.child_by_field_name("type").map_or("", |of| self.low.text(of));
                let value = self.field(node, "value");
                self.low.add(Kind::Cast(of, value), node)
            }
            "reference_expression" => self.field(node, "value"),
            "parenthesized_expression" | "await_expression" | "try_expression" => self.first(node),
            "if_expression" if node.child_by_field_name("alternative").is_some() => self.by_arms(node),
            "match_expression" => self.by_arms(node),
            "if_expression"
            | "return_expression"
            | "break_expression"
            | "continue_expression"
            | "for_expression"
            | "while_expression"
            | "loop_expression"
            | "block"
            | "unsafe_block"
            | "async_block"
            | "const_block"
            | "try_block"
            | "assignment_expression"
            | "compound_assignment_expr" => self.value(node).unwrap_or_else(|| self.low.other(Vec::new(), node)),
            _ => {
                let inner = self.exprs(parts(node));
                self.low.other(inner, node)
            }
        }
    }

    pub(super) fn first(&mut self, node: Node<'_>) -> ExprId {
        match parts(node).into_iter().find(|part| part.kind() != "mutable_specifier") {
            Some(one) => self.expr(one),
            None => self.low.other(Vec::new(), node),
        }
    }

    fn identifier(&mut self, node: Node<'_>) -> ExprId {
        match (self.low.text(node), self.class) {
            ("Self", Some(class)) => self.low.implied(class, node),
            (name, _) => self.low.implied(name, node),
        }
    }

    fn call(&mut self, node: Node<'_>) -> ExprId {
        let callee = self.field(node, "function");
        let args = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        // `x.unwrap_or(0)` is a number.
        let has_number = matches!(args[..], [only] if is_number(only) || only.kind() == "boolean_literal");
        let args = self.exprs(args).into_iter().map(|value| Arg { name: None, value }).collect();
        let is_number = has_number && matches!(self.low.unit.kind(callee), Kind::Member(_, "unwrap_or"));
        let call = self.low.add(Kind::Call { callee, args }, node);
        if is_number { self.low.add(Kind::Cast("u64", call), node) } else { call }
    }

    fn structure_value(&mut self, node: Node<'_>) -> ExprId {
        let callee = self.field(node, "name");
        let body = node.child_by_field_name("body");
        let mut record = Vec::new();
        for field in body.map(parts).unwrap_or_default() {
            let key = field.child_by_field_name("field").map(|key| self.low.text(key));
            match (field.kind(), key) {
                ("field_initializer", Some(key)) => record.push((Some(key), self.field(field, "value"))),
                ("shorthand_field_initializer", _) => {
                    let value = self.first(field);
                    record.push((Some(self.low.text(field)), value));
                }
                _ => record.push((None, self.first(field))),
            }
        }
        let value = self.low.add(Kind::Record(record), body.unwrap_or(node));
        self.low.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
    }

    /// A chain of `+` is one text; its length adds no depth.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = self.operator(node);
        if operator != "+" {
            let operands = vec![self.field(node, "left"), self.field(node, "right")];
            return self.low.add(Kind::Operation(operator, operands), node);
        }
        let mut operands = Vec::new();
        let mut rest = Some(node);
        while let Some(sum) = rest {
            operands.extend(sum.child_by_field_name("right"));
            let left = sum.child_by_field_name("left");
            rest = left.filter(|left| left.kind() == "binary_expression" && self.operator(*left) == "+");
            operands.extend(left.filter(|_| rest.is_none()));
        }
        operands.reverse();
        let is_arithmetic = operands.iter().any(|operand| is_number(*operand));
        let operands = self.exprs(operands);
        self.low.add(if is_arithmetic { Kind::Operation("+", operands) } else { Kind::Concat(operands) }, node)
    }

    pub(super) fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator))
    }

    /// A type as a path, without references and parameters; a wrapper around a number is the number.
    pub(super) fn of(&mut self, node: Node<'_>) -> Option<ExprId> {
        let arguments = held(node).parent().and_then(|parent| parent.child_by_field_name("type_arguments"));
        if let [one] = arguments.map(parts).unwrap_or_default()[..]
            && one.kind() == "primitive_type"
            && self.low.text(one) != "str"
        {
            return Some(self.low.name(one));
        }
        match held(node) {
            of if matches!(of.kind(), "type_identifier" | "primitive_type" | "scoped_type_identifier") => {
                Some(self.expr(of))
            }
            _ => None,
        }
    }
}

/// Returns the text between the quotes of a string of any kind.
pub(super) fn content(text: &str) -> &str {
    let inside = text.find('"').map(|at| &text[at + 1..]);
    inside.and_then(|rest| rest.rfind('"').map(|at| &rest[..at])).unwrap_or(text)
}
