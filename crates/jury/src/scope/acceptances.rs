//! What the decisions of people are held against: the objects below a prefix of refs, the root of the history, who wrote the change, and
//! the content of files before and after it. Read-only, as all of `scope`.
//!
//! Deliberately not here: what any of it means (`people`).

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::ByteSlice as _;
use sha2::{Digest as _, Sha256};

use super::git_tree::{Leaf, Mode};
use super::objects::{Objects, hex};
use super::{Repository, ScopeError, Snapshot, base};
use crate::model::{Base, FileState, FileStates, RepoPath};

/// The most commits of a change whose authors are looked at; of a longer one, not all authors are known.
const MOST_COMMITS: usize = 10_000;

/// The most bytes that are read of all objects below a prefix: whoever can push could fill the memory of every clone.
const MOST_TOGETHER: u64 = 256 << 20;

/// An object that a ref names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefObject {
    /// The rest of the name of the ref, below the prefix.
    pub name: String,
    /// The bytes; `None` if it is no blob, is missing, damaged, or larger than any that is read.
    pub bytes: Option<Vec<u8>>,
}

impl Repository {
    /// Returns the objects of all refs below a prefix, which ends with a slash, by name; larger ones than `most`, and those after the first
    /// 256 MiB, without their bytes.
    pub fn objects_below(&self, prefix: &str, most: u64) -> Result<Vec<RefObject>, ScopeError> {
        let objects = self.git.lend();
        let refs = objects.git.references().map_err(ScopeError::git("the refs"))?;
        let Ok(found) = refs.prefixed(prefix) else { return Ok(Vec::new()) };
        let (mut below, mut left) = (Vec::new(), MOST_TOGETHER);
        for found in found.flatten() {
            let full = found.name().as_bstr().to_str_lossy().into_owned();
            let Some(name) = full.strip_prefix(prefix) else { continue };
            let id = found.target().try_id().map(ToOwned::to_owned);
            let id = id.filter(|id| objects.blob_size(*id).is_some_and(|size| size <= most.min(left)));
            let bytes = id.and_then(|id| objects.try_blob(id).ok().flatten());
            left = left.saturating_sub(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64));
            below.push(RefObject { name: name.to_owned(), bytes });
        }
        below.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(below)
    }

    /// Returns the first commit of the history of a base, along first parents; of HEAD, if the base is the empty tree. `None` before the
    /// first commit, and where a shallow clone does not reach it.
    pub fn root_commit(&self, base: &Base) -> Result<Option<String>, ScopeError> {
        let objects = self.git.lend();
        let start =
            base.tip.as_deref().or(base.commit.as_deref()).and_then(|id| ObjectId::from_hex(id.as_bytes()).ok());
        let Some(mut commit) = start.map_or_else(|| Ok(base::head(&objects)?.commit), |id| Ok(Some(id)))? else {
            return Ok(None);
        };
        loop {
            let (_, parents) = objects.commit(commit)?;
            match parents.first() {
                None => return Ok(Some(hex(&commit))),
                Some(parent) if objects.has(*parent) => commit = *parent,
                Some(_) => return Ok(None),
            }
        }
    }

    /// Returns the mail addresses, in lower case, of all who wrote or committed the commits since a base; `None` if there are too many.
    pub fn authors_since(&self, base: &Base) -> Result<Option<BTreeSet<String>>, ScopeError> {
        let objects = self.git.lend();
        base::people(&objects, base::head(&objects)?.commit, base, MOST_COMMITS)
    }

    /// Returns a file before and after the change; both are `None` if there is no such file.
    pub fn file_states(&self, snapshot: &Snapshot, base: &Base, path: &RepoPath) -> Result<FileStates, ScopeError> {
        let objects = self.git.lend();
        let name = path.as_str().as_bytes();
        let before = match base::tree(&objects, base)? {
            Some(tree) => objects.find(tree, name)?,
            None => None,
        };
        let before = before.map(|leaf| state(leaf, || objects.blob(leaf.id))).transpose()?;
        let after = snapshot.leaf(name);
        let bytes = |leaf| Ok(snapshot.bytes(&objects, name, leaf)?.to_vec());
        let after = after.map(|leaf| state(leaf, || bytes(leaf))).transpose()?;
        Ok(FileStates { before, after })
    }
}

fn state(leaf: Leaf, bytes: impl FnOnce() -> Result<Vec<u8>, ScopeError>) -> Result<FileState, ScopeError> {
    // A submodule has no bytes here, only the id of its commit.
    let bytes = if leaf.mode == Mode::Commit { hex(&leaf.id).into_bytes() } else { bytes()? };
    Ok(FileState { mode: leaf.mode.octal().to_owned(), sha256: sha256(&bytes) })
}

/// Returns the hexadecimal digits of the SHA-256 of bytes.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the mail addresses of the two people that a commit names, in lower case.
pub(super) fn named(objects: &Objects, data: &[u8]) -> Option<[String; 2]> {
    let commit = gix::objs::CommitRef::from_bytes(data, objects.git.object_hash()).ok()?;
    let mail = |mail: &gix::bstr::BStr| mail.trim().to_str_lossy().to_lowercase();
    Some([mail(commit.author().ok()?.email), mail(commit.committer().ok()?.email)])
}
