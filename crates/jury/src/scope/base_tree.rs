//! The tree that a change started from: a base in; its files out, each read on demand.
//!
//! This is the tree of the merge base, which a finding is compared with. Policy and waivers come from the tip of the branch
//! instead ([`Repository::base_file`]).

use std::sync::Arc;

use gix::ObjectId;

use super::content::{is_binary, largest_searched};
use super::git_tree::{Leaf, Mode};
use super::objects::{Handles, hex};
use super::reviewed_tree::FileSource;
use super::{Repository, ScopeError, Visitor, base};
use crate::model::{Base, RepoPath, TreeFiles, TreeId};

/// The tree of the commit that a change is compared with.
#[derive(Clone)]
pub struct BaseTree {
    id: TreeId,
    root: ObjectId,
    git: Arc<Handles>,
}

impl Repository {
    /// Finds the tree that a change started from; `None` if that is the empty one.
    pub fn base_tree(&self, base: &Base) -> Result<Option<BaseTree>, ScopeError> {
        let objects = self.git.lend();
        let Some(root) = base::tree(&objects, base)? else { return Ok(None) };
        let id = TreeId::new(&hex(&root)).expect("the id of a tree is hexadecimal");
        Ok(Some(BaseTree { id, root, git: Arc::clone(&self.git) }))
    }
}

impl BaseTree {
    /// Returns its id.
    pub fn id(&self) -> &TreeId {
        &self.id
    }

    /// Lists the whole tree, which costs with the repository: only for who has to look beyond the change.
    fn leaves(&self) -> Result<Vec<(Vec<u8>, Leaf)>, ScopeError> {
        let mut leaves = Vec::new();
        self.git.lend().leaves(self.root, Vec::new(), &mut leaves)?;
        Ok(leaves)
    }
}

impl TreeFiles for BaseTree {
    fn paths(&self) -> Vec<RepoPath> {
        let files = self.leaves().unwrap_or_default().into_iter().filter(|(_, leaf)| leaf.mode.is_file());
        files.filter_map(|(path, _)| RepoPath::new(std::str::from_utf8(&path).ok()?).ok()).collect()
    }

    fn links(&self) -> Vec<(RepoPath, Arc<[u8]>)> {
        let objects = self.git.lend();
        let links = self.leaves().unwrap_or_default().into_iter().filter(|(_, leaf)| leaf.mode == Mode::Link);
        let read = |(path, leaf): (Vec<u8>, Leaf)| {
            let name = RepoPath::new(std::str::from_utf8(&path).ok()?).ok()?;
            Some((name, objects.blob(leaf.id).ok()?.into()))
        };
        links.filter_map(read).collect()
    }

    fn text(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let objects = self.git.lend();
        let leaf = objects.find(self.root, path.as_str().as_bytes()).ok()?.filter(|leaf| leaf.mode.is_file())?;
        objects.blob_size(leaf.id).filter(|size| *size <= largest_searched(path.as_str().as_bytes()))?;
        objects.blob(leaf.id).ok().filter(|bytes| !is_binary(bytes)).map(Arc::from)
    }
}

impl FileSource for BaseTree {
    fn visit(&self, each: &mut Visitor<'_>) -> Result<(), String> {
        let objects = self.git.lend();
        for (path, leaf) in self.leaves().map_err(|error| error.to_string())? {
            let Some(kind) = leaf.mode.kind() else { continue };
            let bytes = objects.blob(leaf.id);
            let bytes = bytes.map_err(|error| format!("{}: {error}", String::from_utf8_lossy(&path)))?;
            each(&path, kind, &bytes)?;
        }
        Ok(())
    }
}
