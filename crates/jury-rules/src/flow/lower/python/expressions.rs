//! The expressions of Python. In: a node. Out: an expression of the unit; code that could not be parsed keeps its
//! calls.

use super::super::super::ir::{Arg, ExprId, Kind};
use super::super::{fields, parts};
use super::Python;
use crate::nodes::Node;

impl<'t> Python<'t> {
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "identifier" => self.identifier(node),
            "parenthesized_expression"
            | "await"
            | "list_splat"
            | "list_splat_pattern"
            | "dictionary_splat"
            | "dictionary_splat_pattern"
            | "as_pattern_target"
            | "type"
            | "expression_statement" => self.inner(node),
            "as_pattern" => match node.named_child(0) {
                Some(value) => self.expr(value),
                None => self.unknown(node),
            },
            "integer" | "float" | "true" | "false" | "none" | "ellipsis" => self.literal(node),
            "string" => self.string(node),
            "concatenated_string" => self.joined(node),
            "attribute" => self.attribute(node),
            "subscript" => self.subscript(node),
            "call" => self.call(node),
            "binary_operator" => self.binary(node),
            "boolean_operator" => self.boolean(node),
            "comparison_operator" => self.comparison(node),
            "not_operator" => self.negation(node),
            "unary_operator" => self.unary(node),
            "conditional_expression" => self.conditional(node),
            "named_expression" => self.assigned(node, "name", "value"),
            "assignment" | "augmented_assignment" => self.assigned(node, "left", "right"),
            "lambda" => {
                let id = self.function(node, Vec::new());
                self.to.add(Kind::Function(id), node)
            }
            "list" | "tuple" | "set" | "expression_list" | "pattern_list" | "tuple_pattern" | "list_pattern" => {
                let items = self.all(node);
                self.to.add(Kind::List(items), node)
            }
            "union_pattern" => {
                let values = self.all(node);
                self.to.add(Kind::Choice(values), node)
            }
            "dictionary" => self.dictionary(node),
            "list_comprehension" | "set_comprehension" | "generator_expression" | "dictionary_comprehension" => {
                self.comprehension(node)
            }
            _ => self.unknown(node),
        }
    }

    pub(super) fn all(&mut self, node: Node<'_>) -> Vec<ExprId> {
        parts(node).into_iter().map(|part| self.expr(part)).collect()
    }

    /// Lowers the value of a node that has at most one; several are a list.
    pub(super) fn only(&mut self, node: Node<'_>) -> Option<ExprId> {
        parts(node).first().map(|part| self.expr(*part))
    }

    pub(super) fn inner(&mut self, node: Node<'_>) -> ExprId {
        match parts(node).as_slice() {
            [only] => self.expr(*only),
            // The target of an `as` may be a name that is its own token.
            [] if node.kind() == "as_pattern_target" => self.to.name(node),
            _ => self.unknown(node),
        }
    }

    fn unknown(&mut self, node: Node<'_>) -> ExprId {
        let values = self.all(node);
        self.to.other(values, node)
    }

    /// Lowers the node in a field; a missing one is unknown.
    pub(super) fn field(&mut self, node: Node<'_>, field: &str) -> ExprId {
        match node.child_by_field_name(field) {
            Some(child) => self.expr(child),
            None => self.to.other(Vec::new(), node),
        }
    }

    pub(super) fn pair(&mut self, node: Node<'_>, left: &str, right: &str) -> Option<[ExprId; 2]> {
        let [left, right] = [node.child_by_field_name(left)?, node.child_by_field_name(right)?];
        let left = self.expr(left);
        Some([left, self.expr(right)])
    }

    pub(super) fn identifier(&mut self, node: Node<'_>) -> ExprId {
        match self.to.text(node) {
            "self" | "cls" => self.to.implied("this", node),
            _ => self.to.name(node),
        }
    }

    fn literal(&mut self, node: Node<'_>) -> ExprId {
        let text = self.to.text(node);
        self.to.add(Kind::Literal(text), node)
    }

    pub(super) fn is_number(&self, id: ExprId) -> bool {
        matches!(self.to.unit.kind(id), Kind::Literal(text) if text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit() || c == '.'))
    }

    pub(super) fn attribute(&mut self, node: Node<'_>) -> ExprId {
        let object = self.field(node, "object");
        let name = node.child_by_field_name("attribute").map_or("", |name| self.to.text(name));
        self.to.add(Kind::Member(object, name), node)
    }

    pub(super) fn subscript(&mut self, node: Node<'_>) -> ExprId {
        let object = self.field(node, "value");
        let indices: Vec<ExprId> = fields(node, "subscript").into_iter().map(|index| self.expr(index)).collect();
        let index = match indices.as_slice() {
            [only] => *only,
            _ => self.to.add(Kind::List(indices), node),
        };
        self.to.add(Kind::Index(object, index), node)
    }

    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let callee = self.field(node, "function");
        let given = node.child_by_field_name("arguments");
        let args = match given {
            Some(list) if list.kind() == "argument_list" => {
                parts(list).into_iter().map(|part| self.argument(part)).collect()
            }
            Some(generator) => vec![Arg { name: None, value: self.expr(generator) }],
            None => Vec::new(),
        };
        self.text_made(callee, &args, node).unwrap_or_else(|| self.to.add(Kind::Call { callee, args }, node))
    }

    /// Lowers an argument; a spread into the list has the name `*`, a spread into the keywords `**`.
    fn argument(&mut self, node: Node<'_>) -> Arg<'t> {
        match node.kind() {
            "keyword_argument" => {
                let name = node.child_by_field_name("name").map(|name| self.to.text(name));
                Arg { name, value: self.field(node, "value") }
            }
            "list_splat" => Arg { name: Some("*"), value: self.inner(node) },
            "dictionary_splat" => Arg { name: Some("**"), value: self.inner(node) },
            _ => Arg { name: None, value: self.expr(node) },
        }
    }

    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.to.text(operator));
        let operands = self.operands(node, operator);
        let has_number = operands.iter().any(|id| self.is_number(*id));
        match operator {
            "+" if !has_number => self.sum(operands, node),
            "%" if !has_number && operands.len() == 2 => self.formatted(operands[0], operands[1], node),
            "/" if operands.iter().any(|id| self.is_path(*id)) => self.path(operands, node),
            "*" if operands.len() == 2 && self.is_repeated(operands[0]) => {
                let kind = Kind::If { test: operands[1], then: operands[0], otherwise: operands[0] };
                self.to.add(kind, node)
            }
            "|" if !has_number => self.to.add(Kind::Choice(operands), node),
            _ => self.to.add(Kind::Operation(operator, operands), node),
        }
    }

    /// Lowers the operands of `a + b + c` from left to right, however many there are.
    fn operands(&mut self, node: Node<'_>, operator: &str) -> Vec<ExprId> {
        let mut operands = Vec::new();
        let mut left = Some(node);
        while let Some(at) = left {
            let again = at.kind() == "binary_operator"
                && at.child_by_field_name("operator").is_some_and(|it| self.to.text(it) == operator)
                // A `%` to the left has its own values.
                && (operator != "%" || at == node);
            if !again {
                operands.push(at);
                break;
            }
            operands.extend(at.child_by_field_name("right"));
            left = at.child_by_field_name("left");
        }
        operands.into_iter().rev().map(|operand| self.expr(operand)).collect()
    }

    /// Adds lists to one list, and anything else to a text.
    fn sum(&mut self, operands: Vec<ExprId>, node: Node<'_>) -> ExprId {
        if operands.iter().any(|id| matches!(self.to.unit.kind(*id), Kind::List(_))) {
            let items = operands.iter().flat_map(|id| match self.to.unit.kind(*id) {
                Kind::List(items) => items.clone(),
                _ => vec![*id],
            });
            let items = items.collect();
            return self.to.add(Kind::List(items), node);
        }
        let parts = self.flat(&operands);
        self.to.add(Kind::Concat(parts), node)
    }

    /// Splits concatenated texts again, one level deep.
    pub(super) fn flat(&self, ids: &[ExprId]) -> Vec<ExprId> {
        let parts = ids.iter().flat_map(|id| match self.to.unit.kind(*id) {
            Kind::Concat(parts) => parts.clone(),
            _ => vec![*id],
        });
        parts.collect()
    }

    fn is_path(&self, id: ExprId) -> bool {
        let expr = self.to.unit.expr(id);
        let said = self.to.text[expr.start as usize..expr.end as usize].to_ascii_lowercase();
        let names = ["path", "dir", "root", "folder", "base", "home", "upload", "media", "static"];
        match expr.kind {
            Kind::Text(_) | Kind::Concat(_) => true,
            Kind::Name(_) | Kind::Member(..) | Kind::Call { .. } => names.iter().any(|name| said.contains(name)),
            _ => false,
        }
    }

    pub(super) fn path(&mut self, operands: Vec<ExprId>, node: Node<'_>) -> ExprId {
        let mut values = operands.into_iter();
        let Some(first) = values.next() else { return self.to.other(Vec::new(), node) };
        let callee = self.to.add(Kind::Member(first, "joinpath"), node);
        let args = values.map(|value| Arg { name: None, value }).collect();
        self.to.add(Kind::Call { callee, args }, node)
    }

    fn is_repeated(&self, id: ExprId) -> bool {
        matches!(self.to.unit.kind(id), Kind::Text(_) | Kind::List(_))
    }

    fn boolean(&mut self, node: Node<'_>) -> ExprId {
        let Some([left, right]) = self.pair(node, "left", "right") else { return self.unknown(node) };
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.to.text(operator));
        self.to.add(
            if operator == "or" { Kind::Choice(vec![left, right]) } else { Kind::Operation("&&", vec![left, right]) },
            node,
        )
    }

    fn comparison(&mut self, node: Node<'_>) -> ExprId {
        let operator = node.child_by_field_name("operators").map_or("", |operator| self.to.text(operator));
        let operator = match operator.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["not", "in"] => "not in",
            ["is", "not"] => "!=",
            ["is"] => "==",
            _ => operator,
        };
        let operands = self.all(node);
        self.to.add(Kind::Operation(operator, operands), node)
    }

    fn negation(&mut self, node: Node<'_>) -> ExprId {
        let value = self.field(node, "argument");
        self.to.add(Kind::Operation("!", vec![value]), node)
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.to.text(operator));
        let value = self.field(node, "argument");
        match operator {
            "-" if self.is_number(value) => self.literal(node),
            _ => self.to.add(Kind::Operation(operator, vec![value]), node),
        }
    }

    fn conditional(&mut self, node: Node<'_>) -> ExprId {
        let values = self.all(node);
        match values.as_slice() {
            &[then, test, otherwise] => self.to.add(Kind::If { test, then, otherwise }, node),
            _ => self.to.other(values, node),
        }
    }

    fn assigned(&mut self, node: Node<'_>, target: &str, value: &str) -> ExprId {
        let Some(right) = node.child_by_field_name(value) else { return self.unknown(node) };
        let value = self.expr(right);
        let target = self.field(node, target);
        self.to.add(Kind::Assign { target, value }, node)
    }

    fn dictionary(&mut self, node: Node<'_>) -> ExprId {
        let mut entries = Vec::new();
        for part in parts(node) {
            let key = part.child_by_field_name("key").map(|key| self.key(key));
            let value = match part.kind() {
                "pair" => self.field(part, "value"),
                _ => self.expr(part),
            };
            entries.push((key, value));
        }
        self.to.add(Kind::Record(entries), node)
    }

    /// Returns the text of a key, or the source of a computed one.
    fn key(&self, node: Node<'_>) -> &'t str {
        let content = node.named_child(1).filter(|inner| inner.kind() == "string_content");
        let is_plain = node.kind() == "string" && node.named_child_count() == 3;
        self.to.text(content.filter(|_| is_plain).unwrap_or(node))
    }

    /// Lowers a comprehension: each variable gets the items of its iterable, and each condition precedes the code that
    /// it guards.
    pub(super) fn comprehension(&mut self, node: Node<'_>) -> ExprId {
        let mut tests = Vec::new();
        for clause in parts(node) {
            match clause.kind() {
                "for_in_clause" => tests.push(self.assigned(clause, "left", "right")),
                "if_clause" => tests.extend(self.only(clause)),
                _ => {}
            }
        }
        let body = node.child_by_field_name("body");
        let items = match body {
            Some(pair) if pair.kind() == "pair" => self.pair(pair, "key", "value").map(Vec::from).unwrap_or_default(),
            Some(body) => vec![self.expr(body)],
            None => Vec::new(),
        };
        let mut made = self.to.add(Kind::List(items), node);
        for test in tests.into_iter().rev() {
            let none = self.to.add(Kind::List(Vec::new()), node);
            made = self.to.add(Kind::If { test, then: made, otherwise: none }, node);
        }
        made
    }
}
