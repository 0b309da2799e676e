//! Where a worktree stands: the state on disk, the tree now and what the base has decided in; the gate and the next action
//! out. No reviewer runs.
//!
//! Deliberately not here: the conditions themselves (`verdict`), and anything that is shown.

use std::collections::{BTreeMap, BTreeSet};

use jury_rules::{PROJECT, Specialist};
use jury_wire::v1::code_review::{Finding, ReviewVerdict as VerdictFile};
use jury_wire::v1::record::{self as wire, Record};

use crate::config::severity;
use crate::judge::RecordError;
use crate::model::{Base, Day, Definition, Gap, Mode, ReviewVerdict, ScopeKind, Severity, Status, Timestamp};
use crate::review::{Decided, ReviewError, snapshot, wire_scope};
use crate::scope::{Repository, Request, Snapshot};
use crate::store::{Current, RecordId, State, Store};
use crate::verdict::{Case, Gate, Match, Next, Situation, Standing, gate as decide_gate, next as decide_next};

/// A worktree, looked at once.
pub struct Look {
    /// What counts on disk.
    pub state: State,
    /// The record of the last full review, or of the last look at what it found.
    pub full: Option<Record>,
    /// How the tree compares with the one that the last full review judged.
    pub tree: Option<Match>,
    /// The gate.
    pub gate: Gate,
}

/// Looks at a worktree: reads the state, takes a snapshot of the tree, and decides whether the gate opens.
pub fn look(repository: &Repository, store: &Store, base: Option<&str>, now: &Timestamp) -> Result<Look, ReviewError> {
    let state = store.state()?;
    let Some(current) = state.full.clone() else {
        return Ok(Look { state, full: None, tree: None, gate: decide_gate(None) });
    };
    // The last look at the tree is what counts: the review itself, or a verification of what it found.
    let record = record(store, current.verified.as_ref().unwrap_or(&current.record))?;
    let snapshot = snapshot(repository, store)?;
    let goes_into = repository.base_of(&snapshot, base)?;
    let tree = compare(repository, &snapshot, base, &goes_into, &record)?;
    let policy = crate::judge::policy(&record)?;
    let verification = record.verification.as_ref();
    let case = Case {
        review_id: current.file.review_id.clone(),
        verdict: verdict_of(&current.sealed)?,
        findings: standings(&current.file)?,
        block_at: policy.block_at,
        accept_wont_fix: policy.accept_wont_fix,
        not_whole: not_whole(repository, &goes_into, &record)?,
        is_same_policy: is_same_policy(repository, &goes_into, now, &record)?,
        tree: tree.clone(),
        beyond: verification.map(|verification| verification.beyond.clone()).unwrap_or_default(),
        new: verification.map(new_standings).transpose()?.unwrap_or_default(),
        gaps: verification.map(|verification| verification.gaps.clone()).unwrap_or_default(),
    };
    Ok(Look { gate: decide_gate(Some(&case)), full: Some(record), tree: Some(tree), state })
}

impl Look {
    /// Returns the review that the team acts on: the latest, unless the last full one halted the team. A quick check sees
    /// uncommitted changes only, so it lifts no abort.
    pub fn acted_on(&self) -> Option<&Current> {
        let is_aborted = |full: &&Current| full.sealed.verdict == ReviewVerdict::Abort.token();
        self.state.full.as_ref().filter(is_aborted).or(self.state.latest.as_ref())
    }

    /// Decides what to do next, by the review that the team acts on.
    pub fn next(&self) -> Result<Next, ReviewError> {
        let Some(latest) = self.acted_on() else { return Ok(decide_next(None)) };
        let situation = Situation {
            mode: Mode::from_token(&latest.file.mode).ok_or_else(|| unusable("mode"))?,
            verdict: verdict_of(&latest.sealed)?,
            findings: standings(&latest.file)?,
            is_stale: matches!(self.tree, Some(Match::Differs(_))),
            needs_review: self.needs_review(),
        };
        Ok(decide_next(Some(&situation)))
    }
}

impl Look {
    /// Says why a full review is needed although all that is marked fixed was looked at, if so.
    fn needs_review(&self) -> Option<&'static str> {
        let verification = self.full.as_ref()?.verification.as_ref()?;
        let is_high = |new: &wire::NewFinding| {
            [Severity::Blocker, Severity::High].map(Severity::word).contains(&new.severity.as_str())
        };
        if verification.new.iter().any(is_high) {
            return Some("the fixes brought something new that has to be reviewed");
        }
        if !verification.gaps.is_empty() {
            return Some("the last look was incomplete");
        }
        (!verification.beyond.is_empty()).then_some("more has changed since the review than was marked fixed")
    }
}

/// Returns what came with the fixes, as far as deciding looks at it.
fn new_standings(verification: &wire::Verification) -> Result<Vec<Standing>, ReviewError> {
    let standing = |new: &wire::NewFinding| {
        let place = if new.place.is_empty() { String::new() } else { format!(" ({})", new.place) };
        Ok(Standing {
            id: format!("{}{place}", new.title),
            severity: severity(&new.severity).ok_or_else(|| unusable("verification.new[].severity"))?,
            status: Status::Open,
            is_gap: false,
        })
    };
    verification.new.iter().map(standing).collect()
}

/// Reads a record of the store.
pub fn record(store: &Store, id: &RecordId) -> Result<Record, ReviewError> {
    let bytes = store.record(id)?;
    let refuse = |error: serde_json::Error| RecordError { member: "text", what: error.to_string() };
    Ok(serde_json::from_slice(&bytes).map_err(refuse)?)
}

/// Returns the findings of a verdict file as far as deciding looks at them.
pub fn standings(file: &VerdictFile) -> Result<Vec<Standing>, ReviewError> {
    file.findings.iter().map(standing).collect()
}

fn standing(finding: &Finding) -> Result<Standing, ReviewError> {
    Ok(Standing {
        id: finding.id.clone(),
        severity: severity(&finding.severity).ok_or_else(|| unusable("findings[].severity"))?,
        status: Status::from_token(&finding.status).ok_or_else(|| unusable("findings[].status"))?,
        is_gap: Gap::is_stated_as(&finding.title, &finding.file),
    })
}

fn verdict_of(file: &VerdictFile) -> Result<ReviewVerdict, ReviewError> {
    ReviewVerdict::from_token(&file.verdict).ok_or_else(|| unusable("verdict"))
}

/// Returns the statuses' own verdict and summary, for a verdict file whose statuses Jury has changed (000's table).
pub fn recomputed(file: &VerdictFile) -> VerdictFile {
    let Ok(findings) = standings(file) else { return file.clone() };
    let mut tally = crate::model::Tally::default();
    for finding in findings.iter().filter(|finding| finding.status.stands()) {
        tally.add(finding.severity, false);
    }
    let mut file = file.clone();
    let count = |severity| tally.count(severity) as u64;
    file.summary.blocker = count(Severity::Blocker);
    file.summary.high = count(Severity::High);
    file.summary.medium = count(Severity::Medium);
    file.summary.low = count(Severity::Low);
    file.summary.info = count(Severity::Info);
    // What halted the team halts it until a review says otherwise: nobody marks an ABORT away.
    if file.verdict != ReviewVerdict::Abort.token() {
        file.verdict = tally.review().token().to_owned();
    }
    file
}

/// Compares the tree now with the one that was judged; only if it is another, or goes elsewhere, the change itself.
fn compare(
    repository: &Repository,
    snapshot: &Snapshot,
    base: Option<&str>,
    goes_into: &Base,
    record: &Record,
) -> Result<Match, ReviewError> {
    // What has no id, such as a repository inside this one, is in no tree; it is not reviewed all the same.
    let is_same_tree = snapshot.id().as_str() == record.scope.tree && snapshot.is_whole();
    if is_same_tree && goes_into.commit == record.scope.base {
        return Ok(Match::SameTree);
    }
    let scope = repository.scope(snapshot, &Request::Changeset { base: base.map(str::to_owned) })?;
    if scope.patch.as_str() == record.scope.patch && scope.unreviewed.is_empty() {
        return Ok(if is_same_tree { Match::SameTree } else { Match::SamePatch });
    }
    let mut differing = differing(&record.scope, &wire_scope(&scope), is_same_tree);
    if is_same_tree && differing.is_empty() {
        return Ok(Match::SameTree);
    }
    if differing.is_empty() {
        differing.insert("the mode of a file, or the base it is compared with".to_owned());
    }
    Ok(Match::Differs(differing.into_iter().collect()))
}

/// Names the paths that nobody has looked at as they are changed now, those whose change is gone, and what cannot be looked
/// at. In the very tree that was judged, what is no longer a change was still seen.
fn differing(then: &wire::Scope, now: &wire::Scope, is_same_tree: bool) -> BTreeSet<String> {
    let files_then: BTreeMap<&str, &wire::File> = then.files.iter().map(|file| (file.path.as_str(), file)).collect();
    let paths_now: BTreeSet<&str> = now.files.iter().map(|file| file.path.as_str()).collect();
    let is_as_reviewed =
        |file: &wire::File| files_then.get(file.path.as_str()).is_some_and(|was| is_same(was, file, is_same_tree));
    let changed = now.files.iter().filter(|file| !is_as_reviewed(file)).map(|file| &file.path);
    let paths_then = then.files.iter().map(|file| &file.path).chain(then.unreviewed.iter().map(|it| &it.path));
    let gone = paths_then.filter(|path| !is_same_tree && !paths_now.contains(path.as_str()));
    changed.chain(gone).chain(now.unreviewed.iter().map(|unreviewed| &unreviewed.path)).cloned().collect()
}

/// Tells whether a change does to a file what the review saw: the same patch, wherever in the file it lies. A record of
/// before there were patches tells by bytes and lines, which say nothing about another base of the same tree.
fn is_same(then: &wire::File, now: &wire::File, is_same_tree: bool) -> bool {
    match &then.patch {
        Some(patch) => now.patch.as_ref() == Some(patch),
        None => !is_same_tree && *then == wire::File { patch: None, ..now.clone() },
    }
}

/// Says why the review did not see the whole change. One that looked back further than the base saw more than it, but for
/// what was taken back in between, which `compare` names.
fn not_whole(repository: &Repository, now: &Base, record: &Record) -> Result<Option<String>, ReviewError> {
    let scope = &record.scope;
    if scope.kind != ScopeKind::Changeset.token() {
        return Ok(Some(format!("only the {} {} was reviewed", scope.kind, scope.target)));
    }
    let reaches_back = match (&scope.base, &now.commit) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(was), _) if !repository.has_commit(was)? => {
            return Ok(Some(format!("the review compared with a commit of {} that is not here", scope.base_name)));
        }
        (Some(was), Some(is)) => was == is || repository.is_ancestor(was, is)?,
    };
    Ok((!reaches_back)
        .then(|| format!("the review compared with {}, which leaves out part of {}", scope.base_name, now.name)))
}

/// Tells whether the base would have it decided as it was, today. Waivers that came since open nothing by themselves; one
/// that was taken back or altered does not count any more.
fn is_same_policy(repository: &Repository, base: &Base, now: &Timestamp, record: &Record) -> Result<bool, ReviewError> {
    let decided = Decided::read(repository, base)?;
    // A clock that runs behind the review does not bring back a waiver that had ended by then (FAULTS, row 25).
    let reviewed = Timestamp::new(&record.timestamp).map(|at| Day::of(&at)).map_err(|_| unusable("timestamp"))?;
    decided.check_in_force(Day::of(now).max(reviewed))?;
    // Reasons may have lost their secrets in the record, and decide nothing.
    let terms = |waiver: &wire::Waiver| (waiver.finding.clone(), waiver.author.clone(), waiver.expires.clone());
    let in_force: BTreeSet<_> = decided.wire_waivers().iter().map(terms).collect();
    let rules_then = record.runs.iter().find(|run| run.reviewer == PROJECT).map(|run| run.definition.clone());
    let are_same_rules = rules_then == decided.rules.map(Specialist::definition_digest);
    // Whoever is defined otherwise now was never asked; whoever is new is required, and so part of the policy.
    let is_as_asked = |definition: &Definition| {
        // A built-in specialist may go by the same name.
        let is_its = |run: &&wire::Run| run.reviewer == definition.name.as_str() && run.kind == definition.kind.token();
        record.runs.iter().filter(is_its).all(|run| run.definition == definition.digest())
    };
    let are_same_reviewers = decided.config.reviewers.iter().all(is_as_asked);
    let are_kept = record.waivers.iter().map(terms).all(|waiver| in_force.contains(&waiver));
    Ok(decided.policy() == record.policy && are_kept && are_same_rules && are_same_reviewers)
}

fn unusable(member: &'static str) -> ReviewError {
    RecordError { member, what: "it is none of the contract's words".to_owned() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::tests::scope_of;
    use crate::model::Change;

    fn file(path: &str, id: &str, patch: Option<&str>) -> wire::File {
        wire::File {
            path: path.to_owned(),
            change: "modified".to_owned(),
            id: Some(id.to_owned()),
            patch: patch.map(str::to_owned),
            after: vec!["1".to_owned()],
            before: vec!["1".to_owned()],
        }
    }

    fn scope(files: &[wire::File], unreviewed: &[&str]) -> wire::Scope {
        let unreviewed = unreviewed.iter().map(|path| wire::Unreviewed {
            path: (*path).to_owned(),
            why: "binary".to_owned(),
            id: None,
        });
        let empty = wire_scope(&scope_of(Vec::new(), Change::default()));
        wire::Scope { files: files.to_vec(), unreviewed: unreviewed.collect(), ..empty }
    }

    #[test]
    fn only_what_has_another_patch_is_named() {
        let then = scope(&[file("a", "1", Some("p")), file("b", "2", Some("q")), file("c", "3", Some("r"))], &["x"]);
        let now = scope(&[file("a", "9", Some("p")), file("b", "2", Some("z")), file("d", "4", Some("s"))], &["y"]);
        let named: Vec<String> = differing(&then, &now, false).into_iter().collect();
        assert_eq!(named, ["b", "c", "d", "x", "y"]);
        // In the very tree that was judged, what is no change any more was seen.
        let named: Vec<String> = differing(&then, &now, true).into_iter().collect();
        assert_eq!(named, ["b", "d", "y"]);
        assert!(differing(&then, &scope(&then.files, &[]), true).is_empty());
    }

    /// A record of before there were patches.
    #[test]
    fn without_a_patch_bytes_and_lines_tell_and_nothing_about_another_base() {
        let then = scope(&[file("a", "1", None), file("b", "2", None)], &[]);
        let now = scope(&[file("a", "1", Some("p")), file("b", "3", Some("q"))], &[]);
        let named: Vec<String> = differing(&then, &now, false).into_iter().collect();
        assert_eq!(named, ["b"]);
        let named: Vec<String> = differing(&then, &now, true).into_iter().collect();
        assert_eq!(named, ["a", "b"]);
    }

    #[test]
    fn an_older_record_is_read_with_the_defaults() {
        let file: wire::File =
            serde_json::from_str(r#"{"path":"a","change":"added","id":null,"after":[],"before":[]}"#).unwrap();
        assert_eq!(file.patch, None);
        let policy: wire::Policy =
            serde_json::from_str(r#"{"block_at":"High","required":[],"abort_domains":[]}"#).unwrap();
        assert_eq!(policy.accept_wont_fix, crate::model::Policy::default().accept_wont_fix.token());
    }
}
