//! The expressions of C#. In: a node. Out: an expression of the unit; code that could not be parsed keeps its calls.

use super::super::super::ir::{Arg, ExprId, Kind};
use super::super::parts;
use super::CSharp;
use crate::nodes::Node;

impl<'t> CSharp<'t> {
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "identifier" | "this" | "base" | "predefined_type" | "discard" | "implicit_parameter" => self.to.name(node),
            "generic_name" | "qualified_name" | "alias_qualified_name" | "nullable_type" | "array_type" => {
                match self.path(node) {
                    Some(path) => path,
                    None => self.to.other(Vec::new(), node),
                }
            }
            "parenthesized_expression"
            | "await_expression"
            | "checked_expression"
            | "ref_expression"
            | "constant_pattern"
            | "parenthesized_pattern"
            | "expression_element"
            | "spread_element"
            | "collection_element"
            | "argument"
            | "throw_expression" => match parts(node).last() {
                Some(inner) => self.expr(*inner),
                None => self.to.other(Vec::new(), node),
            },
            "string_literal" | "verbatim_string_literal" | "raw_string_literal" | "character_literal" => {
                let inner = between(self.to.text(node));
                self.to.add(Kind::Text(inner), node)
            }
            "interpolated_string_expression" => self.interpolated(node),
            kind if kind.ends_with("_literal") => self.literal(node),
            "default_expression" => self.literal(node),
            "member_access_expression" => self.member(node),
            "conditional_access_expression" => self.conditional_access(node),
            "element_access_expression" => {
                let object = self.field(node, "expression");
                self.indexed(object, node.child_by_field_name("subscript"), node)
            }
            "invocation_expression" => self.call(node),
            "object_creation_expression" => self.creation(node, node.child_by_field_name("type")),
            "implicit_object_creation_expression" => self.creation(node, None),
            "anonymous_object_creation_expression" => self.anonymous(node),
            "initializer_expression" => self.initializer(node),
            "with_expression" => self.with(node),
            "array_creation_expression"
            | "implicit_array_creation_expression"
            | "stackalloc_expression"
            | "implicit_stackalloc_expression" => {
                match parts(node).into_iter().find(|part| part.kind() == "initializer_expression") {
                    Some(items) => self.list(items),
                    None => self.to.add(Kind::List(Vec::new()), node),
                }
            }
            "collection_expression" | "tuple_expression" | "tuple_pattern" => self.list(node),
            "binary_expression" => self.binary(node),
            "prefix_unary_expression" | "postfix_unary_expression" | "unary_expression" => self.unary(node),
            "is_expression" => {
                let value = self.field(node, "left");
                self.to.add(Kind::Operation("is", vec![value]), node)
            }
            "is_pattern_expression" => self.is_pattern(node),
            "as_expression" => self.cast(node, "left", "right"),
            "cast_expression" => self.cast(node, "value", "type"),
            "conditional_expression" => {
                let test = self.field(node, "condition");
                let then = self.field(node, "consequence");
                let otherwise = self.field(node, "alternative");
                self.to.add(Kind::If { test, then, otherwise }, node)
            }
            "assignment_expression" => {
                let target = self.field(node, "left");
                let value = self.field(node, "right");
                let value = match self.operator(node) {
                    "=" => value,
                    operator => self.combined(operator, target, value, node),
                };
                self.to.add(Kind::Assign { target, value }, node)
            }
            "declaration_expression" => self.field(node, "name"),
            "switch_expression" => self.switch_value(node),
            "lambda_expression" | "anonymous_method_expression" => {
                let function = self.function(node);
                let id = self.to.unit.add_function(function);
                self.to.add(Kind::Function(id), node)
            }
            "typeof_expression" | "sizeof_expression" => self.literal(node),
            _ => {
                let parts = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.to.other(parts, node)
            }
        }
    }

    pub(super) fn field(&mut self, node: Node<'_>, name: &str) -> ExprId {
        match node.child_by_field_name(name) {
            Some(child) => self.expr(child),
            None => self.to.other(Vec::new(), node),
        }
    }

    pub(super) fn first(&mut self, node: Node<'_>) -> Option<ExprId> {
        parts(node).first().map(|part| self.expr(*part))
    }

    pub(super) fn literal(&mut self, node: Node<'_>) -> ExprId {
        let text = self.to.text(node);
        self.to.add(Kind::Literal(text), node)
    }

    pub(super) fn list(&mut self, node: Node<'_>) -> ExprId {
        let items = parts(node).into_iter().map(|item| self.expr(item)).collect();
        self.to.add(Kind::List(items), node)
    }

    pub(super) fn interpolated(&mut self, node: Node<'_>) -> ExprId {
        let mut pieces = Vec::new();
        for part in parts(node) {
            match part.kind() {
                "interpolation" => {
                    let value = parts(part).into_iter().find(|inner| !inner.kind().starts_with("interpolation_"));
                    pieces.extend(value.map(|value| self.expr(value)));
                }
                "string_content" | "escape_sequence" => {
                    let text = self.to.text(part);
                    pieces.push(self.to.add(Kind::Text(text), part));
                }
                _ => {}
            }
        }
        self.to.add(Kind::Concat(pieces), node)
    }

    pub(super) fn member(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = node.child_by_field_name("name").map(|name| self.plain(name)) else {
            return self.to.other(Vec::new(), node);
        };
        let object = self.field(node, "expression");
        self.to.add(Kind::Member(object, name), node)
    }

    /// Lowers `object?.name` and `object?[index]`.
    pub(super) fn conditional_access(&mut self, node: Node<'_>) -> ExprId {
        let object = self.field(node, "condition");
        let condition = node.child_by_field_name("condition");
        match parts(node).into_iter().rfind(|part| Some(*part) != condition) {
            Some(binding) => self.bound(object, binding),
            None => object,
        }
    }

    /// Lowers the part after `object?`: the innermost binding is a member of the object.
    pub(super) fn bound(&mut self, object: ExprId, node: Node<'_>) -> ExprId {
        match node.kind() {
            "member_binding_expression" => {
                let name = node.child_by_field_name("name").map(|name| self.plain(name)).unwrap_or_default();
                self.to.add(Kind::Member(object, name), node)
            }
            "element_binding_expression" => self.indexed(object, Some(node), node),
            "member_access_expression" => {
                let inner = node.child_by_field_name("expression").map_or(object, |inner| self.bound(object, inner));
                let name = node.child_by_field_name("name").map(|name| self.plain(name)).unwrap_or_default();
                self.to.add(Kind::Member(inner, name), node)
            }
            "element_access_expression" => {
                let inner = node.child_by_field_name("expression").map_or(object, |inner| self.bound(object, inner));
                self.indexed(inner, node.child_by_field_name("subscript"), node)
            }
            "invocation_expression" => {
                let callee = node.child_by_field_name("function").map_or(object, |inner| self.bound(object, inner));
                let args = node.child_by_field_name("arguments").map(|list| self.arg_list(list, Some(callee)));
                self.to.add(Kind::Call { callee, args: args.unwrap_or_default() }, node)
            }
            "conditional_access_expression" => {
                let condition = node.child_by_field_name("condition");
                let inner = condition.map_or(object, |inner| self.bound(object, inner));
                match parts(node).into_iter().rfind(|part| Some(*part) != condition) {
                    Some(binding) => self.bound(inner, binding),
                    None => inner,
                }
            }
            _ => self.expr(node),
        }
    }

    pub(super) fn indexed(&mut self, object: ExprId, list: Option<Node<'_>>, node: Node<'_>) -> ExprId {
        let index = match list.and_then(|list| parts(list).first().copied()) {
            Some(index) => self.expr(index),
            None => self.to.other(Vec::new(), node),
        };
        self.to.add(Kind::Index(object, index), node)
    }

    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let function = node.child_by_field_name("function");
        // `nameof(User.Id)` is the text `Id`.
        if let (Some("nameof"), Some(list)) =
            (function.map(|function| self.to.text(function)), node.child_by_field_name("arguments"))
        {
            let named = self.to.text(list).trim_matches(['(', ')', ' ']);
            return self.to.add(Kind::Text(named.rsplit('.').next().unwrap_or(named)), node);
        }
        let callee = match function {
            Some(function) => self.expr(function),
            None => self.to.other(Vec::new(), node),
        };
        let method = matches!(self.to.unit.kind(callee), Kind::Member(..)).then_some(callee);
        let args = node.child_by_field_name("arguments").map(|list| self.arg_list(list, method)).unwrap_or_default();
        self.to.add(Kind::Call { callee, args }, node)
    }

    pub(super) fn arg_list(&mut self, list: Node<'_>, method: Option<ExprId>) -> Vec<Arg<'t>> {
        let mut args: Vec<Arg<'t>> = Vec::new();
        for argument in parts(list) {
            let name = argument.child_by_field_name("name").filter(|_| argument.kind() == "argument");
            let Some(value) = parts(argument).into_iter().rfind(|part| Some(*part) != name) else {
                args.push(Arg { name: name.map(|name| self.to.text(name)), value: self.bare(argument) });
                continue;
            };
            let value = match argument.kind() {
                "argument" => self.passed(value, method, &args),
                _ => self.expr(argument),
            };
            args.push(Arg { name: name.map(|name| self.to.text(name)), value });
        }
        args
    }

    /// Lowers an argument. A variable declared by `out` gets the method's result for the arguments before it:
    /// `query.TryGetValue("id", out var id)`, `Guid.TryParse(text, out var id)`.
    pub(super) fn passed(&mut self, value: Node<'_>, method: Option<ExprId>, before: &[Arg<'t>]) -> ExprId {
        let (Some(callee), "declaration_expression") = (method, value.kind()) else { return self.expr(value) };
        let made = self.to.add(Kind::Call { callee, args: before.to_vec() }, value);
        let target = self.field(value, "name");
        let of = value.child_by_field_name("type").filter(|of| of.kind() != "implicit_type");
        let from = match of.map(|of| self.plain(of)) {
            Some(of) => self.to.add(Kind::Cast(of, made), value),
            None => made,
        };
        self.to.add(Kind::Assign { target, value: from }, value)
    }

    /// Lowers an argument that is a token: `this`.
    pub(super) fn bare(&mut self, argument: Node<'_>) -> ExprId {
        let last = argument.children().last();
        match last.filter(|last| matches!(last.kind(), "this" | "base")) {
            Some(token) => self.to.name(token),
            None => self.to.other(Vec::new(), argument),
        }
    }

    /// Lowers `new T(…) { … }`: the braces are a record, or a list, after the arguments.
    pub(super) fn creation(&mut self, node: Node<'_>, of: Option<Node<'_>>) -> ExprId {
        let callee = match of.and_then(|of| self.path(of)) {
            Some(path) => path,
            None => self.to.other(Vec::new(), node),
        };
        let (mut args, mut set) = (Vec::new(), None);
        for part in parts(node) {
            match part.kind() {
                "argument_list" => args = self.arg_list(part, None),
                "initializer_expression" => set = Some(self.initializer(part)),
                _ => {}
            }
        }
        args.extend(set.map(|value| Arg { name: None, value }));
        self.to.add(Kind::Call { callee, args }, node)
    }

    /// Lowers the braces after `new T`: settings `A = 1`, entries `["a"] = 1` or `{ "a", 1 }`, or items.
    pub(super) fn initializer(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let is_record =
            inner.iter().any(|part| matches!(part.kind(), "assignment_expression" | "initializer_expression"));
        if !is_record {
            return self.list(node);
        }
        let entries = inner.into_iter().map(|part| self.entry(part)).collect();
        self.to.add(Kind::Record(entries), node)
    }

    pub(super) fn entry(&mut self, node: Node<'_>) -> (Option<&'t str>, ExprId) {
        let pair = match node.kind() {
            "assignment_expression" => (node.child_by_field_name("left"), node.child_by_field_name("right")),
            "initializer_expression" => match parts(node).as_slice() {
                [key, value] => (Some(*key), Some(*value)),
                _ => (None, None),
            },
            _ => (None, None),
        };
        match pair {
            (Some(key), Some(value)) => (self.key(key), self.expr(value)),
            _ => (None, self.expr(node)),
        }
    }

    /// Returns the key of an entry, if it is written out.
    pub(super) fn key(&self, node: Node<'_>) -> Option<&'t str> {
        match node.kind() {
            "identifier" => Some(self.to.text(node)),
            kind if kind.ends_with("string_literal") => Some(between(self.to.text(node))),
            "element_binding_expression" | "element_access_expression" | "bracketed_argument_list" | "argument" => {
                parts(node).last().filter(|inner| inner.kind() != "identifier").and_then(|inner| self.key(*inner))
            }
            _ => None,
        }
    }

    /// Lowers `new { A = 1, b, c.D }`.
    pub(super) fn anonymous(&mut self, node: Node<'_>) -> ExprId {
        let mut entries = Vec::new();
        let mut name = None;
        let children: Vec<Node<'_>> = node.children().filter(|child| !child.is_extra()).collect();
        for (index, child) in children.iter().enumerate().filter(|(_, child)| child.is_named()) {
            if child.kind() == "identifier" && children.get(index + 1).is_some_and(|next| next.kind() == "=") {
                name = Some(self.to.text(*child));
                continue;
            }
            let implied = match child.kind() {
                "identifier" => Some(self.to.text(*child)),
                "member_access_expression" => child.child_by_field_name("name").map(|name| self.plain(name)),
                _ => None,
            };
            let value = self.expr(*child);
            entries.push((name.take().or(implied), value));
        }
        self.to.add(Kind::Record(entries), node)
    }

    pub(super) fn with(&mut self, node: Node<'_>) -> ExprId {
        let mut entries = Vec::new();
        for part in parts(node) {
            match (part.kind(), parts(part).as_slice()) {
                ("with_initializer", [key, value]) => {
                    let key = self.to.text(*key);
                    entries.push((Some(key), self.expr(*value)));
                }
                _ => entries.push((None, self.expr(part))),
            }
        }
        self.to.add(Kind::Record(entries), node)
    }

    /// Lowers a binary operation. A chain of the same operator is one operation, unrolled along its left side, so that
    /// long sums need no recursion.
    pub(super) fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = self.operator(node);
        let mut operands = Vec::new();
        let mut at = node;
        loop {
            operands.extend(at.child_by_field_name("right"));
            match at.child_by_field_name("left") {
                Some(left) if left.kind() == "binary_expression" && self.operator(left) == operator => at = left,
                left => break operands.extend(left),
            }
        }
        operands.reverse();
        let has_text = operands.iter().any(|operand| operand.kind().contains("string"));
        let has_number = operands.iter().any(|operand| matches!(operand.kind(), "integer_literal" | "real_literal"));
        let values: Vec<ExprId> = operands.into_iter().map(|operand| self.expr(operand)).collect();
        let kind = match operator {
            "+" if has_text || !has_number => Kind::Concat(values),
            "??" => Kind::Choice(values),
            _ => Kind::Operation(operator, values),
        };
        self.to.add(kind, node)
    }

    /// Lowers `!x`, `-x`, `x++`; `x!` and `&x` are `x`.
    pub(super) fn unary(&mut self, node: Node<'_>) -> ExprId {
        let Some(operand) = parts(node).last().map(|part| self.expr(*part)) else {
            return self.to.other(Vec::new(), node);
        };
        let text = self.to.text(node);
        let is_postfix = node.kind() == "postfix_unary_expression";
        let operator = match text {
            _ if is_postfix && text.ends_with('!') => return operand,
            _ if is_postfix => "++",
            _ if text.starts_with(['&', '*']) => return operand,
            _ => text.get(..1).unwrap_or_default(),
        };
        self.to.add(Kind::Operation(operator, vec![operand]), node)
    }

    /// Lowers `value is Type name`, which also declares the name.
    pub(super) fn is_pattern(&mut self, node: Node<'_>) -> ExprId {
        let value = self.field(node, "expression");
        let Some(pattern) = node.child_by_field_name("pattern") else { return value };
        let name = pattern.child_by_field_name("name");
        let tested = match name {
            Some(name) => {
                let target = self.to.name(name);
                let of = pattern.child_by_field_name("type").map(|of| self.plain(of));
                let value = match of {
                    Some(of) => self.to.add(Kind::Cast(of, value), node),
                    None => value,
                };
                vec![self.to.add(Kind::Assign { target, value }, node)]
            }
            None => return self.fits(value, pattern),
        };
        self.to.add(Kind::Operation("is", tested), node)
    }

    /// Lowers the test whether a value fits a pattern: `"a" or "b"`, `not null`.
    fn fits(&mut self, value: ExprId, pattern: Node<'_>) -> ExprId {
        let inner = parts(pattern);
        let kind = match (pattern.kind(), inner.as_slice()) {
            ("parenthesized_pattern", [only]) => return self.fits(value, *only),
            ("negated_pattern", [only]) => Kind::Operation("!", vec![self.fits(value, *only)]),
            ("or_pattern", [left, right]) => {
                Kind::Operation("||", vec![self.fits(value, *left), self.fits(value, *right)])
            }
            ("and_pattern", [left, right]) => {
                Kind::Operation("&&", vec![self.fits(value, *left), self.fits(value, *right)])
            }
            _ => Kind::Operation("is", vec![value, self.expr(pattern)]),
        };
        self.to.add(kind, pattern)
    }

    pub(super) fn cast(&mut self, node: Node<'_>, value: &str, of: &str) -> ExprId {
        let value = self.field(node, value);
        let of = node.child_by_field_name(of).map(|of| self.plain(of)).unwrap_or_default();
        self.to.add(Kind::Cast(of, value), node)
    }

    pub(super) fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map(|operator| self.to.text(operator)).unwrap_or_default()
    }

    /// Lowers a type, or a dotted name, to a path. An array of numbers is not a number, so it has none.
    pub(super) fn path(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind() {
            "identifier" | "predefined_type" => Some(self.to.name(node)),
            "generic_name" => {
                let name = self.plain(node);
                Some(self.to.add(Kind::Name(name), node))
            }
            "nullable_type" | "ref_type" | "scoped_type" => {
                let inner = node.child_by_field_name("type")?;
                self.path(inner)
            }
            "array_type" => {
                let element = node.child_by_field_name("type")?;
                self.path(element).filter(|_| element.kind() != "predefined_type" || self.to.text(element) == "string")
            }
            "qualified_name" => {
                let object = node.child_by_field_name("qualifier").and_then(|object| self.path(object))?;
                let name = self.plain(node.child_by_field_name("name")?);
                Some(self.to.add(Kind::Member(object, name), node))
            }
            "alias_qualified_name" => {
                let name = node.child_by_field_name("name")?;
                self.path(name)
            }
            _ => None,
        }
    }

    /// Returns a type or name as written, without its parameters and without `?`.
    pub(super) fn plain(&self, of: Node<'_>) -> &'t str {
        match of.kind() {
            "generic_name" => parts(of).first().map(|of| self.to.text(*of)).unwrap_or_default(),
            "nullable_type" => of.child_by_field_name("type").map(|of| self.plain(of)).unwrap_or_default(),
            _ => self.to.text(of),
        }
    }
}

/// Returns the text between the quotes of a string of any form.
fn between(text: &str) -> &str {
    let text = text.trim_end_matches(['u', 'U', '8']);
    let text = text.strip_prefix('@').unwrap_or(text);
    let quote = if text.starts_with('\'') { '\'' } else { '"' };
    let count = text.chars().take_while(|char| *char == quote).count();
    // An even number of quotes and nothing else is the empty string.
    let count = if count == text.len() {
        count / 2
    } else if count >= 3 && !text.starts_with("\"\"\"\"\"\"") {
        count
    } else {
        1
    };
    text.get(count..text.len().saturating_sub(count)).unwrap_or_default()
}
