//! Lowers Rust. In: a syntax tree. Out: a `Unit` in which a block that is a value has run before the expression it stands in,
//! `if` and `match` as values are variables that their arms assign, and macros are calls whose format strings are texts with holes.

use std::collections::BTreeSet;
use std::mem;

use tree_sitter::{Node, Parser};

use super::super::ir::{Arg, Block, ExprId, Function, Kind, Param, Stmt, Unit};
use super::{Lowering, block, chain, fields, is_small, parts};

/// The deepest macro in macros whose arguments are read: each is parsed once more for every one around it.
const DEEPEST_MACRO: usize = 8;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut parser = Parser::new();
    let parser = parser.set_language(&root.language()).is_ok().then_some(parser);
    let numbers = number_fields(root, text);
    let mut rust = Rust { low: Lowering::new(text), into: Block::new(), class: None, parser, depth: 0, numbers };
    let tail = rust.statements(parts(root));
    rust.evaluate(tail);
    rust.low.unit.body = rust.into;
    rust.low.unit
}

struct Rust<'t> {
    low: Lowering<'t>,
    /// The block at hand: what an expression needs to have run goes here before it.
    into: Block,
    /// The type whose methods are at hand.
    class: Option<&'t str>,
    /// Parses what is between the brackets of a macro, which the tree has as loose tokens.
    parser: Option<Parser>,
    /// How many macros the one at hand stands in.
    depth: usize,
    /// The fields that hold a number, a truth value or one of a few names in every struct of the file that has them.
    numbers: BTreeSet<&'t str>,
}

impl<'t> Rust<'t> {
    /// Lowers into a block of its own.
    fn apart<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        let outer = mem::take(&mut self.into);
        let result = run(self);
        (mem::replace(&mut self.into, outer), result)
    }

    fn evaluate(&mut self, value: Option<ExprId>) {
        self.into.extend(value.map(Stmt::Expr));
    }

    /// Lowers statements and returns the value of the last, if it has one.
    fn statements(&mut self, nodes: Vec<Node<'_>>) -> Option<ExprId> {
        let mut attributes = Vec::new();
        let mut tail = None;
        for node in nodes {
            self.evaluate(tail.take());
            match node.kind() {
                "attribute_item" => attributes.push(node),
                "function_item" => {
                    let attributes = mem::take(&mut attributes);
                    self.declared(node, attributes);
                }
                _ => {
                    attributes.clear();
                    tail = self.statement(node);
                }
            }
        }
        tail
    }

    fn statement(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind() {
            "use_declaration" => {
                if let Some(argument) = node.child_by_field_name("argument") {
                    self.imports(argument, "");
                }
            }
            "extern_crate_declaration" => {
                let names = [node.child_by_field_name("alias"), node.child_by_field_name("name")];
                if let Some(path) = names[1].map(|name| self.low.text(name)) {
                    let local = names[0].map_or(path, |alias| self.low.text(alias));
                    self.low.unit.import(local, path);
                }
            }
            "function_signature_item"
            | "enum_item"
            | "union_item"
            | "type_item"
            | "macro_definition"
            | "empty_statement"
            | "inner_attribute_item"
            | "associated_type"
            | "label"
            | "shebang" => {}
            "const_item" | "static_item" => self.variable(node, "name"),
            "let_declaration" => self.variable(node, "pattern"),
            "struct_item" => self.structure(node),
            "impl_item" | "trait_item" => self.class(node),
            "mod_item" | "foreign_mod_item" => {
                let inner = node.child_by_field_name("body").map(parts).unwrap_or_default();
                let tail = self.statements(inner);
                self.evaluate(tail);
            }
            "expression_statement" => {
                let inner = parts(node).first().copied()?;
                self.run(inner);
            }
            _ => return self.value(node),
        }
        None
    }

    /// Lowers an expression whose value nobody takes.
    fn run(&mut self, node: Node<'_>) {
        match node.kind() {
            "if_expression" => self.branch(node, None),
            "match_expression" => self.matched(node, None),
            "assignment_expression" => {
                let value = self.field(node, "right");
                let target = self.field(node, "left");
                self.into.push(Stmt::Assign { target, of: None, value: Some(value) });
            }
            "compound_assignment_expr" => self.augmented(node),
            "unsafe_block" | "block" => {
                let (inner, ()) = self.apart(|this| {
                    let tail = this.block_value(node);
                    this.evaluate(tail);
                });
                self.into.push(block(inner));
            }
            _ => {
                let value = self.value(node);
                let leaves = node.kind() == "macro_invocation" && ends(self.low.text(node));
                self.into.extend(value.map(|value| if leaves { Stmt::Leave(Some(value)) } else { Stmt::Expr(value) }));
            }
        }
    }

    /// Lowers an expression that may be none: a loop, a jump.
    fn value(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind() {
            "return_expression" => {
                let value = parts(node).first().and_then(|value| self.value(*value));
                self.into.push(Stmt::Return(value));
            }
            "break_expression" | "continue_expression" => {
                let value = parts(node).into_iter().find(|part| part.kind() != "label").map(|value| self.expr(value));
                self.into.push(Stmt::Leave(value));
            }
            "for_expression" | "while_expression" | "loop_expression" => self.repeat(node),
            "block" | "unsafe_block" | "async_block" | "const_block" | "try_block" => return self.block_value(node),
            "assignment_expression" | "compound_assignment_expr" => self.run(node),
            "if_expression" if node.child_by_field_name("alternative").is_none() => self.branch(node, None),
            _ => return Some(self.expr(node)),
        }
        None
    }

    /// Lowers a block into the block at hand and returns its value.
    fn block_value(&mut self, node: Node<'_>) -> Option<ExprId> {
        let inner = parts(node);
        match inner[..] {
            [body] if node.kind() != "block" && body.kind() == "block" => self.statements(parts(body)),
            _ => self.statements(inner),
        }
    }

    /// `use a::{b, c::{self, d as e}};`.
    fn imports(&mut self, node: Node<'_>, prefix: &str) {
        let under = |path: &str| match (prefix, path) {
            ("", path) => path.replace("::", "."),
            (prefix, "self") => prefix.to_owned(),
            (prefix, path) => format!("{prefix}.{}", path.replace("::", ".")),
        };
        match node.kind() {
            "scoped_use_list" => {
                let path = node.child_by_field_name("path").map_or("", |path| self.low.text(path));
                let path = under(path);
                if let Some(list) = node.child_by_field_name("list") {
                    self.imports(list, &path);
                }
            }
            "use_list" => parts(node).into_iter().for_each(|part| self.imports(part, prefix)),
            "use_as_clause" => {
                let (Some(path), Some(alias)) = (node.child_by_field_name("path"), node.child_by_field_name("alias"))
                else {
                    return;
                };
                let path = under(self.low.text(path));
                self.low.unit.import(self.low.text(alias), path);
            }
            "use_wildcard" => {
                let path = parts(node).first().map_or("", |path| self.low.text(*path));
                self.low.unit.import("*", under(path));
            }
            _ => {
                let path = under(self.low.text(node));
                let name = node.child_by_field_name("name").unwrap_or(node);
                let of_list =
                    node.parent().and_then(|list| list.parent()).and_then(|list| list.child_by_field_name("path"));
                let name = if node.kind() == "self" { of_list.unwrap_or(node) } else { name };
                let local = self.low.text(name).rsplit("::").next().unwrap_or("self");
                self.low.unit.import(local, path);
            }
        }
    }

    fn variable(&mut self, node: Node<'_>, name: &str) {
        let of = node.child_by_field_name("type").and_then(|of| self.of(of));
        let target = node.child_by_field_name(name).map(|pattern| self.pattern(pattern));
        let value = node.child_by_field_name("value").map(|value| self.expr(value));
        if let Some(target) = target {
            self.into.push(Stmt::Assign { target, of, value });
        }
        if let Some(otherwise) = node.child_by_field_name("alternative") {
            let test = self.low.other(Vec::new(), otherwise);
            let (then, _) = self.apart(|this| this.block_value(otherwise));
            self.into.push(Stmt::If { test, then, otherwise: Block::new() });
        }
    }

    fn augmented(&mut self, node: Node<'_>) {
        let value = self.field(node, "right");
        let target = self.field(node, "left");
        let operator = self.operator(node);
        let is_text = operator == "+=" && !node.child_by_field_name("right").is_some_and(is_number);
        if is_text {
            return self.into.push(Stmt::Append { target, value });
        }
        let value = Some(self.low.add(Kind::Operation(operator, vec![target, value]), node));
        self.into.push(Stmt::Assign { target, of: None, value });
    }

    /// The fields of a struct, as those of `this`.
    fn structure(&mut self, node: Node<'_>) {
        let mut body = Block::new();
        for field in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let Some(name) = field.child_by_field_name("name") else { continue };
            let this = self.low.implied("this", name);
            let member = Kind::Member(this, self.low.text(name));
            let target = self.low.add(member, name);
            let of = field.child_by_field_name("type").and_then(|of| self.of(of));
            body.push(Stmt::Assign { target, of, value: None });
        }
        self.into.push(block(body));
    }

    fn class(&mut self, node: Node<'_>) {
        let of = node.child_by_field_name("type").or_else(|| node.child_by_field_name("name"));
        let name = of.map(|of| self.low.text(held(of)));
        let outer = mem::replace(&mut self.class, name);
        let members = node.child_by_field_name("body").map(parts).unwrap_or_default();
        let (body, _) = self.apart(|this| this.statements(members));
        self.class = outer;
        self.into.push(block(body));
    }

    fn declared(&mut self, node: Node<'_>, attributes: Vec<Node<'_>>) {
        let decorators = attributes.into_iter().filter_map(|attribute| self.attribute(attribute)).collect();
        let mut function = self.function(node);
        function.decorators = decorators;
        function.name = node.child_by_field_name("name").map(|name| self.low.text(name));
        function.class = self.class;
        let id = self.low.unit.add_function(function);
        self.into.push(Stmt::Function(id));
    }

    /// `#[get("/x")]`, `#[tokio::main]`.
    fn attribute(&mut self, item: Node<'_>) -> Option<ExprId> {
        let attribute = parts(item).first().copied()?;
        let callee = parts(attribute).first().copied().map(|path| self.expr(path))?;
        let Some(list) = attribute.child_by_field_name("arguments") else { return Some(callee) };
        let (_, args) = self.apart(|this| this.macro_args(list));
        Some(self.low.add(Kind::Call { callee, args }, attribute))
    }

    fn function(&mut self, node: Node<'_>) -> Function<'t> {
        let list = node.child_by_field_name("parameters").map(parts).unwrap_or_default();
        let is_receiver = |part: &Node<'_>| matches!(part.kind(), "self_parameter" | "attribute_item");
        let params = list.into_iter().filter(|part| !is_receiver(part)).map(|part| self.param(part)).collect();
        let result = node.child_by_field_name("return_type").and_then(|of| self.of(of));
        let body = node.child_by_field_name("body");
        let (mut statements, tail) = self.apart(|this| body.and_then(|body| this.value(body)));
        statements.extend(tail.map(|tail| Stmt::Return(Some(tail))));
        Function { params, result, body: statements, ..Function::default() }
    }

    fn param(&mut self, node: Node<'_>) -> Param<'t> {
        let target = self.pattern(node.child_by_field_name("pattern").unwrap_or(node));
        let of = node.child_by_field_name("type").and_then(|of| self.of(of));
        Param { target, name: None, of, decorators: Vec::new(), default: None }
    }

    /// What a pattern binds. A wrapper around one part (`Some(x)`, `Path(id)`) is that part.
    fn pattern(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        match node.kind() {
            "identifier" if !self.low.text(node).starts_with(char::is_uppercase) => self.low.name(node),
            // A constant is compared, not bound, except where it is defined.
            "identifier" if node.parent().is_some_and(|parent| parent.kind().ends_with("_item")) => self.low.name(node),
            "shorthand_field_identifier" => self.low.name(node),
            "mut_pattern" | "ref_pattern" | "reference_pattern" | "match_pattern" | "captured_pattern"
            | "or_pattern" => match inner.iter().find(|part| part.kind() != "mutable_specifier") {
                Some(part) => self.pattern(*part),
                None => self.low.implied("_", node),
            },
            "tuple_struct_pattern" => match inner.get(1..) {
                Some([part]) => self.pattern(*part),
                Some([]) => self.low.implied("_", node),
                Some(several) => self.patterns(several.to_vec(), node),
                None => self.low.implied("_", node),
            },
            "tuple_pattern" | "slice_pattern" => self.patterns(inner, node),
            "struct_pattern" => {
                let mut record = Vec::new();
                for field in inner.into_iter().filter(|part| part.kind() == "field_pattern") {
                    let Some(name) = field.child_by_field_name("name") else { continue };
                    let target = self.pattern(field.child_by_field_name("pattern").unwrap_or(name));
                    record.push((Some(self.low.text(name)), target));
                }
                self.low.add(Kind::Record(record), node)
            }
            _ => self.low.implied("_", node),
        }
    }

    fn patterns(&mut self, nodes: Vec<Node<'_>>, of: Node<'_>) -> ExprId {
        let items = nodes.into_iter().map(|node| self.pattern(node)).collect();
        self.low.add(Kind::List(items), of)
    }

    /// The value of an `if` or `match`: a variable, named by how the expression begins, that every arm assigns.
    fn by_arms(&mut self, node: Node<'_>) -> ExprId {
        let text = self.low.text(node);
        let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= 24).last().unwrap_or(text.len());
        let name = &text[..end];
        match node.kind() {
            "match_expression" => self.matched(node, Some(name)),
            _ => self.branch(node, Some(name)),
        }
        self.low.implied(name, node)
    }

    /// Assigns the value of an arm, if anybody takes it.
    fn settle(&mut self, value: Option<ExprId>, into: Option<&'t str>, node: Node<'_>) {
        match (value, into) {
            (Some(value), Some(name)) => {
                let target = self.low.implied(name, node);
                self.into.push(Stmt::Assign { target, of: None, value: Some(value) });
            }
            (value, _) => self.evaluate(value),
        }
    }

    fn branch(&mut self, node: Node<'_>, into: Option<&'t str>) {
        let (mut around, arms) = self.apart(|this| {
            let mut arms = Vec::new();
            let mut rest = Some(node);
            while let Some(one) = rest.take() {
                let test = one.child_by_field_name("condition").map(|test| this.test(test));
                let consequence = one.child_by_field_name("consequence");
                let (then, ()) = this.apart(|this| {
                    let value = consequence.and_then(|then| this.block_value(then));
                    this.settle(value, into, one);
                });
                arms.push((test, then));
                let other = one.child_by_field_name("alternative").and_then(|clause| parts(clause).first().copied());
                match other {
                    Some(other) if other.kind() == "if_expression" => rest = Some(other),
                    Some(other) => {
                        let (then, ()) = this.apart(|this| {
                            let value = this.block_value(other);
                            this.settle(value, into, other);
                        });
                        arms.push((None, then));
                    }
                    None => {}
                }
            }
            arms
        });
        around.extend(chain(arms));
        self.into.extend(around);
    }

    /// A test; `let Some(x) = y` binds on the way.
    fn test(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "let_condition" => {
                let value = self.field(node, "value");
                if let Some(pattern) = node.child_by_field_name("pattern") {
                    let target = self.pattern(pattern);
                    self.into.push(Stmt::Assign { target, of: None, value: Some(value) });
                }
                self.low.other(Vec::new(), node)
            }
            "let_chain" => {
                let tests = parts(node).into_iter().map(|part| self.test(part)).collect();
                self.low.add(Kind::Operation("&&", tests), node)
            }
            _ => self.expr(node),
        }
    }

    fn matched(&mut self, node: Node<'_>, into: Option<&'t str>) {
        let value = node.child_by_field_name("value");
        let small = value.filter(|value| is_small(*value));
        if small.is_none() {
            let value = value.map(|value| self.expr(value));
            self.evaluate(value);
        }
        let mut arms = Vec::new();
        for arm in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let Some(pattern) = arm.child_by_field_name("pattern") else { continue };
            let literals = literals(pattern);
            let binding = if literals.is_empty() { self.binding(pattern, small) } else { None };
            let test = match pattern.child_by_field_name("condition") {
                Some(condition) => {
                    // What a guard tests is bound before it.
                    let (bound, test) = self.apart(|this| this.test(condition));
                    self.into.extend(binding);
                    self.into.extend(bound);
                    let then = self.arm(arm, None, into);
                    arms.push((Some(test), then));
                    continue;
                }
                None if literals.is_empty() => self.low.other(Vec::new(), pattern),
                None => self.equals_one_of(small, literals, pattern),
            };
            let then = self.arm(arm, binding, into);
            let is_rest = self.low.text(pattern) == "_";
            arms.push(((!is_rest).then_some(test), then));
        }
        // A match is exhaustive: what none of the others took is the last one's.
        if let Some((test, _)) = arms.last_mut() {
            *test = None;
        }
        self.into.extend(chain(arms));
    }

    fn arm(&mut self, arm: Node<'_>, binding: Option<Stmt>, into: Option<&'t str>) -> Block {
        let (then, ()) = self.apart(|this| {
            this.into.extend(binding);
            let value = arm.child_by_field_name("value").and_then(|value| this.value(value));
            this.settle(value, into, arm);
        });
        then
    }

    fn binding(&mut self, pattern: Node<'_>, value: Option<Node<'_>>) -> Option<Stmt> {
        let target = self.pattern(pattern);
        if matches!(self.low.unit.kind(target), Kind::Name("_")) {
            return None;
        }
        let value = value.map(|value| self.expr(value));
        Some(Stmt::Assign { target, of: None, value })
    }

    fn equals_one_of(&mut self, value: Option<Node<'_>>, literals: Vec<Node<'_>>, node: Node<'_>) -> ExprId {
        let mut tests = Vec::new();
        for literal in literals {
            let mut operands: Vec<ExprId> = value.map(|value| self.expr(value)).into_iter().collect();
            operands.push(self.expr(literal));
            tests.push(self.low.add(Kind::Operation("==", operands), literal));
        }
        self.low.add(Kind::Operation("||", tests), node)
    }

    fn repeat(&mut self, node: Node<'_>) {
        let value = node.child_by_field_name("value").map(|value| self.expr(value));
        let target = node.child_by_field_name("pattern").map(|pattern| self.pattern(pattern));
        let mut test = None;
        let (body, ()) = self.apart(|this| {
            test = node.child_by_field_name("condition").map(|test| this.test(test));
            let tail = node.child_by_field_name("body").and_then(|body| this.block_value(body));
            this.evaluate(tail);
        });
        self.into.push(Stmt::Loop { each: target.zip(value), test, body });
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
            "identifier" | "type_identifier" | "primitive_type" | "field_identifier" | "crate" | "super" => {
                self.identifier(node)
            }
            "self" => self.low.implied("this", node),
            "scoped_identifier" | "scoped_type_identifier" => {
                let name = node.child_by_field_name("name").map_or("", |name| self.low.text(name));
                match node.child_by_field_name("path") {
                    Some(path) => {
                        let object = self.expr(path);
                        self.low.add(Kind::Member(object, name), node)
                    }
                    None => self.low.add(Kind::Name(name), node),
                }
            }
            "generic_function" => self.field(node, "function"),
            "generic_type" | "generic_type_with_turbofish" => self.field(node, "type"),
            "bracketed_type" | "qualified_type" => self.first(node),
            "string_literal" | "raw_string_literal" => {
                let text = content(self.low.text(node));
                self.low.add(Kind::Text(text), node)
            }
            "integer_literal" | "float_literal" | "boolean_literal" | "char_literal" | "negative_literal" => {
                let text = self.low.text(node);
                self.low.add(Kind::Literal(text), node)
            }
            "field_expression" => {
                let object = self.field(node, "value");
                let name = node.child_by_field_name("field").map_or("", |field| self.low.text(field));
                let member = self.low.add(Kind::Member(object, name), node);
                let is_called =
                    node.parent().is_some_and(|parent| parent.child_by_field_name("function") == Some(node));
                let is_number = !is_called && self.numbers.contains(name);
                if is_number { self.low.add(Kind::Cast("u64", member), node) } else { member }
            }
            "index_expression" => match self.exprs(parts(node))[..] {
                [object, index] => self.low.add(Kind::Index(object, index), node),
                ref inner => self.low.other(inner.to_vec(), node),
            },
            "call_expression" => self.call(node),
            "macro_invocation" => self.macro_call(node),
            "struct_expression" => self.structure_value(node),
            "tuple_expression" | "array_expression" => {
                let items = self.exprs(parts(node));
                self.low.add(Kind::List(items), node)
            }
            "closure_expression" => {
                let function = self.function(node);
                let id = self.low.unit.add_function(function);
                self.low.add(Kind::Function(id), node)
            }
            "binary_expression" => self.binary(node),
            "unary_expression" => match self.low.text(node).as_bytes().first() {
                Some(b'*') => self.first(node),
                _ => {
                    let operator = self.low.text(node).get(..1).unwrap_or("");
                    let operands = self.exprs(parts(node));
                    self.low.add(Kind::Operation(operator, operands), node)
                }
            },
            "range_expression" => {
                let operands = self.exprs(parts(node));
                self.low.add(Kind::Operation("..", operands), node)
            }
            "type_cast_expression" => {
                let of = node.child_by_field_name("type").map_or("", |of| self.low.text(of));
                let value = self.field(node, "value");
                self.low.add(Kind::Cast(of, value), node)
            }
            "reference_expression" => self.field(node, "value"),
            "parenthesized_expression" | "await_expression" | "try_expression" => self.first(node),
            "if_expression" if node.child_by_field_name("alternative").is_some() => self.by_arms(node),
            "match_expression" => self.by_arms(node),
            "if_expression"
            | "return_expression"
            | "break_expression"
            | "continue_expression"
            | "for_expression"
            | "while_expression"
            | "loop_expression"
            | "block"
            | "unsafe_block"
            | "async_block"
            | "const_block"
            | "try_block"
            | "assignment_expression"
            | "compound_assignment_expr" => self.value(node).unwrap_or_else(|| self.low.other(Vec::new(), node)),
            _ => {
                let inner = self.exprs(parts(node));
                self.low.other(inner, node)
            }
        }
    }

    fn first(&mut self, node: Node<'_>) -> ExprId {
        match parts(node).into_iter().find(|part| part.kind() != "mutable_specifier") {
            Some(one) => self.expr(one),
            None => self.low.other(Vec::new(), node),
        }
    }

    fn identifier(&mut self, node: Node<'_>) -> ExprId {
        match (self.low.text(node), self.class) {
            ("Self", Some(class)) => self.low.implied(class, node),
            (name, _) => self.low.implied(name, node),
        }
    }

    fn call(&mut self, node: Node<'_>) -> ExprId {
        let callee = self.field(node, "function");
        let args = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        // What a number can stand in for is one.
        let has_number = matches!(args[..], [only] if is_number(only) || only.kind() == "boolean_literal");
        let args = self.exprs(args).into_iter().map(|value| Arg { name: None, value }).collect();
        let is_number = has_number && matches!(self.low.unit.kind(callee), Kind::Member(_, "unwrap_or"));
        let call = self.low.add(Kind::Call { callee, args }, node);
        if is_number { self.low.add(Kind::Cast("u64", call), node) } else { call }
    }

    fn structure_value(&mut self, node: Node<'_>) -> ExprId {
        let callee = self.field(node, "name");
        let body = node.child_by_field_name("body");
        let mut record = Vec::new();
        for field in body.map(parts).unwrap_or_default() {
            let key = field.child_by_field_name("field").map(|key| self.low.text(key));
            match (field.kind(), key) {
                ("field_initializer", Some(key)) => record.push((Some(key), self.field(field, "value"))),
                ("shorthand_field_initializer", _) => {
                    let value = self.first(field);
                    record.push((Some(self.low.text(field)), value));
                }
                _ => record.push((None, self.first(field))),
            }
        }
        let value = self.low.add(Kind::Record(record), body.unwrap_or(node));
        self.low.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
    }

    /// A chain of `+` is one text; its length is no depth.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = self.operator(node);
        if operator != "+" {
            let operands = vec![self.field(node, "left"), self.field(node, "right")];
            return self.low.add(Kind::Operation(operator, operands), node);
        }
        let mut operands = Vec::new();
        let mut rest = Some(node);
        while let Some(sum) = rest {
            operands.extend(sum.child_by_field_name("right"));
            let left = sum.child_by_field_name("left");
            rest = left.filter(|left| left.kind() == "binary_expression" && self.operator(*left) == "+");
            operands.extend(left.filter(|_| rest.is_none()));
        }
        operands.reverse();
        let is_arithmetic = operands.iter().any(|operand| is_number(*operand));
        let operands = self.exprs(operands);
        self.low.add(if is_arithmetic { Kind::Operation("+", operands) } else { Kind::Concat(operands) }, node)
    }

    fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator))
    }

    /// `format!(…)` is the text that it makes; any other macro is a call, and what it formats is one argument.
    fn macro_call(&mut self, node: Node<'_>) -> ExprId {
        let callee = self.field(node, "macro");
        let name = match self.low.unit.kind(callee) {
            Kind::Name(name) | Kind::Member(_, name) => *name,
            _ => "",
        };
        let list = parts(node).into_iter().find(|part| part.kind() == "token_tree");
        let args = list.map(|list| self.macro_args(list)).unwrap_or_default();
        match (name, &args[..]) {
            ("vec", _) => {
                let items = args.into_iter().map(|arg| arg.value).collect();
                self.low.add(Kind::List(items), node)
            }
            ("format" | "format_args" | "concat", [one]) => one.value,
            ("concat", _) => {
                let parts = args.into_iter().map(|arg| arg.value).collect();
                self.low.add(Kind::Concat(parts), node)
            }
            _ => self.low.add(Kind::Call { callee, args }, node),
        }
    }

    /// Parses what is between the brackets of a macro and lowers it as arguments.
    fn macro_args(&mut self, list: Node<'_>) -> Vec<Arg<'t>> {
        if self.depth >= DEEPEST_MACRO {
            return Vec::new();
        }
        let Some(mut parser) = self.parser.take() else { return Vec::new() };
        let tree = parser.set_included_ranges(&[list.range()]).ok().and_then(|()| parser.parse(self.low.text, None));
        self.parser = Some(parser);
        let Some(tree) = tree else { return Vec::new() };
        let mut nodes = parts(tree.root_node());
        while let [one] = nodes[..] {
            if !matches!(
                one.kind(),
                "expression_statement" | "tuple_expression" | "parenthesized_expression" | "array_expression" | "ERROR"
            ) {
                break;
            }
            let is_list = one.kind() != "expression_statement" && one.kind() != "ERROR";
            nodes = parts(one);
            if is_list {
                break;
            }
        }
        self.depth += 1;
        let args = self.formatted(nodes);
        self.depth -= 1;
        args
    }

    /// Arguments of which the first text with holes takes what follows.
    fn formatted(&mut self, nodes: Vec<Node<'_>>) -> Vec<Arg<'t>> {
        let is_format = |node: &Node<'_>| node.kind().ends_with("string_literal") && self.low.text(*node).contains('{');
        let at = nodes.iter().position(is_format).unwrap_or(nodes.len());
        let mut args = Vec::new();
        for node in &nodes[..at] {
            args.push(Arg { name: None, value: self.expr(*node) });
        }
        if let Some((format, rest)) = nodes[at..].split_first() {
            let value = self.holes(*format, rest);
            args.push(Arg { name: None, value });
        }
        args
    }

    /// `"a {x} {} {0} {y:>5} {{}}"` and its arguments as one text.
    fn holes(&mut self, format: Node<'_>, rest: &[Node<'_>]) -> ExprId {
        let mut named: Vec<(&'t str, ExprId)> = Vec::new();
        let mut positional: Vec<ExprId> = Vec::new();
        for node in rest {
            let name = node.child_by_field_name("left").filter(|_| node.kind() == "assignment_expression");
            match name {
                Some(name) => named.push((self.low.text(name), self.field(*node, "right"))),
                None => positional.push(self.expr(*node)),
            }
        }
        let text = content(self.low.text(format));
        let start = format.start_byte() + self.low.text(format).find('"').map_or(0, |at| at + 1);
        let mut parts = Vec::new();
        let (mut from, mut at, mut next) = (0, 0, 0);
        let bytes = text.as_bytes();
        while at < bytes.len() {
            let is_doubled = bytes.get(at + 1) == Some(&bytes[at]);
            match bytes[at] {
                b'{' | b'}' if is_doubled => {
                    parts.push(self.low.unit.add(Kind::Text(&text[from..=at]), start + from..start + at + 1));
                    at += 2;
                    from = at;
                }
                b'{' => {
                    let Some(length) = text[at..].find('}') else { break };
                    let name = text[at + 1..at + length].split(':').next().unwrap_or("").trim();
                    if from < at {
                        parts.push(self.low.unit.add(Kind::Text(&text[from..at]), start + from..start + at));
                    }
                    let span = start + at..start + at + length + 1;
                    let value = match (name, name.parse::<usize>()) {
                        ("", _) => {
                            next += 1;
                            positional.get(next - 1).copied()
                        }
                        (_, Ok(index)) => positional.get(index).copied(),
                        _ => named.iter().find(|(known, _)| *known == name).map(|(_, value)| *value),
                    };
                    parts.push(match value {
                        Some(value) => value,
                        None if name == "self" => self.low.unit.add(Kind::Name("this"), span),
                        None if name.is_empty() => self.low.unit.add(Kind::Other(Vec::new()), span),
                        None => self.low.unit.add(Kind::Name(name), span),
                    });
                    at += length + 1;
                    from = at;
                }
                _ => at += 1,
            }
        }
        if from < text.len() {
            parts.push(self.low.unit.add(Kind::Text(&text[from..]), start + from..start + text.len()));
        }
        self.low.add(Kind::Concat(parts), format)
    }

    /// A type as a path, without references and parameters; a wrapper around a number is the number.
    fn of(&mut self, node: Node<'_>) -> Option<ExprId> {
        let arguments = held(node).parent().and_then(|parent| parent.child_by_field_name("type_arguments"));
        if let [one] = arguments.map(parts).unwrap_or_default()[..]
            && one.kind() == "primitive_type"
            && self.low.text(one) != "str"
        {
            return Some(self.low.name(one));
        }
        match held(node) {
            of if matches!(of.kind(), "type_identifier" | "primitive_type" | "scoped_type_identifier") => {
                Some(self.expr(of))
            }
            _ => None,
        }
    }
}

/// Returns the fields that can do no harm by what they hold, in every struct of the file that has them.
fn number_fields<'t>(root: Node<'_>, text: &'t str) -> BTreeSet<&'t str> {
    let (mut structs, mut names) = (Vec::new(), BTreeSet::new());
    let mut open = parts(root);
    while let Some(node) = open.pop() {
        match node.kind() {
            "struct_item" => structs.extend(node.child_by_field_name("body").map(parts).unwrap_or_default()),
            "mod_item" => open.extend(node.child_by_field_name("body").map(parts).unwrap_or_default()),
            // One of a few names.
            "enum_item" => {
                let variants = node.child_by_field_name("body").map(parts).unwrap_or_default();
                let is_plain = |variant: &Node<'_>| variant.child_by_field_name("body").is_none();
                if variants.iter().all(is_plain) {
                    names.extend(node.child_by_field_name("name").map(|name| &text[name.byte_range()]));
                }
            }
            _ => {}
        }
    }
    let is_harmless = |of: &str| {
        let inner = of.strip_prefix("Option<").and_then(|inner| inner.strip_suffix('>')).unwrap_or(of).trim();
        let is_number = inner.starts_with(['i', 'u', 'f']) && inner[1..].chars().all(|c| c.is_ascii_digit());
        is_number && inner.len() > 1
            || matches!(inner, "usize" | "isize" | "bool" | "char" | "Uuid")
            || names.contains(inner)
    };
    let (mut harmless, mut others) = (BTreeSet::new(), BTreeSet::new());
    for field in structs {
        let [Some(name), Some(of)] = ["name", "type"].map(|part| field.child_by_field_name(part)) else { continue };
        let name = &text[name.byte_range()];
        if is_harmless(&text[of.byte_range()]) {
            harmless.insert(name)
        } else {
            others.insert(name)
        };
    }
    harmless.difference(&others).copied().collect()
}

/// Returns the type of what a type holds: `T` of `&T`, `T<U>`, `[T]`, `impl T`.
fn held(mut node: Node<'_>) -> Node<'_> {
    loop {
        let inner = match node.kind() {
            "reference_type" | "generic_type" | "pointer_type" => node.child_by_field_name("type"),
            "array_type" => node.child_by_field_name("element"),
            "abstract_type" | "dynamic_type" => node.child_by_field_name("trait"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

/// Returns the literals that a pattern consists of, if it consists of literals.
fn literals(pattern: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut rest = if fields(pattern, "condition").is_empty() { parts(pattern) } else { Vec::new() };
    while let Some(node) = rest.pop() {
        match node.kind() {
            "or_pattern" => rest.extend(parts(node)),
            kind if kind.ends_with("_literal") => found.push(node),
            _ => return Vec::new(),
        }
    }
    found.reverse();
    found
}

/// Returns what stands between the quotes of a text of any kind.
fn content(text: &str) -> &str {
    let inside = text.find('"').map(|at| &text[at + 1..]);
    inside.and_then(|rest| rest.rfind('"').map(|at| &rest[..at])).unwrap_or(text)
}

fn is_number(node: Node<'_>) -> bool {
    matches!(node.kind(), "integer_literal" | "float_literal")
}

fn ends(text: &str) -> bool {
    ["panic!", "unreachable!", "todo!", "unimplemented!", "bail!", "anyhow::bail!"]
        .iter()
        .any(|name| text.starts_with(name))
}

#[cfg(test)]
mod tests {
    use crate::flow::lower::tests::lowered;
    use crate::language::Language;

    fn rust(text: &str) -> String {
        lowered(Language::Rust, text)
    }

    /// Lowers the statements of a function.
    fn body(text: &str) -> String {
        let all = rust(&format!("fn f() {{\n{text}\n}}\n"));
        all.lines().filter_map(|line| line.strip_prefix("  ")).map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn imports_in_all_their_forms() {
        assert_eq!(
            rust(
                "use std::process::Command;\nuse std::{fs, io::{self, Read as R}};\nuse rusqlite::*;\nextern crate md5 as m;"
            ),
            "import Command = std.process.Command\nimport fs = std.fs\nimport io = std.io\nimport R = std.io.Read\n\
             import * = rusqlite\nimport m = md5\n"
        );
    }

    #[test]
    fn format_strings_have_holes() {
        assert_eq!(
            body("let q = format!(\"a {id} {} {0} {n:>5} {{x}}\", q.name, n = m.get());"),
            "q = <\"a \" id \" \" q.name \" \" q.name \" \" m.get() \" {\" \"x}\">\n"
        );
        assert_eq!(
            body("write!(out, r#\"<b>{}</b>\"#, x)?; println!(\"{it}\"); let v = vec![1, x];"),
            "write(out, <\"<b>\" x \"</b>\">)\nprintln(<it>)\nv = [1, x]\n"
        );
        assert_eq!(body("a!(b!(c!(\"{}\", d(1))));"), "a(b(c(<d(1)>)))\n");
        assert_eq!(
            body("let t = \"a\".to_string() + &id + \"b\"; let n = id as u32 + 1;"),
            "t = <\"a\".to_string() id \"b\">\nn = ((u32)id + 1)\n"
        );
    }

    #[test]
    fn functions_have_attributes_and_types_without_parameters() {
        assert_eq!(
            rust(
                "#[get(\"/x\")]\n#[tokio::main]\nasync fn find(Path(id): web::Path<String>, q: &Query<P>, n: Path<u32>) -> Result<String, E> { id }"
            ),
            "declare fn#0\nfn#0 find(id: web.Path, q: Query, n: u32) -> Result @get(\"/x\") @tokio.main\n  return id\n"
        );
        assert_eq!(
            rust(
                "struct S { db: Pool }\nimpl S { fn new(&self, k: &str) -> Self { self.db.query(k); Self { db: k, ..d() } } }"
            ),
            "do\n  this.db: Pool\ndo\n  declare fn#0\nfn#0 S.new(k: str) -> S\n  this.db.query(k)\n  return S({db: k, ...: d()})\n"
        );
    }

    #[test]
    fn blocks_run_before_the_value_that_they_are() {
        assert_eq!(
            body("let x = unsafe { g(); std::mem::transmute::<u32, f32>(y) };"),
            "g()\nx = std.mem.transmute(y)\n"
        );
        assert_eq!(
            body("let x = if ok(y) { y } else { return };"),
            "if ok(y)\n  if ok(y) { y } else { re = y\nelse\n  return \nx = if ok(y) { y } else { re\n"
        );
        assert_eq!(
            body("if let Some(v) = o { g(v); }\nlet Some(w) = o else { return };"),
            "v = o\nif ?()\n  g(v)\nw = o\nif ?()\n  return \n"
        );
    }

    #[test]
    fn a_match_tests_what_it_is_over() {
        assert_eq!(
            body("match id { \"a\" | \"b\" => g(), o if ok(o) => h(o), _ => panic!(\"x\") };"),
            "o = id\nif ((id == \"a\") || (id == \"b\"))\n  g()\nelse\n  if ok(o)\n    h(o)\n  else\n    panic(\"x\")\n"
        );
        assert_eq!(body("match r { Ok(v) => g(v), Err(_) => return };"), "if ?()\n  v = r\n  g(v)\nelse\n  return \n");
    }

    #[test]
    fn patterns_take_values_apart() {
        assert_eq!(
            body("let (a, mut b) = f()?; let S { db, name: n } = s.await;"),
            "[a, b] = f()\n{db: db, name: n} = s\n"
        );
        assert_eq!(body("for (i, it) in xs.iter() { g(it); }"), "loop [i, it] in xs.iter()\n  g(it)\n");
        assert_eq!(body("while let Some(l) = n() { g(l) }"), "loop while ?()\n  l = n()\n  g(l)\n");
        assert_eq!(
            body("let c = || g(1); s += \"x\"; n += 1; a[0] = *p;"),
            "return g(1)\nc = fn#0\ns += \"x\"\nn = (n += 1)\na[0] = p\n"
        );
    }

    #[test]
    fn broken_code_is_lowered_as_far_as_it_goes() {
        for text in [
            "fn",
            "fn f(",
            "let",
            "match x {",
            "format!(",
            "format!(\"{\", )",
            "println!(\"{}\")",
            "if let",
            "impl",
            "x +",
            "use a::{",
        ] {
            rust(text);
            rust(&format!("fn f() {{ {text} }} fn g() {{ h(1) }}"));
        }
        assert!(rust("fn f() { let x = ; run(y) }").contains("run(y)"));
        let deep = format!("{}1{}", "m!(".repeat(300), ")".repeat(300));
        assert!(body(&deep).starts_with("return m(m("));
    }
}
