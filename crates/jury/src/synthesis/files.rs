//! The files that claims name, each once, so that what depends on the file alone is worked out once for all its claims.
//! Deliberately not here: what the files hold (`text.rs`).

use super::candidate::{BATCH, Candidate, fetch};
use crate::model::{FileMark, quick};

/// A file by its place in [`Files`]; the first stands for no file at all.
pub(super) type FileIndex = u32;

/// The files that claims name, in the order in which they are first named.
pub(super) struct Files {
    facts: Vec<Facts>,
}

/// What is known of a file by its name.
struct Facts {
    mark: FileMark,
    kin: u32,
    rank: u32,
}

impl Files {
    /// What a claim names that names no file.
    pub(super) const NONE: FileIndex = 0;

    /// Lists the files that the candidates name, and notes in each candidate which it is.
    pub(super) fn of(candidates: &mut [Candidate]) -> Self {
        let mut names = Texts::default();
        fn file(candidate: &Candidate) -> Option<&str> {
            candidate.claim.location.as_ref().map(|location| location.file.as_str())
        }
        for batch in candidates.chunks_mut(BATCH) {
            fetch(batch.iter().filter_map(file));
            for candidate in batch {
                candidate.file = file(candidate).map_or(Self::NONE, |file| names.index_of(file) + 1);
            }
        }
        let names: Vec<Option<&str>> =
            std::iter::once(None).chain(names.texts.iter().map(|name| Some(&**name))).collect();
        let mut kin = Texts::default();
        let mut facts: Vec<Facts> = names
            .iter()
            .map(|name| Facts {
                mark: FileMark::new(*name),
                kin: name.map_or(0, |name| kin.index_of(&file_key(name)) + 1),
                rank: 0,
            })
            .collect();
        let mut in_order: Vec<usize> = (0..names.len()).collect();
        in_order.sort_unstable_by_key(|index| names[*index]);
        for (index, rank) in in_order.into_iter().zip(0..) {
            facts[index].rank = rank;
        }
        Self { facts }
    }

    /// Returns what the ids of a file's findings say of it.
    pub(super) fn mark(&self, file: FileIndex) -> FileMark {
        self.facts[file as usize].mark
    }

    /// Returns a number that is the same for files that count as one: whose paths differ in case or outer blanks only.
    pub(super) fn kin(&self, file: FileIndex) -> u32 {
        self.facts[file as usize].kin
    }

    /// Returns the place of a file among all, by path; no file comes first.
    pub(super) fn rank(&self, file: FileIndex) -> u32 {
        self.facts[file as usize].rank
    }
}

/// Returns what makes two files the same: the path trimmed, in lower case.
pub(super) fn file_key(path: &str) -> String {
    let path = path.trim();
    if path.is_ascii() { path.to_ascii_lowercase() } else { path.to_lowercase() }
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
    fn files_are_told_apart_ranked_and_known_by_their_kin() {
        let names = ["src/b.rs", "SRC/b.rs", "src/É", "src/é", "src/b.rs", " src/b.rs"];
        let mut candidates: Vec<Candidate> =
            names.iter().map(|name| candidate(claim("t", Some((name, "1"))))).collect();
        candidates.push(candidate(claim("t", None)));
        let files = Files::of(&mut candidates);
        let of = |value: &dyn Fn(FileIndex) -> u32| -> Vec<u32> { candidates.iter().map(|c| value(c.file)).collect() };
        assert_eq!(of(&|file| file), [1, 2, 3, 4, 1, 5, 0]);
        assert_eq!(of(&|file| files.kin(file)), [1, 1, 2, 2, 1, 1, 0]);
        // Byte by byte: blank, capitals, small letters, É, é.
        assert_eq!(of(&|file| files.rank(file)), [3, 2, 4, 5, 3, 1, 0]);
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
