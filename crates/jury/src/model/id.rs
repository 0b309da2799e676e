//! Finding ids per 000: `{domain}-{first 8 hex of SHA-256(file path)}-{lineRange or 0}`.
//!
//! In: the place of the finding. Out: its id; two different findings that would share one are told apart by `~2`,
//! `~3`, … in the order in which they are given, which the caller makes deterministic.

use std::fmt;

use super::{Domain, LineRange, Location, digest};

/// The id of a finding, minted by Jury and never taken from a reviewer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId(Box<str>);

/// The part of an id for a file: the first 8 hexadecimal digits of the SHA-256 of its path. Findings of one file share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileMark([u8; 8]);

impl FileMark {
    /// Marks a file; without one, the repository as a whole.
    pub(crate) fn new(file: Option<&str>) -> Self {
        Self(digest::digits(&[file.unwrap_or(FindingId::WHOLE_REPOSITORY)]))
    }
}

impl FindingId {
    /// The file that stands for the repository as a whole.
    pub const WHOLE_REPOSITORY: &'static str = ".";

    /// Mints the id of a finding that shares it with no other.
    pub fn new(domain: &Domain, location: Option<&Location>) -> Self {
        let mark = FileMark::new(location.map(|location| location.file.as_str()));
        Self::of_marked(domain, mark, location.and_then(|location| location.lines))
    }

    /// Mints an id like [`FindingId::new`], for a file with a known mark.
    pub(crate) fn of_marked(domain: &Domain, mark: FileMark, lines: Option<LineRange>) -> Self {
        let lines = lines.map_or_else(|| "0".to_owned(), |lines| lines.to_string());
        Self::joined(domain.as_str(), mark, &lines)
    }

    /// Spells the id for a domain, file and `lineRange` as a verdict file writes them.
    pub fn spelled(domain: &str, file: &str, line_range: Option<&str>) -> Self {
        Self::joined(domain, FileMark::new(Some(file)), line_range.unwrap_or("0"))
    }

    fn joined(domain: &str, mark: FileMark, lines: &str) -> Self {
        Self([domain, "-", digest::text(&mark.0), "-", lines].concat().into())
    }

    /// Returns the id of the `nth` finding that shares this one; the first keeps it as it is.
    #[must_use]
    pub fn nth(self, nth: usize) -> Self {
        if nth < 2 { self } else { Self(format!("{}~{nth}", self.0).into()) }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Numbers ids that occur more than once, in the order given.
pub fn mint_ids(ids: impl IntoIterator<Item = FindingId>) -> Vec<FindingId> {
    let mut ids: Vec<FindingId> = ids.into_iter().collect();
    number_equal_ids(ids.iter_mut().collect());
    ids
}

/// Numbers ids that occur more than once, in the order given, in place. Equal ids are found by their hashes, because almost
/// all ids are different.
pub(crate) fn number_equal_ids(mut ids: Vec<&mut FindingId>) {
    let mut hashes: Vec<(u64, usize)> = ids.iter().map(|id| digest::quick(0, id.0.as_bytes())).zip(0..).collect();
    hashes.sort_unstable();
    for run in hashes.chunk_by_mut(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
        run.sort_unstable_by_key(|(_, index)| (&*ids[*index], *index));
        let nths: Vec<(usize, usize)> = run
            .chunk_by(|a, b| ids[a.1] == ids[b.1])
            .flat_map(|equal| equal.iter().zip(1..).map(|((_, index), nth)| (*index, nth)))
            .collect();
        for (index, nth) in nths.into_iter().filter(|(_, nth)| *nth > 1) {
            *ids[index] = ids[index].clone().nth(nth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RepoPath;

    fn id(domain: &str, file: &str, lines: Option<&str>) -> String {
        let location = Location::new(RepoPath::new(file).unwrap(), lines.map(|lines| LineRange::parse(lines).unwrap()));
        FindingId::new(&Domain::new(domain).unwrap(), Some(&location)).to_string()
    }

    #[test]
    fn ids_hash_the_path_with_forward_slashes() {
        // printf 'src/api/routes.ts' | sha256sum
        assert_eq!(id("api-patterns", "src/api/routes.ts", Some("45-50")), "api-patterns-69bbc8bb-45-50");
        assert_eq!(id("security", "src/api/routes.ts", None), "security-69bbc8bb-0");
        let longest = "4294967294-4294967295";
        assert_eq!(id("qa", "src/api/routes.ts", Some(longest)), format!("qa-69bbc8bb-{longest}"));
    }

    #[test]
    fn equal_ids_are_numbered_from_the_second_on() {
        let one = FindingId::spelled("qa", "a", None);
        let two = FindingId::spelled("qa", "b", None);
        let minted = mint_ids([one.clone(), two.clone(), one.clone(), one.clone()]);
        assert_eq!(minted, [one.clone(), two, one.clone().nth(2), one.nth(3)]);
        assert!(minted[2].as_str().ends_with("-0~2"));
    }
}
