//! Whether the tests of a Go package count. In: its `TestMain`. Out: whether that runs the tests and ends the program by their result.
//!
//! The statements are followed in order, with the names that hold the result. A function of the file that gets the tests is followed, too; one
//! of another file or package is trusted.

use std::collections::BTreeSet;

use crate::nodes::Node;

/// How deep a function that calls a function is followed.
const DEPTH: usize = 4;

/// Tells whether the tests count, given the function and all functions of its file.
pub(super) fn counts(main: Node<'_>, text: &str, functions: &[Node<'_>]) -> bool {
    Main { text, functions, depth: 0, is_outermost: true }.counts(main)
}

#[derive(Clone, Copy)]
struct Main<'m, 'n> {
    text: &'m str,
    functions: &'m [Node<'n>],
    depth: usize,
    is_outermost: bool,
}

/// What is known at a statement.
#[derive(Default)]
struct State<'m> {
    /// The name of the tests.
    tests: &'m str,
    /// The names that hold their result.
    results: BTreeSet<&'m str>,
    /// The tests ran.
    has_run: bool,
    /// A branch depends on their result and ends the program.
    is_acted_on: bool,
}

impl<'m> Main<'m, '_> {
    fn said(&self, node: Node<'_>) -> &'m str {
        &self.text[node.byte_range()]
    }

    fn counts(&self, function: Node<'_>) -> bool {
        let parameters = function.child_by_field_name("parameters");
        let is_tests = |it: &Node<'_>| {
            it.child_by_field_name("type").is_some_and(|it| self.said(it).trim_start_matches('*').ends_with(".M"))
        };
        let name = parameters
            .and_then(|all| all.named_children().find(is_tests))
            .and_then(|it| it.child_by_field_name("name"));
        let (Some(name), Some(body)) = (name, function.child_by_field_name("body")) else { return false };
        let mut state = State { tests: self.said(name), ..State::default() };
        match self.block(body, &mut state) {
            Some(counts) => counts,
            // Since Go 1.15 the result is kept with the tests, and ends the program.
            None => state.has_run || state.is_acted_on,
        }
    }

    /// Walks statements; returns whether the tests count once one of them ends the function.
    fn block(&self, block: Node<'_>, state: &mut State<'m>) -> Option<bool> {
        for statement in block.named_children() {
            let ends = match statement.kind() {
                "block" | "statement_list" => self.block(statement, state),
                _ => self.statement(statement, state),
            };
            if ends.is_some() {
                return ends;
            }
        }
        None
    }

    fn statement(&self, node: Node<'_>, state: &mut State<'m>) -> Option<bool> {
        match node.kind() {
            "short_var_declaration" | "assignment_statement" | "var_declaration" => {
                self.note(node, state);
                None
            }
            "return_statement" => {
                let value = node.named_child(0);
                let is_kept = value.is_none_or(|value| self.carries(value, state) || self.depends(value));
                self.note(node, state);
                Some(state.is_acted_on || is_kept && (state.has_run || !self.is_outermost && value.is_some()))
            }
            "expression_statement" | "go_statement" => {
                let exit = self.exit(node);
                let is_kept = exit.is_some_and(|value| value.is_some_and(|value| self.carries(value, state)));
                self.nested(node, state);
                exit.map(|_| is_kept || state.is_acted_on)
            }
            // What is deferred ends the program last.
            "defer_statement" => {
                self.note(node, state);
                let exits: Vec<Option<Node<'_>>> = node.descendants().filter_map(|it| self.exit_call(it)).collect();
                let is_fixed = |value: &Option<Node<'_>>| value.is_none_or(|value| !self.depends(value));
                let is_plain = node.descendants().all(|it| it.kind() != "if_statement");
                (is_plain && exits.iter().any(is_fixed)).then_some(false)
            }
            "if_statement" => self.choice(node, state),
            _ => {
                self.nested(node, state);
                None
            }
        }
    }

    fn choice(&self, node: Node<'_>, state: &mut State<'m>) -> Option<bool> {
        if let Some(part) = node.child_by_field_name("initializer") {
            self.statement(part, state);
        }
        let condition = node.child_by_field_name("condition");
        if condition.is_some_and(|it| self.said(it) == "true")
            && let Some(then) = node.child_by_field_name("consequence")
        {
            return self.block(then, state);
        }
        let asks = condition.is_some_and(|it| self.carries(it, state));
        condition.into_iter().for_each(|it| self.note(it, state));
        let ends = node.descendants().any(|it| {
            self.exit_call(it).is_some_and(|value| value.is_none_or(|value| self.said(value) != "0"))
                || it.kind() == "return_statement"
                || it.kind() == "call_expression" && self.said(it).starts_with("panic(")
        });
        state.is_acted_on |= asks && ends;
        self.nested(node, state);
        None
    }

    /// Takes in what may happen inside of a statement.
    fn nested(&self, node: Node<'_>, state: &mut State<'m>) {
        for inner in node.descendants() {
            if ["short_var_declaration", "assignment_statement", "expression_statement"].contains(&inner.kind()) {
                let known = state.results.clone();
                state.is_acted_on |= self.exit(inner).flatten().is_some_and(|value| self.carries(value, state));
                self.note(inner, state);
                // It may not happen.
                state.results.extend(known);
            }
        }
    }

    /// Takes in what a statement runs, and which names hold the result behind it.
    fn note(&self, node: Node<'_>, state: &mut State<'m>) {
        let carries = self.carries(node.child_by_field_name("right").unwrap_or(node), state);
        state.has_run |= node.descendants().any(|it| self.runs(it, state));
        let left = node.child_by_field_name("left").or_else(|| {
            node.named_children().find(|it| it.kind() == "var_spec").and_then(|it| it.child_by_field_name("name"))
        });
        let names = left.into_iter().flat_map(Node::descendants).filter(|it| it.kind() == "identifier");
        for name in names.map(|name| self.said(name)) {
            if carries {
                state.results.insert(name);
            } else {
                state.results.remove(name);
            }
        }
    }

    /// Tells whether a call runs the tests: `m.Run()`, or a function that gets them.
    fn runs(&self, call: Node<'_>, state: &State<'_>) -> bool {
        if call.kind() != "call_expression" {
            return false;
        }
        let Some(function) = call.child_by_field_name("function").map(|it| self.said(it)) else { return false };
        if function.strip_suffix(".Run") == Some(state.tests) {
            return true;
        }
        let gets = call.child_by_field_name("arguments").is_some_and(|all| {
            all.named_children().any(|it| it.kind() == "identifier" && self.said(it) == state.tests)
        });
        let is_it = |it: &&Node<'_>| it.child_by_field_name("name").is_some_and(|name| self.said(name) == function);
        gets && match self.functions.iter().find(is_it) {
            Some(helper) if self.depth < DEPTH => {
                Main { depth: self.depth + 1, is_outermost: false, ..*self }.counts(*helper)
            }
            Some(_) => false,
            None => true,
        }
    }

    /// Tells whether an expression has the result of the tests.
    fn carries(&self, node: Node<'_>, state: &State<'_>) -> bool {
        node.descendants()
            .any(|it| self.runs(it, state) || it.kind() == "identifier" && state.results.contains(self.said(it)))
    }

    fn depends(&self, node: Node<'_>) -> bool {
        node.descendants().any(|it| it.kind() == "identifier")
    }

    /// Returns the value with which a statement ends the program, if it does.
    fn exit<'n>(&self, statement: Node<'n>) -> Option<Option<Node<'n>>> {
        statement.named_child(0).and_then(|it| self.exit_call(it))
    }

    fn exit_call<'n>(&self, call: Node<'n>) -> Option<Option<Node<'n>>> {
        let function = (call.kind() == "call_expression").then(|| call.child_by_field_name("function")).flatten()?;
        let is_exit = ["os.Exit", "syscall.Exit", "unix.Exit", "runtime.Goexit"].contains(&self.said(function));
        is_exit.then(|| call.child_by_field_name("arguments").and_then(|all| all.named_child(0)))
    }
}
