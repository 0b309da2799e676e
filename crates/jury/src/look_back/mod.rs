//! The second look of a review: the same reviewers, over the text before the change.
//!
//! In: a scope, the record so far and its outputs, taken in. Out: the findings of the base, with their places after the change. Nobody
//! is asked if no claim is left that could be older than the change (docs/decisions/032). Deliberately not here: the comparison
//! (`synthesis`).

#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod base_findings;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod needed;

use std::collections::BTreeSet;
use std::sync::Arc;

use jury_rules::{Redactor, is_foreign, is_test};

use crate::dispatch::{BuiltIn, External, Reviewer, Tree};
use crate::error::FlowError;
use crate::judge::Hearing;
use crate::model::{
    BaseLook, Change, ChangedFile, Definition, FileChange, Policy, RepoPath, ReviewerKind, Scope, WholeTree,
};
use crate::panel::{Asking, Panel};
use crate::record::{Record, cited_text, redact_runs};
use crate::scope::ReviewedTree;
use crate::syntax::hunks;
use base_findings::BaseText;
use needed::NeededLook;

/// A second look at a scope.
#[derive(Clone, Copy)]
pub struct LookBack<'a> {
    /// The surroundings in which reviewers are asked.
    pub asking: Asking<'a>,
    /// The scope of the review.
    pub scope: &'a Scope,
    /// The secrets of the change.
    pub redactor: &'a Redactor,
}

impl LookBack<'_> {
    /// Looks at the base, as far as the claims of a review need it.
    pub fn look(&self, record: &Record, hearing: &Hearing) -> Result<BaseLook, FlowError> {
        let Asking { repository, policy, .. } = self.asking;
        let needed = needed::needed(record, hearing);
        let files = self.files(&needed);
        if needed.is_empty() || (files.is_empty() && needed.tools.is_empty()) {
            return Ok(BaseLook::default());
        }
        let Some(tree) = repository.base_tree(&self.scope.base)? else { return Ok(BaseLook::default()) };
        let reviewed = ReviewedTree { repository, files: &tree, base: &policy.base };
        let scope = Scope {
            tree: tree.id().clone(),
            whole: WholeTree::of(tree.clone()),
            files: files.iter().map(|file| file.on_base()).collect(),
            change: Change::default(),
            unreviewed: Vec::new(),
            focus: None,
            ..self.scope.clone()
        };
        let panel = Panel::new(self.asking, reviewers(self.asking, &needed, &reviewed, &scope));
        let mut runs = panel.ask(&scope, &mut |_| {});
        redact_runs(&mut runs, self.redactor);
        let judged = &policy.config.policy;
        let texts: Vec<BaseText<'_>> = files.iter().map(|file| file.text(self.redactor, judged)).collect();
        let changed: BTreeSet<&RepoPath> = self.scope.files.iter().flat_map(paths_of).collect();
        Ok(base_findings::base_findings(&runs, &texts, &|path| changed.contains(path), judged.lowest_block_at()))
    }

    /// Returns the files that are looked at, and that have a text to compare with.
    fn files(&self, needed: &NeededLook) -> Vec<FileBefore<'_>> {
        let is_needed = |file: &&ChangedFile| needed.is_of_all || needed.files.contains(&file.path);
        let files = self.scope.files.iter().filter(is_needed);
        files.filter_map(|file| FileBefore::of(file, self.scope)).collect()
    }
}

/// Returns the reviewers of the base: the built-in specialists and the tools that are asked again.
fn reviewers<'a>(
    asking: Asking<'a>,
    needed: &NeededLook,
    tree: &'a dyn Tree,
    scope: &Scope,
) -> Vec<Box<dyn Reviewer + 'a>> {
    let Asking { policy, options, .. } = asking;
    let specialists = BuiltIn::all(policy.rules).filter(|reviewer| needed.built_in.contains(&reviewer.domain()));
    let mut reviewers: Vec<Box<dyn Reviewer + 'a>> = Vec::new();
    for reviewer in specialists {
        reviewers.push(Box::new(reviewer));
    }
    let is_asked = |it: &&Definition| it.kind == ReviewerKind::Tool && needed.tools.contains(&it.domain);
    for definition in policy.config.reviewers.iter().filter(is_asked) {
        for reviewer in External::of(definition, options.trust.covers(definition), tree, scope) {
            reviewers.push(Box::new(reviewer));
        }
    }
    reviewers
}

/// Returns the deleted file that a new one was before it was renamed and edited: the one that shares most lines with it, and at least
/// half of them.
fn former<'s>(file: &ChangedFile, scope: &'s Scope) -> Option<(&'s RepoPath, &'s Arc<[u8]>)> {
    let after = hunks::split(file.after.as_deref()?);
    let shared = |before: &[u8]| {
        let before = hunks::split(before);
        let gone: usize = hunks::compare(&before, &after).iter().map(|hunk| hunk.before.len()).sum();
        let shared = before.len() - gone;
        (2 * shared >= before.len().max(after.len()).max(1)).then_some(shared)
    };
    let deleted = scope.files.iter().filter(|it| it.change == FileChange::Deleted && !it.is_symlink);
    let alike = deleted.filter_map(|it| {
        let before = it.before.as_ref()?;
        Some((shared(before)?, &it.path, before))
    });
    alike.max_by_key(|(shared, _, _)| *shared).map(|(_, path, before)| (path, before))
}

/// Returns the paths that a changed file has or had.
fn paths_of(file: &ChangedFile) -> impl Iterator<Item = &RepoPath> {
    let from = match &file.change {
        FileChange::Renamed { from } => Some(from),
        _ => None,
    };
    from.into_iter().chain([&file.path])
}

/// A file of the change, as it was before.
struct FileBefore<'s> {
    file: &'s ChangedFile,
    path: &'s RepoPath,
    before: &'s Arc<[u8]>,
}

impl<'s> FileBefore<'s> {
    fn of(file: &'s ChangedFile, scope: &'s Scope) -> Option<Self> {
        let (path, before) = match &file.change {
            FileChange::TypeChanged => return None,
            FileChange::Added => former(file, scope)?,
            FileChange::Renamed { from } => (from, file.before.as_ref()?),
            // A file that the change does not have is as it was; one that could not be read before is not known to be. In the scope
            // of a whole file, every line counts as touched.
            FileChange::Whole if scope.change.has_file(&file.path) => return None,
            FileChange::Whole if scope.unreviewed.iter().any(|it| it.path == file.path.as_str()) => return None,
            FileChange::Whole => (&file.path, file.after.as_ref()?),
            FileChange::Modified | FileChange::ModeChanged | FileChange::Deleted => (&file.path, file.before.as_ref()?),
        };
        Some(Self { file, path, before })
    }

    /// Returns the file as the reviewers of the base get it.
    fn on_base(&self) -> ChangedFile {
        ChangedFile {
            path: self.path.clone(),
            change: FileChange::Whole,
            before: None,
            after: Some(Arc::clone(self.before)),
            ..self.file.clone()
        }
    }

    fn text(&self, redactor: &Redactor, policy: &Policy) -> BaseText<'_> {
        // Rules and people are laxer with tests and foreign code, and so may the policy be with a path: what was let be there was never accepted
        // for anything else.
        let leaves = |is_laxer: fn(&str) -> bool| is_laxer(self.path.as_str()) && !is_laxer(self.file.path.as_str());
        let (was, is) = (policy.block_at(self.path.as_str()), policy.block_at(self.file.path.as_str()));
        let was_laxer = leaves(is_test) || leaves(is_foreign) || !is.is_at_least(was);
        let after = self.file.after.as_deref().filter(|_| !was_laxer);
        BaseText {
            path: self.path.clone(),
            before: self.before,
            cited: cited_text(self.before, redactor),
            now: after.map(|after| (self.file.path.clone(), after)),
        }
    }
}
