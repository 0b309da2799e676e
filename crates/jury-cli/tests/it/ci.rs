//! The workflows under `docs/ci`, executed as a runner does: a clean clone of the ref that the host makes, with the fetch depth that the file asks for,
//! then the shell of its steps in order, in the runner's surroundings. The steps that install Jury find a `cargo` that does nothing.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jury_testkit::repo::{Repo, TempFolder};
use serde_json::Value;

const DEFECT: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";

/// What a job said, and whether it passed.
struct Job {
    passed: bool,
    said: String,
}

impl Job {
    #[track_caller]
    fn passes(&self, part: &str) {
        assert!(self.passed && self.said.contains(part), "{}", self.said);
    }

    #[track_caller]
    fn fails(&self, part: &str) {
        assert!(!self.passed && self.said.contains(part), "{}", self.said);
    }
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ci").join(name);
    fs::read_to_string(path).expect("the file is there")
}

fn value(name: &str) -> Value {
    serde_saphyr::from_str(&file(name)).expect("it is YAML")
}

/// A host with a change: the base on `main`, the change on `work`, and the refs that a host makes of them.
struct Host {
    origin: Repo,
    runner: TempFolder,
}

impl Host {
    /// Makes the change by this function, on a base with these files and both workflows.
    fn new(base: &[(&str, &str)], change: impl Fn(&Repo)) -> Self {
        let (github, gitlab) = (file("github.yml"), file("gitlab.yml"));
        let workflows = [(".github/workflows/jury.yml", github.as_str()), (".gitlab-ci.yml", gitlab.as_str())];
        let first = [("src/one.ts", "export const one = 1;\n")];
        let origin = Repo::with(&[&first[..], &workflows[..], base].concat());
        origin.git(["branch", "--move", "--force", "main"]);
        origin.git(["switch", "--quiet", "--create", "work"]);
        change(&origin);
        origin.commit("Work");
        let head = origin.head();
        origin.git(["update-ref", "refs/merge-requests/1/head", &head]);
        // GitHub checks the merge out.
        origin.git(["switch", "--quiet", "--detach", "main"]);
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
        origin.git([&who[..], &["merge", "--quiet", "--no-ff", "-m", "Merge", "work"]].concat());
        let merged = origin.head();
        origin.git(["update-ref", "refs/pull/1/merge", &merged]);
        origin.git(["switch", "--quiet", "main"]);
        let host = Self { origin, runner: TempFolder::new() };
        host.install();
        host
    }

    fn place(&self, name: &str) -> PathBuf {
        self.runner.path().join(name)
    }

    /// Puts Jury into the search path, and a `cargo` that takes the place of its installation.
    fn install(&self) {
        let programs = self.place("bin");
        for folder in ["bin", "home", "temp"] {
            fs::create_dir_all(self.place(folder)).expect("the folder is ours");
        }
        symlink(env!("CARGO_BIN_EXE_jury"), programs.join("jury")).expect("the folder is ours");
        let cargo = programs.join("cargo");
        fs::write(&cargo, "#!/bin/sh\ntest \"$1 $2\" = 'install --locked'\n").expect("the folder is ours");
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    }

    fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command.current_dir(folder).env_clear();
        command.env("PATH", format!("{}:{path}", self.place("bin").display())).env("HOME", self.place("home"));
        command.env("CI", "true").env("LANG", "C.UTF-8").env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    fn git(&self, folder: &Path, arguments: &[&str]) {
        let output = self.command("git", folder).args(arguments).output().expect("git runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Makes the clone of a runner: these refs at this depth (0 is all), then a detached checkout of one.
    fn clone(&self, refs: &[&str], depth: &str, checkout: &str) -> PathBuf {
        let tree = self.place("tree");
        fs::create_dir_all(&tree).expect("the folder is ours");
        self.git(&tree, &["init", "--quiet"]);
        let origin = format!("file://{}", self.origin.root().display());
        self.git(&tree, &["remote", "add", "origin", &origin]);
        let depth = format!("--depth={depth}");
        let depth: &[&str] = if depth == "--depth=0" { &[] } else { &[depth.as_str()] };
        self.git(&tree, &[&["fetch", "--quiet", "--no-tags"], depth, &["origin"], refs].concat());
        self.git(&tree, &["checkout", "--quiet", "--detach", checkout]);
        tree
    }

    /// Runs `docs/ci/github.yml`.
    fn github(&self) -> Job {
        let workflow = value("github.yml");
        let job = &workflow["jobs"]["jury"];
        let filled = |text: &str| {
            let temporary = self.place("temp").display().to_string();
            let text = text.replace("${{ github.base_ref }}", "main").replace("${{ runner.temp }}", &temporary);
            assert!(!text.contains("${{"), "{text}");
            text
        };
        let mut tree = PathBuf::new();
        let mut ended = Job { passed: true, said: String::new() };
        for step in job["steps"].as_array().expect("there are steps") {
            let is_always = step["if"] == "always()";
            assert!(is_always || step["if"].is_null(), "{step}");
            if !ended.passed && !is_always {
                continue;
            }
            let is_fine = match (step["uses"].as_str(), step["run"].as_str()) {
                (Some(uses), _) if uses.starts_with("actions/checkout@") => {
                    let merge = "+refs/pull/1/merge:refs/remotes/pull/1/merge";
                    // With all of the history come all branches.
                    let refs: &[&str] = if step["with"]["fetch-depth"] == 0 {
                        &["+refs/heads/*:refs/remotes/origin/*", merge]
                    } else {
                        &[merge]
                    };
                    let depth = step["with"]["fetch-depth"].as_u64().unwrap_or(1).to_string();
                    tree = self.clone(refs, &depth, "refs/remotes/pull/1/merge");
                    true
                }
                (Some(_), _) => {
                    let sarif = filled(step["with"]["sarif_file"].as_str().expect("it uploads SARIF"));
                    serde_json::from_slice::<Value>(&fs::read(sarif).expect("it was written")).is_ok()
                }
                (None, Some(script)) => {
                    let mut shell = self.command("bash", &tree);
                    shell
                        .args(["-e", "-c", script])
                        .env("GITHUB_ACTIONS", "true")
                        .env("RUNNER_TEMP", self.place("temp"));
                    for (name, value) in job["env"].as_object().expect("there are variables") {
                        shell.env(name, filled(value.as_str().expect("it is a text")));
                    }
                    ended.keep(&shell.output().expect("bash runs"))
                }
                (None, None) => panic!("{step}"),
            };
            ended.passed &= is_fine || step["continue-on-error"] == true;
        }
        ended
    }

    /// Runs `docs/ci/gitlab.yml`.
    fn gitlab(&self) -> Job {
        let job = &value("gitlab.yml")["jury"];
        let depth = job["variables"]["GIT_DEPTH"].as_str().expect("it states a depth");
        let head = "+refs/merge-requests/1/head:refs/pipelines/1";
        let tree = self.clone(&[head], depth, "refs/pipelines/1");
        let mut ended = Job { passed: true, said: String::new() };
        for (part, decides) in [("script", true), ("after_script", false)] {
            let lines: Vec<&str> =
                job[part].as_array().expect("there is a script").iter().filter_map(Value::as_str).collect();
            let mut shell = self.command("bash", &tree);
            shell.args(["-c", &format!("set -eo pipefail\n{}", lines.join("\n"))]);
            shell.env("GITLAB_CI", "true").env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
            for (name, value) in job["variables"].as_object().expect("there are variables") {
                let value = value.as_str().expect("it is a text");
                shell.env(name, value.replace("$CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"));
            }
            let is_fine = ended.keep(&shell.output().expect("bash runs"));
            ended.passed &= is_fine || !decides;
        }
        let artifacts = &job["artifacts"]["reports"];
        for name in [&artifacts["codequality"], &artifacts["junit"], &job["artifacts"]["paths"][0]] {
            let name = name.as_str().expect("it names a file");
            assert!(fs::metadata(tree.join(name)).is_ok_and(|file| file.len() > 0), "{name}: {}", ended.said);
        }
        ended
    }
}

impl Job {
    /// Keeps what a command said; tells whether it went well.
    fn keep(&mut self, output: &Output) -> bool {
        for bytes in [&output.stdout, &output.stderr] {
            self.said.push_str(&String::from_utf8_lossy(bytes));
        }
        output.status.success()
    }
}

#[test]
fn an_honest_change_is_green() {
    let host = || Host::new(&[], |repo| _ = repo.write("src/two.ts", "export const two = 2;\n"));
    host().github().passes("");
    host().gitlab().passes("gate open");
}

#[test]
fn a_defect_is_red() {
    let host = || Host::new(&[], |repo| _ = repo.write("src/list.ts", DEFECT));
    host().github().fails("Command injection");
    host().gitlab().fails("Command injection");
}

#[test]
fn an_edit_of_the_workflow_waits_for_a_person() {
    let host = || {
        Host::new(&[], |repo| {
            for (path, from, to) in [
                (".github/workflows/jury.yml", "--by-mode --format github", "--format github || true"),
                (".gitlab-ci.yml", "--by-mode", "--by-mode || true"),
            ] {
                let text = String::from_utf8(repo.read(path)).expect("it is text");
                repo.write(path, text.replace(from, to));
            }
        })
    };
    host().github().fails("a person has to decide");
    host().gitlab().fails("a person has to decide");
}

#[test]
fn an_edit_that_weakens_nothing_is_green() {
    let host = || {
        Host::new(&[], |repo| {
            let path = ".github/workflows/jury.yml";
            let text = String::from_utf8(repo.read(path)).expect("it is text");
            repo.write(path, text.replace("timeout-minutes: 30", "timeout-minutes: 60"));
        })
    };
    host().github().passes("");
    host().gitlab().passes("gate open");
}

#[test]
fn while_the_policy_observes_a_closed_gate_lets_the_job_pass_and_says_so() {
    let observing = [("jury.toml", "[policy]\nmode = \"observe\"\n")];
    let host = || Host::new(&observing, |repo| _ = repo.write("src/list.ts", DEFECT));
    host().github().passes("observed: would be closed");
    host().gitlab().passes("observed: would be closed");
    // A change that only wants to be observed is not.
    let host = || {
        Host::new(&[], |repo| {
            repo.write("jury.toml", observing[0].1).write("src/list.ts", DEFECT);
        })
    };
    host().github().fails("Command injection");
    host().gitlab().fails("Command injection");
}
