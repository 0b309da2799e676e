//! The folder of a task on disk → names and bytes, without the secrets in them; and the way back, through the store.
//!
//! Deliberately not here: the meaning of any of it (`decide`).

use jury_wire::v1::task as wire;

use super::decide::{Content, Contents, SUMMARY, TaskStatus, decide};
use super::delivery::LIMITS;
use super::inventory::{OURS, STARTED, VERSION};
use crate::model::{Role, TaskId};
use crate::store::{Reports, StoreError, TaskFolder};

/// The most files of one task that are read. Beyond it they are named, and a role among them has not reported.
const MOST_FILES: usize = 1_000;
/// The most bytes of one task that are read, but for the last file.
const MOST_BYTES: usize = 64 << 20;

/// Starts a task: clears its folder, and stores the expected roles in it (001, "Clear the reports dir at task start").
pub fn start(reports: &Reports, task: &TaskId, expected: &[Role], skipped: &[Role]) -> Result<TaskStatus, StoreError> {
    let names = |roles: &[Role]| {
        let mut names: Vec<String> = roles.iter().map(ToString::to_string).collect();
        names.sort();
        names.dedup();
        names
    };
    let started = wire::Started { version: VERSION, expected: names(expected), skipped: names(skipped) };
    let folder = reports.restart(task)?;
    folder.write(STARTED, &json(&started))?;
    Ok(decide(task, &contents(&folder)?, &[]))
}

/// Looks at how a task stands now. One that was never started stands as badly as one of which nothing is there.
pub fn look(reports: Option<&Reports>, task: &TaskId, expect: &[Role]) -> Result<TaskStatus, StoreError> {
    let folder = reports.map(|reports| reports.task(task)).transpose()?.flatten();
    let contents = folder.as_ref().map(contents).transpose()?.unwrap_or_default();
    Ok(decide(task, &contents, expect))
}

/// Writes the summary of a task, if it has a folder and does not say so already.
pub fn write_summary(reports: &Reports, standing: &TaskStatus) -> Result<Option<std::path::PathBuf>, StoreError> {
    let Some(folder) = reports.task(&standing.task)? else { return Ok(None) };
    let summary = standing.summary();
    if folder.read(SUMMARY, summary.len())?.is_none_or(|bytes| bytes != summary.as_bytes()) {
        folder.write(SUMMARY, summary.as_bytes())?;
    }
    Ok(Some(folder.path(SUMMARY)))
}

/// Tells whether the summary of a task is there and says something else than its files do.
pub fn is_summary_stale(reports: &Reports, standing: &TaskStatus) -> Result<bool, StoreError> {
    let Some(folder) = reports.task(&standing.task)? else { return Ok(false) };
    let summary = standing.summary();
    Ok(folder.read(SUMMARY, summary.len())?.is_some_and(|bytes| bytes != summary.as_bytes()))
}

/// Reads the files in the folder of a task.
pub(super) fn contents(folder: &TaskFolder) -> Result<Contents, StoreError> {
    let mut contents = Contents::new();
    let mut bytes_read = 0;
    // Jury's own files come first in the order of names, so no other file can push them out.
    for (name, is_exact) in folder.names()? {
        let is_of_interest = name.ends_with(".md") || (name.starts_with(OURS) && name.ends_with(".json"));
        let content = if !is_exact || !is_of_interest {
            Content::Other
        } else if contents.len() >= MOST_FILES || bytes_read >= MOST_BYTES {
            Content::Refused(format!("the folder has more than {MOST_FILES} files or {MOST_BYTES} bytes"))
        } else {
            match folder.read(&name, LIMITS.bytes) {
                Ok(Some(bytes)) => {
                    bytes_read += bytes.len();
                    Content::Bytes(without_secrets(bytes))
                }
                // It was there a moment ago.
                Ok(None) => continue,
                Err(StoreError::Refused { what, .. }) => Content::Refused(format!("it is {what}")),
                Err(StoreError::Io { source, .. }) => Content::Refused(source.to_string()),
                Err(error) => return Err(error),
            }
        };
        contents.insert(name, content);
    }
    Ok(contents)
}

/// Hides the secrets in a reviewer's text, which need not be UTF-8. A text that is too large is refused as a whole, so nothing
/// of it can be quoted.
pub(super) fn without_secrets(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() > LIMITS.bytes {
        return bytes;
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => match jury_rules::mask(text) {
            std::borrow::Cow::Borrowed(_) => bytes,
            std::borrow::Cow::Owned(masked) => masked.into_bytes(),
        },
        Err(_) => bytes
            .utf8_chunks()
            .flat_map(|chunk| [jury_rules::mask(chunk.valid()).as_bytes(), chunk.invalid()].concat())
            .collect(),
    }
}

/// Writes one of Jury's own files.
pub(super) fn json(value: &impl serde::Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("names, texts and numbers are always JSON");
    bytes.push(b'\n');
    bytes
}
