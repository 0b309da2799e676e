//! `seal.json`: the one pointer to the current state, and the write-ahead log of a running save.
//!
//! In: bytes. Out: a seal, or that it is newer or damaged. The digest on its second line covers everything after it, so that
//! no flipped bit goes unseen. Deliberately not here: reading or writing files.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Current, Mark, RecordId, VerdictFile, sha256, with_statuses};
use crate::model::Status;

/// The version of the seal and of the records that this Jury writes, and the newest it reads.
pub(super) const VERSION: u64 = 1;

/// The current state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seal {
    pub(super) version: u64,
    /// The review that `review-latest.json` states.
    pub(super) latest: Sealed,
    /// The last full one, while the latest is a quick check.
    pub(super) full: Option<Sealed>,
    /// The pending steps of the save that wrote this seal; none once it is done.
    pub(super) pending: Option<Pending>,
}

/// A review as Jury last wrote it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sealed {
    pub(super) record: RecordId,
    /// Jury's own status of each finding, before any mark.
    #[serde(with = "words")]
    pub(super) own: Vec<Status>,
    pub(super) file: VerdictFile,
    /// The record of the last verification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) verified: Option<RecordId>,
    /// The contests of its findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) contested: Option<RecordId>,
}

/// The rest of a save, after its seal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pending {
    /// The verdict file that is being replaced, as it stood on disk.
    pub(super) previous: Option<VerdictFile>,
    #[serde(with = "words")]
    pub(super) previous_own: Vec<Status>,
    /// The change of `abort-reason.md`.
    pub(super) abort: Abort,
    /// Lines for `marks.jsonl`.
    pub(super) marks: Vec<Mark>,
}

/// The change of `abort-reason.md`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Abort {
    Keep,
    Remove,
    Write(String),
}

impl Sealed {
    /// Returns it as it counts, with the statuses that the verdict file has.
    pub(super) fn with(&self, statuses: &[Status]) -> Current {
        let file = with_statuses(&self.file, statuses);
        Current {
            record: self.record.clone(),
            file,
            sealed: self.file.clone(),
            verified: self.verified.clone(),
            contested: self.contested.clone(),
        }
    }
}

impl Seal {
    /// Tells whether every finding has a status of its own.
    fn is_whole(&self) -> bool {
        let is_whole = |file: &VerdictFile, own: &[Status]| file.findings.len() == own.len();
        let mut sealed = [Some(&self.latest), self.full.as_ref()].into_iter().flatten();
        let previous = self.pending.as_ref().and_then(|pending| Some((pending.previous.as_ref()?, pending)));
        sealed.all(|sealed| is_whole(&sealed.file, &sealed.own))
            && previous.is_none_or(|(previous, pending)| is_whole(previous, &pending.previous_own))
    }
}

/// Why bytes are no seal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SealError {
    Newer(u64),
    Damaged(String),
}

const HEAD: &str = "{\n  \"digest\": \"";
const AFTER_DIGEST: &str = "\",\n";

/// Writes a seal.
pub(super) fn encode(seal: &Seal) -> String {
    let text = serde_json::to_string_pretty(seal).expect("string keys and finite numbers are always JSON");
    let rest = format!("{}\n", text.strip_prefix("{\n").expect("a seal is an object with members"));
    format!("{HEAD}{}{AFTER_DIGEST}{rest}", sha256(&[rest.as_bytes()]))
}

/// Reads a seal.
pub(super) fn decode(bytes: &[u8]) -> Result<Seal, SealError> {
    let damaged = |what: &str| SealError::Damaged(what.to_owned());
    let text = str::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8"))?;
    if text.is_empty() {
        return Err(damaged("it is empty"));
    }
    let Some((digest, rest)) = text.strip_prefix(HEAD).and_then(|text| text.split_once(AFTER_DIGEST)) else {
        return Err(without_digest(text));
    };
    let body = format!("{{\n{rest}");
    let version = version_of(body.as_bytes());
    if sha256(&[rest.as_bytes()]) != digest {
        let claimed = version.filter(|version| *version > VERSION);
        let claimed = claimed.map(|version| format!(", and it states version {version}"));
        return Err(SealError::Damaged(format!("its digest does not match{}", claimed.unwrap_or_default())));
    }
    match version {
        Some(VERSION) => {
            let seal: Seal = serde_json::from_str(&body).map_err(|error| SealError::Damaged(error.to_string()))?;
            if seal.is_whole() { Ok(seal) } else { Err(damaged("a finding in it has no status of its own")) }
        }
        Some(version) if version > VERSION => Err(SealError::Newer(version)),
        _ => Err(damaged("it states no version that there ever was")),
    }
}

/// Describes a seal without a digest in the place of this version.
fn without_digest(text: &str) -> SealError {
    let has_digest = serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.get("digest").is_some());
    match version_of(text.as_bytes()).filter(|version| *version > VERSION && !has_digest) {
        Some(version) => SealError::Newer(version),
        None => SealError::Damaged("it does not begin with its digest".to_owned()),
    }
}

/// Returns the top-level `version` of a JSON document.
pub(super) fn version_of(bytes: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    serde_json::from_slice::<Versioned>(bytes).ok().map(|document| document.version)
}

/// A status as 000 spells it.
pub(super) mod word {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(status: &Status, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(status.token())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Status, D::Error> {
        let token = String::deserialize(deserializer)?;
        Status::from_token(&token).ok_or_else(|| serde::de::Error::custom(format!("{token:?} is not a status")))
    }
}

mod words {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Word(#[serde(with = "word")] Status);

    pub(super) fn serialize<S: Serializer>(statuses: &[Status], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(statuses.iter().map(|status| Word(*status)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Status>, D::Error> {
        Ok(Vec::<Word>::deserialize(deserializer)?.into_iter().map(|word| word.0).collect())
    }
}
