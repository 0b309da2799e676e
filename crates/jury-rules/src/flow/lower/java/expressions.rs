//! The expressions of Java. In: a node. Out: an expression of the unit; code that could not be parsed keeps its calls.

use super::super::super::ir::{Arg, Block, ExprId, Function, Kind};
use super::super::parts;
use super::Java;
use crate::nodes::Node;

impl<'t> Java<'t> {
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "identifier" | "type_identifier" | "this" | "super" | "underscore_pattern" => self.to.name(node),
            "boolean_type" | "integral_type" | "floating_point_type" | "void_type" => self.to.name(node),
            "parenthesized_expression" | "annotated_type" | "pattern" => match parts(node).last() {
                Some(inner) => self.expr(*inner),
                None => self.to.other(Vec::new(), node),
            },
            "scoped_identifier" | "scoped_type_identifier" | "generic_type" | "array_type" => match self.path(node) {
                Some(path) => path,
                None => self.to.other(Vec::new(), node),
            },
            "string_literal" => self.string(node),
            "character_literal" => {
                let inner = between(self.to.text(node), "'");
                self.to.add(Kind::Text(inner), node)
            }
            "true" | "false" | "null_literal" => self.literal(node),
            kind if kind.ends_with("_literal") && kind != "class_literal" => self.literal(node),
            "class_literal" => {
                let of = parts(node).first().map(|of| self.expr(*of));
                match of {
                    Some(of) => self.to.add(Kind::Member(of, "class"), node),
                    None => self.to.other(Vec::new(), node),
                }
            }
            "field_access" => self.member(node),
            "array_access" => {
                let object = self.field(node, "array");
                let index = self.field(node, "index");
                self.to.add(Kind::Index(object, index), node)
            }
            "method_invocation" => self.call(node),
            "explicit_constructor_invocation" => {
                let callee = self.field(node, "constructor");
                let args = self.args(node);
                self.to.add(Kind::Call { callee, args }, node)
            }
            "object_creation_expression" => self.creation(node),
            "method_reference" => self.reference(node),
            "array_creation_expression" => match node.child_by_field_name("value") {
                Some(value) => self.expr(value),
                None => self.to.add(Kind::List(Vec::new()), node),
            },
            "array_initializer" | "element_value_array_initializer" => {
                let items = parts(node).into_iter().map(|item| self.expr(item)).collect();
                self.to.add(Kind::List(items), node)
            }
            "binary_expression" => self.binary(node),
            "unary_expression" => {
                let operand = self.field(node, "operand");
                let operator = self.operator(node);
                self.to.add(Kind::Operation(operator, vec![operand]), node)
            }
            "update_expression" => {
                let values = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.to.add(Kind::Operation("++", values), node)
            }
            "instanceof_expression" => self.instance_of(node),
            "ternary_expression" => {
                let test = self.field(node, "condition");
                let then = self.field(node, "consequence");
                let otherwise = self.field(node, "alternative");
                self.to.add(Kind::If { test, then, otherwise }, node)
            }
            "cast_expression" => {
                let value = self.field(node, "value");
                let of = node.child_by_field_name("type").map(|of| self.plain(of)).unwrap_or_default();
                self.to.add(Kind::Cast(of, value), node)
            }
            "assignment_expression" => self.assigned(node),
            "switch_expression" => self.switch_value(node),
            "lambda_expression" => {
                let function = self.function(node);
                let id = self.to.unit.add_function(function);
                self.to.add(Kind::Function(id), node)
            }
            "annotation" | "marker_annotation" => self.annotation(node),
            "template_expression" => self.field(node, "template_argument"),
            // Code that could not be parsed may still contain calls.
            "class_body" | "block" | "method_declaration" | "local_variable_declaration" => self.stray(node),
            _ => {
                let parts = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.to.other(parts, node)
            }
        }
    }

    /// Lowers statements in the place of an expression: they run like a closure.
    pub(super) fn stray(&mut self, node: Node<'_>) -> ExprId {
        let mut body = Block::new();
        match node.kind() {
            "class_body" | "block" => body = self.statements(node),
            _ => self.statement(node, &mut body),
        }
        let function = Function { class: self.class, body, ..Function::default() };
        let id = self.to.unit.add_function(function);
        self.to.add(Kind::Function(id), node)
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

    /// Lowers a string: as text, or, if it has holes, as a concatenation of its parts.
    pub(super) fn string(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        if inner.iter().all(|part| part.kind() != "string_interpolation") {
            let text = self.to.text(node);
            let quotes = if text.starts_with("\"\"\"") && text.len() >= 6 { "\"\"\"" } else { "\"" };
            return self.to.add(Kind::Text(between(text, quotes)), node);
        }
        let mut pieces = Vec::new();
        for part in inner {
            if part.kind() == "string_interpolation" {
                pieces.extend(self.first(part));
            } else {
                let text = self.to.text(part);
                pieces.push(self.to.add(Kind::Text(text), part));
            }
        }
        self.to.add(Kind::Concat(pieces), node)
    }

    pub(super) fn member(&mut self, node: Node<'_>) -> ExprId {
        let Some(field) = node.child_by_field_name("field") else { return self.to.other(Vec::new(), node) };
        let object = self.field(node, "object");
        let name = self.to.text(field);
        self.to.add(Kind::Member(object, name), node)
    }

    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let callee = match (node.child_by_field_name("object"), node.child_by_field_name("name")) {
            (Some(object), Some(name)) => {
                let span = object.start_byte()..name.end_byte();
                let object = self.expr(object);
                let name = self.to.text(name);
                self.to.unit.add(Kind::Member(object, name), span)
            }
            (None, Some(name)) => self.to.name(name),
            _ => self.to.other(Vec::new(), node),
        };
        let args = self.args(node);
        self.to.add(Kind::Call { callee, args }, node)
    }

    pub(super) fn args(&mut self, node: Node<'_>) -> Vec<Arg<'t>> {
        let list = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        list.into_iter().map(|one| Arg { name: None, value: self.expr(one) }).collect()
    }

    /// Lowers `new T(…)`. The methods of an anonymous class are a record of functions after the arguments.
    pub(super) fn creation(&mut self, node: Node<'_>) -> ExprId {
        let of = node.child_by_field_name("type");
        let callee = match of.and_then(|of| self.path(of)) {
            Some(path) => path,
            None => self.to.other(Vec::new(), node),
        };
        let mut args = self.args(node);
        if let Some(body) = parts(node).into_iter().find(|part| part.kind() == "class_body") {
            let outer = self.class;
            self.class = of.map(|of| self.plain(of));
            let value = self.anonymous(body);
            self.class = outer;
            args.push(Arg { name: None, value });
        }
        self.to.add(Kind::Call { callee, args }, node)
    }

    pub(super) fn anonymous(&mut self, body: Node<'_>) -> ExprId {
        let mut methods = Vec::new();
        for member in parts(body) {
            let (name, value) = match member.kind() {
                "method_declaration" => {
                    let id = self.method(member);
                    (self.to.unit.function(id).name, self.to.add(Kind::Function(id), member))
                }
                _ => (None, self.stray(member)),
            };
            methods.push((name, value));
        }
        self.to.add(Kind::Record(methods), body)
    }

    /// Lowers `object::method`; `Type::new` is the type.
    pub(super) fn reference(&mut self, node: Node<'_>) -> ExprId {
        let parts = parts(node);
        let Some(object) = parts.first().map(|object| self.expr(*object)) else {
            return self.to.other(Vec::new(), node);
        };
        match parts.last().filter(|name| parts.len() > 1 && name.kind() == "identifier") {
            Some(name) => {
                let name = self.to.text(*name);
                self.to.add(Kind::Member(object, name), node)
            }
            None => object,
        }
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
        let has_text = operands.iter().any(|operand| operand.kind() == "string_literal");
        let has_number = operands.iter().any(|operand| is_number(*operand));
        let values: Vec<ExprId> = operands.into_iter().map(|operand| self.expr(operand)).collect();
        let is_text = operator == "+" && (has_text || !has_number);
        self.to.add(if is_text { Kind::Concat(values) } else { Kind::Operation(operator, values) }, node)
    }

    /// Lowers `value instanceof Type name`, which also declares the name.
    pub(super) fn instance_of(&mut self, node: Node<'_>) -> ExprId {
        let value = self.field(node, "left");
        let of = node.child_by_field_name("right").map(|of| self.plain(of)).unwrap_or_default();
        let tested = match node.child_by_field_name("name") {
            Some(name) => {
                let target = self.to.name(name);
                let value = self.to.add(Kind::Cast(of, value), node);
                self.to.add(Kind::Assign { target, value }, node)
            }
            None => value,
        };
        self.to.add(Kind::Operation("instanceof", vec![tested]), node)
    }

    pub(super) fn assigned(&mut self, node: Node<'_>) -> ExprId {
        let target = self.field(node, "left");
        let value = self.field(node, "right");
        let value = match self.operator(node) {
            "=" => value,
            "+=" => self.to.add(Kind::Concat(vec![target, value]), node),
            operator => self.to.add(Kind::Operation(operator, vec![target, value]), node),
        };
        self.to.add(Kind::Assign { target, value }, node)
    }

    pub(super) fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map(|operator| self.to.text(operator)).unwrap_or_default()
    }

    /// Lowers a type, or a dotted name, to a path. An array of numbers is not a number, so it has none.
    pub(super) fn path(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind() {
            "type_identifier" | "identifier" | "boolean_type" | "integral_type" | "floating_point_type" => {
                Some(self.to.name(node))
            }
            "generic_type" => parts(node).first().and_then(|of| self.path(*of)),
            "annotated_type" => parts(node).last().and_then(|of| self.path(*of)),
            "array_type" => {
                let element = node.child_by_field_name("element")?;
                if element.kind().ends_with("_type") && element.kind() != "generic_type" {
                    return None;
                }
                self.path(element)
            }
            "scoped_identifier" | "scoped_type_identifier" => {
                let parts = parts(node);
                let named = parts.iter().filter(|part| !part.kind().ends_with("annotation"));
                let mut path = None;
                for part in named {
                    path = match path {
                        None => Some(self.path(*part)?),
                        Some(object) => {
                            let name = self.to.text(*part);
                            let span = node.start_byte()..part.end_byte();
                            Some(self.to.unit.add(Kind::Member(object, name), span))
                        }
                    };
                }
                path
            }
            _ => None,
        }
    }

    /// Returns a type as written, without its parameters.
    pub(super) fn plain(&self, of: Node<'_>) -> &'t str {
        match of.kind() {
            "generic_type" => parts(of).first().map(|of| self.plain(*of)).unwrap_or_default(),
            "annotated_type" => parts(of).last().map(|of| self.plain(*of)).unwrap_or_default(),
            _ => self.to.text(of),
        }
    }
}

fn is_number(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("integer_literal") || kind.ends_with("floating_point_literal")
}

/// Returns the text between quotes.
fn between<'t>(text: &'t str, quotes: &str) -> &'t str {
    let text = text.strip_prefix(quotes).unwrap_or(text);
    text.strip_suffix(quotes).unwrap_or(text)
}
