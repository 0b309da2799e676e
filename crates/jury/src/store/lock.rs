//! The lock: one writer at a time, for a bounded time.
//!
//! In: a folder, a name, how long to wait. Out: an open file whose lock ends with it, however its holder ends. A lock file
//! that was left behind is no lock. Deliberately not here: the protected state.

use std::fs::{File, TryLockError};
use std::io;
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::{Timespec, Timestamps, UTIME_NOW, futimens};
use rustix::io::Errno;

use super::error::StoreError;
use super::state_folder::StateFolder;

const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// How long one waits until the pauses are half as long.
const AGEING: Duration = Duration::from_millis(250);
/// How many times as long one waits while others have their turns: nobody holds the lock then, and there are only many who want it.
const MOST_WAITS: u32 = 15;

/// Takes a lock, or fails after `wait` if another process has it all that time.
pub(super) fn take(folder: &StateFolder, name: &str, wait: Duration) -> Result<File, StoreError> {
    let start = Instant::now();
    let mut turns: Option<(Option<SystemTime>, u32)> = None;
    loop {
        let file = folder.open_lock(name)?;
        match file.try_lock() {
            // A lock on a file that has lost its name protects nothing.
            Ok(()) if folder.leads_to(name, &file)? => {
                take_turn(&file);
                return Ok(file);
            }
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) if source.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(source)) => return Err(cannot_lock(folder, name, source)),
        }
        let now = last_turn(&file);
        let (turn, waits) = *turns.get_or_insert((now, 1));
        let waited = start.elapsed();
        if waited >= wait * waits {
            if !goes_on(turn, now, waits) {
                return Err(StoreError::Locked { path: folder.path(name), waited: wait });
            }
            turns = Some((now, waits + 1));
        }
        std::thread::sleep(pause(waited).min(wait));
    }
}

/// Says that somebody has the lock now: the file is as new as the last turn. Who cannot say so is waited for as before.
fn take_turn(file: &File) {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let _ = futimens(file, &Timestamps { last_access: now, last_modification: now });
}

/// Returns when somebody took the lock last.
fn last_turn(file: &File) -> Option<SystemTime> {
    file.metadata().and_then(|facts| facts.modified()).ok()
}

/// Tells whether one who has waited goes on: somebody else had a turn meanwhile.
fn goes_on(turn: Option<SystemTime>, now: Option<SystemTime>, waits: u32) -> bool {
    turn != now && waits < MOST_WAITS
}

/// Returns how long to wait before the next attempt. Who has waited longer asks more often: with pauses that grow, those who come
/// overtake those who wait, and among many writers some never get in.
fn pause(waited: Duration) -> Duration {
    if waited < LONGEST_PAUSE {
        return SHORTEST_PAUSE;
    }
    let age = u32::try_from(waited.as_millis() / AGEING.as_millis()).unwrap_or(u32::MAX);
    (LONGEST_PAUSE / age.saturating_add(1)).max(SHORTEST_PAUSE)
}

fn cannot_lock(folder: &StateFolder, name: &str, source: io::Error) -> StoreError {
    let path = folder.path(name);
    match source.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL) => {
            StoreError::LockingUnavailable { path, source }
        }
        _ => StoreError::Io { action: "lock", path, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Disk;

    #[test]
    fn who_waits_longer_asks_more_often() {
        let pauses: Vec<Duration> = (0..200).map(|step| pause(LONGEST_PAUSE + step * AGEING / 10)).collect();
        assert!(pauses.is_sorted_by(|a, b| a >= b));
        assert_eq!((pauses[0], pauses[199]), (LONGEST_PAUSE, SHORTEST_PAUSE));
        // One short writer is waited for shortly.
        assert_eq!(pause(Duration::ZERO), SHORTEST_PAUSE);
    }

    #[test]
    fn one_waits_on_only_while_others_have_their_turns() {
        let (early, late) = (Some(SystemTime::UNIX_EPOCH), Some(SystemTime::UNIX_EPOCH + AGEING));
        assert!(goes_on(early, late, 1));
        assert!(!goes_on(early, early, 1), "one holds it all the time");
        assert!(!goes_on(None, None, 1), "nothing is known");
        assert!(!goes_on(early, late, MOST_WAITS), "for ever is too long");
    }

    #[test]
    fn among_many_writers_nobody_is_turned_away() {
        let place = jury_testkit::repo::TempFolder::new();
        let write = || {
            let folder = StateFolder::root(place.path(), &Disk::default()).unwrap();
            for _ in 0..25 {
                // Shorter than all others take together.
                let held = take(&folder, "lock", Duration::from_millis(300)).unwrap();
                std::thread::sleep(SHORTEST_PAUSE);
                drop(held);
            }
            25
        };
        let written: u32 = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..16).map(|_| scope.spawn(write)).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).sum()
        });
        assert_eq!(written, 16 * 25);
    }

    #[test]
    fn a_file_system_without_locks_is_refused_and_not_taken_for_unlocked() {
        let folder = StateFolder::root(&std::env::temp_dir(), &Disk::default()).unwrap();
        for errno in [Errno::NOLCK, Errno::NOTSUP, Errno::NOSYS] {
            let error = cannot_lock(&folder, "lock", errno.into());
            assert!(matches!(error, StoreError::LockingUnavailable { .. }), "{error}");
        }
        assert!(matches!(cannot_lock(&folder, "lock", Errno::IO.into()), StoreError::Io { .. }));
    }
}
