//! A repository and a commit in; the same repository with that commit in the place of HEAD and of the working tree out.
//!
//! Everything is read from objects: nothing is checked out, no filter, hook or setting of the commit decides anything.

use std::collections::BTreeMap;
use std::sync::Arc;

use gix::ObjectId;

use super::objects::{Entry, hex};
use super::snapshot::Assembled;
use super::staged::{folders, left_out};
use super::{Repository, ScopeError, Snapshot, base, git_tree};
use crate::model::{RepoPath, TreeId};

impl Repository {
    /// Returns the repository with a commit in the place of HEAD and of the working tree.
    pub fn at(&self, commit: &str) -> Result<Repository, ScopeError> {
        let id = base::resolve(&self.git.lend(), commit)?;
        Ok(Repository {
            git: Arc::new(self.git.at(id)),
            root: self.root.clone(),
            git_dir: self.git_dir.clone(),
            common_dir: self.common_dir.clone(),
            start: self.start.clone(),
        })
    }

    /// Takes the tree of a commit. `own` is that of [`Repository::snapshot`].
    pub(super) fn of_commit(
        &self,
        commit: ObjectId,
        own: &dyn Fn(&RepoPath, &[u8]) -> bool,
    ) -> Result<Snapshot, ScopeError> {
        let objects = self.git.lend();
        let mut leaves = BTreeMap::new();
        // A stack of its own: a tree may be nested deeper than a thread's stack takes.
        let mut todo = vec![(objects.commit(commit)?.0, Vec::new())];
        while let Some((id, prefix)) = todo.pop() {
            for (name, entry) in objects.tree(id)? {
                let path = [prefix.as_slice(), &name].concat();
                match entry {
                    Entry::Leaf(leaf) => {
                        leaves.insert(path, leaf);
                    }
                    Entry::Tree(id) => todo.push((id, [path.as_slice(), b"/"].concat())),
                }
            }
        }
        let left_out = left_out(&objects, &leaves, own)?;
        leaves.retain(|path, _| !left_out.contains(path));
        let mut folders = folders(leaves);
        let id = git_tree::identify(&objects, &mut folders)?;
        let id = TreeId::new(&hex(&id)).expect("an object id is hexadecimal");
        Ok(Snapshot::assembled(self, Assembled { id, folders, left_out, unidentified: Vec::new(), index: None }))
    }
}
