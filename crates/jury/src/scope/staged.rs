//! A repository in; the tree that a commit of the index would have out, as a snapshot: every entry with its id, by which its content
//! is read. Files of the working tree decide nothing here.
//!
//! Deliberately not here: which file the index is. git names another one to its hooks (`git commit -a`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gix::index::entry::{Flags, Mode as IndexMode, Stage};

use super::folder::may_be_own;
use super::git_tree::{self, Child, Folder, Leaf, Mode};
use super::objects::{Objects, hex};
use super::snapshot::{Assembled, index_path, read_index};
use super::{Repository, ScopeError, Snapshot};
use crate::model::{RepoPath, TreeId, UnreviewedReason};

impl Repository {
    /// Returns the staged tree. `index` is the file that git names to its hooks; default: the index of this working tree. `own` is that
    /// of [`Repository::snapshot`].
    pub fn staged(&self, index: Option<&Path>, own: &dyn Fn(&RepoPath, &[u8]) -> bool) -> Result<Snapshot, ScopeError> {
        let objects = self.git.lend();
        let file = index.map_or_else(|| index_path(self), Path::to_path_buf);
        let index = read_index(&file, &objects)?;
        let mut leaves = BTreeMap::new();
        let mut unidentified = BTreeMap::new();
        for entry in index.entries() {
            let path = entry.path(&index).to_vec();
            // `git add --intent-to-add` stages a name without content; a commit does not have it.
            if entry.flags.contains(Flags::INTENT_TO_ADD) {
                continue;
            }
            if entry.stage() != Stage::Unconflicted {
                unidentified.insert(path, UnreviewedReason::Conflict);
            } else if let Some(mode) = mode_of(entry.mode) {
                leaves.insert(path, Leaf { mode, id: entry.id });
            } else {
                unidentified.insert(path, UnreviewedReason::SpecialFile);
            }
        }
        let left_out = left_out(&objects, &leaves, own)?;
        leaves.retain(|path, _| !left_out.contains(path));
        let mut folders = folders(leaves);
        let id = git_tree::identify(&objects, &mut folders)?;
        let id = TreeId::new(&hex(&id)).expect("an object id is hexadecimal");
        let unidentified = unidentified.into_iter().collect();
        Ok(Snapshot::assembled(self, Assembled { id, folders, left_out, unidentified, index: Some(file) }))
    }
}

fn mode_of(mode: IndexMode) -> Option<Mode> {
    Some(match mode {
        IndexMode::FILE => Mode::Plain,
        IndexMode::FILE_EXECUTABLE => Mode::Executable,
        IndexMode::SYMLINK => Mode::Link,
        IndexMode::COMMIT => Mode::Commit,
        _ => return None,
    })
}

/// Returns the files of Jury's own.
pub(super) fn left_out(
    objects: &Objects,
    leaves: &BTreeMap<Vec<u8>, Leaf>,
    own: &dyn Fn(&RepoPath, &[u8]) -> bool,
) -> Result<BTreeSet<Vec<u8>>, ScopeError> {
    let mut left_out = BTreeSet::new();
    for (path, leaf) in leaves.iter().filter(|(path, leaf)| leaf.mode.is_file() && may_be_own(path)) {
        let legal = std::str::from_utf8(path).ok().and_then(|path| RepoPath::new(path).ok());
        if let Some(legal) = legal
            && own(&legal, &objects.blob(leaf.id)?)
        {
            left_out.insert(path.clone());
        }
    }
    Ok(left_out)
}

/// Puts the files into folders, each after the one it lies in.
pub(super) fn folders(leaves: BTreeMap<Vec<u8>, Leaf>) -> Vec<Folder> {
    let mut folders = vec![Folder::default()];
    let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::from([(Vec::new(), 0)]);
    for (path, leaf) in leaves {
        let mut at = 0;
        let mut start = 0;
        while let Some(slash) = path[start..].iter().position(|byte| *byte == b'/') {
            let end = start + slash + 1;
            at = *known.entry(path[..end].to_vec()).or_insert_with(|| {
                folders.push(Folder { path: path[..end].to_vec(), ..Folder::default() });
                let index = folders.len() - 1;
                folders[at].children.push((path[start..end - 1].into(), Child::Folder(index)));
                index
            });
            start = end;
        }
        folders[at].children.push((path[start..].into(), Child::Leaf(leaf)));
    }
    folders
}
