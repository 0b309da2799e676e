//! Lowers C#.

use tree_sitter::Node;

use super::super::ir::{Arg, Block, ExprId, Function, FunctionId, Kind, Param, Stmt, Unit};
use super::arms::{self, Arm, leaves};
use super::{Lowering, fields, parts};

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

    /// Lowers a statement to a block of its own.
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
            // What follows a `yield return` still runs.
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

    /// Lowers an expression that stands as a statement.
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

    /// Lowers `using`. Without an alias it names no type, so nothing is resolved by it.
    fn import(&mut self, node: Node<'_>) {
        let alias = node.child_by_field_name("name");
        let Some(path) = parts(node).into_iter().rfind(|part| Some(*part) != alias) else { return };
        let local = alias.map_or("*", |alias| self.to.text(alias));
        let path: String = self.plain(path).split_whitespace().collect();
        self.to.unit.import(local, path.replace("::", "."));
    }

    /// Lowers both branches of `#if`: either may be what is compiled.
    fn conditional(&mut self, node: Node<'_>, out: &mut Block) {
        let condition = node.child_by_field_name("condition");
        let rest: Vec<Node<'_>> = parts(node).into_iter().filter(|part| Some(*part) != condition).collect();
        out.extend(self.all(&rest));
    }

    /// Lowers a class. Its fields come first: methods see them wherever they are declared.
    fn class(&mut self, node: Node<'_>) -> Block {
        let outer = self.class;
        self.class = node.child_by_field_name("name").map(|name| self.to.text(name)).or(outer);
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
            let initial = value.filter(|value| value.kind() != "arrow_expression_clause");
            let initial = initial.map(|value| self.expected(value, of));
            let of = of.and_then(|of| self.path(of));
            out.push(Stmt::Assign { target, of, value: initial });
        }
        let mut bodies: Vec<Node<'_>> =
            value.filter(|value| value.kind() == "arrow_expression_clause").into_iter().collect();
        for accessor in node.child_by_field_name("accessors").map(parts).unwrap_or_default() {
            bodies.extend(accessor.child_by_field_name("body"));
        }
        for body in bodies {
            let body = self.function_body(Some(body));
            let name = name.map(|name| self.to.text(name));
            let function = Function { name, class: self.class, body, ..Function::default() };
            out.push(Stmt::Function(self.to.unit.add_function(function)));
        }
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

    /// Lowers the type of a result; of `Task<T>` it is `T` that a caller gets.
    fn awaited(&mut self, of: Node<'_>) -> Option<ExprId> {
        let inner = parts(of).into_iter().find(|part| part.kind() == "type_argument_list");
        match inner.and_then(|list| parts(list).first().copied()) {
            Some(inner) if matches!(self.plain(of), "Task" | "ValueTask") => self.path(inner),
            _ => self.path(of),
        }
    }

    /// Lowers what methods and closures share: the parameters and the body.
    fn function(&mut self, node: Node<'_>) -> Function<'t> {
        let params = match node.child_by_field_name("parameters") {
            Some(one) if one.kind() == "implicit_parameter" => vec![self.untyped(one)],
            Some(list) => self.params(list),
            None => Vec::new(),
        };
        let body = node.child_by_field_name("body");
        let body = body.or_else(|| parts(node).into_iter().find(|part| part.kind() == "block"));
        let body = self.function_body(body);
        Function { class: self.class, params, body, ..Function::default() }
    }

    fn function_body(&mut self, node: Option<Node<'_>>) -> Block {
        let was = std::mem::replace(&mut self.breaks_a_switch, false);
        let body = match node {
            Some(body) if body.kind() == "block" => self.statements(body),
            Some(arrow) if arrow.kind() == "arrow_expression_clause" => vec![Stmt::Return(self.first(arrow))],
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
                // A `params` array stands in the list itself.
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
            // `Name = value` may also stand as an assignment.
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

    /// Makes a field of a name: methods read it with or without `this`.
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

    /// Lowers a loop over items. Their type is given to them within it.
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

    /// Lowers a switch whose value is used.
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

    fn expr(&mut self, node: Node<'_>) -> ExprId {
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

    fn field(&mut self, node: Node<'_>, name: &str) -> ExprId {
        match node.child_by_field_name(name) {
            Some(child) => self.expr(child),
            None => self.to.other(Vec::new(), node),
        }
    }

    fn first(&mut self, node: Node<'_>) -> Option<ExprId> {
        parts(node).first().map(|part| self.expr(*part))
    }

    fn literal(&mut self, node: Node<'_>) -> ExprId {
        let text = self.to.text(node);
        self.to.add(Kind::Literal(text), node)
    }

    fn list(&mut self, node: Node<'_>) -> ExprId {
        let items = parts(node).into_iter().map(|item| self.expr(item)).collect();
        self.to.add(Kind::List(items), node)
    }

    fn interpolated(&mut self, node: Node<'_>) -> ExprId {
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

    fn member(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = node.child_by_field_name("name").map(|name| self.plain(name)) else {
            return self.to.other(Vec::new(), node);
        };
        let object = self.field(node, "expression");
        self.to.add(Kind::Member(object, name), node)
    }

    /// Lowers `object?.name` and `object?[index]`.
    fn conditional_access(&mut self, node: Node<'_>) -> ExprId {
        let object = self.field(node, "condition");
        let condition = node.child_by_field_name("condition");
        match parts(node).into_iter().rfind(|part| Some(*part) != condition) {
            Some(binding) => self.bound(object, binding),
            None => object,
        }
    }

    /// Lowers what hangs on `object?`: the innermost binding is a member of the object.
    fn bound(&mut self, object: ExprId, node: Node<'_>) -> ExprId {
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
                let args = node.child_by_field_name("arguments").map(|list| self.arg_list(list, Some(object)));
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

    fn indexed(&mut self, object: ExprId, list: Option<Node<'_>>, node: Node<'_>) -> ExprId {
        let index = match list.and_then(|list| parts(list).first().copied()) {
            Some(index) => self.expr(index),
            None => self.to.other(Vec::new(), node),
        };
        self.to.add(Kind::Index(object, index), node)
    }

    fn call(&mut self, node: Node<'_>) -> ExprId {
        let function = node.child_by_field_name("function");
        let callee = match function {
            Some(function) => self.expr(function),
            None => self.to.other(Vec::new(), node),
        };
        let receiver = match self.to.unit.kind(callee) {
            Kind::Member(object, _) => Some(*object),
            _ => None,
        };
        let args = node.child_by_field_name("arguments").map(|list| self.arg_list(list, receiver)).unwrap_or_default();
        self.to.add(Kind::Call { callee, args }, node)
    }

    fn arg_list(&mut self, list: Node<'_>, receiver: Option<ExprId>) -> Vec<Arg<'t>> {
        let mut args = Vec::new();
        for argument in parts(list) {
            let name = argument.child_by_field_name("name").filter(|_| argument.kind() == "argument");
            let Some(value) = parts(argument).into_iter().rfind(|part| Some(*part) != name) else {
                args.push(Arg { name: name.map(|name| self.to.text(name)), value: self.bare(argument) });
                continue;
            };
            let value = match argument.kind() {
                "argument" => self.passed(value, receiver),
                _ => self.expr(argument),
            };
            args.push(Arg { name: name.map(|name| self.to.text(name)), value });
        }
        args
    }

    /// Lowers an argument. What `out` declares comes from the object: `query.TryGetValue("id", out var id)`.
    fn passed(&mut self, value: Node<'_>, receiver: Option<ExprId>) -> ExprId {
        let (Some(object), "declaration_expression") = (receiver, value.kind()) else { return self.expr(value) };
        let target = self.field(value, "name");
        let of = value.child_by_field_name("type").filter(|of| of.kind() != "implicit_type");
        let from = match of.map(|of| self.plain(of)) {
            Some(of) => self.to.add(Kind::Cast(of, object), value),
            None => object,
        };
        self.to.add(Kind::Assign { target, value: from }, value)
    }

    /// Lowers an argument that is a mere token: `this`.
    fn bare(&mut self, argument: Node<'_>) -> ExprId {
        let last = argument.child_count().checked_sub(1).and_then(|last| argument.child(last));
        match last.filter(|last| matches!(last.kind(), "this" | "base")) {
            Some(token) => self.to.name(token),
            None => self.to.other(Vec::new(), argument),
        }
    }

    /// Lowers `new T(…) { … }`: what the braces set is a record, or a list, behind the arguments.
    fn creation(&mut self, node: Node<'_>, of: Option<Node<'_>>) -> ExprId {
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

    /// Lowers what stands in the braces behind `new T`: settings `A = 1`, entries `["a"] = 1` or `{ "a", 1 }`, or items.
    fn initializer(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let is_record =
            inner.iter().any(|part| matches!(part.kind(), "assignment_expression" | "initializer_expression"));
        if !is_record {
            return self.list(node);
        }
        let entries = inner.into_iter().map(|part| self.entry(part)).collect();
        self.to.add(Kind::Record(entries), node)
    }

    fn entry(&mut self, node: Node<'_>) -> (Option<&'t str>, ExprId) {
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
    fn key(&self, node: Node<'_>) -> Option<&'t str> {
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
    fn anonymous(&mut self, node: Node<'_>) -> ExprId {
        let mut entries = Vec::new();
        let mut name = None;
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
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

    fn with(&mut self, node: Node<'_>) -> ExprId {
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

    /// Lowers an operation of two operands. A chain of the same operator is one operation: it is taken apart along its left
    /// side, so that long sums cost no depth.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
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
    fn unary(&mut self, node: Node<'_>) -> ExprId {
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
    fn is_pattern(&mut self, node: Node<'_>) -> ExprId {
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
            None => vec![value, self.expr(pattern)],
        };
        self.to.add(Kind::Operation("is", tested), node)
    }

    fn cast(&mut self, node: Node<'_>, value: &str, of: &str) -> ExprId {
        let value = self.field(node, value);
        let of = node.child_by_field_name(of).map(|of| self.plain(of)).unwrap_or_default();
        self.to.add(Kind::Cast(of, value), node)
    }

    fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map(|operator| self.to.text(operator)).unwrap_or_default()
    }

    /// Lowers a type, or a dotted name, to a path. An array of numbers is no number, so it has none.
    fn path(&mut self, node: Node<'_>) -> Option<ExprId> {
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
    fn plain(&self, of: Node<'_>) -> &'t str {
        match of.kind() {
            "generic_name" => parts(of).first().map(|of| self.to.text(*of)).unwrap_or_default(),
            "nullable_type" => of.child_by_field_name("type").map(|of| self.plain(of)).unwrap_or_default(),
            _ => self.to.text(of),
        }
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

/// Returns what stands between the quotes of a string of any form.
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

#[cfg(test)]
mod tests;
