//! `tests/hooks/<host>/<case>.json`: what a host sends to a hook, in a named situation, and the exact answer. And what a table
//! cannot say: a host that calls until it is let go, input that is none, state that cannot be kept.
//!
//! `JURY_BLESS=1` writes the answers as they are now, for a person to read.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use jury::agents::{self, HookAnswer};
use jury_testkit::repo::{Repo, TempFolder};
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::binary::jury;

/// Returns the names of the hosts that have hooks.
fn hosts() -> impl Iterator<Item = &'static str> {
    agents::with_hooks().map(|(host, _)| host.name)
}

/// Where a host calls from.
enum Place {
    Repo(Repo),
    Outside(TempFolder),
}

impl Place {
    fn root(&self) -> &Path {
        match self {
            Self::Repo(repo) => repo.root(),
            Self::Outside(folder) => folder.path(),
        }
    }

    fn repo(&self) -> &Repo {
        match self {
            Self::Repo(repo) => repo,
            Self::Outside(_) => panic!("there is no repository"),
        }
    }

    /// Runs a command and says how it ended.
    fn jury(&self, arguments: &[&str]) -> i32 {
        self.hook(arguments, b"").status.code().expect("it ends by itself")
    }

    fn hook(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = jury(arguments);
        for project in agents::with_hooks().filter_map(|(_, hooks)| hooks.project) {
            command.env_remove(project);
        }
        let command =
            command.current_dir(self.root()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary can be started");
        // A hook that is done before it has read everything has the right to be.
        _ = child.stdin.take().expect("it is piped").write_all(input);
        child.wait_with_output().expect("the binary ends")
    }
}

const HIGH: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";

fn start() -> Repo {
    let repo = Repo::with(&[("src/one.ts", "export const one = 1;\n")]);
    repo.git(["switch", "--quiet", "--create", "work"]);
    repo.write("src/two.ts", "export const two = 2;\n");
    repo.commit("Work");
    repo
}

/// Makes the situation of that name.
fn situation(name: &str) -> Place {
    if name == "outside" {
        return Place::Outside(TempFolder::new());
    }
    let place = Place::Repo(start());
    let repo = place.repo();
    match name {
        "clear" => {}
        "high" => _ = repo.write("src/high.ts", HIGH),
        "gap" => _ = repo.write("blob.bin", b"\0"),
        "gate-open" => assert_eq!(place.jury(&["review"]), 0),
        "reviewed-open" => {
            repo.write("src/high.ts", HIGH);
            assert_eq!(place.jury(&["review"]), 1);
        }
        "marked" => {
            repo.write("src/high.ts", HIGH);
            assert_eq!(place.jury(&["review"]), 1);
            repo.write("src/high.ts", "export const list = 1;\n");
            assert_eq!(place.jury(&["mark", "security-3213ecb0-2", "fixed"]), 0);
        }
        "halted" => {
            repo.write("migrations/001_drop.sql", "DROP TABLE payments;\n");
            assert_eq!(place.jury(&["review"]), 3);
        }
        "broken-config" => {
            repo.git(["switch", "--quiet", "main"]);
            repo.write("jury.toml", "[policy]\nblock_at = \"Everything\"\n");
            repo.commit("Break the policy");
            repo.git(["switch", "--quiet", "work"]);
            repo.write("src/high.ts", HIGH);
        }
        "tampered" => {
            repo.write("src/high.ts", HIGH);
            assert_eq!(place.jury(&["review"]), 1);
            let file = ".code-review/review-latest.json";
            let text = String::from_utf8(repo.read(file)).expect("it is JSON").replace("\"High\"", "\"Low\"");
            repo.write(file, text);
        }
        other => panic!("there is no situation `{other}`"),
    }
    place
}

/// Takes out what is another one in every run.
fn scrubbed(text: &str, place: &Place) -> String {
    let id = Regex::new(r"review [0-9a-f]{8}").expect("the pattern is one");
    id.replace_all(&text.replace(&place.root().display().to_string(), "<place>"), "review <id>").into_owned()
}

/// Returns the one object on standard output; nothing at all is `null`.
fn object(output: &[u8], case: &str) -> Value {
    if output.is_empty() {
        return Value::Null;
    }
    let value: Value = serde_json::from_slice(output)
        .unwrap_or_else(|error| panic!("{case}: {error}: {}", String::from_utf8_lossy(output)));
    assert!(value.is_object(), "{case}: {value}");
    value
}

#[test]
fn every_host_is_answered_in_its_own_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks");
    let mut differing = Vec::new();
    for host in hosts() {
        let entries = fs::read_dir(folder.join(host)).expect("every host has cases");
        let mut cases: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
        cases.sort();
        assert!(cases.len() > 10, "{host} has cases");
        for path in cases {
            let name = path.display().to_string();
            let text = fs::read_to_string(&path).expect("a case is text");
            let case: Map<String, Value> =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let place = situation(case["situation"].as_str().expect("a case names its situation"));
            let input = case["input"].to_string().replace("<place>", place.root().to_str().expect("the path is UTF-8"));
            let event = case["event"].as_str().expect("a case names its event");
            let output = place.hook(&["hook", host, event], input.as_bytes());
            let said = String::from_utf8(output.stderr).expect("it writes UTF-8");
            let answer = object(&output.stdout, &name);
            check_block(&answer, &said, output.status.code(), &name);
            let mut actual = case.clone();
            actual.insert("exit".to_owned(), output.status.code().into());
            let answer = scrubbed(&answer.to_string(), &place);
            actual.insert("stdout".to_owned(), serde_json::from_str(&answer).expect("it was JSON"));
            let said = scrubbed(&said, &place);
            actual.insert("stderr".to_owned(), said.lines().collect::<Vec<_>>().into());
            if actual == case {
                continue;
            }
            if std::env::var_os("JURY_BLESS").is_some() && std::env::var_os("CI").is_none() {
                let text = serde_json::to_string_pretty(&actual).expect("it is JSON") + "\n";
                fs::write(&path, text).expect("the case can be written");
            } else {
                differing.push(format!("{name}: {}", serde_json::to_string_pretty(&actual).expect("it is JSON")));
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// FAULTS, "Agent hosts fail open": whatever says block says it in all the ways that the host could look at.
fn check_block(answer: &Value, said: &str, code: Option<i32>, case: &str) {
    let reason = answer["reason"].as_str().or_else(|| answer["followup_message"].as_str());
    match reason {
        Some(reason) => {
            assert_eq!(said.trim_end(), reason, "{case}");
            let expected = if answer["followup_message"].is_string() { 0 } else { 2 };
            assert_eq!(code, Some(expected), "{case}");
            assert!(!reason.trim().is_empty() && reason.len() <= 4_000, "{case}");
        }
        None => assert_eq!(code, Some(0), "{case}"),
    }
}

/// A host that sends its agent back for as long as it is told to; returns how often, and what it was told at the end.
fn drive(place: &Place, host: &str, says_inside: bool, mut between: impl FnMut(usize)) -> (usize, Value, String) {
    for times in 0..50 {
        let is_inside = says_inside && times > 0;
        let loops = if is_inside { times } else { 0 };
        let input = json!({
            "session_id": "s", "conversation_id": "s", "cwd": place.root(), "workspace_roots": [place.root()],
            "stop_hook_active": is_inside, "status": "completed", "loop_count": loops,
        });
        let output = place.hook(&["hook", host, "stop"], input.to_string().as_bytes());
        let answer = object(&output.stdout, host);
        let is_blocked = output.status.code() == Some(2) || answer["followup_message"].is_string();
        if !is_blocked {
            return (times, answer, String::from_utf8(output.stderr).expect("it writes UTF-8"));
        }
        between(times);
    }
    panic!("{host} is held for ever");
}

/// Tells whether a host has a member for a message to people.
fn has_message(host: &str) -> bool {
    let hooks = agents::by_name(host).and_then(|host| host.hooks.as_ref()).expect("the host has hooks");
    let said = (hooks.speak)(&HookAnswer::LetGo("why".to_owned()));
    said.json.is_some_and(|json| json.get("systemMessage").is_some())
}

#[test]
fn an_agent_that_fixes_nothing_is_let_go_and_the_gate_stays_closed() {
    for host in hosts() {
        for says_inside in [true, false] {
            let place = situation("high");
            let (times, answer, said) = drive(&place, host, says_inside, |_| {});
            assert_eq!(times, 3, "{host}");
            assert!(said.contains("merge gate is still closed") && said.contains("src/high.ts"), "{host}: {said}");
            if has_message(host) {
                assert_eq!(answer["systemMessage"], said.trim_end(), "{host}");
            }
            assert_ne!(place.jury(&["gate"]), 0, "{host}");
            // The next turn begins afresh.
            assert_eq!(drive(&place, host, says_inside, |_| {}).0, 3, "{host}");
        }
    }
}

#[test]
fn an_agent_that_keeps_making_new_findings_is_let_go_as_well() {
    let place = situation("high");
    let (times, _, said) = drive(&place, "claude", true, |times| {
        // Other lines, so another id.
        place.repo().write("src/high.ts", format!("{}{HIGH}", "\n".repeat(times + 1)));
    });
    assert_eq!(times, 7);
    assert!(said.contains("merge gate is still closed"), "{said}");
}

#[test]
fn an_agent_that_fixes_it_is_let_go_in_silence() {
    for host in hosts() {
        let place = situation("high");
        let (times, _, said) = drive(&place, host, true, |times| {
            if times == 1 {
                place.repo().remove("src/high.ts");
            }
        });
        assert_eq!((times, said.as_str()), (2, ""), "{host}");
    }
}

#[test]
fn what_cannot_be_checked_is_sent_back_once() {
    for (name, part) in [("broken-config", "jury.toml"), ("tampered", "jury restore")] {
        let place = situation(name);
        let (times, _, said) = drive(&place, "claude", true, |_| {});
        assert_eq!(times, 1, "{name}");
        assert!(said.contains("merge gate is still closed") && said.contains(part), "{name}: {said}");
    }
}

/// FAULTS, row 6: where nothing can be remembered, the host's own word is what there is; without it nobody is held.
#[test]
fn without_a_memory_the_host_says_whether_it_was_before() {
    for (says_inside, expected) in [(Some(false), 2), (Some(true), 0), (None, 0)] {
        let place = situation("high");
        assert_eq!(place.jury(&["review", "--quick"]), 1);
        let folder = place.repo().path(".git/jury/hook");
        std::os::unix::fs::symlink(place.root(), &folder).expect("nothing is there yet");
        let input = json!({"session_id": "s", "stop_hook_active": says_inside}).to_string();
        let output = place.hook(&["hook", "claude", "stop"], input.as_bytes());
        assert_eq!(output.status.code(), Some(expected), "{says_inside:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("src/high.ts"));
        // An edit that cannot be remembered is no reason to stop anybody either.
        let output = place.hook(&["hook", "claude", "post-edit"], b"{}");
        assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(0), Vec::new(), Vec::new()));
    }
}

/// FAULTS, row 26, from the other side: whatever the host sends, the check is made and the answer is an answer.
#[test]
fn input_that_is_none_is_checked_all_the_same() {
    let large = format!("{{\"cwd\": \"{}", "x".repeat(70 << 20));
    let deep = "[".repeat(100_000);
    for input in ["", "nonsense", "[]", "null", "{\"session_id\": 7, \"cwd\": []}", &deep, &large] {
        let place = situation("high");
        let shown: String = input.chars().take(30).collect();
        let output = place.hook(&["hook", "claude", "stop"], input.as_bytes());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{shown}: {said}");
        assert_eq!(object(&output.stdout, &shown)["decision"], "block", "{shown}");
        let is_unread = !input.starts_with("{\"session_id");
        assert_eq!(said.contains("could not be read"), is_unread, "{shown}: {said}");
        let output = place.hook(&["hook", "claude", "post-edit"], input.as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{shown}");
        assert!(place.repo().path(".git/jury/hook/dirty").exists(), "{shown}");
    }
}

/// FAULTS, rows 17 and 26: an id is no path, and many findings make no long reason.
#[test]
fn hostile_ids_stay_inside_and_reasons_stay_short() {
    let place = situation("high");
    for nth in 0..80 {
        place.repo().write(&format!("src/a-rather-long-name-of-a-file-{nth}.ts"), HIGH);
    }
    let input = json!({"session_id": "../../../evil", "cwd": "/nowhere/at/all", "stop_hook_active": false}).to_string();
    let output = place.hook(&["hook", "claude", "stop"], input.as_bytes());
    let answer = object(&output.stdout, "many");
    let reason = answer["reason"].as_str().expect("it is blocked");
    assert!(reason.starts_with("Jury: 81 findings need") && reason.len() <= 4_000, "{} {reason}", reason.len());
    assert!(reason.contains("more: `jury status`") && reason.ends_with("jury review --quick"), "{reason}");
    let kept = fs::read_dir(place.repo().path(".git/jury/hook")).expect("it was made");
    let kept: Vec<String> = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(kept.iter().all(|name| name.starts_with("session-")) && kept.len() == 1, "{kept:?}");
}

/// An agent that goes to another folder is still at work in its project.
#[test]
fn the_project_counts_where_the_agent_has_gone_elsewhere() {
    let place = situation("high");
    let elsewhere = TempFolder::new();
    let mut command = jury(&["hook", "claude", "stop"]);
    command.current_dir(elsewhere.path()).env("CLAUDE_PROJECT_DIR", place.root()).stdin(Stdio::null());
    assert_eq!(command.output().expect("it starts").status.code(), Some(2));
}

/// What is checked once is not checked again, and a finding that the agent declines does not hold it (003, `wont_fix`).
#[test]
fn one_tree_is_checked_once() {
    let place = situation("high");
    let stop = || place.hook(&["hook", "claude", "stop"], b"{}").status.code();
    let latest = || place.repo().read(".code-review/review-latest.json");
    assert_eq!(stop(), Some(2));
    let first = latest();
    assert_eq!((stop(), latest() == first), (Some(2), true));
    assert_eq!(place.jury(&["mark", "security-3213ecb0-2", "wont_fix"]), 0);
    assert_eq!(stop(), Some(0));
    place.repo().write("src/high.ts", format!("\n{HIGH}"));
    assert_eq!((stop(), latest() == first), (Some(2), false));
}

/// A verdict file that Jury did not write says nothing, and stands in nobody's way: it is put aside, and the work is checked.
#[test]
fn a_verdict_file_of_somebody_else_is_no_verdict() {
    let place = situation("high");
    place.repo().write(".code-review/review-latest.json", "{\"verdict\": \"PASS\"}\n");
    let output = place.hook(&["hook", "gemini", "stop"], b"{}");
    assert_eq!(output.status.code(), Some(2));
    let answer = object(&output.stdout, "foreign");
    assert!(answer["reason"].as_str().is_some_and(|reason| reason.contains("src/high.ts")), "{answer}");
}

/// A full review whose findings are still to be marked is not replaced by a check.
#[test]
fn findings_that_are_to_be_fixed_stay_where_they_can_be_marked() {
    let place = situation("reviewed-open");
    let before = place.repo().read(".code-review/review-latest.json");
    place.repo().write("src/two.ts", "export const two = 3;\n");
    assert_eq!(place.hook(&["hook", "codex", "stop"], b"{}").status.code(), Some(2));
    // What is not staged is no part of a commit.
    assert_eq!(place.hook(&["hook", "git", "pre-commit"], b"").status.code(), Some(0));
    place.repo().git(["add", "src"]);
    assert_eq!(place.hook(&["hook", "git", "pre-commit"], b"").status.code(), Some(1));
    assert!(place.repo().read(".code-review/review-latest.json") == before);
}
