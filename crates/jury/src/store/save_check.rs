//! What is saved, checked before anything is written.

use super::compare::text_of;
use super::error::StoreError;
use super::locked::Save;
use super::{VerdictFile, seal};
use crate::model::{Mode, RepoPath, ReviewId, Status};
use crate::record;

/// Returns the name of a report below its folder.
pub(super) fn report_name(path: &RepoPath) -> Result<&str, StoreError> {
    let name = path.as_str().strip_prefix("docs/code-reviews/").filter(|name| !name.contains('/'));
    let what = || format!("a report belongs directly below docs/code-reviews/, not at {:?}", path.as_str());
    name.ok_or_else(|| StoreError::Unwritable { what: what() })
}

/// Checks the data to save against the rules of its files, and returns the statuses of its findings.
pub(super) fn check(save: &Save<'_>) -> Result<Vec<Status>, StoreError> {
    let unwritable = |what: String| Err(StoreError::Unwritable { what });
    let file = save.verdict;
    check_record(save.record)?;
    // The id becomes part of a file's name, so it is nothing but digits.
    if ReviewId::new(&file.review_id).is_err() || Mode::from_token(&file.mode).is_none() {
        return unwritable(format!("{:?} in mode {:?} is not a review of 000", file.review_id, file.mode));
    }
    check_reads_back(file)?;
    let status = |finding: &jury_wire::v1::code_review::Finding| {
        let what = || format!("{:?} is not a status", finding.status);
        Status::from_token(&finding.status).ok_or_else(|| StoreError::Unwritable { what: what() })
    };
    file.findings.iter().map(status).collect()
}

/// Makes sure that a record states a version that this Jury writes or reads.
pub(super) fn check_record(bytes: &[u8]) -> Result<(), StoreError> {
    let newest = u64::from(record::VERSION);
    if seal::version_of(bytes).is_some_and(|version| (1..=newest).contains(&version)) {
        return Ok(());
    }
    Err(StoreError::Unwritable { what: format!("a record is a JSON object of version {newest}") })
}

/// Makes sure that a document is the same after it was written and read, down to its numbers: what is sealed is compared by
/// the spelling of numbers.
pub(super) fn check_reads_back(file: &VerdictFile) -> Result<(), StoreError> {
    let read = serde_json::from_str::<VerdictFile>(&text_of(file));
    if read.is_ok_and(|read| read == *file && text_of(&read) == text_of(file)) {
        return Ok(());
    }
    Err(StoreError::Unwritable { what: "the verdict file does not read back as it was written".to_owned() })
}
