//! Lockfiles: real ones of the managers, with real bumps, raise nothing; what is tampered with is raised; what cannot be read is said.
//!
//! `tests/lockfiles/<manager>/{before,after}/` is what the manager wrote, but for the names of hosts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jury_rules::{Parsed, Review, SourceFile, Tree, by_domain};
use proptest::prelude::*;

/// The files after and before a change.
struct Two {
    after: BTreeMap<String, String>,
    before: BTreeMap<String, String>,
}

impl Tree for Two {
    fn paths(&self) -> Vec<String> {
        self.after.keys().cloned().collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.after.get(path).cloned()
    }

    fn base_text(&self, path: &str) -> Option<String> {
        self.before.get(path).cloned()
    }

    fn gone(&self) -> Vec<String> {
        self.before.keys().filter(|path| !self.after.contains_key(*path)).cloned().collect()
    }
}

impl Two {
    fn of(before: &[(&str, &str)], after: &[(&str, &str)]) -> Self {
        let files =
            |files: &[(&str, &str)]| files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        Self { after: files(after), before: files(before) }
    }

    /// Reviews every file that differs.
    fn review(&self) -> Review {
        let changed = self.after.iter().filter(|(path, text)| self.before.get(*path) != Some(text));
        let sources: Vec<SourceFile<'_>> =
            changed.map(|(path, text)| SourceFile { path, text, touched: &[(1, u32::MAX)] }).collect();
        by_domain("supply-chain").unwrap().review_in(&Parsed::default(), &sources, self)
    }
}

/// Says the findings as `rule severity`.
fn raised(review: &Review) -> Vec<String> {
    let said = review
        .findings
        .findings
        .iter()
        .map(|it| format!("{} {}", it.other["rule"].as_str().unwrap(), it.merge.severity));
    said.collect()
}

fn one(path: &str, before: &str, after: &str) -> Review {
    Two::of(&[(path, before)], &[(path, after)]).review()
}

fn real() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lockfiles");
    let mut folders: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn real_bumps_raise_nothing_and_are_listed() {
    let mut seen = 0;
    for folder in real() {
        let two = Two { before: files(&folder.join("before")), after: files(&folder.join("after")) };
        let review = two.review();
        assert_eq!((raised(&review), &review.unreviewed), (Vec::new(), &Vec::new()), "{}", folder.display());
        let name = |package: &jury_rules::PackageChange| package.name.clone();
        let names: Vec<String> = review.packages.iter().map(name).collect();
        let expected: &[&str] = match folder.file_name().unwrap().to_str().unwrap() {
            "cargo" => &["either", "fastrand", "itertools", "itoa"],
            "uv" | "poetry" => &["certifi", "idna", "packaging", "six"],
            "pipenv" => &["certifi", "idna", "six"],
            _ => &["chalk", "es5-ext", "is-number", "is-odd", "ms", "string-width"],
        };
        assert_eq!(names, expected, "{}", folder.display());
        // The same file before and after, and a file that is new.
        let same = Two { before: two.after.clone(), after: two.after.clone() };
        assert_eq!(raised(&same.review()), [""; 0]);
        seen += 1;
    }
    assert!(seen >= 12, "{seen} managers");
}

#[test]
fn a_package_that_changes_under_its_version_is_raised_in_every_real_lockfile() {
    for folder in real() {
        let before = files(&folder.join("after"));
        let (path, text) = before.iter().find(|(path, _)| jury_rules::is_lockfile(path)).unwrap();
        // The first digest of a package, wherever the format has it.
        let marks = ["sha512-", "checksum = \"", "checksum: 10c0/", "hash = \"sha256:", "sha256:"];
        let at = marks.iter().filter_map(|mark| Some(text.find(mark)? + mark.len())).min().unwrap();
        let other = if &text[at..at + 4] == "0000" { "1111" } else { "0000" };
        let poisoned = format!("{}{other}{}", &text[..at], &text[at + 4..]);
        let review = one(path, text, &poisoned);
        // A list of digests without file names may have one more; all others are the content of one file.
        let expected = if path == "Pipfile.lock" { "lock-integrity-changed P3" } else { "lock-integrity-changed P1" };
        assert_eq!(raised(&review), [expected], "{}", folder.display());
    }
}

const POETRY: &str = "[[package]]\nname = \"idna\"\nversion = \"3.4\"\noptional = false\npython-versions = \">=3.5\"\nfiles = [\n    {file = \"idna-3.4-py3-none-any.whl\", hash = \"sha256:aaaa\"},\n    {file = \"idna-3.4.tar.gz\", hash = \"sha256:bbbb\"},\n]\n\n[metadata]\nlock-version = \"2.0\"\n";
const BUN: &str = "{\n  \"lockfileVersion\": 1,\n  \"workspaces\": {\n    \"\": { \"name\": \"shop\", \"dependencies\": { \"ms\": \"2.1.3\", }, },\n  },\n  \"packages\": {\n    \"ms\": [\"ms@2.1.3\", \"\", {}, \"sha512-aaaa\"],\n    \"is-odd\": [\"is-odd@3.0.1\", \"\", { \"dependencies\": { \"ms\": \"^2\" } }, \"sha512-bbbb\"],\n  }\n}\n";
const GEMS: &str = "GEM\n  remote: https://gems.example/\n  specs:\n    rack (2.2.3)\n    rack-test (2.0.0)\n      rack (>= 1.3)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rack-test\n\nCHECKSUMS\n  rack (2.2.3) sha256=aaaa\n  rack-test (2.0.0) sha256=bbbb\n\nBUNDLED WITH\n   2.6.0\n";
const COMPOSER: &str = "{\n  \"packages\": [\n    {\n      \"name\": \"psr/log\", \"version\": \"1.1.0\",\n      \"source\": { \"type\": \"git\", \"url\": \"https://code.example/php-fig/log.git\", \"reference\": \"aaaa\" },\n      \"dist\": { \"type\": \"zip\", \"url\": \"https://api.code.example/repos/php-fig/log/zipball/aaaa\", \"reference\": \"aaaa\", \"shasum\": \"\" },\n      \"notification-url\": \"https://packages.example/downloads/\"\n    }\n  ],\n  \"packages-dev\": []\n}\n";
const NUGET: &str = "{\n  \"version\": 1,\n  \"dependencies\": {\n    \"net8.0\": {\n      \"Serilog\": { \"type\": \"Direct\", \"requested\": \"[3.0.1, )\", \"resolved\": \"3.0.1\", \"contentHash\": \"aaaa\" }\n    }\n  }\n}\n";
const SUM: &str = "example.com/errors v0.9.0 h1:aaaa=\nexample.com/errors v0.9.0/go.mod h1:bbbb=\n";

#[test]
fn families_without_a_manager_at_hand_are_read_by_their_documents() {
    for (path, text, from, to, expected) in [
        ("poetry.lock", POETRY, "3.4", "3.5", ""),
        ("poetry.lock", POETRY, "sha256:aaaa", "sha256:cccc", "lock-integrity-changed P1"),
        (
            "poetry.lock",
            POETRY,
            "files = [\n",
            "files = [\n    {file = \"idna-3.4-cp313.whl\", hash = \"sha256:dddd\"},\n",
            "lock-integrity-changed P3",
        ),
        (
            "poetry.lock",
            POETRY,
            "\n[metadata]",
            "\n[package.source]\ntype = \"git\"\nurl = \"https://code.example/evil/idna.git\"\nreference = \"x\"\n\n[metadata]",
            "lock-foreign-source P1",
        ),
        (
            "poetry.lock",
            POETRY,
            "\n[metadata]",
            "\n[package.source]\ntype = \"legacy\"\nurl = \"https://evil.example/simple\"\n\n[metadata]",
            "lock-foreign-source P1",
        ),
        ("bun.lock", BUN, "ms@2.1.3\", \"\", {}, \"sha512-aaaa", "ms@2.1.4\", \"\", {}, \"sha512-cccc", ""),
        ("bun.lock", BUN, "sha512-aaaa", "sha512-cccc", "lock-integrity-changed P1"),
        ("bun.lock", BUN, "[\"ms@2.1.3\", \"\"", "[\"ms@2.1.3\", \"https://evil.example/\"", "lock-foreign-source P1"),
        (
            "bun.lock",
            BUN,
            "[\"ms@2.1.3\", \"\", {}, \"sha512-aaaa\"]",
            "[\"ms@github:evil/ms#f00\", {}, \"evil-ms-f00\"]",
            "lock-foreign-source P1",
        ),
        ("bun.lock", BUN, "[\"ms@2.1.3\"", "[\"other@2.1.3\"", "lock-hidden-by-alias P1"),
        ("Gemfile.lock", GEMS, "rack (2.2.3)", "rack (2.2.4)", ""),
        ("Gemfile.lock", GEMS, "sha256=aaaa", "sha256=cccc", "lock-integrity-changed P1"),
        (
            "Gemfile.lock",
            GEMS,
            "https://gems.example/",
            "https://evil.example/",
            "lock-foreign-source P1 lock-foreign-source P1",
        ),
        (
            "Gemfile.lock",
            GEMS,
            "GEM\n",
            "GIT\n  remote: https://code.example/evil/rack.git\n  revision: f00\n  specs:\n    rackup (1.0.0)\n\nGEM\n",
            "lock-foreign-source P1",
        ),
        ("composer.lock", COMPOSER, "\"1.1.0\"", "\"1.1.1\"", ""),
        (
            "composer.lock",
            COMPOSER,
            "\"reference\": \"aaaa\", \"shasum\"",
            "\"reference\": \"cccc\", \"shasum\"",
            "lock-integrity-changed P1",
        ),
        ("composer.lock", COMPOSER, "repos/php-fig/log/zipball", "repos/evil/log/zipball", "lock-integrity-changed P1"),
        (
            "composer.lock",
            COMPOSER,
            "https://api.code.example",
            "https://api.evil.example",
            "lock-integrity-changed P1 lock-foreign-source P1",
        ),
        (
            "packages.lock.json",
            NUGET,
            "\"resolved\": \"3.0.1\", \"contentHash\": \"aaaa\"",
            "\"resolved\": \"3.1.0\", \"contentHash\": \"cccc\"",
            "",
        ),
        ("packages.lock.json", NUGET, "aaaa", "cccc", "lock-integrity-changed P1"),
        ("go.sum", SUM, "h1:aaaa", "h1:cccc", "lock-integrity-changed P1"),
        ("go.sum", SUM, "example.com/errors v0.9.0 h1:aaaa=\n", "", ""),
    ] {
        let review = one(path, text, &text.replace(from, to));
        assert_ne!(text, text.replace(from, to), "{path}: {from}");
        assert_eq!(raised(&review).join(" "), expected, "{path}: {to}\n{:?}", review.findings.findings);
        assert!(review.unreviewed.is_empty(), "{path}: {:?}", review.unreviewed);
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let deep = format!("{{\"lockfileVersion\": 3, \"packages\": {}", "{\"a\":".repeat(100_000));
    let wide = format!("# yarn lockfile v1\n\n{}:\n  version \"1\"\n", "a".repeat(4_000_000));
    for (path, text, said) in [
        (
            "package-lock.json",
            "{\"lockfileVersion\": 3, \"packages\": {\"node_modules/a\": {}, \"node_modules/a\": {}}}",
            "occurs twice",
        ),
        ("package-lock.json", "{\"lockfileVersion\": 9, \"packages\": {}}", "lockfileVersion 9 is not known"),
        ("package-lock.json", "{}", "it has no lockfileVersion"),
        ("package-lock.json", deep.as_str(), "nested too deeply"),
        ("pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  a@1: {}\n  a@1: {}\n", "the lockfile cannot be read"),
        ("pnpm-lock.yaml", "lockfileVersion: '9.0'\non: push\njobs: {}\n", "`on` is no member"),
        ("pnpm-lock.yaml", "a: &a [x]\nb: [*a, *a, *a, *a]\n", "the lockfile cannot be read"),
        ("yarn.lock", "# yarn lockfile v1\n\na@1:\n  version \"1\"\n\na@1:\n  version \"2\"\n", "occurs twice"),
        ("yarn.lock", "# yarn lockfile v1\n\na@1:\n  version \"1\"\n  version \"2\"\n", "occurs twice"),
        ("yarn.lock", "# yarn lockfile v1\n\n<<<<<<< ours\na@1:\n", "merge conflict at line 3"),
        ("yarn.lock", "hello: there\n", "neither a lockfile of Yarn 1"),
        ("Cargo.lock", "[[package]]\nname = \"a\"\nname = \"b\"\n", "duplicate key"),
        ("Cargo.lock", "version = 99\n", "its version is not known"),
        ("go.sum", "example.com/a v1 h1:a=\nexample.com/a v1 h1:b=\n", "two hashes"),
        ("Gemfile.lock", "hello\n", "expected a section"),
    ] {
        let review = one(path, "", text);
        let why = review.unreviewed.iter().map(|(_, why)| why.as_str()).collect::<String>();
        assert!(why.contains(said), "{path}: {why:?}");
        assert!(why.len() < 400 && !why.contains('\u{1b}'), "{why}");
    }
    assert_eq!(one("yarn.lock", "", &wide).unreviewed, []);
}

#[test]
fn names_are_shown_without_what_acts_on_a_terminal() {
    let text = "{\"lockfileVersion\": 3, \"packages\": {\"node_modules/a\\u001b[2J\\u202eb`x\": {\"version\": \"1\\n2\", \"resolved\": \"git+https://evil.example/a\"}}}";
    let review = one("package-lock.json", "{\"lockfileVersion\": 3, \"packages\": {}}", text);
    let package = &review.packages[0];
    for shown in [
        &package.name,
        &package.came[0],
        &review.findings.findings[0].merge.title,
        &review.findings.findings[0].why_it_matters,
    ] {
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\n']), "{shown:?}");
    }
}

#[test]
fn many_of_a_kind_are_one_finding() {
    let lock = |host: &str| {
        let entry = |n: usize| {
            format!(
                "a{n}@1:\n  version \"1.0.0\"\n  resolved \"https://{host}/a{n}/-/a{n}-1.0.0.tgz\"\n  integrity sha512-{n}\n\n"
            )
        };
        format!("# yarn lockfile v1\n\n{}", (0..40).map(entry).collect::<String>())
    };
    let review = one("yarn.lock", &lock("registry.example"), &lock("evil.example"));
    assert_eq!(raised(&review), ["lock-foreign-source P1"]);
    assert!(
        review.findings.findings[0].why_it_matters.contains("40 packages")
            && review.findings.findings[0].why_it_matters.contains("30 more")
    );
    assert_eq!(review.packages.len(), 40);
}

#[test]
fn a_new_lockfile_is_compared_with_the_others_of_its_ecosystem() {
    let npm = "{\"lockfileVersion\": 3, \"packages\": {\"node_modules/ms\": {\"version\": \"2.1.3\", \"resolved\": \"https://registry.example/ms/-/ms-2.1.3.tgz\", \"integrity\": \"sha512-aaaa\"}}}";
    let yarn = |hash: &str| {
        format!(
            "# yarn lockfile v1\n\nms@2.1.3:\n  version \"2.1.3\"\n  resolved \"https://registry.example/ms/-/ms-2.1.3.tgz\"\n  integrity sha512-{hash}\n"
        )
    };
    let moved = |hash: &str| raised(&Two::of(&[("package-lock.json", npm)], &[("yarn.lock", &yarn(hash))]).review());
    assert_eq!(moved("aaaa"), [""; 0]);
    assert_eq!(moved("cccc"), ["lock-integrity-changed P1"]);
    let gone = Two::of(&[("package-lock.json", npm)], &[("a.md", "x")]).review();
    assert_eq!((gone.packages[0].gone.clone(), gone.packages[0].came.clone()), (vec!["2.1.3".to_owned()], Vec::new()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_damaged_lockfile_is_read_or_said(index in 0_usize..20, at in 0.0_f64..1.0, length in 0_usize..40, junk in "[ -~\\n\\u{7f}-\\u{2fff}]{0,12}") {
        let folders = real();
        let before = files(&folders[index % folders.len()].join("before"));
        let (path, text) = before.iter().find(|(path, _)| jury_rules::is_lockfile(path)).unwrap();
        let start = text.floor_char_boundary((at * text.len() as f64) as usize);
        let end = text.floor_char_boundary((start + length).min(text.len())).max(start);
        let damaged = format!("{}{junk}{}", &text[..start], &text[end..]);
        let review = one(path, text, &damaged);
        prop_assert!(review.unreviewed.len() <= 1);
        prop_assert!(review.findings.findings.iter().all(|it| it.merge.line as usize <= damaged.lines().count().max(1)));
    }

    #[test]
    fn the_order_of_entries_does_not_matter(order in Just((0..24).collect::<Vec<usize>>()).prop_shuffle()) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lockfiles/yarn-classic/before/yarn.lock");
        let text = fs::read_to_string(folder).unwrap();
        let (head, rest) = text.split_once("\n\n\n").unwrap();
        let entries: Vec<&str> = rest.split("\n\n").collect();
        let shuffled: Vec<&str> = order.iter().filter_map(|at| entries.get(*at)).map(|entry| entry.trim_end()).collect();
        prop_assert_eq!(shuffled.len(), entries.len());
        let review = one("yarn.lock", &text, &format!("{head}\n\n\n{}\n", shuffled.join("\n\n")));
        prop_assert_eq!(raised(&review), Vec::<String>::new());
        prop_assert!(review.packages.is_empty() && review.unreviewed.is_empty());
    }
}
