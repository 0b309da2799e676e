//! Row 20 of the faults, through the real binary: whoever quotes a secret, it is in no file that Jury writes and in nothing
//! that it prints; and the finding is the same one when the review is made again.
//!
//! All secrets are made up, and put together here.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use jury::formats::FORMATS;
use jury_testkit::repo::{Repo, TempFolder};
use serde_json::{Value, json};

use crate::binary::jury;

/// No piece of a secret that is longer than this may be seen; a shorter one says nothing.
const LONGEST_SEEN: usize = 11;

struct Secret {
    kind: &'static str,
    /// As it stands in a file.
    text: String,
    /// What of it nobody may see.
    hidden: Vec<String>,
}

fn secrets() -> Vec<Secret> {
    let key = ["AK", "IA", "Q3ZX7KMN2VB4WRTY"].concat();
    let lines = [
        "MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun",
        "VTLw7onLRnrq0/IzW7yWR7QkrmBL7jTKEn5u+qKhbwKfBstIs+bMY2Zkp18gnTxK",
        "b3EF9sGkq0c=",
    ];
    let label = ["RSA PRIV", "ATE KEY-----"].concat();
    let block = format!("-----BEGIN {label}\n{}\n-----END {label}", lines.join("\n"));
    let signature = "s5Yq8Zr2LmX9cVb4NwK8sTdE1yUj6hGf3aQp5oRiWxM";
    let token = ["eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "1aWQiOjQyLCJyb2xlIjoiYWRtaW4ifQ.", signature].concat();
    vec![
        Secret { kind: "aws-access-key", hidden: vec![key[4..].to_owned()], text: key },
        Secret { kind: "private-key", text: block, hidden: lines.map(str::to_owned).to_vec() },
        Secret { kind: "json-web-token", text: token, hidden: vec![signature.to_owned()] },
    ]
}

impl Secret {
    /// Fails if a text shows any of it.
    fn assert_hidden(&self, text: &str, sink: &str) {
        for part in &self.hidden {
            for start in 0..part.len().saturating_sub(LONGEST_SEEN) {
                let piece = &part[start..=start + LONGEST_SEEN];
                assert!(!text.contains(piece), "{}: {sink} shows {piece:?}:\n{text}", self.kind);
            }
        }
    }

    /// Fails if any file below a folder shows any of it.
    fn assert_hidden_below(&self, folder: &Path) -> usize {
        let mut count = 0;
        for entry in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap()) {
            if entry.file_type().unwrap().is_dir() {
                count += self.assert_hidden_below(&entry.path());
            } else {
                let bytes = fs::read(entry.path()).unwrap();
                self.assert_hidden(&String::from_utf8_lossy(&bytes), &entry.path().to_string_lossy());
                count += 1;
            }
        }
        count
    }

    /// Runs a command that must not show it; returns the exit code and standard output.
    fn run(&self, root: &Path, arguments: &[&str]) -> (Option<i32>, String) {
        let output = jury(arguments).current_dir(root).output().expect("the binary can be started");
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it writes UTF-8"));
        let sink = arguments.join(" ");
        self.assert_hidden(&out, &sink);
        self.assert_hidden(&err, &sink);
        (output.status.code(), out)
    }

    fn json(&self, root: &Path, arguments: &[&str]) -> Value {
        let (_, out) = self.run(root, arguments);
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {out}"))
    }
}

/// A repository whose change holds a secret in its code, in its CI, and in the subject of its commit.
fn repository(secret: &Secret) -> Repo {
    let repo = Repo::with(&[("read.me", "A start.\n")]);
    repo.git(["branch", "-M", "main"]);
    repo.git(["checkout", "-q", "-b", "work"]);
    let code = format!("export const one = 1;\nexport const key = `{}`;\nexport const two = 2;\n", secret.text);
    repo.write("src/key.ts", &code).write(".github/workflows/ci.yml", format!("# {}\non: push\n", secret.text));
    repo.write("migrations/001_drop.sql", "DROP TABLE payments;\n");
    repo.commit(&format!("Use {}", secret.text.replace('\n', " ")));
    repo
}

#[test]
fn no_sink_of_a_review_shows_a_secret() {
    for secret in secrets() {
        let repo = repository(&secret);
        let root = repo.root();
        for format in ["text", "json", "markdown", "sarif"] {
            assert_eq!(secret.run(root, &["review", "--format", format]).0, Some(3), "{}", secret.kind);
        }
        for format in ["github", "gitlab", "junit", "rdjson"] {
            assert_eq!(secret.run(root, &["status", "--format", format]).0, Some(0), "{}", secret.kind);
        }
        secret.run(root, &["review", "--output", "out.txt"]);
        secret.assert_hidden(&fs::read_to_string(root.join("out.txt")).unwrap(), "--output");
        fs::remove_file(root.join("out.txt")).unwrap();
        secret.run(root, &["review", "--quick"]);
        secret.run(root, &["review"]);
        let file = secret.json(root, &["status", "--format", "json"]);
        let findings = file["review"]["findings"].as_array().unwrap().clone();
        assert!(findings.len() >= 3, "{findings:?}");
        for finding in &findings {
            let id = finding["id"].as_str().unwrap();
            secret.run(root, &["show", id]);
            secret.run(root, &["explain", id, "--format", "json"]);
            secret.run(root, &["mark", id, "wont_fix", "--reason", &format!("it is {} only", secret.text)]);
            secret.run(root, &["show", id, "--format", "json"]);
        }
        for command in ["status", "next", "gate", "explain"] {
            secret.run(root, &[command]);
            secret.run(root, &[command, "--format", "json"]);
        }
        secret.run(root, &["replay", file["review"]["reviewId"].as_str().unwrap()]);
        assert_eq!(secret.run(root, &["abort", "--reason", &format!("leaked: {}", secret.text)]).0, Some(3));
        assert!(root.join(".code-review/abort-reason.md").exists());
        // The verdict file, archives, `abort-reason.md`, reports, records, the seal, marks and the history.
        let folders = [".code-review", "docs", ".git/jury"].map(|folder| root.join(folder));
        let files: usize = folders.iter().map(|folder| secret.assert_hidden_below(folder)).sum();
        assert!(files > 15, "{files} files were looked at");
    }
}

#[test]
fn a_finding_about_a_secret_is_the_same_one_again() {
    for secret in secrets() {
        let repo = repository(&secret);
        let shown = || {
            secret.run(repo.root(), &["review"]);
            let file = secret.json(repo.root(), &["status", "--format", "json"]);
            let findings = file["review"]["findings"].as_array().unwrap();
            let of_key = |finding: &&Value| finding["file"] == "src/key.ts" && finding["domain"] == "security";
            let id =
                findings.iter().find(of_key).unwrap_or_else(|| panic!("{}: {findings:?}", secret.kind))["id"].clone();
            secret.json(repo.root(), &["show", id.as_str().unwrap(), "--format", "json"])
        };
        let mark = |shown: &Value| {
            let code = shown["code"].to_string();
            let at = code.find(&format!("[redacted {} ", secret.kind)).unwrap_or_else(|| panic!("{code}"));
            code[at..=at + code[at..].find(']').unwrap()].to_owned()
        };
        let before = shown();
        // Something else moves it down; it stays what it is, and so does what stands for the secret.
        let text = String::from_utf8(repo.read("src/key.ts")).unwrap();
        repo.write("src/key.ts", format!("// moved\n// down\n{text}"));
        let after = shown();
        assert_ne!(before["finding"]["lineRange"], after["finding"]["lineRange"]);
        assert_eq!(before["fingerprint"].as_str().map(str::len), Some(32));
        assert_eq!(mark(&before), mark(&after));
        // Another secret in its place is another finding: whoever accepted the first has not accepted this one.
        let other = secret.text.replace("KMN2", "NMK2").replace("VTLw7", "VTLw8").replace("s5Yq8", "s5Yq9");
        repo.write("src/key.ts", text.replace(&secret.text, &other));
        let rotated = shown();
        assert_ne!(mark(&before), mark(&rotated));
        assert_ne!(before["fingerprint"], rotated["fingerprint"]);
        repo.write("src/key.ts", &text);
        assert_eq!(shown()["fingerprint"], before["fingerprint"]);
    }
}

/// A reviewer's return that quotes a secret wherever it can.
fn report(secret: &Secret) -> Value {
    let text = &secret.text;
    let quoted: Vec<&str> = text.lines().collect();
    let padding = "The reason is a long one. ".repeat(7);
    json!({
        "reviewer": "correctness",
        "findings": [{
            "title": format!("Key {}", text.replace('\n', " ")),
            "severity": "P1",
            "file": "src/key.ts",
            "line": 2,
            "why_it_matters": format!("{padding}{text}"),
            "autofix_class": "manual",
            "owner": "downstream-resolver",
            "requires_verification": true,
            "suggested_fix": format!("{padding}Remove `{text}`."),
            "confidence": 100,
            "evidence": [format!("export const key = `{text}`;"), quoted],
            "pre_existing": false
        }, {
            "title": "Broken", "severity": format!("{padding}{text}"), "file": "src/key.ts", "line": text
        }],
        "residual_risks": [text],
        "testing_gaps": [format!("nobody tests {text}")]
    })
}

#[test]
fn no_command_over_documents_shows_a_secret() {
    for secret in secrets() {
        let repo = repository(&secret);
        let place = TempFolder::new();
        let mut whole = report(&secret);
        whole["findings"].as_array_mut().unwrap().pop();
        whole["findings"][0]["evidence"].as_array_mut().unwrap().pop();
        let broken = report(&secret);
        let wrapped =
            json!({ "type": "result", "subtype": "success", "is_error": false, "result": broken.to_string() });
        let prose = format!("I found a problem:\n\n- **High** src/key.ts:2 the key `{}` is committed\n", secret.text);
        let documents = [
            ("whole.json", whole.to_string()),
            ("pretty.json", serde_json::to_string_pretty(&whole).unwrap()),
            ("broken.json", broken.to_string()),
            ("wrapped.json", wrapped.to_string()),
            ("prose.md", prose),
        ];
        for (name, text) in &documents {
            fs::write(place.path().join(name), text).unwrap();
            secret.run(place.path(), &["check", name]);
            secret.run(place.path(), &["check", "--format", "json", name]);
            secret.run(place.path(), &["check", "--strict", name]);
            secret.run(place.path(), &["convert", "--to", "review-md", name]);
            secret.run(place.path(), &["merge", name]);
            secret.run(place.path(), &["merge", "--format", "json", name]);
        }
        for format in FORMATS.iter().filter(|format| format.is_writable()) {
            secret.run(place.path(), &["convert", "--to", format.id, "whole.json"]);
            secret.run(place.path(), &["merge", "--format", format.id, "broken.json"]);
        }
        let tree = repo.root().to_str().unwrap();
        let merged = secret.json(place.path(), &["merge", "--format", "json", "--tree", tree, "pretty.json"]);
        secret.run(place.path(), &["merge", "--explain", "1", "--tree", tree, "pretty.json"]);
        let finding = &merged["findings"][0];
        assert_eq!(finding["confidence"], 100, "the quote is found in the tree without its secret: {merged:#}");
        let mark = format!("[redacted {} ", secret.kind);
        for member in ["title", "why_it_matters", "suggested_fix"] {
            assert!(finding[member].as_str().unwrap().contains(&mark), "{member}: {finding:#}");
        }
        assert_eq!(secret.run(place.path(), &["convert", "--to", "sarif", "pretty.json"]).0, Some(0));
    }
}

/// Masking moves nothing: a fault behind a secret is shown where it stands.
#[test]
fn check_names_the_true_place_of_a_fault_behind_a_secret() {
    let secret = &secrets()[0];
    let place = TempFolder::new();
    let text = format!(r#"{{"reviewer": "{}", "findings": [{{"title": 7}}]}}"#, secret.text);
    fs::write(place.path().join("one.json"), &text).unwrap();
    let checked = secret.json(place.path(), &["check", "--from", "findings-json", "--format", "json", "one.json"]);
    let deviations = checked["files"][0]["deviations"].as_array().unwrap();
    let column = text.find("7}").unwrap() as u64 + 1;
    assert!(deviations.iter().any(|deviation| deviation["column"] == column), "{column}: {deviations:?}");
}
