//! How a check ended: a command of the team whose exit code is the evidence (DESIGN §10).
//!
//! Deliberately not here: how it is run (`dispatch`), and its findings (`judge`).

use std::fmt;

/// A check that ran to its end, passed or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The exit code.
    pub exit_code: i32,
    /// How long it ran, in milliseconds.
    pub milliseconds: u64,
    /// The end of its output, if it did not pass.
    pub tail: String,
    /// The tests, if it writes a report of them.
    pub tests: Option<TestRun>,
    /// How the same check ends on the base, if it did not pass here.
    pub on_base: Option<CheckOnBase>,
}

/// The tests of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestRun {
    /// How many ran; skipped ones did not.
    pub run: u64,
    /// Those that failed.
    pub failed: Vec<FailedTest>,
}

/// A test that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTest {
    /// Its name, with that of its suite or class.
    pub name: String,
    /// Its message.
    pub message: String,
}

/// How a check that does not pass ends on the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckOnBase {
    /// It passes there: the change broke it.
    Passes,
    /// It fails there, too: with these tests, if they are known.
    Fails(Option<Vec<String>>),
    /// It could not be run there, for this reason.
    Unknown(String),
}

impl CheckResult {
    /// Tells whether it passed: by its exit code, and with no test that its report calls failed.
    pub fn has_passed(&self) -> bool {
        self.exit_code == 0 && self.failed().is_empty()
    }

    /// Tells whether the change broke it, as far as is known: it passes on the base, or nobody can say.
    pub fn is_broken_by_change(&self) -> bool {
        !self.has_passed() && !matches!(self.on_base, Some(CheckOnBase::Fails(_)))
    }

    /// Returns the tests that failed.
    pub fn failed(&self) -> &[FailedTest] {
        self.tests.as_ref().map(|tests| tests.failed.as_slice()).unwrap_or_default()
    }

    /// Returns every text in it that the program wrote.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let failed = self.tests.iter_mut().flat_map(|tests| &mut tests.failed);
        let failed = failed.flat_map(|FailedTest { name, message }| [name, message]);
        let on_base: Vec<&mut String> = match &mut self.on_base {
            Some(CheckOnBase::Fails(Some(names))) => names.iter_mut().collect(),
            Some(CheckOnBase::Unknown(why)) => vec![why],
            _ => Vec::new(),
        };
        std::iter::once(&mut self.tail).chain(failed).chain(on_base)
    }
}

/// `passed in 12 s, 40 tests`.
impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.has_passed() { "passed" } else { "failed" };
        match self.milliseconds {
            short @ ..10_000 => write!(f, "{how} in {}.{} s", short / 1_000, short % 1_000 / 100)?,
            long => write!(f, "{how} in {} s", long / 1_000)?,
        }
        match &self.tests {
            Some(TestRun { run: 1, .. }) => write!(f, ", 1 test"),
            Some(TestRun { run, .. }) => write!(f, ", {run} tests"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(exit_code: i32, failed: &[&str]) -> CheckResult {
        let test = |name: &&str| FailedTest { name: (*name).to_owned(), message: String::new() };
        let tests = TestRun { run: 40, failed: failed.iter().map(test).collect() };
        CheckResult { exit_code, milliseconds: 12_345, tail: String::new(), tests: Some(tests), on_base: None }
    }

    #[test]
    fn a_check_passes_by_its_code_and_its_report() {
        assert!(ended(0, &[]).has_passed());
        assert!(!ended(1, &[]).has_passed() && !ended(0, &["t"]).has_passed());
        assert_eq!(ended(0, &[]).to_string(), "passed in 12 s, 40 tests");
        assert_eq!(CheckResult { milliseconds: 480, tests: None, ..ended(2, &[]) }.to_string(), "failed in 0.4 s");
    }

    #[test]
    fn only_a_failure_of_the_base_is_not_of_the_change() {
        let with = |on_base| CheckResult { on_base, ..ended(1, &[]) }.is_broken_by_change();
        assert!(with(None) && with(Some(CheckOnBase::Passes)) && with(Some(CheckOnBase::Unknown(String::new()))));
        assert!(!with(Some(CheckOnBase::Fails(None))) && !ended(0, &[]).is_broken_by_change());
    }
}
