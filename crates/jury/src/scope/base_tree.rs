//! The tree that a change started from: a base in; its files out, each read on demand.
//!
//! This is the tree of the merge base, which a finding is compared with. Policy and waivers come from the tip of the branch
//! instead ([`Repository::base_file`]).

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::content::{LARGEST_TEXT, is_binary};
use super::objects::{Entry, Handles, Objects, hex};
use super::tree::{Leaf, Mode};
use super::{Repository, ScopeError, base};
use crate::model::{Base, RepoPath, SourceTree, TreeFile, TreeFileKind, TreeFiles, TreeId};

/// The tree of the commit that a change is compared with.
#[derive(Clone)]
pub struct BaseTree {
    id: TreeId,
    git: Arc<Handles>,
    leaves: Arc<BTreeMap<Vec<u8>, Leaf>>,
}

/// The same tree as reviewers of the team's own see it: with the files that tools execute as the branch of the base has them.
pub struct ReviewedBase<'r> {
    /// The repository.
    pub repository: &'r Repository,
    /// The base.
    pub base: &'r Base,
    /// Its tree.
    pub tree: &'r BaseTree,
}

impl Repository {
    /// Lists the tree that a change started from; `None` if that is the empty one.
    pub fn base_tree(&self, base: &Base) -> Result<Option<BaseTree>, ScopeError> {
        let objects = self.git.lend();
        let Some(root) = base::tree(&objects, base)? else { return Ok(None) };
        let id = TreeId::new(&hex(&root)).expect("the id of a tree is hexadecimal");
        let mut leaves = BTreeMap::new();
        // A stack of its own: a tree may be nested deeper than a thread's stack takes.
        let mut todo = vec![(root, Vec::new())];
        while let Some((tree, prefix)) = todo.pop() {
            for (name, entry) in objects.tree(tree)? {
                let path = [prefix.as_slice(), &name].concat();
                match entry {
                    Entry::Leaf(leaf) => _ = leaves.insert(path, leaf),
                    Entry::Tree(id) => todo.push((id, [path.as_slice(), b"/"].concat())),
                }
            }
        }
        Ok(Some(BaseTree { id, git: Arc::clone(&self.git), leaves: Arc::new(leaves) }))
    }
}

impl BaseTree {
    /// Returns its id.
    pub fn id(&self) -> &TreeId {
        &self.id
    }

    fn bytes(&self, objects: &Objects, leaf: Leaf) -> Result<Vec<u8>, ScopeError> {
        objects.blob(leaf.id)
    }
}

impl TreeFiles for BaseTree {
    fn paths(&self) -> Vec<RepoPath> {
        let files = self.leaves.iter().filter(|(_, leaf)| leaf.mode.is_file());
        files.filter_map(|(path, _)| RepoPath::new(std::str::from_utf8(path).ok()?).ok()).collect()
    }

    fn text(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let leaf = self.leaves.get(path.as_str().as_bytes()).filter(|leaf| leaf.mode.is_file())?;
        let objects = self.git.lend();
        objects.blob_size(leaf.id).filter(|size| *size <= LARGEST_TEXT)?;
        self.bytes(&objects, *leaf).ok().filter(|bytes| !is_binary(bytes)).map(Arc::from)
    }
}

impl SourceTree for ReviewedBase<'_> {
    fn executed_from(&self) -> String {
        let Base { name: _, commit, tip } = self.base;
        tip.as_ref().or(commit.as_ref()).cloned().unwrap_or_default()
    }

    fn visit(
        &self,
        is_executed: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(TreeFile<'_>) -> io::Result<()>,
    ) -> Result<(), String> {
        let objects = self.tree.git.lend();
        for (path, leaf) in self.tree.leaves.iter() {
            let kind = match leaf.mode {
                Mode::Plain => TreeFileKind::Plain,
                Mode::Executable => TreeFileKind::Executable,
                Mode::Link => TreeFileKind::Link,
                Mode::Commit => continue,
            };
            let name = String::from_utf8_lossy(path);
            let told = |error: &dyn std::fmt::Display| format!("{name}: {error}");
            let bytes = match RepoPath::new(&name) {
                Ok(name) if is_executed(name.as_str()) => {
                    let bytes = self.repository.base_file(self.base, &name).map_err(|error| told(&error))?;
                    let Some(bytes) = bytes else { continue };
                    bytes
                }
                _ => self.tree.bytes(&objects, *leaf).map_err(|error| told(&error))?,
            };
            each(TreeFile { path, kind, bytes: &bytes }).map_err(|error| told(&error))?;
        }
        Ok(())
    }
}
