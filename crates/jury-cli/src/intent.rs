//! The acceptance criteria that a review is given: a file, standard input or the text of a pull request in; a list out.
//!
//! Deliberately not here: the form of criteria (`intake`), and who assesses them.

use std::ffi::OsString;

use jury::intake::{MOST_CRITERIA, criteria_of};

use crate::error::Error;
use crate::input::Input;

/// Returns the criteria that are asked for; none if nobody asks.
pub(crate) fn criteria(file: Option<OsString>, is_of_pull_request: bool) -> Result<Vec<String>, Error> {
    let (name, text) = match file {
        Some(file) => {
            let input = Input::from(file);
            (input.shown(), String::from_utf8_lossy(&input.bytes()?).into_owned())
        }
        None if is_of_pull_request => ("the pull request".to_owned(), pull_request()?),
        None => return Ok(Vec::new()),
    };
    // A secret that is cut could no longer be recognised as one.
    let criteria = criteria_of(&jury_rules::redact(&text));
    match criteria.len() {
        // A request without text asks for nothing; a file that was named says something.
        0 if !is_of_pull_request => Err(Error::NoCriteria(name)),
        count if count > MOST_CRITERIA => Err(Error::TooManyCriteria { name, count }),
        _ => Ok(criteria),
    }
}

/// Returns the text of the pull or merge request that CI runs for.
fn pull_request() -> Result<String, Error> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(path) = set("GITHUB_EVENT_PATH") {
        let bytes = Input::File(path.into()).bytes()?;
        let event: serde_json::Value = serde_json::from_slice(&bytes).map_err(|_| Error::NoPullRequest)?;
        let request = event.get("pull_request").ok_or(Error::NoPullRequest)?;
        return Ok(request.get("body").and_then(|body| body.as_str()).unwrap_or_default().to_owned());
    }
    match set("CI_MERGE_REQUEST_IID") {
        Some(_) => Ok(set("CI_MERGE_REQUEST_DESCRIPTION").unwrap_or_default()),
        None => Err(Error::NoPullRequest),
    }
}
