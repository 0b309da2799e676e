//! The two files of lines: the marks (`marks.jsonl`, this worktree's), and one line per review (`history.jsonl`, shared
//! by all worktrees).
//!
//! In: a line. Out: the lines that can be read; the truth is in the records, so one that cannot is passed over. Deliberately
//! not here: the effect of a mark on the verdict file.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;

use jury_wire::v1::code_review::Summary;

use super::error::StoreError;
use super::state_folder::{StateFolder, whole_lines};
use super::{JURY, RecordId, Store, VerdictFile, lock, seal};
use crate::model::Status;

pub(super) const MARKS: &str = "marks.jsonl";
pub(super) const HISTORY: &str = "history.jsonl";
pub(super) const HISTORY_LOCK: &str = "history.lock";

/// One status that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// In which review.
    pub review_id: String,
    /// The finding.
    pub id: String,
    /// Its status before.
    #[serde(with = "seal::word")]
    pub from: Status,
    /// Its status after.
    #[serde(with = "seal::word")]
    pub to: Status,
    /// The reason, if any.
    pub reason: Option<String>,
    /// When Jury took it in, in ISO 8601.
    pub at: String,
    /// Whether it was an edit of the verdict file, and not a command.
    pub by_edit: bool,
}

/// One review that was saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Past {
    version: u64,
    pub(super) review_id: String,
    pub(super) record: RecordId,
    timestamp: String,
    scope: String,
    target: String,
    mode: String,
    verdict: String,
    summary: Summary,
    report_path: String,
}

impl Past {
    pub(super) fn of(record: &RecordId, file: &VerdictFile) -> Self {
        Self {
            version: seal::VERSION,
            review_id: file.review_id.clone(),
            record: record.clone(),
            timestamp: file.timestamp.clone(),
            scope: file.scope.clone(),
            target: file.target.clone(),
            mode: file.mode.clone(),
            verdict: file.verdict.clone(),
            summary: file.summary.clone(),
            report_path: file.report_path.clone(),
        }
    }
}

/// Reads the history of all worktrees, oldest first.
pub(super) fn history(store: &Store) -> Result<Vec<Past>, StoreError> {
    store.common_dir.open(JURY)?.map_or(Ok(Vec::new()), |folder| read(&folder, HISTORY))
}

/// Reads the marks of this worktree, oldest first.
pub(super) fn marks(store: &Store) -> Result<Vec<Mark>, StoreError> {
    store.jury()?.map_or(Ok(Vec::new()), |folder| read(&folder, MARKS))
}

/// Adds a review to the history, under the lock of the history. One that a failed save has already added is not added again.
pub(super) fn add_to_history(folder: &StateFolder, past: &Past, wait: Duration) -> Result<(), StoreError> {
    let _lock = lock::take(folder, HISTORY_LOCK, wait)?;
    append_once(folder, HISTORY, std::slice::from_ref(past))
}

/// Appends lines, unless they already are the last ones.
pub(super) fn append_once(folder: &StateFolder, name: &str, values: &[impl Serialize]) -> Result<(), StoreError> {
    let line = |value| serde_json::to_string(value).expect("string keys and finite numbers are always JSON") + "\n";
    let lines: String = values.iter().map(line).collect();
    if lines.is_empty() || folder.read(name)?.is_some_and(|bytes| bytes.ends_with(lines.as_bytes())) {
        return Ok(());
    }
    folder.append(name, &lines)
}

fn read<T: DeserializeOwned>(folder: &StateFolder, name: &str) -> Result<Vec<T>, StoreError> {
    let bytes = folder.read(name)?.unwrap_or_default();
    let lines = whole_lines(&bytes).split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}
