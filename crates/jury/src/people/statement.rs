//! A statement as types ↔ its canonical bytes, and the envelope that carries them with their proof.
//!
//! A statement that is not written exactly as this module writes it is refused: what was signed has one spelling.

use jury_wire::Reason;
use jury_wire::v1::people as wire;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::model::{Bound, Day, Domain, FileState, FileStates, Fingerprint, PatchId, RepoPath, Subject};

/// The namespace of the signature.
pub const NAMESPACE: &str = "jury-accept@v1";
/// Where acceptances lie in a repository. The rest of a ref's name is the SHA-256 of its object.
pub const REFS: &str = "refs/jury/acceptances/";
/// The most bytes of an acceptance.
pub const MOST_BYTES: u64 = 1 << 20;
/// The most entries of one statement.
const MOST: usize = 10_000;

/// The subjects that a person accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The root commit of the repository.
    pub repository: String,
    /// What is accepted; each counts by itself.
    pub accepted: Vec<Accepted>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts, if it has one.
    pub expires: Option<Day>,
    /// Where it was decided, which binds nothing.
    pub noted: Noted,
}

/// One thing that is accepted, with its name for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Exactly what.
    pub subject: Subject,
    /// The title of a finding; empty for a file.
    pub title: String,
}

/// Where a decision was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The commit of the base.
    pub base: Option<String>,
    /// The SHA-256 of the policy of the base.
    pub policy: Option<String>,
    /// The review.
    pub review: String,
    /// The day.
    pub day: Day,
}

/// Who stands for an acceptance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A key: the armoured signature.
    Signed(String),
    /// A name, on this machine.
    Unsigned(String),
}

/// An acceptance as it was kept. Nothing about it has been checked but its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The statement.
    pub statement: Statement,
    /// Its bytes.
    pub signed: Vec<u8>,
    /// Its proof.
    pub proof: Proof,
}

/// Why an acceptance could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Broken {
    /// The reason.
    pub reason: Reason,
    /// The problem.
    pub what: String,
}

fn damaged(what: impl Into<String>) -> Broken {
    Broken { reason: Reason::AcceptanceDamaged, what: what.into() }
}

/// Returns the name of an envelope: the SHA-256 of its bytes.
pub fn name_of(envelope: &[u8]) -> String {
    Sha256::digest(envelope).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes that are signed.
pub fn statement_bytes(statement: &Statement) -> Vec<u8> {
    canonical(&to_wire(statement))
}

/// Returns the bytes that are kept.
pub fn envelope(signed: &[u8], proof: &Proof) -> Vec<u8> {
    let proof = match proof {
        Proof::Signed(signature) => wire::Proof::Signed { signature: signature.clone() },
        Proof::Unsigned(by) => wire::Proof::Unsigned { by: by.clone() },
    };
    let statement = String::from_utf8_lossy(signed).into_owned();
    canonical(&wire::Envelope { version: wire::VERSION, statement, proof })
}

/// Reads what was kept.
pub fn read(bytes: &[u8]) -> Result<Acceptance, Broken> {
    let wire::Envelope { version: _, statement, proof } = parsed(bytes, "the envelope")?;
    let of_wire: wire::Statement = parsed(statement.as_bytes(), "the statement")?;
    let typed = of_wire_statement(of_wire)?;
    let proof = match proof {
        wire::Proof::Signed { signature } => Proof::Signed(signature),
        wire::Proof::Unsigned { by } => Proof::Unsigned(by),
    };
    Ok(Acceptance { statement: typed, signed: statement.into_bytes(), proof })
}

/// Reads a value whose version is known and which is written as this program writes it.
fn parsed<T: serde::de::DeserializeOwned + Serialize>(bytes: &[u8], what: &str) -> Result<T, Broken> {
    let value: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|error| damaged(format!("{what} is not JSON: {error}")))?;
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version > u64::from(wire::VERSION) => {
            let what = format!("{what} has version {version}, and this program reads up to {}", wire::VERSION);
            return Err(Broken { reason: Reason::AcceptanceNewer, what });
        }
        Some(1) => {}
        _ => return Err(damaged(format!("{what} states no version"))),
    }
    let typed: T = serde_json::from_value(value).map_err(|error| damaged(format!("{what}: {error}")))?;
    if canonical(&typed) != bytes {
        return Err(damaged(format!("{what} is not in canonical form")));
    }
    Ok(typed)
}

/// Writes a value with its keys sorted and without white space.
pub(super) fn canonical(value: &impl Serialize) -> Vec<u8> {
    let mut value = serde_json::to_value(value).expect("strings, numbers and lists are always JSON");
    value.sort_all_objects();
    serde_json::to_vec(&value).expect("a JSON value is always JSON")
}

fn to_wire(statement: &Statement) -> wire::Statement {
    let Statement { repository, accepted, reason, expires, noted } = statement;
    let Noted { base, policy, review, day } = noted;
    wire::Statement {
        version: wire::VERSION,
        repository: repository.clone(),
        accepted: accepted.iter().map(accepted_to_wire).collect(),
        reason: reason.clone(),
        expires: expires.map(|day| day.to_string()),
        noted: wire::Noted { base: base.clone(), policy: policy.clone(), review: review.clone(), day: day.to_string() },
    }
}

fn accepted_to_wire(accepted: &Accepted) -> wire::Accepted {
    match &accepted.subject {
        Subject::Finding { source, path, fingerprint, places, bound } => {
            let (file, patch) = match bound {
                Bound::Lines => (None, None),
                Bound::File(states) => (Some(states_to_wire(states)), None),
                Bound::Change(patch) => (None, Some(patch.as_str().to_owned())),
            };
            wire::Accepted::Finding {
                source: source.to_string(),
                path: path.clone(),
                fingerprint: fingerprint.as_str().to_owned(),
                places: *places,
                file,
                patch,
                title: accepted.title.clone(),
            }
        }
        Subject::File { path, states } => wire::Accepted::File { path: path.to_string(), file: states_to_wire(states) },
    }
}

fn states_to_wire(states: &FileStates) -> wire::FileStates {
    let state = |state: &FileState| wire::FileState { mode: state.mode.clone(), sha256: state.sha256.clone() };
    wire::FileStates { before: states.before.as_ref().map(state), after: states.after.as_ref().map(state) }
}

fn of_wire_statement(statement: wire::Statement) -> Result<Statement, Broken> {
    let wire::Statement { version: _, repository, accepted, reason, expires, noted } = statement;
    if accepted.is_empty() || accepted.len() > MOST {
        return Err(damaged("the statement accepts nothing, or too much"));
    }
    if reason.trim().is_empty() {
        return Err(damaged("the statement gives no reason"));
    }
    let day = |text: &str| Day::new(text).ok_or_else(|| damaged(format!("{text:?} is no day")));
    Ok(Statement {
        repository,
        accepted: accepted.into_iter().map(of_wire_accepted).collect::<Result<_, _>>()?,
        reason,
        expires: expires.as_deref().map(day).transpose()?,
        noted: Noted { base: noted.base, policy: noted.policy, review: noted.review, day: day(&noted.day)? },
    })
}

fn of_wire_accepted(accepted: wire::Accepted) -> Result<Accepted, Broken> {
    match accepted {
        wire::Accepted::Finding { source, path, fingerprint, places, file, patch, title } => {
            let source = Domain::new(&source).map_err(|error| damaged(format!("{source:?}: {error}")))?;
            let fingerprint = Fingerprint::from_digits(&fingerprint).ok_or_else(|| damaged("a fingerprint is none"))?;
            let patch = patch.map(|digits| PatchId::new(&digits).ok_or_else(|| damaged("a patch id is none")));
            let bound = match (file, patch.transpose()?) {
                (None, None) => Bound::Lines,
                (Some(states), None) => Bound::File(of_wire_states(states)),
                (None, Some(patch)) => Bound::Change(patch),
                (Some(_), Some(_)) => return Err(damaged("a finding is bound to both a file and a change")),
            };
            Ok(Accepted { subject: Subject::Finding { source, path, fingerprint, places, bound }, title })
        }
        wire::Accepted::File { path, file } => {
            let path = RepoPath::new(&path).map_err(|error| damaged(format!("{path:?}: {error}")))?;
            Ok(Accepted { subject: Subject::File { path, states: of_wire_states(file) }, title: String::new() })
        }
    }
}

fn of_wire_states(states: wire::FileStates) -> FileStates {
    let state = |state: wire::FileState| FileState { mode: state.mode, sha256: state.sha256 };
    FileStates { before: states.before.map(state), after: states.after.map(state) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::people) fn states(after: &str) -> FileStates {
        let after = FileState { mode: "100644".to_owned(), sha256: name_of(after.as_bytes()) };
        FileStates { before: None, after: Some(after) }
    }

    pub(in crate::people) fn file(path: &str, after: &str) -> Subject {
        Subject::File { path: RepoPath::new(path).unwrap(), states: states(after) }
    }

    pub(in crate::people) fn finding(code: &str, bound: Bound) -> Subject {
        let source = Domain::new("security").unwrap();
        let fingerprint = Fingerprint::new(&source, "rule", code, "");
        Subject::Finding { source, path: "src/a.ts".to_owned(), fingerprint, places: 1, bound }
    }

    pub(in crate::people) fn statement(subjects: Vec<Subject>) -> Statement {
        let accepted =
            subjects.into_iter().map(|subject| Accepted { subject, title: "A title".to_owned() }).map(|it| {
                let is_file = matches!(it.subject, Subject::File { .. });
                if is_file { Accepted { title: String::new(), ..it } } else { it }
            });
        Statement {
            repository: "r".repeat(40),
            accepted: accepted.collect(),
            reason: "looked at".to_owned(),
            expires: Day::new("2027-01-31"),
            noted: Noted {
                base: None,
                policy: None,
                review: "a3f8c12b".to_owned(),
                day: Day::new("2026-02-16").unwrap(),
            },
        }
    }

    #[test]
    fn a_statement_reads_back_as_it_was_written() {
        let patch = PatchId::new(&"0".repeat(64)).unwrap();
        let all = vec![
            file("logo.png", "x"),
            finding("a(b)", Bound::Lines),
            finding("c", Bound::File(states("y"))),
            finding("d", Bound::Change(patch)),
        ];
        let statement = statement(all);
        let signed = statement_bytes(&statement);
        assert!(signed.starts_with(br#"{"accepted":[{"file":{"after":{"mode":"100644","sha256":""#));
        for proof in [Proof::Signed("-----BEGIN".to_owned()), Proof::Unsigned("Lee".to_owned())] {
            let read = read(&envelope(&signed, &proof)).unwrap();
            assert_eq!(read, Acceptance { statement: statement.clone(), signed: signed.clone(), proof });
        }
    }

    #[test]
    fn another_spelling_is_refused() {
        let signed = statement_bytes(&statement(vec![file("a.png", "x")]));
        let text = String::from_utf8(signed.clone()).unwrap();
        let with = |text: &str| envelope(text.as_bytes(), &Proof::Unsigned("Lee".to_owned()));
        let reason = |bytes: &[u8]| read(bytes).unwrap_err().reason;
        let whole = with(&text);
        for cut in 0..whole.len() {
            assert_eq!(reason(&whole[..cut]), Reason::AcceptanceDamaged, "cut at {cut}");
        }
        for other in [
            format!(" {text}"),
            text.replace("\"version\":1", "\"version\": 1"),
            text.replace("\"version\":1", "\"version\":0"),
            text.replace("\"version\":1", "\"extra\":1,\"version\":1"),
            text.replace("looked at", " "),
            text.replace("2027-01-31", "2027-02-30"),
            text.replace("a.png", "../a.png"),
        ] {
            assert_eq!(reason(&with(&other)), Reason::AcceptanceDamaged, "{other}");
        }
        let newer = text.replace("\"version\":1", "\"version\":2");
        assert_eq!(reason(&with(&newer)), Reason::AcceptanceNewer);
        let newer = String::from_utf8(whole).unwrap().replace("\"version\":1}", "\"version\":9}");
        assert_eq!(reason(newer.as_bytes()), Reason::AcceptanceNewer);
    }
}
