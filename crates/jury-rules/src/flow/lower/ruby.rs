//! Lowers Ruby. Every `a.b` that is not an assignment target is a call; `@x` is `this.x`; symbols are texts; the last
//! expression of a method is its return value; a block is the argument `&` of its call; a subshell is a call of
//! `backticks`.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ir::{Arg, Block, ExprId, Function, FunctionId, Kind, Param, Stmt, Unit};
use super::holes::{Style, split};
use super::{Lowering, fields, parts};
use crate::nodes::Node;

/// The methods that end the block.
const ENDS: [&str; 6] = ["raise", "fail", "exit", "exit!", "abort", "throw"];

/// The methods that route a path to a handler.
const ROUTES: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let (documents, methods) = declared(root, text);
    let mut ruby = Ruby { to: Lowering::new(text), class: None, documents, methods };
    ruby.to.unit.body = ruby.statements(root);
    ruby.to.unit
}

/// Finds the body of each here-document by its start (both come in the same order), and the methods of the file.
fn declared<'n, 't>(root: Node<'n>, text: &'t str) -> (BTreeMap<usize, Node<'n>>, BTreeSet<&'t str>) {
    let (mut beginnings, mut bodies, mut methods) = (Vec::new(), Vec::new(), BTreeSet::new());
    for node in root.descendants() {
        match node.kind() {
            "heredoc_beginning" => beginnings.push(node.start_byte()),
            "heredoc_body" => bodies.push(node),
            "method" => methods.extend(node.child_by_field_name("name").map(|name| &text[name.byte_range()])),
            _ => {}
        }
    }
    (beginnings.into_iter().zip(bodies).collect(), methods)
}

struct Ruby<'t, 'n> {
    to: Lowering<'t>,
    /// The class whose body is being lowered.
    class: Option<&'t str>,
    /// The bodies of here-documents by their start.
    documents: BTreeMap<usize, Node<'n>>,
    /// The methods of the file, which are called by their bare names.
    methods: BTreeSet<&'t str>,
}

impl<'t> Ruby<'t, '_> {
    // --- statements ---

    fn statements(&mut self, node: Node<'_>) -> Block {
        let mut out = Block::new();
        let (mut handlers, mut last) = (Vec::new(), None);
        for part in parts(node) {
            match part.kind() {
                "rescue" => handlers.push(self.suite(part, "body")),
                "ensure" => last = Some(self.statements(part)),
                _ => self.statement(part, &mut out),
            }
        }
        // The value of a body is that of the path taken, so guarded statements and their handlers are alike.
        if !handlers.is_empty() {
            handlers.insert(0, out);
            out = vec![Stmt::OneOf(handlers)];
        }
        // An `ensure` has no value. It runs before the exit; here it is placed before the entry.
        match last {
            Some(mut last) => {
                last.append(&mut out);
                last
            }
            None => out,
        }
    }

    fn suite(&mut self, node: Node<'_>, field: &str) -> Block {
        node.child_by_field_name(field).map(|body| self.statements(body)).unwrap_or_default()
    }

    fn statement(&mut self, node: Node<'_>, out: &mut Block) {
        match node.kind() {
            "empty_statement" | "alias" | "undef" | "uninterpreted" => {}
            "assignment" => self.assignment(node, out),
            "operator_assignment" => self.operator_assignment(node, out),
            "if" | "unless" | "elsif" => self.branch(node, out),
            "if_modifier" | "unless_modifier" => self.modifier(node, out),
            "while" | "until" | "while_modifier" | "until_modifier" | "for" => self.repeat(node, out),
            "case" | "case_match" => self.switch(node, out),
            "return" | "next" => {
                let value = self.given(node);
                out.push(Stmt::Return(value));
            }
            "break" | "redo" | "retry" => out.push(Stmt::Leave(None)),
            "method" | "singleton_method" => {
                let id = self.function(node);
                out.push(Stmt::Function(id));
            }
            "class" | "module" | "singleton_class" => self.class(node, out),
            "then" | "else" | "do" | "block_body" | "body_statement" | "begin" | "ERROR" | "program"
            | "begin_block" | "end_block" => out.push(Stmt::Block(self.statements(node))),
            "parenthesized_statements" => out.append(&mut self.statements(node)),
            "binary" => self.binary_statement(node, out),
            _ => {
                let value = self.expr(node);
                out.push(match self.ends(node) {
                    true => Stmt::Leave(Some(value)),
                    false => Stmt::Expr(value),
                });
            }
        }
    }

    fn ends(&self, node: Node<'_>) -> bool {
        let method = match node.kind() {
            "identifier" => Some(node),
            "call" if node.child_by_field_name("receiver").is_none() => node.child_by_field_name("method"),
            _ => None,
        };
        method.is_some_and(|method| ENDS.contains(&self.to.text(method)))
    }

    fn assignment(&mut self, node: Node<'_>, out: &mut Block) {
        let value = node.child_by_field_name("right").map(|right| self.expr(right));
        if let Some(left) = node.child_by_field_name("left") {
            let target = self.target(left);
            out.push(Stmt::Assign { target, of: None, value });
        }
    }

    fn operator_assignment(&mut self, node: Node<'_>, out: &mut Block) {
        let [Some(left), Some(right)] = ["left", "right"].map(|name| node.child_by_field_name(name)) else { return };
        let operator = self.operator(node);
        let (target, value) = (self.target(left), self.expr(right));
        let kind = match operator {
            "+=" | "<<=" | "|=" if !self.is_number(value) => return out.push(Stmt::Append { target, value }),
            "||=" | "&&=" => Kind::Choice(vec![target, value]),
            _ => Kind::Operation(operator.trim_end_matches('='), vec![target, value]),
        };
        let value = self.to.add(kind, node);
        out.push(Stmt::Assign { target, of: None, value: Some(value) });
    }

    fn branch(&mut self, node: Node<'_>, out: &mut Block) {
        let test = self.field(node, "condition");
        let mut then = self.suite(node, "consequence");
        let mut otherwise = Block::new();
        if let Some(alternative) = node.child_by_field_name("alternative") {
            match alternative.kind() {
                "elsif" => self.branch(alternative, &mut otherwise),
                _ => otherwise = self.statements(alternative),
            }
        }
        if node.kind() == "unless" {
            std::mem::swap(&mut then, &mut otherwise);
        }
        out.push(Stmt::If { test, then, otherwise });
    }

    fn modifier(&mut self, node: Node<'_>, out: &mut Block) {
        let test = self.field(node, "condition");
        let (mut then, mut otherwise) = (Block::new(), Block::new());
        if let Some(body) = node.child_by_field_name("body") {
            self.statement(body, if node.kind() == "if_modifier" { &mut then } else { &mut otherwise });
        }
        out.push(Stmt::If { test, then, otherwise });
    }

    /// `a or return`, `a and return`: the right side is its own statement.
    fn binary_statement(&mut self, node: Node<'_>, out: &mut Block) {
        let [Some(left), Some(right)] = ["left", "right"].map(|name| node.child_by_field_name(name)) else { return };
        let (mut then, mut otherwise) = (Block::new(), Block::new());
        match self.operator(node) {
            "and" | "&&" => self.statement(right, &mut then),
            "or" | "||" => self.statement(right, &mut otherwise),
            "<<" => {
                let (target, value) = (self.expr(left), self.expr(right));
                return out.push(Stmt::Append { target, value });
            }
            _ => {
                let value = self.expr(node);
                return out.push(Stmt::Expr(value));
            }
        }
        let test = self.expr(left);
        out.push(Stmt::If { test, then, otherwise });
    }

    fn repeat(&mut self, node: Node<'_>, out: &mut Block) {
        let each = node.child_by_field_name("value").map(|of| {
            let of = self.inner(of);
            let target = node.child_by_field_name("pattern").map(|pattern| self.target(pattern));
            (target.unwrap_or(of), of)
        });
        let test = node.child_by_field_name("condition").map(|test| {
            let value = self.expr(test);
            let is_until = node.kind().starts_with("until");
            if is_until { self.to.add(Kind::Operation("!", vec![value]), test) } else { value }
        });
        let mut body = Block::new();
        if let Some(inner) = node.child_by_field_name("body") {
            match inner.kind() {
                "do" => body = self.statements(inner),
                _ => self.statement(inner, &mut body),
            }
        }
        out.push(Stmt::Loop { each, test, body });
    }

    fn switch(&mut self, node: Node<'_>, out: &mut Block) {
        let subject = node.child_by_field_name("value").map(|value| self.expr(value));
        let mut arms = Vec::new();
        for part in parts(node) {
            match part.kind() {
                "when" => {
                    let then = self.suite(part, "body");
                    let test = self.when(part, subject);
                    arms.push(vec![Stmt::If { test, then, otherwise: Block::new() }]);
                }
                "in_clause" => arms.push(self.suite(part, "body")),
                "else" => arms.push(self.statements(part)),
                _ => {}
            }
        }
        out.push(Stmt::OneOf(arms));
    }

    /// The test of one arm of a `case`.
    fn when(&mut self, node: Node<'_>, subject: Option<ExprId>) -> ExprId {
        let asked: Vec<ExprId> = fields(node, "pattern").into_iter().map(|pattern| self.inner(pattern)).collect();
        let Some(subject) = subject else { return self.to.add(Kind::Choice(asked), node) };
        let choice = self.to.add(Kind::Choice(asked), node);
        self.to.add(Kind::Operation("==", vec![subject, choice]), node)
    }

    fn class(&mut self, node: Node<'_>, out: &mut Block) {
        let name = node.child_by_field_name("name").map(|name| self.to.text(name));
        let name = name.map(|name| name.rsplit("::").next().unwrap_or(name));
        let outer = self.class;
        self.class = name.or(outer);
        let inner = self.suite(node, "body");
        self.class = outer;
        out.push(Stmt::Block(inner));
    }

    // --- functions ---

    fn function(&mut self, node: Node<'_>) -> FunctionId {
        let is_method = node.kind().ends_with("method");
        let class = if is_method { self.class.take() } else { None };
        let name = node.child_by_field_name("name").map(|name| self.to.text(name));
        let inner = node.child_by_field_name("body");
        // The parameters of `->(x) { … }` precede its block, those of a block are in it.
        let parameters = node.child_by_field_name("parameters").map(parts).unwrap_or_default();
        let params = parameters.into_iter().filter_map(|part| self.param(part)).collect();
        let mut body = match inner {
            Some(inner) if inner.kind() == "block" || inner.kind() == "do_block" => self.suite(inner, "body"),
            Some(inner) if matches!(inner.kind(), "body_statement" | "block_body") => self.statements(inner),
            Some(inner) => {
                let mut body = Block::new();
                self.statement(inner, &mut body);
                body
            }
            None => Block::new(),
        };
        return_last(&mut body);
        if is_method {
            self.class = class;
        }
        self.to.unit.add_function(Function { name, class, params, body, ..Function::default() })
    }

    fn param(&mut self, node: Node<'_>) -> Option<Param<'t>> {
        let inner = if node.kind() == "identifier" { node } else { node.child_by_field_name("name").unwrap_or(node) };
        let target = match inner.kind() {
            "identifier" => self.to.name(inner),
            "destructured_parameter" => {
                let items = self.all(inner);
                self.to.add(Kind::List(items), inner)
            }
            _ => return None,
        };
        let default = node.child_by_field_name("value").map(|value| self.expr(value));
        let name = (node.kind() == "keyword_parameter").then(|| self.to.text(inner));
        Some(Param { target, name, of: None, decorators: Vec::new(), default })
    }

    // --- expressions ---

    fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "identifier" if self.methods.contains(self.to.text(node)) => {
                let callee = self.to.name(node);
                self.to.add(Kind::Call { callee, args: Vec::new() }, node)
            }
            "identifier" | "constant" | "super" | "hash_key_symbol" => self.to.name(node),
            "self" => self.to.implied("this", node),
            "instance_variable" | "class_variable" => self.own(node),
            "global_variable" => {
                let name = self.to.text(node).trim_start_matches('$');
                self.to.add(Kind::Name(name), node)
            }
            "integer" | "float" | "complex" | "rational" | "true" | "false" | "nil" | "line" | "file" | "encoding" => {
                self.literal(node)
            }
            "simple_symbol" => {
                let text = self.to.text(node).trim_start_matches(':');
                self.to.add(Kind::Text(text), node)
            }
            "character" => {
                let text = self.to.text(node).trim_start_matches('?');
                self.to.add(Kind::Text(text), node)
            }
            "string" | "bare_string" | "bare_symbol" | "delimited_symbol" => self.string(node),
            "chained_string" => {
                let strings = self.all(node);
                let pieces = self.flat(&strings);
                self.to.add(Kind::Concat(pieces), node)
            }
            "heredoc_beginning" => self.document(node),
            "regex" => self.regex(node),
            "subshell" => self.subshell(node),
            "array" | "string_array" | "symbol_array" | "right_assignment_list" | "left_assignment_list" => {
                let items = self.all(node);
                self.to.add(Kind::List(items), node)
            }
            "hash" => self.hash(node),
            "scope_resolution" => self.scope(node),
            "element_reference" => self.element(node),
            "call" => self.call(node),
            "binary" => self.binary(node),
            "unary" | "parenthesized_unary" => self.unary(node),
            "conditional" => self.conditional(node),
            "assignment" => self.assigned(node),
            "rescue_modifier" => self.choice(node, "body", "handler"),
            "lambda" | "method" | "singleton_method" => {
                let id = self.function(node);
                self.to.add(Kind::Function(id), node)
            }
            "if" | "unless" | "elsif" => self.branch_value(node),
            "case" | "case_match" => self.switch_value(node),
            "parenthesized_statements" | "begin" | "then" | "else" | "interpolation" => self.last_value(node),
            "splat_argument"
            | "hash_splat_argument"
            | "block_argument"
            | "rest_assignment"
            | "destructured_left_assignment"
            | "pattern"
            | "in" => self.inner(node),
            _ => self.unknown(node),
        }
    }

    fn all(&mut self, node: Node<'_>) -> Vec<ExprId> {
        parts(node).into_iter().map(|part| self.expr(part)).collect()
    }

    fn inner(&mut self, node: Node<'_>) -> ExprId {
        match parts(node).as_slice() {
            [only] => self.expr(*only),
            _ => self.unknown(node),
        }
    }

    fn unknown(&mut self, node: Node<'_>) -> ExprId {
        let values = self.all(node);
        self.to.other(values, node)
    }

    fn field(&mut self, node: Node<'_>, field: &str) -> ExprId {
        match node.child_by_field_name(field) {
            Some(child) => self.expr(child),
            None => self.to.other(Vec::new(), node),
        }
    }

    fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map_or("", |operator| self.to.text(operator))
    }

    fn literal(&mut self, node: Node<'_>) -> ExprId {
        let text = self.to.text(node);
        self.to.add(Kind::Literal(text), node)
    }

    fn is_number(&self, id: ExprId) -> bool {
        let is_digit = |c: char| c.is_ascii_digit();
        matches!(self.to.unit.kind(id), Kind::Literal(text) if text.trim_start_matches('-').starts_with(is_digit))
    }

    fn own(&mut self, node: Node<'_>) -> ExprId {
        let name = self.to.text(node).trim_start_matches('@');
        let this = self.to.implied("this", node);
        self.to.add(Kind::Member(this, name), node)
    }

    /// Lowers an assignment target, in which `a.b` is a member.
    fn target(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "call" => {
                let object = self.field(node, "receiver");
                let name = node.child_by_field_name("method").map_or("", |name| self.to.text(name));
                self.to.add(Kind::Member(object, name), node)
            }
            "left_assignment_list" | "destructured_left_assignment" => {
                let items = parts(node).into_iter().map(|part| self.target(part)).collect();
                self.to.add(Kind::List(items), node)
            }
            "identifier" => self.to.name(node),
            _ => self.expr(node),
        }
    }

    /// Lowers the value of a `return`.
    fn given(&mut self, node: Node<'_>) -> Option<ExprId> {
        let list = parts(node).into_iter().next()?;
        match parts(list).as_slice() {
            [only] => Some(self.expr(*only)),
            _ => {
                let items = self.all(list);
                Some(self.to.add(Kind::List(items), list))
            }
        }
    }

    /// The value of statements is that of the last; the others are evaluated before.
    fn last_value(&mut self, node: Node<'_>) -> ExprId {
        let mut values = self.all(node);
        match values.pop() {
            Some(last) if values.is_empty() => last,
            Some(last) => {
                let test = self.to.other(values, node);
                self.to.add(Kind::If { test, then: last, otherwise: last }, node)
            }
            None => self.to.other(Vec::new(), node),
        }
    }

    fn branch_value(&mut self, node: Node<'_>) -> ExprId {
        let test = self.field(node, "condition");
        let (mut then, mut otherwise) = (self.field(node, "consequence"), self.field(node, "alternative"));
        if node.kind() == "unless" {
            std::mem::swap(&mut then, &mut otherwise);
        }
        self.to.add(Kind::If { test, then, otherwise }, node)
    }

    fn switch_value(&mut self, node: Node<'_>) -> ExprId {
        let subject = node.child_by_field_name("value").map(|value| self.expr(value));
        let mut values = Vec::new();
        for part in parts(node) {
            match part.kind() {
                "when" => {
                    let test = self.when(part, subject);
                    let then = self.field(part, "body");
                    let otherwise = self.to.other(Vec::new(), part);
                    values.push(self.to.add(Kind::If { test, then, otherwise }, part));
                }
                "in_clause" => values.push(self.field(part, "body")),
                "else" => values.push(self.expr(part)),
                _ => {}
            }
        }
        self.to.add(Kind::Choice(values), node)
    }

    fn scope(&mut self, node: Node<'_>) -> ExprId {
        let name = node.child_by_field_name("name").map_or("", |name| self.to.text(name));
        match node.child_by_field_name("scope") {
            Some(scope) => {
                let scope = self.expr(scope);
                self.to.add(Kind::Member(scope, name), node)
            }
            None => self.to.add(Kind::Name(name), node),
        }
    }

    fn element(&mut self, node: Node<'_>) -> ExprId {
        let mut inner = parts(node).into_iter();
        let object = inner.next().map(|object| self.expr(object));
        let indices: Vec<ExprId> = inner.filter(|part| part.kind() != "block").map(|index| self.expr(index)).collect();
        let object = object.unwrap_or_else(|| self.to.other(Vec::new(), node));
        let index = match indices.as_slice() {
            [only] => *only,
            _ => self.to.add(Kind::List(indices), node),
        };
        self.to.add(Kind::Index(object, index), node)
    }

    fn call(&mut self, node: Node<'_>) -> ExprId {
        let method = node.child_by_field_name("method");
        let name = method.map_or("call", |method| self.to.text(method));
        let callee = match (node.child_by_field_name("receiver"), method) {
            (Some(receiver), _) => {
                let object = self.expr(receiver);
                let end = method.map_or(receiver.end_byte(), |method| method.end_byte());
                self.to.unit.add(Kind::Member(object, name), node.start_byte()..end)
            }
            (None, Some(method)) => self.to.name(method),
            (None, None) => self.to.other(Vec::new(), node),
        };
        let given = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        let mut args: Vec<Arg<'t>> = given.into_iter().map(|part| self.argument(part)).collect();
        if let Some(closure) = node.child_by_field_name("block") {
            let id = self.function(closure);
            let is_path =
                |arg: &Arg<'t>| matches!(self.to.unit.kind(arg.value), Kind::Text(path) if path.starts_with('/'));
            // The block of `get "/path" do … end` is a handler, and its route corresponds to a decorator in other
            // languages.
            if ROUTES.contains(&name) && args.first().is_some_and(is_path) {
                self.to.unit.functions[id.0 as usize].decorators.push(callee);
            }
            args.push(Arg { name: Some("&"), value: self.to.add(Kind::Function(id), closure) });
        }
        self.note_import(name, node, &args);
        self.to.add(Kind::Call { callee, args }, node)
    }

    fn note_import(&mut self, name: &str, node: Node<'_>, args: &[Arg<'t>]) {
        if !matches!(name, "require" | "require_relative") || node.child_by_field_name("receiver").is_some() {
            return;
        }
        if let Some(Kind::Text(path)) = args.first().map(|arg| self.to.unit.kind(arg.value)) {
            let path = *path;
            self.to.unit.import(path, path);
        }
    }

    fn argument(&mut self, node: Node<'_>) -> Arg<'t> {
        match node.kind() {
            "pair" => {
                let (name, value) = self.entry(node);
                Arg { name, value }
            }
            "splat_argument" => Arg { name: Some("*"), value: self.inner(node) },
            "hash_splat_argument" => Arg { name: Some("**"), value: self.inner(node) },
            "block_argument" => Arg { name: Some("&"), value: self.inner(node) },
            _ => Arg { name: None, value: self.expr(node) },
        }
    }

    /// Lowers `key: value` and `:key => value`; `key:` alone uses the variable of that name.
    fn entry(&mut self, node: Node<'_>) -> (Option<&'t str>, ExprId) {
        let key = node.child_by_field_name("key");
        let name = key.map(|key| match (key.kind(), key.named_child(0)) {
            ("string", Some(content)) if key.named_child_count() == 1 => self.to.text(content),
            _ => self.to.text(key).trim_start_matches(':'),
        });
        let value = match (node.child_by_field_name("value"), key) {
            (Some(value), _) => self.expr(value),
            (None, Some(key)) => self.to.name(key),
            (None, None) => self.to.other(Vec::new(), node),
        };
        (name, value)
    }

    fn hash(&mut self, node: Node<'_>) -> ExprId {
        let mut entries = Vec::new();
        for part in parts(node) {
            entries.push(match part.kind() {
                "pair" => self.entry(part),
                _ => (None, self.expr(part)),
            });
        }
        self.to.add(Kind::Record(entries), node)
    }

    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = self.operator(node);
        let operands = self.operands(node, operator);
        let has_number = operands.iter().any(|id| self.is_number(*id));
        let kind = match operator {
            "+" | "<<" if !has_number => self.sum(&operands),
            "%" if !has_number => self.formatted(&operands, node),
            "||" | "or" => Kind::Choice(operands),
            "&&" | "and" => Kind::Operation("&&", operands),
            _ => Kind::Operation(operator, operands),
        };
        self.to.add(kind, node)
    }

    /// Lowers the operands of `a + b + c` from left to right, however many there are.
    fn operands(&mut self, node: Node<'_>, operator: &str) -> Vec<ExprId> {
        let mut operands = Vec::new();
        let mut left = Some(node);
        while let Some(at) = left {
            let again = at.kind() == "binary" && self.operator(at) == operator && (operator != "%" || at == node);
            if !again {
                operands.push(at);
                break;
            }
            operands.extend(at.child_by_field_name("right"));
            left = at.child_by_field_name("left");
        }
        operands.into_iter().rev().map(|operand| self.expr(operand)).collect()
    }

    fn sum(&mut self, operands: &[ExprId]) -> Kind<'t> {
        if operands.iter().any(|id| matches!(self.to.unit.kind(*id), Kind::List(_))) {
            let items = operands.iter().flat_map(|id| match self.to.unit.kind(*id) {
                Kind::List(items) => items.clone(),
                _ => vec![*id],
            });
            return Kind::List(items.collect());
        }
        Kind::Concat(self.flat(operands))
    }

    fn flat(&self, ids: &[ExprId]) -> Vec<ExprId> {
        let parts = ids.iter().flat_map(|id| match self.to.unit.kind(*id) {
            Kind::Concat(parts) => parts.clone(),
            _ => vec![*id],
        });
        parts.collect()
    }

    /// Lowers `text % values`.
    fn formatted(&mut self, operands: &[ExprId], node: Node<'_>) -> Kind<'t> {
        let Some((text, values)) = operands.split_first() else { return Kind::Other(Vec::new()) };
        let mut values = values.iter().flat_map(|id| match self.to.unit.kind(*id) {
            Kind::List(items) => items.clone(),
            Kind::Record(entries) => entries.iter().map(|(_, value)| *value).collect(),
            _ => vec![*id],
        });
        let values: Vec<ExprId> = values.by_ref().collect();
        let mut left = values.iter();
        let mut made = Vec::new();
        for part in self.flat(&[*text]) {
            let Kind::Text(said) = *self.to.unit.kind(part) else {
                made.push(part);
                continue;
            };
            for (literal, hole) in split(said, Style::Percent) {
                made.extend((!literal.is_empty()).then(|| self.to.add(Kind::Text(literal), node)));
                let value = hole.and_then(|hole| left.next().map(|value| (hole.number, *value)));
                if let Some((number, value)) = value {
                    made.push(if number { self.to.add(Kind::Cast("Integer", value), node) } else { value });
                }
            }
        }
        made.extend(left);
        Kind::Concat(made)
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let operator = self.operator(node);
        let value = self.field(node, "operand");
        match operator {
            "-" if self.is_number(value) => self.literal(node),
            "not" | "!" => self.to.add(Kind::Operation("!", vec![value]), node),
            // A mutable text, and a frozen one.
            "+" | "-" if matches!(self.to.unit.kind(value), Kind::Text(_) | Kind::Concat(_)) => value,
            _ => self.to.add(Kind::Operation(operator, vec![value]), node),
        }
    }

    fn conditional(&mut self, node: Node<'_>) -> ExprId {
        let test = self.field(node, "condition");
        let (then, otherwise) = (self.field(node, "consequence"), self.field(node, "alternative"));
        self.to.add(Kind::If { test, then, otherwise }, node)
    }

    fn assigned(&mut self, node: Node<'_>) -> ExprId {
        let value = self.field(node, "right");
        match node.child_by_field_name("left") {
            Some(left) => {
                let target = self.target(left);
                self.to.add(Kind::Assign { target, value }, node)
            }
            None => value,
        }
    }

    fn choice(&mut self, node: Node<'_>, first: &str, second: &str) -> ExprId {
        let values = vec![self.field(node, first), self.field(node, second)];
        self.to.add(Kind::Choice(values), node)
    }

    // --- texts ---

    fn string(&mut self, node: Node<'_>) -> ExprId {
        let mut pieces = self.pieces(node);
        match pieces.as_slice() {
            [] => self.to.add(Kind::Text(""), node),
            [only] => match *self.to.unit.kind(*only) {
                Kind::Text(text) => self.to.add(Kind::Text(text), node),
                _ => self.to.add(Kind::Concat(std::mem::take(&mut pieces)), node),
            },
            _ => self.to.add(Kind::Concat(pieces), node),
        }
    }

    /// Lowers the texts between the holes of a string, and the holes.
    fn pieces(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let mut pieces = Vec::new();
        let mut run: Option<std::ops::Range<usize>> = None;
        for part in parts(node) {
            match part.kind() {
                "string_content" | "escape_sequence" | "heredoc_content" => {
                    let from = run.map_or(part.start_byte(), |run| run.start);
                    run = Some(from..part.end_byte());
                }
                "interpolation" => {
                    self.literal_run(run.take(), &mut pieces);
                    pieces.push(self.expr(part));
                }
                _ => {}
            }
        }
        self.literal_run(run, &mut pieces);
        pieces
    }

    fn literal_run(&mut self, run: Option<std::ops::Range<usize>>, pieces: &mut Vec<ExprId>) {
        if let Some(run) = run {
            let text = &self.to.text[run.clone()];
            pieces.push(self.to.unit.add(Kind::Text(text), run));
        }
    }

    fn document(&mut self, node: Node<'_>) -> ExprId {
        let Some(body) = self.documents.remove(&node.start_byte()) else {
            return self.to.add(Kind::Text(""), node);
        };
        let pieces = self.pieces(body);
        self.to.add(Kind::Concat(pieces), node)
    }

    fn regex(&mut self, node: Node<'_>) -> ExprId {
        let pieces = self.pieces(node);
        let is_literal = pieces.iter().all(|piece| matches!(self.to.unit.kind(*piece), Kind::Text(_)));
        if is_literal {
            return self.literal(node);
        }
        // One with holes is built at run time, like `Regexp.new`.
        let text = self.to.add(Kind::Concat(pieces), node);
        let class = self.to.implied("Regexp", node);
        let callee = self.to.add(Kind::Member(class, "new"), node);
        self.to.add(Kind::Call { callee, args: vec![Arg { name: None, value: text }] }, node)
    }

    fn subshell(&mut self, node: Node<'_>) -> ExprId {
        let value = self.string(node);
        let callee = self.to.implied("backticks", node);
        self.to.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
    }
}

/// Turns the last expression of a body into its return value.
fn return_last(body: &mut Block) {
    match body.last_mut() {
        Some(Stmt::Expr(id)) => {
            let id = *id;
            body.pop();
            body.push(Stmt::Return(Some(id)));
        }
        Some(Stmt::If { then, otherwise, .. }) => {
            return_last(then);
            return_last(otherwise);
        }
        Some(Stmt::OneOf(arms)) => arms.iter_mut().for_each(return_last),
        Some(Stmt::Block(inner)) => return_last(inner),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
