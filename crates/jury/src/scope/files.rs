//! Differences in; files with their contents, touched lines and patches out, the id of the whole patch, and unreviewable files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gix::ObjectId;
use sha2::{Digest as _, Sha256};

use super::attributes::Attributes;
use super::content::{LARGEST_TEXT, is_binary, is_lockfile, is_program, largest, pointer};
use super::git_tree::{Delta, Leaf, Mode};
use super::objects::{Objects, hex};
use super::place::Outline;
use super::{ScopeError, Snapshot, lines};
use crate::asset;
use crate::model::{
    Asset, Change, ChangedFile, FileChange, PatchId, RepoPath, Side, Unreviewed, UnreviewedReason as Why,
};

/// The files and their totals.
pub(super) struct Files {
    pub(super) files: Vec<ChangedFile>,
    pub(super) change: Change,
    pub(super) unreviewed: Vec<Unreviewed>,
    pub(super) patch: PatchId,
}

/// Reads everything that changed.
pub(super) fn of_change(
    objects: &Objects,
    snapshot: &Snapshot,
    base: Option<ObjectId>,
    deltas: Vec<Delta>,
) -> Result<Files, ScopeError> {
    let mut builder = Builder::new(snapshot, objects);
    let mut from = renames(&deltas);
    let gone: BTreeSet<Vec<u8>> = from.values().cloned().collect();
    for file in converted(objects, snapshot, &deltas, base)? {
        match file {
            Converted::Newly(path, leaf) => builder.refuse(&path, Why::Converted, Some(leaf), Some(leaf)),
            Converted::NoMore(path, leaf) => builder.add_whole(path, leaf)?,
        }
    }
    for delta in deltas {
        if delta.after.is_none() && gone.contains(&delta.path) {
            continue;
        }
        let from = from.remove(&delta.path);
        builder.add(delta, from)?;
    }
    Ok(builder.finish())
}

/// A file that the change leaves alone and that its attributes treat in another way.
enum Converted {
    /// From now on they convert it: what is checked out of it is no longer what was reviewed.
    Newly(Vec<u8>, Leaf),
    /// They convert it no more: what git has of it is checked out as it is, and was never reviewed so.
    NoMore(Vec<u8>, Leaf),
}

/// Lists the files that the change leaves alone and whose conversion its attributes begin or end.
fn converted(
    objects: &Objects,
    snapshot: &Snapshot,
    deltas: &[Delta],
    base: Option<ObjectId>,
) -> Result<Vec<Converted>, ScopeError> {
    let has_rules = |delta: &Delta| delta.path.rsplit(|byte| *byte == b'/').next() == Some(b".gitattributes");
    let Some(base) = base.filter(|_| deltas.iter().any(has_rules)) else { return Ok(Vec::new()) };
    let is_changed = |path: &[u8]| deltas.binary_search_by(|delta| delta.path.as_slice().cmp(path)).is_ok();
    let now: BTreeSet<&[u8]> = snapshot.converting().collect();
    let mut rules_of: BTreeMap<Vec<u8>, Attributes> = BTreeMap::new();
    let mut found = Vec::new();
    for (path, leaf) in snapshot.leaves().into_iter().filter(|(path, leaf)| !is_changed(path) && leaf.mode.is_file()) {
        let folder = path.iter().rposition(|byte| *byte == b'/').map_or(&b""[..], |at| &path[..=at]);
        if !rules_of.contains_key(folder) {
            rules_of.insert(folder.to_vec(), base_attributes(objects, base, folder)?);
        }
        match (rules_of[folder].convert(&path), now.contains(path.as_slice())) {
            (false, true) => found.push(Converted::Newly(path, leaf)),
            (true, false) => found.push(Converted::NoMore(path, leaf)),
            (true, true) | (false, false) => {}
        }
    }
    Ok(found)
}

/// Reads the attributes that the base has for the files of a folder, whose path ends with a slash.
pub(super) fn base_attributes(objects: &Objects, base: ObjectId, folder: &[u8]) -> Result<Attributes, ScopeError> {
    let mut rules = Attributes::default();
    let folders = folder.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &folder[..=at]);
    for folder in std::iter::once(&b""[..]).chain(folders) {
        let file = objects.find(base, &[folder, b".gitattributes"].concat())?;
        if let Some(file) = file.filter(|leaf| leaf.mode.is_file()) {
            rules = rules.with(folder, &objects.blob(file.id)?);
        }
    }
    Ok(rules)
}

/// Reads files as a whole: every line counts as touched.
pub(super) fn of_whole(snapshot: &Snapshot, leaves: Vec<(Vec<u8>, Leaf)>) -> Result<Files, ScopeError> {
    let objects = snapshot.git.lend();
    let mut builder = Builder::new(snapshot, &objects);
    for (path, leaf) in leaves {
        builder.add_whole(path, leaf)?;
    }
    Ok(builder.finish())
}

/// Pairs paths that are new with those that are gone and had the same content: new path → old path, both in order.
fn renames(deltas: &[Delta]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let is_nameable = |path: &[u8]| legal(path).is_ok();
    let mut gone: BTreeMap<(ObjectId, &str), Vec<&[u8]>> = BTreeMap::new();
    for delta in deltas.iter().rev() {
        if let (Some(leaf), None) = (delta.before, delta.after)
            && leaf.mode != Mode::Commit
            && is_nameable(&delta.path)
        {
            gone.entry((leaf.id, leaf.mode.octal())).or_default().push(&delta.path);
        }
    }
    let mut pairs = BTreeMap::new();
    for delta in deltas {
        if let (None, Some(leaf)) = (delta.before, delta.after)
            && is_nameable(&delta.path)
            && let Some(from) = gone.get_mut(&(leaf.id, leaf.mode.octal())).and_then(Vec::pop)
        {
            pairs.insert(delta.path.clone(), from.to_vec());
        }
    }
    pairs
}

fn legal(path: &[u8]) -> Result<RepoPath, Why> {
    let text = std::str::from_utf8(path).map_err(|_| Why::PathNotUtf8)?;
    RepoPath::new(text).map_err(|_| Why::PathIllegal)
}

/// Tells whether more of a text changes than is reviewed. A lockfile is read as a list of packages, however long that is.
fn changes_too_much(path: &[u8], before: Option<&[u8]>, after: Option<&[u8]>) -> bool {
    let Some(after) = after.filter(|after| after.len() as u64 > LARGEST_TEXT && !is_lockfile(path)) else {
        return false;
    };
    let (before, after) = (lines::split(before.unwrap_or_default()), lines::split(after));
    let size = |hunk: &lines::Hunk| after[hunk.after.clone()].iter().map(|line| line.len() as u64).sum::<u64>();
    lines::compare(&before, &after).iter().map(size).sum::<u64>() > LARGEST_TEXT
}

/// Tells whether a symlink leads out of the repository, by its text alone. A link on the way may lead anywhere; it is looked at where it lies.
fn leads_out(path: &[u8], target: &[u8]) -> bool {
    let mut depth = path.iter().filter(|byte| **byte == b'/').count();
    target.starts_with(b"/")
        || target.split(|byte| *byte == b'/').any(|part| match part {
            b"" | b"." => false,
            b".." => match depth.checked_sub(1) {
                Some(above) => {
                    depth = above;
                    false
                }
                None => true,
            },
            _ => {
                depth += 1;
                false
            }
        })
}

fn patch_id(digest: Sha256) -> PatchId {
    let digits: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    PatchId::new(&digits).expect("a SHA-256 is 64 hexadecimal digits")
}

/// What a file has after the change: text, or an image that was checked.
#[derive(Default)]
struct Content {
    text: Option<Arc<[u8]>>,
    asset: Option<Asset>,
}

struct Builder<'a> {
    snapshot: &'a Snapshot,
    objects: &'a Objects,
    files: Vec<ChangedFile>,
    change: Change,
    unreviewed: Vec<Unreviewed>,
    patch: Sha256,
    /// The patch of the path that is being added.
    own: Sha256,
}

impl<'a> Builder<'a> {
    fn new(snapshot: &'a Snapshot, objects: &'a Objects) -> Builder<'a> {
        let (files, unreviewed) = (Vec::new(), Vec::new());
        let (patch, own) = (Sha256::new(), Sha256::new());
        Builder { snapshot, objects, files, change: Change::default(), unreviewed, patch, own }
    }

    fn finish(mut self) -> Files {
        // By path as text, so that a file and a folder whose names begin alike stand as people sort them.
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let patch = patch_id(self.patch);
        Files { files: self.files, change: self.change, unreviewed: self.unreviewed, patch }
    }

    fn add(&mut self, delta: Delta, from: Option<Vec<u8>>) -> Result<(), ScopeError> {
        let Delta { path, before, after } = delta;
        self.own = Sha256::new();
        self.note(b"path", &path);
        self.note(b"from", from.as_deref().unwrap_or_default());
        for leaf in [before, after] {
            self.note(b"mode", leaf.map_or("", |leaf| leaf.mode.octal()).as_bytes());
        }
        let file = match legal(&path) {
            Ok(file) => file,
            Err(why) => {
                self.refuse(&path, why, before, after);
                return Ok(());
            }
        };
        if after.is_some_and(|leaf| leaf.mode == Mode::Commit) {
            self.refuse(&path, Why::Submodule, before, after);
            // The former content is gone all the same.
            if before.is_none_or(|leaf| leaf.mode == Mode::Commit) {
                return Ok(());
            }
        }
        if let Some(from) = from {
            let (from, leaf) = (legal(&from), after.expect("a renamed file has both sides"));
            let is = self.after(&path, leaf)?.unwrap_or_default();
            let from = from.expect("only nameable paths are paired");
            // A note that becomes a program was never looked at as one.
            if from.extension() != file.extension() {
                self.touch(&file, b"", is.text.as_deref().unwrap_or_default());
            }
            let change = FileChange::Renamed { from };
            self.push(file, change, Some(leaf), is.text.clone(), is);
            return Ok(());
        }
        let was = match before.filter(|leaf| leaf.mode != Mode::Commit) {
            Some(leaf) => Some(self.before(&path, leaf)?),
            None => None,
        };
        let is = match after.filter(|leaf| leaf.mode != Mode::Commit) {
            Some(leaf) => Some(self.after(&path, leaf)?),
            None => None,
        };
        let is_same = before.map(|leaf| leaf.id) == after.map(|leaf| leaf.id);
        // A file that was unreadable before and is gone or readable now needs no reading: its path says enough.
        let why = match (&was, &is) {
            (_, Some(Err(why))) if !is_same => Some(*why),
            (Some(Err(Why::MissingObject)), Some(Ok(_))) => Some(Why::MissingObject),
            _ => None,
        };
        if let Some(why) = why {
            self.refuse(&path, why, before, after);
            return Ok(());
        }
        let change = match (before, after) {
            (None, _) => FileChange::Added,
            (_, None) => FileChange::Deleted,
            (Some(a), Some(b)) if (a.mode == Mode::Link) != (b.mode == Mode::Link) => FileChange::TypeChanged,
            _ if is_same => FileChange::ModeChanged,
            _ => FileChange::Modified,
        };
        // A submodule that became a file is new as a file, and the other way round.
        let change = match change {
            FileChange::Modified if was.is_none() => FileChange::Added,
            FileChange::TypeChanged | FileChange::Modified if is.is_none() => FileChange::Deleted,
            change => change,
        };
        let (was, is) = (was.and_then(Result::ok), is.and_then(Result::ok).unwrap_or_default());
        if !is_same && changes_too_much(&path, was.as_deref(), is.text.as_deref()) {
            self.refuse(&path, Why::TooLarge, before, after);
            return Ok(());
        }
        if !matches!(change, FileChange::ModeChanged) {
            // Content that cannot be shown still tells patches apart.
            for (leaf, content) in [(before, &was), (after, &is.text)] {
                if content.is_none() {
                    self.note(b"id", leaf.map(|leaf| hex(&leaf.id)).unwrap_or_default().as_bytes());
                }
            }
            let (old, new) = (was.as_deref().unwrap_or_default(), is.text.as_deref().unwrap_or_default());
            if change == FileChange::TypeChanged {
                // A link's target and a file's text are not alike even if they are spelled alike.
                self.touch(&file, old, b"");
                self.touch(&file, b"", new);
            } else {
                self.touch(&file, old, new);
            }
        }
        self.push(file, change, after, was, is);
        Ok(())
    }

    fn add_whole(&mut self, path: Vec<u8>, leaf: Leaf) -> Result<(), ScopeError> {
        self.own = Sha256::new();
        self.note(b"path", &path);
        self.note(b"mode", leaf.mode.octal().as_bytes());
        let read = match legal(&path) {
            Ok(_) if leaf.mode == Mode::Commit => Err(Why::Submodule),
            Ok(file) => self.after(&path, leaf)?.map(|content| (file, content)),
            Err(why) => Err(why),
        };
        match read {
            Ok((_, is)) if changes_too_much(&path, None, is.text.as_deref()) => {
                self.refuse(&path, Why::TooLarge, None, Some(leaf));
            }
            Ok((file, is)) => {
                match &is.text {
                    Some(text) => self.touch(&file, b"", text),
                    None => self.note(b"id", hex(&leaf.id).as_bytes()),
                }
                self.push(file, FileChange::Whole, Some(leaf), None, is);
            }
            Err(why) => self.refuse(&path, why, None, Some(leaf)),
        }
        Ok(())
    }

    fn push(
        &mut self,
        path: RepoPath,
        change: FileChange,
        leaf: Option<Leaf>,
        before: Option<Arc<[u8]>>,
        Content { text: after, asset }: Content,
    ) {
        self.change.add_file(path.clone());
        let leaf = leaf.filter(|leaf| leaf.mode != Mode::Commit);
        let is_symlink = leaf.is_some_and(|leaf| leaf.mode == Mode::Link);
        let (id, patch) = (leaf.map(|leaf| hex(&leaf.id)), patch_id(self.own.clone()));
        self.files.push(ChangedFile { path, change, id, patch, before, after, is_symlink, asset });
    }

    /// Lists something as unreviewed. Its ids stand for its content in the patch.
    fn refuse(&mut self, path: &[u8], why: Why, before: Option<Leaf>, after: Option<Leaf>) {
        for leaf in [before, after] {
            self.note(b"id", leaf.map(|leaf| hex(&leaf.id)).unwrap_or_default().as_bytes());
        }
        let path = String::from_utf8_lossy(path).into_owned();
        self.unreviewed.push(Unreviewed { path, why, id: after.map(|leaf| hex(&leaf.id)) });
    }

    /// Takes the lines in which two contents differ as touched, and into the patch.
    fn touch(&mut self, file: &RepoPath, before: &[u8], after: &[u8]) {
        let (before, after) = (lines::split(before), lines::split(after));
        let hunks = lines::compare(&before, &after);
        // Where nothing was, there is only one place.
        let outline = (!before.is_empty() && !hunks.is_empty()).then(|| Outline::of(&before));
        for hunk in hunks {
            let place = outline.as_ref().map(|outline| outline.place(&hunk.before, &after[hunk.after.clone()]));
            self.note(b"hunk", place.as_ref().map_or(b"", |place| place.as_slice()));
            if let Some(lines) = lines::around(&hunk.after, after.len()) {
                self.change.add_lines(file.clone(), Side::Right, lines);
            }
            for (side, range, all) in [(Side::Left, hunk.before, &before), (Side::Right, hunk.after, &after)] {
                self.note(side.token().as_bytes(), &all[range.clone()].concat());
                if let Some(lines) = lines::lines(&range) {
                    self.change.add_lines(file.clone(), side, lines);
                }
            }
        }
    }

    /// Takes something into the patch, and into that of the path, so that no two lists of things look alike.
    fn note(&mut self, what: &[u8], value: &[u8]) {
        for patch in [&mut self.patch, &mut self.own] {
            patch.update(what);
            patch.update([0]);
            patch.update((value.len() as u64).to_le_bytes());
            patch.update(value);
        }
    }

    fn before(&self, path: &[u8], leaf: Leaf) -> Result<Result<Arc<[u8]>, Why>, ScopeError> {
        if self.objects.blob_size(leaf.id).is_some_and(|size| size > largest(path)) {
            return Ok(Err(Why::TooLarge));
        }
        Ok(match self.objects.try_blob(leaf.id)? {
            None => Err(Why::MissingObject),
            Some(bytes) if is_binary(&bytes) => Err(Why::Binary),
            Some(bytes) => Ok(bytes.into()),
        })
    }

    fn after(&self, path: &[u8], leaf: Leaf) -> Result<Result<Content, Why>, ScopeError> {
        if self.snapshot.size(self.objects, path, leaf).is_some_and(|size| size > largest(path)) {
            return Ok(Err(Why::TooLarge));
        }
        let bytes = self.snapshot.bytes(self.objects, path, leaf)?;
        let name = std::str::from_utf8(path).unwrap_or_default();
        let asset = if leaf.mode.is_file() { asset::check(name, &bytes) } else { None };
        Ok(if let Some(Err(why)) = asset {
            Err(why)
        } else if let Some(Ok(asset)) = asset.filter(|_| !self.snapshot.is_converted(path)) {
            Ok(Content { text: None, asset: Some(asset) })
        } else if is_binary(&bytes) {
            Err(if is_program(&bytes) { Why::Program } else { Why::Binary })
        } else if leaf.mode.is_file() && pointer(&bytes).is_some() {
            Err(Why::LfsPointer)
        } else if leaf.mode == Mode::Link && leads_out(path, &bytes) {
            Err(Why::LinkOutside)
        } else if self.snapshot.is_converted(path) {
            Err(Why::Converted)
        } else {
            Ok(Content { text: Some(bytes), asset: None })
        })
    }
}
