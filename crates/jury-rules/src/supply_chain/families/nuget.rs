//! `packages.lock.json` of NuGet.

use super::super::lockfile::{Digest, Lockfile, Package};
use super::super::tree::{Node, json};

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = json(text, false)?;
    if !root.text_of("version").is_some_and(|version| ["1", "2"].contains(&version)) {
        return Err("its version is not known".to_owned());
    }
    let frameworks = root.get("dependencies").map(Node::members).unwrap_or_default();
    let entries = frameworks.iter().flat_map(|(_, framework)| framework.members());
    // Other projects of the solution are the repository's own.
    let entries =
        entries.filter(|(_, entry)| !entry.text_of("type").is_some_and(|kind| kind.eq_ignore_ascii_case("project")));
    let package = |(name, entry): &(String, Node)| Package {
        name: name.clone(),
        version: entry.text_of("resolved").unwrap_or_default().to_owned(),
        digests: entry.text_of("contentHash").map(|hash| Digest::of(hash, "sha512")).into_iter().collect(),
        needs: entry.names_of("dependencies").cloned().collect(),
        lines: entry.lines,
        ..Package::default()
    };
    Ok(Lockfile { packages: entries.map(package).collect() })
}
