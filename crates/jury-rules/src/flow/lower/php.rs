//! Lowers PHP: the statements and declarations; `expressions` has the rest. In: a syntax tree. Out: a `Unit` in
//! which `echo`, `include`, `exit` and the like are calls, backticks are `shell_exec`, a call of a variable is `call_user_func`, and
//! `self::`, `static::` and `$this` are `this`.

use std::collections::BTreeSet;

use super::super::ir::{Arg, Block, ExprId, Function, Kind, Param, Stmt, Unit};
use super::{Lowering, block, chain, fields, is_small, parts};
use crate::nodes::Node;

mod expressions;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut php = Php { low: Lowering::new(text), class: None, closures: BTreeSet::new() };
    let body = php.statements(parts(root));
    php.low.unit.body = body;
    php.low.unit
}

struct Php<'t> {
    low: Lowering<'t>,
    /// The current class, whose name means the same as `self`.
    class: Option<&'t str>,
    /// The variables that hold a closure.
    closures: BTreeSet<&'t str>,
}

impl<'t> Php<'t> {
    fn statements(&mut self, nodes: Vec<Node<'_>>) -> Block {
        let mut into = Block::new();
        for node in nodes {
            self.statement(node, &mut into);
        }
        into
    }

    /// Lowers a body statement: a block, a block after a colon, or a single statement.
    fn body(&mut self, node: Option<Node<'_>>) -> Block {
        let Some(node) = node else { return Block::new() };
        match node.kind() {
            "compound_statement" | "colon_block" => self.statements(parts(node)),
            _ => self.statements(vec![node]),
        }
    }

    fn statement(&mut self, node: Node<'_>, into: &mut Block) {
        match node.kind() {
            "php_tag"
            | "php_end_tag"
            | "empty_statement"
            | "global_declaration"
            | "use_declaration"
            | "named_label_statement"
            | "declare_directive" => {}
            "namespace_definition" => into.extend(self.body(node.child_by_field_name("body"))),
            "namespace_use_declaration" => self.imports(node),
            "declare_statement" => into.extend(self.statements(parts(node))),
            "expression_statement" => self.expression_statement(node, into),
            "echo_statement" => self.echo(node, into),
            "exit_statement" => {
                let args = parts(node);
                let call = self.call_of("exit", args, node);
                into.push(Stmt::Leave(Some(call)));
            }
            "const_declaration" => self.constants(node, into),
            "function_static_declaration" => self.static_variables(node, into),
            "unset_statement" => self.unset(node, into),
            "function_definition" | "method_declaration" => self.declared(node, into),
            "class_declaration" | "trait_declaration" | "interface_declaration" | "enum_declaration" => {
                let name = node.child_by_field_name("name").map(|name| self.low.text(name));
                let body = self.class(name, node);
                into.push(block(body));
            }
            "property_declaration" => self.properties(node, into),
            "enum_case" => self.enum_case(node, into),
            "compound_statement" | "colon_block" => into.push(block(self.statements(parts(node)))),
            "if_statement" => self.branch(node, into),
            "switch_statement" => self.switch(node, into),
            "while_statement" | "do_statement" => {
                let test = Some(self.field(node, "condition"));
                let body = self.body(node.child_by_field_name("body"));
                into.push(Stmt::Loop { each: None, test, body });
            }
            "for_statement" => self.counted(node, into),
            "foreach_statement" => self.each(node, into),
            "try_statement" => self.attempt(node, into),
            "return_statement" => {
                let value = parts(node).first().map(|value| self.expr(*value));
                into.push(Stmt::Return(value));
            }
            "break_statement" | "continue_statement" | "goto_statement" => into.push(Stmt::Leave(None)),
            _ => {
                let value = self.expr(node);
                into.push(Stmt::Expr(value));
            }
        }
    }

    /// `use A\B;`, `use A\B as C;`, `use A\{B, C as D};`.
    fn imports(&mut self, node: Node<'_>) {
        let parts_of = parts(node);
        let group = parts_of.iter().find(|part| part.kind() == "namespace_name").map(|name| self.low.text(*name));
        let clauses = parts_of.iter().flat_map(|part| match part.kind() {
            "namespace_use_group" => parts(*part),
            "namespace_use_clause" => vec![*part],
            _ => Vec::new(),
        });
        for clause in clauses.collect::<Vec<_>>() {
            let Some(name) = parts(clause).into_iter().find(|part| part.kind() != "function") else { continue };
            let name = self.low.text(name).trim_start_matches('\\');
            let path = group.map_or_else(|| name.to_owned(), |group| format!("{group}\\{name}"));
            let last = name.rsplit('\\').next().unwrap_or(name);
            let local = clause.child_by_field_name("alias").map_or(last, |alias| self.low.text(alias));
            self.low.unit.import(local, path.trim_start_matches('\\').replace('\\', "."));
        }
    }

    fn expression_statement(&mut self, node: Node<'_>, into: &mut Block) {
        let Some(part) = parts(node).into_iter().next() else { return };
        if self.low.text[..part.start_byte()].trim_end().ends_with("<?=") {
            let call = self.call_of("echo", vec![part], node);
            into.push(Stmt::Expr(call));
            return;
        }
        match part.kind() {
            "assignment_expression" | "reference_assignment_expression" => self.assignment(part, into),
            "augmented_assignment_expression" => self.augmented(part, into),
            "throw_expression" => {
                let value = parts(part).first().map(|value| self.expr(*value));
                into.push(Stmt::Leave(value));
            }
            "function_call_expression" => {
                let function = part.child_by_field_name("function").map_or("", |name| self.low.text(name));
                if function.eq_ignore_ascii_case("define") && self.define(part, into) {
                    return;
                }
                let value = self.expr(part);
                let leaves = ["die", "exit"].iter().any(|end| function.eq_ignore_ascii_case(end));
                into.push(if leaves { Stmt::Leave(Some(value)) } else { Stmt::Expr(value) });
            }
            _ => {
                let value = self.expr(part);
                into.push(Stmt::Expr(value));
            }
        }
    }

    /// `define("NAME", value)` is a constant of the file.
    fn define(&mut self, call: Node<'_>, into: &mut Block) -> bool {
        let args: Vec<Node<'_>> = call.child_by_field_name("arguments").map(parts).unwrap_or_default();
        let [name, value, ..] = args[..] else { return false };
        let name_text = self.low.text(name).trim_matches(['"', '\'']);
        let target = self.low.add(Kind::Name(name_text), name);
        let value = Some(self.inner(value));
        into.push(Stmt::Assign { target, of: None, value });
        true
    }

    fn assignment(&mut self, node: Node<'_>, into: &mut Block) {
        let value = self.field(node, "right");
        let Some(left) = node.child_by_field_name("left") else { return into.push(Stmt::Expr(value)) };
        if matches!(self.low.unit.kind(value), Kind::Function(_)) {
            self.closures.insert(self.low.text(left));
        }
        match parts(left)[..] {
            // `$all[] = $x`.
            [all] if left.kind() == "subscript_expression" => {
                let target = self.expr(all);
                into.push(Stmt::Append { target, value });
            }
            _ => {
                let target = self.target(left);
                into.push(Stmt::Assign { target, of: None, value: Some(value) });
            }
        }
    }

    fn augmented(&mut self, node: Node<'_>, into: &mut Block) {
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator));
        if operator == ".=" {
            let (target, value) = (self.field(node, "left"), self.field(node, "right"));
            return into.push(Stmt::Append { target, value });
        }
        let (target, value) = self.augmented_value(node);
        into.push(Stmt::Assign { target, of: None, value: Some(value) });
    }

    fn augmented_value(&mut self, node: Node<'_>) -> (ExprId, ExprId) {
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator));
        let (target, value) = (self.field(node, "left"), self.field(node, "right"));
        let kind = match operator {
            ".=" => Kind::Concat(vec![target, value]),
            "??=" => Kind::Choice(vec![target, value]),
            _ => Kind::Operation(operator, vec![target, value]),
        };
        (target, self.low.add(kind, node))
    }

    /// An assignment target: a variable, a member, or a list or array that destructures a value.
    fn target(&mut self, node: Node<'_>) -> ExprId {
        if !matches!(node.kind(), "list_literal" | "array_creation_expression") {
            return self.expr(node);
        }
        let (mut items, mut keys): (Vec<ExprId>, Vec<Option<&'t str>>) = (Vec::new(), Vec::new());
        let (mut key, mut filled) = (None, false);
        for child in node.children() {
            match child.kind() {
                "," if !filled => {
                    items.push(self.low.implied("_", child));
                    keys.push(None);
                }
                "," => filled = false,
                // The last expression was a key.
                "=>" => {
                    let last = items.pop();
                    keys.pop();
                    key = last.and_then(|id| match self.low.unit.kind(id) {
                        Kind::Text(text) | Kind::Literal(text) => Some(*text),
                        _ => None,
                    });
                }
                _ if child.is_named() && !child.is_extra() => {
                    items.extend(by_value(child).map(|item| self.target(item)));
                    keys.push(key.take());
                    filled = true;
                }
                _ => {}
            }
        }
        if keys.iter().all(Option::is_none) {
            return self.low.add(Kind::List(items), node);
        }
        self.low.add(Kind::Record(keys.into_iter().zip(items).collect()), node)
    }

    fn echo(&mut self, node: Node<'_>, into: &mut Block) {
        let mut args = Vec::new();
        let mut rest = parts(node);
        while let Some(part) = rest.pop() {
            match part.kind() {
                "sequence_expression" => rest.extend(parts(part)),
                _ => args.push(part),
            }
        }
        args.reverse();
        let call = self.call_of("echo", args, node);
        into.push(Stmt::Expr(call));
    }

    fn call_of(&mut self, name: &'t str, args: Vec<Node<'_>>, node: Node<'_>) -> ExprId {
        let callee = self.low.implied(name, node);
        let args = self.exprs(args).into_iter().map(|value| Arg { name: None, value }).collect();
        self.low.add(Kind::Call { callee, args }, node)
    }

    /// `const A = 1;`, at the top level or in a class.
    fn constants(&mut self, node: Node<'_>, into: &mut Block) {
        let is_of_class = node.parent().is_some_and(|parent| parent.kind().ends_with("declaration_list"));
        for element in parts(node).into_iter().filter(|part| part.kind() == "const_element") {
            let [name, value] = parts(element)[..] else { continue };
            let target = if is_of_class { self.own(name) } else { self.low.name(name) };
            let value = Some(self.expr(value));
            into.push(Stmt::Assign { target, of: None, value });
        }
    }

    /// A member of the current class.
    fn own(&mut self, name: Node<'_>) -> ExprId {
        let this = self.low.implied("this", name);
        let member = Kind::Member(this, self.low.text(name).trim_start_matches('$'));
        self.low.add(member, name)
    }

    fn static_variables(&mut self, node: Node<'_>, into: &mut Block) {
        for part in parts(node) {
            let target = self.field(part, "name");
            let value = part.child_by_field_name("value").map(|value| self.expr(value));
            into.push(Stmt::Assign { target, of: None, value });
        }
    }

    fn unset(&mut self, node: Node<'_>, into: &mut Block) {
        for part in parts(node) {
            let target = self.expr(part);
            let value = Some(self.low.add(Kind::Literal("null"), part));
            into.push(Stmt::Assign { target, of: None, value });
        }
    }

    fn class(&mut self, name: Option<&'t str>, node: Node<'_>) -> Block {
        let outer = std::mem::replace(&mut self.class, name);
        let members = node.child_by_field_name("body").map(parts).unwrap_or_default();
        let body = self.statements(members);
        self.class = outer;
        body
    }

    fn properties(&mut self, node: Node<'_>, into: &mut Block) {
        let of = node.child_by_field_name("type");
        for element in parts(node).into_iter().filter(|part| part.kind() == "property_element") {
            let Some(name) = element.child_by_field_name("name") else { continue };
            let target = self.own(name);
            let of = of.and_then(|of| self.of(of));
            let value = element.child_by_field_name("default_value").map(|value| self.expr(value));
            into.push(Stmt::Assign { target, of, value });
        }
    }

    fn enum_case(&mut self, node: Node<'_>, into: &mut Block) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let target = self.own(name);
        let value = node.child_by_field_name("value").map(|value| self.expr(value));
        into.push(Stmt::Assign { target, of: None, value });
    }

    fn declared(&mut self, node: Node<'_>, into: &mut Block) {
        let mut function = self.function(node);
        function.name = node.child_by_field_name("name").map(|name| self.low.text(name));
        if node.kind() == "method_declaration" {
            function.class = self.class;
        }
        let id = self.low.unit.add_function(function);
        into.push(Stmt::Function(id));
    }

    fn function(&mut self, node: Node<'_>) -> Function<'t> {
        let decorators = self.attributes(node);
        let mut body = Block::new();
        let list = node.child_by_field_name("parameters").map(parts).unwrap_or_default();
        let params = list.into_iter().map(|param| self.param(param, &mut body)).collect();
        let result = node.child_by_field_name("return_type").and_then(|of| self.of(of));
        match node.child_by_field_name("body") {
            Some(value) if node.kind() == "arrow_function" => {
                let value = self.expr(value);
                body.push(Stmt::Return(Some(value)));
            }
            statements => body.extend(self.body(statements)),
        }
        Function { decorators, params, result, body, ..Function::default() }
    }

    /// A parameter; a promoted one is also assigned to its property.
    fn param(&mut self, node: Node<'_>, body: &mut Block) -> Param<'t> {
        let name = node.child_by_field_name("name");
        let target = match name {
            Some(name) => self.expr(name),
            None => self.low.implied("_", node),
        };
        let of = node.child_by_field_name("type").and_then(|of| self.of(of));
        if let (Some(name), "property_promotion_parameter") = (name, node.kind()) {
            let own = self.own(name);
            let of = node.child_by_field_name("type").and_then(|of| self.of(of));
            let value = Some(self.expr(name));
            body.push(Stmt::Assign { target: own, of, value });
        }
        let decorators = self.attributes(node);
        let default = node.child_by_field_name("default_value").map(|value| self.expr(value));
        let name = name.map(|name| self.low.text(name).trim_start_matches(['&', '$']));
        Param { target, name, of, decorators, default }
    }

    /// `#[Route("/x", name: "y")]`.
    fn attributes(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let groups = node.child_by_field_name("attributes").map(parts).unwrap_or_default();
        let mut all = Vec::new();
        for attribute in groups.into_iter().flat_map(parts) {
            let Some(name) = parts(attribute).into_iter().next() else { continue };
            let callee = self.path(name);
            all.push(match attribute.child_by_field_name("parameters") {
                Some(list) => {
                    let args = self.args(list);
                    self.low.add(Kind::Call { callee, args }, attribute)
                }
                None => callee,
            });
        }
        all
    }

    fn branch(&mut self, node: Node<'_>, into: &mut Block) {
        let test = self.field(node, "condition");
        let then = self.body(node.child_by_field_name("body"));
        let mut arms = vec![(Some(test), then)];
        for other in fields(node, "alternative") {
            let test = other.child_by_field_name("condition").map(|test| self.expr(test));
            arms.push((test, self.body(other.child_by_field_name("body"))));
        }
        into.extend(chain(arms));
    }

    /// A switch is a chain of tests, so that an arm knows the value of its label. Cases without statements share those
    /// of the next.
    fn switch(&mut self, node: Node<'_>, into: &mut Block) {
        let value = node.child_by_field_name("condition");
        if let Some(large) = value.filter(|value| !is_small(*value)) {
            let large = self.expr(large);
            into.push(Stmt::Expr(large));
        }
        let value = value.filter(|value| is_small(*value));
        let mut arms: Vec<(Option<ExprId>, Block)> = Vec::new();
        let mut tests = Vec::new();
        for case in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let mut statements = parts(case);
            let tested = case.child_by_field_name("value");
            if let Some(tested) = tested {
                statements.retain(|part| *part != tested);
                let (value, one_of) = (value.map(|value| self.expr(value)), self.expr(tested));
                let operands = value.into_iter().chain([one_of]).collect();
                tests.push(self.low.add(Kind::Operation("==", operands), tested));
            }
            if statements.is_empty() && tested.is_some() {
                continue;
            }
            statements.pop_if(|last| matches!(last.kind(), "break_statement" | "continue_statement"));
            let body = self.statements(statements);
            let tests = std::mem::take(&mut tests);
            let test = match tests[..] {
                _ if tested.is_none() => None,
                [test] => Some(test),
                _ => Some(self.low.add(Kind::Operation("||", tests), case)),
            };
            arms.push((test, body));
        }
        into.extend(chain(arms));
    }

    fn counted(&mut self, node: Node<'_>, into: &mut Block) {
        let mut around = Block::new();
        if let Some(start) = node.child_by_field_name("initialize") {
            let start = self.expr(start);
            around.push(Stmt::Expr(start));
        }
        let test = node.child_by_field_name("condition").map(|test| self.expr(test));
        let mut body = Block::new();
        for part in fields(node, "body") {
            body.extend(self.body(Some(part)));
        }
        if let Some(update) = node.child_by_field_name("update") {
            let update = self.expr(update);
            body.push(Stmt::Expr(update));
        }
        around.push(Stmt::Loop { each: None, test, body });
        into.push(block(around));
    }

    /// `foreach ($all as $key => $item)`: the key of a request is as untrusted as its value.
    fn each(&mut self, node: Node<'_>, into: &mut Block) {
        let body = node.child_by_field_name("body");
        let head: Vec<Node<'_>> = parts(node).into_iter().filter(|part| Some(*part) != body).collect();
        let [all, item, ..] = head[..] else { return into.extend(self.body(body)) };
        let all = self.expr(all);
        let pair = if item.kind() == "pair" { parts(item) } else { vec![item] };
        let mut start = Block::new();
        let each = pair.last().and_then(|item| by_value(*item)).map(|item| (self.target(item), all));
        if let ([key, _], Some((item, _))) = (&pair[..], each) {
            let target = self.expr(*key);
            let value = match self.low.unit.kind(item) {
                Kind::Name(name) => self.low.add(Kind::Name(name), *key),
                _ => self.low.other(Vec::new(), *key),
            };
            start.push(Stmt::Assign { target, of: None, value: Some(value) });
        }
        start.extend(self.body(body));
        into.push(Stmt::Loop { each, test: None, body: start });
    }

    fn attempt(&mut self, node: Node<'_>, into: &mut Block) {
        into.push(block(self.body(node.child_by_field_name("body"))));
        let mut handlers = vec![Block::new()];
        let mut last = Block::new();
        for clause in parts(node) {
            let body = clause.child_by_field_name("body");
            match clause.kind() {
                "catch_clause" => {
                    let mut handler = Block::new();
                    if let Some(name) = clause.child_by_field_name("name") {
                        let target = self.expr(name);
                        let of = clause.child_by_field_name("type").and_then(|list| parts(list).first().copied());
                        let of = of.and_then(|of| self.of(of));
                        handler.push(Stmt::Assign { target, of, value: None });
                    }
                    handler.extend(self.body(body));
                    handlers.push(handler);
                }
                "finally_clause" => last = self.body(body),
                _ => {}
            }
        }
        into.push(Stmt::OneOf(handlers));
        into.extend(last);
    }
}

/// Returns the variable of `&$x`, and any other node itself.
fn by_value(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() == "by_ref" { parts(node).first().copied() } else { Some(node) }
}

#[cfg(test)]
mod tests;
