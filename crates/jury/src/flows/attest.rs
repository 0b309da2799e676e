//! `jury attest`: a clear gate and a key in; the signed verdict of HEAD's tree, kept under a ref of its own, out.
//!
//! The gate was made out by `gate`, whose result comes in. What is stated are facts that every clone can make out again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::GateView;
use crate::attestation::{
    Attested, MOST_DAYS, NAMESPACE, PAYLOAD_TYPE, RECORD_REFS, Refusal, Stored, pae, standing, statement, write,
};
use crate::clone_facts::{Clone, clone_facts, ref_name};
use crate::config::ConfigError;
use crate::error::FlowError;
use crate::keeping::{self, KeepError};
use crate::model::{Outcome, PolicyMode, Proof, Timestamp};
use crate::record::{Record, RecordId};
use crate::scope::{Repository, ScopeError};
use crate::signature::Signers;
use crate::signing::{self, Key, SigningError};
use crate::store::{Store, StoreError};
use crate::verdict::{DecidedBy, Decision};
use crate::worktree;

/// The key that signs, and how.
#[derive(Clone, Debug)]
pub struct AttestRequest {
    /// The base of the change.
    pub base: Option<String>,
    /// The file of the key; without one, a key of the agent that the base lists.
    pub key: Option<PathBuf>,
    /// Whether the signature is raw Ed25519, for verifiers that do not read SSHSIG.
    pub is_raw: bool,
    /// Whether the record travels along.
    pub with_record: bool,
    /// How many days the verdict counts.
    pub days: u16,
    /// Whether a person is at the terminal.
    pub is_attended: bool,
    /// The remote that it is pushed to.
    pub push: Option<String>,
    /// The time.
    pub now: Timestamp,
}

/// A verdict that was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttestedNow {
    /// Its statement.
    pub attested: Attested,
    /// The ref that it is kept under.
    pub name: String,
    /// How many different keys have signed this tree's verdicts, and how many have to.
    pub keys: (usize, usize),
    /// Why it does not count here, if it does not.
    pub refused: Vec<Refusal>,
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
pub enum AttestError {
    /// The gate is closed.
    #[error("the gate is closed ({0}); only a clear gate is signed")]
    Closed(Outcome),
    /// The policy only observes.
    #[error("`policy.mode` of the base is observe; verdicts count only in enforce and warn")]
    Observed,
    /// Something is staged.
    #[error("the index differs from HEAD; commit or unstage the staged changes")]
    Staged,
    /// The clone does not reach the first commit.
    #[error("this clone does not reach the first commit of the repository, to which a verdict is bound")]
    NoRoot,
    /// It rests on a confirmation without a key.
    #[error("the gate is open on a confirmation without a key, which counts on this machine alone")]
    Unsigned,
    /// A reviewer that has to report rests on files that are in no tree.
    #[error("{} is required and depends on folders of the working tree (`links`), which no clone can check", .0.join(", "))]
    WorkingTree(Vec<String>),
    /// A verification does not travel.
    #[error(
        "the review was verified since, and a verification does not travel; run `jury review`, then attest with `--record`"
    )]
    Verified,
    /// A contest does not travel.
    #[error("a finding was settled by a contest, which does not travel with a record; attest without `--record`")]
    Contested,
    /// There is no key to sign with.
    #[error("no key to sign with: the agent has none that the base lists in .jury/signers")]
    NoKey,
    /// A time that is none.
    #[error("invalid time limit: {0} days; expected 1 to {MOST_DAYS}")]
    Days(u16),
    /// Nothing was signed.
    #[error("not signed: {0}")]
    Signing(#[from] SigningError),
    /// It could not be kept.
    #[error(transparent)]
    Keeping(#[from] KeepError),
    /// The state on disk was refused, or the base cannot be read.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

impl From<ScopeError> for AttestError {
    fn from(error: ScopeError) -> Self {
        Self::Flow(error.into())
    }
}

impl From<StoreError> for AttestError {
    fn from(error: StoreError) -> Self {
        Self::Flow(error.into())
    }
}

impl From<ConfigError> for AttestError {
    fn from(error: ConfigError) -> Self {
        Self::Flow(error.into())
    }
}

/// Signs the verdict of a clear gate, or changes nothing. `show` is called before the key is asked: a touch is for what was shown.
pub fn attest(
    repository: &Repository,
    store: &Store,
    view: &GateView,
    request: &AttestRequest,
    show: &mut dyn FnMut(&Attested),
) -> Result<AttestedNow, AttestError> {
    // The gate, as it was just made out for HEAD.
    let (Some(current), Some(record), Outcome::Clear) = (&view.state.full, &view.full, view.gate.outcome) else {
        return Err(AttestError::Closed(view.gate.outcome));
    };
    if record.policy.policy.mode == PolicyMode::Observe {
        return Err(AttestError::Observed);
    }
    if view.gate.decided.iter().any(is_unsigned) {
        return Err(AttestError::Unsigned);
    }
    let linked = linked(&worktree::recorded(store, &current.record)?, record);
    if !linked.is_empty() {
        return Err(AttestError::WorkingTree(linked));
    }
    if request.with_record && current.verified.is_some() {
        return Err(AttestError::Verified);
    }
    if request.with_record && view.gate.decided.iter().any(is_contested) {
        return Err(AttestError::Contested);
    }

    // The facts, as a clone makes them out.
    let accepted = acceptances(&view.gate.decided);
    let named = accepted.iter().cloned().collect();
    let clone = clone_facts(repository, request.base.as_deref(), &request.now, &named)?.ok_or(AttestError::Staged)?;
    let Clone { facts, rules, base, .. } = &clone;
    let attested = Attested {
        tree: facts.tree.clone(),
        repository: facts.repository.clone().ok_or(AttestError::NoRoot)?,
        base_name: base.name.clone(),
        base: base.commit.clone(),
        patch: facts.patch.clone(),
        content: facts.content.clone(),
        policies: facts.policies.clone(),
        review_id: current.file.review_id.clone(),
        record: current.verified.as_ref().unwrap_or(&current.record).to_string(),
        travels: request.with_record,
        conditions: view.gate.checked.iter().map(|checked| checked.condition.token().to_owned()).collect(),
        waivers: record.waivers.iter().filter(|waiver| record.counts(waiver)).cloned().collect(),
        acceptances: accepted,
        models: models(record),
        made: request.now.clone(),
        not_after: after(&request.now, request.days)?,
    };

    // The signature.
    let payload = statement(&attested);
    let key = key(request, &rules.signers)?;
    let signed = pae(PAYLOAD_TYPE, &payload);
    show(&attested);
    let signature = match (&key, request.is_raw) {
        (Key::File(path), true) => signing::sign_raw(path, &signed)?,
        (Key::Agent(_), true) => return Err(AttestError::NoKey),
        (_, false) => signing::sign(&key, NAMESPACE, &signed, request.is_attended)?,
    };
    let bytes = write(&payload, &[signature]);
    let digest = RecordId::of(&bytes).to_string();

    // The refs: the record first, so that no verdict is there without what it names.
    if request.with_record {
        let record = store.record(&current.record)?;
        keeping::keep(repository.root(), &format!("{RECORD_REFS}{}", current.record), &record)?;
    }
    let name = ref_name(&attested.tree, &digest);
    keeping::keep(repository.root(), &name, &bytes)?;
    if let Some(remote) = &request.push {
        keeping::exchange(repository.root(), remote)?;
    }
    let stored = Stored { tree: attested.tree.to_string(), digest, bytes: Some(bytes) };
    let standing = standing(&[stored], facts, rules);
    let refused = standing.refused.into_iter().map(|refused| refused.refusal).collect();
    Ok(AttestedNow { attested, name, keys: (standing.keys, standing.needed), refused })
}

/// Returns the acceptances that settled a finding, by their digests.
fn acceptances(decided: &[Decision]) -> Vec<String> {
    let of = |decision: &Decision| match &decision.by {
        DecidedBy::People { acceptances, .. } if decision.is_settled => acceptances.clone(),
        DecidedBy::People { .. } | DecidedBy::Contest { .. } => Vec::new(),
    };
    let all: BTreeSet<String> = decided.iter().flat_map(of).collect();
    all.into_iter().collect()
}

/// Names the reviewers that have to report and whose answers depend on folders of the working tree: an agent could have edited those.
fn linked(review: &Record, last: &Record) -> Vec<String> {
    let runs = review.runs.iter().chain(&last.runs);
    let linked = runs.filter(|run| !run.links.is_empty() && run.has_to_answer() && run.answer().is_some());
    let names: BTreeSet<String> = linked.map(|run| run.reviewer.to_string()).collect();
    names.into_iter().collect()
}

/// Tells whether a contest settled a finding.
fn is_contested(decision: &Decision) -> bool {
    decision.is_settled && matches!(decision.by, DecidedBy::Contest { .. })
}

/// Tells whether somebody without a key settled a finding.
fn is_unsigned(decision: &Decision) -> bool {
    let DecidedBy::People { names, .. } = &decision.by else { return false };
    decision.is_settled && names.iter().any(|(_, proof)| *proof != Proof::Signed)
}

/// Names the reviewers whose answers are those of models.
fn models(record: &Record) -> Vec<String> {
    let answered = record.runs.iter().filter(|run| run.kind.is_model() && run.answer().is_some());
    let mut models: Vec<String> = answered.map(|run| run.reviewer.to_string()).collect();
    models.sort();
    models.dedup();
    models
}

/// Returns the key that signs.
fn key(request: &AttestRequest, signers: &Signers) -> Result<Key, AttestError> {
    if let Some(path) = &request.key {
        return Ok(Key::File(path.clone()));
    }
    let of_agent = signing::agent_keys().unwrap_or_default();
    let mut listed = of_agent.into_iter().filter(|key| signers.keys().any(|listed| listed == key));
    listed.next().map(Key::Agent).ok_or(AttestError::NoKey)
}

/// Returns the moment so many days later.
fn after(now: &Timestamp, days: u16) -> Result<Timestamp, AttestError> {
    if !(1..=MOST_DAYS).contains(&days) {
        return Err(AttestError::Days(days));
    }
    now.plus_days(days).ok_or(AttestError::Days(days))
}
