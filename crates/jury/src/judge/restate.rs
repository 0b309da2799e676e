//! A verification written down: the verdict file as it becomes, and the report for people.

use jury_wire::v1::code_review::{Finding, ReviewVerdict as VerdictFile};

use super::{Judgement, Looks, notes};
use crate::model::{Domain, Mode, Report, ReviewVerdict, Severity, Stated, Status};
use crate::record::{Record, Verification, severity_of, status_of, verdict_of};

/// Writes the statuses of a verdict file anew (000, lifecycle rule 2), and returns those, by index, that Jury itself now states.
/// The summary and the verdict still have to be recomputed.
pub fn restated(
    file: &VerdictFile,
    record: &Record,
    then: &Judgement,
    verification: &Verification,
) -> (VerdictFile, Vec<(usize, Status)>) {
    let mut file = file.clone();
    file.mode = Mode::Verify.token().to_owned();
    file.timestamp = record.timestamp.to_string();
    let mut own = Vec::new();
    for (index, finding) in file.findings.iter_mut().enumerate() {
        let checked = verification.checked.iter().find(|checked| checked.id == finding.id);
        if let Some(status) = checked.map(|checked| checked.status()).filter(|status| *status != Status::Fixed) {
            finding.status = status.token().to_owned();
            own.push((index, status));
        }
    }
    let abort_domains = &record.policy.policy.abort_domains;
    let halts = |finding: &&Finding| {
        let settled = then.settled(&finding.id).map(|settled| &settled.finding);
        let is_by_policy = Domain::new(&finding.domain).is_ok_and(|domain| abort_domains.contains(&domain));
        severity_of(finding) == Some(Severity::Blocker)
            && (is_by_policy || settled.is_some_and(|it| it.is_system_breaking()))
    };
    let is_lifted = file.findings.iter().filter(halts).all(|finding| status_of(finding) == Some(Status::Verified));
    if is_lifted && verdict_of(&file) == Some(ReviewVerdict::Abort) {
        file.verdict = ReviewVerdict::Fail.token().to_owned();
    }
    (file, own)
}

/// Returns the report of a review with the statuses and the verdict of its verdict file.
pub fn current_report(review: &Record, then: &Judgement, file: &VerdictFile) -> Report {
    let mut report = then.report.clone();
    for (claim, finding) in report.claims.iter_mut().zip(&file.findings) {
        claim.status = status_of(finding);
    }
    let verdict = verdict_of(file);
    report.stated = verdict.map(Stated::Review);
    report.facts.notes = Some(notes::notes(review, &then.merged, verdict));
    report
}

/// Returns the findings of the review as they stand now.
pub fn verified_report(looks: &Looks, file: &VerdictFile, record: &Record, verification: &Verification) -> Report {
    let mut report = current_report(&looks.review, &looks.then, file);
    report.facts.mode = Some(Mode::Verify);
    report.facts.timestamp = Some(record.timestamp.clone());
    report.facts.re_review_required = Some(!verification.beyond.is_empty());
    report
}
