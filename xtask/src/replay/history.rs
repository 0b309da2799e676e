//! The changes of a history, and a scratch clone that goes to each of them.
//!
//! In: a repository. Out: its merged changes, and a working tree at one of them. The clone borrows the objects of the repository, runs no
//! hook, filter or setting of the user, and is removed when it is dropped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jury_testkit::repo::TempFolder;

use crate::Failure;

/// A merged change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) commit: String,
    /// The first parent, which is what the change was merged into.
    pub(super) base: String,
    pub(super) subject: String,
}

/// Lists the changes of the first-parent line, newest first. Without merges it is every commit. The first commit has no base.
pub(super) fn changes(folder: &Path, from: &str, last: usize) -> Result<Vec<Change>, Failure> {
    let count = format!("--max-count={last}");
    let log = text(git(folder).args(["log", "--first-parent", &count, "--format=%H %P%x00%s", from, "--"]))?;
    Ok(log.lines().filter_map(change).collect())
}

fn change(line: &str) -> Option<Change> {
    let (ids, subject) = line.split_once('\0')?;
    let mut ids = ids.split(' ').filter(|id| !id.is_empty()).map(str::to_owned);
    Some(Change { commit: ids.next()?, base: ids.next()?, subject: subject.to_owned() })
}

/// A clone with a working tree, and an empty home.
pub(super) struct Scratch {
    folder: TempFolder,
}

impl Scratch {
    pub(super) fn new(source: &Path) -> Result<Scratch, Failure> {
        let folder = TempFolder::new();
        let made = Scratch { folder };
        std::fs::create_dir_all(made.home()).map_err(|error| format!("{}: {error}", made.home().display()))?;
        let mut clone = git(made.folder.path());
        clone.args(["clone", "--quiet", "--shared", "--no-checkout", "--template="]).arg(source).arg(made.tree());
        text(&mut clone)?;
        Ok(made)
    }

    /// Returns the working tree.
    pub(super) fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    /// Returns a folder in which a program finds no settings of a user.
    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Moves the working tree to a commit; nothing of an earlier review is left in it.
    pub(super) fn go_to(&self, commit: &str) -> Result<(), Failure> {
        let tree = self.tree();
        // What a review keeps beside the objects.
        let kept = tree.join(".git/jury");
        if kept.exists() {
            std::fs::remove_dir_all(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
        }
        text(git(&tree).args(["checkout", "--quiet", "--force", "--detach", commit]))?;
        text(git(&tree).args(["clean", "--quiet", "-ffdx"])).map(drop)
    }

    /// Returns the base and the commit of the same change in a repository whose policy this is.
    pub(super) fn with_policy(&self, change: &Change, policy: &str) -> Result<(String, String), Failure> {
        let tree = self.tree();
        let file = self.folder.path().join("policy");
        std::fs::write(&file, policy).map_err(|error| format!("{}: {error}", file.display()))?;
        let blob = text(git(&tree).args(["hash-object", "-w", "--"]).arg(&file))?;
        let index = self.folder.path().join("index");
        let in_index = |arguments: &[&str]| text(git(&tree).env("GIT_INDEX_FILE", &index).args(arguments));
        let mut made = Vec::new();
        for commit in [&change.base, &change.commit] {
            in_index(&["read-tree", commit])?;
            in_index(&["update-index", "--add", "--cacheinfo", &format!("100644,{},jury.toml", blob.trim())])?;
            let written = in_index(&["write-tree"])?;
            let mut commit_tree = git(&tree);
            for (name, value) in [("NAME", "replay"), ("EMAIL", "replay@localhost"), ("DATE", "@1700000000 +0000")] {
                commit_tree.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
            }
            commit_tree.args(["commit-tree", written.trim(), "-m", "replay"]);
            made.last().into_iter().for_each(|base: &String| _ = commit_tree.args(["-p", base.as_str()]));
            made.push(text(&mut commit_tree)?.trim().to_owned());
        }
        let commit = made.pop().unwrap_or_default();
        Ok((made.pop().unwrap_or_default(), commit))
    }

    /// Lists the paths that a change touches, under both names if it moves one.
    pub(super) fn paths(&self, change: &Change) -> Result<Vec<String>, Failure> {
        let arguments = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", &change.base, &change.commit];
        let names = text(git(&self.tree()).args(arguments))?;
        Ok(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }
}

/// Returns git in a folder, with no settings but those of the repository and nothing that runs by itself.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    isolated(&mut command);
    let settings =
        ["safe.directory=*", "core.hooksPath=/dev/null", "core.fsmonitor=false", "advice.detachedHead=false"];
    for setting in settings {
        command.args(["-c", setting]);
    }
    command.current_dir(folder);
    command
}

/// Takes away what the environment says about git.
pub(super) fn isolated(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_TERMINAL_PROMPT", "0");
    command.env("GIT_NO_LAZY_FETCH", "1");
}

/// Runs a command and returns what it printed, as far as that is text.
fn text(command: &mut Command) -> Result<String, Failure> {
    let Output { status, stdout, stderr } = command.output().map_err(|error| format!("git does not start: {error}"))?;
    if status.success() {
        return Ok(String::from_utf8_lossy(&stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&stderr);
    Err(said.lines().next().unwrap_or("git failed and said nothing").to_owned())
}
