//! The tests of a text, line by line, for languages without a grammar here and texts that cannot be parsed. In: an extension and a text. Out: the
//! same cases as from a syntax tree, without any flow of control. Deliberately not here: comparing two versions (`weakened`).

use jury_rules::TestCase;

/// Functions of JavaScript and Ruby that take a test.
const CALLS: &[&str] = &["it", "test", "specify", "fit", "xit", "xtest", "xspecify"];
/// Functions that take several.
const SUITES: &[&str] = &["describe", "suite", "context", "xdescribe", "xcontext", "fdescribe"];
/// The starts of assertions.
const ASSERTIONS: &[&str] = &[
    "assert",
    "expect",
    "should",
    "require.",
    "t.Error",
    "t.Fatal",
    "t.Fail",
    "verify(",
    "Assert",
    "XCTAssert",
    "refute",
];

/// Finds the tests of a text, by the ending of its file.
pub(super) fn tests(extension: Option<&str>, text: &str) -> Vec<TestCase> {
    let mut found: Vec<TestCase> = Vec::new();
    let (mut is_marked, mut is_skipped) = (false, false);
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let code = line.trim();
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if is_attribute(code) {
            is_marked |= marks_test(code);
            is_skipped |= marks_skip(code);
            continue;
        }
        let next = lines.get(index + 1).map_or("", |line| line.trim());
        let head = call(code, next).or_else(|| {
            let name = function(code)?;
            let is_test = is_marked || is_named_test(extension, name);
            is_test.then(|| Head { name: name.to_owned(), is_suite: false, is_skipped: false })
        });
        if let Some(head) = head {
            found.push(TestCase {
                name: head.name,
                line: number,
                last: number,
                is_suite: head.is_suite,
                is_skipped: head.is_skipped || is_skipped,
                asserts: assertions(code),
                ..TestCase::default()
            });
        } else if let Some(test) = found.last_mut() {
            test.last = number;
            test.asserts += assertions(code);
            test.is_skipped |= skips(code);
            if code.chars().any(char::is_alphanumeric) {
                test.body.insert(code.to_owned());
            }
        }
        if !code.is_empty() {
            (is_marked, is_skipped) = (false, false);
        }
    }
    found
}

struct Head {
    name: String,
    is_suite: bool,
    is_skipped: bool,
}

/// Reads `it.skip('name', …` and its like; the name may stand in the next line.
fn call(code: &str, next: &str) -> Option<Head> {
    let length = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    // A table of cases that takes several lines ends with the test.
    let (word, rest) = if code.starts_with("])(") { ("it", &code[2..]) } else { code.split_at(length) };
    let is_suite = SUITES.contains(&word);
    if !is_suite && !CALLS.contains(&word) {
        return None;
    }
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(rest.len());
    let (chain, rest) = rest.split_at(length);
    let is_skipped = word.starts_with('x') || chain.split('.').any(|part| part == "skip" || part == "todo");
    let rest = rest.strip_prefix('(').or_else(|| rest.strip_prefix(' ').filter(|_| chain.is_empty()))?;
    // Behind a table of cases stands the name: `it.each([1, 2])("adds %i", …`.
    let rest = if chain.ends_with(".each") { rest.split_once(")(").map_or(rest, |(_, name)| name) } else { rest };
    let rest = if rest.trim().is_empty() { next } else { rest.trim_start() };
    let quote = rest.chars().next().filter(|c| "'\"`".contains(*c))?;
    let name = rest[1..].split(quote).next()?;
    Some(Head { name: name.to_owned(), is_suite, is_skipped })
}

fn is_attribute(code: &str) -> bool {
    code.starts_with('@') || code.starts_with("#[") || (code.starts_with('[') && code.ends_with(']'))
}

fn marks_test(code: &str) -> bool {
    let name = code.trim_start_matches(['@', '#', '[']);
    let name = name.split(['(', ']', ' ', ',']).next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or_default();
    ["test", "rstest", "Test", "ParameterizedTest", "RepeatedTest", "Fact", "Theory", "TestMethod", "TestCase"]
        .contains(&name)
}

fn marks_skip(code: &str) -> bool {
    let marks = ["@pytest.mark.skip", "@unittest.skip", "@skip", "#[ignore", "@Disabled", "@Ignore", "[Ignore"];
    let is_conditional = code.contains("skipif") || code.contains("skipIf") || code.contains("skipUnless");
    !is_conditional && (marks.iter().any(|mark| code.starts_with(mark)) || code.contains("Skip ="))
}

/// Tells whether a line of a test's body skips it unconditionally.
fn skips(code: &str) -> bool {
    ["t.Skip(", "t.SkipNow(", "pytest.skip(", "self.skipTest(", "$this->markTestSkipped("]
        .iter()
        .any(|it| code.starts_with(it))
}

/// Returns the name of the function that a line starts.
fn function(code: &str) -> Option<&str> {
    let head = code.split('(').next().filter(|head| head.len() < code.len() || code.starts_with("def "))?;
    let is_plain = |c: char| c.is_alphanumeric() || " _<>&.,?[]:".contains(c);
    if !head.chars().all(is_plain) {
        return None;
    }
    let name = head.split(['<', '[']).next()?.split_whitespace().next_back()?;
    let is_call = head.split_whitespace().count() < 2;
    (!is_call && name.chars().all(|c| c.is_alphanumeric() || c == '_')).then_some(name)
}

/// Tells whether a name alone makes a function a test, which it does in some languages.
fn is_named_test(extension: Option<&str>, name: &str) -> bool {
    match extension {
        Some("py" | "rb" | "php") => name.starts_with("test"),
        Some("go") => name.starts_with("Test") || name.starts_with("Fuzz"),
        _ => false,
    }
}

/// Counts the assertions in a line of code.
fn assertions(code: &str) -> usize {
    if ["//", "*", "/*"].iter().any(|opener| code.starts_with(opener)) || code.starts_with('#') {
        return 0;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let starts = |word: &str| code.match_indices(word).filter(|(at, _)| !code[..*at].ends_with(is_word)).count();
    ASSERTIONS.iter().map(|word| starts(word)).sum()
}

#[cfg(test)]
mod tests {
    use super::tests as tests_of;

    fn names(extension: &str, text: &str) -> Vec<(String, bool, usize)> {
        let found = tests_of(Some(extension), text);
        found.into_iter().map(|test| (test.name, test.is_skipped, test.asserts)).collect()
    }

    fn of(name: &str, is_skipped: bool, assertions: usize) -> (String, bool, usize) {
        (name.to_owned(), is_skipped, assertions)
    }

    #[test]
    fn tests_are_found_in_every_family() {
        let text = "describe('a', () => {\n  it('adds', () => {\n    expect(1).toBe(1);\n    expect(2).toBe(2);\n  });\n  it.skip(\n    \"waits\",\n    async () => {});\n  xtest('x', f);\n});\n";
        assert_eq!(
            names("ts", text),
            [of("a", false, 0), of("adds", false, 2), of("waits", true, 0), of("x", true, 0)]
        );
        let text = "it.each([1, 2])('sums %i', () => {\n  expect(1).toBe(1);\n});\ntest.each([\n  [1, 2],\n])(\"takes %i\", f);\n";
        assert_eq!(names("ts", text), [of("sums %i", false, 1), of("takes %i", false, 0)]);
        let text = "def helper(x):\n    pass\n\ndef test_a():\n    assert 1\n    # assert 2\n\n@pytest.mark.skip\nasync def test_b(self):\n    self.assertEqual(1, 1)\n";
        assert_eq!(names("py", text), [of("test_a", false, 1), of("test_b", true, 0)]);
        let text = "func TestA(t *testing.T) {\n\tt.Skip(\"x\")\n\trequire.NoError(t, err)\n}\nfunc helper() {}\n";
        assert_eq!(names("go", text), [of("TestA", true, 1)]);
        let text = "fn helper() {}\n#[test]\n#[ignore]\nfn adds() {\n    assert_eq!(1, 1);\n}\n\n#[tokio::test]\nasync fn waits() {}\n";
        assert_eq!(names("rs", text), [of("adds", true, 1), of("waits", false, 0)]);
        let text = "  @Test\n  @Disabled(\"flaky\")\n  void adds() {\n    assertEquals(1, 1);\n  }\n";
        assert_eq!(names("java", text), [of("adds", true, 1)]);
    }
}
