//! Throw-away git repositories, made with the `git` program under a fixed author, date and configuration.
//!
//! In: files and git commands. Out: a repository in a temporary folder that is removed at the end of the test, with the
//! same commit ids on every machine. Deliberately not here: anything of Jury.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for one test, removed when the value is dropped.
pub struct TempFolder {
    path: PathBuf,
}

impl TempFolder {
    /// Makes an empty folder. Its path has no symlinks in it.
    pub fn new() -> TempFolder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("jury-test-{}-{number}", std::process::id()));
        // What a killed run with the same process id left behind is nobody's.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        TempFolder { path: path.canonicalize().expect("the folder was just made") }
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Default for TempFolder {
    fn default() -> TempFolder {
        TempFolder::new()
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A throw-away git repository with a working tree.
pub struct Repo {
    root: PathBuf,
    /// Keeps the folder for as long as the repository is used.
    _folder: Option<TempFolder>,
}

impl Repo {
    /// Makes an empty repository on the unborn branch `main`.
    pub fn new() -> Repo {
        Repo::init(&[])
    }

    /// Makes an empty repository with further arguments for `git init`.
    pub fn init(arguments: &[&str]) -> Repo {
        let folder = TempFolder::new();
        let root = folder.path().join("repo");
        std::fs::create_dir(&root).expect("the temporary folder is new");
        let repo = Repo { root, _folder: Some(folder) };
        repo.git([&["init", "--quiet", "--initial-branch=main"], arguments].concat());
        repo
    }

    /// Makes a repository with these files in its first commit.
    pub fn with(files: &[(&str, &str)]) -> Repo {
        let repo = Repo::new();
        for (path, content) in files {
            repo.write(path, content);
        }
        repo.commit("first");
        repo
    }

    /// Clones a repository, with further arguments for `git clone`. The clone has `origin` and its refs.
    pub fn clone_of(other: &Repo, arguments: &[&str]) -> Repo {
        let folder = TempFolder::new();
        let root = folder.path().join("repo");
        // Over `file://`, so that `--depth` and `--filter` are obeyed.
        let url = format!("file://{}", other.root.display());
        let target = root.to_str().expect("the temporary folder has a UTF-8 path");
        run(folder.path(), [&["clone", "--quiet"], arguments, &["--", &url, target]].concat(), &[]);
        Repo { root, _folder: Some(folder) }
    }

    /// Speaks of a working tree that is already there: a linked one, a nested one. It is not removed.
    pub fn at(root: impl Into<PathBuf>) -> Repo {
        Repo { root: root.into(), _folder: None }
    }

    /// Returns the root of the working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the place of a path of the working tree.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Runs git in the working tree and returns what it printed, without the last line break.
    ///
    /// # Panics
    /// If git fails.
    pub fn git<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        self.git_with(arguments, &[])
    }

    /// Runs git with further variables in its environment.
    pub fn git_with<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        environment: &[(&str, &str)],
    ) -> String {
        let printed = run(&self.root, arguments, environment);
        String::from_utf8_lossy(&printed).trim_end_matches('\n').to_owned()
    }

    /// Runs git and returns the bytes it printed.
    pub fn git_bytes<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Vec<u8> {
        run(&self.root, arguments, &[])
    }

    /// Writes a file of the working tree, and the folders above it.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Repo {
        let path = self.path(path);
        let parent = path.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
        std::fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self
    }

    /// Reads a file of the working tree.
    pub fn read(&self, path: &str) -> Vec<u8> {
        let path = self.path(path);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Removes a file of the working tree.
    pub fn remove(&self, path: &str) -> &Repo {
        let path = self.path(path);
        std::fs::remove_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self
    }

    /// Commits the whole working tree, ignored files aside, and returns the id of the commit.
    pub fn commit(&self, subject: &str) -> String {
        self.git(["add", "--all"]);
        self.commit_index(subject)
    }

    /// Commits the index as it is and returns the id of the commit.
    pub fn commit_index(&self, subject: &str) -> String {
        self.git(["commit", "--quiet", "--allow-empty", "--message", subject]);
        self.head()
    }

    /// Returns the id of the commit that is checked out.
    pub fn head(&self) -> String {
        self.git(["rev-parse", "HEAD"])
    }
}

impl Default for Repo {
    fn default() -> Repo {
        Repo::new()
    }
}

/// What would make git answer differently on another machine.
const FIXED: &[(&str, &str)] = &[
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_COUNT", "3"),
    ("GIT_CONFIG_KEY_0", "protocol.file.allow"),
    ("GIT_CONFIG_VALUE_0", "always"),
    ("GIT_CONFIG_KEY_1", "core.autocrlf"),
    ("GIT_CONFIG_VALUE_1", "false"),
    ("GIT_CONFIG_KEY_2", "gc.auto"),
    ("GIT_CONFIG_VALUE_2", "0"),
    ("GIT_AUTHOR_NAME", "A. Author"),
    ("GIT_AUTHOR_EMAIL", "author@example.com"),
    ("GIT_AUTHOR_DATE", "2026-02-16T12:00:00Z"),
    ("GIT_COMMITTER_NAME", "A. Author"),
    ("GIT_COMMITTER_EMAIL", "author@example.com"),
    ("GIT_COMMITTER_DATE", "2026-02-16T12:00:00Z"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_EDITOR", "true"),
    ("LC_ALL", "C.UTF-8"),
    ("TZ", "UTC"),
];

fn run<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
    environment: &[(&str, &str)],
) -> Vec<u8> {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(folder).env("HOME", folder).env_remove("XDG_CONFIG_HOME");
    command.envs(FIXED.iter().copied()).envs(environment.iter().copied());
    let output = command.output().expect("git runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {said}");
    output.stdout
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_steps_give_the_same_commit() {
        let [one, two] = [0, 1].map(|_| Repo::with(&[("src/a.txt", "a\n")]));
        assert_eq!(one.head(), two.head());
        one.write("b.txt", "b\n").remove("src/a.txt");
        assert_ne!(one.commit("second"), two.head());
        assert_eq!(one.git(["show", "--name-status", "--no-renames", "--format="]), "A\tb.txt\nD\tsrc/a.txt");
        let copy = Repo::clone_of(&one, &["--depth=1"]);
        assert_eq!(copy.git(["rev-parse", "origin/main"]), one.head());
        assert_eq!(copy.git(["rev-list", "--count", "HEAD"]), "1");
    }

    #[test]
    fn a_repository_goes_with_its_value() {
        let root = Repo::new().root().to_path_buf();
        assert!(!root.exists());
    }
}
