//! SHA-256 in hexadecimal: the one hash of the contracts.

use sha2::{Digest, Sha256};

/// Returns the first `length` hexadecimal digits of the SHA-256 of the parts, each preceded by its length when there
/// are several, so that no two lists of parts look alike.
pub(crate) fn hex(parts: &[&str], length: usize) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        if parts.len() > 1 {
            hasher.update((part.len() as u64).to_le_bytes());
        }
        hasher.update(part.as_bytes());
    }
    let mut text: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(length);
    text
}
