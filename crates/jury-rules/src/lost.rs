//! What a change takes away. In: the changed files as they are, and as they were. Out: one finding for each file that lost more
//! of what a rule looks for than it gained. It has no line to stand on, so it is raised on the repository as a whole, as
//! `gate-integrity` does.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::findings::Detailed;

use crate::claim::{self, fill};
use crate::pack::Specialist;
use crate::rule::Rule;
use crate::{Before, SourceFile, engine, paths};

/// The names that a rule found in a text, in the order of the text.
type Names = BTreeMap<usize, Vec<String>>;

/// Returns what files lost, by path and rule.
pub(crate) fn lost(specialist: &'static Specialist, files: &[&SourceFile<'_>], before: &[Before<'_>]) -> Vec<Detailed> {
    if specialist.rules().all(|rule| rule.matches.iter().all(|tree| tree.lost.is_none())) {
        return Vec::new();
    }
    let now: BTreeMap<&str, Names> =
        files.iter().map(|file| (file.path, names(specialist, file.path, file.text))).collect();
    let mut before: Vec<&Before<'_>> = before.iter().collect();
    before.sort_by_key(|file| file.path);
    let gone: BTreeSet<&str> = before.iter().map(|file| file.path).filter(|path| !now.contains_key(path)).collect();
    let mut findings = Vec::new();
    for file in before.iter().filter(|file| !goes_with_its_subject(file.path, &gone)) {
        for (rule, had) in names(specialist, file.path, file.text) {
            let nothing = Vec::new();
            let has = now.get(file.path).and_then(|names| names.get(&rule)).unwrap_or(&nothing);
            let is_anywhere =
                |name: &String| now.values().any(|names| names.get(&rule).is_some_and(|it| it.contains(name)));
            let lost: Vec<&String> = had.iter().filter(|name| !is_anywhere(name)).collect();
            let gained = has.iter().filter(|name| !had.contains(name)).count();
            // What was given another name is not lost.
            if lost.len() > gained {
                findings.push(finding(&specialist.all_rules()[rule], file.path, &lost));
            }
        }
    }
    findings
}

fn names(specialist: &'static Specialist, path: &str, text: &str) -> Names {
    let file = SourceFile { path, text, touched: &[] };
    let mut names = Names::new();
    for found in engine::walk(specialist, &file, &engine::may_match(specialist, &file)).found {
        if let Some(name) = found.lost {
            names.entry(found.rule).or_default().push(name);
        }
    }
    names
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
