//! FAULTS row 6: something else stands where a file or folder of Jury's should be. Nothing is written, nothing outside is
//! touched, nobody waits on a FIFO.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::Command;

use jury::model::Status;
use jury::store::StoreError;

use super::*;

const KINDS: &[&str] =
    &["symlink", "dangling symlink", "FIFO", "folder", "file", "hard link", "stranger's", "read-only"];

/// Puts something of a kind at a path; false if this user cannot.
fn plant(room: &Room, path: &Path, kind: &str, is_folder: bool) -> bool {
    let outside = room.root.join("outside");
    let keep = room.root.join("keep");
    let _ = std::fs::create_dir_all(path.parent().unwrap());
    let _ = std::fs::remove_dir_all(&keep);
    let existed = std::fs::rename(path, &keep).is_ok();
    let outside_file = outside.join("file");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(&outside_file, "outside").unwrap();
    let put_back = || {
        if existed {
            std::fs::rename(&keep, path).unwrap();
        } else if is_folder {
            std::fs::create_dir(path).unwrap();
        } else {
            std::fs::write(path, "").unwrap();
        }
    };
    match kind {
        "symlink" => symlink(if is_folder { &outside } else { &outside_file }, path).unwrap(),
        "dangling symlink" => symlink(room.root.join("nowhere"), path).unwrap(),
        "FIFO" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        "folder" if is_folder => return false,
        "folder" => std::fs::create_dir(path).unwrap(),
        "file" if !is_folder => return false,
        "file" => std::fs::write(path, "").unwrap(),
        "hard link" if is_folder => return false,
        "hard link" => std::fs::hard_link(&outside_file, path).unwrap(),
        "stranger's" => {
            put_back();
            return chown(path, Some(12345), None).is_ok();
        }
        "read-only" => {
            put_back();
            let mode = if is_folder { 0o555 } else { 0o444 };
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        _ => unreachable!("{kind}"),
    }
    true
}

/// What is outside, and what is inside but for the lock, which is taken before anything else can be known.
fn everything(room: &Room) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = room.files();
    files.push((room.root.clone(), std::fs::read(room.root.join("outside/file")).unwrap()));
    let names = std::fs::read_dir(room.root.join("outside")).unwrap().count();
    files.push((room.root.join("outside"), names.to_string().into_bytes()));
    files.retain(|(path, _)| !path.ends_with(".git/jury/lock"));
    assert!(!room.root.join("nowhere").exists());
    files
}

fn check(path: &str, is_folder: bool, was_saved: bool) {
    for kind in KINDS {
        let room = Room::new();
        let file = verdict("a3f8c12b", "full", &[Status::Open]);
        if was_saved {
            save(&room.store(), &file).unwrap();
        }
        let planted = room.path(path);
        if !plant(&room, &planted, kind, is_folder) {
            continue;
        }
        let before = everything(&room);
        let inode = std::fs::symlink_metadata(&planted).unwrap().ino();
        let next = verdict("bbbbbbbb", "full", &[Status::Open]);
        let error = save(&room.store(), &next).expect_err(kind);
        let is_named = match &error {
            StoreError::Refused { path: named, .. } => planted == *named,
            _ => false,
        };
        assert!(is_named, "{path}, {kind}: {error:?}");
        assert_eq!(everything(&room), before, "{path}, {kind}");
        assert_eq!(std::fs::symlink_metadata(&planted).unwrap().ino(), inode);
        if was_saved {
            let marked = mark(&room.store(), &file.findings[0].id, Status::Fixed);
            if !path.starts_with("docs") {
                assert!(marked.is_err(), "{path}, {kind}");
                assert_eq!(everything(&room), before, "{path}, {kind}");
            }
        }
        let _ = std::fs::set_permissions(&planted, std::fs::Permissions::from_mode(0o755));
    }
}

#[test]
fn the_folder_of_the_verdict_is_ours_or_refused() {
    check(".code-review", true, false);
    check(".code-review", true, true);
}

#[test]
fn the_verdict_file_is_ours_or_refused() {
    check(".code-review/review-latest.json", false, true);
}

#[test]
fn files_beside_the_verdict_are_ours_or_refused() {
    check(".code-review/abort-reason.md", false, false);
    check(".code-review/.gitignore", false, true);
}

#[test]
fn the_lock_and_the_seal_are_ours_or_refused() {
    check(".git/jury", true, false);
    check(".git/jury", true, true);
    check(".git/jury/lock", false, false);
    check(".git/jury/lock", false, true);
    check(".git/jury/seal.json", false, true);
    check(".git/jury/records", true, true);
    check(".git/jury/vouched", true, true);
    check(".git/jury/marks.jsonl", false, true);
    check(".git/jury/history.jsonl", false, true);
    check(".git/jury/history.lock", false, true);
}

#[test]
fn the_folders_of_the_report_are_ours_or_refused() {
    check("docs", true, false);
    check("docs/code-reviews", true, true);
    check("docs/code-reviews/2026-02-16-changeset-bbbbbbbb.md", false, true);
}

#[test]
fn whatever_stands_in_place_of_the_verdict_file_is_set_aside_by_restoring() {
    for kind in KINDS {
        let room = Room::new();
        let file = verdict("a3f8c12b", "full", &[Status::Open]);
        save(&room.store(), &file).unwrap();
        if !plant(&room, &room.latest(), kind, false) {
            continue;
        }
        let restored = room.store().lock(WAIT).unwrap().restore().unwrap();
        assert!(restored.was_needed, "{kind}");
        let kept = restored.kept.unwrap();
        assert!(std::fs::symlink_metadata(room.path(kept.as_str())).is_ok(), "{kind}");
        assert_eq!(room.store().state().unwrap().latest.unwrap().file, file, "{kind}");
        assert_eq!(std::fs::read(room.root.join("outside/file")).unwrap(), b"outside");
    }
}

#[test]
fn a_planted_temporary_file_harms_nobody() {
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", &[Status::Open]);
    save(&room.store(), &file).unwrap();
    let outside = room.root.join("outside");
    std::fs::write(&outside, "outside").unwrap();
    symlink(&outside, room.path(".code-review/.jury-tmp-1-1")).unwrap();
    room.write(".code-review/.jury-tmp-1-2", "left by a killed process");
    save(&room.store(), &verdict("bbbbbbbb", "full", &[Status::Open])).unwrap();
    assert!(!room.path(".code-review/.jury-tmp-1-2").exists());
    assert_eq!(std::fs::read(outside).unwrap(), b"outside");
}

#[test]
fn a_file_of_the_users_is_rewritten_in_kind_and_never_elsewhere() {
    let room = Room::new();
    let store = room.store();
    let locked = store.lock(WAIT).unwrap();
    let folder = room.places().worktree.join("src/deep");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("a.ts");
    let path = jury::model::RepoPath::new("src/deep/a.ts").unwrap();
    std::fs::write(&file, "old\r\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o775)).unwrap();
    locked.rewrite(&path, b"old\r\n", b"new\r\n").unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), b"new\r\n");
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o775);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing is left behind");
    // Somebody else was faster.
    assert!(matches!(locked.rewrite(&path, b"old\r\n", b"newer"), Err(StoreError::Refused { .. })));
    // A link on the way, or in the place of the file, leads nowhere.
    let outside = room.root.join("elsewhere");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("a.ts"), "new\r\n").unwrap();
    std::fs::rename(&folder, room.root.join("away")).unwrap();
    symlink(&outside, &folder).unwrap();
    assert!(matches!(locked.rewrite(&path, b"new\r\n", b"newer"), Err(StoreError::Refused { .. })));
    std::fs::remove_file(&folder).unwrap();
    std::fs::create_dir(&folder).unwrap();
    symlink(outside.join("a.ts"), &file).unwrap();
    assert!(matches!(locked.rewrite(&path, b"new\r\n", b"newer"), Err(StoreError::Refused { .. })));
    assert_eq!(std::fs::read(outside.join("a.ts")).unwrap(), b"new\r\n");
}
