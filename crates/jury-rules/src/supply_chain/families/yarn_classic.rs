//! `yarn.lock` of Yarn 1, which has a format of its own: entries without indent, fields with two spaces, dependencies with four.

use std::collections::BTreeSet;

use super::super::address;
use super::super::lockfile::{Digest, Lockfile, Package, Source};
use super::super::tree::shown;

/// The mark in the first lines.
pub(super) const MARK: &str = "# yarn lockfile v1";

pub(super) fn read(text: &str) -> Result<Lockfile, String> {
    let mut packages: Vec<Package> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut fields = BTreeSet::new();
    let mut is_in_list = false;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let wrong = |what: &str| format!("{what} at line {number}: `{}`", shown(line.trim()));
        let content = line.trim_start_matches(' ');
        if content.trim().is_empty() || content.starts_with('#') {
            continue;
        }
        let indent = line.len() - content.len();
        if indent == 0 {
            let keys = content.trim_end().strip_suffix(':').ok_or_else(|| wrong("expected an entry"))?;
            let keys: Vec<&str> = keys.split(',').map(|key| unquoted(key.trim())).collect();
            for key in &keys {
                if !seen.insert((*key).to_owned()) {
                    return Err(wrong("an entry that occurs twice"));
                }
            }
            fields.clear();
            is_in_list = false;
            packages.push(package(&keys, number));
            continue;
        }
        let package = packages.last_mut().ok_or_else(|| wrong("expected an entry"))?;
        package.lines.1 = number;
        let (name, value) = pair(content.trim_end()).ok_or_else(|| wrong("expected a name and a value"))?;
        match (indent, value) {
            (2, value) => {
                if !fields.insert(name.to_owned()) {
                    return Err(wrong("a field that occurs twice"));
                }
                is_in_list = value.is_none() && name.ends_with("ependencies");
                if let Some(value) = value {
                    field(package, name, value);
                }
            }
            (4, Some(_)) if is_in_list => package.needs.push(name.to_owned()),
            (4, Some(_)) => {}
            _ => return Err(wrong("an unexpected line")),
        }
    }
    Ok(Lockfile { packages })
}

/// Starts the package of an entry, by its keys: `name@range`, `known@npm:name@range`.
fn package(keys: &[&str], line: u32) -> Package {
    let key = keys.first().copied().unwrap_or_default();
    let (known, range) = split(key);
    let name = range.strip_prefix("npm:").map_or(known, |alias| split(alias).0);
    Package {
        name: name.to_owned(),
        alias: (known != name).then(|| known.to_owned()),
        // An entry without `resolved` is a folder or a file of this machine.
        source: if range.starts_with("file:") || range.starts_with("link:") {
            Source::Path(range[5..].to_owned())
        } else {
            Source::Unstated
        },
        lines: (line, line),
        ..Package::default()
    }
}

fn field(package: &mut Package, name: &str, value: &str) {
    match name {
        "version" => value.clone_into(&mut package.version),
        "resolved" => {
            package.source = address::source(value, &package.name);
            package.is_elsewhere = package.source.is_registry() && !address::names(value, &package.name);
            package.may_lack_digest = !package.source.is_registry();
            if let Some((_, hash)) =
                value.rsplit_once('#').filter(|(_, hash)| package.source.is_registry() && hash.len() == 40)
            {
                package.digests.push(Digest { file: None, algorithm: "sha1-hex".to_owned(), value: hash.to_owned() });
            }
        }
        "integrity" => package.digests.extend(Digest::integrity(value)),
        _ => {}
    }
}

/// Splits `name@range`, where the name may have a scope.
pub(super) fn split(key: &str) -> (&str, &str) {
    let at = key.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at);
    at.map_or((key, ""), |at| (&key[..at], &key[at + 1..]))
}

/// Splits a line into its name and its value; `name:` has none.
fn pair(line: &str) -> Option<(&str, Option<&str>)> {
    if let Some(rest) = line.strip_prefix('"') {
        let (name, value) = rest.split_once('"')?;
        return if value == ":" { Some((name, None)) } else { Some((name, Some(unquoted(value.trim())))) };
    }
    match line.split_once(' ') {
        Some((name, value)) => Some((name, Some(unquoted(value.trim())))),
        None => line.strip_suffix(':').map(|name| (name, None)),
    }
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
