//! What a path says about a file. In: a path. Out: whether it is a test, whether a rule is for it.

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::rule::Rule;

/// Folders whose files are tests or what tests read.
const TEST_FOLDERS: &[&str] =
    &["test", "tests", "__tests__", "__mocks__", "__fixtures__", "fixtures", "testdata", "test-data", "spec", "e2e"];

/// Tells whether a file is a test or the fixture of one.
pub fn is_test(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default().to_ascii_lowercase();
    let is_named = name.contains(".test.")
        || name.contains(".spec.")
        || name.starts_with("test_") && name.ends_with(".py")
        || name == "conftest.py"
        || name.rsplit_once('.').is_some_and(|(stem, _)| stem.ends_with("_test"));
    is_named || parts.iter().any(|part| TEST_FOLDERS.contains(&part.to_ascii_lowercase().as_str()))
}

/// The files that a rule is for.
pub(crate) struct Reach {
    only: Option<GlobSet>,
    except: GlobSet,
    skip_in_tests: bool,
}

impl Reach {
    /// Reads the globs of a rule.
    pub(crate) fn of(rule: &Rule) -> Result<Self, String> {
        let only = if rule.paths.is_empty() { None } else { Some(set(&rule.paths)?) };
        Ok(Self { only, except: set(&rule.except_paths)?, skip_in_tests: rule.skip_in_tests })
    }

    /// Tells whether the rule is for a file.
    pub(crate) fn has(&self, path: &str, is_test: bool) -> bool {
        !(self.skip_in_tests && is_test)
            && self.only.as_ref().is_none_or(|only| only.is_match(path))
            && !self.except.is_match(path)
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
    fn tests_are_known_by_folder_and_name() {
        for path in ["src/a.test.ts", "a.spec.tsx", "pkg/__tests__/a.ts", "test_a.py", "x_test.go", "Fixtures/k.pem"] {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/latest.ts", "src/contest/a.ts", "test.ts", "attest_a.py", "src/spec.ts", "testing/a.go"] {
            assert!(!is_test(path), "{path}");
        }
    }
}
