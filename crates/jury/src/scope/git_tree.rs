//! Folders of the working tree in; git tree ids out, and the differences from another tree. No object is written.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::objs::Kind;

use super::objects::{Entry, Objects};
use super::{ScopeError, Snapshot};
use crate::model::TreeFileKind;

/// The kind of a tree's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Plain,
    Executable,
    Link,
    Commit,
}

impl Mode {
    fn digits(self) -> &'static [u8] {
        match self {
            Mode::Plain => b"100644",
            Mode::Executable => b"100755",
            Mode::Link => b"120000",
            Mode::Commit => b"160000",
        }
    }

    pub(super) fn is_file(self) -> bool {
        matches!(self, Mode::Plain | Mode::Executable)
    }

    /// Returns the kind of a file; a submodule is none.
    pub(super) fn kind(self) -> Option<TreeFileKind> {
        match self {
            Mode::Plain => Some(TreeFileKind::Plain),
            Mode::Executable => Some(TreeFileKind::Executable),
            Mode::Link => Some(TreeFileKind::Link),
            Mode::Commit => None,
        }
    }

    /// Returns the octal digits as git spells them.
    pub(super) fn octal(self) -> &'static str {
        std::str::from_utf8(self.digits()).expect("digits are ASCII")
    }
}

/// Something with content: a file, a symlink, a submodule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub(super) mode: Mode,
    pub(super) id: ObjectId,
}

/// One folder of the working tree. Folders lie in a list; a folder always comes after the one it lies in.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// Its path with a slash at the end; empty for the root.
    pub(super) path: Vec<u8>,
    /// Its entries, by name.
    pub(super) children: Vec<(Box<[u8]>, Child)>,
    /// Its id; `None` if there is nothing below it, for git knows no empty folders.
    pub(super) id: Option<ObjectId>,
}

#[derive(Debug)]
pub(super) enum Child {
    Leaf(Leaf),
    /// The index of a folder.
    Folder(usize),
}

/// Gives every folder its id, and returns the root's.
pub(super) fn identify(objects: &Objects, folders: &mut [Folder]) -> Result<ObjectId, ScopeError> {
    let mut data = Vec::new();
    for index in (0..folders.len()).rev() {
        let (before, after) = folders.split_at_mut(index + 1);
        let folder = &mut before[index];
        // Git sorts a folder as if its name ended in a slash.
        folder.children.sort_unstable_by(|(a, one), (b, two)| sort_key(a, one).cmp(sort_key(b, two)));
        data.clear();
        for (name, child) in &folder.children {
            let (mode, id) = match child {
                Child::Leaf(leaf) => (leaf.mode.digits(), leaf.id),
                Child::Folder(at) => match after[at - index - 1].id {
                    Some(id) => (&b"40000"[..], id),
                    None => continue,
                },
            };
            data.extend_from_slice(mode);
            data.push(b' ');
            data.extend_from_slice(name);
            data.push(0);
            data.extend_from_slice(id.as_slice());
        }
        folder.id = if data.is_empty() { None } else { Some(objects.id_of(Kind::Tree, &data)?) };
    }
    match folders.first().and_then(|root| root.id) {
        Some(id) => Ok(id),
        None => objects.id_of(Kind::Tree, b""),
    }
}

fn sort_key<'a>(name: &'a [u8], child: &Child) -> impl Iterator<Item = u8> + 'a {
    let slash = matches!(child, Child::Folder(_)).then_some(b'/');
    name.iter().copied().chain(slash)
}

/// One path that differs.
#[derive(Clone, Debug)]
pub(super) struct Delta {
    pub(super) path: Vec<u8>,
    pub(super) before: Option<Leaf>,
    pub(super) after: Option<Leaf>,
}

/// Returns the differences between a tree and the snapshot, by path. Only folders whose ids differ are looked into.
pub(super) fn compare(
    objects: &Objects,
    tree: Option<ObjectId>,
    snapshot: &Snapshot,
) -> Result<Vec<Delta>, ScopeError> {
    let mut deltas = Vec::new();
    // A stack of its own: a tree may be nested deeper than a thread's stack takes.
    let mut todo = vec![(tree, Some(0), Vec::new())];
    while let Some((tree, folder, prefix)) = todo.pop() {
        let mut names: BTreeMap<Vec<u8>, (Option<Entry>, Option<&Child>)> = BTreeMap::new();
        for (name, entry) in tree.map(|tree| objects.tree(tree)).transpose()?.unwrap_or_default() {
            names.entry(name).or_default().0 = Some(entry);
        }
        for (name, child) in folder.iter().flat_map(|index: &usize| &snapshot.folders[*index].children) {
            names.entry(name.to_vec()).or_default().1 = Some(child);
        }
        for (name, (entry, child)) in names {
            let path = [prefix.as_slice(), &name].concat();
            let (before, old) = match entry {
                Some(Entry::Leaf(leaf)) => (Some(leaf), None),
                Some(Entry::Tree(id)) => (None, Some(id)),
                None => (None, None),
            };
            let (after, new) = match child {
                Some(Child::Leaf(leaf)) => (Some(*leaf), None),
                Some(Child::Folder(index)) => (None, Some(*index)),
                None => (None, None),
            };
            let new_id = new.and_then(|index| snapshot.folders[index].id);
            if (old.is_some() || new_id.is_some()) && old != new_id {
                todo.push((old, new, [path.as_slice(), b"/"].concat()));
            }
            // A file left out as Jury's own is not gone.
            let is_left_out = after.is_none() && snapshot.left_out.contains(&path);
            if before != after && !is_left_out {
                deltas.push(Delta { path, before, after });
            }
        }
    }
    deltas.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(deltas)
}
