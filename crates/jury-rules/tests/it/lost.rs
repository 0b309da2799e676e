//! What a change takes away: raised once for a file, and only where it is really gone.

use jury_rules::{Before, Review, SourceFile, Trees, by_domain};

const TWO: &str = "it('adds', () => { expect(f()).toBe(1); });\nit('ends', () => { expect(g()).toBe(1); });\n";
const ONE: &str = "it('ends', () => { expect(g()).toBe(1); });\n";

fn review(after: &[(&str, &str)], before: &[(&str, &str)]) -> Review {
    let files: Vec<_> = after.iter().map(|(path, text)| SourceFile { path, text, touched: &[] }).collect();
    let before: Vec<_> = before.iter().map(|(path, text)| Before { path, text }).collect();
    by_domain("testing").unwrap().review_since(&Trees::default(), &files, &before)
}

fn gone(after: &[(&str, &str)], before: &[(&str, &str)]) -> Vec<String> {
    let findings = review(after, before).findings.findings;
    findings.into_iter().flat_map(|finding| finding.evidence).collect()
}

#[test]
fn a_test_that_is_gone_is_raised_on_the_repository() {
    let findings = review(&[("a.test.ts", ONE)], &[("a.test.ts", TWO)]).findings.findings;
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.merge.file.as_str(), finding.merge.line, finding.merge.pre_existing), (".", 1, false));
    assert_eq!(finding.merge.title, "Tests are gone: `'adds'`");
    assert_eq!(finding.evidence, ["gone from a.test.ts: 'adds'"]);
}

#[test]
fn a_deleted_file_takes_its_tests_with_it_unless_what_it_tested_goes_too() {
    assert_eq!(gone(&[], &[("src/a.test.ts", TWO)]), ["gone from src/a.test.ts: 'adds', 'ends'"]);
    assert_eq!(gone(&[], &[("src/a.test.ts", TWO), ("src/a.ts", "export const f = 1;")]), [""; 0]);
    assert_eq!(gone(&[], &[("src/a.test.ts", TWO), ("src/b.ts", "export const f = 1;")]).len(), 1);
}

#[test]
fn what_was_moved_renamed_or_added_is_not_gone() {
    assert_eq!(gone(&[("a.test.ts", TWO)], &[("a.test.ts", ONE)]), [""; 0]);
    assert_eq!(gone(&[("a.test.ts", ONE), ("b.test.ts", TWO)], &[("a.test.ts", TWO)]), [""; 0]);
    assert_eq!(gone(&[("a.test.ts", &TWO.replace("adds", "sums"))], &[("a.test.ts", TWO)]), [""; 0]);
    assert_eq!(gone(&[("a.test.ts", TWO)], &[]), [""; 0]);
    assert_eq!(gone(&[("a.test.ts", &"[".repeat(9_000))], &[("a.test.ts", TWO)]), [""; 0]);
}
