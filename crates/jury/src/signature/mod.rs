//! Signatures of people and machines, checked offline: an SSHSIG signature and the list of signers of the base in; the key that made it out.
//!
//! The forms are OpenSSH's own: `PROTOCOL.sshsig`, and the `ALLOWED SIGNERS` section of ssh-keygen(1). Every value is refused with a
//! typed reason. Deliberately not here: making a signature (`signing`), where the list comes from (the base of the change, never the
//! change), and how many keys are asked for.

mod certificate;
mod fields;
mod key;
mod patterns;
mod period;
mod refusal;
mod signers;
mod sshsig;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use key::{KeyKind, PublicKey};
pub use refusal::{Refusal, SignersError};
pub use signers::Signers;
pub use sshsig::{armored, plain};

/// The most bytes of an armored or plain signature. One with an RSA certificate of OpenSSH has 4 KiB.
pub const MOST_SIGNATURE_BYTES: usize = 64 * 1024;
/// The most bytes of a list of signers.
pub const MOST_LIST_BYTES: usize = 1024 * 1024;
/// The most keys of a list of signers.
pub const MOST_SIGNERS: usize = 1_024;
/// The most bytes of one line of a list of signers.
pub const MOST_LINE_BYTES: usize = 16 * 1024;

/// The key that made a signature, and who it belongs to by the list of signers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedKey {
    /// The fingerprint of the public key, as `ssh-keygen -l` prints it: `SHA256:` and base64.
    pub fingerprint: String,
    /// The principals of the key's line; of a certificate, its first principal that the line of the authority matches.
    pub principal: String,
    /// Whether the key demands a person's touch, and had one for this signature (`sk-` keys alone can tell).
    pub has_user_presence: bool,
    /// The fingerprint of the authority whose certificate the key has.
    pub authority: Option<String>,
}

/// Returns the keys that count as different signers: each public key once, and of one authority each name once. An authority
/// could give one person any number of keys.
pub fn distinct<'a>(keys: impl IntoIterator<Item = &'a VerifiedKey>) -> Vec<&'a VerifiedKey> {
    let mut seen = BTreeSet::new();
    let mut named = BTreeSet::new();
    let is_new = |key: &&'a VerifiedKey| {
        let is_new_name = match &key.authority {
            Some(authority) => named.insert((authority.as_str(), key.principal.as_str())),
            None => true,
        };
        seen.insert(key.fingerprint.as_str()) && is_new_name
    };
    keys.into_iter().filter(is_new).collect()
}
