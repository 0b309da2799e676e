//! Object ids in; objects out, each held against its id.
//!
//! A damaged or planted object would show the reviewers another past than the one that happened, so nothing is believed
//! that does not hash to its id. Deliberately not here: replacements, grafts, the network.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use gix::ObjectId;
use gix::objs::Kind;

use super::ScopeError;
use super::git_tree::{Leaf, Mode};

/// How many bytes of commits and trees one handle keeps.
const MOST_CACHED: usize = 4 << 20;

/// A repository, opened once. Its handles go from one use to the next: a new one has to look for packs again.
pub(super) struct Handles {
    git: gix::ThreadSafeRepository,
    idle: Mutex<Vec<Objects>>,
    /// The commit that stands for HEAD, if another one does.
    head: Option<ObjectId>,
}

/// A handle that goes back when it is dropped.
pub(super) struct Lent<'h> {
    handles: &'h Handles,
    objects: Option<Objects>,
}

/// The object database of a repository, for one thread.
pub(super) struct Objects {
    pub(super) git: gix::Repository,
    /// The commit that stands for HEAD, if another one does.
    pub(super) head: Option<ObjectId>,
    cache: RefCell<ObjectCache>,
}

/// Commits and trees that were held against their ids, which name the same bytes for ever.
#[derive(Default)]
struct ObjectCache {
    objects: HashMap<ObjectId, (Kind, Arc<[u8]>)>,
    size: usize,
}

impl Handles {
    pub(super) fn new(git: gix::ThreadSafeRepository) -> Handles {
        Handles { git, idle: Mutex::default(), head: None }
    }

    /// Returns handles of the same repository for which a commit stands for HEAD.
    pub(super) fn at(&self, head: ObjectId) -> Handles {
        Handles { git: self.git.clone(), idle: Mutex::default(), head: Some(head) }
    }

    /// Returns the commit that stands for HEAD, if another one does.
    pub(super) fn fixed_head(&self) -> Option<ObjectId> {
        self.head
    }

    /// Lends a handle.
    pub(super) fn lend(&self) -> Lent<'_> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let new = || Objects { git: self.git.to_thread_local(), head: self.head, cache: RefCell::default() };
        Lent { handles: self, objects: Some(idle.unwrap_or_else(new)) }
    }
}

impl Deref for Lent<'_> {
    type Target = Objects;

    fn deref(&self) -> &Objects {
        self.objects.as_ref().expect("a handle is there until it is dropped")
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut idle = self.handles.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.objects.take());
    }
}

/// One entry of a tree.
pub(super) enum Entry {
    Leaf(Leaf),
    Tree(ObjectId),
}

/// Returns the hexadecimal digits of an id.
pub(super) fn hex(id: &ObjectId) -> String {
    id.to_hex().to_string()
}

impl Objects {
    /// Returns the id that content has in this repository.
    pub(super) fn id_of(&self, kind: Kind, data: &[u8]) -> Result<ObjectId, ScopeError> {
        gix::objs::compute_hash(self.git.object_hash(), kind, data).map_err(ScopeError::git("an object id"))
    }

    /// Reads an object if it is there.
    fn try_read(&self, id: ObjectId, kind: Kind, what: &'static str) -> Result<Option<Vec<u8>>, ScopeError> {
        let found = self.git.try_find_object(id).map_err(ScopeError::git(format!("{what} {id}")))?;
        let Some(object) = found else { return Ok(None) };
        let object = object.detach();
        if object.kind != kind || self.id_of(kind, &object.data)? != id {
            return Err(ScopeError::DamagedObject { what, id: hex(&id) });
        }
        Ok(Some(object.data))
    }

    fn read(&self, id: ObjectId, kind: Kind, what: &'static str) -> Result<Vec<u8>, ScopeError> {
        self.try_read(id, kind, what)?.ok_or_else(|| ScopeError::MissingObject { what, id: hex(&id) })
    }

    /// Reads a commit or a tree, each once.
    fn read_cached(&self, id: ObjectId, kind: Kind, what: &'static str) -> Result<Arc<[u8]>, ScopeError> {
        if let Some((cached, data)) = self.cache.borrow().objects.get(&id) {
            let is_it = *cached == kind;
            return if is_it { Ok(data.clone()) } else { Err(ScopeError::DamagedObject { what, id: hex(&id) }) };
        }
        let data: Arc<[u8]> = self.read(id, kind, what)?.into();
        let mut cache = self.cache.borrow_mut();
        if cache.size + data.len() <= MOST_CACHED {
            cache.size += data.len();
            cache.objects.insert(id, (kind, data.clone()));
        }
        Ok(data)
    }

    pub(super) fn blob(&self, id: ObjectId) -> Result<Vec<u8>, ScopeError> {
        self.read(id, Kind::Blob, "the blob")
    }

    /// Reads a blob; `None` if it is not there, as in a partial clone.
    pub(super) fn try_blob(&self, id: ObjectId) -> Result<Option<Vec<u8>>, ScopeError> {
        self.try_read(id, Kind::Blob, "the blob")
    }

    /// Returns the size of a blob without reading it; `None` if it is not there.
    pub(super) fn blob_size(&self, id: ObjectId) -> Option<u64> {
        self.git.try_find_header(id).ok().flatten().map(|header| header.size())
    }

    fn read_commit(&self, id: ObjectId) -> Result<Arc<[u8]>, ScopeError> {
        self.read_cached(id, Kind::Commit, "the commit")
    }

    /// Tells whether an id is that of a commit that is there and whole.
    pub(super) fn is_commit(&self, id: ObjectId) -> bool {
        self.read_commit(id).is_ok()
    }

    /// Returns the tree and the parents of a commit.
    pub(super) fn commit(&self, id: ObjectId) -> Result<(ObjectId, Vec<ObjectId>), ScopeError> {
        let data = self.read_commit(id)?;
        let damaged = || ScopeError::DamagedObject { what: "the commit", id: hex(&id) };
        let commit = gix::objs::CommitRef::from_bytes(&data, self.git.object_hash()).map_err(|_| damaged())?;
        Ok((commit.tree(), commit.parents().collect()))
    }

    /// Returns when a commit was made, in seconds since 1970; `None` if it does not say so.
    pub(super) fn committed_at(&self, id: ObjectId) -> Result<Option<i64>, ScopeError> {
        let data = self.read_commit(id)?;
        let commit = gix::objs::CommitRef::from_bytes(&data, self.git.object_hash()).ok();
        Ok(commit.and_then(|commit| commit.time().ok()).map(|time| time.seconds))
    }

    pub(super) fn has(&self, id: ObjectId) -> bool {
        self.git.has_object(id)
    }

    /// Returns the entries of a tree, in the order in which git keeps them.
    pub(super) fn tree(&self, id: ObjectId) -> Result<Vec<(Vec<u8>, Entry)>, ScopeError> {
        if id.is_empty_tree() {
            return Ok(Vec::new());
        }
        let data = self.read_cached(id, Kind::Tree, "the tree")?;
        let damaged = || ScopeError::DamagedObject { what: "the tree", id: hex(&id) };
        let tree = gix::objs::TreeRef::from_bytes(&data, self.git.object_hash()).map_err(|_| damaged())?;
        let entries = tree.entries.iter().map(|entry| {
            use gix::objs::tree::EntryKind;
            let leaf = |mode| Entry::Leaf(Leaf { mode, id: entry.oid.to_owned() });
            let content = match entry.mode.kind() {
                EntryKind::Tree => Entry::Tree(entry.oid.to_owned()),
                EntryKind::Blob => leaf(Mode::Plain),
                EntryKind::BlobExecutable => leaf(Mode::Executable),
                EntryKind::Link => leaf(Mode::Link),
                EntryKind::Commit => leaf(Mode::Commit),
            };
            (entry.filename.to_vec(), content)
        });
        Ok(entries.collect())
    }

    /// Returns the files in a folder below a tree, folders left out; nothing if the folder does not exist.
    pub(super) fn folder(&self, tree: ObjectId, path: &[u8]) -> Result<Vec<(Vec<u8>, Leaf)>, ScopeError> {
        let mut tree = tree;
        for name in path.split(|byte| *byte == b'/') {
            match self.tree(tree)?.into_iter().find(|(entry, _)| entry == name) {
                Some((_, Entry::Tree(id))) => tree = id,
                Some((_, Entry::Leaf(leaf))) => return plain(leaf, path).map(|_| Vec::new()),
                None => return Ok(Vec::new()),
            }
        }
        let leaf = |(name, entry)| match entry {
            Entry::Leaf(leaf) => Some(plain(leaf, path).map(|leaf| (name, leaf))),
            Entry::Tree(_) => None,
        };
        self.tree(tree)?.into_iter().filter_map(leaf).collect()
    }

    /// Finds a file below a tree; `None` if there is none. Anything else in its place, or in that of a folder above it, is refused.
    pub(super) fn lookup(&self, tree: ObjectId, path: &[u8]) -> Result<Option<Leaf>, ScopeError> {
        self.descend(tree, path, &|leaf| plain(leaf, path))
    }

    /// Finds anything but a folder below a tree; `None` if there is none. A symlink or a submodule on the way is not followed.
    pub(super) fn find(&self, tree: ObjectId, path: &[u8]) -> Result<Option<Leaf>, ScopeError> {
        self.descend(tree, path, &Ok)
    }

    /// Lists the leaves below a tree, whose own path ends with a slash, by path.
    pub(super) fn leaves(
        &self,
        tree: ObjectId,
        folder: Vec<u8>,
        leaves: &mut Vec<(Vec<u8>, Leaf)>,
    ) -> Result<(), ScopeError> {
        for (name, entry) in self.tree(tree)? {
            let path = [folder.as_slice(), &name].concat();
            match entry {
                Entry::Leaf(leaf) => leaves.push((path, leaf)),
                Entry::Tree(id) => self.leaves(id, [path.as_slice(), b"/"].concat(), leaves)?,
            }
        }
        Ok(())
    }

    fn descend(
        &self,
        tree: ObjectId,
        path: &[u8],
        accept: &dyn Fn(Leaf) -> Result<Leaf, ScopeError>,
    ) -> Result<Option<Leaf>, ScopeError> {
        let mut tree = tree;
        let mut names = path.split(|byte| *byte == b'/').peekable();
        while let Some(name) = names.next() {
            let found = self.tree(tree)?.into_iter().find(|(entry, _)| entry == name);
            match found {
                Some((_, Entry::Leaf(leaf))) => return Ok(Some(accept(leaf)?).filter(|_| names.peek().is_none())),
                Some((_, Entry::Tree(id))) => tree = id,
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// Refuses a symlink or a submodule in place of a file: the deciding file would be missing in silence.
fn plain(leaf: Leaf, path: &[u8]) -> Result<Leaf, ScopeError> {
    if leaf.mode.is_file() {
        return Ok(leaf);
    }
    let what = format!("{} of the base", String::from_utf8_lossy(path));
    Err(ScopeError::Git { what, why: "a symlink or a submodule is in its place; put the file itself there".to_owned() })
}
