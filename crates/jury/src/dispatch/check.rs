//! How a check ended: the end of its program and its report of tests in; the result, or why there is none, out. Pure.
//!
//! Only an exit code is evidence. A program that is missing, killed or late says nothing about the change, and a report without a test
//! that ran says that nothing was tested. Deliberately not here: running it (`external`), and its findings (`judge`).

use super::junit;
use crate::model::{CheckResult, TestRun};
use crate::process::{Ended, How};

/// With which codes a shell ends that cannot run a command: it is missing, or no program.
const NOT_RUN: [i32; 2] = [126, 127];
/// How many lines of each stream are kept, and how many characters of each line.
const TAIL: (usize, usize) = (25, 300);

/// Returns the result. `report` is the text of the report of tests, or why there is none, if the check writes one.
pub(super) fn result(
    ended: &Ended,
    milliseconds: u64,
    report: Option<Result<String, String>>,
) -> Result<CheckResult, String> {
    let exit_code = match (&ended.how, ended.trouble(&[])) {
        (How::Exited(code), _) if !NOT_RUN.contains(code) => *code,
        (_, trouble) => return Err(format!("it {}", trouble.unwrap_or_default())),
    };
    let report = report.map(|text| text.and_then(|text| junit::read(&text)));
    let tests = match report {
        // Without a report, the code still says that it failed.
        None => None,
        Some(Err(_)) if exit_code != 0 => None,
        Some(Err(why)) => {
            return Err(format!("it ended with exit code 0, but its report of tests cannot be read: {why}"));
        }
        Some(Ok(TestRun { run: 0, failed })) if exit_code == 0 && failed.is_empty() => {
            return Err("it ended with exit code 0, but by its report no test ran".to_owned());
        }
        Some(Ok(tests)) => Some(tests),
    };
    let result = CheckResult { exit_code, milliseconds, tail: String::new(), tests, on_base: None };
    let tail = if result.has_passed() { String::new() } else { tail(ended) };
    Ok(CheckResult { tail, ..result })
}

/// Returns the end of both streams.
fn tail(ended: &Ended) -> String {
    let printed = String::from_utf8_lossy(&ended.printed);
    let streams = [last_lines(&printed), last_lines(&ended.complained)];
    streams.into_iter().filter(|lines| !lines.is_empty()).collect::<Vec<_>>().join("\n")
}

fn last_lines(text: &str) -> String {
    let (most, longest) = TAIL;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines.iter().skip(lines.len().saturating_sub(most));
    last.map(|line| line.trim_end().chars().take(longest).collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ended(how: How) -> Ended {
        let printed = b"1\n2\n\n3\n".to_vec();
        Ended { how, printed, last_words: "oh".to_owned(), complained: "no\noh\n".to_owned(), unconfined: None }
    }

    const PASSED: &str = "<testsuite><testcase name='a'/></testsuite>";
    const FAILED: &str = "<testsuite><testcase name='a'><failure/></testcase></testsuite>";

    #[test]
    fn an_exit_code_is_evidence_and_nothing_else_is() {
        let passed = result(&ended(How::Exited(0)), 5, None).unwrap();
        assert!(passed.has_passed() && passed.tail.is_empty());
        let failed = result(&ended(How::Exited(2)), 5, None).unwrap();
        assert_eq!((failed.exit_code, failed.tail.as_str()), (2, "1\n2\n3\nno\noh"));
        for how in [
            How::Killed(9),
            How::TimedOut(Duration::from_secs(1)),
            How::NotStarted("no such file".to_owned()),
            How::HeldOpen,
            How::Flooded(9),
            How::Exited(127),
            How::Exited(126),
        ] {
            assert!(result(&ended(how), 5, None).is_err());
        }
    }

    #[test]
    fn a_report_has_to_bear_out_that_it_passed() {
        let with = |code, report: Result<&str, &str>| {
            let report = report.map(str::to_owned).map_err(str::to_owned);
            result(&ended(How::Exited(code)), 5, Some(report)).map(|result| result.has_passed())
        };
        assert_eq!(with(0, Ok(PASSED)), Ok(true));
        assert_eq!(with(0, Ok(FAILED)), Ok(false));
        assert_eq!(with(1, Ok(PASSED)), Ok(false));
        assert_eq!(with(1, Err("it is not there")), Ok(false));
        for report in [Ok("<testsuite/>"), Ok("passed"), Err("it is not there")] {
            assert!(with(0, report).is_err(), "{report:?}");
        }
    }
}
