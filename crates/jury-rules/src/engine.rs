//! One review by one specialist. In: the changed files. Out: a return in the words of 004, and what was not reviewed.

use jury_wire::v1::findings::{Artifact, Detailed};
use serde_json::Map;

use crate::claim::{Lines, Match};
use crate::pack::Specialist;
use crate::{Before, SourceFile, lost};
use crate::{language::Language, paths, syntax};

/// What a specialist returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The findings, by file, line and rule.
    pub findings: Artifact,
    /// The files, or parts of them, that were not reviewed, and why. Each is a gap.
    pub unreviewed: Vec<(String, String)>,
}

/// Runs the rules of a specialist over files, and over what they were before.
pub(crate) fn review(specialist: &'static Specialist, files: &[SourceFile<'_>], before: &[Before<'_>]) -> Review {
    let mut files: Vec<&SourceFile<'_>> = files.iter().collect();
    files.sort_by_key(|file| file.path);
    let mut unreviewed = Vec::new();
    let mut notes = Vec::new();
    // What was lost has no file to stand in: it comes first, as `.` does.
    let mut findings = lost::lost(specialist, &files, before);
    for file in files {
        let of_file = review_file(specialist, file);
        findings.extend(of_file.findings);
        unreviewed.extend(of_file.unreviewed.map(|why| (file.path.to_owned(), why)));
        notes.extend(of_file.note);
    }
    let findings = Artifact {
        reviewer: specialist.domain.to_owned(),
        findings,
        residual_risks: notes,
        testing_gaps: Vec::new(),
        other: Map::new(),
    };
    Review { findings, unreviewed }
}

/// What came of one file.
struct OfFile {
    findings: Vec<Detailed>,
    unreviewed: Option<String>,
    note: Option<String>,
}

/// Tells for each rule whether it could match a file.
pub(crate) fn may_match(specialist: &'static Specialist, file: &SourceFile<'_>) -> Vec<bool> {
    let is_test = paths::is_test(file.path);
    let occurring = specialist.keywords().occurring(file.text).into_iter();
    let reach = specialist.reach().iter().map(|reach| reach.has(file.path, is_test));
    occurring.zip(reach).map(|(occurs, reaches)| occurs && reaches).collect()
}

/// Runs the rules over syntax that may match.
pub(crate) fn walk(specialist: &'static Specialist, file: &SourceFile<'_>, may_match: &[bool]) -> syntax::Walk {
    let language = Language::of(file.path).filter(|language| specialist.reads(*language));
    let walk =
        |language| syntax::walk(language, &specialist.compiled(language, may_match), specialist.all_rules(), file.text);
    language.map(walk).unwrap_or_default()
}

fn review_file(specialist: &'static Specialist, file: &SourceFile<'_>) -> OfFile {
    let rules = specialist.all_rules();
    let is_test = paths::is_test(file.path);
    let may_match = may_match(specialist, file);
    let mut found = specialist.text_scan().matches(file.text, &may_match);
    let walk = walk(specialist, file, &may_match);
    found.extend(walk.found.into_iter().filter(|found| found.lost.is_none()).map(|found| {
        let rule = &rules[found.rule];
        (found.rule, Match { rule, span: found.span, title: found.title, secret_at: None })
    }));
    let lines = Lines::new(file);
    let claim = |(rule, found): (usize, Match<'_>)| (rule, lines.claim(found, is_test));
    let mut claims: Vec<(usize, Detailed)> = found.into_iter().map(claim).collect();
    let key =
        |(rule, claim): &(usize, Detailed)| (claim.merge.line, rules[*rule].id.as_str(), claim.merge.title.clone());
    claims.sort_by_cached_key(key);
    // One defect, one title: what a rule says twice of a line is said once.
    claims.dedup_by(|one, other| key(one) == key(other));
    let note = walk.broken_from.map(|line| {
        format!("{} has a syntax error at line {line}; what cannot be parsed was matched by text rules only", file.path)
    });
    OfFile { findings: claims.into_iter().map(|(_, claim)| claim).collect(), unreviewed: walk.unreviewed, note }
}
