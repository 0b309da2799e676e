//! Why a scope could not be made out, each with the command that mends it.

use std::path::{Path, PathBuf};

use crate::model::RepoPath;

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
    pub(super) fn git(what: impl Into<String>) -> impl FnOnce(gix::Error) -> ScopeError {
        let what = what.into();
        move |why| ScopeError::Git { what, why: why.to_string() }
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ScopeError {
        let path = path.to_path_buf();
        move |source| ScopeError::Io { path, source }
    }
}
