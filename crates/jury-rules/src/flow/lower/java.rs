//! Lowers Java: the statements and declarations; `expressions` has the rest.

use super::super::ir::{Arg, Block, ExprId, Function, FunctionId, Kind, Param, Stmt, Unit};
use super::arms::{self, Arm, leaves};
use super::{Lowering, fields, parts};
use crate::nodes::Node;

mod expressions;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut java = Java { to: Lowering::new(text), class: None, breaks_a_switch: false };
    let body = java.statements(root);
    java.to.unit.body = body;
    java.to.unit
}

struct Java<'t> {
    to: Lowering<'t>,
    /// The class whose body is being lowered.
    class: Option<&'t str>,
    /// Whether a `break` here ends an arm of a switch, which leaves no block.
    breaks_a_switch: bool,
}

impl<'t> Java<'t> {
    fn statements(&mut self, node: Node<'_>) -> Block {
        self.all(&parts(node))
    }

    fn all(&mut self, nodes: &[Node<'_>]) -> Block {
        let mut out = Block::new();
        for node in nodes {
            self.statement(*node, &mut out);
        }
        out
    }

    /// Lowers a statement to its own block.
    fn body(&mut self, node: Option<Node<'_>>) -> Block {
        let mut out = Block::new();
        match node {
            Some(node) if node.kind() == "block" => out = self.statements(node),
            Some(node) => self.statement(node, &mut out),
            None => {}
        }
        out
    }

    fn statement(&mut self, node: Node<'_>, out: &mut Block) {
        match node.kind() {
            "import_declaration" => self.import(node),
            "package_declaration" | "module_declaration" | "annotation_type_declaration" => {}
            "class_declaration" | "interface_declaration" | "enum_declaration" | "record_declaration" => {
                let class = self.class(node);
                out.push(Stmt::Block(class));
            }
            "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
                let id = self.method(node);
                out.push(Stmt::Function(id));
            }
            "field_declaration" | "constant_declaration" => self.variables(node, true, out),
            "local_variable_declaration" => self.variables(node, false, out),
            "enum_constant" => self.enum_constant(node, out),
            "expression_statement" => {
                for part in parts(node) {
                    self.effect(part, out);
                }
            }
            "block" | "static_initializer" | "constructor_body" | "enum_body_declarations" => {
                let inner = self.statements(node);
                out.push(Stmt::Block(inner));
            }
            "ERROR" => out.extend(self.statements(node)),
            "labeled_statement" => {
                let inner = self.body(parts(node).last().copied());
                out.extend(inner);
            }
            "synchronized_statement" => {
                let inner = self.body(node.child_by_field_name("body"));
                out.push(Stmt::Block(inner));
            }
            "if_statement" => {
                let test = self.field(node, "condition");
                let then = self.body(node.child_by_field_name("consequence"));
                let otherwise = self.body(node.child_by_field_name("alternative"));
                out.push(Stmt::If { test, then, otherwise });
            }
            "while_statement" | "do_statement" => {
                let test = Some(self.field(node, "condition"));
                let body = self.loop_body(node);
                out.push(Stmt::Loop { each: None, test, body });
            }
            "for_statement" => self.for_loop(node, out),
            "enhanced_for_statement" => self.for_each(node, out),
            "switch_expression" => {
                let on = self.field(node, "condition");
                let arms = self.arms(node);
                out.extend(arms::statements(&mut self.to, on, arms, node));
            }
            "try_statement" | "try_with_resources_statement" => self.try_block(node, out),
            "return_statement" | "yield_statement" => {
                let value = self.first(node);
                out.push(Stmt::Return(value));
            }
            "throw_statement" => {
                let value = self.first(node);
                out.push(Stmt::Leave(value));
            }
            "break_statement" if self.breaks_a_switch && parts(node).is_empty() => {}
            "break_statement" | "continue_statement" => out.push(Stmt::Leave(None)),
            _ => self.effect(node, out),
        }
    }

    /// Lowers an expression statement.
    fn effect(&mut self, node: Node<'_>, out: &mut Block) {
        if node.kind() == "switch_expression" {
            return self.statement(node, out);
        }
        if node.kind() != "assignment_expression" {
            let value = self.expr(node);
            return out.push(Stmt::Expr(value));
        }
        let target = self.field(node, "left");
        let value = self.field(node, "right");
        out.push(match self.operator(node) {
            "=" => Stmt::Assign { target, of: None, value: Some(value) },
            "+=" => Stmt::Append { target, value },
            operator => {
                let value = self.to.add(Kind::Operation(operator, vec![target, value]), node);
                Stmt::Assign { target, of: None, value: Some(value) }
            }
        });
    }

    fn import(&mut self, node: Node<'_>) {
        let parts = parts(node);
        let Some(path) = parts.first().map(|path| self.to.text(*path)) else { return };
        let is_whole = parts.iter().any(|part| part.kind() == "asterisk");
        let local = if is_whole { "*" } else { path.rsplit('.').next().unwrap_or(path).trim() };
        let path: String = path.split_whitespace().collect();
        self.to.unit.import(local, path);
    }

    /// Lowers a class. Its fields come first: methods see them wherever they are declared.
    fn class(&mut self, node: Node<'_>) -> Block {
        let outer = self.class;
        self.class = node.child_by_field_name("name").map(|name| self.to.text(name)).or(outer);
        match node.kind() {
            "enum_declaration" => self.to.unit.enums.extend(self.class),
            _ => self.to.unit.classes.extend(self.class),
        }
        let mut out = Block::new();
        for annotation in self.annotations(node) {
            out.push(Stmt::Expr(annotation));
        }
        for parameter in node.child_by_field_name("parameters").map(parts).unwrap_or_default() {
            if let (Some(param), Some(name)) = (self.param(parameter), parameter.child_by_field_name("name")) {
                out.push(Stmt::Assign { target: self.own(name), of: param.of, value: None });
            }
        }
        let members = node.child_by_field_name("body").map(members).unwrap_or_default();
        let (functions, rest): (Vec<Node<'_>>, Vec<Node<'_>>) =
            members.into_iter().partition(|member| member.kind().ends_with("_declaration") && !is_field(*member));
        out.extend(self.all(&rest));
        out.extend(self.all(&functions));
        self.class = outer;
        out
    }

    fn enum_constant(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let target = self.to.name(name);
        let mut args = self.args(node);
        if let Some(body) = node.child_by_field_name("body") {
            args.push(Arg { name: None, value: self.anonymous(body) });
        }
        let callee = self.to.implied(self.class.unwrap_or_default(), node);
        let value = self.to.add(Kind::Call { callee, args }, node);
        out.push(Stmt::Assign { target, of: None, value: Some(value) });
    }

    fn method(&mut self, node: Node<'_>) -> FunctionId {
        let mut function = self.function(node);
        function.name = node.child_by_field_name("name").map(|name| self.to.text(name));
        function.result = node.child_by_field_name("type").and_then(|of| self.path(of));
        function.decorators = self.annotations(node);
        self.to.unit.add_function(function)
    }

    /// Lowers the common parts of methods and closures: the parameters and the body.
    fn function(&mut self, node: Node<'_>) -> Function<'t> {
        let was = std::mem::replace(&mut self.breaks_a_switch, false);
        let parameters = node.child_by_field_name("parameters");
        let params = match parameters {
            Some(one) if one.kind() == "identifier" => self.param(one).into_iter().collect(),
            Some(list) => parts(list).into_iter().filter_map(|one| self.param(one)).collect(),
            None => Vec::new(),
        };
        let body = match node.child_by_field_name("body") {
            Some(body) if matches!(body.kind(), "block" | "constructor_body") => self.statements(body),
            Some(value) => vec![Stmt::Return(Some(self.expr(value)))],
            None => Block::new(),
        };
        self.breaks_a_switch = was;
        Function { class: self.class, params, body, ..Function::default() }
    }

    fn param(&mut self, node: Node<'_>) -> Option<Param<'t>> {
        let name = match node.kind() {
            "identifier" => node,
            "formal_parameter" => node.child_by_field_name("name")?,
            "spread_parameter" => parts(node)
                .into_iter()
                .find(|part| part.kind() == "variable_declarator")?
                .child_by_field_name("name")?,
            _ => return None,
        };
        let of = match node.kind() {
            "formal_parameter" => node.child_by_field_name("type"),
            "spread_parameter" => parts(node).into_iter().find(|part| is_type(*part)),
            _ => None,
        };
        let target = self.to.name(name);
        let of = of.and_then(|of| self.path(of));
        let decorators = self.annotations(node);
        Some(Param { target, name: None, of, decorators, default: None })
    }

    /// Returns the annotations among the modifiers of a declaration.
    fn annotations(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let modifiers = parts(node).into_iter().filter(|part| part.kind() == "modifiers");
        let all = modifiers.flat_map(parts).filter(|part| part.kind().ends_with("annotation"));
        all.map(|one| self.annotation(one)).collect()
    }

    fn annotation(&mut self, node: Node<'_>) -> ExprId {
        let callee = match node.child_by_field_name("name") {
            Some(name) => self.expr(name),
            None => self.to.other(Vec::new(), node),
        };
        let Some(arguments) = node.child_by_field_name("arguments") else { return callee };
        let mut args = Vec::new();
        for part in parts(arguments) {
            let name = part.child_by_field_name("key").filter(|_| part.kind() == "element_value_pair");
            let name = name.map(|key| self.to.text(key));
            let value = if name.is_some() { self.field(part, "value") } else { self.expr(part) };
            args.push(Arg { name, value });
        }
        self.to.add(Kind::Call { callee, args }, node)
    }

    fn variables(&mut self, node: Node<'_>, are_fields: bool, out: &mut Block) {
        let declared = node.child_by_field_name("type");
        let annotations = if are_fields { self.annotations(node) } else { Vec::new() };
        out.extend(annotations.iter().copied().map(Stmt::Expr));
        for declarator in fields(node, "declarator") {
            let Some(name) = declarator.child_by_field_name("name") else { continue };
            let target = if are_fields { self.own(name) } else { self.to.name(name) };
            let of = declared.and_then(|of| self.path(of)).filter(|_| !self.is_inferred(declared));
            let value = declarator.child_by_field_name("value").map(|value| self.expr(value));
            // A field filled by a framework has the meaning of its annotation.
            let value = value.or_else(|| self.injected(&annotations));
            out.push(Stmt::Assign { target, of, value });
        }
    }

    /// Returns the annotation by which a framework fills a field with a part of the request.
    fn injected(&self, annotations: &[ExprId]) -> Option<ExprId> {
        let name = |id: ExprId| match self.to.unit.kind(id) {
            Kind::Name(name) | Kind::Member(_, name) => *name,
            Kind::Call { callee, .. } => match self.to.unit.kind(*callee) {
                Kind::Name(name) | Kind::Member(_, name) => *name,
                _ => "",
            },
            _ => "",
        };
        let parameters = ["QueryParam", "PathParam", "FormParam", "HeaderParam", "CookieParam", "MatrixParam"];
        annotations.iter().copied().find(|id| parameters.contains(&name(*id)))
    }

    /// Creates a field for a name: methods read it with or without `this`.
    fn own(&mut self, name: Node<'_>) -> ExprId {
        let this = self.to.implied("this", name);
        let text = self.to.text(name);
        self.to.add(Kind::Member(this, text), name)
    }

    fn is_inferred(&self, of: Option<Node<'_>>) -> bool {
        of.is_some_and(|of| self.to.text(of) == "var")
    }

    fn loop_body(&mut self, node: Node<'_>) -> Block {
        let was = std::mem::replace(&mut self.breaks_a_switch, false);
        let body = self.body(node.child_by_field_name("body"));
        self.breaks_a_switch = was;
        body
    }

    fn for_loop(&mut self, node: Node<'_>, out: &mut Block) {
        for init in fields(node, "init") {
            self.statement(init, out);
        }
        let test = node.child_by_field_name("condition").map(|test| self.expr(test));
        let mut body = self.loop_body(node);
        for update in fields(node, "update") {
            self.effect(update, &mut body);
        }
        out.push(Stmt::Loop { each: None, test, body });
    }

    /// Lowers a loop over items, which have their declared type inside it.
    fn for_each(&mut self, node: Node<'_>, out: &mut Block) {
        let over = self.field(node, "value");
        let target = self.field(node, "name");
        let declared = node.child_by_field_name("type");
        let of = declared.and_then(|of| self.path(of)).filter(|_| !self.is_inferred(declared));
        let mut body: Block =
            of.map(|of| Stmt::Assign { target, of: Some(of), value: Some(target) }).into_iter().collect();
        body.extend(self.loop_body(node));
        out.push(Stmt::Loop { each: Some((target, over)), test: None, body });
    }

    /// Lowers the arms of a switch: groups of statements, or rules with an arrow.
    fn arms(&mut self, node: Node<'_>) -> Vec<Arm<Block>> {
        let was = std::mem::replace(&mut self.breaks_a_switch, true);
        let (mut arms, mut labels) = (Vec::new(), Vec::new());
        for group in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let (more, rest): (Vec<_>, Vec<_>) =
                parts(group).into_iter().partition(|part| part.kind() == "switch_label");
            labels.extend(more);
            // `case 1: case 2: …` are two groups, of which the first is empty.
            if rest.is_empty() && group.kind() == "switch_block_statement_group" {
                continue;
            }
            let labels = self.labels(&std::mem::take(&mut labels));
            arms.push(Arm { labels, body: self.all(&rest) });
        }
        self.breaks_a_switch = was;
        arms
    }

    /// Lowers the labels of an arm. `default` yields none.
    fn labels(&mut self, nodes: &[Node<'_>]) -> Vec<ExprId> {
        if nodes.iter().any(|label| parts(*label).is_empty()) {
            return Vec::new();
        }
        nodes.iter().flat_map(|label| parts(*label)).map(|part| self.expr(part)).collect()
    }

    /// Lowers a switch expression.
    fn switch_value(&mut self, node: Node<'_>) -> ExprId {
        let on = self.field(node, "condition");
        let mut arms = Vec::new();
        for group in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let (labels, rest): (Vec<_>, Vec<_>) =
                parts(group).into_iter().partition(|part| part.kind() == "switch_label");
            let labels = self.labels(&labels);
            let body = match rest.as_slice() {
                [one] if one.kind() == "expression_statement" => match self.first(*one) {
                    Some(value) => value,
                    None => continue,
                },
                // An arm that only throws has no value.
                [one] if one.kind() == "throw_statement" => continue,
                _ => self.yielding(&rest, group),
            };
            arms.push(Arm { labels, body });
        }
        arms::value(&mut self.to, on, arms, node)
    }

    /// Turns the statements of an arm that yields a value into a closure that is called at once.
    fn yielding(&mut self, rest: &[Node<'_>], node: Node<'_>) -> ExprId {
        let was = std::mem::replace(&mut self.breaks_a_switch, false);
        let body = match rest {
            [one] if one.kind() == "block" => self.statements(*one),
            _ => self.all(rest),
        };
        self.breaks_a_switch = was;
        let function = Function { class: self.class, body, ..Function::default() };
        let id = self.to.unit.add_function(function);
        let callee = self.to.add(Kind::Function(id), node);
        self.to.add(Kind::Call { callee, args: Vec::new() }, node)
    }

    fn try_block(&mut self, node: Node<'_>, out: &mut Block) {
        let mut body = Block::new();
        for resource in node.child_by_field_name("resources").map(parts).unwrap_or_default() {
            self.resource(resource, &mut body);
        }
        body.extend(self.body(node.child_by_field_name("body")));
        out.push(if leaves(&body) { Stmt::OneOf(vec![body]) } else { Stmt::Block(body) });
        let mut handlers = Vec::new();
        for clause in parts(node).into_iter().filter(|part| part.kind() == "catch_clause") {
            let mut handler = Block::new();
            if let Some(caught) = parts(clause).into_iter().find(|part| part.kind() == "catch_formal_parameter") {
                self.caught(caught, &mut handler);
            }
            handler.extend(self.body(clause.child_by_field_name("body")));
            handlers.push(handler);
        }
        if !handlers.is_empty() {
            out.push(Stmt::OneOf(handlers));
        }
        for clause in parts(node).into_iter().filter(|part| part.kind() == "finally_clause") {
            let last = self.statements(clause);
            out.extend(last);
        }
    }

    fn resource(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(name) = node.child_by_field_name("name") else {
            return out.extend(self.first(node).map(Stmt::Expr));
        };
        let target = self.to.name(name);
        let declared = node.child_by_field_name("type");
        let of = declared.and_then(|of| self.path(of)).filter(|_| !self.is_inferred(declared));
        let value = node.child_by_field_name("value").map(|value| self.expr(value));
        out.push(Stmt::Assign { target, of, value });
    }

    fn caught(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let target = self.to.name(name);
        let types = parts(node).into_iter().filter(|part| part.kind() == "catch_type").flat_map(parts);
        let of = types.last().and_then(|of| self.path(of));
        out.push(Stmt::Assign { target, of, value: None });
    }
}

/// Returns the members of a body, including those after the constants of an enum.
fn members(body: Node<'_>) -> Vec<Node<'_>> {
    let mut members = Vec::new();
    for member in parts(body) {
        match member.kind() {
            "enum_body_declarations" => members.extend(parts(member)),
            _ => members.push(member),
        }
    }
    members
}

fn is_field(member: Node<'_>) -> bool {
    matches!(member.kind(), "field_declaration" | "constant_declaration")
}

fn is_type(node: Node<'_>) -> bool {
    node.kind().ends_with("_type") || matches!(node.kind(), "type_identifier" | "scoped_type_identifier")
}

#[cfg(test)]
mod tests;
