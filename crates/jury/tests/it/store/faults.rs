//! FAULTS rows 1 to 3: a disk that fails at any call, a process that dies at any call, a power cut at any call. What counts
//! afterwards is the old state or the new one.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use jury::model::Status;
use jury::store::{Call, Disk, State, Store, StoreError, Watch};

use super::*;

/// Something that writes, and what stands before it.
struct Act {
    name: &'static str,
    before: fn(&Room),
    act: fn(&Store) -> Result<(), StoreError>,
}

fn first() -> VerdictFile {
    verdict("aaaaaaaa", "full", &[Status::Open, Status::Reopened, Status::Open])
}

fn saved_first(room: &Room) {
    save_with(&room.store(), &first(), Some("stop")).unwrap();
}

/// Leaves a verdict file with an edit that is legal and one that is only in the file.
fn edited_first(room: &Room) {
    saved_first(room);
    let edited = room.read(".code-review/review-latest.json").replacen("\"open\"", "\"fixed\"", 1);
    room.write(".code-review/review-latest.json", edited);
}

const ACTS: &[Act] = &[
    Act { name: "the first save", before: |_| (), act: |store| save_with(store, &first(), Some("stop")).map(drop) },
    Act {
        name: "a full review over an edited one",
        before: edited_first,
        act: |store| save(store, &verdict("bbbbbbbb", "full", &[Status::Open])).map(drop),
    },
    Act {
        name: "a quick check over a full review",
        before: edited_first,
        act: |store| save(store, &verdict("bbbbbbbb", "quick", &[])).map(drop),
    },
    Act {
        name: "a save over a file of somebody else",
        before: |room| room.write(".code-review/review-latest.json", "{}"),
        act: |store| save(store, &first()).map(drop),
    },
    Act {
        name: "a mark that changes the summary",
        before: edited_first,
        act: |store| mark(store, &first().findings[2].id, Status::WontFix).map(drop),
    },
    Act {
        name: "a mark that changes nothing but a status",
        before: |room| {
            saved_first(room);
            mark(&room.store(), &first().findings[0].id, Status::Fixed).unwrap();
        },
        act: |store| mark(store, &first().findings[0].id, Status::WontFix).map(drop),
    },
    Act {
        name: "restoring",
        before: |room| {
            saved_first(room);
            room.write(".code-review/review-latest.json", "{}");
        },
        act: |store| store.lock(WAIT)?.restore().map(drop),
    },
];

/// How the disk fails.
#[derive(Clone, Copy, Debug)]
enum Failure {
    /// One call fails, and every other works.
    Once(i32),
    /// A write falls short, and then there is no space.
    Short,
    /// Nothing works any more, as if the process had been killed.
    Dead,
}

struct Failing {
    at: usize,
    failure: Failure,
    calls: AtomicUsize,
}

const NO_SPACE: i32 = 28;
const IO_ERROR: i32 = 5;
const QUOTA: i32 = 122;

impl Watch for Failing {
    fn before(&self, call: &Call) -> io::Result<Option<usize>> {
        let now = self.calls.fetch_add(1, Ordering::Relaxed);
        match (self.failure, call) {
            (Failure::Once(errno), _) if now == self.at => Err(io::Error::from_raw_os_error(errno)),
            (Failure::Short, Call::Write(_, bytes)) if now == self.at => Ok(Some(bytes.len().div_ceil(2))),
            (Failure::Short, _) if now == self.at + 1 => Err(io::Error::from_raw_os_error(NO_SPACE)),
            (Failure::Dead, _) if now >= self.at => Err(io::Error::from_raw_os_error(IO_ERROR)),
            _ => Ok(None),
        }
    }
}

/// What counts in a room; an error is told apart by its words.
fn seen(room: &Room) -> Result<State, String> {
    room.store().state().map(counting).map_err(|error| error.to_string().replace(room.root.to_str().unwrap(), ""))
}

/// The states before and after an act that nothing disturbs.
fn before_and_after(act: &Act) -> [Result<State, String>; 2] {
    let room = Room::new();
    (act.before)(&room);
    let before = seen(&room);
    (act.act)(&room.store()).unwrap();
    let after = seen(&room);
    assert!(after.is_ok(), "{}: {after:?}", act.name);
    [before, after]
}

/// Says how a room is neither before nor after, now or once a lock was taken.
fn check_room(room: &Room, act: &Act, expected: &[Result<State, String>; 2], what: &str) {
    let check = |now: &Result<State, String>| {
        // A foreign file that was set aside is neither, and no verdict: nothing counts, and nothing is lost.
        let is_aside =
            *now == Ok(State::default()) && expected[0].as_ref().is_err_and(|error| error.contains("not written"));
        assert!(expected.contains(now) || is_aside, "{}, {what}: {now:?}", act.name);
    };
    let now = seen(room);
    check(&now);
    if let Ok(bytes) = std::fs::read(room.latest())
        && now.is_ok()
    {
        serde_json::from_slice::<VerdictFile>(&bytes).unwrap();
    }
    drop(room.store().lock(WAIT).unwrap());
    let mended = seen(room);
    check(&mended);
    assert!(now != expected[1] || mended == now, "{}, {what}: what counted counts no more", act.name);
    assert!(room.store().state().map_or(true, |state| state.notes.is_empty()));
    room.assert_no_temporary_file();
    check_marks(room, act, what);
    (act.act)(&room.store()).unwrap_or_else(|error| panic!("{}, {what}: cannot be done again: {error}", act.name));
    let again = room.store().state().unwrap().latest.unwrap().file;
    assert_eq!(again, expected[1].as_ref().unwrap().latest.as_ref().unwrap().file, "{}, {what}", act.name);
}

/// Says where the log of marks tells of a mark that does not count.
fn check_marks(room: &Room, act: &Act, what: &str) {
    let Ok(Some(latest)) = room.store().state().map(|state| state.latest) else { return };
    let marks = room.store().marks(&latest.file.review_id).unwrap();
    for finding in &latest.file.findings {
        let last = marks.iter().rfind(|mark| mark.id == finding.id);
        assert!(last.is_none_or(|mark| mark.to.token() == finding.status), "{}, {what}: {last:?}", act.name);
    }
}

#[test]
fn whichever_call_fails_the_old_state_or_the_new_one_counts() {
    let failures =
        [Failure::Once(NO_SPACE), Failure::Once(IO_ERROR), Failure::Once(QUOTA), Failure::Short, Failure::Dead];
    for act in ACTS {
        let expected = before_and_after(act);
        for failure in failures {
            let mut failed = 0;
            for at in 0.. {
                let room = Room::new();
                (act.before)(&room);
                let watch = Arc::new(Failing { at, failure, calls: AtomicUsize::new(0) });
                let done = (act.act)(&room.store_on(Disk::watched(watch.clone())));
                if watch.calls.load(Ordering::Relaxed) <= at {
                    done.unwrap();
                    break;
                }
                if !matches!(failure, Failure::Short) {
                    assert!(done.is_err(), "{}: {failure:?} at call {at} went unnoticed", act.name);
                }
                failed += usize::from(done.is_err());
                if matches!(failure, Failure::Once(_)) {
                    room.assert_no_temporary_file();
                }
                check_room(&room, act, &expected, &format!("{failure:?} at call {at}"));
            }
            assert!(failed > 5, "{}: {failure:?} was hardly tried", act.name);
        }
    }
}

#[derive(Default)]
struct Recording(Mutex<Vec<Call>>);

impl Watch for Recording {
    fn before(&self, call: &Call) -> io::Result<Option<usize>> {
        self.0.lock().unwrap().push(call.clone());
        Ok(None)
    }
}

/// A disk in memory: names lead to contents, by number.
#[derive(Clone, Default)]
struct Model {
    folders: Vec<PathBuf>,
    names: BTreeMap<PathBuf, usize>,
    contents: BTreeMap<usize, Vec<u8>>,
}

/// A change to the disk, with the content that it is about.
#[derive(Clone, Debug)]
struct Change {
    call: Call,
    content: usize,
}

impl Model {
    fn of(room: &Room) -> Self {
        let mut model = Self::default();
        let mut folders = vec![room.root.join("tree")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { model.add(path) }
            }
            model.folders.push(folder);
        }
        model
    }

    fn add(&mut self, path: PathBuf) {
        let number = self.contents.len();
        self.contents.insert(number, std::fs::read(&path).unwrap());
        self.names.insert(path, number);
    }

    /// Makes a change; of a write, only its first half if it is torn.
    fn apply(&mut self, Change { call, content }: &Change, is_torn: bool) {
        match call {
            Call::MakeFolder(path) => self.folders.push(path.clone()),
            Call::Create(path) => {
                self.contents.entry(*content).or_default();
                self.names.insert(path.clone(), *content);
            }
            Call::Write(_, bytes) => {
                let length = if is_torn { bytes.len() / 2 } else { bytes.len() };
                self.contents.entry(*content).or_default().extend(&bytes[..length]);
            }
            Call::Truncate(_, length) => self.contents.entry(*content).or_default().truncate(*length as usize),
            Call::Rename(from, to) => {
                self.names.retain(|path, number| path != from || number != content);
                self.names.insert(to.clone(), *content);
            }
            Call::Remove(path) => self.names.retain(|name, number| name != path || number != content),
            Call::Sync(_) | Call::SyncFolder(_) => {}
        }
    }

    fn build(&self, old: &Path) -> Room {
        let room = Room::new();
        let moved = |path: &Path| room.root.join(path.strip_prefix(old).unwrap());
        for folder in &self.folders {
            std::fs::create_dir_all(moved(folder)).unwrap();
        }
        for (path, number) in &self.names {
            // A name in a folder that the power cut has undone is gone with it.
            if self.folders.iter().any(|folder| path.parent() == Some(folder)) {
                std::fs::write(moved(path), self.contents.get(number).map_or(&[][..], Vec::as_slice)).unwrap();
            }
        }
        room
    }
}

/// Says of each call which content it is about.
fn changes(model: &Model, calls: Vec<Call>) -> Vec<Change> {
    let mut model = model.clone();
    let fresh = model.contents.len();
    let mut changes = Vec::new();
    for (index, call) in calls.into_iter().enumerate() {
        let content = match &call {
            Call::Create(_) => fresh + index,
            Call::Write(path, _)
            | Call::Truncate(path, _)
            | Call::Sync(path)
            | Call::Rename(path, _)
            | Call::Remove(path) => model.names[path],
            Call::MakeFolder(_) | Call::SyncFolder(_) => usize::MAX,
        };
        let change = Change { call, content };
        model.apply(&change, false);
        changes.push(change);
    }
    changes
}

/// Tells whether a later call makes a change outlive a power cut.
fn is_kept_by(change: &Change, later: &Change) -> bool {
    match (&change.call, &later.call) {
        (Call::Write(..) | Call::Truncate(..), Call::Sync(_)) => change.content == later.content,
        (
            Call::MakeFolder(path) | Call::Create(path) | Call::Rename(_, path) | Call::Remove(path),
            Call::SyncFolder(folder),
        ) => path.parent() == Some(folder),
        _ => false,
    }
}

#[test]
fn whenever_the_power_is_cut_the_old_state_or_the_new_one_counts() {
    let mut cuts = 0;
    for act in ACTS {
        let expected = before_and_after(act);
        let room = Room::new();
        (act.before)(&room);
        let model = Model::of(&room);
        let recording = Arc::new(Recording::default());
        (act.act)(&room.store_on(Disk::watched(recording.clone()))).unwrap();
        let changes = changes(&model, std::mem::take(&mut *recording.0.lock().unwrap()));
        for end in 0..=changes.len() {
            let done = &changes[..end];
            let is_loose = |index: usize| {
                let is_change = !matches!(done[index].call, Call::Sync(_) | Call::SyncFolder(_));
                is_change && !done[index + 1..].iter().any(|later| is_kept_by(&done[index], later))
            };
            let loose: Vec<usize> = (0..end).filter(|index| is_loose(*index)).collect();
            assert!(loose.len() <= 6, "{}: {} changes hang in the air", act.name, loose.len());
            for subset in 0..1_usize << loose.len() {
                for is_torn in [false, true] {
                    let mut cut = model.clone();
                    for (index, change) in done.iter().enumerate() {
                        match loose.iter().position(|loose| *loose == index) {
                            Some(bit) if subset & (1 << bit) == 0 => {
                                if is_torn && matches!(change.call, Call::Write(..)) {
                                    cut.apply(change, true);
                                }
                            }
                            _ => cut.apply(change, false),
                        }
                    }
                    cuts += 1;
                    let what = format!("cut after {end} calls, {subset:b} of {loose:?} kept, torn: {is_torn}");
                    check_room(&cut.build(&room.root), act, &expected, &what);
                }
            }
        }
    }
    assert!(cuts > 500, "only {cuts} cuts were tried");
}
