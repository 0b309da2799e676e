//! What the README and the other pages show is what the program prints: every `$ jury …` in a console block is run at the root of the
//! repository, and both streams are compared with what stands below it; sessions in other blocks are from the demo, or from an example of the page.

use std::path::Path;
use std::process::Stdio;

use jury_testkit::repo::Repo;

use crate::{binary, docs};

/// Returns the commands that a page shows, each with the output that stands below it.
fn shown(page: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut is_console = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            commands.push((command.to_owned(), String::new()));
        } else if is_console && let Some((_, output)) = commands.last_mut() {
            output.push_str(line);
            output.push('\n');
        }
    }
    commands
}

#[test]
fn pages_show_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shown =
        docs::pages().into_iter().flat_map(|(path, page)| shown(&page).into_iter().map(move |it| (path.clone(), it)));
    let commands: Vec<(String, (String, String))> =
        shown.filter(|(_, (command, _))| command.starts_with("jury ")).collect();
    assert!(commands.len() >= 4, "the pages show the program at work");
    for (path, (command, expected)) in commands {
        let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
        let output = binary::jury(&arguments)
            .current_dir(&root)
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        assert_eq!(printed.trim_end(), expected.trim_end(), "{path}: {command}");
    }
}

/// Prints what `jury trust` says where `jury.toml` of the base is the example of the page.
fn trust(page: &str) -> String {
    let blocks = docs::blocks(page);
    let settings = blocks.iter().find(|block| block.kind == "toml").expect("the page has an example");
    let repo = Repo::with(&[("jury.toml", settings.lines.join("\n").as_str())]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("a.py", "a = 1\n");
    repo.commit("Two");
    let mut trust = binary::jury(&["trust"]);
    trust.current_dir(repo.root()).env("XDG_CONFIG_HOME", repo.root().join("none")).env("NO_COLOR", "1");
    let output = trust.stdin(Stdio::null()).output().expect("the program starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every session that a page shows was seen: each of its lines is printed, in that order, ids aside. `…` stands for what is left out.
#[test]
fn sessions_on_pages_are_from_the_program() {
    let output =
        binary::jury(&["demo"]).env("NO_COLOR", "1").stdin(Stdio::null()).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let demo = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut number = 0;
    for (path, page) in docs::pages() {
        let is_session =
            |block: &&docs::Block<'_>| block.kind != "console" && block.lines.iter().any(|line| line.starts_with("$ "));
        for block in docs::blocks(&page).iter().filter(is_session) {
            number += 1;
            let is_trust = block.lines[0] == "$ jury trust";
            // Only a terminal is asked.
            let printed = if is_trust {
                format!("$ jury trust\n{}Trust these reviewers? [y/N]\n", trust(&page))
            } else {
                demo.clone()
            };
            let printed = without_review_ids(&printed);
            let mut lines = printed.lines();
            for wanted in without_review_ids(&block.lines.join("\n")).lines().filter(|line| *line != "…") {
                assert!(lines.any(|line| line == wanted), "{path}: this is not printed, or not here: {wanted:?}");
            }
        }
    }
    assert!(number >= 2, "only {number} pages show a session");
}

/// The moving picture is a recording of the demo: every row of it is printed by it, in that order, ids aside. `cargo xtask record` draws it anew.
#[test]
fn the_recording_is_of_the_demo() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let picture = std::fs::read_to_string(root.join("docs/demo.svg")).expect("the recording is there");
    let mut demo = binary::jury(&["--color", "always", "demo"]);
    let output = demo.env("COLUMNS", "118").stdin(Stdio::null()).output().expect("the program starts");
    let printed = anstream::adapter::strip_bytes(&output.stdout).into_vec();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    let rows = printed.lines().map(str::to_owned);
    // The name of the report has the day and the id in it.
    let is_told = |row: &String| !row.is_empty() && !row.starts_with("report: ");
    let rows: Vec<String> = rows.filter(is_told).map(|row| without_review_ids(&row)).collect();
    let tags = regex::Regex::new("<[^>]*>").expect("the pattern is one");
    let text = |line: &str| {
        let text = tags.replace_all(line, "").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        without_review_ids(&text)
    };
    let drawn = picture.lines().filter(|line| line.starts_with("<text")).map(text);
    let drawn: Vec<String> = drawn.filter(is_told).collect();
    assert_eq!(drawn, rows, "run `cargo xtask record`");
    assert!(rows.iter().all(|row| row.chars().count() <= 118), "the picture is 118 columns wide");
    let page = std::fs::read_to_string(root.join("README.md")).expect("the README is there");
    assert!(page.contains("](docs/demo.svg)"), "the README shows it");
}

/// Replaces what differs from run to run: the eight digits behind the word “review”, and the ids of commits and trees.
fn without_review_ids(text: &str) -> String {
    let ids = regex::Regex::new(r"\b(at|tree|HEAD) [0-9a-f]{12}\b").expect("the pattern is one");
    let text = ids.replace_all(text, "$1 ID");
    let mut parts = text.split("review ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("review ");
        let is_id = part.len() >= 8 && part.bytes().take(8).all(|byte| byte.is_ascii_hexdigit());
        out.push_str(if is_id { "ID" } else { "" });
        out.push_str(if is_id { &part[8..] } else { part });
    }
    out
}
