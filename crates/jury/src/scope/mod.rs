//! git in; the scope of a review out: the working tree as it was read, its id, the change and its unreviewable parts.
//!
//! Touches the world, read-only: it opens repositories without any configuration but their own, walks the working tree
//! itself, and reads objects by id. Deliberately not here: running git, hooks, filters or any other program, and every
//! part of git that decides which changes a person gets to see (FAULTS, row 10).

mod acceptances;
mod at_commit;
mod attributes;
mod base;
mod base_tree;
mod committed;
mod comparison;
mod content;
mod deciding_base;
mod error;
mod excluded;
mod files;
mod folder;
mod git_tree;
mod ignore;
mod lines;
mod objects;
mod owners;
mod package;
mod place;
mod request;
mod reviewed_tree;
mod second_look;
mod set_by_hand;
mod snapshot;
mod staged;
mod stat;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::model::{Base, ChangedPath, Changes, RepoPath, Scope, UnreviewedReason, WholeTree};
pub use acceptances::RefObject;
pub use base_tree::BaseTree;
pub use committed::ChangedBytes;
use comparison::Compared;
pub use error::ScopeError;
pub use excluded::Excluded;
use git_tree::{Delta, Leaf};
use objects::{Handles, Objects, hex};
pub use owners::Owners;
pub use request::Request;
pub use reviewed_tree::{FileSource, ReviewedTree};
pub use snapshot::{Snapshot, Visitor};

/// The most threads that look at a tree.
const MOST_THREADS: usize = 8;

/// How many subjects of commits a scope names.
const MOST_COMMITS: usize = 20;

/// A git repository with a working tree.
pub struct Repository {
    git: Arc<Handles>,
    root: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    /// Where discovery started, below the root: the base of relative targets.
    start: PathBuf,
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Repository {
    /// Finds the repository that a folder lies in. The environment and every configuration but the repository's own
    /// are ignored: a variable like `GIT_DIR` would let the reviewed code choose its own scope.
    pub fn discover(dir: &Path) -> Result<Repository, ScopeError> {
        let start = dir.canonicalize().map_err(ScopeError::io(dir))?;
        let options = gix::open::Options::isolated()
            .with(gix::sec::Trust::Full)
            // Replacements swap objects, and a commit graph is a second account of history that nothing checks.
            .config_overrides([
                "core.useReplaceRefs=false",
                "core.commitGraph=false",
                "gitoxide.objects.noReplace=true",
            ]);
        let assumed = gix::discover::upwards::TrustPolicy::Assume(gix::sec::Trust::Full);
        let search = gix::discover::upwards::Options { trust: assumed, ..Default::default() };
        let by_trust = gix::sec::trust::Mapping { full: options.clone(), reduced: options };
        let git = gix::ThreadSafeRepository::discover_opts(&start, search, by_trust).map_err(|error| {
            match gix::discover::upwards(&start) {
                Ok((found, _)) => ScopeError::git(found.as_ref().display().to_string())(error),
                Err(_) => ScopeError::NotARepository(start.clone()),
            }
        })?;
        let local = git.to_thread_local();
        check_extensions(&local)?;
        let root = local.workdir().ok_or_else(|| ScopeError::Bare(local.git_dir().to_path_buf()))?;
        let absolute = |path: &Path| path.canonicalize().map_err(ScopeError::io(path));
        let root = absolute(root)?;
        let below = start.strip_prefix(&root).map(Path::to_path_buf);
        let below = below.map_err(|_| ScopeError::Elsewhere { root: root.clone(), folder: start.clone() })?;
        let git_dir = absolute(local.git_dir())?;
        let has_own = local.common_dir() != local.git_dir();
        let common_dir = if has_own { absolute(local.common_dir())? } else { git_dir.clone() };
        Ok(Repository { git: Arc::new(Handles::new(git)), root, git_dir, common_dir, start: below })
    }

    /// Returns the root of the working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the git folder of this working tree.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Returns the git folder that all working trees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Determines the scope, with contents and touched lines.
    pub fn scope(&self, snapshot: &Snapshot, request: &Request) -> Result<Scope, ScopeError> {
        let objects = self.git.lend();
        let compared = self.compare(&objects, snapshot, request)?;
        let head = base::head(&objects)?;
        let commits = base::subjects(&objects, head.commit, &compared.base, MOST_COMMITS)?;
        let files = match compared.deltas {
            Compared::Change(deltas) => {
                let base = base::tree(&objects, &compared.base)?;
                files::of_change(&objects, snapshot, base, deltas)?
            }
            Compared::Whole(leaves) => files::of_whole(snapshot, leaves)?,
        };
        let mut unreviewed = files.unreviewed;
        unreviewed.extend(compared.unidentified);
        unreviewed.sort_by(|a, b| (&a.path, a.why.token()).cmp(&(&b.path, b.why.token())));
        unreviewed.dedup();
        Ok(Scope {
            kind: compared.kind,
            target: compared.target,
            base: compared.base,
            head: head.commit.map(|id| hex(&id)),
            branch: head.branch,
            commits,
            tree: snapshot.id().clone(),
            whole: WholeTree::of(snapshot.clone()),
            patch: files.patch,
            files: files.files,
            change: files.change,
            unreviewed,
            excluded: BTreeSet::new(),
            focus: None,
            former: BTreeMap::new(),
        })
    }

    /// Adds files to a scope that the change does not touch, as they are. Missing ones are left out.
    pub fn add_whole(&self, snapshot: &Snapshot, scope: &mut Scope, paths: &[RepoPath]) -> Result<(), ScopeError> {
        let is_new = |path: &&RepoPath| !scope.files.iter().any(|file| file.path == **path);
        let leaf =
            |path: &RepoPath| Some((path.as_str().as_bytes().to_vec(), snapshot.leaf(path.as_str().as_bytes())?));
        let leaves = paths.iter().filter(is_new).filter_map(leaf).collect();
        let added = files::of_whole(snapshot, leaves)?;
        scope.files.extend(added.files);
        scope.files.sort_by(|a, b| a.path.cmp(&b.path));
        scope.unreviewed.extend(added.unreviewed);
        Ok(())
    }

    /// Makes out which paths changed, without their contents.
    pub fn changes(&self, snapshot: &Snapshot, request: &Request) -> Result<Changes, ScopeError> {
        let objects = self.git.lend();
        let compared = self.compare(&objects, snapshot, request)?;
        let id = |leaf: &Leaf| hex(&leaf.id);
        let show = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        let paths = match &compared.deltas {
            Compared::Change(deltas) => deltas
                .iter()
                .map(|delta| ChangedPath {
                    path: show(&delta.path),
                    before: delta.before.as_ref().map(id),
                    after: delta.after.as_ref().map(id),
                })
                .collect(),
            Compared::Whole(leaves) => leaves
                .iter()
                .map(|(path, leaf)| ChangedPath { path: show(path), before: None, after: Some(id(leaf)) })
                .collect(),
        };
        Ok(Changes { base: compared.base, paths, unreviewed: compared.unidentified })
    }

    /// Finds the base of the working tree: the merge base with a named or found branch.
    pub fn base_of(&self, snapshot: &Snapshot, base: Option<&str>) -> Result<Base, ScopeError> {
        base::of(&self.git.lend(), base, snapshot.id())
    }

    /// Returns the commit that is checked out; `None` before the first one.
    pub fn head(&self) -> Result<Option<String>, ScopeError> {
        Ok(base::head(&self.git.lend())?.commit.map(|id| hex(&id)))
    }

    /// Names the paths in which a commit differs from a snapshot; without a commit, all of them. `own` is that of
    /// [`Repository::snapshot`]: files of Jury's own are left out on both sides.
    pub fn differing_from(
        &self,
        snapshot: &Snapshot,
        commit: Option<&str>,
        own: &dyn Fn(&RepoPath, &[u8]) -> bool,
    ) -> Result<Vec<String>, ScopeError> {
        let objects = self.git.lend();
        let tree = base::tree_of(&objects, commit)?;
        if tree.is_some_and(|tree| hex(&tree) == snapshot.id().as_str()) {
            return Ok(Vec::new());
        }
        let mut paths = BTreeSet::new();
        for Delta { path, before, after } in git_tree::compare(&objects, tree, snapshot)? {
            let is_own = match before.filter(|_| after.is_none()) {
                Some(leaf) => is_own(&objects, &path, leaf, own)?,
                None => false,
            };
            if !is_own {
                paths.insert(path);
            }
        }
        for path in tree.iter().flat_map(|_| &snapshot.left_out) {
            let leaf = tree.map(|tree| objects.find(tree, path)).transpose()?.flatten();
            if let Some(leaf) = leaf
                && !is_own(&objects, path, leaf, own)?
            {
                paths.insert(path.clone());
            }
        }
        Ok(paths.iter().map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }

    /// Returns the branch that is checked out, if one is.
    pub fn branch(&self) -> Result<Option<String>, ScopeError> {
        Ok(base::head(&self.git.lend())?.branch)
    }

    /// Returns the committer's name in the repository's own configuration, if it has one.
    pub fn user_name(&self) -> Option<String> {
        let name = self.git.lend().git.config_snapshot().string("user.name").map(|name| name.to_string());
        name.filter(|name| !name.trim().is_empty())
    }

    /// Tells whether a commit is in the repository.
    pub fn has_commit(&self, id: &str) -> Result<bool, ScopeError> {
        base::has(&self.git.lend(), id)
    }

    /// Tells whether a remote is known to have a commit already, by the branches of it that were last fetched or pushed;
    /// `None` if none of its branches is known here.
    pub fn is_published(&self, remote: &str, commit: &str) -> Result<Option<bool>, ScopeError> {
        base::is_published(&self.git.lend(), remote, commit)
    }

    /// Tells whether one commit is an ancestor of another, or the same.
    pub fn is_ancestor(&self, older: &str, newer: &str) -> Result<bool, ScopeError> {
        base::is_ancestor(&self.git.lend(), older, newer)
    }
}

/// Tells whether a file of a commit is Jury's own.
fn is_own(
    objects: &Objects,
    path: &[u8],
    leaf: Leaf,
    own: &dyn Fn(&RepoPath, &[u8]) -> bool,
) -> Result<bool, ScopeError> {
    let legal = std::str::from_utf8(path).ok().and_then(|path| RepoPath::new(path).ok());
    match legal.filter(|_| leaf.mode.is_file() && folder::may_be_own(path)) {
        Some(legal) => Ok(own(&legal, &objects.blob(leaf.id)?)),
        None => Ok(false),
    }
}

/// Returns how many threads look at a tree. More gain nothing: they wait for the kernel.
fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS))
}

/// A path that could not be identified, and why.
type Unidentified = (Vec<u8>, UnreviewedReason);

/// Refuses repositories with an unknown format.
fn check_extensions(git: &gix::Repository) -> Result<(), ScopeError> {
    let config = git.config_snapshot();
    if let Some(storage) = config.string("extensions.refStorage").filter(|storage| *storage != "files") {
        return Err(ScopeError::Unsupported {
            what: format!("the ref storage `{storage}`"),
            remedy: "convert it with `git refs migrate --ref-format=files`",
        });
    }
    let known = [
        "noop",
        "noop-v1",
        "partialclone",
        "preciousobjects",
        "worktreeconfig",
        "objectformat",
        "refstorage",
        "relativeworktrees",
    ];
    let is_v1 = config.integer("core.repositoryFormatVersion").unwrap_or(0) > 0;
    for section in config.sections_by_name("extensions").into_iter().flatten().filter(|_| is_v1) {
        for name in section.value_names() {
            let name = name.to_string().to_lowercase();
            if !known.contains(&name.as_str()) {
                return Err(ScopeError::Unsupported {
                    what: format!("the extension `{name}`"),
                    remedy: "review it from a plain clone",
                });
            }
        }
    }
    Ok(())
}
