//! The specialist for lockfiles. In: the changed files of a tree, and the lockfiles of its base. Out: findings about packages that are not
//! what they were, the packages that came, went or moved, and the lockfiles that cannot be read.
//!
//! A lockfile is compared with itself before the change, so all that is raised is new. `families` reads the formats, `compare` tells what
//! a difference means. Deliberately not here: asking a registry, and honouring `jury-ignore`: a lockfile that is tampered with would bring
//! its own.

mod address;
mod changes;
mod compare;
mod families;
mod lockfile;
mod manifest;
mod names;
mod observation;
mod tree;
mod versions;

use std::collections::BTreeMap;

use jury_wire::v1::findings::Detailed;

pub use changes::PackageChange;
pub(crate) use families::is_plain_yaml_lockfile;
pub(crate) use observation::Kind;

use crate::claim::{Lines, Match, fill};
use crate::pack::Specialist;
use crate::rule::Severity;
use crate::{SourceFile, Tree};
use compare::Before;
use families::{Family, family};
use lockfile::Lockfile;
use manifest::Mismatch;
use observation::{Observation, Weight};

/// The most findings of one kind and weight in one file; of more, the first speaks for all.
const MOST_ALIKE: usize = 3;
/// The most names that such a finding lists.
const MOST_NAMES: usize = 10;
/// The most lockfiles of the base that a new one is compared with.
const MOST_OTHERS: usize = 50;

/// What the specialist returns.
#[derive(Default)]
pub(crate) struct Looked {
    pub(crate) findings: Vec<Detailed>,
    pub(crate) unreviewed: Vec<(String, String)>,
    pub(crate) packages: Vec<PackageChange>,
}

/// Tells whether a file is a lockfile that is read as a list of packages, by its name.
pub fn is_lockfile(path: &str) -> bool {
    family(path).is_some()
}

/// Reviews the lockfiles among the changed files, and those beside changed manifests.
pub(crate) fn review(specialist: &'static Specialist, files: &[&SourceFile<'_>], tree: &dyn Tree) -> Looked {
    let mut looked = Looked::default();
    let around = Around { files, tree };
    for file in files {
        if let Some(family) = family(file.path) {
            look_at(specialist, &around, file, family, &mut looked);
        }
        if manifest::is_manifest(file.path) {
            looked.findings.extend(beside_manifest(specialist, &around, file));
        }
    }
    for path in tree.gone() {
        if let Some(family) = family(&path).filter(|family| family.lists)
            && !around.replaces(family, &path)
            && let Some(was) = around.read_base(&path)
        {
            looked.packages.extend(changes::changes(family.ecosystem, &path, was.packages.iter(), [].iter()));
        }
    }
    looked
}

/// The files around a lockfile.
struct Around<'a> {
    files: &'a [&'a SourceFile<'a>],
    tree: &'a dyn Tree,
}

impl Around<'_> {
    fn text(&self, path: &str) -> Option<String> {
        let changed = self.files.iter().find(|file| file.path == path);
        changed.map(|file| file.text.to_owned()).or_else(|| self.tree.text(path))
    }

    /// Reads a lockfile as the base has it. One that cannot be read tells nothing.
    fn read_base(&self, path: &str) -> Option<Lockfile> {
        family(path)?.lockfile(&self.tree.base_text(path)?).ok()
    }

    /// Reads what was locked before: by the lockfile itself, or, if that is new, by all others of the ecosystem.
    fn locked_before(&self, family: &Family, path: &str) -> (Vec<Lockfile>, bool) {
        if let Some(own) = self.read_base(path) {
            return (vec![own], true);
        }
        let mut paths = self.tree.paths();
        paths.extend(self.tree.gone());
        paths.sort();
        paths.dedup();
        let is_other = |other: &&String| {
            families::family(other).is_some_and(|other| other.ecosystem == family.ecosystem) && other.as_str() != path
        };
        let others: Vec<&String> = paths.iter().filter(is_other).take(MOST_OTHERS).collect();
        let is_same = others.iter().all(|other| families::family(other).is_some_and(|other| other.name == family.name));
        (others.into_iter().filter_map(|other| self.read_base(other)).collect(), is_same)
    }

    /// Tells whether another lockfile of the ecosystem stands in the folder of one that is gone.
    fn replaces(&self, family: &Family, path: &str) -> bool {
        let is_one = |file: &&&SourceFile<'_>| {
            folder(file.path) == folder(path)
                && families::family(file.path).is_some_and(|other| other.ecosystem == family.ecosystem)
        };
        self.files.iter().any(|file| is_one(&file))
    }
}

/// Returns the folder of a path, with its slash.
fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

fn look_at(
    specialist: &'static Specialist,
    around: &Around<'_>,
    file: &SourceFile<'_>,
    family: &'static Family,
    looked: &mut Looked,
) {
    let after = match family.lockfile(file.text) {
        Ok(after) => after,
        Err(why) => {
            looked.unreviewed.push((
                file.path.to_owned(),
                format!("the lockfile cannot be read as {} writes it: {why}", family.name),
            ));
            return;
        }
    };
    // A file that the change leaves as it was has nothing to compare.
    if around.tree.base_text(file.path).is_some_and(|base| base == file.text) {
        return;
    }
    let (locked, is_same_family) = around.locked_before(family, file.path);
    let packages = || locked.iter().flat_map(|lockfile| &lockfile.packages);
    let before = Before::of(family.ecosystem, packages(), is_same_family);
    let mut observations = compare::compare(family.ecosystem, &before, &after);
    let mismatches = manifest_mismatches(around, family, file.path, &after);
    // Where the manifest is in the change, it says so itself.
    if let Some((path, mismatches)) = &mismatches
        && !around.files.iter().any(|file| file.path == *path)
    {
        observations.extend(mismatches.iter().map(|mismatch| of_mismatch(mismatch, (1, 1))));
    }
    looked.findings.extend(findings(specialist, file, observations));
    if family.lists {
        looked.packages.extend(changes::changes(family.ecosystem, file.path, packages(), after.packages.iter()));
    }
}

/// Compares a lockfile with the manifest beside it, and leaves out what the base had as well.
fn manifest_mismatches(
    around: &Around<'_>,
    family: &'static Family,
    path: &str,
    after: &Lockfile,
) -> Option<(String, Vec<Mismatch>)> {
    let folder = folder(path);
    let manifest = format!("{folder}{}", manifest::beside(family)?);
    let text = around.text(&manifest)?;
    let found = manifest::mismatches(family, &text, after);
    if found.is_empty() || manifest::is_workspace(family.ecosystem, folder, &around.tree.paths()) {
        return None;
    }
    let was = around.tree.base_text(&manifest).zip(around.read_base(path));
    let known = was.map(|(text, lockfile)| manifest::mismatches(family, &text, &lockfile)).unwrap_or_default();
    let is_new = |one: &Mismatch| !known.iter().any(|was| (&was.name, &was.says) == (&one.name, &one.says));
    Some((manifest, found.into_iter().filter(is_new).collect()))
}

fn of_mismatch(mismatch: &Mismatch, lines: (u32, u32)) -> Observation<'_> {
    Observation {
        kind: Kind::ManifestMismatch,
        weight: Weight::Medium,
        name: &mismatch.name,
        lines,
        says: mismatch.says.clone(),
    }
}

/// Compares a changed manifest with the lockfiles beside it, whether they changed or not.
fn beside_manifest(specialist: &'static Specialist, around: &Around<'_>, file: &SourceFile<'_>) -> Vec<Detailed> {
    if around.tree.base_text(file.path).is_some_and(|base| base == file.text) {
        return Vec::new();
    }
    let mut found = BTreeMap::new();
    for family in families::beside(file.path) {
        for name in family.files {
            let path = format!("{}{name}", folder(file.path));
            let lockfile = around.text(&path).and_then(|text| family.lockfile(&text).ok());
            let mismatches = lockfile.and_then(|lockfile| manifest_mismatches(around, family, &path, &lockfile));
            for mismatch in mismatches.into_iter().flat_map(|(_, mismatches)| mismatches) {
                found.entry(mismatch.name.clone()).or_insert(mismatch);
            }
        }
    }
    let observations = found.values().map(|mismatch| of_mismatch(mismatch, (mismatch.line, mismatch.line)));
    findings(specialist, file, observations.collect())
}

/// Turns observations into findings. Many of a kind are one, so that a move of the registry is not a thousand findings.
fn findings(
    specialist: &'static Specialist,
    file: &SourceFile<'_>,
    observations: Vec<Observation<'_>>,
) -> Vec<Detailed> {
    let lines = Lines::new(file);
    let mut groups: BTreeMap<(Kind, Weight), Vec<Observation<'_>>> = BTreeMap::new();
    for observation in observations {
        groups.entry((observation.kind, observation.weight)).or_default().push(observation);
    }
    let mut found = Vec::new();
    for ((kind, weight), mut group) in groups {
        // A package that stands in several places is raised once, at the first.
        group.sort_by(|one, other| (one.lines, one.name).cmp(&(other.lines, other.name)));
        let mut seen = std::collections::BTreeSet::new();
        group.retain(|observation| seen.insert((observation.name, observation.says.clone())));
        let names: Vec<String> =
            group.iter().map(|observation| format!("`{}`", tree::shown(observation.name))).collect();
        let is_one = group.len() > MOST_ALIKE;
        let shown = if is_one { 1 } else { group.len() };
        for observation in &group[..shown] {
            let mut claim = claim(specialist, &lines, file, kind, weight, observation);
            if is_one {
                let more = names.len().saturating_sub(MOST_NAMES);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let listed = names[..names.len().min(MOST_NAMES)].join(", ");
                claim.why_it_matters =
                    format!("The same holds for {} packages: {listed}{more}. {}", names.len(), claim.why_it_matters);
            }
            found.push(claim);
        }
    }
    found
}

fn claim(
    specialist: &'static Specialist,
    lines: &Lines<'_>,
    file: &SourceFile<'_>,
    kind: Kind,
    weight: Weight,
    observation: &Observation<'_>,
) -> Detailed {
    let rule = specialist.rules().find(|rule| rule.lockfile == Some(kind)).expect("a test finds a rule for every kind");
    let (first, last) = observation.lines;
    // The touched line says more than the name above it, which may be as it was.
    let touched = file.touched.iter().find(|(_, end)| *end >= first).map(|(start, _)| (*start).max(first));
    let line = touched.filter(|line| *line <= last || observation.kind == Kind::ManifestMismatch).unwrap_or(first);
    let severity = match weight {
        Weight::High => Severity::P1,
        Weight::Medium => Severity::P2,
        Weight::Low => Severity::P3,
    };
    let title = fill(&rule.title, |name| (name == "NAME").then(|| tree::shown(observation.name).into()));
    let span = lines.span(line);
    let found = Match {
        rule,
        span,
        trace: Vec::new(),
        source: None,
        title,
        secret_at: None,
        severity: Some(severity),
        confidence: None,
    };
    let mut claim = lines.claim(found, false);
    claim.why_it_matters = format!("{} {}", observation.says, claim.why_it_matters);
    claim.merge.pre_existing = false;
    claim
}
