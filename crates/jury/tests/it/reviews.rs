//! Intake over generated reviews whose truth is known: no blocking finding that a person could read comes out clear, and few
//! reviews that state plainly that nothing blocks are closed.

use std::collections::BTreeMap;

use jury::intake;
use jury::syntax::Limits;
use jury_testkit::campaign::size;
use jury_testkit::reviews::{Truth, review};

/// Generated reviews in a full campaign.
const FULL: usize = 100_000;

#[test]
fn generated_reviews_are_closed_if_they_block_and_open_if_they_pass() {
    let mut clear: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for seed in 0..size(FULL) as u64 {
        let review = review(seed);
        let taken = intake::take(review.text.as_bytes(), None, &Limits::default());
        assert_eq!(taken.understood() + taken.rejected.len(), taken.present, "{}", review.text);
        match review.truth {
            Truth::Blocks => {
                assert!(!taken.is_clear(), "{}, seed {seed}, comes out clear:\n{}", review.layout, review.text);
            }
            Truth::Clear => {
                let (all, closed) = clear.entry(review.layout).or_default();
                *all += 1;
                *closed += usize::from(!taken.is_clear());
            }
        }
    }
    let (all, closed) = clear.values().fold((0, 0), |(all, closed), (more, shut)| (all + more, closed + shut));
    assert!(closed * 100 <= all * 3, "{closed} of {all} reviews that pass are closed: {clear:?}");
}
