//! The verdict file as far as deciding looks at it: its findings with their statuses, and the effect of a changed status.

use std::collections::BTreeSet;

use jury_wire::v1::code_review::{Finding, ReviewVerdict as VerdictFile};

use super::FindingState;
use crate::model::{Outcome, ReviewVerdict, Severity, Status, Tally};
use crate::record::{NewFinding, RecordError, Verification, severity_of, status_of, verdict_of};

/// Returns the findings of a verdict file, of which `gaps` names those that state a gap.
pub fn finding_states(file: &VerdictFile, gaps: &BTreeSet<String>) -> Result<Vec<FindingState>, RecordError> {
    file.findings.iter().map(|finding| finding_state(finding, gaps.contains(&finding.id))).collect()
}

fn finding_state(finding: &Finding, is_gap: bool) -> Result<FindingState, RecordError> {
    Ok(FindingState {
        id: finding.id.clone(),
        severity: severity_of(finding).ok_or_else(|| unknown_word("findings[].severity"))?,
        status: status_of(finding).ok_or_else(|| unknown_word("findings[].status"))?,
        is_gap,
    })
}

/// Returns the verdict that a file states.
pub fn stated_verdict(file: &VerdictFile) -> Result<ReviewVerdict, RecordError> {
    verdict_of(file).ok_or_else(|| unknown_word("verdict"))
}

/// Returns the error for a word that 000 does not have.
pub fn unknown_word(member: &'static str) -> RecordError {
    RecordError { member, what: "it is not a word of the contract".to_owned() }
}

/// Returns a verdict file with the verdict and the summary that follow from its statuses (000's table).
pub fn recomputed(file: &VerdictFile) -> VerdictFile {
    let Ok(findings) = finding_states(file, &BTreeSet::new()) else { return file.clone() };
    let mut tally = Tally::default();
    for finding in findings.iter().filter(|finding| finding.status.stands()) {
        tally.add(finding.severity, false);
    }
    let mut file = file.clone();
    let count = |severity| tally.count(severity) as u64;
    file.summary.blocker = count(Severity::Blocker);
    file.summary.high = count(Severity::High);
    file.summary.medium = count(Severity::Medium);
    file.summary.low = count(Severity::Low);
    file.summary.info = count(Severity::Info);
    // An ABORT stands until a review lifts it: no mark does.
    if verdict_of(&file) != Some(ReviewVerdict::Abort) {
        file.verdict = tally.review().token().to_owned();
    }
    file
}

/// Returns the outcome of a verification, from the current verdict file.
pub fn verified_outcome(
    file: &VerdictFile,
    gaps: &BTreeSet<String>,
    verification: &Verification,
    block_at: Severity,
) -> Result<Outcome, RecordError> {
    let findings = finding_states(file, gaps)?;
    let blocks = |of: Severity| of.is_at_least(block_at);
    let stands = findings.iter().any(|it| !it.is_gap && it.status.stands() && blocks(it.severity));
    let comes = verification.new.iter().map(|new| new.severity).any(blocks);
    let is_untold = verification.checked.iter().any(|checked| checked.status() == Status::Fixed);
    let is_missing = !verification.gaps.is_empty() || findings.iter().any(|it| it.is_gap);
    Ok(if stated_verdict(file)? == ReviewVerdict::Abort {
        Outcome::Aborted
    } else if stands || comes {
        Outcome::Blocked
    } else if is_untold || is_missing || !verification.beyond.is_empty() {
        Outcome::Incomplete
    } else {
        Outcome::Clear
    })
}

/// Returns the findings that came with the fixes.
pub fn new_finding_states(verification: &Verification) -> Vec<FindingState> {
    let state = |new: &NewFinding| {
        let place = new.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        FindingState {
            id: format!("{}{place}", new.title),
            severity: new.severity,
            status: Status::Open,
            is_gap: false,
        }
    };
    verification.new.iter().map(state).collect()
}
