//! Reports in; shards of their claims out, which are worked on one by one, by as many threads as there are cores.
//!
//! Only claims of one file are ever merged, so a shard holds all claims of its files, and knows nothing of other shards. The
//! data of one shard stays close to the core that works on it, which that of a million claims does not. The number of shards
//! and threads does not change the result (docs/decisions/018-shards.md).

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{available_parallelism, scope};

use super::attribute::Author;
use super::candidate::Origin;
use crate::model::{Claim, Report, quick_in_lower_case};

/// About how many claims a shard has, if they are spread over files. Intermediate values are in memory
/// for as many claims at a time.
const SIZE: usize = 256;
/// Fewer claims than this are worked on in less time than it takes to start a thread.
const WORTH_A_THREAD: usize = 4096;

/// The parts of reports.
pub(super) struct ReportParts {
    /// How many threads all claims together are worth.
    pub(super) threads: usize,
    /// The author of each report.
    pub(super) authors: Vec<Author>,
    /// The claims of each report.
    pub(super) claims: Vec<ReportClaims>,
    pub(super) residual_risks: Vec<String>,
    pub(super) testing_gaps: Vec<String>,
}

/// The claims of a report, and the hash of the file that each names.
pub(super) struct ReportClaims {
    claims: Vec<Box<Claim>>,
    file_hashes: Vec<u64>,
}

/// Takes reports apart.
pub(super) fn open(reports: Vec<Report>) -> ReportParts {
    let each = |mut report: Report| {
        let claims = std::mem::take(&mut report.claims);
        let file_hashes = claims.iter().map(|claim| file_hash(claim)).collect();
        let quotes = claims.iter().any(|claim| claim.first_evidence().is_some());
        let author = Author::of(&report, quotes);
        (author, ReportClaims { claims, file_hashes }, report)
    };
    let claims: usize = reports.iter().map(|report| report.claims.len()).sum();
    // To count cores means to read files of the system.
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let threads = if claims < WORTH_A_THREAD { 1 } else { cores() };
    let mut opened = ReportParts {
        threads,
        authors: Vec::with_capacity(reports.len()),
        claims: Vec::with_capacity(reports.len()),
        residual_risks: Vec::new(),
        testing_gaps: Vec::new(),
    };
    for (author, placed, report) in work_on(reports, threads, each) {
        opened.authors.push(author);
        opened.claims.push(placed);
        opened.residual_risks.extend(report.residual_risks);
        opened.testing_gaps.extend(report.testing_gaps);
    }
    opened
}

/// Shares out claims with their origins, those of one file to one shard.
pub(super) fn share(reports: Vec<ReportClaims>) -> Vec<Vec<(Origin, Box<Claim>)>> {
    let claims: usize = reports.iter().map(|report| report.claims.len()).sum();
    let count = (claims / SIZE).max(1);
    let room = claims.min(SIZE + SIZE / 4);
    let mut shards: Vec<Vec<(Origin, Box<Claim>)>> = (0..count).map(|_| Vec::with_capacity(room)).collect();
    for (report, report_index) in reports.into_iter().zip(0..) {
        for ((claim, hash), claim_index) in report.claims.into_iter().zip(report.file_hashes).zip(0..) {
            let shard = (hash % count as u64) as usize;
            shards[shard].push((Origin { report_index, claim_index }, claim));
        }
    }
    shards
}

/// Returns a hash of the file that a claim names, the same for all spellings that count as one file (`files.rs`); 0 if it
/// names none.
fn file_hash(claim: &Claim) -> u64 {
    let path = file_of(claim).trim();
    // Few paths have other letters, and their lower case cannot be computed byte by byte.
    if path.is_ascii() { quick_in_lower_case(path.as_bytes()) } else { 0 }
}

/// Returns the path of the file that a claim names, which is empty if it names none.
fn file_of(claim: &Claim) -> &str {
    claim.location.as_ref().map_or("", |location| location.file.as_str())
}

/// Works on all shards, by as many threads, and returns their results in order.
pub(super) fn work_on<S: Send, R: Send>(shards: Vec<S>, threads: usize, work: impl Fn(S) -> R + Sync) -> Vec<R> {
    let threads = threads.min(shards.len());
    if threads < 2 {
        return shards.into_iter().map(work).collect();
    }
    let queue = Mutex::new(shards.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take = || std::iter::from_fn(next).map(|(number, shard)| (number, work(shard))).collect::<Vec<_>>();
    let mut done = scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut done = take();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::synthesis::tests::{claim, report};

    #[test]
    fn all_claims_of_a_file_are_in_one_shard_and_none_is_lost() {
        let spelled = |number: usize| match number % 5 {
            0 => None,
            1 => Some(format!("src/f{}.rs", number % 500)),
            2 => Some(format!("SRC/F{}.rs", number % 500)),
            3 => Some(format!("src/f{}.rs ", number % 500)),
            _ => Some(format!("src/{}{}.rs", ["É", "é"][number % 2], number % 500)),
        };
        let of = |number| claim("t", spelled(number).as_ref().map(|file| (file.as_str(), "1")));
        let reports = vec![report("a", (0..500).map(of).collect()), report("b", (500..5 * SIZE).map(of).collect())];
        let shards = share(open(reports).claims);
        assert_eq!(shards.len(), 5);
        let mut shard_of_file = BTreeMap::new();
        let mut seen = Vec::new();
        for (number, shard) in shards.into_iter().enumerate() {
            for (origin, claim) in shard {
                let location = claim.location;
                let file = location.map(|location| location.file.as_str().trim().to_lowercase());
                assert_eq!(*shard_of_file.entry(file).or_insert(number), number);
                seen.push(origin);
            }
        }
        assert!(shard_of_file.values().any(|shard| *shard > 0));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 5 * SIZE);
    }

    #[test]
    fn what_comes_of_shards_comes_in_their_order() {
        let numbers: Vec<usize> = (0..1000).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(work_on(numbers.clone(), threads, |number| number), numbers);
        }
    }

    #[test]
    #[should_panic(expected = "the shard broke")]
    fn a_shard_that_breaks_breaks_the_whole() {
        work_on((0..100).collect(), 2, |number: usize| assert!(number != 50, "the shard broke"));
    }
}
