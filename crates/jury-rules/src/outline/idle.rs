//! Code in a test that looks like a check and is none: its condition is settled, its failure is swallowed, or it comes after the test has ended.
//! In: nodes of the syntax tree. Out: whether control gets there, and whether a failure counts.
//!
//! Deliberately not here: which calls assert (`shapes`), and the walk itself.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::shapes::TestSyntax;
use super::{Open, Walk, last};
use crate::language::Language;
use crate::nodes::Node;

/// Functions of the platform that run what they are given after the code around them.
const LATER: &[&str] =
    &["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick", "requestAnimationFrame"];
/// Methods of a promise that do.
const OF_PROMISES: &[&str] = &["then", "catch", "finally"];
/// What moves the clock of a test, and so runs what was put off.
const CLOCKS: &[&str] = &["Timer", "imers", "tick(", "advance"];

impl Walk<'_> {
    /// Returns the value of a condition that is settled by its text.
    pub(super) fn truth(&self, node: Node<'_>) -> Option<bool> {
        let said = self.said(node).trim_matches(['(', ')', ' ']).to_lowercase();
        match said.as_str() {
            "false" | "0" | "none" | "null" | "nil" => return Some(false),
            "true" | "1" => return Some(true),
            _ => {}
        }
        let named: Vec<Node<'_>> = node.named_children().filter(|child| !child.is_extra()).collect();
        match (self.operator(node), named.as_slice()) {
            (Some("||" | "or"), [left, right]) => match (self.truth(*left), self.truth(*right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), other) | (other, Some(false)) => other,
                (None, None) => None,
            },
            (Some("&&" | "and"), [left, right]) => match (self.truth(*left), self.truth(*right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) | (other, Some(true)) => other,
                (None, None) => None,
            },
            (Some("!" | "not"), [inner]) => self.truth(*inner).map(|truth| !truth),
            (None, [inner]) if node.kind().contains("parenthes") || node.kind() == "argument" => self.truth(*inner),
            _ => None,
        }
    }

    /// Returns the operator between the parts of an expression, or before its only part.
    fn operator(&self, node: Node<'_>) -> Option<&'static str> {
        let mut unnamed = node.children().filter(|child| !child.is_named());
        let known = ["||", "or", "&&", "and", "!", "not"];
        unnamed.find_map(|child| known.into_iter().find(|operator| child.kind() == *operator))
    }

    /// Returns both sides of `left && right` and its like, and whether the right one is never reached.
    pub(super) fn short_circuit<'n>(&self, node: Node<'n>) -> Option<(Node<'n>, Node<'n>, bool)> {
        let is_operation = ["binary", "boolean_operator"].iter().any(|word| node.kind().starts_with(word));
        let operator = self.operator(node).filter(|_| is_operation)?;
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let never = match operator {
            "&&" | "and" => Some(false),
            "||" | "or" => Some(true),
            _ => return None,
        };
        Some((left, right, self.truth(left) == never))
    }

    /// Tells whether a failure in a node is swallowed: `x rescue nil`, `with suppress(AssertionError):`.
    pub(super) fn is_suppressed(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "rescue_modifier" => true,
            "with_statement" => node.children().filter(|child| child.kind() == "with_clause").any(|clause| {
                let said = self.said(clause);
                let swallowed = said.split_once("suppress(").map(|(_, rest)| rest);
                swallowed.is_some_and(|rest| self.shape.swallowing.iter().any(|word| rest.contains(word)))
            }),
            _ => false,
        }
    }

    /// Tells whether a call catches what fails in its function, and nothing looks at the result.
    pub(super) fn is_caught(&self, node: Node<'_>, callee: &str) -> bool {
        let is_dropped = node.parent().is_some_and(|parent| match parent.kind() {
            "expression_statement" => true,
            "let_declaration" => {
                parent.child_by_field_name("pattern").is_some_and(|name| self.said(name).starts_with('_'))
            }
            _ => false,
        });
        self.shape.language == Language::Rust && last(callee) == "catch_unwind" && is_dropped
    }

    /// Tells whether a call puts off what it is given until the test has ended: nothing waits for it.
    pub(super) fn is_deferred(&self, node: Node<'_>, callee: &str) -> bool {
        if !matches!(self.shape.language, Language::JavaScript | Language::TypeScript | Language::Tsx) {
            return false;
        }
        let name = last(callee);
        // A queue of commands is no promise.
        let is_promised = OF_PROMISES.contains(&name) && callee.contains('.') && !callee.starts_with("cy.");
        if !LATER.contains(&name) && !is_promised {
            return false;
        }
        // A statement of the test's own function, which is given nothing to say that it is done.
        let statement = node.parent().filter(|parent| parent.kind() == "expression_statement");
        let block = statement.and_then(Node::parent).filter(|block| block.kind() == "statement_block");
        let Some(closure) = block.and_then(Node::parent) else { return false };
        let call = closure.parent().and_then(Node::parent);
        let is_test = call.is_some_and(|call| {
            self.shape.calls.contains(&call.kind())
                && self.shape.test_call(self.callee(call)).is_some_and(|word| !word.is_suite)
        });
        let is_given = closure.child_by_field_name("parameter").is_some()
            || closure.child_by_field_name("parameters").is_some_and(|all| all.named_child_count() > 0);
        let said = self.said(closure);
        is_test && !is_given && !CLOCKS.iter().any(|word| said.contains(word))
    }

    /// Tells whether a statement skips the test by a word alone, as in Ruby.
    pub(super) fn is_bare_skip(&self, node: Node<'_>) -> bool {
        let blocks = ["body_statement", "block_body", "then", "do_block", "block"];
        self.shape.language == Language::Ruby
            && node.kind() == "identifier"
            && node.parent().is_some_and(|parent| blocks.contains(&parent.kind()))
            && self.shape.is_skip(self.said(node))
    }

    /// Tells whether a call ends the test unless something holds that never does: `assumeTrue(false)`.
    pub(super) fn assumes_falsehood(&self, node: Node<'_>, callee: &str) -> bool {
        let name = last(callee).to_lowercase();
        let wants = match () {
            () if name.starts_with("assum") => !name.contains("false"),
            () if callee == "Skip.If" => false,
            () => return false,
        };
        let arguments = self.arguments(node);
        arguments.first().and_then(|first| self.truth(*first)).is_some_and(|truth| truth != wants)
    }

    /// Tells whether a call speaks about assertions, and makes none: `expect.assertions(2)`, `expectNotToPerformAssertions()`.
    pub(super) fn is_about_assertions(&self, node: Node<'_>, callee: &str) -> bool {
        last(callee).to_lowercase().ends_with("assertions")
            && !self.arguments(node).iter().any(|argument| self.depends(*argument))
    }

    /// Tells whether a call is that of a function of the file which only has the name of an assertion.
    pub(super) fn is_hollow(&self, callee: &str) -> bool {
        let end = callee.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(callee.len());
        self.hollow.contains(&callee[..end])
    }

    /// Returns the lines of the class around a function; of the file, if there is none; none for a function inside a test.
    pub(super) fn lines_around(&self, node: Node<'_>) -> Option<RangeInclusive<u32>> {
        let around = std::iter::successors(node.parent(), |node| node.parent());
        match around.into_iter().find(|node| node.kind().starts_with("class") && !node.kind().ends_with("body")) {
            Some(class) => Some(self.line(class.start_byte())..=self.line(class.end_byte().saturating_sub(1))),
            None if self.open.iter().any(|open| matches!(open, Open::Test(_))) => None,
            None => Some(1..=u32::MAX),
        }
    }
}

/// Tells whether the first of the arguments in a text holds whatever the others are: `(f(1, 2) || true, "why")`.
pub(super) fn is_settled(arguments: &str) -> bool {
    let inside = arguments.strip_prefix(['(', '[', '{']).unwrap_or(arguments);
    let mut depth = 0_i32;
    let end = inside.find(|c: char| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth < 0 || depth == 0 && c == ','
    });
    let first = inside[..end.unwrap_or(inside.len())].trim();
    first.starts_with("true || ") || first.ends_with(" || true")
}

/// Returns the functions of a file that are named like assertions, and neither assert, nor raise, nor call anything that could.
pub(super) fn hollow<'t>(root: Node<'_>, text: &'t str, shape: &TestSyntax) -> BTreeSet<&'t str> {
    let mut hollow = BTreeSet::new();
    let kinds = || shape.functions.iter().chain(shape.closures);
    for node in root.descendants().filter(|node| kinds().any(|kind| node.kind() == *kind)) {
        let holder = node.parent().filter(|parent| parent.kind() == "variable_declarator");
        let name = node.child_by_field_name("name").or_else(|| holder?.child_by_field_name("name"));
        let Some(name) = name.map(|name| &text[name.byte_range()]) else { continue };
        // A test may be named like an assertion, too.
        if shape.is_named_test(name) || !shape.is_assertion(name) {
            continue;
        }
        let can_fail = node.descendants().any(|inner| {
            let kind = inner.kind();
            ["throw", "raise"].iter().any(|word| kind.starts_with(word))
                || shape.asserts.contains(&kind)
                || shape.calls.contains(&kind)
        });
        if !can_fail {
            hollow.insert(name);
        }
    }
    hollow
}
