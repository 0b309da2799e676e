//! `bun.lock`, which is JSON with trailing commas. `bun.lockb` is binary and is not read.

use super::super::address;
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, Value, json};
use super::yarn_classic::split;

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = json(text, true)?;
    match root.text_of("lockfileVersion") {
        Some("0" | "1") => {}
        other => return Err(format!("lockfileVersion {} is not known", other.unwrap_or("(none)"))),
    }
    let trusted: Vec<&str> =
        root.get("trustedDependencies").map(Node::items).unwrap_or_default().iter().filter_map(Node::text).collect();
    let entries = root.get("packages").map(Node::members).unwrap_or_default();
    let mut packages: Vec<Package> = entries.iter().filter_map(|(key, entry)| package(key, entry, &trusted)).collect();
    for (key, path) in root.get("patchedDependencies").map(Node::members).unwrap_or_default() {
        let (name, version) = split(key);
        let source = Source::Patch(path.text().unwrap_or_default().to_owned());
        let (name, version) = (name.to_owned(), version.to_owned());
        packages.push(Package {
            name,
            version,
            source,
            may_lack_digest: true,
            lines: path.lines,
            ..Package::default()
        });
    }
    Ok(Lockfile { packages })
}

/// Reads `"key": ["name@version", "registry", { … }, "integrity"]`, or a shorter list for what is in no registry.
fn package(key: &str, entry: &Node, trusted: &[&str]) -> Option<Package> {
    let items = entry.items();
    let (name, reference) = split(items.first()?.text()?);
    if reference.starts_with("workspace:") {
        return None;
    }
    let texts = || items.iter().skip(1).filter_map(Node::text);
    let is_digest =
        |text: &&str| text.split('-').next().is_some_and(|word| ["sha1", "sha256", "sha384", "sha512"].contains(&word));
    let elsewhere = |reference: &str| reference.contains(':') || reference.starts_with('.');
    let registry = texts().find(|text| text.contains("://"));
    let source = match registry {
        _ if elsewhere(reference) => address::source(reference, name),
        Some(registry) => match address::source(registry, name) {
            Source::Url(_) => {
                address::Address::of(registry).map_or(Source::Unstated, |address| Source::Registry(address.whole()))
            }
            source => source,
        },
        None => Source::Unstated,
    };
    let facts = items.iter().find(|item| matches!(item.value, Value::Map(_)));
    let is_known = key == name || key.ends_with(&format!("/{name}"));
    let last = key.rsplit('/').next().unwrap_or(key);
    Some(Package {
        name: name.to_owned(),
        alias: (!is_known).then(|| last.to_owned()),
        version: reference.rsplit('#').next().unwrap_or_default().to_owned(),
        may_lack_digest: !source.is_registry(),
        source,
        digests: texts().filter(is_digest).flat_map(Digest::integrity).collect(),
        has_script: trusted.contains(&name),
        needs: facts.into_iter().flat_map(|facts| facts.names_of("dependencies")).cloned().collect(),
        lines: entry.lines,
        ..Package::default()
    })
}
