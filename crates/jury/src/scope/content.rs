//! One file of the working tree in; its blob id out, from the index where its stat data are proof enough, else from its
//! raw bytes. Deliberately not here: clean filters, and flags that ask to look away.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gix::ObjectId;
use gix::index::entry::{Flags, Stage};
use gix::objs::Kind;
use sha2::{Digest as _, Sha256};

use super::attributes::Attributes;
use super::git_tree::{Leaf, Mode};
use super::objects::Objects;
use super::stat::Stat;
use crate::asset;

/// The largest file that is read: what counts is how much of it changed.
const LARGEST_FILE: u64 = 32 << 20;
/// The largest part of a text that is reviewed, and the largest text that is looked at beyond the change.
pub(super) const LARGEST_TEXT: u64 = 4 << 20;
/// The largest lockfile that is reviewed: it is read as a list of packages, however long that is.
const LARGEST_LOCKFILE: u64 = 64 << 20;
/// How much content of files that are in no object a snapshot keeps in memory; the rest is read again and compared.
const MOST_KEPT: u64 = 256 << 20;
/// A pointer is smaller than this (the specification of Git LFS).
const LARGEST_POINTER: u64 = 1024;

/// Returns the size of the largest file that is searched where the change does not touch it.
pub(super) fn largest_searched(path: &[u8]) -> u64 {
    if is_lockfile(path) { LARGEST_LOCKFILE } else { LARGEST_TEXT }
}

/// Tells whether a file is read as a list of packages.
pub(super) fn is_lockfile(path: &[u8]) -> bool {
    std::str::from_utf8(path).is_ok_and(jury_rules::is_lockfile)
}

/// Returns the size of the largest file that is read under a path.
pub(super) fn largest(path: &[u8]) -> u64 {
    match () {
        () if is_lockfile(path) => LARGEST_LOCKFILE,
        () if std::str::from_utf8(path).is_ok_and(asset::is_named_so) => asset::LARGEST,
        () => LARGEST_FILE,
    }
}

/// Common inputs for identifying every file of one snapshot.
pub(super) struct Identifier {
    pub(super) index: gix::index::File,
    /// Whether text without attributes has its line ends normalised (`core.autocrlf`).
    pub(super) normalises: bool,
    pub(super) kept: AtomicU64,
}

/// A file that was identified.
pub(super) struct Identified {
    pub(super) leaf: Leaf,
    pub(super) proof: Proof,
    /// How git converts its content on the way into the index.
    pub(super) conversion: Conversion,
    /// Its bytes, if no object has them.
    pub(super) bytes: Option<Arc<[u8]>>,
}

/// Whether attributes convert the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// Git stores the bytes of the file, line ends aside.
    None,
    /// Attributes ask for it, and git has stored the very bytes of the file.
    Idle,
    /// Git stores other bytes than the file has, or may do so. If the file is as it was when git stored it, these stand for it.
    Converted,
}

/// How a file was identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The facts about it are those of the index.
    Index,
    /// Its bytes, or where it leads to, have this id.
    Content(ObjectId),
}

impl Identifier {
    /// Identifies a regular file or a symlink. `file` gives its path on the disk, `entry` is its place in the index, if it has one.
    pub(super) fn identify(
        &self,
        objects: &Objects,
        file: &dyn Fn() -> PathBuf,
        path: &[u8],
        stat: &Stat,
        entry: Option<usize>,
        attributes: &Attributes,
    ) -> std::io::Result<Identified> {
        let entry = entry.map(|index| self.index.entry(index));
        let mode = if stat.is_link() {
            Mode::Link
        } else if stat.is_executable() {
            Mode::Executable
        } else {
            Mode::Plain
        };
        let converts = mode != Mode::Link && attributes.convert(path);
        if let Some(entry) = entry
            && !converts
            && mode_of(entry.mode) == Some(mode)
            && self.is_unchanged(entry, stat)
        {
            let conversion = Conversion::None;
            return Ok(Identified { leaf: Leaf { mode, id: entry.id }, proof: Proof::Index, conversion, bytes: None });
        }
        let (raw, bytes) = if mode == Mode::Link {
            let target = link_target(&file())?;
            (hash(objects, &target)?, Some(target))
        } else {
            read(objects, &file(), stat)?
        };
        let proof = Proof::Content(raw);
        let known =
            entry.filter(|entry| mode != Mode::Link && entry.stage() == Stage::Unconflicted).map(|entry| entry.id);
        let conversion = match converts && attributes.rewrite(path, bytes.as_deref()) {
            false => Conversion::None,
            true if known == Some(raw) => Conversion::Idle,
            true => Conversion::Converted,
        };
        if known == Some(raw) {
            return Ok(Identified { leaf: Leaf { mode, id: raw }, proof, conversion, bytes: None });
        }
        // What git stored when it last looked at the file is what merges; nothing is run here to make it again. Attributes that only this
        // clone has may be there to hide something.
        if conversion == Conversion::Converted
            && let Some(known) = known
            && attributes.are_of_tree(path)
            && entry.is_some_and(|entry| stat.is_in_index(&entry.stat) && !entry.flags.contains(Flags::INTENT_TO_ADD))
        {
            return Ok(Identified { leaf: Leaf { mode, id: known }, proof, conversion, bytes: None });
        }
        if let (Some(known), Some(bytes)) = (known, &bytes)
            && self.counts_as(objects, known, path, bytes, converts, attributes)
        {
            return Ok(Identified { leaf: Leaf { mode, id: known }, proof, conversion, bytes: None });
        }
        let bytes = bytes.filter(|bytes| {
            let size = bytes.len() as u64;
            size <= largest(path) && self.kept.fetch_add(size, Ordering::Relaxed) + size <= MOST_KEPT
        });
        Ok(Identified { leaf: Leaf { mode, id: raw }, proof, conversion, bytes: bytes.map(Arc::from) })
    }

    /// Tells whether stat data prove that a file is as the index has it. `assume-unchanged` and the like prove nothing,
    /// and neither does an entry as new as the index itself.
    fn is_unchanged(&self, entry: &gix::index::Entry, stat: &Stat) -> bool {
        let is_racy = {
            let written = self.index.timestamp();
            let (seconds, nanoseconds) = (written.unix_seconds(), written.nanoseconds());
            let changed = (i64::from(entry.stat.mtime.secs), entry.stat.mtime.nsecs);
            (seconds, nanoseconds) <= changed
        };
        !is_racy
            && entry.stage() == Stage::Unconflicted
            && !entry.flags.contains(Flags::INTENT_TO_ADD)
            && stat.is_in_index(&entry.stat)
    }

    /// Tells whether git would store the bytes as the blob that it already has: they differ in line ends that it
    /// normalises, or the blob is a pointer of Git LFS to exactly these bytes.
    fn counts_as(
        &self,
        objects: &Objects,
        known: ObjectId,
        path: &[u8],
        bytes: &[u8],
        converts: bool,
        attributes: &Attributes,
    ) -> bool {
        if converts {
            let is_small = objects.blob_size(known).is_some_and(|size| size < LARGEST_POINTER);
            let blob = if is_small { objects.try_blob(known).ok().flatten() } else { None };
            return blob.is_some_and(|blob| pointer(&blob).is_some_and(|digest| digest == sha256(bytes)));
        }
        let has_crlf = bytes.windows(2).any(|pair| pair == b"\r\n");
        if !has_crlf || is_binary(bytes) || !attributes.normalise_line_ends(path, self.normalises) {
            return false;
        }
        let mut normal = Vec::with_capacity(bytes.len());
        for (index, byte) in bytes.iter().enumerate() {
            if *byte != b'\r' || bytes.get(index + 1) != Some(&b'\n') {
                normal.push(*byte);
            }
        }
        objects.id_of(Kind::Blob, &normal).is_ok_and(|id| id == known)
    }
}

/// Returns the mode of an index entry, if it is one that a tree can have.
pub(super) fn mode_of(mode: gix::index::entry::Mode) -> Option<Mode> {
    use gix::index::entry::Mode as Of;
    match mode {
        Of::FILE => Some(Mode::Plain),
        Of::FILE_EXECUTABLE => Some(Mode::Executable),
        Of::SYMLINK => Some(Mode::Link),
        Of::COMMIT => Some(Mode::Commit),
        _ => None,
    }
}

/// Reads a regular file without following a symlink that took its place, and returns its bytes if they are few enough to
/// be reviewed.
fn read(objects: &Objects, path: &Path, seen: &Stat) -> std::io::Result<(ObjectId, Option<Vec<u8>>)> {
    let file = std::fs::File::open(path)?;
    let opened = Stat::of_file(&file)?;
    let moved = || std::io::Error::other("the file changed while it was being read");
    if !opened.is_file() || !opened.is_same_file(seen) {
        return Err(moved());
    }
    let size = opened.size;
    let mut file = file.take(size + 1);
    if size <= largest(path.as_os_str().as_encoded_bytes()) {
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
        file.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != size {
            return Err(moved());
        }
        return Ok((hash(objects, &bytes)?, Some(bytes)));
    }
    let mut hasher = gix::hash::hasher(objects.git.object_hash());
    hasher.update(format!("blob {size}\0").as_bytes());
    let mut buffer = vec![0; 1 << 16];
    let mut total = 0;
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        total += count as u64;
        hasher.update(&buffer[..count]);
    }
    if total != size {
        return Err(moved());
    }
    Ok((hasher.try_finalize().map_err(std::io::Error::other)?, None))
}

fn hash(objects: &Objects, bytes: &[u8]) -> std::io::Result<ObjectId> {
    objects.id_of(Kind::Blob, bytes).map_err(std::io::Error::other)
}

/// Returns where a symlink leads to.
fn link_target(path: &Path) -> std::io::Result<Vec<u8>> {
    let target = std::fs::read_link(path)?;
    Ok(gix::path::into_bstr(target).map_err(std::io::Error::other)?.to_vec())
}

/// Reads a file again as it was when it was identified; `None` if it is no longer that.
pub(super) fn read_again(objects: &Objects, path: &Path, leaf: Leaf) -> Option<Vec<u8>> {
    let stat = Stat::of_path(path).ok()?;
    let bytes = if leaf.mode == Mode::Link {
        link_target(path).ok()?
    } else if stat.is_file() && stat.size <= largest(path.as_os_str().as_encoded_bytes()) {
        read(objects, path, &stat).ok()?.1?
    } else {
        return None;
    };
    (objects.id_of(Kind::Blob, &bytes).ok()? == leaf.id).then_some(bytes)
}

/// Tells whether the bytes of a file, or where a symlink leads to, still have an id.
pub(super) fn has_content(objects: &Objects, path: &Path, stat: &Stat, id: ObjectId) -> bool {
    let now = if stat.is_link() {
        link_target(path).and_then(|target| hash(objects, &target))
    } else {
        read(objects, path, stat).map(|(id, _)| id)
    };
    now.is_ok_and(|now| now == id)
}

/// Tells whether content is not text, as git does: it has a NUL in its first 8,000 bytes.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8000).any(|byte| *byte == 0)
}

/// Tells whether content is a compiled program, by its first bytes: ELF, Mach-O, PE, WebAssembly, a class of Java.
pub(super) fn is_program(bytes: &[u8]) -> bool {
    const SIGNATURES: [&[u8]; 8] = [
        b"\x7fELF",
        b"MZ",
        b"\0asm",
        b"\xca\xfe\xba\xbe",
        b"\xfe\xed\xfa\xce",
        b"\xfe\xed\xfa\xcf",
        b"\xce\xfa\xed\xfe",
        b"\xcf\xfa\xed\xfe",
    ];
    SIGNATURES.iter().any(|signature| bytes.starts_with(signature))
}

/// Returns the SHA-256 that a pointer of Git LFS names; `None` if the text is no pointer.
pub(super) fn pointer(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() < LARGEST_POINTER as usize)?;
    let mut lines = text.lines();
    let version = lines.next()?.strip_prefix("version ")?;
    let is_known = ["https://git-lfs.github.com/spec/", "https://hawser.github.com/spec/"];
    is_known.iter().any(|known| version.starts_with(known)).then_some(())?;
    lines.find_map(|line| line.strip_prefix("oid sha256:")).map(str::to_owned)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
