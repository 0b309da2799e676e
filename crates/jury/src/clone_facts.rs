//! The facts that a signed verdict is compared with: a repository and a base in; tree, change, policy, waivers and signers, as every clone has them, out.
//!
//! Joins `scope`, `base` and `attestation` for the flows that sign and that verify, so that both make out the same facts in the same
//! way. Files that Jury's own records vouch for are part of this tree: a fresh clone has no records. Deliberately not here: what counts.

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use crate::attestation::{CloneFacts, Content, PolicyPart, Rules};
use crate::base::BasePolicy;
use crate::config::POLICY_FILE;
use crate::decisions::signers;
use crate::error::FlowError;
use crate::model::{Base, Bound, Day, RepoPath, Scope, Subject, Timestamp, TreeId, Waiver, short_digest};
use crate::people::{self, Broken, Ground, Place, Wanted};
use crate::scope::{ChangedBytes, Repository, Request, Snapshot};
use crate::signature::Signers;
use crate::verdict::Condition;
use crate::worktree;

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
    /// The statement of a verdict.
    pub facts: CloneFacts,
    /// By which rules it counts.
    pub rules: Rules,
}

/// Makes out the facts of a clone; `None` if something is staged that HEAD does not have, or there is no commit. Of acceptances, only those
/// that a verdict names are looked at: refs are kept for the whole life of a repository.
pub fn clone_facts(
    repository: &Repository,
    base: Option<&str>,
    now: &Timestamp,
    named: &BTreeSet<String>,
) -> Result<Option<Clone>, FlowError> {
    let Some(snapshot) = repository.committed()? else { return Ok(None) };
    let found = repository.base_of(&snapshot, base)?;
    let scope = worktree::change(repository, &snapshot, &Request::Changeset { base: base.map(str::to_owned) })?;
    let policy = BasePolicy::read(repository, &found)?;
    let ChangedBytes { files, sha256 } = repository.changed_bytes(&snapshot, &found)?;
    let (signers, now) = (signers(repository, &found)?, not_before(now, policy.as_of));
    let acceptances = counting_acceptances(repository, (&snapshot, &scope), (&policy, &signers, &now), named)?;
    let facts = CloneFacts {
        tree: snapshot.id().clone(),
        repository: repository.root_commit(&found)?,
        patch: scope.patch.clone(),
        content: Content { files, sha256 },
        policies: policies(repository, &policy)?,
        waivers: standing_waivers(&policy, Day::of(&now)),
        acceptances,
        models: models(&policy),
    };
    let rules = Rules {
        mode: policy.config.policy.mode,
        threshold: usize::from(policy.config.attest.threshold.get()),
        software_keys: policy.config.attest.software_keys,
        attested_models: policy.config.attest.attested_models,
        conditions: Condition::ALL.iter().map(|condition| condition.token().to_owned()).collect(),
        signers,
        now,
    };
    Ok(Some(Clone { snapshot, base: found, scope, policy, facts, rules }))
}

/// Returns the acceptances that count here, by the digests that they are kept under: signed, of this repository, not ended, and about files
/// and a change that are as they were. Without the record, the lines of a finding are taken as accepted: the verdict is of this very tree.
fn counting_acceptances(
    repository: &Repository,
    clone: (&Snapshot, &Scope),
    (policy, signers, now): (&BasePolicy, &Signers, &Timestamp),
    named: &BTreeSet<String>,
) -> Result<BTreeSet<String>, FlowError> {
    let is_digest = |name: &str| name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let named: Vec<&String> = named.iter().filter(|name| is_digest(name)).collect();
    if named.is_empty() {
        return Ok(BTreeSet::new());
    }
    let root = repository.root_commit(&policy.base)?;
    let of_people = &policy.config.people;
    let authors = if of_people.not_author { repository.authors_since(&policy.base)? } else { Some(BTreeSet::new()) };
    let check = |signature: &str, message: &[u8]| {
        let verified = signers.verify(signature.as_bytes(), message, people::NAMESPACE, now);
        verified.map_err(|refusal| Broken { reason: refusal.reason(), what: refusal.to_string() })
    };
    let ground = Ground {
        repository: root.as_deref(),
        policy: of_people,
        today: policy.as_of.map_or(Day::of(now), |as_of| as_of.max(Day::of(now))),
        authors: authors.as_ref(),
        is_own_machine: false,
        approvals: &[],
        check: &check,
    };
    let mut counting = BTreeSet::new();
    for name in named {
        let bytes = repository.ref_bytes(&format!("{}{name}", people::REFS), people::MOST_BYTES)?;
        let Some(acceptance) = bytes.as_deref().and_then(|bytes| people::read(bytes).ok()) else { continue };
        // Whoever can push may name any number of files in a statement: they are read for a listed key alone.
        let people::Proof::Signed(signature) = &acceptance.proof else { continue };
        if check(signature, &acceptance.signed).is_err() {
            continue;
        }
        let mut subjects = Vec::new();
        for accepted in &acceptance.statement.accepted {
            subjects.push(as_it_is(repository, clone, policy, &accepted.subject)?);
        }
        let wanted = Wanted { id: name.clone(), needed: NonZeroU8::MIN, subjects };
        let stored = people::Stored { place: Place::Ref, name: name.clone(), bytes };
        let standing = people::standing(&[stored], &[wanted], &ground);
        counting.extend(standing.decided.into_iter().filter(|decided| decided.given > 0).map(|decided| decided.id));
    }
    Ok(counting)
}

/// Returns what was accepted, with the files and the change as they are now.
fn as_it_is(
    repository: &Repository,
    (snapshot, scope): (&Snapshot, &Scope),
    policy: &BasePolicy,
    accepted: &Subject,
) -> Result<Subject, FlowError> {
    let states = |path: &RepoPath| repository.file_states(snapshot, &policy.base, path);
    let mut subject = accepted.clone();
    match &mut subject {
        Subject::File { path, states: is } => *is = states(path)?,
        Subject::Finding { path, bound: Bound::File(is), .. } => {
            if let Ok(path) = RepoPath::new(path) {
                *is = states(&path)?;
            }
        }
        Subject::Finding { bound: Bound::Change(patch), .. } => *patch = scope.patch.clone(),
        Subject::Finding { bound: Bound::Lines, .. } => {}
    }
    Ok(subject)
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
    let models = policy.config.reviewers.iter().filter(|it| it.kind.is_model() && it.weighting.has_to_report());
    models.map(|it| it.name.to_string()).collect()
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
