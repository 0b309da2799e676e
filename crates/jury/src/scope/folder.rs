//! One folder of the working tree in, with its index entries; its entries out. Symlinks are never followed,
//! and special files never opened.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::index::entry::{Flags, Stage};

use super::Unidentified;
use super::attributes::Attributes;
use super::content::{Conversion, Identifier, mode_of};
use super::git_tree::{Leaf, Mode};
use super::ignore::Ignores;
use super::objects::Objects;
use super::second_look::{Look, SeenFile};
use super::stat::{self, OpenFolder};
use crate::model::UnreviewedReason as Why;

/// The folder with Jury's own `.gitignore`, which ignores everything and is not applied.
const VERDICTS: &[u8] = b".code-review/";
/// The folders in which files of Jury's own may lie.
const OWN: [&[u8]; 2] = [VERDICTS, b"docs/code-reviews/"];

/// Jury writes no larger file.
const LARGEST_OWN: u64 = 64 << 20;

/// Tells whether a path lies where files of Jury's own may lie.
pub(super) fn may_be_own(path: &[u8]) -> bool {
    OWN.iter().any(|folder| path.starts_with(folder))
}

/// A folder that is still to be listed.
#[derive(Clone)]
pub(super) struct Task {
    /// Its path with a slash at the end; empty for the root.
    pub(super) path: Vec<u8>,
    /// The entries of the index below it.
    pub(super) tracked: Range<usize>,
    pub(super) ignores: Ignores,
    pub(super) attributes: Attributes,
    pub(super) kind: TaskKind,
}

/// How much of a folder is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskKind {
    /// Everything that is not ignored.
    All,
    /// It is ignored or a repository of its own: tracked files only.
    TrackedOnly,
    /// It is not on the disk: entries that the index skips there.
    Absent,
    /// It is on the disk and cannot be read: the index entries, for want of anything better.
    Unreadable,
}

/// The entries of a folder.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) leaves: Vec<Found>,
    pub(super) folders: Vec<(Box<[u8]>, Task)>,
    pub(super) unidentified: Vec<Unidentified>,
    /// How the folder looked, if it is on the disk.
    pub(super) look: Option<Look>,
    /// Whether its look does not decide alone: by the commit of a submodule, or because an entry came or went meanwhile.
    pub(super) is_unsure: bool,
}

pub(super) struct Found {
    pub(super) name: Box<[u8]>,
    pub(super) leaf: Leaf,
    pub(super) bytes: Option<Arc<[u8]>>,
    /// Its bytes if it may be Jury's own.
    pub(super) candidate: Option<Vec<u8>>,
    pub(super) conversion: Conversion,
}

/// The index entries of one folder, by name.
struct Tracked<'a> {
    files: Vec<(&'a [u8], usize)>,
    folders: Vec<(&'a [u8], Range<usize>)>,
}

impl<'a> Tracked<'a> {
    fn below(index: &'a gix::index::State, task: &Task) -> Tracked<'a> {
        let entries = index.entries();
        let mut tracked = Tracked { files: Vec::new(), folders: Vec::new() };
        let mut at = task.tracked.start;
        while at < task.tracked.end {
            let path: &[u8] = entries[at].path(index);
            // An index that is out of order is not git's; an entry missed here counts as untracked, and is read.
            let Some(name) = path.strip_prefix(task.path.as_slice()) else {
                at += 1;
                continue;
            };
            match name.iter().position(|byte| *byte == b'/') {
                None => {
                    // The stages of a conflict stand beside each other, and the first stands for all.
                    if tracked.files.last().is_none_or(|(last, _)| *last != name) {
                        tracked.files.push((name, at));
                    }
                    at += 1;
                }
                Some(slash) => {
                    let prefix = &path[..=task.path.len() + slash];
                    let rest = &entries[at..task.tracked.end];
                    let end = at + rest.partition_point(|entry| entry.path(index).starts_with(prefix));
                    tracked.folders.push((&name[..slash], at..end));
                    at = end;
                }
            }
        }
        // By name: git's order of full paths puts `a.b` before `a/b`, and `a` before both.
        tracked.folders.sort_unstable_by_key(|(name, _)| *name);
        tracked
    }
}

fn find<'t, T>(list: &'t [(&[u8], T)], name: &[u8]) -> Option<&'t T> {
    list.binary_search_by(|(other, _)| (*other).cmp(name)).ok().map(|at| &list[at].1)
}

/// Lists one folder.
pub(super) fn list(root: &Path, identifier: &Identifier, objects: &Objects, task: &Task) -> Listing {
    let mut listing = Listing::default();
    let index: &gix::index::State = &identifier.index;
    let tracked = Tracked::below(index, task);
    if matches!(task.kind, TaskKind::Absent | TaskKind::Unreadable) {
        take_from_index(index, task, &tracked, &[], &mut listing);
        return listing;
    }
    let folder = match gix::path::from_byte_slice(&task.path) {
        Ok(path) => root.join(path),
        Err(_) => {
            listing.unidentified.push((without_slash(&task.path), Why::PathNotUtf8));
            return listing;
        }
    };
    let opened = OpenFolder::open(&folder).and_then(|mut opened| Ok((opened.entries()?, opened)));
    let (entries, opened) = match opened {
        Ok(opened) => opened,
        Err(_) => {
            listing.unidentified.push((without_slash(&task.path), Why::Unreadable));
            let task = Task { kind: TaskKind::Unreadable, ..task.clone() };
            take_from_index(index, &task, &tracked, &[], &mut listing);
            return listing;
        }
    };
    let mut look = Look { names: stat::listed(&entries), ..Look::default() };
    let mut task = task.clone();
    read_rules(&folder, &entries, &mut task, &mut look);
    listing.look = Some(look);
    let mut seen: Vec<Vec<u8>> = Vec::with_capacity(entries.len());
    for entry in &entries {
        let name = entry.name();
        let Ok(file_name) = gix::path::from_byte_slice(name) else {
            listing.unidentified.push((without_slash(&task.path), Why::PathNotUtf8));
            continue;
        };
        if name == b".git" {
            continue;
        }
        let file = &|| folder.join(file_name);
        let on_disk = DiskEntry { folder: &opened, entry, file, path: [task.path.as_slice(), name].concat() };
        let was_there = if entry.is_folder() {
            take_folder(identifier, &task, &tracked, on_disk, &mut listing)
        } else {
            take_file(identifier, objects, &task, &tracked, on_disk, &mut listing)
        };
        if was_there {
            seen.push(name.to_vec());
        } else {
            listing.is_unsure = true;
        }
    }
    // The entries are in the order of names.
    take_from_index(index, &task, &tracked, &seen, &mut listing);
    listing
}

/// One thing on the disk.
struct DiskEntry<'a> {
    folder: &'a OpenFolder,
    entry: &'a stat::Entry,
    /// Its path on the disk, which few need.
    file: &'a dyn Fn() -> PathBuf,
    path: Vec<u8>,
}

impl DiskEntry<'_> {
    fn name(&self) -> &[u8] {
        self.entry.name()
    }
}

fn take_file(
    identifier: &Identifier,
    objects: &Objects,
    task: &Task,
    tracked: &Tracked<'_>,
    on_disk: DiskEntry<'_>,
    listing: &mut Listing,
) -> bool {
    let at = find(&tracked.files, on_disk.name()).copied();
    if at.is_none() && (task.kind == TaskKind::TrackedOnly || task.ignores.has(&on_disk.path, false)) {
        return true;
    }
    let stat = match on_disk.folder.stat(on_disk.entry) {
        Ok(stat) => stat,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return false,
        Err(_) => {
            listing.unidentified.push((on_disk.path, Why::Unreadable));
            return false;
        }
    };
    if !stat.is_file() && !stat.is_link() {
        listing.unidentified.push((on_disk.path, Why::SpecialFile));
        return true;
    }
    if at.is_some_and(|at| identifier.index.entry(at).stage() != Stage::Unconflicted) {
        listing.unidentified.push((on_disk.path.clone(), Why::Conflict));
    }
    match identifier.identify(objects, on_disk.file, &on_disk.path, &stat, at, &task.attributes) {
        Ok(found) => {
            let is_candidate = OWN.contains(&task.path.as_slice()) && found.leaf.mode.is_file();
            let is_candidate = is_candidate && stat.size <= LARGEST_OWN;
            let read =
                || found.bytes.as_deref().map_or_else(|| std::fs::read((on_disk.file)()).ok(), |it| Some(it.into()));
            let candidate = if is_candidate { read() } else { None };
            let name: Box<[u8]> = on_disk.name().into();
            if let Some(look) = &mut listing.look {
                look.files.push(SeenFile { name: name.clone(), stat, proof: found.proof, is_candidate });
            }
            let (leaf, bytes, conversion) = (found.leaf, found.bytes, found.conversion);
            listing.leaves.push(Found { name, leaf, bytes, candidate, conversion });
            true
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(_) => {
            if let Some(leaf) = at.and_then(|at| leaf_of(identifier.index.entry(at))) {
                listing.leaves.push(Found {
                    name: on_disk.name().into(),
                    leaf,
                    bytes: None,
                    candidate: None,
                    conversion: Conversion::None,
                });
            }
            listing.unidentified.push((on_disk.path, Why::Unreadable));
            true
        }
    }
}

fn take_folder(
    identifier: &Identifier,
    task: &Task,
    tracked: &Tracked<'_>,
    on_disk: DiskEntry<'_>,
    listing: &mut Listing,
) -> bool {
    let entry = find(&tracked.files, on_disk.name()).map(|at| identifier.index.entry(*at));
    if let Some(leaf) = entry.and_then(leaf_of).filter(|leaf| leaf.mode == Mode::Commit) {
        listing.is_unsure = true;
        match checked_out(&(on_disk.file)()) {
            Ok(id) => {
                let leaf = Leaf { id: id.unwrap_or(leaf.id), ..leaf };
                listing.leaves.push(Found {
                    name: on_disk.name().into(),
                    leaf,
                    bytes: None,
                    candidate: None,
                    conversion: Conversion::None,
                });
            }
            Err(()) => {
                listing.leaves.push(Found {
                    name: on_disk.name().into(),
                    leaf,
                    bytes: None,
                    candidate: None,
                    conversion: Conversion::None,
                });
                listing.unidentified.push((on_disk.path, Why::Submodule));
            }
        }
        return true;
    }
    let below = find(&tracked.folders, on_disk.name()).cloned();
    let is_nested = std::fs::symlink_metadata((on_disk.file)().join(".git")).is_ok();
    let is_ignored = task.kind == TaskKind::TrackedOnly || task.ignores.has(&on_disk.path, true);
    if is_nested && !is_ignored {
        listing.unidentified.push((on_disk.path.clone(), Why::NestedRepository));
    }
    let is_whole = !is_nested && !is_ignored;
    if is_whole || below.is_some() {
        let task = Task {
            path: [on_disk.path.as_slice(), b"/"].concat(),
            tracked: below.unwrap_or(0..0),
            kind: if is_whole { TaskKind::All } else { TaskKind::TrackedOnly },
            ..task.clone()
        };
        listing.folders.push((on_disk.name().into(), task));
    }
    true
}

/// Takes entries that are not on the disk and count nevertheless: those that git skips in the working tree.
fn take_from_index(
    index: &gix::index::State,
    task: &Task,
    tracked: &Tracked<'_>,
    seen: &[Vec<u8>],
    listing: &mut Listing,
) {
    let is_seen = |name: &[u8]| seen.binary_search_by(|other| other.as_slice().cmp(name)).is_ok();
    for (name, at) in tracked.files.iter().filter(|(name, _)| !is_seen(name)) {
        let entry = index.entry(*at);
        let counts = task.kind == TaskKind::Unreadable || entry.flags.contains(Flags::SKIP_WORKTREE);
        if entry.stage() != Stage::Unconflicted {
            listing.unidentified.push(([task.path.as_slice(), name].concat(), Why::Conflict));
        }
        if let Some(leaf) = leaf_of(entry).filter(|_| counts) {
            listing.leaves.push(Found {
                name: (*name).into(),
                leaf,
                bytes: None,
                candidate: None,
                conversion: Conversion::None,
            });
        }
    }
    let kind = if task.kind == TaskKind::Unreadable { TaskKind::Unreadable } else { TaskKind::Absent };
    for (name, range) in tracked.folders.iter().filter(|(name, _)| !is_seen(name)) {
        let path = [task.path.as_slice(), name, b"/"].concat();
        listing.folders.push(((*name).into(), Task { path, tracked: range.clone(), kind, ..task.clone() }));
    }
}

fn leaf_of(entry: &gix::index::Entry) -> Option<Leaf> {
    mode_of(entry.mode).map(|mode| Leaf { mode, id: entry.id })
}

/// Takes the folder's own `.gitignore` and `.gitattributes` into account, if they are regular files.
fn read_rules(folder: &Path, entries: &[stat::Entry], task: &mut Task, look: &mut Look) {
    let mut read = |name: &'static str| {
        let entry = entries.iter().find(|entry| entry.name() == name.as_bytes())?;
        let text = entry.is_file().then(|| std::fs::read(folder.join(name)).ok())?;
        look.rules.push((name, text.clone()));
        text
    };
    if let Some(text) = read(".gitattributes") {
        task.attributes = task.attributes.with(&task.path, &text);
    }
    if !task.path.starts_with(VERDICTS)
        && let Some(text) = read(".gitignore")
    {
        task.ignores = task.ignores.with(&task.path, &text);
    }
}

/// Returns the commit that is checked out in a submodule; `None` if nothing is.
fn checked_out(folder: &Path) -> Result<Option<gix::ObjectId>, ()> {
    if std::fs::symlink_metadata(folder.join(".git")).is_err() {
        return Ok(None);
    }
    let options = gix::open::Options::isolated().with(gix::sec::Trust::Full);
    let git = options.open(folder).map_err(|_| ())?.to_thread_local();
    git.head_id().map(|id| Some(id.detach())).map_err(|_| ())
}

fn without_slash(path: &[u8]) -> Vec<u8> {
    path.strip_suffix(b"/").unwrap_or(path).to_vec()
}
