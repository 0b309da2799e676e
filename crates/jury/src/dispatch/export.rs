//! A private copy of the reviewed tree (DESIGN §10): the files in; a fresh folder out, which is gone when it is dropped.
//!
//! Only files of the tree are in it: no git folder, nothing that git ignores, and no symlink that could lead out. Deliberately
//! not here: where the files come from.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Component, Path, PathBuf};

pub use crate::model::{SourceTree as Tree, TreeFile};

use super::dependencies::Linked;
use crate::model::TreeFileKind;
use crate::process::{ScratchDir, stay_if_all_is_over};

/// A folder of a run's own, with the tree in it.
pub(super) struct Export {
    folder: ScratchDir,
}

impl Export {
    /// Makes an empty one that is private to the user.
    pub(super) fn new() -> io::Result<Self> {
        let name = format!("jury-{}", &random_hex()?[..16]);
        // The name that the system itself uses is the one that programs print.
        let export = Self { folder: ScratchDir::new(std::env::temp_dir().canonicalize()?.join(name))? };
        fs::create_dir(export.tree())?;
        fs::create_dir(export.temporary())?;
        Ok(export)
    }

    /// Writes the files of a tree, those aside that are left out.
    pub(super) fn fill(
        &self,
        tree: &dyn Tree,
        is_from_base: &dyn Fn(&str) -> bool,
        is_left_out: &dyn Fn(&str) -> bool,
    ) -> Result<(), String> {
        fill(&self.tree(), tree, is_from_base, is_left_out)
    }

    /// Links folders beside the tree into it. Files of the tree in their place could be anything, and are refused.
    pub(super) fn link(&self, linked: &[Linked]) -> Result<(), String> {
        for Linked { path, place } in linked {
            let there = self.tree().join(path);
            if there.symlink_metadata().is_ok() {
                let place = path.display();
                return Err(format!(
                    "the tree has its own {place}, where installed packages go; take it out of the change"
                ));
            }
            let parent = there.parent().map_or(Ok(()), fs::create_dir_all);
            parent.and_then(|()| std::os::unix::fs::symlink(place, &there)).map_err(|error| told(&there, &error))?;
        }
        Ok(())
    }

    /// Returns the folder that holds the tree.
    pub(super) fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    /// Returns the folder for temporary files.
    pub(super) fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// Returns bytes as a file that a program can read from its start, and that has no name.
    pub(super) fn given(&self, bytes: &[u8]) -> io::Result<File> {
        let path = self.folder.path().join("given");
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
        fs::remove_file(&path)?;
        file.write_all(bytes)?;
        file.rewind()?;
        Ok(file)
    }
}

/// Writes the files of a tree to a folder, those aside that are left out. Symlinks come last, so that nothing is written through one.
pub(super) fn fill(
    root: &Path,
    tree: &dyn Tree,
    is_from_base: &dyn Fn(&str) -> bool,
    is_left_out: &dyn Fn(&str) -> bool,
) -> Result<(), String> {
    let mut links = Vec::new();
    tree.visit(is_from_base, &mut |file| {
        let path = Path::new(OsStr::from_bytes(file.path));
        if !is_plain(path) || is_left_out(&String::from_utf8_lossy(file.path)) {
            return Ok(());
        }
        match file.kind {
            TreeFileKind::Link => links.push((path.to_path_buf(), PathBuf::from(OsStr::from_bytes(file.bytes)))),
            kind => write(root, path, file.bytes, kind == TreeFileKind::Executable)?,
        }
        Ok(())
    })?;
    for (path, target) in links.into_iter().filter(|(path, target)| stays_inside(path, target)) {
        let place = root.join(path);
        let parent = place.parent().map_or(Ok(()), fs::create_dir_all);
        parent.and_then(|()| std::os::unix::fs::symlink(target, &place)).map_err(|error| told(&place, &error))?;
    }
    Ok(())
}

fn write(root: &Path, path: &Path, bytes: &[u8], is_executable: bool) -> io::Result<()> {
    stay_if_all_is_over();
    let place = root.join(path);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    let mode = if is_executable { 0o755 } else { 0o644 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(place)?.write_all(bytes)
}

/// Returns 64 unpredictable hexadecimal digits.
pub(super) fn random_hex() -> io::Result<String> {
    let mut bytes = [0_u8; 32];
    let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    if filled < bytes.len() {
        return Err(io::Error::other("the system gives too little randomness"));
    }
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(super) fn told(place: &Path, error: &io::Error) -> String {
    format!("{}: {error}", place.display())
}

/// Tells whether a path only leads down, and not into a git folder.
fn is_plain(path: &Path) -> bool {
    let is_name = |part: Component<'_>| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git"));
    path.components().count() > 0 && path.components().all(is_name)
}

/// Tells whether a symlink leads to a place in the tree: up no further than the root, then only down. A `..` behind a name is
/// not counted upon, for the name may be a symlink itself.
fn stays_inside(path: &Path, target: &Path) -> bool {
    let depth = path.components().count() - 1;
    let mut parts = target.components().peekable();
    let mut ups = 0;
    while parts.next_if(|part| matches!(part, Component::CurDir | Component::ParentDir)).is_some_and(|part| {
        ups += usize::from(part == Component::ParentDir);
        true
    }) {}
    ups <= depth && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A tree of a test: path, kind, bytes.
    pub(crate) struct Given(pub(crate) Vec<(&'static str, TreeFileKind, &'static str)>);

    impl Tree for Given {
        fn executed_from(&self) -> String {
            String::new()
        }

        fn base_paths(&self) -> Result<Vec<String>, String> {
            Ok(self.0.iter().map(|(path, _, _)| (*path).to_owned()).collect())
        }

        fn base_bytes(&self, path: &str) -> Option<Vec<u8>> {
            self.0.iter().find(|(other, _, _)| *other == path).map(|(_, _, text)| text.as_bytes().to_vec())
        }

        fn folders(&self) -> Option<crate::model::TreeFolders> {
            None
        }

        fn visit(
            &self,
            is_from_base: &dyn Fn(&str) -> bool,
            each: &mut dyn FnMut(TreeFile<'_>) -> io::Result<()>,
        ) -> Result<(), String> {
            for (path, kind, text) in self.0.iter().filter(|(path, _, _)| !is_from_base(path)) {
                let file = TreeFile { path: path.as_bytes(), kind: *kind, bytes: text.as_bytes() };
                each(file).map_err(|error| format!("{path}: {error}"))?;
            }
            Ok(())
        }
    }

    #[test]
    fn the_tree_is_there_as_it_is_and_gone_afterwards() {
        use TreeFileKind::{Executable, Link, Plain};
        let tree = Given(vec![
            ("a/b.txt", Plain, "b"),
            ("run.sh", Executable, "#!/bin/sh\n"),
            ("a/in", Link, "../run.sh"),
            ("a/out", Link, "../../x"),
            ("a/fooled", Link, "b/../../../x"),
            ("absolute", Link, "/etc/passwd"),
            ("../up", Plain, "x"),
            (".git/config", Plain, "x"),
            ("sub/.GIT/hooks/x", Executable, "x"),
            (".claude/settings.json", Plain, "{}"),
            ("eslint.config.js", Plain, "x"),
        ]);
        let export = Export::new().unwrap();
        export.fill(&tree, &|path| path == "eslint.config.js", &|path| path.starts_with(".claude/")).unwrap();
        let root = export.tree();
        assert_eq!(fs::read(root.join("a/b.txt")).unwrap(), b"b");
        assert_eq!(fs::metadata(root.join("run.sh")).unwrap().permissions().mode() & 0o111, 0o111);
        assert_eq!(fs::read_link(root.join("a/in")).unwrap(), Path::new("../run.sh"));
        for gone in ["a/out", "a/fooled", "absolute", "../up", ".git", "sub", ".claude", "eslint.config.js"] {
            assert!(fs::symlink_metadata(root.join(gone)).is_err(), "{gone}");
        }
        let folder = export.folder.path().to_path_buf();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        fs::set_permissions(root.join("a"), Permissions::from_mode(0o500)).unwrap();
        drop(export);
        assert!(!folder.exists());
    }

    #[test]
    fn what_is_random_is_never_the_same() {
        let (one, two) = (random_hex().unwrap(), random_hex().unwrap());
        assert!(one.len() == 64 && one != two);
    }
}
