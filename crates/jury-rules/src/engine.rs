//! One review by one specialist. In: the changed files. Out: findings in the vocabulary of 004, and the parts not
//! reviewed.

use jury_wire::v1::findings::{Artifact, Detailed};
use serde_json::{Map, Value};

use crate::claim::{Lines, Match, absorb_trace, fill, place_at};
use crate::ignore::{self, Ignore, ignores};
use crate::pack::{SPECIALISTS, Specialist};
use crate::parsed::{Parsed, ParsedText};
use crate::program::{BroughtIn, TreeFacts};
use crate::reader::{Reader, reading};
use crate::redact::redact;
use crate::rule::{Owner, Severity};
use crate::supply_chain::{Looked, PackageChange};
use crate::test_files::{Role, TestFiles};
use crate::uses::Code;
use crate::{NoTree, SourceFile, Tree, dropped};
use crate::{parsed, paths, supply_chain, syntax};

/// The member of a finding with the author's reason for ignoring it.
const IGNORED: &str = "ignored";
/// The member with the line of the comment that says so.
const IGNORED_AT: &str = "ignored_at";

/// What a specialist returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The findings, by file, line and rule.
    pub findings: Artifact,
    /// The files, or parts of them, that were not reviewed, and why. Each is a gap.
    pub unreviewed: Vec<(String, String)>,
    /// The files that have a syntax error, so that only text rules read all of them.
    pub broken: Vec<String>,
    /// The packages that came, went or moved, by lockfile and name.
    pub packages: Vec<PackageChange>,
}

/// Runs the rules of a specialist over files of a tree.
pub(crate) fn review(
    specialist: &'static Specialist,
    parsed: &Parsed,
    files: &[SourceFile<'_>],
    tree: &dyn Tree,
) -> Review {
    let mut files: Vec<&SourceFile<'_>> = files.iter().collect();
    files.sort_by_key(|file| file.path);
    let mut unreviewed = Vec::new();
    let mut broken = Vec::new();
    let mut notes = Vec::new();
    let mut findings = Vec::new();
    let code = Code::new(&files, tree);
    let tests = TestFiles::of(tree, &parsed.facts);
    for file in &files {
        let of_file = review_file(specialist, parsed, file, &code, &tests, None);
        findings.extend(of_file.findings);
        for (path, why, of_brought) in brought_in(specialist, parsed, file, &files, &code, &tests) {
            findings.extend(of_brought);
            unreviewed.extend(why.map(|why| (file.path.to_owned(), format!("{path}: {why}"))));
        }
        unreviewed.extend(of_file.unreviewed.map(|why| (file.path.to_owned(), why)));
        broken.extend(of_file.is_broken.then(|| file.path.to_owned()));
        notes.extend(of_file.notes);
    }
    notes.extend(code.note());
    let looked =
        if specialist.reads_lockfiles { supply_chain::review(specialist, &files, tree) } else { Looked::default() };
    findings.extend(looked.findings);
    unreviewed.extend(looked.unreviewed);
    let findings = Artifact {
        reviewer: specialist.domain.to_owned(),
        findings,
        residual_risks: notes,
        testing_gaps: Vec::new(),
        other: Map::new(),
    };
    Review { findings, unreviewed, broken, packages: looked.packages }
}

/// Searches files for secrets. What a comment in them asks to ignore counts for nothing: nobody reads these files.
pub(crate) fn secrets(specialist: &'static Specialist, parsed: &Parsed, files: &[SourceFile<'_>]) -> Vec<Detailed> {
    let rules = specialist.all_rules();
    let mut findings = Vec::new();
    for file in files {
        let known = parsed.of(Reader::of(file.path, file.text), file.text);
        let may_match = may_match(specialist, &known, file, Role::default());
        let may_match: Vec<bool> =
            may_match.into_iter().enumerate().map(|(at, may)| may && rules[at].finds_secrets()).collect();
        if !may_match.contains(&true) {
            continue;
        }
        let is_test = paths::is_test(file.path);
        let lines = Lines::new(file);
        let found = specialist.text_scan().matches(file.text, &may_match);
        findings.extend(found.into_iter().map(|(_, found)| lines.claim(found, is_test)));
    }
    findings
}

/// The result for one file.
struct OfFile {
    findings: Vec<Detailed>,
    unreviewed: Option<String>,
    is_broken: bool,
    notes: Vec<String>,
}

/// Tells for each rule whether it could match a file.
pub(crate) fn may_match(
    specialist: &'static Specialist,
    known: &ParsedText,
    file: &SourceFile<'_>,
    role: Role,
) -> Vec<bool> {
    let (is_test, is_generated) = (role.is_test, paths::is_generated(file.path));
    let rules = specialist.all_rules();
    let occurring = specialist.occurring(known, file.text);
    // A rule is parsed only if everything known without parsing it allows a match.
    let may = |(at, occurs): (usize, &bool)| {
        *occurs && rules.is_for(at, known.language) && specialist.reach(at).has(file.path, is_test, is_generated)
    };
    occurring.iter().enumerate().map(may).collect()
}

/// Tells whether rules look at a text under one path as they do under another one that it had before.
pub fn is_looked_at_alike(from: &str, to: &str, text: &str) -> bool {
    let readers = [from, to].map(|path| (Reader::of(path, text), reading(path, text)));
    if paths::is_test(from) && !paths::is_test(to) || readers[0] != readers[1] {
        return false;
    }
    let known = Parsed::default().of(readers[0].0, text);
    let facts = TreeFacts::default();
    let tests = TestFiles::of(&NoTree, &facts);
    SPECIALISTS.iter().all(|specialist| {
        let [before, after] = [from, to].map(|path| {
            let file = SourceFile { path, text, touched: &[] };
            may_match(specialist, &known, &file, tests.role(path, known.language))
        });
        before.into_iter().zip(after).all(|(before, after)| before || !after)
    })
}

/// Runs the syntax rules that may match.
pub(crate) fn walk(
    specialist: &'static Specialist,
    known: &ParsedText,
    may_match: &[bool],
    is_thorough: bool,
) -> syntax::Walk {
    let language = known.language.filter(|language| specialist.reads(*language));
    language.map(|language| parsed::review(specialist, known, language, may_match, is_thorough)).unwrap_or_default()
}

fn review_file(
    specialist: &'static Specialist,
    parsed: &Parsed,
    file: &SourceFile<'_>,
    code: &Code<'_>,
    tests: &TestFiles<'_>,
    role: Option<Role>,
) -> OfFile {
    let rules = specialist.all_rules();
    let known = parsed.of(Reader::of(file.path, file.text), file.text);
    // A name is no more than a claim: rules look at a test, too, and what they find asks whether it is one.
    let may_match = may_match(specialist, &known, file, Role::default());
    let mut found = specialist.text_scan().matches(file.text, &may_match);
    let walk = walk(specialist, &known, &may_match, parsed.is_thorough);
    found.extend(walk.found.into_iter().map(|found| {
        let rule = &rules[found.rule];
        let syntax::Found { span, trace, source, title, severity, confidence, .. } = found;
        (found.rule, Match { rule, span, trace, source, title, secret_at: None, severity, confidence })
    }));
    let mut role = role.unwrap_or_else(|| tests.role(file.path, known.language));
    if role != Role::default() && !found.is_empty() && tests.is_used(file.path) {
        role = Role::default();
    }
    found.retain(|(at, _)| !role.is_test || !rules[*at].is_off_in_tests());
    let is_test = role.is_among_tests;
    let is_broken = walk.broken_from.is_some();
    let mut notes = Vec::new();
    notes.extend(walk.broken_from.map(|line| {
        format!("{} has a syntax error at line {line}; what cannot be parsed was matched by text rules only", file.path)
    }));
    let ignores = ignores(file.text);
    notes.extend(unknown_names(specialist, parsed, file.path, &ignores));
    // Most files have no findings, and need not be looked through for what would be said of them.
    if found.is_empty() {
        return OfFile { findings: Vec::new(), unreviewed: walk.unreviewed, is_broken, notes };
    }
    let lines = Lines::new(file);
    let mut claim = |(index, found): (usize, Match<'_>)| {
        let asked = lines.ignored(&ignores, found.rule, &found.span);
        let rule = found.rule;
        let halts = found.severity.unwrap_or(rule.severity_for(is_test)) == Severity::P0 && rule.owner == Owner::Human;
        let mut claim = lines.claim(found, is_test);
        match asked.map(|ignore| heeded(ignore, halts)) {
            Some(Ok(reason)) => {
                claim.other.insert(IGNORED.to_owned(), Value::from(reason));
                claim.other.extend(asked.map(|ignore| (IGNORED_AT.to_owned(), Value::from(ignore.line))));
            }
            Some(Err(why)) => {
                let line = asked.map(|ignore| ignore.line).unwrap_or_default();
                notes.push(format!("{}:{line}: `jury-ignore` of {} counts for nothing: {why}", file.path, rule.id));
            }
            None => {}
        }
        (index, claim)
    };
    let still_used = still_used(specialist, file, code, &found, &may_match);
    let mut claims: Vec<(usize, Detailed)> = found.into_iter().map(&mut claim).collect();
    for (rule, found, places) in still_used {
        let (rule, mut claim) = claim((rule, found));
        claim.why_it_matters.push_str(&format!(" It is still used in {}.", places.join(", ")));
        claims.push((rule, claim));
    }
    let key =
        |(rule, claim): &(usize, Detailed)| (claim.merge.line, rules[*rule].id.as_str(), claim.merge.title.clone());
    claims.sort_by_cached_key(key);
    // One defect, one title: a rule reports the same title on a line once.
    claims.dedup_by(|one, kept| {
        let is_same = key(one) == key(kept);
        if is_same {
            absorb_trace(&mut kept.1, &one.1);
        }
        is_same
    });
    let findings = claims.into_iter().map(|(_, claim)| claim).collect();
    OfFile { findings, unreviewed: walk.unreviewed, is_broken, notes }
}

/// Looks at files that the touched lines of a file make part of the program, as at code of the program. The findings stand at the
/// line that does so. A file that the change touches is looked at by itself.
fn brought_in(
    specialist: &'static Specialist,
    parsed: &Parsed,
    file: &SourceFile<'_>,
    files: &[&SourceFile<'_>],
    code: &Code<'_>,
    tests: &TestFiles<'_>,
) -> Vec<(String, Option<String>, Vec<Detailed>)> {
    let brought = tests.brought_in(file).into_iter().filter(|one| !files.iter().any(|file| file.path == one.path));
    let look = |one: BroughtIn| {
        let text = tests.tree.text(&one.path)?;
        // What rules see under the name that it had is known already.
        if one.name != one.path && is_looked_at_alike(&one.path, &one.name, &text) {
            return None;
        }
        let source = SourceFile { path: &one.name, text: &text, touched: &[] };
        let mut of_file = review_file(specialist, parsed, &source, code, tests, Some(Role::default()));
        for finding in &mut of_file.findings {
            finding.why_it_matters.push_str(&format!(
                " The code is in {}, line {}, and this line makes it part of the program.",
                one.path, finding.merge.line
            ));
            place_at(finding, file, one.line);
        }
        Some((one.path, of_file.unreviewed, of_file.findings))
    };
    brought.filter_map(look).collect()
}

/// Finds dropped tables and columns, as reported by other rules, that code still uses, with the places of use.
fn still_used(
    specialist: &'static Specialist,
    file: &SourceFile<'_>,
    code: &Code<'_>,
    found: &[(usize, Match<'_>)],
    may_match: &[bool],
) -> Vec<(usize, Match<'static>, Vec<String>)> {
    let rules = specialist.all_rules();
    let mut used = Vec::new();
    for (index, rule) in (0..rules.len()).filter(|at| may_match[*at]).map(|at| (at, &rules[at])) {
        let Some(after) = &rule.still_used else { continue };
        for (_, of) in found.iter().filter(|(_, of)| after.contains(&of.rule.id)) {
            for dropped in dropped::dropped(file.text, &of.span) {
                let places = code.uses(file, &dropped);
                if places.is_empty() {
                    continue;
                }
                let title = fill(&rule.title, |_| Some(dropped.name().into()));
                let span = dropped.span.clone();
                let (trace, source) = (vec![of.span.clone()], None);
                used.push((
                    index,
                    Match { rule, span, trace, source, title, secret_at: None, severity: None, confidence: None },
                    places,
                ));
            }
        }
    }
    used
}

/// Reports the names in ignore comments that are the id of no rule. Of several specialists the one with the closest id
/// does, so that each is reported once.
fn unknown_names(specialist: &'static Specialist, parsed: &Parsed, path: &str, ignores: &[Ignore]) -> Vec<String> {
    if ignores.is_empty() {
        return Vec::new();
    }
    let known = SPECIALISTS.iter().chain(parsed.own).flat_map(|of| of.rules()).map(|rule| rule.id.as_str()).collect();
    let of_mine = |id: &str| specialist.rules().any(|rule| rule.id == id);
    let unknown = ignore::unknown(ignores, &known).into_iter().filter(|one| of_mine(one.closest));
    let note = |one: ignore::Unknown<'_>| {
        let (line, name, closest) = (one.line, redact(one.name), one.closest);
        format!("{path}:{line}: `jury-ignore` names no rule: `{name}`; the closest is `{closest}`")
    };
    unknown.map(note).collect()
}

/// Returns the reason for which a claim is to be let be, or why it is not.
fn heeded(ignore: &Ignore, halts: bool) -> Result<&str, &'static str> {
    // DESIGN §5: what halts the work is for a person to decide, and no comment is one.
    if halts {
        return Err("what halts the work can only be accepted in `.jury/waivers.toml`");
    }
    ignore.reason.as_deref().ok_or("expected `jury-ignore: RULE-ID -- reason`")
}
