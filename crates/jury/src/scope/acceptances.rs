//! What the decisions of people are held against: the objects below a prefix of refs, the root of the history, who wrote the change, and
//! the content of files before and after it. Read-only, as all of `scope`.
//!
//! Deliberately not here: what any of it means (`people`).

use gix::ObjectId;
use gix::bstr::ByteSlice as _;

use super::objects::hex;
use super::{Repository, ScopeError, base};
use crate::model::Base;

/// The largest object below a ref that is read.
const LARGEST: u64 = 1 << 20;

/// An object that a ref names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefObject {
    /// The rest of the name of the ref, below the prefix.
    pub name: String,
    /// The bytes; `None` if it is no blob, is missing, damaged, or larger than any that is read.
    pub bytes: Option<Vec<u8>>,
}

impl Repository {
    /// Returns the objects of all refs below a prefix, which ends with a slash, by name.
    pub fn objects_below(&self, prefix: &str) -> Result<Vec<RefObject>, ScopeError> {
        let objects = self.git.lend();
        let refs = objects.git.references().map_err(ScopeError::git("the refs"))?;
        let Ok(found) = refs.prefixed(prefix) else { return Ok(Vec::new()) };
        let mut below = Vec::new();
        for found in found.flatten() {
            let full = found.name().as_bstr().to_str_lossy().into_owned();
            let Some(name) = full.strip_prefix(prefix) else { continue };
            let id = found.target().try_id().map(ToOwned::to_owned);
            let id = id.filter(|id| objects.blob_size(*id).is_some_and(|size| size <= LARGEST));
            let bytes = id.and_then(|id| objects.try_blob(id).ok().flatten());
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
}
