//! The tree under review as reviewers of the team's own see it: the snapshot, with the files that tools execute as the base has
//! them.

use std::fmt::Display;
use std::io;

use super::{Repository, Snapshot, Visitor};
use crate::model::{Base, SourceTree, TreeFile, TreeFolders};

/// A tree whose files can be visited.
pub trait FileSource: Sync {
    /// Shows every file and symlink, by path.
    fn visit(&self, each: &mut Visitor<'_>) -> Result<(), String>;
}

impl FileSource for Snapshot {
    fn visit(&self, each: &mut Visitor<'_>) -> Result<(), String> {
        Self::visit(self, each)
    }
}

/// A tree under review, with the files that tools execute as the base has them.
pub struct ReviewedTree<'s> {
    /// The repository.
    pub repository: &'s Repository,
    /// The tree: a snapshot, or that of the base.
    pub files: &'s dyn FileSource,
    /// The base.
    pub base: &'s Base,
}

impl SourceTree for ReviewedTree<'_> {
    fn executed_from(&self) -> String {
        let Base { commit, tip, .. } = self.base;
        tip.as_ref().or(commit.as_ref()).cloned().unwrap_or_default()
    }

    fn visit(
        &self,
        is_from_base: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(TreeFile<'_>) -> io::Result<()>,
    ) -> Result<(), String> {
        let told = |path: &[u8], error: &dyn Display| format!("{}: {error}", String::from_utf8_lossy(path));
        self.files.visit(&mut |path, kind, bytes| match is_from_base(&String::from_utf8_lossy(path)) {
            true => Ok(()),
            false => each(TreeFile { path, kind, bytes }).map_err(|error| told(path, &error)),
        })?;
        self.repository.visit_base(self.base, is_from_base, &mut |path, kind, bytes| {
            each(TreeFile { path, kind, bytes }).map_err(|error| told(path, &error))
        })
    }

    fn base_paths(&self) -> Result<Vec<String>, String> {
        let mut paths = Vec::new();
        let listed = self.repository.base_leaves(self.base).map_err(|error| error.to_string())?;
        paths.extend(listed.iter().map(|(path, _)| String::from_utf8_lossy(path).into_owned()));
        Ok(paths)
    }

    fn base_bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.repository.base_bytes(self.base, path.as_bytes()).ok().flatten()
    }

    fn folders(&self) -> Option<TreeFolders> {
        let kept = self.repository.common_dir().join("jury").join("prepared");
        Some(TreeFolders { root: self.repository.root().to_owned(), kept })
    }
}
