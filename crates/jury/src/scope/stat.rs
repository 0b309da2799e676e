//! A folder or a file of the working tree in; its entries, and the facts that the file system keeps about each, out. Symlinks are
//! never followed.
//!
//! Entries are looked up in the open folder: by its whole path, every folder above an entry would be looked up again.

use std::ffi::CStr;
use std::io::Result;
use std::path::Path;

use rustix::fs::{self, AtFlags, CWD, Dir, FileType, OFlags};

/// The facts that the file system keeps about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    mode: fs::RawMode,
    pub(super) size: u64,
    mtime: Time,
    ctime: Time,
    ino: u64,
    dev: u64,
}

/// Seconds since 1970, and nanoseconds.
type Time = (i64, u32);

impl Stat {
    /// Looks at a path.
    pub(super) fn of_path(path: &Path) -> Result<Stat> {
        Ok(Stat::of(&fs::lstat(path)?))
    }

    /// Looks at an open file.
    pub(super) fn of_file(file: &std::fs::File) -> Result<Stat> {
        Ok(Stat::of(&fs::fstat(file)?))
    }

    // The types differ between systems.
    #[allow(clippy::unnecessary_cast, clippy::useless_conversion)]
    fn of(stat: &fs::Stat) -> Stat {
        Stat {
            mode: stat.st_mode,
            size: stat.st_size as u64,
            mtime: (stat.st_mtime as i64, stat.st_mtime_nsec as u32),
            ctime: (stat.st_ctime as i64, stat.st_ctime_nsec as u32),
            ino: stat.st_ino as u64,
            dev: stat.st_dev as u64,
        }
    }

    fn file_type(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }

    pub(super) fn is_file(&self) -> bool {
        self.file_type() == FileType::RegularFile
    }

    pub(super) fn is_link(&self) -> bool {
        self.file_type() == FileType::Symlink
    }

    pub(super) fn is_executable(&self) -> bool {
        self.is_file() && self.mode & 0o100 != 0
    }

    /// Tells whether it is the same file, regardless of its content.
    pub(super) fn is_same_file(&self, other: &Stat) -> bool {
        (self.dev, self.ino) == (other.dev, other.ino)
    }

    /// Tells whether these are the facts that an index keeps about a file. It keeps 32 bits of each, and no larger sizes count.
    pub(super) fn is_in_index(&self, kept: &gix::index::entry::Stat) -> bool {
        let is_at = |time: Time, kept: gix::index::entry::stat::Time| {
            time.0 >= 0 && (time.0 as u32, time.1) == (kept.secs, kept.nsecs)
        };
        is_at(self.mtime, kept.mtime)
            && is_at(self.ctime, kept.ctime)
            && self.ino as u32 == kept.ino
            && self.size == u64::from(kept.size)
    }
}

/// A folder that is open.
pub(super) struct OpenFolder {
    folder: Dir,
}

/// An entry of a folder.
pub(super) struct Entry {
    name: std::ffi::CString,
    kind: FileType,
}

impl Entry {
    pub(super) fn name(&self) -> &[u8] {
        self.name.to_bytes()
    }

    pub(super) fn is_folder(&self) -> bool {
        self.kind == FileType::Directory
    }

    pub(super) fn is_file(&self) -> bool {
        self.kind == FileType::RegularFile
    }

    /// Returns one letter for each kind of entry.
    fn letter(&self) -> u8 {
        match self.kind {
            FileType::RegularFile => b'f',
            FileType::Directory => b'd',
            FileType::Symlink => b'l',
            _ => b'o',
        }
    }
}

impl OpenFolder {
    pub(super) fn open(path: &Path) -> Result<OpenFolder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = Dir::new(fs::openat(CWD, path, flags, fs::Mode::empty())?)?;
        Ok(OpenFolder { folder })
    }

    /// Lists its entries, by name.
    pub(super) fn entries(&mut self) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        while let Some(entry) = self.folder.read() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            entries.push(Entry { name: name.to_owned(), kind: entry.file_type() });
        }
        for entry in entries.iter_mut().filter(|entry| entry.kind == FileType::Unknown) {
            entry.kind = self.stat_of(&entry.name).map_or(FileType::Unknown, |stat| stat.file_type());
        }
        entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    /// Looks at an entry.
    pub(super) fn stat(&self, entry: &Entry) -> Result<Stat> {
        self.stat_of(&entry.name)
    }

    /// Returns the facts of a name.
    pub(super) fn stat_of(&self, name: &CStr) -> Result<Stat> {
        Ok(Stat::of(&fs::statat(self.folder.fd()?, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }
}

/// Returns the names and kinds of entries as one text: the same for the same entries, and for no others.
pub(super) fn listed(entries: &[Entry]) -> Box<[u8]> {
    let mut names = Vec::with_capacity(entries.iter().map(|entry| entry.name().len() + 2).sum());
    for entry in entries {
        names.push(entry.letter());
        names.extend_from_slice(entry.name.to_bytes_with_nul());
    }
    names.into()
}
