//! The verdict file as far as deciding looks at it: its findings with their statuses, and the effect of a changed status.

use jury_wire::v1::code_review::{Finding, ReviewVerdict as VerdictFile};

use super::{FindingState, by_owner};
use crate::model::{FindingId, GateOwner, Outcome, Policy, ReviewVerdict, Severity, Status, Tally};
use crate::record::{NewFinding, Record, RecordError, Verification, severity_of, status_of, verdict_of};

/// Returns the findings of a verdict file as the gate looks at them, by the facts and the policy of its record.
pub fn finding_states(file: &VerdictFile, record: &Record) -> Result<Vec<FindingState>, RecordError> {
    let policy = &record.policy.policy;
    let (gaps, person, checks) = (record.gap_ids(), record.person_ids(), record.check_ids());
    let state = |finding: &Finding| {
        let (severity, status) = words(finding)?;
        let is_gap = gaps.contains(&finding.id);
        // A check is not declined: a failure that is marked so stands as it did.
        let is_declined_check = status == Status::WontFix && checks.contains(&finding.id);
        let status = if is_declined_check { Status::Open } else { status };
        let owner = if person.contains(&finding.id) { GateOwner::Person } else { GateOwner::Agent };
        let closes = is_gap || policy.closes(severity, &finding.file);
        Ok(FindingState { id: finding.id.clone(), severity, status, is_gap, owner, closes })
    };
    file.findings.iter().map(state).collect()
}

fn words(finding: &Finding) -> Result<(Severity, Status), RecordError> {
    let severity = severity_of(finding).ok_or_else(|| unknown_word("findings[].severity"))?;
    Ok((severity, status_of(finding).ok_or_else(|| unknown_word("findings[].status"))?))
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
    let words: Result<Vec<(Severity, Status)>, RecordError> = file.findings.iter().map(words).collect();
    let Ok(words) = words else { return file.clone() };
    let mut tally = Tally::default();
    for (severity, _) in words.into_iter().filter(|(_, status)| status.stands()) {
        tally.add(severity, false);
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

/// Returns the outcome of a verification, from the current verdict file and the record of the look.
pub fn verified_outcome(
    file: &VerdictFile,
    record: &Record,
    verification: &Verification,
) -> Result<Outcome, RecordError> {
    let aborted = if stated_verdict(file)? == ReviewVerdict::Abort { Outcome::Aborted } else { Outcome::Clear };
    let findings = finding_states(file, record)?;
    let standing = findings.iter().filter(|it| it.closes && (it.is_gap || it.status.stands()));
    let outcomes =
        standing.map(|it| by_owner(it.owner, if it.is_gap { Outcome::Incomplete } else { Outcome::Blocked }));
    let comes = new_finding_states(verification, &record.policy.policy).iter().any(|it| it.closes);
    let is_untold = verification.checked.iter().any(|checked| checked.status() == Status::Fixed);
    let is_missing = is_untold || !verification.gaps.is_empty() || !verification.beyond.is_empty();
    let others = [(comes, Outcome::Blocked), (is_missing, Outcome::Incomplete)];
    let others = others.into_iter().filter(|(holds, _)| *holds).map(|(_, outcome)| outcome);
    Ok(outcomes.chain(others).fold(aborted, Outcome::or_graver))
}

/// Returns the findings that came with the fixes.
pub fn new_finding_states(verification: &Verification, policy: &Policy) -> Vec<FindingState> {
    let state = |new: &NewFinding| {
        let file = new.place.as_ref().map_or(FindingId::WHOLE_REPOSITORY, |place| place.file.as_str());
        let place = new.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        FindingState {
            id: format!("{}{place}", new.title),
            severity: new.severity,
            status: Status::Open,
            is_gap: false,
            owner: GateOwner::Agent,
            closes: policy.closes(new.severity, file),
        }
    };
    verification.new.iter().map(state).collect()
}
