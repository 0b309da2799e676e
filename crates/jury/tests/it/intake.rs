//! Intake from outside: golden fixtures, the accounting law, and mutations that must never turn a blocker into silence.
//!
//! `fixtures/intake/<case>/{input.*, expected.json}`: what became of each output.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jury::formats::FORMATS;
use jury::intake::{self, Intake};
use jury::model::{Claim, Report};
use jury::syntax::{Limits, Position};
use jury_testkit::campaign::{cases, cases_or};
use jury_testkit::clock::cpu_time;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use crate::arbitrary;

/// What a case expects.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Expected {
    /// Why the case is there, for its reader.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
    /// What it was taken as, with the envelopes around it.
    dialect: String,
    /// Whether nothing at all stands in the way.
    clear: bool,
    /// How many claims were there.
    present: usize,
    /// Every claim as `severity | place | confidence | status | title`, report by report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    claims: Vec<String>,
    /// Every reject as `code at line:column`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rejected: Vec<String>,
    /// Every gap as `code at line:column`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<String>,
    /// Every kind of repair, sorted, with how often it was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/intake")
}

fn shown(claim: &Claim) -> String {
    let place = claim.location.as_ref().map_or("-".to_owned(), ToString::to_string);
    let confidence = claim.confidence.map_or("-".to_owned(), |confidence| confidence.percent().to_string());
    let status = claim.status.map_or("-", |status| status.token());
    format!("{} | {place} | {confidence} | {status} | {}", claim.severity, claim.title.as_str().escape_debug())
}

fn expected(about: String, input: &[u8], taken: &Intake) -> Expected {
    let place = |code: &str, offset: usize| {
        let Position { line, column } = Position::in_bytes(input, offset);
        format!("{code} at {line}:{column}")
    };
    let mut codes: Vec<&str> = taken.repairs.iter().map(|repair| repair.reason.code()).collect();
    codes.sort_unstable();
    let repairs = codes.chunk_by(|a, b| a == b).map(|same| format!("{} × {}", same[0], same.len())).collect();
    let envelopes: String = taken.envelopes.iter().map(|id| format!("{id} > ")).collect();
    Expected {
        about,
        dialect: format!("{envelopes}{}", taken.dialect.id()),
        clear: taken.is_clear(),
        present: taken.present,
        claims: taken.reports.iter().flat_map(Report::claims).map(shown).collect(),
        rejected: taken.rejected.iter().map(|reject| place(reject.reason.code(), reject.span.start)).collect(),
        gaps: taken.gaps.iter().map(|gap| place(gap.reason.code(), gap.span.start)).collect(),
        repairs,
    }
}

fn take(bytes: &[u8]) -> Intake {
    let taken = intake::take(bytes, None, &Limits::default());
    check_law(&taken, bytes);
    taken
}

/// The accounting law, and that nothing is passed over in silence.
fn check_law(taken: &Intake, bytes: &[u8]) {
    let shown = || String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(taken.understood() + taken.rejected.len(), taken.present, "the books do not add up for {}", shown());
    assert!(!taken.gaps.iter().any(|gap| gap.reason.code() == "accounting"), "{}", shown());
    assert!(taken.rejected.is_empty() || !taken.gaps.is_empty(), "a reject without a gap: {}", shown());
    assert!(!taken.reports.is_empty() || !taken.gaps.is_empty(), "nothing understood and nothing said: {}", shown());
    for span in taken.repairs.iter().map(|repair| repair.span).chain(taken.gaps.iter().map(|gap| gap.span)) {
        assert!(span.start <= span.end && span.end <= bytes.len(), "{span:?} lies outside: {}", shown());
    }
}

#[test]
fn every_case_is_taken_as_expected() {
    let cases = jury_testkit::cases(&folder());
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    for case in cases {
        assert!(!case.about().is_empty(), "{} does not say what it is about", case.name);
        case.check(&expected(case.about(), &case.input, &take(&case.input)));
    }
}

/// Inputs of all intake cases and of the formats' own fixtures.
fn any_input() -> impl Strategy<Value = Vec<u8>> {
    let folders = FORMATS.iter().map(|format| crate::fixtures::folder_of(format)).chain([folder()]);
    let inputs: Vec<Vec<u8>> = folders
        .flat_map(|folder| jury_testkit::cases(&folder))
        .map(|case| case.input)
        .filter(|input| input.len() < 16_000)
        .collect();
    proptest::sample::select(inputs)
}

type Edit = (prop::sample::Index, u8, u8, prop::sample::Index);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..7, any::<u8>(), any::<prop::sample::Index>()), 1..4)
}

/// Damages a document: flips, cuts, inserts, removes, swaps, puts lines in another order and repeats.
fn damaged(mut bytes: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    for (at, kind, byte, other) in edits {
        if bytes.is_empty() {
            return bytes;
        }
        let at = at.index(bytes.len());
        let other = other.index(bytes.len());
        match kind {
            0 => bytes[at] ^= 1 << (byte % 7),
            1 => bytes.truncate(at),
            2 => bytes.insert(at, byte % 0x60 + 0x20),
            3 => {
                bytes.remove(at);
            }
            4 => bytes.swap(at, other),
            5 => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
                let count = lines.len();
                lines.swap(at % count, other % count);
                bytes = lines.concat();
            }
            _ => {
                let (from, to) = (at.min(other), at.max(other));
                let piece: Vec<u8> = bytes[from..to.min(from + 200)].to_vec();
                bytes.splice(to..to, piece);
            }
        }
    }
    bytes
}

/// Reports whose one blocking finding is spelled so that no small damage turns it into another known word.
const BLOCKED: &[&str] = &[
    r#"{"reviewer": "security", "findings": [
  {"title": "Query text in logs", "severity": "minor", "file": "src/log.rs", "line": 4, "confidence": 75},
  {"title": "SQL injection in search", "severity": "showstopper", "file": "src/search.rs", "line": 12, "confidence": 100,
   "evidence": ["format!(\"select {q}\")"], "why_it_matters": "anyone reads everything"},
  {"title": "Naming", "severity": "cosmetic", "file": "src/names.rs", "line": 7, "confidence": 50}
], "residual_risks": [], "testing_gaps": []}
"#,
    "Here is the review.\n\n```json\n{\"issues\": [{\"issue\": \"Secrets in the log\", \"severity\": \"showstopper\", \"location\": \"src/a.rs:4\"}]}\n```\n\nThat is all.\n",
    "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"{\\\"findings\\\": [{\\\"title\\\": \\\"Race on close\\\", \\\"severity\\\": \\\"showstopper\\\", \\\"file\\\": \\\"a.rs\\\", \\\"line\\\": 3}]}\",\"num_turns\":1}",
    "# Review\n\n## Blockers\n\n- **`src/a.ts:75` (confidence: 92)**: The token is logged. Fix: drop it.\n\n## Medium\n\n- **`src/b.ts:5`**: Slow.\n",
    "verdict: needs_revision\nfindings:\n  - title: Race on close\n    severity: showstopper\n    file: src/a.rs\n    line: 3\n  - title: Naming\n    severity: cosmetic\n    file: src/b.rs\n    line: 9\n",
];

/// The same in the wrappings that reviewers put around their findings.
const WRAPPED: &[&str] = &[
    "First:\n```json\n{\"title\": \"Race on close\", \"severity\": \"showstopper\", \"file\": \"a.rs\", \"line\": 3}\n```\nSecond:\n```json\n{\"title\": \"Naming\", \"severity\": \"cosmetic\", \"file\": \"b.rs\", \"line\": 9}\n```\n",
    "severity=cosmetic file=b.rs line=9 title=\"Naming\"\nseverity=showstopper file=a.rs line=3 title=\"Race on close\"\n",
    "# Review\n\n```yaml\nverdict: reject\ndate: 2026-01-02\n```\n\n## Findings\n\n### [showstopper] Race on close\n`a.rs:3` closes twice.\n\n### [cosmetic] Naming\n`b.rs:9` is odd.\n",
];

/// Wrappings of which two damages are seen.
const WRAPPED_TIGHTLY: &[&str] = &[
    r#"[["severity","file","line","title"],["cosmetic","b.rs",9,"Naming"],["showstopper","a.rs",3,"Race on close"]]"#,
    r#"{"findings":{"src/a.rs":[{"line":3,"severity":"showstopper","message":"Race on close"}],"src/b.rs":[{"line":9,"severity":"cosmetic","message":"Naming"}]}}"#,
    r#"{"id":"c","object":"chat.completion","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"{\"findings\": [{\"title\": \"Race on close\", \"severity\": \"showstopper\", \"file\": \"a.rs\", \"line\": 3}]}"}}]}"#,
    "<review>\n<finding>\n<severity>showstopper</severity>\n<title>Race on close</title>\n<file>a.rs</file>\n</finding>\n<finding>\n<severity>cosmetic</severity>\n<title>Naming</title>\n</finding>\n</review>\n",
    "> {\n>   \"findings\": [\n>     {\"title\": \"Race on close\", \"severity\": \"showstopper\", \"file\": \"a.rs\", \"line\": 3}\n>   ]\n> }\n",
    "severity=showstopper\nfile=a.rs\nline=3\ntitle=Race on close\n\nseverity=cosmetic\nfile=b.rs\nline=9\ntitle=Naming\n",
    "findings:\n\t- title: Race: on close\n\t  severity: showstopper\n\t  file: a.rs\n\t- title: Naming\n\t  severity: cosmetic\n\t  file: b.rs\n",
    "verdict = \"warn\"\n\n[[findings]]\nseverity = \"showstopper\"\nfile = \"a.rs\"\ntitle = \"Race on close\"\n\n[[findings]]\nseverity = \"cosmetic\"\nfile = \"b.rs\"\ntitle = \"Naming\"\n",
];

/// Tells whether a blocking finding of one of the reports above is still spelled out in the damaged text.
fn still_spells_blocker(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    text.contains("showstopper") || text.lines().any(|line| line.trim() == "## blockers")
}

/// Tells whether several edits together may leave a whole document that says something else: lines change places and the
/// rest is cut off, or, in Markdown, a heading becomes another word and what stands under it moves. Nobody can see that.
fn may_leave_another_document(report: &str, edits: &[Edit]) -> bool {
    let has_cut = edits.iter().any(|(_, kind, ..)| *kind == 1);
    edits.len() > 1 && (has_cut || report.starts_with('#'))
}

fn check_damage(report: &str, edits: &[Edit]) -> Result<(), TestCaseError> {
    let bytes = damaged(report.as_bytes().to_vec(), edits);
    let taken = take(&bytes);
    let is_excused = !still_spells_blocker(&bytes) && may_leave_another_document(report, edits);
    prop_assert!(is_excused || !taken.is_clear(), "comes out clear: {}\n{taken:#?}", String::from_utf8_lossy(&bytes));
    Ok(())
}

/// 100,000 cases in a full campaign. One test for each report: they run side by side, and no two draw the same cases.
macro_rules! damage_never_turns_a_blocker_into_silence {
    ($($name:ident = $report:literal;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: cases(20_000), ..ProptestConfig::default() })]

            $(#[test]
            fn $name(edits in edits()) {
                check_damage(BLOCKED[$report], &edits)?;
            })+
        }
    };
}

damage_never_turns_a_blocker_into_silence! {
    damage_to_json_never_turns_a_blocker_into_silence = 0;
    damage_to_a_fenced_block_never_turns_a_blocker_into_silence = 1;
    damage_to_an_envelope_never_turns_a_blocker_into_silence = 2;
    damage_to_markdown_never_turns_a_blocker_into_silence = 3;
    damage_to_yaml_never_turns_a_blocker_into_silence = 4;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(2_000), ..ProptestConfig::default() })]

    #[test]
    fn one_damage_to_a_wrapping_never_hides_a_blocker_that_is_still_spelled_out(
        report in proptest::sample::select(WRAPPED), edits in edits(),
    ) {
        let bytes = damaged(report.as_bytes().to_vec(), &edits[..1]);
        let taken = take(&bytes);
        prop_assert!(
            !still_spells_blocker(&bytes) || !taken.is_clear(),
            "comes out clear: {}\n{taken:#?}",
            String::from_utf8_lossy(&bytes)
        );
    }

    #[test]
    fn two_damages_to_a_wrapping_never_hide_a_blocker_that_is_still_spelled_out(
        report in proptest::sample::select(WRAPPED_TIGHTLY), edits in edits(),
    ) {
        let bytes = damaged(report.as_bytes().to_vec(), &edits[..edits.len().min(2)]);
        let taken = take(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        // With a letter more it is a word that nobody knows, and may be a part of any text.
        let is_spelled = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "showstopper");
        prop_assert!(
            !is_spelled || !taken.is_clear(),
            "comes out clear: {}\n{taken:#?}",
            String::from_utf8_lossy(&bytes)
        );
    }

    #[test]
    fn a_cut_never_turns_a_blocker_into_silence(report in proptest::sample::select(BLOCKED), at in any::<prop::sample::Index>()) {
        let bytes = &report.as_bytes()[..at.index(report.len())];
        let taken = take(bytes);
        prop_assert!(!taken.is_clear(), "comes out clear: {}", String::from_utf8_lossy(bytes));
    }
}

/// Damages that came out clear once, found by trying all flips, losses, additions and exchanges of single letters in the wrappings.
#[test]
fn no_damage_that_hid_a_blocker_once_does_so_again() {
    for text in [
        // The tag of a severity loses a bracket, and the element around it another.
        "<review>\n<>inding>\n<severityfshowstopper</severity>\n<title>Race</title>\n</finding>\n<finding>\n<severity>cosmetic</severity>\n<title>Naming</title>\n</finding>\n</review>\n",
        "<review>\n<f<nding>\n<severity>showstopperi/severity>\n<title>Race</title>\n</finding>\n<finding>\n<severity>cosmetic</severity>\n<title>Naming</title>\n</finding>\n</review>\n",
        // The element around a finding becomes none, so that the finding before it is a part of it.
        "<review>\n<finding>\n<severity>showstopper</severity>\n<title>Race</title>\n<file>a.rs</file>\n</finding>\n<fi ding>\n<severity>cosmetic</severity>\n<title>Naming</title>\n</finding>\n</review>\n",
        // What a fence calls JSON lost its first bracket.
        "One:\n```json\ns\"title\": \"Race\", \"{everity\": \"showstopper\"}\n```\nTwo:\n```json\n{\"title\": \"Naming\", \"severity\": \"cosmetic\", \"file\": \"b.rs\"}\n```\n",
        // One letter makes a comment of a finding.
        "{\n  \"findings\": [\n #   {\"title\": \"Race\", \"severity\": \"showstopper\", \"file\": \"a.rs\"}\n  ]\n}\n",
        // A heading is torn in its tag.
        "# Review\n\n## Findings\n\n### [showstopper]\nRace\n`a.rs:3` closes twice.\n\n### [cosmetic] Naming\n`b.rs:9` is odd.\n",
        "# Review\n\n## Findings\n\n### [showstopper\n Race\n`a.rs:3` closes twice.\n\n### [cosmetic] Naming\n`b.rs:9` is odd.\n",
        "# Review\n\n## Findings\n\n### \nshowstopper] Race\n`a.rs:3` closes twice.\n\n### [cosmetic] Naming\n`b.rs:9` is odd.\n",
    ] {
        assert!(!take(text.as_bytes()).is_clear(), "{text}");
    }
}

/// Outputs that are nearly clear, and leave a doubt each.
#[test]
fn what_leaves_a_doubt_is_not_clear() {
    for text in [
        // A kind of findings that is empty says nothing of the others.
        r#"{"approved": true, "style_issues": [], "summary": "as asked"}"#,
        // What a review speaks of, or what is still to be done, is not settled.
        "# Review\n\n## Concerns addressed\n\n- [High] `a.ts:3` drops rows.\n",
        "# Review\n\n## Issues that must be resolved\n\n- [High] `a.ts:3` drops rows.\n",
        // Prose that rates one thing goes on with another.
        "# Review\n\n## Findings\n\nThe main low issue is the naming.\n\nAnyone can log in.\n",
        // Some severities are denied, and what follows has none.
        "# Review\n\n## Findings\n\nNo P0 findings.\n\n- `a.ts:3` drops rows.\n",
        "# Review\n\nNo critical or high security issues.\n\n## Findings\n\n- `a.ts:3` drops rows.\n",
        // A remark in another fence refuses.
        "```yaml\nverdict: reject\n```\n\n```json\n{\"findings\": []}\n```\n",
        // The front matter lists less than the text.
        "---\nfindings:\n  - {severity: low, title: Naming}\n---\n# Review\n\n- [P0] `a.ts:3` drops rows.\n",
    ] {
        assert!(!take(text.as_bytes()).is_clear(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases_or(512), ..ProptestConfig::default() })]

    #[test]
    fn the_books_add_up_for_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        take(&bytes);
    }

    #[test]
    fn the_books_add_up_for_any_text(text in arbitrary::text(), more in arbitrary::text()) {
        take(format!("{text}\n{more}").as_bytes());
        take(format!("```json\n{text}\n```\n{more}").as_bytes());
        take(format!("{{\"findings\": [{{\"severity\": \"P0\", \"title\": \"{text}\", \"file\": \"{more}\"}}]}}").as_bytes());
        take(format!("## High\n- {text}\n- {more}\n").as_bytes());
    }

    #[test]
    fn the_books_add_up_for_damaged_documents(input in any_input(), edits in edits()) {
        let bytes = damaged(input, &edits);
        take(&bytes);
        let tight = Limits { bytes: 4096, line_bytes: 512, depth: 6, aliases: 2, claims: 3 };
        check_law(&intake::take(&bytes, None, &tight), &bytes);
    }

    #[test]
    fn what_a_format_writes_is_taken_without_repairs(report in arbitrary::report(), at in any::<prop::sample::Index>()) {
        let writable: Vec<_> = FORMATS.iter().filter(|format| format.is_writable()).collect();
        let format = writable[at.index(writable.len())];
        let written = format.write(&report).expect("the format is writable");
        // A risk that says itself that it blocks, or is a review by itself, is more than a text, and is taken as the finding that it is.
        let is_finding = |text: &String| text.contains("blocker:") || take(text.as_bytes()).understood() > 0;
        if report.residual_risks.iter().chain(&report.testing_gaps).any(is_finding) {
            return Ok(());
        }
        // A format of lines has none for "nothing found", and an empty array names no format.
        if written.text.is_empty() || written.text.trim() == "[]" {
            return Ok(());
        }
        let taken = take(written.text.as_bytes());
        prop_assert_eq!(taken.dialect.id(), format.id);
        prop_assert!(taken.repairs.is_empty() && taken.gaps.is_empty(), "{:?}", taken);
        prop_assert_eq!(taken.understood(), written.kept.len());
    }
}

/// FAULTS 16: what is too much is refused within a second, with the limit named.
#[test]
fn limits_are_held_quickly() {
    let bomb = {
        let mut yaml = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..40 {
            yaml.push_str(&format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1));
        }
        yaml + "findings: *a39\n"
    };
    for (name, text, code) in [
        ("depth", "[".repeat(100_000), "limit-depth"),
        ("objects", "{\"findings\":".repeat(100_000), "limit-depth"),
        ("fenced depth", format!("```json\n{}\n```", "{\"findings\":[".repeat(50_000)), "limit-depth"),
        ("alias bomb", bomb, "limit-aliases"),
        ("fenced yaml depth", format!("```yaml\nfindings: {}\n```", "[".repeat(50_000)), "limit-depth"),
    ] {
        let (taken, took) = cpu_time(|| take(text.as_bytes()));
        // The promise is for what is shipped; a build without optimisation is some ten times slower.
        let allowed = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });
        assert!(took < allowed, "{name} took {took:?}");
        let codes: Vec<&str> = taken.gaps.iter().map(|gap| gap.reason.code()).collect();
        assert!(codes.contains(&code), "{name}: {codes:?}");
    }
    let many =
        format!("{{\"findings\":[{}]}}", vec![r#"{"title":"t","severity":"P3","file":"a","line":1}"#; 300].join(","));
    let taken = intake::take(many.as_bytes(), None, &Limits { claims: 100, ..Limits::default() });
    check_law(&taken, many.as_bytes());
    assert_eq!((taken.present, taken.understood()), (300, 100));
}

/// Large documents of every kind are read in time that grows with their size.
#[test]
fn reading_is_linear() {
    type Document = fn(usize) -> String;
    let documents: [(&str, Document); 6] = [
        ("json", |n| {
            format!("{{\"issues\":[{}]}}", vec![r#"{"issue":"t","severity":"high","location":"a.rs:1"}"#; n].join(","))
        }),
        ("broken json", |n| {
            format!(
                "{{\"issues\":[{}]",
                vec![r#"{"issue":"a "b" c","severity":"high","location":"a.rs:1",}"#; n].join(",")
            )
        }),
        ("braces", |n| "{\"a ".repeat(n * 4)),
        ("markdown", |n| format!("## High\n\n{}", "- **`src/a.rs:3`**: something is wrong here\n".repeat(n))),
        ("quotes", |n| format!("{{\"findings\": \"{}", "\" ".repeat(n * 10))),
        ("lines", |n| "{\"title\":\"t\",\"severity\":\"P1\"}\n".repeat(n)),
    ];
    for (name, document) in documents {
        let time = |n: usize| {
            let text = document(n);
            cpu_time(|| take(text.as_bytes())).1
        };
        let (small, large) = (time(500), time(4_000));
        // Eight times the text may take eight times as long; a square would take sixty-four times.
        assert!(large < small * 30 + Duration::from_millis(200), "{name}: {small:?} → {large:?}");
    }
}

/// A document at the limit of claims, all of them rejected, is as many gaps; they are kept in less than quadratic time.
#[test]
fn a_hundred_thousand_rejects_are_kept() {
    let line = "{\"title\": \"t\", \"severity\": \"weird\", \"file\": \"a.ts\", \"line\": 3},\n";
    let count = 60_000;
    let text = format!("{{\"reviewer\": \"qa\", \"findings\": [\n{}\n]}}", line.repeat(count).trim_end_matches(",\n"));
    let taken = take(text.as_bytes());
    assert_eq!((taken.present, taken.rejected.len()), (count, count));
    assert!(taken.gaps.len() >= count);
}

/// Outputs that list nothing and yet say, somewhere, that not all is well. None of them is clear.
#[test]
fn a_list_of_nothing_is_not_believed_over_what_stands_beside_it() {
    use jury::flows::merge::merge;
    use jury::judge::{Content, ReviewerOutput};
    use jury::model::{Domain, Outcome, Policy};
    use jury::synthesis::{Options, Source};
    let outcome = |text: &str| {
        let content = Content::Printed(text.as_bytes(), None);
        let output = ReviewerOutput {
            reviewer: Domain::unnamed(),
            content,
            source: Source::Unknown,
            weighting: None,
            asked: None,
            replaced_by: None,
        };
        merge(&[output], &[], &Options::default(), &Policy::default(), &Limits::default()).verdict.outcome
    };
    for text in [
        r#"{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[],"verdict":"fail"}"#,
        r#"{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[],"error":"timeout"}"#,
        r#"{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[],"title":"Race","severity":"P0","file":"a"}"#,
        r#"{"findings": []"title": "Race on close", "severity": "showstopper", "file": "a.rs", "line": 3}{}"#,
        r#"{"findings": []"title": "Race on close"- "severity": "showstopper", "file": "a.rs", "line": 3}{}"#,
        r#"{"findings":[],"severity":"critical","summary":"anybody can log in"}"#,
        "```json\n{\"reviewer\":\"a\",\"findings\":[],\"residual_risks\":[],\"testing_gaps\":[],\"verdict\":\"fail\"}\n```\n",
        r#"{"findings":[],"completed":false}"#,
        r#"{"findings":[],"error":"timeout"}"#,
        r#"{"issues":null,"status":"ok"}"#,
        r#"{"type":"result","subtype":"success","is_error":false,"result":"I could not review the diff. {\"findings\": []}"}"#,
        "# Review\n\nNo issues found.\n\nStatus: FAIL\n",
        "# Review\n\n## Findings\n\nThe login can be bypassed by anyone.\n\n## Summary\n\nNone.\n",
        "verdict-file: .dartai/reports/t/qa.md\nverdict: pass ()\n",
        r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}}}]}"#,
        r#"{"reviewer":"a","findings":[],"residual_risks":["I could not open the diff."],"testing_gaps":[]}"#,
        r#"{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[],"notes":"CRITICAL: anybody can log in"}"#,
        r#"{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[],"truncated":true}"#,
        r#"{"findings":[{"title":"x","severity":"low"}],"notes":["[P0] anybody can log in"]}"#,
        r#"{"findings":[{"title":"x","severity":"low"}],"summary":"The review stopped early."}"#,
        r#"{"findings":[],"status":"in_progress"}"#,
        r#"{"findings":[],"files_reviewed":0}"#,
        r#"{"findings":[],"highest_severity":"critical"}"#,
        r#"{"findings":[],"blocker_count":2}"#,
        r#"{"findings":[],"stats":{"critical":2}}"#,
        r#"{"findings":[],"ready_to_merge":"no"}"#,
        r#"{"findings":[],"merge_recommendation":"Do not merge until the token is gone."}"#,
        r#"{"total":40,"issues":[{"title":"x","severity":"low"}]}"#,
        "# Review\n\nNo issues found.\n\nI could not open 3 of the 5 files.\n",
    ] {
        assert_eq!(outcome(text), Outcome::Incomplete, "{text}");
    }
    assert_eq!(outcome(r#"{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[]}"#), Outcome::Clear);
    assert_eq!(outcome(r#"{"findings":[],"severity":"none","summary":"nothing to say"}"#), Outcome::Clear);
    for text in [
        r#"{"reviewer":"a","findings":[],"residual_risks":["Load was not tried."],"testing_gaps":["No test of the CLI"]}"#,
        r#"{"findings":[],"summary":"P0 and P1 findings of the last round are resolved.","files_reviewed":3}"#,
        r#"{"findings":[],"notes":"CRITICAL: resolved in round 2","ready_to_merge":"yes","total":0}"#,
        r#"{"findings":[{"title":"x","severity":"low"}],"status":"in progress","max_severity":"low"}"#,
    ] {
        assert_eq!(outcome(text), Outcome::Clear, "{text}");
    }
}
