//! Scopes of real repositories: what changed, against which base, and how every way of hiding a change fails.

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

// ── The ten ways of hiding (FAULTS, row 10) ──

#[test]
fn attributes_do_not_hide() {
    for place in [".gitattributes", ".git/info/attributes"] {
        let repo = Repo::with(&[(".gitattributes", ""), ("a.txt", "a\n"), ("b.txt", "b\n")]);
        repo.write(place, "*.txt -diff export-ignore binary\n");
        repo.commit("attributes");
        settle(&repo);
        repo.write("a.txt", "hidden\n");
        let scope = quick(&repo);
        assert_eq!(files(&scope), ["M a.txt"], "{place}");
        assert!(touches(&scope, "a.txt", Side::Right, 1));
    }
}

#[test]
fn programs_named_by_configuration_neither_hide_nor_run() {
    let repo = Repo::with(&[(".gitattributes", "*.txt diff=evil\n"), ("a.txt", "a\n")]);
    settle(&repo);
    let marker = repo.path("../marker");
    let run = format!("touch {}; true", marker.display());
    for key in [
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.fsmonitor",
        "core.sshCommand",
        "filter.x.clean",
    ] {
        repo.git(["config", key, &run]);
    }
    repo.write("a.txt", "hidden\n");
    assert_eq!(files(&quick(&repo)), ["M a.txt"]);
    assert_eq!(files(&changeset(&repo)), ["A .gitattributes", "A a.txt"]);
    assert!(!marker.exists());
}

#[test]
fn replacements_grafts_and_commit_graphs_do_not_hide() {
    let repo = Repo::with(&[("a", "good\n")]);
    let first = repo.head();
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("a", "bad\n");
    let second = repo.commit("bad");
    // The old commit is replaced by one that already has the bad tree.
    let planted = repo.git(["commit-tree", "-m", "planted", &format!("{second}^{{tree}}")]);
    repo.git(["replace", &first, &planted]);
    std::fs::write(repo.path(".git/info/grafts"), format!("{second}\n")).unwrap();
    repo.git(["-c", "advice.graftFileDeprecated=false", "commit-graph", "write", "--reachable"]);
    assert_eq!(
        repo.git(["-c", "advice.graftFileDeprecated=false", "diff", "--raw", "main", "HEAD"]),
        "",
        "git is fooled"
    );
    let scope = since(&repo, "main").unwrap();
    assert_eq!(files(&scope), ["M a"]);
    assert_eq!(file(&scope, "a").before.as_deref(), Some(&b"good\n"[..]));
    assert_eq!(scope.base.commit, Some(first));
}

#[test]
fn index_flags_do_not_hide() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let repo = Repo::with(&[("a", "a\n"), ("b", "b\n")]);
        repo.git(["update-index", flag, "a"]);
        settle(&repo);
        repo.write("a", "x\n");
        assert_eq!(repo.git(["status", "--porcelain"]), "", "git is fooled");
        assert_eq!(files(&quick(&repo)), ["M a"], "{flag}");
    }
}

#[test]
fn a_file_with_the_old_times_and_size_does_not_hide() {
    let repo = Repo::with(&[("a", "good\n")]);
    settle(&repo);
    let times = std::fs::metadata(repo.path("a")).unwrap().modified().unwrap();
    repo.write("a", "evil\n");
    std::fs::File::options().write(true).open(repo.path("a")).unwrap().set_modified(times).unwrap();
    assert_eq!(files(&quick(&repo)), ["M a"]);
}

#[test]
fn only_ignore_files_of_the_tree_hide_and_only_what_is_untracked() {
    let repo = Repo::with(&[(".gitignore", "*.log\n/out/\n"), ("tracked.log", "t\n"), ("a", "a\n")]);
    repo.git(["add", "--force", "tracked.log"]);
    repo.write("out/tracked", "t\n");
    repo.git(["add", "--force", "out/tracked"]);
    repo.commit_index("tracked although ignored");
    repo.write(".git/info/exclude", "hidden\nalso/\n");
    repo.write("../excludes", "everywhere\n");
    repo.git(["config", "core.excludesFile", repo.path("../excludes").to_str().unwrap()]);
    for name in ["hidden", "also/hidden", "everywhere", "really.log", "out/ignored"] {
        repo.write(name, "new\n");
    }
    repo.write("tracked.log", "changed\n").write("out/tracked", "changed\n");
    assert_eq!(files(&quick(&repo)), ["A also/hidden", "A everywhere", "A hidden", "M out/tracked", "M tracked.log"]);
}

#[test]
fn paths_that_need_quoting_appear() {
    let repo = Repo::with(&[("a", "a\n")]);
    for name in ["with space", "tab\there", "new\nline", "\"quoted\"", "ümlaut", "-rf", "$(touch x)", "a b/ c"] {
        repo.write(name, "new\n");
    }
    let scope = quick(&repo);
    assert_eq!(scope.files.len(), 8);
    assert!(scope.files.iter().all(|file| file.change == FileChange::Added));
    assert!(scope.unreviewed.is_empty());
}

#[test]
fn clean_filters_do_not_hide() {
    for place in [".gitattributes", ".git/info/attributes"] {
        let repo = Repo::with(&[("a.txt", "good\n"), ("b.txt", "b\n")]);
        repo.git(["config", "filter.evil.clean", "echo good"]);
        repo.write(place, "a.txt filter=evil\n").write("a.txt", "evil\n");
        repo.git(["add", "--all"]);
        settle(&repo);
        assert_eq!(repo.git(["diff", "HEAD", "--", "a.txt"]), "", "git is fooled");
        let converted = ("a.txt".to_owned(), UnreviewedReason::Converted);
        assert!(unreviewed(&quick(&repo)).contains(&converted), "{place}");
    }
}

#[test]
fn a_planted_object_is_refused() {
    let repo = Repo::with(&[("a", "good\n")]);
    let id = repo.git(["rev-parse", "HEAD:a"]);
    repo.write("b", "evil\n");
    let other = repo.git(["hash-object", "-w", "b"]);
    let place = |id: &str| repo.path(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    std::fs::remove_file(place(&id)).unwrap();
    std::fs::copy(place(&other), place(&id)).unwrap();
    repo.write("a", "evil\n");
    let error = try_scope(&repo, &Request::Quick).unwrap_err();
    assert!(matches!(error, ScopeError::DamagedObject { .. }), "{error}");
}

#[test]
fn another_working_tree_is_not_taken() {
    let repo = Repo::with(&[("a", "a\n")]);
    let clean = TempFolder::new();
    std::fs::write(clean.path().join("a"), "a\n").unwrap();
    repo.git(["config", "core.worktree", clean.path().to_str().unwrap()]);
    repo.write("a", "hidden\n");
    let error = Repository::discover(repo.root()).unwrap_err();
    assert!(matches!(error, ScopeError::Elsewhere { .. }), "{error}");
}

#[test]
fn the_environment_gains_nothing() {
    const CHILD: &str = "JURY_TEST_SCOPE_OF";
    if let Some(root) = std::env::var_os(CHILD) {
        let scope = quick(&Repo::at(PathBuf::from(root)));
        assert_eq!(files(&scope), ["M a"]);
        return;
    }
    let repo = Repo::with(&[("a", "a\n")]);
    let other = Repo::with(&[("other", "o\n")]);
    repo.write("a", "changed\n");
    let git_dir = other.path(".git");
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "scope::the_environment_gains_nothing"])
        .env(CHILD, repo.root())
        .env("GIT_DIR", &git_dir)
        .env("GIT_COMMON_DIR", &git_dir)
        .env("GIT_WORK_TREE", other.root())
        .env("GIT_INDEX_FILE", git_dir.join("index"))
        .env("GIT_OBJECT_DIRECTORY", git_dir.join("objects"))
        .env("GIT_CEILING_DIRECTORIES", repo.root())
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.worktree")
        .env("GIT_CONFIG_VALUE_0", other.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

// ── What cannot be reviewed ──

#[test]
fn submodules_are_listed_when_they_move() {
    let inner = Repo::with(&[("lib", "1\n")]);
    let repo = Repo::with(&[("a", "a\n")]);
    repo.git(["submodule", "--quiet", "add", inner.root().to_str().unwrap(), "sub"]);
    repo.commit("submodule");
    assert_eq!(unreviewed(&quick(&repo)), []);
    assert_eq!(snapshot(&repo).id().as_str(), repo.git(["rev-parse", "HEAD^{tree}"]));
    let sub = Repo::at(repo.path("sub"));
    sub.write("lib", "2\n");
    let bumped = sub.commit("bump");
    let scope = quick(&repo);
    assert_eq!(unreviewed(&scope), [("sub".to_owned(), UnreviewedReason::Submodule)]);
    assert_eq!(scope.unreviewed[0].id.as_deref(), Some(bumped.as_str()));
    // Whatever `ignore = all` says.
    repo.git(["config", "submodule.sub.ignore", "all"]);
    assert_eq!(unreviewed(&quick(&repo)).len(), 1);
    repo.commit("bump");
    assert_eq!(unreviewed(&quick(&repo)), []);
    assert_eq!(unreviewed(&since(&repo, "HEAD~1").unwrap()).len(), 1);
}

#[test]
fn nested_repositories_special_files_and_odd_paths_are_listed() {
    let repo = Repo::with(&[("a", "a\n"), ("vendor/tracked", "t\n"), (".gitignore", "ignored/\n")]);
    for folder in ["nested", "vendor", "ignored/nested"] {
        std::fs::create_dir_all(repo.path(folder)).unwrap();
        Repo::at(repo.path(folder)).git(["init", "--quiet"]);
        repo.write(&format!("{folder}/inside"), "x\n");
    }
    repo.write("vendor/tracked", "changed\n");
    assert!(std::process::Command::new("mkfifo").arg(repo.path("pipe")).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(repo.path("socket")).unwrap();
    std::fs::write(repo.root().join(std::ffi::OsStr::from_bytes(b"latin-\xe4")), "x\n").unwrap();
    repo.write("back\\slash", "x\n").write("image.png", b"\x89PNG\0\0");
    repo.write("huge.txt", vec![b'x'; (4 << 20) + 1]);
    let scope = quick(&repo);
    use UnreviewedReason as Why;
    let expected = [
        ("back\\slash", Why::PathIllegal),
        ("huge.txt", Why::TooLarge),
        ("image.png", Why::Binary),
        ("latin-\u{fffd}", Why::PathNotUtf8),
        ("nested", Why::NestedRepository),
        ("pipe", Why::SpecialFile),
        ("socket", Why::SpecialFile),
        ("vendor", Why::NestedRepository),
    ];
    assert_eq!(unreviewed(&scope), expected.map(|(path, why)| (path.to_owned(), why)));
    assert_eq!(files(&scope), ["M vendor/tracked"]);
    // A path that is not UTF-8 is part of the tree.
    let tree = scope.tree;
    std::fs::write(repo.root().join(std::ffi::OsStr::from_bytes(b"latin-\xe4")), "y\n").unwrap();
    assert_ne!(quick(&repo).tree, tree);
}

#[test]
fn what_is_gone_or_became_text_needs_no_reading() {
    let repo = Repo::with(&[("a", "a\n")]);
    repo.write("gone.bin", b"\0\x01").write("now.txt", b"\0\x02").write("tool.bin", b"\0\x03").commit("binaries");
    repo.remove("gone.bin").write("now.txt", "text\n");
    std::fs::set_permissions(repo.path("tool.bin"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let scope = quick(&repo);
    assert_eq!(files(&scope), ["D gone.bin", "M now.txt", "X tool.bin"]);
    assert_eq!(unreviewed(&scope), []);
    assert!(touches(&scope, "now.txt", Side::Right, 1));
}

#[test]
fn pointers_of_git_lfs_are_listed_and_known_again() {
    let repo = Repo::with(&[(".gitattributes", "*.dat filter=lfs\n"), ("a", "a\n")]);
    let content = b"the real content\n";
    repo.write("x.dat", content);
    let sha256 = {
        let output = std::process::Command::new("sha256sum").arg(repo.path("x.dat")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()[..64].to_owned()
    };
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {}\n", content.len());
    // As `git lfs` does: the pointer in the index, the content in the working tree.
    repo.write("../pointer", &pointer);
    let id = repo.git(["hash-object", "-w", "--no-filters", "../pointer"]);
    repo.git(["update-index", "--add", "--cacheinfo", &format!("100644,{id},x.dat")]);
    let scope = quick(&repo);
    assert_eq!(unreviewed(&scope), [("x.dat".to_owned(), UnreviewedReason::LfsPointer)]);
    repo.commit_index("pointer");
    let scope = quick(&repo);
    assert_eq!((files(&scope), unreviewed(&scope)), (vec![], vec![]));
    assert_eq!(scope.tree.as_str(), repo.git(["rev-parse", "HEAD^{tree}"]));
    // Any other content is not what the pointer says.
    repo.write("x.dat", "another content\n");
    assert_eq!(unreviewed(&quick(&repo)), [("x.dat".to_owned(), UnreviewedReason::Converted)]);
}

#[test]
fn line_ends_that_git_normalises_are_no_change_and_others_are() {
    let repo = Repo::with(&[(".gitattributes", "*.bat text eol=crlf\n"), ("a.bat", "one\n"), ("b.sh", "one\n")]);
    repo.write("a.bat", "one\r\n").write("b.sh", "one\r\n");
    assert_eq!(files(&quick(&repo)), ["M b.sh"]);
}

#[test]
fn symlinks_are_never_followed() {
    let repo = Repo::with(&[("dir/a", "a\n")]);
    let outside = TempFolder::new();
    std::fs::write(outside.path().join("secret"), "secret\n").unwrap();
    symlink("dir/a", repo.path("inside")).unwrap();
    symlink("nowhere", repo.path("dangling")).unwrap();
    symlink(outside.path(), repo.path("outside")).unwrap();
    symlink(".", repo.path("loop")).unwrap();
    let scope = quick(&repo);
    assert_eq!(files(&scope), ["A dangling", "A inside", "A loop"]);
    assert!(scope.files.iter().all(|file| file.is_symlink));
    assert_eq!(file(&scope, "inside").after.as_deref(), Some(&b"dir/a"[..]));
    assert_eq!(unreviewed(&scope), [("outside".to_owned(), UnreviewedReason::LinkOutside)]);
    // A folder that became a symlink to its own copy: the files behind it are gone.
    std::fs::rename(repo.path("dir"), outside.path().join("dir")).unwrap();
    symlink(outside.path().join("dir"), repo.path("dir")).unwrap();
    let scope = quick(&repo);
    assert_eq!(files(&scope)[..2], ["A dangling", "D dir/a"]);
    let outside = |path: &str| (path.to_owned(), UnreviewedReason::LinkOutside);
    assert_eq!(unreviewed(&scope), [outside("dir"), outside("outside")]);
    for (target, leads_out) in [("../dir/a", false), ("../../a", true), ("a/../../../b", true), ("./../x/..", false)] {
        std::fs::remove_file(repo.path("loop")).ok();
        repo.write("below/file", "a\n");
        std::fs::remove_file(repo.path("below/link")).ok();
        symlink(target, repo.path("below/link")).unwrap();
        assert_eq!(unreviewed(&quick(&repo)).contains(&outside("below/link")), leads_out, "{target}");
    }
}

#[test]
fn conflicts_are_listed() {
    let repo = Repo::with(&[("a", "a\n")]);
    repo.git(["checkout", "--quiet", "-b", "other"]);
    repo.write("a", "other\n").commit("other");
    repo.git(["checkout", "--quiet", "main"]);
    repo.write("a", "main\n").commit("main");
    let merged = std::panic::catch_unwind(|| repo.git(["merge", "--quiet", "other"]));
    assert!(merged.is_err());
    let scope = quick(&repo);
    assert_eq!(unreviewed(&scope), [("a".to_owned(), UnreviewedReason::Conflict)]);
    assert_eq!(files(&scope), ["M a"]);
}

#[test]
fn a_partial_clone_lists_what_it_lacks() {
    let origin = Repo::with(&[("a", "one\n"), ("b", "b\n")]);
    origin.write("a", "two\n").commit("second");
    origin.git(["config", "uploadpack.allowFilter", "true"]);
    let repo = Repo::clone_of(&origin, &["--filter=blob:none"]);
    let scope = since(&repo, "HEAD~1").unwrap();
    assert_eq!(unreviewed(&scope), [("a".to_owned(), UnreviewedReason::MissingObject)]);
}

// ── Kinds of repositories ──

#[test]
fn what_is_no_repository_is_refused_with_a_way_out() {
    let folder = TempFolder::new();
    let error = Repository::discover(folder.path()).unwrap_err();
    assert!(matches!(error, ScopeError::NotARepository(_)), "{error}");
    let bare = Repo::init(&["--bare"]);
    let error = Repository::discover(bare.root()).unwrap_err();
    assert!(matches!(error, ScopeError::Bare(_)), "{error}");
    let reftable = Repo::init(&["--ref-format=reftable"]);
    let error = Repository::discover(reftable.root()).unwrap_err();
    assert!(error.to_string().contains("git refs migrate"), "{error}");
    let strange = Repo::with(&[("a", "a\n")]);
    strange.git(["config", "core.repositoryFormatVersion", "1"]);
    strange.write(".git/config", [strange.read(".git/config"), b"[extensions]\n\tfuture = yes\n".to_vec()].concat());
    let error = Repository::discover(strange.root()).unwrap_err();
    assert!(error.to_string().contains("future"), "{error}");
}

#[test]
fn linked_worktrees_and_subfolders_are_repositories_too() {
    let repo = Repo::with(&[("a", "a\n"), ("src/deep/b", "b\n")]);
    let folder = TempFolder::new();
    let linked = folder.path().join("linked");
    repo.git(["worktree", "add", "--quiet", "-b", "work", linked.to_str().unwrap()]);
    let linked = Repo::at(linked);
    linked.write("a", "changed\n");
    let repository = Repository::discover(&linked.path("src/deep")).unwrap();
    assert_eq!(repository.root(), linked.root());
    assert_eq!(repository.common_dir(), repo.path(".git"));
    assert_eq!(repository.git_dir(), repo.path(".git/worktrees/linked"));
    let snapshot = repository.snapshot(NOTHING).unwrap();
    let scope = repository.scope(&snapshot, &Request::Quick).unwrap();
    assert_eq!(files(&scope), ["M a"]);
    assert_eq!(scope.branch.as_deref(), Some("work"));
    assert_eq!(files(&quick(&repo)), [""; 0]);
    let request = Request::Files { paths: vec!["b".into(), "../../a".into()] };
    let scope = repository.scope(&snapshot, &request).unwrap();
    assert_eq!(files(&scope), ["W a", "W src/deep/b"]);
    assert_eq!(scope.target, "src/deep/b, a");
}

#[test]
fn sparse_checkouts_keep_what_they_leave_out() {
    let repo = Repo::with(&[("in/a", "a\n"), ("out/b", "b\n"), ("out/deep/c", "c\n")]);
    for arguments in [&["sparse-checkout", "set", "in"][..], &["sparse-checkout", "set", "--sparse-index", "in"]] {
        repo.git(arguments);
        assert!(!repo.path("out").exists());
        assert_eq!(snapshot(&repo).id().as_str(), repo.git(["rev-parse", "HEAD^{tree}"]), "{arguments:?}");
        repo.write("out/deep/c", "changed\n");
        assert_eq!(files(&quick(&repo)), ["M out/deep/c"], "{arguments:?}");
        std::fs::remove_dir_all(repo.path("out")).unwrap();
    }
}

#[test]
fn split_indexes_are_read() {
    let repo = Repo::with(&[("a", "a\n"), ("b", "b\n")]);
    repo.git(["update-index", "--split-index"]);
    repo.write("c", "c\n");
    repo.git(["add", "c"]);
    assert_eq!(files(&quick(&repo)), ["A c"]);
}

// ── Bases ──

#[test]
fn before_the_first_commit_everything_is_new() {
    let repo = Repo::new();
    repo.write("a", "a\n");
    for scope in [changeset(&repo), quick(&repo)] {
        assert_eq!(files(&scope), ["A a"]);
        assert_eq!(scope.base.name, "the empty tree");
        assert_eq!((scope.head, scope.base.commit), (None, None));
    }
    // A root commit that is the base itself is reviewed as a whole, too.
    repo.commit("first");
    let scope = changeset(&repo);
    assert_eq!((files(&scope), scope.target.as_str()), (vec!["A a".to_owned()], "the empty tree..HEAD"));
}

#[test]
fn on_the_base_itself_the_last_commit_is_reviewed() {
    let repo = Repo::with(&[("a", "a\n")]);
    let first = repo.head();
    repo.write("b", "b\n").commit("second");
    repo.write("c", "c\n");
    for scope in [changeset(&repo), since(&repo, "HEAD").unwrap()] {
        assert_eq!(files(&scope), ["A b", "A c"]);
        assert_eq!((scope.base.name.as_str(), scope.base.commit.as_deref()), ("HEAD~1", Some(first.as_str())));
        assert_eq!(scope.commits, ["second"]);
    }
}

#[test]
fn a_branch_that_was_only_just_made_has_its_own_work_only() {
    let repo = Repo::with(&[("a", "a\n")]);
    repo.write("b", "b\n").commit("second");
    repo.git(["checkout", "--quiet", "-b", "feature"]);
    assert_eq!(files(&changeset(&repo)), ["A b"], "without any work of its own, the last commit");
    repo.write("c", "c\n");
    for scope in [changeset(&repo), since(&repo, "main").unwrap()] {
        assert_eq!((files(&scope), scope.target.as_str()), (vec!["A c".to_owned()], "main..HEAD"));
    }
    let base = changeset(&repo).base;
    repo.commit("third");
    assert_eq!(changeset(&repo).base, base, "committing it changes nothing");
}

#[test]
fn lines_around_what_was_removed_are_touched_and_a_new_kind_of_file_is_new() {
    let repo = Repo::with(&[("a.ts", "try {\n  f();\n} catch (e) {\n  log(e);\n}\nend();\n"), ("note.txt", "x\ny\n")]);
    repo.git(["checkout", "--quiet", "-b", "feature"]);
    repo.write("a.ts", "try {\n  f();\n} catch (e) {\n}\nend();\n");
    repo.git(["mv", "note.txt", "note.sh"]);
    let scope = changeset(&repo);
    let lines = |path: &str| {
        let lines = scope.change.lines(&RepoPath::new(path).unwrap(), Side::Right);
        lines.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!((lines("a.ts"), lines("note.sh")), (vec!["3-4".to_owned()], vec!["1-2".to_owned()]));
}

#[test]
fn a_branch_is_compared_with_where_it_goes() {
    let origin = Repo::with(&[("a", "a\n")]);
    let repo = Repo::clone_of(&origin, &[]);
    repo.git(["checkout", "--quiet", "-b", "feature"]);
    repo.write("b", "b\n").commit("pushed");
    // Pushed to its own twin, or under any other name: what was pushed is still under review.
    for name in ["feature", "elsewhere"] {
        repo.git(["push", "--quiet", "--set-upstream", "origin", &format!("HEAD:{name}")]);
        let scope = changeset(&repo);
        assert_eq!((files(&scope), scope.target.as_str()), (vec!["A b".to_owned()], "origin/main..HEAD"), "{name}");
    }
    // A branch that builds upon another one is compared with that one.
    repo.git(["checkout", "--quiet", "-b", "stacked", "--track", "origin/feature"]);
    repo.write("c", "c\n").commit("stacked");
    let scope = changeset(&repo);
    assert_eq!((files(&scope), scope.target.as_str()), (vec!["A c".to_owned()], "origin/feature..HEAD"));
    // Detached, as in CI.
    repo.git(["checkout", "--quiet", "--detach", "feature"]);
    let scope = changeset(&repo);
    assert_eq!((files(&scope), scope.branch), (vec!["A b".to_owned()], None));
    // What the base got meanwhile is not part of the change.
    origin.write("z", "z\n").commit("meanwhile");
    repo.git(["fetch", "--quiet"]);
    assert_eq!(files(&changeset(&repo)), ["A b"]);
}

#[test]
fn a_base_that_is_not_there_is_an_error() {
    let repo = Repo::with(&[("a", "a\n")]);
    for name in ["nowhere", "--all", "-1", "", "0000000000000000000000000000000000000000", "HEAD:a"] {
        let error = since(&repo, name).unwrap_err();
        assert!(matches!(error, ScopeError::UnknownRevision { .. }), "{name}: {error}");
    }
    repo.git(["checkout", "--quiet", "--orphan", "unrelated"]);
    repo.commit("unrelated");
    let error = since(&repo, "main").unwrap_err();
    assert!(matches!(error, ScopeError::NoMergeBase(_)), "{error}");
    repo.git(["branch", "--quiet", "-D", "main"]);
    assert!(matches!(try_scope(&repo, &Request::Changeset { base: None }), Err(ScopeError::NoBase)));
}

#[test]
fn a_shallow_clone_says_how_to_get_more() {
    let origin = Repo::with(&[("a", "1\n")]);
    origin.write("a", "2\n").commit("second");
    let repo = Repo::clone_of(&origin, &["--depth=1"]);
    let error = try_scope(&repo, &Request::Changeset { base: None }).unwrap_err();
    assert!(error.to_string().contains("git fetch --unshallow"), "{error}");
    assert_eq!(files(&quick(&repo)), [""; 0]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("a", "3\n").commit("third");
    assert_eq!(files(&changeset(&repo)), ["M a"]);
}

#[test]
fn the_base_is_read_from_history() {
    let repo = Repo::with(&[("jury.toml", "old\n"), ("dir/x", "x\n")]);
    let first = repo.head();
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("jury.toml", "new\n");
    let second = repo.commit("policy");
    let (repository, snapshot) = (open(&repo), snapshot(&repo));
    let base = repository.base_of(&snapshot, None).unwrap();
    let read = |name: &str| repository.base_file(&base, &path(name)).unwrap();
    assert_eq!(read("jury.toml").as_deref(), Some(&b"old\n"[..]));
    assert_eq!(read("dir/x").as_deref(), Some(&b"x\n"[..]));
    for name in ["dir", "dir/x/y", "none"] {
        assert_eq!(read(name), None, "{name}");
    }
    assert!(repository.is_ancestor(&first, &second).unwrap());
    assert!(repository.is_ancestor(&first, &first).unwrap());
    assert!(!repository.is_ancestor(&second, &first).unwrap());
    assert_eq!(snapshot.file(&path("jury.toml")).as_deref(), Some(&b"new\n"[..]));
    assert_eq!(snapshot.file(&path("dir")), None);
}

#[test]
fn the_snapshot_keeps_what_it_saw() {
    let repo = Repo::with(&[("a", "committed\n")]);
    repo.write("a", "captured\n").write("new", "captured\n");
    let repository = open(&repo);
    let snapshot = repository.snapshot(NOTHING).unwrap();
    repo.write("a", "later\n").remove("new").write("b", "later\n");
    assert_eq!(snapshot.file(&path("a")).as_deref(), Some(&b"captured\n"[..]));
    assert_eq!(snapshot.file(&path("new")).as_deref(), Some(&b"captured\n"[..]));
    assert_eq!(snapshot.file(&path("b")), None);
    let scope = repository.scope(&snapshot, &Request::Quick).unwrap();
    assert_eq!(files(&scope), ["M a", "A new"]);
    assert_eq!(file(&scope, "a").after.as_deref(), Some(&b"captured\n"[..]));
}

#[test]
fn a_second_look_is_deceived_by_no_times_sizes_or_inodes() {
    let repo = Repo::with(&[("kept", "good\n"), ("read", "one\n"), ("d/a", "a\n"), ("d/.gitignore", "*.log\n")]);
    settle(&repo);
    repo.write("read", "good\n").write("new", "good\n").write("d/x.log", "ignored\n");
    symlink("kept", repo.path("link")).unwrap();
    let repository = open(&repo);
    let snapshot = repository.snapshot(NOTHING).unwrap();
    let is_current = || repository.is_current(&snapshot, NOTHING).unwrap();
    assert!(snapshot.is_untouched(NOTHING), "no new snapshot is needed");
    assert!(is_current());
    // The same size, times and inode, in files that the index vouches for, that were read, and that are new.
    for name in ["kept", "read", "new"] {
        let times = std::fs::metadata(repo.path(name)).unwrap().modified().unwrap();
        let rewrite = |text: &str| {
            std::fs::write(repo.path(name), text).unwrap();
            let file = std::fs::File::options().write(true).open(repo.path(name)).unwrap();
            file.set_modified(times).unwrap();
        };
        rewrite("evil\n");
        assert!(!is_current(), "{name}");
        rewrite("good\n");
        assert!(is_current(), "{name}");
    }
    // Folders whose times are put back.
    let times = std::fs::metadata(repo.path("d")).unwrap().modified().unwrap();
    repo.write("d/b", "b\n");
    std::fs::File::open(repo.path("d")).unwrap().set_modified(times).unwrap();
    assert!(!is_current());
    repo.remove("d/b");
    assert!(is_current());
    repo.remove("link");
    symlink("read", repo.path("link")).unwrap();
    assert!(!is_current());
    repo.remove("link");
    symlink("kept", repo.path("link")).unwrap();
    assert!(is_current());
    // What was ignored comes into view.
    repo.write("d/.gitignore", "*.tmp\n");
    assert!(!is_current());
    repo.write("d/.gitignore", "*.log\n");
    assert!(is_current());
    std::fs::set_permissions(repo.path("new"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(!is_current());
}

#[test]
fn a_second_look_asks_again_which_files_are_jurys_own() {
    let repo = Repo::with(&[("a", "a\n")]);
    repo.write(".code-review/.gitignore", "*\n").write("docs/code-reviews/r.md", "mine\n");
    let repository = open(&repo);
    let snapshot = repository.snapshot(&|_, _| true).unwrap();
    assert!(repository.is_current(&snapshot, &|_, _| true).unwrap());
    assert!(!repository.is_current(&snapshot, NOTHING).unwrap());
    repo.write("docs/code-reviews/r.md", "still mine\n");
    assert!(repository.is_current(&snapshot, &|_, _| true).unwrap());
}

/// A submodule has a commit that no folder of the tree shows.
#[test]
fn a_second_look_follows_submodules() {
    let inner = Repo::with(&[("lib", "1\n")]);
    let repo = Repo::with(&[("a", "a\n")]);
    repo.git(["submodule", "--quiet", "add", inner.root().to_str().unwrap(), "sub"]);
    repo.commit("submodule");
    let repository = open(&repo);
    let snapshot = repository.snapshot(NOTHING).unwrap();
    assert!(repository.is_current(&snapshot, NOTHING).unwrap());
    let sub = Repo::at(repo.path("sub"));
    sub.write("lib", "2\n").commit("bump");
    assert!(!repository.is_current(&snapshot, NOTHING).unwrap());
}

// ── What is Jury's own, packages, teams, files ──

#[test]
fn only_what_is_vouched_for_is_left_out() {
    let repo = Repo::with(&[("a", "a\n")]);
    let without = snapshot(&repo);
    repo.write(".code-review/.gitignore", "*\n").write(".code-review/review-latest.json", "mine\n");
    repo.write("docs/code-reviews/r.md", "mine\n").write("docs/code-reviews/sub/x.md", "mine\n");
    let own = |_: &RepoPath, bytes: &[u8]| bytes == b"mine\n" || bytes == b"*\n";
    let repository = open(&repo);
    let scope = repository.scope(&repository.snapshot(&own).unwrap(), &Request::Quick).unwrap();
    assert_eq!(files(&scope), ["A docs/code-reviews/sub/x.md"]);
    std::fs::remove_dir_all(repo.path("docs/code-reviews/sub")).unwrap();
    assert_eq!(repository.snapshot(&own).unwrap().id(), without.id());
    // Anything else in these folders counts, whatever the folder's own ignore file says.
    repo.write(".code-review/evil.sh", "evil\n").write(".code-review/review-latest.json", "tampered\n");
    let scope = repository.scope(&repository.snapshot(&own).unwrap(), &Request::Quick).unwrap();
    assert_eq!(files(&scope), ["A .code-review/evil.sh", "A .code-review/review-latest.json"]);
    // What was committed is left out, too, and not taken for deleted.
    repo.remove(".code-review/evil.sh").write(".code-review/review-latest.json", "mine\n");
    repo.git(["add", "--force", "--all"]);
    repo.commit_index("reports");
    let snapshot = repository.snapshot(&own).unwrap();
    assert_eq!(snapshot.id(), without.id());
    assert_eq!(files(&repository.scope(&snapshot, &Request::Quick).unwrap()), [""; 0]);
    repo.remove("docs/code-reviews/r.md");
    let snapshot = repository.snapshot(&own).unwrap();
    assert_eq!(files(&repository.scope(&snapshot, &Request::Quick).unwrap()), ["D docs/code-reviews/r.md"]);
}

#[test]
fn packages_are_found_upwards() {
    let repo = Repo::with(&[
        ("package.json", "{}\n"),
        ("index.js", "1;\n"),
        ("crates/a/Cargo.toml", "[package]\n"),
        ("crates/a/src/lib.rs", "// a\n"),
        ("crates/b/b.csproj", "<Project/>\n"),
        ("crates/b/x.cs", "// b\n"),
        ("plain/deep/x.txt", "x\n"),
    ]);
    let package = |target: &str| try_scope(&repo, &Request::Package { target: target.into() });
    for (target, name, count) in [
        ("crates/a/src/lib.rs", "crates/a", 2),
        ("crates/a", "crates/a", 2),
        ("./crates/b/x.cs", "crates/b", 2),
        ("plain/deep", ".", 7),
        (".", ".", 7),
    ] {
        let scope = package(target).unwrap();
        assert_eq!(
            (scope.kind, scope.target.as_str(), scope.files.len()),
            (ScopeKind::Package, name, count),
            "{target}"
        );
        assert!(scope.files.iter().all(|file| file.change == FileChange::Whole && file.before.is_none()));
    }
    assert!(touches(&package("crates/a").unwrap(), "crates/a/src/lib.rs", Side::Right, 1));
    assert!(matches!(package("nowhere"), Err(ScopeError::NoSuchPath(_))));
    assert!(matches!(package("../x"), Err(ScopeError::Outside(_))));
    assert!(matches!(package("/etc"), Err(ScopeError::Outside(_))));
    let bare = Repo::with(&[("a", "a\n")]);
    assert!(matches!(try_scope(&bare, &Request::Package { target: "a".into() }), Err(ScopeError::NoPackage(_))));
}

#[test]
fn teams_own_what_the_base_says() {
    let repo = Repo::with(&[
        (".github/CODEOWNERS", "* @org/all\n/web/ @org/Web\n/web/gen/\n"),
        ("CODEOWNERS", "* @org/wrong\n"),
        ("a", "a\n"),
        ("web/b", "b\n"),
        ("web/gen/c", "c\n"),
    ]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write(".github/CODEOWNERS", "* @org/nobody\n").commit("takeover");
    let team = |name: &str| try_scope(&repo, &Request::Team { name: name.to_owned() });
    let scope = team("web").unwrap();
    assert_eq!(
        (files(&scope), scope.target.as_str(), scope.kind),
        (vec!["W web/b".to_owned()], "web", ScopeKind::Team)
    );
    assert_eq!(files(&team("@ORG/all").unwrap()), ["W .github/CODEOWNERS", "W CODEOWNERS", "W a"]);
    for name in ["nobody", "wrong", ""] {
        let error = team(name).unwrap_err();
        assert!(matches!(error, ScopeError::NoTeam { .. }), "{name}: {error}");
    }
    let none = Repo::with(&[("a", "a\n")]);
    assert!(matches!(try_scope(&none, &Request::Team { name: "x".to_owned() }), Err(ScopeError::NoOwners)));
}

#[test]
fn a_case_only_rename_is_a_rename() {
    let repo = Repo::with(&[("Readme", "r\n")]);
    std::fs::rename(repo.path("Readme"), repo.path("README")).unwrap();
    assert_eq!(files(&quick(&repo)), ["R(Readme) README"]);
}

#[test]
fn a_change_of_many_files_is_read_in_full() {
    let repo = Repo::with(&[("a", "a\n")]);
    let folders = campaign::size(500);
    for folder in 0..folders {
        let folder = repo.path(&format!("many/{folder}"));
        std::fs::create_dir_all(&folder).unwrap();
        for file in 0..100 {
            std::fs::write(folder.join(file.to_string()), "x\n").unwrap();
        }
    }
    let scope = quick(&repo);
    assert_eq!(scope.files.len(), 100 * folders);
    assert!(scope.files.is_sorted_by(|a, b| a.path < b.path));
}

// ── The oracle ──

/// Returns what git itself says, through an index of its own: the tree, and the raw difference to HEAD.
fn git_says(repo: &Repo) -> (String, Vec<String>) {
    let index = repo.path(".git/oracle");
    let _ = std::fs::remove_file(&index);
    let environment = [("GIT_INDEX_FILE", index.to_str().expect("the temporary folder is UTF-8"))];
    repo.git_with(["add", "--all"], &environment);
    let tree = repo.git_with(["write-tree"], &environment);
    let arguments =
        ["diff-index", "--cached", "--no-renames", "--no-ext-diff", "--no-textconv", "--raw", "--abbrev=40", "HEAD"];
    let raw = repo.git_with(arguments, &environment);
    let lines = raw.lines().map(|line| {
        let (facts, path) = line.split_once('\t').expect("a tab stands before the path");
        let facts: Vec<&str> = facts.split(' ').collect();
        format!("{} {} {path}", facts[2], facts[3])
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    (tree, lines)
}

fn we_say(repo: &Repo) -> (String, Vec<String>) {
    let repository = open(repo);
    let snapshot = repository.snapshot(NOTHING).expect("the working tree can be read");
    let changes = repository.changes(&snapshot, &Request::Quick).expect("HEAD is there");
    let none = || "0".repeat(40);
    let lines = changes
        .paths
        .into_iter()
        .map(|one| format!("{} {} {}", one.before.unwrap_or_else(none), one.after.unwrap_or_else(none), one.path));
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    (snapshot.id().to_string(), lines)
}

#[derive(Clone, Debug)]
enum Edit {
    Write(String, u8),
    Remove(String),
    Executable(String),
    Link(String, u8),
    Stage,
    Commit,
    Settle,
}

fn edit() -> impl Strategy<Value = Edit> {
    let name =
        prop::sample::select(vec!["a", "a.b", "a-b", "d/a", "d/b", "d.x", "d/e/f", "z/.gitignore", "z/a.log", "z/k"]);
    let name = name.prop_map(str::to_owned);
    prop_oneof![
        4 => (name.clone(), 0u8..4).prop_map(|(name, content)| Edit::Write(name, content)),
        2 => name.clone().prop_map(Edit::Remove),
        1 => name.clone().prop_map(Edit::Executable),
        1 => (name, 0u8..2).prop_map(|(name, target)| Edit::Link(name, target)),
        1 => Just(Edit::Stage),
        1 => Just(Edit::Commit),
        1 => Just(Edit::Settle),
    ]
}

fn apply(repo: &Repo, edit: &Edit) {
    let clear = |place: &Path| {
        let _ = std::fs::remove_file(place);
    };
    match edit {
        Edit::Write(name, content) => {
            let place = repo.path(name);
            clear(&place);
            std::fs::create_dir_all(place.parent().expect("a file lies in a folder")).expect("the folder can be made");
            std::fs::write(place, ["", "*.log\n", "one\ntwo\n", "\0binary"][usize::from(*content)])
                .expect("the working tree can be written");
        }
        Edit::Remove(name) => clear(&repo.path(name)),
        Edit::Executable(name) => {
            let place = repo.path(name);
            if std::fs::symlink_metadata(&place).is_ok_and(|metadata| metadata.is_file()) {
                std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755))
                    .expect("the working tree can be written");
            }
        }
        Edit::Link(name, target) => {
            let place = repo.path(name);
            clear(&place);
            std::fs::create_dir_all(place.parent().expect("a file lies in a folder")).expect("the folder can be made");
            symlink(["a", "nowhere"][usize::from(*target)], place).expect("the working tree can be written");
        }
        Edit::Stage => drop(repo.git(["add", "--all"])),
        Edit::Commit => drop(repo.commit("more")),
        Edit::Settle => settle(repo),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn git_says_the_same(edits in prop::collection::vec(edit(), 1..14)) {
        let repo = Repo::with(&[("a", "one\ntwo\n"), ("d/a", ""), ("z/.gitignore", "*.log\n")]);
        // The oracle's index starts as a copy of nothing, so what is tracked although ignored is not compared here.
        for edit in &edits {
            apply(&repo, edit);
        }
        prop_assert_eq!(we_say(&repo), git_says(&repo));
    }

    /// A second look says of every edit what a new snapshot says.
    #[test]
    fn a_second_look_sees_what_a_new_snapshot_sees(
        before in prop::collection::vec(edit(), 0..8),
        since in prop::collection::vec(edit(), 0..4),
    ) {
        let repo = Repo::with(&[("a", "one\ntwo\n"), ("d/a", ""), ("z/.gitignore", "*.log\n")]);
        before.iter().for_each(|edit| apply(&repo, edit));
        let repository = open(&repo);
        let snapshot = repository.snapshot(NOTHING).expect("the working tree can be read");
        since.iter().for_each(|edit| apply(&repo, edit));
        let now = open(&repo).snapshot(NOTHING).expect("the working tree can be read");
        let is_current = repository.is_current(&snapshot, NOTHING).expect("the working tree can be read");
        prop_assert_eq!(is_current, now.id() == snapshot.id());
    }
}
