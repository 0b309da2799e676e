//! `pnpm-lock.yaml`, versions 5 to 9.

use std::collections::BTreeMap;

use super::super::address;
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, Value, yaml};

/// The kinds of dependencies of an importer or a package.
const KINDS: [&str; 3] = ["dependencies", "devDependencies", "optionalDependencies"];

/// The members of the whole. A file with another one is not only a lockfile, and is read as the YAML that it is.
pub(super) const MEMBERS: &[&str] = &[
    "lockfileVersion",
    "specifiers",
    "dependencies",
    "devDependencies",
    "optionalDependencies",
    "dependenciesMeta",
    "settings",
    "importers",
    "packages",
    "snapshots",
    "overrides",
    "packageExtensionsChecksum",
    "pnpmfileChecksum",
    "patchedDependencies",
    "neverBuiltDependencies",
    "onlyBuiltDependencies",
    "ignoredBuiltDependencies",
    "ignoredOptionalDependencies",
    "catalogs",
    "time",
    "publishDirectory",
    "registry",
];

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = yaml(text)?;
    let version = root.text_of("lockfileVersion").unwrap_or_default();
    if !["5", "6", "7", "9"].contains(&version.split('.').next().unwrap_or_default()) {
        return Err(format!("lockfileVersion {version} is not known"));
    }
    if let Some((other, _)) = root.members().iter().find(|(name, _)| !MEMBERS.contains(&name.as_str())) {
        return Err(format!("`{other}` is no member of such a file"));
    }
    let mut packages = Vec::new();
    let mut at: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (key, entry) in root.get("packages").map(Node::members).unwrap_or_default() {
        let package = package(key, entry);
        at.insert((package.name.clone(), package.version.clone()), packages.len());
        packages.push(package);
    }
    for (key, entry) in root.get("snapshots").map(Node::members).unwrap_or_default() {
        let (name, version) = split(key);
        if let Some(at) = at.get(&(name.to_owned(), bare(version).to_owned())) {
            packages[*at].needs.extend(needs(entry));
        }
    }
    packages.extend(patches(&root));
    let importers = root.get("importers").map(Node::members).unwrap_or_default().iter().map(|(_, node)| node);
    let known: Vec<Package> = importers
        .chain([&root])
        .flat_map(|importer| KINDS.iter().filter_map(|kind| importer.get(kind)))
        .flat_map(|kind| kind.members())
        .filter_map(|(alias, entry)| alias_of(alias, entry, &packages, &at))
        .collect();
    packages.extend(known);
    Ok(Lockfile { packages })
}

/// Reads an entry of `packages`.
fn package(key: &str, entry: &Node) -> Package {
    let (name, version) = split(key);
    let name = entry.text_of("name").unwrap_or(name);
    let version = entry.text_of("version").unwrap_or(bare(version));
    let resolution = entry.get("resolution");
    let text = |member: &str| resolution.and_then(|resolution| resolution.text_of(member));
    let tarball = text("tarball").or_else(|| version.contains("://").then_some(version));
    let source = match (text("repo"), text("directory"), tarball) {
        (Some(repo), ..) => Source::Git(address::git(&format!("git+{repo}")).unwrap_or_else(|| repo.to_owned())),
        (_, Some(folder), _) => Source::Path(folder.to_owned()),
        (_, _, Some(tarball)) => address::source(tarball, name),
        _ if version.starts_with("file:") => Source::Path(version.trim_start_matches("file:").to_owned()),
        _ => other_registry(key, name),
    };
    Package {
        name: name.to_owned(),
        version: version.to_owned(),
        is_elsewhere: source.is_registry() && tarball.is_some_and(|tarball| !address::names(tarball, name)),
        may_lack_digest: !source.is_registry(),
        source,
        digests: text("integrity").map(Digest::integrity).unwrap_or_default(),
        has_script: entry.is("requiresBuild"),
        needs: needs(entry),
        lines: entry.lines,
        ..Package::default()
    }
}

/// Returns the registry that a key of version 5 or 6 begins with, if it is not the default one.
fn other_registry(key: &str, name: &str) -> Source {
    let before = key.split(name).next().unwrap_or_default().trim_matches('/');
    if before.is_empty() { Source::Unstated } else { Source::Registry(before.to_lowercase()) }
}

fn needs(entry: &Node) -> Vec<String> {
    KINDS.iter().flat_map(|kind| entry.names_of(kind)).cloned().collect()
}

/// Splits a key: `/name/1.0.0_peer` (5), `/name@1.0.0(peer)` (6), `name@1.0.0` (9), with or without a registry before it.
fn split(key: &str) -> (&str, &str) {
    let plain = key.find('(').map_or(key, |at| &key[..at]);
    let name_at = |text: &str| text.find('@').map_or(0, |at| if at == 0 || text[..at].ends_with('/') { at } else { 0 });
    let start = plain.trim_start_matches('/');
    let start = &start[name_at(start)..];
    // After the scope, the next `@` ends the name.
    if let Some(at) = start.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at)
        && !is_version_with_peers(&start[..at])
    {
        let name = &start[..at];
        let name = if name.starts_with('@') { name } else { name.rsplit('/').next().unwrap_or(name) };
        return (name, &start[at + 1..]);
    }
    let Some((name, version)) = start.rsplit_once('/') else { return (start, "") };
    let version = version.split('_').next().unwrap_or(version);
    match name.rfind('@') {
        Some(at) => (&name[at..], version),
        None => (name.rsplit('/').next().unwrap_or(name), version),
    }
}

/// Tells whether a part of a key of version 5 has come to the peers behind the version: `name/1.0.0_react@16.0.0`. Names may have a `_`, too.
fn is_version_with_peers(part: &str) -> bool {
    let (name, last) = part.rsplit_once('/').unwrap_or(("", part));
    let is_behind_name = if name.starts_with('@') { name.contains('/') } else { !name.is_empty() };
    is_behind_name && last.starts_with(|c: char| c.is_ascii_digit()) && last.contains('_')
}

/// Returns a version without its peers.
fn bare(version: &str) -> &str {
    version.split('(').next().unwrap_or(version)
}

/// Returns the package that a dependency knows by another name.
fn alias_of(
    alias: &str,
    entry: &Node,
    packages: &[Package],
    at: &BTreeMap<(String, String), usize>,
) -> Option<Package> {
    let version = match &entry.value {
        Value::Text(text) => text,
        _ => entry.text_of("version")?,
    };
    if !version.starts_with('/') && !version[1.min(version.len())..].contains('@') {
        return None;
    }
    let (name, version) = split(version);
    let at = at.get(&(name.to_owned(), bare(version).to_owned()))?;
    (name != alias).then(|| Package { alias: Some(alias.to_owned()), lines: entry.lines, ..packages[*at].clone() })
}

/// Lists the packages that a local patch changes.
fn patches(root: &Node) -> Vec<Package> {
    let patch = |(key, entry): &(String, Node)| {
        let (name, version) = split(key);
        let hash = entry.text().or_else(|| entry.text_of("hash")).unwrap_or_default();
        let path = entry.text_of("path").unwrap_or("a local file");
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            source: Source::Patch(path.to_owned()),
            digests: vec![Digest { file: None, algorithm: "patch".to_owned(), value: hash.to_owned() }],
            may_lack_digest: true,
            lines: entry.lines,
            ..Package::default()
        }
    };
    root.get("patchedDependencies").map(Node::members).unwrap_or_default().iter().map(patch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_all_versions_name_the_package() {
        for (key, expected) in [
            ("/chalk/4.1.0", ("chalk", "4.1.0")),
            ("/@babel/core/7.1.0_react@17.0.0", ("@babel/core", "7.1.0")),
            ("/ts-node/10.9.1_abc_def", ("ts-node", "10.9.1")),
            ("/chalk@4.1.0", ("chalk", "4.1.0")),
            ("/@babel/core@7.1.0(react@17.0.0)", ("@babel/core", "7.1.0")),
            ("chalk@4.1.0", ("chalk", "4.1.0")),
            ("@babel/core@7.1.0(react@17.0.0)(vue@3.0.0)", ("@babel/core", "7.1.0")),
            ("@types/babel__template@7.4.4", ("@types/babel__template", "7.4.4")),
            ("@7z/7_zip@1.0.0", ("@7z/7_zip", "1.0.0")),
            ("lodash_es@1.0.0(a@2.0.0)", ("lodash_es", "1.0.0")),
            ("/babel__x/7.1.0_react@17.0.0", ("babel__x", "7.1.0")),
            ("b@https://code.example/a/b/tar.gz/f00", ("b", "https://code.example/a/b/tar.gz/f00")),
            ("registry.example/chalk/4.1.0", ("chalk", "4.1.0")),
            ("registry.example/@a/b/4.1.0", ("@a/b", "4.1.0")),
        ] {
            assert_eq!(split(key), expected, "{key}");
        }
    }
}
