//! Lowers Go: the statements and declarations; `expressions` has the rest. In: a syntax tree. Out: a `Unit` in which
//! the receiver of a method is `this`, a conversion to a built-in type is a cast, and of several results the first
//! stands for all except the error. Not here: the names of a dot import.

use super::super::ir::{Block, ExprId, Function, Kind, Param, Stmt, Unit};
use super::{Lowering, block, chain, fields, is_small, parts};
use crate::nodes::Node;

mod expressions;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut go = Go { low: Lowering::new(text), receiver: None, lookup: None, is_test: false };
    let body = go.statements(parts(root));
    go.low.unit.body = body;
    go.low.unit
}

struct Go<'t> {
    low: Lowering<'t>,
    /// The receiver name of the current method.
    receiver: Option<&'t str>,
    /// The variable that last got the result of a map lookup, and the lookup as an expression.
    lookup: Option<(&'t str, ExprId)>,
    /// Whether the current expression is the condition of an `if`.
    is_test: bool,
}

impl<'t> Go<'t> {
    fn statements(&mut self, nodes: Vec<Node<'_>>) -> Block {
        let mut into = Block::new();
        for node in nodes {
            self.statement(node, &mut into);
        }
        into
    }

    /// Lowers the statements of a node, which may be a block, a case or absent.
    fn body(&mut self, node: Option<Node<'_>>) -> Block {
        let mut into = Block::new();
        for part in node.map(parts).unwrap_or_default() {
            match part.kind() {
                "statement_list" => into.extend(self.statements(parts(part))),
                _ => self.statement(part, &mut into),
            }
        }
        into
    }

    fn statement(&mut self, node: Node<'_>, into: &mut Block) {
        match node.kind() {
            "package_clause" | "empty_statement" | "fallthrough_statement" | "label_name" => {}
            "import_declaration" => self.imports(node),
            "function_declaration" | "method_declaration" => self.declared(node, into),
            "type_declaration" => parts(node).into_iter().for_each(|spec| self.declared_type(spec, into)),
            "var_declaration" | "const_declaration" | "var_spec_list" => {
                parts(node).into_iter().for_each(|spec| self.statement(spec, into));
            }
            "var_spec" | "const_spec" => self.variables(node, into),
            "short_var_declaration" => self.assignment(node, into),
            "receive_statement" => self.assignment(node, into),
            "assignment_statement" => self.assignment(node, into),
            "inc_statement" | "dec_statement" => self.step(node, into),
            "send_statement" => self.send(node, into),
            "block" => into.push(block(self.body(Some(node)))),
            "statement_list" => into.extend(self.statements(parts(node))),
            "if_statement" => self.branch(node, into),
            "expression_switch_statement" | "type_switch_statement" => self.switch(node, into),
            "select_statement" => self.select(node, into),
            "for_statement" => self.repeat(node, into),
            "return_statement" => self.give_back(node, into),
            "break_statement" | "continue_statement" | "goto_statement" => into.push(Stmt::Leave(None)),
            "labeled_statement" => parts(node).into_iter().for_each(|part| self.statement(part, into)),
            "expression_statement" | "go_statement" | "defer_statement" => self.plain(node, into),
            _ => {
                let value = self.expr(node);
                into.push(Stmt::Expr(value));
            }
        }
    }

    fn plain(&mut self, node: Node<'_>, into: &mut Block) {
        for part in parts(node) {
            let value = self.expr(part);
            into.push(if ends_the_program(self.low.text(part)) { Stmt::Leave(Some(value)) } else { Stmt::Expr(value) });
        }
    }

    /// `import h "net/http"`, `import _ "net/http/pprof"`: a package without a name is named by the end of its path.
    fn imports(&mut self, node: Node<'_>) {
        for part in parts(node) {
            if part.kind() == "import_spec_list" {
                self.imports(part);
            }
            let Some(path) = part.child_by_field_name("path") else { continue };
            let path = unquoted(self.low.text(path));
            let local = part.child_by_field_name("name").map(|name| self.low.text(name));
            self.low.unit.import(local.unwrap_or_else(|| package_name(path)), path);
        }
    }

    fn declared(&mut self, node: Node<'_>, into: &mut Block) {
        let receiver = node.child_by_field_name("receiver").and_then(|list| parts(list).into_iter().next());
        let class = receiver.and_then(|part| part.child_by_field_name("type")).map(|of| self.base_name(of));
        let name = receiver.and_then(|part| part.child_by_field_name("name")).map(|name| self.low.text(name));
        let outer = std::mem::replace(&mut self.receiver, name);
        self.lookup = None;
        let mut function = self.function(node);
        function.name = node.child_by_field_name("name").map(|name| self.low.text(name));
        function.class = class;
        self.receiver = outer;
        let id = self.low.unit.add_function(function);
        into.push(Stmt::Function(id));
    }

    fn function(&mut self, node: Node<'_>) -> Function<'t> {
        let params = node.child_by_field_name("parameters").map(|list| self.params(list)).unwrap_or_default();
        let result = node.child_by_field_name("result").and_then(|result| match result.kind() {
            "parameter_list" => {
                let first = parts(result).into_iter().next()?;
                first.child_by_field_name("type").and_then(|of| self.of(of))
            }
            _ => self.of(result),
        });
        let body = self.body(node.child_by_field_name("body"));
        Function { params, result, body, ..Function::default() }
    }

    fn params(&mut self, list: Node<'_>) -> Vec<Param<'t>> {
        let mut params = Vec::new();
        for part in parts(list) {
            let of = part.child_by_field_name("type");
            let names = fields(part, "name").into_iter().filter(Node::is_named).collect::<Vec<_>>();
            let mut targets: Vec<ExprId> = names.into_iter().map(|name| self.low.name(name)).collect();
            if targets.is_empty() {
                targets.push(self.low.implied("_", part));
            }
            for target in targets {
                let of = of.and_then(|of| self.of(of));
                params.push(Param { target, name: None, of, decorators: Vec::new(), default: None });
            }
        }
        params
    }

    /// `type Store struct { db *sql.DB }`: its fields, as those of `this`.
    fn declared_type(&mut self, spec: Node<'_>, into: &mut Block) {
        let Some(of) = spec.child_by_field_name("type").filter(|of| of.kind() == "struct_type") else { return };
        let mut body = Block::new();
        let class = spec.child_by_field_name("name").map(|name| self.low.text(name));
        for field in parts(of).into_iter().flat_map(parts) {
            let of = field.child_by_field_name("type");
            // An embedded type provides its methods.
            let is_embedded = !fields(field, "name").iter().any(Node::is_named);
            if let (Some(class), Some(base)) = (class, of.filter(|_| is_embedded).and_then(|of| self.of(of))) {
                self.low.unit.bases.push((class, base));
            }
            for name in fields(field, "name").into_iter().filter(Node::is_named) {
                let this = self.low.implied("this", name);
                let member = Kind::Member(this, self.low.text(name));
                let target = self.low.add(member, name);
                let of = of.and_then(|of| self.of(of));
                body.push(Stmt::Assign { target, of, value: None });
            }
        }
        into.push(block(body));
    }

    fn variables(&mut self, spec: Node<'_>, into: &mut Block) {
        let names: Vec<Node<'_>> = fields(spec, "name").into_iter().filter(Node::is_named).collect();
        let values = spec.child_by_field_name("value").map(parts).unwrap_or_default();
        self.assign(names, spec.child_by_field_name("type"), values, into);
    }

    fn assignment(&mut self, node: Node<'_>, into: &mut Block) {
        let side = |name| node.child_by_field_name(name);
        let left = side("left").map(parts).unwrap_or_default();
        let right = side("right").map_or_else(Vec::new, |right| match right.kind() {
            "expression_list" => parts(right),
            _ => vec![right],
        });
        let operator = side("operator").map_or("=", |operator| self.low.text(operator));
        match (operator, left.first(), right.first()) {
            ("=", ..) => self.assign(left, None, right, into),
            ("+=", Some(left), Some(right)) if !is_number(*right) => {
                let (target, value) = (self.expr(*left), self.expr(*right));
                into.push(Stmt::Append { target, value });
            }
            (_, Some(left), Some(right)) => {
                let (target, value) = (self.expr(*left), self.expr(*right));
                let value = self.low.add(Kind::Operation(operator, vec![value]), node);
                into.push(Stmt::Assign { target, of: None, value: Some(value) });
            }
            _ => {}
        }
    }

    /// Equal numbers of values and targets are assigned one by one. One value for several targets belongs to the first
    /// and is shared by the others, except that an error or success flag says nothing about the value.
    fn assign(&mut self, left: Vec<Node<'_>>, of: Option<Node<'_>>, right: Vec<Node<'_>>, into: &mut Block) {
        if left.len() == right.len() || right.is_empty() {
            let mut right = right.into_iter();
            for node in left {
                let of = of.and_then(|of| self.of(of));
                let value = right.next().map(|value| self.expr(value));
                self.assign_one(node, of, value, into);
            }
            return;
        }
        for extra in right.iter().skip(1) {
            let value = self.expr(*extra);
            into.push(Stmt::Expr(value));
        }
        let mut value = right.first().map(|first| self.expr(*first));
        if let (Some(last), Some(Kind::Index(of, index))) = (left.last(), value.map(|value| self.low.unit.kind(value)))
        {
            let question = Kind::Operation("in", vec![*index, *of]);
            self.lookup = Some((self.low.text(*last), self.low.add(question, *last)));
        }
        let mut first: Option<&'t str> = None;
        for (at, node) in left.into_iter().enumerate() {
            let name = self.low.text(node);
            if name == "_" || is_error(name) || (at > 0 && says_whether(name)) {
                if name != "_" {
                    let unknown = self.low.other(Vec::new(), node);
                    self.assign_one(node, None, Some(unknown), into);
                }
                continue;
            }
            let shared = value.take().or_else(|| first.map(|first| self.low.implied(first, node)));
            first = first.or((node.kind() == "identifier").then_some(name));
            let of = of.and_then(|of| self.of(of));
            self.assign_one(node, of, shared, into);
        }
        into.extend(value.map(Stmt::Expr));
    }

    fn assign_one(&mut self, node: Node<'_>, of: Option<ExprId>, value: Option<ExprId>, into: &mut Block) {
        let text = self.low.text(node);
        match value {
            Some(value) if text == "_" => into.push(Stmt::Expr(value)),
            // The error is not the data: an error of `Decode(&x)` carries nothing of `x`.
            Some(value) if is_error(text) && matches!(self.low.unit.kind(value), Kind::Call { .. }) => {
                into.push(Stmt::Expr(value));
                let target = self.expr(node);
                let unknown = self.low.other(Vec::new(), node);
                into.push(Stmt::Assign { target, of, value: Some(unknown) });
            }
            _ => {
                let target = self.expr(node);
                into.push(Stmt::Assign { target, of, value });
            }
        }
    }

    fn step(&mut self, node: Node<'_>, into: &mut Block) {
        let Some(part) = parts(node).into_iter().next() else { return };
        let target = self.expr(part);
        let value = self.low.add(Kind::Operation("+", vec![target]), node);
        into.push(Stmt::Assign { target, of: None, value: Some(value) });
    }

    fn send(&mut self, node: Node<'_>, into: &mut Block) {
        let (Some(channel), Some(value)) = (node.child_by_field_name("channel"), node.child_by_field_name("value"))
        else {
            return;
        };
        let (target, value) = (self.expr(channel), self.expr(value));
        into.push(Stmt::Append { target, value });
    }

    fn branch(&mut self, node: Node<'_>, into: &mut Block) {
        let mut around = Block::new();
        if let Some(initializer) = node.child_by_field_name("initializer") {
            self.statement(initializer, &mut around);
        }
        self.is_test = true;
        let test = self.field(node, "condition");
        self.is_test = false;
        let then = self.body(node.child_by_field_name("consequence"));
        let mut otherwise = Block::new();
        match node.child_by_field_name("alternative") {
            Some(other) if other.kind() == "if_statement" => self.branch(other, &mut otherwise),
            other => otherwise = self.body(other),
        }
        let branch = Stmt::If { test, then, otherwise };
        if around.is_empty() {
            into.push(branch);
        } else {
            around.push(branch);
            into.push(block(around));
        }
    }

    /// A switch is a chain of tests, so that an arm knows the value of its label.
    fn switch(&mut self, node: Node<'_>, into: &mut Block) {
        let mut around = Block::new();
        if let Some(initializer) = node.child_by_field_name("initializer") {
            self.statement(initializer, &mut around);
        }
        let value = node.child_by_field_name("value");
        if let Some(large) = value.filter(|value| !is_small(*value)) {
            let large = self.expr(large);
            around.push(Stmt::Expr(large));
        }
        let value = value.filter(|value| is_small(*value));
        if let (Some(alias), Some(value)) = (node.child_by_field_name("alias"), value) {
            self.assign(parts(alias), None, vec![value], &mut around);
        }
        let mut arms: Vec<(Option<ExprId>, Block)> = Vec::new();
        for case in parts(node) {
            match case.kind() {
                "expression_case" => {
                    let test = self.case_test(value, case);
                    let body = self.case_body(case);
                    arms.push((Some(test), body));
                }
                "type_case" => {
                    let test = self.low.other(Vec::new(), case);
                    let body = self.case_body(case);
                    arms.push((Some(test), body));
                }
                "default_case" => arms.push((None, self.case_body(case))),
                _ => {}
            }
        }
        around.extend(chain(arms));
        into.push(block(around));
    }

    fn case_test(&mut self, value: Option<Node<'_>>, case: Node<'_>) -> ExprId {
        let mut tests = Vec::new();
        for one in case.child_by_field_name("value").map(parts).unwrap_or_default() {
            let one_of = self.expr(one);
            tests.push(match value {
                Some(value) => {
                    let value = self.expr(value);
                    self.low.add(Kind::Operation("==", vec![value, one_of]), one)
                }
                None => one_of,
            });
        }
        match tests[..] {
            [test] => test,
            _ => self.low.add(Kind::Operation("||", tests), case),
        }
    }

    /// The statements of a case; a `break` at its end has no other effect.
    fn case_body(&mut self, case: Node<'_>) -> Block {
        let lists = parts(case).into_iter().filter(|part| part.kind() == "statement_list");
        let mut nodes: Vec<Node<'_>> = lists.flat_map(parts).collect();
        nodes.pop_if(|last| self.low.text(*last) == "break");
        self.statements(nodes)
    }

    fn select(&mut self, node: Node<'_>, into: &mut Block) {
        let mut arms = Vec::new();
        for case in parts(node) {
            let mut arm = Block::new();
            if let Some(communication) = case.child_by_field_name("communication") {
                self.statement(communication, &mut arm);
            }
            arm.extend(self.case_body(case));
            arms.push(arm);
        }
        into.push(Stmt::OneOf(arms));
    }

    fn repeat(&mut self, node: Node<'_>, into: &mut Block) {
        let head = parts(node).into_iter().find(|part| part.kind() != "block");
        let body = node.child_by_field_name("body");
        match head.map(|head| (head.kind(), head)) {
            Some(("range_clause", clause)) => self.range(clause, body, into),
            Some(("for_clause", clause)) => {
                let mut around = Block::new();
                if let Some(initializer) = clause.child_by_field_name("initializer") {
                    self.statement(initializer, &mut around);
                }
                let test = clause.child_by_field_name("condition").map(|test| self.expr(test));
                let mut body = self.body(body);
                if let Some(update) = clause.child_by_field_name("update") {
                    self.statement(update, &mut body);
                }
                around.push(Stmt::Loop { each: None, test, body });
                into.push(block(around));
            }
            head => {
                let test = head.map(|(_, test)| self.expr(test));
                let body = self.body(body);
                into.push(Stmt::Loop { each: None, test, body });
            }
        }
    }

    /// `for key, value := range all`: the value is an item; the key is an index by its name, or else as unknown as the
    /// item.
    fn range(&mut self, clause: Node<'_>, body: Option<Node<'_>>, into: &mut Block) {
        let all = self.field(clause, "right");
        let targets = clause.child_by_field_name("left").map(parts).unwrap_or_default();
        let named: Vec<Node<'_>> = targets.iter().copied().filter(|target| self.low.text(*target) != "_").collect();
        let each = named.last().map(|item| (self.expr(*item), all));
        let mut start = Block::new();
        if let [key, item] = named[..] {
            let is_index = matches!(self.low.text(key), "i" | "j" | "n" | "idx" | "index");
            let value = if is_index { self.low.add(Kind::Literal("0"), key) } else { self.expr(item) };
            let target = self.expr(key);
            start.push(Stmt::Assign { target, of: None, value: Some(value) });
        }
        start.extend(self.body(body));
        let test = each.is_none().then_some(all);
        into.push(Stmt::Loop { each, test, body: start });
    }

    /// Of several results the first is the function's result; the others are only evaluated.
    fn give_back(&mut self, node: Node<'_>, into: &mut Block) {
        let mut values = parts(node).into_iter().flat_map(parts);
        let first = values.next();
        for value in values {
            let value = self.expr(value);
            into.push(Stmt::Expr(value));
        }
        let first = first.map(|first| self.expr(first));
        into.push(Stmt::Return(first));
    }
}

fn unquoted(text: &str) -> &str {
    let quoted = |quote| text.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    quoted('"').or_else(|| quoted('`')).unwrap_or(text)
}

fn is_number(node: Node<'_>) -> bool {
    matches!(node.kind(), "int_literal" | "float_literal" | "rune_literal")
}

/// Tells whether a name is an error.
fn is_error(name: &str) -> bool {
    name.starts_with("err") || name.ends_with("Err")
}

/// Tells whether a name is a boolean that accompanies a result. It is never the first of several, which is the result
/// itself.
fn says_whether(name: &str) -> bool {
    matches!(name, "ok" | "found" | "exists")
}

fn ends_the_program(call: &str) -> bool {
    ["panic(", "os.Exit(", "log.Fatal", "log.Panic", "runtime.Goexit("].iter().any(|start| call.starts_with(start))
}

/// Returns the likely name of a package: the end of its path, without a version or a language prefix.
fn package_name(path: &str) -> &str {
    let mut segments = path.rsplit('/');
    let last = segments.next().unwrap_or(path);
    let is_version = |text: &str| text.strip_prefix('v').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let mut name = if is_version(last) { segments.next().unwrap_or(last) } else { last };
    if let Some((head, tail)) = name.rsplit_once('.')
        && is_version(tail)
    {
        name = head;
    }
    for end in ["-go", ".go", "-golang"] {
        name = name.strip_suffix(end).unwrap_or(name);
    }
    name.strip_prefix("go-").unwrap_or(name)
}

#[cfg(test)]
mod tests;
