//! The latest review in; its rewrites made in the working tree, as far as they hold, and marked `fixed`.
//!
//! A rewrite is tried on the text first: it is kept if the finding is gone and nothing new has come, so that what does not
//! hold never reaches the disk. Deliberately not here: what a rewrite is, which its rule states, and anything that is shown.

use std::collections::{BTreeMap, BTreeSet};

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use jury_rules::{Rewrite, SPECIALISTS, SourceFile, Specialist};
use jury_wire::v1::code_review::Finding;
use jury_wire::v1::record::Record;

use crate::gate::{recomputed, record};
use crate::judge::{Judgement, judge};
use crate::model::{AutofixClass, Base, Claim, LineRange, Mode, RepoPath, Status, Timestamp};
use crate::review::{Decided, PATIENCE, ReviewError, judging_base, snapshot};
use crate::scope::Repository;
use crate::store::{Current, Locked, Store, StoreError, VerdictFile};

/// What somebody asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The ids of findings, whatever their class.
    pub ids: Vec<String>,
    /// Whether all that are `safe_auto` are meant, too.
    pub safe: bool,
    /// Whether nothing is to be written.
    pub dry_run: bool,
    /// The time, in UTC.
    pub now: Timestamp,
}

/// What became of one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Where it was, as a person reads it.
    pub place: String,
    /// How it ended.
    pub end: End,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The finding is gone, and nothing new has come.
    Fixed,
    /// It was tried and did not hold; the file is as it was.
    RolledBack(String),
    /// It was not tried.
    Skipped(String),
}

/// What became of all.
#[derive(Debug, Default)]
pub struct Fixes {
    /// The findings, by file and line.
    pub attempts: Vec<Attempt>,
    /// What was, or would be, changed: files with unified diffs.
    pub diffs: Vec<(RepoPath, String)>,
    /// The verdict file with what was marked; `None` if nothing was.
    pub marked: Option<VerdictFile>,
    /// The ids of open findings that have a rewrite which is made only if they are named.
    pub only_named: Vec<String>,
}

/// A finding that is to be fixed, with the claim whose rule states how.
struct Wanted<'j> {
    finding: &'j Finding,
    claim: &'j Claim,
    specialist: &'static Specialist,
    path: &'j RepoPath,
}

/// A file that was rewritten in memory.
struct Rewritten {
    path: RepoPath,
    before: String,
    after: String,
    ids: Vec<String>,
}

/// Makes the rewrites that hold. Returns `None` if there is no review.
pub fn fix(repository: &Repository, store: &Store, request: &Request) -> Result<Option<Fixes>, ReviewError> {
    // A look writes nothing, so it needs no lock; whoever writes holds it from the first look on.
    let locked = if request.dry_run { None } else { Some(store.lock(PATIENCE)?) };
    let Some(latest) = store.state()?.latest else { return Ok(None) };
    let record = record(store, &latest.record)?;
    let judgement = judge(&record)?;
    let own = own_rules(repository, store, &record)?;
    let specialists: Vec<&'static Specialist> = SPECIALISTS.iter().chain(own).collect();
    let mut fixes = Fixes::default();
    let (wanted, others) = wanted(request, &latest, &judgement, &specialists, &mut fixes)?;
    let rewritten = rewrite_all(store, &record, wanted, &specialists, &mut fixes);
    fixes.only_named = rewritable(store, &record, &others);
    for file in &rewritten {
        fixes.diffs.push((file.path.clone(), unified(&file.before, &file.after)));
    }
    if let Some(locked) = locked {
        write(&locked, rewritten, request, &mut fixes)?;
    }
    fixes.attempts.sort_by(|one, other| (&one.place, &one.id).cmp(&(&other.place, &other.id)));
    Ok(Some(fixes))
}

/// Returns the repository's own rules, as they judged.
fn own_rules(
    repository: &Repository,
    store: &Store,
    record: &Record,
) -> Result<Option<&'static Specialist>, ReviewError> {
    let recorded = Base { name: record.scope.base_name.clone(), commit: record.scope.base.clone(), tip: None };
    let is_quick = record.mode == Mode::Quick.token();
    let found = judging_base(repository, &snapshot(repository, store)?, true, &recorded)?;
    let base = if is_quick || found.name == recorded.name { found } else { recorded };
    Ok(Decided::read(repository, &base)?.rules)
}

/// Picks the findings: those that are named, and, if none is or it is asked for, all that may be fixed unasked. Returns them
/// and those that could be named.
fn wanted<'j>(
    request: &Request,
    latest: &'j Current,
    judgement: &'j Judgement,
    specialists: &[&'static Specialist],
    fixes: &mut Fixes,
) -> Result<(Vec<Wanted<'j>>, Vec<Wanted<'j>>), StoreError> {
    let findings = &latest.file.findings;
    if let Some(unknown) = request.ids.iter().find(|id| !findings.iter().any(|finding| finding.id == **id)) {
        return Err(StoreError::UnknownFinding { id: unknown.clone() });
    }
    let takes_safe = request.safe || request.ids.is_empty();
    let (mut wanted, mut others) = (Vec::new(), Vec::new());
    for finding in findings {
        let is_named = request.ids.contains(&finding.id);
        let settled = judgement.settled(&finding.id);
        let class = settled.and_then(|settled| settled.finding.representative.autofix);
        let claims = settled.into_iter().flat_map(|settled| settled.finding.claims());
        let stated = claims.filter_map(|claim| Some((claim, of_rule(claim, specialists)?))).next();
        let stated = stated.and_then(|(claim, specialist)| {
            Some(Wanted { finding, claim, specialist, path: &claim.location.as_ref()?.file })
        });
        let is_open = Status::from_token(&finding.status).is_some_and(Status::stands);
        match stated {
            Some(it) if is_open && (is_named || takes_safe && class == Some(AutofixClass::SafeAuto)) => wanted.push(it),
            Some(it) if is_open => others.push(it),
            // What nobody asked for by name is not worth a word.
            _ if !is_named => {}
            Some(_) => fixes.attempts.push(attempt(finding, End::Skipped(format!("it is {}", finding.status)))),
            None => fixes.attempts.push(attempt(finding, End::Skipped("no rule states a rewrite for it".to_owned()))),
        }
    }
    Ok((wanted, others))
}

/// Returns the ids of those findings whose rules state a rewrite for the very code.
fn rewritable(store: &Store, record: &Record, others: &[Wanted<'_>]) -> Vec<String> {
    let is_rewritable = |it: &&Wanted<'_>| {
        let text = store.source(it.path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| Reviewed::of(record, it.path, &text).places(it, &text).is_ok())
    };
    others.iter().filter(is_rewritable).map(|it| it.finding.id.clone()).collect()
}

/// Returns the specialist whose rule a claim comes from, if that rule states a rewrite.
fn of_rule(claim: &Claim, specialists: &[&'static Specialist]) -> Option<&'static Specialist> {
    let specialist =
        specialists.iter().find(|of| claim.reviewer.as_ref().is_some_and(|it| it.as_str() == of.domain))?;
    let rule = specialist.rules().find(|rule| Some(rule.id.as_str()) == claim.rule.as_deref())?;
    rule.has_fix().then_some(*specialist)
}

fn attempt(finding: &Finding, end: End) -> Attempt {
    let lines = finding.line_range.as_deref().map(|lines| format!(":{lines}")).unwrap_or_default();
    Attempt { id: finding.id.clone(), title: finding.title.clone(), place: format!("{}{lines}", finding.file), end }
}

/// Tries the rewrites file by file, and in each from the bottom up, so that those above stay where they are.
fn rewrite_all(
    store: &Store,
    record: &Record,
    wanted: Vec<Wanted<'_>>,
    specialists: &[&'static Specialist],
    fixes: &mut Fixes,
) -> Vec<Rewritten> {
    let mut by_file: BTreeMap<&RepoPath, Vec<Wanted<'_>>> = BTreeMap::new();
    for wanted in wanted {
        by_file.entry(wanted.path).or_default().push(wanted);
    }
    let mut all = Vec::new();
    for (path, mut wanted) in by_file {
        let bytes = store.source(path).map_err(|error| error.to_string());
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned()));
        let before = match text {
            Ok(text) => text,
            Err(why) => {
                fixes.attempts.extend(wanted.iter().map(|it| attempt(it.finding, End::Skipped(why.clone()))));
                continue;
            }
        };
        let reviewed = Reviewed::of(record, path, &before);
        wanted.sort_by_key(|it| std::cmp::Reverse(line_of(it.claim)));
        let mut file = Rewritten { path: path.clone(), after: before.clone(), before, ids: Vec::new() };
        for it in &wanted {
            let end = match reviewed.places(it, &file.after) {
                Err(why) => End::Skipped(why),
                Ok(rewrites) => {
                    let tried = applied(&file.after, &rewrites);
                    match objection(it, &file.after, &tried, specialists) {
                        Some(why) => End::RolledBack(why),
                        None => {
                            file.after = tried;
                            file.ids.push(it.finding.id.clone());
                            End::Fixed
                        }
                    }
                }
            };
            fixes.attempts.push(attempt(it.finding, end));
        }
        if !file.ids.is_empty() {
            all.push(file);
        }
    }
    all
}

fn line_of(claim: &Claim) -> u32 {
    claim.location.as_ref().and_then(|location| location.lines).map_or(0, |lines| lines.start().get())
}

/// How a file was reviewed, and whether it is still the same.
struct Reviewed {
    path: RepoPath,
    touched: Vec<(u32, u32)>,
    is_same: bool,
}

impl Reviewed {
    fn of(record: &Record, path: &RepoPath, text: &str) -> Self {
        let file = record.scope.files.iter().find(|file| file.path == path.as_str());
        let ranges = file.into_iter().flat_map(|file| &file.after).filter_map(|range| LineRange::parse(range).ok());
        let cited = record.cited.get(path.as_str());
        Self {
            path: path.clone(),
            touched: ranges.map(|range| (range.start().get(), range.end().get())).collect(),
            is_same: cited.is_some_and(|cited| *cited == jury_rules::redact(text)),
        }
    }

    /// Finds what is to be rewritten: the finding where it was, or, in a file that has changed since, the only one like it.
    fn places(&self, wanted: &Wanted<'_>, text: &str) -> Result<Vec<Rewrite>, String> {
        let touched: &[(u32, u32)] = if self.is_same { &self.touched } else { &[] };
        let source = SourceFile { path: self.path.as_str(), text, touched };
        let claim = wanted.claim;
        let mut found = wanted.specialist.rewrites(&source);
        found.retain(|it| Some(it.rule) == claim.rule.as_deref() && it.title == claim.title.as_str());
        if self.is_same {
            found.retain(|it| it.line == line_of(claim));
        }
        let lines: BTreeSet<u32> = found.iter().map(|it| it.line).collect();
        let is_there = || Said::of(source.path, text, &[wanted.specialist]).count(claim) > 0;
        match lines.len() {
            0 if self.is_same || is_there() => Err("its rule states no rewrite for this spelling".to_owned()),
            0 => Err("the file has changed since the review, and it is not there any more".to_owned()),
            1 => Ok(found),
            _ => Err("the file has changed since the review, and there are several like it".to_owned()),
        }
    }
}

/// Makes rewrites in a text; of those that overlap, the first.
fn applied(text: &str, rewrites: &[Rewrite]) -> String {
    let mut written = String::with_capacity(text.len());
    let mut at = 0;
    for rewrite in rewrites.iter().filter(|rewrite| rewrite.span.end <= text.len()) {
        if rewrite.span.start < at {
            continue;
        }
        written.push_str(&text[at..rewrite.span.start]);
        written.push_str(&rewrite.replacement);
        at = rewrite.span.end;
    }
    written.push_str(&text[at..]);
    written
}

/// What all specialists say of a text: findings by rule and title, and how much they could not read.
struct Said {
    by_rule: BTreeMap<(String, String), usize>,
    titled: BTreeMap<(String, String), usize>,
    unread: usize,
}

impl Said {
    fn of(path: &str, text: &str, specialists: &[&'static Specialist]) -> Self {
        let mut said = Self { by_rule: BTreeMap::new(), titled: BTreeMap::new(), unread: 0 };
        for specialist in specialists {
            let review = specialist.review(&[SourceFile { path, text, touched: &[] }]);
            said.unread += review.unreviewed.len() + review.findings.residual_risks.len();
            for finding in review.findings.findings {
                let rule = finding.other.get("rule").and_then(|rule| rule.as_str()).unwrap_or_default().to_owned();
                *said.titled.entry((rule.clone(), finding.merge.title)).or_default() += 1;
                *said.by_rule.entry((specialist.domain.to_owned(), rule)).or_default() += 1;
            }
        }
        said
    }
}

impl Said {
    /// Counts the findings of a claim's rule and title.
    fn count(&self, claim: &Claim) -> usize {
        let key = (claim.rule.clone().unwrap_or_default(), claim.title.to_string());
        self.titled.get(&key).copied().unwrap_or_default()
    }
}

/// Says why a rewrite does not hold, if it does not: the finding is still there, or something new has come.
fn objection(wanted: &Wanted<'_>, before: &str, after: &str, specialists: &[&'static Specialist]) -> Option<String> {
    let path = wanted.path.as_str();
    let (then, now) = (Said::of(path, before, specialists), Said::of(path, after, specialists));
    if now.count(wanted.claim) >= then.count(wanted.claim) {
        return Some("the finding is still there".to_owned());
    }
    if now.unread > then.unread {
        return Some("the file can no longer be read in full".to_owned());
    }
    let has_come =
        |(rule, number): &(&(String, String), &usize)| **number > then.by_rule.get(*rule).copied().unwrap_or(0);
    let new = now.by_rule.iter().find(has_come);
    new.map(|((domain, rule), _)| format!("it brings a finding of `{rule}` ({domain})"))
}

/// Writes the files and marks what is fixed; if the marks cannot be made, the files are put back.
fn write(
    locked: &Locked<'_>,
    rewritten: Vec<Rewritten>,
    request: &Request,
    fixes: &mut Fixes,
) -> Result<(), ReviewError> {
    let mut written: Vec<Rewritten> = Vec::new();
    for file in rewritten {
        match locked.rewrite(&file.path, file.before.as_bytes(), file.after.as_bytes()) {
            Ok(()) => written.push(file),
            Err(error) => {
                fixes.diffs.retain(|(path, _)| *path != file.path);
                for attempt in fixes.attempts.iter_mut().filter(|attempt| file.ids.contains(&attempt.id)) {
                    attempt.end = End::Skipped(format!("not written: {error}"));
                }
            }
        }
    }
    let moves: Vec<(&str, Status)> =
        written.iter().flat_map(|file| &file.ids).map(|id| (id.as_str(), Status::Fixed)).collect();
    if moves.is_empty() {
        return Ok(());
    }
    match locked.mark(&moves, Some("rewritten by `jury fix`"), &request.now, recomputed) {
        Ok(current) => fixes.marked = Some(current.file),
        Err(error) => {
            for file in &written {
                locked.rewrite(&file.path, file.after.as_bytes(), file.before.as_bytes())?;
            }
            return Err(error.into());
        }
    }
    Ok(())
}

/// Writes what differs, as `git diff` does.
fn unified(before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.unified_diff(&BasicLineDiffPrinter(&input.interner), UnifiedDiffConfig::default(), &input).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_are_made_in_their_places_and_of_overlapping_ones_the_first() {
        let rewrite = |span: std::ops::Range<usize>, replacement: &str| Rewrite {
            rule: "r",
            line: 1,
            title: String::new(),
            span,
            replacement: replacement.to_owned(),
        };
        let rewrites = [rewrite(0..1, "AA"), rewrite(2..4, ""), rewrite(3..5, "x"), rewrite(5..6, "F")];
        assert_eq!(applied("abcdef\r\n", &rewrites), "AAbeF\r\n");
    }

    #[test]
    fn the_diff_is_that_of_git() {
        assert_eq!(unified("a\nb\nc\n", "a\nB\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    }
}
