//! `composer.lock`.

use super::super::address::{self, Address};
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, json};

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = json(text, false)?;
    if root.get("packages").is_none() {
        return Err("it has no `packages`".to_owned());
    }
    let entries = ["packages", "packages-dev"].iter().filter_map(|group| root.get(group)).flat_map(Node::items);
    Ok(Lockfile { packages: entries.map(package).collect::<Result<_, String>>()? })
}

fn package(entry: &Node) -> Result<Package, String> {
    let name = entry.text_of("name").ok_or_else(|| format!("a package without a name at line {}", entry.lines.0))?;
    let version = entry.text_of("version").unwrap_or_default();
    let (dist, origin) = (entry.get("dist"), entry.get("source"));
    let text = |node: Option<&Node>, member: &str| node.and_then(|node| node.text_of(member)).map(str::to_owned);
    let url = text(dist, "url").or_else(|| text(origin, "url")).unwrap_or_default();
    // A package of the registry says whom to notify of its installation; any other comes straight from its repository.
    let source = match entry.text_of("notification-url").and_then(Address::of) {
        _ if text(dist, "type").as_deref() == Some("path") => Source::Path(url.clone()),
        Some(address) => Source::Registry(address.place()),
        None => text(origin, "url").map_or_else(
            || address::source(&url, name),
            |url| Source::Git(address::git(&format!("git+{url}")).unwrap_or(url)),
        ),
    };
    let digest = |algorithm: &str, value: Option<String>| {
        let value = value.filter(|value| !value.is_empty())?;
        Some(Digest { file: None, algorithm: algorithm.to_owned(), value })
    };
    // A branch moves, a release does not.
    let commit = text(dist, "reference").or_else(|| text(origin, "reference"));
    let commit = commit.filter(|_| !version.starts_with("dev-") && !version.ends_with("-dev"));
    // The repository behind the file, without the commit: packages keep theirs.
    let repository = Address::of(&url).map(|address| {
        let path = address.path.trim_matches('/');
        format!("{}/{}", address.place(), path.rsplit_once('/').map_or(path, |(folder, _)| folder))
    });
    Ok(Package {
        name: name.to_owned(),
        version: version.to_owned(),
        hosts: Address::of(&url).map(|address| address.place()).into_iter().collect(),
        may_lack_digest: true,
        source,
        digests: [digest("commit", commit), digest("sha1", text(dist, "shasum")), digest("origin", repository)]
            .into_iter()
            .flatten()
            .collect(),
        needs: entry.names_of("require").cloned().collect(),
        lines: entry.lines,
        ..Package::default()
    })
}
