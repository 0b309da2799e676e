//! The notes of `jury init` about a worktree: written files, their earlier content, created folders. By this
//! `--remove` brings every file back as it was. Kept in the git dir. Pure.

use std::collections::{BTreeMap, BTreeSet};

use jury::store::{RecordId, Spot};
use serde::{Deserialize, Serialize};

/// The form of the notes; notes of a newer one are refused.
const VERSION: u32 = 1;

/// The notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    pub(crate) files: BTreeMap<Spot, Noted>,
    /// Folders of the working tree that were made.
    pub(crate) folders: BTreeSet<String>,
}

/// The notes about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Noted {
    /// The content before Jury first wrote it; `None` if the file was missing.
    pub(crate) before: Option<String>,
    /// The SHA-256 of the content that Jury wrote.
    after: String,
    /// Whether it can be run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_executable: bool,
}

#[derive(Serialize, Deserialize)]
struct Wire {
    version: u32,
    tree: BTreeMap<String, Noted>,
    hooks: BTreeMap<String, Noted>,
    folders: BTreeSet<String>,
}

impl Noted {
    /// Notes the written and the earlier content.
    pub(crate) fn new(before: Option<String>, after: &str, is_executable: bool) -> Self {
        Self { before, after: digest(after), is_executable }
    }

    /// Tells whether a text is the one that was written.
    pub(crate) fn is_as_written(&self, text: &str) -> bool {
        self.after == digest(text)
    }
}

fn digest(text: &str) -> String {
    RecordId::of(text.as_bytes()).as_str().to_owned()
}

impl Notes {
    /// Reads notes; without any there is nothing to remember.
    pub(crate) fn read(bytes: Option<&[u8]>) -> Result<Self, String> {
        let Some(bytes) = bytes else { return Ok(Self::default()) };
        let wire: Wire = serde_json::from_slice(bytes).map_err(|error| format!("they are damaged: {error}"))?;
        if wire.version != VERSION {
            return Err(format!("they have version {}, and this program knows {VERSION}", wire.version));
        }
        let tree = wire.tree.into_iter().map(|(path, noted)| (Spot::Tree(path), noted));
        let hooks = wire.hooks.into_iter().map(|(name, noted)| (Spot::Hook(name), noted));
        Ok(Self { files: tree.chain(hooks).collect(), folders: wire.folders })
    }

    /// Writes notes; `None` if there is nothing to remember.
    pub(crate) fn write(&self) -> Option<String> {
        if self.files.is_empty() && self.folders.is_empty() {
            return None;
        }
        let mut wire =
            Wire { version: VERSION, tree: BTreeMap::new(), hooks: BTreeMap::new(), folders: self.folders.clone() };
        for (spot, noted) in self.files.clone() {
            match spot {
                Spot::Tree(path) => wire.tree.insert(path, noted),
                Spot::Hook(name) => wire.hooks.insert(name, noted),
            };
        }
        Some(serde_json::to_string_pretty(&wire).expect("notes are always JSON") + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut notes = Notes::default();
        assert_eq!(notes.write(), None);
        notes.files.insert(Spot::Tree("a/b".to_owned()), Noted::new(Some("x\n".to_owned()), "y", false));
        notes.files.insert(Spot::Hook("pre-push".to_owned()), Noted::new(None, "z", true));
        notes.folders.insert("a".to_owned());
        let text = notes.write().unwrap();
        assert_eq!(Notes::read(Some(text.as_bytes())), Ok(notes.clone()));
        assert!(notes.files[&Spot::Tree("a/b".to_owned())].is_as_written("y"));
        assert!(Notes::read(Some(text.replace("\"version\": 1", "\"version\": 2").as_bytes())).is_err());
        assert!(Notes::read(Some(b"{")).is_err());
        assert_eq!(Notes::read(None), Ok(Notes::default()));
    }
}
