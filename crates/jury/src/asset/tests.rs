//! Images that are made part by part, and each way in which they are more, or less, than that.

use zlib_rs::{DeflateConfig, compress_slice, crc32::crc32};

use super::check;
use crate::model::{AssetKind, UnreviewedReason as Why};

/// What became of a file of this name.
fn outcome(path: &str, bytes: &[u8]) -> Result<(AssetKind, u32, u32), Option<Why>> {
    match check(path, bytes) {
        Some(Ok(asset)) => {
            assert_eq!(asset.bytes, bytes.len() as u64);
            Ok((asset.kind, asset.width, asset.height))
        }
        Some(Err(why)) => Err(Some(why)),
        None => Err(None),
    }
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let summed = [name.as_slice(), data].concat();
    let length = u32::try_from(data.len()).unwrap();
    [&length.to_be_bytes()[..], &summed, &crc32(0, &summed).to_be_bytes()].concat()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; bytes.len() + 1024];
    compress_slice(&mut buffer, bytes, DeflateConfig::default()).0.to_vec()
}

/// The header of an image of 3 × 2 pixels in colour.
fn header(interlaced: u8) -> Vec<u8> {
    chunk(b"IHDR", &[&3_u32.to_be_bytes()[..], &2_u32.to_be_bytes(), &[8, 2, 0, 0, interlaced]].concat())
}

fn png_of(parts: &[Vec<u8>]) -> Vec<u8> {
    let parts = parts.iter().map(Vec::as_slice);
    let parts = [b"\x89PNG\r\n\x1a\n".as_slice()].into_iter().chain(parts);
    parts.chain([chunk(b"IEND", b"").as_slice()]).collect::<Vec<_>>().concat()
}

fn png() -> Vec<u8> {
    png_of(&[header(0), chunk(b"tEXt", b"Software\0an editor"), chunk(b"IDAT", &packed(&[0; 20]))])
}

fn gif_of(extensions: &[&[u8]], head: &[u8; 4]) -> Vec<u8> {
    let screen = [b"GIF89a".as_slice(), head, &[0x80, 0, 0], &[0; 6]].concat();
    let image = [&[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2], [2, 0x4c, 0x01, 0].as_slice()].concat();
    [&screen, &extensions.concat(), &image, &b";"[..]].concat()
}

fn jpeg_of(segments: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = b"\xff\xd8".to_vec();
    for (marker, data) in segments {
        bytes.extend([0xff, *marker]);
        bytes.extend(u16::try_from(data.len() + 2).unwrap().to_be_bytes());
        bytes.extend(*data);
    }
    bytes.extend(b"\xff\xc0\0\x0b\x08\0\x05\0\x04\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0\x12\xff\0\x34\xff\xd0\x56\xff\xd9");
    bytes
}

const JFIF: (u8, &[u8]) = (0xe0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0");

fn riff(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (name, data) in chunks {
        body.extend(*name);
        body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        body.extend(*data);
        body.extend(vec![0; data.len() % 2]);
    }
    [&b"RIFF"[..], &u32::try_from(body.len()).unwrap().to_le_bytes(), &body].concat()
}

const LOSSY: &[u8] = b"\x10\0\0\x9d\x01\x2a\x07\0\x05\0\x01\x02";
const LOSSLESS: &[u8] = b"\x2f\x06\x00\x01\x00\x07";
const EXTENDED: &[u8] = b"\x08\0\0\0\x06\0\0\x04\0\0";

#[test]
fn images_are_what_their_names_say() {
    // Four of the seven passes have pixels: 18 bytes of them, and a filter byte for each of four lines.
    let interlaced = png_of(&[header(1), chunk(b"IDAT", &packed(&[0; 22]))]);
    let control = [&0_u32.to_be_bytes()[..], &3_u32.to_be_bytes(), &2_u32.to_be_bytes(), &[0; 14]].concat();
    let frame = [&1_u32.to_be_bytes()[..], &packed(&[0; 20])].concat();
    let animated = png_of(&[
        header(0),
        chunk(b"acTL", &[0; 8]),
        chunk(b"IDAT", &packed(&[0; 20])),
        chunk(b"fcTL", &control),
        chunk(b"fdAT", &frame),
    ]);
    let looping =
        gif_of(&[b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", b"!\xf9\x04\0\0\0\0\0", b"!\xfe\x03by \0"], b"\x01\0\x01\0");
    let camera = jpeg_of(&[JFIF, (0xe1, b"Exif\0\0II*\0"), (0xfe, b"made by an editor"), (0xdb, &[0; 65])]);
    for (path, bytes, kind, width, height) in [
        ("a/logo.png", png(), AssetKind::Png, 3, 2),
        ("LOGO.PNG", interlaced, AssetKind::Png, 3, 2),
        ("a.apng", animated, AssetKind::Png, 3, 2),
        ("a.gif", looping, AssetKind::Gif, 1, 1),
        ("a.jpeg", camera, AssetKind::Jpeg, 4, 5),
        ("a.webp", riff(&[(b"VP8 ", LOSSY)]), AssetKind::Webp, 7, 5),
        ("a.webp", riff(&[(b"VP8L", LOSSLESS)]), AssetKind::Webp, 7, 5),
        ("a.webp", riff(&[(b"VP8X", EXTENDED), (b"VP8 ", LOSSY), (b"EXIF", b"II*\0")]), AssetKind::Webp, 7, 5),
    ] {
        assert_eq!(outcome(path, &bytes), Ok((kind, width, height)), "{path}");
        for end in 0..bytes.len() {
            assert!(outcome(path, &bytes[..end]).is_err(), "{path} up to {end}");
        }
        assert!(outcome(path, &[&bytes[..], b"\n"].concat()).is_err(), "{path} and a line break");
    }
}

#[test]
fn another_name_is_another_file() {
    assert_eq!(outcome("a.jpg", &png()), Err(Some(Why::MalformedImage)));
    assert_eq!(outcome("a.bin", &png()), Err(None));
    assert_eq!(outcome("png", &png()), Err(None));
    // What begins like no image is read like any other file.
    assert_eq!(outcome("a.png", b"alert(1)"), Err(None));
    assert_eq!(outcome("a.png", b"\0\0\0\0"), Err(None));
}

#[test]
fn what_is_behind_or_between_the_parts_is_no_image() {
    let more = Err(Some(Why::MoreThanImage));
    let zip = b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x2e\0\0\0\x10\0\0\0\0\0";
    let idat = || chunk(b"IDAT", &packed(&[0; 20]));
    for (what, path, bytes) in [
        ("an archive behind the end", "a.png", [&png()[..], zip].concat()),
        ("an archive in a comment", "a.png", png_of(&[header(0), chunk(b"tEXt", zip), idat()])),
        ("an unknown chunk", "a.png", png_of(&[header(0), chunk(b"ruSt", b"x"), idat()])),
        (
            "bytes behind the packed pixels",
            "a.png",
            png_of(&[header(0), chunk(b"IDAT", &[&packed(&[0; 20])[..], b"x"].concat())]),
        ),
        ("PHP in a text", "a.png", png_of(&[header(0), chunk(b"tEXt", b"a\0<?PHP x();"), idat()])),
        ("a short tag in a text", "a.png", png_of(&[header(0), chunk(b"tEXt", b"a\0<?= x ?>"), idat()])),
        ("a page in a text", "a.png", png_of(&[header(0), chunk(b"iTXt", b"a\0<script>x()</script>"), idat()])),
        ("a document at the start", "a.jpg", jpeg_of(&[JFIF, (0xfe, b"%PDF-1.7 /OpenAction /JavaScript")])),
        ("bytes behind the end", "a.jpg", [&jpeg_of(&[JFIF])[..], b"x"].concat()),
        ("a second image behind the end", "a.jpg", [jpeg_of(&[JFIF]), jpeg_of(&[JFIF])].concat()),
        ("an unknown application", "a.jpg", jpeg_of(&[JFIF, (0xe9, b"whatever")])),
        ("bytes behind a thumbnail", "a.jpg", jpeg_of(&[(0xe0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0more")])),
        ("a script in a comment", "a.gif", gif_of(&[b"!\xfe\x0d*/=alert(1)//\0"], b"/*\x01\0")),
        ("a script in a template", "a.gif", gif_of(&[b"!\xfe\x0c`;alert(1)//\0"], b"`\0\x01\0")),
        ("an unknown application", "a.gif", gif_of(&[b"!\xff\x0bWHOEVER1.0 \x01x\0"], b"\x01\0\x01\0")),
        ("an unknown extension", "a.gif", gif_of(&[b"!\x42\x01x\0"], b"\x01\0\x01\0")),
        ("an unknown chunk", "a.webp", riff(&[(b"VP8X", EXTENDED), (b"VP8 ", LOSSY), (b"EVIL", b"x")])),
    ] {
        assert_eq!(outcome(path, &bytes), more, "{what}");
    }
    // The same words are harmless where no script can begin.
    assert!(outcome("a.gif", &gif_of(&[b"!\xfe\x0d*/=alert(1)//\0"], b"\x01\0\x01\0")).is_ok());
}

#[test]
fn malformed_images_are_not_checked() {
    let mut wrong_sum = png();
    wrong_sum[29] ^= 1;
    let idat = || chunk(b"IDAT", &packed(&[0; 20]));
    let vast = [&60_000_u32.to_be_bytes()[..], &60_000_u32.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    for (what, path, bytes) in [
        ("a wrong checksum", "a.png", wrong_sum),
        ("no pixels", "a.png", png_of(&[header(0)])),
        ("no header", "a.png", png_of(&[idat()])),
        ("too few pixels", "a.png", png_of(&[header(0), chunk(b"IDAT", &packed(&[0; 19]))])),
        ("too many pixels", "a.png", png_of(&[header(0), chunk(b"IDAT", &packed(&[0; 21]))])),
        ("pixels in two places", "a.png", png_of(&[header(0), idat(), chunk(b"tIME", &[0; 7]), idat()])),
        ("more pixels than any screen has", "a.png", png_of(&[chunk(b"IHDR", &vast), idat()])),
        ("no image", "a.gif", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec()),
        (
            "an image beyond the screen",
            "a.gif",
            b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x02\0\x01\0\0\x02\x01\x44\0;".to_vec(),
        ),
        ("no frame", "a.jpg", b"\xff\xd8\xff\xd9".to_vec()),
        ("two sizes", "a.webp", riff(&[(b"VP8X", b"\0\0\0\0\x09\0\0\x04\0\0"), (b"VP8 ", LOSSY)])),
        ("no pixels", "a.webp", riff(&[(b"VP8X", EXTENDED)])),
    ] {
        assert_eq!(outcome(path, &bytes), Err(Some(Why::MalformedImage)), "{what}");
    }
}

#[test]
fn no_bytes_make_a_reader_panic() {
    let images = [
        ("a.png", png()),
        ("a.gif", gif_of(&[], b"\x01\0\x01\0")),
        ("a.jpg", jpeg_of(&[JFIF])),
        ("a.webp", riff(&[(b"VP8 ", LOSSY)])),
    ];
    for (path, image) in images {
        for at in 0..image.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut damaged = image.clone();
                damaged[at] = byte;
                _ = outcome(path, &damaged);
            }
        }
    }
}
