//! A report of tests in the form of JUnit in; the tests that ran and failed out. Pure.
//!
//! Counts that a report states have to be borne out by its tests. Deliberately not here: writing such reports (`report`).

use crate::model::{FailedTest, TestRun};
use crate::syntax::xml::{self, Element};
use crate::syntax::{Limits, Source, Value};

/// The longest message of a test that is kept, in characters.
const LONGEST: usize = 600;

/// Reads a report; says why it cannot be read.
pub(super) fn read(text: &str) -> Result<TestRun, String> {
    let limits = Limits::default();
    let source = Source::new(text.as_bytes(), &limits).map_err(|deviation| deviation.message)?;
    let root = xml::parse(&source, &limits).map_err(|deviation| deviation.message)?;
    if !["testsuites", "testsuite"].contains(&root.name) {
        return Err(format!("<{}> is no report of tests", root.name));
    }
    let mut tests = TestRun::default();
    take(&root, &mut tests);
    let stated = stated(&root);
    let unlisted = stated.saturating_sub(tests.failed.len() as u64);
    if unlisted > 0 {
        let name = format!("{unlisted} that the report counts and does not list");
        tests.failed.push(FailedTest { name, message: format!("the report counts {stated} failures") });
    }
    Ok(tests)
}

fn take(element: &Element<'_>, tests: &mut TestRun) {
    if element.name != "testcase" {
        element.children.iter().for_each(|child| take(child, tests));
        return;
    }
    let has = |names: &[&str]| element.children.iter().find(|child| names.contains(&child.name));
    let failed = has(&["failure", "error"]);
    if failed.is_none() && has(&["skipped", "disabled"]).is_some() {
        return;
    }
    tests.run += 1;
    if let Some(failure) = failed {
        let name = [attribute(element, "classname"), attribute(element, "name")];
        let name: Vec<String> = name.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
        let name = if name.is_empty() { "without a name".to_owned() } else { name.join(" › ") };
        let text = failure.text.as_ref().map(|(_, text)| text.trim().to_owned());
        let message = attribute(failure, "message").or(text).unwrap_or_default();
        tests.failed.push(FailedTest { name, message: message.chars().take(LONGEST).collect() });
    }
}

/// Returns how many failures a report states: of the outermost element, or of those in it.
fn stated(element: &Element<'_>) -> u64 {
    let count = |name| attribute(element, name).and_then(|number| number.trim().parse::<u64>().ok());
    match (count("failures"), count("errors")) {
        (None, None) => element.children.iter().filter(|child| child.name == "testsuite").map(stated).sum(),
        (failures, errors) => failures.unwrap_or_default() + errors.unwrap_or_default(),
    }
}

fn attribute(element: &Element<'_>, name: &str) -> Option<String> {
    let Value::Object(members) = &element.attributes.value else { return None };
    let member = members.iter().find(|member| member.key == name)?;
    match &member.node.value {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(text: &str) -> (u64, Vec<String>) {
        let tests = read(text).unwrap();
        (tests.run, tests.failed.into_iter().map(|test| test.name).collect())
    }

    #[test]
    fn tests_are_counted_where_they_are() {
        let text = r#"<?xml version="1.0"?><testsuites tests="4" failures="1"><testsuite name="s"><testcase classname="a" name="adds"/>
            <testcase classname="a" name="waits"><failure message="1 is not 2">at a.ts</failure></testcase>
            <testcase name="later"><skipped/></testcase><testcase name="x"><properties/></testcase></testsuite></testsuites>"#;
        assert_eq!(failed(text), (3, vec!["a › waits".to_owned()]));
        assert_eq!(read(text).unwrap().failed[0].message, "1 is not 2");
        assert_eq!(failed("<testsuite/>"), (0, Vec::new()));
    }

    #[test]
    fn failures_that_are_counted_and_not_listed_are_failures() {
        let counted = "1 that the report counts and does not list";
        for text in [
            r#"<testsuite failures="1"><testcase name="a"/></testsuite>"#,
            r#"<testsuites><testsuite errors="1"><testcase name="a"/></testsuite></testsuites>"#,
        ] {
            assert_eq!(failed(text), (1, vec![counted.to_owned()]));
        }
    }

    #[test]
    fn what_is_no_report_is_none() {
        for text in ["", "passed", "<html/>", "<testsuite>", "<!DOCTYPE x><testsuite/>"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
