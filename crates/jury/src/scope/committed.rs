//! The tree of HEAD, as every clone has it, and the bytes that a change puts into it: SHA-256, beside git's own ids, which may be of SHA-1.

use sha2::{Digest as _, Sha256};

use super::git_tree::{self, Leaf, Mode};
use super::objects::hex;
use super::{Repository, ScopeError, Snapshot, base};
use crate::model::{Base, TreeId};

/// The bytes that a change touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedBytes {
    /// How many files it touches.
    pub files: usize,
    /// The SHA-256 over their paths, modes and SHA-256, before and after, in hexadecimal.
    pub sha256: String,
}

impl Repository {
    /// Returns the tree of HEAD; `None` before the first commit.
    pub fn head_tree(&self) -> Result<Option<TreeId>, ScopeError> {
        let objects = self.git.lend();
        let head = base::head(&objects)?.commit.map(|id| hex(&id));
        let tree = base::tree_of(&objects, head.as_deref())?;
        Ok(tree.map(|tree| TreeId::new(&hex(&tree)).expect("an object id is hexadecimal")))
    }

    /// Takes the tree of HEAD by the index, with nothing left out; `None` if something else is staged.
    pub fn committed(&self) -> Result<Option<Snapshot>, ScopeError> {
        let (snapshot, tree) = (self.staged(None, &|_, _| false)?, self.head_tree()?);
        Ok(Some(snapshot).filter(|snapshot| tree.as_ref() == Some(snapshot.id())))
    }

    /// Returns the bytes of the blob that a ref names, by its full name; `None` if there is none, or it is larger.
    pub fn ref_bytes(&self, full: &str, most: u64) -> Result<Option<Vec<u8>>, ScopeError> {
        let objects = self.git.lend();
        let found = objects.git.try_find_reference(full).map_err(ScopeError::git(full))?;
        let id = found.and_then(|found| found.target().try_id().map(ToOwned::to_owned));
        let id = id.filter(|id| objects.blob_size(*id).is_some_and(|size| size <= most));
        Ok(id.and_then(|id| objects.try_blob(id).ok().flatten()))
    }

    /// Returns the SHA-256 of all files that differ between a base and a snapshot.
    pub fn changed_bytes(&self, snapshot: &Snapshot, base: &Base) -> Result<ChangedBytes, ScopeError> {
        let objects = self.git.lend();
        let deltas = git_tree::compare(&objects, base::tree(&objects, base)?, snapshot)?;
        let mut all = Sha256::new();
        for delta in &deltas {
            all.update((delta.path.len() as u64).to_be_bytes());
            all.update(&delta.path);
            all.update(state(delta.before, |leaf| objects.blob(leaf.id))?);
            let after = |leaf| Ok(snapshot.bytes(&objects, &delta.path, leaf)?.to_vec());
            all.update(state(delta.after, after)?);
        }
        let sha256 = all.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(ChangedBytes { files: deltas.len(), sha256 })
    }
}

/// Returns the mode and the SHA-256 of a file, always of the same length; of none, blanks.
fn state(leaf: Option<Leaf>, bytes: impl FnOnce(Leaf) -> Result<Vec<u8>, ScopeError>) -> Result<Vec<u8>, ScopeError> {
    let Some(leaf) = leaf else { return Ok(vec![b' '; 38]) };
    // A submodule has no bytes here, only the id of its commit.
    let bytes = if leaf.mode == Mode::Commit { hex(&leaf.id).into_bytes() } else { bytes(leaf)? };
    let mut state = leaf.mode.octal().as_bytes().to_vec();
    state.extend_from_slice(&Sha256::digest(&bytes));
    Ok(state)
}
