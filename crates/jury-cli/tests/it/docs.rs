//! The documentation against the program: every command that a page or a CI file names is understood, and every block that is
//! marked to be run (` ```sh run `) is run, line by line, in a throw-away repository.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury_testkit::repo::Repo;
use serde_json::Value;

use crate::commands;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the pages that people read. Those of the rules and decisions name no commands of ours that others do not; the reference of the
/// command line is the command line.
fn pages() -> Vec<(String, String)> {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "ARCHITECTURE.md".to_owned()];
    for folder in ["docs", "docs/formats", "docs/rules"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("the folder is there") {
            let name = entry.expect("the folder can be read").file_name();
            let name = name.to_str().expect("names are UTF-8");
            pages.extend(name.ends_with(".md").then(|| format!("{folder}/{name}")));
        }
    }
    pages.sort();
    pages
        .into_iter()
        .map(|path| (std::fs::read_to_string(root().join(&path)).expect("the page is there"), path))
        .map(|(text, path)| (path, text))
        .collect()
}

#[test]
fn every_command_that_a_page_names_is_understood() {
    let (mut number, mut faults) = (0, Vec::new());
    for (path, text) in pages() {
        let named = commands::in_markdown(&text);
        number += named.len();
        faults.extend(named.iter().filter_map(|line| commands::fault(line)).map(|fault| format!("{path}: {fault}")));
    }
    assert!(number > 120, "only {number} commands were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the lines of the blocks that are marked to be run.
fn runnable(text: &str) -> Vec<Vec<&str>> {
    let blocks = text.split("```sh run\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks.map(|block| block.lines().collect()).collect()
}

/// What stands for the programs of readers: one that fixes, and one that reviews while others do so elsewhere.
const PROGRAMS: &[(&str, &str)] = &[
    ("fix.sh", "#!/bin/sh\ntrue\n"),
    (
        "review-as-qa",
        "#!/bin/sh\nfor role in qa quality security; do\n  printf 'verdict: pass\\nconfidence: high\\n' > .dartai/reports/T-17/$role.md\ndone\n\
         printf 'verdict-file: .dartai/reports/T-17/qa.md\\nverdict: pass\\n'\n",
    ),
];

#[test]
fn blocks_that_are_marked_run() {
    let mut number = 0;
    for (path, text) in pages() {
        for block in runnable(&text) {
            let repo = Repo::with(&[("a.ts", "export const a = 1;\n")]);
            repo.git(["checkout", "--quiet", "-b", "work"]);
            repo.write("a.ts", "export const a = 2;\n");
            for (name, script) in PROGRAMS {
                repo.write(name, script);
                std::fs::set_permissions(repo.path(name), PermissionsExt::from_mode(0o755)).expect("it is ours");
            }
            repo.commit("Two");
            for line in block {
                number += 1;
                let program = Path::new(env!("CARGO_BIN_EXE_jury")).parent().expect("it lies in a folder");
                let output = Command::new("sh")
                    .args(["-ec", line])
                    .current_dir(repo.root())
                    .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
                    .env("HOME", repo.root().parent().expect("it lies in a folder"))
                    .env_remove("XDG_CONFIG_HOME")
                    .env("GIT_CONFIG_NOSYSTEM", "1")
                    .env("GIT_CONFIG_GLOBAL", "/dev/null")
                    .stdin(Stdio::null())
                    .output()
                    .expect("sh starts");
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{path}: `{line}`: {said}");
            }
        }
    }
    assert!(number >= 16, "only {number} lines are marked to be run");
}

/// Reads a file of CI: that it is YAML, and the lines of shell in it.
fn ci(name: &str) -> (Value, Vec<String>) {
    let text = std::fs::read_to_string(root().join("docs/ci").join(name)).expect("the file is there");
    let value: Value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let lines = text.lines().map(|line| line.trim().trim_start_matches("- ").trim_start_matches("run: "));
    let commands = lines.filter(|line| !line.starts_with('#')).flat_map(commands::in_shell).collect();
    (value, commands)
}

#[test]
fn ci_asks_the_gate_last_and_lets_nothing_stand_in_for_it() {
    let (github, commands) = ci("github.yml");
    assert_eq!(commands.iter().filter_map(|line| commands::fault(line)).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(commands.last().map(String::as_str), Some("jury gate --base \"$BASE\" --format github"));
    let steps = github["jobs"]["jury"]["steps"].as_array().expect("there are steps");
    let gate = steps.last().expect("there are steps");
    assert!(gate["continue-on-error"].is_null() && gate["if"] == "always()", "{gate}");
    assert!(github["jobs"]["jury"]["if"].is_null() && github["jobs"]["jury"]["continue-on-error"].is_null());
    assert_eq!(github["permissions"], serde_json::json!({"contents": "read"}));
    let shell: Vec<&str> = steps.iter().filter_map(|step| step["run"].as_str()).collect();
    assert!(shell.iter().all(|line| !line.contains("${{")), "nothing of the event gets into a shell");
    assert!(
        commands.iter().any(|line| line.contains("--trust"))
            && commands.iter().all(|line| !line.starts_with("jury trust"))
    );

    let (gitlab, commands) = ci("gitlab.yml");
    assert_eq!(commands.iter().filter_map(|line| commands::fault(line)).collect::<Vec<_>>(), [""; 0]);
    let script = gitlab["jury"]["script"].as_array().expect("there is a script");
    assert_eq!(script.last().and_then(Value::as_str), Some("jury gate --base \"$BASE\""));
    assert_eq!(gitlab["jury"]["allow_failure"], false);
}
