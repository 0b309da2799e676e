//! Tests that prove less than before. In: the files of a change, before and after. Out: tests that were removed, are now
//! skipped, or assert less.
//!
//! Tests are known by their names, over all files of the change: one that was moved is not removed, and neither is one that
//! was renamed with its body kept. Read line by line, which is enough to find heads and assertions. Deliberately not here:
//! tests that were never worth much, which is the domain `testing`.

use std::collections::{BTreeMap, BTreeSet};

use super::gate_integrity::{Altered, Raised};
use crate::model::Owner;

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
/// In how many tests of other files a renamed one is looked for.
const MOST_TRIED: usize = 1_000;
/// How many tests a finding names.
const MOST: usize = 5;

/// A test, or a suite of them, as it stands in a file.
#[derive(Debug)]
struct Test<'t> {
    name: String,
    line: u32,
    last: u32,
    is_suite: bool,
    is_skipped: bool,
    assertions: usize,
    body: BTreeSet<&'t str>,
}

/// Raises weakened tests.
pub(super) fn raise(files: &[Altered<'_>]) -> Vec<Raised> {
    let files: Vec<(&Altered<'_>, Vec<Test<'_>>, Vec<Test<'_>>)> = files
        .iter()
        .filter(|file| is_tested(file))
        .map(|file| (file, tests(file.path_before.extension(), file.before), tests(file.path.extension(), file.after)))
        .collect();
    // How often each name is there before and after, over all files: an equal count is at most a move.
    let mut spare: BTreeMap<&str, i64> = BTreeMap::new();
    for (_, before, after) in &files {
        before.iter().for_each(|test| *spare.entry(&test.name).or_default() -= 1);
        after.iter().for_each(|test| *spare.entry(&test.name).or_default() += 1);
    }
    let known: BTreeSet<&str> = files.iter().flat_map(|(_, before, _)| before).map(|test| test.name.as_str()).collect();
    let mut new: Vec<New<'_, '_>> = Vec::new();
    for (file, _, after) in &files {
        let is_new = |test: &&Test<'_>| !test.is_suite && !known.contains(test.name.as_str());
        new.extend(after.iter().filter(is_new).map(|test| New { file, test, is_taken: false }));
    }
    let mut raised = Vec::new();
    for (file, before, after) in &files {
        let mut removed = Vec::new();
        for test in before {
            let nth = before.iter().filter(|other| other.name == test.name && other.line < test.line).count();
            match after.iter().filter(|other| other.name == test.name).nth(nth) {
                Some(now) => raised.extend(weaker(file, test, now)),
                None if test.is_suite || !is_lost(&mut spare, &test.name) => {}
                None => match renamed(file, test, &mut new) {
                    Some((file, now)) => raised.extend(weaker(file, test, now)),
                    None => removed.push(test),
                },
            }
        }
        raised.extend(removal(file, &removed));
    }
    raised
}

/// A test of a name that was nowhere before.
struct New<'a, 't> {
    file: &'a Altered<'t>,
    test: &'a Test<'t>,
    is_taken: bool,
}

/// Tells whether a file is looked at: a test by its path, or Rust, whose tests stand beside the code.
fn is_tested(file: &Altered<'_>) -> bool {
    [file.path, file.path_before]
        .iter()
        .any(|path| jury_rules::is_test(path.as_str()) || path.extension() == Some("rs"))
}

/// Counts a name as lost if it is there less often than before; each loss is counted once.
fn is_lost<'n>(spare: &mut BTreeMap<&'n str, i64>, name: &'n str) -> bool {
    let left = spare.get_mut(name).filter(|left| **left < 0);
    left.map(|left| *left += 1).is_some()
}

/// Finds a test of a new name that keeps at least half of the body, in the same file or else in any other.
fn renamed<'a, 't>(
    file: &Altered<'_>,
    test: &Test<'_>,
    new: &mut [New<'a, 't>],
) -> Option<(&'a Altered<'t>, &'a Test<'t>)> {
    let keeps_body = |now: &New<'_, '_>| {
        let kept = test.body.iter().filter(|line| now.test.body.contains(*line)).count();
        !now.is_taken && kept > 0 && kept * 2 >= test.body.len()
    };
    let here = new.iter().position(|now| now.file.path == file.path && keeps_body(now));
    let at = here.or_else(|| new.iter().take(MOST_TRIED).position(keeps_body))?;
    new[at].is_taken = true;
    Some((new[at].file, new[at].test))
}

fn weaker(file: &Altered<'_>, was: &Test<'_>, is: &Test<'_>) -> Option<Raised> {
    let what = if is.is_skipped && !was.is_skipped {
        // The words of the rule `skipped-test`, so that both results for a line are one finding.
        "This test does not run".to_owned()
    } else if is.assertions < was.assertions && !was.is_suite {
        format!("Asserts less than before ({} instead of {}): {}", is.assertions, was.assertions, is.name)
    } else {
        return None;
    };
    // The head says that it is skipped, or a decorator above it; removed assertions are missing in its body.
    let above = (is.line.saturating_sub(3).max(1)..is.line).rev();
    let mut lines = std::iter::once(is.line).chain(above.filter(|_| is.is_skipped)).chain(is.line..=is.last);
    let line = lines.find(|line| file.is_added(*line)).unwrap_or(is.line);
    let text = file.after.lines().nth(line as usize - 1).unwrap_or_default();
    Some(of_test(what, Raised::at(file.path, line, text)))
}

fn removal(file: &Altered<'_>, removed: &[&Test<'_>]) -> Option<Raised> {
    let first = removed.first()?;
    let path = file.path_before;
    let what = match (file.is_gone, removed.len()) {
        (true, _) => format!("A file of tests was removed: {path}"),
        (false, 1) => format!("A test was removed from {path}: {}", first.name),
        (false, number) => format!("{number} tests were removed from {path}"),
    };
    let named = removed.iter().take(MOST).map(|test| format!("removed: {path}:{} {}", test.line, test.name));
    let more = removed.len().checked_sub(MOST + 1).map(|more| format!("and {} more", more + 1));
    let place = Raised { untested: Some(path.clone()), ..Raised::at_large(String::new()) };
    Some(of_test(what, Raised { evidence: named.chain(more).collect(), ..place }))
}

fn of_test(title: String, place: Raised) -> Raised {
    Raised {
        title,
        severity: "P2",
        owner: Owner::DownstreamResolver,
        confidence: 75,
        why: "Nothing tests this behaviour any more; a change that breaks it would pass.".to_owned(),
        fix: "Keep the test, or explain in the change why the behaviour is no longer required.".to_owned(),
        ..place
    }
}

/// Finds the tests of a text, by the ending of its file.
fn tests<'t>(extension: Option<&str>, text: &'t str) -> Vec<Test<'t>> {
    let mut found: Vec<Test<'t>> = Vec::new();
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
            found.push(Test {
                name: head.name,
                line: number,
                last: number,
                is_suite: head.is_suite,
                is_skipped: head.is_skipped || is_skipped,
                assertions: assertions(code),
                body: BTreeSet::new(),
            });
        } else if let Some(test) = found.last_mut() {
            test.last = number;
            test.assertions += assertions(code);
            test.is_skipped |= skips(code);
            if code.chars().any(char::is_alphanumeric) {
                test.body.insert(code);
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
        found.into_iter().map(|test| (test.name, test.is_skipped, test.assertions)).collect()
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
