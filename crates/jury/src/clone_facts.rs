//! What a signed verdict is held against: a repository and a base in; tree, change, policy, waivers and signers, as every clone has them, out.
//!
//! Joins `scope`, `base` and `attestation` for the flows that sign and that verify, so that both make out the same facts in the same
//! way. Files that Jury's own records vouch for are part of this tree: a fresh clone has no records. Deliberately not here: what counts.

use std::collections::BTreeSet;

use crate::attestation::{CloneFacts, Content, PolicyPart, Rules};
use crate::base::BasePolicy;
use crate::config::{ConfigError, POLICY_FILE};
use crate::error::FlowError;
use crate::model::{Base, Day, RepoPath, ReviewerKind, Scope, Timestamp, TreeId, Waiver, short_digest};
use crate::scope::{ChangedBytes, Repository, Request, Snapshot};
use crate::signature::Signers;
use crate::verdict::Condition;
use crate::worktree;

/// The keys that may sign verdicts, in the form of `allowed_signers`.
pub const SIGNERS_FILE: &str = ".jury/signers";

/// A clone, as far as a verdict is about it.
pub struct Clone {
    /// The tree of HEAD.
    pub snapshot: Snapshot,
    /// The base of the change.
    pub base: Base,
    /// The change.
    pub scope: Scope,
    /// The policy of the base.
    pub policy: BasePolicy,
    /// What a verdict states.
    pub facts: CloneFacts,
    /// By which rules it counts.
    pub rules: Rules,
}

/// Makes out the facts of a clone; `None` if something is staged that HEAD does not have, or there is no commit.
pub fn clone_facts(repository: &Repository, base: Option<&str>, now: &Timestamp) -> Result<Option<Clone>, FlowError> {
    let Some(snapshot) = repository.committed()? else { return Ok(None) };
    let found = repository.base_of(&snapshot, base)?;
    let scope = worktree::change(repository, &snapshot, &Request::Changeset { base: base.map(str::to_owned) })?;
    let policy = BasePolicy::read(repository, &found)?;
    let ChangedBytes { files, sha256 } = repository.changed_bytes(&snapshot, &found)?;
    let today = Day::of(now);
    let facts = CloneFacts {
        tree: snapshot.id().clone(),
        repository: repository.root_commit(&found)?,
        patch: scope.patch.clone(),
        content: Content { files, sha256 },
        policies: policies(repository, &policy)?,
        waivers: standing_waivers(&policy, today),
        acceptances: counting_acceptances(),
        models: models(&policy),
    };
    let rules = Rules {
        mode: policy.config.policy.mode,
        threshold: usize::from(policy.config.attest.threshold.get()),
        software_keys: policy.config.attest.software_keys,
        attested_models: policy.config.attest.attested_models,
        conditions: Condition::ALL.iter().map(|condition| condition.token().to_owned()).collect(),
        signers: signers(repository, &found)?,
        now: not_before(now, policy.as_of),
    };
    Ok(Some(Clone { snapshot, base: found, scope, policy, facts, rules }))
}

/// Returns the acceptances that count, by the digests that they are kept under. The one place where verdicts learn of them.
fn counting_acceptances() -> BTreeSet<String> {
    BTreeSet::new()
}

/// Returns the policy of the base in parts: the file, the rules of the repository, and the definitions of its reviewers, which may come
/// from further files of the base.
fn policies(repository: &Repository, policy: &BasePolicy) -> Result<Vec<PolicyPart>, FlowError> {
    let path = RepoPath::new(POLICY_FILE).expect("the path is a plain one");
    let file = repository.base_file(&policy.base, &path)?.unwrap_or_default();
    let rules = policy.rules.map(jury_rules::Specialist::definition_digest).unwrap_or_default();
    let reviewers: Vec<String> = policy.config.reviewers.iter().map(|definition| definition.digest()).collect();
    let reviewers: Vec<&str> = reviewers.iter().map(String::as_str).collect();
    let part = |name: &str, sha256: String| PolicyPart { name: name.to_owned(), sha256 };
    Ok(vec![
        part(POLICY_FILE, crate::record::RecordId::of(&file).to_string()),
        part(crate::config::RULES_FOLDER, short_digest(&[&rules], 64)),
        part("reviewers", short_digest(&[&reviewers.join("\n")], 64)),
    ])
}

/// Returns the waivers of the base that have not ended. A clock that runs behind the base brings none of them back.
fn standing_waivers(policy: &BasePolicy, today: Day) -> Vec<Waiver> {
    let ended: BTreeSet<usize> = policy.ended(today).iter().map(|entry| entry.line).collect();
    let standing = policy.waivers.iter().filter(|entry| !ended.contains(&entry.line));
    standing.map(|entry| entry.waiver.clone()).collect()
}

/// Returns the reviewers of the base that are models.
fn models(policy: &BasePolicy) -> Vec<String> {
    let is_model = |kind: ReviewerKind| matches!(kind, ReviewerKind::Agent | ReviewerKind::Api);
    let models = policy.config.reviewers.iter().filter(|it| is_model(it.kind) && it.weighting.has_to_report());
    models.map(|it| it.name.to_string()).collect()
}

/// Reads the keys of the base that may sign.
pub fn signers(repository: &Repository, base: &Base) -> Result<Signers, FlowError> {
    let path = RepoPath::new(SIGNERS_FILE).expect("the path is a plain one");
    let bytes = repository.base_file(base, &path)?.unwrap_or_default();
    let refuse = |what: String| ConfigError { file: SIGNERS_FILE.to_owned(), what };
    Ok(Signers::parse(&bytes).map_err(|error| refuse(error.to_string()))?)
}

/// Returns the time; the start of the day of the base, if the clock runs behind it (FAULTS, row 25).
fn not_before(now: &Timestamp, as_of: Option<Day>) -> Timestamp {
    let behind = as_of.filter(|as_of| *as_of > Day::of(now));
    let start = behind.and_then(|as_of| Timestamp::new(&format!("{as_of}T00:00:00Z")).ok());
    start.unwrap_or_else(|| now.clone())
}

/// Returns the name of the ref of an envelope.
pub fn ref_name(tree: &TreeId, digest: &str) -> String {
    format!("{}{tree}/{digest}", crate::attestation::REFS)
}
