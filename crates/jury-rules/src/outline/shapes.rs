//! How tests are written in each language: node kinds and words, as data.

use crate::language::Language;

/// A word that takes a test.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) is_suite: bool,
    pub(super) is_skipped: bool,
}

/// The node kinds of a language, and its words.
pub(super) struct TestSyntax {
    pub(super) language: Language,
    /// Named functions: tests or helpers.
    pub(super) functions: &'static [&'static str],
    /// Functions without a name, and blocks that are passed on.
    pub(super) closures: &'static [&'static str],
    pub(super) calls: &'static [&'static str],
    /// Statements one after the other, and wrappers of one.
    pub(super) sequences: &'static [&'static str],
    /// Statements that end a function.
    pub(super) returns: &'static [&'static str],
    pub(super) ifs: &'static [&'static str],
    pub(super) loops: &'static [&'static str],
    pub(super) tries: &'static [&'static str],
    pub(super) handlers: &'static [&'static str],
    /// Statements that assert.
    pub(super) asserts: &'static [&'static str],
    /// Exceptions whose handler swallows a failed assertion; a star is any.
    pub(super) swallowing: &'static [&'static str],
    /// A handler without an exception swallows it.
    pub(super) bare_swallows: bool,
    /// Functions with these starts are tests.
    pub(super) test_names: &'static [&'static str],
    /// Calls take tests: `it('name', …)`.
    pub(super) has_test_calls: bool,
    /// Lines at the start of a file that leave it out.
    pub(super) skipped_file: &'static [&'static str],
}

const JAVASCRIPT: TestSyntax = TestSyntax {
    language: Language::JavaScript,
    functions: &["function_declaration", "generator_function_declaration", "method_definition"],
    closures: &["arrow_function", "function_expression", "function"],
    calls: &["call_expression"],
    sequences: &[
        "program",
        "statement_block",
        "expression_statement",
        "else_clause",
        "labeled_statement",
        "switch_case",
        "arguments",
        "await_expression",
    ],
    returns: &["return_statement", "throw_statement"],
    ifs: &["if_statement"],
    loops: &["for_statement", "for_in_statement", "while_statement", "do_statement"],
    tries: &["try_statement"],
    handlers: &["catch_clause"],
    asserts: &[],
    swallowing: &["*"],
    bare_swallows: true,
    test_names: &[],
    has_test_calls: true,
    skipped_file: &[],
};

const SHAPES: &[TestSyntax] = &[
    JAVASCRIPT,
    TestSyntax { language: Language::TypeScript, ..JAVASCRIPT },
    TestSyntax { language: Language::Tsx, ..JAVASCRIPT },
    TestSyntax {
        language: Language::Python,
        functions: &["function_definition"],
        closures: &["lambda"],
        calls: &["call"],
        sequences: &["module", "block", "expression_statement", "else_clause", "with_statement", "await"],
        returns: &["return_statement", "raise_statement"],
        ifs: &["if_statement"],
        loops: &["for_statement", "while_statement"],
        tries: &["try_statement"],
        handlers: &["except_clause", "except_group_clause"],
        asserts: &["assert_statement"],
        swallowing: &["Exception", "AssertionError", "BaseException"],
        bare_swallows: true,
        test_names: &["test"],
        has_test_calls: false,
        skipped_file: &["pytestmark = pytest.mark.skip", "__test__ = False", "collect_ignore"],
    },
    TestSyntax {
        language: Language::Go,
        functions: &["function_declaration", "method_declaration"],
        closures: &["func_literal"],
        calls: &["call_expression"],
        sequences: &["source_file", "block", "statement_list", "expression_statement"],
        returns: &["return_statement"],
        ifs: &["if_statement"],
        loops: &["for_statement"],
        tries: &[],
        handlers: &[],
        asserts: &[],
        swallowing: &[],
        bare_swallows: false,
        test_names: &["Test", "Fuzz"],
        has_test_calls: false,
        skipped_file: &["//go:build ignore", "//go:build never", "// +build ignore"],
    },
    TestSyntax {
        language: Language::Rust,
        functions: &["function_item"],
        closures: &["closure_expression", "async_block"],
        calls: &["call_expression", "macro_invocation"],
        sequences: &["source_file", "block", "expression_statement", "declaration_list", "else_clause"],
        returns: &["return_expression"],
        ifs: &["if_expression"],
        loops: &["for_expression", "while_expression", "loop_expression"],
        tries: &[],
        handlers: &[],
        asserts: &[],
        swallowing: &[],
        bare_swallows: false,
        test_names: &[],
        has_test_calls: false,
        skipped_file: &["#![cfg(any())]", "#![cfg(FALSE)]"],
    },
    TestSyntax {
        language: Language::Java,
        functions: &["method_declaration"],
        closures: &["lambda_expression"],
        calls: &["method_invocation"],
        sequences: &["program", "block", "expression_statement"],
        returns: &["return_statement", "throw_statement"],
        ifs: &["if_statement"],
        loops: &["for_statement", "enhanced_for_statement", "while_statement"],
        tries: &["try_statement", "try_with_resources_statement"],
        handlers: &["catch_clause"],
        asserts: &["assert_statement"],
        swallowing: &["Throwable", "AssertionError", "Error "],
        bare_swallows: false,
        test_names: &[],
        has_test_calls: false,
        skipped_file: &[],
    },
    TestSyntax {
        language: Language::CSharp,
        functions: &["method_declaration", "local_function_statement"],
        closures: &["lambda_expression", "anonymous_method_expression"],
        calls: &["invocation_expression"],
        sequences: &["compilation_unit", "block", "expression_statement", "global_statement"],
        returns: &["return_statement", "throw_statement"],
        ifs: &["if_statement"],
        loops: &["for_statement", "foreach_statement", "while_statement"],
        tries: &["try_statement"],
        handlers: &["catch_clause"],
        asserts: &[],
        swallowing: &["Exception"],
        bare_swallows: true,
        test_names: &[],
        has_test_calls: false,
        skipped_file: &["#if false", "#if FALSE"],
    },
    TestSyntax {
        language: Language::Ruby,
        functions: &["method", "singleton_method"],
        closures: &["do_block", "block", "lambda"],
        calls: &["call", "method_call", "command", "command_call"],
        sequences: &["program", "body_statement", "block_body", "then", "else", "begin_block"],
        returns: &["return"],
        ifs: &["if"],
        loops: &["for", "while"],
        tries: &["begin"],
        handlers: &["rescue"],
        asserts: &[],
        swallowing: &["Exception", "Minitest::Assertion", "ExpectationNotMetError"],
        bare_swallows: false,
        test_names: &["test_"],
        has_test_calls: true,
        skipped_file: &[],
    },
    TestSyntax {
        language: Language::Php,
        functions: &["method_declaration", "function_definition"],
        closures: &["anonymous_function", "anonymous_function_creation_expression", "arrow_function"],
        calls: &[
            "member_call_expression",
            "scoped_call_expression",
            "function_call_expression",
            "nullsafe_member_call_expression",
        ],
        sequences: &["program", "compound_statement", "expression_statement"],
        returns: &["return_statement", "throw_expression"],
        ifs: &["if_statement"],
        loops: &["for_statement", "foreach_statement", "while_statement"],
        tries: &["try_statement"],
        handlers: &["catch_clause"],
        asserts: &[],
        swallowing: &["Throwable", "Exception", "AssertionFailedError"],
        bare_swallows: false,
        test_names: &["test"],
        has_test_calls: true,
        skipped_file: &[],
    },
];

/// Functions that take a test, and those that take several.
const TESTS: &[&str] = &["it", "test", "specify", "fit", "ftest", "scenario", "example", "property"];
const SUITES: &[&str] = &["describe", "suite", "context", "fdescribe", "feature", "fcontext"];
const SKIPPED: &[&str] = &["xit", "xtest", "xspecify", "xscenario", "xexample"];
const SKIPPED_SUITES: &[&str] = &["xdescribe", "xcontext", "xsuite", "xfeature"];
/// Methods of a test's own argument that assert nothing (`t.log`).
const PLAIN_METHODS: &[&str] = &[
    "log",
    "context",
    "plan",
    "timeout",
    "teardown",
    "pass",
    "comment",
    "end",
    "test",
    "before",
    "after",
    "beforeEach",
    "afterEach",
    "Run",
    "Log",
    "Logf",
    "Helper",
    "Cleanup",
    "Parallel",
    "TempDir",
    "Setenv",
    "Name",
    "Deadline",
    "step",
    "mock",
    "diagnostic",
    "runOnly",
    "t",
    "Skip",
    "Skipf",
    "SkipNow",
    "Context",
    "Chdir",
    "signal",
    "title",
    "snapshotPath",
    "Loop",
    "Fuzz",
    "Add",
];

/// Leaves out what stands in round brackets.
fn without_arguments(chain: &str) -> String {
    let mut depth = 0_usize;
    let mut plain = String::new();
    for c in chain.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

/// Returns the condition of `test.skipIf(…)` or `test.runIf(…)`, and whether the test runs where it holds.
pub(super) fn condition(callee: &str) -> Option<(&str, bool)> {
    let found = [(".skipIf(", false), (".runIf(", true)]
        .iter()
        .find_map(|(word, runs)| Some((callee.find(word)? + word.len(), *runs)));
    let (start, runs) = found?;
    let mut depth = 1_usize;
    let end = callee[start..].find(|c: char| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        };
        depth == 0
    })?;
    Some((callee[start..start + end].trim(), runs))
}

/// Returns the shape of a language.
pub(super) fn of(language: Language) -> Option<&'static TestSyntax> {
    SHAPES.iter().find(|shape| shape.language == language)
}

/// Tells whether a node marks the function behind or around it.
pub(super) fn is_mark(kind: &str) -> bool {
    kind.contains("attribute_")
        || ["decorator", "modifiers", "annotation", "marker_annotation", "attribute", "attribute_list"].contains(&kind)
}

/// Tells whether the marks of a node count for the tests in it.
pub(super) fn holds_tests(kind: &str) -> bool {
    [
        "decorated_definition",
        "class_definition",
        "class_declaration",
        "class_body",
        "block",
        "declaration_list",
        "mod_item",
        "class",
        "body_statement",
    ]
    .contains(&kind)
}

impl TestSyntax {
    /// Tells whether a name alone makes a function a test.
    pub(super) fn is_named_test(&self, name: &str) -> bool {
        self.test_names.iter().any(|start| name.starts_with(start))
    }

    /// Returns the word of a call that takes a test.
    pub(super) fn test_call(&self, callee: &str) -> Option<Word> {
        if !self.has_test_calls {
            return None;
        }
        let end = callee.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(callee.len());
        let (word, mut chain) = callee.split_at(end);
        let word = match word {
            "Deno" | "t" | "node" | "vitest" | "jest" | "RSpec" => {
                let rest = chain.strip_prefix('.')?;
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                chain = &rest[end..];
                &rest[..end]
            }
            word => word,
        };
        let is_suite = SUITES.contains(&word) || SKIPPED_SUITES.contains(&word);
        let is_off = SKIPPED.contains(&word) || SKIPPED_SUITES.contains(&word);
        if !is_suite && !is_off && !TESTS.contains(&word) {
            return None;
        }
        // What stands in brackets is a condition or a table, whatever its names.
        let plain = without_arguments(chain);
        let parts: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        // `test.describe(…)` takes tests; `test.use(…)`, `it.each(…)` without its second call, and hooks take none.
        let is_described = parts.contains(&"describe");
        let known = [
            "",
            "skip",
            "todo",
            "only",
            "each",
            "concurrent",
            "sequential",
            "serial",
            "parallel",
            "fails",
            "failing",
            "for",
            "describe",
            "shuffle",
            "skipIf",
            "runIf",
            "ignore",
            "fixme",
        ];
        let is_chain =
            parts.iter().all(|part| known.contains(part)) || chain.contains("each") || chain.contains("for(");
        if !is_chain || chain == ".each" || chain == ".for" || chain.ends_with("If") {
            return None;
        }
        let is_skipped = is_off || ["skip", "todo", "ignore", "fixme"].iter().any(|word| parts.contains(word));
        Some(Word { is_suite: is_suite || is_described, is_skipped })
    }

    /// Tells whether a call asserts something, by the names of its callee.
    pub(super) fn is_assertion(&self, callee: &str) -> bool {
        let (head, tail) = callee.rfind([')', ']', '}']).map_or(("", callee), |at| callee.split_at(at + 1));
        let names = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let is_it = |name: &String| self.is_assertion_name(name);
        let tail = names(tail);
        if tail.iter().any(|name| {
            [
                "assertions",
                "hasAssertions",
                "anything",
                "objectContaining",
                "stringMatching",
                "stringContaining",
                "arrayContaining",
                "addSnapshotSerializer",
                "expect_test",
            ]
            .contains(&name.as_str())
        }) {
            return false;
        }
        // `expect(x).toBe(y)` is one assertion, counted at its head.
        if names(head).iter().any(is_it) {
            return false;
        }
        let of_argument = tail.len() == 2
            && ["t", "b", "is", "tt", "tb"].contains(&tail[0].as_str())
            && !PLAIN_METHODS.contains(&tail[1].as_str());
        let has_argument =
            matches!(self.language, Language::Go | Language::JavaScript | Language::TypeScript | Language::Tsx);
        let is_required = self.language == Language::Go && tail.len() == 2 && tail[0] == "require";
        tail.iter().any(is_it) || (of_argument && has_argument) || is_required
    }

    /// Tells whether a call fails by itself, so that its arguments are no more than words.
    pub(super) fn is_failure(&self, callee: &str) -> bool {
        let name = super::last(callee).to_lowercase();
        ["error", "errorf", "fatal", "fatalf", "fail", "failnow", "panic", "unreachable", "flunk"]
            .contains(&name.as_str())
    }

    /// Tells whether the subject of an assertion stands before it: `x.should.equal(1)`, `cy.get('a').should('be')`.
    pub(super) fn has_subject(&self, callee: &str) -> bool {
        let mut names = callee.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
        let first = names.next().unwrap_or_default();
        let is_later = callee.to_lowercase().contains("should") || callee.contains("Verify");
        is_later && !first.to_lowercase().starts_with("should")
    }

    fn is_assertion_name(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let is_expectation = lower.starts_with("expect") && lower != "expected" && self.language != Language::Rust;
        let exact = [
            "raises",
            "warns",
            "deprecated_call",
            "throws",
            "fail",
            "refute",
            "panic",
            "is_expected",
            "should",
            "verify",
        ];
        lower.contains("assert")
            || is_expectation
            || exact.contains(&lower.as_str())
            || lower.starts_with("should")
            || lower.starts_with("refute")
            || (lower.starts_with("verify") && matches!(self.language, Language::Java | Language::CSharp))
    }

    /// Tells whether a call skips the test that it stands in.
    pub(super) fn is_skip(&self, callee: &str) -> bool {
        let known = [
            "t.Skip",
            "t.Skipf",
            "t.SkipNow",
            "b.Skip",
            "pytest.skip",
            "self.skipTest",
            "this.skip",
            "ctx.skip",
            "t.skip",
            "$this->markTestSkipped",
            "$this->markTestIncomplete",
            "self::markTestSkipped",
            "test.skip",
            "test.fixme",
            "Assert.Ignore",
            "Assert.Inconclusive",
            "unittest.SkipTest",
        ];
        known.contains(&callee) || (self.language == Language::Ruby && ["skip", "pending", "omit"].contains(&callee))
    }

    /// Tells whether a call ends the program.
    pub(super) fn is_exit(&self, callee: &str) -> bool {
        [
            "process.exit",
            "sys.exit",
            "os._exit",
            "os.Exit",
            "std::process::exit",
            "process::exit",
            "System.exit",
            "Deno.exit",
            "exit",
            "runtime.Goexit",
        ]
        .contains(&callee)
    }

    /// Tells whether a mark makes a function a test.
    pub(super) fn marks_test(&self, mark: &str) -> bool {
        let names = [
            "Test",
            "test",
            "rstest",
            "test_case",
            "quickcheck",
            "proptest",
            "ParameterizedTest",
            "RepeatedTest",
            "TestFactory",
            "Fact",
            "Theory",
            "TestMethod",
            "TestCase",
            "DataTestMethod",
            "Property",
            "SkippableFact",
        ];
        let is_docs = mark.starts_with("/**") && mark.contains("@test");
        let is_comment = is_comment(mark);
        self.language != Language::Python
            && (is_docs || !is_comment && mark_names(mark).any(|name| names.contains(&name)))
    }

    /// Tells whether a mark skips a test, whatever happens.
    pub(super) fn marks_skip(&self, mark: &str) -> bool {
        if is_comment(mark) {
            return false;
        }
        let is_conditional = ["skipif", "skipIf", "skipUnless", "skip_if"].iter().any(|word| mark.contains(word));
        let is_always = mark.replace(' ', "").contains("(True") || mark.replace(' ', "").contains("(1==1");
        let plain: String = mark.split_whitespace().collect();
        let names = ["skip", "skipif", "skipIf", "ignore", "Disabled", "Ignore", "xfail", "Skip", "Explicit"];
        let is_named = mark_names(mark).any(|name| names.contains(&name))
            || plain.contains("Skip=")
            || plain.contains("cfg(any())")
            || is_never_built(&plain)
            || plain.contains("enabled=false");
        // `#[cfg_attr(miri, ignore)]` skips it there alone.
        is_named && !plain.starts_with("#[cfg_attr") && (!is_conditional || is_always)
    }

    /// Tells whether a mark runs a test once for each row of a table.
    pub(super) fn marks_table(&self, mark: &str) -> bool {
        let names = [
            "parametrize",
            "ParameterizedTest",
            "Theory",
            "TestCase",
            "test_case",
            "case",
            "rstest",
            "expand",
            "dataProvider",
            "DataProvider",
            "InlineData",
            "DataRow",
            "given",
        ];
        mark_names(mark).any(|name| names.contains(&name))
    }

    /// Tells whether a mark asserts that the test fails.
    pub(super) fn marks_assertion(&self, mark: &str) -> bool {
        mark.contains("should_panic")
            || mark.contains("expected") && mark.contains("@Test")
            || mark.contains("ExpectedException")
            || mark.contains("expectedException")
    }
}

/// Tells whether what stands above a function is a comment, and no mark.
fn is_comment(mark: &str) -> bool {
    mark.starts_with("//") || mark.starts_with("/*") || (mark.starts_with('#') && !mark.starts_with("#["))
}

/// Tells whether an attribute of Rust asks for a name that no compiler sets.
fn is_never_built(plain: &str) -> bool {
    const SET: &[&str] = &[
        "test",
        "unix",
        "windows",
        "debug_assertions",
        "doc",
        "docsrs",
        "doctest",
        "miri",
        "loom",
        "kani",
        "fuzzing",
        "overflow_checks",
        "proc_macro",
        "tokio_unstable",
        "tarpaulin",
        "coverage",
    ];
    let name = plain.strip_prefix("#[cfg(").and_then(|rest| rest.strip_suffix(")]"));
    name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_') && !SET.contains(&name))
}

/// Tells whether a mark lets a test pass only if it fails.
pub(super) fn inverts(mark: &str) -> bool {
    !is_comment(mark) && mark_names(mark).any(|name| ["should_panic", "expectedFailure"].contains(&name))
}

/// Tells whether a function runs before each test around it, by its name or its marks.
pub(super) fn is_before_tests(name: &str, marks: &[String]) -> bool {
    let is_before = |text: &str| {
        let lower = text.to_lowercase().replace('_', "");
        lower.starts_with("setup") || lower.starts_with("before") || lower.starts_with("onetimesetup")
    };
    let is_mark = |mark: &String| !is_comment(mark) && mark_names(mark).any(is_before);
    is_before(name) || marks.iter().any(is_mark) || marks.iter().any(|mark| mark.contains("autouse=True"))
}

/// Returns the names in a mark that are no arguments of it.
fn mark_names(mark: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let is_apart = move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0 || !(c.is_alphanumeric() || c == '_')
    };
    mark.split(is_apart).filter(|name| !name.is_empty())
}
