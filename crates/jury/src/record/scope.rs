//! The scope as records keep it, and the comparison of two of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    Asset, Base, BaseRule, Change, ChangedFile, FileChange, LineRange, PatchId, RepoPath, Scope, ScopeKind, Side,
    TreeId, Unreviewed,
};

/// The scope of the review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedScope {
    /// The kind of scope (000).
    pub kind: ScopeKind,
    /// The target (000).
    pub target: String,
    /// The name of the base.
    pub base_name: String,
    /// The commit of the base; `None` is the empty tree.
    pub base: Option<String>,
    /// How the base was found; `None` in older records.
    pub base_rule: Option<BaseRule>,
    /// Whether no branch of a remote had the base, though such branches were known.
    pub base_local_only: bool,
    /// The commit that was checked out.
    pub head: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// The subjects of the commits since the base, newest first.
    pub commits: Vec<String>,
    /// The id of the tree that was read.
    pub tree: TreeId,
    /// The id of the change.
    pub patch: PatchId,
    /// The files in scope.
    pub files: Vec<RecordedFile>,
    /// The unreviewable files.
    pub unreviewed: Vec<Unreviewed>,
    /// The paths that the base excludes.
    pub excluded: BTreeSet<RepoPath>,
}

/// A file in scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFile {
    /// Its path.
    pub path: RepoPath,
    /// The kind of its change.
    pub change: FileChange,
    /// The id of its bytes, if it is still there.
    pub id: Option<String>,
    /// The id of the change of this file; `None` in the oldest records.
    pub patch: Option<PatchId>,
    /// The lines that the change adds or alters.
    pub after: Vec<LineRange>,
    /// The lines that the change takes away, as they were counted before it.
    pub before: Vec<LineRange>,
    /// The image that it is, if it was checked as one.
    pub asset: Option<Asset>,
}

impl RecordedScope {
    /// Takes the recorded part of a scope.
    pub fn of(scope: &Scope) -> Self {
        let file = |file: &ChangedFile| RecordedFile {
            path: file.path.clone(),
            change: file.change.clone(),
            id: file.id.clone(),
            patch: Some(file.patch.clone()),
            after: scope.change.lines(&file.path, Side::Right).to_vec(),
            before: scope.change.lines(&file.path, Side::Left).to_vec(),
            asset: file.asset,
        };
        Self {
            kind: scope.kind,
            target: scope.target.clone(),
            base_name: scope.base.name.clone(),
            base: scope.base.commit.clone(),
            base_rule: Some(scope.base.rule),
            base_local_only: scope.base.is_local_only,
            head: scope.head.clone(),
            branch: scope.branch.clone(),
            commits: scope.commits.clone(),
            tree: scope.tree.clone(),
            patch: scope.patch.clone(),
            files: scope.files.iter().map(file).collect(),
            unreviewed: scope.unreviewed.clone(),
            excluded: scope.excluded.clone(),
        }
    }

    /// Returns the base that it was compared with.
    pub fn base(&self) -> Base {
        let rule = self.base_rule.unwrap_or(BaseRule::Earlier);
        let is_local_only = self.base_local_only;
        Base { name: self.base_name.clone(), commit: self.base.clone(), tip: None, rule, is_local_only }
    }

    /// Tells whether the base excludes a path.
    pub fn is_excluded(&self, path: &str) -> bool {
        self.excluded.iter().any(|excluded| excluded.as_str() == path)
    }

    /// Returns the lines that the change touches.
    pub fn change(&self) -> Change {
        let mut change = Change::default();
        for file in &self.files {
            change.add_file(file.path.clone());
            for (side, ranges) in [(Side::Right, &file.after), (Side::Left, &file.before)] {
                for range in ranges {
                    change.add_lines(file.path.clone(), side, *range);
                }
            }
        }
        change
    }

    /// Names the paths of a later scope whose change was not reviewed, those whose change is gone, and the unreviewable ones.
    /// In the very tree that was judged, a file that is no longer a change was still seen.
    pub fn differing(&self, now: &Self, is_same_tree: bool) -> BTreeSet<String> {
        let files_then: BTreeMap<&RepoPath, &RecordedFile> = self.files.iter().map(|file| (&file.path, file)).collect();
        let paths_now = now.files.iter().map(|file| file.path.as_str());
        let paths_now: BTreeSet<&str> = paths_now.chain(now.unreviewed.iter().map(|it| it.path.as_str())).collect();
        let is_as_reviewed =
            |file: &RecordedFile| files_then.get(&file.path).is_some_and(|was| was.is_same(file, is_same_tree));
        let changed = now.files.iter().filter(|file| !is_as_reviewed(file)).map(|file| file.path.as_str());
        let paths_then = self.files.iter().map(|file| file.path.as_str());
        let paths_then = paths_then.chain(self.unreviewed.iter().map(|it| it.path.as_str()));
        let gone = paths_then.filter(|path| !is_same_tree && !paths_now.contains(path));
        // The very bytes that were unreviewable then were judged as such.
        let is_new = |it: &&Unreviewed| it.id.is_none() || !self.unreviewed.contains(it);
        let unreviewed = now.unreviewed.iter().filter(is_new).map(|unreviewed| unreviewed.path.as_str());
        changed.chain(gone).chain(unreviewed).map(str::to_owned).collect()
    }

    /// Returns the paths whose content is not the reviewed one. Outside a whole change, only the files in scope count.
    pub fn changed(&self, now: &Self, id_now: &dyn Fn(&RepoPath) -> Option<String>) -> BTreeSet<RepoPath> {
        fn by_path(scope: &RecordedScope) -> BTreeMap<&RepoPath, &RecordedFile> {
            scope.files.iter().map(|file| (&file.path, file)).collect()
        }
        let (was, is) = (by_path(self), by_path(now));
        let is_whole_change = self.kind == ScopeKind::Changeset;
        let paths: BTreeSet<&RepoPath> = was.keys().chain(is.keys().filter(|_| is_whole_change)).copied().collect();
        let changed = |path: &&RepoPath| match (was.get(*path), is.get(*path)) {
            (Some(was), Some(is)) if was.patch.is_some() => was.patch != is.patch,
            (Some(was), _) => was.id != id_now(path),
            (None, _) => true,
        };
        paths.into_iter().filter(changed).cloned().collect()
    }
}

impl RecordedFile {
    /// Tells whether a later change does the same to the file: the same patch, wherever in the file it lies. Without a patch,
    /// bytes and lines decide, which say nothing about another base of the same tree.
    fn is_same(&self, now: &Self, is_same_tree: bool) -> bool {
        match &self.patch {
            Some(patch) => now.patch.as_ref() == Some(patch),
            None => !is_same_tree && *self == Self { patch: None, ..now.clone() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UnreviewedReason;
    use crate::record::fixtures;

    fn file(path: &str, id: &str, patch: Option<char>) -> RecordedFile {
        RecordedFile {
            path: RepoPath::new(path).unwrap(),
            change: FileChange::Modified,
            id: Some(id.to_owned()),
            patch: patch.map(|digit| PatchId::new(&digit.to_string().repeat(64)).unwrap()),
            after: vec![LineRange::parse("1").unwrap()],
            before: vec![LineRange::parse("1").unwrap()],
            asset: None,
        }
    }

    fn scope(files: &[RecordedFile], unreviewed: &[&str]) -> RecordedScope {
        let unreviewed = unreviewed.iter().map(|path| Unreviewed {
            path: (*path).to_owned(),
            why: UnreviewedReason::Binary,
            id: None,
        });
        RecordedScope { files: files.to_vec(), unreviewed: unreviewed.collect(), ..fixtures::record(Vec::new()).scope }
    }

    #[test]
    fn only_files_with_another_patch_are_named() {
        let then = scope(&[file("a", "1", Some('a')), file("b", "2", Some('b')), file("c", "3", Some('c'))], &["x"]);
        let now = scope(&[file("a", "9", Some('a')), file("b", "2", Some('e')), file("d", "4", Some('d'))], &["y"]);
        let named: Vec<String> = then.differing(&now, false).into_iter().collect();
        assert_eq!(named, ["b", "c", "d", "x", "y"]);
        // In the very tree that was judged, a file that is no change any more was seen.
        let named: Vec<String> = then.differing(&now, true).into_iter().collect();
        assert_eq!(named, ["b", "d", "y"]);
        assert!(then.differing(&scope(&then.files, &[]), true).is_empty());
    }

    #[test]
    fn without_a_patch_bytes_and_lines_decide_and_nothing_about_another_base() {
        let then = scope(&[file("a", "1", None), file("b", "2", None)], &[]);
        let now = scope(&[file("a", "1", Some('a')), file("b", "3", Some('b'))], &[]);
        let named: Vec<String> = then.differing(&now, false).into_iter().collect();
        assert_eq!(named, ["b"]);
        let named: Vec<String> = then.differing(&now, true).into_iter().collect();
        assert_eq!(named, ["a", "b"]);
    }
}
