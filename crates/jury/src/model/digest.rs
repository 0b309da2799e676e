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
    let digest = hasher.finalize();
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xF]);
    digits.take(length).filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}
