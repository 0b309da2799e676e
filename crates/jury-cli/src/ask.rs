//! Queries about a worktree, shared by the command line and MCP.
//!
//! In: a workplace. Out: the values that are published. Deliberately not here: how they are shown.

use std::collections::BTreeSet;

use jury::flows::gate::{Subject, gate};
use jury::flows::next::next;
use jury::judge::judge;
use jury::worktree::recorded;
use jury_wire::v1::surface as wire;

use crate::error::Error;
use crate::render;
use crate::workplace::{self, Workplace};

/// Returns the last review, its state since, and whether the gate is open; and the ids of its findings that state a
/// gap.
pub(crate) fn status(workplace: &Workplace) -> Result<(wire::Status, BTreeSet<String>), Error> {
    let view = gate(&workplace.repository, &workplace.store, None, Subject::Head, &workplace::now())?;
    let latest = view.state.latest.as_ref();
    let record = latest.map(|latest| recorded(&workplace.store, &latest.record)).transpose()?;
    let judgement = record.as_ref().map(judge);
    let action = next(&workplace.store, &view)?.next.action;
    let gaps = record.as_ref().map(|record| record.gap_ids()).unwrap_or_default();
    Ok((render::wire_status(&view, action, judgement.as_ref(), record.as_ref()), gaps))
}

/// Returns one finding of the latest review, with its code, its trail and its history; and whether it states a gap.
pub(crate) fn finding(workplace: &Workplace, id: &str) -> Result<(wire::Shown, bool), Error> {
    let latest = workplace.store.state()?.latest.ok_or(Error::NoReview)?;
    let record = recorded(&workplace.store, &latest.record)?;
    let judgement = judge(&record);
    let marks = workplace.store.marks(&latest.file.review_id)?;
    let look = latest.verified.as_ref().map(|id| recorded(&workplace.store, id)).transpose()?;
    let verification = look.as_ref().and_then(|look| look.verification.as_ref());
    let shown = render::wire_shown(id, &latest.file, &record, &judgement, verification, &marks);
    Ok((shown.ok_or_else(|| Error::NoSuchId(id.to_owned()))?, record.gap_ids().contains(id)))
}

/// Returns the explanation of the verdict.
pub(crate) fn decision(workplace: &Workplace) -> Result<wire::Explained, Error> {
    let view = gate(&workplace.repository, &workplace.store, None, Subject::Head, &workplace::now())?;
    let latest = view.state.latest.as_ref().ok_or(Error::NoReview)?;
    let record = recorded(&workplace.store, &latest.record)?;
    Ok(render::wire_explained(&view, &record, &judge(&record)))
}
