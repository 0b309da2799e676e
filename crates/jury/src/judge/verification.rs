//! A verification decided: the review and its judgement, the later look and its judgement in; the result for each finding that
//! was marked fixed, new findings, changes beyond the fixes and gaps out (003, `--verify`). Pure: a replay is the
//! same function.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::code_review::ReviewVerdict as VerdictFile;

use super::listing::{Listing, features};
use super::{Judgement, Settled};
use crate::model::{
    Became, Domain, Features, FormerName, GapKind, RepoPath, ReviewerKind, Severity, Status, Unreviewed,
};
use crate::record::{NewFinding, NoAnswer, NotRead, Recheck, Record, Run, Verification, status_of};
use crate::verify::{Comparison, TreeFacts, follow, successors};

/// A review and a later look at the same change, each judged.
pub struct Looks {
    /// The record of the review.
    pub review: Record,
    /// The judgement of the review.
    pub then: Judgement,
    /// The judgement of the later look.
    pub now: Judgement,
}

impl Looks {
    /// Decides about the findings that are asked about. `verification` comes with the statuses, the changed files and the files
    /// that lost tests; the rest is filled in.
    pub fn decide(&self, record: &Record, verification: &mut Verification, asked: &[String]) {
        let changed = &verification.changed;
        let seen_now = |file: &RepoPath| record.cited.contains_key(file);
        // A finding in a file that was not reviewed again is not compared; one in a removed file is.
        let is_compared = |file: &RepoPath| changed.contains(file) || seen_now(file);
        let then = Listing::of(&self.then, &self.review, &is_compared);
        let now = Listing::of(&self.now, record, &seen_now);
        let comparison = Comparison::new(&then.tree, &now.tree);
        let ignored = (0..now.settled.len()).filter(|at| now.settled[*at].ignored().is_some()).collect();
        let facts = TreeFacts { ignored, unread: unread(record), untested: verification.untested.clone() };
        let was_verified = |index: usize| verification.statuses.get(index) == Some(&Status::Verified);
        let mut fixed = Vec::new();
        let mut checked = Vec::new();
        for (index, finding) in self.then.file.findings.iter().enumerate() {
            let at = self.then.settled(&finding.id).and_then(|settled| then.at(settled));
            let is_asked = asked.contains(&finding.id);
            if is_asked {
                let became = match at {
                    None => unknown("only a full review can close a gap"),
                    Some(at) => match self.unheard(then.settled[at], record, comparison.moved_to(at)) {
                        Some(why) => unknown(&why),
                        None => self.unless_unchecked(then.settled[at], record, comparison.ask(at, &facts)),
                    },
                };
                checked.push(Recheck { id: finding.id.clone(), became });
            }
            fixed.extend(at.filter(|_| is_asked || was_verified(index)));
        }
        let is_verified = |settled: &Settled| {
            let findings = &self.then.file.findings;
            findings.iter().position(|it| it.id == settled.finding.id.as_str()).is_some_and(was_verified)
        };
        let new = new(&comparison, &then, &now, &is_verified);
        let beyond = self.beyond(&comparison, &fixed, record, changed);
        let gaps = self.gaps(record);
        *verification = Verification { checked, new, beyond, gaps, ..verification.clone() };
    }

    /// Returns what the waivers name on which the review or the later look rests, if the review says it.
    pub fn waivers(&self, record: &Record) -> Option<BTreeSet<String>> {
        let mut waivers = self.review.decision.as_ref()?.waived.clone()?;
        waivers.extend(self.now.waivers(record).cloned());
        Some(waivers)
    }

    /// A fix that asks for verification is not verified while a check does not pass that the fixes may have broken.
    fn unless_unchecked(&self, settled: &Settled, record: &Record, became: Became) -> Became {
        let asks = settled.finding.claims().any(|claim| claim.requires_verification == Some(true));
        let is_broken = |run: &&Run| match run.checked() {
            Some(result) => result.is_broken_by_change(),
            None => run.failure().is_some() && run.has_to_answer(),
        };
        let mut checks = record.runs.iter().filter(|run| run.kind == ReviewerKind::Check);
        match checks.find(is_broken) {
            Some(check) if asks && became == Became::Verified => {
                unknown(&format!("the check {} does not pass", check.reviewer))
            }
            _ => became,
        }
    }

    /// Says why the reviewer that raised a finding could not be asked again, if so.
    fn unheard(&self, settled: &Settled, record: &Record, moved_to: Option<&RepoPath>) -> Option<String> {
        if let Some(gap) = record.gaps.iter().find(|gap| gap.kind == GapKind::UnknownState) {
            return Some(gap.what.clone());
        }
        let unheard = |domain: &Domain| {
            // Several may look at one domain, and any of them may have raised it. A second question says itself if it was not
            // heard.
            let of = |run: &&Run| run.domain == *domain && !run.is_again && run.stands_in_for.is_none();
            let then: Vec<&Run> = self.review.runs.iter().filter(of).filter(|run| run.skipped().is_none()).collect();
            let runs: Vec<&Run> = record.runs.iter().filter(of).collect();
            let is_asked_again = |was: &&Run| runs.iter().any(|run| run.reviewer == was.reviewer);
            if runs.is_empty() || !then.iter().all(is_asked_again) {
                return Some(format!("{domain} cannot be asked again"));
            }
            let is_replaced = |run: &&&Run| record.replaced_by(run).is_some();
            let unanswered = runs.iter().filter(|run| !is_replaced(run)).find_map(|run| unanswered(run, &then));
            // A tool chooses files by their names.
            let is_left_out = |path: &&RepoPath| {
                let tools: Vec<&&Run> = runs.iter().filter(|run| run.kind == ReviewerKind::Tool).collect();
                let is_given = |run: &&&Run| run.files.as_ref().is_none_or(|files| files.contains(path));
                !tools.is_empty() && tools.len() == runs.len() && !tools.iter().any(is_given)
            };
            let left_out = || moved_to.filter(is_left_out).map(|path| format!("{domain} was not asked about {path}"));
            unanswered.or_else(|| self.not_understood(domain)).or_else(left_out)
        };
        settled.finding.claims().filter_map(|claim| claim.reviewer.as_ref()).find_map(unheard)
    }

    /// Returns the gaps of a domain's reviewers now: silence is then no proof.
    fn not_understood(&self, domain: &Domain) -> Option<String> {
        let gaps = self.now.merged.gaps.iter().filter(|gap| gap.reviewer == *domain);
        let mut gaps = gaps.filter(|gap| is_silence(gap.kind));
        gaps.next().map(|gap| gap.what.clone())
    }

    /// Returns the gaps of the look that the review did not have, and the reviewers that are not as they were: the rest of the
    /// change was never seen by those of now.
    fn gaps(&self, record: &Record) -> Vec<String> {
        let known: BTreeSet<&str> = self.then.merged.gaps.iter().map(|gap| gap.what.as_str()).collect();
        let new = self.now.merged.gaps.iter().map(|gap| gap.what.as_str()).filter(|what| !known.contains(what));
        let (then, now) = (definitions(&self.review.runs), definitions(&record.runs));
        let names: BTreeSet<&(&str, &str)> = then.keys().chain(now.keys()).collect();
        let others = names.into_iter().filter(|name| then.get(*name) != now.get(*name));
        let others = others.map(|(name, _)| format!("the definition of {name} changed since the review"));
        new.map(str::to_owned).chain(others).collect()
    }

    /// Returns the paths with changes beside the fixes: in a file, beyond the neighbourhood of a fix; or a file that was not
    /// reviewed.
    fn beyond(
        &self,
        comparison: &Comparison<'_>,
        fixed: &[usize],
        record: &Record,
        changed: &BTreeSet<RepoPath>,
    ) -> Vec<String> {
        let followed = comparison.moved_files();
        let unseen = changed.iter().filter(|path| !self.review.cited.contains_key(*path) && !followed.contains(*path));
        let seen = comparison.beyond(fixed).into_iter().filter(|path| changed.contains(path));
        let is_known = |it: &&Unreviewed| self.review.scope.unreviewed.contains(it);
        let not_read = NotRead::of(record);
        let unreviewed = record.scope.unreviewed.iter().filter(|it| !is_known(it) && !not_read.has(&it.path));
        let unreviewed = unreviewed.map(|it| it.path.clone());
        let paths = unseen.cloned().chain(seen).map(|path| path.to_string()).chain(unreviewed);
        paths.collect::<BTreeSet<String>>().into_iter().collect()
    }
}

/// Returns which finding of a later review each finding of an earlier one is, by their ids in the two verdict files.
pub fn followed(then: (&Record, &Judgement), now: (&Record, &Judgement)) -> BTreeMap<String, String> {
    let (old, new) = (Listing::of_all(then.1, then.0), Listing::of_all(now.1, now.0));
    let pairs = follow(&old.tree, &new.tree).into_iter().zip(&old.settled).take(old.open);
    let pairs = pairs.filter_map(|(followed, settled)| Some((settled, followed?.to)));
    let open = pairs.filter(|(_, to)| *to < new.open);
    open.map(|(was, to)| (was.finding.id.to_string(), new.settled[to].finding.id.to_string())).collect()
}

/// Returns the ids of the findings of a verdict file that have a status.
pub fn with_status(file: &VerdictFile, status: Status) -> Vec<String> {
    let such = file.findings.iter().filter(|finding| status_of(finding) == Some(status));
    such.map(|finding| finding.id.clone()).collect()
}

/// Returns the files that findings are in.
pub fn files_of(ids: &[String], then: &Judgement) -> BTreeSet<RepoPath> {
    let settled = ids.iter().filter_map(|id| then.settled(id));
    settled.filter_map(|settled| features(settled).place).map(|place| place.file).collect()
}

/// Returns the files of a later tree that may hold the code of findings under another name, with the names it had.
pub fn former_names<'t>(
    ids: &[String],
    (review, then): (&Record, &Judgement),
    now: impl Iterator<Item = (&'t RepoPath, &'t str)>,
) -> BTreeMap<RepoPath, Vec<FormerName>> {
    let features: Vec<Features> = ids.iter().filter_map(|id| then.settled(id)).map(features).collect();
    successors(&features, &review.cited, now)
}

/// Tells whether a reviewer with such a gap has said less than it was asked, so that what it does not say proves nothing.
fn is_silence(kind: GapKind) -> bool {
    match kind {
        GapKind::DeadReviewer | GapKind::UnreadableOutput | GapKind::UnknownState => true,
        GapKind::UnreadableFile | GapKind::UncoveredHunk => false,
    }
}

/// Says why a run tells nothing about the findings of the runs of a review, if so.
fn unanswered(run: &Run, then: &[&Run]) -> Option<String> {
    let name = &run.reviewer;
    let was = then.iter().find(|was| was.reviewer == *name);
    match &run.result {
        Err(NoAnswer::Skipped(why)) => was.map(|_| format!("{name} was not asked again: {why}")),
        Err(NoAnswer::Failed { why, .. }) => Some(format!("{name} did not report: {why}")),
        Ok(_) if was.is_some_and(|was| was.definition != run.definition) => {
            Some(format!("the definition of {name} changed since the review; run a full review"))
        }
        Ok(_) => None,
    }
}

fn unknown(why: &str) -> Became {
    Became::Unknown { why: why.to_owned() }
}

/// Returns the definition of each reviewer that was asked first, by its name and kind.
fn definitions(runs: &[Run]) -> BTreeMap<(&str, &str), &str> {
    let told = runs.iter().filter(|run| run.kind != ReviewerKind::Team && !run.is_again && run.stands_in_for.is_none());
    told.map(|run| ((run.reviewer.as_str(), run.kind.token()), run.definition.as_str())).collect()
}

/// Returns the findings that stand now and did not before. One that came back after it was verified is new once more.
fn new(
    comparison: &Comparison<'_>,
    then: &Listing<'_>,
    now: &Listing<'_>,
    is_verified: &dyn Fn(&Settled) -> bool,
) -> Vec<NewFinding> {
    let stood = comparison.followed().iter().zip(&then.settled).take(then.open);
    let stood = stood.filter(|(_, settled)| !is_verified(settled)).filter_map(|(followed, _)| *followed);
    let stood: BTreeSet<usize> = stood.map(|followed| followed.to).collect();
    let is_new = |at: &usize| !stood.contains(at) && now.settled[*at].finding.severity() != Severity::Praise;
    let finding = |at: usize| {
        let finding = &now.settled[at].finding;
        NewFinding {
            domain: finding.domain.clone(),
            severity: finding.severity(),
            title: finding.representative.title.to_string(),
            place: now.tree.features[at].place.clone(),
        }
    };
    (0..now.open).filter(is_new).map(finding).collect()
}

/// Returns the files that no reviewer could read in full, each with the reason.
fn unread(record: &Record) -> BTreeMap<RepoPath, String> {
    let answers = || record.runs.iter().filter_map(|run| run.answer());
    let broken = answers().flat_map(|answer| &answer.broken).map(|path| (path.clone(), "it has a syntax error"));
    let unreviewed = record.scope.unreviewed.iter();
    let unreviewed = unreviewed.filter_map(|it| Some((RepoPath::new(&it.path).ok()?, it.why.token())));
    let unseen = answers().flat_map(|answer| &answer.unseen).map(|it| (it.path.clone(), it.why.as_str()));
    broken.chain(unreviewed).chain(unseen).map(|(path, why)| (path, why.to_owned())).collect()
}
