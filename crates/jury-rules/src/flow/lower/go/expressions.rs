//! The expressions and types of Go. In: a node. Out: an expression of the unit; code that could not be parsed keeps its
//! calls.

use super::super::super::ir::{Arg, ExprId, Kind};
use super::super::parts;
use super::{Go, is_number, unquoted};
use crate::nodes::Node;

impl<'t> Go<'t> {
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
            "identifier" | "type_identifier" | "package_identifier" | "field_identifier" | "blank_identifier" => {
                self.identifier(node)
            }
            "interpreted_string_literal" | "raw_string_literal" => {
                let text = unquoted(self.low.text(node));
                self.low.add(Kind::Text(text), node)
            }
            "int_literal" | "float_literal" | "imaginary_literal" | "rune_literal" | "true" | "false" | "nil"
            | "iota" => {
                let text = self.low.text(node);
                self.low.add(Kind::Literal(text), node)
            }
            "selector_expression" => self.selector(node),
            "qualified_type" | "pointer_type" | "generic_type" | "slice_type" | "array_type" => self.type_value(node),
            "index_expression" => {
                let (object, index) = (self.field(node, "operand"), self.field(node, "index"));
                self.low.add(Kind::Index(object, index), node)
            }
            "slice_expression" => self.slice(node),
            "call_expression" => self.call(node),
            "type_conversion_expression" => self.conversion(node),
            "type_assertion_expression" => {
                let value = self.field(node, "operand");
                self.cast(node, value)
            }
            "type_instantiation_expression" => self.field(node, "type"),
            "composite_literal" => {
                let (of, body) = (node.child_by_field_name("type"), node.child_by_field_name("body"));
                self.literal(of, body, node)
            }
            "func_literal" => {
                let function = self.function(node);
                let id = self.low.unit.add_function(function);
                self.low.add(Kind::Function(id), node)
            }
            "unary_expression" => self.unary(node),
            "binary_expression" => self.binary(node),
            "parenthesized_expression" | "variadic_argument" | "literal_element" | "expression_list" => {
                self.inner(node)
            }
            _ => {
                let inner = self.exprs(parts(node));
                self.low.other(inner, node)
            }
        }
    }

    fn inner(&mut self, node: Node<'_>) -> ExprId {
        match parts(node)[..] {
            [one] => self.expr(one),
            ref several => {
                let inner = self.exprs(several.to_vec());
                self.low.other(inner, node)
            }
        }
    }

    pub(super) fn identifier(&mut self, node: Node<'_>) -> ExprId {
        if self.receiver.is_some_and(|receiver| receiver == self.low.text(node)) {
            return self.low.implied("this", node);
        }
        if let Some((_, question)) = self.lookup.filter(|(name, _)| self.is_test && *name == self.low.text(node)) {
            return question;
        }
        self.low.name(node)
    }

    fn selector(&mut self, node: Node<'_>) -> ExprId {
        let object = self.field(node, "operand");
        let name = node.child_by_field_name("field").map_or("", |field| self.low.text(field));
        self.low.add(Kind::Member(object, name), node)
    }

    fn type_value(&mut self, node: Node<'_>) -> ExprId {
        self.of(node).unwrap_or_else(|| self.low.other(Vec::new(), node))
    }

    fn slice(&mut self, node: Node<'_>) -> ExprId {
        let object = self.field(node, "operand");
        let bounds = ["start", "end", "capacity"].into_iter().filter_map(|name| node.child_by_field_name(name));
        match self.exprs(bounds.collect())[..] {
            [] => object,
            [index, ..] => self.low.add(Kind::Index(object, index), node),
        }
    }

    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let args = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        let name = node.child_by_field_name("function").map_or("", |function| self.low.text(function));
        if let ([value], true) = (&args[..], is_built_in_type(name)) {
            let value = self.expr(*value);
            return self.low.add(Kind::Cast(name, value), node);
        }
        let callee = self.field(node, "function");
        let args = self.exprs(args).into_iter().map(|value| Arg { name: None, value }).collect();
        self.low.add(Kind::Call { callee, args }, node)
    }

    /// `[]byte(x)` is a conversion; `f[int](x)` looks like one but is a call.
    pub(super) fn conversion(&mut self, node: Node<'_>) -> ExprId {
        let value = self.field(node, "operand");
        match node.child_by_field_name("type").filter(|of| of.kind() == "generic_type") {
            Some(of) => {
                let callee = self.type_value(of);
                self.low.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
            }
            None => self.cast(node, value),
        }
    }

    pub(super) fn cast(&mut self, node: Node<'_>, value: ExprId) -> ExprId {
        let of = node.child_by_field_name("type").map_or("", |of| self.low.text(of));
        self.low.add(Kind::Cast(of, value), node)
    }

    /// `T{A: 1}`, `[]T{…}`, `map[K]V{…}`, and the `{…}` inside them, whose type is that of the items.
    fn literal(&mut self, of: Option<Node<'_>>, body: Option<Node<'_>>, node: Node<'_>) -> ExprId {
        let items = body.map(parts).unwrap_or_default();
        let item_type = of.and_then(|of| of.child_by_field_name("element").or_else(|| of.child_by_field_name("value")));
        let is_keyed = items.first().is_some_and(|item| item.kind() == "keyed_element");
        let is_map = of.is_some_and(|of| of.kind() == "map_type");
        let callee =
            of.filter(|of| matches!(of.kind(), "type_identifier" | "qualified_type" | "generic_type" | "pointer_type"));
        if !is_keyed && !is_map {
            let values: Vec<ExprId> = items.into_iter().map(|item| self.item(item, item_type)).collect();
            let Some(callee) = callee else { return self.low.add(Kind::List(values), node) };
            let callee = self.type_value(callee);
            let args = values.into_iter().map(|value| Arg { name: None, value }).collect();
            return self.low.add(Kind::Call { callee, args }, node);
        }
        let mut record = Vec::new();
        for item in items {
            let value = item.child_by_field_name("value").unwrap_or(item);
            let key = item.child_by_field_name("key").map(|key| unquoted(self.low.text(key)));
            record.push((key, self.item(value, item_type)));
        }
        let value = self.low.add(Kind::Record(record), body.unwrap_or(node));
        let Some(callee) = callee else { return value };
        let callee = self.type_value(callee);
        self.low.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
    }

    pub(super) fn item(&mut self, node: Node<'_>, of: Option<Node<'_>>) -> ExprId {
        match parts(node)[..] {
            [inner] if inner.kind() == "literal_value" => self.literal(of, Some(inner), inner),
            _ => self.inner(node),
        }
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let value = self.field(node, "operand");
        match node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator)) {
            "&" | "*" | "<-" => value,
            operator => self.low.add(Kind::Operation(operator, vec![value]), node),
        }
    }

    /// A chain of `+` is one text; its length adds no depth.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator));
        if operator != "+" {
            let operands = vec![self.field(node, "left"), self.field(node, "right")];
            return self.low.add(Kind::Operation(operator, operands), node);
        }
        let mut operands = Vec::new();
        let mut rest = Some(node);
        while let Some(sum) = rest {
            operands.extend(sum.child_by_field_name("right"));
            let left = sum.child_by_field_name("left");
            rest = left.filter(|left| left.kind() == "binary_expression" && self.is_sum(*left));
            operands.extend(left.filter(|_| rest.is_none()));
        }
        operands.reverse();
        let is_arithmetic = operands.iter().any(|operand| is_number(*operand));
        let operands = self.exprs(operands);
        self.low.add(if is_arithmetic { Kind::Operation("+", operands) } else { Kind::Concat(operands) }, node)
    }

    fn is_sum(&self, node: Node<'_>) -> bool {
        node.child_by_field_name("operator").is_some_and(|operator| self.low.text(operator) == "+")
    }

    /// A type as a path. Pointers, slices and variadic parameters have the type of their elements.
    pub(super) fn of(&mut self, node: Node<'_>) -> Option<ExprId> {
        let node = held(node);
        match node.kind() {
            "map_type" => Some(self.low.implied("map", node)),
            "type_identifier" | "identifier" => Some(self.low.name(node)),
            "qualified_type" => {
                let object = node.child_by_field_name("package").map(|package| self.low.name(package))?;
                let name = node.child_by_field_name("name").map(|name| self.low.text(name))?;
                Some(self.low.add(Kind::Member(object, name), node))
            }
            _ => None,
        }
    }

    pub(super) fn base_name(&self, node: Node<'_>) -> &'t str {
        self.low.text(held(node))
    }
}

/// Returns the element type of a type: `T` of `*T`, `[]T`, `T[K]`.
fn held(mut node: Node<'_>) -> Node<'_> {
    loop {
        let inner = match node.kind() {
            "pointer_type" | "parenthesized_type" => parts(node).into_iter().next(),
            "slice_type" | "array_type" | "implicit_length_array_type" => node.child_by_field_name("element"),
            "generic_type" => node.child_by_field_name("type"),
            "channel_type" => node.child_by_field_name("value"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

fn is_built_in_type(name: &str) -> bool {
    let sized = ["int", "uint", "float", "complex"].iter().find_map(|kind| name.strip_prefix(kind));
    sized.is_some_and(|bits| matches!(bits, "" | "8" | "16" | "32" | "64" | "128"))
        || matches!(name, "string" | "byte" | "rune" | "bool" | "uintptr" | "any")
}
