//! Making a signature: a key, a purpose and a message in; a plain SSHSIG signature out.
//!
//! `ssh-keygen -Y sign` signs, so a key may be in a file, in the agent or in hardware; only `raw` reads a private key itself.
//! The message lies in a private folder for that time. Deliberately not here: checking a signature (`signature`).

mod raw;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::process::{Bounds, ScratchDir, run_attended};
use crate::signature::{MOST_SIGNATURE_BYTES, PublicKey, Refusal, plain};

pub use raw::sign_raw;

/// The limits of a program of OpenSSH: a person has to find the key and touch it.
const BOUNDS: Bounds = Bounds { time: Duration::from_secs(120), output: 1024 * 1024 };

/// The key that signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A private key, or the handle of a hardware key, in a file; or a public key whose private one the agent has.
    File(PathBuf),
    /// A key of the agent.
    Agent(PublicKey),
}

/// Why there is no signature.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    /// The private folder could not be used.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The path.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The program did not sign.
    #[error("`{program}` {what}")]
    Program {
        /// The program.
        program: &'static str,
        /// How it ended instead.
        what: String,
    },
    /// The key in a file cannot be used.
    #[error("cannot sign with this key: {0}")]
    Key(&'static str),
    /// The result is no signature.
    #[error("`ssh-keygen` wrote no signature: {0}")]
    Unreadable(#[from] Refusal),
}

/// Signs a message for a purpose. `is_attended`: whether a person is at the terminal, and may be asked for a passphrase or a touch.
pub fn sign(key: &Key, namespace: &str, message: &[u8], is_attended: bool) -> Result<Vec<u8>, SigningError> {
    let folder = private_folder()?;
    let (content, public) = (folder.path().join("content"), folder.path().join("agent.pub"));
    let written = folder.path().join("content.sig");
    write(&content, message)?;
    let key = match key {
        Key::File(path) => path,
        Key::Agent(key) => {
            write(&public, format!("{}\n", key.line()).as_bytes())?;
            &public
        }
    };
    let arguments = [
        OsStr::new("-q"),
        OsStr::new("-Y"),
        OsStr::new("sign"),
        OsStr::new("-n"),
        OsStr::new(namespace),
        OsStr::new("-f"),
        key.as_os_str(),
        content.as_os_str(),
    ];
    let ended = run_attended(Command::new("ssh-keygen").args(arguments), BOUNDS, is_attended);
    if let Some(what) = ended.trouble(&[0]) {
        return Err(SigningError::Program { program: "ssh-keygen", what });
    }
    let failed = |source| SigningError::Folder { path: written.clone(), source };
    let length = std::fs::metadata(&written).map_err(failed)?.len();
    if length > MOST_SIGNATURE_BYTES as u64 {
        return Err(Refusal::TooLong.into());
    }
    Ok(plain(&std::fs::read(&written).map_err(failed)?)?)
}

/// Lists the keys of the agent whose kind is read.
pub fn agent_keys() -> Result<Vec<PublicKey>, SigningError> {
    let ended = run_attended(Command::new("ssh-add").arg("-L"), BOUNDS, false);
    if let Some(what) = ended.trouble(&[0]) {
        return Err(SigningError::Program { program: "ssh-add", what });
    }
    Ok(String::from_utf8_lossy(&ended.printed).lines().filter_map(PublicKey::of_line).collect())
}

fn private_folder() -> Result<ScratchDir, SigningError> {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let name = format!("jury-sign-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    ScratchDir::new(path.clone()).map_err(|source| SigningError::Folder { path, source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), SigningError> {
    std::fs::write(path, bytes).map_err(|source| SigningError::Folder { path: path.to_owned(), source })
}
