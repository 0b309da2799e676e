//! Queries about a worktree, shared by the command line and MCP.
//!
//! In: a workplace. Out: the values that are published. Deliberately not here: how they are shown.

use std::collections::BTreeSet;

use jury::error::FlowError;
use jury::flows::gate::{Subject, gate};
use jury::flows::next::next;
use jury::judge::judge;
use jury::model::Mode;
use jury::record::mode_of;
use jury::verdict::finding_states;
use jury::worktree::{last_look, recorded};
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
    let mut gaps = record.as_ref().map(|record| record.gap_ids()).unwrap_or_default();
    gaps.extend(view.full.iter().flat_map(|full| full.gap_ids()));
    Ok((render::wire_status(&view, action, judgement.as_ref(), record.as_ref()), gaps))
}

/// Returns one finding of the latest review, or of the full one before a quick check, with its code, its trail and its history; and
/// whether it states a gap.
pub(crate) fn finding(workplace: &Workplace, id: &str) -> Result<(wire::Shown, bool), Error> {
    let state = workplace.store.state()?;
    let latest = state.latest.ok_or(Error::NoReview)?;
    for review in std::iter::once(latest).chain(state.full) {
        let record = recorded(&workplace.store, &review.record)?;
        let judgement = judge(&record);
        let marks = workplace.store.marks(&review.file.review_id)?;
        let look = review.verified.as_ref().map(|id| recorded(&workplace.store, id)).transpose()?;
        let verification = look.as_ref().and_then(|look| look.verification.as_ref());
        if let Some(shown) = render::wire_shown(id, &review.file, &record, &judgement, verification, &marks) {
            return Ok((shown, record.gap_ids().contains(id)));
        }
    }
    Err(Error::NoSuchId(id.to_owned()))
}

/// Returns what marks of findings are about: the quick check alone or the full review, and whether they close the gate.
pub(crate) fn marked(workplace: &Workplace, ids: Vec<String>) -> Result<Vec<render::Marked>, Error> {
    let state = workplace.store.state()?;
    let mut known = Vec::new();
    for review in state.full.iter().chain(&state.latest) {
        let states = finding_states(&review.file, &last_look(&workplace.store, review)?).map_err(FlowError::from)?;
        let is_quick = mode_of(&review.file) == Some(Mode::Quick);
        known.extend(states.into_iter().map(|state| (state, is_quick)));
    }
    let marked = |id: String| {
        let found = known.iter().find(|(state, _)| state.id == id);
        let (closes, is_quick) = found.map_or((true, false), |(state, is_quick)| (state.closes, *is_quick));
        render::Marked { id, is_quick, closes }
    };
    Ok(ids.into_iter().map(marked).collect())
}

/// Returns the explanation of the verdict.
pub(crate) fn decision(workplace: &Workplace) -> Result<wire::Explained, Error> {
    let view = gate(&workplace.repository, &workplace.store, None, Subject::Head, &workplace::now())?;
    let latest = view.state.latest.as_ref().ok_or(Error::NoReview)?;
    let record = recorded(&workplace.store, &latest.record)?;
    Ok(render::wire_explained(&view, &record, &judge(&record)))
}
