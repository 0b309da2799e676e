//! The tree under review as reviewers of the team's own see it: the snapshot, with the files that tools execute as the base has
//! them.

use std::fmt::Display;
use std::io;

use super::{Repository, Snapshot};
use crate::model::{Base, RepoPath, SourceTree, TreeFile};

/// The tree of a snapshot, with the files that tools execute as the base has them.
pub struct ReviewedTree<'s> {
    /// The repository.
    pub repository: &'s Repository,
    /// The snapshot.
    pub snapshot: &'s Snapshot,
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
        is_executed: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(TreeFile<'_>) -> io::Result<()>,
    ) -> Result<(), String> {
        self.snapshot.visit(&mut |path, kind, bytes| {
            let name = String::from_utf8_lossy(path);
            let told = |error: &dyn Display| format!("{name}: {error}");
            let of_base = match RepoPath::new(&name) {
                Ok(name) if is_executed(name.as_str()) => {
                    let bytes = self.repository.base_file(self.base, &name).map_err(|error| told(&error))?;
                    let Some(bytes) = bytes else { return Ok(()) };
                    Some(bytes)
                }
                _ => None,
            };
            let bytes = of_base.as_deref().unwrap_or(bytes);
            each(TreeFile { path, kind, bytes }).map_err(|error| told(&error))
        })
    }
}
