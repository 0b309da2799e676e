//! State between two calls of a hook, in `<git dir>/jury/hook/`: how often a session was blocked, and whether
//! a file was edited since the last check.
//!
//! Nothing here opens a gate: a check is identified by its tree, not by these files.

use jury::model::short_digest;
use jury::store::{Store, StoreError, TaskFolder};

/// The file that marks an edit.
const DIRTY: &str = "dirty";
/// No file of ours is longer than this.
const LONGEST: usize = 256;

/// The state of one session.
pub(super) struct Memory {
    folder: TaskFolder,
    name: String,
}

/// How often a session was blocked without a clear check in between, this time included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// For the same reason, one after the other.
    pub(super) same: u32,
    /// For any.
    pub(super) all: u32,
}

impl Memory {
    /// Opens the state of a session. Its id is foreign text and never a file name (FAULTS, row 17).
    pub(super) fn open(store: &Store, host: &str, session: &str) -> Result<Self, StoreError> {
        let name = format!("session-{}", short_digest(&[host, session], 16));
        Ok(Self { folder: store.hook_folder()?, name })
    }

    /// Notes that the session is blocked again, for the reason `about`.
    pub(super) fn block(&self, about: &str) -> Result<Blocks, StoreError> {
        let about = short_digest(&[about], 16);
        let bytes = self.folder.read(&self.name, LONGEST)?.unwrap_or_default();
        let blocks = match noted(&bytes) {
            Some((Blocks { same, all }, before)) => {
                Blocks { same: if before == about { same.saturating_add(1) } else { 1 }, all: all.saturating_add(1) }
            }
            None => Blocks { same: 1, all: 1 },
        };
        self.folder.write(&self.name, format!("{} {} {about}\n", blocks.same, blocks.all).as_bytes())?;
        Ok(blocks)
    }

    /// Forgets that the session was ever blocked.
    pub(super) fn forget(&self) -> Result<(), StoreError> {
        self.folder.remove(&self.name)
    }
}

/// Parses the notes; a foreign text counts as none.
fn noted(bytes: &[u8]) -> Option<(Blocks, &str)> {
    let mut words = std::str::from_utf8(bytes).ok()?.split_whitespace();
    let same = words.next()?.parse().ok()?;
    let all = words.next()?.parse().ok()?;
    Some((Blocks { same, all }, words.next()?))
}

/// Remembers an edit. A mark that is there already stays, so that most edits cost no write.
pub(super) fn mark_dirty(store: &Store) -> Result<(), StoreError> {
    let folder = store.hook_folder()?;
    if folder.read(DIRTY, 0)?.is_none() {
        folder.write(DIRTY, b"")?;
    }
    Ok(())
}

/// Tells whether hooks reported an edit since the last check.
pub(super) fn is_dirty(store: &Store) -> bool {
    store.hook_folder().and_then(|folder| folder.read(DIRTY, 0)).is_ok_and(|mark| mark.is_some())
}

/// Remembers that everything was checked.
pub(super) fn mark_checked(store: &Store) -> Result<(), StoreError> {
    store.hook_folder()?.remove(DIRTY)
}
