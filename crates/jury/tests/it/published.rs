//! What CI reads, against what its readers publish: reports of every kind are written and held against reviewdog's JSON Schemas and the XSD of
//! Jenkins. SARIF has `sarif.rs`; the hosts of workflows and hooks are in the tests of the command line.
//!
//! `fixtures/published/` has the schemas byte for byte, each with its origin and licence. GitLab publishes none for Code Quality in any package
//! that we know: there our reading of its page is the schema.

use std::path::Path;
use std::process::Command;

use jury::formats;
use jury::model::{Claim, Report, Severity, Title};
use jury::report;
use jury::syntax::{Limits, acts};
use jury_testkit::repo::TempFolder;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::arbitrary;
use crate::fixtures::folder_of;

const RDJSON: &str = include_str!("../fixtures/published/rdjson.json");
const RDJSONL: &str = include_str!("../fixtures/published/rdjsonl.json");
/// Our reading of the page of GitLab.
const CODE_QUALITY: &str = include_str!("../fixtures/gitlab-code-quality.schema.json");
const XSD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/published/junit-10.xsd");

fn validator(schema: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

/// Returns reports of every kind, as many as are asked for.
fn reports(number: usize) -> Vec<Report> {
    let mut runner = TestRunner::default();
    let strategy = arbitrary::report();
    (0..number).map(|_| strategy.new_tree(&mut runner).expect("there are reports").current()).collect()
}

fn written(format: &str, report: &Report) -> String {
    formats::by_id(format).expect("the format is in the table").write(report).expect("it can be said").text
}

#[test]
fn rdjson_is_valid_by_the_schemas_of_reviewdog() {
    let (whole, line) = (validator(RDJSON), validator(RDJSONL));
    // The schemas refer to parts of themselves by name; were that not followed, they would let everything pass.
    let wrong = json!({"message": "a", "location": {"path": "a", "range": {"start": {"line": "1"}}}});
    assert!(!line.is_valid(&wrong) && !whole.is_valid(&json!({"diagnostics": [wrong]})));
    for report in reports(64) {
        let text = written("rdjson", &report);
        let value = serde_json::from_str(&text).expect("what is written is JSON");
        assert_eq!(whole.validate(&value).err().map(|error| error.to_string()), None, "{text}");
        for text in written("rdjsonl", &report).lines() {
            let value = serde_json::from_str(text).expect("what is written is JSON");
            assert_eq!(line.validate(&value).err().map(|error| error.to_string()), None, "{text}");
        }
    }
}

#[test]
fn what_conforms_to_rdjson_is_valid_by_its_schema() {
    let (format, schema) = (formats::by_id("rdjson").expect("the format is in the table"), validator(RDJSON));
    let mut number = 0;
    for case in jury_testkit::cases(&folder_of(format)) {
        // Null is absence in protocol buffers, which the schema does not say.
        if format.read(&case.input, &Limits::default()).is_conforming() && !case.name.contains("null") {
            let value = serde_json::from_slice(&case.input).expect("what conforms is JSON");
            let error = schema.validate(&value).err().map(|error| error.to_string());
            assert_eq!(error, None, "{}", case.name);
            number += 1;
        }
    }
    assert!(number >= 5, "only {number} cases conform");
}

#[test]
fn code_quality_is_what_the_page_of_gitlab_says() {
    let schema = validator(CODE_QUALITY);
    for report in reports(64) {
        let text = written("gitlab-code-quality", &report);
        assert!(!text.starts_with('\u{feff}'), "GitLab takes no byte order mark");
        let value: Value = serde_json::from_str(&text).expect("what is written is JSON");
        assert_eq!(schema.validate(&value).err().map(|error| error.to_string()), None, "{text}");
        let mut prints: Vec<&str> =
            value.as_array().expect("an array").iter().filter_map(|it| it["fingerprint"].as_str()).collect();
        let number = prints.len();
        prints.sort_unstable();
        prints.dedup();
        assert_eq!(prints.len(), number, "GitLab shows only one violation of a fingerprint: {text}");
    }
}

/// What lxml says of files by a schema: one line for each that is not valid.
const VALIDATE: &str = "
import sys
from lxml import etree
schema = etree.XMLSchema(etree.parse(sys.argv[1]))
for path in sys.argv[2:]:
    if not schema.validate(etree.parse(path)):
        print(path, schema.error_log.last_error)
";

fn faults_by_xsd(texts: &[String]) -> String {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lxml");
    let python = jury_testkit::python::environment(&place, &["lxml==6.1.3"]).join("python");
    let folder = TempFolder::new();
    let mut command = Command::new(python);
    command.args(["-c", VALIDATE, XSD]);
    for (index, text) in texts.iter().enumerate() {
        let path = folder.path().join(format!("{index}.xml"));
        std::fs::write(&path, text).expect("the folder is ours");
        command.arg(path);
    }
    let output = command.output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn junit_is_valid_by_the_schema_of_jenkins() {
    let mut reports = reports(64);
    let gap = Claim::new(Title::new("Review incomplete: qa").expect("it is a title"), Severity::High);
    reports.push(Report { claims: vec![Box::new(gap)], ..Report::default() });
    let texts: Vec<String> = reports
        .iter()
        .map(|of| {
            let is_gap = |at: &usize| of.claims[*at].title.as_str().starts_with("Review incomplete: ");
            report::junit(of, "main..HEAD", &(0..of.claims.len()).filter(is_gap).collect())
        })
        .collect();
    assert!(texts.iter().any(|text| text.contains("<failure")) && texts.iter().any(|text| text.contains("<error")));
    assert_eq!(faults_by_xsd(&texts), "");
    let wrong = texts[0].replace("<testsuite name=", "<testsuite called=");
    assert!(faults_by_xsd(&[wrong]).contains("'testsuite'"));
}

/// A workflow command: its level, its properties and its message.
type Annotation = (String, Vec<(String, String)>, String);

/// Takes a workflow command apart as GitHub's runner does: `::level name=value,…::message`, each value unescaped.
fn command(line: &str) -> Option<Annotation> {
    let (head, message) = line.strip_prefix("::")?.split_once("::")?;
    let (level, properties) = head.split_once(' ').unwrap_or((head, ""));
    let data = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let value = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",");
        text.replace("%25", "%")
    };
    let property = |text: &str| text.split_once('=').map(|(name, text)| (name.to_owned(), value(text)));
    let properties: Option<Vec<_>> = properties.split(',').map(property).collect();
    Some((level.to_owned(), properties?, data(message)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// By GitHub's pages on workflow commands and on its limits: at most ten annotations of a level in a step, 64 KiB in a message, 255 characters in a title.
    #[test]
    fn annotations_are_what_the_runner_understands(report in arbitrary::report()) {
        let text = report::github(&report, "Jury");
        // What acts on a terminal shows itself instead; line ends are escaped.
        let is_kept = |letter: char| !acts(letter) || "\r\n".contains(letter);
        let shown = |text: &str| text.chars().map(|letter| if is_kept(letter) { letter } else { char::REPLACEMENT_CHARACTER }).collect::<String>();
        let files: Vec<String> = report.claims.iter().filter_map(|claim| claim.location.as_ref()).map(|it| shown(it.file.as_str())).collect();
        let mut levels = [("error", 0), ("warning", 0), ("notice", 0)];
        for line in text.lines().skip(1) {
            let Some((level, properties, message)) = command(line) else { panic!("no command: {line}") };
            let (_, number) = levels.iter_mut().find(|(name, _)| *name == level).expect("a level that GitHub has");
            *number += 1;
            prop_assert!(*number <= 10, "{}", text);
            prop_assert!(!message.trim().is_empty() && line.len() < 64 << 10, "{}", line);
            for (name, value) in &properties {
                match name.as_str() {
                    "file" => prop_assert!(files.contains(value), "{}", value),
                    "line" | "endLine" => prop_assert!(value.parse::<u32>().is_ok_and(|line| line > 0), "{}", line),
                    "title" => prop_assert!(value.chars().count() <= 255, "{}", value),
                    name => panic!("GitHub knows no `{name}`"),
                }
            }
            prop_assert!(properties.iter().any(|(name, _)| name == "title"));
        }
    }
}
