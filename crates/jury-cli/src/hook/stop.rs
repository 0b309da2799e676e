//! An agent wants to stop: may it? The state and the tree in, and whether it is sent back to work out.
//!
//! It goes by 003's action protocol, as `jury next` does: the open actions of a full review come first, and else uncommitted changes are
//! checked, once per tree. Loop-safe: after a few blocks in a row it lets go, loudly. Deliberately not here: whether the work
//! may merge, which is the gate's to say, and stays so.

use jury::error::FlowError;
use jury::flows::GateView;
use jury::flows::gate::{Subject, gate};
use jury::flows::next::next;
use jury::flows::review::{ReviewRequest, review};
use jury::model::{Mode, PolicyMode};
use jury::record::mode_of;
use jury::scope;
use jury::store::StoreError;
use jury::verdict::{Action, Next};
use jury::worktree;
use jury_wire::ExitCode;

use super::memory::{self, Blocks, Memory};
use super::{Answer, Called, Host, open, reason};
use crate::error::Error;
use crate::render;
use crate::workplace::{self, Workplace};

/// How often an agent is sent back for the same findings before it is let go.
const MOST_SAME: u32 = 3;
/// How often it is sent back at all without a clear check in between. One host ends the turn at the eighth block itself.
const MOST: u32 = 7;
/// How often it is sent back because nothing could be checked, which it can seldom change.
const MOST_TROUBLE: u32 = 1;

/// How the work stands.
enum WorkState {
    /// Nothing has to be done now.
    Clear,
    /// Something has to be done first.
    Blocked {
        /// The reason, for the agent.
        reason: String,
        /// The subject, to recognise it again.
        about: String,
    },
    /// Only a person can go on, or the policy only observes: the agent is let go with a notice.
    Halted(String),
}

/// Says whether the agent may stop.
pub(super) fn answer(host: &Host, called: &Called) -> Answer {
    if called.is_interrupted {
        return Answer::Allow;
    }
    let workplace = match open(host, called) {
        Ok(None) => return Answer::Allow,
        Ok(Some(workplace)) => workplace,
        // Without the repository there is no memory either; the host alone knows whether this is the first time.
        Err(error) => return hold(called, None, &trouble(&error), "", MOST_TROUBLE),
    };
    let memory = Memory::open(&workplace.store, host.name, &called.session).ok();
    match check(&workplace) {
        Ok(WorkState::Clear) => {
            _ = memory.map(|memory| memory.forget());
            Answer::Allow
        }
        Ok(WorkState::Halted(what)) => {
            _ = memory.map(|memory| memory.forget());
            Answer::LetGo(what)
        }
        Ok(WorkState::Blocked { reason, about }) => hold(called, memory.as_ref(), &reason, &about, MOST_SAME),
        Err(error) => hold(called, memory.as_ref(), &trouble(&error), "trouble", MOST_TROUBLE),
    }
}

/// Blocks, unless that was done often enough. If nothing can be remembered, the host has to say that this is the first time.
fn hold(called: &Called, memory: Option<&Memory>, reason: &str, about: &str, most_same: u32) -> Answer {
    let unread = called.unread.as_ref().map(|why| format!("\nThe host's input could not be read: {why}"));
    let reason = reason::cut(format!("{reason}{}", unread.unwrap_or_default()));
    let is_enough = match memory.map(|memory| memory.block(about)) {
        Some(Ok(Blocks { same, all })) => same > most_same || all > MOST,
        Some(Err(_)) | None => called.is_inside != Some(false),
    };
    if !is_enough {
        return Answer::Block(reason);
    }
    _ = memory.map(Memory::forget);
    Answer::LetGo(reason::cut(format!(
        "Jury lets the agent stop: sending it back has not helped. The merge gate is still closed.\n{reason}"
    )))
}

fn trouble(error: &Error) -> String {
    format!("Jury could not check this work; it counts as unchecked: {}", render::told(error))
}

/// Determines the state of the work; only unchecked changes are checked.
fn check(workplace: &Workplace) -> Result<WorkState, Error> {
    let Workplace { repository, store } = workplace;
    let now = workplace::now();
    let known = match gate(repository, store, None, Subject::Worktree, &now) {
        // A foreign verdict file does not count; a check moves it away.
        Err(FlowError::Store(StoreError::Foreign { .. })) => None,
        view => known(workplace, &view?)?,
    };
    let standing = match known {
        Some(standing) => standing,
        None => {
            let (scope, options) = (scope::Request::Quick, workplace.ask_options()?);
            let request = ReviewRequest { scope, options, now: now.clone(), is_saved: true };
            review(repository, store, &request, &mut |_| {})?;
            let view = gate(repository, store, None, Subject::Worktree, &now)?;
            standing(&view, &next(store, &view)?.next)
        }
    };
    // Only a hint for people is lost if this fails.
    _ = memory::mark_checked(store);
    Ok(standing)
}

/// Says how the work stands as far as that is known without a check; `None` if one has to be made.
fn known(workplace: &Workplace, view: &GateView) -> Result<Option<WorkState>, Error> {
    let next = next(&workplace.store, view)?.next;
    let Some(latest) = &view.state.latest else { return Ok(None) };
    let is_quick = mode_of(&latest.file) == Some(Mode::Quick);
    if next.action == Action::Halt
        || (!is_quick && [Action::Fix, Action::Verify, Action::AskPerson].contains(&next.action))
    {
        // A quick check would take the place of the findings that are to be marked.
        return Ok(Some(standing(view, &next)));
    }
    if view.gate.outcome == jury::model::Outcome::Clear {
        return Ok(Some(WorkState::Clear));
    }
    if !is_quick {
        return Ok(None);
    }
    let snapshot = worktree::snapshot(&workplace.repository, &workplace.store)?;
    let record = worktree::recorded(&workplace.store, &latest.record)?;
    let is_checked = snapshot.is_whole() && *snapshot.id() == record.scope.tree;
    Ok(is_checked.then(|| standing(view, &next)))
}

/// Translates the next action for an agent that is about to stop.
fn standing(view: &GateView, next: &Next) -> WorkState {
    let Some(latest) = view.acted_on() else { return WorkState::Clear };
    let full = view.state.full.as_ref().map(|full| &full.file);
    match next.action {
        Action::Halt => WorkState::Halted(halted(&latest.file.review_id)),
        Action::AskPerson => WorkState::Halted(waiting(next)),
        Action::Fix | Action::Verify | Action::Review if !next.required.is_empty() && is_observing(view) => {
            let reason = reason::blocked(next, &latest.file, full);
            WorkState::Halted(format!("observed: would be closed (policy.mode is observe)\n{reason}"))
        }
        Action::Fix | Action::Verify | Action::Review if !next.required.is_empty() => {
            let reason = reason::blocked(next, &latest.file, full);
            WorkState::Blocked { reason, about: next.required.join(" ") }
        }
        _ => WorkState::Clear,
    }
}

/// Tells whether the policy lets pass what would be closed.
fn is_observing(view: &GateView) -> bool {
    view.full.as_ref().is_some_and(|record| record.policy.policy.mode == PolicyMode::Observe)
}

fn waiting(next: &Next) -> String {
    format!(
        "Jury: nothing is left for the agent; a person has to decide {}. `jury next` says more. The merge gate waits (exit {}).",
        next.person.join(", "),
        ExitCode::Waiting.code()
    )
}

fn halted(review_id: &str) -> String {
    format!(
        "Jury: the work is halted (ABORT, review {review_id}). A person has to act: see .code-review/abort-reason.md. \
         Do not attempt a fix. The merge gate is closed (exit {}).",
        ExitCode::Aborted.code()
    )
}
