//! Facts derived from a path. In: a path. Out: whether it is named like a test, whether a rule applies to it.

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::rule::Rule;

/// Directories of tests and their fixtures.
const TEST_FOLDERS: &[&str] =
    &["test", "tests", "__tests__", "__mocks__", "__fixtures__", "fixtures", "testdata", "test-data", "spec", "e2e"];

/// Tells whether a folder is named like one of tests.
pub(crate) fn is_test_folder(name: &str) -> bool {
    TEST_FOLDERS.contains(&name.to_ascii_lowercase().as_str())
}

/// Tells whether a file is named like a test or the fixture of one. It switches no rule off: `test_files.rs` decides that.
pub fn is_test(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default().to_ascii_lowercase();
    let is_named = name.contains(".test.")
        || name.contains(".spec.")
        || name.starts_with("test_") && name.ends_with(".py")
        || matches!(&*name, "conftest.py" | "test.rs" | "tests.rs")
        || name.rsplit_once('.').is_some_and(|(stem, _)| stem.ends_with("_test"));
    is_named || parts.iter().any(|part| is_test_folder(part))
}

/// Endings of generated file names.
const GENERATED: &[&str] = &[
    ".lock",
    "-lock.json",
    "-lock.yaml",
    ".lockb",
    "go.sum",
    "npm-shrinkwrap.json",
    ".snap",
    ".min.js",
    ".min.css",
    ".bundle.js",
    ".chunk.js",
    ".map",
    ".svg",
    ".pbxproj",
];

/// Tells whether a file is generated: a lock, a snapshot, a bundle, a picture.
pub(crate) fn is_generated(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    GENERATED.iter().any(|end| lower.ends_with(end)) || lower.split('/').any(|part| part == "__snapshots__")
}

/// Directories of third-party or generated files.
const FOREIGN: &[&str] = &[
    "node_modules",
    "vendor",
    "vendored",
    "third_party",
    "bower_components",
    "dist",
    "generated",
    "__generated__",
    "site-packages",
];

/// Tells whether a file is third-party or generated.
pub fn is_foreign(path: &str) -> bool {
    is_generated(path)
        || path.ends_with("db/schema.rb")
        || path.split('/').any(|part| FOREIGN.contains(&part))
        || path.contains(".generated.")
        || path.contains("_pb2.")
        || path.contains(".pb.")
}

/// Returns the migration directory of a file, with its slash.
pub(crate) fn migrations(path: &str) -> Option<&str> {
    let folders = ["migrations", "migration", "migrate", "alembic", "changelog", "flyway"];
    let ends = path.rmatch_indices('/').map(|(at, _)| at);
    ends.map(|end| &path[..=end])
        .find(|folder| folders.contains(&folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default()))
}

/// The files that a rule applies to.
pub(crate) struct Reach {
    only: Option<GlobSet>,
    except: GlobSet,
    is_off_in_tests: bool,
    skip_generated: bool,
}

impl Reach {
    /// Reads the globs of a rule.
    pub(crate) fn of(rule: &Rule) -> Result<Self, String> {
        let only = if rule.paths.is_empty() { None } else { Some(set(&rule.paths)?) };
        let except = set(&rule.except_paths)?;
        Ok(Self { only, except, is_off_in_tests: rule.is_off_in_tests(), skip_generated: rule.skip_generated })
    }

    /// Tells whether the rule applies to a file, given whether it is a test and whether it is generated.
    pub(crate) fn has(&self, path: &str, is_test: bool, is_generated: bool) -> bool {
        let is_left_out =
            self.is_off_in_tests && is_test || self.skip_generated && is_generated || self.except.is_match(path);
        !is_left_out && self.only.as_ref().is_none_or(|only| only.is_match(path))
    }
}

fn set(globs: &[String]) -> Result<GlobSet, String> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        builder.add(Glob::new(glob).map_err(|error| error.to_string())?);
    }
    builder.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_wrote_is_known_by_its_name() {
        for path in ["Cargo.lock", "web/package-lock.json", "a/jquery.min.js", "ui/__snapshots__/a.ts.snap", "go.sum"] {
            assert!(is_generated(path), "{path}");
        }
        for path in ["src/lock.rs", "src/blocker.ts", "src/map.ts", "deploy/locks.yaml", ".env"] {
            assert!(!is_generated(path), "{path}");
        }
    }

    #[test]
    fn tests_are_known_by_folder_and_name() {
        for path in [
            "src/a.test.ts",
            "a.spec.tsx",
            "pkg/__tests__/a.ts",
            "test_a.py",
            "x_test.go",
            "Fixtures/k.pem",
            "src/a/tests.rs",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/latest.ts", "src/contest/a.ts", "test.ts", "attest_a.py", "src/spec.ts", "testing/a.go"] {
            assert!(!is_test(path), "{path}");
        }
    }
}
