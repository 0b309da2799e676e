//! An agent wants to stop: may it? The state and the tree in, and whether it is sent back to work out.
//!
//! It goes by 003's action protocol, as `jury next` does: what a full review left to do comes first, and else uncommitted changes are
//! checked, once per tree. Loop-safe: after a few blocks in a row it lets go, loudly. Deliberately not here: whether the work
//! may merge, which is the gate's to say, and stays so.

use jury::gate::{Look, look, record};
use jury::review::{self, Request, ReviewError};
use jury::scope;
use jury::store::StoreError;
use jury::verdict::{Action, Next};
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
enum Standing {
    /// Nothing has to be done now.
    Clear,
    /// Something has to be done first.
    Blocked {
        /// What, in the words for the agent.
        reason: String,
        /// What it is about, to know it again.
        about: String,
    },
    /// Only a person can go on.
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
        Ok(Standing::Clear) => {
            _ = memory.map(|memory| memory.forget());
            Answer::Allow
        }
        Ok(Standing::Halted(what)) => {
            _ = memory.map(|memory| memory.forget());
            Answer::LetGo(what)
        }
        Ok(Standing::Blocked { reason, about }) => hold(called, memory.as_ref(), &reason, &about, MOST_SAME),
        Err(error) => hold(called, memory.as_ref(), &trouble(&error), "trouble", MOST_TROUBLE),
    }
}

/// Blocks, unless that was done often enough. If nothing can be remembered, the host has to say that this is the first time.
fn hold(called: &Called, memory: Option<&Memory>, reason: &str, about: &str, most_same: u32) -> Answer {
    let unread = called.unread.as_ref().map(|why| format!("\nWhat the host said could not be read: {why}"));
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
    format!("Jury could not check this work, so it counts as not checked: {}", render::told(error))
}

/// Finds out how the work stands; only what nobody has checked yet is checked.
fn check(workplace: &Workplace) -> Result<Standing, Error> {
    let Workplace { repository, store } = workplace;
    let now = workplace::now();
    let known = match look(repository, store, None, &now) {
        // A verdict file of somebody else says nothing; a check puts it aside.
        Err(ReviewError::Store(StoreError::Foreign { .. })) => None,
        look => known(workplace, &look?)?,
    };
    let standing = match known {
        Some(standing) => standing,
        None => {
            let request = Request { scope: scope::Request::Quick, asking: workplace.asking()?, now: now.clone() };
            review::review(repository, store, &request, &mut |_| {})?;
            let look = look(repository, store, None, &now)?;
            standing(&look, &look.next()?)
        }
    };
    // Only a hint for people is lost if this fails.
    _ = memory::mark_checked(store);
    Ok(standing)
}

/// Says how the work stands as far as that is known without a check; `None` if one has to be made.
fn known(workplace: &Workplace, look: &Look) -> Result<Option<Standing>, Error> {
    let next = look.next()?;
    let Some(latest) = &look.state.latest else { return Ok(None) };
    let is_quick = latest.file.mode == "quick";
    if next.action == Action::Halt || (!is_quick && [Action::Fix, Action::Verify].contains(&next.action)) {
        // A quick check would take the place of the findings that are to be marked.
        return Ok(Some(standing(look, &next)));
    }
    if look.gate.outcome == jury::model::Outcome::Clear {
        return Ok(Some(Standing::Clear));
    }
    if !is_quick {
        return Ok(None);
    }
    let snapshot = review::snapshot(&workplace.repository, &workplace.store)?;
    let record = record(&workplace.store, &latest.record)?;
    let is_checked = snapshot.is_whole() && snapshot.id().as_str() == record.scope.tree;
    Ok(is_checked.then(|| standing(look, &next)))
}

/// Says what the next action means for somebody who wants to stop.
fn standing(look: &Look, next: &Next) -> Standing {
    let Some(latest) = look.acted_on() else { return Standing::Clear };
    match next.action {
        Action::Halt => Standing::Halted(halted(&latest.file.review_id)),
        Action::Fix | Action::Verify | Action::Review if !next.required.is_empty() => {
            let reason = reason::blocked(next, &latest.file);
            Standing::Blocked { reason, about: next.required.join(" ") }
        }
        _ => Standing::Clear,
    }
}

fn halted(review_id: &str) -> String {
    format!(
        "Jury: the work is halted (ABORT, review {review_id}). A person has to look: .code-review/abort-reason.md says why. \
         Do not attempt a fix. The merge gate is closed (exit {}).",
        ExitCode::Aborted.code()
    )
}
