//! The architecture as tests: stages do not know each other, and judging is pure. Each check is also run on a planted
//! breach and has to see it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What each module of `jury` may use: modules of the crate, then crates. Whatever is not listed is refused.
const ALLOWED: &[(&str, &[&str], &[&str])] = &[
    ("model", &[], &["jiff", "regex", "sha2", "thiserror"]),
    ("syntax", &["model"], &["imara_diff", "jury_wire", "quick_xml", "serde", "serde_saphyr", "toml"]),
    ("formats", &["model", "syntax"], &["jury_wire", "serde", "serde_json", "thiserror"]),
    ("intake", &["formats", "model", "syntax"], &["jury_wire", "pulldown_cmark"]),
    ("synthesis", &["model"], &[]),
    ("verdict", &["model"], &[]),
    ("verify", &["model", "syntax"], &[]),
    ("config", &["formats", "model"], &["globset", "jury_rules", "serde", "strsim", "thiserror", "toml"]),
    ("coverage", &["model"], &["jury_wire"]),
    ("report", &["judge", "model", "syntax"], &["jury_wire"]),
];

/// What the modules that touch the world may use. `lib.rs` says which they are; they are not held to be pure.
const WORLDLY: &[(&str, &[&str], &[&str])] = &[
    ("scope", &["model", "syntax"], &["gix", "sha2", "thiserror"]),
    ("process", &[], &["landlock", "rustix"]),
    ("dispatch", &["model", "process"], &["globset", "jury_rules", "jury_wire", "rustix", "serde_json", "ureq"]),
    ("store", &["model", "syntax"], &["jury_wire", "rustix", "serde", "serde_json", "sha2", "thiserror"]),
    (
        "task",
        &["formats", "intake", "model", "process", "store", "syntax"],
        &["jury_rules", "jury_wire", "notify", "serde", "serde_json", "thiserror"],
    ),
];

/// The files of modules that touch the world which decide, and so are pure.
const PURE_PARTS: &[(&str, &[&str])] = &[("task", &["decide", "deliver", "delivery", "folder"])];

/// Crates that only tests inside the modules use.
const TEST_CRATES: &[&str] = &["proptest", "quick_xml", "serde_json"];

const CRATES: &[&str] = &[
    "gix",
    "globset",
    "imara_diff",
    "jiff",
    "jury_rules",
    "jury_wire",
    "landlock",
    "notify",
    "proptest",
    "pulldown_cmark",
    "quick_xml",
    "regex",
    "rustix",
    "serde",
    "serde_json",
    "serde_saphyr",
    "sha2",
    "strsim",
    "thiserror",
    "toml",
    "ureq",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the words that follow `prefix` in code, comments aside.
fn words_after<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| {
            line.match_indices(prefix)
                .filter(|(at, _)| !line[..*at].ends_with(|c: char| is_word(c) || c == ':'))
                .map(|(at, _)| &line[at + prefix.len()..])
                .collect::<Vec<_>>()
        })
        .map(|rest| rest.split(|c: char| !is_word(c)).next().unwrap_or_default())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns what a module's code uses and may not.
fn breaches(module: &str, is_test: bool, text: &str) -> Vec<String> {
    let Some((_, modules, crates)) = ALLOWED.iter().chain(WORLDLY).find(|(name, _, _)| *name == module) else {
        return vec![format!("`{module}` is not in the table of allowed modules")];
    };
    // Unit tests stand at the end of their file.
    let (code, tests) = if is_test { ("", text) } else { text.split_once("#[cfg(test)]").unwrap_or((text, "")) };
    let mut found = Vec::new();
    if text.contains("crate::{") {
        found.push(format!("`{module}` imports from `crate::{{…}}`, which hides what it uses"));
    }
    let is_module = |word: &&str| ALLOWED.iter().chain(WORLDLY).any(|(name, _, _)| name == word);
    let climbed = words_after(text, "super::super::").into_iter().filter(is_module);
    for used in words_after(text, "crate::").into_iter().chain(climbed) {
        if used != module && !modules.contains(&used) && used.starts_with(char::is_lowercase) {
            found.push(format!("`{module}` uses `crate::{used}`"));
        }
    }
    for name in CRATES {
        let path = format!("{name}::");
        let in_code = !words_after(code, &path).is_empty() || code.contains(&format!("use {name};"));
        let in_tests = !words_after(tests, &path).is_empty();
        let allowed_in_tests = crates.contains(name) || TEST_CRATES.contains(name);
        if (in_code && !crates.contains(name)) || (in_tests && !allowed_in_tests) {
            found.push(format!("`{module}` uses the crate `{name}`"));
        }
    }
    found
}

#[test]
fn stages_do_not_know_each_other() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    for file in source_files(&src) {
        let relative = file.strip_prefix(&src).expect("the file was found there");
        let module =
            relative.components().next().expect("a file has a name").as_os_str().to_string_lossy().into_owned();
        let module = module.trim_end_matches(".rs");
        // These put the modules together and know all of them.
        if ["drive", "fix", "gate", "judge", "lib", "merge", "recheck", "review", "waive"].contains(&module) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("the file was listed");
        let is_test = file.file_stem().is_some_and(|stem| stem == "tests");
        let breaches = breaches(module, is_test, &text);
        if !breaches.is_empty() {
            found.insert(relative.to_path_buf(), breaches);
        }
    }
    assert!(found.is_empty(), "boundaries are crossed: {found:#?}");
}

#[test]
fn a_planted_crossing_is_seen() {
    for (module, code) in [
        ("model", "use crate::formats::Format;"),
        ("model", "use serde::Serialize;"),
        ("model", "#[derive(serde::Deserialize)] struct A;"),
        ("verdict", "fn f() { crate::formats::read(b\"\"); }"),
        ("verdict", "use crate::syntax::json;"),
        ("syntax", "use crate::{formats};"),
        ("syntax", "use super::super::formats;"),
        ("formats", "use crate::verdict::decide;"),
        ("formats", "use sha2::Digest;"),
        ("verdict", "use crate::scope::Repository;"),
        ("scope", "use crate::synthesis::ground;"),
        ("scope", "use serde_json::Value;"),
        ("intake", "use gix::ObjectId;"),
        ("process", "use crate::dispatch::Export;"),
        ("task", "use crate::dispatch::Reviewer;"),
        ("dispatch", "use landlock::Ruleset;"),
        ("utils", "fn f() {}"),
    ] {
        assert!(!breaches(module, false, code).is_empty(), "{module}: {code}");
    }
    for (module, code) in [
        ("formats", "use crate::syntax::json;\n// use crate::verdict::decide;"),
        ("model", "use crate::model::Claim;\n#[cfg(test)]\nmod tests { use proptest::prelude::*; }"),
    ] {
        assert_eq!(breaches(module, false, code), [""; 0], "{module}: {code}");
    }
}

/// A use of the world that a pure module may not make.
const BREACHES: &[&str] = &[
    "pub fn f() -> bool { std::fs::read(\"x\").is_ok() }",
    "pub fn f() -> bool { std::fs::read_to_string(\"x\").is_ok() }",
    "pub fn f() -> bool { std::fs::read_dir(\"x\").is_ok() }",
    "pub fn f() -> bool { std::fs::write(\"x\", \"\").is_ok() }",
    "pub fn f() -> bool { std::fs::File::open(\"x\").is_ok() }",
    "pub fn f() -> bool { std::env::var(\"X\").is_ok() }",
    "pub fn f() -> bool { std::env::args().count() > 1 }",
    "pub fn f() -> bool { std::env::current_dir().is_ok() }",
    "pub fn f() -> std::time::SystemTime { std::time::SystemTime::now() }",
    "pub fn f() -> std::time::Instant { std::time::Instant::now() }",
    "pub fn f() { std::process::exit(1) }",
    "pub fn f() -> bool { std::process::Command::new(\"git\").status().is_ok() }",
    "pub fn f() { std::thread::spawn(|| ()); }",
    "pub fn f(path: &std::path::Path) -> bool { path.exists() }",
    "pub fn f() -> std::collections::HashMap<u8, u8> { std::collections::HashMap::default() }",
    "pub fn f() -> std::collections::HashSet<u8> { std::collections::HashSet::default() }",
];

/// Lints a module as `lib.rs` lints the pure ones, with the workspace's own list.
fn is_taken_as_pure(code: &str) -> bool {
    let folder = std::env::temp_dir().join(format!("jury-purity-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be made");
    let file = folder.join("planted.rs");
    let text = format!(
        "#![allow(missing_docs)]\n#[deny(clippy::disallowed_methods, clippy::disallowed_types)]\npub mod pure {{\n{code}\n}}\n"
    );
    std::fs::write(&file, text).expect("the planted file can be written");
    let output = Command::new("clippy-driver")
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--out-dir"])
        .arg(&folder)
        .arg(&file)
        .env("CLIPPY_CONF_DIR", root())
        .output()
        .expect("clippy-driver runs (it comes with `rustup component add clippy`)");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() || said.contains("disallowed"),
        "the planted code is refused for another reason:\n{said}"
    );
    output.status.success()
}

#[test]
fn a_planted_impurity_is_refused() {
    assert!(is_taken_as_pure("pub fn f() -> std::collections::BTreeMap<u8, u8> { Default::default() }"));
    for breach in BREACHES {
        assert!(!is_taken_as_pure(breach), "not refused: {breach}");
    }
}

#[test]
fn every_pure_module_denies_the_world() {
    let lib =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).expect("lib.rs is there");
    for (module, _, _) in ALLOWED {
        let wanted = format!("#[deny(clippy::disallowed_methods, clippy::disallowed_types)]\npub mod {module};");
        assert!(lib.contains(&wanted), "`{module}` is not held to be pure in lib.rs");
    }
    for (module, _, _) in WORLDLY {
        assert!(lib.contains(&format!("//! - `{module}` ")), "lib.rs does not say that `{module}` touches the world");
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (module, parts) in PURE_PARTS {
        let text = std::fs::read_to_string(src.join(module).join("mod.rs")).expect("the module is there");
        for part in *parts {
            let wanted = format!("#[deny(clippy::disallowed_methods, clippy::disallowed_types)]\nmod {part};");
            assert!(text.contains(&wanted), "`{module}::{part}` is not held to be pure");
        }
    }
    for file in source_files(&src) {
        let text = std::fs::read_to_string(&file).expect("the file was listed");
        assert!(!text.contains("allow(clippy::disallowed"), "{} opts out of purity", file.display());
    }
}
