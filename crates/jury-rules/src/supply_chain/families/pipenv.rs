//! `Pipfile.lock`.

use std::collections::BTreeMap;

use super::super::address::{self, Address};
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, json};

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = json(text, false)?;
    let meta = root.get("_meta").ok_or("it has no `_meta`")?;
    let sources = meta.get("sources").map(Node::items).unwrap_or_default();
    let place = |source: &Node| {
        let url = source.text_of("url")?;
        Some(Address::of(url).map_or_else(|| url.to_owned(), |address| address.whole()))
    };
    let known: BTreeMap<&str, String> =
        sources.iter().filter_map(|source| Some((source.text_of("name")?, place(source)?))).collect();
    // A package that names no index comes from the first.
    let default = sources.first().and_then(place).map_or(Source::Unstated, Source::Registry);
    let groups = root.members().iter().filter(|(name, _)| name != "_meta");
    let entries = groups.flat_map(|(_, group)| group.members());
    Ok(Lockfile { packages: entries.map(|(name, entry)| package(name, entry, &known, &default)).collect() })
}

fn package(name: &str, entry: &Node, known: &BTreeMap<&str, String>, default: &Source) -> Package {
    let text = |member: &str| entry.text_of(member);
    let index = || {
        text("index").map_or_else(
            || default.clone(),
            |index| Source::Registry(known.get(index).cloned().unwrap_or_else(|| index.to_owned())),
        )
    };
    let source = match (text("git"), text("path"), text("file")) {
        (Some(url), ..) => Source::Git(address::git(&format!("git+{url}")).unwrap_or_else(|| url.to_owned())),
        (_, Some(path), _) => Source::Path(path.to_owned()),
        (_, _, Some(file)) => address::source(file, name),
        _ => index(),
    };
    let hashes = entry.get("hashes").map(Node::items).unwrap_or_default();
    let version =
        text("version").map(|version| version.trim_start_matches("==")).or_else(|| text("ref")).unwrap_or_default();
    Package {
        name: name.to_owned(),
        version: version.to_owned(),
        may_lack_digest: !source.is_registry(),
        source,
        digests: hashes.iter().filter_map(Node::text).map(|hash| Digest::of(hash, "sha256")).collect(),
        lines: entry.lines,
        ..Package::default()
    }
}
