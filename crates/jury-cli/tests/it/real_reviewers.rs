//! Real linters, a type checker and a test runner, from their registries, as the reviewers of a small project: through `jury review`,
//! `verify` and `gate`. They are installed once, below the folder of what is built. What cannot be installed fails the test by its name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::desk::Desk;

/// The packages of npm, with their versions.
const PACKAGES: &[&str] = &[
    "@biomejs/biome@2.6.7",
    "@eslint/js@10.0.1",
    "eslint@10.15.0",
    "eslint-plugin-promise@7.3.0",
    "eslint-plugin-unicorn@65.0.1",
    "oxlint@1.93.0",
    "typescript@6.0.3",
    "typescript-eslint@8.72.2",
];
/// The packages of Python.
const PYTHON: &[&str] = &["ruff==0.17.5", "semgrep==1.182.0"];

/// Two plugins, and the parser of TypeScript.
const ESLINT: &str = r#"import js from "@eslint/js";
import promise from "eslint-plugin-promise";
import unicorn from "eslint-plugin-unicorn";
import ts from "typescript-eslint";

export default [
  js.configs.recommended,
  { files: ["**/*.ts"], languageOptions: { parser: ts.parser } },
  {
    plugins: { promise, unicorn },
    rules: { "promise/catch-or-return": "error", "unicorn/no-array-for-each": "error", "no-undef": "off" },
  },
];
"#;
const TSCONFIG: &str = "{\"compilerOptions\": {\"noEmit\": true, \"strict\": true, \"skipLibCheck\": true, \"types\": []}, \"include\": [\"src\"]}\n";
const SEMGREP: &str = "rules:\n  - id: no-eval\n    languages: [python]\n    severity: ERROR\n    message: Text is run as code\n    pattern: eval(...)\n";
const TEST: &str = "import assert from \"node:assert\";\nimport test from \"node:test\";\nimport { total } from \"../src/total.mjs\";\n\ntest(\"adds up\", () => assert.equal(total([1, 2]), 3));\n";

/// Installs packages of npm once; returns the folder that has them.
fn node_modules(place: &Path) -> PathBuf {
    fs::create_dir_all(place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let lock = fs::File::create(place.join("lock")).expect("the folder is ours");
    lock.lock().expect("a file of ours can be locked");
    let (ready, wanted) = (place.join("ready"), PACKAGES.join("\n"));
    if fs::read_to_string(&ready).is_ok_and(|made| made == wanted) {
        return place.join("node_modules");
    }
    _ = fs::remove_file(&ready);
    fs::write(place.join("package.json"), "{\"private\":true}").expect("the folder is ours");
    let install = |packages: &[&str]| {
        let quiet = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", "--loglevel=error"];
        let mut npm = Command::new("npm");
        npm.args(quiet).args(packages).current_dir(place).stdin(Stdio::null());
        npm.status().is_ok_and(|status| status.success())
    };
    if !install(PACKAGES) {
        let missing: Vec<&&str> = PACKAGES.iter().filter(|package| !install(&[package])).collect();
        panic!("this test needs packages that `npm` could not install: {missing:?}");
    }
    fs::write(&ready, wanted).expect("the folder is ours");
    place.join("node_modules")
}

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A project with all of them, of which the packages are linked, with a change on top.
fn project() -> Desk {
    let python = jury_testkit::python::environment(&place("real-python"), PYTHON);
    let semgrep = python.join("semgrep").display().to_string();
    let ruff = python.join("ruff").display().to_string();
    let linked = "links = [\"node_modules\"]\n";
    let config = format!(
        "[policy]\nparallel = 2\n\
         [reviewers.eslint]\nkind = \"tool\"\nuse = \"eslint\"\ndomain = \"eslint\"\n{linked}\
         [reviewers.oxlint]\nkind = \"tool\"\nuse = \"oxlint\"\ndomain = \"oxlint\"\n{linked}\
         [reviewers.biome]\nkind = \"tool\"\nuse = \"biome\"\ndomain = \"biome\"\n{linked}\
         [reviewers.ruff]\nkind = \"tool\"\nuse = \"ruff\"\ndomain = \"ruff\"\n\
         command = [\"{ruff}\", \"check\", \"--no-cache\", \"--output-format=sarif\", \"--select=F,D100,B\", \"{{files}}\"]\n\
         [reviewers.semgrep]\nkind = \"tool\"\nuse = \"semgrep\"\ndomain = \"semgrep\"\n\
         command = [\"{semgrep}\", \"scan\", \"--sarif\", \"--quiet\", \"--metrics=off\", \"--disable-version-check\", \"--config=semgrep.yml\", \"{{files}}\"]\n\
         env = [\"SEMGREP_ENABLE_VERSION_CHECK=0\"]\n\
         [reviewers.types]\nkind = \"check\"\ncommand = [\"tsc\", \"--project\", \".\"]\n{linked}\
         [reviewers.tests]\nkind = \"check\"\njunit = \"junit.xml\"\n\
         command = [\"node\", \"--test\", \"--test-reporter=junit\", \"--test-reporter-destination=junit.xml\", \"test/\"]\n"
    );
    let desk = Desk::with(&config);
    desk.repo.git(["switch", "--quiet", "main"]);
    for (path, text) in [
        (".gitignore", "/node_modules\n"),
        ("package.json", "{\"private\": true, \"type\": \"module\"}\n"),
        ("eslint.config.mjs", ESLINT),
        ("semgrep.yml", SEMGREP),
        ("tsconfig.json", TSCONFIG),
        (
            "src/point.ts",
            "export type Point = { x: number; y: number };\nexport const origin: Point = { x: 0, y: 0 };\n",
        ),
        ("src/total.mjs", "export const total = (all) => all.reduce((sum, one) => sum + one, 0);\n"),
        ("test/total.test.mjs", TEST),
    ] {
        desk.repo.write(path, text);
    }
    desk.repo.commit("A project");
    desk.repo.git(["switch", "--quiet", "work"]);
    desk.repo.git(["rebase", "--quiet", "main"]);
    let modules = node_modules(&place("real-node"));
    std::os::unix::fs::symlink(modules, desk.repo.path("node_modules")).expect("there is none yet");
    desk
}

/// Returns the findings as `domain: severity: rule or title`, without those of Jury's own rules.
fn findings(desk: &Desk) -> Vec<String> {
    let file = fs::read(desk.repo.path(".code-review/review-latest.json")).expect("a review was made");
    let file: serde_json::Value = serde_json::from_slice(&file).expect("it is JSON");
    let all = file["findings"].as_array().expect("it has findings").iter();
    let text = |finding: &serde_json::Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let ours = ["biome", "eslint", "oxlint", "ruff", "semgrep", "tests", "types"];
    let all = all.filter(|finding| ours.contains(&text(finding, "domain").as_str()));
    let mut all: Vec<String> =
        all.map(|it| format!("{} {}: {}", text(it, "domain"), text(it, "severity"), text(it, "title"))).collect();
    all.sort();
    all
}

#[test]
fn real_linters_checks_and_tests_review_a_project() {
    let desk = project();
    let review = || desk.run(&["review", "--trust"]);

    // Nothing to find: every one of them ran to its end.
    let (code, said) = review();
    assert_eq!((code, findings(&desk)), (Some(0), Vec::<String>::new()), "{said}");
    assert!(said.contains("checks: ") && said.contains("tests passed in") && said.contains("1 test"), "{said}");
    assert!(said.contains("depends on the working tree: node_modules"), "{said}");
    let (code, said) = desk.run(&["gate", "--base", "main"]);
    assert_eq!(code, Some(0), "{said}");

    // One defect for each, with the severities of the tables.
    desk.repo.write("src/total.mjs", "export const total = (all) => all.reduce((sum, one) => sum - one, 0);\n");
    desk.repo.write(
        "src/point.ts",
        "export type Point = { x: number; y: number };\nexport const origin: Point = { x: 0, y: \"0\" };\n",
    );
    desk.repo.write(
        "src/list.ts",
        "export function show(all: number[]) {\n  all.forEach((one) => console.log(one));\n  debugger;\n}\n",
    );
    desk.repo.write("tools/run.py", "import os\n\n\ndef run(text):\n    return eval(text)\n");
    desk.repo.commit("Defects");
    let (code, said) = review();
    assert_eq!(code, Some(1), "{said}");
    let found = findings(&desk);
    let has = |domain: &str, severity: &str, words: &str| {
        let start = format!("{domain} {severity}: ");
        let is_it = |line: &&String| line.strip_prefix(&start).is_some_and(|title| title.contains(words));
        assert!(found.iter().any(|line| is_it(&line)), "{start}{words}\n{found:#?}\n{said}");
    };
    has("types", "Blocker", "The check types fails");
    has("tests", "Blocker", "The check tests fails");
    has("tests", "High", "A test fails: ");
    has("eslint", "Medium", "forEach");
    has("ruff", "Medium", "`os` imported but unused");
    has("ruff", "Info", "Missing docstring");
    has("semgrep", "High", "Text is run as code");
    assert!(found.iter().any(|line| line.starts_with("oxlint ")), "{found:#?}\n{said}");
    assert!(found.iter().any(|line| line.starts_with("biome ")), "{found:#?}\n{said}");
    assert_eq!(desk.run(&["gate", "--base", "main"]).0, Some(1));

    // Fixed, and looked at again: the checks run anew.
    desk.repo.write("src/total.mjs", "export const total = (all) => all.reduce((sum, one) => sum + one, 0);\n");
    desk.repo.write(
        "src/point.ts",
        "export type Point = { x: number; y: number };\nexport const origin: Point = { x: 0, y: 0 };\n",
    );
    desk.repo.remove("src/list.ts");
    desk.repo.remove("tools/run.py");
    desk.repo.commit("Fixes");
    let file = fs::read(desk.repo.path(".code-review/review-latest.json")).expect("a review was made");
    let file: serde_json::Value = serde_json::from_slice(&file).expect("it is JSON");
    for finding in file["findings"].as_array().expect("it has findings") {
        let (code, said) = desk.run(&["mark", finding["id"].as_str().unwrap_or_default(), "fixed"]);
        assert_eq!(code, Some(0), "{said}");
    }
    let (_, said) = desk.run(&["verify", "--trust"]);
    assert!(said.contains("verified") && !said.contains("reopened"), "{said}");
    // What mends a check can be anywhere, so that the edits are reviewed.
    let (code, said) = review();
    assert_eq!((code, findings(&desk)), (Some(0), Vec::<String>::new()), "{said}");
    let (code, said) = desk.run(&["gate", "--base", "main"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_missing_package_says_its_own_message() {
    let desk = project();
    fs::remove_file(desk.repo.path("node_modules")).expect("it is a link");
    // Only ESLint itself is there, without the packages of its settings.
    let modules = node_modules(&place("real-node"));
    let partial = desk.out("modules");
    fs::create_dir_all(partial.join(".bin")).expect("the folder is ours");
    let keep = |name: &str| !["@eslint", "eslint-plugin-promise", "lock"].contains(&name);
    for entry in fs::read_dir(&modules).expect("it was installed").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if keep(&name) && name != ".bin" {
            std::os::unix::fs::symlink(entry.path(), partial.join(&name)).expect("the folder is ours");
        }
    }
    let script = format!("#!/bin/sh\nexec node {}/eslint/bin/eslint.js \"$@\"\n", modules.display());
    fs::write(partial.join(".bin/eslint"), script).expect("the folder is ours");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(partial.join(".bin/eslint"), mode).expect("the file is ours");
    std::os::unix::fs::symlink(partial, desk.repo.path("node_modules")).expect("there is none now");
    let (code, said) = desk.run(&["review", "--trust"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("Cannot find package '@eslint/js'"), "{said}");
}
