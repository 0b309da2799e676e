//! What `jury init` writes: the old bytes or the new ones, only what was expected, nothing by way of a symlink.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jury::store::{Call, Change, Disk, Site, Spot, StoreError, Watch};

use super::{Room, WAIT};

fn tree(path: &str) -> Spot {
    Spot::Tree(path.to_owned())
}

fn change<'a>(spot: &'a Spot, before: Option<&'a str>, after: Option<&'a str>) -> Change<'a> {
    let bytes = |text: Option<&'a str>| text.map(str::as_bytes);
    Change { spot, before: bytes(before), after: bytes(after), is_executable: matches!(spot, Spot::Hook(_)) }
}

#[test]
fn files_come_with_their_folders_and_go_again() {
    let room = Room::new();
    let hooks = room.path(".git/hooks");
    let site = Site::open(&room.store(), Some(&hooks)).unwrap();
    let (file, hook) = (tree("a/b/c.txt"), Spot::Hook("pre-push".to_owned()));
    assert_eq!((site.read(&file).unwrap(), site.read(&hook).unwrap()), (None, None));
    let work = site.lock(WAIT).unwrap();
    assert_eq!(work.make(&change(&file, None, Some("one\n"))).unwrap(), ["a", "a/b"]);
    assert_eq!(work.make(&change(&file, Some("one\n"), Some("two\n"))).unwrap(), [""; 0]);
    assert_eq!(room.read("a/b/c.txt"), "two\n");
    work.make(&change(&hook, None, Some("#!/bin/sh\n"))).unwrap();
    let mode = |path: &str| std::fs::metadata(room.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(".git/hooks/pre-push"), mode("a/b/c.txt") & 0o111), (0o755, 0));
    std::fs::set_permissions(room.path("a/b/c.txt"), PermissionsExt::from_mode(0o600)).unwrap();
    work.make(&change(&file, Some("two\n"), Some("three\n"))).unwrap();
    assert_eq!(mode("a/b/c.txt"), 0o600, "a file that is there keeps its mode");
    work.remove_folder("a/b").unwrap();
    assert_eq!(room.read("a/b/c.txt"), "three\n", "a folder that is not empty stays");
    work.make(&change(&file, Some("three\n"), None)).unwrap();
    ["a/b", "a", "never/there"].iter().for_each(|folder| work.remove_folder(folder).unwrap());
    assert!(!room.path("a").exists());
    work.note(Some(b"{}")).unwrap();
    assert_eq!(site.notes().unwrap().as_deref(), Some(&b"{}"[..]));
    work.note(None).unwrap();
    assert_eq!(site.notes().unwrap(), None);
}

#[test]
fn what_is_not_as_expected_or_leads_elsewhere_is_refused() {
    let room = Room::new();
    let site = Site::open(&room.store(), None).unwrap();
    let work = site.lock(WAIT).unwrap();
    let refused = |change: &Change<'_>| matches!(work.make(change), Err(StoreError::Refused { .. }));
    let file = tree("a.txt");
    std::fs::write(room.path("a.txt"), "theirs\n").unwrap();
    assert!(refused(&change(&file, None, Some("ours\n"))), "there is one");
    assert!(refused(&change(&file, Some("older\n"), Some("ours\n"))), "it is another one");
    assert!(refused(&change(&file, Some("older\n"), None)));
    assert_eq!(room.read("a.txt"), "theirs\n");
    let outside = room.root.join("outside");
    std::fs::create_dir(&outside).unwrap();
    symlink(&outside, room.path("link")).unwrap();
    symlink(outside.join("file"), room.path("dangling")).unwrap();
    assert!(refused(&change(&tree("link/x"), None, Some("ours\n"))));
    assert!(refused(&change(&tree("dangling"), None, Some("ours\n"))));
    assert!(refused(&change(&Spot::Hook("pre-push".to_owned()), None, Some("ours\n"))), "there is no place for hooks");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

/// Lets one call fail.
struct FailAt {
    at: usize,
    seen: AtomicUsize,
}

impl Watch for FailAt {
    fn before(&self, _: &Call) -> std::io::Result<Option<usize>> {
        let number = self.seen.fetch_add(1, Ordering::Relaxed);
        if number == self.at { Err(std::io::Error::other("the disk fails")) } else { Ok(None) }
    }
}

#[test]
fn whichever_call_fails_a_file_is_the_old_one_or_the_new_one() {
    for at in 0.. {
        let room = Room::new();
        std::fs::write(room.path("a.txt"), "old\n").unwrap();
        let watch = Arc::new(FailAt { at, seen: AtomicUsize::new(0) });
        let site = Site::open(&room.store_on(Disk::watched(watch.clone())), None).unwrap();
        let file = tree("a.txt");
        let done = site.lock(WAIT).and_then(|work| work.make(&change(&file, Some("old\n"), Some("new\n"))));
        let text = room.read("a.txt");
        assert!(["old\n", "new\n"].contains(&text.as_str()), "{at}: {text:?}");
        if watch.seen.load(Ordering::Relaxed) <= at {
            assert!(done.is_ok() && text == "new\n" && at >= 4, "{at}");
            break;
        }
        assert!(done.is_err(), "{at}: a failure is told");
    }
}
