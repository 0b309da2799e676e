//! Answers of reviewers that were understood, each stored under the digest of reviewer and input; and which review was begun
//! and not finished.
//!
//! In: an answer and its key. Out: the same answer, or nothing: a damaged, foreign or newer entry counts as missing,
//! and the reviewer is asked. A cache is never needed, so that nothing here fails a review. Deliberately not here: the parts of a key
//! made of, and whether an answer counts.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::state_folder::StateFolder;
use super::{JURY, RecordId, Store, sha256};

/// The folder, in the git dir that all worktrees share.
const CACHE: &str = "cache";
/// The file that says which review was begun.
pub(super) const BEGUN: &str = "begun.json";
/// The version of an entry.
const VERSION: u32 = 1;

/// An answer that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    version: u32,
    /// Who answered.
    pub reviewer: String,
    /// The answer.
    pub output: String,
    /// Files that it could not look at, each with the reason.
    pub unreviewed: Vec<(String, String)>,
    /// The nonce of the answer.
    pub nonce: Option<String>,
    /// Whether the answer is the result of a check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_check: bool,
}

impl Kept {
    /// Makes an entry.
    pub fn new(reviewer: &str, output: &str, unreviewed: &[(String, String)], nonce: Option<&str>) -> Self {
        Self {
            version: VERSION,
            reviewer: reviewer.to_owned(),
            output: output.to_owned(),
            unreviewed: unreviewed.to_vec(),
            nonce: nonce.map(str::to_owned),
            is_check: false,
        }
    }

    /// Makes an entry of the result of a check.
    pub fn check(reviewer: &str, result: &str) -> Self {
        Self { is_check: true, ..Self::new(reviewer, result, &[], None) }
    }
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who answered; `None` if the entry cannot be used.
    pub reviewer: Option<String>,
    /// How large it is.
    pub bytes: u64,
    /// How long it has been there.
    pub age: Duration,
    name: String,
}

impl Store {
    /// Returns the answer that is kept under a key.
    pub fn recall(&self, key: &str) -> Option<Kept> {
        let folder = self.cache_folder().ok()??;
        read(&folder, key)
    }

    /// Stores an answer under a key, in place of an earlier one.
    pub fn keep(&self, key: &str, kept: &Kept) -> Result<(), StoreError> {
        // A key is a digest and nothing else, for it is the name of a file.
        if RecordId::new(key).is_none() {
            return Ok(());
        }
        let folder = self.common_dir.make(JURY)?.make(CACHE)?;
        let text = serde_json::to_string(kept).expect("strings and lists are always JSON");
        folder.replace(key, format!("{}\n{text}", sha256(&[key.as_bytes(), text.as_bytes()])).as_bytes())
    }

    /// Removes the entry of a key.
    pub fn forget(&self, key: &str) -> Result<(), StoreError> {
        match self.cache_folder()? {
            Some(folder) if RecordId::new(key).is_some() => folder.remove(key),
            _ => Ok(()),
        }
    }

    /// Lists the entries.
    pub fn kept(&self) -> Result<Vec<Entry>, StoreError> {
        let Some(folder) = self.cache_folder()? else { return Ok(Vec::new()) };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut entries = Vec::new();
        for name in folder.names()? {
            let Some((bytes, seconds)) = folder.measure(&name)? else { continue };
            let reviewer = read(&folder, &name).map(|kept| kept.reviewer);
            entries.push(Entry { reviewer, bytes, age: now.saturating_sub(Duration::from_secs(seconds)), name });
        }
        Ok(entries)
    }

    /// Removes the entries of a reviewer, or all; returns their number.
    pub fn clear_kept(&self, reviewer: Option<&str>) -> Result<usize, StoreError> {
        let entries = self.kept()?;
        let is_meant = |entry: &&Entry| reviewer.is_none_or(|name| entry.reviewer.as_deref() == Some(name));
        let Some(folder) = self.cache_folder()? else { return Ok(0) };
        let meant: Vec<&Entry> = entries.iter().filter(is_meant).collect();
        for entry in &meant {
            folder.remove(&entry.name)?;
        }
        Ok(meant.len())
    }

    /// Notes that a review of a tree has begun.
    pub fn begin(&self, tree: &str) -> Result<(), StoreError> {
        self.git_dir.make(JURY)?.replace(BEGUN, format!("{{\"tree\":{tree:?}}}\n").as_bytes())
    }

    /// Returns the tree of the review that was begun and not finished.
    pub fn begun(&self) -> Result<Option<String>, StoreError> {
        #[derive(Deserialize)]
        struct Begun {
            tree: String,
        }
        let Some(jury) = self.jury()? else { return Ok(None) };
        let bytes = jury.read(BEGUN)?.unwrap_or_default();
        Ok(serde_json::from_slice::<Begun>(&bytes).ok().map(|begun| begun.tree))
    }

    fn cache_folder(&self) -> Result<Option<StateFolder>, StoreError> {
        self.common_dir.open(JURY)?.map_or(Ok(None), |jury| jury.open(CACHE))
    }
}

/// Reads an entry whose digest is that of its name and bytes.
fn read(folder: &StateFolder, key: &str) -> Option<Kept> {
    RecordId::new(key)?;
    let bytes = folder.read(key).ok()??;
    let text = String::from_utf8(bytes).ok()?;
    let (digest, text) = text.split_once('\n')?;
    if digest != sha256(&[key.as_bytes(), text.as_bytes()]) {
        return None;
    }
    serde_json::from_str::<Kept>(text).ok().filter(|kept| kept.version == VERSION)
}
