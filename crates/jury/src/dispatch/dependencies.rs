//! Folders that a tool needs beside the tree, such as `node_modules` (DESIGN §10).
//!
//! In: the base, and how its dependencies are had. Out: folders, to be linked into private copies. A command prepares them on a copy of the
//! base, once for each state of the lockfiles; they are compared with their digest before each use. Deliberately not here: running tools.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use super::export::{Tree, TreeFile, fill, told};
use super::settings;
use crate::model::{Dependencies, RepoPath, TreeFolders, short_digest};

/// How long a prepared folder is kept after its last use.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The folders of programs in a folder of packages.
const PROGRAMS: [&str; 2] = [".bin", "bin"];

/// A folder or file that is linked into a private copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Linked {
    /// Its path in the copy.
    pub(super) path: PathBuf,
    /// Where it is.
    pub(super) place: PathBuf,
}

/// Runs the command in a tree, with a folder for temporary files.
pub(super) type Prepare<'f> = dyn Fn(&Path, &Path) -> Result<(), String> + 'f;

/// The tree after the change, as if it were the base: for a check of a change that alters a lockfile.
pub(super) struct OwnTree<'t> {
    tree: &'t dyn Tree,
    paths: Vec<String>,
    /// The lockfiles and settings.
    read: BTreeMap<String, Vec<u8>>,
}

impl<'t> OwnTree<'t> {
    /// Lists a tree.
    pub(super) fn of(tree: &'t dyn Tree) -> Result<Self, String> {
        let mut own = Self { tree, paths: Vec::new(), read: BTreeMap::new() };
        tree.visit(&|_| false, &mut |file| {
            let path = String::from_utf8_lossy(file.path).into_owned();
            if is_read(&path) {
                own.read.insert(path.clone(), file.bytes.to_vec());
            }
            own.paths.push(path);
            Ok(())
        })?;
        Ok(own)
    }
}

impl Tree for OwnTree<'_> {
    fn executed_from(&self) -> String {
        self.tree.executed_from()
    }

    fn visit(
        &self,
        _: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(TreeFile<'_>) -> io::Result<()>,
    ) -> Result<(), String> {
        self.tree.visit(&|_| false, each)
    }

    fn base_paths(&self) -> Result<Vec<String>, String> {
        Ok(self.paths.clone())
    }

    fn base_bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.read.get(path).cloned()
    }

    fn folders(&self) -> Option<TreeFolders> {
        self.tree.folders()
    }
}

/// Tells whether the packages depend on a file.
fn is_read(path: &str) -> bool {
    is_lockfile(path) || settings::configures_tools(path) || settings::looks_like_settings(path)
}

/// Returns the folders, prepared if need be. `kept_by` is the id of a tree that nobody has reviewed: anything in it may take part in what is
/// prepared, which so is kept by it, and is never used for another tree.
pub(super) fn folders(
    wanted: &Dependencies,
    tree: &dyn Tree,
    kept_by: Option<&str>,
    prepare: &Prepare<'_>,
) -> Result<Vec<Linked>, String> {
    if wanted.prepare.is_empty() && wanted.links.is_empty() {
        return Ok(Vec::new());
    }
    let home = tree.folders().ok_or("there is no working tree to take dependencies from")?;
    let mut all = wanted.links.iter().map(|path| link(&home.root, path)).collect::<Result<Vec<_>, _>>()?;
    if !wanted.prepare.is_empty() {
        let key = key(wanted, tree)?;
        let key = kept_by.map_or(key.clone(), |tree| short_digest(&[&key, tree], 32));
        all.extend(Prepared { home: home.kept, key }.folders(tree, prepare)?);
    }
    Ok(all)
}

/// Returns the folders of programs among the linked ones.
pub(super) fn programs(linked: &[Linked]) -> impl Iterator<Item = PathBuf> {
    linked.iter().flat_map(|it| PROGRAMS.map(|name| it.place.join(name))).filter(|folder| folder.is_dir())
}

/// Returns a digest of the command and of everything on the base that it depends on.
pub(super) fn key(wanted: &Dependencies, tree: &dyn Tree) -> Result<String, String> {
    let paths = tree.base_paths()?;
    if !paths.iter().any(|path| is_lockfile(path)) {
        return Err("`prepare` needs a lockfile on the base, for its result is kept by it".to_owned());
    }
    let mut parts = wanted.prepare.clone();
    for path in paths.iter().filter(|path| is_read(path)) {
        let bytes = tree.base_bytes(path).unwrap_or_default();
        parts.extend([path.clone(), hex(&Sha256::digest(&bytes))]);
    }
    Ok(short_digest(&parts.iter().map(String::as_str).collect::<Vec<_>>(), 32))
}

/// Tells whether a file is a lockfile that a program writes; lists of pinned packages are written by people, too.
pub(super) fn is_written_lockfile(path: &str) -> bool {
    is_lockfile(path) && !path.ends_with(".txt")
}

/// Tells whether a file pins the versions of packages, by its name.
fn is_lockfile(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let is_lock = name.split(['.', '-', '_']).any(|word| ["lock", "lockb", "lockfile", "shrinkwrap"].contains(&word));
    is_lock || name == "go.sum" || (name.starts_with("requirements") && name.ends_with(".txt"))
}

fn link(root: &Path, path: &RepoPath) -> Result<Linked, String> {
    let place = root.join(path.as_str());
    match place.is_dir() {
        true => Ok(Linked { path: PathBuf::from(path.as_str()), place }),
        false => {
            Err(format!("`links` names {path}, which is no folder of the working tree; install the packages first"))
        }
    }
}

/// A folder that was prepared, or will be.
struct Prepared {
    /// The folder of all of them.
    home: PathBuf,
    key: String,
}

impl Prepared {
    fn tree(&self) -> PathBuf {
        self.home.join(&self.key).join("tree")
    }

    /// The digest of the prepared folders, and their paths; written last.
    fn list(&self) -> PathBuf {
        self.home.join(&self.key).join("list")
    }

    fn folders(&self, tree: &dyn Tree, prepare: &Prepare<'_>) -> Result<Vec<Linked>, String> {
        let failed = |error: io::Error| told(&self.home, &error);
        fs::create_dir_all(&self.home).map_err(failed)?;
        let lock = File::create(self.home.join(format!("{}.lock", self.key))).map_err(failed)?;
        // Tools of one review, and other commands, wait for the one that prepares.
        lock.lock().map_err(failed)?;
        if let Some(paths) = self.unchanged() {
            return Ok(self.linked(paths));
        }
        let folder = self.home.join(&self.key);
        remove(&folder).map_err(failed)?;
        let temporary = folder.join("tmp");
        fs::create_dir_all(self.tree()).and_then(|()| fs::create_dir_all(&temporary)).map_err(failed)?;
        fill(&self.tree(), tree, &|_| true, &|_| false)?;
        let before = entries(&self.tree(), &|_| true).map_err(failed)?;
        prepare(&self.tree(), &temporary)?;
        remove(&temporary).map_err(failed)?;
        let paths = self.made(&before).map_err(failed)?;
        let digest = self.digest(&paths).map_err(failed)?;
        let lines: Vec<String> =
            std::iter::once(digest).chain(paths.iter().map(|path| path.display().to_string())).collect();
        fs::write(self.list(), lines.join("\n")).map_err(failed)?;
        self.drop_old_ones();
        Ok(self.linked(paths))
    }

    fn linked(&self, paths: Vec<PathBuf>) -> Vec<Linked> {
        paths.into_iter().map(|path| Linked { place: self.tree().join(&path), path }).collect()
    }

    /// Returns the prepared paths, if they are there as they were made.
    fn unchanged(&self) -> Option<Vec<PathBuf>> {
        let list = fs::read_to_string(self.list()).ok()?;
        let mut lines = list.lines();
        let digest = lines.next()?;
        let paths: Vec<PathBuf> = lines.map(PathBuf::from).collect();
        if self.digest(&paths).ok()? != digest {
            return None;
        }
        // The time of the last use; without it the folder only goes earlier.
        _ = File::options().append(true).open(self.list()).and_then(|list| list.set_modified(SystemTime::now()));
        Some(paths)
    }

    /// Returns the topmost paths that the command made.
    fn made(&self, before: &BTreeSet<PathBuf>) -> io::Result<Vec<PathBuf>> {
        let all = entries(&self.tree(), &|path| before.contains(path))?;
        Ok(all.into_iter().filter(|path| !before.contains(path)).collect())
    }

    fn digest(&self, paths: &[PathBuf]) -> io::Result<String> {
        let mut digest = Sha256::new();
        for path in paths {
            let place = self.tree().join(path);
            add(&mut digest, &place, path)?;
            if place.is_dir() && !place.is_symlink() {
                for below in entries(&place, &|_| true)? {
                    add(&mut digest, &place.join(&below), &path.join(&below))?;
                }
            }
        }
        Ok(hex(&digest.finalize()))
    }

    /// Removes folders that nobody has used for a long time; one that cannot be removed stays.
    fn drop_old_ones(&self) {
        for entry in fs::read_dir(&self.home).into_iter().flatten().flatten() {
            let used = fs::metadata(entry.path().join("list")).and_then(|list| list.modified());
            if used.is_ok_and(|used| used.elapsed().is_ok_and(|age| age > KEPT)) {
                _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Lists the paths in a folder, in order, without following symlinks. A folder is looked into if `is_entered` says so.
fn entries(root: &Path, is_entered: &dyn Fn(&Path) -> bool) -> io::Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() && is_entered(&path) {
                folders.push(path.clone());
            }
            found.insert(path);
        }
    }
    Ok(found)
}

/// Adds a path, and the bytes of a file or the target of a symlink, to a digest.
fn add(digest: &mut Sha256, place: &Path, path: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(place)?;
    let mut part = |name: &[u8]| {
        digest.update((name.len() as u64).to_le_bytes());
        digest.update(name);
    };
    part(path.as_os_str().as_bytes());
    if kind.is_symlink() {
        part(OsStr::as_bytes(fs::read_link(place)?.as_os_str()));
    } else if kind.is_file() {
        let mut bytes = Vec::new();
        File::open(place)?.read_to_end(&mut bytes)?;
        part(&bytes);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::export::{Export, tests::Given};
    use super::*;
    use crate::model::TreeFileKind;

    const LOCK: (&str, TreeFileKind, &str) = ("package-lock.json", TreeFileKind::Plain, "{}");

    #[test]
    fn lockfiles_are_known_by_their_names() {
        for name in [
            "package-lock.json",
            "a/yarn.lock",
            "Gemfile.lock",
            "bun.lockb",
            "go.sum",
            "requirements-dev.txt",
            "npm-shrinkwrap.json",
        ] {
            assert!(is_lockfile(name), "{name}");
        }
        for name in ["src/clock.ts", "block.json", "locksmith.md", "package.json"] {
            assert!(!is_lockfile(name), "{name}");
        }
    }

    #[test]
    fn a_folder_is_prepared_once_and_again_when_it_was_altered() {
        let home = Export::new().unwrap();
        let tree = Given(vec![LOCK]);
        let times = Cell::new(0);
        let prepare = |tree: &Path, _: &Path| {
            times.set(times.get() + 1);
            fs::create_dir_all(tree.join("node_modules/.bin")).unwrap();
            fs::write(tree.join("node_modules/.bin/lint"), "exit 0").map_err(|error| error.to_string())
        };
        let prepared = Prepared { home: home.temporary(), key: "k".to_owned() };
        let paths = |linked: Vec<Linked>| linked.into_iter().map(|it| it.path).collect::<Vec<_>>();
        let expected = [PathBuf::from("node_modules")];
        assert_eq!(paths(prepared.folders(&tree, &prepare).unwrap()), expected);
        assert_eq!(paths(prepared.folders(&tree, &prepare).unwrap()), expected);
        assert_eq!(times.get(), 1);
        fs::write(prepared.tree().join("node_modules/.bin/lint"), "echo '[]'").unwrap();
        let linked = prepared.folders(&tree, &prepare).unwrap();
        assert_eq!(times.get(), 2);
        assert_eq!(programs(&linked).collect::<Vec<_>>(), [prepared.tree().join("node_modules/.bin")]);
        assert_eq!(fs::read_to_string(prepared.tree().join("node_modules/.bin/lint")).unwrap(), "exit 0");
    }

    #[test]
    fn a_failed_preparation_is_not_kept() {
        let home = Export::new().unwrap();
        let tree = Given(vec![LOCK]);
        let prepared = Prepared { home: home.temporary(), key: "k".to_owned() };
        let fails = |tree: &Path, _: &Path| {
            fs::create_dir(tree.join("node_modules")).unwrap();
            Err("it ended with exit code 1".to_owned())
        };
        assert_eq!(prepared.folders(&tree, &fails).unwrap_err(), "it ended with exit code 1");
        assert_eq!(prepared.folders(&tree, &|_, _| Ok(())).unwrap(), []);
    }
}
