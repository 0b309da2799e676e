//! The files that claims name, each once, so that what depends on the file alone is worked out once for all its claims.
//! Deliberately not here: what the files hold (`text.rs`).

use super::candidate::Candidate;
use super::shards;
use crate::model::{FileMark, quick};

/// A file by its place in [`Files`]; the first stands for no file at all.
pub(super) type FileIndex = u32;

/// The files that the claims of a shard name, in the order in which they are first named.
pub(super) struct Files {
    names: Vec<Box<str>>,
    facts: Vec<Facts>,
}

/// What is known of a file by its name.
struct Facts {
    mark: FileMark,
    kin: u32,
}

impl Files {
    /// What a claim names that names no file.
    pub(super) const NONE: FileIndex = 0;

    /// Lists the files that the candidates name, and notes in each candidate which it is.
    pub(super) fn of(candidates: &mut [Candidate]) -> Self {
        let mut names = Texts::default();
        for candidate in candidates {
            let file = candidate.claim.location.as_ref().map(|location| location.file.as_str());
            candidate.file = file.map_or(Self::NONE, |file| names.index_of(file) + 1);
        }
        let names = names.texts;
        let mut kin = Texts::default();
        let mut key = String::new();
        let mut of = |name: &str| {
            key.clear();
            write_file_key(&mut key, name);
            Facts { mark: FileMark::new(Some(name)), kin: kin.index_of(&key) + 1 }
        };
        let facts = std::iter::once(Facts { mark: FileMark::new(None), kin: 0 })
            .chain(names.iter().map(|name| of(name)))
            .collect();
        Self { names, facts }
    }

    /// Returns what the ids of a file's findings say of it.
    pub(super) fn mark(&self, file: FileIndex) -> FileMark {
        self.facts[file as usize].mark
    }

    /// Returns a number that is the same for files that count as one: whose paths differ in case or outer blanks only.
    pub(super) fn kin(&self, file: FileIndex) -> u32 {
        self.facts[file as usize].kin
    }

    /// Returns how many files there are, no file being one of them.
    pub(super) fn count(&self) -> usize {
        self.facts.len()
    }

    /// Returns the files of all shards by path, each with its shard and what it is called there.
    pub(super) fn in_order<'f>(shards: impl Iterator<Item = &'f Self>, threads: usize) -> Vec<(usize, FileIndex)> {
        let mut named: Vec<(&str, usize, FileIndex)> = Vec::new();
        for (shard, files) in shards.enumerate() {
            named.extend(files.names.iter().zip(1..).map(|(name, file)| (&**name, shard, file)));
        }
        shards::sort(&mut named, threads, Ord::cmp);
        named.into_iter().map(|(_, shard, file)| (shard, file)).collect()
    }
}

/// Writes what makes two files the same: the path trimmed, in lower case.
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

/// Texts, each once, with a table of where each is. Its order is that in which texts come, so it is the same in every
/// run, which that of the standard library's hash table is not.
#[derive(Default)]
struct Texts {
    texts: Vec<Box<str>>,
    hashes: Vec<u64>,
    /// For each bucket, one more than the index of its text, or 0; a text whose bucket is taken is in the next free one.
    buckets: Vec<u32>,
}

impl Texts {
    /// Returns the index of a text, which is added if it is new.
    fn index_of(&mut self, text: &str) -> u32 {
        if self.texts.len() * 2 >= self.buckets.len() {
            self.grow();
        }
        let hash = quick(0, text.as_bytes());
        let mut bucket = self.first_bucket(hash);
        while let Some(index) = self.buckets[bucket].checked_sub(1) {
            if self.hashes[index as usize] == hash && *self.texts[index as usize] == *text {
                return index;
            }
            bucket = (bucket + 1) % self.buckets.len();
        }
        self.texts.push(text.into());
        self.hashes.push(hash);
        let number = u32::try_from(self.texts.len()).expect("there are fewer files than claims");
        self.buckets[bucket] = number;
        number - 1
    }

    fn first_bucket(&self, hash: u64) -> usize {
        (hash % self.buckets.len() as u64) as usize
    }

    fn grow(&mut self) {
        self.buckets = vec![0; (self.buckets.len() * 2).max(64)];
        for (hash, number) in self.hashes.iter().zip(1..) {
            let mut bucket = self.first_bucket(*hash);
            while self.buckets[bucket] != 0 {
                bucket = (bucket + 1) % self.buckets.len();
            }
            self.buckets[bucket] = number;
        }
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
        assert_eq!(of(&|file| files.kin(file)), [1, 1, 2, 2, 1, 1, 0]);
        // Byte by byte: blank, capitals, small letters, the other shard's, É, é.
        let other = Files::of(&mut [candidate(claim("t", Some(("src/z", "1"))))]);
        assert_eq!(Files::in_order([&files, &other].into_iter(), 1), [(0, 5), (0, 2), (0, 1), (1, 1), (0, 3), (0, 4)]);
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
