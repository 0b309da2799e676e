//! git in; the scope of a review out: the working tree as it was read, its id, the change and its unreviewable parts.
//!
//! Touches the world, read-only: it opens repositories without any configuration but their own, walks the working tree
//! itself, and reads objects by id. Deliberately not here: running git, hooks, filters or any other program, and every
//! part of git that decides which changes a person gets to see (FAULTS, row 10).

mod acceptances;
mod attributes;
mod base;
mod base_tree;
mod committed;
mod content;
mod excluded;
mod files;
mod folder;
mod ignore;
mod lines;
mod objects;
mod owners;
mod package;
mod place;
mod reviewed_tree;
mod second_look;
mod set_by_hand;
mod snapshot;
mod staged;
mod stat;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::model::{
    Base, ChangedPath, Changes, Day, RepoPath, Scope, ScopeKind, Unreviewed, UnreviewedReason, WholeTree,
};
pub use acceptances::RefObject;
pub use base_tree::BaseTree;
pub use committed::ChangedBytes;
pub use excluded::Excluded;
use objects::{Handles, Objects, hex};
pub use reviewed_tree::{FileSource, ReviewedTree};
pub use snapshot::{Snapshot, Visitor};
use tree::{Delta, Leaf};

/// The most threads that look at a tree.
const MOST_THREADS: usize = 8;

/// How many subjects of commits a scope names.
const MOST_COMMITS: usize = 20;

/// Why a scope could not be made out. Nothing is ever reviewed instead.
#[derive(Debug, thiserror::Error)]
pub enum ScopeError {
    /// There is no repository.
    #[error("{} is not inside a git repository; run `git init` first, or change the directory", .0.display())]
    NotARepository(PathBuf),
    /// The repository has no working tree.
    #[error("{} is a bare repository; run this in a working tree (`git worktree add`)", .0.display())]
    Bare(PathBuf),
    /// `core.worktree` names another folder.
    #[error("`core.worktree` is {}, which does not contain {}; unset it", root.display(), folder.display())]
    Elsewhere {
        /// The configured working tree.
        root: PathBuf,
        /// Where this was run.
        folder: PathBuf,
    },
    /// The repository is of a kind that cannot be read.
    #[error("the repository uses {what}, which is not supported; {remedy}")]
    Unsupported {
        /// The extension.
        what: String,
        /// The way out.
        remedy: &'static str,
    },
    /// Something in the git folder cannot be read.
    #[error("{what} cannot be read: {why}")]
    Git {
        /// The unreadable part.
        what: String,
        /// Why, in git's words.
        why: String,
    },
    /// Something in the working tree cannot be read.
    #[error("{} cannot be read", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A name stands for no commit.
    #[error("`{name}` is not a commit: {why}; use a branch, a tag or a commit, and fetch it first")]
    UnknownRevision {
        /// The name.
        name: String,
        /// Why, in git's words.
        why: String,
    },
    /// A name stands for no commit of a shallow clone.
    #[error(
        "`{0}` is not a commit of this shallow clone; run `git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'`, and name a branch as `origin/BRANCH`"
    )]
    ShallowUnknown(String),
    /// Nothing to compare with could be found.
    #[error("no base found (an upstream, origin/HEAD, main or master); set one with `--base`")]
    NoBase,
    /// Nothing to compare with could be found, and the clone has only a part of the history.
    #[error(
        "no base found (an upstream, origin/HEAD, main or master), and this clone is shallow; run `git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'`, or set a base with `--base`"
    )]
    ShallowNoBase,
    /// The only branch to compare with has commits that no remote has.
    #[error(
        "no base found on a remote, and `{0}` has commits that no remote has; push or fetch it, or set a base with `--base`"
    )]
    LocalBase(String),
    /// The base and HEAD share no history.
    #[error("`{0}` and HEAD have no common commit; set another base with `--base`")]
    NoMergeBase(String),
    /// The history ends too early to tell.
    #[error(
        "this clone is shallow and does not reach back to `{0}`; run `git fetch --unshallow` to deepen it, or set another base with `--base`"
    )]
    Shallow(String),
    /// An object is not in the repository.
    #[error("{what} {id} is missing; fetch it (`git fetch --refetch`, `git fsck` lists others)")]
    MissingObject {
        /// Its kind.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// An object does not match its id.
    #[error("{what} {id} is damaged: its content has another id; restore it (`git fsck` lists others)")]
    DamagedObject {
        /// Its kind.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// A file changed between two looks at it.
    #[error("{0} changed while it was being read; run this again")]
    Moved(String),
    /// A path leads out of the repository.
    #[error("{} is not inside the repository", .0.display())]
    Outside(PathBuf),
    /// There is nothing at a path.
    #[error("{0} is not a file or folder of the working tree, or git ignores it")]
    NoSuchPath(String),
    /// No folder above a path has a manifest.
    #[error("neither {0} nor any folder above it has a manifest such as package.json or Cargo.toml")]
    NoPackage(String),
    /// There is no list of owners.
    #[error("the base has no CODEOWNERS in .github/, the root or docs/, so there are no teams")]
    NoOwners,
    /// The team owns nothing.
    #[error("the team `{name}` owns no file; {} names {}", owners.as_str(), known.join(", "))]
    NoTeam {
        /// The team.
        name: String,
        /// The file of owners.
        owners: RepoPath,
        /// The owners that do own something.
        known: Vec<String>,
    },
}

impl ScopeError {
    fn git(what: impl Into<String>) -> impl FnOnce(gix::Error) -> ScopeError {
        let what = what.into();
        move |why| ScopeError::Git { what, why: why.to_string() }
    }

    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ScopeError {
        let path = path.to_path_buf();
        move |source| ScopeError::Io { path, source }
    }
}

/// The requested scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The changes of the branch, uncommitted work included.
    Changeset {
        /// The base; found automatically if absent.
        base: Option<String>,
    },
    /// The changes of the working tree against exactly this base.
    Since {
        /// The base.
        base: Base,
    },
    /// Uncommitted work only.
    Quick,
    /// What is staged, against HEAD.
    Staged {
        /// The index that git names to its hooks; default: that of the working tree.
        index: Option<PathBuf>,
    },
    /// A whole package.
    Package {
        /// A file or folder in it: absolute, or relative to the folder the repository was discovered from.
        target: PathBuf,
    },
    /// Everything that a team owns.
    Team {
        /// Its name as CODEOWNERS spells it, with or without `@` and organisation.
        name: String,
    },
    /// Whole files and folders.
    Files {
        /// Each absolute, or relative to the folder the repository was discovered from.
        paths: Vec<PathBuf>,
    },
}

impl Request {
    /// Tells whether it is about uncommitted work only, and so for a quick check.
    pub fn is_quick(&self) -> bool {
        matches!(self, Self::Quick | Self::Staged { .. })
    }
}

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
        for Delta { path, before, after } in tree::compare(&objects, tree, snapshot)? {
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
    fn visit_base(&self, base: &Base, is_wanted: &dyn Fn(&str) -> bool, each: &mut Visitor<'_>) -> Result<(), String> {
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
    fn base_leaves(&self, base: &Base) -> Result<Vec<(Vec<u8>, Leaf)>, ScopeError> {
        let objects = self.git.lend();
        let mut leaves = Vec::new();
        if let Some(tree) = base::deciding_tree(&objects, base)? {
            objects.leaves(tree, Vec::new(), &mut leaves)?;
        }
        Ok(leaves)
    }

    /// Reads a file or symlink of that branch.
    fn base_bytes(&self, base: &Base, path: &[u8]) -> Result<Option<Vec<u8>>, ScopeError> {
        let objects = self.git.lend();
        let Some(tree) = base::deciding_tree(&objects, base)? else { return Ok(None) };
        let leaf = objects.find(tree, path)?.filter(|leaf| leaf.mode.kind().is_some());
        leaf.map(|leaf| objects.blob(leaf.id)).transpose()
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

    fn compare(&self, objects: &Objects, snapshot: &Snapshot, request: &Request) -> Result<Comparison, ScopeError> {
        let (kind, base) = match request {
            Request::Changeset { base } => (ScopeKind::Changeset, base::of(objects, base.as_deref(), snapshot.id())?),
            Request::Since { base } => (ScopeKind::Changeset, base.clone()),
            Request::Quick | Request::Staged { .. } => (ScopeKind::Changeset, base::quick(objects)?),
            Request::Package { .. } => (ScopeKind::Package, base::of(objects, None, snapshot.id())?),
            Request::Team { .. } => (ScopeKind::Team, base::of(objects, None, snapshot.id())?),
            Request::Files { .. } => (ScopeKind::File, base::of(objects, None, snapshot.id())?),
        };
        let (target, deltas, chosen) = match request {
            Request::Changeset { .. } | Request::Since { .. } | Request::Quick | Request::Staged { .. } => {
                let deltas = tree::compare(objects, base::tree(objects, &base)?, snapshot)?;
                let target = match request {
                    Request::Quick => "HEAD..worktree".to_owned(),
                    Request::Staged { .. } => "HEAD..index".to_owned(),
                    _ => format!("{}..HEAD", base.name),
                };
                (target, Compared::Change(deltas), None)
            }
            Request::Package { target } => {
                let folder = package::folder(snapshot, &self.below_root(target)?)?;
                let chosen = Chosen::Below(vec![folder.clone()]);
                let name =
                    if folder.is_empty() { ".".to_owned() } else { String::from_utf8_lossy(&folder).into_owned() };
                (name, Compared::Whole(chosen.of(snapshot)), Some(chosen))
            }
            Request::Team { name } => {
                let chosen = Chosen::Owned(owners::of_team(self, snapshot, &base, name)?);
                let leaves = chosen.of(snapshot);
                (name.clone(), Compared::Whole(leaves), Some(chosen))
            }
            Request::Files { paths } => {
                let mut roots = Vec::with_capacity(paths.len());
                for path in paths {
                    let below = self.below_root(path)?;
                    if !snapshot.has(&below) {
                        return Err(ScopeError::NoSuchPath(path.display().to_string()));
                    }
                    roots.push(below);
                }
                let names: Vec<_> = roots
                    .iter()
                    .map(|path| if path.is_empty() { ".".into() } else { String::from_utf8_lossy(path) })
                    .collect();
                let target = names.join(", ");
                let chosen = Chosen::Below(roots);
                (target, Compared::Whole(chosen.of(snapshot)), Some(chosen))
            }
        };
        let unidentified = snapshot.unidentified().iter();
        let unidentified = unidentified
            .filter(|(path, _)| chosen.as_ref().is_none_or(|chosen| chosen.has(path)))
            .map(|(path, why)| Unreviewed { path: String::from_utf8_lossy(path).into_owned(), why: *why, id: None });
        Ok(Comparison { kind, target, base, deltas, unidentified: unidentified.collect() })
    }

    /// Takes a path from the caller as one below the root, with forward slashes. The file system is not asked: a
    /// symlink is named, never followed.
    fn below_root(&self, path: &Path) -> Result<Vec<u8>, ScopeError> {
        let outside = || ScopeError::Outside(path.to_path_buf());
        let relative = if path.is_absolute() {
            path.strip_prefix(&self.root).map_err(|_| outside())?.to_path_buf()
        } else {
            self.start.join(path)
        };
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in relative.components() {
            match part {
                std::path::Component::Normal(name) => {
                    parts.push(gix::path::os_str_into_bstr(name).map_err(|_| outside())?.as_ref());
                }
                std::path::Component::CurDir => {}
                std::path::Component::ParentDir => {
                    parts.pop().ok_or_else(outside)?;
                }
                std::path::Component::RootDir | std::path::Component::Prefix(_) => return Err(outside()),
            }
        }
        Ok(parts.join(&b'/'))
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

/// The result of comparing.
struct Comparison {
    kind: ScopeKind,
    target: String,
    base: Base,
    deltas: Compared,
    unidentified: Vec<Unreviewed>,
}

/// Either the differences from the base, or all requested files.
enum Compared {
    Change(Vec<Delta>),
    Whole(Vec<(Vec<u8>, Leaf)>),
}

/// The requested paths of the working tree.
enum Chosen {
    /// These, and everything below them.
    Below(Vec<Vec<u8>>),
    /// The files of a team.
    Owned(owners::Owned),
}

impl Chosen {
    fn has(&self, path: &[u8]) -> bool {
        match self {
            Chosen::Below(roots) => roots.iter().any(|root| is_below(path, root)),
            Chosen::Owned(owned) => owned.has(path),
        }
    }

    fn of(&self, snapshot: &Snapshot) -> Vec<(Vec<u8>, Leaf)> {
        snapshot.leaves().into_iter().filter(|(path, _)| self.has(path)).collect()
    }
}

/// Tells whether a path is the other one, or lies below it.
fn is_below(path: &[u8], root: &[u8]) -> bool {
    root.is_empty() || path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
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
