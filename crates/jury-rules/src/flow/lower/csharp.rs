//! Lowers C#: the statements and declarations; `expressions` has the rest.

use super::super::ir::{Arg, Block, ExprId, Function, FunctionId, Kind, Param, Stmt, Unit};
use super::arms::{self, Arm, leaves};
use super::{Lowering, fields, parts};
use crate::nodes::Node;

mod expressions;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut csharp = CSharp { to: Lowering::new(text), class: None, breaks_a_switch: false };
    let body = csharp.statements(root);
    csharp.to.unit.body = body;
    csharp.to.unit
}

struct CSharp<'t> {
    to: Lowering<'t>,
    /// The class whose body is being lowered.
    class: Option<&'t str>,
    /// Whether a `break` here ends an arm of a switch, which leaves no block.
    breaks_a_switch: bool,
}

impl<'t> CSharp<'t> {
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
            "using_directive" => self.import(node),
            "extern_alias_directive" | "global_attribute" | "delegate_declaration" | "empty_statement" => {}
            "namespace_declaration" => {
                let inner = node.child_by_field_name("body").map(|body| self.statements(body));
                out.extend(inner.unwrap_or_default());
            }
            "file_scoped_namespace_declaration" => {
                let name = node.child_by_field_name("name");
                let rest: Vec<Node<'_>> = parts(node).into_iter().filter(|part| Some(*part) != name).collect();
                out.extend(self.all(&rest));
            }
            "class_declaration"
            | "struct_declaration"
            | "record_declaration"
            | "interface_declaration"
            | "enum_declaration" => {
                let class = self.class(node);
                out.push(Stmt::Block(class));
            }
            "method_declaration"
            | "constructor_declaration"
            | "local_function_statement"
            | "destructor_declaration"
            | "operator_declaration"
            | "conversion_operator_declaration" => {
                let id = self.method(node);
                out.push(Stmt::Function(id));
            }
            "property_declaration" | "indexer_declaration" | "event_declaration" => self.property(node, out),
            "field_declaration" | "event_field_declaration" | "local_declaration_statement" | "fixed_statement" => {
                for part in parts(node) {
                    match part.kind() {
                        "variable_declaration" => self.variables(part, is_field(node), out),
                        kind if kind.ends_with("_statement") || kind == "block" => self.statement(part, out),
                        _ => {}
                    }
                }
            }
            "variable_declaration" => self.variables(node, false, out),
            "enum_member_declaration" => self.enum_member(node, out),
            "expression_statement" => {
                for part in parts(node) {
                    self.effect(part, out);
                }
            }
            "block" => {
                let inner = self.statements(node);
                out.push(Stmt::Block(inner));
            }
            "global_statement" | "checked_statement" | "unsafe_statement" | "lock_statement" | "ERROR"
            | "declaration_list" => out.extend(self.statements(node)),
            "preproc_if" | "preproc_elif" | "preproc_else" => self.conditional(node, out),
            kind if kind.starts_with("preproc_") => {}
            "labeled_statement" => {
                let inner = self.body(parts(node).last().copied());
                out.extend(inner);
            }
            "using_statement" => self.using(node, out),
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
            "foreach_statement" => self.for_each(node, out),
            "switch_statement" => {
                let on = self.field(node, "value");
                let arms = self.arms(node);
                out.extend(arms::statements(&mut self.to, on, arms, node));
            }
            "try_statement" => self.try_block(node, out),
            "return_statement" => {
                let value = self.first(node);
                out.push(Stmt::Return(value));
            }
            // The code after a `yield return` still runs.
            "yield_statement" => {
                let value = self.first(node);
                out.push(value.map_or(Stmt::Leave(None), Stmt::Expr));
            }
            "throw_statement" => {
                let value = self.first(node);
                out.push(Stmt::Leave(value));
            }
            "break_statement" if self.breaks_a_switch => {}
            "break_statement" | "continue_statement" | "goto_statement" => out.push(Stmt::Leave(None)),
            _ => self.effect(node, out),
        }
    }

    /// Lowers an expression statement.
    fn effect(&mut self, node: Node<'_>, out: &mut Block) {
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
                let value = self.combined(operator, target, value, node);
                Stmt::Assign { target, of: None, value: Some(value) }
            }
        });
    }

    /// Combines a target with a value, as `??=` and `-=` do.
    fn combined(&mut self, operator: &'t str, target: ExprId, value: ExprId, node: Node<'_>) -> ExprId {
        let kind = match operator {
            "+=" => Kind::Concat(vec![target, value]),
            "??=" => Kind::Choice(vec![target, value]),
            _ => Kind::Operation(operator, vec![target, value]),
        };
        self.to.add(kind, node)
    }

    /// Lowers `using`. Without an alias it names no type, so it resolves nothing.
    fn import(&mut self, node: Node<'_>) {
        let alias = node.child_by_field_name("name");
        let Some(path) = parts(node).into_iter().rfind(|part| Some(*part) != alias) else { return };
        let local = alias.map_or("*", |alias| self.to.text(alias));
        let path: String = self.plain(path).split_whitespace().collect();
        self.to.unit.import(local, path.replace("::", "."));
    }

    /// Lowers both branches of `#if`: either may be compiled.
    fn conditional(&mut self, node: Node<'_>, out: &mut Block) {
        let condition = node.child_by_field_name("condition");
        let rest: Vec<Node<'_>> = parts(node).into_iter().filter(|part| Some(*part) != condition).collect();
        out.extend(self.all(&rest));
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
        for attribute in self.attributes(node) {
            out.push(Stmt::Expr(attribute));
        }
        for list in parts(node).into_iter().filter(|part| part.kind() == "parameter_list") {
            for param in self.params(list) {
                if let Some(name) = param.name {
                    let target = self.own(name, list);
                    out.push(Stmt::Assign { target, of: param.of, value: None });
                }
            }
        }
        let members = node.child_by_field_name("body").map(parts).unwrap_or_default();
        let (first, rest): (Vec<Node<'_>>, Vec<Node<'_>>) = members.into_iter().partition(|member| is_field(*member));
        out.extend(self.all(&first));
        out.extend(self.all(&rest));
        self.class = outer;
        out
    }

    fn enum_member(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let target = self.to.name(name);
        let value = node.child_by_field_name("value").map(|value| self.expr(value));
        out.push(Stmt::Assign { target, of: None, value });
    }

    /// Lowers a property: a field, and a function for each accessor that has a body.
    fn property(&mut self, node: Node<'_>, out: &mut Block) {
        let of = node.child_by_field_name("type");
        let name = node.child_by_field_name("name");
        let value = node.child_by_field_name("value");
        if let Some(name) = name {
            let target = self.own(self.to.text(name), name);
            let attributes = self.attributes(node);
            out.extend(attributes.iter().copied().map(Stmt::Expr));
            let initial = value.filter(|value| value.kind() != "arrow_expression_clause");
            let initial = initial.map(|value| self.expected(value, of));
            // A property filled by a framework has the meaning of its attribute.
            let initial = self.injected(&attributes).or(initial);
            let of = of.and_then(|of| self.path(of));
            out.push(Stmt::Assign { target, of, value: initial });
        }
        let mut bodies: Vec<Node<'_>> =
            value.filter(|value| value.kind() == "arrow_expression_clause").into_iter().collect();
        for accessor in node.child_by_field_name("accessors").map(parts).unwrap_or_default() {
            bodies.extend(accessor.child_by_field_name("body"));
        }
        for body in bodies {
            let body = self.function_body(Some(body), of);
            let name = name.map(|name| self.to.text(name));
            let function = Function { name, class: self.class, body, ..Function::default() };
            out.push(Stmt::Function(self.to.unit.add_function(function)));
        }
    }

    /// Returns the attribute by which a framework fills a property with a part of the request.
    fn injected(&self, attributes: &[ExprId]) -> Option<ExprId> {
        let name = |id: ExprId| match self.to.unit.kind(id) {
            Kind::Name(name) | Kind::Member(_, name) => *name,
            Kind::Call { callee, .. } => match self.to.unit.kind(*callee) {
                Kind::Name(name) | Kind::Member(_, name) => *name,
                _ => "",
            },
            _ => "",
        };
        let binds = |name: &str| {
            matches!(name, "BindProperty" | "SupplyParameterFromQuery" | "SupplyParameterFromForm")
                || ["FromQuery", "FromRoute", "FromForm", "FromHeader", "FromBody"].contains(&name)
        };
        attributes.iter().copied().find(|id| binds(name(*id)))
    }

    fn method(&mut self, node: Node<'_>) -> FunctionId {
        let mut function = self.function(node);
        function.name = node.child_by_field_name("name").map(|name| self.to.text(name));
        let result = node.child_by_field_name("returns").or_else(|| node.child_by_field_name("type"));
        function.result = result.and_then(|of| self.awaited(of));
        function.decorators = self.attributes(node);
        for initializer in parts(node).into_iter().filter(|part| part.kind() == "constructor_initializer") {
            let callee = self.to.implied("base", initializer);
            let args = parts(initializer).first().map(|list| self.arg_list(*list, None)).unwrap_or_default();
            let call = self.to.add(Kind::Call { callee, args }, initializer);
            function.body.insert(0, Stmt::Expr(call));
        }
        self.to.unit.add_function(function)
    }

    /// Lowers a result type; of `Task<T>` the caller gets `T`.
    fn awaited(&mut self, of: Node<'_>) -> Option<ExprId> {
        let inner = parts(of).into_iter().find(|part| part.kind() == "type_argument_list");
        match inner.and_then(|list| parts(list).first().copied()) {
            Some(inner) if matches!(self.plain(of), "Task" | "ValueTask") => self.path(inner),
            _ => self.path(of),
        }
    }

    /// Lowers the common parts of methods and closures: the parameters and the body.
    fn function(&mut self, node: Node<'_>) -> Function<'t> {
        let params = match node.child_by_field_name("parameters") {
            Some(one) if one.kind() == "implicit_parameter" => vec![self.untyped(one)],
            Some(list) => self.params(list),
            None => Vec::new(),
        };
        let body = node.child_by_field_name("body");
        let body = body.or_else(|| parts(node).into_iter().find(|part| part.kind() == "block"));
        let of = node.child_by_field_name("returns").or_else(|| node.child_by_field_name("type"));
        let body = self.function_body(body, of);
        Function { class: self.class, params, body, ..Function::default() }
    }

    fn function_body(&mut self, node: Option<Node<'_>>, of: Option<Node<'_>>) -> Block {
        let was = std::mem::replace(&mut self.breaks_a_switch, false);
        let body = match node {
            Some(body) if body.kind() == "block" => self.statements(body),
            Some(arrow) if arrow.kind() == "arrow_expression_clause" => {
                let value = parts(arrow).first().map(|value| self.expected(*value, of));
                vec![Stmt::Return(value)]
            }
            Some(value) => vec![Stmt::Return(Some(self.expr(value)))],
            None => Block::new(),
        };
        self.breaks_a_switch = was;
        body
    }

    fn params(&mut self, list: Node<'_>) -> Vec<Param<'t>> {
        let mut params = Vec::new();
        for part in parts(list) {
            match part.kind() {
                "parameter" => params.extend(self.param(part)),
                // A `params` array is part of the list itself.
                "identifier" if list.child_by_field_name("name") == Some(part) => params.push(self.untyped(part)),
                _ => {}
            }
        }
        params
    }

    fn untyped(&mut self, name: Node<'_>) -> Param<'t> {
        Param { target: self.to.name(name), name: None, of: None, decorators: Vec::new(), default: None }
    }

    fn param(&mut self, node: Node<'_>) -> Option<Param<'t>> {
        let name = node.child_by_field_name("name")?;
        let declared = node.child_by_field_name("type");
        let target = self.to.name(name);
        let of = declared.and_then(|of| self.path(of));
        let decorators = self.attributes(node);
        let is_default = |part: &Node<'_>| {
            *part != name && Some(*part) != declared && !matches!(part.kind(), "attribute_list" | "modifier")
        };
        let default = parts(node).into_iter().find(is_default).map(|value| self.expr(value));
        Some(Param { target, name: Some(self.to.text(name)), of, decorators, default })
    }

    fn attributes(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let lists = parts(node).into_iter().filter(|part| part.kind() == "attribute_list");
        let all: Vec<Node<'_>> = lists.flat_map(parts).filter(|part| part.kind() == "attribute").collect();
        all.into_iter().map(|one| self.attribute(one)).collect()
    }

    fn attribute(&mut self, node: Node<'_>) -> ExprId {
        let callee = match node.child_by_field_name("name").and_then(|name| self.path(name)) {
            Some(path) => path,
            None => self.to.other(Vec::new(), node),
        };
        let Some(list) = parts(node).into_iter().find(|part| part.kind() == "attribute_argument_list") else {
            return callee;
        };
        let mut args = Vec::new();
        for argument in parts(list) {
            let name = argument.child_by_field_name("name");
            let value = parts(argument).into_iter().rfind(|part| Some(*part) != name);
            // `Name = value` may also be written as an assignment.
            let (name, value) = match value {
                Some(set) if set.kind() == "assignment_expression" => {
                    (set.child_by_field_name("left"), set.child_by_field_name("right"))
                }
                value => (name, value),
            };
            if let Some(value) = value {
                let name = name.map(|name| self.to.text(name));
                args.push(Arg { name, value: self.expr(value) });
            }
        }
        self.to.add(Kind::Call { callee, args }, node)
    }

    /// Creates a field for a name: methods read it with or without `this`.
    fn own(&mut self, name: &'t str, node: Node<'_>) -> ExprId {
        let this = self.to.implied("this", node);
        self.to.add(Kind::Member(this, name), node)
    }

    fn variables(&mut self, node: Node<'_>, are_fields: bool, out: &mut Block) {
        let declared = node.child_by_field_name("type").filter(|of| of.kind() != "implicit_type");
        for declarator in parts(node).into_iter().filter(|part| part.kind() == "variable_declarator") {
            let name = declarator.child_by_field_name("name");
            let mut rest = parts(declarator);
            rest.retain(|part| Some(*part) != name && part.kind() != "bracketed_argument_list");
            let target = match name {
                Some(name) if are_fields => self.own(self.to.text(name), name),
                Some(name) => self.to.name(name),
                None if rest.is_empty() => continue,
                None => self.expr(rest.remove(0)),
            };
            let of = declared.and_then(|of| self.path(of));
            let value = rest.last().map(|value| self.expected(*value, declared));
            out.push(Stmt::Assign { target, of, value });
        }
    }

    /// Lowers a value whose type is known, so that `new(…)` is a construction of it.
    fn expected(&mut self, value: Node<'_>, of: Option<Node<'_>>) -> ExprId {
        match of.filter(|_| value.kind() == "implicit_object_creation_expression") {
            Some(of) => self.creation(value, Some(of)),
            None => self.expr(value),
        }
    }

    fn using(&mut self, node: Node<'_>, out: &mut Block) {
        let body = node.child_by_field_name("body");
        let mut inner = Block::new();
        for part in parts(node).into_iter().filter(|part| Some(*part) != body) {
            self.statement(part, &mut inner);
        }
        inner.extend(self.body(body));
        out.push(Stmt::Block(inner));
    }

    fn loop_body(&mut self, node: Node<'_>) -> Block {
        let was = std::mem::replace(&mut self.breaks_a_switch, false);
        let body = self.body(node.child_by_field_name("body"));
        self.breaks_a_switch = was;
        body
    }

    fn for_loop(&mut self, node: Node<'_>, out: &mut Block) {
        for init in fields(node, "initializer").into_iter().filter(Node::is_named) {
            self.statement(init, out);
        }
        let test = node.child_by_field_name("condition").map(|test| self.expr(test));
        let mut body = self.loop_body(node);
        for update in fields(node, "update").into_iter().filter(Node::is_named) {
            self.effect(update, &mut body);
        }
        out.push(Stmt::Loop { each: None, test, body });
    }

    /// Lowers a loop over items, which have their declared type inside it.
    fn for_each(&mut self, node: Node<'_>, out: &mut Block) {
        let over = self.field(node, "right");
        let target = self.field(node, "left");
        let declared = node.child_by_field_name("type").filter(|of| of.kind() != "implicit_type");
        let of = declared.and_then(|of| self.path(of));
        let mut body: Block =
            of.map(|of| Stmt::Assign { target, of: Some(of), value: Some(target) }).into_iter().collect();
        body.extend(self.loop_body(node));
        out.push(Stmt::Loop { each: Some((target, over)), test: None, body });
    }

    fn arms(&mut self, node: Node<'_>) -> Vec<Arm<Block>> {
        let was = std::mem::replace(&mut self.breaks_a_switch, true);
        let (mut arms, mut labels, mut is_default) = (Vec::new(), Vec::new(), false);
        for section in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let (rest, more): (Vec<_>, Vec<_>) = parts(section).into_iter().partition(|part| is_statement(*part));
            is_default |= more.is_empty();
            labels.extend(more.into_iter().map(|label| self.expr(label)));
            // `case 1: case 2: …` are two sections, of which the first is empty.
            if rest.is_empty() {
                continue;
            }
            let labels = std::mem::take(&mut labels);
            let labels = if std::mem::take(&mut is_default) { Vec::new() } else { labels };
            arms.push(Arm { labels, body: self.all(&rest) });
        }
        self.breaks_a_switch = was;
        arms
    }

    /// Lowers a switch expression.
    fn switch_value(&mut self, node: Node<'_>) -> ExprId {
        let mut on = None;
        let mut arms = Vec::new();
        for part in parts(node) {
            if part.kind() != "switch_expression_arm" {
                on = Some(self.expr(part));
                continue;
            }
            let inner = parts(part);
            let Some((value, patterns)) = inner.split_last().filter(|(value, _)| value.kind() != "throw_expression")
            else {
                continue;
            };
            let is_default = patterns.iter().all(|pattern| matches!(pattern.kind(), "discard" | "var_pattern"));
            let labels = match is_default {
                true => Vec::new(),
                false => patterns.iter().map(|pattern| self.expr(*pattern)).collect(),
            };
            arms.push(Arm { labels, body: self.expr(*value) });
        }
        match on {
            Some(on) => arms::value(&mut self.to, on, arms, node),
            None => self.to.other(Vec::new(), node),
        }
    }

    fn try_block(&mut self, node: Node<'_>, out: &mut Block) {
        let body = self.body(node.child_by_field_name("body"));
        out.push(if leaves(&body) { Stmt::OneOf(vec![body]) } else { Stmt::Block(body) });
        let mut handlers = Vec::new();
        for clause in parts(node).into_iter().filter(|part| part.kind() == "catch_clause") {
            let mut handler = Block::new();
            for part in parts(clause) {
                match part.kind() {
                    "catch_declaration" => self.declared(part, &mut handler),
                    "catch_filter_clause" => handler.extend(self.first(part).map(Stmt::Expr)),
                    _ => {}
                }
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

    fn declared(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let target = self.to.name(name);
        let of = node.child_by_field_name("type").and_then(|of| self.path(of));
        out.push(Stmt::Assign { target, of, value: None });
    }
}

fn is_field(member: Node<'_>) -> bool {
    matches!(
        member.kind(),
        "field_declaration" | "property_declaration" | "event_field_declaration" | "enum_member_declaration"
    )
}

fn is_statement(node: Node<'_>) -> bool {
    node.kind().ends_with("_statement") || node.kind() == "block"
}

#[cfg(test)]
mod tests;
