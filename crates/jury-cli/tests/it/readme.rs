//! What the README shows is what the program prints: every `$ jury …` in its console blocks is run at the root of the
//! repository, and both streams are compared with what stands below it.

use std::path::Path;
use std::process::Stdio;

use crate::binary;

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
fn the_readme_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("README.md")).expect("the README is there");
    let commands: Vec<(String, String)> =
        shown(&page).into_iter().filter(|(command, _)| command.starts_with("jury ")).collect();
    assert!(commands.len() >= 3, "the README shows the program at work");
    for (command, expected) in commands {
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
        assert_eq!(printed.trim_end(), expected.trim_end(), "{command}");
    }
}

/// The pictures of the README are from the demo: every line of them is printed by it, in that order, ids aside.
#[test]
fn the_pictures_are_from_the_demo() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("README.md")).expect("the README is there");
    let picture = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is a picture");
    let output =
        binary::jury(&["demo"]).env("NO_COLOR", "1").stdin(Stdio::null()).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = without_review_ids(&String::from_utf8_lossy(&output.stdout));
    let mut lines = printed.lines();
    for wanted in without_review_ids(picture).lines().filter(|line| *line != "…") {
        assert!(lines.any(|line| line == wanted), "the demo does not print this, or not here: {wanted:?}");
    }
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

/// Replaces what differs from run to run: the eight digits behind the word “review”.
fn without_review_ids(text: &str) -> String {
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
