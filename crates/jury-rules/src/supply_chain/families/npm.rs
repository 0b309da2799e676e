//! `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3.
//!
//! Version 2 holds the packages twice, for old and for new releases of npm; both lists are read, so neither can hide the other.

use super::super::address;
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, json};

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = json(text, false)?;
    match root.text_of("lockfileVersion") {
        Some("1" | "2" | "3") => {}
        Some(other) => return Err(format!("lockfileVersion {other} is not known")),
        None => return Err("it has no lockfileVersion".to_owned()),
    }
    let mut packages = Vec::new();
    for (path, entry) in root.get("packages").map(Node::members).unwrap_or_default() {
        packages.extend(of_path(path, entry));
    }
    let mut nested: Vec<&Node> = vec![&root];
    while let Some(node) = nested.pop() {
        for (name, entry) in node.get("dependencies").map(Node::members).unwrap_or_default() {
            packages.push(of_name(name, entry));
            nested.push(entry);
        }
    }
    Ok(Lockfile { packages })
}

/// Reads an entry of `packages`, whose name is a path below `node_modules`. The other paths are the project itself.
fn of_path(path: &str, entry: &Node) -> Option<Package> {
    let known = path.rsplit_once("node_modules/").map(|(_, name)| name)?;
    let name = entry.text_of("name").unwrap_or(known);
    if entry.is("link") {
        let to = entry.text_of("resolved").unwrap_or_default();
        return Some(Package {
            source: Source::Path(to.to_owned()),
            may_lack_digest: true,
            ..package(known, known, entry)
        });
    }
    let needs =
        ["dependencies", "optionalDependencies"].iter().flat_map(|kind| entry.names_of(kind)).cloned().collect();
    Some(Package { needs, ..package(known, name, entry) })
}

/// Reads an entry of `dependencies`, the list of version 1.
fn of_name(known: &str, entry: &Node) -> Package {
    let version = entry.text_of("version").unwrap_or_default();
    let needs = entry.names_of("requires").cloned().collect();
    if let Some((name, version)) = version.strip_prefix("npm:").and_then(|alias| alias.rsplit_once('@')) {
        return Package { version: version.to_owned(), needs, ..package(known, name, entry) };
    }
    let mut package = Package { needs, ..package(known, known, entry) };
    if version.contains(':') {
        // Instead of a version it has the place of a package that is in no registry.
        package.source = address::source(version, known);
        package.version = version.rsplit_once('#').map(|(_, commit)| commit).unwrap_or_default().to_owned();
    }
    package
}

fn package(known: &str, name: &str, entry: &Node) -> Package {
    let resolved = entry.text_of("resolved");
    let source = resolved.map_or(Source::Unstated, |resolved| address::source(resolved, name));
    Package {
        name: name.to_owned(),
        alias: (known != name).then(|| known.to_owned()),
        version: entry.text_of("version").unwrap_or_default().to_owned(),
        is_elsewhere: source.is_registry() && resolved.is_some_and(|resolved| !address::names(resolved, name)),
        may_lack_digest: entry.is("inBundle") || entry.is("bundled") || !source.is_registry(),
        source,
        digests: entry.text_of("integrity").map(Digest::integrity).unwrap_or_default(),
        has_script: entry.is("hasInstallScript"),
        lines: entry.lines,
        ..Package::default()
    }
}
