//! The gate over the files of a task.

use super::super::delivery;
use super::super::inventory::{STARTED, run_file};
use super::*;

const PASS: &str = "verdict: pass\nconfidence: high\n";
const WARN: &str = "verdict: warn\nconfidence: med\nadvisory: a nit\n";
const FAIL: &str = "verdict: fail\nconfidence: high\nblocker: src/a.ts:3 wrong\n";

fn id() -> TaskId {
    TaskId::new("T-1").unwrap()
}

fn roles(names: &[&str]) -> Vec<Role> {
    names.iter().map(|name| Role::new(name).unwrap()).collect()
}

fn contents(files: &[(&str, &str)]) -> Contents {
    files.iter().map(|(name, text)| ((*name).to_owned(), Content::Bytes(text.as_bytes().to_vec()))).collect()
}

fn stands(files: &[(&str, &str)], expect: &[&str]) -> TaskStatus {
    let standing = decide(&id(), &contents(files), &roles(expect));
    // The summary alone says the same, to the letter of its contract.
    let reading = formats::by_id("verdict-kdl").unwrap().read(standing.summary().as_bytes(), &delivery::LIMITS);
    assert!(reading.is_conforming(), "{:?}\n{}", reading.deviations, standing.summary());
    assert_eq!(reading.report.unwrap().stated, Some(crate::model::Stated::Gate(standing.gate)), "{files:?}");
    assert!(!standing.has_gaps() || standing.gate == GateVerdict::Fail);
    standing
}

fn gate(files: &[(&str, &str)], expect: &[&str]) -> (GateVerdict, Outcome) {
    let standing = stands(files, expect);
    (standing.gate, standing.outcome)
}

fn started(expected: &str, skipped: &str) -> String {
    format!(r#"{{"version":1,"expected":[{expected}],"skipped":[{skipped}]}}"#)
}

const CLEAR: (GateVerdict, Outcome) = (GateVerdict::Pass, Outcome::Clear);
const BLOCKED: (GateVerdict, Outcome) = (GateVerdict::Fail, Outcome::Blocked);
const INCOMPLETE: (GateVerdict, Outcome) = (GateVerdict::Fail, Outcome::Incomplete);

#[test]
fn the_gate_is_what_001_says() {
    assert_eq!(gate(&[("qa.md", PASS), ("quality.md", PASS)], &["qa", "quality"]), CLEAR);
    assert_eq!(gate(&[("qa.md", PASS), ("quality.md", WARN)], &["qa", "quality"]), (GateVerdict::Warn, Outcome::Clear));
    assert_eq!(gate(&[("qa.md", WARN), ("quality.md", FAIL)], &["qa", "quality"]), BLOCKED);
    // A role that was not expected counts as well.
    assert_eq!(gate(&[("qa.md", PASS), ("security.md", FAIL)], &["qa"]), BLOCKED);
    assert_eq!(gate(&[("qa.md", PASS), ("anybody.md", FAIL)], &["qa"]), BLOCKED);
}

#[test]
fn a_place_with_backslashes_loses_no_claim() {
    let fail = "verdict: fail\nconfidence: high\nblocker: src\\app\\a.ts:12 wrong\nadvisory: src\\b.ts:3 odd\n";
    let standing = stands(&[("qa.md", fail)], &["qa"]);
    assert_eq!((standing.gate, standing.outcome), BLOCKED);
    assert_eq!(standing.blockers()[0].0, "src/app/a.ts:12 — wrong");
    assert_eq!(standing.roles[0].advisories().collect::<Vec<_>>(), ["src/b.ts:3 — odd"]);
    let warn = "verdict: warn\nconfidence: med\nadvisory: src\\b.ts:3 odd\n";
    assert_eq!(gate(&[("qa.md", warn)], &["qa"]), (GateVerdict::Warn, Outcome::Clear));
}

#[test]
fn what_is_missing_is_never_green() {
    assert_eq!(gate(&[], &[]), INCOMPLETE);
    assert_eq!(gate(&[], &["qa"]), INCOMPLETE);
    assert_eq!(gate(&[("qa.md", PASS)], &[]), INCOMPLETE);
    assert_eq!(gate(&[("qa.md", PASS)], &["qa", "quality"]), INCOMPLETE);
    assert_eq!(gate(&[("qa.md", PASS), ("quality.md", "")], &["qa", "quality"]), INCOMPLETE);
    assert_eq!(gate(&[("qa.md", PASS), ("security.md", "verdict: pass")], &["qa"]), INCOMPLETE);
    assert_eq!(gate(&[("qa.md", PASS), ("quality.markdown", PASS)], &["qa", "quality"]), INCOMPLETE);
    assert_eq!(gate(&[(STARTED, &started("\"qa\",\"quality\"", "")), ("qa.md", PASS)], &[]), INCOMPLETE);
    assert_eq!(gate(&[(STARTED, &started("", "\"qa\""))], &[]), INCOMPLETE);
    let standing = stands(&[("qa.md", PASS)], &["qa", "quality"]);
    assert!(standing.summary().contains("missing \"quality\"\n"), "{}", standing.summary());
    // Blockers count before gaps.
    assert_eq!(gate(&[("qa.md", FAIL)], &["qa", "quality"]), BLOCKED);
}

#[test]
fn who_is_expected_is_what_was_started_and_what_is_asked() {
    let both = started("\"qa\",\"code-quality-reviewer\"", "\"ts-strict\"");
    let files = [(STARTED, both.as_str()), ("qa.md", PASS), ("quality.md", PASS)];
    assert_eq!(gate(&files, &[]), CLEAR);
    assert!(stands(&files, &[]).summary().contains("skipped \"ts-strict\"\n"));
    assert_eq!(gate(&files, &["security"]), INCOMPLETE);
    // One that was skipped and reports all the same is heard; one that is expected after all is missed.
    assert_eq!(gate(&[files.as_slice(), &[("ts-strict.md", FAIL)]].concat(), &[]), BLOCKED);
    assert_eq!(gate(&files, &["ts-strict"]), INCOMPLETE);
    for broken in ["", "{}", "[]", r#"{"version":2,"expected":["qa"],"skipped":[]}"#, &started("\"../x\"", "")] {
        assert_eq!(gate(&[(STARTED, broken), ("qa.md", PASS)], &["qa"]), INCOMPLETE, "{broken}");
    }
}

#[test]
fn a_run_counts_when_it_has_ended_well() {
    let run = |ended: bool, gaps: &str| format!(r#"{{"version":1,"ended":{ended},"gaps":[{gaps}]}}"#);
    let name = run_file(&roles(&["qa"])[0]);
    assert_eq!(gate(&[(&name, &run(true, "")), ("qa.md", PASS)], &[]), CLEAR);
    assert_eq!(gate(&[(&name, &run(true, ""))], &[]), INCOMPLETE);
    assert_eq!(gate(&[(&name, "{"), ("qa.md", PASS)], &[]), INCOMPLETE);
    let running = stands(&[(&name, &run(false, "")), ("qa.md", PASS)], &[]);
    assert_eq!((running.gate, running.outcome, running.is_complete()), (GateVerdict::Fail, Outcome::Incomplete, false));
    let dead = r#"{"kind":"dead-reviewer","what":"it died","remedy":"again"}"#;
    let standing = stands(&[(&name, &run(true, dead)), ("qa.md", PASS)], &[]);
    assert_eq!(
        (standing.gate, standing.outcome, standing.is_complete()),
        (GateVerdict::Fail, Outcome::Incomplete, true)
    );
    assert!(standing.summary().contains("it died"), "{}", standing.summary());
}

#[test]
fn two_files_of_one_role_have_to_agree() {
    assert_eq!(gate(&[("quality.md", PASS), ("code-quality-reviewer.md", PASS)], &["quality"]), CLEAR);
    assert_eq!(gate(&[("quality.md", PASS), ("code-quality-reviewer.md", WARN)], &["quality"]), INCOMPLETE);
    assert_eq!(gate(&[("quality.md", PASS), ("code-quality-reviewer.md", FAIL)], &["quality"]), BLOCKED);
    assert_eq!(gate(&[("code-quality-reviewer.md", PASS)], &["quality"]), CLEAR);
    // Under the older name there may be evidence instead, which is no verdict.
    let evidence = ("code-quality-reviewer.md", "# What I looked at\n\nThe handler, and its tests.\n");
    assert_eq!(gate(&[("quality.md", PASS), evidence], &["quality"]), CLEAR);
    assert_eq!(gate(&[evidence], &["quality"]), INCOMPLETE);
}

#[test]
fn what_is_nobodys_is_named() {
    let files =
        [("qa.md", PASS), ("qa-evidence.md", "Long.\n"), ("notes.txt", FAIL), (SUMMARY, "x"), (".jury-lock", "")];
    let mut contents = contents(&files);
    contents.insert("link.md".to_owned(), Content::Refused("it is a symlink".to_owned()));
    contents.insert("folder".to_owned(), Content::Other);
    let standing = decide(&id(), &contents, &roles(&["qa"]));
    assert_eq!(standing.others, ["folder", "link.md", "notes.txt", "qa-evidence.md"]);
    assert_eq!(standing.gate, GateVerdict::Pass);
    contents.insert("security.md".to_owned(), Content::Refused("it is a symlink".to_owned()));
    assert_eq!(decide(&id(), &contents, &roles(&["qa"])).outcome, Outcome::Incomplete);
}

#[test]
fn blockers_are_collected_once_with_all_who_state_them() {
    let more = "verdict: fail\nconfidence: low\nblocker: src/a.ts:3 wrong\nblocker: no test\nadvisory: a nit\n";
    let standing =
        stands(&[("qa.md", FAIL), ("testing.md", more), ("quality.md", PASS)], &["qa", "testing", "quality"]);
    let collected: Vec<(String, Vec<String>)> = standing
        .blockers()
        .into_iter()
        .map(|(text, roles)| (text, roles.iter().map(ToString::to_string).collect()))
        .collect();
    let both = vec!["qa".to_owned(), "testing".to_owned()];
    assert_eq!(
        collected,
        [("src/a.ts:3 — wrong".to_owned(), both), ("no test".to_owned(), vec!["testing".to_owned()])]
    );
    assert!(standing.notes.iter().any(|note| note.starts_with("testing has low confidence")), "{:?}", standing.notes);
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let files = [("qa.md", PASS), ("quality.md", FAIL), ("testing.md", "?"), ("x", "")];
    let summary = stands(&files, &["qa", "security"]).summary();
    let mut reversed = files;
    reversed.reverse();
    assert_eq!(stands(&reversed, &["security", "qa"]).summary(), summary);
}
