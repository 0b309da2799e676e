//! Two states of the lockfiles of an ecosystem. In: what was locked before the change, and one lockfile after it. Out: what is worth
//! raising about its packages.
//!
//! Nothing is known about any registry: what is foreign is told by what the project used before the change, and in a first lockfile by
//! what most of its packages use. Deliberately not here: names that imitate others (`names`), manifests, and the words of findings.

use std::collections::{BTreeMap, BTreeSet};

use super::families::Ecosystem;
use super::lockfile::{Digest, Lockfile, Package, Source};
use super::names::{self, folded};
use super::observation::{Kind, Observation, Weight};
use super::versions;

/// What was locked before the change.
pub(crate) struct Before<'p> {
    by_name: BTreeMap<String, Vec<&'p Package>>,
    /// The registries, each with how many packages came from it.
    registries: BTreeMap<&'p Source, usize>,
    hosts: BTreeSet<&'p str>,
    /// Whether it is of the same family, so that what one leaves out the other leaves out, too.
    is_same_family: bool,
    states_scripts: bool,
}

impl<'p> Before<'p> {
    pub(crate) fn of(ecosystem: Ecosystem, packages: impl Iterator<Item = &'p Package>, is_same_family: bool) -> Self {
        let mut before = Self {
            by_name: BTreeMap::new(),
            registries: BTreeMap::new(),
            hosts: BTreeSet::new(),
            is_same_family,
            states_scripts: false,
        };
        for package in packages {
            before.by_name.entry(folded(ecosystem, &package.name)).or_default().push(package);
            if package.source.is_registry() {
                *before.registries.entry(&package.source).or_default() += 1;
            }
            before.hosts.extend(package.hosts.iter().map(String::as_str));
            before.states_scripts |= package.has_script;
        }
        before
    }

    fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// What most packages of a lockfile have in common.
struct Common<'p> {
    registry: Option<&'p Source>,
    host: Option<&'p str>,
    has_digests: bool,
    is_elsewhere: bool,
    /// Whether most versions that were locked before have digests of another kind now.
    are_restated: bool,
    /// The names that other packages depend on.
    needed: BTreeSet<String>,
}

impl<'p> Common<'p> {
    fn of(ecosystem: Ecosystem, before: &Before<'_>, after: &'p Lockfile) -> Self {
        let from_registry = || after.packages.iter().filter(|package| package.source.is_registry());
        let mut registries: BTreeMap<&Source, usize> = BTreeMap::new();
        let mut hosts: BTreeMap<&str, usize> = BTreeMap::new();
        for package in from_registry() {
            *registries.entry(&package.source).or_default() += 1;
            package.hosts.iter().for_each(|host| *hosts.entry(host).or_default() += 1);
        }
        let most =
            |is: &dyn Fn(&Package) -> bool| 2 * from_registry().filter(|it| is(it)).count() > from_registry().count();
        let is_checked = |it: &Package| !it.digests.is_empty() || it.may_lack_digest;
        let of_before = |it: &&Package| {
            before
                .by_name
                .get(&folded(ecosystem, &it.name))
                .is_some_and(|olds| olds.iter().any(|old| old.version == it.version && !old.digests.is_empty()))
        };
        let is_kept = |it: &&Package| {
            let olds = before.by_name.get(&folded(ecosystem, &it.name)).into_iter().flatten();
            olds.filter(|old| old.version == it.version)
                .flat_map(|old| &old.digests)
                .any(|was| it.digests.iter().any(|is| is.algorithm == was.algorithm))
        };
        let locked = || from_registry().filter(of_before);
        Self {
            are_restated: 2 * locked().filter(is_kept).count() < locked().count(),
            registry: registries.iter().max_by_key(|(_, count)| **count).map(|(source, _)| *source),
            host: hosts.iter().max_by_key(|(_, count)| **count).map(|(host, _)| *host),
            has_digests: from_registry().any(|it| !it.digests.is_empty()) && most(&is_checked),
            is_elsewhere: most(&|it| it.is_elsewhere),
            needed: after.packages.iter().flat_map(|it| &it.needs).map(|name| folded(ecosystem, name)).collect(),
        }
    }
}

/// Compares a lockfile with what was locked before.
pub(crate) fn compare<'a>(ecosystem: Ecosystem, before: &Before<'_>, after: &'a Lockfile) -> Vec<Observation<'a>> {
    let common = Common::of(ecosystem, before, after);
    let mut seen = Vec::new();
    for package in &after.packages {
        let olds = before.by_name.get(&folded(ecosystem, &package.name)).map(Vec::as_slice).unwrap_or_default();
        seen.extend(integrity(package, olds, before, &common));
        seen.extend(source(package, olds, before, &common));
        seen.extend(script(package, olds, before));
        seen.extend(alias(ecosystem, package, before));
        if olds.is_empty() {
            seen.extend(look_alike(ecosystem, package, &common));
        }
    }
    seen.extend(downgrades(ecosystem, before, after));
    seen
}

/// Asks whether the digests of a version are those that it had, and whether a new one has any.
fn integrity<'a>(
    package: &'a Package,
    olds: &[&Package],
    before: &Before<'_>,
    common: &Common<'_>,
) -> Option<Observation<'a>> {
    let is_same = |old: &&&Package| {
        old.version == package.version && !old.version.is_empty() && is_alike(&old.source, &package.source)
    };
    let known: Vec<&Digest> = olds.iter().filter(is_same).flat_map(|old| &old.digests).collect();
    if known.is_empty() {
        let lacks = package.digests.is_empty() && !package.may_lack_digest && common.has_digests;
        let is_new = !olds.iter().any(|old| old.version == package.version);
        let says = "The other packages of the lockfile have a digest, and this one has none: whatever its registry delivers is installed.";
        return (lacks && is_new)
            .then(|| Observation::new(Kind::IntegrityMissing, package, Weight::Medium, says.to_owned()));
    }
    let strongest = known.iter().map(|digest| digest.strength()).max().unwrap_or_default();
    if package.digests.iter().all(|digest| digest.strength() < strongest)
        && !(package.may_lack_digest && package.digests.is_empty())
    {
        let says = format!(
            "Version {} had a digest before the change, and its content is no longer checked against it.",
            package.version
        );
        return Some(Observation::new(Kind::IntegrityMissing, package, Weight::High, says));
    }
    if let Some((was, is)) = changed(&known, &package.digests) {
        let says = format!(
            "The {} of version {} was {} and is {}: the same version has other content.",
            words(was),
            package.version,
            brief(&was.value),
            brief(&is.value)
        );
        return Some(Observation::new(Kind::IntegrityChanged, package, Weight::High, says));
    }
    if !package.digests.is_empty()
        && !package.digests.iter().any(|is| known.iter().any(|was| was.algorithm == is.algorithm))
    {
        return before.is_same_family.then(|| restated(package, strongest, common));
    }
    let is_added = |digest: &&Digest| !known.contains(digest) && known.iter().any(|old| are_comparable(old, digest));
    let added = package.digests.iter().find(is_added)?;
    let file = added.file.as_deref().unwrap_or("another file");
    let says = format!(
        "Version {} has a digest more than before, for {file}: its registry got another file for the same version.",
        package.version
    );
    Some(Observation::new(Kind::IntegrityChanged, package, Weight::Low, says))
}

/// Says that a version has a digest of another kind, which cannot be compared with the one before. Of all packages that is a manager's
/// doing, of one it takes the check away.
fn restated<'a>(package: &'a Package, strongest: u8, common: &Common<'_>) -> Observation<'a> {
    let is_stronger = package.digests.iter().any(|digest| digest.strength() > strongest);
    let weight = match (is_stronger, common.are_restated) {
        (_, true) => Weight::Low,
        (true, false) => Weight::Medium,
        (false, false) => Weight::High,
    };
    let says =
        format!("Version {} has a digest of another kind than before, which cannot be compared.", package.version);
    Observation::new(Kind::IntegrityChanged, package, weight, says)
}

/// Tells whether two digests are of the same kind of thing.
fn are_comparable(one: &Digest, other: &Digest) -> bool {
    one.algorithm == other.algorithm && one.file.is_some() == other.file.is_some()
}

/// Tells whether two sources are the same, or both registries: which one is asked elsewhere.
fn is_alike(one: &Source, other: &Source) -> bool {
    one == other || one.is_registry() && other.is_registry()
}

/// Finds a digest that another one has replaced: of the same file, or of all files that there were.
fn changed<'d>(known: &[&'d Digest], now: &'d [Digest]) -> Option<(&'d Digest, &'d Digest)> {
    let of_file = |is: &Digest| {
        let is_same_file = |was: &&&Digest| was.file == is.file && was.algorithm == is.algorithm;
        let mut same = known.iter().filter(is_same_file);
        let first = same.next()?;
        let is_known = first.value == is.value || same.any(|was| was.value == is.value);
        (!is_known).then_some(*first)
    };
    // Where files have no names, one of several digests may be added; where they have, each is its file's own.
    let named = now.iter().filter(|is| is.file.is_some()).find_map(|is| Some((of_file(is)?, is)));
    let none_is_left = |is: &&Digest| !now.iter().any(|other| are_comparable(other, is) && known.contains(&other));
    let rest = || {
        now.iter().filter(none_is_left).find_map(|is| Some((*known.iter().find(|was| are_comparable(was, is))?, is)))
    };
    named.or_else(rest)
}

fn words(digest: &Digest) -> String {
    match (&digest.file, digest.algorithm.as_str()) {
        (Some(file), _) => format!("digest of {file}"),
        (None, "commit") => "commit".to_owned(),
        (None, "origin") => "repository".to_owned(),
        (None, _) => "digest".to_owned(),
    }
}

fn brief(value: &str) -> String {
    const LENGTH: usize = 40;
    let start: String = value.chars().take(LENGTH).collect();
    if start.len() < value.len() { format!("{start}…") } else { start }
}

/// Asks whether a package comes from where the project's packages come from.
fn source<'a>(
    package: &'a Package,
    olds: &[&Package],
    before: &Before<'_>,
    common: &Common<'_>,
) -> Option<Observation<'a>> {
    let now = &package.source;
    let raise = |weight, says: String| Some(Observation::new(Kind::ForeignSource, package, weight, says));
    if olds.iter().any(|old| {
        old.source == *now && old.hosts.is_superset(&package.hosts) && old.is_elsewhere == package.is_elsewhere
    }) {
        return None;
    }
    let was = olds.first().map(|old| &old.source);
    let from = was.map(|was| format!("It came from {} before the change", was.words()));
    let from = from.unwrap_or_else(|| "It is new".to_owned());
    if !now.is_registry() {
        return match now {
            Source::Path(path) if was.is_none() => {
                let leaves = path.starts_with('/') || path.starts_with("..") || path.contains(":\\");
                leaves.then(|| {
                    Observation::new(
                        Kind::ForeignSource,
                        package,
                        Weight::Medium,
                        format!("It is read from {path}, outside of the repository."),
                    )
                })
            }
            Source::Path(_) if was.is_some_and(|was| matches!(was, Source::Path(_))) => None,
            Source::Unstated | Source::Registry(_) => None,
            _ => raise(Weight::High, format!("{from}, and it now comes from {}.", now.words())),
        };
    }
    if package.is_elsewhere && !common.is_elsewhere {
        return raise(Weight::High, "The address of its file names another package.".to_owned());
    }
    if let Some(registry) = is_foreign_registry(now, before, common) {
        return raise(
            registry,
            format!("{from}, and it now comes from {}, which the project did not use.", now.words()),
        );
    }
    let is_known = |host: &&String| match before.hosts.is_empty() {
        false => before.hosts.contains(host.as_str()),
        true => common.host == Some(host.as_str()),
    };
    if let Some(host) = package.hosts.iter().find(|host| !is_known(host)) {
        return raise(Weight::High, format!("Its file is at {host}, where the project had none."));
    }
    // Both registries are known. Moving a package between them is how a public package takes the place of a private one.
    let moved =
        was.filter(|was| before.is_same_family && was.is_registry() && *was != now && *now != Source::Unstated)?;
    raise(Weight::Medium, format!("It moved from {} to {}.", moved.words(), now.words()))
}

/// Weighs a registry that the project did not use.
fn is_foreign_registry(now: &Source, before: &Before<'_>, common: &Common<'_>) -> Option<Weight> {
    if before.is_empty() || before.registries.is_empty() {
        return (common.registry != Some(now)).then_some(Weight::High);
    }
    let is_known = *now == Source::Unstated || before.registries.contains_key(now) || is_safer(now, before);
    if is_known {
        return None;
    }
    // Another manager may state the same registry in another way.
    let is_restated = !before.is_same_family && common.registry == Some(now);
    Some(if is_restated { Weight::Medium } else { Weight::High })
}

/// Tells whether it is a registry that was asked without encryption before.
fn is_safer(now: &Source, before: &Before<'_>) -> bool {
    let Source::Registry(address) = now else { return false };
    before.registries.contains_key(&Source::Registry(format!("http://{address}")))
}

/// Asks whether a package runs a script that no version of it ran before.
fn script<'a>(package: &'a Package, olds: &[&Package], before: &Before<'_>) -> Option<Observation<'a>> {
    if !package.has_script || olds.iter().any(|old| old.has_script) {
        return None;
    }
    let is_told = before.is_same_family && (before.states_scripts || !olds.is_empty());
    let weight = if before.is_empty() || !is_told && !before.is_same_family { Weight::Low } else { Weight::Medium };
    let says = if olds.is_empty() { "It is new." } else { "No version of it that was locked before ran one." };
    Some(Observation::new(Kind::InstallScript, package, weight, says.to_owned()))
}

/// Asks whether a package stands under the name of another one.
fn alias<'a>(ecosystem: Ecosystem, package: &'a Package, before: &Before<'_>) -> Option<Observation<'a>> {
    let alias = package.alias.as_ref()?;
    let real = folded(ecosystem, alias);
    if real == folded(ecosystem, &package.name) {
        return None;
    }
    let is_old = before.by_name.get(&folded(ecosystem, &package.name));
    if is_old.is_some_and(|olds| olds.iter().any(|old| old.alias.as_ref() == Some(alias))) {
        return None;
    }
    let is_taken = before.by_name.get(&real).is_some_and(|olds| olds.iter().any(|old| old.alias.is_none()));
    if !is_taken && !names::is_well_known(ecosystem, alias) {
        return None;
    }
    let says =
        format!("Code that asks for `{}` gets `{}`.", super::tree::shown(alias), super::tree::shown(&package.name));
    Some(Observation::new(Kind::HiddenByAlias, package, Weight::High, says))
}

/// Asks whether a new name imitates a well-known one.
fn look_alike<'a>(ecosystem: Ecosystem, package: &'a Package, common: &Common<'_>) -> Option<Observation<'a>> {
    let known = names::imitated(ecosystem, &package.name)?;
    // What other packages depend on was chosen by their authors; what nothing depends on was typed here.
    let is_needed = common.needed.contains(&folded(ecosystem, &package.name));
    let (weight, who) = if is_needed {
        (Weight::Low, "other packages depend on it")
    } else {
        (Weight::High, "no other package depends on it")
    };
    let says = format!("It is one edit away from `{known}`, the project did not use it before, and {who}.");
    Some(Observation::new(Kind::LookAlike, package, weight, says))
}

/// Finds packages all of whose versions are lower than before.
fn downgrades<'a>(ecosystem: Ecosystem, before: &Before<'_>, after: &'a Lockfile) -> Vec<Observation<'a>> {
    let mut by_name: BTreeMap<String, Vec<&Package>> = BTreeMap::new();
    for package in after.packages.iter().filter(|package| package.source.is_registry()) {
        by_name.entry(folded(ecosystem, &package.name)).or_default().push(package);
    }
    let downgrade = |(name, news): (String, Vec<&'a Package>)| {
        let olds = before.by_name.get(&name)?.iter().filter(|old| old.source.is_registry());
        let lowest = olds.map(|old| old.version.as_str()).reduce(|one, other| match versions::compare(one, other) {
            Some(order) if order.is_gt() => other,
            _ => one,
        })?;
        let highest = news.into_iter().reduce(|one, other| match versions::compare(&one.version, &other.version) {
            Some(order) if order.is_lt() => other,
            _ => one,
        })?;
        if !versions::compare(&highest.version, lowest)?.is_lt() {
            return None;
        }
        let crosses = versions::crosses_major(&highest.version, lowest);
        let weight = if crosses { Weight::Medium } else { Weight::Low };
        let says = format!("It was {lowest} and is {}. What later versions mended is back.", highest.version);
        Some(Observation::new(Kind::Downgrade, highest, weight, says))
    };
    by_name.into_iter().filter_map(downgrade).collect()
}
