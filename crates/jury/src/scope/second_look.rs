//! A snapshot in; whether the working tree is still the one that it was taken of. Everything that decided is looked at again: which
//! entries each folder has, the bytes of every file that was read, and of every other file the facts by which the index vouched for it.
//!
//! Nothing is concluded from the times of folders, and nothing from the facts about a file that was read. Deliberately not here: what
//! differs. Whoever is told "not the same" takes a new snapshot, and its id decides.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::content::{Proof, has_content};
use super::objects::{Handles, Objects};
use super::stat::{self, OpenFolder, Stat};
use super::{Repository, ScopeError, Snapshot};
use crate::model::RepoPath;

impl Repository {
    /// Tells whether the working tree is the one that a snapshot was taken of. `own` is that of [`Repository::snapshot`].
    pub fn is_current(&self, snapshot: &Snapshot, own: &dyn Fn(&RepoPath, &[u8]) -> bool) -> Result<bool, ScopeError> {
        // Objects do not change.
        if self.git.fixed_head().is_some() {
            return Ok(true);
        }
        if let Some(index) = &snapshot.index {
            return Ok(self.staged(Some(index), own)?.id() == snapshot.id());
        }
        // A touched tree may be the same: a file was written anew with the same bytes.
        Ok(snapshot.is_untouched(own) || self.snapshot(own)?.id() == snapshot.id())
    }
}

/// Folders per thread; a thread for fewer costs more than it gains.
const FEWEST_FOLDERS: usize = 32;

/// How a folder looked when it was listed.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// The names and kinds of all entries.
    pub(super) names: Box<[u8]>,
    /// The files that are part of the tree.
    pub(super) files: Vec<SeenFile>,
    /// The rule files of the folder that were read, `None` where that failed.
    pub(super) rules: Vec<(&'static str, Option<Vec<u8>>)>,
}

/// A file that was identified.
#[derive(Debug)]
pub(super) struct SeenFile {
    pub(super) name: Box<[u8]>,
    pub(super) stat: Stat,
    pub(super) proof: Proof,
    /// Whether it may be Jury's own.
    pub(super) is_candidate: bool,
}

/// All inputs of a snapshot.
#[derive(Debug)]
pub(super) struct Seen {
    /// The path of each folder, with a slash at the end, and how it looked.
    pub(super) folders: Vec<(Vec<u8>, Look)>,
    /// The files that decide for all folders.
    pub(super) deciding: Deciding,
}

/// Files outside the tree that affect it: the index, and attributes.
#[derive(Debug)]
pub(super) struct Deciding {
    hash: RandomState,
    files: Vec<(u64, PathBuf)>,
}

impl Deciding {
    /// Reads them.
    pub(super) fn read(files: Vec<PathBuf>) -> Deciding {
        let hash = RandomState::new();
        let files = files.into_iter().map(|path| (content_hash(&hash, &path), path)).collect();
        Deciding { files, hash }
    }

    fn is_same(&self) -> bool {
        self.files.iter().all(|(then, path)| content_hash(&self.hash, path) == *then)
    }
}

/// Hashes the bytes of a file, or their absence, with a key that no other process knows.
fn content_hash(hash: &RandomState, path: &Path) -> u64 {
    hash.hash_one(std::fs::read(path).ok())
}

impl Seen {
    /// Tells whether the tree below a root is the same. `left_out` were Jury's own files, and `own` tells which are.
    pub(super) fn is_same(
        &self,
        root: &Path,
        handles: &Handles,
        left_out: &BTreeSet<Vec<u8>>,
        own: &dyn Fn(&RepoPath, &[u8]) -> bool,
    ) -> bool {
        self.deciding.is_same() && self.has_same_own(root, left_out, own) && self.has_same_folders(root, handles)
    }

    /// Tells whether the same files are Jury's own.
    fn has_same_own(&self, root: &Path, left_out: &BTreeSet<Vec<u8>>, own: &dyn Fn(&RepoPath, &[u8]) -> bool) -> bool {
        let candidates = self.folders.iter().flat_map(|(folder, look)| {
            let names = look.files.iter().filter(|file| file.is_candidate).map(|file| &file.name);
            names.map(move |name| [folder.as_slice(), name].concat())
        });
        let mut candidates = candidates.map(|path| {
            let legal = std::str::from_utf8(&path).ok().and_then(|path| RepoPath::new(path).ok());
            let bytes = std::fs::read(root.join(gix::path::from_byte_slice(&path).ok()?)).ok()?;
            let is_own = legal.is_some_and(|legal| own(&legal, &bytes));
            Some(is_own == left_out.contains(&path))
        });
        candidates.all(|is_same| is_same == Some(true))
    }

    fn has_same_folders(&self, root: &Path, handles: &Handles) -> bool {
        let (next, differs) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let objects = handles.lend();
            while !differs.load(Ordering::Relaxed)
                && let Some((path, look)) = self.folders.get(next.fetch_add(1, Ordering::Relaxed))
            {
                if !look.is_same(&objects, root, path) {
                    differs.store(true, Ordering::Relaxed);
                }
            }
        };
        let helpers = (self.folders.len() / FEWEST_FOLDERS).min(super::threads() - 1);
        std::thread::scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(work);
            }
            work();
        });
        !differs.into_inner()
    }
}

impl Look {
    fn is_same(&self, objects: &Objects, root: &Path, path: &[u8]) -> bool {
        let Ok(path) = gix::path::from_byte_slice(path) else { return false };
        let folder = root.join(path);
        let opened = OpenFolder::open(&folder).and_then(|mut opened| Ok((opened.entries()?, opened)));
        let Ok((entries, opened)) = opened else { return false };
        stat::listed(&entries) == self.names
            && self.rules.iter().all(|(name, text)| std::fs::read(folder.join(name)).ok() == *text)
            && self.has_same_files(objects, &folder, &opened, &entries)
    }

    /// Tells whether all files are the same. They and the entries are in the order of names.
    fn has_same_files(&self, objects: &Objects, folder: &Path, opened: &OpenFolder, entries: &[stat::Entry]) -> bool {
        let mut entries = entries.iter();
        self.files.iter().all(|file| {
            let Some(entry) = entries.find(|entry| entry.name() == &*file.name) else { return false };
            let Ok(stat) = opened.stat(entry) else { return false };
            match file.proof {
                Proof::Index => stat == file.stat,
                Proof::Content(id) => {
                    let name = gix::path::from_byte_slice(&file.name);
                    let is_same_kind =
                        stat.is_link() == file.stat.is_link() && stat.is_executable() == file.stat.is_executable();
                    is_same_kind && name.is_ok_and(|name| has_content(objects, &folder.join(name), &stat, id))
                }
            }
        })
    }
}
