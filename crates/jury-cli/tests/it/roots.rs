//! Tools that name files by their absolute path: below the folder of `--tree` they are files of the tree, elsewhere none.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::binary::run;

/// What each tool prints of one defect in a file; `{path}` stands for how it names the file.
const OUTPUTS: &[(&str, &str)] = &[
    (
        "eslint.json",
        r#"[{"filePath": "{path}", "errorCount": 1, "warningCount": 0, "messages": [
            {"ruleId": "eqeqeq", "severity": 2, "message": "Expected ===", "line": 2, "column": 5}]}]"#,
    ),
    (
        "codex-review.json",
        r#"{"findings": [{"title": "[P1] Compare strictly", "body": "It coerces.", "confidence_score": 0.9, "priority": 1,
            "code_location": {"absolute_file_path": "{path}", "line_range": {"start": 2, "end": 2}}}],
            "overall_correctness": "patch is incorrect", "overall_explanation": "x", "overall_confidence_score": 0.9}"#,
    ),
    (
        "checkstyle.xml",
        r#"<?xml version="1.0"?><checkstyle version="8.0"><file name="{path}"><error line="2" column="5" severity="error"
            message="Expected ===" source="eqeqeq"/></file></checkstyle>"#,
    ),
    (
        "tool.sarif",
        r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": [{"ruleId": "r", "level": "error",
            "message": {"text": "Expected ==="}, "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": "file://{path}"}, "region": {"startLine": 2}}}]}]}]}"#,
    ),
];

/// Makes a folder with a tree that has one file, and returns the folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("tree/src")).expect("the folder can be made");
    std::fs::write(folder.join("tree/src/a.js"), "function f(a) {\n    return a == 1;\n}\n")
        .expect("the file can be written");
    folder.canonicalize().expect("the folder is there")
}

/// Merges what a tool prints of a file by this name.
fn merged(folder: &Path, (name, output): (&str, &str), path: &str, tree: Option<&Path>) -> Value {
    let file = folder.join(name);
    std::fs::write(&file, output.replace("{path}", path)).expect("the output can be written");
    let mut arguments = vec!["merge", "--format", "json"];
    arguments.extend(tree.iter().flat_map(|tree| ["--tree", tree.to_str().expect("the path is UTF-8")]));
    arguments.push(file.to_str().expect("the path is UTF-8"));
    let (_, output, errors) = run(&arguments);
    serde_json::from_str(&output).unwrap_or_else(|error| panic!("{name}: {error}: {errors}"))
}

#[test]
fn absolute_paths_below_the_tree_are_its_files() {
    let folder = folder("roots-inside");
    let tree = folder.join("tree");
    for output in OUTPUTS {
        let value = merged(&folder, *output, tree.join("src/a.js").to_str().unwrap(), Some(&tree));
        let finding = &value["findings"][0];
        assert_eq!((&finding["file"], &finding["line"]), (&"src/a.js".into(), &2.into()), "{}: {value:#}", output.0);
        let codes: Vec<&Value> = value["repairs"].as_array().unwrap().iter().map(|repair| &repair["code"]).collect();
        assert!(codes.contains(&&"path-normalised".into()), "{}: {codes:?}", output.0);
        assert_eq!(value["gaps"], Value::Array(Vec::new()), "{}", output.0);
    }
}

#[test]
fn absolute_paths_elsewhere_are_no_files_of_the_tree() {
    let folder = folder("roots-outside");
    let tree = folder.join("tree");
    let inside = tree.to_str().unwrap();
    let outside = [
        "/etc/passwd".to_owned(),
        format!("{inside}/../secret.js"),
        format!("{inside}-other/src/a.js"),
        format!("{inside}\\\\src\\\\a.js"),
    ];
    for output in OUTPUTS {
        let cases = outside.iter().map(|path| (path.as_str(), Some(tree.as_path())));
        let file = tree.join("src/a.js");
        for (path, tree) in cases.chain([(file.to_str().unwrap(), None)]) {
            let value = merged(&folder, *output, path, tree);
            let findings = value["findings"].as_array().unwrap();
            assert!(findings.iter().all(|finding| finding["file"].is_null()), "{} {path}: {value:#}", output.0);
            // What has no place in the tree is not gone: it is rejected, or a finding without a file.
            assert!(!findings.is_empty() || value["rejected"][0].is_object(), "{} {path}: {value:#}", output.0);
        }
    }
    // The escapes of a URI hide nothing.
    let value = merged(&folder, OUTPUTS[3], &format!("{inside}/%2e%2e/secret.js"), Some(&tree));
    assert!(value["findings"].as_array().unwrap().iter().all(|finding| finding["file"].is_null()), "{value:#}");
}
