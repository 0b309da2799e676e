//! One set of features: a dependency has the same features in the binary, in the tests and in this program.
//!
//! In: the dependency graphs, from `cargo tree`. Out: a failure that names every package whose features differ. Where they differ, the
//! package and its dependents are built twice, and the tests run other code than the binary. The same holds for the packages that a build
//! script shares with the binary. Deliberately not here: procedural macros, which share none with it.

use std::collections::BTreeMap;
use std::process::Command;

use crate::{Failure, root, say};

/// The features of each package of a graph, by name and version.
type Features = BTreeMap<String, String>;

pub(crate) fn check() -> Result<(), Failure> {
    let tests = features(&["--workspace", "--edges", "normal,dev,no-proc-macro"])?;
    let mut differing = Vec::new();
    for package in ["jury-cli", "xtask"] {
        let built = features(&["--package", package, "--edges", "normal,no-proc-macro"])?;
        say(&format!("{} packages of {package}, {} of the tests", built.len(), tests.len()));
        differing.extend(differences(&built, &tests).into_iter().map(|line| format!("{package}: {line}")));
    }
    // A package that is in both with other features fails here.
    features(&["--package", "jury-cli", "--edges", "normal,build,no-proc-macro"])?;
    if differing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "features differ between a build and the tests; state them in [workspace.dependencies]:\n{}",
        differing.join("\n")
    ))
}

fn features(selection: &[&str]) -> Result<Features, Failure> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["tree", "--locked", "--prefix", "none", "--format", "{p}\t{f}"]).args(selection).current_dir(root());
    let output = command.output().map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("`cargo tree` failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let features = parse(&String::from_utf8_lossy(&output.stdout))?;
    if features.len() < 100 { Err("`cargo tree` lists hardly any packages".to_owned()) } else { Ok(features) }
}

/// Reads lines of a package, a tab and its features; ` (*)` at the end says that its dependencies were listed before.
fn parse(tree: &str) -> Result<Features, Failure> {
    let mut all = Features::new();
    for line in tree.lines().filter(|line| !line.is_empty() && !line.starts_with('[')) {
        let (package, features) = line.split_once('\t').ok_or(format!("`cargo tree` says {line:?}"))?;
        let features = features.trim_end_matches(" (*)");
        let before = all.insert(package.to_owned(), features.to_owned());
        if before.is_some_and(|before| before != features) {
            return Err(format!(
                "{package} is built twice within one graph; state its features in [workspace.dependencies]"
            ));
        }
    }
    Ok(all)
}

/// Returns a line for every package of a build whose features are others in the tests.
fn differences(built: &Features, tests: &Features) -> Vec<String> {
    let in_tests = |package: &String| tests.get(package).map_or("absent", String::as_str).to_owned();
    let differing = built.iter().filter(|(package, features)| tests.get(*package) != Some(features));
    differing.map(|(package, features)| format!("  {package} [{features}], in tests [{}]", in_tests(package))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_features_of_one_package_are_a_difference() {
        let built =
            parse("a v1.0.0 (/a)\t\nserde v1.0.0\tderive,std\nserde v1.0.0\tderive,std (*)\nb v2.0.0\t\n").unwrap();
        let mut tests = parse("b v2.0.0\t\nc v1.0.0\tstd\nserde v1.0.0\tderive,std\n\na v1.0.0 (/a)\t\n").unwrap();
        assert_eq!(differences(&built, &tests), Vec::<String>::new());
        tests.insert("serde v1.0.0".to_owned(), "derive,rc,std".to_owned());
        assert_eq!(differences(&built, &tests), ["  serde v1.0.0 [derive,std], in tests [derive,rc,std]"]);
        assert!(parse("a v1.0.0\tstd\na v1.0.0\t\n").unwrap_err().contains("built twice"));
    }
}
