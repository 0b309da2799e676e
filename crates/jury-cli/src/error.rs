//! Why a command could not do its work: message, hint and exit code of each reason, in one place.
//!
//! Deliberately not here: a document that does not conform or cannot be converted without loss, which is an outcome.

use std::io;

use jury::formats::ConvertError;
use jury::syntax::diff::DiffError;
use jury_wire::ExitCode;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file or standard input could not be read.
    #[error("cannot read `{path}`")]
    Read {
        /// The path as it is shown.
        path: String,
        /// The reason the system gives.
        source: io::Error,
    },
    /// Standard input is named twice, and can be read only once.
    #[error("standard input is named more than once")]
    StdinTwice,
    /// What was given as a diff is none.
    #[error("`{path}` is not a unified diff")]
    Diff {
        /// The path as it is shown.
        path: String,
        /// What is wrong with it.
        source: DiffError,
    },
    /// There is no finding of that number.
    #[error("there is no finding {number}; the last is {last}")]
    NoSuchFinding {
        /// The number that was asked for.
        number: usize,
        /// The highest there is.
        last: usize,
    },
    /// Standard output took no more.
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
    /// The report cannot be written in the target.
    #[error(transparent)]
    Convert(#[from] ConvertError),
}

impl Error {
    /// Returns what to do about it, where there is something to say.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Read { source, .. } if source.kind() == io::ErrorKind::IsADirectory => {
                Some("name the files in it, one by one")
            }
            Self::StdinTwice => Some("write `-` once"),
            Self::Convert(ConvertError::Unsayable { .. }) => Some("choose another target; `jury formats` lists them"),
            Self::Diff { .. } => Some("give the output of `git diff`"),
            Self::Read { .. }
            | Self::NoSuchFinding { .. }
            | Self::Write(_)
            | Self::Convert(ConvertError::ReadOnly(_)) => None,
        }
    }

    /// Returns the exit code.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Read { .. }
            | Self::StdinTwice
            | Self::Diff { .. }
            | Self::NoSuchFinding { .. }
            | Self::Write(_)
            | Self::Convert(ConvertError::ReadOnly(_)) => ExitCode::Usage,
            Self::Convert(ConvertError::Unsayable { .. }) => ExitCode::Blocked,
        }
    }
}
