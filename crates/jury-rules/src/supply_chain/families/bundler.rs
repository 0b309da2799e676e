//! `Gemfile.lock`: sections of gems by where they come from, and, since Bundler 2.6, their checksums.

use std::collections::BTreeMap;

use super::super::address::{self, Address};
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::shown;

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let mut packages: Vec<Package> = Vec::new();
    let mut sums: BTreeMap<String, Vec<Digest>> = BTreeMap::new();
    let (mut section, mut source) = ("", Source::Unstated);
    for (number, line) in (1_u32..).zip(text.lines()) {
        let content = line.trim();
        let indent = line.len() - line.trim_start_matches(' ').len();
        match (indent, section) {
            _ if content.is_empty() => {}
            (0, _) => {
                if !content.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b' ') {
                    return Err(format!("expected a section at line {number}: `{}`", shown(content)));
                }
                (section, source) = (content, Source::Unstated);
            }
            (2, "GEM" | "GIT" | "PATH" | "PLUGIN SOURCE") => {
                if let Some(remote) = content.strip_prefix("remote:") {
                    source = of_section(section, remote.trim());
                }
            }
            (4, "GEM" | "GIT" | "PATH" | "PLUGIN SOURCE") => {
                let (name, version) = named(content);
                packages.push(Package {
                    name: name.to_owned(),
                    version: version.to_owned(),
                    source: source.clone(),
                    may_lack_digest: !source.is_registry(),
                    lines: (number, number),
                    ..Package::default()
                });
            }
            (6, "GEM" | "GIT" | "PATH" | "PLUGIN SOURCE") => {
                if let Some(package) = packages.last_mut() {
                    package.needs.push(named(content).0.trim_end_matches('!').to_owned());
                    package.lines.1 = number;
                }
            }
            (2, "CHECKSUMS") => {
                if let Some((gem, sum)) = content.rsplit_once(' ').filter(|(_, sum)| sum.contains('=')) {
                    let digest = |sum: &str| Digest::of(&sum.replacen('=', ":", 1), "sha256");
                    sums.entry(gem.to_owned()).or_default().extend(sum.split(',').map(digest));
                }
            }
            _ => {}
        }
    }
    for package in &mut packages {
        let digests = sums.get(&format!("{} ({})", package.name, package.version));
        package.digests = digests.cloned().unwrap_or_default();
    }
    Ok(Lockfile { packages })
}

fn of_section(section: &str, remote: &str) -> Source {
    match section {
        "GEM" => Source::Registry(Address::of(remote).map_or_else(|| remote.to_owned(), |address| address.whole())),
        "PATH" => Source::Path(if remote == "." { String::new() } else { remote.to_owned() }),
        _ => Source::Git(address::git(&format!("git+{remote}")).unwrap_or_else(|| remote.to_owned())),
    }
}

/// Splits `name (1.2.3)`.
fn named(content: &str) -> (&str, &str) {
    content.split_once(" (").map_or((content, ""), |(name, version)| (name, version.trim_end_matches(')')))
}
