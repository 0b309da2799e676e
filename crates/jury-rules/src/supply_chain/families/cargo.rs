//! `Cargo.lock`.

use std::collections::BTreeMap;

use super::super::address;
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, toml};

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = toml(text)?;
    if root.text_of("version").is_some_and(|version| !["1", "2", "3", "4"].contains(&version)) {
        return Err("its version is not known".to_owned());
    }
    // Version 1 has the checksums of all packages in one table: `checksum NAME VERSION (SOURCE)`.
    let metadata = root.get("metadata").map(Node::members).unwrap_or_default();
    let sums: BTreeMap<&str, &str> =
        metadata.iter().filter_map(|(key, sum)| Some((key.as_str(), sum.text()?))).collect();
    let entries = root.get("package").map(Node::items).unwrap_or_default();
    let package = |entry: &Node| {
        let name =
            entry.text_of("name").ok_or_else(|| format!("a package without a name at line {}", entry.lines.0))?;
        let version = entry.text_of("version").unwrap_or_default();
        let stated = entry.text_of("source");
        let earlier =
            || sums.get(format!("checksum {name} {version} ({})", stated.unwrap_or_default()).as_str()).copied();
        let sum = entry.text_of("checksum").or_else(earlier).filter(|sum| *sum != "<none>");
        let source = stated.map_or(Source::Path(String::new()), source);
        let needs = entry.get("dependencies").map(Node::items).unwrap_or_default().iter().filter_map(Node::text);
        Ok(Package {
            name: name.to_owned(),
            version: version.to_owned(),
            may_lack_digest: !source.is_registry(),
            source,
            digests: sum.map(|sum| Digest::of(sum, "sha256")).into_iter().collect(),
            needs: needs.map(|need| need.split(' ').next().unwrap_or(need).to_owned()).collect(),
            lines: entry.lines,
            ..Package::default()
        })
    };
    Ok(Lockfile { packages: entries.iter().map(package).collect::<Result<_, String>>()? })
}

/// Reads `registry+URL`, `sparse+URL` or `git+URL?branch=…#commit`. A package without a source is a folder of this machine.
fn source(text: &str) -> Source {
    let (kind, rest) = text.split_once('+').unwrap_or(("", text));
    let whole = |text: &str| address::Address::of(text).map_or_else(|| text.to_owned(), |address| address.whole());
    match kind {
        "registry" | "sparse" => Source::Registry(whole(rest)),
        "git" => Source::Git(address::git(text).unwrap_or_else(|| rest.to_owned())),
        _ => Source::Url(text.to_owned()),
    }
}
