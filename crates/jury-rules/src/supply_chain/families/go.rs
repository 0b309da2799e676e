//! `go.sum`, the digests of modules, and `go.mod`, the modules and what stands in for them.

use std::collections::BTreeMap;

use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::shown;

/// Reads `go.sum`: a line for the content of each version, and one for its `go.mod`.
pub(super) fn read_sum(text: &str) -> Result<Lockfile, String> {
    let mut packages: Vec<Package> = Vec::new();
    let mut at: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, version, hash] = words[..] else {
            if words.is_empty() {
                continue;
            }
            return Err(format!("expected a module, a version and a hash at line {number}: `{}`", shown(line)));
        };
        let (version, file) = match version.strip_suffix("/go.mod") {
            Some(version) => (version, Some("go.mod".to_owned())),
            None => (version, None),
        };
        let digest = Digest { file, ..Digest::of(hash, "h1") };
        let key = (name.to_owned(), version.to_owned());
        let index = *at.entry(key).or_insert(packages.len());
        if index == packages.len() {
            let (name, version) = (name.to_owned(), version.to_owned());
            packages.push(Package { name, version, lines: (number, number), ..Package::default() });
        }
        let package = &mut packages[index];
        let is_other = |known: &Digest| {
            known.file == digest.file && known.algorithm == digest.algorithm && known.value != digest.value
        };
        if package.digests.iter().any(is_other) {
            return Err(format!("`{}` has two hashes (line {number})", shown(name)));
        }
        package.digests.push(digest);
        package.lines.1 = number;
    }
    Ok(Lockfile { packages })
}

/// Reads `go.mod`: the modules that it requires, each with what replaces it.
pub(super) fn read_mod(text: &str) -> Result<Lockfile, String> {
    let mut packages: Vec<Package> = Vec::new();
    let mut block: Option<&str> = None;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let words: Vec<&str> = code.split_whitespace().map(|word| word.trim_matches(['"', '`'])).collect();
        let (verb, rest) = match (block, &words[..]) {
            (_, []) => continue,
            (Some(_), [")"]) => {
                block = None;
                continue;
            }
            (None, [verb, "("]) => {
                block = Some(verb);
                continue;
            }
            (Some(verb), rest) => (verb, rest),
            (None, [verb, rest @ ..]) => (*verb, rest),
        };
        let source = |to: &str| {
            if to.starts_with('.') || to.starts_with('/') {
                Source::Path(to.to_owned())
            } else {
                Source::Git(to.to_lowercase())
            }
        };
        let entry = |name: &str, version: &str, source: Source, alias: Option<&str>| Package {
            name: name.to_owned(),
            alias: alias.map(str::to_owned),
            version: version.to_owned(),
            source,
            may_lack_digest: true,
            // A module that others need is marked so.
            needs: if comment.contains("indirect") { vec![name.to_owned()] } else { Vec::new() },
            lines: (number, number),
            ..Package::default()
        };
        match (verb, rest) {
            ("require", [name, version, ..]) => packages.push(entry(name, version, Source::Unstated, None)),
            ("replace", [name, "=>", to, version @ ..] | [name, _, "=>", to, version @ ..]) => {
                packages.push(entry(name, version.first().copied().unwrap_or_default(), source(to), None));
            }
            ("module" | "go" | "toolchain" | "exclude" | "retract" | "tool" | "godebug" | "ignore", _) => {}
            _ => return Err(format!("an unexpected line {number}: `{}`", shown(line))),
        }
    }
    Ok(Lockfile { packages })
}
