//! A folder of a run's own: a path in; an empty private folder out, removed when it is dropped or all is ended.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::running;

/// A folder that goes with its value.
pub(crate) struct ScratchDir {
    path: PathBuf,
}

impl ScratchDir {
    /// Makes it, where nothing was before.
    pub(crate) fn new(path: PathBuf) -> io::Result<Self> {
        let mut everything = running::everything_to_add_to();
        DirBuilder::new().mode(0o700).create(&path)?;
        everything.folders.insert(path.clone());
        Ok(Self { path })
    }

    /// Returns where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        remove(&self.path);
        running::everything().folders.remove(&self.path);
    }
}

/// Removes a folder with all that is in it.
pub(super) fn remove(path: &Path) {
    if fs::remove_dir_all(path).is_err() {
        // The program may have made folders that cannot be written to. Anything left even so is in the folder that the
        // system empties by itself.
        open_up(path);
        _ = fs::remove_dir_all(path);
    }
}

fn open_up(folder: &Path) {
    _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}
