//! The rewrites that rules state: what they put where, and that the finding is gone afterwards.

use jury_rules::{SPECIALISTS, SourceFile, Specialist, by_domain};

/// Applies rewrites from the end, leaving out those that overlap one that was applied.
fn rewritten(specialist: &'static Specialist, path: &str, text: &str) -> String {
    let mut rewrites = specialist.rewrites(&SourceFile { path, text, touched: &[] });
    rewrites.reverse();
    let mut text = text.to_owned();
    let mut from = text.len();
    for rewrite in rewrites {
        if rewrite.span.end <= from {
            from = rewrite.span.start;
            text.replace_range(rewrite.span, &rewrite.replacement);
        }
    }
    text
}

#[test]
fn a_rewrite_puts_what_is_meant_in_the_place_of_the_finding() {
    for (domain, path, before, after) in [
        ("typescript-quality", "a.ts", "if (total === NaN) f();", "if (Number.isNaN(total)) f();"),
        ("typescript-quality", "a.ts", "x = Number.NaN != a.b(1);", "x = !Number.isNaN(a.b(1));"),
        ("typescript-quality", "a.ts", "throw `no ${id}`;", "throw new Error(`no ${id}`);"),
        ("typescript-quality", "a.test.ts", "describe.only('a', () => {});", "describe('a', () => {});"),
        ("typescript-quality", "a.test.ts", "it.only.each([1])('a', f);", "it.each([1])('a', f);"),
        ("typescript-quality", "a.test.ts", "fit('a', f); fdescribe('b', g);", "it('a', f); describe('b', g);"),
        ("typescript-quality", "a.ts", "if (list.length == 0) f();", "if (list.length === 0) f();"),
        (
            "typescript-quality",
            "a.ts",
            "let a: number[] = b; a.sort();",
            "let a: number[] = b; a.sort((a, b) => a - b);",
        ),
        (
            "typescript-quality",
            "a.ts",
            "await ids.map(async (a) => f(a));",
            "await Promise.all(ids.map(async (a) => f(a)));",
        ),
        (
            "testing",
            "a.test.ts",
            "it('a', async () => { expect(f()).rejects.toThrow(); });",
            "it('a', async () => { await expect(f()).rejects.toThrow(); });",
        ),
        ("testing", "test_a.py", "assert (a == 1, 'b')", "assert a == 1, 'b'"),
    ] {
        assert_eq!(rewritten(by_domain(domain).unwrap(), path, before), after);
    }
}

#[test]
fn a_rewrite_names_the_rule_and_the_line_of_its_finding() {
    let text = "export const f = 1;\n\nthrow 'a';\n";
    let file = SourceFile { path: "a.ts", text, touched: &[] };
    let rewrites = by_domain("typescript-quality").unwrap().rewrites(&file);
    let [rewrite] = rewrites.as_slice() else { panic!("{rewrites:?}") };
    assert_eq!((rewrite.rule, rewrite.line, &text[rewrite.span.clone()]), ("throw-literal", 3, "'a'"));
}

#[test]
fn every_rewrite_of_an_example_makes_its_finding_go_and_breaks_nothing() {
    let mut count = 0;
    for specialist in SPECIALISTS {
        for rule in specialist.rules() {
            for example in rule.examples().unwrap().invalid {
                let (path, text) = (example.path(), example.text());
                let of_rule = |text: &str| {
                    let review = specialist.review(&[SourceFile { path: &path, text, touched: &[] }]);
                    assert_eq!(review.findings.residual_risks, [""; 0], "{}: {text}", rule.id);
                    let findings = review.findings.findings.into_iter();
                    findings.filter(|finding| finding.other["rule"] == rule.id.as_str()).count()
                };
                let rewrites = specialist.rewrites(&SourceFile { path: &path, text: &text, touched: &[] });
                if rewrites.iter().any(|rewrite| rewrite.rule == rule.id) {
                    count += 1;
                    let after = rewritten(specialist, &path, &text);
                    assert!(of_rule(&after) < of_rule(&text), "{}: {after}", rule.id);
                }
            }
        }
    }
    assert!(count > 20, "{count} examples with a rewrite");
}
