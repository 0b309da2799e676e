//! The path and bytes of a file in; whether it is the image that its name says and nothing else, and its dimensions, out. Pure.
//!
//! An image is *checked* by its structure: its signature, every part known and well-formed, nothing behind the end, within limits, no
//! program between its parts. One file and one row for each kind. Deliberately not here: what the image shows; SVG, which is text; and kinds
//! that can hold programs by design (fonts, PDF), which wait for a person.

mod bytes;
mod gif;
mod jpeg;
mod png;
mod polyglot;
mod webp;

#[cfg(test)]
mod tests;

use bytes::Bytes;

use crate::model::{Asset, AssetKind, UnreviewedReason};

/// The largest image that is checked.
pub(crate) const LARGEST: u64 = 16 << 20;

/// The most pixels of an image. A small file can unpack to any size.
const MOST_PIXELS: u64 = 1 << 27;

/// Why an image is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Flaw {
    #[error("it is not well-formed")]
    Malformed,
    #[error("it has a part that no image of its kind has, or bytes behind its end")]
    Foreign,
}

/// The structure of an image, as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
struct Structure<'b> {
    width: u32,
    height: u32,
    /// The parts that are no pixels and may say anything: comments, profiles, what a camera noted.
    notes: Vec<&'b [u8]>,
    /// The bytes behind the signature that say something else than the signature and may be chosen: where a script could begin.
    head: &'b [u8],
}

/// A kind of image.
struct Row {
    kind: AssetKind,
    extensions: &'static [&'static str],
    signature: &'static [u8],
    read: for<'b> fn(&mut Bytes<'b>) -> Result<Structure<'b>, Flaw>,
}

const ROWS: [Row; 4] = [
    Row { kind: AssetKind::Png, extensions: &["png", "apng"], signature: png::SIGNATURE, read: png::read },
    Row { kind: AssetKind::Jpeg, extensions: &["jpg", "jpeg"], signature: jpeg::SIGNATURE, read: jpeg::read },
    Row { kind: AssetKind::Gif, extensions: &["gif"], signature: gif::SIGNATURE, read: gif::read },
    Row { kind: AssetKind::Webp, extensions: &["webp"], signature: webp::SIGNATURE, read: webp::read },
];

fn row_of(path: &str) -> Option<&'static Row> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    ROWS.iter().find(|row| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// Tells whether a file is named like an image.
pub(crate) fn is_named_so(path: &str) -> bool {
    row_of(path).is_some()
}

/// Checks a file that is named like an image; `None` if it is not, or if it begins like none, so that it is read like any other file.
pub(crate) fn check(path: &str, bytes: &[u8]) -> Option<Result<Asset, UnreviewedReason>> {
    let row = row_of(path)?;
    if !ROWS.iter().any(|row| bytes.starts_with(row.signature)) {
        return None;
    }
    let checked = checked(row, bytes).map_err(|flaw| match flaw {
        Flaw::Malformed => UnreviewedReason::MalformedImage,
        Flaw::Foreign => UnreviewedReason::MoreThanImage,
    });
    Some(checked)
}

fn checked(row: &Row, bytes: &[u8]) -> Result<Asset, Flaw> {
    if bytes.len() as u64 > LARGEST || !bytes.starts_with(row.signature) {
        return Err(Flaw::Malformed);
    }
    let mut rest = Bytes::of(bytes);
    let structure = (row.read)(&mut rest)?;
    let Structure { width, height, .. } = structure;
    if width == 0 || height == 0 || u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(Flaw::Malformed);
    }
    if !rest.is_empty() || polyglot::is_more(&structure, bytes) {
        return Err(Flaw::Foreign);
    }
    Ok(Asset { kind: row.kind, bytes: bytes.len() as u64, width, height })
}
