//! Test support: the fixture runner, throw-away repositories (`repo`), a server that answers like a model (`server`), a model for real
//! agent hosts (`model`), forges with state that misbehave (`forge`), a generator of reviews (`reviews`), programs of others that a test holds us against (`python`), CPU time (`clock`), waiting (`patience`), and the size
//! of long campaigns (`campaign`). Unpublished.
//!
//! In: a folder of cases, each a folder with one `input.*` and one `expected.json`. Out: a failing test that names the
//! case and shows both sides. A later room: fake reviewers.

pub mod campaign;
pub mod clock;
pub mod forge;
pub mod model;
pub mod patience;
pub mod python;
pub mod repo;
pub mod reviews;
pub mod server;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// One case of a fixture folder.
pub struct Case {
    /// The name of its folder.
    pub name: String,
    folder: PathBuf,
    /// The bytes of its `input.*`.
    pub input: Vec<u8>,
}

/// Returns the cases below a folder, sorted by name. A folder without any is a mistake, not an empty success.
pub fn cases(folder: &Path) -> Vec<Case> {
    let mut cases: Vec<Case> = folders(folder)
        .into_iter()
        .map(|folder| {
            let name = folder.file_name().expect("a listed folder has a name").to_string_lossy().into_owned();
            let input = std::fs::read_dir(&folder)
                .expect("the folder was listed")
                .map(|entry| entry.expect("the folder can be read").path())
                .find(|path| path.file_stem().is_some_and(|stem| stem == "input"))
                .unwrap_or_else(|| panic!("{} has no input", folder.display()));
            let input = std::fs::read(&input).unwrap_or_else(|error| panic!("{}: {error}", input.display()));
            Case { name, folder, input }
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!cases.is_empty(), "{} has no cases", folder.display());
    cases
}

/// Returns the folders directly below a folder, sorted.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

impl Case {
    /// Returns the case's own account of why it is there: `about` in its `expected.json`, empty if there is none.
    pub fn about(&self) -> String {
        let text = std::fs::read_to_string(self.folder.join("expected.json")).unwrap_or_default();
        let expected: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        expected["about"].as_str().unwrap_or_default().to_owned()
    }

    /// Compares what came out with the case's `expected.json`. With `JURY_BLESS=1` it writes that file instead, for a
    /// person to read before it is committed.
    ///
    /// # Panics
    /// If they differ, or there is nothing to compare with.
    pub fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(&self, actual: &T) {
        let path = self.folder.join("expected.json");
        if std::env::var_os("JURY_BLESS").is_some() && std::env::var_os("CI").is_none() {
            let text = serde_json::to_string_pretty(actual).expect("a test value is JSON") + "\n";
            std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            return;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let expected: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(*actual, expected, "\ncase {} differs from {}", self.name, path.display());
    }
}
