//! The private copy of the tree that a program works in: which files of it are those of the base, and the packages beside it.

use std::collections::BTreeSet;
use std::path::Path;

use super::program::MOST_OUTPUT;
use super::{External, failed, wants_files};
use crate::dispatch::dependencies::{self, Linked, OwnTree};
use crate::dispatch::executed::{BaseFiles, Executed};
use crate::dispatch::export::{Export, Tree};
use crate::dispatch::settings::{self, is_for_agents};
use crate::dispatch::{Unanswered, enabled};
use crate::model::{ChangedFile, Definition, FileChange, RepoPath, ReviewerKind, Scope, Side};
use crate::process::{self, Bounds};

impl External<'_> {
    /// Makes the private copy. The settings of tools, and the files that a command runs, are part of the definition, which the change does not
    /// decide about.
    pub(super) fn export(&self, scope: &Scope) -> Result<Export, Unanswered> {
        let no_copy = |why: String| failed(format!("no private copy could be made: {why}"));
        let export = Export::new().map_err(|error| no_copy(error.to_string()))?;
        let is_agent = self.definition.kind == ReviewerKind::Agent;
        if self.definition.kind == ReviewerKind::Check {
            // What it checks is the tree as it is, with the scripts and settings of that tree.
            export.fill(self.tree, &|_| self.side == Side::Left, &|_| false).map_err(no_copy)?;
            return Ok(export);
        }
        if !is_agent {
            self.executed().as_ref().map_err(|why| no_copy(why.clone()))?;
        }
        let asked: BTreeSet<RepoPath> = self.paths(scope).into_iter().collect();
        let is_asked = |path: &str| RepoPath::new(path).is_ok_and(|path| asked.contains(&path));
        // A tool that is given files takes nothing else that looks like settings from the change.
        let has_files = wants_files(&self.definition);
        let is_from_base = |path: &str| {
            self.side == Side::Left
                || self.is_of_definition(path)
                || (has_files && settings::looks_like_settings(path) && !is_asked(path))
        };
        let is_left_out = |path: &str| is_agent && is_for_agents(path);
        export.fill(self.tree, &is_from_base, &is_left_out).map_err(no_copy)?;
        Ok(export)
    }

    /// Returns the packages that it needs beside the tree, installed if need be.
    pub(super) fn linked(&self, scope: &Scope) -> Result<Vec<Linked>, Unanswered> {
        let wanted = &self.definition.dependencies;
        let own = self.own_packages().map_err(failed)?;
        let prepare = |tree: &Path, temporary: &Path| {
            let mut command = self.command(&wanted.prepare, tree, temporary, &[]);
            let bounds = Bounds { time: self.definition.timeout, output: MOST_OUTPUT };
            let writable = self.writable([tree.to_owned(), temporary.to_owned()]);
            let ended = process::run(&mut command, None, bounds, writable.as_deref());
            match ended.trouble(&[0]) {
                Some(what) => Err(format!("`prepare` {what}{}", self.hint(&ended.last_words))),
                None => Ok(()),
            }
        };
        let (tree, kept_by): (&dyn Tree, _) = match &own {
            Some(own) => (own, Some(scope.tree.as_str())),
            None => (self.tree, None),
        };
        dependencies::folders(wanted, tree, kept_by, &prepare).map_err(failed)
    }

    /// Returns the tree after the change if a check needs other packages than the base: it alters a lockfile or a file of settings.
    fn own_packages(&self) -> Result<Option<OwnTree<'_>>, String> {
        let wanted = &self.definition.dependencies;
        if self.definition.kind != ReviewerKind::Check || self.side == Side::Left || wanted.prepare.is_empty() {
            return Ok(None);
        }
        let own = OwnTree::of(self.tree)?;
        let key = dependencies::key(wanted, &own)?;
        Ok(Some(own).filter(|_| dependencies::key(wanted, self.tree).map_or(true, |of_base| of_base != key)))
    }

    /// Returns the files that its command runs, or why they cannot be known.
    fn executed(&self) -> &Result<Executed, String> {
        self.executed.get_or_init(|| BaseFiles::of(self.tree).map(|base| Executed::of(&self.definition.command, &base)))
    }

    /// Tells whether a file configures tools or is run by this one, so that the base decides about it.
    fn is_of_definition(&self, path: &str) -> bool {
        let is_tool = self.definition.kind == ReviewerKind::Tool;
        let is_run = || self.executed().as_ref().is_ok_and(|executed| executed.has(path));
        settings::configures_tools(path) || (is_tool && is_run())
    }

    /// Returns the files that a tool is asked about: those that it sees as they are.
    pub(super) fn paths(&self, scope: &Scope) -> Vec<RepoPath> {
        let mut paths = paths(&self.definition, scope, self.side);
        paths.retain(|path| self.side == Side::Left || !self.is_of_definition(path.as_str()));
        paths
    }
}

/// Returns the files that a tool is asked about: those of the change that are there, before or after it.
fn paths(definition: &Definition, scope: &Scope, side: Side) -> Vec<RepoPath> {
    let is_asked =
        |file: &&ChangedFile| scope.is_reviewed(&file.path) && enabled::concerns(&definition.enabled_when, file);
    let path = |file: &ChangedFile| match (side, &file.change) {
        (Side::Right, _) => (file.after.is_some() && !file.is_symlink).then(|| file.path.clone()),
        (Side::Left, FileChange::Renamed { from }) => Some(from.clone()),
        (Side::Left, _) => file.before.is_some().then(|| file.path.clone()),
    };
    scope.files.iter().filter(is_asked).filter_map(path).collect()
}
