//! The tests of a file. In: its path and text. Out: each test with the assertions that can fail, whether it runs at all, and the functions that it
//! calls, read from the syntax tree.
//!
//! One walk follows the flow of control as far as it is plain: after a `return`, below `if (false)`, in a `try` whose handler swallows everything,
//! nothing is asserted. A function of the file that asserts counts where it is called. `shapes.rs` has the words and node kinds of each language.
//! Deliberately not here: comparing two versions, and languages without a grammar.

mod go_main;
mod helpers;
mod idle;
mod shapes;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;

use crate::guard;
use crate::language::Language;
use crate::nodes::Node;
use crate::php;
use helpers::{Helpers, Uses};
use shapes::{TestSyntax, Word};

/// A test, or a suite of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCase {
    /// Its name.
    pub name: String,
    /// Its first line, from 1, and its last.
    pub line: u32,
    /// The last line.
    pub last: u32,
    /// It holds tests and is none.
    pub is_suite: bool,
    /// It does not run: it is marked so, or stands where nothing runs.
    pub is_skipped: bool,
    /// It runs all other tests of its package, and can fail if they do.
    pub is_runner: bool,
    /// It runs once for each row of a table.
    pub is_table: bool,
    /// It passes only if its assertions fail.
    pub is_inverted: bool,
    /// The assertions that can be reached and depend on something.
    pub asserts: usize,
    /// Those that cannot be reached, or whose failure is swallowed.
    pub unreachable: usize,
    /// Those that compare constants, or a thing with itself.
    pub constant: usize,
    /// The functions that it calls, assertions aside.
    pub calls: BTreeSet<String>,
    /// Its lines, without those that have no word.
    pub body: BTreeSet<String>,
}

/// The function that runs the tests of a package of Go.
const RUNNER_OF_GO: &str = "TestMain";
/// How deep a helper that calls a helper is followed.
const DEPTH: usize = 3;

/// Tells whether the tests of a file are marked in its code, so that its name says nothing about them.
pub fn marks_tests(path: &str) -> bool {
    matches!(Language::of(path), Some(Language::Rust | Language::Java | Language::CSharp))
}

/// Returns the tests of a file; `None` if it cannot be parsed, or its language has no tests that are known here.
pub fn outline(path: &str, text: &str) -> Option<Vec<TestCase>> {
    let language = Language::of(path)?;
    let shape = shapes::of(language)?;
    if guard::too_much(text).is_some() {
        return None;
    }
    let code = if language == Language::Php { php::code(text) } else { Cow::Borrowed(text) };
    let tree = AstGrep::doc(StrDoc::try_new(&code, language.grammar()?).ok()?);
    if tree.root().is_error() {
        return None;
    }
    let seen = guard::look_over(language, &tree).ok()?;
    let uses = Uses::of(seen.nodes.root(), &code, shape.calls);
    let mut helpers = Helpers::default();
    let mut walk = Walk::over(shape, &code, path, &uses, &helpers, seen.nodes.root());
    for _ in 0..DEPTH {
        let found = std::mem::take(&mut walk.found_helpers);
        if found == helpers {
            break;
        }
        helpers = found;
        walk = Walk::over(shape, &code, path, &uses, &helpers, seen.nodes.root());
    }
    if language == Language::Go {
        let is_function = |node: &Node<'_>| node.kind() == "function_declaration";
        let functions: Vec<Node<'_>> = seen.nodes.root().children().filter(is_function).collect();
        for test in walk.tests.iter_mut().filter(|test| test.name == RUNNER_OF_GO) {
            let is_it = |node: &&Node<'_>| code[..node.start_byte()].matches('\n').count() + 1 == test.line as usize;
            let counts = functions.iter().find(is_it).is_some_and(|main| go_main::counts(*main, &code, &functions));
            (test.is_runner, test.asserts, test.unreachable) = (true, usize::from(counts), usize::from(!counts));
        }
    }
    let is_skipped = walk.is_file_skipped;
    let skipped = walk.skipped_lines;
    let mut tests = walk.tests;
    for test in &mut tests {
        test.is_skipped |= is_skipped || skipped.iter().any(|lines| lines.contains(&test.line));
        let lines = code.lines().skip(test.line as usize).take((test.last.saturating_sub(test.line)) as usize);
        let is_said = |line: &&str| line.chars().any(char::is_alphanumeric);
        test.body = lines.map(str::trim).filter(is_said).map(str::to_owned).collect();
    }
    Some(tests)
}

/// Whether code is reached.
#[derive(Clone, Copy)]
struct Flow {
    is_live: bool,
    /// It is reached whenever the test is.
    is_certain: bool,
}

impl Flow {
    const LIVE: Self = Self { is_live: true, is_certain: true };

    fn dead(self) -> Self {
        Self { is_live: false, ..self }
    }

    fn perhaps(self) -> Self {
        Self { is_certain: false, ..self }
    }
}

struct Walk<'w> {
    shape: &'static TestSyntax,
    text: &'w str,
    uses: &'w Uses<'w>,
    helpers: &'w Helpers,
    found_helpers: Helpers,
    tests: Vec<TestCase>,
    /// The tests, suites and helpers that are open, innermost last, and where each starts.
    open: Vec<Open>,
    starts: Vec<usize>,
    is_file_skipped: bool,
    /// The function that is open skips the test that calls it.
    helper_skips: bool,
    /// The lines of classes whose tests are all skipped before they begin.
    skipped_lines: Vec<RangeInclusive<u32>>,
    /// Functions of the file that are named like assertions, and assert nothing.
    hollow: BTreeSet<&'w str>,
    /// Comments assert, too, in files that test types.
    tests_types: bool,
    line_starts: Vec<usize>,
}

enum Open {
    Test(usize),
    Helper(usize),
}

impl<'w> Walk<'w> {
    /// Walks a file once, with the helpers that an earlier walk found.
    fn over(
        shape: &'static TestSyntax,
        text: &'w str,
        path: &str,
        uses: &'w Uses<'w>,
        helpers: &'w Helpers,
        root: Node<'_>,
    ) -> Self {
        let mut walk = Self {
            shape,
            text,
            uses,
            helpers,
            found_helpers: Helpers::default(),
            helper_skips: false,
            skipped_lines: Vec::new(),
            hollow: idle::hollow(root, text, shape),
            tests: Vec::new(),
            open: Vec::new(),
            starts: Vec::new(),
            is_file_skipped: text
                .lines()
                .take(20)
                .any(|line| shape.skipped_file.iter().any(|mark| line.starts_with(mark))),
            tests_types: path.contains(".test-d.") || path.contains(".spec-d."),
            line_starts: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect(),
        };
        walk.visit(root, Flow::LIVE);
        walk
    }

    /// Returns the assertions of the function of the file that a call names.
    fn helper(&self, callee: &str) -> Option<usize> {
        self.helpers.called(self.shape.language, callee, &self.starts)
    }

    fn said(&self, node: Node<'_>) -> &'w str {
        &self.text[node.byte_range()]
    }

    fn line(&self, at: usize) -> u32 {
        u32::try_from(self.line_starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }

    /// Walks a node; tells whether control never gets behind it.
    fn visit(&mut self, node: Node<'_>, flow: Flow) -> bool {
        let kind = node.kind();
        let shape = self.shape;
        if node.is_extra() {
            self.comment(node, flow);
            return false;
        }
        let is_kept = || node.parent().is_some_and(|parent| parent.kind() == "variable_declarator");
        if shape.functions.contains(&kind) || (shape.closures.contains(&kind) && is_kept()) {
            self.function(node, flow);
            return false;
        }
        if shape.closures.contains(&kind) {
            self.sequence(node, flow);
            return false;
        }
        if shape.returns.contains(&kind) {
            self.children(node, flow);
            return true;
        }
        if self.is_bare_skip(node) {
            if flow.is_live && flow.is_certain {
                self.skip();
            }
            return flow.is_certain;
        }
        if self.is_suppressed(node) {
            self.children(node, flow.dead());
            return false;
        }
        if let Some((left, right, is_dead)) = self.short_circuit(node) {
            self.visit(left, flow);
            self.visit(right, if is_dead { flow.dead() } else { flow });
            return false;
        }
        if shape.ifs.contains(&kind) {
            return self.choice(node, flow);
        }
        if shape.tries.contains(&kind) {
            self.attempt(node, flow);
            return false;
        }
        if shape.loops.contains(&kind) {
            let is_empty = self.is_empty_loop(node);
            self.children(node, if is_empty { flow.dead() } else { flow.perhaps() });
            return false;
        }
        if shape.asserts.contains(&kind) {
            self.count(flow, self.is_constant(node));
            self.children(node, flow);
            return false;
        }
        if shape.calls.contains(&kind) {
            return self.call(node, flow);
        }
        if shape.sequences.contains(&kind) {
            return self.sequence(node, flow);
        }
        self.children(node, flow);
        false
    }

    /// Walks children that do not follow each other.
    fn children(&mut self, node: Node<'_>, flow: Flow) {
        for child in node.children() {
            self.visit(child, flow);
        }
    }

    /// Walks statements one after the other: behind one that ends the function, nothing is reached.
    fn sequence(&mut self, node: Node<'_>, flow: Flow) -> bool {
        let mut flow = flow;
        for child in node.children() {
            if self.visit(child, flow) {
                flow = flow.dead();
            }
        }
        !flow.is_live
    }

    fn choice(&mut self, node: Node<'_>, flow: Flow) -> bool {
        let truth = node.child_by_field_name("condition").and_then(|condition| self.truth(condition));
        let otherwise: Vec<Node<'_>> = node.children_by_field_name("alternative").collect();
        let mut ends = Vec::new();
        for child in node.children() {
            let is_condition = node.child_by_field_name("condition") == Some(child);
            let is_otherwise = otherwise.contains(&child);
            let flow = match truth {
                _ if is_condition => flow,
                Some(truth) if truth == is_otherwise => flow.dead(),
                Some(_) => flow,
                None => flow.perhaps(),
            };
            let is_end = self.visit(child, flow);
            if !is_condition && child.is_named() {
                ends.push((is_otherwise, is_end));
            }
        }
        let ends_then = ends.iter().any(|(is_otherwise, is_end)| !is_otherwise && *is_end);
        let ends_otherwise = ends.iter().any(|(is_otherwise, is_end)| *is_otherwise && *is_end);
        match truth {
            Some(true) => ends_then,
            Some(false) => ends_otherwise,
            None => ends_then && ends_otherwise,
        }
    }

    /// Walks a `try`: where a handler swallows a failed assertion, nothing in it is asserted.
    fn attempt(&mut self, node: Node<'_>, flow: Flow) {
        let handlers: Vec<Node<'_>> =
            node.children().filter(|child| self.shape.handlers.contains(&child.kind())).collect();
        let is_swallowed = handlers.iter().any(|handler| self.swallows(*handler));
        for child in node.children() {
            let is_body =
                !handlers.contains(&child) && !child.kind().contains("finally") && !child.kind().contains("ensure");
            let flow = if is_body && is_swallowed { flow.dead() } else { flow.perhaps() };
            let flow = if is_body && !is_swallowed { Flow { is_certain: true, ..flow } } else { flow };
            self.visit(child, flow);
        }
    }

    fn swallows(&self, handler: Node<'_>) -> bool {
        let text = self.said(handler);
        let head = text.split(['{', '\n']).next().unwrap_or_default();
        let named = head.trim_start_matches(|c: char| c.is_alphabetic()).trim_matches([' ', '(', ')', ':']);
        let is_wide = match named.is_empty() {
            true => self.shape.bare_swallows,
            false => self.shape.swallowing.iter().any(|word| *word == "*" || named.contains(word)),
        };
        let is_answered = handler.descendants().any(|node| {
            let kind = node.kind();
            let is_call = self.shape.calls.contains(&kind) && {
                let callee = self.callee(node);
                self.shape.is_assertion(callee)
                    || callee.ends_with("done")
                    || callee.ends_with("reject")
                    || self.helper(callee).is_some()
            };
            kind.starts_with("throw") || kind.starts_with("raise") || self.shape.asserts.contains(&kind) || is_call
        }) || (self.shape.language == Language::Ruby && text.contains("raise"));
        is_wide && !is_answered
    }

    fn is_empty_loop(&self, node: Node<'_>) -> bool {
        let over = ["right", "value", "collection"].iter().find_map(|field| node.child_by_field_name(field));
        let condition = node.child_by_field_name("condition").and_then(|condition| self.truth(condition));
        over.is_some_and(|over| ["[]", "()", "{}", "range(0)"].contains(&self.said(over))) || condition == Some(false)
    }

    /// Returns the text of a call before its arguments.
    fn callee(&self, node: Node<'_>) -> &'w str {
        let arguments = node.child_by_field_name("arguments").or_else(|| {
            node.children().find(|child| ["argument_list", "arguments", "token_tree"].contains(&child.kind()))
        });
        let end = arguments.map_or_else(
            || node.child_by_field_name("block").map_or(node.end_byte(), Node::start_byte),
            Node::start_byte,
        );
        self.text[node.start_byte()..end.max(node.start_byte())].trim()
    }

    fn arguments<'n>(&self, node: Node<'n>) -> Vec<Node<'n>> {
        let arguments = node.child_by_field_name("arguments").or_else(|| {
            node.children().find(|child| ["argument_list", "arguments", "token_tree"].contains(&child.kind()))
        });
        arguments.map(|it| it.named_children().filter(|child| !child.is_extra()).collect()).unwrap_or_default()
    }

    fn call(&mut self, node: Node<'_>, flow: Flow) -> bool {
        let callee = self.callee(node);
        if let Some(word) = self.shape.test_call(callee) {
            return self.test_call(node, callee, word, flow);
        }
        if self.shape.is_skip(callee) || self.assumes_falsehood(node, callee) {
            if flow.is_live && flow.is_certain {
                self.skip();
            }
            return flow.is_certain;
        }
        if self.shape.is_exit(callee) {
            return true;
        }
        if self.is_deferred(node, callee) || self.is_caught(node, callee) {
            self.children(node, flow.dead());
            return false;
        }
        // A function of the file asserts what its body asserts, whatever its name says.
        if let Some(number) = self.helper(callee) {
            (0..number).for_each(|_| self.count(flow, false));
            self.called(callee);
        } else if self.shape.is_assertion(callee) && !self.is_hollow(callee) && !self.is_about_assertions(node, callee)
        {
            self.count(flow, self.is_constant(node));
        } else {
            self.called(callee);
        }
        self.children(node, flow);
        false
    }

    fn called(&mut self, callee: &str) {
        let name = last(callee).to_owned();
        if let Some(Open::Test(at)) = self.open.last()
            && !name.is_empty()
        {
            self.tests[*at].calls.insert(name);
        }
    }

    fn comment(&mut self, node: Node<'_>, flow: Flow) {
        if self.tests_types && self.said(node).contains("@ts-expect-error") {
            if self.open.is_empty() {
                let line = self.line(node.start_byte());
                let all = "(the file)".to_owned();
                self.tests.push(TestCase { name: all, line, last: line, ..TestCase::default() });
                self.open.push(Open::Test(self.tests.len() - 1));
                self.starts.push(0);
            }
            self.count(flow, false);
        }
    }

    fn count(&mut self, flow: Flow, is_constant: bool) {
        match self.open.last_mut() {
            Some(Open::Test(at)) => {
                let test = &mut self.tests[*at];
                match (flow.is_live, is_constant) {
                    (false, _) => test.unreachable += 1,
                    (true, true) => test.constant += 1,
                    (true, false) => test.asserts += 1,
                }
            }
            Some(Open::Helper(number)) if flow.is_live && !is_constant => *number += 1,
            _ => {}
        }
    }

    fn skip(&mut self) {
        match self.open.last() {
            Some(Open::Test(at)) => self.tests[*at].is_skipped = true,
            None => self.is_file_skipped = true,
            Some(Open::Helper(_)) => self.helper_skips = true,
        }
    }

    /// Tells whether an assertion is about constants, or compares a thing with itself.
    fn is_constant(&self, node: Node<'_>) -> bool {
        let is_statement = self.shape.asserts.contains(&node.kind());
        let parts: Vec<Node<'_>> = if is_statement { node.named_children().collect() } else { self.arguments(node) };
        let is_about_callee =
            !is_statement && (self.shape.is_failure(self.callee(node)) || self.shape.has_subject(self.callee(node)));
        if parts.is_empty() || is_about_callee {
            return false;
        }
        // The other side of `expect(x).not.toBe(y)`.
        let is_member =
            |node: &Node<'_>| ["member", "attribute", "field", "scoped"].iter().any(|word| node.kind().contains(word));
        let mut outer = node.parent();
        while let Some(member) = outer.filter(is_member) {
            outer = member.parent();
        }
        let outer = outer.filter(|outer| self.shape.calls.contains(&outer.kind()));
        let others = outer
            .filter(|outer| outer.start_byte() == node.start_byte())
            .map(|it| self.arguments(it))
            .unwrap_or_default();
        let is_same = |a: &Node<'_>, b: &Node<'_>| self.said(*a) == self.said(*b) && !self.said(*a).contains('(');
        let compares_itself = match (parts.as_slice(), others.as_slice()) {
            ([one, two], []) => is_same(one, two) && !is_statement,
            ([one], []) if is_statement => {
                let sides: Vec<Node<'_>> = one.named_children().collect();
                one.kind().contains("compar")
                    && self.said(*one).contains("==")
                    && matches!(sides.as_slice(), [a, b] if is_same(a, b))
            }
            ([one], [other]) => is_same(one, other),
            _ => false,
        };
        let is_settled = |part: &Node<'_>| {
            let is_operation = ["||", " or "].iter().any(|operator| self.said(*part).contains(operator));
            is_operation && self.truth(*part) == Some(true)
        };
        // The arguments of a macro are no more than words.
        let of_macro = node.children().find(|child| child.kind() == "token_tree").map(|tree| self.said(tree));
        let is_settled_macro = of_macro.is_some_and(idle::is_settled);
        compares_itself
            || is_settled_macro
            || parts.first().is_some_and(is_settled)
            || !parts.iter().chain(&others).any(|part| self.depends(*part))
    }

    /// Tells whether an expression depends on anything but literals.
    fn depends(&self, part: Node<'_>) -> bool {
        const LITERALS: &[&str] =
            &["undefined", "NaN", "Infinity", "nil", "true", "false", "True", "False", "None", "eq", "be", "equal"];
        let is_name = |node: Node<'_>| {
            let kind = node.kind();
            let is_named =
                kind.contains("identifier") || ["name", "constant", "self", "this", "variable_name"].contains(&kind);
            is_named && node.named_child_count() == 0 && !LITERALS.contains(&self.said(node))
        };
        part.descendants().any(is_name)
    }

    /// Walks a named function: a test by its name or marks, or a helper.
    fn function(&mut self, node: Node<'_>, flow: Flow) {
        let name = node.child_by_field_name("name").or_else(|| {
            // A function in a variable has the variable's name.
            node.parent().and_then(|parent| parent.child_by_field_name("name"))
        });
        let name = name.map(|name| self.said(name)).unwrap_or_default();
        // `Deno.test({ name: 'a', fn() { … } })`
        if name == "fn" && matches!(self.open.last(), Some(Open::Test(_))) {
            self.sequence(node, flow);
            return;
        }
        let marks = self.marks(node);
        // No runner looks for tests inside a test.
        let outer = self.starts.last().copied().filter(|_| self.is_inside_test());
        if (outer.is_none() && self.shape.is_named_test(name)) || marks.iter().any(|mark| self.shape.marks_test(mark)) {
            let is_skipped = !flow.is_live || marks.iter().any(|mark| self.shape.marks_skip(mark));
            let is_table = marks.iter().any(|mark| self.shape.marks_table(mark));
            let is_empty_table =
                marks.iter().any(|mark| self.shape.marks_table(mark) && mark.replace(' ', "").contains(",[])"));
            let expected = marks.iter().filter(|mark| self.shape.marks_assertion(mark)).count();
            let test = TestCase {
                is_skipped: is_skipped || is_empty_table,
                is_table,
                asserts: expected,
                ..self.case(node, name.to_owned())
            };
            let at = self.within(test, node, Flow::LIVE);
            self.tests[at].is_inverted =
                self.tests[at].asserts > expected && marks.iter().any(|mark| shapes::inverts(mark));
        } else if outer.is_some_and(|start| self.uses.hands_on(node, name, start)) {
            // Like a closure in its place; a declaration holds wherever it stands.
            let flow = if node.kind() == "function_declaration" { Flow::LIVE } else { flow };
            self.sequence(node, flow.perhaps());
        } else {
            self.open.push(Open::Helper(0));
            self.starts.push(node.start_byte());
            let outer_skips = std::mem::take(&mut self.helper_skips);
            self.sequence(node, Flow::LIVE);
            if std::mem::replace(&mut self.helper_skips, outer_skips) && shapes::is_before_tests(name, &marks) {
                self.skipped_lines.extend(self.lines_around(node));
            }
            self.starts.pop();
            if let Some(Open::Helper(number)) = self.open.pop()
                && number > 0
                && !name.is_empty()
            {
                self.found_helpers.add(node, name, &self.starts, number);
            }
        }
    }

    /// Tells whether the walk is inside a test or a helper, and not only in suites.
    fn is_inside_test(&self) -> bool {
        match self.open.last() {
            Some(Open::Test(at)) => !self.tests[*at].is_suite,
            Some(Open::Helper(_)) => true,
            None => false,
        }
    }

    fn case(&self, node: Node<'_>, name: String) -> TestCase {
        TestCase {
            name,
            line: self.line(node.start_byte()),
            last: self.line(node.end_byte().saturating_sub(1)),
            ..TestCase::default()
        }
    }

    /// Walks a test; returns its index.
    fn within(&mut self, test: TestCase, node: Node<'_>, flow: Flow) -> usize {
        let at = self.tests.len();
        self.tests.push(test);
        self.open.push(Open::Test(at));
        self.starts.push(node.start_byte());
        self.sequence(node, flow);
        self.starts.pop();
        self.open.pop();
        at
    }

    /// Returns the attributes, annotations and decorators of a function and of what it stands in.
    fn marks(&self, node: Node<'_>) -> Vec<String> {
        let mut marks = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let mut before = node.previous();
            while let Some(it) = before.filter(|it| it.is_extra() || shapes::is_mark(it.kind())) {
                marks.push(self.said(it).to_owned());
                before = it.previous();
            }
            let inside = node.children().filter(|child| shapes::is_mark(child.kind()));
            marks.extend(inside.map(|mark| self.said(mark).to_owned()));
            at = node.parent().filter(|parent| shapes::holds_tests(parent.kind()));
        }
        marks
    }

    /// Walks `it('name', () => …)` and its like.
    fn test_call(&mut self, node: Node<'_>, callee: &str, word: Word, flow: Flow) -> bool {
        let arguments = self.arguments(node);
        let Some(first) = arguments.first() else {
            self.children(node, flow);
            return false;
        };
        let quoted = self.said(*first).trim_matches(['"', '\'', '`', ':']).to_owned();
        let is_options = first.kind() == "object";
        let option = |name: &str| {
            arguments.iter().any(|argument| {
                let said: String = self.said(*argument).split_whitespace().collect();
                ["object", "hash", "pair"].contains(&argument.kind())
                    && (said.contains(&format!("{name}:true"))
                        || said.contains(&format!("{name}:\""))
                        || said.contains(&format!("{name}:'")))
            })
        };
        let is_table = callee.contains(".each") || callee.contains(".for(");
        let is_empty_table = callee.replace(' ', "").contains("each([])");
        let has_body = node.child_by_field_name("block").is_some()
            || arguments.iter().any(|argument| {
                self.shape.closures.contains(&argument.kind())
                    || argument.kind() == "identifier"
                    || is_options
                    || argument.kind() == "call_expression"
            });
        let name = if is_options { self.option_name(*first) } else { quoted };
        let is_skipped = word.is_skipped
            || !flow.is_live
            || option("skip")
            || option("ignore")
            || option("todo")
            || arguments.iter().skip(1).any(|argument| [":skip", ":pending"].contains(&self.said(*argument)))
            || is_empty_table
            || shapes::condition(callee).is_some_and(|(condition, runs)| self.never_runs(condition, runs))
            || !has_body && !word.is_suite;
        let outer = self
            .open
            .iter()
            .any(|open| matches!(open, Open::Test(at) if self.tests[*at].is_suite && self.tests[*at].is_skipped));
        let test =
            TestCase { is_suite: word.is_suite, is_skipped: is_skipped || outer, is_table, ..self.case(node, name) };
        let at = self.within(test, node, Flow::LIVE);
        self.tests[at].is_inverted =
            self.tests[at].asserts > 0 && callee.split('.').any(|part| ["fails", "failing"].contains(&part));
        // A function that is named runs as the test.
        let is_name = |argument: &&Node<'_>| argument.kind() == "identifier";
        let named: Vec<&str> = arguments.iter().filter(is_name).map(|argument| self.said(*argument)).collect();
        let number: usize = named.iter().filter_map(|name| self.helpers.named(name, &self.starts)).sum();
        self.tests[at].asserts += number;
        false
    }

    /// Tells whether a condition is settled by the text alone, and not for the test.
    fn never_runs(&self, condition: &str, runs: bool) -> bool {
        match condition.replace(' ', "").as_str() {
            "true" | "!false" => return !runs,
            "false" | "!true" => return runs,
            _ => {}
        }
        // Parts of a whole are asked for by their first name.
        let mut is_open = false;
        let mut names: Vec<&str> = Vec::new();
        let quote = |c: char| ['\'', '"', '`'].contains(&c);
        let unquoted: String = condition.split(quote).step_by(2).collect();
        for word in unquoted.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_' && c != '$') {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
            let is_literal =
                ["true", "false", "null", "undefined", "NaN", "Infinity", "void", "typeof"].contains(&name);
            if is_name && !is_literal && !is_open {
                names.push(name);
            }
            is_open = word.ends_with('.');
        }
        names.iter().all(|name| self.is_named_constant(name))
    }

    /// Tells whether a name of the file stands for a literal.
    fn is_named_constant(&self, name: &str) -> bool {
        self.text.lines().any(|line| {
            let line = line.trim().trim_start_matches("export ");
            let rest = ["const ", "let ", "var "]
                .iter()
                .find_map(|word| line.strip_prefix(word)?.trim_start().strip_prefix(name));
            let value = rest.filter(|rest| rest.starts_with([' ', ':', '='])).and_then(|rest| rest.split_once('='));
            value.is_some_and(|(_, value)| {
                let value = value.trim().trim_end_matches(';');
                let is_text = value.starts_with(['"', '\'', '`']) && !value.contains("${") && !value.contains('+');
                is_text
                    || value.chars().next().is_some_and(|c| c.is_ascii_digit() || "!-[{".contains(c))
                        && !value.contains(|c: char| c.is_alphabetic())
                    || ["true", "false", "!0", "!1", "null", "undefined"].contains(&value)
            })
        })
    }

    fn option_name(&self, options: Node<'_>) -> String {
        let name = options
            .named_children()
            .find(|pair| pair.child_by_field_name("key").is_some_and(|key| self.said(key) == "name"));
        let value = name.and_then(|pair| pair.child_by_field_name("value"));
        value.map(|value| self.said(value).trim_matches(['"', '\'', '`']).to_owned()).unwrap_or_default()
    }
}

/// Returns the last name of a chain.
fn last(callee: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let end = callee.trim_end_matches(|c: char| !is_name(c));
    let start =
        end.rfind(|c: char| !is_name(c)).map_or(0, |at| at + end[at..].chars().next().map_or(1, char::len_utf8));
    &end[start..]
}

#[cfg(test)]
mod tests;
