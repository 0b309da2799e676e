//! `jury replay`: the id of a review in; the decision, made again from its records alone, and the recorded one out.

use crate::error::FlowError;
use crate::judge::{Looks, judge, restated};
use crate::record::{Record, RecordError};
use crate::store::{Store, VerdictFile};
use crate::verdict::recomputed;
use crate::worktree;

/// A decision that was made again.
pub struct Replayed {
    /// The verdict file now.
    pub again: VerdictFile,
    /// How it compares with the verdict file that was recorded.
    pub comparison: Comparison,
}

/// How a decision that was made again compares with the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is the same, byte for byte.
    Same,
    /// It is the same; only the sentences of gaps, which are Jury's own, are worded differently.
    Reworded,
    /// It is another decision.
    Different,
}

/// Decides a review again. Returns `None` if there is no such review.
pub fn replay(store: &Store, review_id: &str) -> Result<Option<Replayed>, FlowError> {
    let Some(id) = store.find(review_id)? else { return Ok(None) };
    let record = worktree::recorded(store, &id)?;
    let again = match &record.verification {
        None => judge(&record).file,
        Some(verification) => verified_again(worktree::recorded(store, &verification.of)?, &record)?,
    };
    let comparison = compare(&again, &record);
    Ok(Some(Replayed { again, comparison }))
}

/// Compares a decision that was made again with the recorded one.
pub fn compare(again: &VerdictFile, record: &Record) -> Comparison {
    let Some(decision) = &record.decision else { return Comparison::Different };
    if *again == decision.file {
        return Comparison::Same;
    }
    let unworded = |file: &VerdictFile| {
        let mut file = file.clone();
        for finding in file.findings.iter_mut().filter(|finding| decision.gaps.contains(&finding.id)) {
            finding.title.clear();
            finding.recommendation.clear();
        }
        file
    };
    if unworded(again) == unworded(&decision.file) { Comparison::Reworded } else { Comparison::Different }
}

/// Decides a verification again.
pub fn verified_again(review: Record, record: &Record) -> Result<VerdictFile, RecordError> {
    let missing = |member| RecordError { member, what: "it is not there".to_owned() };
    let mut verification = record.verification.clone().ok_or_else(|| missing("verification"))?;
    let mut file = review.decision.as_ref().ok_or_else(|| missing("decision"))?.file.clone();
    let asked: Vec<String> = verification.checked.iter().map(|checked| checked.id.clone()).collect();
    let looks = Looks { then: judge(&review), now: judge(record), review };
    looks.decide(record, &mut verification, &asked);
    for (finding, status) in file.findings.iter_mut().zip(&verification.statuses) {
        finding.status = status.token().to_owned();
    }
    // An earlier verification may have lifted an abort; the open findings decide either way.
    Ok(recomputed(&restated(&file, record, &looks.then, &verification).0))
}
