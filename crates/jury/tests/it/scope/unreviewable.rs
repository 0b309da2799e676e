//! What cannot be reviewed is listed.

use super::*;

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
