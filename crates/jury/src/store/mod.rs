//! The only writer: records, the seal, the lock, atomic replacement, archives, marks, Jury's own files (DESIGN §8), and
//! the reports of tasks (001).
//!
//! In: a record, the verdict file and report made from it, marks. Out: the state on disk, checked against its seal on every
//! read. This stage touches the world, on Unix only for now. Deliberately not here: what a verdict means, what a record
//! holds, and any clock but that of waiting for the lock.

mod cache;
mod compare;
mod confirmations;
mod disk;
mod error;
mod install;
mod lines;
mod lock;
mod locked;
mod marking;
mod reports;
mod review_id;
mod save_check;
mod seal;
mod state_folder;
mod trusted;

use std::path::PathBuf;
use std::time::Duration;

use jury_wire::v1::code_review::ReviewVerdict;
use sha2::{Digest as _, Sha256};

use crate::model::{Mode, RepoPath, Status};
use crate::record;
use compare::Unlike;
use seal::{Seal, SealError};
use state_folder::StateFolder;

pub use crate::record::{RecordId, canonical_json};
pub use cache::{Entry, Kept};
pub use compare::is_legal;
pub use disk::{Call, Disk, Watch};
pub use error::StoreError;
pub use install::{Change, Site, Spot, Work};
pub use lines::Mark;
pub use locked::{Locked, Restored, Save, Saved, Verified};
pub use reports::{Hold, Reports, TaskFolder};
pub use trusted::{Trust, Trusted};

/// The document of the verdict file (000).
pub type VerdictFile = ReviewVerdict;

/// The folder of the verdict file, in the worktree.
const FOLDER: &str = ".code-review";
/// The verdict file.
const LATEST: &str = "review-latest.json";
/// Jury's own folder, in a git dir.
const JURY: &str = "jury";
const SEAL: &str = "seal.json";
const RECORDS: &str = "records";
const CONTESTS: &str = "contests";
const VOUCHED: &str = "vouched";
const LOOP: &str = "loop";
const HOOK: &str = "hook";

/// Where the state of one worktree lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDirs {
    /// The root of the worktree.
    pub worktree: PathBuf,
    /// The git dir of this worktree.
    pub git_dir: PathBuf,
    /// The git dir that all worktrees share.
    pub common_dir: PathBuf,
}

/// The state of a worktree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The review that the verdict file states.
    pub latest: Option<Current>,
    /// The last one that was full or a verification; the latest itself, unless that is a quick check.
    pub full: Option<Current>,
    /// Remarks about the reading, for a person.
    pub notes: Vec<String>,
}

/// A review that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Current {
    /// Its record.
    pub record: RecordId,
    /// The verdict file, with its statuses as they are on disk.
    pub file: VerdictFile,
    /// The verdict file as Jury wrote it.
    pub sealed: VerdictFile,
    /// The record of the last verification, if there was one.
    pub verified: Option<RecordId>,
    /// The contests of its findings, if there are any.
    pub contested: Option<RecordId>,
}

/// The state of one worktree.
#[derive(Debug)]
pub struct Store {
    places: StateDirs,
    worktree: StateFolder,
    git_dir: StateFolder,
    common_dir: StateFolder,
}

/// The seal, and how the verdict file stands to it.
struct SealedState {
    seal: Seal,
    /// The statuses that count, one for each finding of the latest review.
    statuses: Vec<Status>,
    /// Whether the verdict file is still the one that an interrupted save was to replace.
    is_behind: bool,
}

impl Store {
    /// Opens the folders in which the state lies. They must be there; nothing is read or written.
    pub fn open(places: StateDirs) -> Result<Self, StoreError> {
        Self::open_on(places, Disk::default())
    }

    /// Opens the folders as [`Store::open`] does, on a disk that may have a watcher.
    pub fn open_on(places: StateDirs, disk: Disk) -> Result<Self, StoreError> {
        let worktree = StateFolder::root(&places.worktree, &disk)?;
        let git_dir = StateFolder::root(&places.git_dir, &disk)?;
        let common_dir = StateFolder::root(&places.common_dir, &disk)?;
        Ok(Self { places, worktree, git_dir, common_dir })
    }

    /// Returns where the state lies.
    pub fn places(&self) -> &StateDirs {
        &self.places
    }

    /// Reads the state, without a lock and without writing. The document of an interrupted save counts, with a note.
    pub fn state(&self) -> Result<State, StoreError> {
        let Some(standing) = self.sealed_state()? else { return Ok(State::default()) };
        let SealedState { seal: Seal { latest, full, .. }, statuses, is_behind } = standing;
        let latest = latest.with(&statuses);
        let full = match full {
            Some(full) => Some(full.with(&statuses_of(&full.file))),
            None => Some(latest.clone()).filter(|latest| record::mode_of(&latest.file) != Some(Mode::Quick)),
        };
        let note = "a save was interrupted; its sealed state counts, and the next writing command finishes it";
        let notes = if is_behind { vec![note.to_owned()] } else { Vec::new() };
        Ok(State { latest: Some(latest), full, notes })
    }

    /// Reads a file of the working tree that is the user's, byte for byte; no symlink is followed on the way to it.
    pub fn source(&self, path: &RepoPath) -> Result<Vec<u8>, StoreError> {
        let missing =
            || StoreError::Refused { path: self.places.worktree.join(path.as_str()), what: "gone".to_owned() };
        self.find_source(path)?.ok_or_else(missing)
    }

    /// Reads a file as [`Store::source`] does; `None` if there is none.
    pub fn find_source(&self, path: &RepoPath) -> Result<Option<Vec<u8>>, StoreError> {
        match path.as_str().rsplit_once('/') {
            Some((folders, name)) => self.worktree.below(folders)?.map_or(Ok(None), |folder| folder.read(name)),
            None => self.worktree.read(path.as_str()),
        }
    }

    /// Returns the folders of the working tree that are written to, as far as they are there.
    fn written(&self) -> Result<Vec<StateFolder>, StoreError> {
        let docs = self.worktree.open(locked::REPORTS[0]).ok().flatten();
        // The file may be foreign; it is checked again before a report is written.
        let reports = docs.and_then(|docs| docs.open(locked::REPORTS[1]).ok().flatten());
        Ok(self.worktree.open(FOLDER)?.into_iter().chain(reports).collect())
    }

    /// Removes what killed processes left in the working tree, so that nobody takes it for a part of the change. Whoever is
    /// just writing is waited for.
    pub fn tidy(&self, wait: Duration) -> Result<(), StoreError> {
        for folder in self.written()? {
            if folder.has_temporary()? {
                // Who takes the lock sweeps.
                return self.lock(wait).map(drop);
            }
        }
        Ok(())
    }

    /// Takes the lock for everything that writes, and finishes an interrupted save first.
    pub fn lock(&self, wait: Duration) -> Result<Locked<'_>, StoreError> {
        Locked::take(self, wait)
    }

    /// Opens the folder for the briefs of `jury loop`, in the git dir, and makes it if it is not there.
    pub fn loop_folder(&self) -> Result<TaskFolder, StoreError> {
        Ok(TaskFolder { folder: self.git_dir.make(JURY)?.make(LOOP)? })
    }

    /// Opens the folder for the state of `jury hook`, in the git dir, and makes it if it is not there.
    pub fn hook_folder(&self) -> Result<TaskFolder, StoreError> {
        Ok(TaskFolder { folder: self.git_dir.make(JURY)?.make(HOOK)? })
    }

    /// Returns the bytes of a record, whose digest was checked.
    pub fn record(&self, id: &RecordId) -> Result<Vec<u8>, StoreError> {
        let path = self.places.git_dir.join(JURY).join(RECORDS).join(record_file(id));
        // A pointer to an invalid record is invalid itself.
        let remedy =
            "nothing is overwritten; to start over, move seal.json out of the folder above it and review again";
        let damaged = |what: &str| StoreError::Damaged { path: path.clone(), what: what.to_owned(), remedy };
        let missing = || damaged("it is missing");
        let records = self.records_folder()?.ok_or_else(missing)?;
        let bytes = records.read(&record_file(id))?.ok_or_else(missing)?;
        if RecordId::of(&bytes) != *id {
            return Err(damaged("its digest is not its name"));
        }
        match seal::version_of(&bytes) {
            Some(version) if version > u64::from(record::VERSION) => Err(StoreError::Newer { path, version }),
            Some(_) => Ok(bytes),
            None => Err(damaged("it states no version")),
        }
    }

    /// Returns the bytes of contests, whose digest was checked.
    pub fn contests(&self, id: &RecordId) -> Result<Vec<u8>, StoreError> {
        let folder = self.jury()?.map_or(Ok(None), |jury| jury.open(CONTESTS))?;
        let bytes = folder.map_or(Ok(None), |folder| folder.read(&record_file(id)))?;
        bytes.filter(|bytes| RecordId::of(bytes) == *id).ok_or_else(|| StoreError::Damaged {
            path: self.places.git_dir.join(JURY).join(CONTESTS).join(record_file(id)),
            what: "it is missing, or its digest is not its name".to_owned(),
            remedy: "nothing is overwritten; run `jury review` again",
        })
    }

    /// Returns the refusal of a seal that states something that its record does not show.
    pub fn unshown(&self, what: String) -> StoreError {
        StoreError::Unshown { path: self.places.git_dir.join(JURY).join(SEAL), what }
    }

    /// Returns the names of all records, sorted.
    pub fn records(&self) -> Result<Vec<RecordId>, StoreError> {
        let names = self.records_folder()?.map(|folder| folder.names()).transpose()?.unwrap_or_default();
        Ok(names.iter().filter_map(|name| RecordId::new(name.strip_suffix(".json")?)).collect())
    }

    /// Returns the last record of a review, by the review's id.
    pub fn find(&self, review_id: &str) -> Result<Option<RecordId>, StoreError> {
        let seal = self.seal()?.map(|(seal, _)| seal);
        let sealed = seal.iter().flat_map(|seal| [Some(&seal.latest), seal.full.as_ref()]).flatten();
        if let Some(sealed) = sealed.into_iter().find(|sealed| sealed.file.review_id == review_id) {
            return Ok(Some(sealed.verified.as_ref().unwrap_or(&sealed.record).clone()));
        }
        // The history is shared by all worktrees; the records are not.
        let here = self.records()?;
        let history = lines::history(self)?;
        let mut of_review = history.into_iter().rev().filter(|line| line.review_id == review_id);
        Ok(of_review.find(|line| here.contains(&line.record)).map(|line| line.record))
    }

    /// Returns the marks of a review, oldest first. A last line that a crash tore is passed over.
    pub fn marks(&self, review_id: &str) -> Result<Vec<Mark>, StoreError> {
        let mut marks = lines::marks(self)?;
        marks.retain(|mark| mark.review_id == review_id);
        Ok(marks)
    }

    /// Tells whether a file of the worktree, with these bytes, is Jury's own. An unreadable file is not.
    pub fn vouches(&self, path: &RepoPath, bytes: &[u8]) -> bool {
        if path.as_str() == format!("{FOLDER}/{LATEST}") {
            // The state is that of the file on the disk; another one of this name, in a commit, is not Jury's.
            let folder = self.worktree.open(FOLDER).ok().flatten();
            let on_disk = folder.and_then(|folder| folder.read(LATEST).ok().flatten());
            return on_disk.as_deref() == Some(bytes) && self.sealed_state().is_ok_and(|state| state.is_some());
        }
        // Jury writes nowhere else, so an entry can hide nothing else.
        let reports = locked::REPORTS.join("/");
        if ![FOLDER, &reports].iter().any(|folder| path.as_str().starts_with(&format!("{folder}/"))) {
            return false;
        }
        let vouched = self.jury().and_then(|jury| jury.map(|jury| jury.open(VOUCHED)).transpose());
        let name = vouch_name(path.as_str(), bytes);
        vouched.is_ok_and(|folder| folder.flatten().is_some_and(|folder| folder.check_file(&name).unwrap_or(false)))
    }

    fn jury(&self) -> Result<Option<StateFolder>, StoreError> {
        self.git_dir.open(JURY)
    }

    fn records_folder(&self) -> Result<Option<StateFolder>, StoreError> {
        self.jury()?.map_or(Ok(None), |jury| jury.open(RECORDS))
    }

    /// Reads the seal, and its bytes.
    fn seal(&self) -> Result<Option<(Seal, Vec<u8>)>, StoreError> {
        let Some(jury) = self.jury()? else { return Ok(None) };
        let Some(bytes) = jury.read(SEAL)? else { return Ok(None) };
        match seal::decode(&bytes) {
            Ok(seal) => Ok(Some((seal, bytes))),
            Err(SealError::Newer(version)) => Err(StoreError::Newer { path: jury.path(SEAL), version }),
            Err(SealError::Damaged(what)) => Err(StoreError::Damaged {
                path: jury.path(SEAL),
                what,
                remedy: "it is left untouched; to start over, move it away and review again",
            }),
        }
    }

    fn latest_bytes(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.worktree.open(FOLDER)?.map_or(Ok(None), |folder| folder.read(LATEST))
    }

    /// Returns where the verdict file is.
    pub fn latest_path(&self) -> PathBuf {
        self.places.worktree.join(FOLDER).join(LATEST)
    }

    /// Reads the seal and holds the verdict file against it.
    fn sealed_state(&self) -> Result<Option<SealedState>, StoreError> {
        const TRIES: usize = 100;
        let mut sealed = self.seal()?;
        for _ in 0..TRIES {
            let standing = self.stand(sealed.as_ref().map(|(seal, _)| seal));
            if standing.is_ok() {
                return standing;
            }
            // A save that ends between the two reads looks like tampering until the seal is read again.
            let again = self.seal()?;
            let bytes = |sealed: &Option<(Seal, Vec<u8>)>| sealed.as_ref().map(|(_, bytes)| bytes.clone());
            if bytes(&sealed) == bytes(&again) {
                return standing;
            }
            sealed = again;
            std::thread::sleep(Duration::from_millis(1));
        }
        self.stand(sealed.as_ref().map(|(seal, _)| seal))
    }

    fn stand(&self, seal: Option<&Seal>) -> Result<Option<SealedState>, StoreError> {
        let bytes = self.latest_bytes()?;
        let Some(seal) = seal else {
            return if bytes.is_some() { Err(StoreError::Foreign { path: self.latest_path() }) } else { Ok(None) };
        };
        match stand(seal, bytes.as_deref()) {
            Ok((statuses, is_behind)) => Ok(Some(SealedState { seal: seal.clone(), statuses, is_behind })),
            Err(Unlike::NotJson(what)) => Err(StoreError::Damaged {
                path: self.latest_path(),
                what,
                remedy: "`jury restore` writes the sealed file back and keeps this one",
            }),
            Err(Unlike::Differs { at, what }) => Err(StoreError::Tampered { path: self.latest_path(), at, what }),
        }
    }
}

/// Holds the bytes of the verdict file against the seal: which statuses count, and whether the file is still the one that
/// an interrupted save was to replace.
fn stand(seal: &Seal, bytes: Option<&[u8]>) -> Result<(Vec<Status>, bool), Unlike> {
    let latest = &seal.latest;
    let of_latest = match bytes {
        Some(bytes) => compare::statuses(bytes, &latest.file, &latest.own),
        None => Err(Unlike::Differs { at: "$".to_owned(), what: "the file was deleted".to_owned() }),
    };
    let Some(pending) = &seal.pending else { return of_latest.map(|statuses| (statuses, false)) };
    let sealed_statuses = statuses_of(&latest.file);
    let (previous, bytes) = match (&pending.previous, bytes) {
        (None, None) => return Ok((sealed_statuses, true)),
        (Some(previous), Some(bytes)) => (previous, bytes),
        _ => return of_latest.map(|statuses| (statuses, false)),
    };
    // A mark may leave everything but a status as it was, so the old file is tried first, as it stood, ...
    let before = statuses_of(previous);
    let of_previous = compare::statuses(bytes, previous, &pending.previous_own);
    if of_previous.as_ref().is_ok_and(|statuses| *statuses == before) && text_differs(previous, &latest.file) {
        return Ok((sealed_statuses, true));
    }
    // ... and then with statuses that were changed since, which count if they are about the same review.
    match (of_latest, of_previous) {
        (Ok(statuses), _) => Ok((statuses, false)),
        (Err(_), Ok(found)) if previous.review_id == latest.file.review_id && found.len() == latest.own.len() => {
            let carried = found.iter().zip(&before).zip(sealed_statuses.iter().zip(&latest.own));
            let carry = |((found, before), (sealed, own)): ((&Status, &Status), (&Status, &Status))| {
                if found != before && compare::is_legal(*own, *found) { *found } else { *sealed }
            };
            Ok((carried.map(carry).collect(), true))
        }
        (Err(_), Ok(_)) => Ok((sealed_statuses, true)),
        (Err(unlike), Err(_)) => Err(unlike),
    }
}

fn text_differs(one: &VerdictFile, other: &VerdictFile) -> bool {
    compare::text_of(one) != compare::text_of(other)
}

/// Returns the statuses of a document of ours; one that is no word of 000 counts as open.
fn statuses_of(file: &VerdictFile) -> Vec<Status> {
    file.findings.iter().map(|finding| record::status_of(finding).unwrap_or(Status::Open)).collect()
}

fn with_statuses(file: &VerdictFile, statuses: &[Status]) -> VerdictFile {
    let mut file = file.clone();
    for (finding, status) in file.findings.iter_mut().zip(statuses) {
        finding.status = status.token().to_owned();
    }
    file
}

/// Returns the name of the file of a record.
fn record_file(id: &RecordId) -> String {
    format!("{id}.json")
}

/// Names the empty file that vouches for a file of the worktree with these bytes.
fn vouch_name(path: &str, bytes: &[u8]) -> String {
    sha256(&[path.as_bytes(), b"\0", bytes])
}

/// Returns the SHA-256 of the parts as one, in hexadecimal.
fn sha256(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
