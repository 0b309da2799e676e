//! The documents a command is given: named on the command line, read within bounds.
//!
//! In: a path or `-`. Out: the bytes, at most one more than a reader takes, so that no input costs more memory than the
//! limit allows. Deliberately not here: the meaning of the bytes.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use jury::formats::{self, Format, Reading};
use jury::model::Domain;
use jury::syntax::Limits;

use crate::error::Error;
use crate::render::inert;

/// How secrets are hidden: marked, so that they can be told apart, or masked, so that every place stays where it is.
pub(crate) type Hide = fn(&str) -> Cow<'_, str>;

/// Where a document comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl From<OsString> for Input {
    fn from(argument: OsString) -> Self {
        if argument == "-" { Self::Stdin } else { Self::File(argument.into()) }
    }
}

impl Input {
    /// Returns its name for programs.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// Returns its name for people, safe to show.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Stdin => "<stdin>".to_owned(),
            Self::File(path) => inert::line(&path.to_string_lossy()),
        }
    }

    /// Reads it without its secrets and takes it as the given format, or as the one that it looks like.
    pub(crate) fn read(&self, from: Option<&'static Format>, hide: Hide) -> Result<Document, Error> {
        let limits = Limits::default();
        let bytes = self.bytes_without_secrets(hide)?;
        let (format, reading) = match from {
            Some(format) => (Some(format), format.read(&bytes, &limits)),
            None => formats::read(&bytes, &limits),
        };
        Ok(Document { name: self.shown(), bytes, format, reading })
    }

    /// Reads its bytes.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Error> {
        self.bytes_within(Limits::default().bytes).map_err(|source| Error::Read { path: self.shown(), source })
    }

    /// Reads its bytes, and hides the secrets in them before anybody can quote or cut them.
    pub(crate) fn bytes_without_secrets(&self, hide: Hide) -> Result<Vec<u8>, Error> {
        let bytes = self.bytes()?;
        // A file that is too large is refused as a whole: it is neither searched nor quoted.
        if bytes.len() > Limits::default().bytes {
            return Ok(vec![b' '; bytes.len()]);
        }
        Ok(without_secrets(bytes, hide))
    }

    /// Returns the name of the reviewer, as far as the name of the file tells it: 001 names files after roles.
    pub(crate) fn reviewer(&self) -> Domain {
        let stem = match self {
            Self::Stdin => None,
            Self::File(path) => path.file_stem().map(|stem| stem.to_string_lossy()),
        };
        stem.and_then(|stem| Domain::new(&stem).ok()).unwrap_or_else(Domain::unnamed)
    }

    /// Refuses standard input that is named more than once: it can be read only once.
    pub(crate) fn check_stdin_once<'i>(inputs: impl IntoIterator<Item = &'i Self>) -> Result<(), Error> {
        let times = inputs.into_iter().filter(|input| **input == Self::Stdin).count();
        if times > 1 { Err(Error::StdinTwice) } else { Ok(()) }
    }

    /// Reads one byte more than the limit at most: enough for the reader to see that it is too much.
    fn bytes_within(&self, limit: usize) -> io::Result<Vec<u8>> {
        let most = limit as u64 + 1;
        let mut bytes = Vec::new();
        match self {
            Self::Stdin => io::stdin().lock().take(most).read_to_end(&mut bytes)?,
            Self::File(path) => {
                let file = File::open(path)?;
                // A size is a hint only: pipes have none, and a file may grow while it is read.
                let size = file.metadata().map_or(0, |metadata| metadata.len());
                bytes.reserve(usize::try_from(size.min(most)).unwrap_or(0));
                file.take(most).read_to_end(&mut bytes)?
            }
        };
        Ok(bytes)
    }
}

/// Hides the secrets in bytes, which need not be UTF-8.
pub(crate) fn without_secrets(bytes: Vec<u8>, hide: Hide) -> Vec<u8> {
    let hidden = match str::from_utf8(&bytes).map(hide) {
        Ok(Cow::Borrowed(_)) => None,
        Ok(Cow::Owned(hidden)) => Some(hidden.into_bytes()),
        Err(_) => {
            let hidden = bytes.utf8_chunks().map(|chunk| [hide(chunk.valid()).as_bytes(), chunk.invalid()].concat());
            Some(hidden.collect::<Vec<_>>().concat())
        }
    };
    hidden.unwrap_or(bytes)
}

/// A document that was read, well or badly.
pub(crate) struct Document {
    /// Its name for people, safe to show.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// Its format, if stated or recognised.
    pub(crate) format: Option<&'static Format>,
    /// Its reading.
    pub(crate) reading: Reading,
}
