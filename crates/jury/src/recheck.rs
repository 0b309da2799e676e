//! A second look at what is marked fixed (003, `--verify`): the review and the tree as it is now in; what became of each finding
//! out, saved. And how one full review stands to the one before.
//!
//! Who raised a finding looks again, at the files that hold or may hold it now, and at all that changed since the review; what
//! the look shows is decided by `verify`, from the records alone. Deliberately not here: how findings are followed.

use std::collections::{BTreeMap, BTreeSet};

use jury_rules::{Redactor, broken_file};
use jury_wire::v1::record::{self as wire, Record};

use crate::config::severity;
use crate::dispatch::GateIntegrity;
use crate::gate::{recomputed, record as read, standings};
use crate::judge::{Judgement, RecordError, judge};
use crate::model::{
    Base, Change, ChangedFile, Claim, Day, Domain, FileChange, FindingId, GapKind, Mode, Outcome, RepoPath, Report,
    ReviewVerdict, ReviewerKind, Scope, ScopeKind, Severity, Stated, Status, Timestamp,
};
use crate::review::{
    Asking, Decided, PATIENCE, Progress, ReviewError, Shown, ask, cited_text, hide_secrets, knowing_secrets_of, moved,
    reviewers, snapshot, wire_run, wire_scope,
};
use crate::scope::{Repository, Request, Snapshot};
use crate::store::{Current, Store, VerdictFile, Verified, canonical_json};
use crate::synthesis::Settled;
use crate::verify::{Became, Known, Name, Place, Recheck, Seen, Trace};

/// A second look that was taken and saved.
pub struct Rechecked {
    /// What was looked at, and what became of it.
    pub record: Record,
    /// What was said about it.
    pub verification: wire::Verification,
    /// The verdict file as it is now.
    pub file: VerdictFile,
    /// The findings of the review as they stand now.
    pub report: Report,
    /// What it comes to.
    pub outcome: Outcome,
}

/// Looks again at what is marked fixed. Returns `None` if there is no full review.
pub fn recheck(
    repository: &Repository,
    store: &Store,
    asking: &Asking,
    now: &Timestamp,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Option<Rechecked>, ReviewError> {
    let Some(review) = store.state()?.full else { return Ok(None) };
    let original = read(store, &review.record)?;
    let then = judge(&original)?;
    let asked = of_status(&review, Status::Fixed);
    let snapshot = snapshot(repository, store)?;
    let mut scope = repository.scope(&snapshot, &request(repository, &snapshot, &original.scope)?)?;
    let wire_scope =
        wire::Scope { kind: original.scope.kind.clone(), target: original.scope.target.clone(), ..wire_scope(&scope) };
    // What was verified before may have come back.
    let held = files_of(&[asked.clone(), of_status(&review, Status::Verified)].concat(), &then);
    repository.add_whole(&snapshot, &mut scope, &held.iter().cloned().collect::<Vec<_>>())?;
    let changed = changed(&original.scope, &wire_scope, &snapshot);
    scope.focus = Some(changed.union(&held).cloned().collect());

    let decided = Decided::read(repository, &scope.base)?;
    decided.check_in_force(Day::of(now))?;
    let tree = Shown { repository, snapshot: &snapshot, base: &scope.base };
    let reviewers = reviewers(&decided, false, &asking.trust, &tree, &scope);
    watch(Progress::Started { scope: &scope, reviewers: reviewers.iter().map(|reviewer| reviewer.name()).collect() });
    let runs = ask(store, &decided.config, asking, &reviewers, &scope, watch);

    let mut gaps: Vec<wire::Gap> = moved(repository, store, &scope)?.into_iter().collect();
    let runs = runs.into_iter().map(|run| wire_run(run, &mut gaps)).collect();
    let redactor = knowing_secrets_of(&scope);
    let mut record = Record {
        version: wire::VERSION,
        review_id: original.review_id.clone(),
        timestamp: now.to_string(),
        mode: Mode::Verify.token().to_owned(),
        scope: wire_scope,
        // What was found is judged as it was when it was found; the gate asks whether that still holds.
        policy: original.policy.clone(),
        waivers: original.waivers.clone(),
        runs,
        cited: focused_texts(&scope, &redactor),
        gaps,
        report_path: original.report_path.clone(),
        decision: None,
        since: None,
        verification: None,
    };
    hide_secrets(&mut record, &redactor);
    let asked_of = wire::Verification {
        of: review.record.to_string(),
        statuses: Vec::new(),
        changed: changed.iter().map(ToString::to_string).collect(),
        untested: untested(&original, &record, &scope).iter().map(ToString::to_string).collect(),
        checked: Vec::new(),
        new: Vec::new(),
        beyond: Vec::new(),
        gaps: Vec::new(),
    };
    let looks = Looks { now: judge(&record)?, original, then };
    save(store, &review, &looks, record, asked_of, &asked).map(Some)
}

/// Two looks at the same change.
struct Looks {
    original: Record,
    then: Judgement,
    now: Judgement,
}

/// Decides and saves, under the lock: what was marked in the meantime is left as it is.
fn save(
    store: &Store,
    review: &Current,
    looks: &Looks,
    mut record: Record,
    mut verification: wire::Verification,
    asked: &[String],
) -> Result<Rechecked, ReviewError> {
    let current = store.lock(PATIENCE)?.verify(&review.record, |file| {
        let is_fixed =
            |id: &&String| file.findings.iter().any(|it| it.id == **id && it.status == Status::Fixed.token());
        let asked: Vec<&str> = asked.iter().filter(is_fixed).map(String::as_str).collect();
        verification.statuses = file.findings.iter().map(|finding| finding.status.clone()).collect();
        decide(looks, &record, &mut verification, &asked)?;
        let (file, own) = restated(file, &record, &looks.then, &verification);
        record.decision = Some(file.clone());
        record.verification = Some(verification.clone());
        let value = serde_json::to_value(&record).expect("a record is always JSON");
        let is_halted = file.verdict == ReviewVerdict::Abort.token();
        Ok::<_, ReviewError>(Verified { file, own, record: canonical_json(&value), is_halted })
    })?;
    let outcome = outcome(&current.file, &verification, &record)?;
    let report = report(&looks.then, &current.file, &verification)?;
    Ok(Rechecked { record, verification, file: current.file, report, outcome })
}

/// Says the findings of the review as they stand now.
fn report(then: &Judgement, file: &VerdictFile, verification: &wire::Verification) -> Result<Report, RecordError> {
    let mut report = then.report.clone();
    for (claim, finding) in report.claims.iter_mut().zip(&file.findings) {
        claim.status = Status::from_token(&finding.status);
    }
    let at = Timestamp::new(&file.timestamp).map_err(|error| unusable("timestamp", &error.to_string()))?;
    report.stated = ReviewVerdict::from_token(&file.verdict).map(Stated::Review);
    report.facts.mode = Some(Mode::Verify);
    report.facts.timestamp = Some(at);
    report.facts.re_review_required = Some(!verification.beyond.is_empty());
    Ok(report)
}

/// Decides again from the records alone; returns the verdict file as it became.
pub fn replay(original: Record, record: &Record) -> Result<VerdictFile, RecordError> {
    let missing = |member| RecordError { member, what: "it is not there".to_owned() };
    let mut verification = record.verification.clone().ok_or_else(|| missing("verification"))?;
    let mut file = original.decision.clone().ok_or_else(|| missing("decision"))?;
    let looks = Looks { then: judge(&original)?, now: judge(record)?, original };
    let asked: Vec<String> = verification.checked.iter().map(|checked| checked.id.clone()).collect();
    decide(&looks, record, &mut verification, &asked.iter().map(String::as_str).collect::<Vec<_>>())?;
    for (finding, status) in file.findings.iter_mut().zip(&verification.statuses) {
        finding.status.clone_from(status);
    }
    // An abort may have been lifted by an earlier look; what stands decides either way.
    Ok(restated(&file, record, &looks.then, &verification).0)
}

/// Says what became of what was asked about, what is new, and where more has changed.
fn decide(
    looks: &Looks,
    record: &Record,
    verification: &mut wire::Verification,
    asked: &[&str],
) -> Result<(), RecordError> {
    let path = |text: &String| RepoPath::new(text).map_err(|error| unusable("verification", &error.to_string()));
    let changed: BTreeSet<RepoPath> = verification.changed.iter().map(path).collect::<Result<_, _>>()?;
    let untested: BTreeSet<RepoPath> = verification.untested.iter().map(path).collect::<Result<_, _>>()?;
    let seen_now = |file: &RepoPath| record.cited.contains_key(file.as_str());
    // What stands in a file that nobody looked at again is not compared; what stood in one that is gone is.
    let is_compared = |file: &RepoPath| changed.contains(file) || seen_now(file);
    let then = Listed::of(&looks.then, &looks.original, &is_compared)?;
    let now = Listed::of(&looks.now, record, &seen_now)?;
    let recheck = Recheck::new(&then.seen, &now.seen);
    let ignored = (0..now.settled.len()).filter(|at| now.settled[*at].ignored().is_some()).collect();
    let known = Known { ignored, unread: unread(record, &looks.now), untested };
    let mut fixed = Vec::new();
    verification.checked.clear();
    for (index, finding) in looks.then.file.findings.iter().enumerate() {
        let at = looks.then.settled(&finding.id).and_then(|settled| then.at(settled));
        let is_asked = asked.contains(&finding.id.as_str());
        if is_asked {
            let became = match at {
                None => unknown("only a full review can tell whether what was missing is there now"),
                Some(at) => match unheard(then.settled[at], &looks.original, record, &looks.now) {
                    Some(why) => unknown(&why),
                    None => recheck.ask(at, &known),
                },
            };
            verification.checked.push(checked(&finding.id, became));
        }
        let was_verified = verification.statuses.get(index).is_some_and(|status| status == Status::Verified.token());
        fixed.extend(at.filter(|_| is_asked || was_verified));
    }
    let is_verified = |settled: &Settled| {
        let index = looks.then.file.findings.iter().position(|finding| finding.id == settled.finding.id.as_str());
        let status = index.and_then(|index| verification.statuses.get(index));
        status.is_some_and(|status| status == Status::Verified.token())
    };
    verification.new = new(&recheck, &then, &now, &is_verified);
    verification.beyond = beyond(&recheck, &fixed, looks, record, &changed);
    verification.gaps = gaps(looks, record);
    Ok(())
}

/// The findings of a judgement that are compared, in one list: what stands first.
struct Listed<'j> {
    settled: Vec<&'j Settled>,
    standing: usize,
    seen: Seen,
}

impl<'j> Listed<'j> {
    fn of(
        judgement: &'j Judgement,
        record: &Record,
        is_compared: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<Self, RecordError> {
        let mut listed = Self { settled: Vec::new(), standing: 0, seen: Seen::default() };
        for (nth, list) in judgement.merged.synthesis.lists().into_iter().enumerate() {
            for settled in list {
                let trace = trace(settled);
                if trace.place.as_ref().is_none_or(|place| is_compared(&place.file)) {
                    listed.settled.push(settled);
                    listed.seen.traces.push(trace);
                }
            }
            if nth == 0 {
                listed.standing = listed.settled.len();
            }
        }
        for (path, text) in &record.cited {
            let path = RepoPath::new(path).map_err(|error| unusable("cited", &error.to_string()))?;
            if is_compared(&path) {
                listed.seen.texts.insert(path, text.clone());
            }
        }
        Ok(listed)
    }

    fn at(&self, settled: &Settled) -> Option<usize> {
        self.settled.iter().position(|other| std::ptr::eq(*other, settled))
    }
}

/// Says how a finding can be known again.
fn trace(settled: &Settled) -> Trace {
    let finding = &settled.finding;
    let name = |claim: &Claim| Name {
        domain: claim.reviewer.clone().unwrap_or_else(|| finding.domain.clone()),
        what: claim.rule.clone().unwrap_or_else(|| claim.title.normalised()),
        cwe: claim.cwe.first().copied(),
    };
    let location = finding.representative.location.as_ref();
    let location = location.filter(|location| location.file.as_str() != FindingId::WHOLE_REPOSITORY);
    Trace {
        names: finding.claims().map(name).collect(),
        title: finding.representative.title.to_string(),
        quote: finding.representative.evidence.first().cloned(),
        place: location.map(|location| Place {
            file: location.file.clone(),
            line: location.lines.map(|lines| lines.start().get()),
        }),
    }
}

/// Says why whoever raised a finding could not be asked again, if so.
fn unheard(settled: &Settled, original: &Record, record: &Record, now: &Judgement) -> Option<String> {
    if let Some(gap) = record.gaps.iter().find(|gap| gap.kind == GapKind::UnknownState.token()) {
        return Some(gap.what.clone());
    }
    let raised = settled.finding.claims().filter_map(|claim| claim.reviewer.as_ref());
    let unheard = |domain: &Domain| {
        // Several may look at one domain, and any of them may be the one that raised it.
        // What was only asked because somebody was not sure says so itself, if it was not heard.
        let is_of = |run: &wire::Run| run.domain.as_ref().unwrap_or(&run.reviewer) == domain.as_str() && !run.again;
        let of = |run: &&wire::Run| is_of(run);
        let then: Vec<&wire::Run> = original.runs.iter().filter(of).filter(|run| run.skipped.is_none()).collect();
        let runs: Vec<&wire::Run> = record.runs.iter().filter(of).collect();
        let is_asked_again = |was: &&wire::Run| runs.iter().any(|run| run.reviewer == was.reviewer);
        if runs.is_empty() || !then.iter().all(is_asked_again) {
            return Some(format!("{domain} cannot be asked again"));
        }
        let unanswered = runs.iter().find_map(|run| unanswered(run, &then));
        unanswered.or_else(|| not_understood(domain, now))
    };
    raised.into_iter().find_map(unheard)
}

/// Says why a run tells nothing about what was found in the runs of a review, if so.
fn unanswered(run: &wire::Run, then: &[&wire::Run]) -> Option<String> {
    let name = &run.reviewer;
    let was = then.iter().find(|was| was.reviewer == *name);
    match run {
        wire::Run { skipped: Some(why), .. } => was.map(|_| format!("{name} was not asked again: {why}")),
        wire::Run { failure: Some(why), .. } => Some(format!("{name} did not report: {why}")),
        wire::Run { output: None, .. } => Some(format!("{name} did not report: it returned nothing")),
        _ if was.is_some_and(|was| was.definition != run.definition) => {
            Some(format!("{name} is not defined as it was in the review; a full review asks it anew"))
        }
        _ => None,
    }
}

/// Says what was not understood of what a domain's reviewers say now: what they do not say is then no proof.
fn not_understood(domain: &Domain, now: &Judgement) -> Option<String> {
    let gaps = now.merged.gaps.iter().filter(|gap| gap.reviewer == *domain);
    let mut gaps = gaps.filter(|gap| matches!(gap.kind, GapKind::DeadReviewer | GapKind::UnreadableOutput));
    gaps.next().map(|gap| gap.what.clone())
}

fn unknown(why: &str) -> Became {
    Became::Unknown { why: why.to_owned() }
}

fn checked(id: &str, became: Became) -> wire::Rechecked {
    let (status, why, place) = match became {
        Became::Verified => (Status::Verified, None, None),
        Became::Reopened { why, place } => (Status::Reopened, Some(why), place),
        Became::Unknown { why } => (Status::Fixed, Some(why), None),
    };
    wire::Rechecked { id: id.to_owned(), status: status.token().to_owned(), why, place: place.as_ref().map(shown) }
}

fn shown(place: &Place) -> String {
    let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{line}", place.file)
}

/// Returns what was not obtained now and was then; and who is not as it was in the review, for only a part of the change is
/// looked at again, and the rest was never seen by who it is now.
fn gaps(looks: &Looks, record: &Record) -> Vec<String> {
    let known: BTreeSet<&str> = looks.then.merged.gaps.iter().map(|gap| gap.what.as_str()).collect();
    let new = looks.now.merged.gaps.iter().map(|gap| gap.what.as_str()).filter(|what| !known.contains(what));
    let who = |runs: &[wire::Run]| -> BTreeMap<(String, String), String> {
        let name = |run: &wire::Run| (run.reviewer.clone(), run.kind.clone());
        let told = runs.iter().filter(|run| run.kind != ReviewerKind::Team.token() && !run.again);
        told.map(|run| (name(run), run.definition.clone())).collect()
    };
    let (then, now) = (who(&looks.original.runs), who(&record.runs));
    let names: BTreeSet<&(String, String)> = then.keys().chain(now.keys()).collect();
    let others = names.into_iter().filter(|name| then.get(*name) != now.get(*name));
    let others = others.map(|(name, _)| format!("{name} is not defined as it was in the review"));
    new.map(str::to_owned).chain(others).collect()
}

/// Returns what stands now and did not before. What came back after it was verified is new once more.
fn new(
    recheck: &Recheck<'_>,
    then: &Listed<'_>,
    now: &Listed<'_>,
    is_verified: &dyn Fn(&Settled) -> bool,
) -> Vec<wire::NewFinding> {
    let stood = recheck.followed().iter().zip(&then.settled).take(then.standing);
    let stood = stood.filter(|(_, settled)| !is_verified(settled)).filter_map(|(followed, _)| *followed);
    let stood: BTreeSet<usize> = stood.map(|followed| followed.to).collect();
    let is_new = |at: &usize| !stood.contains(at) && now.settled[*at].finding.severity() != Severity::Praise;
    let finding = |at: usize| {
        let finding = &now.settled[at].finding;
        wire::NewFinding {
            domain: finding.domain.to_string(),
            severity: finding.severity().word().to_owned(),
            title: finding.representative.title.to_string(),
            place: now.seen.traces[at].place.as_ref().map(shown).unwrap_or_default(),
        }
    };
    (0..now.standing).filter(is_new).map(finding).collect()
}

/// Returns the paths where more has changed than was fixed: in a file, more than the neighbourhood of what was; or a file that
/// nobody has reviewed.
fn beyond(
    recheck: &Recheck<'_>,
    fixed: &[usize],
    looks: &Looks,
    record: &Record,
    changed: &BTreeSet<RepoPath>,
) -> Vec<String> {
    let compared = |path: &RepoPath| looks.original.cited.contains_key(path.as_str());
    let followed = recheck.moved_files();
    let unseen = changed.iter().filter(|path| !compared(path) && !followed.contains(*path)).cloned();
    let seen = recheck.beyond(fixed).into_iter().filter(|path| changed.contains(path));
    let is_known = |it: &&wire::Unreviewed| looks.original.scope.unreviewed.contains(it);
    let unreviewed = record.scope.unreviewed.iter().filter(|it| !is_known(it)).map(|it| it.path.clone());
    let mut paths: Vec<String> = unseen.chain(seen).map(|path| path.to_string()).chain(unreviewed).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Returns the files that nobody could read in full, with the reason.
fn unread(record: &Record, now: &Judgement) -> BTreeMap<RepoPath, String> {
    let notes = now.merged.synthesis.residual_risks.iter();
    let broken = notes.filter_map(|note| Some((broken_file(note)?, "it has a syntax error")));
    let unreviewed = record.scope.unreviewed.iter().map(|it| (it.path.as_str(), it.why.as_str()));
    let skipped = record.gaps.iter().filter(|gap| gap.kind == GapKind::UncoveredHunk.token());
    let skipped = skipped.filter_map(|gap| gap.what.split_once(" was not looked at: "));
    let all = broken.chain(unreviewed).chain(skipped);
    all.filter_map(|(path, why)| Some((RepoPath::new(path).ok()?, why.to_owned()))).collect()
}

/// Writes the verdict file anew (000, lifecycle rule 2), and says which statuses are now Jury's own word.
fn restated(
    file: &VerdictFile,
    record: &Record,
    then: &Judgement,
    verification: &wire::Verification,
) -> (VerdictFile, Vec<(usize, Status)>) {
    let mut file = file.clone();
    file.mode = Mode::Verify.token().to_owned();
    file.timestamp.clone_from(&record.timestamp);
    let mut own = Vec::new();
    for (index, finding) in file.findings.iter_mut().enumerate() {
        let checked = verification.checked.iter().find(|checked| checked.id == finding.id);
        let status = checked.and_then(|checked| Status::from_token(&checked.status));
        if let Some(status) = status.filter(|status| *status != Status::Fixed) {
            finding.status = status.token().to_owned();
            own.push((index, status));
        }
    }
    let halts = |finding: &&jury_wire::v1::code_review::Finding| {
        let settled = then.settled(&finding.id).map(|settled| &settled.finding);
        let is_by_policy = record.policy.abort_domains.contains(&finding.domain);
        finding.severity == Severity::Blocker.word()
            && (is_by_policy || settled.is_some_and(|it| it.is_system_breaking()))
    };
    let is_lifted = file.findings.iter().filter(halts).all(|finding| finding.status == Status::Verified.token());
    if is_lifted && file.verdict == ReviewVerdict::Abort.token() {
        file.verdict = ReviewVerdict::Fail.token().to_owned();
    }
    (recomputed(&file), own)
}

/// Says what a second look comes to, and so the exit code.
fn outcome(file: &VerdictFile, verification: &wire::Verification, record: &Record) -> Result<Outcome, ReviewError> {
    let block_at = severity(&record.policy.block_at).ok_or_else(|| unusable("policy.block_at", "no severity"))?;
    let standings = standings(file)?;
    let blocks = |of: Severity| of.is_at_least(block_at);
    let stands = standings.iter().any(|it| !it.is_gap && it.status.stands() && blocks(it.severity));
    let comes = verification.new.iter().filter_map(|new| severity(&new.severity)).any(blocks);
    let is_untold = verification.checked.iter().any(|checked| checked.status == Status::Fixed.token());
    let is_missing = !verification.gaps.is_empty() || standings.iter().any(|it| it.is_gap);
    let is_incomplete = is_untold || is_missing || !verification.beyond.is_empty();
    Ok(if file.verdict == ReviewVerdict::Abort.token() {
        Outcome::Aborted
    } else if stands || comes {
        Outcome::Blocked
    } else if is_incomplete {
        Outcome::Incomplete
    } else {
        Outcome::Clear
    })
}

fn of_status(review: &Current, status: Status) -> Vec<String> {
    let such = review.file.findings.iter().filter(|finding| finding.status == status.token());
    such.map(|finding| finding.id.clone()).collect()
}

/// Returns the files that findings stand in.
fn files_of(ids: &[String], then: &Judgement) -> BTreeSet<RepoPath> {
    let settled = ids.iter().filter_map(|id| then.settled(id));
    settled.filter_map(|settled| trace(settled).place).map(|place| place.file).collect()
}

/// Asks for the same change again: against the branch it was compared with, as that is now, if it only went on; else against
/// the very commit. What came with the branch is not the change.
fn request(repository: &Repository, snapshot: &Snapshot, scope: &wire::Scope) -> Result<Request, ReviewError> {
    let then = Base { name: scope.base_name.clone(), commit: scope.base.clone(), tip: None };
    let is_ancestor = |newer: &str| match &then.commit {
        Some(commit) => repository.is_ancestor(commit, newer).unwrap_or(false),
        None => true,
    };
    let now = repository.base_of(snapshot, Some(&then.name)).ok().filter(|now| now.name == then.name);
    if let Some(now) = now.filter(|now| now.commit.as_deref().is_some_and(is_ancestor)) {
        return Ok(Request::Since { base: now });
    }
    if is_ancestor("HEAD") {
        return Ok(Request::Since { base: then });
    }
    Ok(Request::Changeset { base: None })
}

/// Returns the paths whose content is not what was reviewed. Beside a whole change, only what was in scope counts.
fn changed(then: &wire::Scope, now: &wire::Scope, snapshot: &Snapshot) -> BTreeSet<RepoPath> {
    let by_path = |scope: &'_ wire::Scope| -> BTreeMap<String, wire::File> {
        scope.files.iter().map(|file| (file.path.clone(), file.clone())).collect()
    };
    let (was, is) = (by_path(then), by_path(now));
    let is_whole_change = then.kind == ScopeKind::Changeset.token();
    let paths: BTreeSet<&String> = was.keys().chain(is.keys().filter(|_| is_whole_change)).collect();
    let changed = |path: &RepoPath| match (was.get(path.as_str()), is.get(path.as_str())) {
        (Some(was), Some(is)) if was.patch.is_some() => was.patch != is.patch,
        (Some(was), _) => was.id != snapshot.file_id(path),
        (None, _) => true,
    };
    paths.into_iter().filter_map(|path| RepoPath::new(path).ok()).filter(changed).collect()
}

fn focused_texts(scope: &Scope, redactor: &Redactor) -> BTreeMap<String, String> {
    let focused = scope.files.iter().filter(|file| scope.is_in_focus(&file.path));
    let text = |file: &ChangedFile| Some((file.path.to_string(), cited_text(file.after.as_deref()?, redactor)));
    focused.filter_map(text).collect()
}

/// Returns the files from which tests were removed since the review, as far as its record has their text.
fn untested(original: &Record, record: &Record, scope: &Scope) -> BTreeSet<RepoPath> {
    let file = |path: &String| {
        let (before, after) = (original.cited.get(path), record.cited.get(path));
        let path = RepoPath::new(path).ok()?;
        let bytes = |text: Option<&String>| text.map(|text| text.as_bytes().into());
        let change = if after.is_none() { FileChange::Deleted } else { FileChange::Modified };
        let is_same = before == after || (after.is_none() && !scope.is_in_focus(&path));
        let file = ChangedFile {
            path,
            change,
            id: None,
            patch: scope.patch.clone(),
            before: bytes(before),
            after: bytes(after),
            is_symlink: false,
        };
        (!is_same).then_some(file)
    };
    let paths: BTreeSet<&String> = original.cited.keys().chain(record.cited.keys()).collect();
    let files = paths.into_iter().filter_map(file).collect();
    GateIntegrity::untested(&Scope { files, change: Change::default(), ..scope.clone() })
}

/// Says how the findings of a full review stand to those of the one before.
pub(crate) fn since(store: &Store, before: &Current, record: &Record, now: &Judgement) -> Option<wire::Since> {
    let original = read(store, &before.record).ok()?;
    let then = judge(&original).ok()?;
    let (then, now) = (Listed::of(&then, &original, &|_| true).ok()?, Listed::of(now, record, &|_| true).ok()?);
    let followed = crate::verify::follow(&then.seen, &now.seen);
    let mut since = wire::Since { review_id: original.review_id.clone(), new: 0, persisting: 0, moved: 0, gone: 0 };
    let mut known = BTreeSet::new();
    for (trace, followed) in then.seen.traces.iter().zip(&followed).take(then.standing) {
        match followed.filter(|followed| followed.to < now.standing) {
            None => since.gone += 1,
            Some(followed) if now.seen.traces[followed.to].place == trace.place => since.persisting += 1,
            Some(_) => since.moved += 1,
        }
        known.extend(followed.map(|followed| followed.to));
    }
    since.new = (0..now.standing).filter(|at| !known.contains(at)).count();
    Some(since)
}

/// Says which finding of a later review each finding of an earlier one is, by their ids in the two verdict files.
pub(crate) fn followed(then: &Record, now: &Record) -> Result<BTreeMap<String, String>, RecordError> {
    let (judged_then, judged_now) = (judge(then)?, judge(now)?);
    let old = Listed::of(&judged_then, then, &|_| true)?;
    let new = Listed::of(&judged_now, now, &|_| true)?;
    let pairs = crate::verify::follow(&old.seen, &new.seen).into_iter().zip(&old.settled).take(old.standing);
    let pairs = pairs.filter_map(|(followed, settled)| Some((settled, followed?.to)));
    let standing = pairs.filter(|(_, to)| *to < new.standing);
    Ok(standing.map(|(was, to)| (was.finding.id.to_string(), new.settled[to].finding.id.to_string())).collect())
}

fn unusable(member: &'static str, what: &str) -> RecordError {
    RecordError { member, what: what.to_owned() }
}
