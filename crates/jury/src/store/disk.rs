//! The one seam to the disk: every system call that changes it is announced here first.
//!
//! In: the calls of [`super::state_folder`]. Out: the same calls, unless a watcher lets one fail or fall short. Deliberately not
//! here: the layout of files. Without a watcher this costs nothing.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A system call that changes the disk, as it is about to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Makes a folder.
    MakeFolder(PathBuf),
    /// Makes an empty file where there is none.
    Create(PathBuf),
    /// Writes bytes at the end of a file.
    Write(PathBuf, Vec<u8>),
    /// Cuts a file to a length.
    Truncate(PathBuf, u64),
    /// Makes the content of a file outlive a power cut.
    Sync(PathBuf),
    /// Gives a file another name.
    Rename(PathBuf, PathBuf),
    /// Removes a file.
    Remove(PathBuf),
    /// Makes the names in a folder outlive a power cut.
    SyncFolder(PathBuf),
}

/// A watcher of every call before it is made: how tests make a disk fail.
pub trait Watch: Send + Sync {
    /// Lets a call through, whole (`None`) or, for a write, only its first bytes; or lets it fail.
    fn before(&self, call: &Call) -> io::Result<Option<usize>>;
}

/// The disk, watched or not.
#[derive(Clone, Default)]
pub struct Disk {
    watch: Option<Arc<dyn Watch>>,
}

impl Disk {
    /// Returns the disk with a watcher.
    pub fn watched(watch: Arc<dyn Watch>) -> Self {
        Self { watch: Some(watch) }
    }

    /// Announces a call, and returns how many bytes of a write may be written.
    pub(super) fn announce(&self, call: impl FnOnce() -> Call) -> io::Result<usize> {
        let allowed = self.watch.as_ref().map(|watch| watch.before(&call())).transpose()?;
        Ok(allowed.flatten().unwrap_or(usize::MAX))
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disk").field("is_watched", &self.watch.is_some()).finish()
    }
}
