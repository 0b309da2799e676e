//! `uv.lock`.

use super::super::address::{self, Address};
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, toml};

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = toml(text)?;
    if root.text_of("version") != Some("1") {
        return Err("its version is not known".to_owned());
    }
    let entries = root.get("package").map(Node::items).unwrap_or_default();
    Ok(Lockfile { packages: entries.iter().map(package).collect::<Result<_, String>>()? })
}

fn package(entry: &Node) -> Result<Package, String> {
    let name = entry.text_of("name").ok_or_else(|| format!("a package without a name at line {}", entry.lines.0))?;
    let wheels = entry.get("wheels").map(Node::items).unwrap_or_default();
    let files: Vec<&Node> = entry.get("sdist").into_iter().chain(wheels).collect();
    let urls = || files.iter().filter_map(|file| file.text_of("url"));
    let source = entry.get("source").map_or(Source::Unstated, source);
    let needs = entry.get("dependencies").map(Node::items).unwrap_or_default();
    Ok(Package {
        name: name.to_owned(),
        version: entry.text_of("version").unwrap_or_default().to_owned(),
        hosts: urls().filter_map(Address::of).map(|address| address.place()).collect(),
        is_elsewhere: source.is_registry() && urls().any(|url| !address::names(url, name)),
        may_lack_digest: !source.is_registry(),
        source,
        digests: files.iter().filter_map(|file| digest(file)).collect(),
        needs: needs.iter().filter_map(|need| need.text_of("name")).map(str::to_owned).collect(),
        lines: entry.lines,
        ..Package::default()
    })
}

/// Reads `{ url = "…/NAME-1.0.tar.gz", hash = "sha256:…" }`.
fn digest(file: &Node) -> Option<Digest> {
    let place = ["url", "path", "filename"].iter().find_map(|member| file.text_of(member));
    let name = place.and_then(|place| place.rsplit('/').next()).map(str::to_owned);
    Some(Digest { file: name, ..Digest::of(file.text_of("hash")?, "sha256") })
}

fn source(node: &Node) -> Source {
    let Some((kind, place)) = node.members().first().and_then(|(kind, place)| Some((kind.as_str(), place.text()?)))
    else {
        return Source::Unstated;
    };
    let whole = || Address::of(place).map_or_else(|| place.to_owned(), |address| address.whole());
    match kind {
        "registry" => Source::Registry(whole()),
        "git" => Source::Git(address::git(&format!("git+{place}")).unwrap_or_else(|| place.to_owned())),
        "url" => Source::Url(whole()),
        // The project itself, and the others of its workspace.
        _ if place == "." => Source::Path(String::new()),
        _ => Source::Path(place.to_owned()),
    }
}
