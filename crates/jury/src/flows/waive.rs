//! `jury waive`: a finding of the latest review and a person's reason in; one more entry in the working tree's
//! `.jury/waivers.toml` out.
//!
//! The entry names the finding by its fingerprint, so that it holds when lines move. It counts for nothing until a person has
//! brought it onto the base (DESIGN §8).

use crate::config::{ConfigError, WAIVERS_FILE, waivers};
use crate::error::FlowError;
use crate::judge::{Judgement, Settled, judge};
use crate::model::{Day, RepoPath, Timestamp, Waiver};
use crate::scope::Repository;
use crate::store::{Store, StoreError};
use crate::syntax::acts;
use crate::worktree::{PATIENCE, recorded};

/// The waiver to write.
#[derive(Clone, Debug)]
pub struct WaiveRequest {
    /// The id of the finding.
    pub id: String,
    /// Why it is accepted.
    pub reason: String,
    /// The person who accepts it; default: `user.name` of the repository.
    pub by: Option<String>,
    /// The last day on which it counts, as `2026-12-31`.
    pub expires: String,
    /// The time, in UTC.
    pub now: Timestamp,
}

/// The written waiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waived {
    /// The entry.
    pub waiver: Waiver,
    /// Its findings, one line for each with the fingerprint.
    pub about: Vec<String>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WaiveError {
    /// Nothing has been reviewed.
    #[error("no review yet")]
    NoReview,
    /// No finding has that id.
    #[error("no finding `{0}` in the latest review")]
    Unknown(String),
    /// It is no finding that could be accepted.
    #[error("`{0}` is a gap: a missing review cannot be waived")]
    Gap(String),
    /// It is the failure of a check, of which the next one would be accepted, too.
    #[error("`{0}` is the failure of a check, which nobody can waive: the next failure would be waived, too")]
    Check(String),
    /// The base or the working tree has a waiver of it.
    #[error("`{id}` is already waived {place}")]
    Already {
        /// The finding.
        id: String,
        /// Where.
        place: String,
    },
    /// There is no reason.
    #[error("a waiver needs a reason")]
    NoReason,
    /// There is no name.
    #[error("a waiver needs a person")]
    Nobody,
    /// There is no such day.
    #[error("invalid day `{0}`; expected one such as 2026-12-31")]
    NotADay(String),
    /// The day has passed.
    #[error("{0} has passed; an expired waiver covers nothing")]
    Passed(Day),
    /// The working tree's file cannot be added to.
    #[error("invalid `{WAIVERS_FILE}` in the working tree: {0}")]
    Broken(String),
    /// The state on disk was refused, or its record cannot be judged.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

impl From<StoreError> for WaiveError {
    fn from(error: StoreError) -> Self {
        Self::Flow(error.into())
    }
}

impl From<ConfigError> for WaiveError {
    fn from(error: ConfigError) -> Self {
        Self::Broken(error.what)
    }
}

/// Writes the waiver of a finding into the working tree, or nothing.
pub fn waive(repository: &Repository, store: &Store, request: &WaiveRequest) -> Result<Waived, WaiveError> {
    let today = Day::of(&request.now);
    let expires = Day::new(&request.expires).ok_or_else(|| WaiveError::NotADay(request.expires.clone()))?;
    if expires < today {
        return Err(WaiveError::Passed(expires));
    }
    let reason = Some(one_line(&jury_rules::redact(&request.reason))).filter(|reason| !reason.is_empty());
    let reason = reason.ok_or(WaiveError::NoReason)?;
    let by = request.by.clone().or_else(|| repository.user_name()).map(|name| one_line(&name));
    let author = by.filter(|name| !name.is_empty()).ok_or(WaiveError::Nobody)?;
    let locked = store.lock(PATIENCE)?;
    let (finding, about) = accepted(store, &request.id)?;

    let path = RepoPath::new(WAIVERS_FILE).expect("the path is a plain one");
    let bytes = store.find_source(&path)?;
    let entries = waivers::read(bytes.as_deref())?;
    if let Some(entry) = entries.iter().find(|entry| [&finding, &request.id].contains(&&entry.waiver.finding)) {
        let expires = entry.waiver.expires;
        let ended =
            if expires < today { format!(", which expired on {expires}: give it a later day") } else { String::new() };
        let place = format!("in line {} of {WAIVERS_FILE}{ended}", entry.line);
        return Err(WaiveError::Already { id: request.id.clone(), place });
    }
    let waiver = Waiver { finding, reason, author, expires };
    let text = String::from_utf8(bytes.clone().unwrap_or_default()).expect("parsed TOML is UTF-8");
    let written = waivers::with(&text, &waiver, &about);
    // An open string or table at the end of the file would swallow the entry, so it is read before it is written.
    if waivers::read(Some(written.as_bytes()))?.last().map(|entry| &entry.waiver) != Some(&waiver) {
        return Err(WaiveError::Broken("an entry at its end would not be read as one".to_owned()));
    }
    locked.put(&path, bytes.as_deref(), written.as_bytes())?;
    Ok(Waived { waiver, about })
}

/// Finds a finding that can be accepted, in the latest review or in the last full one, by which the gate goes. Returns its
/// fingerprint, and its findings.
fn accepted(store: &Store, id: &str) -> Result<(String, Vec<String>), WaiveError> {
    let state = store.state()?;
    let latest = state.latest.ok_or(WaiveError::NoReview)?;
    for current in [Some(latest), state.full].into_iter().flatten() {
        let found = current.file.findings.iter().find(|finding| finding.id == id);
        let record = recorded(store, &current.record)?;
        if found.is_some() && record.gap_ids().contains(id) {
            return Err(WaiveError::Gap(id.to_owned()));
        }
        if found.is_some() && record.check_ids().contains(id) && !record.person_ids().contains(id) {
            return Err(WaiveError::Check(id.to_owned()));
        }
        let judgement = judge(&record);
        let waived = &judgement.merged.synthesis.waived;
        if found.is_none() && waived.iter().any(|settled| settled.finding.id.as_str() == id) {
            return Err(WaiveError::Already { id: id.to_owned(), place: "on the base".to_owned() });
        }
        if let Some(settled) = judgement.settled(id) {
            let fingerprint = settled.finding.fingerprint.as_str();
            return Ok((fingerprint.to_owned(), about(&judgement, fingerprint)));
        }
    }
    Err(WaiveError::Unknown(id.to_owned()))
}

/// Lists the findings of a fingerprint. The same code in two places has the same one.
fn about(judgement: &Judgement, fingerprint: &str) -> Vec<String> {
    let line = |settled: &Settled| {
        let claim = &settled.finding.representative;
        let place = claim.location.as_ref().map(|location| format!(" ({location})")).unwrap_or_default();
        one_line(&format!("{}: {}{place}", settled.finding.id.as_str(), claim.title))
    };
    let findings = judgement.merged.synthesis.findings.iter();
    let having = findings.filter(|settled| settled.finding.fingerprint.as_str() == fingerprint);
    having.map(|settled| line(settled)).collect()
}

/// Puts a text on one line, without any character that acts: a file that people read is written here.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().map(|c| if acts(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_gets_into_the_file() {
        assert_eq!(one_line(" a\u{1b}[31m \n# b\u{202e}\t "), "a\u{fffd}[31m # b\u{fffd}");
        assert_eq!(one_line(" \r\n\t"), "");
    }
}
