//! JPEG: segments with a marker and a length, scans of packed pixels between them, and the end. Of the segments for applications, only
//! those are known that say what they are.

use super::bytes::Bytes;
use super::{Flaw, Structure};

pub(super) const SIGNATURE: &[u8] = b"\xff\xd8\xff";

/// The names by which segments for applications begin: marker, name.
const APPLICATIONS: [(u8, &[u8]); 11] = [
    (0xe0, b"JFIF\0"),
    (0xe0, b"JFXX\0"),
    (0xe1, b"Exif\0\0"),
    (0xe1, b"http://ns.adobe.com/xap/1.0/\0"),
    (0xe1, b"http://ns.adobe.com/xmp/extension/\0"),
    (0xe2, b"ICC_PROFILE\0"),
    (0xe2, b"MPF\0"),
    (0xec, b"Ducky"),
    (0xed, b"Photoshop 3.0\0"),
    (0xed, b"Adobe_CM"),
    (0xee, b"Adobe"),
];

pub(super) fn read<'b>(file: &mut Bytes<'b>) -> Result<Structure<'b>, Flaw> {
    file.expect(&SIGNATURE[..2])?;
    let head = file.rest().get(2..4).unwrap_or_default();
    let mut notes = Vec::new();
    let mut size = None;
    let mut has_scan = false;
    loop {
        let marker = marker(file)?;
        if marker == 0xd9 {
            break;
        }
        let length = usize::from(file.u16_be()?).checked_sub(2).ok_or(Flaw::Malformed)?;
        let data = file.take(length)?;
        match marker {
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf if size.is_none() => size = Some(frame(data)?),
            0xc4 => tables(data, huffman_table)?,
            0xdb => tables(data, quantisation_table)?,
            0xcc if data.len().is_multiple_of(2) => {}
            0xdd if data.len() == 2 => {}
            0xda => {
                scan_header(data)?;
                skip_scan(file);
                has_scan = true;
            }
            0xfe => notes.push(data),
            0xe0..=0xef => {
                let is_known = |(of, name): &(u8, &[u8])| *of == marker && data.starts_with(name);
                if !APPLICATIONS.iter().any(is_known) {
                    return Err(Flaw::Foreign);
                }
                if data.starts_with(b"JFIF\0") {
                    jfif(data)?;
                }
                notes.push(data);
            }
            _ => return Err(Flaw::Malformed),
        }
    }
    let (width, height) = size.filter(|_| has_scan).ok_or(Flaw::Malformed)?;
    Ok(Structure { width, height, notes, head })
}

/// Takes a marker, which any number of fill bytes may precede.
fn marker(file: &mut Bytes<'_>) -> Result<u8, Flaw> {
    file.expect(&[0xff])?;
    loop {
        match file.byte()? {
            0xff => {}
            marker => return Ok(marker),
        }
    }
}

fn frame(data: &[u8]) -> Result<(u32, u32), Flaw> {
    let mut data = Bytes::of(data);
    let (depth, height, width, parts) = (data.byte()?, data.u16_be()?, data.u16_be()?, data.byte()?);
    data.take(3 * usize::from(parts))?;
    let is_known = [8, 12, 16].contains(&depth) && (1..=4).contains(&parts) && data.is_empty();
    if is_known { Ok((width.into(), height.into())) } else { Err(Flaw::Malformed) }
}

fn scan_header(data: &[u8]) -> Result<(), Flaw> {
    let mut data = Bytes::of(data);
    let parts = data.byte()?;
    data.take(2 * usize::from(parts) + 3)?;
    if (1..=4).contains(&parts) && data.is_empty() { Ok(()) } else { Err(Flaw::Malformed) }
}

/// Reads tables that follow each other to the end of their segment.
fn tables(data: &[u8], table: fn(&mut Bytes<'_>) -> Result<(), Flaw>) -> Result<(), Flaw> {
    let mut data = Bytes::of(data);
    while !data.is_empty() {
        table(&mut data)?;
    }
    Ok(())
}

fn huffman_table(data: &mut Bytes<'_>) -> Result<(), Flaw> {
    data.byte()?;
    let values = data.take(16)?.iter().map(|count| usize::from(*count)).sum();
    data.take(values).map(|_| ())
}

fn quantisation_table(data: &mut Bytes<'_>) -> Result<(), Flaw> {
    let is_wide = data.byte()? >> 4 == 1;
    data.take(if is_wide { 128 } else { 64 }).map(|_| ())
}

/// A JFIF segment ends with its thumbnail.
fn jfif(data: &[u8]) -> Result<(), Flaw> {
    let mut data = Bytes::of(data);
    data.take(12)?;
    let pixels = usize::from(data.byte()?) * usize::from(data.byte()?);
    data.take(3 * pixels)?;
    if data.is_empty() { Ok(()) } else { Err(Flaw::Foreign) }
}

/// Skips packed pixels: up to a marker that is no restart of them.
fn skip_scan(file: &mut Bytes<'_>) {
    let rest = file.rest();
    let is_marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xd0..=0xd7 | 0xff);
    let end = rest.windows(2).position(is_marker).unwrap_or(rest.len());
    *file = Bytes::of(&rest[end..]);
}
