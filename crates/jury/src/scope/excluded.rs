//! What the base excludes from a review. In: a scope and the policy of its base. Out: the files of the scope that are excluded, and those
//! that the change moves out of what is.
//!
//! Excluded are changes to files that the base has at that very path. What a change adds there is reviewed like anything else: nobody has
//! agreed to it. Deliberately not here: the effect of that on reviewers.

use std::collections::BTreeSet;

use gix::ObjectId;
use globset::GlobSet;

use super::files::base_attributes;
use super::objects::Objects;
use super::{Repository, ScopeError, base};
use crate::model::{Base, ChangedFile, FileChange, RepoPath, Scope, ScopePolicy, Unreviewed, UnreviewedReason};

/// The excluded part of a scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excluded {
    /// The paths that are excluded.
    pub paths: BTreeSet<RepoPath>,
    /// The new paths of files that were excluded where they were.
    pub moved_out: BTreeSet<RepoPath>,
}

impl Repository {
    /// Finds what the policy of a base excludes from a scope. The attributes are those of the same base.
    pub fn excluded(&self, scope: &Scope, policy: &ScopePolicy, decides: &Base) -> Result<Excluded, ScopeError> {
        if policy.exclude.is_empty() && !policy.linguist {
            return Ok(Excluded::default());
        }
        let objects = self.git.lend();
        let attributes = if policy.linguist { base::deciding_tree(&objects, decides)? } else { None };
        let rules = Rules { objects: &objects, globs: policy.excluded(), attributes };
        // A quick check compares with the last commit, which is part of the change.
        let trees = [base::tree(&objects, &scope.base)?, base::tree(&objects, decides)?];
        let is_on_base = |path: &RepoPath| -> Result<bool, ScopeError> {
            for tree in trees {
                let Some(tree) = tree else { return Ok(false) };
                if objects.find(tree, path.as_str().as_bytes())?.is_none() {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let mut excluded = Excluded::default();
        let changed = scope.files.iter().filter(|file| stays(file)).map(|file| file.path.clone());
        for path in changed.chain(scope.unreviewed.iter().filter_map(unread)) {
            if rules.exclude(&path)? && is_on_base(&path)? {
                excluded.paths.insert(path);
            }
        }
        for file in &scope.files {
            if let FileChange::Renamed { from } = &file.change
                && rules.exclude(from)?
            {
                excluded.moved_out.insert(file.path.clone());
            }
        }
        Ok(excluded)
    }
}

/// Tells whether a file is where it was, and of the kind that it was.
fn stays(file: &ChangedFile) -> bool {
    matches!(file.change, FileChange::Modified | FileChange::ModeChanged | FileChange::Deleted)
}

/// Returns the path of what cannot be read and need not be, if the base excludes it. Whatever else is in the way is told.
fn unread(unreviewed: &Unreviewed) -> Option<RepoPath> {
    use UnreviewedReason as Why;
    let may_pass = matches!(
        unreviewed.why,
        Why::Binary
            | Why::Program
            | Why::MalformedImage
            | Why::MoreThanImage
            | Why::TooLarge
            | Why::LfsPointer
            | Why::Submodule
    );
    may_pass.then(|| RepoPath::new(&unreviewed.path).ok()).flatten()
}

/// What excludes a path.
struct Rules<'o> {
    objects: &'o Objects,
    globs: GlobSet,
    /// The tree whose attributes count, if they do.
    attributes: Option<ObjectId>,
}

impl Rules<'_> {
    fn exclude(&self, path: &RepoPath) -> Result<bool, ScopeError> {
        if self.globs.is_match(path.as_str()) {
            return Ok(true);
        }
        let Some(tree) = self.attributes else { return Ok(false) };
        let path = path.as_str().as_bytes();
        let folder = path.iter().rposition(|byte| *byte == b'/').map_or(&b""[..], |at| &path[..=at]);
        Ok(base_attributes(self.objects, tree, folder)?.is_linguist_hidden(path))
    }
}
