//! Finding ids per 000: `{domain}-{first 8 hex of SHA-256(file path)}-{lineRange or 0}`.
//!
//! In: what the finding is about. Out: its id; two different findings that would share one are told apart by `~2`,
//! `~3`, … in the order in which they are given, which the caller makes deterministic.

use std::fmt;

use super::{Domain, LineRange, Location, digest};

/// The id of a finding, minted by Jury and never taken from a reviewer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId(Box<str>);

/// What an id says of a file: the first 8 hexadecimal digits of the SHA-256 of its path. Findings of one file share it.
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

    /// Mints what [`FindingId::new`] does, of a file whose mark is known.
    pub(crate) fn of_marked(domain: &Domain, mark: FileMark, lines: Option<LineRange>) -> Self {
        let mut buffer = [0; LONGEST_LINES];
        Self::joined(domain.as_str(), mark, lines.map_or("0", |lines| written(lines, &mut buffer)))
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

    /// Returns a hash by which equal ids are found.
    pub(crate) fn quick_hash(&self) -> u64 {
        digest::quick(0, self.0.as_bytes())
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The most bytes that 000's `lineRange` takes: two numbers of ten digits and what joins them.
const LONGEST_LINES: usize = 21;

/// Spells lines as 000's `lineRange`, from the end of a buffer on backwards. Every finding has an id, and the machinery
/// of formatting would be most of what minting one takes.
fn written(lines: LineRange, buffer: &mut [u8; LONGEST_LINES]) -> &str {
    let mut start = LONGEST_LINES;
    if let Some(end) = lines.end_if_longer() {
        start = write_number(end.get(), buffer, start) - 1;
        buffer[start] = b'-';
    }
    start = write_number(lines.start().get(), buffer, start);
    digest::text(&buffer[start..])
}

/// Writes a number so that it ends before a place, and returns where it starts.
fn write_number(mut number: u32, buffer: &mut [u8], end: usize) -> usize {
    let mut start = end;
    while start == end || number > 0 {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    start
}

/// Tells apart the ids that occur more than once, in the order given.
pub fn mint_ids(ids: impl IntoIterator<Item = FindingId>) -> Vec<FindingId> {
    let mut ids: Vec<FindingId> = ids.into_iter().collect();
    let mut hashes: Vec<(u64, usize)> = ids.iter().map(FindingId::quick_hash).zip(0..).collect();
    hashes.sort_unstable();
    tell_apart(&mut ids.iter_mut().collect::<Vec<_>>(), &mut hashes);
    ids
}

/// Tells apart the ids that occur more than once, in the order given, in place. Their hashes come with them, each with the
/// place of its id, sorted: there may be a million ids, almost all of them different, and so equals are found.
pub(crate) fn tell_apart(ids: &mut [&mut FindingId], hashes: &mut [(u64, usize)]) {
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
