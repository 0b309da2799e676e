//! `jury gate --attested` and `jury attest verify`: a clone and what is kept below `refs/jury/` in; whether the gate opens on signed
//! verdicts alone out. No reviewer of the team runs, nothing is written, and nothing that a verdict states is believed.

use std::collections::BTreeMap;

use super::{GateView, Judged};
use crate::attestation::{Counted, RECORD_REFS, REFS, Refusal, Refused, Standing, Stored, standing};
use crate::clone_facts::{Clone, clone_facts};
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
    let Some(clone) = clone_facts(repository, base, now)? else {
        let gate = verdict::unattested("the index is not HEAD, so the tree of HEAD is not what is here");
        return Ok(AttestedView { view: closed(gate), tree: None, standing: Standing::default() });
    };

    // The verdicts that are kept for its tree, held against these facts.
    let stored = stored(repository, &clone.facts.tree)?;
    let mut standing = standing(&stored, &clone.facts, &clone.rules);

    // The records that travel along, judged again.
    let judged = with_record.then(|| judged_again(repository, store, base, &clone, &mut standing)).transpose()?;

    // The conditions of the gate.
    let gate = match standing.counted.first().filter(|_| standing.is_enough()) {
        Some(counted) => verdict::gate(Some(&case(&clone, counted, judged.as_ref(), uncommitted)?)),
        None => verdict::unattested(&why(&standing)),
    };
    let ended = clone.policy.ended(Day::of(now));
    let judged = Judged { tree: clone.facts.tree.clone(), head, base: clone.base };
    let view = GateView { judged: Some(judged), ended, ..closed(gate) };
    Ok(AttestedView { view, tree: Some(clone.facts.tree), standing })
}

/// Reads the envelopes that are kept for a tree.
pub fn stored(repository: &Repository, tree: &TreeId) -> Result<Vec<Stored>, FlowError> {
    let below = repository.objects_below(&format!("{REFS}{tree}/"))?;
    let stored =
        |object: crate::scope::RefObject| Stored { tree: tree.to_string(), digest: object.name, bytes: object.bytes };
    Ok(below.into_iter().map(stored).collect())
}

/// Judges the record of every verdict again, each once. Those whose record does not bear them out do not count.
fn judged_again(
    repository: &Repository,
    store: &Store,
    base: Option<&str>,
    clone: &Clone,
    standing: &mut Standing,
) -> Result<BTreeMap<String, Rejudged>, FlowError> {
    let mut again = BTreeMap::new();
    for counted in &standing.counted {
        let id = &counted.statement.predicate.jury.review.record.sha256;
        if !again.contains_key(id) {
            let bytes = match RecordId::new(id) {
                Some(id) => repository.ref_bytes(&format!("{RECORD_REFS}{id}"), rejudged::MOST_BYTES)?,
                None => None,
            };
            again.insert(id.clone(), rejudged::rejudged(repository, store, base, clone, (id, bytes))?);
        }
    }
    standing.keep(|counted| {
        let jury = &counted.statement.predicate.jury;
        match again.get(&jury.review.record.sha256)? {
            Err(what) => Some(Refusal::Record(what.clone())),
            Ok(made) if made.file.review_id != jury.review.id => Some(Refusal::Record("another review".to_owned())),
            Ok(made) => {
                let hidden = made.models.iter().find(|name| !jury.models.contains(name));
                hidden.map(|name| Refusal::Record(format!("it hides that the model of {name} answered")))
            }
        }
    });
    Ok(again.into_iter().filter_map(|(id, made)| Some((id, made.ok()?))).collect())
}

/// Returns the case of a gate: what could be made out here, and, of what a review alone can tell, that enough signers state it. The patch and
/// the bytes are those of the whole change against this base, so that a squash merge below it, whose commits nobody reviewed, changes nothing.
fn case(
    clone: &Clone,
    counted: &Counted,
    judged: Option<&BTreeMap<String, Rejudged>>,
    uncommitted: Vec<String>,
) -> Result<Case, FlowError> {
    let review = &counted.statement.predicate.jury.review;
    let again = judged.and_then(|judged| judged.get(&review.record.sha256));
    let findings = again.map(|made| finding_states(&made.file, &made.record)).transpose()?;
    let verdict = again.map(|made| stated_verdict(&made.file)).transpose()?;
    Ok(Case {
        review_id: review.id.clone(),
        verdict: verdict.unwrap_or(ReviewVerdict::Pass),
        findings: findings.unwrap_or_default(),
        accept_wont_fix: clone.policy.config.policy.accept_wont_fix,
        tree: Match::SameTree,
        uncommitted: Some(uncommitted),
        not_whole: None,
        is_same_policy: true,
        ended: Vec::new(),
        beyond: Vec::new(),
        new: Vec::new(),
        gaps: Vec::new(),
        people: People::default(),
    })
}

/// Says why no verdict counts, or not enough of them.
fn why(standing: &Standing) -> String {
    if standing.keys > 0 {
        return format!("{} of {} keys signed a verdict of this tree", standing.keys, standing.needed);
    }
    let first = |refused: &Refused| format!("{} ({})", refused.refusal, refused.refusal.reason().code());
    match standing.refused.as_slice() {
        [] => "no signed verdict of this tree is kept here".to_owned(),
        [only] => first(only),
        [one, others @ ..] => format!("{}; {} more refused", first(one), others.len()),
    }
}

fn closed(gate: verdict::Gate) -> GateView {
    let (ended, refused) = (Vec::new(), Vec::new());
    GateView { state: State::default(), full: None, tree: None, judged: None, ended, refused, gate }
}
