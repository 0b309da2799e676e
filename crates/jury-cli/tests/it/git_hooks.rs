//! git's hooks, called by git itself: what a commit and a push are held against, in all the forms of row 27 of the faults.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use jury_testkit::repo::Repo;

use crate::binary::jury;

const HIGH: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";

/// A clone with our hooks in it, on the branch `work` with one commit, and where it was cloned from.
struct Clone {
    repo: Repo,
    _origin: Repo,
}

impl Clone {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(arguments: &[&str]) -> Self {
        let origin = Repo::with(&[("src/one.ts", "export const one = 1;\n")]);
        origin.write("src/zero.ts", "export const zero = 0;\n");
        origin.commit("second");
        origin.git(["branch", "old"]);
        let repo = Repo::clone_of(&origin, arguments);
        repo.git(["switch", "--quiet", "--create", "work"]);
        repo.write("src/two.ts", "export const two = 2;\n");
        repo.commit("Work");
        for (hook, arguments) in [("pre-push", " \"$@\""), ("pre-commit", "")] {
            let path = repo.path(&format!(".git/hooks/{hook}"));
            let script = format!("#!/bin/sh\nexec '{}' hook git {hook}{arguments}\n", env!("CARGO_BIN_EXE_jury"));
            std::fs::create_dir_all(path.parent().expect("a hook lies in a folder")).expect("the git dir is ours");
            std::fs::write(&path, script).expect("the git dir is ours");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
        }
        Self { repo, _origin: origin }
    }

    fn reviewed() -> Self {
        let clone = Self::new();
        assert_eq!(clone.jury(&["review"], "").0, Some(0));
        clone
    }

    fn jury(&self, arguments: &[&str], input: &str) -> (Option<i32>, String) {
        use std::io::Write as _;
        let mut command = jury(arguments);
        let command = command.current_dir(self.repo.root()).env_remove("PRE_COMMIT_TO_REF");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the binary ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Runs git with its hooks; returns what it says if it refuses.
    fn git(&self, arguments: &[&str]) -> Result<(), String> {
        let mut command = Command::new("git");
        let who = ["-c", "user.name=A. Author", "-c", "user.email=author@example.com"];
        command.args(who).args(arguments).current_dir(self.repo.root());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command.output().expect("git runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    }

    fn refused(&self, arguments: &[&str], part: &str) {
        let said = self.git(arguments).expect_err("it is refused");
        assert!(said.contains(part), "{arguments:?}: {said}");
    }

    fn allowed(&self, arguments: &[&str]) {
        self.git(arguments).unwrap_or_else(|said| panic!("{arguments:?}: {said}"));
    }
}

#[test]
fn a_new_branch_is_pushed_once_it_was_reviewed() {
    let clone = Clone::new();
    clone.refused(&["push", "-q", "origin", "work"], "reviewed");
    assert_eq!(clone.jury(&["review"], "").0, Some(0));
    clone.allowed(&["push", "-q", "origin", "work"]);
    // Nothing new is nothing to judge, whatever lies in the working tree.
    clone.repo.write("src/high.ts", HIGH);
    clone.allowed(&["push", "-q", "origin", "work"]);
    clone.allowed(&["push", "-q", "origin", "work:other"]);
}

#[test]
fn a_review_that_blocks_refuses_the_push() {
    let clone = Clone::new();
    clone.repo.write("src/high.ts", HIGH);
    clone.repo.git(["-c", "core.hooksPath=/dev/null", "add", "--all"]);
    clone.repo.git(["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "High"]);
    assert_eq!(clone.jury(&["review"], "").0, Some(1));
    clone.refused(&["push", "-q", "origin", "work"], "nothing-open");
}

#[test]
fn only_the_tree_that_was_judged_is_pushed() {
    let clone = Clone::reviewed();
    clone.repo.write("src/three.ts", "export const three = 3;\n");
    clone.refused(&["push", "-q", "origin", "work"], "in 1 path (src/three.ts)");
    clone.allowed(&["add", "--all"]);
    clone.allowed(&["commit", "-q", "-m", "Three"]);
    clone.refused(&["push", "-q", "origin", "work"], "same-tree");
    // What lies below is no longer what is checked out, though it was reviewed.
    clone.refused(&["push", "-q", "origin", "HEAD~:refs/heads/part"], "is not checked out");
    assert_eq!(clone.jury(&["review"], "").0, Some(0));
    clone.allowed(&["push", "-q", "origin", "HEAD:refs/heads/work"]);
    clone.allowed(&["push", "-q", "origin", "HEAD~:refs/heads/part"]);
}

#[test]
fn deleting_judges_nothing_and_many_refs_are_all_judged() {
    let clone = Clone::new();
    clone.allowed(&["push", "-q", "origin", "--delete", "old"]);
    assert_eq!(clone.jury(&["review"], "").0, Some(0));
    clone.repo.git(["branch", "unseen", "HEAD"]);
    clone.repo.git(["-c", "core.hooksPath=/dev/null", "switch", "--quiet", "unseen"]);
    clone.repo.write("src/high.ts", HIGH);
    clone.repo.git(["add", "--all"]);
    clone.repo.git(["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Unseen"]);
    clone.repo.git(["switch", "--quiet", "work"]);
    clone.refused(&["push", "-q", "origin", "work", "unseen"], "unseen is not checked out");
    clone.refused(&["push", "-q", "origin", "unseen", "work"], "unseen is not checked out");
    clone.allowed(&["push", "-q", "origin", "work", "main"]);
}

#[test]
fn a_tag_is_as_good_as_what_it_names() {
    let clone = Clone::new();
    clone.repo.git(["tag", "-a", "v1", "-m", "v1", "origin/main"]);
    clone.allowed(&["push", "-q", "origin", "v1"]);
    clone.repo.git(["tag", "-a", "v2", "-m", "v2", "HEAD"]);
    clone.refused(&["push", "-q", "origin", "v2"], "reviewed");
    assert_eq!(clone.jury(&["review"], "").0, Some(0));
    clone.allowed(&["push", "-q", "origin", "v2"]);
}

#[test]
fn empty_input_is_what_is_checked_out() {
    let clone = Clone::new();
    let push = |input: &str| clone.jury(&["hook", "git", "pre-push", "origin", "url"], input);
    assert_eq!(push("").0, Some(1));
    let zero = "0".repeat(40);
    assert_eq!(push(&format!("(delete) {zero} refs/heads/old {}\n", "a".repeat(40))).0, Some(0));
    let (code, said) = push("nonsense\n");
    assert!(code == Some(1) && said.contains("`nonsense`"), "{said}");
    // An object that is not here.
    let (code, said) = push(&format!("refs/heads/x {} refs/heads/x {zero}\n", "b".repeat(40)));
    assert!(code == Some(1) && said.contains("is not a commit"), "{said}");
    assert_eq!(clone.jury(&["review"], "").0, Some(0));
    assert_eq!(push("").0, Some(0));
    // What the remote has is not here: what it lacks is known all the same.
    let head = clone.repo.head();
    assert_eq!(push(&format!("refs/heads/work {head} refs/heads/work {}\n", "c".repeat(40))).0, Some(0));
    let mut framework = jury(&["hook", "git", "pre-push"]);
    framework.current_dir(clone.repo.root()).stdin(Stdio::null()).env("PRE_COMMIT_TO_REF", "HEAD~1");
    assert_eq!(framework.output().unwrap().status.code(), Some(0));
}

#[test]
fn what_lies_before_the_base_has_to_be_on_the_remote() {
    let clone = Clone::new();
    clone.repo.git(["switch", "--quiet", "main"]);
    clone.repo.write("src/unpushed.ts", HIGH);
    clone.repo.git(["add", "--all"]);
    clone.repo.git(["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Unpushed"]);
    clone.repo.git(["switch", "--quiet", "--create", "on-top"]);
    clone.repo.git(["config", "branch.on-top.remote", "."]);
    clone.repo.git(["config", "branch.on-top.merge", "refs/heads/main"]);
    clone.repo.write("src/top.ts", "export const top = 1;\n");
    clone.repo.git(["add", "--all"]);
    clone.repo.git(["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Top"]);
    // A local main with commits that the remote does not have is not the base: they are reviewed.
    let (code, said) = clone.jury(&["review"], "");
    assert_eq!(code, Some(1), "{said}");
    clone.refused(&["push", "-q", "origin", "on-top"], "nothing-open");
    // A review from there, by name, leaves them out, and is not enough.
    let (code, said) = clone.jury(&["review", "--base", "main"], "");
    assert_eq!(code, Some(0), "{said}");
    clone.refused(&["push", "-q", "origin", "on-top"], "the review is based on main");
}

#[test]
fn a_shallow_clone_that_cannot_tell_is_refused() {
    let clone = Clone::with(&["--depth=1", "--branch", "main"]);
    clone.repo.git(["switch", "--quiet", "--orphan", "alone"]);
    clone.repo.write("src/alone.ts", "export const alone = 1;\n");
    clone.repo.git(["add", "--all"]);
    clone.repo.git(["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Alone"]);
    assert_eq!(clone.jury(&["review"], "").0, Some(4));
    assert!(clone.git(&["push", "-q", "origin", "alone"]).is_err());
    // One that can tell is judged as ever.
    clone.repo.git(["switch", "--quiet", "work"]);
    clone.refused(&["push", "-q", "origin", "work"], "reviewed");
    assert_eq!(clone.jury(&["review"], "").0, Some(0));
    clone.allowed(&["push", "-q", "origin", "work"]);
}

#[test]
fn a_commit_is_held_against_a_quick_check_that_leaves_nothing_behind() {
    let clone = Clone::new();
    clone.repo.write("src/high.ts", HIGH);
    clone.allowed(&["add", "--all"]);
    clone.refused(&["commit", "-q", "-m", "High"], "src/high.ts:2");
    assert!(!clone.repo.path(".code-review").exists());
    clone.repo.write("src/high.ts", "export const list = 1;\n");
    clone.allowed(&["add", "--all"]);
    clone.allowed(&["commit", "-q", "-m", "Mended"]);
    // What a change does to the gate is for whoever merges it: no edit of code could mend it.
    clone.repo.write("jury.toml", "[policy]\nblock_at = \"Blocker\"\n");
    clone.allowed(&["add", "--all"]);
    let (code, said) = clone.jury(&["hook", "git", "pre-commit"], "");
    assert!(code == Some(0) && said.contains("1 change to the checks themselves"), "{said}");
    clone.repo.write("src/high.ts", HIGH);
    clone.allowed(&["add", "--all"]);
    clone.refused(&["commit", "-q", "-m", "Both"], "src/high.ts:2");
    clone.repo.write("src/high.ts", "export const list = 1;\n");
    clone.allowed(&["add", "--all"]);
    clone.allowed(&["commit", "-q", "-m", "Policy"]);
    // While the team is halted, nothing is committed.
    clone.repo.write("migrations/001_drop.sql", "DROP TABLE payments;\n");
    assert_eq!(clone.jury(&["review"], "").0, Some(3));
    clone.repo.git(["add", "src"]);
    clone.refused(&["commit", "-q", "--allow-empty", "-m", "On"], "halted");
}

#[test]
fn a_hook_outside_a_repository_closes() {
    let folder = jury_testkit::repo::TempFolder::new();
    for event in ["pre-commit", "pre-push"] {
        let mut command = jury(&["hook", "git", event]);
        let output = command.current_dir(folder.path()).stdin(Stdio::null()).output().expect("it starts");
        assert_eq!(output.status.code(), Some(1), "{event}");
        assert!(!output.stderr.is_empty());
    }
}
