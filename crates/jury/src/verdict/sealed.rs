//! Does a record show what the seal states? In: a sealed verdict file and the record that its seal names. Out: the first
//! statement that the record does not bear out.
//!
//! A seal is a file like any other, and whoever can write it can give it a digest. It counts only as far as its record goes: the
//! findings are those of the record, and no finding is verified that no verification looked at. Deliberately not here: files.

use jury_wire::v1::code_review::ReviewVerdict as VerdictFile;

use super::file::recomputed;
use crate::model::Status;
use crate::record::{Record, RecordId, Verification, status_of};

/// A sealed review, and what its seal names.
#[derive(Clone, Copy, Debug)]
pub struct SealedReview<'s> {
    /// The verdict file that was sealed.
    pub file: &'s VerdictFile,
    /// The record of the review.
    pub review: &'s RecordId,
    /// Whether the seal names a verification.
    pub is_verified: bool,
}

/// Returns a statement of the seal that `record`, the last look it names, does not show.
pub fn unshown(sealed: SealedReview<'_>, record: &Record) -> Option<String> {
    let SealedReview { file, review, is_verified } = sealed;
    let verification = record.verification.as_ref();
    match verification {
        Some(verification) if is_verified && verification.of == *review => {}
        Some(_) if is_verified => return Some("a verification of another review".to_owned()),
        None if is_verified => return Some("a verification that is none".to_owned()),
        Some(_) => return Some("a review that is a verification".to_owned()),
        None => {}
    }
    let Some(decided) = record.decision.as_ref().map(|decision| &decision.file) else {
        // The oldest records have no decision of their own.
        let verified = file.findings.iter().find(|finding| status_of(finding) == Some(Status::Verified));
        return verified.map(|finding| format!("{} verified", finding.id));
    };
    // All but the statuses, and what follows from them, is Jury's own.
    let mut stated = file.clone();
    for (finding, decided) in stated.findings.iter_mut().zip(&decided.findings) {
        finding.status.clone_from(&decided.status);
    }
    stated.summary.clone_from(&decided.summary);
    stated.verdict.clone_from(&decided.verdict);
    stated.timestamp.clone_from(&decided.timestamp);
    if stated != *decided {
        return Some("another review than its record".to_owned());
    }
    for (index, (finding, decided)) in file.findings.iter().zip(&decided.findings).enumerate() {
        let is_stated = status_of(finding) == Some(Status::Verified);
        let is_decided = status_of(decided) == Some(Status::Verified);
        let is_shown = verification.is_some_and(|verification| shows(verification, index, &finding.id));
        if is_stated != is_decided || (is_stated && !is_shown) {
            return Some(format!("{} {}", finding.id, finding.status));
        }
    }
    // A verdict follows from the statuses, but for an ABORT, which no mark lifts.
    let mut follows = decided.clone();
    follows.findings.clone_from(&file.findings);
    let follows = recomputed(&follows);
    let is_as_decided = file.findings == decided.findings && file.verdict == decided.verdict;
    let is_said = is_as_decided || file.verdict == follows.verdict;
    (!is_said).then(|| format!("the verdict {}", file.verdict))
}

/// Tells whether a verification found a finding gone, or it was verified when the verification began.
fn shows(verification: &Verification, index: usize, id: &str) -> bool {
    let is_checked = |checked: &crate::record::Recheck| checked.id == id && checked.status() == Status::Verified;
    verification.checked.iter().any(is_checked) || verification.statuses.get(index) == Some(&Status::Verified)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Became;
    use crate::record::{Decision, Recheck, fixtures};

    const ID: &str = "security-3213ecb0-2";

    fn file(status: &str, verdict: &str) -> VerdictFile {
        let finding = serde_json::json!({
            "id": ID, "domain": "security", "severity": "High", "confidence": 0.9, "file": "src/a.ts", "lineRange": "2",
            "title": "Command injection", "recommendation": "r", "status": status,
        });
        let open = u64::from(["open", "reopened"].contains(&status));
        let value = serde_json::json!({
            "reviewId": "a3f8c12b", "timestamp": "2026-02-16T12:00:00Z", "mode": "full", "scope": "changeset",
            "target": "main..HEAD", "verdict": verdict, "reportPath": "docs/code-reviews/a.md",
            "summary": { "blocker": 0, "high": open, "medium": 0, "low": 0, "info": 0 },
            "findings": [finding],
        });
        serde_json::from_value(value).expect("the fixture is a verdict file")
    }

    fn id(text: &str) -> RecordId {
        RecordId::of(text.as_bytes())
    }

    fn reviewed() -> Record {
        let decision = Decision {
            file: file("open", "WARN"),
            gaps: Default::default(),
            person: Default::default(),
            checks: Default::default(),
            waived: None,
        };
        Record { decision: Some(decision), verification: None, ..fixtures::record(Vec::new()) }
    }

    /// A verification of a review, in which the finding became this.
    fn looked(of: &str, decided: &str, before: Status, became: Option<Became>) -> Record {
        let verification = Verification {
            of: id(of),
            statuses: vec![before],
            changed: Default::default(),
            untested: Default::default(),
            checked: became.into_iter().map(|became| Recheck { id: ID.to_owned(), became }).collect(),
            new: Vec::new(),
            beyond: Vec::new(),
            gaps: Vec::new(),
        };
        let verdict = if decided == "verified" { "PASS" } else { "WARN" };
        let decision = Decision {
            file: file(decided, verdict),
            gaps: Default::default(),
            person: Default::default(),
            checks: Default::default(),
            waived: None,
        };
        Record { decision: Some(decision), verification: Some(verification), ..fixtures::record(Vec::new()) }
    }

    fn gone() -> Option<Became> {
        Some(Became::Verified)
    }

    fn said(file: &VerdictFile, is_verified: bool, record: &Record) -> Option<String> {
        unshown(SealedReview { file, review: &id("review"), is_verified }, record)
    }

    #[test]
    fn honest_seals_are_shown() {
        for (status, verdict) in [("open", "WARN"), ("fixed", "PASS"), ("wont_fix", "PASS")] {
            assert_eq!(said(&file(status, verdict), false, &reviewed()), None, "{status}");
        }
        let verified = looked("review", "verified", Status::Fixed, gone());
        assert_eq!(said(&file("verified", "PASS"), true, &verified), None);
        // Verified by an earlier verification, and not looked at again.
        let before = looked("review", "verified", Status::Verified, None);
        assert_eq!(said(&file("verified", "PASS"), true, &before), None);
        let reopened = looked("review", "reopened", Status::Fixed, None);
        for (status, verdict) in [("reopened", "WARN"), ("fixed", "PASS"), ("wont_fix", "PASS")] {
            assert_eq!(said(&file(status, verdict), true, &reopened), None, "{status}");
        }
    }

    #[test]
    fn every_forged_combination_is_named() {
        let verified = file("verified", "PASS");
        let open = file("open", "WARN");
        let verification = looked("review", "verified", Status::Fixed, gone());
        let of_another = looked("another", "verified", Status::Fixed, gone());
        let not_looked_at = looked("review", "verified", Status::Fixed, None);
        let reopened = looked("review", "reopened", Status::Fixed, None);
        let other = |change: &dyn Fn(&mut VerdictFile)| {
            let mut file = open.clone();
            change(&mut file);
            file
        };
        let table: Vec<(&str, VerdictFile, bool, &Record)> = vec![
            ("verified, no verification named", verified.clone(), false, &REVIEWED),
            ("a verification named that is a review", verified.clone(), true, &REVIEWED),
            ("a verification of another review", verified.clone(), true, &of_another),
            ("a verification as the review", verified.clone(), false, &verification),
            ("a verification that did not look", verified.clone(), true, &not_looked_at),
            ("a verification that reopened it", verified.clone(), true, &reopened),
            ("open though verified", open.clone(), true, &verification),
            ("a finding less", other(&|file| file.findings.clear()), false, &REVIEWED),
            ("another severity", other(&|file| file.findings[0].severity = "Low".to_owned()), false, &REVIEWED),
            ("another file", other(&|file| file.findings[0].file = "b.ts".to_owned()), false, &REVIEWED),
            ("another id", other(&|file| file.findings[0].id = "x".to_owned()), false, &REVIEWED),
            ("another review id", other(&|file| file.review_id = "00000000".to_owned()), false, &REVIEWED),
            ("another mode", other(&|file| file.mode = "quick".to_owned()), false, &REVIEWED),
            ("another verdict", other(&|file| file.verdict = "PASS".to_owned()), false, &REVIEWED),
        ];
        for (what, file, is_verified, record) in table {
            assert!(said(&file, is_verified, record).is_some(), "{what}");
        }
        let aborted = Record {
            decision: Some(Decision {
                file: file("open", "ABORT"),
                gaps: Default::default(),
                person: Default::default(),
                checks: Default::default(),
                waived: None,
            }),
            ..reviewed()
        };
        assert!(said(&file("open", "WARN"), false, &aborted).is_some());
        assert!(said(&file("fixed", "PASS"), false, &aborted).is_some());
        assert_eq!(said(&file("fixed", "ABORT"), false, &aborted), None);
        // Without a decision in the record nothing can be verified.
        let old = Record { decision: None, ..reviewed() };
        assert!(said(&verified, false, &old).is_some());
        assert_eq!(said(&open, false, &old), None);
    }

    static REVIEWED: std::sync::LazyLock<Record> = std::sync::LazyLock::new(reviewed);
}
