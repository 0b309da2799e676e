//! `jury merge`: outputs of several reviewers in; the merged findings and the verdict out.

use crate::judge::{Merged, ReviewerOutput, settle, take_in};
use crate::model::Policy;
use crate::syntax::Limits;
use crate::synthesis::Options;

/// Merges outputs and decides. Absolute paths below one of `roots` are those of files in the tree.
pub fn merge(
    outputs: &[ReviewerOutput<'_>],
    roots: &[&str],
    options: &Options<'_>,
    policy: &Policy,
    limits: &Limits,
) -> Merged {
    let hearing = take_in(outputs, roots, limits);
    settle(hearing, Vec::new(), options, policy)
}
