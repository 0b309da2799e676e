//! `jury publish`: a gate and a pull request in; its review there, following the findings, out.
//!
//! The state of the forge is read, what is missing planned and written, and the state read again, until nothing is missing: what was written
//! is compared with what is there, a write that may or may not have happened is looked for before it is made again, and whoever
//! edits in between is seen.

use std::collections::{BTreeMap, BTreeSet};

use super::GateView;
use crate::error::FlowError;
use crate::forge::{Forge, ForgeError, Place, Trouble};
use crate::model::Timestamp;
use crate::publish::{Action, ForgeState, Plan, Publication, plan};
use crate::pull_request::{Head, Parts, publication};
use crate::scope::Repository;
use crate::store::Store;
use crate::worktree;

/// What to publish, and how.
pub struct PublishRequest<'r> {
    /// The pull request.
    pub place: &'r Place,
    /// The base, as it was named for the gate.
    pub base: Option<&'r str>,
    /// Whether nothing is to be written.
    pub is_dry: bool,
    /// Whether threads are resolved.
    pub resolves: bool,
    /// The time.
    pub now: &'r Timestamp,
}

/// What came of it.
pub struct Published {
    /// What was to be said.
    pub said: Publication,
    /// The writes that were made, or would be.
    pub written: Vec<Action>,
    /// The writes that were not made, each with the reason.
    pub unposted: Vec<(String, String)>,
    /// The fingerprints of findings that have no place for a comment.
    pub unplaced: BTreeSet<String>,
    /// How many findings stand whose threads a person resolved.
    pub resolved_by_people: usize,
    /// How many threads are about findings that this review does not have.
    pub absent: usize,
    /// How many requests read and wrote.
    pub requests: (usize, usize),
}

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// There is no full review.
    #[error("no full review to publish")]
    NoReview,
    /// The head is not what was judged.
    #[error("the head of the pull request, {head}, is not what was reviewed: {what}")]
    OtherHead {
        /// The head.
        head: String,
        /// What differs.
        what: String,
    },
    /// The forge does not tell its state.
    #[error("the forge cannot be read: {0}")]
    Forge(ForgeError),
    /// The worktree or its state cannot be used.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

/// How often the forge is looked at: each look but the last is followed by writes.
const MOST_LOOKS: usize = 7;
/// Where signed verdicts lie.
const VERDICTS: &str = "refs/jury/verdicts/";

/// Publishes the review of a gate.
pub fn publish(
    repository: &Repository,
    store: &Store,
    view: &GateView,
    forge: &mut dyn Forge,
    request: &PublishRequest<'_>,
) -> Result<Published, PublishError> {
    let (Some(current), Some(last), Some(judged)) = (&view.state.full, &view.full, &view.judged) else {
        return Err(PublishError::NoReview);
    };
    let review = worktree::recorded(store, &current.record)?;

    // The head has to be what was judged: a verdict about another tree is none.
    let read = |forge: &mut dyn Forge| -> Result<ForgeState, PublishError> {
        let mut state = forge.state().map_err(PublishError::Forge)?;
        state.abilities.can_resolve &= request.resolves;
        Ok(state)
    };
    let mut state = read(forge)?;
    let head = Head::read(repository, store, (request.base, &judged.base), last, &state.head)?;
    if let crate::verdict::Match::Differs(paths) = &head.tree {
        let what = paths.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        return Err(PublishError::OtherHead { head: state.head, what });
    }

    // What is to be said.
    let below = format!("{VERDICTS}{}/", judged.tree);
    let signed = repository.objects_below(&below, 1 << 20).map_err(FlowError::from)?;
    let attestation = signed.first().map(|it| format!("{below}{}", it.name));
    let parts = Parts {
        store,
        current,
        review: &review,
        last,
        gate: &view.gate,
        head: &head,
        run_link: request.place.run_link.clone(),
        attestation,
        now: request.now.to_string(),
    };
    let said = publication(&parts)?;

    // Until nothing is missing, or what is missing was refused.
    let mut work = Work::default();
    for look in 0..MOST_LOOKS {
        work.plan = plan(&said, &state, &work.unplaced);
        let todo = work.todo();
        if todo.is_empty() || request.is_dry {
            break;
        }
        if look + 1 == MOST_LOOKS {
            work.give_up("the forge does not keep what is written, or somebody else writes at the same time");
            break;
        }
        if !work.perform(forge, todo) {
            break;
        }
        state = match read(forge) {
            Ok(state) if state.head == head.commit => state,
            Ok(state) => {
                return Err(PublishError::OtherHead { head: state.head, what: "it moved meanwhile".to_owned() });
            }
            Err(error) => {
                work.give_up(&format!("it could not be read again: {error}"));
                break;
            }
        };
    }
    let Work { plan, written, refused, unplaced } = work;
    let written = if request.is_dry { [plan.actions, plan.last].concat() } else { written };
    Ok(Published {
        said,
        written,
        unposted: refused.into_values().collect(),
        unplaced,
        resolved_by_people: plan.resolved_by_people,
        absent: plan.absent,
        requests: forge.requests(),
    })
}

/// What was planned and done so far.
#[derive(Default)]
struct Work {
    plan: Plan,
    written: Vec<Action>,
    /// What was refused, by the action, with what it is and the reason.
    refused: BTreeMap<String, (String, String)>,
    unplaced: BTreeSet<String>,
}

impl Work {
    /// Returns what is to be written now: what is about findings first, then what is about the whole.
    fn todo(&self) -> Vec<Action> {
        let is_open = |action: &&Action| !self.refused.contains_key(&key(action));
        let actions: Vec<Action> = self.plan.actions.iter().filter(is_open).cloned().collect();
        if actions.is_empty() { self.plan.last.iter().filter(is_open).cloned().collect() } else { actions }
    }

    /// Writes; tells whether it is of use to go on.
    fn perform(&mut self, forge: &mut dyn Forge, todo: Vec<Action>) -> bool {
        for action in todo {
            match forge.perform(&action) {
                Ok(unplaced) => {
                    self.unplaced.extend(unplaced.into_iter().map(|key| key.fingerprint));
                    self.written.push(action);
                }
                // Perhaps it was done: the next look tells.
                Err(error) if error.trouble == Trouble::Unclear => return true,
                Err(error) if error.trouble == Trouble::Limited => {
                    self.give_up(&error.to_string());
                    return false;
                }
                Err(error) => {
                    self.refused.insert(key(&action), (describe(&action), error.to_string()));
                }
            }
        }
        true
    }

    /// Lists all that is left as not posted.
    fn give_up(&mut self, why: &str) {
        let left: Vec<Action> = self.plan.actions.iter().chain(&self.plan.last).cloned().collect();
        for action in left.into_iter().filter(|action| !self.written.contains(action)) {
            self.refused.entry(key(&action)).or_insert_with(|| (describe(&action), why.to_owned()));
        }
    }
}

fn key(action: &Action) -> String {
    format!("{action:?}")
}

/// Says what a write is, in a few words.
pub fn describe(action: &Action) -> String {
    match action {
        Action::Discard { draft } => format!("throw the draft {draft} away"),
        Action::Open(new) => {
            let ids: Vec<&str> = new.iter().map(|it| it.key.id.as_str()).collect();
            format!("begin threads: {}", ids.join(", "))
        }
        Action::Edit { comment, .. } => format!("edit comment {comment}"),
        Action::Reply { first, .. } => format!("reply to comment {first}"),
        Action::Resolve { first, .. } => format!("resolve the thread of comment {first}"),
        Action::Unresolve { first, .. } => format!("open the thread of comment {first} again"),
        Action::Summarise { comment: Some(comment), .. } => format!("edit the summary, comment {comment}"),
        Action::Summarise { comment: None, .. } => "write the summary".to_owned(),
        Action::Set(signal) => format!("set the status of {}: {}", signal.head, signal.title),
    }
}
