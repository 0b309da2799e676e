//! Structured data with words that nobody knows: what holds a blocking finding that a person can read is never clear, and what
//! states plainly that nothing blocks is.
//!
//! And text of any kind: it may be refused, it never ends the program.

use jury::formats;
use jury::intake::{self, Intake};
use jury::syntax::Limits;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn taken(text: &str) -> Intake {
    intake::take(text.as_bytes(), None, &Limits::default())
}

#[rustfmt::skip]
const CLOSED: &[&str] = &[
    // Members with names that mean nothing.
    r#"{"verdict":"pass","findings":[],"hotspots":[{"gravity":"scorching","headline":"Lock held across await","spot":"src/a.ts:12"}]}"#,
    r#"{"verdict":"pass","findings":[],"dealbreakers":["Lock held across await in src/a.ts:12"]}"#,
    r#"{"verdict":"pass","findings":[],"ledger":{"hot":{"text":"The lock is held across an await","file":"src/a.ts","line":12}}}"#,
    r#"{"review":{"areas":{"concurrency":{"hot":[{"what":"Lock held across await","at":"src/a.ts:12"}]}}},"verdict":"pass"}"#,
    "verdict: pass\nfindings: []\ndealbreakers:\n  - what: Lock held across await\n    where: src/a.ts:12\n",
    "verdict = \"pass\"\nfindings = []\n\n[[hazards]]\nheat = \"boiling\"\ntext = \"The lock is held across an await\"\nfile = \"src/a.ts\"\n",
    "<review verdict=\"pass\"><findings/><hazard heat=\"boiling\" file=\"src/a.ts\" line=\"12\">The lock is held</hazard></review>",
    "gravity,headline,spot\nscorching,Lock held across await,src/a.ts:12\n",
    // Scales that nobody explains.
    r#"{"findings":[{"severity":"Tier 1","title":"Lock held","file":"a.ts","line":3},{"severity":"Tier 4","title":"Nit","file":"a.ts","line":9}]}"#,
    r#"{"findings":[{"severity":1,"title":"Lock held","file":"a.ts","line":3}]}"#,
    r#"{"findings":[{"color":"red","title":"Lock held","file":"a.ts","line":3}]}"#,
    r#"{"findings":[{"weight":10,"title":"Lock held","file":"a.ts","line":3}]}"#,
    "severity,title,file,line\nlow,Nit,src/b.ts,3\nBoiling,Lock held,src/a.ts,12\n",
    // Verdicts.
    r#"{"verdict":"negatory","findings":[]}"#,
    r#"{"verdict":{"outcome":"nope"},"findings":[]}"#,
    r#"{"findings":[],"recommendation":"Do not ship this until the lock in src/a.ts:12 is released"}"#,
    // Pairs, maps and columns.
    r#"{"findings":[{"nit":"typo in readme"},{"MUST":"fix the lock in src/a.ts:12"}]}"#,
    r#"{"verdict":"pass","findings":{"src/a.ts":["line 12: the lock is held across an await"]}}"#,
    r#"[["gravity","headline","spot"],["scorching","Lock held across await","src/a.ts:12"]]"#,
    // Documents of two formats, in either order.
    "{\"verdict\":\"pass\",\"findings\":[]}\n---\nfindings:\n  - severity: High\n    title: Lock held\n    file: a.ts\n",
    "findings:\n  - severity: High\n    title: Lock held\n    file: a.ts\n---\n{\"verdict\":\"pass\",\"findings\":[]}\n",
    "{\"verdict\":\"pass\",\"findings\":[]}\n<finding><severity>High</severity><title>Lock held</title><file>a.ts</file></finding>\n",
    "{\"verdict\":\"pass\",\"findings\":[]}\n\nseverity,title,file\nhigh,Lock held,a.ts\n",
    // No reviews.
    "def review():\n    \"\"\"No findings.\"\"\"\n    return {\"verdict\": \"pass\", \"findings\": []}\n",
    "const RESULT = {\"verdict\": \"pass\", \"findings\": []};\n",
    r#"{"openapi":"3.0.0","info":{"title":"Reviews"},"paths":{"/findings":{"get":{"responses":{"200":{"description":"ok"}}}}}}"#,
    r#"{"name":"x","version":"1.0.0","scripts":{"test":"jest"},"dependencies":{"a":"1"}}"#,
    // Confidences that are none.
    r#"{"findings":[{"severity":"High","title":"Lock held","file":"a.ts","line":3,"confidence":{"value":12}}]}"#,
    r#"{"findings":[{"severity":"High","title":"Lock held","file":"a.ts","line":3,"confidence":"0x10"}]}"#,
    // One list of returns of 004, one of which says more than its findings.
    r#"[{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[]},{"reviewer":"b","findings":[],"residual_risks":["BLOCKER: the lock is held across an await (src/a.ts:12)"],"testing_gaps":[]}]"#,
    r#"[{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[]},{"reviewer":"b","findings":[],"residual_risks":[],"testing_gaps":[],"verdict":"fail"}]"#,
    r#"[{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[]},{"reviewer":"b","findings":[],"residual_risks":[],"testing_gaps":[],"dealbreakers":["Lock held across await in src/a.ts:12"]}]"#,
];

#[rustfmt::skip]
const CLEAR: &[&str] = &[
    r#"{"verdict":"pass","findings":[],"counts":{"critical":0,"high":0,"medium":0,"low":0}}"#,
    r#"{"findings":{"critical":0,"high":0,"medium":0}}"#,
    r#"{"verdict":"pass","findings":"None from a design perspective."}"#,
    r#"{"verdict":"pass","blockers":"None","findings":"No issues found."}"#,
    r#"{"critical":[],"high":[],"medium":[],"verdict":"approve"}"#,
    r#"{"verdict":"pass","findings":[],"stats":{"files":12,"lines":340,"duration_s":12.5}}"#,
    r#"{"verdict":"pass","findings":[],"files_reviewed":["src/a.ts","src/b.ts"]}"#,
    r#"{"verdict":"pass","findings":[],"changes":[{"file":"src/a.ts","summary":"adds the lock to the store"}]}"#,
    r#"{"verdict":"pass","findings":[],"checks":[{"name":"tests","status":"passed","detail":"All 231 tests ran and passed"}]}"#,
    "verdict: pass\nfindings: []\nsummary: The change adds a lock to the store.\ncounts:\n  critical: 0\n  high: 0\n",
    "Result: {\"verdict\":\"pass\",\"findings\":[]}\n",
    r#"[{"reviewer":"a","findings":[],"residual_risks":["The lock may be slow under load"],"testing_gaps":[]},{"reviewer":"b","findings":[],"residual_risks":[],"testing_gaps":["No test of the timeout"]}]"#,
];

#[test]
fn what_nobody_knows_is_never_clear() {
    for text in CLOSED {
        assert!(!taken(text).is_clear(), "{text}");
    }
}

#[test]
fn what_states_plainly_that_nothing_blocks_is_clear() {
    for text in CLEAR {
        let intake = taken(text);
        assert!(intake.is_clear(), "{text}: {:?}", intake.gaps);
    }
}

#[test]
fn returns_in_one_list_are_what_they_are_alone() {
    let alone = |title: &str, line: u32, risks: &str| {
        format!(
            r#"{{"reviewer":"r{line}","findings":[{{"title":"{title}","severity":"P1","file":"src/a.ts","line":{line},"why_it_matters":"w","autofix_class":"manual","owner":"human","requires_verification":true,"suggested_fix":null,"confidence":75,"evidence":["e"],"pre_existing":false,"settled_conflict":"KTD-3","trace":[[1,2]]}}],"residual_risks":[{risks}],"testing_gaps":["t"]}}"#
        )
    };
    let [one, two] = [alone("A", 3, ""), alone("B", 4, r#""slow under load""#)];
    let reports = taken(&format!("[{one},{two}]")).reports;
    let expected = [one, two].map(|text| formats::read(text.as_bytes(), &Limits::default()).1.report);
    assert_eq!(reports.into_iter().map(Some).collect::<Vec<_>>(), expected);
}

/// Parts of documents, and letters that take more than one byte.
const PIECES: &[&str] = &[
    "<",
    "</",
    ">",
    "/>",
    "é",
    "</é",
    "<é>",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ":",
    ",",
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    "- ",
    "* ",
    "# ",
    "### ",
    "**",
    "`",
    "```",
    "```json\n",
    "|",
    "|---|",
    "1. ",
    "[High]",
    "High",
    "severity",
    "severity: ",
    "findings",
    "\"findings\":",
    "[[findings]]\n",
    "title = ",
    "= ",
    "verdict: ",
    "pass",
    "fail",
    "src/a.ts:3",
    "ß",
    "漢字",
    "🚨",
    "\u{200b}",
    "\u{feff}",
    "\u{2028}",
    "İ",
    "ﬁ",
    "—",
    "…",
    "\u{301}",
    "---\n",
    "%",
    "\\",
    "\\u00e9",
    "&quot;",
    "<!--",
    "-->",
    "<finding>",
    "</finding>",
    "<severity>",
    "x",
    "0",
    "12",
    "null",
    "(",
    ")",
    "→",
    "\r\n",
    "\u{1b}[31m",
    "> ",
    "K\u{212a}",
    "ſ",
];

proptest! {
    #[test]
    fn no_text_ends_the_program(pieces in vec(prop_oneof![8 => select(PIECES).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)], 0..24)) {
        let text = pieces.concat();
        let intake = taken(&text);
        for span in intake.gaps.iter().map(|gap| gap.span).chain(intake.repairs.iter().map(|repair| repair.span)) {
            prop_assert!(span.start <= span.end, "{text:?}");
        }
        formats::read(text.as_bytes(), &Limits::default());
    }
}
