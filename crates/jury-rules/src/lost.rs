//! What a change takes away. In: the changed files as they are, and as they were. Out: one finding for each file that lost more
//! of what a rule looks for than it gained. It has no line to stand on, so it is raised on the repository as a whole, as
//! `gate-integrity` does.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::findings::Detailed;

use crate::claim::{self, fill};
use crate::pack::Specialist;
use crate::rule::Rule;
use crate::tree::Trees;
use crate::{Before, SourceFile, engine, paths};

/// The names that a rule found in a text, in the order of the text.
type Names = BTreeMap<usize, Vec<String>>;

/// Returns what files lost, by path and rule.
pub(crate) fn lost(
    specialist: &'static Specialist,
    trees: &Trees,
    files: &[&SourceFile<'_>],
    before: &[Before<'_>],
) -> Vec<Detailed> {
    if before.is_empty() || !specialist.rules().any(Rule::finds_lost) {
        return Vec::new();
    }
    let now: BTreeMap<&str, Option<Names>> =
        files.iter().map(|file| (file.path, names(specialist, trees, file.path, file.text))).collect();
    let by_rule = now.values().flatten().flatten();
    let anywhere: BTreeSet<(usize, &str)> =
        by_rule.flat_map(|(rule, names)| names.iter().map(|name| (*rule, name.as_str()))).collect();
    let mut before: Vec<&Before<'_>> = before.iter().collect();
    before.sort_by_key(|file| file.path);
    let gone: BTreeSet<&str> = before.iter().map(|file| file.path).filter(|path| !now.contains_key(path)).collect();
    let mut findings = Vec::new();
    for file in before.iter().filter(|file| !goes_with_its_subject(file.path, &gone)) {
        // What cannot be read now is listed as unreviewed, and not taken for gone.
        let Some(has) = now.get(file.path).map_or_else(|| Some(Names::new()), Clone::clone) else { continue };
        for (rule, had) in names(specialist, trees, file.path, file.text).unwrap_or_default() {
            let lost: Vec<&String> = had.iter().filter(|name| !anywhere.contains(&(rule, name.as_str()))).collect();
            let had: BTreeSet<&String> = had.iter().collect();
            let gained = has.get(&rule).into_iter().flatten().filter(|name| !had.contains(name)).count();
            // What was given another name is not lost.
            if lost.len() > gained {
                findings.push(finding(&specialist.all_rules()[rule], file.path, &lost));
            }
        }
    }
    findings
}

/// Returns the names in a text, or nothing if it was not read to its end.
fn names(specialist: &'static Specialist, trees: &Trees, path: &str, text: &str) -> Option<Names> {
    let file = SourceFile { path, text, touched: &[] };
    let mut names = Names::new();
    let may_match = engine::may_match(specialist, &file).into_iter().zip(specialist.rules());
    let may_match: Vec<bool> = may_match.map(|(may, rule)| may && rule.finds_lost()).collect();
    let walk = engine::walk(specialist, trees, &file, &may_match);
    for found in walk.found {
        if let Some(name) = found.lost {
            names.entry(found.rule).or_default().push(name);
        }
    }
    walk.unreviewed.is_none().then_some(names)
}

/// Tells whether a file that is gone tested another one that is gone, too.
fn goes_with_its_subject(path: &str, gone: &BTreeSet<&str>) -> bool {
    let subject = stem(path).replace(".test", "").replace(".spec", "");
    let subject = subject.trim_start_matches("test_").trim_end_matches("_test").trim_end_matches("Test");
    gone.contains(path) && gone.iter().any(|other| !paths::is_test(other) && stem(other) == subject)
}

/// Returns the name of a file without its last extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn finding(rule: &Rule, path: &str, lost: &[&String]) -> Detailed {
    let title = fill(&rule.title, |name| (name == "NAME").then(|| lost[0].as_str().into()));
    let names: Vec<&str> = lost.iter().map(|name| name.as_str()).collect();
    claim::at_large(rule, title, format!("gone from {path}: {}", names.join(", ")))
}
