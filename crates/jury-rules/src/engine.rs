//! One review by one specialist. In: the changed files. Out: a return in the words of 004, and what was not reviewed.

use jury_wire::v1::findings::{Artifact, Detailed};
use serde_json::{Map, Value};

use crate::claim::{Lines, Match};
use crate::ignore::{Ignore, ignores};
use crate::pack::Specialist;
use crate::rule::{Owner, Severity};
use crate::tree::Trees;
use crate::{Before, SourceFile, lost};
use crate::{language::Language, paths, syntax, tree};

/// The member of a finding that says why its author wants it to be let be.
const IGNORED: &str = "ignored";

/// What a specialist returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The findings, by file, line and rule.
    pub findings: Artifact,
    /// The files, or parts of them, that were not reviewed, and why. Each is a gap.
    pub unreviewed: Vec<(String, String)>,
}

/// Runs the rules of a specialist over files, and over what they were before.
pub(crate) fn review(
    specialist: &'static Specialist,
    trees: &Trees,
    files: &[SourceFile<'_>],
    before: &[Before<'_>],
) -> Review {
    let mut files: Vec<&SourceFile<'_>> = files.iter().collect();
    files.sort_by_key(|file| file.path);
    let mut unreviewed = Vec::new();
    let mut notes = Vec::new();
    // What was lost has no file to stand in: it comes first, as `.` does.
    let mut findings = lost::lost(specialist, trees, &files, before);
    for file in files {
        let of_file = review_file(specialist, trees, file);
        findings.extend(of_file.findings);
        unreviewed.extend(of_file.unreviewed.map(|why| (file.path.to_owned(), why)));
        notes.extend(of_file.notes);
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
    notes: Vec<String>,
}

/// Tells for each rule whether it could match a file.
pub(crate) fn may_match(specialist: &'static Specialist, file: &SourceFile<'_>) -> Vec<bool> {
    let is_test = paths::is_test(file.path);
    let occurring = specialist.keywords().occurring(file.text).into_iter();
    let reach = specialist.reach().iter().map(|reach| reach.has(file.path, is_test));
    occurring.zip(reach).map(|(occurs, reaches)| occurs && reaches).collect()
}

/// Runs the rules over syntax that may match.
pub(crate) fn walk(
    specialist: &'static Specialist,
    trees: &Trees,
    file: &SourceFile<'_>,
    may_match: &[bool],
) -> syntax::Walk {
    let language = Language::of(file.path).filter(|language| specialist.reads(*language));
    language.map(|language| tree::review(specialist, trees, language, may_match, file.text)).unwrap_or_default()
}

fn review_file(specialist: &'static Specialist, trees: &Trees, file: &SourceFile<'_>) -> OfFile {
    let rules = specialist.all_rules();
    let is_test = paths::is_test(file.path);
    let may_match = may_match(specialist, file);
    let mut found = specialist.text_scan().matches(file.text, &may_match);
    let walk = walk(specialist, trees, file, &may_match);
    found.extend(walk.found.into_iter().filter(|found| found.lost.is_none()).map(|found| {
        let rule = &rules[found.rule];
        let syntax::Found { span, title, severity, confidence, .. } = found;
        (found.rule, Match { rule, span, title, secret_at: None, severity, confidence })
    }));
    let lines = Lines::new(file);
    let ignores = ignores(file.text);
    let mut notes = Vec::new();
    let claim = |(index, found): (usize, Match<'_>)| {
        let asked = lines.ignored(&ignores, found.rule, &found.span);
        let rule = found.rule;
        let mut claim = lines.claim(found, is_test);
        match asked.map(|ignore| heeded(ignore, &claim)) {
            Some(Ok(reason)) => _ = claim.other.insert(IGNORED.to_owned(), Value::from(reason)),
            Some(Err(why)) => {
                let line = asked.map(|ignore| ignore.line).unwrap_or_default();
                notes.push(format!("{}:{line}: `jury-ignore` of {} counts for nothing: {why}", file.path, rule.id));
            }
            None => {}
        }
        (index, claim)
    };
    let mut claims: Vec<(usize, Detailed)> = found.into_iter().map(claim).collect();
    let key =
        |(rule, claim): &(usize, Detailed)| (claim.merge.line, rules[*rule].id.as_str(), claim.merge.title.clone());
    claims.sort_by_cached_key(key);
    // One defect, one title: what a rule says twice of a line is said once.
    claims.dedup_by(|one, other| key(one) == key(other));
    notes.extend(walk.broken_from.map(|line| {
        format!("{} has a syntax error at line {line}; what cannot be parsed was matched by text rules only", file.path)
    }));
    OfFile { findings: claims.into_iter().map(|(_, claim)| claim).collect(), unreviewed: walk.unreviewed, notes }
}

/// Returns the reason for which a claim is to be let be, or why it is not.
fn heeded<'i>(ignore: &'i Ignore, claim: &Detailed) -> Result<&'i str, &'static str> {
    // DESIGN §5: what halts the work is for a person to decide, and no comment is one.
    if claim.merge.severity == Severity::P0.token() && claim.merge.owner == Owner::Human.token() {
        return Err("what halts the work can only be accepted in `.jury/waivers.toml`");
    }
    ignore.reason.as_deref().ok_or("expected `jury-ignore: RULE-ID -- reason`")
}
