//! Embedded text that most commands never read, or only in part. In: bytes that `build.rs` compressed. Out: the text, unpacked when it is first asked for.

use std::sync::OnceLock;

use zlib_rs::{InflateConfig, ReturnCode, decompress_slice};

/// A compressed text.
#[derive(Debug)]
pub(crate) struct Packed {
    bytes: &'static [u8],
    /// The length of the text.
    size: usize,
    text: OnceLock<String>,
}

impl Packed {
    /// Takes what `build.rs` compressed.
    pub(crate) const fn new(bytes: &'static [u8], size: usize) -> Self {
        Self { bytes, size, text: OnceLock::new() }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let mut text = vec![0; self.size];
            let (filled, code) = decompress_slice(&mut text, self.bytes, InflateConfig::default());
            let is_whole = code == ReturnCode::Ok && filled.len() == self.size;
            assert!(is_whole, "a test unpacks every text");
            String::from_utf8(text).expect("a text was packed")
        })
    }
}
