//! Golden fixtures: `fixtures/formats/<format>/<case>/{input.*, expected.json}`, one `check` for all of them.
//!
//! Each case is read as the format of its folder, and must also be recognised as that format without being told.

use std::path::{Path, PathBuf};

use jury::formats::{self, Format, Reading};
use jury::syntax::{Limits, Position};
use serde::{Deserialize, Serialize};

/// What a case expects.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Expected {
    /// Why the case is there, for its reader.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
    /// Whether it conforms.
    conforming: bool,
    /// The verdict it states.
    verdict: Option<String>,
    /// How many findings were understood.
    findings: usize,
    /// Every reject as `code at line:column`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rejected: Vec<String>,
    /// Every deviation as `code at line:column`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deviations: Vec<String>,
    /// Every note as `code at line:column`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

pub(crate) fn folder_of(format: &Format) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats").join(format.id)
}

fn check(format: &Format) {
    let limits = Limits::default();
    for case in jury_testkit::cases(&folder_of(format)) {
        let reading = format.read(&case.input, &limits);
        let place = |code: &str, offset: usize| {
            let Position { line, column } = Position::in_bytes(&case.input, offset);
            format!("{code} at {line}:{column}")
        };
        let places =
            |list: &[jury::syntax::Deviation]| list.iter().map(|d| place(d.reason.code(), d.span.start)).collect();
        case.check(&Expected {
            about: case.about(),
            conforming: reading.is_conforming(),
            verdict: reading.report.as_ref().and_then(|report| report.stated).map(|stated| stated.to_string()),
            findings: reading.understood(),
            rejected: reading.rejected.iter().map(|r| place(r.reason.code(), r.span.start)).collect(),
            deviations: places(&reading.deviations),
            notes: places(&reading.notes),
        });
        if reading.is_conforming() {
            let (recognised, _) = formats::read(&case.input, &limits);
            // A bare `[]` says "nothing found" in every format that is an array, so it names none of them.
            let expected = (case.input.trim_ascii() != b"[]").then_some(format.id);
            assert_eq!(recognised.map(|format| format.id), expected, "case {} is taken for another format", case.name);
            check_reads_back(format, &reading, &case.name);
        }
    }
}

/// Formats in which the order of parts is free in a document, and fixed in what is written.
const ORDERED_BY_WRITING: &[&str] = &["verdict-kdl"];

/// Checks that a conforming document, written again, says the same.
pub(crate) fn check_reads_back(format: &Format, reading: &Reading, name: &str) {
    let report = reading.report.as_ref().expect("a conforming document has a report");
    if let Some(written) = format.write(report) {
        let again = format.read(written.text.as_bytes(), &Limits::default());
        assert!(again.is_conforming(), "case {name}: what is written does not conform: {:?}", again.deviations);
        if !ORDERED_BY_WRITING.contains(&format.id) {
            assert_eq!(again.report.as_ref(), Some(report), "case {name} does not read back");
        }
    }
}

/// Every format has its folder, with the usual, the empty, the largest legal, and at least fifteen broken cases.
#[test]
fn every_format_has_its_fixtures() {
    for format in formats::FORMATS {
        let names: Vec<String> = jury_testkit::cases(&folder_of(format)).into_iter().map(|case| case.name).collect();
        for name in ["usual", "empty", "largest"] {
            assert!(
                names.iter().any(|n| n == name || n.starts_with(&format!("{name}-"))),
                "{}: no `{name}` case",
                format.id
            );
        }
        let broken = names.iter().filter(|name| name.starts_with("broken-")).count();
        assert!(broken >= 15, "{}: {broken} broken cases, at least 15 wanted", format.id);
    }
}

/// The same word names the code, the fixtures, the page and the fuzz target.
#[test]
fn every_format_has_its_page_and_its_fuzz_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for format in formats::FORMATS {
        let page = root.join(format!("docs/formats/{}.md", format.id));
        let target = root.join(format!("fuzz/fuzz_targets/{}.rs", format.id.replace('-', "_")));
        for file in [page, target] {
            let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            assert!(text.contains(&format!("`{}`", format.id)), "{} does not name its format", file.display());
        }
    }
}

macro_rules! fixture_tests {
    ($($name:ident = $id:literal,)+) => {
        $(#[test] fn $name() { check(formats::by_id($id).expect("the format is in the table")); })+

        #[test]
        fn every_format_is_tested() {
            let tested = [$($id,)+];
            assert!(formats::FORMATS.iter().all(|format| tested.contains(&format.id)));
        }
    };
}

fixture_tests! {
    checkstyle = "checkstyle",
    claude_security = "claude-security",
    code_review = "code-review",
    codex_review = "codex-review",
    codex_verdict = "codex-verdict",
    eslint = "eslint",
    findings_json = "findings-json",
    gitlab_code_quality = "gitlab-code-quality",
    rdjson = "rdjson",
    rdjsonl = "rdjsonl",
    review_json = "review-json",
    legacy_report = "legacy-report",
    verdict_lines = "verdict-lines",
    verdict_pointer = "verdict-pointer",
    verdict_yaml = "verdict-yaml",
    review_md = "review-md",
    verdict_kdl = "verdict-kdl",
    sarif = "sarif",
}
