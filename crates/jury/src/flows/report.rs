//! `jury report`: the last full review in; its report, with the statuses of now, out, written to its place.

use crate::error::FlowError;
use crate::judge::{Looks, current_report, judge, verified_report};
use crate::model::RepoPath;
use crate::saving::markdown;
use crate::store::Store;
use crate::verdict::recomputed;
use crate::worktree::{self, PATIENCE};

/// The report of a review.
pub struct WrittenReport {
    /// Its place.
    pub path: RepoPath,
    /// Its text.
    pub text: String,
}

/// Makes the report of the last full review or of its last verification. Returns `None` if there is no such review.
pub fn report(store: &Store) -> Result<Option<WrittenReport>, FlowError> {
    let Some(full) = store.state()?.full else { return Ok(None) };
    let review = worktree::recorded(store, &full.record)?;
    let Some(path) = review.report_path.clone() else { return Ok(None) };
    let file = recomputed(&full.file);
    let then = judge(&review);
    let text = match &full.verified {
        None => markdown(&current_report(&review, &then, &file), &file, None),
        Some(id) => {
            let look = worktree::recorded(store, id)?;
            let looks = Looks { now: judge(&look), then, review };
            match &look.verification {
                Some(verification) => {
                    let report = verified_report(&looks, &file, &look, verification);
                    markdown(&report, &file, Some(verification))
                }
                None => markdown(&current_report(&looks.review, &looks.then, &file), &file, None),
            }
        }
    };
    Ok(Some(WrittenReport { path, text }))
}

/// Makes it and writes it. A file in its place that Jury did not write is left as it is, and refused.
pub fn write(store: &Store) -> Result<Option<WrittenReport>, FlowError> {
    let Some(written) = report(store)? else { return Ok(None) };
    store.lock(PATIENCE)?.report(&written.path, &written.text)?;
    Ok(Some(written))
}
