//! Scopes of real repositories: what changed, against which base, and how every way of hiding a change fails.

mod bases;
mod hiding;
mod oracle;
mod repositories;
mod second_look;
mod selection;
mod unreviewable;

use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury::model::{ChangedFile, FileChange, Line, LineRange, RepoPath, Scope, ScopeKind, Side, UnreviewedReason};
use jury::scope::{Repository, Request, ScopeError, Snapshot};
use jury_testkit::campaign;
use jury_testkit::repo::{Repo, TempFolder};
use proptest::prelude::*;

const NOTHING: &dyn Fn(&RepoPath, &[u8]) -> bool = &|_, _| false;

fn open(repo: &Repo) -> Repository {
    Repository::discover(repo.root()).expect("the repository was just made")
}

fn snapshot(repo: &Repo) -> Snapshot {
    open(repo).snapshot(NOTHING).expect("the working tree can be read")
}

fn try_scope(repo: &Repo, request: &Request) -> Result<Scope, ScopeError> {
    let repository = Repository::discover(repo.root())?;
    repository.scope(&repository.snapshot(NOTHING)?, request)
}

fn quick(repo: &Repo) -> Scope {
    try_scope(repo, &Request::Quick).expect("HEAD is there")
}

fn changeset(repo: &Repo) -> Scope {
    try_scope(repo, &Request::Changeset { base: None }).expect("a base can be found")
}

fn since(repo: &Repo, base: &str) -> Result<Scope, ScopeError> {
    try_scope(repo, &Request::Changeset { base: Some(base.to_owned()) })
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).expect("the path is legal")
}

/// Says what a scope holds, one word per file.
fn files(scope: &Scope) -> Vec<String> {
    scope.files.iter().map(|file| format!("{} {}", letter(&file.change), file.path)).collect()
}

fn letter(change: &FileChange) -> String {
    match change {
        FileChange::Added => "A".to_owned(),
        FileChange::Modified => "M".to_owned(),
        FileChange::Deleted => "D".to_owned(),
        FileChange::Renamed { from } => format!("R({from})"),
        FileChange::ModeChanged => "X".to_owned(),
        FileChange::TypeChanged => "T".to_owned(),
        FileChange::Whole => "W".to_owned(),
    }
}

fn unreviewed(scope: &Scope) -> Vec<(String, UnreviewedReason)> {
    scope.unreviewed.iter().map(|one| (one.path.clone(), one.why)).collect()
}

fn file<'a>(scope: &'a Scope, name: &str) -> &'a ChangedFile {
    scope.files.iter().find(|file| file.path.as_str() == name).unwrap_or_else(|| panic!("{name} is not in {scope:?}"))
}

fn touches(scope: &Scope, name: &str, side: Side, line: i64) -> bool {
    scope.change.touches_lines(&path(name), side, LineRange::single(Line::new(line).expect("lines count from 1")))
}

/// Makes the index newer than every file, so that its stat data count.
fn settle(repo: &Repo) {
    std::thread::sleep(Duration::from_millis(30));
    repo.git(["update-index", "--force-write-index"]);
}

#[test]
fn every_kind_of_change_is_named() {
    let repo = Repo::with(&[
        ("modified", "one\ntwo\nthree\n"),
        ("deleted", "gone\n"),
        ("old-name", "the same\n"),
        ("script", "echo\n"),
        ("becomes-a-link", "untouched"),
        ("untouched", "x\n"),
    ]);
    repo.write("modified", "one\n2\nthree\nfour\n").remove("deleted").write("src/added", "a\nb\n");
    std::fs::rename(repo.path("old-name"), repo.path("new-name")).unwrap();
    std::fs::set_permissions(repo.path("script"), std::fs::Permissions::from_mode(0o755)).unwrap();
    repo.remove("becomes-a-link");
    symlink("untouched", repo.path("becomes-a-link")).unwrap();
    let scope = quick(&repo);
    let expected = ["T becomes-a-link", "D deleted", "M modified", "R(old-name) new-name", "X script", "A src/added"];
    assert_eq!(files(&scope), expected);
    assert!(scope.unreviewed.is_empty());
    assert_eq!((scope.kind, scope.target.as_str()), (ScopeKind::Changeset, "HEAD..worktree"));
    assert_eq!(scope.head.as_deref(), Some(repo.head().as_str()));
    assert_eq!(scope.branch.as_deref(), Some("main"));
    // Lines, on both sides.
    for (name, side, line, touched) in [
        ("modified", Side::Right, 1, false),
        ("modified", Side::Right, 2, true),
        ("modified", Side::Right, 3, false),
        ("modified", Side::Right, 4, true),
        ("modified", Side::Left, 2, true),
        ("modified", Side::Left, 3, false),
        ("deleted", Side::Left, 1, true),
        ("src/added", Side::Right, 2, true),
        ("new-name", Side::Right, 1, false),
        ("script", Side::Right, 1, false),
    ] {
        assert_eq!(touches(&scope, name, side, line), touched, "{name}:{line} {side}");
    }
    let modified = file(&scope, "modified");
    assert_eq!(modified.before.as_deref(), Some(&b"one\ntwo\nthree\n"[..]));
    assert_eq!(modified.after.as_deref(), Some(&b"one\n2\nthree\nfour\n"[..]));
    assert_eq!(modified.id, Some(repo.git(["hash-object", "modified"])));
    // A file that is now a link counts as touched as a whole, even if it is spelled alike.
    assert!(touches(&scope, "becomes-a-link", Side::Right, 1));
    let link = file(&scope, "becomes-a-link");
    assert!(link.is_symlink);
    assert_eq!(link.after.as_deref(), Some(&b"untouched"[..]));
}

#[test]
fn committing_what_was_reviewed_leaves_tree_and_patch() {
    let repo = Repo::with(&[("a", "1\n"), ("dir/b", "2\n"), ("dir.c", "3\n"), ("dir-d", "4\n")]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("early", "early\n").commit("early");
    repo.write("a", "changed\n").write("new/file", "new\n").remove("dir-d");
    let before = since(&repo, "main").unwrap();
    repo.commit("work");
    let after = since(&repo, "main").unwrap();
    assert_eq!(before.tree, after.tree);
    assert_eq!(before.patch, after.patch);
    assert_eq!(after.tree.as_str(), repo.git(["rev-parse", "HEAD^{tree}"]));
    assert_eq!(after.commits, ["work", "early"]);
    // A rebase onto something else leaves the patch, and not the tree.
    repo.git(["checkout", "--quiet", "main"]);
    repo.write("elsewhere", "e\n").commit("elsewhere");
    repo.git(["checkout", "--quiet", "work"]);
    repo.git(["rebase", "--quiet", "main"]);
    let rebased = since(&repo, "main").unwrap();
    assert_ne!(rebased.tree, after.tree);
    assert_eq!(rebased.patch, after.patch);
    // Any other content is another patch.
    repo.write("a", "changed again\n");
    assert_ne!(since(&repo, "main").unwrap().patch, after.patch);
}

#[test]
fn the_empty_tree_and_sha256_are_spoken() {
    let empty = Repo::new();
    assert_eq!(snapshot(&empty).id().as_str(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    let repo = Repo::init(&["--object-format=sha256"]);
    repo.write("a/b", "x\n").commit("first");
    assert_eq!(snapshot(&repo).id().as_str(), repo.git(["rev-parse", "HEAD^{tree}"]));
    repo.write("a/b", "y\n");
    assert_eq!(files(&quick(&repo)), ["M a/b"]);
}
