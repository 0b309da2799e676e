//! Secrets: found, and shown nowhere (FAULTS row 20). All of these are made up, and put together here.

use jury_rules::{Parsed, Redactor, SourceFile, Tree, by_domain, mask, redact};

fn secrets() -> Vec<(&'static str, String)> {
    let body = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6hJ8kL0";
    vec![
        ("aws-access-key", ["AK", "IAQ3ZX7KMN2VB4WRTY"].concat()),
        ("github-token", ["gh", "p_", &body[..30], "3C9tjY"].concat()),
        ("slack-token", ["xo", "xb-2158497612-5839201746-", &body[..24]].concat()),
        ("stripe-key", ["sk_", "live_", &body[..24]].concat()),
        ("json-web-token", json_web_token()),
        ("private-key", ["MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun"].concat()),
    ]
}

/// Returns a token that decodes: `{"alg":"HS256"}`, `{"uid":42,"role":"admin"}`, and a signature.
fn json_web_token() -> String {
    ["eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "1aWQiOjQyLCJyb2xlIjoiYWRtaW4ifQ.s5Yq8Zr2LmX9cVb4NwK8sTdE1yUj6hGf3aQp5oRiWxM"]
        .concat()
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
        let severity = if kind == "json-web-token" { "P1" } else { "P0" };
        assert_eq!((finding.merge.severity.as_str(), finding.merge.line), (severity, 1), "{kind}");
        assert_eq!(review.findings.findings.len(), 1, "{kind}: one secret, one finding");
        let written = serde_json::to_string(&review.findings).unwrap();
        assert!(!written.contains(&secret[4..]), "{written}");
        assert!(text.contains(&finding.evidence[0]), "{:?}", finding.evidence);
    }
}

/// Decision 011: private keys and the keys of cloud accounts stop the work; other tokens block the merge.
/// A tree with a test.
struct WithTests;

impl Tree for WithTests {
    fn paths(&self) -> Vec<String> {
        vec!["tests/a.test.ts".to_owned()]
    }

    fn text(&self, path: &str) -> Option<String> {
        (path == "tests/a.test.ts").then(String::new)
    }
}

#[test]
fn only_what_stops_the_work_is_owned_by_a_person() {
    for (kind, secret) in secrets().into_iter().filter(|(kind, _)| *kind != "json-web-token") {
        let text = holding(kind, &secret);
        let owner = |path| {
            let file = SourceFile { path, text: &text, touched: &[(1, 1)] };
            let review = by_domain("security").unwrap().review_in(&Parsed::default(), &[file], &WithTests);
            (review.findings.findings[0].merge.owner == "human", review.findings.findings[0].merge.severity.clone())
        };
        assert_eq!(owner("src/a.ts"), (["private-key", "aws-access-key"].contains(&kind), "P0".to_owned()), "{kind}");
        // A made-up token has another checksum than an issued one.
        let among_tests = if kind == "github-token" { "P0" } else { "P2" };
        assert_eq!(owner("tests/fixtures/a.txt").1, among_tests, "{kind}");
        assert_eq!(owner("deploy/fixtures/a.txt").1, "P0", "{kind}: a folder without tests");
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
        let kept = redact(&text);
        assert!(!kept.contains(&secret[4..]), "{kept}");
        assert_eq!(kept.lines().count(), text.lines().count(), "{kind}: {kept}");
        assert_eq!(kept.lines().last(), Some("// last"), "{kind}: {kept}");
        let review = by_domain("security").unwrap().review(&[SourceFile { path: "a.ts", text: &text, touched: &[] }]);
        let finding = &review.findings.findings[0];
        let line = kept.lines().nth(finding.merge.line as usize - 1).unwrap_or_default();
        assert!(line.contains(&finding.evidence[0]), "{kind}: {:?} in {kept}", finding.evidence);
    }
}

/// What a format proves is asked of a finding, and not of what is hidden: a slip of the pen gives the rest away all the same.
#[test]
fn what_fails_its_checksum_is_no_finding_and_hidden() {
    let slip = secrets()[1].1.replace("3C9tjY", "3C9tjZ");
    let cut = json_web_token().replace("OjQyLCJy", "OjQyLCJyLCJy");
    for secret in [slip, cut] {
        let text = holding("", &secret);
        let review = by_domain("security").unwrap().review(&[SourceFile { path: "a.ts", text: &text, touched: &[] }]);
        assert_eq!(review.findings.findings, [], "{secret}");
        assert!(!redact(&text).contains(&secret[4..]), "{secret}");
    }
}

/// A reviewer's document stays what it is, whatever it quotes and however it is nested.
#[test]
fn a_document_without_its_secrets_is_still_one() {
    for (kind, secret) in secrets() {
        let quote = format!("{}// {}", holding(kind, &secret), "password: \"hV7xk29sQmZ\"");
        let lines: Vec<&str> = quote.lines().collect();
        let inner = serde_json::json!({ "evidence": [quote, lines], "isSystemBreaking": true, "title": quote });
        let outer = serde_json::json!({ "result": inner.to_string(), "inner": inner, "cost": 1.5 });
        for text in [inner.to_string(), outer.to_string(), serde_json::to_string_pretty(&outer).unwrap()] {
            for (hidden, how) in [(redact(&text), "marked"), (mask(&text), "masked")] {
                assert!(!hidden.contains(&secret[4..]) && !hidden.contains("hV7xk29sQmZ"), "{kind}, {how}: {hidden}");
                let value: serde_json::Value =
                    serde_json::from_str(&hidden).unwrap_or_else(|error| panic!("{kind}, {how}: {error}: {hidden}"));
                let inner = value.get("inner").unwrap_or(&value);
                assert_eq!(inner["isSystemBreaking"], true, "{kind}, {how}: {hidden}");
                assert_eq!(inner["evidence"][1].as_array().unwrap().len(), lines.len(), "{kind}, {how}: {hidden}");
            }
            assert_eq!(mask(&text).chars().count(), text.chars().count(), "{kind}: every place stays where it is");
        }
    }
}

/// A password is known by the name before it; whoever quotes it may leave the name out.
#[test]
fn a_secret_that_a_file_gives_away_is_hidden_wherever_it_stands() {
    let file = "DB_PASSWORD = \"hV7xk29sQmZ\"\n";
    let said = "Anybody can log in with hV7xk29sQmZ.";
    assert_eq!(redact(said), said, "nothing in it says that this is one");
    let redactor = Redactor::knowing([file]);
    let hidden = redactor.redact(said).into_owned();
    assert!(hidden.starts_with("Anybody can log in with [redacted password ") && hidden.ends_with("]."), "{hidden}");
    let mark = hidden.split(['[', ']']).nth(1).unwrap();
    assert!(redactor.redact(file).contains(mark), "it has the same mark as in the file");
    for (kind, secret) in secrets() {
        let redactor = Redactor::knowing([holding(kind, &secret).as_str()]);
        let quoted = format!("It is {secret}, twice {secret}");
        assert!(!redactor.redact(&quoted).contains(&secret[4..]), "{kind}");
    }
}

/// Guessing a password from its digits is easier the more of them there are.
#[test]
fn few_digits_are_shown_of_what_a_person_thought_up() {
    let digits = |text: &str| {
        let redacted = redact(text).into_owned();
        let mark = redacted.split(['[', ']']).nth(1).unwrap_or_else(|| panic!("{redacted}")).to_owned();
        mark.rsplit(' ').next().unwrap().len()
    };
    assert_eq!(digits("password = \"hV7xk29sQmZ\""), 2);
    assert_eq!(digits(&holding("", &secrets()[0].1)), 6);
}
