//! GIF: a screen, then images and extensions of blocks with a length each, then one byte for the end.

use super::bytes::Bytes;
use super::{Flaw, Structure};

pub(super) const SIGNATURE: &[u8] = b"GIF8";

/// The applications whose extensions are known.
const APPLICATIONS: [&[u8; 11]; 5] = [b"NETSCAPE2.0", b"ANIMEXTS1.0", b"XMP DataXMP", b"ICCRGBG1012", b"ImageMagick"];

pub(super) fn read<'b>(file: &mut Bytes<'b>) -> Result<Structure<'b>, Flaw> {
    file.expect(SIGNATURE)?;
    if !matches!(file.take(2)?, b"7a" | b"9a") {
        return Err(Flaw::Malformed);
    }
    let head = file.rest().get(..4).unwrap_or_default();
    let (width, height) = (file.u16_le()?, file.u16_le()?);
    let packed = file.byte()?;
    file.take(2)?;
    let mut notes = vec![colours(file, packed)?];
    let mut has_image = false;
    loop {
        match file.byte()? {
            0x3b => break,
            0x2c => {
                let (left, top) = (u32::from(file.u16_le()?), u32::from(file.u16_le()?));
                let (wide, high) = (u32::from(file.u16_le()?), u32::from(file.u16_le()?));
                if left + wide > u32::from(width) || top + high > u32::from(height) {
                    return Err(Flaw::Malformed);
                }
                let packed = file.byte()?;
                notes.push(colours(file, packed)?);
                if !(2..=8).contains(&file.byte()?) {
                    return Err(Flaw::Malformed);
                }
                blocks(file)?;
                has_image = true;
            }
            0x21 => extension(file, &mut notes)?,
            _ => return Err(Flaw::Malformed),
        }
    }
    if !has_image {
        return Err(Flaw::Malformed);
    }
    Ok(Structure { width: width.into(), height: height.into(), notes, head })
}

fn extension<'b>(file: &mut Bytes<'b>, notes: &mut Vec<&'b [u8]>) -> Result<(), Flaw> {
    match file.byte()? {
        // The time that an image stays.
        0xf9 => {
            file.expect(&[4])?;
            file.take(4)?;
            file.expect(&[0])
        }
        // A comment.
        0xfe => blocks(file).map(|text| notes.push(text)),
        // A text on the image.
        0x01 => {
            file.expect(&[12])?;
            file.take(12)?;
            blocks(file).map(|text| notes.push(text))
        }
        0xff => {
            file.expect(&[11])?;
            let name = file.take(11)?;
            if !APPLICATIONS.iter().any(|known| known.as_slice() == name) {
                return Err(Flaw::Foreign);
            }
            blocks(file).map(|data| notes.push(data))
        }
        _ => Err(Flaw::Foreign),
    }
}

/// Takes the table of colours that a field of bits announces.
fn colours<'b>(file: &mut Bytes<'b>, packed: u8) -> Result<&'b [u8], Flaw> {
    if packed & 0x80 == 0 { Ok(&[]) } else { file.take(3 << ((packed & 7) + 1)) }
}

/// Takes blocks up to the empty one, with their lengths.
fn blocks<'b>(file: &mut Bytes<'b>) -> Result<&'b [u8], Flaw> {
    let all = file.rest();
    loop {
        let length = usize::from(file.byte()?);
        file.take(length)?;
        if length == 0 {
            return Ok(&all[..all.len() - file.rest().len()]);
        }
    }
}
