//! What the specialists say of files. In: files with their paths. Out: for each, what was said, and what was not reviewed.
//! Deliberately not here: whether it is true.

use std::collections::BTreeMap;

use jury_rules::{SPECIALISTS, SourceFile};
use serde_json::Value;

use super::score::Said;
use super::truth;

/// A file as it is reviewed.
pub(crate) struct Code {
    /// Its path from the root of what stands for a repository.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// What became of a review.
#[derive(Default)]
pub(crate) struct Heard {
    /// What was said, by path.
    pub(crate) said: BTreeMap<String, Vec<Said>>,
    /// The files that were not reviewed in full, and what was noted of the others.
    pub(crate) notes: Vec<String>,
}

/// Reviews files by all specialists, under the paths that they have.
pub(crate) fn review(files: &[Code]) -> Heard {
    let mut heard = Heard::default();
    let whole = [(1, u32::MAX)];
    let sources: Vec<SourceFile<'_>> =
        files.iter().map(|file| SourceFile { path: &file.path, text: &file.text, touched: &whole }).collect();
    for specialist in SPECIALISTS {
        let review = specialist.review(&sources);
        for finding in review.findings.findings {
            let text = |member: &str| finding.other.get(member).and_then(Value::as_str).unwrap_or_default();
            let line = finding.merge.line;
            let end = finding.other.get("end_line").and_then(Value::as_u64).and_then(|end| u32::try_from(end).ok());
            let said = Said {
                rule: text("rule").to_owned(),
                cwe: truth::cwe(text("cwe")),
                lines: (line, end.unwrap_or(line).max(line)),
                severity: finding.merge.severity,
                confidence: finding.merge.confidence,
                title: finding.merge.title,
            };
            heard.said.entry(finding.merge.file).or_default().push(said);
        }
        let unreviewed = review.unreviewed.into_iter().map(|(path, why)| format!("{path}: {why}"));
        heard.notes.extend(unreviewed.chain(review.findings.residual_risks));
    }
    heard.notes.sort();
    heard.notes.dedup();
    heard
}

/// Reviews files as product code even where their paths say that they are tests, and also as the tests that they say they
/// are, for the sake of the rules that are about tests.
pub(crate) fn review_as_product(files: Vec<Code>) -> Heard {
    let product = |file: &Code| Code { path: without_test_marks(&file.path), text: file.text.clone() };
    let mut heard = Heard::default();
    let mut marked = Vec::new();
    let as_product = review(&files.iter().map(product).collect::<Vec<_>>());
    let mut said = as_product.said;
    for file in files {
        let product = without_test_marks(&file.path);
        heard.said.insert(file.path.clone(), said.remove(&product).unwrap_or_default());
        if product != file.path {
            marked.push(file);
        }
    }
    let as_tests = review(&marked);
    for (path, said) in as_tests.said {
        let known = heard.said.entry(path).or_default();
        for finding in said {
            if !known.iter().any(|known| (known.lines, &known.rule) == (finding.lines, &finding.rule)) {
                known.push(finding);
            }
        }
        known.sort_by(|one, other| (one.lines, &one.rule, &one.title).cmp(&(other.lines, &other.rule, &other.title)));
    }
    heard.notes = as_product.notes.into_iter().chain(as_tests.notes).collect();
    heard.notes.sort();
    heard.notes.dedup();
    heard
}

/// What marks a path as a test, wherever it occurs, and a word that does not and is no part of a real name.
const TEST_MARKS: &[(&str, &str)] =
    &[("test", "tezt"), ("spec", "zpec"), ("fixture", "fixdure"), ("mock", "mogk"), ("e2e", "e2f")];

/// Takes from a path what marks a test. Folders that rules look for, such as `.github/workflows` or `migrations`, stay.
fn without_test_marks(path: &str) -> String {
    let mut unmarked = path.to_owned();
    for (mark, other) in TEST_MARKS {
        while let Some(at) = unmarked.to_ascii_lowercase().find(mark) {
            unmarked.replace_range(at..at + mark.len(), other);
        }
    }
    unmarked
}

/// The languages that figures are given for, by the endings of their files.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("C#", &["cs"]),
    ("Go", &["go"]),
    ("Java", &["java"]),
    ("JavaScript", &["js", "mjs", "cjs", "jsx"]),
    ("PHP", &["php", "phtml", "inc"]),
    ("Python", &["py", "pyi", "pyw"]),
    ("Ruby", &["rb", "rake", "gemspec", "ru", "erb"]),
    ("Rust", &["rs"]),
    ("SQL", &["sql"]),
    ("shell", &["sh", "bash", "zsh", "ksh"]),
    ("TSX", &["tsx"]),
    ("TypeScript", &["ts", "mts", "cts"]),
    ("YAML", &["yml", "yaml"]),
];

/// Tells the language of a file that holds code from its name.
pub(crate) fn language(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let is_docker = ["dockerfile", "containerfile"]
        .iter()
        .any(|stem| name == *stem || name.starts_with(&format!("{stem}.")) || name.ends_with(&format!(".{stem}")));
    if is_docker {
        return Some("Dockerfile");
    }
    let (_, extension) = name.rsplit_once('.')?;
    LANGUAGES.iter().find(|(_, extensions)| extensions.contains(&extension)).map(|(language, _)| *language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_tests_go_and_other_folders_stay() {
        for (path, expected) in [
            ("tests/Test_a.py", "tezts/tezt_a.py"),
            ("src/a.spec.ts", "src/a.zpec.ts"),
            (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
            ("db/migrations/1.sql", "db/migrations/1.sql"),
            ("__mocks__/Fixtures/E2E/k.go", "__mogks__/fixdures/e2f/k.go"),
        ] {
            assert_eq!(without_test_marks(path), expected);
        }
    }

    #[test]
    fn a_test_is_reviewed_as_product_and_as_test() {
        let of = |path: &str, text: &str| {
            let mut said = review_as_product(vec![Code { path: path.to_owned(), text: text.to_owned() }]).said;
            said.remove(path).unwrap_or_default().into_iter().map(|said| said.rule).collect::<Vec<_>>()
        };
        // `js-sql-injection` leaves tests alone, and `focused-test` everything else.
        let text = "it.only(\"a\", () => db.query(`SELECT * FROM t WHERE a = ${req.body.a}`));\n";
        assert_eq!(of("tests/a.test.ts", text), ["focused-test", "js-sql-injection"]);
        assert_eq!(of("src/a.ts", text), ["js-sql-injection"]);
    }

    #[test]
    fn languages_are_known_by_name_and_ending() {
        for (path, expected) in [
            ("a/B.PY", Some("Python")),
            ("a.tsx", Some("TSX")),
            ("Dockerfile.prod", Some("Dockerfile")),
            ("app.dockerfile", Some("Dockerfile")),
            ("notes.txt", None),
            ("Makefile", None),
        ] {
            assert_eq!(language(path), expected, "{path}");
        }
    }
}
