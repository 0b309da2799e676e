//! Decisions of people, as they count for a worktree now.
//!
//! In: the acceptances below the refs and those noted on this machine, the contests of a review, approvals, the base, the tree. Out: who decided
//! what, and what is refused. This joins `scope`, `store`, `base` and `judge` for the gate, and for who accepts or contests. Deliberately not
//! here: which acceptance counts (`people`), and what the gate makes of it (`verdict`).

use std::collections::BTreeSet;

use crate::base::BasePolicy;
use crate::config::{ConfigError, SIGNERS_FILE};
use crate::error::FlowError;
use crate::judge::{acceptable, judge};
use crate::model::{
    Acceptable, AcceptableFinding, Base, Bound, Contest, ContestResult, Day, Domain, PeoplePolicy, RepoPath, Severity,
    Stance, Subject, Timestamp,
};
use crate::people::{
    self, Approval, Broken, Decided, Ground, NAMESPACE, Place, REFS, Refused, Standing, Stored, Wanted, contest_result,
    read_contests, standing,
};
use crate::record::Record;
use crate::refutation::{refutation, stance};
use crate::scope::{Repository, Snapshot};
use crate::signature::{Signers, VerifiedKey};
use crate::store::{Current, Store};
use crate::verdict::{DecidedBy, Decision, Match, People};

/// The facts that decisions are compared with.
#[derive(Clone, Copy)]
pub struct Look<'l> {
    /// The repository.
    pub repository: &'l Repository,
    /// The tree.
    pub snapshot: &'l Snapshot,
    /// The base of the change.
    pub base: &'l Base,
    /// The policy of the base.
    pub of_base: &'l BasePolicy,
    /// Whether the review was verified since it was made.
    pub is_verified: bool,
    /// How the tree compares with the one that was judged.
    pub tree: &'l Match,
    /// Whether confirmations of this machine may count.
    pub is_own_machine: bool,
    /// The approvals of the change on its forge, as whoever asked the forge made them out.
    pub approvals: &'l [Approval],
    /// The time.
    pub now: &'l Timestamp,
}

/// Decisions of people, and what does not count.
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
        let decided = self.people.decided.iter().filter(|decision| decision.id == id);
        let given = decided.filter_map(|decision| match &decision.by {
            DecidedBy::People { given, .. } => Some(*given),
            DecidedBy::Contest { .. } => None,
        });
        given.max().unwrap_or_default()
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

/// Makes out the decisions of people about the findings of a review. Without anything stored, the review is not read.
pub fn decisions(
    look: &Look<'_>,
    stored: &[Stored],
    contests: &[Contest],
    review: impl FnOnce() -> Result<Record, FlowError>,
) -> Result<Decisions, FlowError> {
    if stored.is_empty() && contests.is_empty() && look.approvals.is_empty() {
        return Ok(Decisions::default());
    }
    let review = review()?;
    let wanted: Vec<Wanted> = acceptances(look, &review)?.into_iter().map(|it| it.wanted).collect();
    let Standing { decided, refused } = count(look, stored, &wanted)?;
    let contested = contested(look, &review, contests);
    let decided = decided.iter().map(decision).chain(contested).collect();
    Ok(Decisions { people: People { decided }, refused })
}

fn decision(decided: &Decided) -> Decision {
    let by = DecidedBy::People {
        given: decided.given,
        needed: decided.needed.into(),
        names: decided.by.clone(),
        acceptances: decided.names.iter().cloned().collect(),
    };
    Decision { id: decided.id.clone(), by, is_settled: decided.is_enough() }
}

/// Makes out the results of the contests, in the tree as it is now: the tree refutes again, or does not; and an answer counts as what it says,
/// for the tree that was asked about.
fn contested(look: &Look<'_>, review: &Record, contests: &[Contest]) -> Vec<Decision> {
    if contests.is_empty() {
        return Vec::new();
    }
    let judgement = judge(review);
    let tree = |path: &RepoPath| look.snapshot.regular_file(path);
    let is_model = |name: &Domain| review.runs.iter().any(|run| run.reviewer == *name && run.kind.is_model());
    let is_current = |contest: &&Contest| {
        contest.tree == *look.snapshot.id() || (!look.is_verified && *look.tree == Match::SamePatch)
    };
    let decided = contests.iter().filter(is_current).filter_map(|contest| {
        let settled = judgement.settled(&contest.finding)?;
        let finding = &settled.finding;
        let is_the_same = finding.fingerprint == contest.fingerprint
            && finding.severity() == contest.severity
            && contest.raised_by.iter().collect::<BTreeSet<_>>() == settled.reviewers.iter().collect()
            && !finding.is_of_check;
        let is_as_said = contest.voices.iter().all(|voice| match &voice.answer {
            Some((nonce, output)) => stance(output, nonce).0 == voice.stance,
            // Only what looked again by a rule speaks without an answer that can be read again.
            None => voice.stance == Stance::Silent || (voice.is_raiser && !is_model(&voice.reviewer)),
        });
        if !is_the_same || !is_as_said {
            return None;
        }
        let refuted = refutation(finding, &contest.evidence, &tree);
        let result = contest_result(contest, refuted.is_some());
        let what = refuted.filter(|_| result == ContestResult::Refuted).map(|(_, proof)| proof);
        let by = DecidedBy::Contest { result, what: what.unwrap_or_else(|| said(contest, result)) };
        Some(Decision { id: contest.finding.clone(), by, is_settled: result.settles() })
    });
    decided.collect()
}

/// Says the answer of each.
fn said(contest: &Contest, result: ContestResult) -> String {
    let told = match result {
        ContestResult::Upheld => Stance::Upholds,
        ContestResult::Conceded | ContestResult::ForPerson => Stance::Concedes,
        ContestResult::Refuted | ContestResult::Unanswered => {
            let voices = contest.voices.iter().map(|voice| format!("{} {}", voice.reviewer, voice.stance));
            let voices: Vec<String> = voices.collect();
            return if voices.is_empty() { "nobody was asked".to_owned() } else { voices.join(", ") };
        }
    };
    let voices = contest.voices.iter().filter(|voice| voice.stance == told);
    let words: Vec<String> = voices.map(|voice| format!("{} {told}: {}", voice.reviewer, voice.why)).collect();
    words.join("; ")
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
        // Where keys are listed, nobody confirms without one: what lies here is of an earlier time, or written by a program.
        is_own_machine: look.is_own_machine && signers.is_empty(),
        approvals: look.approvals,
        check: &check,
    };
    Ok(standing(stored, wanted, &ground))
}

/// Tells whether this is a job of CI, where nobody confirms anything by typing.
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// Reads the keys of the people who decide, as the base lists them.
pub fn signers(repository: &Repository, base: &Base) -> Result<Signers, FlowError> {
    let path = RepoPath::new(SIGNERS_FILE).expect("the path is a plain one");
    let bytes = repository.base_file(base, &path)?.unwrap_or_default();
    let refuse = |what: String| ConfigError { file: SIGNERS_FILE.to_owned(), what };
    Ok(Signers::parse(&bytes).map_err(|error| refuse(error.to_string()))?)
}

/// Reads the acceptances below the refs.
pub fn stored_in_refs(repository: &Repository) -> Result<Vec<Stored>, FlowError> {
    let below = repository.objects_below(REFS, people::MOST_BYTES)?.into_iter();
    Ok(below.map(|it| Stored { place: Place::Ref, name: it.name, bytes: it.bytes }).collect())
}

/// Reads all acceptances that are stored here.
pub fn stored(repository: &Repository, store: &Store) -> Result<Vec<Stored>, FlowError> {
    let noted = store.confirmations()?.into_iter();
    let noted = noted.map(|(name, bytes)| Stored { place: Place::Machine, name, bytes });
    Ok(stored_in_refs(repository)?.into_iter().chain(noted).collect())
}

/// Reads the contests of a review. A seal that names others is refused.
pub fn contests_of(store: &Store, current: &Current) -> Result<Vec<Contest>, FlowError> {
    let Some(id) = &current.contested else { return Ok(Vec::new()) };
    let bytes = store.contests(id)?;
    read_contests(&bytes, current.record.as_str()).map_err(|error| store.unshown(format!("contests: {error}")).into())
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

/// Returns the content that a finding is bound to; `None` if its file changed since the review, so that the record does not say what it is about now.
fn bound(look: &Look<'_>, review: &Record, path: &str, has_lines: bool) -> Result<Option<Bound>, FlowError> {
    let Some(path) = RepoPath::new(path).ok() else { return Ok(Some(Bound::Change(review.scope.patch.clone()))) };
    if !has_lines {
        return Ok(Some(Bound::File(look.repository.file_states(look.snapshot, look.base, &path)?)));
    }
    let then = review.scope.files.iter().find(|file| file.path == path).and_then(|file| file.id.clone());
    let is_as_reviewed = then.is_some() && then == look.snapshot.file_id(&path);
    let is_rebased = !look.is_verified && *look.tree == Match::SamePatch;
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
