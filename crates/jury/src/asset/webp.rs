//! WebP: one RIFF chunk that holds all others, each with a name and a length.

use super::bytes::Bytes;
use super::{Flaw, Structure};

pub(super) const SIGNATURE: &[u8] = b"RIFF";

pub(super) fn read<'b>(file: &mut Bytes<'b>) -> Result<Structure<'b>, Flaw> {
    file.expect(SIGNATURE)?;
    let head = file.rest().get(..4).unwrap_or_default();
    let length = usize::try_from(file.u32_le()?).map_err(|_| Flaw::Malformed)?;
    let mut body = Bytes::of(file.take(length)?);
    body.expect(b"WEBP")?;
    let mut notes = Vec::new();
    let mut canvas = None;
    let mut image = None;
    let mut frames = 0;
    let mut is_first = true;
    while !body.is_empty() {
        let (name, data) = chunk(&mut body)?;
        match &name {
            b"VP8X" if is_first => canvas = Some(extended(data)?),
            b"VP8 " | b"VP8L" if image.is_none() => image = Some(pixels(&name, data)?),
            b"ALPH" if canvas.is_some() && image.is_none() => {}
            b"ANIM" if canvas.is_some() && data.len() == 6 => {}
            b"ANMF" => {
                frame(data, canvas.ok_or(Flaw::Malformed)?)?;
                frames += 1;
            }
            b"ICCP" | b"EXIF" | b"XMP " if canvas.is_some() => notes.push(data),
            b"VP8X" | b"VP8 " | b"VP8L" | b"ALPH" | b"ANIM" | b"ICCP" | b"EXIF" | b"XMP " => {
                return Err(Flaw::Malformed);
            }
            _ => return Err(Flaw::Foreign),
        }
        is_first = false;
    }
    let (width, height) = match (canvas, image, frames) {
        (None, Some(size), 0) => size,
        (Some(canvas), Some(size), 0) if size == canvas => canvas,
        (Some(canvas), None, 1..) => canvas,
        _ => return Err(Flaw::Malformed),
    };
    Ok(Structure { width, height, notes, head })
}

/// Takes a chunk: its name and its data. One of odd length is padded.
fn chunk<'b>(body: &mut Bytes<'b>) -> Result<([u8; 4], &'b [u8]), Flaw> {
    let name = body.take(4)?.try_into().map_err(|_| Flaw::Malformed)?;
    let length = usize::try_from(body.u32_le()?).map_err(|_| Flaw::Malformed)?;
    let data = body.take(length)?;
    if length % 2 == 1 {
        body.expect(&[0])?;
    }
    Ok((name, data))
}

fn extended(data: &[u8]) -> Result<(u32, u32), Flaw> {
    let mut data = Bytes::of(data);
    data.take(4)?;
    let size = (data.u24_le()? + 1, data.u24_le()? + 1);
    if data.is_empty() { Ok(size) } else { Err(Flaw::Malformed) }
}

/// Reads the size of an image from its pixels.
fn pixels(name: &[u8; 4], data: &[u8]) -> Result<(u32, u32), Flaw> {
    let mut data = Bytes::of(data);
    if name == b"VP8L" {
        data.expect(&[0x2f])?;
        let bits = data.u32_le()?;
        let is_known = bits >> 29 == 0;
        return if is_known { Ok(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)) } else { Err(Flaw::Malformed) };
    }
    let is_key_frame = data.u24_le()? & 1 == 0;
    data.expect(b"\x9d\x01\x2a")?;
    let size = (u32::from(data.u16_le()? & 0x3fff), u32::from(data.u16_le()? & 0x3fff));
    if is_key_frame { Ok(size) } else { Err(Flaw::Malformed) }
}

/// Reads a frame of an animation, which lies within the canvas and holds one image.
fn frame(data: &[u8], (canvas_width, canvas_height): (u32, u32)) -> Result<(), Flaw> {
    let mut data = Bytes::of(data);
    let (left, top) = (2 * data.u24_le()?, 2 * data.u24_le()?);
    let (width, height) = (data.u24_le()? + 1, data.u24_le()? + 1);
    data.take(4)?;
    let mut size = None;
    while !data.is_empty() {
        let (name, part) = chunk(&mut data)?;
        match &name {
            b"ALPH" if size.is_none() => {}
            b"VP8 " | b"VP8L" if size.is_none() => size = Some(pixels(&name, part)?),
            _ => return Err(Flaw::Foreign),
        }
    }
    let is_within = left + width <= canvas_width && top + height <= canvas_height;
    if is_within && size == Some((width, height)) { Ok(()) } else { Err(Flaw::Malformed) }
}
