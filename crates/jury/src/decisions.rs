//! What people decided, as it counts for a worktree now.
//!
//! In: the acceptances below the refs and those noted on this machine, the base, the tree. Out: who accepted what, and what is refused. This
//! joins `scope`, `store`, `base` and `judge` for the gate, and for who accepts. Deliberately not here: which acceptance counts (`people`),
//! and what the gate makes of it (`verdict`).

use std::collections::BTreeSet;

use crate::base::BasePolicy;
use crate::config::{ConfigError, SIGNERS_FILE};
use crate::error::FlowError;
use crate::judge::{acceptable, judge};
use crate::model::{
    Acceptable, AcceptableFinding, Base, Bound, Day, PeoplePolicy, RepoPath, Severity, Subject, Timestamp,
};
use crate::people::{
    self, Broken, Claimed, Decided, Ground, NAMESPACE, Place, REFS, Refused, Standing, Stored, Wanted, standing,
};
use crate::record::Record;
use crate::scope::{Repository, Snapshot};
use crate::signature::{Signers, VerifiedKey};
use crate::store::{Current, Store};
use crate::verdict::{DecidedBy, Decision, Match, People};
use crate::worktree::recorded;

/// What decisions are held against.
pub struct Look<'l> {
    /// The repository.
    pub repository: &'l Repository,
    /// The state.
    pub store: &'l Store,
    /// The working tree.
    pub snapshot: &'l Snapshot,
    /// The base of the change.
    pub base: &'l Base,
    /// The policy of the base.
    pub of_base: &'l BasePolicy,
    /// The last full review.
    pub current: &'l Current,
    /// How the tree compares with the one that it judged.
    pub tree: &'l Match,
    /// The time.
    pub now: &'l Timestamp,
}

/// What people decided, and what does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// For the gate.
    pub people: People,
    /// The acceptances that are refused.
    pub refused: Vec<Refused>,
}

impl Decisions {
    /// Returns how many people have accepted a finding.
    pub fn given(&self, id: &str) -> usize {
        let decided = self.people.decided.iter().find(|decision| decision.id == id);
        match decided.map(|decision| &decision.by) {
            Some(DecidedBy::People { given, .. }) => *given,
            Some(DecidedBy::Contest { .. }) | None => 0,
        }
    }
}

/// Something that people can accept now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Its id, and what exactly.
    pub wanted: Wanted,
    /// How bad it is.
    pub severity: Severity,
    /// Its title; empty for files.
    pub title: String,
}

/// Reads what people decided about the findings of the last full review. Without anything stored, nothing else is read.
pub fn decisions(look: &Look<'_>) -> Result<Decisions, FlowError> {
    let stored = stored(look.repository, look.store)?;
    if stored.is_empty() {
        return Ok(Decisions::default());
    }
    let review = recorded(look.store, &look.current.record)?;
    let wanted: Vec<Wanted> = acceptances(look, &review)?.into_iter().map(|it| it.wanted).collect();
    let Standing { decided, refused } = count(look, &stored, &wanted)?;
    Ok(Decisions { people: People { decided: decided.iter().map(decision).collect() }, refused })
}

fn decision(decided: &Decided) -> Decision {
    let name = |claimed: &Claimed| match claimed {
        Claimed::Signer(name) => (name.clone(), true),
        Claimed::Unsigned(name) => (name.clone(), false),
    };
    let names = decided.by.iter().map(name).collect();
    let by = DecidedBy::People { given: decided.given, needed: decided.needed.into(), names };
    Decision { id: decided.id.clone(), by, is_settled: decided.is_enough() }
}

/// Returns the name of somebody who signed.
pub fn signer_name(claimed: &Claimed) -> Option<String> {
    match claimed {
        Claimed::Signer(name) => Some(name.clone()),
        Claimed::Unsigned(_) => None,
    }
}

/// Counts acceptances by the signers and the policy of the base.
pub fn count(look: &Look<'_>, stored: &[Stored], wanted: &[Wanted]) -> Result<Standing, FlowError> {
    let signers = signers(look.repository, look.base)?;
    let policy: &PeoplePolicy = &look.of_base.config.people;
    let repository = look.repository.root_commit(look.base)?;
    let authors: Option<BTreeSet<String>> =
        if policy.not_author { look.repository.authors_since(look.base)? } else { Some(BTreeSet::new()) };
    let today = Day::of(look.now);
    let check = |signature: &str, message: &[u8]| -> Result<VerifiedKey, Broken> {
        let verified = signers.verify(signature.as_bytes(), message, NAMESPACE, look.now);
        verified.map_err(|refusal| Broken { reason: refusal.reason(), what: refusal.to_string() })
    };
    let ground = Ground {
        repository: repository.as_deref(),
        policy,
        // A clock that runs behind the base brings no acceptance back (FAULTS, row 25).
        today: look.of_base.as_of.map_or(today, |as_of| as_of.max(today)),
        authors: authors.as_ref(),
        is_own_machine: !is_ci(),
        check: &check,
    };
    Ok(standing(stored, wanted, &ground))
}

/// Tells whether this is a job of CI, where nobody confirms anything by typing.
fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// Reads the keys of the people who decide, as the base lists them.
pub fn signers(repository: &Repository, base: &Base) -> Result<Signers, FlowError> {
    let path = RepoPath::new(SIGNERS_FILE).expect("the path is a plain one");
    let bytes = repository.base_file(base, &path)?.unwrap_or_default();
    let refuse = |what: String| ConfigError { file: SIGNERS_FILE.to_owned(), what };
    Ok(Signers::parse(&bytes).map_err(|error| refuse(error.to_string()))?)
}

/// Reads all acceptances that are stored here.
fn stored(repository: &Repository, store: &Store) -> Result<Vec<Stored>, FlowError> {
    let below = repository.objects_below(REFS)?.into_iter();
    let of_refs = below.map(|it| Stored { place: Place::Ref, name: it.name, bytes: it.bytes });
    let noted = store.confirmations()?.into_iter();
    let noted = noted.map(|(name, bytes)| Stored { place: Place::Machine, name, bytes });
    Ok(of_refs.chain(noted).collect())
}

/// Lists what people can accept of the last full review, with the content of its files as it is now. What changed since the review is
/// left out: nobody has looked at it.
pub fn acceptances(look: &Look<'_>, review: &Record) -> Result<Vec<Acceptance>, FlowError> {
    let policy = &look.of_base.config.people;
    let mut all = Vec::new();
    for AcceptableFinding { id, severity, owner: _, what } in acceptable(review, &judge(review)) {
        let (needed, subjects, title) = match what {
            Acceptable::Finding { source, path, fingerprint, places, has_lines, title } => {
                let needed = policy.for_finding(severity, source.as_str());
                let Some(bound) = bound(look, review, &path, has_lines)? else { continue };
                let title = jury_rules::redact(&title).into_owned();
                (needed, vec![Subject::Finding { source, path, fingerprint, places, bound }], title)
            }
            Acceptable::Files(paths) => {
                let files = paths.iter().map(|path| file(look, path)).collect::<Result<Option<Vec<_>>, _>>()?;
                // A path that cannot be told from another one cannot be accepted.
                let Some(files) = files else { continue };
                (policy.gaps, files, String::new())
            }
        };
        all.push(Acceptance { wanted: Wanted { id, needed, subjects }, severity, title });
    }
    Ok(all)
}

/// Returns what a finding is bound to; `None` if its file changed since the review, so that the record does not say what it is about now.
fn bound(look: &Look<'_>, review: &Record, path: &str, has_lines: bool) -> Result<Option<Bound>, FlowError> {
    let Some(path) = RepoPath::new(path).ok() else { return Ok(Some(Bound::Change(review.scope.patch.clone()))) };
    if !has_lines {
        return Ok(Some(Bound::File(look.repository.file_states(look.snapshot, look.base, &path)?)));
    }
    let then = review.scope.files.iter().find(|file| file.path == path).and_then(|file| file.id.clone());
    let is_as_reviewed = then.is_some() && then == look.snapshot.file_id(&path);
    let is_rebased = look.current.verified.is_none() && *look.tree == Match::SamePatch;
    Ok((is_as_reviewed || is_rebased).then_some(Bound::Lines))
}

fn file(look: &Look<'_>, path: &str) -> Result<Option<Subject>, FlowError> {
    // A replaced byte stands for any other one.
    let legal = RepoPath::new(path).ok().filter(|path| !path.as_str().contains(char::REPLACEMENT_CHARACTER));
    let Some(path) = legal else { return Ok(None) };
    let states = look.repository.file_states(look.snapshot, look.base, &path)?;
    let is_there = states.before.is_some() || states.after.is_some();
    Ok(is_there.then_some(Subject::File { path, states }))
}

/// Returns the name under which an acceptance is kept.
pub fn name(envelope: &[u8]) -> String {
    people::name_of(envelope)
}
