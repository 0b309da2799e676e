//! Lowers PHP. In: a syntax tree. Out: a `Unit` in which `echo`, `include`, `exit` and the like are calls, backticks are
//! `shell_exec`, a call of a variable is `call_user_func`, and `self::`, `static::` and `$this` are `this`.

use tree_sitter::Node;

use super::super::ir::{Arg, Block, ExprId, Function, Kind, Param, Stmt, Unit};
use super::{Lowering, MOST_TESTED_ARMS, block, chain, fields, is_small, parts};

/// Functions that rules know, for code that spells them with capitals: the language does not mind.
const KNOWN_FUNCTIONS: &[&str] = &[
    "assert",
    "create_function",
    "curl_setopt",
    "die",
    "eval",
    "exec",
    "exit",
    "extract",
    "file_get_contents",
    "fopen",
    "header",
    "htmlentities",
    "htmlspecialchars",
    "intval",
    "md5",
    "mt_rand",
    "mysql_query",
    "mysqli_query",
    "passthru",
    "phpinfo",
    "popen",
    "preg_replace",
    "printf",
    "proc_open",
    "rand",
    "setcookie",
    "sha1",
    "shell_exec",
    "sprintf",
    "system",
    "unserialize",
];

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut php = Php { low: Lowering::new(text), class: None };
    let body = php.statements(parts(root));
    php.low.unit.body = body;
    php.low.unit
}

struct Php<'t> {
    low: Lowering<'t>,
    /// The class at hand, whose name means the same as `self`.
    class: Option<&'t str>,
}

impl<'t> Php<'t> {
    fn statements(&mut self, nodes: Vec<Node<'_>>) -> Block {
        let mut into = Block::new();
        for node in nodes {
            self.statement(node, &mut into);
        }
        into
    }

    /// Lowers a statement that is a body: a block, a block behind a colon, or a single statement.
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

    /// What is assigned to: a variable, a member, or a list or array that takes a value apart.
    fn target(&mut self, node: Node<'_>) -> ExprId {
        if !matches!(node.kind(), "list_literal" | "array_creation_expression") {
            return self.expr(node);
        }
        let mut cursor = node.walk();
        let (mut items, mut keys): (Vec<ExprId>, Vec<Option<&'t str>>) = (Vec::new(), Vec::new());
        let (mut key, mut filled) = (None, false);
        for child in node.children(&mut cursor) {
            match child.kind() {
                "," if !filled => {
                    items.push(self.low.implied("_", child));
                    keys.push(None);
                }
                "," => filled = false,
                // What was read last was a key.
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

    /// `const A = 1;`, at the top or in a class.
    fn constants(&mut self, node: Node<'_>, into: &mut Block) {
        let is_of_class = node.parent().is_some_and(|parent| parent.kind().ends_with("declaration_list"));
        for element in parts(node).into_iter().filter(|part| part.kind() == "const_element") {
            let [name, value] = parts(element)[..] else { continue };
            let target = if is_of_class { self.own(name) } else { self.low.name(name) };
            let value = Some(self.expr(value));
            into.push(Stmt::Assign { target, of: None, value });
        }
    }

    /// A member of the class at hand.
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

    /// A parameter; one that is also a property is assigned to it.
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

    /// A switch is a chain of tests, so that an arm knows the value it stands for. Cases without statements of their own
    /// share those of the next.
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
                statements.retain(|part| part.id() != tested.id());
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

    /// `foreach ($all as $key => $item)`: the key of a request is as little to be trusted as its value.
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

    fn field(&mut self, node: Node<'_>, name: &str) -> ExprId {
        match node.child_by_field_name(name) {
            Some(part) => self.expr(part),
            None => self.low.other(Vec::new(), node),
        }
    }

    fn exprs(&mut self, nodes: Vec<Node<'_>>) -> Vec<ExprId> {
        nodes.into_iter().map(|node| self.expr(node)).collect()
    }

    fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "variable_name" => {
                let name = self.low.text(node).trim_start_matches('$');
                self.low.add(Kind::Name(name), node)
            }
            "dynamic_variable_name" => self.dynamic_variable(node),
            "name" | "qualified_name" | "relative_name" | "relative_scope" => self.path(node),
            "string" => {
                let text = self.low.text(node);
                let text = text.trim_start_matches(['b', 'B']);
                let text = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(text);
                self.low.add(Kind::Text(text), node)
            }
            "encapsed_string" => self.template(node, Some(node)),
            "heredoc" => self.template(node, node.child_by_field_name("value")),
            "nowdoc" => {
                let body = node.child_by_field_name("value").map_or("", |body| self.low.text(body));
                self.low.add(Kind::Text(body.trim_start_matches(['\r', '\n'])), node)
            }
            "shell_command_expression" => {
                let callee = self.low.implied("shell_exec", node);
                let value = self.template(node, Some(node));
                self.low.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
            }
            "integer" | "float" => {
                let text = self.low.text(node);
                self.low.add(Kind::Literal(text), node)
            }
            "boolean" | "null" => self.truth(node),
            "function_call_expression" => self.function_call(node),
            "member_call_expression" | "nullsafe_member_call_expression" | "scoped_call_expression" => {
                let callee = self.member(node);
                let args = node.child_by_field_name("arguments").map(|list| self.args(list)).unwrap_or_default();
                self.low.add(Kind::Call { callee, args }, node)
            }
            "member_access_expression"
            | "nullsafe_member_access_expression"
            | "scoped_property_access_expression"
            | "class_constant_access_expression" => self.member(node),
            "subscript_expression" => self.subscript(node),
            "object_creation_expression" => self.creation(node),
            "array_creation_expression" => self.array(node),
            "assignment_expression" | "reference_assignment_expression" => {
                let value = self.field(node, "right");
                let Some(left) = node.child_by_field_name("left") else { return value };
                let target = self.target(left);
                self.low.add(Kind::Assign { target, value }, node)
            }
            "augmented_assignment_expression" => {
                let (target, value) = self.augmented_value(node);
                self.low.add(Kind::Assign { target, value }, node)
            }
            "binary_expression" => self.binary(node),
            "unary_op_expression" | "update_expression" => {
                let operator = node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator));
                let operands = self.exprs(parts(node));
                self.low.add(Kind::Operation(operator, operands), node)
            }
            "cast_expression" => {
                let of = node.child_by_field_name("type").map_or("", |of| self.low.text(of).trim());
                let value = self.field(node, "value");
                self.low.add(Kind::Cast(of, value), node)
            }
            "conditional_expression" => self.conditional(node),
            "match_expression" => self.matched(node),
            "anonymous_function" | "arrow_function" => {
                let function = self.function(node);
                let id = self.low.unit.add_function(function);
                self.low.add(Kind::Function(id), node)
            }
            "anonymous_class" => {
                let body = self.class(None, node);
                let id = self.low.unit.add_function(Function { body, ..Function::default() });
                self.low.add(Kind::Function(id), node)
            }
            "print_intrinsic" => self.call_of("print", parts(node), node),
            "include_expression" => self.call_of("include", parts(node), node),
            "include_once_expression" => self.call_of("include_once", parts(node), node),
            "require_expression" => self.call_of("require", parts(node), node),
            "require_once_expression" => self.call_of("require_once", parts(node), node),
            "exit_statement" => self.call_of("exit", parts(node), node),
            "parenthesized_expression"
            | "argument"
            | "by_ref"
            | "variadic_unpacking"
            | "error_suppression_expression"
            | "clone_expression" => self.inner(node),
            _ => {
                let inner = self.exprs(parts(node));
                self.low.other(inner, node)
            }
        }
    }

    fn inner(&mut self, node: Node<'_>) -> ExprId {
        match parts(node).last() {
            Some(one) => self.expr(*one),
            None => self.low.other(Vec::new(), node),
        }
    }

    /// `${x}` in a text is a variable; `$$x` is one whose name is not known.
    fn dynamic_variable(&mut self, node: Node<'_>) -> ExprId {
        match parts(node)[..] {
            [name] if name.kind() == "name" => self.low.name(name),
            ref inner => {
                let inner = self.exprs(inner.to_vec());
                self.low.other(inner, node)
            }
        }
    }

    fn truth(&mut self, node: Node<'_>) -> ExprId {
        let text = self.low.text(node);
        let known = ["true", "false", "null"].into_iter().find(|known| text.eq_ignore_ascii_case(known));
        self.low.add(Kind::Literal(known.unwrap_or(text)), node)
    }

    /// A name, maybe with its namespaces, as a path. What the language itself fills in is a literal.
    fn path(&mut self, node: Node<'_>) -> ExprId {
        let text = self.low.text(node);
        let mut path = None;
        for segment in text.split('\\').filter(|segment| !segment.is_empty()) {
            path = Some(match path {
                None if matches!(segment, "self" | "static") || self.class == Some(segment) => {
                    self.low.implied("this", node)
                }
                None if segment.starts_with("__") && segment.ends_with("__") => {
                    self.low.add(Kind::Literal(segment), node)
                }
                None => self.low.add(Kind::Name(segment), node),
                Some(object) => self.low.add(Kind::Member(object, segment), node),
            });
        }
        path.unwrap_or_else(|| self.low.other(Vec::new(), node))
    }

    /// Text with holes: a quoted string, a heredoc, a command between backticks.
    fn template(&mut self, node: Node<'_>, body: Option<Node<'_>>) -> ExprId {
        let inner = body.map(parts).unwrap_or_default();
        let is_text = |part: &Node<'_>| matches!(part.kind(), "string_content" | "escape_sequence");
        if inner.iter().all(is_text) {
            let range = inner.first().zip(inner.last()).map_or(0..0, |(a, z)| a.start_byte()..z.end_byte());
            let text = &self.low.text[range];
            return self.low.add(Kind::Text(text), node);
        }
        let mut pieces = Vec::new();
        for part in inner {
            pieces.push(if is_text(&part) {
                let text = self.low.text(part);
                self.low.add(Kind::Text(text), part)
            } else {
                self.expr(part)
            });
        }
        self.low.add(Kind::Concat(pieces), node)
    }

    /// A call of a function. What is called may be in a variable, which is what `call_user_func` does.
    fn function_call(&mut self, node: Node<'_>) -> ExprId {
        let mut args = node.child_by_field_name("arguments").map(|list| self.args(list)).unwrap_or_default();
        let Some(function) = node.child_by_field_name("function") else { return self.low.other(Vec::new(), node) };
        let callee = match function.kind() {
            // `isset($table[$key])` asks whether the table has the key.
            "name"
                if self.low.text(function).eq_ignore_ascii_case("isset")
                    && let [arg] = args[..]
                    && let Kind::Index(of, key) = *self.low.unit.kind(arg.value)
                    && !matches!(self.low.unit.kind(key), Kind::Text(_) | Kind::Literal(_)) =>
            {
                return self.low.add(Kind::Operation("in", vec![key, of]), node);
            }
            "name" => {
                let text = self.low.text(function);
                let known = KNOWN_FUNCTIONS.iter().find(|known| text.eq_ignore_ascii_case(known));
                let name = known.copied().unwrap_or(text);
                if name == "printf" {
                    // It prints what `sprintf` makes.
                    let callee = self.low.implied("sprintf", function);
                    let value = self.low.add(Kind::Call { callee, args: std::mem::take(&mut args) }, node);
                    args.push(Arg { name: None, value });
                }
                self.low.add(Kind::Name(name), function)
            }
            "variable_name" | "subscript_expression" | "member_access_expression" => {
                let value = self.expr(function);
                args.insert(0, Arg { name: None, value });
                self.low.implied("call_user_func", function)
            }
            _ => self.expr(function),
        };
        self.low.add(Kind::Call { callee, args }, node)
    }

    fn args(&mut self, list: Node<'_>) -> Vec<Arg<'t>> {
        let mut args = Vec::new();
        for part in parts(list).into_iter().filter(|part| part.kind() != "variadic_placeholder") {
            let name = part.child_by_field_name("name").map(|name| self.low.text(name));
            args.push(Arg { name, value: self.inner_or_self(part) });
        }
        args
    }

    fn inner_or_self(&mut self, node: Node<'_>) -> ExprId {
        if node.kind() == "argument" { self.inner(node) } else { self.expr(node) }
    }

    /// `$object->name`, `$object?->name`, `Type::name`, `Type::$name`; a name that is computed is an index.
    fn member(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let object = node.child_by_field_name("object").or_else(|| node.child_by_field_name("scope"));
        let name = node.child_by_field_name("name").or_else(|| inner.get(1).copied());
        let object = match object.or_else(|| inner.first().copied()) {
            Some(object) => self.expr(object),
            None => self.low.other(Vec::new(), node),
        };
        let is_static = node.kind() == "scoped_property_access_expression";
        match name {
            Some(name) if name.kind() == "name" || (is_static && name.kind() == "variable_name") => {
                let name = self.low.text(name).trim_start_matches('$');
                self.low.add(Kind::Member(object, name), node)
            }
            Some(name) => {
                let index = self.expr(name);
                self.low.add(Kind::Index(object, index), node)
            }
            None => object,
        }
    }

    fn subscript(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let [object, index] = inner[..] else { return self.inner(node) };
        let in_text = node.parent().is_some_and(|parent| matches!(parent.kind(), "encapsed_string" | "heredoc_body"));
        let object = self.expr(object);
        // `"$a[key]"`: within a text a key stands without quotes.
        let index = if in_text && index.kind() == "name" {
            let text = self.low.text(index);
            self.low.add(Kind::Text(text), index)
        } else {
            self.expr(index)
        };
        self.low.add(Kind::Index(object, index), node)
    }

    /// `new Type(…)`. A type in a variable is the first argument of `new`.
    fn creation(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let list = inner.iter().find(|part| part.kind() == "arguments");
        let mut args = list.map(|list| self.args(*list)).unwrap_or_default();
        let Some(of) = inner.first().filter(|of| of.kind() != "arguments") else {
            return self.low.other(args.into_iter().map(|arg| arg.value).collect(), node);
        };
        let callee = match of.kind() {
            "name" | "qualified_name" | "relative_name" => self.path(*of),
            "anonymous_class" => return self.expr(*of),
            _ => {
                let value = self.expr(*of);
                args.insert(0, Arg { name: None, value });
                self.low.implied("new", *of)
            }
        };
        self.low.add(Kind::Call { callee, args }, node)
    }

    fn array(&mut self, node: Node<'_>) -> ExprId {
        let mut record = Vec::new();
        let mut is_record = false;
        for item in parts(node) {
            match parts(item)[..] {
                [key, value] => {
                    is_record = true;
                    let key = matches!(
                        key.kind(),
                        "string" | "encapsed_string" | "name" | "integer" | "class_constant_access_expression"
                    )
                    .then(|| self.low.text(key).trim_matches(['\'', '"']));
                    record.push((key, self.expr(value)));
                }
                [value] => record.push((None, self.expr(value))),
                _ => {}
            }
        }
        if is_record {
            return self.low.add(Kind::Record(record), node);
        }
        self.low.add(Kind::List(record.into_iter().map(|(_, value)| value).collect()), node)
    }

    /// A chain of `.` is one text; its length is no depth.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = self.operator(node);
        if operator != "." {
            let operands = vec![self.field(node, "left"), self.field(node, "right")];
            let kind = match operator {
                "??" => Kind::Choice(operands),
                _ => Kind::Operation(operator, operands),
            };
            return self.low.add(kind, node);
        }
        let mut operands = Vec::new();
        let mut rest = Some(node);
        while let Some(sum) = rest {
            operands.extend(sum.child_by_field_name("right"));
            let left = sum.child_by_field_name("left");
            rest = left.filter(|left| left.kind() == "binary_expression" && self.operator(*left) == ".");
            operands.extend(left.filter(|_| rest.is_none()));
        }
        operands.reverse();
        let operands = self.exprs(operands);
        self.low.add(Kind::Concat(operands), node)
    }

    fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator))
    }

    fn conditional(&mut self, node: Node<'_>) -> ExprId {
        let test = self.field(node, "condition");
        let otherwise = self.field(node, "alternative");
        let kind = match node.child_by_field_name("body") {
            Some(then) => Kind::If { test, then: self.expr(then), otherwise },
            None => Kind::Choice(vec![test, otherwise]),
        };
        self.low.add(kind, node)
    }

    fn matched(&mut self, node: Node<'_>) -> ExprId {
        let value = node.child_by_field_name("condition");
        let large = value.filter(|value| !is_small(*value)).map(|value| self.expr(value));
        let value = value.filter(|value| is_small(*value));
        let mut otherwise = None;
        let mut arms = Vec::new();
        for arm in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let then = self.field(arm, "return_expression");
            let Some(list) = arm.child_by_field_name("conditional_expressions") else {
                otherwise = Some(then);
                continue;
            };
            let mut tests = Vec::new();
            for one_of in parts(list) {
                let operands = value.into_iter().chain([one_of]).collect();
                let operands = self.exprs(operands);
                tests.push(self.low.add(Kind::Operation("==", operands), one_of));
            }
            tests.extend(large.filter(|_| arms.is_empty()));
            arms.push((self.low.add(Kind::Operation("||", tests), list), then));
        }
        if arms.len() > MOST_TESTED_ARMS {
            let values = arms.into_iter().map(|(_, then)| then).chain(otherwise).collect();
            return self.low.add(Kind::Choice(values), node);
        }
        let otherwise = otherwise.unwrap_or_else(|| self.low.other(Vec::new(), node));
        let chained = |otherwise, (test, then)| self.low.add(Kind::If { test, then, otherwise }, node);
        arms.into_iter().rev().fold(otherwise, chained)
    }

    /// A type as a path; one that may also be null is itself.
    fn of(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind() {
            "primitive_type" => Some(self.low.name(node)),
            "named_type" | "optional_type" => parts(node).first().copied().and_then(|of| self.of(of)),
            "name" | "qualified_name" | "relative_name" => Some(self.path(node)),
            "union_type" => {
                let is_null = |part: &Node<'_>| self.low.text(*part).eq_ignore_ascii_case("null");
                match parts(node).into_iter().filter(|part| !is_null(part)).collect::<Vec<_>>()[..] {
                    [one] => self.of(one),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Returns the variable of `&$x`, and any other node itself.
fn by_value(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() == "by_ref" { parts(node).first().copied() } else { Some(node) }
}

#[cfg(test)]
mod tests {
    use crate::flow::lower::tests::lowered;
    use crate::language::Language;

    fn php(text: &str) -> String {
        lowered(Language::Php, &format!("<?php\n{text}\n"))
    }

    #[test]
    fn imports_lose_their_backslashes() {
        assert_eq!(
            php("use Illuminate\\Support\\Facades\\DB;\nuse App\\{Foo, Bar as Baz};\nuse function App\\helper;"),
            "import DB = Illuminate.Support.Facades.DB\nimport Foo = App.Foo\nimport Baz = App.Bar\nimport helper = App.helper\n"
        );
    }

    #[test]
    fn texts_have_holes() {
        assert_eq!(
            php("$q = \"a $id {$row['k']} ${x} $o->n $a[0] $a[k]\\n\" . 'it' . $b;"),
            "q = <<\"a \" id \" \" row[\"k\"] \" \" x \" \" o.n \" \" a[0] \" \" a[\"k\"] \"\\\\n\"> \"it\" b>\n"
        );
        assert_eq!(php("$h = <<<EOT\n  Hi {$o->x()}\n  EOT;"), "h = <\"  Hi \" o.x()>\n");
        assert_eq!(php("$n = <<<'EOT'\nraw $x\nEOT;"), "n = \"raw $x\"\n");
        assert_eq!(php("$q .= $x; $q = \"\"; $n += 2;"), "q += x\nq = \"\"\nn = (n += 2)\n");
        assert_eq!(php(&format!("$q = {};", vec!["$a"; 900].join(" . "))).matches('a').count(), 900);
    }

    #[test]
    fn what_the_language_does_itself_is_a_call() {
        assert_eq!(
            php("echo $a, 'b'; print $x; $o = `ls $d`; include 'a' . $x; exit(1);"),
            "echo(a, \"b\")\nprint(x)\no = shell_exec(<\"ls \" d>)\ninclude(<\"a\" x>)\nleave exit(1)\n"
        );
        assert_eq!(
            php("$f($x); $o->$m(); new $c($a); SYSTEM($x); die('x');"),
            "call_user_func(f, x)\no[m]()\nnew(c, a)\nsystem(x)\nleave die(\"x\")\n"
        );
    }

    #[test]
    fn members_calls_and_casts() {
        assert_eq!(php("printf('%d', $x);"), "printf(sprintf(\"%d\", x))\n");
        assert_eq!(
            php("$o?->foo(1, name: $x, ...$rest); Foo::bar(); Foo::$s; Foo::C; (new \\A\\B($x))->run();"),
            "o.foo(1, name=x, rest)\nFoo.bar()\nFoo.s\nFoo.C\nA.B(x).run()\n"
        );
        assert_eq!(php("f(isset($t[$k]), isset($t['k']));"), "f((k in t), isset(t[\"k\"]))\n");
        assert_eq!(php("$n = (int) $_GET['id']; @f(!$x);"), "n = (int)_GET[\"id\"]\nf((x))\n");
        assert_eq!(php("$a = ['a' => 1, $k => $v, 'c']; $b = array($x);"), "a = {a: 1, ...: v, ...: \"c\"}\nb = [x]\n");
    }

    #[test]
    fn assignments_take_values_apart() {
        assert_eq!(php("[$a, , $b] = $r; list('k' => $c) = $r;"), "[a, _, b] = r\n{k: c} = r\n");
        assert_eq!(php("$a = $b = $x ?? 'd'; $y ??= TRUE;"), "a = (b := (x | \"d\"))\ny = (y | true)\n");
        assert_eq!(php("$all[] = $x; define('C', 'v'); const D = 1;"), "all += x\nC = \"v\"\nD = 1\n");
    }

    #[test]
    fn classes_have_fields_methods_and_attributes() {
        let text = "class U extends M {\n const Q = 'q';\n private ?PDO $db = null;\n #[Route('/x', name: 'y')]\n\
                    function f(private PDO $p, #[Q] string &$x = 'd', int|null ...$r): ?A { return self::Q . U::$s; }\n}";
        assert_eq!(
            php(text),
            "do\n  this.Q = \"q\"\n  this.db: PDO = null\n  declare fn#0\n\
             fn#0 U.f(p: PDO, @Q x: string = \"d\", r: int) -> A @Route(\"/x\", name=\"y\")\n  this.p: PDO = p\n  return <this.Q this.s>\n"
        );
        assert_eq!(
            php("$f = fn(int $x) => $x; $g = function ($y) use ($z) { return $y; };"),
            "f = fn#0\ng = fn#1\nfn#0 _(x: int)\n  return x\nfn#1 _(y)\n  return y\n"
        );
    }

    #[test]
    fn branches_know_what_they_tested() {
        assert_eq!(
            php("if ($a) { x(); } elseif ($b) y(); else z(); if ($a): x(); endif;"),
            "if a\n  x()\nelse\n  if b\n    y()\n  else\n    z()\nif a\n  x()\n"
        );
        assert_eq!(
            php("switch ($x) { case 'a': case 'b': f(); break; default: g(); }"),
            "if ((x == \"a\") || (x == \"b\"))\n  f()\nelse\n  g()\n"
        );
        assert_eq!(
            php("$m = match($x) { 1 => 'a', default => $b }; $z = $a ? $b : $c; $z = $a ?: $c;"),
            "m = (((x == 1)) ? \"a\" : b)\nz = (a ? b : c)\nz = (a | c)\n"
        );
        assert_eq!(
            php("try { a(); } catch (A | B $e) { b(); } finally { c(); } throw new X('y');"),
            "do\n  a()\nor\nor\n  e: A\n  b()\nc()\nleave X(\"y\")\n"
        );
    }

    #[test]
    fn loops_go_through_items() {
        assert_eq!(php("foreach ($all as $k => $v) { f($v); }"), "loop v in all\n  k = v\n  f(v)\n");
        assert_eq!(php("foreach ($all as &$v): f($v); endforeach;"), "loop v in all\n  f(v)\n");
        assert_eq!(php("while ($r = n()) { f($r); }"), "loop while (r := n())\n  f(r)\n");
    }

    #[test]
    fn broken_code_is_lowered_as_far_as_it_goes() {
        for text in [
            "class",
            "class A {",
            "function f(",
            "$x =",
            "foreach (",
            "switch ($x) { case",
            "match(",
            "\"a $",
            "<<<EOT\n",
            "new",
            "[=>]",
        ] {
            php(text);
            php(&format!("function f() {{ {text} }} g(1);"));
        }
        assert!(php("$x = ; system($y);").contains("system(y)"));
    }
}
