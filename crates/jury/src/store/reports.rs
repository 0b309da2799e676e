//! The reports of 001's tasks: one folder for each task below `<state dir>/reports/`, and plain files in it.
//!
//! In: ids of tasks, names and bytes. Out: the files, or the refusal of anything but a plain file or folder of
//! ours. Nothing outside the reports dir is ever touched. Deliberately not here: the meaning of the files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::Disk;
use super::error::StoreError;
use super::lock;
use super::state_folder::{StateFolder, TEMPORARY};
use crate::model::TaskId;

const REPORTS: &str = "reports";
/// How the names of Jury's own files in the folder of a task start; no role can be named so.
const OURS: &str = ".jury-";
/// How the name of a lock ends.
const LOCK: &str = ".lock";

/// The reports dir of a state dir.
#[derive(Debug)]
pub struct Reports {
    folder: StateFolder,
}

/// The folder of one task, of the briefs of `jury loop`, or of the state of `jury hook`.
#[derive(Debug)]
pub struct TaskFolder {
    pub(super) folder: StateFolder,
}

/// A lock, held until it is dropped.
#[derive(Debug)]
pub struct Hold {
    _lock: File,
}

impl Reports {
    /// Opens the reports dir of a state dir; `None` if either is not there.
    pub fn open(state_dir: &Path) -> Result<Option<Self>, StoreError> {
        let (parent, name) = split(state_dir)?;
        if !parent.is_dir() {
            return Ok(None);
        }
        let Some(state) = StateFolder::root(&parent, &Disk::default())?.open(&name)? else { return Ok(None) };
        Ok(state.open(REPORTS)?.map(|folder| Self { folder }))
    }

    /// Opens the reports dir of a state dir, and makes both if they are not there.
    pub fn make(state_dir: &Path) -> Result<Self, StoreError> {
        Self::make_on(state_dir, &Disk::default())
    }

    /// Does the same as [`Reports::make`], on a disk that may have a watcher.
    pub fn make_on(state_dir: &Path, disk: &Disk) -> Result<Self, StoreError> {
        let (parent, name) = split(state_dir)?;
        let folder = StateFolder::root(&parent, disk)?.make(&name)?.make(REPORTS)?;
        Ok(Self { folder })
    }

    /// Returns where it is.
    pub fn path(&self) -> PathBuf {
        self.folder.path("")
    }

    /// Returns the ids of the tasks that have a folder, sorted.
    pub fn tasks(&self) -> Result<Vec<TaskId>, StoreError> {
        let mut tasks = Vec::new();
        for id in self.folder.names()?.iter().filter_map(|name| TaskId::new(name).ok()) {
            // Anything but a folder is not a task.
            if self.task(&id).is_ok_and(|folder| folder.is_some()) {
                tasks.push(id);
            }
        }
        Ok(tasks)
    }

    /// Opens the folder of a task; `None` if there is none.
    pub fn task(&self, id: &TaskId) -> Result<Option<TaskFolder>, StoreError> {
        Ok(self.folder.open(id.as_str())?.map(|folder| TaskFolder { folder }))
    }

    /// Removes the folder of a task and makes it anew, empty (001, "Clear the reports dir at task start"). Whoever still
    /// has the old one open cannot write into the new one. A locked task is refused.
    pub fn restart(&self, id: &TaskId) -> Result<TaskFolder, StoreError> {
        let held = self.task(id)?.map(|task| task.hold_all()).transpose()?;
        if held.is_some() {
            let aside = self.folder.unused(TEMPORARY);
            self.folder.set_aside(id.as_str(), &aside)?;
        }
        let folder = self.folder.make(id.as_str())?;
        // The rest of a killed earlier start goes as well.
        for name in self.folder.names()?.iter().filter(|name| name.starts_with(TEMPORARY)) {
            self.folder.remove_all(name)?;
        }
        Ok(TaskFolder { folder })
    }
}

impl TaskFolder {
    /// Returns where a name in it is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }

    /// Returns every name in it, sorted; whether a name is what it says, or had to be spelled otherwise.
    pub fn names(&self) -> Result<Vec<(String, bool)>, StoreError> {
        self.folder.spelled_names()
    }

    /// Reads a plain file, up to one byte more than so many; `None` if the name is free.
    pub fn read(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, StoreError> {
        self.folder.read_start(name, most)
    }

    /// Replaces the plain file of the name: the old bytes or the new ones, never others.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.folder.replace(name, bytes)
    }

    /// Removes a plain file, if there is one.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        self.folder.remove(name)
    }

    /// Takes the lock of a name without waiting, or fails if another process has it.
    pub fn hold(&self, name: &str) -> Result<Hold, StoreError> {
        let lock = lock::take(&self.folder, &format!("{name}{LOCK}"), Duration::ZERO)?;
        Ok(Hold { _lock: lock })
    }

    /// Takes every lock that was ever taken in it.
    fn hold_all(&self) -> Result<Vec<Hold>, StoreError> {
        let names = self.folder.names()?;
        let ours = names.iter().filter(|name| name.starts_with(OURS));
        ours.filter_map(|name| name.strip_suffix(LOCK)).map(|name| self.hold(name)).collect()
    }
}

/// Takes the path of a state dir apart: the folder in which it lies, which the caller vouches for, and its name.
fn split(state_dir: &Path) -> Result<(PathBuf, String), StoreError> {
    let refused = |what: &str| StoreError::Refused { path: state_dir.to_path_buf(), what: what.to_owned() };
    let name = state_dir.file_name().ok_or_else(|| refused("no path that ends with the name of a state dir"))?;
    let name = name.to_str().ok_or_else(|| refused("named in something else than UTF-8"))?;
    let parent = state_dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok((parent.unwrap_or(Path::new(".")).to_path_buf(), name.to_owned()))
}
