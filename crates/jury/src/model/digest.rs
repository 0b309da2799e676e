//! SHA-256 in hexadecimal: the one hash of the contracts.

use sha2::{Digest, Sha256};

/// Returns the first `length` hexadecimal digits of the SHA-256 of the parts, each preceded by its length when there
/// are several, so that no two lists of parts look alike.
pub(crate) fn hex(parts: &[&str], length: usize) -> String {
    let mut text = String::with_capacity(length);
    write_hex(&mut text, parts, length);
    text
}

/// Writes what [`hex`] returns behind a text.
pub(super) fn write_hex(text: &mut String, parts: &[&str], length: usize) {
    let end = text.len() + length;
    let mut hasher = Sha256::new();
    for part in parts {
        if parts.len() > 1 {
            hasher.update((part.len() as u64).to_le_bytes());
        }
        hasher.update(part.as_bytes());
    }
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digest = hasher.finalize();
    for byte in digest.iter().take(length.div_ceil(2)) {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 0xF)]));
    }
    text.truncate(end);
}

/// Returns a quick hash of bytes (FNV-1a, eight bytes at a time): the same on every machine and in every run. It is for
/// finding equals by sorting, so that whoever uses it must still compare what has the same hash.
pub(crate) fn quick(seed: u64, bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(PRIME.wrapping_mul(0x9e37_79b9));
    let mut chunks = bytes.chunks_exact(8);
    let mut hash = mix(seed, bytes.len() as u64);
    for chunk in &mut chunks {
        hash = mix(hash, chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
    let rest = chunks.remainder().iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let hash = mix(hash, rest);
    hash ^ hash >> 29
}
