//! FAULTS rows 1, 4 and 5: many writers and readers at once, writers that are killed, locks that are held or left behind.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jury::model::Status;
use jury::store::{Store, StoreError};
use jury_testkit::campaign;
use jury_testkit::patience::comes_to_be;

use super::*;

const WRITERS: usize = 32;

#[test]
fn no_update_is_lost_and_no_reader_sees_a_half() {
    let marks_of_each = campaign::size(50);
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", &[Status::Open; WRITERS]);
    save(&room.store(), &file).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let store = room.store();
                    let mut reads = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        store.state().unwrap();
                        reads += 1;
                        std::thread::sleep(Duration::from_millis(20));
                    }
                    reads
                })
            })
            .collect();
        let writers: Vec<_> = file
            .findings
            .iter()
            .map(|finding| {
                let places = room.places();
                scope.spawn(move || {
                    let store = Store::open(places).unwrap();
                    // The last one is `WontFix`, and every one is a change.
                    for left in (0..marks_of_each).rev() {
                        let status = if left % 2 == 1 { Status::Fixed } else { Status::WontFix };
                        mark(&store, &finding.id, status).unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        for reader in readers {
            assert!(reader.join().unwrap() > 0);
        }
    });
    let latest = room.store().state().unwrap().latest.unwrap().file;
    assert!(latest.findings.iter().all(|finding| finding.status == "wont_fix"));
    assert_eq!(latest.verdict, "PASS");
    let marks = room.store().marks("a3f8c12b").unwrap();
    assert_eq!(marks.len(), WRITERS * marks_of_each);
    for finding in &file.findings {
        let of_finding: Vec<_> = marks.iter().filter(|mark| mark.id == finding.id).collect();
        assert_eq!(of_finding.len(), marks_of_each);
        assert!(of_finding.windows(2).all(|pair| pair[0].to == pair[1].from));
    }
}

const CHILD: &str = "JURY_STORE_TEST_ROOT";

/// This test starts itself as another process, which marks until it is killed.
#[test]
fn killed_writers_leave_the_old_state_or_the_new_one() {
    if let Some(root) = std::env::var_os(CHILD) {
        let store = Store::open(places(Path::new(&root))).unwrap();
        let ids: Vec<String> =
            store.state().unwrap().latest.unwrap().file.findings.into_iter().map(|finding| finding.id).collect();
        for nth in 0_usize.. {
            let status = if nth % 2 == 0 { Status::Fixed } else { Status::Open };
            mark(&store, &ids[nth % ids.len()], status).unwrap();
        }
    }
    let room = Room::new();
    let file = verdict("a3f8c12b", "full", &[Status::Open; 5]);
    save(&room.store(), &file).unwrap();
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::writers::killed_writers_leave_the_old_state_or_the_new_one"])
            .env(CHILD, &room.root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    for nth in 0..campaign::size(40) as u64 {
        let marked = room.store().marks("a3f8c12b").unwrap().len();
        let mut children = [start(), start()];
        let has_written = || room.store().marks("a3f8c12b").unwrap().len() > marked;
        assert!(comes_to_be(has_written), "the writers do not write");
        std::thread::sleep(Duration::from_micros(nth * 397 % 5000));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let seen = room.store().state().unwrap().latest.unwrap().file;
        serde_json::from_slice::<VerdictFile>(&std::fs::read(room.latest()).unwrap()).unwrap();
        drop(room.store().lock(WAIT).unwrap());
        let state = room.store().state().unwrap();
        assert_eq!(state.latest.unwrap().file, seen);
        assert_eq!(state.notes, [""; 0]);
        room.assert_no_temporary_file();
        for line in room.read(".git/jury/seal.json").lines().filter(|line| line.contains("\"pending\"")) {
            assert_eq!(line.trim(), "\"pending\": null");
        }
    }
}

#[test]
fn a_held_lock_is_waited_for_as_long_as_was_said() {
    let room = Room::new();
    let store = room.store();
    let held = store.lock(WAIT).unwrap();
    let other = room.store();
    let start = Instant::now();
    let wait = Duration::from_millis(150);
    let error = other.lock(wait).unwrap_err();
    assert!(matches!(error, StoreError::Locked { waited, .. } if waited == wait), "{error}");
    assert!(start.elapsed() >= wait, "no load of the machine makes this shorter");
    assert!(other.state().is_ok(), "reading needs no lock");
    assert!(other.lock(Duration::ZERO).is_err());
    drop(held);
    other.lock(Duration::ZERO).unwrap();
}

#[test]
fn a_lock_file_that_was_left_behind_is_no_lock() {
    let room = Room::new();
    room.write(".git/jury/lock", "4242");
    save(&room.store(), &verdict("a3f8c12b", "full", &[Status::Open])).unwrap();
    assert_eq!(room.read(".git/jury/lock"), "4242");
}
