//! The files that claims name, each once, so that values that depend on the file alone are computed once for all its claims.
//! Deliberately not here: the content of the files (`text.rs`).

use std::collections::BTreeMap;

use super::candidate::Candidate;
use crate::model::FileMark;

/// A file by its place in [`Files`]; the first stands for no file at all.
pub(super) type FileIndex = u32;

/// The files that the claims of a shard name, in the order in which they are first named.
pub(super) struct Files {
    names: Vec<Box<str>>,
    facts: Vec<Facts>,
}

/// Values derived from the name of a file.
struct Facts {
    mark: FileMark,
    path_class: u32,
}

impl Files {
    /// The index of a claim without a file.
    pub(super) const NONE: FileIndex = 0;

    /// Lists the files that the candidates name, and notes in each candidate which it is.
    pub(super) fn of(candidates: &mut [Candidate]) -> Self {
        let mut names = Texts::default();
        for candidate in candidates {
            let file = candidate.claim.location.as_ref().map(|location| location.file.as_str());
            candidate.file = file.map_or(Self::NONE, |file| names.index_of(file) + 1);
        }
        let names = names.texts;
        let mut path_class = Texts::default();
        let mut key = String::new();
        let mut of = |name: &str| {
            key.clear();
            write_file_key(&mut key, name);
            Facts { mark: FileMark::new(Some(name)), path_class: path_class.index_of(&key) + 1 }
        };
        let facts = std::iter::once(Facts { mark: FileMark::new(None), path_class: 0 })
            .chain(names.iter().map(|name| of(name)))
            .collect();
        Self { names, facts }
    }

    /// Returns the file's part of its findings' ids.
    pub(super) fn mark(&self, file: FileIndex) -> FileMark {
        self.facts[file as usize].mark
    }

    /// Returns a number that is the same for files that count as one: whose paths differ in case or outer blanks only.
    pub(super) fn path_class(&self, file: FileIndex) -> u32 {
        self.facts[file as usize].path_class
    }

    /// Returns how many files there are, no file being one of them.
    pub(super) fn count(&self) -> usize {
        self.facts.len()
    }

    /// Returns the files of all shards by path, each with its shard and its index there.
    pub(super) fn in_order<'f>(shards: impl Iterator<Item = &'f Self>) -> Vec<(usize, FileIndex)> {
        let mut named: Vec<(&str, usize, FileIndex)> = Vec::new();
        for (shard, files) in shards.enumerate() {
            named.extend(files.names.iter().zip(1..).map(|(name, file)| (&**name, shard, file)));
        }
        named.sort_unstable();
        named.into_iter().map(|(_, shard, file)| (shard, file)).collect()
    }
}

/// Writes the key by which two paths are the same file: the path trimmed, in lower case.
pub(super) fn write_file_key(key: &mut String, path: &str) {
    let path = path.trim();
    let start = key.len();
    if path.is_ascii() {
        key.push_str(path);
        key[start..].make_ascii_lowercase();
    } else {
        key.push_str(&path.to_lowercase());
    }
}

/// Texts, each once, in the order in which they come.
#[derive(Default)]
struct Texts {
    texts: Vec<Box<str>>,
    indexes: BTreeMap<Box<str>, u32>,
}

impl Texts {
    /// Returns the index of a text, which is added if it is new.
    fn index_of(&mut self, text: &str) -> u32 {
        if let Some(index) = self.indexes.get(text) {
            return *index;
        }
        let index = u32::try_from(self.texts.len()).expect("there are fewer files than claims");
        self.texts.push(text.into());
        self.indexes.insert(text.into(), index);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthesis::tests::{candidate, claim};

    #[test]
    fn files_are_told_apart_ordered_and_known_by_their_kin() {
        let names = ["src/b.rs", "SRC/b.rs", "src/É", "src/é", "src/b.rs", " src/b.rs"];
        let mut candidates: Vec<Candidate> =
            names.iter().map(|name| candidate(claim("t", Some((name, "1"))))).collect();
        candidates.push(candidate(claim("t", None)));
        let files = Files::of(&mut candidates);
        let of = |value: &dyn Fn(FileIndex) -> u32| -> Vec<u32> { candidates.iter().map(|c| value(c.file)).collect() };
        assert_eq!(of(&|file| file), [1, 2, 3, 4, 1, 5, 0]);
        assert_eq!(of(&|file| files.path_class(file)), [1, 1, 2, 2, 1, 1, 0]);
        // Byte by byte: blank, capitals, small letters, the other shard's, É, é.
        let other = Files::of(&mut [candidate(claim("t", Some(("src/z", "1"))))]);
        assert_eq!(Files::in_order([&files, &other].into_iter()), [(0, 5), (0, 2), (0, 1), (1, 1), (0, 3), (0, 4)]);
    }

    #[test]
    fn many_texts_keep_their_places() {
        let mut texts = Texts::default();
        let spell = |number: u32| format!("text {number}");
        let all = 0..1000;
        assert!(all.clone().all(|number| texts.index_of(&spell(number)) == number));
        assert!(all.clone().all(|number| texts.index_of(&spell(number)) == number));
    }
}
