//! Tests on a small generated history, with the program of this workspace.

use std::path::PathBuf;

use jury_testkit::repo::{Repo, TempFolder};

use super::judge::{CLEAR, UNJUDGED, grouped};
use super::{Form, Options, replayed};
use crate::{cargo, root};

const LIST: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";

fn jury() -> PathBuf {
    cargo(&["build", "--quiet", "--package", "jury-cli"]).expect("the program can be built");
    root().join("target/debug/jury")
}

fn options(repo: &Repo, jobs: usize) -> Options {
    let folder = repo.root().to_path_buf();
    Options { folder, last: 40, from: "HEAD".to_owned(), jury: None, set_up: false, jobs, format: Form::Text }
}

/// A clean commit, a merge that brings a defect in two commits, and a commit with a page.
fn history() -> Repo {
    let repo = Repo::with(&[("src/one.ts", "export const one = 1;\n")]);
    repo.write("src/two.ts", "export const two = 2;\n").commit("two");
    repo.git(["checkout", "--quiet", "-b", "side"]);
    repo.write("src/list.ts", LIST).commit("list");
    repo.write("src/three.ts", "export const three = 3;\n").commit("three");
    repo.git(["checkout", "--quiet", "main"]);
    repo.git(["merge", "--quiet", "--no-ff", "-m", "Merge side\u{7}", "side"]);
    repo.write("docs/page.md", "# Page\n").commit("page");
    repo
}

#[test]
fn merges_and_commits_are_judged_against_their_first_parent() {
    let (repo, jury) = (history(), jury());
    let before = repo.git(["status", "--porcelain", "--ignored"]);
    for jobs in [1, 3] {
        let replay = replayed(&options(&repo, jobs), &jury).expect("it is a history");
        let seen: Vec<_> =
            replay.changes.iter().map(|change| (change.subject.as_str(), change.outcome.as_str())).collect();
        assert_eq!(seen, [("page", CLEAR), ("Merge side\u{7}", "blocked"), ("two", CLEAR)]);
        assert_eq!(replay.outcomes.get("blocked"), Some(&1));
        let [reason] = replay.reasons.as_slice() else { panic!("one reason") };
        assert_eq!((reason.changes, reason.alone, reason.findings), (1, 1, 1));
        assert!(reason.reason.starts_with("security/") && !reason.reason.contains(' '), "a rule: {}", reason.reason);
        let finding = &replay.changes[1].findings[0];
        assert_eq!((finding.file.as_str(), finding.severity.as_str()), ("src/list.ts", "High"));
        let text = replay.text();
        assert!(text.contains("Merge side\u{fffd}") && text.contains("src/list.ts:2"), "{text}");
        assert!(replay.json().expect("it is JSON").contains("\"nothing-open\""));
    }
    assert_eq!(repo.git(["status", "--porcelain", "--ignored"]), before, "the repository is as it was");
    assert!(!repo.path(".git/jury").exists(), "and has no review");
}

#[test]
fn a_change_that_cannot_be_checked_out_is_an_outcome() {
    let repo = history();
    let id = repo.git(["rev-parse", "HEAD:docs/page.md"]);
    let (folder, file) = id.trim().split_at(2);
    repo.remove(&format!(".git/objects/{folder}/{file}"));
    let replay = replayed(&options(&repo, 1), &jury()).expect("it is a history");
    assert_eq!(replay.changes[0].outcome, UNJUDGED);
    assert!(replay.changes[0].failure.is_some());
    assert_eq!(replay.changes[2].outcome, CLEAR);
}

#[test]
fn a_repository_is_set_up_as_init_proposes_and_empty_merges_are_no_change() {
    let repo = Repo::with(&[("src/one.kt", "fun one() = 1\n")]);
    repo.write("src/one.kt", "fun one() = 2\n").commit("kotlin");
    repo.git(["commit", "--quiet", "--allow-empty", "-m", "nothing"]);
    repo.write("src/two.swift", "func two() -> Int { return 2 }\n").commit("swift");
    let outcomes = |set_up| {
        let options = Options { set_up, ..options(&repo, 1) };
        let replay = replayed(&options, &jury()).expect("it is a history");
        assert!(!replay.text().contains("nothing"), "{}", replay.text());
        replay.changes.into_iter().map(|change| change.outcome).collect::<Vec<_>>()
    };
    assert_eq!(outcomes(false), ["waiting", "empty", "waiting"]);
    assert_eq!(outcomes(true), ["waiting", "empty", CLEAR], "a language that came later is asked about");
}

#[test]
fn what_is_no_history_is_said() {
    let folder = TempFolder::new();
    let mut options = options(&history(), 1);
    options.folder = folder.path().to_path_buf();
    assert!(replayed(&options, &jury()).is_err(), "no repository");
    let single = Repo::with(&[("one", "1")]);
    options.folder = single.root().to_path_buf();
    assert!(replayed(&options, &jury()).is_err(), "the first commit has no base");
}

#[test]
fn titles_are_grouped_without_code_and_paths() {
    let paths = ["extras/man/http.1".to_owned(), "extras/man/https.1".to_owned()];
    for (title, expected) in [
        ("Query built from `a + b`", "Query built from `…`"),
        ("read as text only: extras/man/http.1, extras/man/https.1", "read as text only: PATH"),
        ("read as text only: extras/man/http.1, extras/ma…", "read as text only: PATH"),
        ("extras/man/http.1 was not reviewed: too large", "PATH was not reviewed: too large"),
    ] {
        assert_eq!(grouped(title, &paths), expected);
    }
}
