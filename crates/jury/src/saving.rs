//! A record and its judgement in; the files of the review in the store out: record, verdict file, report, `abort-reason.md`.
//!
//! Deliberately not here: the order of the writes, which makes a crash harmless (`store`).

use crate::formats;
use crate::judge::Judgement;
use crate::model::{RepoPath, ReviewVerdict};
use crate::record::{self, Record};
use crate::report;
use crate::store::{Save, Store, StoreError};
use crate::worktree::PATIENCE;

/// Saves a review; returns the new path of a verdict file that Jury did not write. `ends_review` tells whether it is the one that was
/// begun.
pub fn save(
    store: &Store,
    record: &Record,
    judgement: &Judgement,
    ends_review: bool,
) -> Result<Option<RepoPath>, StoreError> {
    let markdown = || {
        let written = formats::by_id("review-md").and_then(|format| format.write(&judgement.report));
        written.expect("the report for people is a format that can be written").text
    };
    let is_aborted = judgement.merged.verdict.review == ReviewVerdict::Abort;
    let save = Save {
        record: &record::write(record),
        verdict: &judgement.file,
        report: record.report_path.clone().map(|path| (path, markdown())),
        abort_reason: is_aborted.then(|| report::abort_reason(record, judgement)),
        ends_review,
    };
    Ok(store.lock(PATIENCE)?.save(&save)?.set_aside)
}
