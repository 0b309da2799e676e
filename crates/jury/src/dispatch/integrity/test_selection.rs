//! The files that a test runner's settings select. In: the settings before and after a change, and the test files of the tree. Out: how many test
//! files are no longer run, if that can be told.

use globset::GlobBuilder;
use regex::Regex;

use super::entries::{Entry, entries};

/// How a setting selects files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Glob,
    Expression,
    Folder,
}

/// The settings that select test files, by the end of their keys.
const SELECTIONS: &[(&str, Form)] = &[
    ("testMatch", Form::Glob),
    ("test.include", Form::Glob),
    ("test.dir", Form::Folder),
    ("specPattern", Form::Glob),
    ("spec", Form::Glob),
    ("python_files", Form::Glob),
    ("testRegex", Form::Expression),
    ("testpaths", Form::Folder),
    ("testDir", Form::Folder),
];

/// Says how a change of settings leaves test files out. `files` are the test files of the tree.
pub(super) fn narrowed(path: &str, before: Option<&str>, after: &str, files: &[String]) -> Option<String> {
    // Without any test file to run, nothing can be told.
    if files.is_empty() {
        return None;
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (old, new) = (before.map(|text| entries(path, text)).unwrap_or_default(), entries(path, after));
    SELECTIONS.iter().find_map(|(key, form)| {
        let (was, is) = (selected(&old, key), selected(&new, key));
        if is.is_empty() || was == is {
            return None;
        }
        let runs = |patterns: &[String]| -> Vec<&String> {
            files.iter().filter(|file| patterns.iter().any(|pattern| is_match(*form, pattern, folder, file))).collect()
        };
        let now = runs(&is);
        let lost = runs(&was).into_iter().filter(|file| !now.contains(file)).count();
        match () {
            () if now.is_empty() => Some(format!("{key} = {} selects no test file", is.join(", "))),
            () if lost > 0 => Some(format!("{key} = {} leaves out {lost} test files", is.join(", "))),
            () => None,
        }
    })
}

fn selected(entries: &[Entry], key: &str) -> Vec<String> {
    let is_it = |entry: &&Entry| entry.keys.to_lowercase().trim_end_matches('|').ends_with(&key.to_lowercase());
    let words = |entry: &Entry| {
        entry.value.split([' ', ',']).map(|word| word.trim_matches(['"', '\'']).to_owned()).collect::<Vec<_>>()
    };
    entries.iter().filter(is_it).flat_map(words).filter(|word| !word.is_empty()).collect()
}

fn is_match(form: Form, pattern: &str, folder: &str, file: &str) -> bool {
    let below =
        if folder.is_empty() { Some(file) } else { file.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) };
    let Some(below) = below else { return false };
    let plain = pattern.replace("<rootDir>/", "").replace("<rootDir>", "");
    let plain = plain.trim_start_matches("./").trim_end_matches('/');
    let name = below.rsplit('/').next().unwrap_or_default();
    match form {
        Form::Folder => plain.is_empty() || plain == "." || below == plain || below.starts_with(&format!("{plain}/")),
        Form::Expression => Regex::new(pattern).is_ok_and(|expression| expression.is_match(&format!("/{below}"))),
        Form::Glob => {
            // `?(x)`, `+(a|b)` and `@(a|b)` are forms that a glob here does not have.
            let simple = plain.replace("?(x)", "{x,}").replace("?(*.)", "{*.,}").replace("+(", "@(");
            let simple = braced(&simple);
            let glob = GlobBuilder::new(&simple).literal_separator(true).empty_alternates(true).build();
            // A pattern that cannot be read is taken to match: it is no proof.
            glob.map_or(true, |glob| glob.compile_matcher().is_match(below) || glob.compile_matcher().is_match(name))
        }
    }
}

/// Writes `@(a|b)` as `{a,b}`.
fn braced(glob: &str) -> String {
    let mut out = String::new();
    let mut is_open = false;
    let mut chars = glob.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '@' if chars.next_if_eq(&'(').is_some() => {
                is_open = true;
                out.push('{');
            }
            '|' if is_open => out.push(','),
            ')' if is_open => {
                is_open = false;
                out.push('}');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_select_fewer_tests_are_told() {
        let files: Vec<String> =
            ["src/a.test.ts", "src/b.test.ts", "tests/test_a.py", "e2e/c.spec.ts"].map(str::to_owned).into();
        let said = |path: &str, before: Option<&str>, after: &str| narrowed(path, before, after, &files);
        for (path, before, after) in [
            ("jest.config.js", None, "module.exports = { testMatch: ['**/nothing/*.test.ts'] };\n"),
            (
                "jest.config.js",
                Some("module.exports = { testMatch: ['**/*.test.ts'] };\n"),
                "module.exports = { testMatch: ['**/a.test.ts'] };\n",
            ),
            ("package.json", None, "{\"jest\":{\"testRegex\":\"never$\"}}"),
            (
                "vitest.config.ts",
                None,
                "export default defineConfig({\n  test: {\n    include: ['none/**/*.test.ts'],\n  },\n});\n",
            ),
            (
                "pyproject.toml",
                Some("[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n"),
                "[tool.pytest.ini_options]\ntestpaths = [\"docs\"]\n",
            ),
            ("pytest.ini", None, "[pytest]\npython_files = never_*.py\n"),
            ("playwright.config.ts", None, "export default { testDir: './nowhere' };\n"),
        ] {
            assert!(said(path, before, after).is_some(), "{path}: {before:?} -> {after}");
        }
        for (path, before, after) in [
            ("jest.config.js", None, "module.exports = { testMatch: ['**/*.test.ts'] };\n"),
            ("jest.config.js", None, "module.exports = { testMatch: ['**/?(*.)+(spec|test).[jt]s?(x)'] };\n"),
            (
                "jest.config.js",
                Some("module.exports = { testMatch: ['src/**/*.test.ts'] };\n"),
                "module.exports = { testMatch: ['src/**/*.test.ts', 'e2e/**'] };\n",
            ),
            ("pyproject.toml", None, "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n"),
            ("playwright.config.ts", None, "export default { testDir: './e2e' };\n"),
        ] {
            assert_eq!(said(path, before, after), None, "{path}: {before:?} -> {after}");
        }
    }
}
