//! Whether a file is reliable after the strict reading and, where that failed, the reading with repairs.
//!
//! In: the strict reading, and intake's reading of the same bytes. Out: whether it may be relied upon, and if not, why.
//! Deliberately not here: both readings, and the consequences.

use jury_wire::Reason;

use super::Intake;
use crate::formats::{Format, Reading};

/// How a file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reliability {
    /// It conforms in every point.
    Conforming,
    /// It does not conform, and all of it was understood all the same.
    Repaired,
    /// Something that it says or should say was not obtained.
    Incomplete,
    /// All of it was understood, but it contradicts itself, or was edited without permission.
    Unreliable(Reason),
}

/// The contract of the verdict file, which only Jury writes (DESIGN §8). A deviation in it is an edit or damage, and
/// no dialect of a reviewer's.
const VERDICT_FILE: &str = "code-review";

/// Tells whether a file is reliable. `reading` is the strict reading, `format` the contract, `taken` the result of intake.
pub fn reliability(format: Option<&'static Format>, reading: &Reading, taken: &Intake) -> Reliability {
    if reading.is_conforming() {
        return Reliability::Conforming;
    }
    let is_whole = taken.gaps.is_empty() && taken.rejected.is_empty() && !taken.reports.is_empty();
    if !is_whole || taken.understood() != taken.present {
        return Reliability::Incomplete;
    }
    let is_verdict_file = format.is_some_and(|format| format.id == VERDICT_FILE);
    let deviations = reading.deviations.iter().map(|deviation| deviation.reason);
    let repairs = taken.repairs.iter().map(|repair| repair.reason);
    match deviations.chain(repairs).find(|reason| is_verdict_file || is_beyond_repair(*reason)) {
        Some(reason) => Reliability::Unreliable(reason),
        None => Reliability::Repaired,
    }
}

/// Tells whether a reason means that a document contradicts itself, is incomplete, or was altered on purpose:
/// then understanding every word of it does not help.
fn is_beyond_repair(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::DuplicateKey
            | Reason::IdMismatch
            | Reason::IdSequence
            | Reason::CountMismatch
            | Reason::VerdictContradiction
            | Reason::VerdictOverruled
            | Reason::BadReference
            | Reason::ExternalContent
            | Reason::NewerVersion
            | Reason::RunFailed
            | Reason::ControlCharacter
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;
    use crate::intake;
    use crate::syntax::Limits;

    fn stands(text: &str) -> Reliability {
        let limits = Limits::default();
        let (format, reading) = formats::read(text.as_bytes(), &limits);
        reliability(format, &reading, &intake::take(text.as_bytes(), None, &limits))
    }

    const CONFORMING: &str = r#"{"reviewer": "qa", "findings": [], "residual_risks": [], "testing_gaps": []}"#;

    #[test]
    fn dirt_is_repaired_and_doubt_is_not() {
        use Reliability::{Conforming, Incomplete, Repaired, Unreliable};
        let fenced = format!("Here it is.\n\n```json\n{CONFORMING}\n```\n");
        let cut = r#"{"findings": [{"title": "a", "severity": "P3", "file": "a.rs", "line": 3}, {"title": "b"#;
        for (text, expected) in [
            (CONFORMING, Conforming),
            (fenced.as_str(), Repaired),
            (r#"{"findings": [],}"#, Repaired),
            ("{\"reviewer\": \"q\na\", \"findings\": []}", Repaired),
            ("{\"reviewer\": \"q\u{1b}[2Ja\", \"findings\": []}", Unreliable(Reason::ControlCharacter)),
            (r#"{"issues": [{"issue": "a", "severity": "HIGH", "location": "a.rs:3"}]}"#, Repaired),
            (r#"{"findings": [{"title": "a", "severity": "P3", "file": "a.rs", "line": 0}]}"#, Repaired),
            ("# Review\n\n## High\n\n- **`src/a.ts:3`**: The token is logged.\n", Repaired),
            // Nothing was obtained.
            ("", Incomplete),
            ("null", Incomplete),
            ("LGTM", Incomplete),
            (cut, Incomplete),
            (r#"{"findings": [{"title": "a", "severity": "grue", "file": "a.rs", "line": 3}]}"#, Incomplete),
            (r#"{"findings": [{"title": "a", "severity": "P3", "file": "../a.rs", "line": 3}]}"#, Incomplete),
            (r#"{"findings": [], "verdict": "perhaps"}"#, Incomplete),
            (r#"{"findings": [], "findings": []}"#, Incomplete),
            (r#"{"findings": [], "verdict": "fail"}"#, Incomplete),
            // A contradiction although every word is understood.
            (
                r#"{"verdict": "pass", "findings": [{"title": "a", "severity": "P0", "file": "a.rs", "line": 3}]}"#,
                Unreliable(Reason::VerdictOverruled),
            ),
            (
                r#"[{"filePath": "a.js", "errorCount": 2, "warningCount": 0, "messages": [
                    {"ruleId": "x", "severity": 2, "message": "m", "line": 2, "column": 5}]}]"#,
                Unreliable(Reason::CountMismatch),
            ),
            // Only Jury writes a verdict file.
            (r#"{"reviewId": "x", "findings": []}"#, Unreliable(Reason::MissingField)),
        ] {
            assert_eq!(stands(text), expected, "{text}");
        }
    }

    #[test]
    fn books_that_do_not_add_up_are_not_repaired() {
        let text = r#"{"findings": [],}"#;
        let limits = Limits::default();
        let (format, reading) = formats::read(text.as_bytes(), &limits);
        let taken = intake::take(text.as_bytes(), None, &limits);
        assert_eq!(reliability(format, &reading, &taken), Reliability::Repaired);
        assert_eq!(reliability(format, &reading, &Intake { present: 1, ..taken.clone() }), Reliability::Incomplete);
        assert_eq!(reliability(format, &reading, &Intake { reports: Vec::new(), ..taken }), Reliability::Incomplete);
    }
}
