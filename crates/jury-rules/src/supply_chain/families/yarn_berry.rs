//! `yarn.lock` of Yarn 2 and later, which is YAML.

use super::super::address;
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::{Node, yaml};
use super::yarn_classic::split;

/// The member that says that it is one.
const METADATA: &str = "__metadata";

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let root = yaml(text)?;
    if root.get(METADATA).is_none() {
        return Err("it is neither a lockfile of Yarn 1 nor of a later release".to_owned());
    }
    let entries = root.members().iter().filter(|(key, _)| key != METADATA);
    let packages: Vec<Option<Package>> = entries.map(|(key, entry)| package(key, entry)).collect::<Result<_, _>>()?;
    Ok(Lockfile { packages: packages.into_iter().flatten().collect() })
}

fn package(key: &str, entry: &Node) -> Result<Option<Package>, String> {
    let resolution =
        entry.text_of("resolution").ok_or_else(|| format!("an entry without resolution at line {}", entry.lines.0))?;
    let (name, reference) = split(resolution);
    if reference.starts_with("workspace:") {
        return Ok(None);
    }
    let known = split(key.split(", ").next().unwrap_or(key)).0;
    let digest = |text: &str| match text.split_once('/') {
        Some((made, value)) => Digest { file: None, algorithm: format!("berry {made}"), value: value.to_owned() },
        None => Digest { file: None, algorithm: "berry".to_owned(), value: text.to_owned() },
    };
    let source = source(name, reference);
    Ok(Some(Package {
        name: name.to_owned(),
        alias: (known != name).then(|| known.to_owned()),
        version: entry.text_of("version").unwrap_or_default().to_owned(),
        // Packages for other platforms are not downloaded, and have no checksum until they are.
        may_lack_digest: entry.get("conditions").is_some() || matches!(source, Source::Path(_) | Source::Patch(_)),
        source,
        digests: entry.text_of("checksum").map(digest).into_iter().collect(),
        needs: entry.names_of("dependencies").cloned().collect(),
        lines: entry.lines,
        ..Package::default()
    }))
}

/// Reads the part of a resolution after the name: `npm:1.0.0`, `https://…`, `patch:…`.
fn source(name: &str, reference: &str) -> Source {
    let (protocol, rest) = reference.split_once(':').unwrap_or(("npm", reference));
    match protocol {
        "npm" => match rest.split_once("__archiveUrl=") {
            Some((_, url)) => address::source(&url.replace("%3A", ":").replace("%2F", "/"), name),
            None => Source::Unstated,
        },
        // Yarn brings some patches along, for packages that need them to run at all.
        "patch" => {
            let patches = rest.split_once('#').map_or("", |(_, patches)| patches);
            let patches = patches.split("::").next().unwrap_or_default();
            let is_own = patches.split('&').all(|patch| patch.trim_start_matches("optional!").starts_with("builtin<"));
            if is_own && !patches.is_empty() { Source::Unstated } else { Source::Patch(patches.to_owned()) }
        }
        "file" | "link" | "portal" | "exec" => {
            Source::Path(rest.split('#').next().unwrap_or(rest).split("::").next().unwrap_or(rest).to_owned())
        }
        _ => address::source(reference, name),
    }
}
