//! SHA-256 in hexadecimal: the one hash of the contracts.

use sha2::{Digest, Sha256};

/// Returns the first `length` hexadecimal digits of the SHA-256 of the parts, each preceded by its length when there
/// are several, so that no two lists of parts look alike.
pub fn hex(parts: &[&str], length: usize) -> String {
    let all: [u8; 64] = digits(parts);
    text(&all[..length]).to_owned()
}

/// Returns as many of these digits as are wanted.
pub(super) fn digits<const N: usize>(parts: &[&str]) -> [u8; N] {
    match parts {
        [only] => digits_of(only.as_bytes()),
        several => {
            let mut joined = Parts::default();
            several.iter().for_each(|part| joined.add(|joined| joined.extend_from_slice(part.as_bytes())));
            joined.digits()
        }
    }
}

/// The parts of a digest's input, each preceded by its length. They are short, so joining them costs less than
/// handing them over one by one.
#[derive(Default)]
pub(crate) struct Parts(Vec<u8>);

impl Parts {
    /// Forgets all parts, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends a part.
    pub(super) fn add(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let length_at = self.0.len();
        self.0.extend_from_slice(&[0; size_of::<u64>()]);
        let start = self.0.len();
        write(&mut self.0);
        let length = (self.0.len() - start) as u64;
        self.0[length_at..start].copy_from_slice(&length.to_le_bytes());
    }

    /// Returns as many hexadecimal digits of the SHA-256 of all parts as are wanted.
    pub(super) fn digits<const N: usize>(&self) -> [u8; N] {
        digits_of(&self.0)
    }
}

fn digits_of<const N: usize>(bytes: &[u8]) -> [u8; N] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|at| {
        let byte = digest[at / 2];
        DIGITS[usize::from(if at % 2 == 0 { byte >> 4 } else { byte & 0xF })]
    })
}

/// Returns digits as the text they are.
pub(super) fn text(digits: &[u8]) -> &str {
    str::from_utf8(digits).expect("hexadecimal digits are ASCII")
}

/// Returns a quick hash of bytes (FNV-1a, eight bytes at a time): the same on every machine and in every run. It is for
/// finding equals by sorting, so that values of equal hash must still be compared.
pub(crate) fn quick(seed: u64, bytes: &[u8]) -> u64 {
    quick_of(seed, bytes, |word| word)
}

/// Returns a quick hash that is the same for texts of ASCII that differ in case only.
pub(crate) fn quick_in_lower_case(bytes: &[u8]) -> u64 {
    // The bit that is set in every small letter. Others than letters may become equal, too, as with any hash.
    quick_of(0, bytes, |word| word | 0x2020_2020_2020_2020)
}

fn quick_of(seed: u64, bytes: &[u8], seen: impl Fn(u64) -> u64) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(PRIME.wrapping_mul(0x9e37_79b9));
    let mut chunks = bytes.chunks_exact(8);
    let mut hash = mix(seed, bytes.len() as u64);
    for chunk in &mut chunks {
        hash = mix(hash, seen(chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))));
    }
    let rest = chunks.remainder().iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let hash = mix(hash, seen(rest));
    hash ^ hash >> 29
}
