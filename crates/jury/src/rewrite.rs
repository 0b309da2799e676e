//! Rewrites of findings, tried on the text: a finding whose rule states a rewrite in; the text with it, if the finding is gone and
//! nothing new has come, out.
//!
//! Deliberately not here: the rewrites, which are in the rules, and writing files.

use std::collections::{BTreeMap, BTreeSet};

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use jury_rules::{Rewrite, SourceFile, Specialist};
use jury_wire::v1::code_review::Finding;

use crate::judge::Judgement;
use crate::model::{AutofixClass, Claim, RepoPath, Status};
use crate::record::{Record, status_of};
use crate::store::{Current, Store, StoreError, VerdictFile};

/// Which findings to fix.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The ids of findings, of any class.
    pub ids: Vec<String>,
    /// Whether all that are `safe_auto` are meant, too.
    pub safe: bool,
}

/// One finding, and how the attempt to fix it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// Where it was, as a person reads it.
    pub place: String,
    /// How it ended.
    pub end: FixEnd,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixEnd {
    /// The finding is gone, and nothing new has come.
    Fixed,
    /// It was tried and did not hold; the file is as it was.
    RolledBack(String),
    /// It was not tried.
    Skipped(String),
}

/// All attempts.
#[derive(Debug, Default)]
pub struct Fixes {
    /// The findings, by file and line.
    pub attempts: Vec<Attempt>,
    /// The changes, made or planned: files with unified diffs.
    pub diffs: Vec<(RepoPath, String)>,
    /// The verdict file with the marks; `None` if there are none.
    pub marked: Option<VerdictFile>,
    /// The ids of open findings that have a rewrite which is made only if they are named.
    pub only_named: Vec<String>,
}

/// A finding that is to be fixed, with the claim whose rule states how.
pub(crate) struct Wanted<'j> {
    finding: &'j Finding,
    claim: &'j Claim,
    specialist: &'static Specialist,
    path: &'j RepoPath,
}

/// A file that was rewritten in memory.
pub(crate) struct Rewritten {
    pub(crate) path: RepoPath,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) ids: Vec<String>,
}

/// Picks the findings: those that are named, and, if none is or it is asked for, all that may be fixed unasked. Returns them
/// and those that could be named.
pub(crate) fn wanted<'j>(
    selection: &Selection,
    latest: &'j Current,
    judgement: &'j Judgement,
    specialists: &[&'static Specialist],
    fixes: &mut Fixes,
) -> Result<(Vec<Wanted<'j>>, Vec<Wanted<'j>>), StoreError> {
    let findings = &latest.file.findings;
    if let Some(unknown) = selection.ids.iter().find(|id| !findings.iter().any(|finding| finding.id == **id)) {
        return Err(StoreError::UnknownFinding { id: unknown.clone() });
    }
    let takes_safe = selection.safe || selection.ids.is_empty();
    let (mut wanted, mut others) = (Vec::new(), Vec::new());
    for finding in findings {
        let is_named = selection.ids.contains(&finding.id);
        let settled = judgement.settled(&finding.id);
        let class = settled.and_then(|settled| settled.finding.representative.autofix);
        let claims = settled.into_iter().flat_map(|settled| settled.finding.claims());
        let stated = claims.filter_map(|claim| Some((claim, of_rule(claim, specialists)?))).next();
        let stated = stated.and_then(|(claim, specialist)| {
            Some(Wanted { finding, claim, specialist, path: &claim.location.as_ref()?.file })
        });
        let is_open = status_of(finding).is_some_and(Status::stands);
        match stated {
            Some(it) if is_open && (is_named || takes_safe && class == Some(AutofixClass::SafeAuto)) => wanted.push(it),
            Some(it) if is_open => others.push(it),
            // A finding that was not requested by name is skipped in silence.
            _ if !is_named => {}
            Some(_) => fixes.attempts.push(attempt(finding, FixEnd::Skipped(format!("it is {}", finding.status)))),
            None => fixes.attempts.push(attempt(finding, FixEnd::Skipped("its rule has no rewrite".to_owned()))),
        }
    }
    Ok((wanted, others))
}

/// Returns the ids of those findings whose rules state a rewrite for the very code.
pub(crate) fn rewritable(store: &Store, record: &Record, others: &[Wanted<'_>]) -> Vec<String> {
    let is_rewritable = |it: &&Wanted<'_>| {
        let text = store.source(it.path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| ReviewedFile::of(record, it.path, &text).places(it, &text).is_ok())
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

fn attempt(finding: &Finding, end: FixEnd) -> Attempt {
    let lines = finding.line_range.as_deref().map(|lines| format!(":{lines}")).unwrap_or_default();
    Attempt { id: finding.id.clone(), title: finding.title.clone(), place: format!("{}{lines}", finding.file), end }
}

/// Tries the rewrites file by file, and in each from the bottom up, so that those above stay where they are.
pub(crate) fn rewrite_all(
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
                fixes.attempts.extend(wanted.iter().map(|it| attempt(it.finding, FixEnd::Skipped(why.clone()))));
                continue;
            }
        };
        let reviewed = ReviewedFile::of(record, path, &before);
        wanted.sort_by_key(|it| std::cmp::Reverse(line_of(it.claim)));
        let mut file = Rewritten { path: path.clone(), after: before.clone(), before, ids: Vec::new() };
        for it in &wanted {
            let end = match reviewed.places(it, &file.after) {
                Err(why) => FixEnd::Skipped(why),
                Ok(rewrites) => {
                    let tried = applied(&file.after, &rewrites);
                    match objection(it, &file.after, &tried, specialists) {
                        Some(why) => FixEnd::RolledBack(why),
                        None => {
                            file.after = tried;
                            file.ids.push(it.finding.id.clone());
                            FixEnd::Fixed
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
struct ReviewedFile {
    path: RepoPath,
    touched: Vec<(u32, u32)>,
    is_same: bool,
}

impl ReviewedFile {
    fn of(record: &Record, path: &RepoPath, text: &str) -> Self {
        let file = record.scope.files.iter().find(|file| file.path == *path);
        let ranges = file.into_iter().flat_map(|file| &file.after);
        let cited = record.cited.get(path);
        Self {
            path: path.clone(),
            touched: ranges.map(|range| (range.start().get(), range.end().get())).collect(),
            is_same: cited.is_some_and(|cited| *cited == jury_rules::redact(text)),
        }
    }

    /// Finds the place to rewrite: that of the finding, or, in a changed file, the only matching one.
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
        let is_there = || Findings::of(source.path, text, &[wanted.specialist]).count(claim) > 0;
        match lines.len() {
            0 if self.is_same || is_there() => Err("its rule has no rewrite for this form of the code".to_owned()),
            0 => Err("the file changed since the review, and the finding is gone".to_owned()),
            1 => Ok(found),
            _ => Err("the file changed since the review, and several places match".to_owned()),
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

/// The results of all specialists for a text: findings by rule and title, and the number of gaps.
struct Findings {
    by_rule: BTreeMap<(String, String), usize>,
    titled: BTreeMap<(String, String), usize>,
    unread: usize,
}

impl Findings {
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

impl Findings {
    /// Counts the findings of a claim's rule and title.
    fn count(&self, claim: &Claim) -> usize {
        let key = (claim.rule.clone().unwrap_or_default(), claim.title.to_string());
        self.titled.get(&key).copied().unwrap_or_default()
    }
}

/// Says why a rewrite does not hold, if it does not: the finding is still there, or something new has come.
fn objection(wanted: &Wanted<'_>, before: &str, after: &str, specialists: &[&'static Specialist]) -> Option<String> {
    let path = wanted.path.as_str();
    let (then, now) = (Findings::of(path, before, specialists), Findings::of(path, after, specialists));
    if now.count(wanted.claim) >= then.count(wanted.claim) {
        return Some("the finding is still there".to_owned());
    }
    if now.unread > then.unread {
        return Some("the file can no longer be read in full".to_owned());
    }
    let has_come =
        |(rule, number): &(&(String, String), &usize)| **number > then.by_rule.get(*rule).copied().unwrap_or(0);
    let new = now.by_rule.iter().find(has_come);
    new.map(|((domain, rule), _)| format!("it adds a finding of `{rule}` ({domain})"))
}

/// Writes the difference as `git diff` does.
pub(crate) fn unified(before: &str, after: &str) -> String {
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
