//! The files that `jury init` puts into a repository, takes back, and remembers: in the working tree, and in the folder of git's
//! hooks.
//!
//! In: paths with their expected and their new content. Out: files that are the old ones or the new ones, never others, and the
//! notes by which they are taken back. No symlink is followed below the two folders. Deliberately not here: the content of a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::StoreError;
use super::state_folder::StateFolder;
use super::{JURY, Store, lock};

/// The installed files, and their earlier content.
const NOTES: &str = "installed.json";
const LOCK: &str = "installed.lock";

/// The two folders in which something is installed.
#[derive(Debug)]
pub struct Site {
    tree: StateFolder,
    /// The folder above that of the hooks, and the name of the latter: it need not be there yet.
    hooks: Option<(StateFolder, String)>,
    git_dir: StateFolder,
}

/// A file of a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A file of the working tree, by its path of plain names.
    Tree(String),
    /// A file in the folder of git's hooks, by its name.
    Hook(String),
}

/// A planned change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// Which file.
    pub spot: &'a Spot,
    /// Its current content; `None` if it is missing.
    pub before: Option<&'a [u8]>,
    /// Its new content; `None` removes it.
    pub after: Option<&'a [u8]>,
    /// Whether it can be run; a file that is there keeps its mode.
    pub is_executable: bool,
}

impl Site {
    /// Opens the site of a worktree. Without a place for hooks, there are none.
    pub fn open(store: &Store, hooks: Option<&Path>) -> Result<Self, StoreError> {
        let above = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
            let (Some(parent), Some(name)) = (path.parent(), name) else {
                return Err(StoreError::Refused { path: path.to_path_buf(), what: "no path of a folder".to_owned() });
            };
            Ok((StateFolder::root(parent, store.worktree.disk())?, name))
        };
        let hooks = hooks.map(above).transpose()?;
        Ok(Self { tree: store.worktree.again()?, hooks, git_dir: store.git_dir.again()? })
    }

    /// Returns where a file is, for messages.
    pub fn path(&self, spot: &Spot) -> PathBuf {
        match (spot, &self.hooks) {
            (Spot::Tree(path), _) => self.tree.path(path),
            (Spot::Hook(name), Some((above, folder))) => above.path(folder).join(name),
            (Spot::Hook(name), None) => PathBuf::from(name),
        }
    }

    /// Reads a file; `None` if there is none.
    pub fn read(&self, spot: &Spot) -> Result<Option<Vec<u8>>, StoreError> {
        let (folder, name) = self.folder(spot)?;
        folder.map_or(Ok(None), |folder| folder.read(name))
    }

    /// Returns the folder that a file lies in, if it is there, and the name of the file.
    fn folder<'s>(&self, spot: &'s Spot) -> Result<(Option<StateFolder>, &'s str), StoreError> {
        match spot {
            Spot::Tree(path) => match path.rsplit_once('/') {
                Some((folders, name)) => Ok((self.tree.below(folders)?, name)),
                None => Ok((Some(self.tree.again()?), path)),
            },
            Spot::Hook(name) => {
                let (above, folder) = self.hooks.as_ref().ok_or_else(|| no_hooks(name))?;
                Ok((above.open(folder)?, name))
            }
        }
    }

    /// Takes the lock under which a site is changed.
    pub fn lock(&self, wait: Duration) -> Result<Work<'_>, StoreError> {
        let jury = self.git_dir.make(JURY)?;
        let lock = lock::take(&jury, LOCK, wait)?;
        Ok(Work { site: self, jury, _lock: lock })
    }

    /// Reads the notes about installed files; `None` if there are none.
    pub fn notes(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.git_dir.open(JURY)?.map_or(Ok(None), |jury| jury.read(NOTES))
    }
}

fn no_hooks(name: &str) -> StoreError {
    StoreError::Refused { path: PathBuf::from(name), what: "a hook outside the folder of hooks".to_owned() }
}

/// A site, with the lock held.
#[derive(Debug)]
pub struct Work<'a> {
    site: &'a Site,
    jury: StateFolder,
    _lock: std::fs::File,
}

impl Work<'_> {
    /// Writes the notes, or removes them.
    pub fn note(&self, notes: Option<&[u8]>) -> Result<(), StoreError> {
        match notes {
            Some(notes) => self.jury.replace(NOTES, notes),
            None => self.jury.remove(NOTES),
        }
    }

    /// Makes one change, if the file still has its expected content. Returns the folders of the working tree that were made for it.
    pub fn make(&self, change: &Change<'_>) -> Result<Vec<String>, StoreError> {
        let refused = |what: &str| StoreError::Refused { path: self.site.path(change.spot), what: what.to_owned() };
        if self.site.read(change.spot)?.as_deref() != change.before {
            return Err(refused("another file than a moment ago"));
        }
        let Some(bytes) = change.after else {
            let (folder, name) = self.site.folder(change.spot)?;
            folder.map_or(Ok(()), |folder| folder.remove(name))?;
            return Ok(Vec::new());
        };
        let mode = if change.is_executable { 0o755 } else { 0o644 };
        let mut made = Vec::new();
        let (folder, name) = match change.spot {
            Spot::Tree(path) => (self.tree_folder(path, &mut made)?, path.rsplit('/').next().unwrap_or(path)),
            Spot::Hook(name) => {
                let (above, folder) = self.site.hooks.as_ref().ok_or_else(|| no_hooks(name))?;
                (above.make(folder)?, name.as_str())
            }
        };
        match change.before {
            Some(_) => folder.replace_in_kind(name, bytes)?,
            None => folder.replace_with_mode(name, bytes, mode)?,
        }
        Ok(made)
    }

    /// Opens the folder of a file of the working tree, makes missing folders on the way, and lists them.
    fn tree_folder(&self, path: &str, made: &mut Vec<String>) -> Result<StateFolder, StoreError> {
        let mut folder = self.site.tree.again()?;
        let mut reached = String::new();
        for name in path.split('/').take(path.matches('/').count()) {
            reached.push_str(if reached.is_empty() { "" } else { "/" });
            reached.push_str(name);
            if !folder.has(name)? {
                made.push(reached.clone());
            }
            folder = folder.make(name)?;
        }
        Ok(folder)
    }

    /// Removes a folder of the working tree, if it is there and empty.
    pub fn remove_folder(&self, path: &str) -> Result<(), StoreError> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = if folders.is_empty() { Some(self.site.tree.again()?) } else { self.site.tree.below(folders)? };
        parent.map_or(Ok(()), |parent| parent.remove_empty(name))
    }
}
