//! The ways of hiding a change (FAULTS, row 10): none works.

use super::*;

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
        .args(["--exact", &format!("{}::the_environment_gains_nothing", module_path!().trim_start_matches("it::"))])
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
