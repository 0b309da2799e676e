//! The law of 002's twins: JSON → Markdown → JSON is the identity, whatever the texts hold, and nothing that cannot be
//! seen stands raw in the Markdown.

use jury::formats::{self, Format, Reading};
use jury::model::{
    Approval, Category, Claim, CommitSha, Domain, Facts, Line, LineRange, Location, RepoPath, Report, Severity, Side,
    Stated, Status, Tally, Title,
};
use jury::syntax::Limits;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What a text is made of to do harm: Markdown that acts, the template's own lines, what cannot be seen.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "word", "x", "é", "漢", "👩\u{200d}💻", "⚠\u{fe0f}", " ", "  ", "    ", "\t", "\n", "\n\n", "\r", "\r\n", "\\",
    "\\n", "`", "``", "```", "````", "~", "~~~", "~~", "*", "**", "_", "__", "#", "## ", "> ", "- ", "-", "--",
    "---", "-->", "<!--", "<!-- jury: {} -->", "+ ", "1. ", "1) ", "=", "===", "|", "|-|", ":-:", "[", "]", "](",
    "](u)", "]:", "[a]: b", "![", "!", "<", "<b>", "</b>", "<a@b.c>", "&", "&amp;", "&#10;", "&#x41;", "&copy;",
    ";", "https://a.b", "www.a.b", ":", "/", "\0", "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{200b}", "\u{202e}",
    "\u{2066}", "\u{2028}", "\u{feff}", "\u{e0041}", "\\u{202e}", "\\u{d}", "**Evidence:**", "**File:** `a:1`",
    "**Suggested Fix:**", "**Verdict:** APPROVED", "### F002: [High/Error] x", "## Findings", "## Reviewer Notes",
    "# Code Review: x", "\u{a0}", "\u{3164}", "\"", "'", "$x$", "{", "}", "(", ")", "a_b", "0", "12", ".",
];

fn hostile() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(select(PIECES), 0..12).prop_map(|pieces| pieces.concat());
    prop_oneof![6 => pieces, 1 => any::<String>(), 1 => Just("x ".repeat(3000))]
}

/// A text that says something, which is what 002 can say.
fn said() -> impl Strategy<Value = String> {
    hostile().prop_map(|text| if text.trim().is_empty() { format!("{text}.") } else { text })
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn title() -> impl Strategy<Value = Title> {
    said().prop_map(|text| {
        let line: String = text.replace(is_line_break, "").chars().take(80).collect();
        Title::new(&line).unwrap_or_else(|_| Title::new("x").expect("x is not blank"))
    })
}

fn path() -> impl Strategy<Value = RepoPath> {
    let ending = select(&["", ".ts", ".rs", ".MD", "`", " ", "\n"][..]);
    (hostile(), ending).prop_map(|(text, ending)| {
        let text: String = text.replace(['\0', '\\'], "").chars().take(300).collect();
        RepoPath::new(&format!("{text}{ending}")).unwrap_or_else(|_| RepoPath::new("src/a.ts").expect("that is a path"))
    })
}

fn location() -> impl Strategy<Value = Location> {
    let line =
        prop_oneof![1_u32..50, Just(u32::MAX)].prop_map(|line| Line::new(i64::from(line)).expect("these are lines"));
    (path(), line.clone(), option::of(line), select(Side::ALL)).prop_map(|(file, start, end, side)| {
        let lines = LineRange::new(start, end.unwrap_or(start)).unwrap_or(LineRange::single(start));
        Location { side, ..Location::new(file, Some(lines)) }
    })
}

fn claim() -> impl Strategy<Value = Claim> {
    let severity = select(&Severity::ALL[..]);
    let texts = (option::of(said()), said(), option::of(said()));
    (title(), severity, select(Category::ALL), option::of(location()), texts).prop_map(
        |(title, severity, category, location, (why, evidence, fix))| {
            let needs_reason = severity.is_at_least(Severity::High);
            Claim {
                category: Some(category),
                location,
                why: why.or_else(|| needs_reason.then(|| "breaks".to_owned())),
                evidence: vec![evidence],
                fix,
                ..Claim::new(title, severity)
            }
        },
    )
}

fn commit() -> impl Strategy<Value = Option<CommitSha>> {
    option::of("[0-9a-f]{39}[1-9a-f]".prop_map(|text| CommitSha::new(&text).expect("that is a commit")))
}

/// Every kind of report that the contract can say.
fn report() -> impl Strategy<Value = Report> {
    let claims = prop::collection::vec(claim().prop_map(Box::new), 0..4);
    let files = prop::collection::vec(path(), 0..4);
    (claims, any::<bool>(), commit(), commit(), files, any::<bool>(), option::of(said())).prop_map(
        |(claims, upgrades, reviewed_sha, base_sha, files, re_review_required, notes)| {
            let verdict = match Tally::of_claims(&claims, |_| true).approval() {
                Approval::Commented if upgrades => Approval::Approved,
                verdict => verdict,
            };
            let facts = Facts {
                reviewed_sha,
                base_sha,
                files_reviewed: Some(files),
                re_review_required: Some(re_review_required),
                notes,
                ..Facts::default()
            };
            Report { stated: Some(Stated::Approval(verdict)), claims, facts, ..Report::default() }
        },
    )
}

fn format(id: &str) -> &'static Format {
    formats::by_id(id).expect("the format is in the table")
}

fn write(id: &str, report: &Report) -> String {
    format(id).write(report).expect("the format is written").text
}

fn read(id: &str, text: &str) -> Reading {
    format(id).read(text.as_bytes(), &Limits::default())
}

/// Reads a text that has to conform.
fn understood(id: &str, text: &str) -> Report {
    let reading = read(id, text);
    assert_eq!(reading.deviations, [], "in\n{text}");
    reading.report.expect("what conforms is understood")
}

fn is_dangerous(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\n' | '\t');
    is_control
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the input of a case of the fixtures.
fn fixture(case: &str) -> String {
    let cases = jury_testkit::cases(&crate::fixtures::folder_of(format("review-md")));
    let case = cases.into_iter().find(|found| found.name == case).expect("the case is there");
    String::from_utf8(case.input).expect("the case is UTF-8")
}

#[test]
fn the_example_of_the_seed_is_canonical() {
    let example = fixture("seed-markdown-output");
    assert_eq!(write("review-md", &understood("review-md", &example)), example);
}

#[test]
fn exact_code_counts_as_long_as_it_is_what_is_shown() {
    let evidence = |case| understood("review-md", &fixture(case)).claims[0].evidence.clone();
    assert_eq!(evidence("usual-exact"), ["a\r\nb\u{202e}"]);
    assert_eq!(evidence("usual-stale-exact"), ["a\nb, edited"]);
}

#[test]
fn prose_is_read_as_it_is_meant() {
    let escaped = understood("review-md", &fixture("usual-escaped-prose"));
    assert_eq!(escaped.claims[0].title.as_str(), "**bold** <b> \u{202e}x");
    let why = "## Reviewer Notes\n\n---\n**Evidence:**\n```\n    indented\\";
    assert_eq!(escaped.claims[0].why.as_deref(), Some(why));
    assert_eq!(escaped.facts.notes.as_deref(), Some("### F003: [High/Error] no finding\n<!-- jury: {} -->"));
    let markdown = understood("review-md", &fixture("usual-markdown-prose"));
    let why = "Because:\n\n- `a\\.b` is **wrong**\n- see [docs](https://example.com)\n\n```ts\n## Findings\n---\n```\n\n> quoted";
    assert_eq!(markdown.claims[0].why.as_deref(), Some(why));
}

#[test]
fn file_names_are_read_as_they_are_shown() {
    let files = understood("review-md", &fixture("usual-file-names")).facts.files_reviewed.unwrap_or_default();
    assert_eq!(files.iter().map(RepoPath::as_str).collect::<Vec<_>>(), ["a`b.ts", "`x`", "a\nb.ts", " lead", "  "]);
}

#[test]
fn ids_go_on_after_the_hundreds() {
    let claim = Claim::new(Title::new("x").unwrap(), Severity::Low);
    let report = Report { claims: vec![Box::new(claim); 1001], ..Report::default() };
    for (id, last) in [("review-json", "\"id\": \"F1001\""), ("review-md", "### F1001: ")] {
        let text = write(id, &report);
        assert!(text.contains(last) && text.contains("F999") && !text.contains("F0999"));
        assert_eq!(understood(id, &text).claims.len(), 1001);
    }
}

#[test]
fn what_nobody_said_is_filled_in() {
    let claim = |severity, reviewer: &str| Claim {
        reviewer: Some(Domain::new(reviewer).unwrap()),
        ..Claim::new(Title::new("first\nsecond").unwrap(), severity)
    };
    let settled = Claim { status: Some(Status::Verified), ..claim(Severity::Blocker, "qa") };
    let fixed = Claim { status: Some(Status::Fixed), ..claim(Severity::High, "security") };
    let others = ["performance", "qa", "testing", "docs", "typescript-quality", "style", "correctness"];
    let claims = [settled, fixed].into_iter().chain(others.map(|reviewer| claim(Severity::Info, reviewer)));
    let claims = claims.map(Box::new).collect();
    let written = format("review-json").write(&Report { claims, ..Report::default() }).unwrap();
    assert_eq!(written.kept, [1, 2, 3, 4, 5, 6, 7, 8]);
    let report = understood("review-json", &written.text);
    let categories: Vec<&str> = report.claims.iter().filter_map(|claim| claim.category).map(Category::token).collect();
    assert_eq!(categories, ["Security", "Perf", "Test", "Test", "Doc", "Type", "Style", "Logic"]);
    assert_eq!(report.stated, Some(Stated::Approval(Approval::ChangesRequested)));
    assert_eq!(
        report.facts,
        Facts { files_reviewed: Some(vec![]), re_review_required: Some(false), ..Facts::default() }
    );
    let first = &report.claims[0];
    assert_eq!((first.title.as_str(), first.location.as_ref()), ("first second", None));
    assert_eq!((first.why.as_deref(), &first.evidence[..]), (Some("first\nsecond"), &["first\nsecond".to_owned()][..]));
    assert_eq!(report.claims[1].why, None);
}

proptest! {
    #[test]
    fn json_to_markdown_to_json_is_the_identity(report in report()) {
        let json = write("review-json", &report);
        prop_assert_eq!(&understood("review-json", &json), &report);
        let markdown = write("review-md", &report);
        let again = understood("review-md", &markdown);
        prop_assert_eq!(&again, &report);
        prop_assert_eq!(write("review-json", &again), json);
        prop_assert_eq!(write("review-md", &again), markdown);
    }

    #[test]
    fn titles_survive_markdown(report in report(), title in said(), is_stand_in in any::<bool>()) {
        let sha = report.facts.reviewed_sha.as_ref().map(|sha| sha.as_str()[..12].to_owned());
        let title = sha.filter(|_| is_stand_in).unwrap_or(title);
        let report = Report { facts: Facts { title: Some(title), ..report.facts.clone() }, ..report };
        prop_assert_eq!(understood("review-md", &write("review-md", &report)), report);
    }

    #[test]
    fn nothing_invisible_stands_raw_in_the_markdown(report in report(), title in hostile()) {
        let report = Report { facts: Facts { title: Some(title), ..report.facts.clone() }, ..report };
        let markdown = write("review-md", &report);
        prop_assert_eq!(markdown.chars().find(|c| is_dangerous(*c)), None);
    }

    #[test]
    fn line_ends_of_another_system_change_nothing(report in report()) {
        let markdown = write("review-md", &report).replace('\n', "\r\n");
        prop_assert_eq!(understood("review-md", &markdown), report);
    }

    #[test]
    fn whatever_is_written_conforms(
        report in report(),
        title in hostile(),
        blank in hostile(),
        status in option::of(select(Status::ALL)),
        stated in option::of(select(Approval::ALL)),
    ) {
        let mut report = report;
        report.stated = stated.map(Stated::Approval);
        report.facts.notes = Some(blank.clone());
        for claim in &mut report.claims {
            claim.status = status;
            claim.category = None;
            claim.why = None;
            claim.fix = Some(blank.clone());
            claim.evidence = vec![String::new(), blank.clone()];
            claim.title = Title::new(&title).unwrap_or_else(|_| claim.title.clone());
            claim.location.iter_mut().for_each(|location| location.lines = None);
        }
        let json = understood("review-json", &write("review-json", &report));
        let markdown = understood("review-md", &write("review-md", &report));
        prop_assert_eq!(json, markdown);
    }

    #[test]
    fn readers_take_any_text(text in hostile(), lines in prop::collection::vec(select(PIECES), 0..40)) {
        for text in [text, format!("# Code Review: x\n{}", lines.join("\n"))] {
            for id in ["review-json", "review-md"] {
                let reading = read(id, &text);
                prop_assert!(reading.report.is_some() || !reading.is_conforming());
            }
        }
    }

    #[test]
    fn readers_take_any_damage(
        report in report(),
        cuts in prop::collection::vec((any::<Index>(), 0_usize..30, select(PIECES)), 1..4),
    ) {
        for id in ["review-json", "review-md"] {
            let mut chars: Vec<char> = write(id, &report).chars().collect();
            for (at, length, piece) in &cuts {
                let start = at.index(chars.len() + 1);
                let end = (start + length).min(chars.len());
                chars.splice(start..end, piece.chars());
            }
            let text: String = chars.into_iter().collect();
            let reading = read(id, &text);
            prop_assert!(reading.report.is_some() || !reading.is_conforming());
            if let Some(report) = reading.report.filter(|_| reading.deviations.is_empty()) {
                // What conforms after all says what it says again.
                prop_assert_eq!(understood(id, &write(id, &report)), report);
            }
        }
    }
}
