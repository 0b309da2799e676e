//! Finding ids per 000: `{domain}-{first 8 hex of SHA-256(file path)}-{lineRange or 0}`.
//!
//! In: what the finding is about. Out: its id; two different findings that would share one are told apart by `~2`,
//! `~3`, … in the order in which they are given, which the caller makes deterministic.

use std::fmt::{self, Write as _};

use super::{Domain, Location, digest};

/// The id of a finding, minted by Jury and never taken from a reviewer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId(String);

impl FindingId {
    /// The file that stands for the repository as a whole.
    pub const WHOLE_REPOSITORY: &'static str = ".";

    /// Mints the id of a finding that shares it with no other.
    pub fn new(domain: &Domain, location: Option<&Location>) -> Self {
        let file = location.map_or(Self::WHOLE_REPOSITORY, |location| location.file.as_str());
        let mut id = Self::head(domain.as_str(), file);
        match location.and_then(|location| location.lines) {
            Some(lines) => write!(id, "{lines}").expect("a text takes any text"),
            None => id.push('0'),
        }
        Self(id)
    }

    /// Spells the id for a domain, file and `lineRange` as a verdict file writes them.
    pub fn spelled(domain: &str, file: &str, line_range: Option<&str>) -> Self {
        Self(Self::head(domain, file) + line_range.unwrap_or("0"))
    }

    /// Spells all but the lines.
    fn head(domain: &str, file: &str) -> String {
        let mut id = String::with_capacity(domain.len() + 20);
        id.push_str(domain);
        id.push('-');
        digest::write_hex(&mut id, &[file], 8);
        id.push('-');
        id
    }

    /// Returns the id of the `nth` finding that shares this one; the first keeps it as it is.
    #[must_use]
    pub fn nth(self, nth: usize) -> Self {
        if nth < 2 { self } else { Self(format!("{}~{nth}", self.0)) }
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

/// Tells apart the ids that occur more than once, in the order given.
pub fn mint_ids(ids: impl IntoIterator<Item = FindingId>) -> Vec<FindingId> {
    let ids: Vec<FindingId> = ids.into_iter().collect();
    // Equals are found by sorting hashes: there may be a million ids, almost all of them different.
    let mut hashes: Vec<(u64, usize)> =
        ids.iter().enumerate().map(|(index, id)| (digest::quick(0, id.0.as_bytes()), index)).collect();
    hashes.sort_unstable();
    let mut nths = vec![1; ids.len()];
    for run in hashes.chunk_by_mut(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
        run.sort_unstable_by_key(|(_, index)| (&ids[*index], *index));
        for equal in run.chunk_by(|a, b| ids[a.1] == ids[b.1]) {
            for ((_, index), nth) in equal.iter().zip(1..) {
                nths[*index] = nth;
            }
        }
    }
    ids.into_iter().zip(nths).map(|(id, nth)| id.nth(nth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LineRange, RepoPath};

    fn id(domain: &str, file: &str, lines: Option<&str>) -> String {
        let location = Location::new(RepoPath::new(file).unwrap(), lines.map(|lines| LineRange::parse(lines).unwrap()));
        FindingId::new(&Domain::new(domain).unwrap(), Some(&location)).to_string()
    }

    #[test]
    fn ids_hash_the_path_with_forward_slashes() {
        // printf 'src/api/routes.ts' | sha256sum
        assert_eq!(id("api-patterns", "src/api/routes.ts", Some("45-50")), "api-patterns-69bbc8bb-45-50");
        assert_eq!(id("security", "src/api/routes.ts", None), "security-69bbc8bb-0");
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
