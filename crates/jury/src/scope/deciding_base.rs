//! Files of the branch that decides about a change, as it has them now: policy, waivers, owners, settings of tools.

use super::Repository;
use super::base;
use super::error::ScopeError;
use super::git_tree::Leaf;
use super::snapshot::Visitor;
use crate::model::{Base, Day, RepoPath};

impl Repository {
    /// Reads a file as the branch of the base has it now; `None` if it is not there. Policy, waivers and owners come from
    /// here.
    pub fn base_file(&self, base: &Base, path: &RepoPath) -> Result<Option<Vec<u8>>, ScopeError> {
        let objects = self.git.lend();
        let Some(tree) = base::deciding_tree(&objects, base)? else { return Ok(None) };
        match objects.lookup(tree, path.as_str().as_bytes())? {
            Some(leaf) => objects.blob(leaf.id).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the day on which the tip of that branch was committed; `None` if there is no branch, or it does not say.
    pub fn base_day(&self, base: &Base) -> Result<Option<Day>, ScopeError> {
        base::deciding_day(&self.git.lend(), base)
    }

    /// Reads the files that lie in a folder of that branch, not below it, by path; a name that is none is left out.
    pub fn base_files(&self, base: &Base, folder: &RepoPath) -> Result<Vec<(RepoPath, Vec<u8>)>, ScopeError> {
        let objects = self.git.lend();
        let Some(tree) = base::deciding_tree(&objects, base)? else { return Ok(Vec::new()) };
        let mut files = Vec::new();
        for (name, leaf) in objects.folder(tree, folder.as_str().as_bytes())? {
            let path = std::str::from_utf8(&name).ok().and_then(|name| RepoPath::new(&format!("{folder}/{name}")).ok());
            if let Some(path) = path {
                files.push((path, objects.blob(leaf.id)?));
            }
        }
        Ok(files)
    }

    /// Shows the selected files and symlinks of that branch, by path.
    pub(super) fn visit_base(
        &self,
        base: &Base,
        is_wanted: &dyn Fn(&str) -> bool,
        each: &mut Visitor<'_>,
    ) -> Result<(), String> {
        let leaves = self.base_leaves(base).map_err(|error| error.to_string())?;
        let objects = self.git.lend();
        for (path, leaf) in leaves {
            let Some(kind) = leaf.mode.kind().filter(|_| is_wanted(&String::from_utf8_lossy(&path))) else { continue };
            let bytes =
                objects.blob(leaf.id).map_err(|error| format!("{}: {error}", String::from_utf8_lossy(&path)))?;
            each(&path, kind, &bytes)?;
        }
        Ok(())
    }

    /// Returns the files and symlinks of that branch, by path.
    pub(super) fn base_leaves(&self, base: &Base) -> Result<Vec<(Vec<u8>, Leaf)>, ScopeError> {
        let objects = self.git.lend();
        let mut leaves = Vec::new();
        if let Some(tree) = base::deciding_tree(&objects, base)? {
            objects.leaves(tree, Vec::new(), &mut leaves)?;
        }
        Ok(leaves)
    }

    /// Reads a file or symlink of that branch.
    pub(super) fn base_bytes(&self, base: &Base, path: &[u8]) -> Result<Option<Vec<u8>>, ScopeError> {
        let objects = self.git.lend();
        let Some(tree) = base::deciding_tree(&objects, base)? else { return Ok(None) };
        let leaf = objects.find(tree, path)?.filter(|leaf| leaf.mode.kind().is_some());
        leaf.map(|leaf| objects.blob(leaf.id)).transpose()
    }
}
