//! `poetry.lock`.

use super::super::address;
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, toml};

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = toml(text)?;
    let entries = root.get("package").map(Node::items).unwrap_or_default();
    // Before version 2 the files of all packages stood in one table.
    let earlier = root.get("metadata").and_then(|metadata| metadata.get("files"));
    let package = |entry: &Node| {
        let name =
            entry.text_of("name").ok_or_else(|| format!("a package without a name at line {}", entry.lines.0))?;
        let files = entry.get("files").or_else(|| earlier?.get(name)).map(Node::items).unwrap_or_default();
        let source = entry.get("source").map_or(Source::Unstated, source);
        Ok(Package {
            name: name.to_owned(),
            version: entry.text_of("version").unwrap_or_default().to_owned(),
            may_lack_digest: !source.is_registry(),
            source,
            digests: files.iter().filter_map(digest).collect(),
            needs: entry.names_of("dependencies").cloned().collect(),
            lines: entry.lines,
            ..Package::default()
        })
    };
    Ok(Lockfile { packages: entries.iter().map(package).collect::<Result<_, String>>()? })
}

/// Reads `{file = "…", hash = "sha256:…"}`.
fn digest(file: &Node) -> Option<Digest> {
    Some(Digest { file: file.text_of("file").map(str::to_owned), ..Digest::of(file.text_of("hash")?, "sha256") })
}

fn source(node: &Node) -> Source {
    let url = node.text_of("url").unwrap_or_default();
    let whole = || address::Address::of(url).map_or_else(|| url.to_owned(), |address| address.whole());
    match node.text_of("type") {
        Some("git") => Source::Git(address::git(&format!("git+{url}")).unwrap_or_else(|| url.to_owned())),
        Some("directory" | "file") => Source::Path(url.to_owned()),
        Some("legacy") => Source::Registry(whole()),
        _ => Source::Url(whole()),
    }
}
