//! `cargo xtask hosts`: real agent hosts, installed by npm into `target/hosts`, with what `jury init` writes for them.
//!
//! In: names of hosts. Out: a line for each thing that was looked at, and whether it is so. The model is one of our own on this
//! machine (`jury_testkit::model`), which writes a defect and says that it is done; no account is needed, and no key is real. What the
//! hosts sent to our hooks, and what they asked the model, stays in `target/hosts/<name>`. Deliberately not here: Cursor, which npm
//! does not have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use jury::config::ready::AGENTS;
use jury_testkit::model::{self, Move};
use jury_testkit::repo::Repo;
use jury_testkit::server::{Asked, Reply, Server, answer, nonce};
use serde_json::{Value, json};

use crate::{Failure, cargo, print, root, say};

/// A host, and how it is asked.
struct Host {
    name: &'static str,
    /// What npm calls it.
    package: &'static str,
    /// A file of the home folder; `ADDRESS` is that of the model, and `ROOT` the repository.
    settings: Option<(&'static str, &'static str)>,
    /// Variables of its environment, with the same words.
    env: &'static [(&'static str, &'static str)],
    /// What it says of our files.
    checks: &'static [Check],
    /// How it works on something without a person; the prompt is the last argument.
    session: &'static [&'static str],
    /// What is added to its command as a reviewer before the last word, where neither its settings nor its environment are heeded.
    reviewer: &'static [&'static str],
    /// Whether it has hooks, and so can be stopped.
    has_hooks: bool,
    /// What its model has to hear of, and by which words that is known.
    hears: &'static [(&'static str, &'static str)],
}

/// A command of a host that says something about our files, and the words by which it is known to be content.
struct Check {
    what: &'static str,
    /// Whether it is asked in our own repository, and not in one that `jury init` was run in.
    is_here: bool,
    arguments: &'static [&'static str],
    says: &'static str,
}

const SECTION: (&str, &str) = ("section about review", "Changes are reviewed by Jury");
const SKILL: (&str, &str) = ("skill", "Reviews a change with Jury and acts on the verdict");
const SUB_AGENTS: (&str, &str) = ("sub-agents", "Whether it works for whoever uses it");
const TOOLS: (&str, &str) = ("MCP server", "next_action");

const HOSTS: &[Host] = &[
    Host {
        name: "claude",
        package: "@anthropic-ai/claude-code",
        settings: None,
        env: &[
            ("ANTHROPIC_BASE_URL", "ADDRESS"),
            ("ANTHROPIC_API_KEY", "not-a-key"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ],
        checks: &[
            Check {
                what: "plugin",
                is_here: true,
                arguments: &["plugin", "validate", "--strict", "plugin"],
                says: "Validation passed",
            },
            Check {
                what: "marketplace",
                is_here: true,
                arguments: &["plugin", "validate", "--strict", "."],
                says: "Validation passed",
            },
            Check {
                what: "marketplace is added",
                is_here: true,
                arguments: &["plugin", "marketplace", "add", "./"],
                says: "Successfully added",
            },
            Check {
                what: "plugin is installed",
                is_here: true,
                arguments: &["plugin", "install", "jury@jury"],
                says: "Successfully installed",
            },
            Check {
                what: "plugin has all parts",
                is_here: true,
                arguments: &["plugin", "details", "jury"],
                says: "SessionStart, PostToolUse, Stop",
            },
            Check {
                what: "plugin is removed",
                is_here: true,
                arguments: &["plugin", "uninstall", "jury@jury"],
                says: "Successfully uninstalled",
            },
        ],
        session: &["-p", "--permission-mode", "acceptEdits", "--output-format", "stream-json", "--verbose"],
        reviewer: &[],
        has_hooks: true,
        hears: &[SECTION, SKILL, SUB_AGENTS, TOOLS],
    },
    Host {
        name: "codex",
        package: "@openai/codex",
        settings: Some((
            ".codex/config.toml",
            "model = \"gpt-5.5\"\nmodel_provider = \"stub\"\n[model_providers.stub]\nname = \"stub\"\nbase_url = \"ADDRESS/v1\"\n\
             wire_api = \"responses\"\nenv_key = \"OPENAI_API_KEY\"\n[projects.\"ROOT\"]\ntrust_level = \"trusted\"\n",
        )),
        env: &[("OPENAI_API_KEY", "not-a-key")],
        checks: &[Check {
            what: "server in config.toml",
            is_here: false,
            arguments: &["mcp", "list"],
            says: "jury     mcp ",
        }],
        // A person trusts the hooks of a repository once, by `/hooks`.
        session: &["exec", "--json", "--strict-config", "-s", "workspace-write", "--dangerously-bypass-hook-trust"],
        reviewer: &[
            "--config",
            "model=gpt-5.5",
            "--config",
            "model_provider=stub",
            "--config",
            r#"model_providers.stub={name="stub",base_url="ADDRESS/v1",wire_api="responses",env_key="OPENAI_API_KEY"}"#,
        ],
        has_hooks: true,
        hears: &[SECTION, SKILL, SUB_AGENTS, TOOLS],
    },
    Host {
        name: "gemini",
        package: "@google/gemini-cli",
        settings: Some((".gemini/settings.json", r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}}"#)),
        env: &[
            ("GEMINI_API_KEY", "not-a-key"),
            ("GOOGLE_GEMINI_BASE_URL", "ADDRESS"),
            // A person trusts a folder once. The flag `--skip-trust` comes too late for hooks and servers.
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ],
        checks: &[
            Check {
                what: "extension",
                is_here: true,
                arguments: &["extensions", "validate", "plugin/gemini"],
                says: "successfully validated",
            },
            Check { what: "server", is_here: false, arguments: &["mcp", "list"], says: "jury mcp (stdio) - Connected" },
            Check { what: "skills", is_here: false, arguments: &["skills", "list"], says: "code-review [Enabled]" },
        ],
        session: &["--approval-mode", "auto_edit", "--output-format", "stream-json", "-p"],
        reviewer: &[],
        has_hooks: true,
        hears: &[SECTION, SKILL, TOOLS],
    },
    Host {
        name: "opencode",
        package: "opencode-ai",
        settings: Some((
            ".config/opencode/opencode.json",
            r#"{"model": "stub/stub", "small_model": "stub/stub", "provider": {"stub": {"npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": "ADDRESS/v1", "apiKey": "{env:OPENAI_API_KEY}"},
                "models": {"stub": {"name": "stub", "limit": {"context": 100000, "output": 4000}}}}}}"#,
        )),
        env: &[
            ("OPENAI_API_KEY", "not-a-key"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ],
        checks: &[
            Check { what: "configuration", is_here: false, arguments: &["debug", "config"], says: "\"code-review\"" },
            Check {
                what: "sub-agents",
                is_here: false,
                arguments: &["agent", "list"],
                says: "ts-strict-reviewer (subagent)",
            },
            Check { what: "server", is_here: false, arguments: &["mcp", "list"], says: "connected" },
            Check { what: "skills", is_here: false, arguments: &["debug", "skill"], says: "\"code-review\"" },
        ],
        session: &["run", "--format", "json"],
        reviewer: &[],
        has_hooks: false,
        hears: &[SECTION, SKILL, SUB_AGENTS, TOOLS],
    },
];

/// How often the stop hook is called by an agent that mends nothing: three times it is sent back, then it is let go.
const STOPS: usize = 4;
const DEFECT: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";
/// What the reviewed change adds; no rule has anything against it, so that only the model finds something.
const REVIEWED: &str = "export const two = 2;\n";
/// What is said to whoever asks for something beside the work. One asks how hard the work is, and again until it is answered.
const ASIDE: &str = r#"{"complexity_reasoning": "none", "complexity_score": 1}"#;
const TITLE: &str = "Two is a number of its own";

pub(crate) fn names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}

pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    cargo(&["build", "--package", "jury-cli"])?;
    let chosen = HOSTS.iter().filter(|host| names.is_empty() || names.iter().any(|name| name == host.name));
    let mut failed = 0;
    for host in chosen {
        failed += Scene::new(host)?.play();
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of what was looked at is not so")) }
}

/// A host that is installed, with a folder for everything that it leaves behind.
struct Scene {
    host: &'static Host,
    /// `target/hosts/<name>`.
    folder: PathBuf,
    version: String,
    failed: usize,
}

impl Scene {
    fn new(host: &'static Host) -> Result<Self, Failure> {
        let folder = root().join("target/hosts").join(host.name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let package = format!("{}@latest", host.package);
        say(&format!("npm install {package}"));
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(&package).stdout(Stdio::null());
        let output = npm.output().map_err(|error| format!("npm does not start: {error}"))?;
        if !output.status.success() {
            return Err(format!("{package} cannot be installed: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let mut scene = Self { host, folder, version: String::new(), failed: 0 };
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
        if let Some((path, text)) = self.host.settings {
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
        for (name, value) in self.host.env {
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
        for check in self.host.checks {
            let folder = if check.is_here { root() } else { repo.root().to_path_buf() };
            let said = self.text(&folder, check.arguments, &url);
            let is_warned = said.contains("unknown format");
            let what = format!("files: {} (`{} {}`)", check.what, self.host.name, check.arguments.join(" "));
            self.note(&what, said.contains(check.says) && !is_warned, || said);
        }
        let arguments = [self.host.session, &["Write the file"]].concat();
        let output = self.output(self.host.name, repo.root(), &arguments, &url);
        self.note("session: ends well", output.status.success(), || both(&output));
        self.keep("session", &output, &server);
        let asked: Vec<String> = server.asked().iter().map(|asked| asked.body.to_string()).collect();
        let hears = |words: &str| asked.iter().any(|asked| asked.contains(words));
        for (what, words) in self.host.hears {
            self.note(&format!("session: the model is told of the {what}"), hears(words), || {
                format!("{words:?} is in none of {} requests", asked.len())
            });
        }
        let is_written = fs::read_to_string(repo.path("src/high.ts")).is_ok_and(|text| text == DEFECT);
        self.note("session: the model's edit is made", is_written, || both(&output));
        if self.host.has_hooks {
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
        let start = told("Jury: nothing reviewed yet");
        self.note("hooks: the model hears of the session's start", start > 0, || "it does not".to_owned());
        let back = told("has to be dealt with");
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
        let (repo, url) = (reviewed(self.host, &server.url("")), server.url(""));
        self.prepare(&repo, &url);
        let output = self.output("jury", repo.root(), &["review", "--trust"], &url);
        self.keep("review", &output, &server);
        let said = both(&output);
        let is_found = output.status.code() == Some(1) && said.contains(TITLE) && !said.contains("Not looked at");
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
        let (repo, url) = (reviewed(self.host, &server.url("")), server.url(""));
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
fn reviewed(host: &Host, url: &str) -> Repo {
    let mut config = format!("[reviewers.correctness]\nkind = \"agent\"\nuse = \"{}\"\ntimeout = \"60s\"\n", host.name);
    if !host.reviewer.is_empty() {
        let ready = AGENTS.iter().find(|agent| agent.name == host.name).expect("every host is a ready-made agent");
        let (last, words) = ready.command.split_last().expect("a command has a program");
        let added = host.reviewer.iter().map(|word| word.replace("ADDRESS", url));
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

fn both(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).join("\n")
}

/// Returns the end of what was said, in one line.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let skipped = line.chars().count().saturating_sub(600);
    line.chars().skip(skipped).collect()
}
