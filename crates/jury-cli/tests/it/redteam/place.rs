//! A throw-away place with a remote, for one run of an attack. In: steps. Out: how the gate ends, and why.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use jury_testkit::repo::TempFolder;
use serde_json::Value;

use super::attack::{Reason, Step};
use crate::console::surrounding;

/// The exit codes with which Jury ends by itself.
const ENDS: [i32; 7] = [0, 1, 2, 3, 4, 5, 6];
/// Forgets every review.
const FORGET: &str = "rm -rf .git/jury .code-review docs/code-reviews";

/// A repository with a remote, on the branch `work` after the steps of `base`.
pub(super) struct Place {
    folder: TempFolder,
    /// Every command with its output.
    pub(super) log: String,
}

impl Place {
    /// Makes the remote and the repository. The first commit is empty, so that a whole tree can be reviewed as new.
    pub(super) fn new(base: &[Step]) -> Result<Self, String> {
        let folder = TempFolder::new();
        for name in ["home", "repo"] {
            fs::create_dir(folder.path().join(name)).expect("the place is empty");
        }
        let mut place = Self { folder, log: String::new() };
        place.run(
            "git init -q --bare -b main ../origin.git && git init -q -b main . && git remote add origin ../origin.git \
             && git commit -q --allow-empty -m Root",
        )?;
        place.steps(base)?;
        place.run(
            "commit Base && git push -q origin main && git remote set-head origin main && git checkout -q -b work",
        )?;
        Ok(place)
    }

    /// Takes the steps of a change; unless they call Jury themselves, commits and reviews it. Returns how the gate ends.
    pub(super) fn play(&mut self, change: &[Step], gate: &[Step]) -> Result<i32, String> {
        self.steps(change)?;
        let is_complete = change.iter().any(|step| matches!(step, Step::Command(command) if command.contains("jury ")));
        if !is_complete {
            self.run("commit")?;
            self.run("jury review")?;
        }
        let mut code = 0;
        for step in gate {
            let Step::Command(command) = step else { return Err("a gate has no files".to_owned()) };
            code = self.shell(command).0;
        }
        Ok(code)
    }

    /// Goes back to the base, without any review.
    pub(super) fn reset(&mut self) -> Result<(), String> {
        self.run(&format!("git checkout -q -B work origin/main && git clean -q -fdx && {FORGET}"))
    }

    /// Reviews the tree as it stands as if all of it were new.
    pub(super) fn review_as_new(&mut self, first: &[Step]) -> Result<(), String> {
        self.steps(first)?;
        self.run(&format!("commit Plain && {FORGET}"))?;
        self.run("jury review --base $(git rev-list --max-parents=0 HEAD | tail -1)")
    }

    /// Returns the reasons that do not hold.
    pub(super) fn missing(&mut self, closes: &[Vec<Reason>]) -> Vec<String> {
        let file = fs::read_to_string(self.repository().join(".code-review/review-latest.json")).unwrap_or_default();
        let file: Value = serde_json::from_str(&file).unwrap_or_default();
        let gate: Value = serde_json::from_str(&self.shell("jury gate --format json").1).unwrap_or_default();
        let holds = |reason: &Reason| match reason {
            Reason::Finding(words) => {
                blocking(&file).any(|it| it["title"].as_str().is_some_and(|it| it.contains(words)))
            }
            Reason::Domain(name) => blocking(&file).any(|it| it["domain"] == **name),
            Reason::Condition(name) => {
                items(&gate["conditions"]).any(|it| it["condition"] == **name && it["holds"] == false)
            }
            Reason::Says(text) => self.log.contains(text),
        };
        closes.iter().filter(|line| !line.iter().any(holds)).map(|line| format!("{line:?}")).collect()
    }

    fn steps(&mut self, steps: &[Step]) -> Result<(), String> {
        for step in steps {
            match step {
                Step::File(path, content) => self.write(path, content)?,
                Step::Command(command) => self.run(command)?,
            }
        }
        Ok(())
    }

    fn write(&mut self, path: &str, content: &str) -> Result<(), String> {
        let file = self.repository().join(path);
        fs::create_dir_all(file.parent().expect("it is below the repository")).map_err(|error| error.to_string())?;
        fs::write(file, format!("{}\n", content.trim_end_matches('\n'))).map_err(|error| error.to_string())
    }

    /// Runs a command that has to succeed; Jury may end as it does.
    fn run(&mut self, command: &str) -> Result<(), String> {
        let (code, output) = self.shell(command);
        let is_expected = if command.starts_with("jury ") { ENDS.contains(&code) } else { code == 0 };
        if is_expected { Ok(()) } else { Err(format!("`{command}` ended with {code}: {output}")) }
    }

    fn shell(&mut self, command: &str) -> (i32, String) {
        let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/redteam/bin");
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.repository())
            .env_clear()
            .envs(surrounding(&self.folder.path().join("home"), scripts))
            .stdin(Stdio::null())
            .output()
            .expect("a shell can be started");
        let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or_default());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let _ = writeln!(self.log, "$ {command}\n{text}[exit {code}]");
        (code, text)
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("repo")
    }
}

/// Returns the findings of a verdict file that block.
fn blocking(file: &Value) -> impl Iterator<Item = &Value> {
    items(&file["findings"]).filter(|it| it["severity"] == "Blocker" || it["severity"] == "High")
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}
