//! Errors of the store. Nothing of the old state is lost by any of these.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::model::Status;

/// An error of the store. Paths are absolute; a printer escapes them.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A system call failed.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The operation.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Something stands where Jury's own file or folder should be.
    #[error("{} is {what}: move it away, then try again", path.display())]
    Refused {
        /// Where it stands.
        path: PathBuf,
        /// Its kind, with its article.
        what: String,
    },
    /// Other processes hold the lock, one or in turn.
    #[error("{} was in use by other processes for {waited:?}: try again when they are done", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// How long this process waited.
        waited: Duration,
    },
    /// The file system cannot lock, so no two writers could be told apart.
    #[error("{} cannot be locked on this file system: move the repository to one that has locks", path.display())]
    LockingUnavailable {
        /// The lock file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The verdict file was changed, status claims aside.
    #[error("{} was changed at {at}: {what}; `jury restore` writes the sealed file back and keeps this one", path.display())]
    Tampered {
        /// The verdict file.
        path: PathBuf,
        /// The JSON path of the first difference; `$` is the file as a whole.
        at: String,
        /// The difference.
        what: String,
    },
    /// There is a verdict file, but nothing says that Jury wrote it.
    #[error("{} was not written by Jury in this worktree: a new review moves it away and writes its own", path.display())]
    Foreign {
        /// The verdict file.
        path: PathBuf,
    },
    /// A later version of Jury wrote it.
    #[error("{} has version {version}, newer than this Jury: use the newer one; the file is left untouched", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
    /// The file is damaged.
    #[error("{} is damaged: {what}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How one can tell.
        what: String,
        /// The way out.
        remedy: &'static str,
    },
    /// The seal states something that no record shows.
    #[error("{} states {what}, which its record does not show; to start over, move it away and review again", path.display())]
    Unshown {
        /// The seal.
        path: PathBuf,
        /// The statement.
        what: String,
    },
    /// There is no review to mark, restore or return.
    #[error("no review in {}: run `jury review` first", path.display())]
    NoReview {
        /// Where one would be.
        path: PathBuf,
    },
    /// No finding has that id.
    #[error("unknown finding {id:?}")]
    UnknownFinding {
        /// The id as it was given.
        id: String,
    },
    /// 000 does not let a team agent make that move.
    #[error("finding {id:?} cannot go from {from} to {to}")]
    IllegalMove {
        /// The finding.
        id: String,
        /// Its status.
        from: Status,
        /// The status that was asked for.
        to: Status,
    },
    /// The data to save breaks a rule of its files.
    #[error("cannot save: {what}")]
    Unwritable {
        /// The rule and the breach.
        what: String,
    },
}

impl StoreError {
    pub(super) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
