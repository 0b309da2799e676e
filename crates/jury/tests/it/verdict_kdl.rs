//! `verdict-kdl` over arbitrary reports: what is written always conforms, says the same again, and is never greener.

#![expect(clippy::unwrap_used, reason = "a test whose values cannot be made has failed")]

use jury::formats::{self, Format, Reading};
use jury::model::{
    Approval, Attendance, Claim, Confidence, Domain, Facts, GateVerdict, Line, LineRange, Location, RepoPath, Report,
    ReviewVerdict, Reviewer, Severity, Stated, Status, Title,
};
use jury::syntax::Limits;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of texts that are hard to say in one line of KDL, or that look like something else.
const PIECES: &[&str] = &[
    "a",
    "src/a.ts",
    "x.ts:3",
    "../x:3",
    "Makefile",
    "/etc/passwd:7",
    ":",
    "12",
    "0",
    "9-3",
    "—",
    " — ",
    " ",
    "  ",
    "..",
    "/",
    "\\",
    "\"",
    "\"\"\"",
    "{",
    "}",
    "/-",
    "//",
    "/*",
    "#",
    ";",
    "=",
    "\n",
    "\r\n",
    "\t",
    "\u{0}",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{feff}",
    "\u{a0}",
    "é",
    "🚀",
    "note:",
    "\\u{41}",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(select(PIECES), 0..6).prop_map(|pieces| pieces.concat())
}

fn domain() -> impl Strategy<Value = Domain> {
    let usual = select(vec!["qa", "quality", "review"]).prop_map(|name| Domain::new(name).unwrap());
    let hostile = text().prop_map(|text| Domain::new(&text).or_else(|_| Domain::new("security")).unwrap());
    prop_oneof![usual, hostile]
}

fn location() -> impl Strategy<Value = Location> {
    let file = text().prop_map(|text| RepoPath::new(&text).or_else(|_| RepoPath::new("src/b.ts")).unwrap());
    let lines = option::of((1_i64..50, 0_i64..3)).prop_map(|lines| {
        let (start, length) = lines?;
        LineRange::new(Line::new(start).unwrap(), Line::new(start + length).unwrap()).ok()
    });
    (file, lines).prop_map(|(file, lines)| Location::new(file, lines))
}

fn confidence() -> impl Strategy<Value = Confidence> {
    (0_u32..=100).prop_map(|percent| Confidence::from_percent(percent).unwrap())
}

fn claim() -> impl Strategy<Value = Claim> {
    let title = text().prop_map(|text| Title::new(&text).or_else(|_| Title::new("a title")).unwrap());
    let status = option::of(select(Status::ALL));
    (title, select(&Severity::ALL[..]), option::of(domain()), option::of(location()), option::of(confidence()), status)
        .prop_map(|(title, severity, reviewer, location, confidence, status)| Claim {
            reviewer,
            location,
            confidence,
            status,
            ..Claim::new(title, severity)
        })
}

fn attendance() -> impl Strategy<Value = Attendance> {
    let spoke = (option::of(select(GateVerdict::ALL)), option::of(confidence()), option::of(text()))
        .prop_map(|(verdict, confidence, file)| Attendance::Spoke { verdict, confidence, file });
    prop_oneof![4 => spoke, 1 => Just(Attendance::Skipped), 1 => Just(Attendance::Missing)]
}

fn report() -> impl Strategy<Value = Report> {
    let reviewer = (domain(), attendance()).prop_map(|(name, attendance)| Reviewer { name, attendance });
    let stated = prop_oneof![
        select(GateVerdict::ALL).prop_map(Stated::Gate),
        select(ReviewVerdict::ALL).prop_map(Stated::Review),
        select(Approval::ALL).prop_map(Stated::Approval),
    ];
    let claims = prop::collection::vec(claim().prop_map(Box::new), 0..6);
    let reviewers = prop::collection::vec(reviewer, 0..4);
    (reviewers, option::of(stated), option::of(confidence()), claims, option::of(text())).prop_map(
        |(reviewers, stated, confidence, claims, task_id)| Report {
            reviewers,
            stated,
            confidence,
            claims,
            facts: Facts { task_id, ..Facts::default() },
            ..Report::default()
        },
    )
}

fn format() -> &'static Format {
    formats::by_id("verdict-kdl").unwrap()
}

fn read(text: &str) -> Reading {
    format().read(text.as_bytes(), &Limits::default())
}

/// Tells whether anything in a report keeps the gate closed.
fn is_closed(report: &Report) -> bool {
    let by_reviewer = report.reviewers.iter().any(|reviewer| match reviewer.attendance {
        Attendance::Spoke { verdict, .. } => verdict == Some(GateVerdict::Fail),
        Attendance::Missing => true,
        Attendance::Skipped => false,
    });
    let by_claim =
        report.claims.iter().any(|claim| claim.severity.is_at_least(Severity::High) && claim.status().is_unsettled());
    let by_verdict = report.stated.is_some_and(|stated| {
        ["fail", "WARN", "FAIL", "ABORT", "CHANGES_REQUESTED"].contains(&stated.to_string().as_str())
    });
    by_reviewer || by_claim || by_verdict
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_report_can_be_written(report in report()) {
        let written = format().write(&report).unwrap();
        let reading = read(&written.text);
        prop_assert!(reading.is_conforming(), "{:?}\n{}", reading.deviations, written.text);
        let again = reading.report.unwrap();
        prop_assert_eq!(again.claims.len(), written.kept.len());
        for (claim, index) in again.claims.iter().zip(&written.kept).filter(|(_, index)| **index != usize::MAX) {
            prop_assert_eq!(claim.severity == Severity::Blocker, report.claims[*index].severity.is_at_least(Severity::High));
        }
        prop_assert!(!is_closed(&report) || again.stated == Some(Stated::Gate(GateVerdict::Fail)), "{}", written.text);
        let twice = format().write(&again).unwrap();
        prop_assert_eq!(&twice.text, &written.text);
        prop_assert_eq!(read(&twice.text).report, Some(again));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), pieces in text()) {
        let limits = Limits::default();
        format().read(&bytes, &limits);
        let text = format!("verdict-summary version=1\ngate \"pass\"\n{pieces}\nreviewer {pieces}");
        formats::read(text.as_bytes(), &limits);
    }
}

#[test]
fn large_documents_are_read_in_good_time() {
    let mut text = "verdict-summary version=1\ntask-id \"t\"\ngate \"fail\"\n".to_owned();
    for reviewer in 0..200 {
        text += &format!("reviewer \"r{reviewer}\" verdict=\"fail\" confidence=\"low\" {{\n");
        (0..100).for_each(|line| text += &format!("    blocker \"src/a.ts:{} — x\"\n", line + 1));
        text += "}\n";
    }
    let reading = read(&text);
    assert!(reading.is_conforming());
    assert_eq!(reading.understood(), 20_000);
    assert_eq!(format().write(&reading.report.unwrap()).unwrap().text, text);
}

fn written(report: &Report) -> String {
    format().write(report).unwrap().text
}

/// Reads a fixture of a format.
fn fixture(id: &str, name: &str) -> Report {
    let format = formats::by_id(id).unwrap();
    let cases = jury_testkit::cases(&crate::fixtures::folder_of(format));
    let case = cases.into_iter().find(|case| case.name == name).unwrap();
    format.read(&case.input, &Limits::default()).report.unwrap()
}

#[test]
fn the_canonical_shape_is_written_as_it_is_read() {
    let text = "\
verdict-summary version=1
task-id \"abc123\"
gate \"fail\"
reviewer \"qa\" verdict=\"pass\" confidence=\"high\" file=\"qa.md\"
reviewer \"quality\" verdict=\"fail\" confidence=\"high\" file=\"quality.md\" {
    blocker \"src/handler.ts:88 — SQL string-concat with user input\"
    advisory \"src/auth.ts:42 — consider extracting role-check helper\"
}
skipped \"ts-strict\"
missing \"security\"
";
    assert_eq!(written(&read(text).report.unwrap()), text);
}

#[test]
fn other_contracts_are_grouped_by_reviewer() {
    let text = "\
verdict-summary version=1
task-id \"unknown\"
gate \"fail\"
reviewer \"security\" verdict=\"fail\" confidence=\"high\" {
    blocker \"src/db/query.ts:88 — User input is concatenated into SQL\"
}
reviewer \"api-patterns\" verdict=\"fail\" confidence=\"high\" {
    blocker \"src/api/routes.ts:45-50 — Missing error handling on async route handler\"
}
reviewer \"typescript-quality\" verdict=\"warn\" confidence=\"med\" {
    advisory \"src/types.ts:12 — `any` hides the shape of the session\"
}
reviewer \"naming\" verdict=\"pass\" confidence=\"low\" {
    advisory \"src/util/id.ts:3 — `tmp` says nothing\"
}
reviewer \"docs\" verdict=\"pass\" confidence=\"low\" {
    advisory \"README.md — The quick start names a removed flag\"
}
";
    assert_eq!(written(&fixture("code-review", "usual")), text);
    let text = "\
verdict-summary version=1
task-id \"unknown\"
gate \"pass\"
reviewer \"security\" verdict=\"pass\" confidence=\"med\"
";
    assert_eq!(written(&fixture("findings-json", "empty")), text);
}

#[test]
fn what_is_closed_stays_closed() {
    let head = "verdict-summary version=1\ntask-id \"unknown\"\ngate";
    let line = |verdict: &str| format!("reviewer \"review\" verdict=\"{verdict}\" confidence=\"med\"");
    let stated = |stated| written(&Report { stated, ..Report::default() });
    assert_eq!(stated(None), format!("{head} \"pass\"\n{}\n", line("pass")));
    assert_eq!(stated(Some(Stated::Gate(GateVerdict::Warn))), format!("{head} \"warn\"\n{}\n", line("warn")));
    let said = format!("{head} \"fail\"\n{} {{\n    blocker \"the reviewer said fail\"\n}}\n", line("fail"));
    assert_eq!(stated(Some(Stated::Gate(GateVerdict::Fail))), said);
    assert_eq!(stated(Some(Stated::Review(ReviewVerdict::Abort))), said);

    // The Blocker was settled, so it is not stated; that the reviewer failed still is.
    let name = Domain::new("qa").unwrap();
    let settled = Claim {
        reviewer: Some(name.clone()),
        status: Some(Status::WontFix),
        ..Claim::new(Title::new("settled").unwrap(), Severity::Blocker)
    };
    let spoke = Attendance::Spoke { verdict: Some(GateVerdict::Fail), confidence: None, file: None };
    let reviewers = vec![Reviewer { name, attendance: spoke }];
    let report = Report { reviewers, claims: vec![Box::new(settled)], ..Report::default() };
    assert_eq!(written(&report), said.replace("\"review\"", "\"qa\""));
    assert_eq!(format().write(&report).unwrap().kept, [usize::MAX]);
}
