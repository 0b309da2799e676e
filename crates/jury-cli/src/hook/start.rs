//! An agent begins: one line about how the work stands, as context. Outside a repository nothing is said.

use jury::flows::gate::{Subject, gate};
use jury::flows::next::next;

use super::{Answer, Called, Host, memory, open, reason};
use crate::error::Error;
use crate::render::{self, count, inert};
use crate::workplace::{self, Workplace};

/// Says how the work stands.
pub(super) fn answer(host: &Host, called: &Called) -> Answer {
    let line = match open(host, called) {
        Ok(None) => return Answer::Allow,
        Ok(Some(workplace)) => standing(&workplace),
        Err(error) => Err(error),
    };
    let line = line.unwrap_or_else(|error| format!("Jury cannot read the review state: {}", render::told(&error)));
    Answer::Context(reason::cut(line))
}

fn standing(workplace: &Workplace) -> Result<String, Error> {
    let view = gate(&workplace.repository, &workplace.store, None, Subject::Head, &workplace::now())?;
    let next = render::wire_next(&view, &next(&workplace.store, &view)?);
    let review = match (&next.verdict, &next.review_id) {
        (Some(verdict), Some(id)) => format!("{verdict} (review {id})"),
        _ => "no review yet".to_owned(),
    };
    let gate = match view.gate.outcome {
        jury::model::Outcome::Clear => "open".to_owned(),
        outcome => format!("closed ({})", outcome.token()),
    };
    let required = count(next.required.len(), "required finding", "required findings");
    let edited = if memory::is_dirty(&workplace.store) { ", edited since the last check" } else { "" };
    let command = next.command.as_deref().map(|command| format!("; run `{command}`")).unwrap_or_default();
    let action = &next.action;
    Ok(inert::line(&format!("Jury: {review}, gate {gate}, {required} open{edited}; next: {action}{command}")))
}
