//! The lifecycle of findings in a pull request, row by row: what is to be said and the state of the forge in; the ordered actions out.
//!
//! | finding | thread | action |
//! |---|---|---|
//! | stands | none | open one |
//! | stands | says the same | nothing |
//! | stands | says something else | edit |
//! | stands | outdated, or elsewhere | one reply, kept up to date |
//! | stands | resolved by a person | nothing; counted |
//! | stands again | resolved by us, or called fixed | unresolve, and reply |
//! | verified | any | say so, and resolve |
//! | absent | any | nothing; counted |

use std::collections::BTreeSet;

use super::anchor::Anchor;
use super::body::{Finding, Publication, Tally, moved, reopened, summary, thread, title, verified};
use super::marker::{Kind, Summary};
use super::matching::{Own, matched, own};
use super::state::{ForgeState, Hangs, Thread};

/// The most findings that get a thread of their own, the worst first; the summary has all of them.
const MOST_THREADS: usize = 100;

/// A write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Throws a draft away that an earlier run left behind.
    Discard {
        /// The draft.
        draft: String,
    },
    /// Begins threads, all in one review.
    Open(Vec<NewThread>),
    /// Edits a comment of ours in a thread.
    Edit {
        /// The thread.
        thread: String,
        /// The comment.
        comment: String,
        /// The new text.
        body: String,
    },
    /// Replies in a thread.
    Reply {
        /// The thread.
        thread: String,
        /// The comment that began it.
        first: String,
        /// The text.
        body: String,
    },
    /// Resolves a thread.
    Resolve {
        /// The thread.
        thread: String,
        /// The comment that began it.
        first: String,
    },
    /// Opens a thread again.
    Unresolve {
        /// The thread.
        thread: String,
        /// The comment that began it.
        first: String,
    },
    /// Writes the summary, into a comment of ours if there is one.
    Summarise {
        /// The comment.
        comment: Option<String>,
        /// The text.
        body: String,
    },
    /// Sets the status of the head.
    Set(Signal),
}

/// A thread to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewThread {
    /// The fingerprint and the id of the finding, by which it is listed if it cannot be posted.
    pub key: super::Key,
    /// Where.
    pub anchor: Anchor,
    /// The text.
    pub body: String,
    /// The text if it hangs on the file as a whole, where a suggestion has no lines to replace.
    pub plain: String,
}

/// The status of a commit. There is no neutral one: forges let it pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The commit.
    pub head: String,
    /// Whether the gate is open.
    pub state: SignalState,
    /// The outcome in a line.
    pub title: String,
    /// Where to read more.
    pub link: Option<String>,
}

/// What a status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalState {
    /// The gate is open.
    Success,
    /// It is closed, for whatever reason.
    Failure,
}

/// What is to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The writes about findings, in order.
    pub actions: Vec<Action>,
    /// The writes about the whole, which come when all others are done.
    pub last: Vec<Action>,
    /// How many findings stand whose threads a person resolved.
    pub resolved_by_people: usize,
    /// How many threads of ours are about findings that this review does not have.
    pub absent: usize,
}

/// Plans. `unplaced` are the fingerprints for which the forge has just refused every place.
pub fn plan(wanted: &Publication, state: &ForgeState, unplaced: &BTreeSet<String>) -> Plan {
    let own = own(state);
    let mut plan = Plan::default();
    plan.actions.extend(state.drafts.iter().map(|draft| Action::Discard { draft: draft.clone() }));
    let (comment, before) = last_summary(state);
    let is_same = before.as_ref().is_some_and(|it| it.head == wanted.head && it.review == wanted.review_id);
    let mut without_place: BTreeSet<String> = unplaced.clone();
    without_place.extend(before.iter().filter(|_| is_same).flat_map(|it| it.unplaced.iter().cloned()));

    let found = matched(&wanted.findings, &own);
    let mut new = Vec::new();
    let mut tally = Tally::default();
    for (index, finding) in wanted.findings.iter().enumerate() {
        match found[index].and_then(|at| own.get(at)) {
            Some(own) if finding.is_verified() => tally.verified += usize::from(settle(own, finding, state, &mut plan)),
            Some(own) => match go_on(own, finding, state, &mut plan) {
                Followed::Open => tally.open += 1,
                Followed::Left => plan.resolved_by_people += 1,
            },
            None if index >= MOST_THREADS || !finding.is_open() || finding.anchor == Anchor::Nowhere => {}
            None if without_place.contains(&finding.key.fingerprint) => {}
            None => {
                tally.open += 1;
                new.push(NewThread {
                    key: finding.key.clone(),
                    anchor: finding.anchor.clone(),
                    body: thread(finding, &state.abilities, true),
                    plain: thread(finding, &state.abilities, false),
                });
            }
        }
    }
    let taken: BTreeSet<usize> = found.into_iter().flatten().collect();
    plan.absent = (0..own.len()).filter(|index| !taken.contains(index)).count();
    if !new.is_empty() {
        plan.actions.push(Action::Open(new));
    }
    tally.resolved_by_people = plan.resolved_by_people;
    tally.absent = plan.absent;

    let since = before.filter(|_| is_same).map(|it| it.since);
    let mark = Summary {
        head: wanted.head.clone(),
        review: wanted.review_id.clone(),
        since: since.or_else(|| state.now.clone()).unwrap_or_else(|| wanted.now.clone()),
        // Only what has no thread after all.
        unplaced: without_place
            .into_iter()
            .filter(|it| wanted.findings.iter().any(|of| of.key.fingerprint == *it))
            .collect(),
    };
    let body = summary(wanted, &mark, &tally);
    let is_said = comment.is_some_and(|comment| comment.says(&body));
    if !is_said {
        plan.last.push(Action::Summarise { comment: comment.map(|comment| comment.id.clone()), body });
    }
    let signal = Signal {
        head: wanted.head.clone(),
        state: if wanted.is_clear() { SignalState::Success } else { SignalState::Failure },
        title: title(wanted),
        link: wanted.run_link.clone(),
    };
    if state.signal != Some((wanted.is_clear(), signal.title.clone())) {
        plan.last.push(Action::Set(signal));
    }
    plan
}

/// Returns our summary and what it says of itself; the first, if there are several.
fn last_summary(state: &ForgeState) -> (Option<&super::Comment>, Option<Summary>) {
    let ours = state.comments.iter().filter(|comment| comment.is_ours);
    let found = ours.filter_map(|comment| Some((comment, Summary::of(&comment.body)?))).next();
    (found.as_ref().map(|(comment, _)| *comment), found.map(|(_, mark)| mark))
}

/// Returns when our summary of a commit and a review was first there.
pub(super) fn summarised_at(state: &ForgeState, head: &str, review: &str) -> Option<String> {
    last_summary(state).1.filter(|mark| mark.head == head && mark.review == review).map(|mark| mark.since)
}

/// How a thread goes on.
enum Followed {
    Open,
    Left,
}

/// What we said last of a fix.
fn last_said(thread: &Thread) -> Option<Kind> {
    let ours = thread.comments.iter().filter(|comment| comment.is_ours);
    ours.filter_map(|comment| Kind::of(&comment.body)).rfind(|kind| *kind != Kind::Moved)
}

fn first(own: &Own<'_>) -> String {
    own.thread.comments.first().map(|first| first.id.clone()).unwrap_or_default()
}

fn reply(own: &Own<'_>, body: String) -> Action {
    Action::Reply { thread: own.thread.id.clone(), first: first(own), body }
}

/// Plans for a finding that stands.
fn go_on(own: &Own<'_>, finding: &Finding, state: &ForgeState, plan: &mut Plan) -> Followed {
    let thread_id = || own.thread.id.clone();
    let said = last_said(own.thread);
    let is_back = said == Some(Kind::Verified) || (finding.is_reopened() && said != Some(Kind::Reopened));
    if own.thread.is_resolved && !is_back && !own.thread.is_resolved_by_us {
        return Followed::Left;
    }
    // First open, then said: a cut in between is seen as a thread that is open and not yet told.
    if own.thread.is_resolved && state.abilities.can_resolve {
        plan.actions.push(Action::Unresolve { thread: thread_id(), first: first(own) });
    }
    if is_back {
        plan.actions.push(reply(own, reopened(finding)));
    }
    let body = thread(finding, &state.abilities, !matches!(own.thread.at, Hangs::File(_)));
    if let Some(comment) = own.thread.comments.first().filter(|comment| !comment.says(&body)) {
        plan.actions.push(Action::Edit { thread: thread_id(), comment: comment.id.clone(), body });
    }
    if is_elsewhere(own.thread, finding) {
        let body = moved(finding);
        let ours = own.thread.comments.iter().filter(|comment| comment.is_ours);
        match ours.into_iter().find(|comment| Kind::of(&comment.body) == Some(Kind::Moved)) {
            Some(comment) if comment.says(&body) => {}
            Some(comment) => {
                plan.actions.push(Action::Edit { thread: thread_id(), comment: comment.id.clone(), body });
            }
            None => plan.actions.push(reply(own, body)),
        }
    }
    Followed::Open
}

/// Tells whether a thread does not hang where its finding is.
fn is_elsewhere(thread: &Thread, finding: &Finding) -> bool {
    let path = finding.path.as_deref().unwrap_or_default();
    let lines = finding.anchor_lines();
    match &thread.at {
        Hangs::Outdated => true,
        Hangs::File(at) => at != path,
        Hangs::Line(at, line) => at != path || lines.is_none_or(|(first, last)| !(first..=last).contains(line)),
    }
}

/// Plans for a finding whose fix was verified; tells whether its thread is resolved, or will be.
fn settle(own: &Own<'_>, finding: &Finding, state: &ForgeState, plan: &mut Plan) -> bool {
    let is_told = last_said(own.thread) == Some(Kind::Verified);
    if !is_told {
        plan.actions.push(reply(own, verified(finding)));
    }
    // Somebody who answers what we said wants the thread open.
    let after = own.thread.comments.iter().rev().take_while(|comment| !comment.is_ours).count();
    let is_contradicted = is_told && after > 0;
    if !own.thread.is_resolved && state.abilities.can_resolve && !is_contradicted {
        plan.actions.push(Action::Resolve { thread: own.thread.id.clone(), first: first(own) });
    }
    own.thread.is_resolved || (state.abilities.can_resolve && !is_contradicted)
}

#[cfg(test)]
mod tests;
