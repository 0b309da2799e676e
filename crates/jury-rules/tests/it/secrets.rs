//! Secrets: found, and shown nowhere (FAULTS row 20). All of these are made up, and put together here.

use jury_rules::{SourceFile, by_domain, redact, redact_lines};

fn secrets() -> Vec<(&'static str, String)> {
    let body = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6hJ8kL0";
    vec![
        ("aws-access-key", ["AK", "IAQ3ZX7KMN2VB4WRTY"].concat()),
        ("github-token", ["gh", "p_", &body[..36]].concat()),
        ("slack-token", ["xo", "xb-2158497612-5839201746-", &body[..24]].concat()),
        ("stripe-key", ["sk_", "live_", &body[..24]].concat()),
        ("private-key", ["MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun"].concat()),
    ]
}

/// Returns a text that holds a secret the way files do.
fn holding(kind: &str, secret: &str) -> String {
    match kind {
        "private-key" => format!("-----BEGIN RSA {} KEY-----\n{secret}\n", "PRIVATE"),
        _ => format!("const key = \"{secret}\"; use(key);\n"),
    }
}

#[test]
fn a_secret_is_found_and_not_shown() {
    for (kind, secret) in secrets() {
        let text = holding(kind, &secret);
        let file = SourceFile { path: "src/a.ts", text: &text, touched: &[(1, 1)] };
        let review = by_domain("security").unwrap().review(&[file]);
        let finding = review.findings.findings.first().unwrap_or_else(|| panic!("{kind}"));
        assert_eq!((finding.merge.severity.as_str(), finding.merge.line), ("P0", 1), "{kind}");
        assert_eq!(review.findings.findings.len(), 1, "{kind}: one secret, one finding");
        let written = serde_json::to_string(&review.findings).unwrap();
        assert!(!written.contains(&secret[4..]), "{written}");
        assert!(text.contains(&finding.evidence[0]), "{:?}", finding.evidence);
    }
}

#[test]
fn only_what_stops_the_work_is_owned_by_a_person() {
    for (kind, secret) in secrets() {
        let text = holding(kind, &secret);
        let owner = |path| {
            let file = SourceFile { path, text: &text, touched: &[(1, 1)] };
            let review = by_domain("security").unwrap().review(&[file]);
            (review.findings.findings[0].merge.owner == "human", review.findings.findings[0].merge.severity.clone())
        };
        assert_eq!(owner("src/a.ts"), (kind == "private-key", "P0".to_owned()));
        assert_eq!(owner("tests/fixtures/a.txt").1, "P2", "{kind}");
    }
}

#[test]
fn a_secret_in_the_code_of_another_finding_is_not_shown_either() {
    for (_, secret) in secrets().into_iter().filter(|(kind, _)| *kind != "private-key") {
        let text = format!("db.query(`SELECT '{secret}' FROM ${{req.query.id}}`);\neval(\"{secret}\" + x);\n");
        let review = by_domain("security").unwrap().review(&[SourceFile { path: "a.ts", text: &text, touched: &[] }]);
        assert!(review.findings.findings.len() >= 3, "{:?}", review.findings);
        assert!(!serde_json::to_string(&review.findings).unwrap().contains(&secret[4..]));
    }
}

#[test]
fn redaction_hides_keeps_the_rest_and_can_be_matched() {
    for (kind, secret) in secrets() {
        let text = holding(kind, &secret);
        let redacted = redact(&text);
        assert!(!redacted.contains(&secret[4..]), "{redacted}");
        assert!(redacted.contains(&format!("[redacted {kind} ")), "{redacted}");
        assert!(redacted.starts_with(text.split(&secret).next().unwrap()));
        assert_eq!(redact(&text), redacted);
        assert_eq!(redact(&redacted), redacted, "what is redacted stays as it is");
    }
    let [one, other] =
        [&secrets()[1].1, &secrets()[1].1.replace("aB3", "cD4")].map(|key| redact(&holding("", key)).into_owned());
    assert_ne!(one, other, "two secrets stay two");
    assert!(matches!(redact("no secret here: token = read()"), std::borrow::Cow::Borrowed(_)));
}

/// A file that is kept without its secrets still has every line in its place, and the quote of the finding in it.
#[test]
fn a_file_without_its_secrets_keeps_its_lines_and_its_quotes() {
    for (kind, secret) in secrets() {
        let text = format!("// first\n{}// last\n", holding(kind, &secret));
        let kept = redact_lines(&text);
        assert!(!kept.contains(&secret[4..]), "{kept}");
        assert_eq!(kept.lines().count(), text.lines().count(), "{kind}: {kept}");
        assert_eq!(kept.lines().last(), Some("// last"), "{kind}: {kept}");
        let review = by_domain("security").unwrap().review(&[SourceFile { path: "a.ts", text: &text, touched: &[] }]);
        let finding = &review.findings.findings[0];
        let line = kept.lines().nth(finding.merge.line as usize - 1).unwrap_or_default();
        assert!(line.contains(&finding.evidence[0]), "{kind}: {:?} in {kept}", finding.evidence);
    }
}
