//! Branches, loops and patterns of Rust. In: an `if`, a `match`, a loop, or its pattern. Out: statements that test and
//! assign; a branch expression assigns its value to a new variable.

use super::super::super::ir::{Block, ExprId, Kind, Stmt};
use super::super::{chain, fields, is_small, parts};
use super::Rust;
use crate::nodes::Node;

impl<'t> Rust<'t> {
    /// The binding of a pattern. A wrapper around one part (`Some(x)`, `Path(id)`) is that part.
    pub(super) fn pattern(&mut self, node: Node<'_>) -> ExprId {
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

    /// The value of an `if` or `match`: a variable, named by the start of the expression, that every arm assigns.
    pub(super) fn by_arms(&mut self, node: Node<'_>) -> ExprId {
        let text = self.low.text(node);
        let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= 24).last().unwrap_or(text.len());
        let name = &text[..end];
        match node.kind() {
            "match_expression" => self.matched(node, Some(name)),
            _ => self.branch(node, Some(name)),
        }
        self.low.implied(name, node)
    }

    /// Assigns the value of an arm, if it is used.
    fn settle(&mut self, value: Option<ExprId>, into: Option<&'t str>, node: Node<'_>) {
        match (value, into) {
            (Some(value), Some(name)) => {
                let target = self.low.implied(name, node);
                self.into.push(Stmt::Assign { target, of: None, value: Some(value) });
            }
            (value, _) => self.evaluate(value),
        }
    }

    pub(super) fn branch(&mut self, node: Node<'_>, into: Option<&'t str>) {
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

    /// A test; `let Some(x) = y` also binds.
    pub(super) fn test(&mut self, node: Node<'_>) -> ExprId {
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

    pub(super) fn matched(&mut self, node: Node<'_>, into: Option<&'t str>) {
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
                    // The names in a guard are bound before it.
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
        // A match is exhaustive: the last arm takes the rest.
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

    pub(super) fn repeat(&mut self, node: Node<'_>) {
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
}

/// Returns the literals of a pattern that consists only of literals.
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
