//! The reviewed tree as a folder: a path of the repository in, the bytes of its file out.
//!
//! Nothing outside the folder is ever read: a link that leads out, and any irregular file, counts as missing.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use jury::model::RepoPath;
use jury::syntax::Limits;
use jury::synthesis::TreeContent;

use crate::error::Error;
use crate::input::without_secrets;
use crate::render::inert;

/// A folder that holds the reviewed tree.
pub(crate) struct FolderTree {
    root: PathBuf,
    names: Vec<String>,
}

impl FolderTree {
    /// Opens a folder.
    pub(crate) fn open(path: PathBuf) -> Result<Self, Error> {
        let shown = inert::line(&path.to_string_lossy());
        let root = path.canonicalize().and_then(|root| {
            std::fs::read_dir(&root)?;
            Ok(root)
        });
        let root = root.map_err(|source| Error::Read { path: shown, source })?;
        let given = std::path::absolute(&path).ok();
        let mut names: Vec<String> = [Some(&root), given.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(|path| path.to_str().map(str::to_owned))
            .collect();
        names.dedup();
        Ok(Self { root, names })
    }

    /// Returns where it lies, for outputs that name files by their absolute path: as the system has it, and as it was given.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

impl TreeContent for FolderTree {
    fn file(&self, path: &RepoPath) -> Option<Cow<'_, [u8]>> {
        let full = self.root.join(path.as_str()).canonicalize().ok()?;
        // A pipe or device would be opened and waited for; so it is looked at first.
        if !full.starts_with(&self.root) || !full.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(full).ok()?.take(Limits::default().bytes as u64).read_to_end(&mut bytes).ok()?;
        // Quotes of reviewers are redacted, and must match here all the same.
        Some(Cow::Owned(without_secrets(bytes, jury_rules::redact)))
    }
}
