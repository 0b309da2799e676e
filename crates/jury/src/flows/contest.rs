//! `jury contest`: a finding of the last full review, and the evidence against it, in; what the tree and its reviewers say to that, kept
//! beside the record, out.
//!
//! At most one contest for a finding and a tree. Nothing that is kept is believed later: the gate asks the tree again.

use crate::base::BasePolicy;
use crate::decisions::contests_of;
use crate::error::FlowError;
use crate::judge::judge;
use crate::model::{
    Contest, ContestResult, ContestVoice, CounterEvidence, Day, Line, Premise, RepoPath, ReviewVerdict, Stance, Status,
    Timestamp,
};
use crate::panel::{AskOptions, Asking, CacheMode};
use crate::people::{contest_result, write_contests};
use crate::record::{RecordId, secrets_of, status_of};
use crate::refutation::refutation;
use crate::scope::{Repository, ScopeError};
use crate::store::{Store, StoreError};
use crate::syntax::acts;
use crate::synthesis::stands_at;
use crate::verdict::{Match, recomputed, stated_verdict};
use crate::voices::Question;
use crate::worktree::{self, BegunAgain, PATIENCE};

/// A finding, and the evidence against it.
#[derive(Clone, Debug)]
pub struct ContestRequest {
    /// The id of the finding.
    pub id: String,
    /// `PATH:LINE` and the text that stands there.
    pub shows: Option<(String, String)>,
    /// A name that the file of the finding declares.
    pub declared: Option<String>,
    /// Why the finding is false.
    pub reason: Option<String>,
    /// Who contests it; default: `user.name` of the repository.
    pub by: Option<String>,
    /// The base of the change.
    pub base: Option<String>,
    /// How reviewers are asked.
    pub options: AskOptions,
    /// The time.
    pub now: Timestamp,
}

/// A contest that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contested {
    /// The contest.
    pub contest: Contest,
    /// Its result.
    pub result: ContestResult,
}

/// Why nothing was contested.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// Nothing has been reviewed in full.
    #[error("no full review yet")]
    NoReview,
    /// An abort stands.
    #[error("an ABORT stands; a person has to look first")]
    Aborted,
    /// The tree is another one than was reviewed.
    #[error("the tree changed since the review: {0}")]
    Changed(String),
    /// No finding has that id.
    #[error("no finding `{0}` in the last full review")]
    Unknown(String),
    /// It states what is missing, and nobody's claim.
    #[error("`{0}` is a gap, which no evidence closes")]
    Gap(String),
    /// It is the failure of a check.
    #[error("`{0}` is the failure of a check; only its passing settles it")]
    Check(String),
    /// It is settled already.
    #[error("`{0}` is verified")]
    Settled(String),
    /// It was contested on this tree.
    #[error("`{id}` was contested on this tree already: {}", result.token())]
    Already {
        /// The finding.
        id: String,
        /// Its result.
        result: ContestResult,
    },
    /// The place is none.
    #[error("invalid place `{0}`; expected PATH:LINE")]
    Place(String),
    /// The evidence is not there.
    #[error("{place} is not `{quote}`")]
    Ungrounded {
        /// The place.
        place: String,
        /// What was to be there.
        quote: String,
    },
    /// The file does not declare the name.
    #[error("{file} does not declare `{name}` at its top")]
    Undeclared {
        /// The file.
        file: String,
        /// The name.
        name: String,
    },
    /// There is no reason.
    #[error("a contest needs a reason")]
    NoReason,
    /// There is no name.
    #[error("a contest needs a name")]
    Nobody,
    /// A reviewer that would be asked is not trusted.
    #[error("the contest asks the reviewer `{0}`, which is not trusted")]
    Untrusted(String),
    /// The state on disk was refused, or the base cannot be read.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

impl From<StoreError> for ContestError {
    fn from(error: StoreError) -> Self {
        Self::Flow(error.into())
    }
}

impl From<ScopeError> for ContestError {
    fn from(error: ScopeError) -> Self {
        Self::Flow(error.into())
    }
}

/// Contests a finding, or changes nothing.
pub fn contest(repository: &Repository, store: &Store, request: &ContestRequest) -> Result<Contested, ContestError> {
    // The finding, as the review has it, on the tree that the review judged.
    let BegunAgain { current, review, snapshot, mut scope } =
        worktree::begin_again(repository, store)?.ok_or(ContestError::NoReview)?;
    if stated_verdict(&current.sealed).map_err(FlowError::from)? == ReviewVerdict::Abort {
        return Err(ContestError::Aborted);
    }
    let last = worktree::last_look(store, &current)?;
    let base = repository.base_of(&snapshot, request.base.as_deref())?;
    let tree = worktree::compare(repository, &snapshot, request.base.as_deref(), &base, &last.scope)?;
    if let Match::Differs(paths) = &tree {
        return Err(ContestError::Changed(paths.join(", ")));
    }
    let id = &request.id;
    let stated = current.file.findings.iter().find(|finding| finding.id == *id);
    let status = stated.and_then(status_of).ok_or_else(|| ContestError::Unknown(id.clone()))?;
    if review.gap_ids().contains(id) {
        return Err(ContestError::Gap(id.clone()));
    }
    if review.check_ids().contains(id) {
        return Err(ContestError::Check(id.clone()));
    }
    if status == Status::Verified {
        return Err(ContestError::Settled(id.clone()));
    }
    let judgement = judge(&review);
    let settled = judgement.settled(id).ok_or_else(|| ContestError::Unknown(id.clone()))?;
    let before = contests_of(store, &current)?;
    let is_again = |contest: &&Contest| contest.finding == *id && contest.tree == *snapshot.id();
    if let Some(contest) = before.iter().find(is_again) {
        let result = contest_result(contest, contest.refuted.is_some());
        return Err(ContestError::Already { id: id.clone(), result });
    }

    // The evidence, in the tree.
    let of_tree = |path: &RepoPath| snapshot.regular_file(path);
    let evidence = evidence(request, settled.finding.file(), &of_tree)?;
    let reason = request.reason.as_deref().map(|reason| one_line(&jury_rules::redact(reason)));
    let reason = reason.unwrap_or_default();
    if reason.is_empty() && evidence == CounterEvidence::Reason {
        return Err(ContestError::NoReason);
    }
    let by = request.by.clone().or_else(|| repository.user_name()).map(|name| one_line(&name));
    let by = by.filter(|by| !by.is_empty()).ok_or(ContestError::Nobody)?;
    let refuted = refutation(&settled.finding, &evidence, &of_tree);

    // Who raised it, and one more.
    let policy = BasePolicy::judging(repository, &snapshot, &scope, review.mode).map_err(FlowError::from)?;
    policy.exclude(repository, &mut scope)?;
    let options = AskOptions { cache: CacheMode::Ignore, ..request.options.clone() };
    let redactor = secrets_of(&scope);
    let question = Question {
        asking: Asking { repository, store, policy: &policy, options: &options },
        review: &review,
        settled,
        counter: &evidence,
        reason: &reason,
        snapshot: &snapshot,
        scope: &scope,
        redactor: &redactor,
    };
    let voices = voices(&question, refuted.as_ref())?;

    // The contest, under the lock.
    let contest = Contest {
        finding: id.clone(),
        fingerprint: settled.finding.fingerprint.clone(),
        severity: settled.finding.severity(),
        raised_by: question.raisers(),
        tree: snapshot.id().clone(),
        by,
        reason,
        evidence,
        refuted,
        voices,
        day: Day::of(&request.now),
    };
    let result = contest_result(&contest, contest.refuted.is_some());
    kept(store, &current.record, &contest)?;
    if result != ContestResult::Upheld && status != Status::WontFix {
        let what = format!("contested: {}", result.token());
        store.lock(PATIENCE)?.mark(&[(id, Status::WontFix)], Some(&what), &request.now, recomputed)?;
    }
    Ok(Contested { contest, result })
}

/// Takes the evidence: a line that reads so, a name that the file declares, or words.
fn evidence(
    request: &ContestRequest,
    file: &str,
    tree: &dyn Fn(&RepoPath) -> Option<Vec<u8>>,
) -> Result<CounterEvidence, ContestError> {
    if let Some((place, quote)) = &request.shows {
        let (path, line) = place.rsplit_once(':').ok_or_else(|| ContestError::Place(place.clone()))?;
        let line = line.parse().ok().and_then(|line| Line::new(line).ok());
        let place_of = RepoPath::new(path.trim_start_matches("./")).ok().zip(line);
        let (path, line) = place_of.ok_or_else(|| ContestError::Place(place.clone()))?;
        let is_there = tree(&path).is_some_and(|text| stands_at(&text, line, quote));
        let ungrounded = || ContestError::Ungrounded { place: place.clone(), quote: one_line(quote) };
        return is_there.then(|| CounterEvidence::Quote { path, line, quote: quote.clone() }).ok_or_else(ungrounded);
    }
    let Some(name) = &request.declared else { return Ok(CounterEvidence::Reason) };
    let text = RepoPath::new(file).ok().and_then(|path| String::from_utf8(tree(&path)?).ok());
    let line = text.and_then(|text| jury_rules::declared(file, &text, name));
    let undeclared = || ContestError::Undeclared { file: file.to_owned(), name: one_line(name) };
    line.map(|_| CounterEvidence::Declared(name.clone())).ok_or_else(undeclared)
}

/// Asks: rules first, whose word ends it; models only if the tree has not answered.
fn voices(question: &Question<'_>, refuted: Option<&(Premise, String)>) -> Result<Vec<ContestVoice>, ContestError> {
    let is_asked =
        |voices: &[ContestVoice]| refuted.is_none() && voices.iter().all(|voice| voice.stance == Stance::Concedes);
    if is_asked(&[]) {
        let trust = &question.asking.options.trust;
        let untrusted = question.asked_in_words().into_iter().find(|definition| !trust.covers(definition));
        if let Some(definition) = untrusted {
            return Err(ContestError::Untrusted(definition.name.to_string()));
        }
    }
    let mut voices = question.by_rule();
    if is_asked(&voices) {
        voices.extend(question.in_words());
    }
    Ok(voices)
}

/// Keeps a contest beside those of the same review, under the lock.
fn kept(store: &Store, review: &RecordId, contest: &Contest) -> Result<(), ContestError> {
    let locked = store.lock(PATIENCE)?;
    let full = locked.state()?.full.filter(|full| full.record == *review).ok_or(ContestError::NoReview)?;
    let mut all = contests_of(store, &full)?;
    let is_again = |other: &&Contest| other.finding == contest.finding && other.tree == contest.tree;
    if let Some(other) = all.iter().find(is_again) {
        let result = contest_result(other, other.refuted.is_some());
        return Err(ContestError::Already { id: contest.finding.clone(), result });
    }
    all.push(contest.clone());
    Ok(locked.contest(review, &write_contests(review.as_str(), &all))?)
}

/// Puts a text on one line, without any character that acts.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().map(|c| if acts(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
