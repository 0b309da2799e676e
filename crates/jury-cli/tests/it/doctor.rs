//! `jury doctor`: what it calls well, what it wants mended, and that its output is what its schema says.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use jury_testkit::repo::Repo;
use serde_json::Value;

use crate::binary;

/// Runs the doctor with only these folders and the system's on the PATH.
fn doctor(folder: &Path, path: &[&Path]) -> (i32, Vec<(String, String, String)>) {
    let path: Vec<PathBuf> =
        path.iter().map(|path| path.to_path_buf()).chain(["/usr/bin".into(), "/bin".into()]).collect();
    let output = binary::jury(&["doctor", "--format", "json"])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).expect("the paths are plain"))
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder.parent().expect("it lies in a folder"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let value: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let schema = jury_wire::schema("doctor-output").expect("the schema is published").to_value();
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    assert!(validator.is_valid(&value), "{value:#}");
    let code = output.status.code().expect("it ends by itself");
    assert_eq!(value["well"] == true, code == 0);
    let text = |check: &Value, name: &str| check[name].as_str().unwrap_or_default().to_owned();
    let checks = value["checks"].as_array().expect("a list").iter();
    let rows = checks.map(|check| {
        (text(check, "check"), text(check, "state"), format!("{} → {}", text(check, "what"), text(check, "help")))
    });
    (code, rows.collect())
}

fn of<'r>(rows: &'r [(String, String, String)], check: &str, state: &str) -> Vec<&'r str> {
    let matching = rows.iter().filter(|(name, seen, _)| name == check && seen == state);
    matching.map(|(_, _, what)| what.as_str()).collect()
}

fn program() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_jury")).parent().expect("it lies in a folder").to_path_buf()
}

#[test]
fn a_repository_that_was_set_up_is_well_as_long_as_the_program_is_found() {
    let repo = Repo::with(&[("CLAUDE.md", "# Hi\n"), ("a.ts", "export {};\n")]);
    let init = binary::jury(&["init", "--yes", "-C", repo.root().to_str().unwrap()])
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("the program starts");
    assert!(init.status.success(), "{}", String::from_utf8_lossy(&init.stdout));
    let (code, rows) = doctor(repo.root(), &[&program()]);
    assert_eq!(code, 0, "{rows:#?}");
    assert_eq!(of(&rows, "agents", "well").len(), 1);
    assert_eq!(of(&rows, "git hooks", "well").len(), 2);
    assert_eq!(of(&rows, "self-test", "well"), ["planted defects were found, and the gate closed → "]);
    // FAULTS 26: hosts go on without a hook that they do not find.
    let (code, rows) = doctor(repo.root(), &[]);
    assert_eq!(code, 1);
    assert!(of(&rows, "program", "mend")[0].starts_with("`jury` is not on the PATH"), "{rows:#?}");
    // A hook that git ignores.
    std::fs::set_permissions(repo.path(".git/hooks/pre-push"), PermissionsExt::from_mode(0o644)).unwrap();
    let (code, rows) = doctor(repo.root(), &[&program()]);
    assert!(code == 1 && of(&rows, "git hooks", "mend")[0].contains("so git ignores it"), "{rows:#?}");
}

#[test]
fn what_is_not_trusted_not_there_or_not_understood_is_to_be_mended() {
    let policy = "[reviewers.lint]\nkind = \"tool\"\ncommand = [\"sh\", \"-c\", \"touch marker\", \"{files}\"]\nformat = \"checkstyle\"\n\n\
                  [reviewers.gone]\nkind = \"tool\"\ncommand = [\"no-such-program\", \"{files}\"]\nformat = \"checkstyle\"\n";
    let repo = Repo::with(&[("jury.toml", policy), ("ruff.toml", ""), (".cursor/mcp.json", "{ // why\n}\n")]);
    let bin = repo.root().parent().unwrap().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::fs::write(bin.join("ruff"), "#!/bin/sh\ntouch marker\n").unwrap();
    std::fs::set_permissions(bin.join("ruff"), PermissionsExt::from_mode(0o755)).unwrap();
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("jury.toml", "[policy\n");
    let (code, rows) = doctor(repo.root(), &[&program(), &bin]);
    assert_eq!(code, 1);
    assert_eq!(of(&rows, "reviewers", "mend").len(), 2, "{rows:#?}");
    assert!(of(&rows, "reviewers", "mend").iter().any(|what| what.ends_with("jury trust lint")));
    assert!(of(&rows, "policy", "mend")[0].starts_with("jury.toml of the working tree"), "{rows:#?}");
    assert!(of(&rows, "tools", "note")[0].contains("[reviewers.ruff]"), "{rows:#?}");
    assert!(of(&rows, "agents", "mend")[0].contains(".cursor/mcp.json is not plain JSON"), "{rows:#?}");
    assert!(!repo.path("marker").exists(), "nothing that the repository names is run");
}

#[test]
fn damaged_state_and_no_repository_are_to_be_mended() {
    let repo = Repo::with(&[("a.ts", "export {};\n")]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    let place = repo.root().to_str().unwrap();
    binary::run(&["review", "-C", place]);
    repo.write(".code-review/review-latest.json", "{}\n");
    let (code, rows) = doctor(repo.root(), &[&program()]);
    assert!(code == 1 && of(&rows, "state", "mend")[0].ends_with("run `jury restore`"), "{rows:#?}");
    let folder = jury_testkit::repo::TempFolder::new();
    let (code, rows) = doctor(folder.path(), &[&program()]);
    assert!(code == 1 && of(&rows, "repository", "mend").len() == 1, "{rows:#?}");
    assert_eq!(of(&rows, "self-test", "well").len(), 1);
}
