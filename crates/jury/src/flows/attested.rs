//! `jury gate --attested` and `jury attest verify`: a clone and what is kept below `refs/jury/` in; whether the gate opens on signed
//! verdicts alone out. No reviewer of the team runs, nothing is written, and nothing that a verdict states is believed.

use std::collections::BTreeMap;

use jury_wire::Reason;

use super::{GateView, Judged};
use crate::attestation::{
    Counted, MOST_BYTES, RECORD_REFS, REFS, Refusal, Refused, Standing, Stored, named_acceptances, standing,
};
use crate::clone_facts::{Clone, clone_facts};
use crate::decisions::{self, Decisions, Look};
use crate::error::FlowError;
use crate::model::{Day, ReviewVerdict, Timestamp, TreeId};
use crate::record::RecordId;
use crate::rejudged::{self, Rejudged};
use crate::scope::Repository;
use crate::store::{State, Store};
use crate::verdict::{self, Case, Match, People, finding_states, stated_verdict};
use crate::worktree;

/// The gate of a clone, and the verdicts that it rests on.
pub struct AttestedView {
    /// The gate.
    pub view: GateView,
    /// The tree of HEAD; `None` if something else is staged.
    pub tree: Option<TreeId>,
    /// The verdicts.
    pub standing: Standing,
}

/// Decides whether the gate opens for HEAD on signed verdicts.
pub fn attested(
    repository: &Repository,
    store: &Store,
    base: Option<&str>,
    with_record: bool,
    now: &Timestamp,
) -> Result<AttestedView, FlowError> {
    // The facts of the clone.
    let snapshot = worktree::snapshot(repository, store)?;
    let head = repository.head()?;
    let uncommitted = worktree::uncommitted(repository, store, &snapshot, head.as_deref())?;
    let stored = match repository.head_tree()? {
        Some(tree) => stored(repository, &tree)?,
        None => Vec::new(),
    };
    let Some(clone) = clone_facts(repository, base, now, &named_acceptances(&stored))? else {
        let gate = verdict::unattested("the index is not HEAD, so the tree of HEAD is not what is here");
        return Ok(AttestedView { view: closed(gate), tree: None, standing: Standing::default() });
    };

    // The verdicts that are kept for its tree, held against these facts.
    let mut standing = standing(&stored, &clone.facts, &clone.rules);

    // The records that travel along, judged again.
    let judged = match with_record {
        true => judged_again(repository, store, base, &clone, &mut standing)?,
        false => BTreeMap::new(),
    };

    // The conditions of the gate.
    let gate = match standing.counted.first().filter(|_| standing.is_enough()) {
        Some(counted) => verdict::gate(Some(&case(&clone, counted, judged, uncommitted))),
        None => verdict::unattested(&why(&standing)),
    };
    let ended = clone.policy.ended(Day::of(now));
    let judged = Judged { tree: clone.facts.tree.clone(), head, base: clone.base };
    let view = GateView { judged: Some(judged), ended, ..closed(gate) };
    Ok(AttestedView { view, tree: Some(clone.facts.tree), standing })
}

/// Reads the envelopes that are kept for a tree.
pub fn stored(repository: &Repository, tree: &TreeId) -> Result<Vec<Stored>, FlowError> {
    let below = repository.objects_below(&format!("{REFS}{tree}/"), MOST_BYTES as u64)?;
    let stored =
        |object: crate::scope::RefObject| Stored { tree: tree.to_string(), digest: object.name, bytes: object.bytes };
    Ok(below.into_iter().map(stored).collect())
}

/// A record that was judged again, with the case that it makes.
struct Again {
    made: Rejudged,
    case: Case,
}

/// Judges the record of every verdict again, each once. A verdict whose record does not bear it out, or leaves the gate closed, does not
/// count: whoever signed it stated something else.
fn judged_again(
    repository: &Repository,
    store: &Store,
    base: Option<&str>,
    clone: &Clone,
    standing: &mut Standing,
) -> Result<BTreeMap<String, Again>, FlowError> {
    let mut again = BTreeMap::new();
    for counted in &standing.counted {
        let id = &counted.statement.predicate.jury.review.record.sha256;
        if !again.contains_key(id) {
            let bytes = match RecordId::new(id) {
                Some(id) => repository.ref_bytes(&format!("{RECORD_REFS}{id}"), rejudged::MOST_BYTES)?,
                None => None,
            };
            let made = match rejudged::rejudged(repository, store, base, clone, (id, bytes))? {
                Ok(made) => Ok(Again { case: case_of(repository, clone, &made)?, made }),
                Err(what) => Err(what),
            };
            again.insert(id.clone(), made);
        }
    }
    standing.keep(|counted| {
        let jury = &counted.statement.predicate.jury;
        match again.get(&jury.review.record.sha256)? {
            Err(what) => Some(Refusal::Record(what.clone())),
            Ok(Again { made, .. }) if made.file.review_id != jury.review.id => {
                Some(Refusal::Record("another review".to_owned()))
            }
            Ok(Again { made, case }) => {
                let hidden = made.models.iter().find(|name| !jury.models.contains(name));
                let hidden = hidden.map(|name| format!("it hides that the model of {name} answered"));
                let gate = verdict::gate(Some(case));
                let closed = || {
                    let failing = gate.checked.iter().find(|checked| !checked.holds)?;
                    Some(format!("it leaves the gate closed: {}", failing.seen))
                };
                hidden.or_else(closed).map(Refusal::Record)
            }
        }
    });
    Ok(again.into_iter().filter_map(|(id, made)| Some((id, made.ok()?))).collect())
}

/// Returns the case of a record that was judged again, with what people accepted, by the refs alone.
fn case_of(repository: &Repository, clone: &Clone, made: &Rejudged) -> Result<Case, FlowError> {
    let look = Look {
        repository,
        snapshot: &clone.snapshot,
        base: &clone.base,
        of_base: &clone.policy,
        is_verified: false,
        tree: &Match::SameTree,
        is_own_machine: false,
        approvals: &[],
        now: &clone.rules.now,
    };
    let stored = decisions::stored_in_refs(repository)?;
    let Decisions { people, .. } = decisions::decisions(&look, &stored, &[], || Ok(made.record.clone()))?;
    let ended = clone.policy.ended_since(&made.record, &clone.rules.now);
    Ok(Case {
        verdict: stated_verdict(&made.file)?,
        findings: finding_states(&made.file, &made.record)?,
        ended: ended.into_iter().map(|waiver| waiver.finding).collect(),
        people,
        ..stated_case(clone, &made.file.review_id)
    })
}

/// Returns the case that enough signers state: what could be made out here holds, and of what a review alone can tell they say that it does.
/// The patch and the bytes are those of the whole change against this base, so that a squash merge below it, whose commits nobody
/// reviewed, changes nothing.
fn stated_case(clone: &Clone, review_id: &str) -> Case {
    Case {
        review_id: review_id.to_owned(),
        verdict: ReviewVerdict::Pass,
        findings: Vec::new(),
        accept_wont_fix: clone.policy.config.policy.accept_wont_fix,
        tree: Match::SameTree,
        uncommitted: Some(Vec::new()),
        not_whole: None,
        is_same_policy: true,
        ended: Vec::new(),
        beyond: Vec::new(),
        new: Vec::new(),
        gaps: Vec::new(),
        people: People::default(),
    }
}

/// Returns the case of the verdict that the gate goes by.
fn case(clone: &Clone, counted: &Counted, mut judged: BTreeMap<String, Again>, uncommitted: Vec<String>) -> Case {
    let review = &counted.statement.predicate.jury.review;
    let again = judged.remove(&review.record.sha256).map(|again| again.case);
    Case { uncommitted: Some(uncommitted), ..again.unwrap_or_else(|| stated_case(clone, &review.id)) }
}

/// Says why no verdict counts, or not enough of them.
fn why(standing: &Standing) -> String {
    if standing.keys > 0 {
        let code = Reason::AttestationThreshold.code();
        return format!("{} of {} keys signed a verdict of this tree ({code})", standing.keys, standing.needed);
    }
    let first = |refused: &Refused| format!("{} ({})", refused.refusal, refused.refusal.reason().code());
    match standing.refused.as_slice() {
        [] => format!("no signed verdict of this tree is kept here ({})", Reason::AttestationMissing.code()),
        [only] => first(only),
        [one, others @ ..] => format!("{}; {} more refused", first(one), others.len()),
    }
}

fn closed(gate: verdict::Gate) -> GateView {
    let (ended, refused) = (Vec::new(), Vec::new());
    GateView { state: State::default(), full: None, tree: None, judged: None, ended, refused, gate }
}
