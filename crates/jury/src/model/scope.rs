//! The scope of a review: the tree, its base, the files, and the unreviewable ones.
//!
//! In: values that the `scope` stage took from git. Out: plain data for every later stage. Deliberately not here: git,
//! the file system, and how any of this is found out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::closed_set::closed_set;
use super::{Asset, Change, GateOwner, RepoPath, ScopeKind};

/// The git tree id of the working tree, in hexadecimal; a verdict is bound to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(String);

/// The SHA-256 of a change, in hexadecimal: paths, modes, removed and added lines, and the place of each hunk (its enclosing
/// lines and its neighbours, no line numbers). A rebase that touches nothing near the hunks leaves it as it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatchId(String);

impl TreeId {
    /// Takes the hexadecimal digits of an id; `None` if they are not that.
    pub fn new(digits: &str) -> Option<Self> {
        ([40, 64].contains(&digits.len()) && is_hex(digits)).then(|| Self(digits.to_owned()))
    }

    /// Returns the hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PatchId {
    /// Takes the hexadecimal digits of an id; `None` if they are not that.
    pub fn new(digits: &str) -> Option<Self> {
        (digits.len() == 64 && is_hex(digits)).then(|| Self(digits.to_owned()))
    }

    /// Returns the hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

impl fmt::Display for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for PatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

closed_set! {
    /// The rule by which a base was found.
    BaseRule {
        /// The caller named it.
        Named = "named",
        /// It is the upstream of the branch.
        Upstream = "upstream",
        /// It is the default branch of a remote.
        RemoteHead = "remote-head",
        /// It is `main` or `master` of a remote.
        RemoteBranch = "remote-branch",
        /// It is `main` or `master` of this repository.
        LocalBranch = "local-branch",
        /// All commits are in the base already: the last one is reviewed.
        LastCommit = "last-commit",
        /// Only uncommitted work is compared.
        Head = "head",
        /// There is nothing to compare with.
        EmptyTree = "empty-tree",
        /// It is the base of an earlier review.
        Earlier = "earlier",
    }
}

impl BaseRule {
    /// Says the rule, for a person.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Named => "named by the caller",
            Self::Upstream => "upstream of the branch",
            Self::RemoteHead => "default branch of the remote",
            Self::RemoteBranch => "main or master of the remote",
            Self::LocalBranch => "main or master of this repository",
            Self::LastCommit => "everything is in the base already, so the last commit is reviewed",
            Self::Head => "uncommitted work only",
            Self::EmptyTree => "there is nothing to compare with",
            Self::Earlier => "the base of an earlier review",
        }
    }
}

/// The base of the working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// Its name: `origin/main`, `HEAD~1`, `the empty tree`.
    pub name: String,
    /// The full id of the commit; `None` is the empty tree.
    pub commit: Option<String>,
    /// The full id of the tip of the branch that it was found on, as far as that was fetched: the target of the change, and
    /// the source of its policy. `None` where there is no such branch beside the commit.
    pub tip: Option<String>,
    /// How it was found.
    pub rule: BaseRule,
    /// Whether branches of remotes are known here and none of them has it: commits in it are in no review that a remote saw.
    pub is_local_only: bool,
}

/// The kind of a file of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFileKind {
    /// A plain file.
    Plain,
    /// A file that can be executed.
    Executable,
    /// A symlink.
    Link,
}

/// The kind of a change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// It is new.
    Added,
    /// Its content changed, and perhaps its mode.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another name and the same content.
    Renamed {
        /// The name it had.
        from: RepoPath,
    },
    /// It became executable, or ceased to be.
    ModeChanged,
    /// It became a symlink, or ceased to be one.
    TypeChanged,
    /// It is reviewed as a whole, changed or not.
    Whole,
}

/// A file under review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path after the change; of a deleted file, before it.
    pub path: RepoPath,
    /// The kind of its change.
    pub change: FileChange,
    /// The blob id after the change, in hexadecimal.
    pub id: Option<String>,
    /// The patch id of this file alone.
    pub patch: PatchId,
    /// The content before the change, if there was any and it is text. Of a symlink, where it points.
    pub before: Option<Arc<[u8]>>,
    /// The content after the change, if there is any and it is text. Of a symlink, where it points.
    pub after: Option<Arc<[u8]>>,
    /// Whether it is a symlink after the change.
    pub is_symlink: bool,
    /// The image that it is after the change, if it was checked as one; then it has no text.
    pub asset: Option<Asset>,
}

closed_set! {
    /// Why something cannot be reviewed.
    UnreviewedReason {
        /// It is not text.
        Binary = "binary",
        /// It is a compiled program.
        Program = "program",
        /// It is named like an image, and its bytes are not that image.
        MalformedImage = "malformed-image",
        /// It is an image with something else in it or behind it.
        MoreThanImage = "more-than-an-image",
        /// It is text, and more than reviewers take.
        TooLarge = "too-large",
        /// It is a pointer to content that Git LFS keeps elsewhere.
        LfsPointer = "lfs-pointer",
        /// It is a commit of another repository.
        Submodule = "submodule",
        /// It is a repository of its own that git does not track.
        NestedRepository = "nested-repository",
        /// Its path is not UTF-8.
        PathNotUtf8 = "path-not-utf8",
        /// Its path is none that a finding could name.
        PathIllegal = "path-illegal",
        /// It could not be read.
        Unreadable = "unreadable",
        /// It is a FIFO, a socket or a device.
        SpecialFile = "special-file",
        /// Its content before the change is not in the repository.
        MissingObject = "missing-object",
        /// It has unresolved merge conflicts.
        Conflict = "conflict",
        /// Attributes convert it: git stores other bytes than were there to be read.
        Converted = "converted",
        /// It is a symlink that leads out of the repository.
        LinkOutside = "link-outside",
    }
}

impl UnreviewedReason {
    /// Says who can change it: the agent, if the file can be made readable, else a person has to look.
    pub const fn owner(self) -> GateOwner {
        match self {
            Self::NestedRepository | Self::Unreadable | Self::SpecialFile | Self::MissingObject | Self::Conflict => {
                GateOwner::Agent
            }
            Self::Binary
            | Self::Program
            | Self::MalformedImage
            | Self::MoreThanImage
            | Self::TooLarge
            | Self::LfsPointer
            | Self::Submodule
            | Self::PathNotUtf8
            | Self::PathIllegal
            | Self::Converted
            | Self::LinkOutside => GateOwner::Person,
        }
    }

    /// Says why, for a person.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Binary => "it is binary",
            Self::Program => "it is a compiled program",
            Self::MalformedImage => "it is no well-formed image of the kind that its name says, or larger than 16 MiB",
            Self::MoreThanImage => "it is an image with unknown parts, an archive, a script, or bytes behind its end",
            Self::TooLarge => "more than 4 MiB of it change, or it is larger than 32 MiB",
            Self::LfsPointer => "its content is in Git LFS, only a pointer to it is in git",
            Self::Submodule => "it is a commit of another repository",
            Self::NestedRepository => "it is a repository of its own; add it as a submodule, or ignore it",
            Self::PathNotUtf8 => "its path is not UTF-8",
            Self::PathIllegal => "its path has a backslash, or is too long",
            Self::Unreadable => "it could not be read",
            Self::SpecialFile => "it is a FIFO, a socket or a device",
            Self::MissingObject => "its earlier content is not in this clone; fetch it with `git fetch --refetch`",
            Self::Conflict => "it has unresolved merge conflicts",
            Self::LinkOutside => "it is a symlink to a path outside of the repository",
            Self::Converted => {
                "attributes convert it, so that git stores other bytes than the file has (filter, ident, working-tree-encoding)"
            }
        }
    }
}

/// Something in the scope that cannot be reviewed. Each is a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreviewed {
    /// Where it is; bytes that are not UTF-8 are replaced, so this is only for display.
    pub path: String,
    /// Why it cannot be reviewed.
    pub why: UnreviewedReason,
    /// Its object id after the change, in hexadecimal, where it has one.
    pub id: Option<String>,
}

/// All files of a tree, each read on demand.
pub trait TreeFiles: Send + Sync {
    /// Returns the paths of the files, ascending by their bytes.
    fn paths(&self) -> Vec<RepoPath>;

    /// Returns the symlinks, each with what it says.
    fn links(&self) -> Vec<(RepoPath, Arc<[u8]>)>;

    /// Returns the bytes of a file; `None` if it is no text, too large to be reviewed, or cannot be had any more.
    fn text(&self, path: &RepoPath) -> Option<Arc<[u8]>>;
}

/// The tree that is under review, as reviewers of a team's own get to see it.
pub trait SourceTree: Sync {
    /// Names the commit of the files that programs execute.
    fn executed_from(&self) -> String;

    /// Shows every file once. A path that `is_from_base` selects is shown as on the base, or not at all if it is new; one that the change
    /// deletes is shown, too. Every other path is shown as after the change.
    fn visit(
        &self,
        is_from_base: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(TreeFile<'_>) -> io::Result<()>,
    ) -> Result<(), String>;

    /// Returns the paths of all files of the base, symlinks included.
    fn base_paths(&self) -> Result<Vec<String>, String>;

    /// Returns the bytes of a file of the base; of a symlink, where it points.
    fn base_bytes(&self, path: &str) -> Option<Vec<u8>>;

    /// Returns the folders of the working tree, if there is one.
    fn folders(&self) -> Option<TreeFolders>;
}

/// The folders of a working tree.
pub struct TreeFolders {
    /// Its root.
    pub root: PathBuf,
    /// Where prepared packages are kept.
    pub kept: PathBuf,
}

/// A file of the tree.
pub struct TreeFile<'t> {
    /// Its path, which need not be UTF-8.
    pub path: &'t [u8],
    /// Its kind.
    pub kind: TreeFileKind,
    /// Its bytes; of a symlink, where it points.
    pub bytes: &'t [u8],
}

/// The whole tree that a scope is a part of, for the few who have to look beyond the change.
#[derive(Clone, Default)]
pub struct WholeTree(Option<Arc<dyn TreeFiles>>);

impl WholeTree {
    /// Takes the reader of the tree.
    pub fn of(files: impl TreeFiles + 'static) -> Self {
        Self(Some(Arc::new(files)))
    }

    /// Returns the reader of the tree, if there is one.
    pub fn files(&self) -> Option<&dyn TreeFiles> {
        self.0.as_deref()
    }
}

impl fmt::Debug for WholeTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WholeTree")
    }
}

/// Two of them are alike: which tree it is, the scope says by its id.
impl PartialEq for WholeTree {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for WholeTree {}

/// The scope of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The kind of scope.
    pub kind: ScopeKind,
    /// The target, in the words of 000.
    pub target: String,
    /// The base of the change, and the source of policy.
    pub base: Base,
    /// The full id of the commit that is checked out; `None` before the first one.
    pub head: Option<String>,
    /// The branch that is checked out, if one is.
    pub branch: Option<String>,
    /// The subjects of the commits since the base, newest first, at most 20.
    pub commits: Vec<String>,
    /// The working tree.
    pub tree: TreeId,
    /// All of it, changed or not.
    pub whole: WholeTree,
    /// The patch id of the change.
    pub patch: PatchId,
    /// The files, by path.
    pub files: Vec<ChangedFile>,
    /// The lines that the change touches.
    pub change: Change,
    /// Unreviewable files, by path.
    pub unreviewed: Vec<Unreviewed>,
    /// The paths that the base excludes: they are searched for secrets, and reviewed no further.
    pub excluded: BTreeSet<RepoPath>,
    /// The files that are to be looked at; `None` is all of them. The others are there for who compares files.
    pub focus: Option<BTreeSet<RepoPath>>,
    /// Earlier names of files: rules look under these as well.
    pub former: BTreeMap<RepoPath, Vec<FormerName>>,
}

/// A name under which a file, or code in it, was reviewed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerName {
    /// The path.
    pub path: RepoPath,
    /// The rules that found something there. Only these are asked again.
    pub rules: BTreeSet<String>,
}

impl Scope {
    /// Tells whether a file is to be looked at.
    pub fn is_in_focus(&self, path: &RepoPath) -> bool {
        self.focus.as_ref().is_none_or(|focus| focus.contains(path))
    }

    /// Tells whether a file is to be reviewed: it is to be looked at, and the base does not exclude it.
    pub fn is_reviewed(&self, path: &RepoPath) -> bool {
        self.is_in_focus(path) && !self.excluded.contains(path)
    }
}

/// The names of changed files: the cheap part of a [`Scope`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The base of the working tree.
    pub base: Base,
    /// The paths, ascending by their bytes.
    pub paths: Vec<ChangedPath>,
    /// Files that could not be identified, changed or not.
    pub unreviewed: Vec<Unreviewed>,
}

/// One path that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPath {
    /// The path; bytes that are not UTF-8 are replaced, so this is only for display.
    pub path: String,
    /// The object id before, in hexadecimal.
    pub before: Option<String>,
    /// The object id after, in hexadecimal. The same as before if only the mode changed.
    pub after: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_hexadecimal_and_whole() {
        let digits = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        assert_eq!(TreeId::new(digits).unwrap().to_string(), digits);
        assert!(PatchId::new(&"0".repeat(64)).is_some());
        for text in
            ["", "4b825d", "4B825DC642CB6EB9A060E54BF8D69288FBEE4904", "../../../../../../../../../../../../../x"]
        {
            assert_eq!(TreeId::new(text), None, "{text}");
            assert_eq!(PatchId::new(text), None, "{text}");
        }
    }
}
