//! Which files are tests. In: a path, and the tree around it. Out: whether a test runner of the project would run the file,
//! and whether it lies among tests.
//!
//! A folder name alone switches no rule off: code in `fixtures/`, `spec/` or `e2e/` that no runner's naming rule matches is
//! production code (docs/decisions/033). Manifests are those of the base: a change cannot declare its own file a test. What
//! other code imports is none, either: `program.rs` tells.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use globset::Glob;
use regex::Regex;
use serde_json::Value;

use crate::Tree;
use crate::language::Language;
use crate::paths;
use crate::program::TreeFacts;

/// The role of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Role {
    /// A runner would run it, or compiles it for tests only. Rules that mean production code are off.
    pub(crate) is_test: bool,
    /// It is a test, or data or code in a folder of tests. Secrets there are probably made up.
    pub(crate) is_among_tests: bool,
}

/// The tests of a tree.
pub(crate) struct TestFiles<'t> {
    pub(crate) tree: &'t dyn Tree,
    pub(crate) facts: &'t TreeFacts,
}

/// A path, split.
struct Parts<'p> {
    folders: Vec<&'p str>,
    name: &'p str,
    stem: &'p str,
}

impl<'p> Parts<'p> {
    fn of(path: &'p str) -> Self {
        let mut folders: Vec<&str> = path.split('/').collect();
        let name = folders.pop().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Self { folders, name, stem }
    }

    fn is_in(&self, names: &[&str]) -> bool {
        self.folders.iter().any(|folder| names.contains(folder))
    }

    /// Returns the folders that hold the file, the nearest first, each as a prefix of paths.
    fn above(&self) -> impl Iterator<Item = String> {
        (0..=self.folders.len())
            .rev()
            .map(|depth| self.folders[..depth].iter().map(|folder| format!("{folder}/")).collect())
    }
}

impl<'t> TestFiles<'t> {
    pub(crate) fn of(tree: &'t dyn Tree, facts: &'t TreeFacts) -> Self {
        Self { tree, facts }
    }

    /// Returns the role of a file, given its language.
    pub(crate) fn role(&self, path: &str, language: Option<Language>) -> Role {
        let is_test = is_named_test(path, language) || language.is_some_and(|language| self.is_run(path, language));
        let is_among_tests = is_test || self.has_tests_beside(path);
        Role { is_test, is_among_tests }
    }

    /// Tells whether the project's own settings make a file a test.
    fn is_run(&self, path: &str, language: Language) -> bool {
        let parts = Parts::of(path);
        match language {
            Language::JavaScript | Language::TypeScript | Language::Tsx => self.is_run_by_node(path, &parts),
            Language::Rust => self.is_compiled_for_tests(path),
            Language::CSharp => self.is_in_test_project(&parts),
            _ => false,
        }
    }

    /// The nearest manifest decides: the command of the test script, or the default of its runner.
    fn is_run_by_node(&self, path: &str, parts: &Parts<'_>) -> bool {
        for folder in parts.above() {
            let below = &path[folder.len()..];
            let base = |name: &str| self.tree.base_text(&format!("{folder}{name}"));
            let is_deno = base("deno.json").or_else(|| base("deno.jsonc")).is_some();
            if is_deno && (parts.stem.ends_with("_test") || parts.stem == "test") {
                return true;
            }
            if let Some(manifest) = base("package.json") {
                return NodeTests::of(&manifest).has(below, parts);
            }
            if is_deno {
                return false;
            }
        }
        false
    }

    /// Cargo compiles `tests/` and `benches/` for tests alone, and a module behind `#[cfg(test)]`.
    fn is_compiled_for_tests(&self, path: &str) -> bool {
        let parts = Parts::of(path);
        let targets = parts.folders.iter().enumerate().filter(|(_, folder)| matches!(**folder, "tests" | "benches"));
        let of_crate = |depth: usize| {
            let folder: String = parts.folders[..depth].iter().map(|folder| format!("{folder}/")).collect();
            self.tree.base_text(&format!("{folder}Cargo.toml")).is_some()
        };
        targets.into_iter().any(|(depth, _)| of_crate(depth)) || self.is_in_test_module(path, 0)
    }

    fn is_in_test_module(&self, path: &str, depth: usize) -> bool {
        const DEEPEST: usize = 16;
        let parts = Parts::of(path);
        let (mut folders, mut name) = (parts.folders.clone(), parts.stem);
        if name == "mod" {
            let Some(folder) = folders.pop() else { return false };
            name = folder;
        }
        if depth == DEEPEST || matches!(name, "lib" | "main") {
            return false;
        }
        let folder = folders.join("/");
        let inside = ["mod.rs", "lib.rs", "main.rs"]
            .map(|file| if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") });
        let parents = inside.into_iter().chain((!folder.is_empty()).then(|| format!("{folder}.rs")));
        for parent in parents.filter(|parent| parent != path) {
            let Some(text) = self.tree.text(&parent) else { continue };
            if declares_for_tests(&text, name) || self.is_in_test_module(&parent, depth + 1) {
                return true;
            }
        }
        false
    }

    /// A project of .NET is a test project by its references or its name.
    fn is_in_test_project(&self, parts: &Parts<'_>) -> bool {
        let paths = self.paths();
        for folder in parts.above() {
            let is_project = |path: &&String| {
                path.strip_prefix(folder.as_str()).is_some_and(|name| !name.contains('/') && name.ends_with(".csproj"))
            };
            if let Some(project) = paths.iter().find(is_project) {
                let Some(text) = self.tree.base_text(project) else { return false };
                let is_named = ["Test.csproj", "Tests.csproj"].iter().any(|end| project.ends_with(end));
                return is_named || text.contains("Microsoft.NET.Test.Sdk") || text.contains("<IsTestProject>true");
            }
        }
        false
    }

    /// Tells whether the base has tests in the folder of tests that a file lies in.
    fn has_tests_beside(&self, path: &str) -> bool {
        let parts = Parts::of(path);
        let Some(depth) = parts.folders.iter().position(|folder| paths::is_test_folder(folder)) else { return false };
        let root: String = parts.folders[..=depth].iter().map(|folder| format!("{folder}/")).collect();
        let is_test = |path: &&String| path.starts_with(&root) && is_named_test(path, Language::of(path));
        self.paths().iter().filter(is_test).any(|path| self.tree.base_text(path).is_some())
    }

    pub(crate) fn paths(&self) -> &[String] {
        self.facts.paths.get_or_init(|| self.tree.paths())
    }
}

/// Tells whether the naming rule of a test framework matches, whatever the settings of the project.
fn is_named_test(path: &str, language: Option<Language>) -> bool {
    let parts = Parts::of(path);
    let name = parts.name;
    let begins = |start: &str| name.starts_with(start);
    let ends = |ends: &[&str]| ends.iter().any(|end| parts.stem.ends_with(end));
    match language {
        // The compiler leaves both out of every build.
        Some(Language::Go) => ends(&["_test"]) || parts.is_in(&["testdata"]),
        Some(Language::Python) => begins("test_") || ends(&["_test"]) || matches!(name, "conftest.py" | "tests.py"),
        Some(Language::Ruby) => {
            ends(&["_spec", "_test"])
                || begins("test_")
                || matches!(name, "spec_helper.rb" | "rails_helper.rb" | "test_helper.rb")
        }
        // Maven and Gradle package neither `src/test` nor other source sets of tests.
        Some(Language::Java) => {
            let sets = parts.folders.iter().zip(parts.folders.iter().skip(1)).filter(|(above, _)| **above == "src");
            sets.into_iter().any(|(_, set)| is_test_set(set))
                || parts.is_in(&["test", "tests"]) && (ends(&["Test", "Tests", "IT", "TestCase"]) || begins("Test"))
        }
        Some(Language::Php) => {
            let is_in_tests =
                parts.folders.iter().any(|folder| matches!(&*folder.to_ascii_lowercase(), "test" | "tests"));
            is_in_tests && ends(&["Test", "Cest", "TestCase"])
        }
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
            is_marked(name) || parts.is_in(&["__tests__", "__mocks__"])
        }
        Some(Language::Rust | Language::CSharp | Language::Bash | Language::Yaml | Language::Dockerfile) => false,
        None => is_marked(name),
    }
}

/// Tells whether a file name has the mark of a test: `a.test.ts`, `a.spec.tsx`, `a.cy.js`, `a.test-d.ts`.
fn is_marked(name: &str) -> bool {
    name.split('.').skip(1).any(|part| matches!(part, "test" | "spec" | "cy" | "test-d" | "bench"))
}

fn is_test_set(folder: &str) -> bool {
    folder == "test" || folder.ends_with("Test") || folder.ends_with("Tests") || folder == "testFixtures"
}

/// Tells whether a Rust file declares a module behind `#[cfg(test)]`.
fn declares_for_tests(text: &str, name: &str) -> bool {
    let declaration = format!(
        r"#\[cfg\(\s*(?:test|all\(\s*test\s*,[^\]]*\))\s*\)\]\s*(?:#\[[^\]]*\]\s*|//[^\n]*\n\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?{}\s*;",
        regex::escape(name)
    );
    Regex::new(&declaration).is_ok_and(|declaration| declaration.is_match(text))
}

/// The runners whose settings may stand in the manifest, with the member that says where their tests are.
const RUNNERS: &[(&str, &str)] = &[
    ("jest", "testMatch"),
    ("jest", "testRegex"),
    ("ava", "files"),
    ("mocha", "spec"),
    ("tap", "files"),
    ("tap", "include"),
];

/// The tests of a package of Node, by its manifest.
struct NodeTests {
    /// Globs and folders that the commands of its test scripts name.
    named: Vec<String>,
    globs: Vec<String>,
    /// Globs of files that the runner leaves out.
    kept_out: Vec<String>,
    has_node_runner: bool,
    has_mocha: bool,
}

impl NodeTests {
    fn of(manifest: &str) -> Self {
        let manifest: Value = serde_json::from_str(manifest).unwrap_or_default();
        let scripts: BTreeMap<&str, &str> = manifest["scripts"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, command)| Some((name.as_str(), command.as_str()?)))
            .collect();
        let tests = || scripts.iter().filter(|(name, _)| name.split(':').any(|part| part == "test")).map(|(_, it)| *it);
        let says = |words: &str| tests().any(|command| command.contains(words));
        static WORD: OnceLock<Regex> = OnceLock::new();
        let word = WORD.get_or_init(|| Regex::new(r#"[^\s'"=]+"#).expect("a test compiles it"));
        let is_place = |word: &&str| {
            let first = word.trim_start_matches("./").split('/').next().unwrap_or_default();
            !word.starts_with('-') && paths::is_test_folder(first)
        };
        let words = tests().flat_map(|command| word.find_iter(command).map(|found| found.as_str()));
        let places = RUNNERS.iter().flat_map(|(runner, key)| match &manifest[runner][key] {
            Value::Array(places) => places.iter().filter_map(Value::as_str).collect(),
            Value::String(place) => vec![place.as_str()],
            _ => Vec::new(),
        });
        let places = places.map(|place| place.replace("<rootDir>/", ""));
        let (kept_out, globs): (Vec<String>, Vec<String>) = places.partition(|place| place.starts_with('!'));
        Self {
            named: words.filter(is_place).map(|word| word.trim_start_matches("./").to_owned()).collect(),
            globs: globs.iter().map(|place| place.trim_start_matches("./").to_owned()).collect(),
            kept_out: kept_out.iter().map(|place| place.trim_start_matches(['!', '.', '/']).to_owned()).collect(),
            has_node_runner: says("--test") || says("bun test"),
            has_mocha: says("mocha"),
        }
    }

    /// Tells whether a path of the package is a test.
    fn has(&self, path: &str, parts: &Parts<'_>) -> bool {
        let stem = parts.stem;
        let is_named = self.named.iter().any(|place| {
            let folder = place.trim_end_matches('/');
            path == place || is_directly_in(path, folder) || matches(place, path)
        });
        // The defaults of `node --test`, without its whole folder `test`: that holds helpers and fixtures, too.
        let is_for_node = self.has_node_runner
            && (stem == "test"
                || stem.starts_with("test-")
                || stem.ends_with("-test")
                || stem.ends_with("_test")
                || stem.ends_with("_spec")
                || is_directly_in(path, "test"));
        let is_for_mocha = self.has_mocha && is_directly_in(path, "test");
        let is_given = self.globs.iter().any(|glob| matches(glob, path) || is_directly_in(path, glob) || path == glob)
            && !self.kept_out.iter().any(|glob| matches(glob, path));
        is_named || is_for_node || is_for_mocha || is_given
    }
}

fn is_directly_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).is_some_and(|name| !name.contains('/'))
}

fn matches(glob: &str, path: &str) -> bool {
    let is_glob = glob.contains(['*', '?', '[', '{']);
    is_glob && Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files(Vec<(&'static str, &'static str)>);

    impl Tree for Files {
        fn paths(&self) -> Vec<String> {
            self.0.iter().map(|(path, _)| (*path).to_owned()).collect()
        }

        fn text(&self, path: &str) -> Option<String> {
            self.0.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned())
        }
    }

    fn role(path: &str, files: &[(&'static str, &'static str)]) -> Role {
        TestFiles::of(&Files(files.to_vec()), &TreeFacts::default()).role(path, Language::of(path))
    }

    #[test]
    fn the_naming_rules_of_frameworks_hold_everywhere() {
        for path in [
            "src/a.test.ts",
            "a.spec.tsx",
            "pkg/__tests__/a.ts",
            "e2e/login.cy.js",
            "test_a.py",
            "src/a_test.py",
            "app/tests.py",
            "tests/conftest.py",
            "x_test.go",
            "pkg/testdata/a.go",
            "spec/a_spec.rb",
            "test/a_test.rb",
            "src/test/java/Helper.java",
            "app/src/androidTest/java/A.java",
            "test/FooTest.java",
            "tests/Unit/ATest.php",
        ] {
            assert!(role(path, &[]).is_test, "{path}");
        }
        for path in [
            "fixtures/evil.ts",
            "src/spec/orders.ts",
            "e2e/server.ts",
            "src/orders_test.ts",
            "lib/orders_test.js",
            "tests/helpers.py",
            "tests/fixtures/app.py",
            "spec/support/db.rb",
            "testdata/app.js",
            "test/server.js",
            "src/tests.rs",
            "tests/common.rs",
            "src/main/java/AbTest.java",
            "src/AbTest.php",
            "tests/deploy.sh",
            "src/latest.ts",
            "attest_a.py",
            "src/spec.ts",
        ] {
            assert!(!role(path, &[]).is_test, "{path}");
        }
    }

    #[test]
    fn the_base_says_what_its_runner_runs() {
        let package = |text: &'static str| [("package.json", text)];
        for (manifest, path, expected) in [
            (r#"{"scripts": {"test": "node --test"}}"#, "lib/orders_test.js", true),
            (r#"{"scripts": {"test": "node --test"}}"#, "test/a.js", true),
            (r#"{"scripts": {"test": "node --test"}}"#, "test/fixtures/a.js", false),
            (r#"{"scripts": {"test": "mocha"}}"#, "test/a.js", true),
            (r#"{"scripts": {"test": "mocha"}}"#, "test/support/a.js", false),
            (r#"{"scripts": {"test": "mocha test/ 'test/acceptance/**/*.js'"}}"#, "test/acceptance/x/a.js", true),
            (r#"{"scripts": {"test:unit": "tape spec/*.js"}}"#, "spec/a.js", true),
            (r#"{"scripts": {"test:unit": "tape spec/*.js"}}"#, "src/spec/a.js", false),
            (r#"{"scripts": {"test": "jest"}}"#, "src/orders_test.ts", false),
            (r#"{"jest": {"testMatch": ["<rootDir>/checks/**/*.js"]}}"#, "checks/a.js", true),
            (r#"{"scripts": {"start": "node --test test/a.js"}}"#, "test/a.js", false),
            ("not json", "test/a.js", false),
        ] {
            assert_eq!(role(path, &package(manifest)).is_test, expected, "{manifest}: {path}");
        }
        assert!(role("a/b_test.ts", &[("deno.json", "{}")]).is_test);
        // The nearest manifest decides.
        let nested = [("package.json", r#"{"scripts": {"test": "mocha"}}"#), ("web/package.json", "{}")];
        assert!(!role("web/test/a.js", &nested).is_test);
    }

    #[test]
    fn the_compilers_rules_are_read_from_the_tree() {
        assert!(role("tests/common/mod.rs", &[("Cargo.toml", "")]).is_test);
        assert!(!role("src/tests/mod.rs", &[("Cargo.toml", ""), ("src/lib.rs", "mod tests;")]).is_test);
        for declared in ["#[cfg(test)]\nmod tests;", "#[cfg(all(test, unix))]\n#[path = \"x\"]\npub(crate) mod tests;"]
        {
            assert!(role("src/a/tests.rs", &[("src/a.rs", declared)]).is_test);
            assert!(role("src/a/tests/deep.rs", &[("src/a/tests.rs", "mod deep;"), ("src/a.rs", declared)]).is_test);
        }
        let project = |text| [("lib/Shop.Checks/Shop.Checks.csproj", text), ("lib/Shop/Shop.csproj", "")];
        assert!(
            role("lib/Shop.Checks/A.cs", &project("<PackageReference Include=\"Microsoft.NET.Test.Sdk\"/>")).is_test
        );
        assert!(!role("lib/Shop.Checks/A.cs", &project("")).is_test);
        assert!(role("tests/Shop.Tests/A.cs", &[("tests/Shop.Tests/Shop.Tests.csproj", "")]).is_test);
    }

    #[test]
    fn data_and_code_among_tests_are_known() {
        let among = |path: &str, files: &[(&'static str, &'static str)]| role(path, files).is_among_tests;
        assert!(among("tests/key.pem", &[("tests/test_a.py", "")]));
        assert!(among("tests/fixtures/key.pem", &[("tests/unit/a.test.ts", "")]));
        // The name of a folder says nothing without a test in it.
        assert!(!among("tests/key.pem", &[]) && !among("deploy/fixtures/key.pem", &[("tests/test_a.py", "")]));
        assert!(!among("deploy/key.pem", &[]));
        assert!(!among("src/spec/config.ts", &[("src/a.test.ts", "")]));
        assert!(among("tests/helpers.py", &[("tests/test_a.py", "")]));
        assert!(!among("tests/helpers.py", &[("src/test_a.py", "")]));
    }
}
