//! What a working tree is compared with.

use super::*;

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
