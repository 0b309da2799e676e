//! What holds for any text.

use jury_rules::{SPECIALISTS, SourceFile, redact};
use proptest::prelude::*;

/// Pieces that rules look for, so that soups of them come near to matching.
const PIECES: &[&str] = &[
    "db.query(",
    "`SELECT ${",
    "}`",
    ")",
    "(",
    "{",
    "}",
    "\"",
    "'",
    "\n",
    " ",
    "+",
    "=",
    "==",
    "async ",
    "function f",
    "f();",
    "catch",
    "any",
    ": any",
    "!",
    ".find(",
    "eval(",
    "switch (a) {",
    "case 1:",
    "AKIA",
    "Q3ZX7KMN2VB4WRTY",
    "password = \"",
    "q7Zr2LmX9cVb4NwK8sTd",
    "-----BEGIN PRIVATE KEY-----",
    "é",
    "🦀",
    "\r\n",
    "\t",
    "// @ts-ignore",
    "postgres://a:",
    "@b.c.io",
    "DROP TABLE t;",
    "--",
    "eyJ",
];

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_review_never_panics_says_the_same_again_and_quotes_what_is_there(
        text in soup(),
        extension in proptest::sample::select(&["ts", "tsx", "js", "py", "go", "rs", "sql", "txt"][..]),
        touched in proptest::collection::vec((1_u32..9, 0_u32..3), 0..3),
    ) {
        let path = format!("db/migrations/a.{extension}");
        let mut touched: Vec<(u32, u32)> = touched.into_iter().map(|(start, more)| (start, start + more)).collect();
        touched.sort_unstable();
        let file = [SourceFile { path: &path, text: &text, touched: &touched }];
        for specialist in SPECIALISTS {
            let review = specialist.review(&file);
            prop_assert_eq!(&review, &specialist.review(&file));
            for finding in &review.findings.findings {
                let line = text.split('\n').nth(finding.merge.line as usize - 1);
                let quoted = finding.evidence[0].as_str();
                prop_assert!(line.is_some_and(|line| line.contains(quoted)) || quoted.starts_with("line "), "{:?}", finding);
                let is_touched = touched.iter().any(|(start, end)| (*start..=*end).contains(&finding.merge.line));
                prop_assert_eq!(finding.merge.pre_existing, !is_touched);
                prop_assert!(finding.merge.title.chars().count() <= 100);
            }
        }
    }

    #[test]
    fn what_is_redacted_stays_as_it_is(text in soup()) {
        let once = redact(&text).into_owned();
        prop_assert_eq!(&redact(&once), &once);
    }
}
