//! The typed record ↔ `jury_wire::v1::record`, and its bytes. Law: a written record reads back as the same record.
//!
//! The version is read first: a record of a newer version is refused as newer, for any members. The parts of a record have a file each.

mod base_look;
mod checks;
mod features;
mod policy;
mod runs;
mod scope;
mod verification;

use std::collections::BTreeMap;
use std::fmt::Display;

use jury_wire::v1::record as wire;
use serde::Deserialize;

use super::{Decision, Record, RecordError, Since, v1};
use crate::model::{
    CheckResult, Day, Domain, FileLine, Gap, GapKind, Mode, PatchId, RepoPath, ReviewId, Severity, Timestamp,
};

/// The version that is written, and the newest that is read.
pub const VERSION: u32 = wire::VERSION;

/// Reads a record.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let text = |error: serde_json::Error| refused("text", error.to_string());
    let Versioned { version } = serde_json::from_slice(bytes).map_err(text)?;
    if version > VERSION {
        return Err(refused("version", format!("{version} is newer than {VERSION}, the newest that this Jury reads")));
    }
    let mut record: wire::Record = serde_json::from_slice(bytes).map_err(text)?;
    // A record of version 2 is one of version 3 without the features of its findings.
    if version < 2 {
        v1::upgrade(&mut record);
    }
    from_wire(record)
}

/// Writes a record: canonical JSON.
pub fn write(record: &Record) -> Vec<u8> {
    canonical_json(&serde_json::to_value(to_wire(record)).expect("a record is always JSON"))
}

/// Writes the result of a check, for the cache.
pub fn write_check(result: &CheckResult) -> String {
    serde_json::to_string(&checks::to_wire(result)).expect("strings and numbers are always JSON")
}

/// Reads the result of a check back from the cache.
pub fn read_check(text: &str) -> Option<CheckResult> {
    serde_json::from_str(text).ok().map(checks::from_wire)
}

/// Writes a value as canonical JSON: keys sorted, no white space. Same value, same bytes.
pub fn canonical_json(value: &serde_json::Value) -> Vec<u8> {
    let mut value = value.clone();
    value.sort_all_objects();
    serde_json::to_vec(&value).expect("a JSON value is always JSON")
}

fn to_wire(record: &Record) -> wire::Record {
    let Record {
        review_id,
        timestamp,
        mode,
        scope,
        policy,
        waivers,
        base_day,
        runs,
        base_look,
        cited,
        guidelines,
        gaps,
        report_path,
        decision,
        found,
        since,
        verification,
    } = record;
    wire::Record {
        version: VERSION,
        review_id: review_id.to_string(),
        timestamp: timestamp.to_string(),
        mode: mode.token().to_owned(),
        scope: scope::to_wire(scope),
        policy: policy::to_wire(policy),
        waivers: waivers.iter().map(policy::waiver_to_wire).collect(),
        base_day: base_day.map(|day| day.to_string()),
        runs: runs.iter().map(runs::to_wire).collect(),
        base_look: base_look.as_ref().map(base_look::to_wire),
        cited: cited.iter().map(|(path, text)| (path.to_string(), text.clone())).collect(),
        guidelines: guidelines.iter().map(|(path, text)| (path.to_string(), text.clone())).collect(),
        gaps: gaps.iter().map(gap_to_wire).collect(),
        report_path: report_path.as_ref().map(ToString::to_string),
        decision: decision.as_ref().map(|decision| decision.file.clone()),
        gap_ids: decision.iter().flat_map(|decision| decision.gaps.iter().cloned()).collect(),
        person_ids: decision.iter().flat_map(|decision| decision.person.iter().cloned()).collect(),
        counted_waivers: decision.as_ref().and_then(|it| Some(it.waived.as_ref()?.iter().cloned().collect())),
        check_ids: decision.iter().flat_map(|decision| decision.checks.iter().cloned()).collect(),
        found: found.as_ref().map(features::found_to_wire),
        since: since.as_ref().map(since_to_wire),
        verification: verification.as_ref().map(verification::to_wire),
    }
}

fn from_wire(record: wire::Record) -> Result<Record, RecordError> {
    let gaps = record.gap_ids.into_iter().collect();
    let person = record.person_ids.into_iter().collect();
    let waived = record.counted_waivers.map(|names| names.into_iter().collect());
    let checks = record.check_ids.into_iter().collect();
    Ok(Record {
        review_id: parsed("review_id", ReviewId::new(&record.review_id))?,
        timestamp: parsed("timestamp", Timestamp::new(&record.timestamp))?,
        mode: token("mode", &record.mode, Mode::from_token)?,
        scope: scope::from_wire(record.scope)?,
        policy: policy::from_wire(&record.policy)?,
        waivers: record.waivers.into_iter().map(policy::waiver_from_wire).collect::<Result<_, _>>()?,
        base_day: record.base_day.map(|text| day("base_day", &text)).transpose()?,
        runs: record.runs.into_iter().map(runs::from_wire).collect::<Result<_, _>>()?,
        base_look: record.base_look.map(base_look::from_wire).transpose()?,
        cited: texts("cited", record.cited)?,
        guidelines: texts("guidelines", record.guidelines)?,
        gaps: record.gaps.into_iter().map(gap_from_wire).collect::<Result<_, _>>()?,
        report_path: record.report_path.map(|text| path("report_path", &text)).transpose()?,
        decision: record.decision.map(|file| Decision { file, gaps, person, checks, waived }),
        found: record.found.map(features::found_from_wire).transpose()?,
        since: record.since.map(since_from_wire).transpose()?,
        verification: record.verification.map(verification::from_wire).transpose()?,
    })
}

fn texts(member: &'static str, texts: BTreeMap<String, String>) -> Result<BTreeMap<RepoPath, String>, RecordError> {
    texts.into_iter().map(|(file, text)| Ok((path(member, &file)?, text))).collect()
}

fn gap_to_wire(gap: &Gap) -> wire::Gap {
    let Gap { reviewer, kind, what, remedy } = gap;
    let (reviewer, kind) = (reviewer.to_string(), kind.token().to_owned());
    wire::Gap { reviewer, kind, what: what.clone(), remedy: remedy.clone() }
}

fn gap_from_wire(gap: wire::Gap) -> Result<Gap, RecordError> {
    let wire::Gap { reviewer, kind, what, remedy } = gap;
    let kind = token("gaps", &kind, GapKind::from_token)?;
    Ok(Gap { reviewer: domain("gaps", &reviewer)?, kind, what, remedy })
}

fn since_to_wire(since: &Since) -> wire::Since {
    let Since { review_id, new, persisting, moved, gone } = since.clone();
    wire::Since { review_id: review_id.to_string(), new, persisting, moved, gone }
}

fn since_from_wire(since: wire::Since) -> Result<Since, RecordError> {
    let wire::Since { review_id, new, persisting, moved, gone } = since;
    Ok(Since { review_id: parsed("since", ReviewId::new(&review_id))?, new, persisting, moved, gone })
}

fn line_to_wire(place: &FileLine) -> wire::FileLine {
    wire::FileLine { file: place.file.to_string(), line: place.line }
}

fn line_from_wire(place: wire::FileLine) -> Result<FileLine, RecordError> {
    Ok(FileLine { file: path("verification", &place.file)?, line: place.line })
}

fn day(member: &'static str, text: &str) -> Result<Day, RecordError> {
    Day::new(text).ok_or_else(|| refused(member, format!("invalid day {text:?}")))
}

fn token<T>(member: &'static str, text: &str, from: fn(&str) -> Option<T>) -> Result<T, RecordError> {
    from(text).ok_or_else(|| refused(member, format!("unknown word {text:?}")))
}

fn severity(member: &'static str, word: &str) -> Result<Severity, RecordError> {
    let found = Severity::ALL.into_iter().find(|severity| severity.word() == word);
    found.ok_or_else(|| refused(member, format!("unknown severity {word:?}")))
}

fn patch(member: &'static str, digits: &str) -> Result<PatchId, RecordError> {
    PatchId::new(digits).ok_or_else(|| refused(member, "it is not the id of a patch".to_owned()))
}

fn path(member: &'static str, text: &str) -> Result<RepoPath, RecordError> {
    parsed(member, RepoPath::new(text))
}

fn domain(member: &'static str, name: &str) -> Result<Domain, RecordError> {
    parsed(member, Domain::new(name))
}

fn parsed<T, E: Display>(member: &'static str, result: Result<T, E>) -> Result<T, RecordError> {
    result.map_err(|error| refused(member, error.to_string()))
}

fn refused(member: &'static str, what: String) -> RecordError {
    RecordError { member, what }
}

#[cfg(test)]
mod tests;
