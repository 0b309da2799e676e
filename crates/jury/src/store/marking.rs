//! Statuses of a review as they are marked, each move checked against those that 000 allows.

use super::compare;
use super::error::StoreError;
use super::lines::Mark;
use super::save_check::check_reads_back;
use super::seal::Sealed;
use super::{VerdictFile, statuses_of, with_statuses};
use crate::model::{Status, Timestamp};

/// The statuses of one review while they are marked.
pub(super) struct Marking<'s> {
    sealed: &'s Sealed,
    statuses: Vec<Status>,
    now: &'s Timestamp,
    marks: Vec<Mark>,
}

impl<'s> Marking<'s> {
    pub(super) fn new(sealed: &'s Sealed, statuses: Vec<Status>, now: &'s Timestamp) -> Self {
        Self { sealed, statuses, now, marks: Vec::new() }
    }

    pub(super) fn title(&self, id: &str) -> Option<&str> {
        let finding = self.sealed.file.findings.iter().find(|finding| finding.id == id);
        finding.map(|finding| finding.title.as_str())
    }

    fn note(&mut self, index: usize, (from, to): (Status, Status), reason: Option<&str>, by_edit: bool) {
        let file = &self.sealed.file;
        self.marks.push(Mark {
            review_id: file.review_id.clone(),
            id: file.findings[index].id.clone(),
            from,
            to,
            reason: reason.map(str::to_owned),
            at: self.now.as_str().to_owned(),
            by_edit,
        });
    }

    /// Notes the statuses that were edited in the file itself.
    pub(super) fn take_edits(&mut self) {
        let sealed = statuses_of(&self.sealed.file).into_iter().zip(self.statuses.clone()).enumerate();
        for (index, moved) in sealed.filter(|(_, (from, to))| from != to) {
            self.note(index, moved, None, true);
        }
    }

    /// Makes a move, if the review has such a finding; returns whether it has.
    pub(super) fn make(&mut self, id: &str, to: Status, reason: Option<&str>) -> Result<bool, StoreError> {
        let Some(index) = self.sealed.file.findings.iter().position(|finding| finding.id == id) else {
            return Ok(false);
        };
        let from = self.statuses[index];
        if !compare::is_legal(self.sealed.own[index], to) {
            return Err(StoreError::IllegalMove { id: id.to_owned(), from, to });
        }
        if from != to {
            self.note(index, (from, to), reason, false);
        }
        self.statuses[index] = to;
        Ok(true)
    }

    /// Returns the review with its new statuses, and the marks.
    pub(super) fn done(
        self,
        recompute: impl Fn(&VerdictFile) -> VerdictFile,
    ) -> Result<(Sealed, Vec<Status>, Vec<Mark>), StoreError> {
        let marked = with_statuses(&self.sealed.file, &self.statuses);
        let VerdictFile { summary, verdict, timestamp, .. } = recompute(&marked);
        let file = VerdictFile { summary, verdict, timestamp, ..marked };
        check_reads_back(&file)?;
        Ok((Sealed { file, ..self.sealed.clone() }, self.statuses, self.marks))
    }
}
