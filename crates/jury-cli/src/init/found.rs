//! Further signs of a working tree: its languages, its linters, its CI. In: paths and programs. Out: names. Pure.

use std::collections::BTreeSet;

use jury::config::ready::TOOLS;

/// By which files a linter is recognised as set up; those of a ready-made reviewer only.
const LINTERS: &[(&str, &[&str])] = &[
    ("actionlint", &[".github/actionlint.yaml", ".github/actionlint.yml"]),
    ("biome", &["biome.json", "biome.jsonc"]),
    ("clippy", &["clippy.toml", ".clippy.toml"]),
    (
        "eslint",
        &[
            "eslint.config.js",
            "eslint.config.mjs",
            "eslint.config.cjs",
            "eslint.config.ts",
            ".eslintrc.json",
            ".eslintrc.js",
            ".eslintrc.cjs",
            ".eslintrc.yml",
            ".eslintrc",
        ],
    ),
    ("gitleaks", &[".gitleaks.toml"]),
    ("golangci-lint", &[".golangci.yml", ".golangci.yaml", ".golangci.toml"]),
    ("hadolint", &[".hadolint.yaml", ".hadolint.yml"]),
    ("oxlint", &[".oxlintrc.json"]),
    ("ruff", &["ruff.toml", ".ruff.toml"]),
    ("semgrep", &[".semgrep.yml", ".semgrep/"]),
    ("shellcheck", &[".shellcheckrc"]),
    ("zizmor", &["zizmor.yml", ".github/zizmor.yml"]),
];

/// By which files a language is recognised, anywhere in the first levels.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("C#", &[".csproj", ".sln"]),
    ("Go", &["go.mod"]),
    ("Java", &["pom.xml", "build.gradle", "build.gradle.kts"]),
    ("JavaScript", &["package.json"]),
    ("PHP", &["composer.json"]),
    ("Python", &["pyproject.toml", "setup.py", "requirements.txt"]),
    ("Ruby", &["Gemfile"]),
    ("Rust", &["Cargo.toml"]),
    ("TypeScript", &["tsconfig.json"]),
];

/// The files that identify a CI, and the workflow to copy for it.
const CI: &[(&str, &str, &str)] = &[
    ("GitHub Actions", ".github/workflows/", "docs/ci/github.yml"),
    ("GitLab CI", ".gitlab-ci.yml", "docs/ci/gitlab.yml"),
];

/// A linter that is set up here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linter {
    pub(crate) name: &'static str,
    /// Whether its program is on the PATH.
    pub(crate) is_installed: bool,
}

/// Returns the linters that are set up here and that need only be named.
pub(crate) fn linters(paths: &BTreeSet<String>, programs: &BTreeSet<String>) -> Vec<Linter> {
    let is_set_up = |files: &[&str]| files.iter().any(|file| paths.contains(*file));
    let linter = |(name, _): &(&'static str, &[&str])| Linter {
        name,
        is_installed: programs_of(name).iter().all(|program| programs.contains(*program)),
    };
    LINTERS.iter().filter(|(_, files)| is_set_up(files)).map(linter).collect()
}

/// Returns the programs that a ready-made tool needs. A tool behind a shell needs those that the shell starts.
pub(crate) fn programs_of(name: &str) -> Vec<&'static str> {
    match name {
        "clippy" => vec!["cargo-clippy", "clippy-sarif"],
        _ => TOOLS.iter().filter(|tool| tool.name == name).filter_map(|tool| tool.command.first().copied()).collect(),
    }
}

/// Returns the languages of the tree, as far as the first levels show them.
pub(crate) fn languages(paths: &BTreeSet<String>) -> Vec<&'static str> {
    let has = |file: &str| {
        paths.iter().any(|path| match file.strip_prefix('.') {
            Some(_) => path.ends_with(file),
            None => path.rsplit('/').next() == Some(file),
        })
    };
    LANGUAGES.iter().filter(|(_, files)| files.iter().any(|file| has(file))).map(|(name, _)| *name).collect()
}

/// Returns the CI that is there, each with the file to copy for it.
pub(crate) fn ci(paths: &BTreeSet<String>) -> Vec<(&'static str, &'static str)> {
    CI.iter().filter(|(_, sign, _)| paths.contains(*sign)).map(|(name, _, file)| (*name, *file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(list: &[&str]) -> BTreeSet<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn every_linter_is_a_ready_made_tool_with_a_program() {
        assert!(LINTERS.is_sorted() && LANGUAGES.is_sorted());
        let tools: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(LINTERS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), tools);
        assert!(tools.iter().all(|name| !programs_of(name).is_empty()));
        assert!(!tools.iter().any(|name| programs_of(name) == ["sh"]));
    }

    #[test]
    fn a_tree_is_recognised_by_its_files() {
        let paths = set(&[
            "packages/api/tsconfig.json",
            "Cargo.toml",
            "ruff.toml",
            "clippy.toml",
            ".github/workflows/",
            "a/x.csproj",
        ]);
        assert_eq!(languages(&paths), ["C#", "Rust", "TypeScript"]);
        assert_eq!(ci(&paths), [("GitHub Actions", "docs/ci/github.yml")]);
        let linter = |name, is_installed| Linter { name, is_installed };
        assert_eq!(linters(&paths, &set(&["ruff", "cargo-clippy"])), [linter("clippy", false), linter("ruff", true)]);
        assert_eq!(linters(&set(&["package.json"]), &set(&["eslint"])), []);
    }
}
