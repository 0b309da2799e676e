//! `tests/scenarios/<name>/steps`: a day with the binary as a console transcript, in a throw-away repository.
//!
//! In: lines `$ COMMAND` (`> ` goes on with it), each followed by what it prints on both streams and, unless it is 0, by
//! `[exit N]`; `# ` says which rule a step proves. A printed line that looks like one of these has a `\` before it.
//! `tests/scenario-bin` holds the two commands that transcripts have beside `jury` and the system's; `$MODELS` is the address of a
//! server that answers like models.
//! Out: a failing test that shows the transcript as it is now; `JURY_BLESS=1` writes it, for a person to read.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use jury_testkit::repo::TempFolder;
use jury_testkit::server::{Reply, Server, answer};
use regex::Regex;

use crate::console::surrounding;

/// A part of a transcript.
enum Part {
    /// A remark for people.
    Comment(String),
    /// What is typed, with its line breaks.
    Command(String),
}

#[test]
fn transcripts_say_what_happens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let only = std::env::var("JURY_SCENARIO").unwrap_or_default();
    let mut scenarios = jury_testkit::folders(&folder);
    scenarios.retain(|scenario| scenario.ends_with(&only) || only.is_empty());
    assert!(!scenarios.is_empty(), "there are scenarios");
    let differing = Mutex::new(Vec::new());
    let queue = Mutex::new(scenarios.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(scenario) = queue.lock().unwrap().next() else { break };
                    if let Err(difference) = check(&scenario.join("steps")) {
                        differing.lock().unwrap().push(difference);
                    }
                }
            });
        }
    });
    let differing = differing.into_inner().unwrap();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// Plays a transcript; says where it differs from what is written.
fn check(path: &Path) -> Result<(), String> {
    let expected = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let actual = played(&expected);
    if actual == expected {
        return Ok(());
    }
    if std::env::var_os("JURY_BLESS").is_some() && std::env::var_os("CI").is_none() {
        fs::write(path, &actual).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return Ok(());
    }
    let first = expected.lines().zip(actual.lines()).take_while(|(expected, actual)| expected == actual).count();
    let around = |text: &str| text.lines().skip(first.saturating_sub(6)).take(16).collect::<Vec<_>>().join("\n");
    let (then, now) = (around(&expected), around(&actual));
    Err(format!("{} differs from line {}\n--- written\n{then}\n--- now\n{now}\n", path.display(), first + 1))
}

fn played(text: &str) -> String {
    let console = Console::new();
    let mut transcript = String::new();
    let mut was_command = false;
    for part in parts(text) {
        match part {
            Part::Comment(line) => {
                let gap = if was_command { "\n" } else { "" };
                transcript.push_str(&format!("{gap}{line}\n"));
                was_command = false;
            }
            Part::Command(command) => {
                let typed = command.replace('\n', "\n> ");
                transcript.push_str(&format!("$ {typed}\n{}", console.run(&command)));
                was_command = true;
            }
        }
    }
    transcript
}

/// Takes a transcript apart; what was printed is not looked at.
fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            parts.push(Part::Command(command.to_owned()));
        } else if let (Some(more), Some(Part::Command(command))) =
            (line.strip_prefix("> ").or((line == ">").then_some("")), parts.last_mut())
        {
            command.push('\n');
            command.push_str(more);
        } else if line.starts_with('#') {
            parts.push(Part::Comment(line.to_owned()));
        }
    }
    parts
}

/// Models by name: one that finds nothing, one that finds something, one that is cut off, and one that has no time.
fn models() -> Server {
    let finding = serde_json::json!([{"title": "Two is not two", "severity": "P1", "file": "src/two.ts", "line": 1,
        "why_it_matters": "Whoever counts on it is wrong.", "autofix_class": "manual", "owner": "human",
        "requires_verification": true, "suggested_fix": null, "confidence": 100,
        "evidence": ["export const two = 2;"], "pre_existing": false}]);
    let nothing = answer(&serde_json::json!([]));
    let wait = vec![("retry-after".to_owned(), "3600".to_owned())];
    Server::of_models(vec![
        ("content-1", Reply::Says(nothing.clone())),
        ("finder-1", Reply::Says(answer(&finding))),
        ("cut-1", Reply::Stops(nothing, "length".to_owned())),
        ("busy-1", Reply::Raw(429, wait, "{\"error\": {\"message\": \"Rate limit reached\"}}".to_owned())),
    ])
}

/// A throw-away place in which commands are run one after another.
struct Console {
    place: TempFolder,
    models: Server,
    scrubs: Vec<(Regex, &'static str)>,
}

impl Console {
    fn new() -> Self {
        let place = TempFolder::new();
        for folder in ["home", "repo"] {
            fs::create_dir(place.path().join(folder)).expect("the place is empty");
        }
        let scrub = |pattern: &str, word| (Regex::new(pattern).expect("the pattern is one"), word);
        let scrubs = vec![
            scrub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<time>"),
            scrub(r"\d{4}-\d\d-\d\d-(changeset|package|team|file)-", "<date>-$1-"),
            scrub(r"\b(passed|failed) in \d+(\.\d)? s\b", "$1 in <seconds> s"),
            scrub(r"\b[0-9a-f]{64}\b", "<sha256>"),
            scrub(r"\b[0-9a-f]{40}\b", "<sha1>"),
            scrub(r"\b(at|tree|HEAD) [0-9a-f]{12}\b", "$1 <id>"),
            scrub(r"\b[0-9a-f]{12}…", "<id>…"),
            scrub(r"(✓|✗|acceptance:) [0-9a-f]{12}\b", "$1 <id>"),
        ];
        Self { place, models: models(), scrubs }
    }

    /// Runs a command; returns what it prints and how it ends, as a transcript shows it.
    fn run(&self, command: &str) -> String {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.place.path().join("repo"))
            .env_clear()
            .envs(self.surrounding())
            .stdin(Stdio::null())
            .output()
            .expect("a shell can be started");
        let mut shown = String::new();
        for line in self.scrubbed(&visible(&output.stdout)).lines() {
            let is_ambiguous = ["$ ", ">", "#", "[exit ", "\\"].iter().any(|start| line.starts_with(start));
            shown.push_str(&format!("{}{line}\n", if is_ambiguous { "\\" } else { "" }));
        }
        let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or_default());
        if code != 0 {
            shown.push_str(&format!("[exit {code}]\n"));
        }
        shown
    }

    /// The whole environment of a command.
    fn surrounding(&self) -> Vec<(&'static str, String)> {
        let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenario-bin");
        let mut variables = surrounding(&self.place.path().join("home"), scripts);
        variables.push(("MODELS", self.models.url("")));
        variables.push(("MODELS_KEY", "not-a-real-key".to_owned()));
        variables
    }

    /// Puts stable words in the place of what is another one in every run.
    fn scrubbed(&self, text: &str) -> String {
        let mut text = text.replace(&self.place.path().display().to_string(), "<place>");
        text = text.replace(&self.models.url(""), "<models>");
        for (pattern, word) in &self.scrubs {
            text = pattern.replace_all(&text, *word).into_owned();
        }
        // An id that is not yet in any history (the command failed) is not scrubbed; none is ever shown then.
        for (index, id) in self.review_ids().iter().enumerate() {
            text = text.replace(id, &format!("<review-{}>", index + 1));
        }
        text
    }

    /// Returns the ids of the reviews that were made so far, in their order.
    fn review_ids(&self) -> Vec<String> {
        let mut histories = Vec::new();
        find("history.jsonl", self.place.path(), &mut histories);
        let lines = histories.iter().map(|path| fs::read_to_string(path).expect("a history is text"));
        let ids = Regex::new(r#""review_?[iI]d":\s*"([0-9a-f]{8})""#).expect("the pattern is one");
        let text = lines.collect::<Vec<_>>().join("\n");
        ids.captures_iter(&text).map(|found| found[1].to_owned()).collect()
    }
}

/// Finds the files of that name below a folder, without following any symlink.
fn find(name: &str, folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            find(name, &entry.path(), found);
        } else if entry.file_name() == name {
            found.push(entry.path());
        }
    }
}

/// Shows bytes so that what acts on a terminal, or is no text, can be seen in a transcript.
fn visible(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => text.push('\n'),
                c if c.is_control()
                    || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
                {
                    text.push_str(&format!("<U+{:04X}>", u32::from(c)));
                }
                c => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("<{byte:02x}>")));
    }
    text
}
