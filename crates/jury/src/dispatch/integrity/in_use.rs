//! Whether the base runs a tool. In: the tool's name, and the tree. Out: whether a file that starts programs names it: policy, CI, hooks, scripts of
//! packages, makefiles.
//!
//! A tool that nothing runs judges nothing, whatever its settings say. Deliberately not here: what is run in the end (`executed`).

use std::sync::Arc;

use crate::dispatch::settings::{self, Kind, Part};
use crate::model::{RepoPath, Scope};

/// Files that start programs, and are no settings of a tool.
const STARTING: &[&str] =
    &["Gemfile", "Rakefile", "composer.json", "pom.xml", "build.gradle", "build.gradle.kts", "mix.exs", "Procfile"];

/// Tells whether the base runs a tool.
pub(super) fn is_run(scope: &Scope, tool: &str) -> bool {
    let name = tool.to_lowercase();
    let spellings = [name.clone(), name.replace(' ', "-"), name.replace([' ', '-'], "")];
    let names = |bytes: Arc<[u8]>| {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        spellings.iter().any(|spelling| has_word(&text, spelling))
    };
    // A changed file counts as it was.
    let is_changed = |path: &RepoPath| scope.files.iter().any(|file| file.path == *path);
    let before = scope.files.iter().filter(|file| starts_programs(file.path.as_str()));
    if before.filter_map(|file| file.before.clone()).any(&names) {
        return true;
    }
    let Some(files) = scope.whole.files() else { return false };
    let others = files.paths().into_iter().filter(|path| starts_programs(path.as_str()) && !is_changed(path));
    others.filter_map(|path| files.text(&path)).any(&names)
}

fn starts_programs(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let starts = |row: settings::Row| {
        matches!(row.kind, Kind::Policy | Kind::Ci | Kind::Hooks | Kind::Build) || matches!(row.part, Part::Tables(_))
    };
    STARTING.contains(&name) || name.ends_with(".sh") || settings::row_of(path).is_some_and(starts)
}

/// Tells whether a text has a word, and not only as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word)
        .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_as_a_word_in_files_that_start_programs() {
        assert!(has_word("run: vendor/bin/phpunit --x", "phpunit"));
        assert!(!has_word("phpunits", "phpunit"));
        for path in
            ["package.json", "jury.toml", ".github/workflows/ci.yml", "Makefile", "tools/lint.sh", "composer.json"]
        {
            assert!(starts_programs(path), "{path}");
        }
        for path in ["src/a.ts", "ruff.toml", "docs/a.md"] {
            assert!(!starts_programs(path), "{path}");
        }
    }
}
