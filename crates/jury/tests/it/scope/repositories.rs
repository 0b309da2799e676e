//! Kinds of repositories.

use super::*;

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
