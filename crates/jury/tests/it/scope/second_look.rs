//! A snapshot keeps what it saw, and a second look is not deceived.

use super::*;

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
