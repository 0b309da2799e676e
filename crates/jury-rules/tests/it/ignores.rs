//! `jury-ignore`: what it covers, what it never covers, and that it is always seen.

use jury_rules::{Review, SourceFile, by_domain};

fn review(text: &str) -> Review {
    by_domain("security").unwrap().review(&[SourceFile { path: "src/a.ts", text, touched: &[(1, 20)] }])
}

/// Returns the reason with which each finding is to be let be.
fn reasons(text: &str) -> Vec<Option<String>> {
    let findings = review(text).findings.findings;
    findings
        .iter()
        .map(|finding| finding.other.get("ignored").and_then(|said| said.as_str()).map(str::to_owned))
        .collect()
}

const INJECTION: &str = "export const run = (req) => eval(req.query.code);";

#[test]
fn on_the_line_or_above_it_it_is_carried_with_the_finding() {
    let reason = Some("only in the sandbox".to_owned());
    for text in [
        format!("{INJECTION} // jury-ignore: js-code-injection -- only in the sandbox\n"),
        format!("// jury-ignore: js-code-injection -- only in the sandbox\n{INJECTION}\n"),
        format!("// jury-ignore: weak-hash, js-code-injection -- only in the sandbox\n{INJECTION}\n"),
    ] {
        let given = reasons(&text);
        assert!(!given.is_empty() && given.iter().all(|given| *given == reason), "{text}: {given:?}");
    }
}

#[test]
fn from_afar_for_another_rule_or_from_a_string_it_covers_nothing() {
    for text in [
        format!("// jury-ignore: js-code-injection -- ours\n\n{INJECTION}\n"),
        format!("f(); // jury-ignore: js-code-injection -- ours\n{INJECTION}\n"),
        format!("{INJECTION}\n// jury-ignore: js-code-injection -- ours\n"),
        format!("// jury-ignore: weak-hash -- ours\n{INJECTION}\n"),
        format!("const s = \"jury-ignore: js-code-injection -- ours\";\n{INJECTION}\n"),
    ] {
        let given = reasons(&text);
        assert!(!given.is_empty() && given.iter().all(Option::is_none), "{text}: {given:?}");
        assert_eq!(review(&text).findings.residual_risks, [""; 0]);
    }
}

#[test]
fn without_a_reason_it_counts_for_nothing_and_its_line_is_named() {
    let text = format!("let a;\n// jury-ignore: js-code-injection\n{INJECTION}\n");
    assert!(reasons(&text).iter().all(Option::is_none));
    let notes = review(&text).findings.residual_risks;
    assert!(notes[0].starts_with("src/a.ts:2: `jury-ignore` of js-code-injection counts for nothing"), "{notes:?}");
}

#[test]
fn what_halts_the_work_cannot_be_ignored() {
    let key = format!(
        "-----BEGIN RSA {} KEY-----\\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun",
        "PRIVATE"
    );
    let text = format!("// jury-ignore: private-key -- a test key\nconst key = \"{key}\";\n");
    let review = review(&text);
    let finding = review.findings.findings.iter().find(|finding| finding.other["rule"] == "private-key").unwrap();
    assert_eq!((finding.merge.severity.as_str(), finding.other.get("ignored")), ("P0", None));
    assert!(review.findings.residual_risks[0].contains("waivers.toml"), "{:?}", review.findings.residual_risks);
}
