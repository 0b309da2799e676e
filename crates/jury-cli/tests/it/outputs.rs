//! What programs read is what its schema says, and the tables of the library are the tables of the command line.

use jury::formats::FORMATS;
use jury_wire::Schema;
use serde_json::Value;

use crate::binary::{input, run};

/// Parses an output and holds it against its schema.
fn valid(schema: &str, output: &str) -> Value {
    let schema = jury_wire::schema(schema).expect("the schema is published");
    let value: Value = serde_json::from_str(output).expect("the output is JSON");
    let validator = jsonschema::validator_for(&schema.to_value()).expect("the schema is one");
    let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "{output}");
    value
}

#[test]
fn check_prints_what_its_schema_says() {
    let files = [
        "check.in/findings.json",
        "check.in/verdict.json",
        "check.in/broken.json",
        "check.in/contradiction.json",
        "check.in/many.json",
        "check.in/empty.json",
        "check.in/prose.txt",
        "check.in/folder",
        "check.in/no-such-file",
        "check-not-utf8.stdin",
        "hostile.stdin",
        "hostile-raw.stdin",
    ]
    .map(input);
    let mut arguments = vec!["check", "--format", "json"];
    arguments.extend(files.iter().map(String::as_str));
    let (code, output, _) = run(&arguments);
    assert_eq!(code, Some(2));
    let value = valid("check-output", &output);
    let entries = value["files"].as_array().unwrap();
    let paths: Vec<&str> = entries.iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert_eq!(paths, files);
    let conforming = entries.iter().filter(|entry| entry["conforming"] == true).count();
    assert_eq!(conforming, 2);
    for entry in entries {
        assert_eq!(entry["conforming"] == true, entry["deviations"].as_array().unwrap().is_empty());
    }
    // What a reviewer wrote is escaped as JSON can, so it neither acts nor changes.
    assert!(output.chars().all(|c| c == '\n' || !c.is_control()) && !output.contains('\u{202e}'));
}

#[test]
fn merge_prints_what_its_schema_says_and_loses_no_claim() {
    let files =
        ["merge.in/correctness.json", "merge.in/testing.md", "merge.in/prose.txt", "check.in/broken.json"].map(input);
    let mut arguments = vec!["merge", "--format", "json"];
    arguments.extend(files.iter().map(String::as_str));
    let (code, output, _) = run(&arguments);
    // One of the findings is critical and for a person to decide.
    assert_eq!(code, Some(3));
    let value = valid("merge-output", &output);
    let length = |name: &str| value[name].as_array().unwrap().len();
    // Two claims and one that says the same, and two in the broken file; the prose holds none and is a gap.
    let others = |finding: &Value| finding["reviewers"].as_array().unwrap().len() - 1;
    let merged: usize = value["findings"].as_array().unwrap().iter().map(others).sum();
    let kept: usize = ["findings", "suppressed", "pre_existing", "waived", "rejected"].into_iter().map(length).sum();
    assert_eq!(kept + merged, 5, "{output}");
    assert!(length("gaps") > 0 && length("repairs") > 0);
}

#[test]
fn task_prints_what_its_schemas_say() {
    let folder = jury_testkit::repo::TempFolder::new();
    let place = folder.path().to_str().unwrap();
    let task = |words: &[&str], schema: &str, expected: i32| {
        let arguments = [&["task"], words, &["-C", place, "--format", "json"]].concat();
        let (code, output, _) = run(&arguments);
        assert_eq!(code, Some(expected), "{words:?}: {output}");
        valid(schema, &output)
    };
    task(&["start", "T-1", "--expect", "qa,quality", "--skip", "testing"], "task-output", 0);
    let reports = folder.path().join(".dartai/reports/T-1");
    std::fs::write(
        reports.join("qa.md"),
        "verdict: fail\nconfidence: low\nblocker: no test\nadvisory: nit\nevidence: ./x.md\n",
    )
    .unwrap();
    std::fs::write(reports.join("x.md"), "Long.\n").unwrap();
    let gate = task(&["gate", "T-1"], "task-output", 1);
    assert_eq!((&gate["gate"], &gate["outcome"]), (&"fail".into(), &"blocked".into()));
    assert_eq!(gate["roles"].as_array().unwrap().len(), 3);
    task(&["aggregate", "T-1", "--expect", "security"], "task-output", 1);
    let watched = task(&["watch", "--timeout", "10ms"], "task-watch-output", 1);
    assert_eq!(watched["tasks"][0]["others"], serde_json::json!(["x.md"]));
    let (code, output, _) = run(&["task", "run", "T-1", "--role", "qa", "-C", place, "--format", "json", "--", "true"]);
    assert_eq!(code, Some(4));
    assert_eq!(valid("task-output", &output)["outcome"], "incomplete");
}

#[test]
fn formats_prints_what_its_schema_says() {
    let (code, output, _) = run(&["formats", "--format", "json"]);
    assert_eq!(code, Some(0));
    let value = valid("formats-output", &output);
    let ids: Vec<&str> = value["formats"].as_array().unwrap().iter().map(|f| f["id"].as_str().unwrap()).collect();
    assert_eq!(ids, FORMATS.iter().map(|format| format.id).collect::<Vec<_>>());
}

#[test]
fn every_schema_is_printed_as_it_is_published() {
    for schema in Schema::ALL {
        let (code, output, _) = run(&["schema", schema.name]);
        assert_eq!((code, output), (Some(0), schema.to_text()));
    }
}

#[test]
fn every_format_is_written_or_refused_with_the_writable_ones() {
    for format in FORMATS {
        let (code, output, errors) = run(&["convert", "--to", format.id, &input("convert.in/findings.json")]);
        if format.is_writable() {
            assert_eq!(code, Some(0), "{}: {errors}", format.id);
            assert!(!output.is_empty());
        } else {
            assert_eq!((code, output.as_str()), (Some(2), ""));
            assert!(errors.contains("is only read, never written") && errors.contains("possible values"), "{errors}");
        }
    }
}

#[test]
fn every_format_has_its_schema_or_is_refused_with_those_that_exist() {
    for format in FORMATS.iter().filter(|format| jury_wire::schema(format.id).is_none()) {
        let (code, output, errors) = run(&["schema", format.id]);
        assert_eq!((code, output.as_str()), (Some(2), ""));
        assert!(errors.contains("possible values"), "{errors}");
    }
}
