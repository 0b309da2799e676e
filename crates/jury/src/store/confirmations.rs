//! What somebody confirmed on this machine without a key: one immutable file each, named by its digest, for all worktrees.
//!
//! Deliberately not here: what counts (`people`). A file that cannot be read is listed without its bytes.

use super::error::StoreError;
use super::{JURY, Store};

/// The folder, in the git dir that all worktrees share.
const CONFIRMED: &str = "confirmed";
/// The largest file that is read.
const LARGEST: usize = 1 << 20;

/// The name of a confirmation, and its bytes unless it cannot be read.
type Confirmation = (String, Option<Vec<u8>>);

impl Store {
    /// Returns the confirmations with their names, sorted.
    pub fn confirmations(&self) -> Result<Vec<Confirmation>, StoreError> {
        let Some(jury) = self.common_dir.open(JURY)? else { return Ok(Vec::new()) };
        let Some(folder) = jury.open(CONFIRMED)? else { return Ok(Vec::new()) };
        let read = |name: String| {
            let digest = name.strip_suffix(".json")?.to_owned();
            let bytes = folder.read_start(&name, LARGEST).ok().flatten().filter(|bytes| bytes.len() <= LARGEST);
            Some((digest, bytes))
        };
        Ok(folder.names()?.into_iter().filter_map(read).collect())
    }

    /// Keeps a confirmation under its digest.
    pub fn confirm(&self, digest: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let folder = self.common_dir.make(JURY)?.make(CONFIRMED)?;
        let name = format!("{digest}.json");
        if folder.check_file(&name)? { Ok(()) } else { folder.create(&name, bytes) }
    }
}
