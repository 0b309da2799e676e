//! Reports nobody would write: every field present or absent, every text as hostile as the formats have to bear.

use jury::model::{
    Approval, Attendance, AutofixClass, Category, Claim, Column, CommitSha, Confidence, Domain, Evidence, Facts,
    GateVerdict, Line, LineRange, Location, Mode, Owner, RepoPath, Report, ReviewId, ReviewVerdict, Reviewer,
    ScopeKind, Severity, Side, Stated, Status, Support, Timestamp, Title,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Fragments that mean something to some format.
const FRAGMENTS: &[&str] = &[
    "SQL string-concat with user input",
    "é ü 裁決",
    "```",
    "````yaml",
    "~~~",
    "---",
    "***",
    "# x",
    "### F002: [High/Error] x",
    "**Evidence:**",
    "**File:** `a:1`",
    "## Reviewer Notes",
    "<!-- jury: {} -->",
    "-->",
    "<script>",
    "&lt;",
    "&#65;",
    "\\",
    "\\n",
    "\"",
    "'",
    "`",
    "``",
    "|",
    "[a](b)",
    "![x](y)",
    "@org/team",
    "{",
    "}",
    "/*",
    "*/",
    "//",
    "- ",
    "> ",
    "1. ",
    ": ",
    " #",
    "verdict: pass",
    "blocker: x",
    "advisory: y",
    "evidence: z",
    "verdict-file: q",
    "qa_report:",
    "src/a.ts:88",
    "src/a.ts:0 x",
    "../x:3 boom",
    "/etc/passwd:3 — x",
    "a.ts — b",
    " — ",
    "—",
    "…",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "    ",
    "\u{0}",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "\u{2066}",
    "\u{feff}",
    "\u{e0041}",
    "\u{fffe}",
    "\u{10ffff}",
    "null",
    "true",
    "~",
    "0x1",
    "&a",
    "*a",
    "!!x",
    "%",
    "`x`",
    "_a_",
    "*b*",
];

/// A text of hostile fragments and arbitrary characters.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => select(FRAGMENTS).prop_map(str::to_owned),
        3 => "[a-zA-Z]{1,8}( [a-z]{1,8}){0,4}",
        1 => any::<char>().prop_map(String::from),
        1 => "[ -~]{0,200}",
    ];
    vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn title() -> impl Strategy<Value = Title> {
    prop_oneof!["[A-Z][a-z]{2,8}( [a-z]{2,8}){1,4}", text()]
        .prop_filter_map("a title is not blank", |text| Title::new(&text).ok())
}

fn domain() -> impl Strategy<Value = Domain> {
    prop_oneof![
        4 => select(vec!["security", "typescript-quality", "qa", "correctness"]).prop_map(str::to_owned),
        1 => text(),
    ]
    .prop_filter_map("a domain is a short line", |text| Domain::new(&text).ok())
}

fn path() -> impl Strategy<Value = RepoPath> {
    prop_oneof![
        4 => "[a-z]{1,6}(/[a-z]{1,6}){0,2}\\.(ts|rs|py|md)",
        1 => "[a-z]{1,4}",
        1 => text(),
    ]
    .prop_filter_map("a path stays inside", |text| RepoPath::new(&text).ok())
}

fn lines() -> impl Strategy<Value = LineRange> {
    let number = prop_oneof![1_i64..500, Just(i64::from(u32::MAX))];
    (number, 0_i64..40).prop_map(|(start, length)| {
        let line = |number: i64| Line::new(number.min(i64::from(u32::MAX))).expect("a number from 1 on is a line");
        LineRange::new(line(start), line(start + length)).expect("the end is not before the start")
    })
}

fn location() -> impl Strategy<Value = Location> {
    let column = option::of((1_i64..300).prop_map(|number| Column::new(number).expect("a column")));
    (path(), option::of(lines()), column, select(Side::ALL)).prop_map(|(file, lines, column, side)| Location {
        file,
        // A column is one of a line.
        column: column.filter(|_| lines.is_some()),
        lines,
        side,
    })
}

fn confidence() -> impl Strategy<Value = Confidence> {
    prop_oneof![
        (0_u32..=100).prop_map(|percent| Confidence::from_percent(percent).expect("a percent")),
        (0_u32..=1_000_000).prop_map(|millionths| {
            let fraction = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
            Confidence::from_fraction(&fraction).expect("a fraction")
        }),
    ]
}

prop_compose! {
    fn support()(
        reviewers in vec(domain(), 0..3),
        independent_reviewers in vec(domain(), 0..3),
        (independence_verified, promoted) in (any::<Option<bool>>(), any::<Option<bool>>()),
        (settled_conflict, first_evidence, ignored) in (option::of(text()), option::of(text()), option::of(text())),
        ignored_at in option::of((1_i64..500).prop_map(|number| Line::new(number).expect("a line"))),
    ) -> Support {
        Support {
            reviewers,
            independent_reviewers,
            independence_verified,
            promoted,
            settled_conflict,
            first_evidence,
            ignored,
            ignored_at,
        }
    }
}

prop_compose! {
    fn claim()(
        (reviewer, title, severity, confidence, location) in
            (option::of(domain()), title(), select(&Severity::ALL[..]), option::of(confidence()), option::of(location())),
        (category, why, evidence, fix) in
            (option::of(select(Category::ALL)), option::of(text()), vec(text(), 0..3), option::of(text())),
        (rule, cwe, related, trace) in (
            option::of(text()),
            proptest::collection::btree_set(1_u32..1500, 0..3),
            vec(location(), 0..3),
            vec(lines(), 0..3).prop_map(LineRange::joined),
        ),
        (autofix, owner, requires_verification, pre_existing) in
            (option::of(select(AutofixClass::ALL)), option::of(select(Owner::ALL)), any::<Option<bool>>(), any::<Option<bool>>()),
        (status, system_breaking, support) in (option::of(select(Status::ALL)), any::<bool>(), option::of(support())),
    ) -> Claim {
        Claim {
            reviewer, title, severity, confidence, location, category, rule, cwe: cwe.into_iter().collect(), related, trace,
            why, evidence, fix, autofix, owner,
            requires_verification, pre_existing, status, system_breaking, support: support.map(Box::new),
        }
    }
}

fn attendance() -> impl Strategy<Value = Attendance> {
    let spoke = (option::of(select(GateVerdict::ALL)), option::of(confidence()), option::of(text()))
        .prop_map(|(verdict, confidence, file)| Attendance::Spoke { verdict, confidence, file });
    prop_oneof![4 => spoke, 1 => Just(Attendance::Skipped), 1 => Just(Attendance::Missing)]
}

fn stated() -> impl Strategy<Value = Stated> {
    prop_oneof![
        select(ReviewVerdict::ALL).prop_map(Stated::Review),
        select(GateVerdict::ALL).prop_map(Stated::Gate),
        select(Approval::ALL).prop_map(Stated::Approval),
    ]
}

fn sha() -> impl Strategy<Value = CommitSha> {
    "[0-9a-f]{40}".prop_map(|text| CommitSha::new(&text).expect("forty digits"))
}

prop_compose! {
    fn facts()(
        (review_id, timestamp, scope, target) in (
            option::of("[0-9a-f]{8}".prop_map(|text| ReviewId::new(&text).expect("eight digits"))),
            option::of(select(vec!["2026-02-16T14:30:00Z", "2024-02-29T23:59:59.5+02:00"])
                .prop_map(|text| Timestamp::new(text).expect("a timestamp"))),
            option::of(select(ScopeKind::ALL)),
            option::of(text()),
        ),
        (mode, report_path, title) in (option::of(select(Mode::ALL)), option::of(path()), option::of(text())),
        (reviewed_sha, base_sha, files_reviewed) in (option::of(sha()), option::of(sha()), option::of(vec(path(), 0..4))),
        (re_review_required, notes, task_id, verdict_file) in
            (any::<Option<bool>>(), option::of(text()), option::of(text()), option::of(text())),
        (model, independence_verified) in (option::of(text()), any::<Option<bool>>()),
    ) -> Facts {
        Facts {
            review_id, timestamp, scope, target, mode, report_path, title, reviewed_sha, base_sha, files_reviewed,
            re_review_required, notes, task_id, verdict_file, model, independence_verified,
        }
    }
}

prop_compose! {
    /// A report that no single format can say.
    pub(crate) fn report()(
        reviewers in vec((domain(), attendance()).prop_map(|(name, attendance)| Reviewer { name, attendance }), 0..4),
        stated in option::of(stated()),
        confidence in option::of(confidence()),
        claims in vec(claim().prop_map(Box::new), 0..6),
        evidence in option::of(prop_oneof![text().prop_map(Evidence::Path), text().prop_map(Evidence::Inline)]),
        residual_risks in vec(text(), 0..3),
        testing_gaps in vec(text(), 0..3),
        facts in facts(),
    ) -> Report {
        Report { reviewers, stated, confidence, claims, evidence, residual_risks, testing_gaps, facts }
    }
}
