//! Tests that prove less than before. In: the files of a change, before and after. Out: tests that cannot fail any more or do not run (High, for a
//! person), assert less, or were removed (Medium).
//!
//! Tests are known by their names, over all files of the change: one that was moved is not removed, and neither is one that was renamed with its
//! body kept, became a row of a table, or lost its subject in the same change. They are read from the syntax tree (`jury_rules::outline`), and line by
//! line where there is none. Deliberately not here: tests that were never worth much, which is the domain `testing`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use jury_rules::TestCase;
use regex::Regex;

use super::altered::Altered;
use super::raised::Raised;
use super::test_lines;
use crate::model::{Owner, RepoPath};

/// In how many tests of other files a renamed one is looked for.
const MOST_TRIED: usize = 1_000;
/// How many tests a finding names.
const MOST: usize = 5;

/// A file with its tests before and after the change.
struct Tested<'a, 't> {
    file: &'a Altered<'t>,
    before: Vec<TestCase>,
    after: Vec<TestCase>,
}

/// Raises weakened tests.
pub(super) fn raise(files: &[Altered<'_>]) -> Vec<Raised> {
    let tested: Vec<Tested<'_, '_>> = files.iter().filter(|file| is_tested(file)).map(Tested::of).collect();
    // How often each name is there before and after, over all files: an equal count is at most a move.
    let mut spare: BTreeMap<&str, i64> = BTreeMap::new();
    for Tested { before, after, .. } in &tested {
        before.iter().for_each(|test| *spare.entry(&test.name).or_default() -= 1);
        after.iter().for_each(|test| *spare.entry(&test.name).or_default() += 1);
    }
    let known: BTreeSet<&str> = tested.iter().flat_map(|it| &it.before).map(|test| test.name.as_str()).collect();
    let mut new: Vec<New<'_, '_>> = Vec::new();
    for Tested { file, after, .. } in &tested {
        let is_new = |test: &&TestCase| !test.is_suite && !known.contains(test.name.as_str());
        new.extend(after.iter().filter(is_new).map(|test| New { file, test, is_taken: false }));
    }
    let tables: Vec<&TestCase> =
        tested.iter().flat_map(|it| &it.after).filter(|it| it.is_table && proves(it)).collect();
    let gone = removed_names(files);
    let helpers = asserting_functions(files);
    let total =
        |tests: &[TestCase]| -> usize { tests.iter().filter(|test| !test.is_skipped).map(|test| test.asserts).sum() };
    let sum = |before: usize, it: &Tested<'_, '_>| before + total(&it.before);
    // Where as much is asserted as before, an assertion that is gone here stands elsewhere.
    let asserts_less = tested.iter().map(|it| total(&it.after)).sum::<usize>() < tested.iter().fold(0, sum);
    let mut raised = Vec::new();
    for Tested { file, before, after } in &tested {
        let mut removed = Vec::new();
        for test in before {
            let nth = before.iter().filter(|other| other.name == test.name && other.line < test.line).count();
            match after.iter().filter(|other| other.name == test.name).nth(nth) {
                Some(now) => raised.extend(weaker(file, test, now, asserts_less, &helpers)),
                None if test.is_suite || !is_lost(&mut spare, &test.name) => {}
                None => match renamed(file, test, &mut new) {
                    Some((file, now)) => raised.extend(weaker(file, test, now, asserts_less, &helpers)),
                    None if proves(test) && stands_idle(file, test, after) => raised.push(idle(file, test)),
                    None if is_in_table(test, &tables) || is_about(test, &gone) => {}
                    None => removed.push(test),
                },
            }
        }
        // Without a runner of its own, a package has the usual one.
        removed.retain(|test| !test.is_runner);
        raised.extend(removal(file, &removed));
        let is_new = |test: &&TestCase| {
            test.is_runner && !proves(test) && !before.iter().any(|other| other.is_runner && other.name == test.name)
        };
        raised.extend(after.iter().filter(is_new).map(|test| of_runner(file, test)));
    }
    raised
}

impl<'a, 't> Tested<'a, 't> {
    fn of(file: &'a Altered<'t>) -> Self {
        let tests = |path: &RepoPath, text: &str| {
            let is_run = jury_rules::is_test(path.as_str()) || jury_rules::marks_tests(path.as_str());
            // Where no runner looks, there is no test.
            let outline = || jury_rules::outline(path.as_str(), text);
            if is_run { outline().unwrap_or_else(|| test_lines::tests(path.extension(), text)) } else { Vec::new() }
        };
        let after = if file.is_gone { Vec::new() } else { tests(file.path, file.after) };
        Self { file, before: tests(file.path_before, file.before), after }
    }
}

/// A test of a name that was nowhere before.
struct New<'a, 't> {
    file: &'a Altered<'t>,
    test: &'a TestCase,
    is_taken: bool,
}

/// Tells whether a test runs and can fail.
fn proves(test: &TestCase) -> bool {
    !test.is_skipped && test.asserts > 0
}

/// Tells whether a table of cases that is there now calls all that a test called.
fn is_in_table(test: &TestCase, tables: &[&TestCase]) -> bool {
    !test.calls.is_empty() && tables.iter().any(|table| test.calls.iter().any(|call| table.calls.contains(call)))
}

/// Tells whether the body of a test is still in its file, where nothing runs it.
fn stands_idle(file: &Altered<'_>, test: &TestCase, after: &[TestCase]) -> bool {
    let is_run = |line: u32| after.iter().any(|other| !other.is_suite && (other.line..=other.last).contains(&line));
    let idle: BTreeSet<&str> =
        (1..).zip(file.after.lines()).filter(|(line, _)| !is_run(*line)).map(|(_, text)| text.trim()).collect();
    // `end` and `else` stand anywhere; they are no trace of a test.
    let says =
        |line: &&String| line.contains(|c: char| !c.is_alphanumeric() && !c.is_whitespace() && !"{}();:".contains(c));
    let body: Vec<&String> = test.body.iter().filter(says).collect();
    let kept = body.iter().filter(|line| idle.contains(line.as_str())).count();
    // A part of its head, with another name, may stand in the body; of a short one, all has to be there.
    !file.is_gone && kept > 0 && kept + usize::from(body.len() > 2) >= body.len()
}

fn idle(file: &Altered<'_>, test: &TestCase) -> Raised {
    Raised {
        severity: "P1",
        owner: Owner::Human,
        confidence: 100,
        ..of_test(
            format!("This test does not run any more under its new name: {}", test.name),
            Raised {
                untested: Some(file.path_before.clone()),
                ..Raised::at_large(format!("not run: {}:{} {}", file.path_before, test.line, test.name))
            },
        )
    }
}

/// Tells whether a test is about something that the change removes.
fn is_about(test: &TestCase, gone: &BTreeSet<String>) -> bool {
    test.calls.iter().any(|call| gone.contains(call))
}

/// Returns the names that a line defines.
fn defined(line: &str) -> Vec<String> {
    static DEFINED: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"\b(?:function|def|class|fn|func|const|let|var|struct|enum|trait|interface|type|void|static|public|private)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)";
        Regex::new(pattern).expect("the pattern is fixed")
    });
    DEFINED.captures_iter(line).map(|found| found[1].to_owned()).collect()
}

/// Returns the names that a change no longer defines anywhere, tests aside.
fn removed_names(files: &[Altered<'_>]) -> BTreeSet<String> {
    let mut gone = BTreeSet::new();
    let code = || files.iter().filter(|file| !jury_rules::is_test(file.path.as_str()));
    code().for_each(|file| file.removed().for_each(|(_, line)| gone.extend(defined(line))));
    for file in code().filter(|file| !file.is_gone) {
        file.after.lines().flat_map(defined).for_each(|name| _ = gone.remove(&name));
    }
    gone
}

/// Tells whether a file is looked at: a test by its path, or in a language that marks its tests.
fn is_tested(file: &Altered<'_>) -> bool {
    [file.path, file.path_before]
        .iter()
        .any(|path| jury_rules::is_test(path.as_str()) || jury_rules::marks_tests(path.as_str()))
}

/// Counts a name as lost if it is there less often than before; each loss is counted once.
fn is_lost<'n>(spare: &mut BTreeMap<&'n str, i64>, name: &'n str) -> bool {
    let left = spare.get_mut(name).filter(|left| **left < 0);
    left.map(|left| *left += 1).is_some()
}

/// Finds a test of a new name that keeps at least half of the body, in the same file or else in any other.
fn renamed<'a, 't>(
    file: &Altered<'_>,
    test: &TestCase,
    new: &mut [New<'a, 't>],
) -> Option<(&'a Altered<'t>, &'a TestCase)> {
    let keeps_body = |now: &New<'_, '_>| {
        let kept = test.body.iter().filter(|line| now.test.body.contains(*line)).count();
        !now.is_taken && kept > 0 && kept * 2 >= test.body.len()
    };
    let here = new.iter().position(|now| now.file.path == file.path && keeps_body(now));
    let at = here.or_else(|| new.iter().take(MOST_TRIED).position(keeps_body))?;
    new[at].is_taken = true;
    Some((new[at].file, new[at].test))
}

/// Tells whether all that the assertions which are gone named is named by what came in their place: two comparisons may have become one.
fn still_says(was: &TestCase, is: &TestCase) -> bool {
    let words = |lines: &mut dyn Iterator<Item = &String>| -> BTreeSet<String> {
        let word = |line: &String| {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_lowercase);
            words.filter(|word| !word.is_empty() && !is_of_assertions(word)).collect::<Vec<_>>()
        };
        lines.flat_map(word).collect()
    };
    let is_assertion = |line: &&String| line.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(is_of_assertions);
    let gone = words(&mut was.body.difference(&is.body).filter(is_assertion));
    let came = words(&mut is.body.difference(&was.body));
    !gone.is_empty() && gone.is_subset(&came)
}

/// Tells whether a word belongs to the way an assertion is written.
fn is_of_assertions(word: &str) -> bool {
    let word = word.to_lowercase();
    let starts =
        ["assert", "expect", "should", "require", "toequal", "tobe", "tostrictequal", "tomatch", "tohave", "tocontain"];
    starts.iter().any(|start| word.starts_with(start))
        || ["is", "eq", "equal", "equals", "deepequal", "true", "not", "await", "t", "self", "ok"]
            .contains(&word.as_str())
}

/// Tells whether a test now calls a function of the change that asserts.
fn calls_helper(was: &TestCase, is: &TestCase, helpers: &BTreeSet<String>) -> bool {
    is.calls.difference(&was.calls).any(|call| helpers.contains(call))
}

/// Returns the functions of the changed files whose next lines assert something.
fn asserting_functions(files: &[Altered<'_>]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files.iter().filter(|file| !file.is_gone) {
        let mut last: Vec<String> = Vec::new();
        for line in file.after.lines() {
            let defined = defined(line);
            if !defined.is_empty() {
                last = defined;
            } else if line
                .to_lowercase()
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| is_of_assertions(word) && word.len() > 5)
            {
                found.extend(last.iter().cloned());
            }
        }
    }
    found
}

fn weaker(
    file: &Altered<'_>,
    was: &TestCase,
    is: &TestCase,
    asserts_less: bool,
    helpers: &BTreeSet<String>,
) -> Option<Raised> {
    let is_idle = proves(was) && !was.is_suite && is.asserts == 0;
    if is.is_runner {
        return is_idle.then(|| of_runner(file, is));
    }
    let is_fewer = is.asserts < was.asserts
        && !was.is_suite
        && !is.is_table
        && asserts_less
        && !still_says(was, is)
        && !calls_helper(was, is, helpers);
    let (what, is_grave) = if is.is_skipped && !was.is_skipped {
        // The words of the rule `skipped-test`, so that both results for a line are one finding.
        ("This test does not run".to_owned(), true)
    } else if is_idle {
        let why = match (is.unreachable, is.constant) {
            (0, 0) => "it asserts nothing",
            (0, _) => "it asserts only constants",
            _ => "its assertions are not reached, or swallowed",
        };
        (format!("This test cannot fail any more, {why}: {}", is.name), true)
    } else if is.is_inverted && !was.is_inverted && proves(was) {
        (format!("This test passes only if its assertions fail: {}", is.name), true)
    } else if is_fewer {
        (format!("Asserts less than before ({} instead of {}): {}", is.asserts, was.asserts, is.name), false)
    } else {
        return None;
    };
    // The head says that it is skipped, or a decorator above it; removed assertions are missing in its body.
    let above = (is.line.saturating_sub(3).max(1)..is.line).rev();
    let mut lines = std::iter::once(is.line).chain(above.filter(|_| is.is_skipped)).chain(is.line..=is.last);
    let line = lines.find(|line| file.is_added(*line)).unwrap_or(is.line);
    let text = file.after.lines().nth(line as usize - 1).unwrap_or_default();
    let raised = of_test(what, Raised::at(file.path, line, text));
    Some(match is_grave {
        true => Raised {
            severity: "P1",
            owner: Owner::Human,
            confidence: 100,
            fix: "Let the test fail again where the behaviour breaks, or have a person accept that it is gone."
                .to_owned(),
            ..raised
        },
        false => raised,
    })
}

/// Raises a function that runs the tests of a package, or does not, and ends the program whatever they say.
fn of_runner(file: &Altered<'_>, test: &TestCase) -> Raised {
    let line = (test.line..=test.last).find(|line| file.is_added(*line)).unwrap_or(test.line);
    let text = file.after.lines().nth(line as usize - 1).unwrap_or_default();
    Raised {
        severity: "P1",
        owner: Owner::Human,
        confidence: 100,
        why: "The program of the tests ends without their result, so that no test of the package can fail.".to_owned(),
        fix: "Run the tests, and end the program with their result: `os.Exit(m.Run())`.".to_owned(),
        ..of_test(format!("No test of this package can fail: {}", test.name), Raised::at(file.path, line, text))
    }
}

fn removal(file: &Altered<'_>, removed: &[&TestCase]) -> Option<Raised> {
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
