//! Lowers Rust: the statements and declarations; `branches`, `expressions` and `macros` have the rest. In: a syntax
//! tree. Out: a `Unit` in which block expressions run before the expression around them, `if` and `match` expressions
//! are variables that their arms assign, and macros are calls whose format strings are texts with holes.

use std::collections::BTreeSet;
use std::mem;

use tree_sitter::Parser;

use super::super::ir::{Block, ExprId, Function, Kind, Param, Stmt, Unit};
use super::{Lowering, block, parts};
use crate::nodes::Node;
use crate::test_modules;

mod branches;
mod expressions;
mod macros;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut parser = Parser::new();
    let parser = parser.set_language(root.language()).is_ok().then_some(parser);
    let numbers = number_fields(root, text);
    let mut rust = Rust { low: Lowering::new(text), into: Block::new(), class: None, parser, depth: 0, numbers };
    let tail = rust.statements(parts(root));
    rust.evaluate(tail);
    rust.low.unit.body = rust.into;
    rust.low.unit
}

struct Rust<'t> {
    low: Lowering<'t>,
    /// The current block, which receives statements that an expression needs to run first.
    into: Block,
    /// The type of the current methods.
    class: Option<&'t str>,
    /// Parses the arguments of a macro, which the tree has as loose tokens.
    parser: Option<Parser>,
    /// The nesting depth of the current macro.
    depth: usize,
    /// The fields that hold a number, a boolean or one of a few names in every struct of the file that has them.
    numbers: BTreeSet<&'t str>,
}

impl<'t> Rust<'t> {
    /// Lowers into a new block.
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
                // Arguments in tests say nothing about other callers of a function.
                "mod_item" if attributes.iter().any(|attribute| test_modules::says_so(*attribute, self.low.text)) => {
                    attributes.clear();
                }
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

    /// Lowers an expression whose value is unused.
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

    /// Lowers an expression that may have no value: a loop, a jump.
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

    /// Lowers a block into the current block and returns its value.
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
}

/// Returns the fields that are harmless in every struct of the file that has them.
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

/// Returns the element type of a type: `T` of `&T`, `T<U>`, `[T]`, `impl T`.
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

fn is_number(node: Node<'_>) -> bool {
    matches!(node.kind(), "integer_literal" | "float_literal")
}

fn ends(text: &str) -> bool {
    ["panic!", "unreachable!", "todo!", "unimplemented!", "bail!", "anyhow::bail!"]
        .iter()
        .any(|name| text.starts_with(name))
}

#[cfg(test)]
mod tests;
