//! SARIF beyond its fixtures: what is read out of a result, what is written against the published schema, and what hostile
//! logs cost.
//!
//! `fixtures/published/sarif-2.1.0.json` is the schema, byte for byte; its licence lies beside it.

use jury::formats::{self, Format, Reading};
use jury::model::{Attendance, Claim, Report, Status};
use jury::syntax::Limits;
use jury_wire::Reason;
use jury_wire::v1::sarif::Log;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::arbitrary;
use crate::fixtures::folder_of;
use crate::schemas::check_carried;

const PUBLISHED: &str = include_str!("../fixtures/published/sarif-2.1.0.json");

fn sarif() -> &'static Format {
    formats::by_id("sarif").expect("the format is in the table")
}

fn read(input: &[u8]) -> Reading {
    sarif().read(input, &Limits::default())
}

fn report(case: &str) -> Report {
    let cases = jury_testkit::cases(&folder_of(sarif()));
    let case = cases.into_iter().find(|found| found.name == case).expect("the case is there");
    read(&case.input).report.expect("the case is understood")
}

/// Spells a claim on one line: severity, place, title, then whatever else it states.
fn line(claim: &Claim) -> String {
    let place = claim.location.as_ref().map_or("-".to_owned(), ToString::to_string);
    let mut line = format!("{} {place} {}", claim.severity, claim.title);
    let mut add = |name: &str, value: Option<String>| {
        line.extend(value.map(|value| format!(" | {name} {value}")));
    };
    add("why", claim.why.clone());
    add("rule", claim.rule.clone().filter(|rule| rule != "R1"));
    add("cwe", (!claim.cwe.is_empty()).then(|| format!("{:?}", claim.cwe)));
    let related: Vec<String> = claim.related.iter().map(ToString::to_string).collect();
    add("related", (!related.is_empty()).then(|| related.join(", ")));
    add("evidence", (!claim.evidence.is_empty()).then(|| format!("{:?}", claim.evidence)));
    add("fix", claim.fix.clone());
    add("pre-existing", claim.pre_existing.map(|known| known.to_string()));
    add("status", claim.status.map(|status| status.to_string()));
    line
}

fn check(case: &str, expected: &[&str]) {
    let lines: Vec<String> = report(case).claims().map(line).collect();
    assert_eq!(lines, expected, "{case}");
}

#[test]
fn severities_are_those_of_the_design() {
    let at = |severity: &str, title: &str| format!("{severity} src/a.ts:3 {title}");
    check(
        "usual",
        &[
            &at("Blocker", "Blocks"),
            &at("High", "Is high"),
            &at("Medium", "Is medium"),
            &at("Low", "Is low"),
            &at("Info", "Is for information"),
            &at("Medium", "Is a warning, however critical"),
        ],
    );
    check(
        "usual-kinds",
        &[
            &at("Info", "This is informational"),
            &at("Medium", "This is open"),
            &at("Medium", "This is review"),
            &at("Medium", "This is fail"),
            &at("Info", "This is informational of no level"),
            &at("Medium", "This is open of no level"),
            &at("Medium", "This is review of no level"),
        ],
    );
    check(
        "usual-levels-of-rules",
        &[
            &at("Low", "By itself"),
            &at("Info", "By override"),
            &at("High", "By rule"),
            &at("High", "By rule, one component more | rule R1/sub"),
            &at("Medium", "By default | rule R9"),
        ],
    );
    check(
        "usual-extension-rules",
        &[
            &at("Blocker", "By index | rule X1 | cwe [22, 78]"),
            &at("Blocker", "By name | rule X1 | cwe [22, 78]"),
            &at("Blocker", "By id | rule X1 | cwe [22, 78]"),
        ],
    );
    check("broken-kind-review-with-level", &[&at("High", "Unchecked index"), &at("Low", "Unchecked index")]);
}

#[test]
fn places_are_found_whichever_way_they_are_given() {
    check(
        "usual-files",
        &[
            "Medium src/a.ts:3 Plain",
            "Medium src/a bü.ts:3 Escaped",
            "Medium src/indexed.ts:7 By index",
            "Medium lib/app.zip In a container",
            "Medium src/b.ts:7 Below the root",
            "Medium src/c.ts:3 Dotted",
            "Medium - The repository",
            "Medium src/a.ts By offset",
            "Medium - Nowhere",
            "Medium - By address",
        ],
    );
    check(
        "usual-regions",
        &[
            "Medium src/a.ts:3 One",
            "Medium src/a.ts:3-9 Several",
            "Medium src/a.ts:3:5 Column | evidence [\"a[i]\"]",
            "Medium src/a.ts:3 Up to a line",
            "Medium src/a.ts:3 Whole numbers",
        ],
    );
    check(
        "usual-related",
        &["Medium src/a.ts:3 Tainted | related src/b.ts:1, src/c.ts:2, src/d.ts:4, src/shared.ts:5"],
    );
    let files: Vec<String> = report("usual-bases").claims().map(line).collect();
    assert!(files[1].starts_with("Medium src/io/kb.c A result"), "{files:?}");
}

#[test]
fn the_rest_of_a_result_is_read() {
    check(
        "usual-weaknesses",
        &[
            "Medium src/a.ts:3 Tagged | cwe [79, 80]",
            "Medium src/a.ts:3 In the bag | cwe [327]",
            "Medium src/a.ts:3 As taxon | cwe [190]",
            "Medium src/a.ts:3 As taxon by index | cwe [89]",
            "Medium src/a.ts:3 By relationship | rule R2 | cwe [416]",
            "Medium src/a.ts:3 By id | rule CWE-306 | cwe [306]",
        ],
    );
    check(
        "usual-fixes",
        &[
            "Medium src/a.ts:3 Described | fix Use b.",
            "Medium src/a.ts:3 Inserted | fix b()",
            "Medium src/a.ts:3 Both | fix Use b.\nb()",
            "Medium src/a.ts:3 Taken away",
        ],
    );
    check(
        "usual-baseline",
        &[
            "Medium src/a.ts:3 This is unchanged | pre-existing true",
            "Medium src/a.ts:3 This is updated | pre-existing true",
            "Medium src/a.ts:3 This is new | pre-existing false",
        ],
    );
    check(
        "usual-bag",
        &[
            "Medium src/a.ts:3 (before the change) The title | why The reason | cwe [20, 79] | evidence [\"one\", \"two\"] \
           | fix Check it. | pre-existing true | status reopened",
        ],
    );
    for claim in report("usual-suppressions").claims {
        // The log says itself which of its results are hidden; but what is only under review is not settled for us.
        let is_hidden = claim.title.as_str().contains("hidden") && !claim.title.as_str().contains("under review");
        assert_eq!(claim.status, is_hidden.then_some(Status::WontFix), "{}", claim.title);
    }
}

#[test]
fn messages_become_titles_and_reasons() {
    let rest = "The rest goes on and on. ".repeat(6);
    check(
        "usual-messages",
        &[
            "Medium src/a.ts:3 Name 'a' hides b {braces}",
            "Medium src/a.ts:3 Message 1 of the tool",
            "Medium src/a.ts:3 It depends on a value, see [docs](https://example.com).",
            "Medium src/a.ts:3 First line | why and why.",
            &format!("Medium src/a.ts:3 The first sentence is the title. | why {}", rest.trim()),
            "Medium src/a.ts:3 Plain",
        ],
    );
}

#[test]
fn runs_of_one_tool_stand_together_and_failed_ones_are_missing() {
    let several = report("usual-several-runs");
    let said: Vec<_> =
        several.claims.iter().map(|c| (c.reviewer.as_ref().unwrap().as_str(), c.title.as_str())).collect();
    assert_eq!(said, [("a", "First of a"), ("a", "Second of a"), ("b", "Of b")]);
    assert!(several.reviewers.iter().all(|reviewer| reviewer.attendance != Attendance::Missing));
    let is_missing = |case: &str| -> Vec<bool> {
        report(case).reviewers.iter().map(|reviewer| reviewer.attendance == Attendance::Missing).collect()
    };
    assert_eq!(is_missing("usual-failed-run"), [true, true, true]);
    for case in
        ["usual-null-results", "usual-no-results-at-all", "broken-invocation-unstated", "broken-invocations-object"]
    {
        assert_eq!(is_missing(case), [true], "{case}");
    }
    assert_eq!(is_missing("empty"), [false]);
}

/// Counts the results of a log as crudely as can be.
fn results(log: &Value) -> usize {
    let runs = log["runs"].as_array().map_or(&[][..], Vec::as_slice);
    runs.iter().map(|run| run["results"].as_array().map_or(0, Vec::len)).sum()
}

#[test]
fn every_result_is_accounted_for() {
    for case in jury_testkit::cases(&folder_of(sarif())) {
        let reading = read(&case.input);
        let is_twice = reading.deviations.iter().any(|deviation| deviation.reason == Reason::DuplicateKey);
        let Ok(log) = serde_json::from_slice::<Value>(&case.input) else { continue };
        // Of a name that occurs twice, serde sees only one; what is nested too deep is refused as a whole.
        if is_twice || reading.deviations.iter().any(|deviation| deviation.reason == Reason::LimitDepth) {
            continue;
        }
        let apart = reading.notes.iter().filter(|note| note.reason == Reason::NotAClaim).count();
        assert_eq!(reading.understood() + reading.rejected.len() + apart, results(&log), "{}", case.name);
    }
}

#[test]
fn fixtures_are_read_as_the_published_schema_says() {
    let schema = serde_json::from_str(PUBLISHED).expect("the published schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the published schema is one");
    // The standard lets `results` be null (§3.14.23); and we take members that it does not name.
    let laxer = ["usual-null-results", "usual-further-members", "usual-logical-location"];
    // What no schema can say: it knows neither places nor references nor contradictions.
    let beyond = [
        Reason::BadLine,
        Reason::BadName,
        Reason::BadPath,
        Reason::BadReference,
        Reason::Blank,
        Reason::EmptyDocument,
        Reason::ExternalContent,
        Reason::VerdictContradiction,
    ];
    // What this one does not say, though the standard does (§3.4.2, §3.30.1); and our own bag, where it lets everything be.
    let stricter =
        ["broken-path-empty", "broken-line-missing", "broken-region-empty", "broken-bag-values", "broken-side-unknown"];
    for case in jury_testkit::cases(&folder_of(sarif())) {
        let Ok(value) = serde_json::from_slice::<Value>(&case.input) else { continue };
        let reading = read(&case.input);
        if reading.is_conforming() && !laxer.contains(&case.name.as_str()) {
            let error = schema.validate(&value).err().map(|error| error.to_string());
            assert_eq!(error, None, "{}: conforms against the schema", case.name);
        }
        let is_twice = reading.deviations.iter().any(|deviation| deviation.reason == Reason::DuplicateKey);
        if schema.is_valid(&value) && !is_twice && !stricter.contains(&case.name.as_str()) {
            for deviation in reading.deviations {
                let code = deviation.reason.code();
                assert!(beyond.contains(&deviation.reason), "{}: the schema does not know of {code}", case.name);
            }
        }
    }
}

#[test]
fn wire_types_carry_every_conforming_log() {
    for case in jury_testkit::cases(&folder_of(sarif())) {
        // Where null is legal, it says the same as absence.
        if read(&case.input).is_conforming() && case.name != "usual-null-results" {
            let value = serde_json::from_slice(&case.input).expect("what conforms is JSON");
            check_carried::<Log>(&case.name, &value);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_valid_by_the_published_schema(report in arbitrary::report()) {
        thread_local! {
            static SCHEMA: jsonschema::Validator = {
                let schema = serde_json::from_str(PUBLISHED).expect("the published schema is JSON");
                jsonschema::validator_for(&schema).expect("the published schema is one")
            };
        }
        let text = sarif().write(&report).expect("the format is writable").text;
        let value: Value = serde_json::from_str(&text).expect("what is written is JSON");
        let error = SCHEMA.with(|schema| schema.validate(&value).err().map(|error| error.to_string()));
        prop_assert_eq!(error, None, "{}", text);
        // What GitHub's code scanning asks beyond the schema: a log with one result that is nowhere is refused as a whole.
        for result in value["runs"].as_array().into_iter().flatten().flat_map(|run| run["results"].as_array()).flatten() {
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            prop_assert!(uri.as_str().is_some_and(|uri| !uri.is_empty()), "{}", result);
        }
    }
}

fn log_of(tool: Value, results: Vec<Value>) -> Vec<u8> {
    let log = json!({"version": "2.1.0", "runs": [{"tool": {"driver": tool}, "results": results}]});
    serde_json::to_vec_pretty(&log).expect("a value is JSON")
}

#[test]
fn a_million_results_are_refused_by_the_limit() {
    let result = "{\"message\":{\"text\":\"a\"}},\n".repeat(1_000_000);
    let log = format!("{{\"version\":\"2.1.0\",\"runs\":[{{\"results\":[\n{result}{{}}]}}]}}");
    let reading = read(log.as_bytes());
    assert_eq!(reading.report, None);
    let reasons: Vec<Reason> = reading.deviations.iter().map(|deviation| deviation.reason).collect();
    assert_eq!(reasons, [Reason::LimitClaims]);
}

#[test]
fn a_small_log_cannot_say_without_end() {
    let limits = Limits { bytes: 1 << 20, ..Limits::default() };
    let long = "x".repeat(100_000);
    let tool = json!({"name": "t", "rules": [{"id": "R", "fullDescription": {"text": long}, "messageStrings": {
        "long": {"text": long}, "filled": {"text": "{0}".repeat(10_000)},
    }}]});
    let by_id = vec![json!({"ruleId": "R", "message": {"id": "long"}}); 1000];
    let described = vec![json!({"ruleId": "R", "message": {"text": "a"}}); 1000];
    let filled = vec![json!({"ruleId": "R", "message": {"id": "filled", "arguments": ["y".repeat(10_000)]}}); 10];
    for results in [by_id, described, filled] {
        let count = results.len();
        let reading = sarif().read(&log_of(tool.clone(), results), &limits);
        let said: usize = reading.report.iter().flat_map(|report| &report.claims).map(|claim| line(claim).len()).sum();
        assert!(said <= 3 << 20, "{said} bytes were made of it");
        assert_eq!(reading.understood() + reading.rejected.len(), count);
        assert!(reading.rejected.iter().all(|rejected| rejected.reason == Reason::LimitBytes));
        assert!(!reading.rejected.is_empty());
    }
}

#[test]
fn related_places_are_capped_with_a_note() {
    let places: Vec<Value> = (1..=150)
        .map(|line| json!({"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": line}}}))
        .collect();
    let result = json!({"message": {"text": "a"}, "relatedLocations": places});
    let reading = read(&log_of(json!({"name": "t"}), vec![result]));
    assert_eq!(reading.report.expect("it is understood").claims[0].related.len(), 100);
    assert_eq!(reading.notes.len(), 1);
    assert_eq!(reading.notes[0].reason, Reason::RelatedLeftOut);
}

#[test]
fn a_missing_reviewer_stays_missing_and_is_stated_once() {
    let missing = report("usual-null-results");
    let once = formats::convert(&missing, sarif()).expect("it can be said");
    let there = read(once.text.as_bytes()).report.expect("it is understood");
    assert_eq!(there.reviewers, missing.reviewers);
    assert_eq!(there.claims.len(), 1, "the gap is a claim for those who look at nothing else");
    let twice = formats::convert(&there, sarif()).expect("it can be said");
    assert_eq!(twice.text, once.text);
    assert!(once.text.contains("\"executionSuccessful\": false"));
}
