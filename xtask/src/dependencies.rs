//! Licences that can be shipped, and one registry: for every package that this machine builds, tests included.
//!
//! In: `cargo metadata`. Out: a failure that names each package with another licence or from another source. Deliberately not here: advisories
//! and withdrawn versions, which change from day to day; the verdict on a change is about the change.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::{Failure, root, say};

/// Licences that ask for no more than that they are named.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
/// How the source of a package from a registry begins; packages of this workspace have no source.
const REGISTRY: &str = "registry+";

pub(crate) fn check() -> Result<(), Failure> {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().ok_or("`cargo metadata` lists no packages")?;
    if packages.len() < 100 {
        return Err("`cargo metadata` lists hardly any packages".to_owned());
    }
    let mut wrong: Vec<String> = packages.iter().filter_map(objection).collect();
    wrong.extend(second_registry(packages));
    say(&format!("{} packages, {} with another licence or from another source", packages.len(), wrong.len()));
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}; see xtask/src/dependencies.rs", wrong.join(", "))) }
}

fn metadata() -> Result<Value, Failure> {
    let cargo = || Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let answer = |command: &mut Command| {
        let output = command.current_dir(root()).output().map_err(|error| format!("cargo does not start: {error}"))?;
        let error = || format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
        if output.status.success() { Ok(output.stdout) } else { Err(error()) }
    };
    let version = answer(cargo().arg("-vV"))?;
    let version = String::from_utf8_lossy(&version);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("cargo does not name its host")?;
    // Packages of other platforms were not downloaded.
    let metadata = answer(cargo().args(["metadata", "--locked", "--format-version", "1", "--filter-platform", host]))?;
    serde_json::from_slice(&metadata).map_err(|error| format!("`cargo metadata` is not JSON: {error}"))
}

/// Says why a package cannot be a dependency.
fn objection(package: &Value) -> Option<String> {
    let name = package["name"].as_str().unwrap_or("a package without a name");
    let source = package["source"].as_str();
    if source.is_some_and(|source| !source.starts_with(REGISTRY)) {
        return Some(format!("{name} is from {}", source.unwrap_or_default()));
    }
    let licence = package["license"].as_str().unwrap_or_default();
    (!is_allowed(licence)).then(|| format!("{name} has the licence {licence:?}"))
}

/// Names the registries, if there is more than one.
fn second_registry(packages: &[Value]) -> Option<String> {
    let sources: BTreeSet<&str> = packages.iter().filter_map(|package| package["source"].as_str()).collect();
    (sources.len() > 1).then(|| format!("packages are from {}", sources.into_iter().collect::<Vec<_>>().join(" and ")))
}

/// Tells whether a licence expression (SPDX, with the older `/` for `OR`) can be met.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    either(&mut rest) == Some(true) && rest.is_empty()
}

/// Reads `A OR B`; nothing if it is no expression.
fn either(words: &mut &[&str]) -> Option<bool> {
    let mut is_met = both(words)?;
    while let ["OR", rest @ ..] = words {
        *words = rest;
        is_met |= both(words)?;
    }
    Some(is_met)
}

/// Reads `A AND B`, which binds more tightly.
fn both(words: &mut &[&str]) -> Option<bool> {
    let mut is_met = one(words)?;
    while let ["AND", rest @ ..] = words {
        *words = rest;
        is_met &= one(words)?;
    }
    Some(is_met)
}

/// Reads a licence, with its exception if it has one, or an expression in brackets.
fn one(words: &mut &[&str]) -> Option<bool> {
    match **words {
        ["(", ref rest @ ..] => {
            *words = rest;
            let is_met = either(words)?;
            *words = words.strip_prefix(&[")"])?;
            Some(is_met)
        }
        [licence, "WITH", exception, ref rest @ ..] => {
            *words = rest;
            Some(LICENCES.contains(&format!("{licence} WITH {exception}").as_str()))
        }
        [licence, ref rest @ ..] if !["OR", "AND", "WITH", ")"].contains(&licence) => {
            *words = rest;
            Some(LICENCES.contains(&licence))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_expression_is_met_by_one_side_of_or_and_both_of_and() {
        for (expression, is_met) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only OR MIT", true),
            ("GPL-3.0-only AND MIT", false),
            ("(GPL-3.0-only OR MIT) AND Unicode-3.0", true),
            ("(GPL-3.0-only AND MIT) OR ISC", true),
            ("MIT OR GPL-3.0-only AND LGPL-3.0-only", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("GPL-2.0-only WITH Classpath-exception-2.0", false),
            ("GPL-3.0-only", false),
            ("", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT)", false),
            ("MIT ISC", false),
        ] {
            assert_eq!(is_allowed(expression), is_met, "{expression}");
        }
    }

    #[test]
    fn a_package_is_from_here_or_from_the_one_registry() {
        let of = |source: Value| json!({"name": "a", "source": source, "license": "MIT"});
        let (one, other) = (of(json!("registry+https://example.com/a")), of(json!("registry+https://example.com/b")));
        assert_eq!([objection(&of(Value::Null)), objection(&one), objection(&other)], [None, None, None]);
        assert_eq!(second_registry(&[of(Value::Null), one.clone(), one.clone()]), None);
        let both = second_registry(&[other, one]);
        assert_eq!(
            both.as_deref(),
            Some("packages are from registry+https://example.com/a and registry+https://example.com/b")
        );
        let git = objection(&json!({"name": "a", "source": "git+https://example.com/a", "license": "MIT"}));
        assert_eq!(git.as_deref(), Some("a is from git+https://example.com/a"));
        let none = objection(&json!({"name": "a", "source": "registry+https://example.com/a", "license": null}));
        assert_eq!(none.as_deref(), Some("a has the licence \"\""));
    }
}
