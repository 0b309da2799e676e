//! A repository in; its working tree as it was read out: every file with its id, the id of the whole, and the bytes that
//! no object has. The folders are listed by several threads; the result does not depend on which was first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::Scope;

use gix::index::entry::{Flags, Mode as IndexMode};

use super::attributes::Attributes;
use super::content::{self, Conversion, Identifier};
use super::folder::{self, Found, Listing, Task, TaskKind};
use super::git_tree::{self, Child, Folder, Leaf, Mode};
use super::ignore::Ignores;
use super::objects::{Entry, Handles, Objects, hex};
use super::second_look::{Deciding, Look, Seen};
use super::{Repository, ScopeError, Unidentified, comparison};
use crate::model::{RepoPath, TreeFileKind, TreeFiles, TreeId};

/// Another thread helps when so many folders wait; for fewer it costs more than it gains.
const MANY_WAITING: usize = 8;
/// The same for a tree with fewer than so many tracked files, whose folders are small.
const MANY_WAITING_IF_SMALL: usize = 64;
const FEW_FILES: usize = 1_000;
/// An index with fewer bytes is read by one thread.
const SMALL_INDEX: u64 = 1 << 20;

/// Takes a path, its kind, and its bytes; an error stops the walk with a reason.
pub type Visitor<'v> = dyn FnMut(&[u8], TreeFileKind, &[u8]) -> Result<(), String> + 'v;

/// The working tree as it was read. A clone of it shares the large parts.
#[derive(Clone)]
pub struct Snapshot {
    id: TreeId,
    pub(super) git: Arc<Handles>,
    root: PathBuf,
    pub(super) folders: Arc<[Folder]>,
    /// Jury's own files, which are no part of the tree.
    pub(super) left_out: BTreeSet<Vec<u8>>,
    unidentified: Vec<Unidentified>,
    kept: Arc<BTreeMap<Vec<u8>, Arc<[u8]>>>,
    /// The files that attributes convert.
    converting: Arc<BTreeMap<Vec<u8>, Conversion>>,
    /// All that decided; `None` if something else did, too.
    seen: Option<Arc<Seen>>,
    /// The index that it was taken of, if it is the staged tree.
    pub(super) index: Option<PathBuf>,
}

/// The parts of a snapshot whose files are all objects.
pub(super) struct Assembled {
    pub(super) id: TreeId,
    pub(super) folders: Vec<Folder>,
    pub(super) left_out: BTreeSet<Vec<u8>>,
    pub(super) unidentified: Vec<Unidentified>,
    pub(super) index: Option<PathBuf>,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Puts the staged tree together.
    pub(super) fn assembled(repository: &Repository, parts: Assembled) -> Self {
        let Assembled { id, folders, left_out, unidentified, index } = parts;
        Self {
            id,
            git: repository.git.clone(),
            root: repository.root.clone(),
            folders: folders.into(),
            left_out,
            unidentified,
            kept: Arc::default(),
            converting: Arc::default(),
            seen: None,
            index,
        }
    }

    /// Returns the git tree id of the working tree.
    pub fn id(&self) -> &TreeId {
        &self.id
    }

    /// Tells whether everything in the working tree could be identified, so that its id speaks for all of it.
    pub fn is_whole(&self) -> bool {
        self.unidentified.is_empty()
    }

    /// Tells whether nothing in the working tree was touched since it was read, as far as that can be told without a new snapshot.
    /// `own` is that of [`Repository::snapshot`].
    pub fn is_untouched(&self, own: &dyn Fn(&RepoPath, &[u8]) -> bool) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.is_same(&self.root, &self.git, &self.left_out, own))
    }

    /// Returns the bytes of a file as they were captured; `None` if it is no file of the tree, or cannot be had any more.
    pub fn file(&self, path: &RepoPath) -> Option<Vec<u8>> {
        let leaf = self.leaf(path.as_str().as_bytes()).filter(|leaf| leaf.mode != Mode::Commit)?;
        self.bytes(&self.git.lend(), path.as_str().as_bytes(), leaf).ok().map(|bytes| bytes.to_vec())
    }

    /// Returns the bytes of a file as [`Snapshot::file`] does; `None` also for a symlink, whose bytes are no text of a file.
    pub fn regular_file(&self, path: &RepoPath) -> Option<Vec<u8>> {
        let leaf = self.leaf(path.as_str().as_bytes()).filter(|leaf| leaf.mode != Mode::Link)?;
        (leaf.mode != Mode::Commit).then(|| self.file(path)).flatten()
    }

    /// Returns the id of a file's content; `None` if it is no file of the tree.
    pub fn file_id(&self, path: &RepoPath) -> Option<String> {
        self.leaf(path.as_str().as_bytes()).filter(|leaf| leaf.mode != Mode::Commit).map(|leaf| hex(&leaf.id))
    }

    /// Shows every file and symlink as it was captured, by path.
    pub fn visit(&self, each: &mut Visitor<'_>) -> Result<(), String> {
        let objects = self.git.lend();
        for (path, leaf) in self.leaves() {
            let Some(kind) = leaf.mode.kind() else { continue };
            let bytes = self.bytes(&objects, &path, leaf).map_err(|error| error.to_string())?;
            each(&path, kind, &bytes)?;
        }
        Ok(())
    }

    /// Returns the bytes that a leaf was identified by: those that were kept, or those of the object, or those of the
    /// file if it is still the same.
    pub(super) fn bytes(&self, objects: &Objects, path: &[u8], leaf: Leaf) -> Result<Arc<[u8]>, ScopeError> {
        if let Some(bytes) = self.kept.get(path) {
            return Ok(bytes.clone());
        }
        if let Some(bytes) = objects.try_blob(leaf.id)? {
            return Ok(bytes.into());
        }
        let place = gix::path::from_byte_slice(path).ok().map(|path| self.root.join(path));
        let bytes = place.and_then(|place| content::read_again(objects, &place, leaf));
        bytes.map(Arc::from).ok_or_else(|| ScopeError::Moved(String::from_utf8_lossy(path).into_owned()))
    }

    /// Tells whether git stores, or may store, other bytes for a file than it has.
    pub(super) fn is_converted(&self, path: &[u8]) -> bool {
        self.converting.get(path) == Some(&Conversion::Converted)
    }

    /// Returns the files that attributes convert, by path.
    pub(super) fn converting(&self) -> impl Iterator<Item = &[u8]> {
        self.converting.keys().map(Vec::as_slice)
    }

    /// Returns the size of a leaf's content, where it is known without reading it whole.
    pub(super) fn size(&self, objects: &Objects, path: &[u8], leaf: Leaf) -> Option<u64> {
        if let Some(bytes) = self.kept.get(path) {
            return Some(bytes.len() as u64);
        }
        objects.blob_size(leaf.id).or_else(|| {
            let place = self.root.join(gix::path::from_byte_slice(path).ok()?);
            std::fs::symlink_metadata(place).ok().map(|metadata| metadata.len())
        })
    }

    /// Returns every leaf, by path.
    pub(super) fn leaves(&self) -> Vec<(Vec<u8>, Leaf)> {
        let mut leaves = Vec::new();
        for folder in self.folders.iter() {
            for (name, child) in &folder.children {
                if let Child::Leaf(leaf) = child {
                    leaves.push(([folder.path.as_slice(), name].concat(), *leaf));
                }
            }
        }
        leaves.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        leaves
    }

    fn child(&self, path: &[u8]) -> Option<&Child> {
        let mut folder = self.folders.first()?;
        let mut names = path.split(|byte| *byte == b'/').peekable();
        while let Some(name) = names.next() {
            let (_, child) = folder.children.iter().find(|(other, _)| **other == *name)?;
            match child {
                child if names.peek().is_none() => return Some(child),
                Child::Folder(index) => folder = &self.folders[*index],
                Child::Leaf(_) => return None,
            }
        }
        None
    }

    pub(super) fn leaf(&self, path: &[u8]) -> Option<Leaf> {
        match self.child(path)? {
            Child::Leaf(leaf) => Some(*leaf),
            Child::Folder(_) => None,
        }
    }

    /// Tells whether there is a file at a path, or a folder that holds one.
    pub(super) fn has(&self, path: &[u8]) -> bool {
        path.is_empty()
            || self.unidentified.iter().any(|(other, _)| comparison::is_below(other, path))
            || match self.child(path) {
                Some(Child::Leaf(_)) => true,
                Some(Child::Folder(index)) => self.folders[*index].id.is_some(),
                None => false,
            }
    }

    /// Returns the names of the files in a folder.
    pub(super) fn files_in(&self, folder: &[u8]) -> Vec<&[u8]> {
        let found = match (folder.is_empty(), self.child(folder)) {
            (true, _) => self.folders.first(),
            (false, Some(Child::Folder(index))) => Some(&self.folders[*index]),
            (false, _) => None,
        };
        let children = found.into_iter().flat_map(|folder| &folder.children);
        children.filter(|(_, child)| matches!(child, Child::Leaf(_))).map(|(name, _)| &**name).collect()
    }

    pub(super) fn unidentified(&self) -> &[Unidentified] {
        &self.unidentified
    }
}

impl TreeFiles for Snapshot {
    fn paths(&self) -> Vec<RepoPath> {
        let files = self.leaves().into_iter().filter(|(_, leaf)| leaf.mode.is_file());
        files.filter_map(|(path, _)| RepoPath::new(std::str::from_utf8(&path).ok()?).ok()).collect()
    }

    fn links(&self) -> Vec<(RepoPath, Arc<[u8]>)> {
        let objects = self.git.lend();
        let links = self.leaves().into_iter().filter(|(_, leaf)| leaf.mode == Mode::Link);
        let read = |(path, leaf): (Vec<u8>, Leaf)| {
            let name = RepoPath::new(std::str::from_utf8(&path).ok()?).ok()?;
            Some((name, self.bytes(&objects, &path, leaf).ok()?))
        };
        links.filter_map(read).collect()
    }

    fn text(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let path = path.as_str().as_bytes();
        let objects = self.git.lend();
        let leaf = self.leaf(path).filter(|leaf| leaf.mode.is_file())?;
        self.size(&objects, path, leaf).filter(|size| *size <= content::largest_searched(path))?;
        self.bytes(&objects, path, leaf).ok().filter(|bytes| !content::is_binary(bytes))
    }
}

impl Repository {
    /// Lists and identifies the working tree. `own` says of the files below `.code-review/` and `docs/code-reviews/`
    /// which are Jury's own: those are left out, and nothing else is.
    pub fn snapshot(&self, own: &dyn Fn(&RepoPath, &[u8]) -> bool) -> Result<Snapshot, ScopeError> {
        match self.git.fixed_head() {
            Some(commit) => self.of_commit(commit, own),
            None => take(self, own),
        }
    }
}

/// Reads the working tree.
fn take(repository: &Repository, own: &dyn Fn(&RepoPath, &[u8]) -> bool) -> Result<Snapshot, ScopeError> {
    let objects = repository.git.lend();
    let config = objects.git.config_snapshot();
    let named = config.string("core.attributesFile").and_then(|path| place_named(repository, path.as_ref()));
    let attributes_of_all = repository.common_dir.join("info/attributes");
    // Before anything is read: a second look notices later changes.
    let deciding = [Some(index_path(repository)), named.clone(), Some(attributes_of_all.clone())];
    let deciding = Deciding::read(deciding.into_iter().flatten().collect());
    let index = read_index(&index_path(repository), &objects)?;
    let normalises = config.string("core.autocrlf").is_some_and(|word| {
        ["true", "input", "yes", "on", "1"].iter().any(|on| word.eq_ignore_ascii_case(on.as_bytes()))
    });
    let mut attributes = Attributes::default();
    if let Some(text) = named.and_then(|path| std::fs::read(path).ok()) {
        attributes = attributes.with(b"", &text).local();
    }
    if let Ok(text) = std::fs::read(attributes_of_all) {
        attributes = attributes.overruled_by(&text);
    }
    let tracked = 0..index.entries().len();
    let identifier = Identifier { index, normalises, kept: AtomicU64::new(0) };
    let root = Task { path: Vec::new(), tracked, ignores: Ignores::default(), attributes, kind: TaskKind::All };
    let walked = walk(repository, &identifier, root);
    let Shared { mut folders, candidates, mut unidentified, kept, converting, looks, is_unsure, .. } = walked;
    let folder_looks = looks.into_iter().map(|(at, look)| (folders[at].path.clone(), look));
    let seen = Seen { folders: folder_looks.collect(), deciding };
    let is_all_seen = unidentified.is_empty() && !is_unsure;
    let mut left_out = BTreeSet::new();
    for (folder, name, bytes) in candidates {
        let folder = &mut folders[folder];
        let path = [folder.path.as_slice(), &name].concat();
        let legal = std::str::from_utf8(&path).ok().and_then(|path| RepoPath::new(path).ok());
        if legal.is_some_and(|legal| own(&legal, &bytes)) {
            folder.children.retain(|(other, _)| *other != name);
            left_out.insert(path);
        }
    }
    let id = git_tree::identify(&objects, &mut folders)?;
    unidentified.sort_unstable_by(|(a, one), (b, two)| (a, one.token()).cmp(&(b, two.token())));
    unidentified.dedup();
    Ok(Snapshot {
        id: TreeId::new(&hex(&id)).expect("an object id is hexadecimal"),
        git: repository.git.clone(),
        root: repository.root.clone(),
        folders: folders.into(),
        left_out,
        unidentified,
        kept: Arc::new(kept),
        converting: Arc::new(converting),
        seen: is_all_seen.then(|| Arc::new(seen)),
        index: None,
    })
}

/// Returns where a file lies that the repository's configuration names.
fn place_named(repository: &Repository, path: &gix::bstr::BStr) -> Option<PathBuf> {
    Some(repository.root.join(gix::path::from_byte_slice(path).ok()?))
}

pub(super) fn index_path(repository: &Repository) -> PathBuf {
    repository.git_dir.join("index")
}

/// Reads an index, the folders of a sparse one written out.
pub(super) fn read_index(path: &Path, objects: &Objects) -> Result<gix::index::File, ScopeError> {
    let hash = objects.git.object_hash();
    // Even to ask how many threads there could be takes longer than to read a small index.
    let is_small = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() < SMALL_INDEX);
    let thread_limit = Some(if is_small { 1 } else { super::threads() });
    let options = gix::index::decode::Options { thread_limit, ..Default::default() };
    // The checksum protects against accidents and costs as much as everything else here; git checks it when it writes.
    let read = gix::index::File::at_or_default(path, hash, true, options);
    let mut index = read.map_err(ScopeError::git(path.display().to_string()))?;
    let sparse: Vec<(Vec<u8>, gix::ObjectId)> = index
        .entries()
        .iter()
        .filter(|entry| entry.mode == IndexMode::DIR)
        .map(|entry| (entry.path(&index).to_vec(), entry.id))
        .collect();
    if sparse.is_empty() {
        return Ok(index);
    }
    index.remove_entries(|_, _, entry| entry.mode == IndexMode::DIR);
    let mut todo = sparse;
    while let Some((prefix, id)) = todo.pop() {
        for (name, entry) in objects.tree(id)? {
            let path = [prefix.as_slice(), &name].concat();
            match entry {
                Entry::Tree(id) => todo.push(([path.as_slice(), b"/"].concat(), id)),
                Entry::Leaf(leaf) => {
                    let mode = match leaf.mode {
                        Mode::Plain => IndexMode::FILE,
                        Mode::Executable => IndexMode::FILE_EXECUTABLE,
                        Mode::Link => IndexMode::SYMLINK,
                        Mode::Commit => IndexMode::COMMIT,
                    };
                    let path: &gix::bstr::BStr = path.as_slice().into();
                    index.dangerously_push_entry(Default::default(), leaf.id, Flags::SKIP_WORKTREE, mode, path);
                }
            }
        }
    }
    index.sort_entries();
    Ok(index)
}

/// Shared by the threads.
#[derive(Default)]
struct Shared {
    tasks: Vec<(usize, Task)>,
    /// How many tasks were given out and are not done.
    running: usize,
    folders: Vec<Folder>,
    kept: BTreeMap<Vec<u8>, Arc<[u8]>>,
    converting: BTreeMap<Vec<u8>, Conversion>,
    candidates: Vec<(usize, Box<[u8]>, Vec<u8>)>,
    unidentified: Vec<Unidentified>,
    /// How folders looked, by their indices.
    looks: Vec<(usize, Look)>,
    is_unsure: bool,
    helpers: usize,
}

impl Shared {
    fn add(&mut self, at: usize, listing: Listing) {
        let Listing { leaves, folders, unidentified, look, is_unsure } = listing;
        self.looks.extend(look.map(|look| (at, look)));
        self.is_unsure |= is_unsure;
        let path = self.folders[at].path.clone();
        let mut children: Vec<(Box<[u8]>, Child)> = Vec::with_capacity(leaves.len() + folders.len());
        for Found { name, leaf, bytes, candidate, conversion } in leaves {
            if conversion != Conversion::None {
                self.converting.insert([path.as_slice(), &name].concat(), conversion);
            }
            if let Some(bytes) = bytes {
                self.kept.insert([path.as_slice(), &name].concat(), bytes);
            }
            if let Some(bytes) = candidate {
                self.candidates.push((at, name.clone(), bytes));
            }
            children.push((name, Child::Leaf(leaf)));
        }
        for (name, task) in folders {
            let index = self.folders.len();
            self.folders.push(Folder { path: task.path.clone(), ..Folder::default() });
            children.push((name, Child::Folder(index)));
            self.tasks.push((index, task));
        }
        self.folders[at].children = children;
        self.unidentified.extend(unidentified);
    }
}

fn walk(repository: &Repository, identifier: &Identifier, root: Task) -> Shared {
    let shared = Shared { tasks: vec![(0, root)], folders: vec![Folder::default()], ..Shared::default() };
    let walk = Walk { repository, identifier, shared: Mutex::new(shared), changed: Condvar::new() };
    std::thread::scope(|scope| walk.work(scope));
    walk.shared.into_inner().expect("every thread ended well")
}

/// A walk through the folders.
struct Walk<'a> {
    repository: &'a Repository,
    identifier: &'a Identifier,
    shared: Mutex<Shared>,
    changed: Condvar,
}

impl Walk<'_> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("no thread panics while it holds the lock")
    }

    /// Lists folders until none is left, with the help of other threads where many wait.
    fn work<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let objects = self.repository.git.lend();
        let is_small = self.identifier.index.entries().len() < FEW_FILES;
        let many = if is_small { MANY_WAITING_IF_SMALL } else { MANY_WAITING };
        let mut state = self.lock();
        loop {
            if let Some((at, task)) = state.tasks.pop() {
                state.running += 1;
                drop(state);
                let done = Done { shared: &self.shared, changed: &self.changed };
                let listing = folder::list(&self.repository.root, self.identifier, &objects, &task);
                self.lock().add(at, listing);
                drop(done);
                state = self.lock();
                if state.tasks.len() >= many && state.helpers + 1 < super::threads() {
                    state.helpers += 1;
                    scope.spawn(|| self.work(scope));
                }
            } else if state.running == 0 {
                return;
            } else {
                state = self.changed.wait(state).expect("no thread panics while it holds the lock");
            }
        }
    }
}

/// Counts a task as done even if its thread panics, so that the others do not wait for ever.
struct Done<'a> {
    shared: &'a Mutex<Shared>,
    changed: &'a Condvar,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        let is_alone = self.shared.lock().is_ok_and(|mut state| {
            state.running -= 1;
            state.helpers == 0
        });
        if !is_alone {
            self.changed.notify_all();
        }
    }
}
