//! An image that was checked by its structure. In and out: plain values.

use super::closed_set::closed_set;

closed_set! {
    /// The kind of an image.
    AssetKind {
        /// PNG, also animated.
        Png = "png",
        /// JPEG.
        Jpeg = "jpeg",
        /// GIF.
        Gif = "gif",
        /// WebP.
        Webp = "webp",
    }
}

/// An image whose bytes are what its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its kind.
    pub kind: AssetKind,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

impl std::fmt::Display for Asset {
    /// Says it in a few words: `PNG, 640 × 480, 12345 bytes`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, bytes, width, height } = self;
        let kind = match kind {
            AssetKind::Png => "PNG",
            AssetKind::Jpeg => "JPEG",
            AssetKind::Gif => "GIF",
            AssetKind::Webp => "WebP",
        };
        write!(f, "{kind}, {width} × {height}, {bytes} bytes")
    }
}
