//! `jury-ignore`: what it covers, what it never covers, and that it is always seen.

use jury_rules::{NoTree, Parsed, Review, RuleFile, SPECIALISTS, SourceFile, Specialist, by_domain};

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
        // `weak-hash` is the id of no rule.
        let notes = review(&text).findings.residual_risks;
        assert!(notes.iter().all(|note| note.contains("`weak-hash`")), "{text}: {notes:?}");
    }
}

#[test]
fn a_name_of_no_rule_is_a_note_of_one_specialist() {
    let text = "f();\n// jury-ignore: js-code-injecton -- ours\ng();\n// jury-ignore: js-code-injection -- ours\n";
    let file = [SourceFile { path: "src/a.ts", text, touched: &[] }];
    let notes: Vec<String> =
        SPECIALISTS.iter().flat_map(|specialist| specialist.review(&file).findings.residual_risks).collect();
    assert_eq!(
        notes,
        ["src/a.ts:2: `jury-ignore` names no rule: `js-code-injecton`; the closest is `js-code-injection`"]
    );
}

#[test]
fn a_rule_of_the_repository_is_known() {
    let rule = "id: no-print\ntitle: Prints\nwhy_it_matters: It prints.\nseverity: P3\nconfidence: 75\nautofix_class: manual\nowner: downstream-resolver\nrequires_verification: true\nkeywords: [print]\ntext: [{ pattern: 'print\\(' }]\ninvalid: [{ path: a.txt, code: 'print(1)' }, { path: a.txt, code: 'print(2)' }, { path: a.txt, code: 'print(3)' }]\nvalid: [{ path: a.txt, code: a }, { path: a.txt, code: b }, { path: a.txt, code: c }]\n";
    let own =
        Specialist::of_project(vec![RuleFile { path: ".jury/rules/no-print.yml".to_owned(), text: rule.to_owned() }]);
    let own = own.unwrap_or_else(|error| panic!("{error}"));
    let file = [SourceFile { path: "src/a.ts", text: "// jury-ignore: no-print -- ours\nf();\n", touched: &[] }];
    for (parsed, count) in [(Parsed::beside(Some(own)), 0), (Parsed::default(), 1)] {
        let notes = SPECIALISTS.iter().map(|of| of.review_in(&parsed, &file, &NoTree).findings.residual_risks.len());
        assert_eq!(notes.sum::<usize>(), count);
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
