//! The packages that came, went or moved. In: what was locked before, and what is. Out: one entry for each name.

use std::collections::{BTreeMap, BTreeSet};

use super::families::Ecosystem;
use super::lockfile::{Package, Source};
use super::names::folded;
use super::tree::shown;

/// A package whose locked versions or sources a change moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackageChange {
    /// The path of the lockfile.
    pub lockfile: String,
    /// The name, without characters that cannot be seen.
    pub name: String,
    /// The versions that are locked no more.
    pub gone: Vec<String>,
    /// The versions that are new.
    pub came: Vec<String>,
    /// Where it comes from now, if that is new or no registry.
    pub source: Option<String>,
}

/// The versions and sources of one name.
#[derive(Default)]
struct Locked<'p> {
    name: &'p str,
    versions: BTreeSet<&'p str>,
    sources: BTreeSet<&'p Source>,
}

/// Lists what differs, by name.
pub(super) fn changes<'p>(
    ecosystem: Ecosystem,
    lockfile: &str,
    before: impl Iterator<Item = &'p Package>,
    after: impl Iterator<Item = &'p Package>,
) -> Vec<PackageChange> {
    let (before, after) = (by_name(ecosystem, before), by_name(ecosystem, after));
    let none = Locked::default();
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let change = |name: &String| {
        let (was, is) = (before.get(name).unwrap_or(&none), after.get(name).unwrap_or(&none));
        let minus = |one: &Locked<'_>, other: &Locked<'_>| {
            one.versions.difference(&other.versions).map(|version| shown(version)).collect()
        };
        let (gone, came): (Vec<String>, Vec<String>) = (minus(was, is), minus(is, was));
        let source =
            is.sources.difference(&was.sources).find(|source| !was.sources.is_empty() || !source.is_registry());
        let name = shown(if is.name.is_empty() { was.name } else { is.name });
        let source = source.map(|source| shown(&source.words()));
        let is_same = gone.is_empty() && came.is_empty() && source.is_none();
        (!is_same).then(|| PackageChange { lockfile: lockfile.to_owned(), name, gone, came, source })
    };
    names.into_iter().filter_map(change).collect()
}

fn by_name<'p>(ecosystem: Ecosystem, packages: impl Iterator<Item = &'p Package>) -> BTreeMap<String, Locked<'p>> {
    let mut by_name: BTreeMap<String, Locked<'p>> = BTreeMap::new();
    // The project's own packages move with every release.
    for package in packages.filter(|package| package.source != Source::Path(String::new())) {
        let locked = by_name.entry(folded(ecosystem, &package.name)).or_default();
        locked.name = &package.name;
        locked.versions.insert(&package.version);
        locked.sources.insert(&package.source);
    }
    by_name
}
