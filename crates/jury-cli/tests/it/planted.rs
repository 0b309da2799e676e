//! Row 22: what a change plants for whoever looks at it, in every place of the row. The programs here stand for those that run such
//! files, and are first shown to fall for them; no review, second look or gate lets them, nor falls for anything itself.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::desk::Desk;

/// What agents are told by, and tools read as any other file.
const FOR_AGENTS: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".mcp.json",
    ".codex/config.toml",
    ".gemini/settings.json",
];
/// What tools run.
const FOR_TOOLS: &[&str] = &[".rubocop.yml", "eslint.config.js", ".eslintrc.cjs", "build.rs", ".cargo/config.toml"];

/// Falls for whatever is planted here or above, then answers as whoever it is called.
const FALLS: &str = r#"#!/bin/sh
planted="FOR_TOOLS"
case ${0##*/} in claude|codex|gemini) planted="$planted FOR_AGENTS" ;; esac
for up in . .. ../.. ../../..; do for f in $planted; do
    grep -qs planted "$up/$f" && touch "OUT/${0##*/}-fell-for-$(echo "$f" | tr / _)"
done; done
case ${0##*/} in
    claude|codex|gemini)
        n=$(sed -n "s/^The nonce of this brief is \\(.*\\)\\.$/\\1/p")
        echo "{\"nonce\":\"$n\",\"reviewer\":\"r\",\"findings\":[],\"residual_risks\":[],\"testing_gaps\":[]}" ;;
    rubocop) echo "<checkstyle></checkstyle>" ;;
    eslint) echo "[]" ;;
    cargo) echo "{}" ;;
    clippy-sarif) echo "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"clippy\"}},\"results\":[]}]}" ;;
esac
"#;

const CONFIG: &str = r#"
[reviewers.correctness]
kind = "agent"
use = "claude"
writes = ["@OUT@"]
[reviewers.qa]
kind = "agent"
use = "codex"
writes = ["@OUT@"]
[reviewers.reliability]
kind = "agent"
use = "gemini"
writes = ["@OUT@"]
[reviewers.eslint]
kind = "tool"
use = "eslint"
writes = ["@OUT@"]
[reviewers.clippy]
kind = "tool"
use = "clippy"
writes = ["@OUT@"]
[reviewers.rubocop]
kind = "tool"
command = ["rubocop", "{files}"]
format = "checkstyle"
writes = ["@OUT@"]
"#;

fn markers(desk: &Desk) -> Vec<PathBuf> {
    let entries = fs::read_dir(desk.out("")).expect("the folder is ours").flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_file()).collect()
}

#[test]
fn nothing_that_a_change_plants_is_run() {
    let desk = Desk::with(CONFIG);
    let bin = desk.home().join("bin");
    fs::create_dir(&bin).unwrap();
    let script = FALLS
        .replace("FOR_TOOLS", &FOR_TOOLS.join(" "))
        .replace("FOR_AGENTS", &FOR_AGENTS.join(" "))
        .replace("OUT", &desk.out("").to_string_lossy());
    for name in ["claude", "codex", "gemini", "rubocop", "eslint", "cargo", "clippy-sarif"] {
        fs::write(bin.join(name), &script).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for path in FOR_AGENTS.iter().chain(FOR_TOOLS) {
        desk.repo.write(path, "planted\n");
    }
    desk.repo.write("src/main.rs", "fn main() {}\n");
    desk.repo.commit("Plant");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut falls = std::process::Command::new(bin.join("claude"));
    desk.surround(&mut falls);
    assert!(falls.status().unwrap().success());
    assert_eq!(markers(&desk).len(), FOR_AGENTS.len() + FOR_TOOLS.len(), "whoever sees them falls for them");
    markers(&desk).iter().for_each(|path| fs::remove_file(path).unwrap());
    // What the repository has git run: only by git itself.
    let marker = format!("touch {}/git-fell; true", desk.out("").display());
    for key in ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand"] {
        desk.repo.git(["config", key, &marker]);
    }
    desk.repo.git(["config", "core.hooksPath", "hooks"]);
    desk.repo.write("src/two.ts", "console.log(3);\nexport const two = 3;\n");
    for (arguments, code) in [
        (&["review", "--trust"][..], 6),
        // The quick check is clear, and what the full review left waits for a person.
        (&["review", "--quick", "--trust"], 6),
        (&["review", "--trust"], 6),
        (&["verify", "--trust"], 6),
        (&["gate"], 4),
        (&["status"], 0),
        (&["next"], 0),
    ] {
        let output = desk.command(arguments).env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!said.contains("did not report"), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert_eq!(markers(&desk), Vec::<PathBuf>::new(), "{arguments:?}: {said}");
    }
}
