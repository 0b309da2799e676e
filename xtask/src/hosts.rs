//! `cargo xtask hosts`: real agent hosts, installed by npm into `target/hosts`, with what `jury init` writes for them.
//!
//! In: names of hosts, and `xtask/hosts/<name>.toml` for each. Out: a line for each thing that was looked at, and whether it is so. The model is one of our own on this
//! machine (`jury_testkit::model`), which writes a defect and says that it is done; no account is needed, and no key is real. What the
//! hosts sent to our hooks, and what they asked the model, stays in `target/hosts/<name>`. Deliberately not here: Cursor, which npm
//! does not have.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use jury::agents::{HOSTS, Host};
use jury_testkit::model::{self, Move};
use jury_testkit::repo::Repo;
use jury_testkit::server::{Asked, Reply, Server, answer, nonce};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Failure, cargo, print, root, say};

/// How a host is installed and asked: `xtask/hosts/<name>.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trial {
    /// Its name in npm.
    package: String,
    /// A file of the home folder.
    settings: Option<Settings>,
    /// Variables of its environment; `ADDRESS` is that of the model.
    env: BTreeMap<String, String>,
    /// Its words about our files.
    checks: Vec<Check>,
    /// The arguments with which it works without a person; the prompt comes last.
    session: Vec<String>,
    /// Words that are added to its command as a reviewer before the last word, where it heeds neither its settings nor its environment.
    #[serde(default)]
    reviewer: Vec<String>,
    /// The parts of the plugin that its model has to hear of.
    hears: Vec<Part>,
}

/// A file of the home folder; `ADDRESS` is that of the model, and `ROOT` the repository.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    path: String,
    text: String,
}

/// A command of a host that says something about our files, and the words by which it is known to be content.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    what: String,
    /// Whether it is asked in our own repository, and not in one that `jury init` was run in.
    is_here: bool,
    arguments: Vec<String>,
    says: String,
}

/// A part of the plugin.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    Section,
    Skill,
    SubAgents,
    Server,
}

impl Part {
    /// Returns its name, and the words by which it is known.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Section => ("section about review", "Changes are reviewed by Jury"),
            Self::Skill => ("skill", "Reviews a change with Jury and acts on the verdict"),
            Self::SubAgents => ("sub-agents", "Whether it works for whoever uses it"),
            Self::Server => ("MCP server", "next_action"),
        }
    }
}

/// How often the stop hook is called by an agent that mends nothing: three times it is sent back, then it is let go.
const STOPS: usize = 4;
const DEFECT: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";
/// What the reviewed change adds; no rule has anything against it, so that only the model finds something.
const REVIEWED: &str = "export const two = 2;\n";
/// What is said to whoever asks for something beside the work. One asks how hard the work is, and again until it is answered.
const ASIDE: &str = r#"{"complexity_reasoning": "none", "complexity_score": 1}"#;
const TITLE: &str = "Two is a number of its own";

/// Returns the hosts that can be run: those with a file in `xtask/hosts`.
pub(crate) fn names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).filter(|name| trial_file(name).exists()).collect()
}

fn trial_file(name: &str) -> PathBuf {
    root().join("xtask/hosts").join(format!("{name}.toml"))
}

pub(crate) fn run(chosen: &[String]) -> Result<(), Failure> {
    cargo(&["build", "--package", "jury-cli"])?;
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|other| other == name);
    let mut failed = 0;
    for host in HOSTS.iter().filter(|host| names().contains(&host.name) && is_chosen(host.name)) {
        failed += Scene::new(host)?.play();
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of what was looked at is not so")) }
}

/// A host that is installed, with a folder for everything that it leaves behind.
struct Scene {
    host: &'static Host,
    trial: Trial,
    /// `target/hosts/<name>`.
    folder: PathBuf,
    version: String,
    failed: usize,
}

impl Scene {
    fn new(host: &'static Host) -> Result<Self, Failure> {
        let file = trial_file(host.name);
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let trial: Trial = toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let folder = root().join("target/hosts").join(host.name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let package = format!("{}@latest", trial.package);
        say(&format!("npm install {package}"));
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(&package).stdout(Stdio::null());
        let output = npm.output().map_err(|error| format!("npm does not start: {error}"))?;
        if !output.status.success() {
            return Err(format!("{package} cannot be installed: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let mut scene = Self { host, trial, folder, version: String::new(), failed: 0 };
        scene.fresh("home");
        let said = scene.text(&root(), &["--version"], "http://127.0.0.1:9");
        // Some put their name before it, some after it.
        let is_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        scene.version = said.split_whitespace().find(is_version).unwrap_or("of no version").to_owned();
        Ok(scene)
    }

    /// Looks at everything; returns how much is not so.
    fn play(mut self) -> usize {
        self.session();
        self.review();
        self.failing_model();
        self.failed
    }

    fn note(&mut self, what: &str, is_so: bool, otherwise: impl FnOnce() -> String) {
        let Host { name, .. } = self.host;
        match is_so {
            true => print(&format!("ok      {name} {} {what}", self.version)),
            false => {
                self.failed += 1;
                print(&format!("FAILED  {name} {} {what}: {}", self.version, shortened(&otherwise())));
            }
        }
    }

    /// Makes an empty folder of the scene.
    fn fresh(&self, name: &str) -> PathBuf {
        let folder = self.folder.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("a folder of ours can be removed");
        }
        fs::create_dir_all(&folder).expect("a folder of ours can be made");
        folder
    }

    /// Prepares the home folder and a `jury` that keeps what hooks are given.
    fn prepare(&self, repo: &Repo, url: &str) {
        let home = self.fresh("home");
        if let Some(Settings { path, text }) = &self.trial.settings {
            let path = home.join(path);
            fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the home is ours");
            let root = repo.root().display().to_string();
            fs::write(path, text.replace("ADDRESS", url).replace("ROOT", &root)).expect("the home is ours");
        }
        let (seen, bin) = (self.folder.join("seen"), self.fresh("bin"));
        let jury = root().join("target/debug/jury");
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = hook ]; then tee \"{}/$3-$$.json\" | \"{1}\" \"$@\"; else exec \"{1}\" \"$@\"; fi\n",
            seen.display(),
            jury.display()
        );
        let path = bin.join("jury");
        fs::write(&path, script).expect("the folder is ours");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
        }
    }

    /// A program with nothing of this environment but what every program needs, and what the host is told.
    fn command(&self, program: &str, folder: &Path, url: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let folders = [self.folder.join("bin"), self.folder.join("node_modules/.bin")];
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let path = format!("{}:{path}", folders.join(":"));
        // `Command` looks a program up by the PATH of its own process.
        let find = |folder: &str| Some(Path::new(folder).join(program)).filter(|place| place.exists());
        let place = path.split(':').find_map(find).unwrap_or_else(|| program.into());
        let mut command = Command::new(place);
        command.current_dir(folder).env_clear().env("PATH", &path).env("HOME", self.folder.join("home"));
        command.env("TERM", "dumb").env("LANG", "C.UTF-8").stdin(Stdio::null());
        for (name, value) in &self.trial.env {
            command.env(name, value.replace("ADDRESS", url));
        }
        command
    }

    fn output(&self, program: &str, folder: &Path, arguments: &[&str], url: &str) -> Output {
        let mut command = self.command(program, folder, url);
        command.args(arguments).output().unwrap_or_else(|error| panic!("{program} does not start: {error}"))
    }

    /// Returns all that the host prints.
    fn text(&self, folder: &Path, arguments: &[&str], url: &str) -> String {
        both(&self.output(self.host.name, folder, arguments, url))
    }

    /// The agent at work: what it is told, where it is stopped, and that it is let go.
    fn session(&mut self) {
        let turn = AtomicUsize::new(0);
        let server = Server::choosing(move |_, asked| {
            let next = match model::offers_tools(asked) && !is_aside(asked) {
                true => turn.fetch_add(1, Ordering::Relaxed),
                false => usize::MAX,
            };
            let next = match next {
                0 => Move::Searches,
                1 => Move::Writes("src/high.ts".to_owned(), DEFECT.to_owned()),
                usize::MAX => Move::Says(ASIDE.to_owned()),
                _ => Move::Says("Done.".to_owned()),
            };
            Some(model::reply(asked, &next))
        });
        let url = server.url("");
        let repo = Repo::with(&[("src/one.ts", "export const one = 1;\n")]);
        self.fresh("seen");
        self.prepare(&repo, &url);
        let set_up = self.output("jury", repo.root(), &["init", "--yes", "--hosts", self.host.name], &url);
        self.note("is set up by `jury init`", set_up.status.success(), || both(&set_up));
        repo.commit("Set up");
        repo.git(["switch", "--quiet", "--create", "work"]);
        for check in std::mem::take(&mut self.trial.checks) {
            let folder = if check.is_here { root() } else { repo.root().to_path_buf() };
            let said = self.text(&folder, &strs(&check.arguments), &url);
            let is_warned = said.contains("unknown format");
            let what = format!("files: {} (`{} {}`)", check.what, self.host.name, check.arguments.join(" "));
            self.note(&what, said.contains(&check.says) && !is_warned, || said);
        }
        let arguments = [strs(&self.trial.session), vec!["Write the file"]].concat();
        let output = self.output(self.host.name, repo.root(), &arguments, &url);
        self.note("session: ends well", output.status.success(), || both(&output));
        self.keep("session", &output, &server);
        let asked: Vec<String> = server.asked().iter().map(|asked| asked.body.to_string()).collect();
        let hears = |words: &str| asked.iter().any(|asked| asked.contains(words));
        for (what, words) in self.trial.hears.clone().into_iter().map(Part::words) {
            self.note(&format!("session: the model is told of the {what}"), hears(words), || {
                format!("{words:?} is in none of {} requests", asked.len())
            });
        }
        let is_written = fs::read_to_string(repo.path("src/high.ts")).is_ok_and(|text| text == DEFECT);
        self.note("session: the model's edit is made", is_written, || both(&output));
        if self.host.hooks.is_some() {
            self.hooks(&asked);
        }
        let gate = self.output("jury", repo.root(), &["gate"], &url);
        self.note("session: the gate is closed afterwards", !gate.status.success(), || both(&gate));
    }

    /// What the hooks were given, and what became of their answers.
    fn hooks(&mut self, asked: &[String]) {
        let seen = fs::read_dir(self.folder.join("seen")).expect("the folder is ours");
        let seen: Vec<String> = seen.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let called = |event: &str| seen.iter().filter(|name| name.starts_with(event)).count();
        for (event, times) in [("session-start", 1), ("post-edit", 1), ("stop", STOPS)] {
            let what = format!("hooks: {event} is called (× {times})");
            self.note(&what, called(event) == times, || format!("{seen:?}"));
        }
        let told = |words: &str| asked.iter().filter(|asked| asked.contains(words)).count();
        let start = told("Jury: no review yet");
        self.note("hooks: the model hears of the session's start", start > 0, || "it does not".to_owned());
        let back = told("needs action");
        self.note("hooks: the model is sent back with the reason", back == STOPS - 1, || format!("{back} times"));
    }

    /// The host as a reviewer: it reads, writes nothing, and what its model finds is in the verdict.
    fn review(&mut self) {
        let turn = AtomicUsize::new(0);
        let server = Server::choosing(move |_, asked| {
            let is_ours = nonce(&asked.body).is_some() && model::offers_tools(asked);
            let turn = if is_ours { turn.fetch_add(1, Ordering::Relaxed) } else { usize::MAX };
            Some(model::reply(asked, &reviewing(turn, asked)))
        });
        let (repo, url) = (reviewed(self.host, &self.trial.reviewer, &server.url("")), server.url(""));
        self.prepare(&repo, &url);
        let output = self.output("jury", repo.root(), &["review", "--trust"], &url);
        self.keep("review", &output, &server);
        let said = both(&output);
        let is_found = output.status.code() == Some(1) && said.contains(TITLE) && !said.contains("Not reviewed");
        self.note("reviewer: what its model finds is in the verdict", is_found, || said.clone());
        self.note("reviewer: what it took is known", said.contains("tokens in"), || said);
        let ours = |asked: &Asked| nonce(&asked.body).is_some() && model::offers_tools(asked);
        let results: Vec<String> = server.asked().iter().filter(|asked| ours(asked)).map(model::last).collect();
        let result = |turn: usize| results.get(turn).cloned().unwrap_or_default();
        self.note("reviewer: can read", result(1).contains("one = 1"), || result(1));
        let is_kept = results.len() == 5 && !result(4).contains("PLANTED");
        self.note("reviewer: can write neither by tool nor by shell", is_kept, || result(4));
    }

    /// A model that refuses is a gap.
    fn failing_model(&mut self) {
        let refusal = json!({"type": "error", "error": {"type": "authentication_error", "message": "no such key", "code": 401,
            "status": "UNAUTHENTICATED"}});
        let server = Server::answering(vec![Reply::Raw(401, Vec::new(), refusal.to_string())]);
        let (repo, url) = (reviewed(self.host, &self.trial.reviewer, &server.url("")), server.url(""));
        self.prepare(&repo, &url);
        let output = self.output("jury", repo.root(), &["review", "--trust"], &url);
        self.keep("refused", &output, &server);
        let said = both(&output);
        let is_gap = output.status.code() == Some(4) && said.contains("did not report");
        self.note("reviewer: a model that refuses is a gap", is_gap && !server.asked().is_empty(), || said);
    }

    /// Keeps what was printed and asked, to be looked at.
    fn keep(&self, name: &str, output: &Output, server: &Server) {
        let folder = self.fresh(name);
        let asked: Vec<Value> =
            server.asked().into_iter().map(|asked| json!({"path": asked.path, "body": asked.body})).collect();
        let asked = format!("{:#}\n", Value::from(asked)).into_bytes();
        for (file, bytes) in [("printed", &output.stdout), ("complained", &output.stderr), ("asked.json", &asked)] {
            fs::write(folder.join(file), bytes).expect("the folder is ours");
        }
    }
}

/// Tells whether a host asks its model for something beside the work.
fn is_aside(asked: &Asked) -> bool {
    !asked.body.to_string().contains("Write the file")
}

/// Makes a repository with a change that is to be reviewed by a host alone.
fn reviewed(host: &Host, added: &[String], url: &str) -> Repo {
    let mut config = format!("[reviewers.correctness]\nkind = \"agent\"\nuse = \"{}\"\ntimeout = \"60s\"\n", host.name);
    if !added.is_empty() {
        let ready = host.reviewer.as_ref().expect("a host with words for its reviewer reviews");
        let (last, words) = ready.command.split_last().expect("a command has a program");
        let added = added.iter().map(|word| word.replace("ADDRESS", url));
        let words: Vec<String> = words.iter().map(ToString::to_string).chain(added).chain([last.to_string()]).collect();
        config.push_str(&format!("command = {words:?}\nwrites = {:?}\n", ready.writes));
    }
    let repo = Repo::with(&[("src/one.ts", "export const one = 1;\n"), ("jury.toml", &config)]);
    repo.git(["switch", "--quiet", "--create", "work"]);
    repo.write("src/two.ts", REVIEWED);
    repo.commit("Work");
    repo
}

/// What a model does that reviews, and tries to do more.
fn reviewing(turn: usize, asked: &Asked) -> Move {
    let planted = || "planted.txt".to_owned();
    match turn {
        0 => Move::Reads("src/one.ts".to_owned()),
        1 => Move::Writes(planted(), "PLANTED\n".to_owned()),
        2 => Move::Runs("echo PLANTED > planted.txt".to_owned()),
        3 => Move::Reads(planted()),
        4 => {
            let finding = json!([{"title": TITLE, "severity": "P1", "file": "src/two.ts", "line": 1, "why_it_matters": "It is said.",
                "autofix_class": "manual", "owner": "human", "requires_verification": true, "suggested_fix": null,
                "confidence": 100, "evidence": [REVIEWED.trim()], "pre_existing": false}]);
            Move::Says(answer(&finding).replace("NONCE", &nonce(&asked.body).unwrap_or_default()))
        }
        _ => Move::Says(ASIDE.to_owned()),
    }
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn both(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).join("\n")
}

/// Returns the end of what was said, in one line.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let skipped = line.chars().count().saturating_sub(600);
    line.chars().skip(skipped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trial_is_of_a_host_and_understood() {
        let files = fs::read_dir(root().join("xtask/hosts")).unwrap().count();
        assert_eq!(files, names().len());
        for name in names() {
            let text = fs::read_to_string(trial_file(name)).unwrap();
            let trial: Trial = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!trial.session.is_empty() && !trial.hears.is_empty(), "{name}");
        }
    }
}
