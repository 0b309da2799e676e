//! The documentation against the program: every command that a page or a CI file names is understood, every block that is
//! marked to be run (` ```sh run `) is run, line by line, in a throw-away repository, and no block of shell goes untried.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury_testkit::repo::Repo;
use serde_json::Value;

use crate::commands;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the pages that people read. The reference of the command line is the command line.
pub(crate) fn pages() -> Vec<(String, String)> {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "ARCHITECTURE.md".to_owned()];
    for folder in ["docs", "docs/decisions", "docs/formats", "docs/rules"] {
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

/// A fenced block of a page: what stands behind the fence, and the lines.
pub(crate) struct Block<'t> {
    pub(crate) kind: &'t str,
    pub(crate) lines: Vec<&'t str>,
}

/// Takes the fenced blocks out of a page.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut open): (Vec<Block<'_>>, Option<usize>) = (Vec::new(), None);
    for line in text.lines() {
        let ticks = line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
        let rest = line.trim_start()[ticks..].trim();
        match (open, blocks.last_mut()) {
            (Some(fence), _) if ticks >= fence && rest.is_empty() => open = None,
            (Some(_), Some(block)) => block.lines.push(line),
            _ if ticks >= 3 => {
                open = Some(ticks);
                blocks.push(Block { kind: rest, lines: Vec::new() });
            }
            _ => {}
        }
    }
    blocks
}

/// The commands that no throw-away repository can run, each with the file that runs or defines it, and the words there.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    // They build everything, and are what CI runs.
    ("cargo run --release -- demo", ".ci/run", "cargo run --release --locked -- demo"),
    ("cargo xtask test", ".ci/run", "cargo xtask test"),
    // It installs for the whole machine.
    ("cargo install --path crates/jury-cli --profile dist", "Cargo.toml", "[profile.dist]"),
    // They rewrite this repository, measure for minutes, or need folders and programs of the reader's.
    ("cargo xtask campaign", "xtask/src/main.rs", "    Campaign,"),
    ("cargo xtask generate", "xtask/src/main.rs", "    Generate {"),
    ("cargo xtask record", "xtask/src/main.rs", "    Record,"),
    ("cargo xtask bench [ID]", "xtask/src/main.rs", "    Bench {"),
    ("cargo xtask hosts [NAME]", "xtask/src/main.rs", "    Hosts {"),
    ("cargo xtask fuzz [ID]", "xtask/src/main.rs", "    Fuzz {"),
    ("cargo xtask corpus DIR", "xtask/src/main.rs", "    Corpus {"),
    ("cargo xtask replay DIR", "xtask/src/main.rs", "    Replay("),
    ("cargo xtask eval DIR", "xtask/src/main.rs", "    Eval("),
];

/// What is not tried of a block, if it is shell.
fn untried<'t>(block: &Block<'t>) -> Vec<&'t str> {
    const SHELL: &[&str] = &["sh", "bash", "zsh", "fish", "shell", "shell-session", "powershell", "bat"];
    let is_word = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '-');
    let is_command = |line: &&str| {
        ["jury ", "cargo ", "git ", "npm ", "pip "].iter().any(|name| line.strip_prefix(name).is_some_and(is_word))
    };
    let commands = block.lines.iter().copied().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    match block.kind {
        // It is run below.
        "sh run" => Vec::new(),
        // `readme.rs` runs what stands behind a prompt, and compares what it prints.
        "console" if block.lines.first().is_some_and(|line| line.starts_with("$ jury ")) => Vec::new(),
        "sh" => {
            let is_elsewhere = |line: &str| {
                let command = line.split(" # ").next().unwrap_or_default().trim();
                ELSEWHERE.iter().any(|(known, _, _)| *known == command)
            };
            commands.filter(|line| !is_elsewhere(line)).collect()
        }
        kind if kind == "console" || SHELL.contains(&kind) => commands.collect(),
        "" | "text" => commands.filter(is_command).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn no_block_of_shell_goes_untried() {
    let mut faults = Vec::new();
    // The pages of the rules show code that is found.
    for (path, text) in pages().iter().filter(|(path, _)| !path.starts_with("docs/rules/")) {
        for block in blocks(text) {
            faults.extend(untried(&block).iter().map(|line| format!("{path}: mark the block `sh run`: {line}")));
        }
    }
    assert_eq!(faults, [""; 0]);
    for (command, file, words) in ELSEWHERE {
        let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
        assert!(text.contains(words), "{file} has nothing of `{command}`");
    }
    for (page, expected) in [
        ("```sh\njury review\n```", 1),
        ("```\njury review\n```", 1),
        ("  ```bash\n  # so\n  ls\n  ```", 1),
        ("```console\nls\n```", 1),
        ("````md\n```sh\njury review\n```\n````", 0),
        ("```sh\ncargo xtask test   # all of it\n```", 0),
    ] {
        let found: usize = blocks(page).iter().map(|block| untried(block).len()).sum();
        assert_eq!(found, expected, "{page}");
    }
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
        for block in blocks(&text).iter().filter(|block| block.kind == "sh run") {
            let repo = Repo::with(&[("a.ts", "export const a = 1;\n")]);
            repo.git(["checkout", "--quiet", "-b", "work"]);
            repo.write("a.ts", "export const a = 2;\n");
            for (name, script) in PROGRAMS {
                repo.write(name, script);
                std::fs::set_permissions(repo.path(name), PermissionsExt::from_mode(0o755)).expect("it is ours");
            }
            repo.commit("Two");
            for line in &block.lines {
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
    assert!(number >= 20, "only {number} lines are marked to be run");
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
    assert_eq!(commands.last().map(String::as_str), Some("jury gate --base \"$BASE\" --by-mode --format github"));
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
    assert_eq!(script.last().and_then(Value::as_str), Some("jury gate --base \"$BASE\" --by-mode"));
    assert_eq!(gitlab["jury"]["allow_failure"], false);
}
