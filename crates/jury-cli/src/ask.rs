//! What a worktree is asked, by people at the command line and by agents over MCP: one answer for both.
//!
//! In: a workplace. Out: the values that are published. Deliberately not here: how they are shown.

use jury::gate::{look, record};
use jury::judge::judge;
use jury::review::ReviewError;
use jury_wire::v1::surface as wire;

use crate::error::Error;
use crate::render;
use crate::workplace::{self, Workplace};

/// Returns the last review, what has become of it since, and whether the gate is open.
pub(crate) fn status(workplace: &Workplace) -> Result<wire::Status, Error> {
    let look = look(&workplace.repository, &workplace.store, None, &workplace::now())?;
    let latest = look.state.latest.as_ref();
    let record = latest.map(|latest| record(&workplace.store, &latest.record)).transpose()?;
    let judgement = record.as_ref().map(judge).transpose().map_err(ReviewError::from)?;
    Ok(render::wire_status(&look, judgement.as_ref(), record.as_ref())?)
}

/// Returns one finding of the latest review, with its code, its trail and its history.
pub(crate) fn finding(workplace: &Workplace, id: &str) -> Result<wire::Shown, Error> {
    let latest = workplace.store.state()?.latest.ok_or(Error::NoReview)?;
    let record = record(&workplace.store, &latest.record)?;
    let judgement = judge(&record).map_err(ReviewError::from)?;
    let marks = workplace.store.marks(&latest.file.review_id)?;
    let look = latest.verified.as_ref().map(|id| self::record(&workplace.store, id)).transpose()?;
    let verification = look.as_ref().and_then(|look| look.verification.as_ref());
    render::wire_shown(id, &latest.file, &record, &judgement, verification, &marks)
        .ok_or_else(|| Error::NoSuchId(id.to_owned()))
}

/// Returns why the verdict is what it is.
pub(crate) fn decision(workplace: &Workplace) -> Result<wire::Explained, Error> {
    let look = look(&workplace.repository, &workplace.store, None, &workplace::now())?;
    let latest = look.state.latest.as_ref().ok_or(Error::NoReview)?;
    let record = record(&workplace.store, &latest.record)?;
    let judgement = judge(&record).map_err(ReviewError::from)?;
    Ok(render::wire_explained(&look, &record, &judgement))
}
