//! Reports in; shards of their claims out, which are worked on one by one, by as many threads as there are cores.
//!
//! Only claims of one file are ever merged, so a shard holds all claims of its files, and knows nothing of other shards. What
//! one shard reads stays close to the core that works on it, which a million claims do not. How many shards and threads
//! there are changes nothing of what comes out (docs/decisions/018-shards.md).

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{available_parallelism, scope};

use super::attribute::{Speaker, index};
use super::candidate::Origin;
use super::files::write_file_key;
use crate::model::{Claim, Report, quick};

/// About how many claims a shard has, if they are spread over files.
const SIZE: usize = 1024;

/// A claim, and where it was; boxed, because claims are large, and moved more often than they are read.
pub(super) struct Stated {
    pub(super) origin: Origin,
    pub(super) claim: Box<Claim>,
}

/// What reports hold, taken apart.
#[derive(Default)]
pub(super) struct Opened {
    /// Who speaks in each report.
    pub(super) speakers: Vec<Speaker>,
    /// Their claims, by shard.
    pub(super) shards: Vec<Vec<Stated>>,
    pub(super) residual_risks: Vec<String>,
    pub(super) testing_gaps: Vec<String>,
}

/// Takes reports apart.
pub(super) fn open(reports: Vec<Report>) -> Opened {
    let claims: usize = reports.iter().map(|report| report.claims.len()).sum();
    let count = (claims / SIZE).max(1);
    let room = claims.min(SIZE + SIZE / 4);
    let mut opened = Opened { shards: (0..count).map(|_| Vec::with_capacity(room)).collect(), ..Opened::default() };
    let each = |mut report: Report| {
        let speaker = Speaker::of(&report);
        let claims = std::mem::take(&mut report.claims).into_iter().map(Box::new);
        let mut key = String::new();
        let placed: Vec<(usize, Box<Claim>)> = claims.map(|claim| (shard_of(&claim, count, &mut key), claim)).collect();
        (speaker, placed, report)
    };
    // The claims of most reviews fit into one shard, and to start a thread would take longer than all of them.
    let taken = if count > 1 { work_on(reports, each) } else { reports.into_iter().map(each).collect() };
    for ((speaker, placed, report), report_index) in taken.into_iter().zip(0..) {
        opened.speakers.push(speaker);
        opened.residual_risks.extend(report.residual_risks);
        opened.testing_gaps.extend(report.testing_gaps);
        for (claim_index, (shard, claim)) in placed.into_iter().enumerate() {
            let origin = Origin { report_index, claim_index: index(claim_index) };
            opened.shards[shard].push(Stated { origin, claim });
        }
    }
    opened
}

/// Returns the shard that a claim belongs to. What names no file is in the first.
fn shard_of(claim: &Claim, count: usize, key: &mut String) -> usize {
    let Some(location) = claim.location.as_ref().filter(|_| count > 1) else { return 0 };
    key.clear();
    write_file_key(key, location.file.as_str());
    (quick(0, key.as_bytes()) % count as u64) as usize
}

/// Works on all shards and returns what came of each, in their order.
pub(super) fn work_on<S: Send, R: Send>(shards: Vec<S>, work: impl Fn(S) -> R + Sync) -> Vec<R> {
    // To count cores means to read files of the system.
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let threads = if shards.len() > 1 { cores().min(shards.len()) } else { 1 };
    if threads == 1 {
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
        let spelled = |number: usize| match number % 4 {
            0 => None,
            1 => Some(format!("src/f{}.rs", number % 500)),
            2 => Some(format!("SRC/F{}.rs", number % 500)),
            _ => Some(format!("src/f{}.rs ", number % 500)),
        };
        let of = |number| claim("t", spelled(number).as_ref().map(|file| (file.as_str(), "1")));
        let reports = vec![report("a", (0..2000).map(of).collect()), report("b", (2000..5 * SIZE).map(of).collect())];
        let shards = open(reports).shards;
        assert_eq!(shards.len(), 5);
        let mut shard_of_file = BTreeMap::new();
        let mut seen = Vec::new();
        for (number, shard) in shards.into_iter().enumerate() {
            for Stated { origin, claim } in shard {
                let file = claim.location.map(|location| location.file.as_str().trim().to_lowercase());
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
        assert_eq!(work_on(numbers.clone(), |number| number), numbers);
    }

    #[test]
    #[should_panic(expected = "the shard broke")]
    fn a_shard_that_breaks_breaks_the_whole() {
        work_on((0..100).collect(), |number: usize| assert!(number != 50, "the shard broke"));
    }
}
