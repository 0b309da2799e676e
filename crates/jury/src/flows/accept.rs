//! `jury accept`: findings and gaps of the last full review, and a person's reason in; a signed acceptance below the refs out, or a
//! confirmation on this machine where the base lists no keys.
//!
//! What is accepted is taken from the tree and the base at this moment. A signature that would not count is not kept.

use std::path::PathBuf;

use jury_wire::Reason;

use crate::base::BasePolicy;
use crate::config::POLICY_FILE;
use crate::decisions::{self, Acceptance, Look};
use crate::error::FlowError;
use crate::keeping::{self, KeepError};
use crate::model::{self, Bound, Day, FileStates, RepoPath, ReviewVerdict, Subject, Timestamp, short_digest};
use crate::people::{
    Accepted, NAMESPACE, Noted, Place, Proof, REFS, Refused, Statement, Stored, envelope, statement_bytes,
};
use crate::scope::{Repository, ScopeError};
use crate::signature::{PublicKey, Signers, armored};
use crate::signing::{self, Key, SigningError};
use crate::store::{Store, StoreError};
use crate::syntax::acts;
use crate::verdict::{Match, stated_verdict};
use crate::worktree::{self, recorded};

/// How many digits of a digest a person is shown.
const SHOWN: usize = 12;

/// What to accept.
#[derive(Clone, Debug)]
pub struct AcceptRequest {
    /// The ids of findings and gaps.
    pub ids: Vec<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts.
    pub expires: Option<String>,
    /// The key; default: `user.signingkey` of the repository, or the only listed key of the agent.
    pub key: Option<PathBuf>,
    /// The name for a confirmation without a key; default: `user.name` of the repository.
    pub by: Option<String>,
    /// The base of the change.
    pub base: Option<String>,
    /// Whether a person is at the terminal.
    pub is_attended: bool,
    /// The time.
    pub now: Timestamp,
}

/// The acceptance that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedNow {
    /// What was accepted, each by its id, with how many have accepted it now and how many it takes.
    pub accepted: Vec<(String, String, usize, usize)>,
    /// Who accepted; `None` without a key.
    pub signer: Option<String>,
    /// Whether it counts: a confirmation without a key does only where the base says so.
    pub counts: bool,
    /// The digest that it goes by.
    pub name: String,
}

/// The statement that a person is about to sign, to be shown before the key is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToSign {
    /// What is accepted, each by its id, title and paths; a path with the start of the SHA-256 of its bytes, where these are accepted.
    pub accepted: Vec<(String, String, Vec<String>)>,
    /// The last day on which it counts.
    pub expires: Option<Day>,
}

/// Why nothing was accepted.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// Nothing has been reviewed in full.
    #[error("no full review yet")]
    NoReview,
    /// An abort stands.
    #[error("an ABORT stands, which nobody can accept")]
    Aborted,
    /// The tree is another one than was reviewed.
    #[error("the tree changed since the review: {0}")]
    Changed(String),
    /// No finding has that id.
    #[error("no finding `{0}` in the last full review")]
    Unknown(String),
    /// It is nothing that a person settles.
    #[error("`{0}` is a gap that another review can close, or a failing check: nobody can accept it")]
    NotForPeople(String),
    /// There is no reason.
    #[error("an acceptance needs a reason")]
    NoReason,
    /// There is no name.
    #[error("a confirmation needs a name")]
    Nobody,
    /// There is no such day.
    #[error("invalid day `{0}`; expected one such as 2026-12-31")]
    NotADay(String),
    /// The day has passed.
    #[error("{0} has passed")]
    Passed(Day),
    /// The clone does not reach the first commit.
    #[error("this clone does not reach the first commit of the repository, to which an acceptance is bound")]
    NoRoot,
    /// There is no key to sign with.
    #[error("no key to sign with")]
    NoKey,
    /// The signature would not count.
    #[error("the acceptance would not count: {} ({})", .0.what, .0.reason.code())]
    Refused(Refused),
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

impl From<StoreError> for AcceptError {
    fn from(error: StoreError) -> Self {
        Self::Flow(error.into())
    }
}

impl From<ScopeError> for AcceptError {
    fn from(error: ScopeError) -> Self {
        Self::Flow(error.into())
    }
}

/// Accepts, or changes nothing. `show` is called before a key is asked: a touch is for what was shown.
pub fn accept(
    repository: &Repository,
    store: &Store,
    request: &AcceptRequest,
    show: &mut dyn FnMut(&ToSign),
) -> Result<AcceptedNow, AcceptError> {
    let (reason, expires) = terms(request)?;
    let current = store.state()?.full.ok_or(AcceptError::NoReview)?;
    let last = worktree::last_look(store, &current)?;
    if stated_verdict(&current.sealed).map_err(FlowError::from)? == ReviewVerdict::Abort {
        return Err(AcceptError::Aborted);
    }
    let review = recorded(store, &current.record)?;
    let snapshot = worktree::snapshot(repository, store)?;
    let base = repository.base_of(&snapshot, request.base.as_deref())?;
    let tree = worktree::compare(repository, &snapshot, request.base.as_deref(), &base, &last.scope)?;
    if let Match::Differs(paths) = &tree {
        return Err(AcceptError::Changed(paths.join(", ")));
    }
    let of_base = BasePolicy::read(repository, &base).map_err(FlowError::from)?;
    let now = &request.now;
    let look = Look {
        repository,
        snapshot: &snapshot,
        base: &base,
        of_base: &of_base,
        is_verified: current.verified.is_some(),
        tree: &tree,
        is_own_machine: !decisions::is_ci(),
        approvals: &[],
        now,
    };
    let all = decisions::acceptances(&look, &review)?;
    let chosen = chosen(&request.ids, &all, |id| current.file.findings.iter().any(|finding| finding.id == id))?;
    let policy = RepoPath::new(POLICY_FILE).expect("the path is a plain one");
    let policy = repository.base_file(&base, &policy)?;
    let statement = Statement {
        repository: repository.root_commit(&base)?.ok_or(AcceptError::NoRoot)?,
        accepted: chosen.iter().flat_map(|it| accepted_of(it)).collect(),
        reason,
        expires,
        noted: Noted {
            base: base.tip.clone().or_else(|| base.commit.clone()),
            policy: policy.map(|bytes| short_digest(&[&String::from_utf8_lossy(&bytes)], 64)),
            review: current.file.review_id.clone(),
            day: Day::of(now),
        },
    };
    let signed = statement_bytes(&statement);
    let signers = decisions::signers(repository, &base)?;
    let proof = if signers.is_empty() {
        let by = request.by.clone().or_else(|| repository.user_name()).map(|name| one_line(&name));
        Proof::Unsigned(by.filter(|by| !by.is_empty()).ok_or(AcceptError::Nobody)?)
    } else {
        let key = key(repository, request, &signers)?;
        show(&ToSign { accepted: chosen.iter().map(|it| to_sign(it)).collect(), expires });
        Proof::Signed(armored(&signing::sign(&key, NAMESPACE, &signed, request.is_attended)?))
    };
    let bytes = envelope(&signed, &proof);
    let name = decisions::name(&bytes);
    let place = if signers.is_empty() { Place::Machine } else { Place::Ref };
    let own = Stored { place, name: name.clone(), bytes: Some(bytes.clone()) };
    let wanted: Vec<_> = chosen.iter().map(|it| it.wanted.clone()).collect();
    let alone = decisions::count(&look, std::slice::from_ref(&own), &wanted)?;
    let is_confirmation = |refused: &Refused| refused.reason == Reason::AcceptanceUnsigned;
    let counts = alone.refused.is_empty();
    if let Some(refused) = alone.refused.into_iter().find(|refused| !is_confirmation(refused)) {
        return Err(AcceptError::Refused(refused));
    }
    match place {
        Place::Ref => keeping::keep(repository.root(), &format!("{REFS}{name}"), &bytes)?,
        Place::Machine => store.confirm(&name, &bytes)?,
    }
    let after = decisions::decisions(&look, &decisions::stored(repository, store)?, &[], || Ok(review))?;
    let accepted = chosen.iter().map(|it| {
        let needed = usize::from(it.wanted.needed.get());
        let given = after.given(&it.wanted.id);
        (it.wanted.id.clone(), it.title.clone(), given, needed)
    });
    let signed = alone.decided.iter().flat_map(|decided| &decided.by).find(|(_, proof)| *proof == model::Proof::Signed);
    let signer = signed.map(|(name, _)| name.clone());
    Ok(AcceptedNow { accepted: accepted.collect(), signer, counts, name })
}

/// Checks the reason and the day.
fn terms(request: &AcceptRequest) -> Result<(String, Option<Day>), AcceptError> {
    let reason = one_line(&jury_rules::redact(&request.reason));
    if reason.is_empty() {
        return Err(AcceptError::NoReason);
    }
    let day = |text: &String| Day::new(text).ok_or_else(|| AcceptError::NotADay(text.clone()));
    let expires = request.expires.as_ref().map(day).transpose()?;
    match expires.filter(|day| *day < Day::of(&request.now)) {
        Some(passed) => Err(AcceptError::Passed(passed)),
        None => Ok((reason, expires)),
    }
}

/// Finds what is to be accepted by its ids.
fn chosen<'a>(
    ids: &[String],
    all: &'a [Acceptance],
    is_known: impl Fn(&str) -> bool,
) -> Result<Vec<&'a Acceptance>, AcceptError> {
    let mut chosen: Vec<&Acceptance> = Vec::new();
    for id in ids {
        let found = all.iter().find(|it| it.wanted.id == *id).ok_or_else(|| match is_known(id) {
            true => AcceptError::NotForPeople(id.clone()),
            false => AcceptError::Unknown(id.clone()),
        })?;
        if !chosen.iter().any(|other| other.wanted.id == found.wanted.id) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

fn to_sign(acceptance: &Acceptance) -> (String, String, Vec<String>) {
    // The id and the path stay when an agent puts other bytes there.
    let with_bytes = |path: &str, states: &FileStates| match &states.after {
        Some(state) => format!("{path} (sha256 {}…)", state.sha256.get(..SHOWN).unwrap_or_default()),
        None => format!("{path} (removed)"),
    };
    let path = |subject: &Subject| match subject {
        Subject::Finding { path, bound: Bound::File(states), .. } => with_bytes(path, states),
        Subject::Finding { path, .. } => path.clone(),
        Subject::File { path, states } => with_bytes(path.as_str(), states),
    };
    (acceptance.wanted.id.clone(), acceptance.title.clone(), acceptance.wanted.subjects.iter().map(path).collect())
}

fn accepted_of(acceptance: &Acceptance) -> impl Iterator<Item = Accepted> {
    let of = |subject: &Subject| Accepted { subject: subject.clone(), title: acceptance.title.clone() };
    acceptance.wanted.subjects.iter().map(of)
}

/// Returns the key that signs.
fn key(repository: &Repository, request: &AcceptRequest, signers: &Signers) -> Result<Key, AcceptError> {
    if let Some(path) = &request.key {
        return Ok(Key::File(path.clone()));
    }
    let configured = keeping::signing_key(repository.root()).and_then(|value| {
        let literal = PublicKey::of_line(value.strip_prefix("key::").unwrap_or(&value)).map(Key::Agent);
        literal.or_else(|| Some(PathBuf::from(value)).filter(|path| path.is_absolute()).map(Key::File))
    });
    if let Some(key) = configured {
        return Ok(key);
    }
    let of_agent = signing::agent_keys().unwrap_or_default();
    let listed: Vec<_> = signers.keys().collect();
    let mut known = of_agent.into_iter().filter(|key| listed.contains(&key));
    match (known.next(), known.next()) {
        (Some(key), None) => Ok(Key::Agent(key)),
        _ => Err(AcceptError::NoKey),
    }
}

/// Puts a text on one line, without any character that acts.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().map(|c| if acts(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
