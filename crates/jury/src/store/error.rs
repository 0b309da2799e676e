//! Why the store could not do, or would not do, what it was asked. Nothing of the old state is lost by any of these.

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
        /// What was to be done.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something stands where Jury's own file or folder should be.
    #[error("{} is {what}: move it away, then try again", path.display())]
    Refused {
        /// Where it stands.
        path: PathBuf,
        /// What it is, with its article.
        what: String,
    },
    /// Another process holds the lock.
    #[error("{} was held by another process for {waited:?}: try again when it is done", path.display())]
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
        /// What the system says.
        source: io::Error,
    },
    /// The verdict file is not what Jury wrote, status claims aside.
    #[error("{} was changed at {at}: {what}; `jury restore` writes the true file back and keeps this one", path.display())]
    Tampered {
        /// The verdict file.
        path: PathBuf,
        /// The JSON path of the first difference; `$` is the file as a whole.
        at: String,
        /// What differs.
        what: String,
    },
    /// There is a verdict file, but nothing says that Jury wrote it.
    #[error("{} was not written by Jury in this worktree: a new review keeps it aside and writes its own", path.display())]
    Foreign {
        /// The verdict file.
        path: PathBuf,
    },
    /// A later version of Jury wrote it.
    #[error("{} is of version {version}, newer than this Jury: use the newer one; the file is left as it is", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
    /// It is not what was written.
    #[error("{} is damaged: {what}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How one can tell.
        what: String,
        /// The way out.
        remedy: &'static str,
    },
    /// There is no review to mark, restore or return.
    #[error("there is no review in {}: run `jury review` first", path.display())]
    NoReview {
        /// Where one would be.
        path: PathBuf,
    },
    /// No finding has that id.
    #[error("no finding has the id {id:?}")]
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
    /// What is to be saved breaks a rule of the files it would become.
    #[error("cannot save: {what}")]
    Unwritable {
        /// Which rule, and what breaks it.
        what: String,
    },
}

impl StoreError {
    pub(super) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
