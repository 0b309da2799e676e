//! A folder held by its descriptor, and the few things the store does in it. One function writes a file: `write`.
//!
//! In: names without a slash. Out: bytes, or the refusal of anything but a plain file or folder of ours. Nothing here
//! follows a symlink, waits on a FIFO, or leaves the folder. Deliberately not here: the meaning of the files.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::disk::{Call, Disk};
use super::error::StoreError;

/// How the names of temporary files start; under the lock, any such file was left behind by a killed process.
pub(super) const TEMPORARY: &str = ".jury-tmp-";
/// How deep a folder that is removed may be nested.
const DEEPEST: usize = 64;
/// The largest file that is read: four times the largest document that any reader takes, for the seal holds several.
const LARGEST: usize = 256 << 20;
const READ: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// An open folder.
#[derive(Debug)]
pub(super) struct StateFolder {
    fd: OwnedFd,
    path: PathBuf,
    disk: Disk,
}

/// Whether the name is free, must be, or may be taken over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Existing {
    Replace,
    /// The mode is that of the earlier file, regardless of the umask.
    ReplaceInKind,
    Keep,
}

impl StateFolder {
    /// Opens a folder that the caller vouches for, however its path leads there.
    pub(super) fn root(path: &Path, disk: &Disk) -> Result<Self, StoreError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| StoreError::io("open", path)(e.into()))?;
        Ok(Self { fd, path: path.to_path_buf(), disk: disk.clone() })
    }

    /// Opens the same folder once more.
    pub(super) fn again(&self) -> Result<Self, StoreError> {
        let fd = rustix::io::fcntl_dupfd_cloexec(&self.fd, 0).map_err(self.failed("open", ""))?;
        Ok(Self { fd, path: self.path.clone(), disk: self.disk.clone() })
    }

    /// Returns the disk that it lies on.
    pub(super) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Returns the path of a name in it, for messages.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn failed(&self, action: &'static str, name: &str) -> impl FnOnce(Errno) -> StoreError {
        let path = self.path(name);
        move |errno| StoreError::Io { action, path, source: errno.into() }
    }

    fn refused(&self, name: &str, what: &str) -> StoreError {
        StoreError::Refused { path: self.path(name), what: what.to_owned() }
    }

    fn stat(&self, name: &str) -> Result<Option<Stat>, StoreError> {
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(self.failed("look at", name)(errno)),
        }
    }

    /// Tells whether anything at all has that name.
    pub(super) fn has(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.stat(name)?.is_some())
    }

    /// Returns how large a plain file of ours is, and when it was written, in seconds since 1970.
    pub(super) fn measure(&self, name: &str) -> Result<Option<(u64, u64)>, StoreError> {
        if !self.check_file(name)? {
            return Ok(None);
        }
        let of =
            |stat: Stat| (stat.st_size.try_into().unwrap_or_default(), stat.st_mtime.try_into().unwrap_or_default());
        Ok(self.stat(name)?.map(of))
    }

    /// Refuses anything but a plain file of ours. A free name is fine.
    pub(super) fn check_file(&self, name: &str) -> Result<bool, StoreError> {
        let Some(stat) = self.stat(name)? else { return Ok(false) };
        match foreign_kind(&stat, FileType::RegularFile) {
            Some(what) => Err(self.refused(name, what)),
            None => Ok(true),
        }
    }

    /// Refuses anything but a plain file of ours that may be replaced.
    pub(super) fn check_writable(&self, name: &str) -> Result<(), StoreError> {
        let is_read_only = |stat: Stat| stat.st_mode & 0o200 == 0;
        if self.check_file(name)? && self.stat(name)?.is_some_and(is_read_only) {
            return Err(self.refused(name, "a read-only file"));
        }
        Ok(())
    }

    /// Opens a folder in it; `None` if the name is free.
    pub(super) fn open(&self, name: &str) -> Result<Option<Self>, StoreError> {
        let Some(stat) = self.stat(name)? else { return Ok(None) };
        if let Some(what) = foreign_kind(&stat, FileType::Directory) {
            return Err(self.refused(name, what));
        }
        let fd = rustix::fs::openat(&self.fd, name, READ | OFlags::DIRECTORY, Mode::empty())
            .map_err(self.failed("open", name))?;
        // The file may have been replaced between check and open.
        let stat = rustix::fs::fstat(&fd).map_err(self.failed("look at", name))?;
        if let Some(what) = foreign_kind(&stat, FileType::Directory) {
            return Err(self.refused(name, what));
        }
        Ok(Some(Self { fd, path: self.path(name), disk: self.disk.clone() }))
    }

    /// Opens a folder some levels below it, by a path of plain names; `None` if one of the names is free.
    pub(super) fn below(&self, path: &str) -> Result<Option<Self>, StoreError> {
        let (first, rest) = path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)));
        match (self.open(first)?, rest) {
            (Some(folder), Some(rest)) => folder.below(rest),
            (folder, _) => Ok(folder),
        }
    }

    /// Refuses a folder in it that could not be written to; `None` if the name is free.
    pub(super) fn open_writable(&self, name: &str) -> Result<Option<Self>, StoreError> {
        let folder = self.open(name)?;
        // The mode is asked and not the system, to which a superuser may write anywhere.
        if self.stat(name)?.is_some_and(|stat| stat.st_mode & 0o200 == 0) {
            return Err(self.refused(name, "a read-only folder"));
        }
        Ok(folder)
    }

    /// Opens a folder in it, and makes it first if the name is free.
    pub(super) fn make(&self, name: &str) -> Result<Self, StoreError> {
        if let Some(folder) = self.open_writable(name)? {
            return Ok(folder);
        }
        let make = || -> io::Result<()> {
            self.disk.announce(|| Call::MakeFolder(self.path(name)))?;
            match rustix::fs::mkdirat(&self.fd, name, Mode::from_raw_mode(0o755)) {
                // Another process was faster, which is as good.
                Ok(()) | Err(Errno::EXIST) => Ok(()),
                Err(errno) => Err(errno.into()),
            }
        };
        make().map_err(StoreError::io("make the folder", self.path(name)))?;
        self.sync()?;
        self.open_writable(name)?.ok_or_else(|| self.refused(name, "gone as soon as it was made"))
    }

    /// Reads a plain file of ours; `None` if the name is free.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.read_start(name, LARGEST)? {
            Some(bytes) if bytes.len() > LARGEST => Err(self.refused(name, "larger than any file of Jury's")),
            bytes => Ok(bytes),
        }
    }

    /// Reads the start of a plain file of ours, up to one byte more than so many, by which a longer one is known.
    pub(super) fn read_start(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, StoreError> {
        // Looking comes first, for to open a device can be to act.
        if !self.check_file(name)? {
            return Ok(None);
        }
        let fd = match rustix::fs::openat(&self.fd, name, READ, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(self.failed("open", name)(errno)),
        };
        let stat = rustix::fs::fstat(&fd).map_err(self.failed("look at", name))?;
        if stat.st_nlink == 0 {
            // It was replaced after it was opened; the opened file is complete all the same.
        } else if let Some(what) = foreign_kind(&stat, FileType::RegularFile) {
            return Err(self.refused(name, what));
        }
        // In one go: the buffer takes the file as it is now, and one byte more, by which its end is known.
        let size = usize::try_from(stat.st_size).unwrap_or_default().min(most);
        let mut bytes = Vec::with_capacity(size + 1);
        let mut file = File::from(fd).take(most as u64 + 1);
        file.read_to_end(&mut bytes).map_err(StoreError::io("read", self.path(name)))?;
        Ok(Some(bytes))
    }

    /// Returns the target of a symlink; `None` if the name is none.
    pub(super) fn read_link(&self, name: &str) -> Option<Vec<u8>> {
        rustix::fs::readlinkat(&self.fd, name, Vec::new()).ok().map(|text| text.into_bytes())
    }

    /// Replaces the plain file of the name: the old bytes or the new ones, never others.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.check_writable(name)?;
        self.write(name, bytes, 0o644, Existing::Replace).map_err(StoreError::io("write", self.path(name)))
    }

    /// Does the same to a file of the user's, which keeps its mode.
    pub(super) fn replace_in_kind(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.check_writable(name)?;
        let mode = self.stat(name)?.map_or(0o644, |stat| stat.st_mode & 0o777);
        self.write(name, bytes, mode, Existing::ReplaceInKind).map_err(StoreError::io("write", self.path(name)))
    }

    /// Does the same, and gives it a mode.
    pub(super) fn replace_with_mode(&self, name: &str, bytes: &[u8], mode: u32) -> Result<(), StoreError> {
        self.check_writable(name)?;
        self.write(name, bytes, mode, Existing::ReplaceInKind).map_err(StoreError::io("write", self.path(name)))
    }

    /// Puts a file of the user's where there is none.
    pub(super) fn create_in_kind(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(name, bytes, 0o644, Existing::Keep).map_err(StoreError::io("create", self.path(name)))
    }

    /// Puts a read-only file where there is none.
    pub(super) fn create(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(name, bytes, 0o444, Existing::Keep).map_err(StoreError::io("create", self.path(name)))
    }

    /// Writes a file: a temporary one beside it, synced, renamed; then the folder, synced. A failed sync is a failure, for
    /// a second one could succeed without the bytes.
    fn write(&self, name: &str, bytes: &[u8], mode: u32, existing: Existing) -> io::Result<()> {
        let temporary = self.unused(TEMPORARY);
        let written = self
            .write_whole(&temporary, bytes, mode)
            .and_then(|()| if existing == Existing::ReplaceInKind { self.give_mode(&temporary, mode) } else { Ok(()) })
            .and_then(|()| self.put(&temporary, name, existing));
        if written.is_err() {
            // If even this fails, the next holder of the lock removes the rest.
            let _ = self.unlink(&temporary);
        }
        written?;
        self.sync_names()
    }

    /// Returns a name with a start that no process has used yet.
    pub(super) fn unused(&self, start: &str) -> String {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        format!("{start}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
    }

    fn write_whole(&self, name: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        let mut file = self.create_empty(name, mode)?;
        self.write_all(&mut file, name, bytes)?;
        self.sync_file(&file, name)
    }

    fn give_mode(&self, name: &str, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::chmodat(&self.fd, name, Mode::from_raw_mode(mode), AtFlags::empty())?)
    }

    fn create_empty(&self, name: &str, mode: u32) -> io::Result<File> {
        self.disk.announce(|| Call::Create(self.path(name)))?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&self.fd, name, flags, Mode::from_raw_mode(mode))?))
    }

    fn write_all(&self, file: &mut File, name: &str, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let allowed = self.disk.announce(|| Call::Write(self.path(name), bytes.to_vec()))?;
            let written = file.write(&bytes[..bytes.len().min(allowed)])?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = &bytes[written..];
        }
        Ok(())
    }

    fn sync_file(&self, file: &File, name: &str) -> io::Result<()> {
        self.disk.announce(|| Call::Sync(self.path(name)))?;
        file.sync_all()
    }

    fn put(&self, from: &str, to: &str, existing: Existing) -> io::Result<()> {
        self.disk.announce(|| Call::Rename(self.path(from), self.path(to)))?;
        if existing == Existing::Keep {
            #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
            match rustix::fs::renameat_with(&self.fd, from, &self.fd, to, rustix::fs::RenameFlags::NOREPLACE) {
                // Not every file system can refuse to replace; then it is the lock and a look that do.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                renamed => return Ok(renamed?),
            }
            if rustix::fs::statat(&self.fd, to, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
        }
        Ok(rustix::fs::renameat(&self.fd, from, &self.fd, to)?)
    }

    /// Renames a file to a free name.
    pub(super) fn set_aside(&self, from: &str, to: &str) -> Result<(), StoreError> {
        let put = self.put(from, to, Existing::Keep).and_then(|()| self.sync_names());
        put.map_err(StoreError::io("set aside", self.path(from)))
    }

    /// Makes an empty file, if there is none.
    pub(super) fn touch(&self, name: &str) -> Result<(), StoreError> {
        if self.check_file(name)? {
            return Ok(());
        }
        self.create_empty(name, 0o444).map_err(StoreError::io("create", self.path(name)))?;
        self.sync()
    }

    /// Removes a plain file, if there is one.
    pub(super) fn remove(&self, name: &str) -> Result<(), StoreError> {
        if !self.check_file(name)? {
            return Ok(());
        }
        let removed = self.unlink(name).and_then(|()| self.sync_names());
        removed.map_err(StoreError::io("remove", self.path(name)))
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        self.disk.announce(|| Call::Remove(self.path(name)))?;
        Ok(rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())?)
    }

    /// Removes a folder in it, if it is there and empty.
    pub(super) fn remove_empty(&self, name: &str) -> Result<(), StoreError> {
        if self.open(name)?.is_none() {
            return Ok(());
        }
        let remove = || -> io::Result<()> {
            self.disk.announce(|| Call::Remove(self.path(name)))?;
            match rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR) {
                Ok(()) => self.sync_names(),
                Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
                Err(errno) => Err(errno.into()),
            }
        };
        remove().map_err(StoreError::io("remove", self.path(name)))
    }

    /// Removes a folder in it with everything that it holds. Symlinks in it are removed and not followed.
    pub(super) fn remove_all(&self, name: &str) -> Result<(), StoreError> {
        let name = std::ffi::CString::new(name).map_err(|_| self.refused(name, "no name of a folder"))?;
        let removed = self.remove_below(&self.fd, &name, DEEPEST).and_then(|()| self.sync_names());
        removed.map_err(StoreError::io("remove", self.path(&name.to_string_lossy())))
    }

    fn remove_below(&self, parent: &OwnedFd, name: &CStr, deepest: usize) -> io::Result<()> {
        self.disk.announce(|| Call::Remove(self.path(&name.to_string_lossy())))?;
        // Another process that removes the same is as good.
        let gone = |removed: Result<(), Errno>| match removed {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(io::Error::from(errno)),
        };
        let folder = match rustix::fs::openat(parent, name, READ | OFlags::DIRECTORY, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::NOENT) => return Ok(()),
            Err(Errno::NOTDIR | Errno::LOOP) => return gone(rustix::fs::unlinkat(parent, name, AtFlags::empty())),
            Err(errno) => return Err(errno.into()),
        };
        let Some(deeper) = deepest.checked_sub(1) else {
            return Err(io::Error::other(format!("it is nested deeper than {DEEPEST} folders")));
        };
        for entry in rustix::fs::Dir::read_from(&folder)? {
            let entry = entry?;
            if ![c".", c".."].contains(&entry.file_name()) {
                self.remove_below(&folder, entry.file_name(), deeper)?;
            }
        }
        gone(rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR))
    }

    /// Appends whole lines to a file, synced. A last line that was torn by a crash is cut off first.
    pub(super) fn append(&self, name: &str, lines: &str) -> Result<(), StoreError> {
        let whole = whole_lines(&self.read(name)?.unwrap_or_default()).len() as u64;
        let append = || -> io::Result<()> {
            if rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).is_err() {
                self.create_empty(name, 0o644)?;
                self.sync_names()?;
            }
            let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let mut file = File::from(rustix::fs::openat(&self.fd, name, flags, Mode::empty())?);
            if file.metadata()?.len() != whole {
                self.disk.announce(|| Call::Truncate(self.path(name), whole))?;
                file.set_len(whole)?;
            }
            file.seek(SeekFrom::End(0))?;
            self.write_all(&mut file, name, lines.as_bytes())?;
            self.sync_file(&file, name)
        };
        append().map_err(StoreError::io("append to", self.path(name)))
    }

    /// Makes the names in it outlive a power cut.
    fn sync(&self) -> Result<(), StoreError> {
        self.sync_names().map_err(StoreError::io("sync", self.path.clone()))
    }

    fn sync_names(&self) -> io::Result<()> {
        self.disk.announce(|| Call::SyncFolder(self.path.clone()))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        File::from(rustix::fs::openat(&self.fd, ".", flags, Mode::empty())?).sync_all()
    }

    /// Returns the names in it that are UTF-8, sorted; no other is Jury's.
    pub(super) fn names(&self) -> Result<Vec<String>, StoreError> {
        let exact = self.spelled_names()?.into_iter().filter(|(_, is_exact)| *is_exact);
        Ok(exact.map(|(name, _)| name).collect())
    }

    /// Returns all names in it, sorted, and of each whether it is spelled exactly, which one that is not UTF-8 cannot be.
    pub(super) fn spelled_names(&self) -> Result<Vec<(String, bool)>, StoreError> {
        let failed = || self.failed("list", ".");
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd).map_err(failed())? {
            let entry = entry.map_err(failed())?;
            let name = entry.file_name().to_string_lossy();
            names.push((name.clone().into_owned(), entry.file_name().to_str().is_ok()));
        }
        names.retain(|(name, _)| name != "." && name != "..");
        names.sort();
        Ok(names)
    }

    /// Tells whether a process is writing here, or was killed while writing.
    pub(super) fn has_temporary(&self) -> Result<bool, StoreError> {
        Ok(self.names()?.iter().any(|name| name.starts_with(TEMPORARY)))
    }

    /// Removes the temporary files of killed processes. Only the holder of the lock may ask for it.
    pub(super) fn sweep(&self) -> Result<(), StoreError> {
        for name in self.names()?.iter().filter(|name| name.starts_with(TEMPORARY)) {
            match self.remove(name) {
                // Another process made it, so it is not ours to remove.
                Err(StoreError::Refused { .. }) => {}
                removed => removed?,
            }
        }
        Ok(())
    }

    /// Opens a file to lock it, and makes it if there is none.
    pub(super) fn open_lock(&self, name: &str) -> Result<File, StoreError> {
        self.check_writable(name)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, name, flags, Mode::from_raw_mode(0o644))
            .map_err(self.failed("open the lock", name))?;
        let stat = rustix::fs::fstat(&fd).map_err(self.failed("look at", name))?;
        match foreign_kind(&stat, FileType::RegularFile).filter(|_| stat.st_nlink != 0) {
            Some(what) => Err(self.refused(name, what)),
            None => Ok(File::from(fd)),
        }
    }

    /// Tells whether a name still leads to an open file.
    pub(super) fn leads_to(&self, name: &str, file: &File) -> Result<bool, StoreError> {
        let held = rustix::fs::fstat(file).map_err(self.failed("look at", name))?;
        Ok(self.stat(name)?.is_some_and(|named| (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)))
    }
}

/// Returns the lines of a file of lines, without a last one that a crash tore.
pub(super) fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)]
}

/// Returns the kind of an entry, if it is the wrong one or not ours alone.
fn foreign_kind(stat: &Stat, wanted: FileType) -> Option<&'static str> {
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind != wanted {
        return Some(match kind {
            FileType::RegularFile => "a file where a folder should be",
            FileType::Directory => "a folder where a file should be",
            FileType::Symlink => "a symlink",
            FileType::Fifo => "a FIFO",
            FileType::Socket => "a socket",
            FileType::CharacterDevice | FileType::BlockDevice => "a device",
            _ => "of an unknown kind",
        });
    }
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Some("owned by another user");
    }
    (kind == FileType::RegularFile && stat.st_nlink > 1).then_some("a hard link that has another name elsewhere")
}
