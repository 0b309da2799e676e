//! A path in; the package that it lies in out: the nearest folder upwards with a manifest.

use super::{ScopeError, Snapshot};

/// The names of manifests.
const MANIFESTS: &[&str] = &[
    "BUILD.sbt",
    "Cargo.toml",
    "Gemfile",
    "Package.swift",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "composer.json",
    "deno.json",
    "deno.jsonc",
    "dune-project",
    "gleam.toml",
    "go.mod",
    "mix.exs",
    "package.json",
    "pom.xml",
    "pubspec.yaml",
    "pyproject.toml",
    "rebar.config",
    "setup.cfg",
    "setup.py",
    "stack.yaml",
];

/// The extensions of manifests that bear the name of their package.
const EXTENSIONS: &[&str] = &[".cabal", ".csproj", ".fsproj", ".gemspec", ".vbproj", ".vcxproj"];

fn is_manifest(name: &[u8]) -> bool {
    MANIFESTS.iter().any(|manifest| manifest.as_bytes() == name)
        || EXTENSIONS.iter().any(|extension| name.len() > extension.len() && name.ends_with(extension.as_bytes()))
}

/// Returns the folder of the package that a path lies in; empty for the root.
pub(super) fn folder(snapshot: &Snapshot, target: &[u8]) -> Result<Vec<u8>, ScopeError> {
    let shown = || if target.is_empty() { ".".to_owned() } else { String::from_utf8_lossy(target).into_owned() };
    if !snapshot.has(target) {
        return Err(ScopeError::NoSuchPath(shown()));
    }
    let mut folder = target;
    loop {
        if snapshot.files_in(folder).iter().any(|name| is_manifest(name)) {
            return Ok(folder.to_vec());
        }
        if folder.is_empty() {
            return Err(ScopeError::NoPackage(shown()));
        }
        folder = &folder[..folder.iter().rposition(|byte| *byte == b'/').unwrap_or(0)];
    }
}
