//! What is Jury's own is left out; packages, teams and files are found.

use super::*;

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
