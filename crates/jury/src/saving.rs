//! A record and its judgement in; the files of the review in the store out: record, verdict file, report, `abort-reason.md`.
//!
//! Deliberately not here: the order of the writes, which makes a crash harmless (`store`).

use crate::formats;
use crate::judge::Judgement;
use crate::model::{RepoPath, Report, ReportWriting, ReviewVerdict};
use crate::record::{self, Record, Verification};
use crate::report;
use crate::store::{Save, Store, StoreError, VerdictFile};
use crate::worktree::PATIENCE;

/// Writes a report for people, in 002's Markdown. Its claims are the findings of the verdict file, in order.
pub fn markdown(report: &Report, file: &VerdictFile, verification: Option<&Verification>) -> String {
    let ids: Vec<String> = file.findings.iter().map(|finding| finding.id.clone()).collect();
    formats::page(&report::for_people(report, &ids, verification)).text
}

/// Saves a review; returns the new path of a verdict file that Jury did not write. `ends_review` tells whether it is the one that was
/// begun, and `writing` whether its report is written by itself.
pub fn save(
    store: &Store,
    record: &Record,
    judgement: &Judgement,
    (ends_review, writing): (bool, ReportWriting),
) -> Result<Option<RepoPath>, StoreError> {
    let is_aborted = judgement.merged.verdict.review == ReviewVerdict::Abort;
    let save = Save {
        record: &record::write(record),
        verdict: &judgement.file,
        report: record
            .report_path
            .clone()
            .filter(|_| writing == ReportWriting::Always)
            .map(|path| (path, markdown(&judgement.report, &judgement.file, None))),
        abort_reason: is_aborted.then(|| report::abort_reason(record, judgement)),
        ends_review,
    };
    Ok(store.lock(PATIENCE)?.save(&save)?.set_aside)
}
