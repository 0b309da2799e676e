//! Manifests: what a project asks for. In: the manifest beside a lockfile, and the lockfile. Out: the direct dependencies that are not
//! locked, or locked in a version that the manifest does not allow.
//!
//! Only what can be told surely is told: other files of a workspace, overrides, conditions and requirements that are no plain range are
//! let be.

use std::collections::BTreeMap;

use super::families::{Ecosystem, Family};
use super::lockfile::Lockfile;
use super::names::folded;
use super::tree::{Node, Value, json, toml};
use super::versions;

/// A dependency that a manifest states.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Direct {
    name: String,
    /// The requirement, if it is a plain one.
    requirement: Option<String>,
    line: u32,
}

/// A direct dependency that the lockfile does not bear out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mismatch {
    pub(crate) name: String,
    pub(crate) says: String,
    /// Its line in the manifest.
    pub(crate) line: u32,
}

/// Returns the name of the manifest that stands beside a lockfile of a family.
pub(crate) fn beside(family: &Family) -> Option<&'static str> {
    Some(match family.name {
        "npm" | "pnpm" | "Yarn" | "Bun" => "package.json",
        "Cargo" => "Cargo.toml",
        "Poetry" | "uv" => "pyproject.toml",
        "Pipenv" => "Pipfile",
        "Bundler" => "Gemfile",
        "Composer" => "composer.json",
        "Go" if !family.lists => "go.mod",
        _ => return None,
    })
}

/// Compares a manifest with the lockfile beside it.
pub(crate) fn mismatches(family: &Family, manifest: &str, lockfile: &Lockfile) -> Vec<Mismatch> {
    let Some((directs, may_be_elsewhere)) = directs(family, manifest) else { return Vec::new() };
    let mut locked: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for package in &lockfile.packages {
        let version = if package.source.is_registry() { package.version.as_str() } else { "" };
        let name = package.alias.as_ref().unwrap_or(&package.name);
        locked.entry(folded(family.ecosystem, name)).or_default().push(version);
    }
    let mismatch = |direct: Direct| {
        let says = match (locked.get(&folded(family.ecosystem, &direct.name)), &direct.requirement) {
            (None, _) if may_be_elsewhere => return None,
            (None, _) => "The manifest asks for it, and the lockfile does not have it.".to_owned(),
            (Some(versions), Some(requirement)) => {
                let is_outside =
                    |version: &&str| versions::allows(family.ecosystem, requirement, version) == Some(false);
                if !versions.iter().all(is_outside) {
                    return None;
                }
                let requirement = super::tree::shown(requirement);
                format!(
                    "The manifest asks for {requirement}, and the lockfile has {}.",
                    super::tree::shown(versions[0])
                )
            }
            (Some(_), None) => return None,
        };
        Some(Mismatch { name: direct.name, says, line: direct.line })
    };
    directs.into_iter().filter_map(mismatch).collect()
}

/// Lists the direct dependencies, and tells whether some of them may be locked elsewhere or not at all.
fn directs(family: &Family, text: &str) -> Option<(Vec<Direct>, bool)> {
    match beside(family)? {
        "package.json" => Some(package_json(&json(text, false).ok()?)),
        "Cargo.toml" => Some((cargo_toml(&toml(text).ok()?), false)),
        "pyproject.toml" => Some((pyproject(&toml(text).ok()?), false)),
        "Pipfile" => Some((tables(&toml(text).ok()?, &["packages", "dev-packages"]), false)),
        "composer.json" => Some((composer_json(&json(text, false).ok()?), true)),
        "Gemfile" => Some(gemfile(text)),
        "go.mod" => Some((go_mod(text), false)),
        _ => None,
    }
}

fn package_json(root: &Node) -> (Vec<Direct>, bool) {
    let is_overridden = ["overrides", "resolutions", "pnpm"].iter().any(|member| root.get(member).is_some());
    let kinds = ["dependencies", "devDependencies", "optionalDependencies"];
    let members = kinds.iter().filter_map(|kind| root.get(kind)).flat_map(Node::members);
    let direct = |(name, node): &(String, Node)| {
        let text = node.text()?;
        // Another protocol than that of the registry: a folder, a repository, a catalog.
        if text.contains(':') || text.contains('/') {
            return None;
        }
        let requirement = (!is_overridden).then(|| text.to_owned());
        Some(Direct { name: name.clone(), requirement, line: node.lines.0 })
    };
    (members.filter_map(direct).collect(), root.get("workspaces").is_some())
}

fn cargo_toml(root: &Node) -> Vec<Direct> {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = root.get("target").map(Node::members).unwrap_or_default().iter().map(|(_, node)| node);
    // Without a package of its own it only has what others may take.
    let own = root.get("package").map(|_| root).into_iter().chain(targets);
    let members = own.flat_map(|node| kinds.iter().filter_map(|kind| node.get(kind))).flat_map(Node::members);
    let direct = |(name, node): &(String, Node)| {
        let is_elsewhere = ["path", "git", "workspace", "registry"].iter().any(|member| node.get(member).is_some());
        let text = node.text().or_else(|| node.text_of("version"));
        let name = node.text_of("package").unwrap_or(name).to_owned();
        (!is_elsewhere).then(|| Direct { name, requirement: text.map(str::to_owned), line: node.lines.0 })
    };
    members.filter_map(direct).collect()
}

fn pyproject(root: &Node) -> Vec<Direct> {
    let project =
        root.get("project").and_then(|project| project.get("dependencies")).map(Node::items).unwrap_or_default();
    let direct = |node: &Node| {
        let text = node.text()?;
        // A condition or an address may leave it out of the lockfile.
        if text.contains([';', '@']) {
            return None;
        }
        let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let rest = rest.trim();
        let rest =
            rest.strip_prefix('[').map_or(rest, |extras| extras.split_once(']').map_or("", |(_, rest)| rest)).trim();
        let requirement = rest.trim_start_matches('(').trim_end_matches(')');
        let requirement = (!requirement.is_empty()).then(|| requirement.to_owned());
        Some(Direct { name: name.to_owned(), requirement, line: node.lines.0 })
    };
    let mut all: Vec<Direct> = project.iter().filter_map(direct).collect();
    if let Some(poetry) = root.get("tool").and_then(|tool| tool.get("poetry")) {
        all.extend(tables(poetry, &["dependencies"]).into_iter().filter(|direct| direct.name != "python"));
    }
    all
}

/// Lists the members of tables: `name = "requirement"` or `name = { version = "…" }`.
fn tables(root: &Node, names: &[&str]) -> Vec<Direct> {
    let members = names.iter().filter_map(|name| root.get(name)).flat_map(Node::members);
    let direct = |(name, node): &(String, Node)| {
        let is_plain = matches!(node.value, Value::Text(_))
            || !node.members().is_empty()
                && node.members().iter().all(|(key, _)| ["version", "extras"].contains(&key.as_str()));
        let requirement = node.text().or_else(|| node.text_of("version")).map(str::to_owned);
        is_plain.then(|| Direct { name: name.clone(), requirement, line: node.lines.0 })
    };
    members.filter_map(direct).collect()
}

fn composer_json(root: &Node) -> Vec<Direct> {
    let members = ["require", "require-dev"].iter().filter_map(|kind| root.get(kind)).flat_map(Node::members);
    let direct = |(name, node): &(String, Node)| {
        let requirement =
            node.text().filter(|text| !text.contains(['@', '#']) && !text.contains("dev")).map(str::to_owned);
        name.contains('/').then(|| Direct { name: name.clone(), requirement, line: node.lines.0 })
    };
    members.filter_map(direct).collect()
}

/// Lists the gems that are stated by name. A Gemfile is a program: with any condition in it, one may be left out.
fn gemfile(text: &str) -> (Vec<Direct>, bool) {
    let words = ["if ", "unless ", "case ", "eval", "install_if", "while "];
    let has_condition = text.lines().any(|line| words.iter().any(|word| line.contains(word)));
    let quoted = |text: &str| {
        let text = text.trim();
        let quote = text.chars().next().filter(|c| ['"', '\''].contains(c))?;
        let (inner, rest) = text[1..].split_once(quote)?;
        Some((inner.to_owned(), rest.to_owned()))
    };
    let direct = |(line, content): (u32, &str)| {
        let rest = content.trim().strip_prefix("gem ")?;
        let (name, mut rest) = quoted(rest)?;
        let mut requirements = Vec::new();
        while let Some((requirement, after)) = rest.trim().strip_prefix(',').and_then(quoted) {
            requirements.push(requirement);
            rest = after;
        }
        // What follows (a source, a group, a platform) may lead elsewhere.
        let is_plain = rest.trim().is_empty() && !requirements.is_empty();
        Some(Direct { name, requirement: is_plain.then(|| requirements.join(", ")), line })
    };
    ((1..).zip(text.lines()).filter_map(direct).collect(), has_condition)
}

fn go_mod(text: &str) -> Vec<Direct> {
    let family = super::families::family("go.mod").expect("the table has a row for it");
    let Ok(lockfile) = family.lockfile(text) else { return Vec::new() };
    let replaced = |name: &str| lockfile.packages.iter().any(|other| other.name == name && !other.source.is_registry());
    let required = lockfile.packages.iter().filter(|package| package.source.is_registry() && !replaced(&package.name));
    required.map(|package| Direct { name: package.name.clone(), requirement: None, line: package.lines.0 }).collect()
}

/// Tells whether a file is the manifest of some family.
pub(crate) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["package.json", "Cargo.toml", "pyproject.toml", "Pipfile", "Gemfile", "composer.json", "go.mod"].contains(&name)
}

/// Tells whether a lockfile of an ecosystem locks a workspace whose members stand in files that are not read here.
pub(crate) fn is_workspace(ecosystem: Ecosystem, folder: &str, paths: &[String]) -> bool {
    ecosystem == Ecosystem::Npm && paths.iter().any(|path| path.strip_prefix(folder) == Some("pnpm-workspace.yaml"))
}
