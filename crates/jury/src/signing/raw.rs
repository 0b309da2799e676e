//! A raw Ed25519 signature, for verifiers that do not read SSHSIG: a private key in a file, in OpenSSH's form or in PKCS #8, both
//! without a passphrase; and a message in.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::Ed25519KeyPair;

use super::SigningError;

/// The most bytes of a key file.
const MOST: u64 = 64 * 1024;
const OPENSSH: &str = "OPENSSH PRIVATE KEY";
const PKCS8: &str = "PRIVATE KEY";
const MAGIC: &[u8] = b"openssh-key-v1\0";

/// Signs a message. The message has to state its own purpose, for the signature does not.
pub fn sign_raw(key: &Path, message: &[u8]) -> Result<Vec<u8>, SigningError> {
    let failed = |source| SigningError::Folder { path: key.to_owned(), source };
    if std::fs::metadata(key).map_err(failed)?.len() > MOST {
        return Err(SigningError::Key("it is too large"));
    }
    let text = std::fs::read_to_string(key).map_err(failed)?;
    let pair = match (unarmored(&text, OPENSSH), unarmored(&text, PKCS8)) {
        (Some(key), _) => of_openssh(&key).ok_or(SigningError::Key("it is no Ed25519 key, or has a passphrase")),
        (None, Some(der)) => {
            Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der).map_err(|_| SigningError::Key("it is no Ed25519 key"))
        }
        (None, None) => Err(SigningError::Key("it is neither in OpenSSH's form nor in PKCS #8")),
    };
    Ok(pair?.sign(message).as_ref().to_vec())
}

/// Takes the armor off.
fn unarmored(text: &str, name: &str) -> Option<Vec<u8>> {
    let inner = text.trim().strip_prefix(&format!("-----BEGIN {name}-----"))?;
    let inner = inner.strip_suffix(&format!("-----END {name}-----"))?;
    STANDARD.decode(inner.split_whitespace().collect::<String>()).ok()
}

/// Reads a key without a passphrase (`PROTOCOL.key`).
fn of_openssh(bytes: &[u8]) -> Option<Ed25519KeyPair> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let (cipher, kdf, _options) = (string(&mut rest)?, string(&mut rest)?, string(&mut rest)?);
    if cipher != b"none" || kdf != b"none" || number(&mut rest)? != 1 {
        return None;
    }
    let _public = string(&mut rest)?;
    let mut private = string(&mut rest)?;
    if number(&mut private)? != number(&mut private)? || string(&mut private)? != b"ssh-ed25519" {
        return None;
    }
    let (public, both) = (string(&mut private)?, string(&mut private)?);
    Ed25519KeyPair::from_seed_and_public_key(both.get(..32)?, public).ok()
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (bytes, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_be_bytes(*bytes))
}

fn string<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(rest)?).ok()?;
    let (bytes, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(bytes)
}
