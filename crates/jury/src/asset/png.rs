//! PNG, and its animated form: chunks with a length and a checksum, from `IHDR` to `IEND`. The pixels are unpacked and counted, because
//! anything could stand behind the end of the packed data.

use zlib_rs::crc32::crc32;
use zlib_rs::{Inflate, InflateFlush, Status};

use super::bytes::Bytes;
use super::{Flaw, Structure};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The chunks that may stand beside the pixels, in the specification (third edition), its registered extensions, and from Apple.
const ANCILLARY: [&[u8; 4]; 26] = [
    b"PLTE", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"tEXt", b"zTXt", b"iTXt", b"bKGD", b"hIST",
    b"pHYs", b"sPLT", b"tIME", b"eXIf", b"acTL", b"fcTL", b"fdAT", b"cICP", b"mDCV", b"cLLI", b"oFFs", b"sTER",
    b"iDOT", b"vpAg",
];

/// The header of an image.
#[derive(Clone, Copy)]
struct Header {
    width: u32,
    height: u32,
    bits_per_pixel: u64,
    is_interlaced: bool,
}

/// The size of a frame of an animation, and its packed pixels.
type Frame<'b> = ((u32, u32), Vec<&'b [u8]>);

pub(super) fn read<'b>(file: &mut Bytes<'b>) -> Result<Structure<'b>, Flaw> {
    file.expect(SIGNATURE)?;
    let (name, data) = chunk(file)?;
    let header = if name == *b"IHDR" { Header::read(data)? } else { return Err(Flaw::Malformed) };
    let Header { width, height, .. } = header;
    let mut notes = Vec::new();
    let mut pixels: Vec<&[u8]> = Vec::new();
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let mut is_in_pixels = false;
    loop {
        let (name, data) = chunk(file)?;
        let was_in_pixels = std::mem::replace(&mut is_in_pixels, name == *b"IDAT");
        match &name {
            b"IDAT" if was_in_pixels || pixels.is_empty() => pixels.push(data),
            b"IEND" if data.is_empty() => break,
            b"IDAT" | b"IEND" => return Err(Flaw::Malformed),
            // The first frame may be the image itself, whose pixels are in `IDAT`.
            b"fcTL" => frames.push((frame_size(data, header)?, Vec::new())),
            b"fdAT" => {
                let part = data.get(4..).ok_or(Flaw::Malformed)?;
                frames.last_mut().ok_or(Flaw::Malformed)?.1.push(part);
            }
            b"PLTE" if data.len() % 3 == 0 && (1..=256).contains(&(data.len() / 3)) => {}
            b"PLTE" => return Err(Flaw::Malformed),
            name if ANCILLARY.contains(&name) => notes.push(data),
            _ => return Err(Flaw::Foreign),
        }
    }
    unpacks_to(&pixels, header.unpacked((width, height)))?;
    for (size, parts) in frames.iter().filter(|(_, parts)| !parts.is_empty()) {
        unpacks_to(parts, header.unpacked(*size))?;
    }
    Ok(Structure { width, height, notes, head: &[] })
}

/// Takes a chunk whose checksum is right: its name and its data.
fn chunk<'b>(file: &mut Bytes<'b>) -> Result<([u8; 4], &'b [u8]), Flaw> {
    let length = usize::try_from(file.u32_be()?).map_err(|_| Flaw::Malformed)?;
    let summed = *file;
    let name = file.take(4)?.try_into().map_err(|_| Flaw::Malformed)?;
    let data = file.take(length)?;
    let sum = crc32(0, summed.rest().get(..4 + length).ok_or(Flaw::Malformed)?);
    if file.u32_be()? == sum { Ok((name, data)) } else { Err(Flaw::Malformed) }
}

impl Header {
    fn read(data: &[u8]) -> Result<Self, Flaw> {
        let mut data = Bytes::of(data);
        let (width, height) = (data.u32_be()?, data.u32_be()?);
        let (depth, colour) = (data.byte()?, data.byte()?);
        let (packing, filter, interlacing) = (data.byte()?, data.byte()?, data.byte()?);
        let (channels, depths): (u64, &[u8]) = match colour {
            0 => (1, &[1, 2, 4, 8, 16]),
            2 => (3, &[8, 16]),
            3 => (1, &[1, 2, 4, 8]),
            4 => (2, &[8, 16]),
            6 => (4, &[8, 16]),
            _ => return Err(Flaw::Malformed),
        };
        let is_known = depths.contains(&depth) && (packing, filter) == (0, 0) && interlacing <= 1;
        let has_pixels = width > 0 && height > 0 && u64::from(width) * u64::from(height) <= super::MOST_PIXELS;
        if !is_known || !has_pixels || !data.is_empty() {
            return Err(Flaw::Malformed);
        }
        Ok(Self { width, height, bits_per_pixel: channels * u64::from(depth), is_interlaced: interlacing == 1 })
    }

    /// Returns how many bytes the pixels of an image of this size unpack to: a filter byte and the packed pixels for each line.
    fn unpacked(self, (width, height): (u32, u32)) -> u64 {
        let of_pass = |width: u64, height: u64| match width {
            0 => 0,
            _ => height * (1 + (width * self.bits_per_pixel).div_ceil(8)),
        };
        let (width, height) = (u64::from(width), u64::from(height));
        if !self.is_interlaced {
            return of_pass(width, height);
        }
        // Adam7: the first column and line of each pass, and the steps between them.
        const PASSES: [[u64; 4]; 7] =
            [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
        let count = |size: u64, first: u64, step: u64| size.saturating_sub(first).div_ceil(step);
        PASSES.iter().map(|[x, y, dx, dy]| of_pass(count(width, *x, *dx), count(height, *y, *dy))).sum()
    }
}

/// Reads the size of a frame, which lies within the image.
fn frame_size(data: &[u8], header: Header) -> Result<(u32, u32), Flaw> {
    let mut data = Bytes::of(data);
    let (_sequence, width, height) = (data.u32_be()?, data.u32_be()?, data.u32_be()?);
    let (left, top) = (data.u32_be()?, data.u32_be()?);
    data.take(6)?;
    let fits = |from: u32, size: u32, most: u32| size > 0 && from.checked_add(size).is_some_and(|end| end <= most);
    let is_within = fits(left, width, header.width) && fits(top, height, header.height);
    if is_within && data.is_empty() { Ok((width, height)) } else { Err(Flaw::Malformed) }
}

/// Unpacks pixels, which have to be so many bytes, and the last of the packed ones.
fn unpacks_to(parts: &[&[u8]], expected: u64) -> Result<(), Flaw> {
    let mut inflate = Inflate::new(true, 15);
    let mut buffer = vec![0; 1 << 16];
    let mut has_ended = false;
    for part in parts {
        let mut rest = *part;
        while !rest.is_empty() {
            // Behind the end of the packed data, something else begins.
            if has_ended || inflate.total_out() > expected {
                return Err(Flaw::Foreign);
            }
            let before = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(rest, &mut buffer, InflateFlush::NoFlush).map_err(|_| Flaw::Malformed)?;
            let read = usize::try_from(inflate.total_in() - before.0).map_err(|_| Flaw::Malformed)?;
            rest = rest.get(read..).ok_or(Flaw::Malformed)?;
            has_ended = status == Status::StreamEnd;
            if !has_ended && (inflate.total_in(), inflate.total_out()) == before {
                return Err(Flaw::Malformed);
            }
        }
    }
    while !has_ended && inflate.total_out() <= expected {
        let before = inflate.total_out();
        let status = inflate.decompress(&[], &mut buffer, InflateFlush::Finish).map_err(|_| Flaw::Malformed)?;
        has_ended = status == Status::StreamEnd;
        if !has_ended && inflate.total_out() == before {
            return Err(Flaw::Malformed);
        }
    }
    if has_ended && inflate.total_out() == expected { Ok(()) } else { Err(Flaw::Malformed) }
}
