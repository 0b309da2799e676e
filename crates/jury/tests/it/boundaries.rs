//! The architecture as tests: stages do not know each other, and judging is pure. Each check is also run on a planted
//! breach and has to see it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A module of `jury`, and what it may use.
struct Module {
    name: &'static str,
    /// Whether it takes values and gives values only; `lib.rs` says of every other how it touches the world.
    is_pure: bool,
    modules: &'static [&'static str],
    crates: &'static [&'static str],
}

const fn pure(name: &'static str, modules: &'static [&'static str], crates: &'static [&'static str]) -> Module {
    Module { name, is_pure: true, modules, crates }
}

const fn worldly(name: &'static str, modules: &'static [&'static str], crates: &'static [&'static str]) -> Module {
    Module { name, is_pure: false, modules, crates }
}

/// Allowed imports of each module of `jury`: modules of the crate, then crates. Anything else is refused.
const MODULES: &[Module] = &[
    // The words, and text with places.
    pure("model", &[], &["globset", "jiff", "regex", "sha2", "thiserror", "unicode_normalization"]),
    pure("syntax", &["model"], &["imara_diff", "jury_wire", "quick_xml", "serde", "serde_saphyr", "toml"]),
    pure("formats", &["model", "syntax"], &["jury_wire", "serde", "serde_json", "thiserror"]),
    pure("agents", &["model", "syntax"], &["jury_wire", "serde_json"]),
    pure("asset", &["model"], &["regex", "thiserror", "zlib_rs"]),
    pure("record", &["formats", "model"], &["jury_rules", "jury_wire", "serde", "serde_json", "sha2", "thiserror"]),
    // The stages. None of them knows another.
    worldly(
        "scope",
        &["asset", "model", "syntax"],
        &["gix", "gix_attributes", "gix_ignore", "globset", "jury_rules", "rustix", "sha2", "thiserror"],
    ),
    worldly("process", &[], &["landlock", "rustix"]),
    worldly(
        "dispatch",
        &["agents", "model", "process", "record", "syntax"],
        &["globset", "jury_rules", "jury_wire", "regex", "rustix", "serde", "serde_json", "toml", "ureq"],
    ),
    pure(
        "intake",
        &["agents", "formats", "model", "syntax"],
        &["jury_wire", "pulldown_cmark", "unicode_normalization"],
    ),
    pure("signature", &["model"], &["base64", "jiff", "jury_wire", "ring", "sha2", "thiserror"]),
    worldly("signing", &["process", "signature"], &["base64", "ring", "thiserror"]),
    pure(
        "attestation",
        &["model", "signature"],
        &["base64", "jiff", "jury_wire", "serde", "serde_json", "sha2", "thiserror"],
    ),
    pure("synthesis", &["agents", "model"], &[]),
    pure("verdict", &["model", "record"], &["jury_wire"]),
    pure("verify", &["model", "syntax"], &[]),
    pure("people", &["model", "signature"], &["jury_wire", "serde", "serde_json", "sha2", "thiserror"]),
    worldly(
        "store",
        &["model", "record", "syntax"],
        &["jury_wire", "rustix", "serde", "serde_json", "sha2", "thiserror"],
    ),
    pure("publish", &["model", "syntax"], &["jury_rules", "jury_wire"]),
    worldly("forge", &["model", "publish"], &["jiff", "serde_json", "thiserror", "ureq"]),
    pure("config", &["agents", "formats", "model"], &["globset", "jury_rules", "serde", "strsim", "thiserror", "toml"]),
    pure("report", &["judge", "model", "record", "syntax"], &[]),
    // What joins stages, for the flows.
    pure(
        "judge",
        &["formats", "intake", "model", "record", "syntax", "synthesis", "verdict", "verify"],
        &["jury_wire", "serde_json"],
    ),
    worldly("base", &["config", "model", "record", "scope"], &["jury_rules", "thiserror"]),
    worldly(
        "clone_facts",
        &[
            "attestation",
            "base",
            "config",
            "decisions",
            "error",
            "model",
            "people",
            "record",
            "scope",
            "signature",
            "verdict",
            "worktree",
        ],
        &["jury_rules"],
    ),
    pure("refutation", &["intake", "model", "people", "record", "syntax", "synthesis"], &["jury_rules"]),
    worldly(
        "voices",
        &["dispatch", "judge", "model", "panel", "record", "refutation", "scope", "synthesis"],
        &["jury_rules"],
    ),
    pure("error", &["base", "config", "record", "scope", "store"], &["thiserror"]),
    worldly("worktree", &["error", "model", "record", "scope", "store", "verdict"], &["jury_rules"]),
    worldly(
        "decisions",
        &[
            "base",
            "config",
            "error",
            "judge",
            "model",
            "people",
            "record",
            "refutation",
            "scope",
            "signature",
            "store",
            "verdict",
        ],
        &["jury_rules"],
    ),
    worldly("keeping", &["process"], &["thiserror"]),
    worldly("focus", &["judge", "model", "record", "scope", "store"], &[]),
    worldly(
        "panel",
        &[
            "base", "config", "dispatch", "error", "formats", "intake", "judge", "model", "record", "scope", "store",
            "syntax",
        ],
        &["jury_rules"],
    ),
    worldly(
        "look_back",
        &["dispatch", "error", "judge", "model", "panel", "record", "scope", "syntax", "synthesis"],
        &["jury_rules"],
    ),
    worldly("saving", &["formats", "judge", "model", "record", "report", "store", "worktree"], &[]),
    worldly(
        "rejudged",
        &[
            "base",
            "clone_facts",
            "error",
            "judge",
            "look_back",
            "model",
            "panel",
            "record",
            "saving",
            "scope",
            "store",
            "worktree",
        ],
        &[],
    ),
    worldly("rewrite", &["judge", "model", "record", "store"], &["imara_diff", "jury_rules", "jury_wire"]),
    worldly(
        "pull_request",
        &["error", "judge", "model", "publish", "record", "rewrite", "scope", "store", "syntax", "verdict", "worktree"],
        &["jury_rules", "jury_wire"],
    ),
    // The flows, which know all of these and never each other, and the drivers, which call flows.
    worldly(
        "flows",
        &[
            "attestation",
            "base",
            "clone_facts",
            "config",
            "decisions",
            "dispatch",
            "error",
            "focus",
            "forge",
            "judge",
            "keeping",
            "look_back",
            "model",
            "panel",
            "people",
            "publish",
            "pull_request",
            "record",
            "refutation",
            "rejudged",
            "rewrite",
            "saving",
            "scope",
            "signature",
            "signing",
            "store",
            "syntax",
            "synthesis",
            "verdict",
            "voices",
            "worktree",
        ],
        &["jury_rules", "jury_wire", "serde_json", "thiserror"],
    ),
    worldly("drivers/mod", &[], &[]),
    worldly(
        "drivers/rounds",
        &[
            "dispatch", "error", "flows", "judge", "model", "panel", "process", "record", "report", "scope", "store",
            "verdict", "worktree",
        ],
        &["jury_rules", "jury_wire", "thiserror"],
    ),
    worldly(
        "drivers/task",
        &["formats", "intake", "model", "process", "store", "syntax"],
        &["jury_rules", "jury_wire", "notify", "serde", "serde_json", "thiserror"],
    ),
    pure("lib", &[], &[]),
];

/// The only module that uses the wire types of the record.
const RECORD_WIRE: &str = "v1::record";

/// The parts of `jury-cli` that may call a flow, and those that may call a driver: the entry points of people, agents and hooks,
/// and what they show.
const CALLS_FLOWS: &[&str] = &["ask", "commands", "doctor", "error", "hook", "mcp", "render"];
const CALLS_DRIVERS: &[&str] = &["commands/loop", "commands/task", "error", "render/looped", "render/task"];

/// The files of modules that touch the world which decide, and so are pure.
const PURE_PARTS: &[(&str, &[&str])] = &[("drivers/task", &["decide", "deliver", "delivery", "inventory"])];

/// Crates that only tests inside the modules use.
const TEST_CRATES: &[&str] = &["proptest", "quick_xml", "serde_json"];

const CRATES: &[&str] = &[
    "base64",
    "gix",
    "gix_attributes",
    "gix_ignore",
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
    "ring",
    "rustix",
    "serde",
    "serde_json",
    "serde_saphyr",
    "sha2",
    "strsim",
    "thiserror",
    "toml",
    "unicode_normalization",
    "ureq",
    "zlib_rs",
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
    let Some(Module { modules, crates, .. }) = MODULES.iter().find(|of| of.name == module) else {
        return vec![format!("`{module}` is not in the table of modules")];
    };
    // Unit tests stand at the end of their file.
    let (code, tests) = if is_test { ("", text) } else { text.split_once("#[cfg(test)]").unwrap_or((text, "")) };
    let mut found = Vec::new();
    if text.contains("crate::{") {
        found.push(format!("`{module}` imports from `crate::{{…}}`, which hides what it uses"));
    }
    let is_module = |word: &&str| MODULES.iter().any(|of| of.name.split('/').next() == Some(*word));
    let climbed = words_after(text, "super::super::").into_iter().filter(is_module);
    for used in words_after(text, "crate::").into_iter().chain(climbed) {
        let is_own = used == module || (used == "drivers" && is_own_driver(module, text));
        if !is_own && !modules.contains(&used) && used.starts_with(char::is_lowercase) {
            found.push(format!("`{module}` uses `crate::{used}`"));
        }
    }
    if module != "record" && code.contains(RECORD_WIRE) {
        found.push(format!("`{module}` uses the wire types of the record"));
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

/// Tells whether the only driver that a driver uses is itself.
fn is_own_driver(module: &str, text: &str) -> bool {
    let used = words_after(text, "crate::drivers::");
    module.strip_prefix("drivers/").is_some_and(|own| used.iter().all(|used| *used == own))
}

/// Returns the other flows that a flow uses. `flows/mod.rs` lists them and holds what they return alike.
fn other_flows(file: &Path, text: &str) -> Vec<String> {
    let flows = source_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/flows"));
    let names: Vec<String> = flows.iter().map(|flow| stem(flow)).filter(|name| name != "mod").collect();
    let own = stem(file);
    let used = words_after(text, "flows::")
        .into_iter()
        .chain(words_after(text, "super::"))
        .chain(words_after(text, "crate::flows::"));
    let others = used.filter(|used| own != "mod" && *used != own && names.iter().any(|name| name == used));
    others.map(|other| format!("the flow `{own}` uses the flow `{other}`")).collect()
}

fn stem(file: &Path) -> String {
    file.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}

/// Returns what a part of `jury-cli` calls and may not.
fn cli_breaches(part: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_in = |parts: &[&str]| parts.iter().any(|of| part == *of || part.starts_with(&format!("{of}/")));
    if text.contains("jury::flows") && !is_in(CALLS_FLOWS) {
        found.push(format!("`{part}` calls a flow"));
    }
    if text.contains("jury::drivers") && !is_in(CALLS_DRIVERS) {
        found.push(format!("`{part}` calls a driver"));
    }
    if text.contains(RECORD_WIRE) {
        found.push(format!("`{part}` uses the wire types of the record"));
    }
    found
}

#[test]
fn only_entry_points_call_flows_and_only_commands_call_drivers() {
    let src = root().join("crates/jury-cli/src");
    let mut found = Vec::new();
    for file in source_files(&src) {
        let part = file.strip_prefix(&src).expect("the file was found there").with_extension("");
        let text = std::fs::read_to_string(&file).expect("the file was listed");
        found.extend(cli_breaches(&part.to_string_lossy(), &text));
    }
    assert!(found.is_empty(), "boundaries are crossed: {found:#?}");
    for (part, text) in [
        ("init/plan", "use jury::flows::review::review;"),
        ("workplace", "use jury::flows::Reviewed;"),
        ("mcp/tools", "use jury::drivers::rounds;"),
        ("commands/review", "jury::drivers::rounds::run();"),
        ("render/standing", "use jury_wire::v1::record::Record;"),
    ] {
        assert!(!cli_breaches(part, text).is_empty(), "{part}: {text}");
    }
    assert!(cli_breaches("commands/loop", "use jury::drivers::rounds;").is_empty());
}

#[test]
fn every_module_has_a_row() {
    let lib = std::fs::read_to_string(root().join("crates/jury/src/lib.rs")).expect("lib.rs is there");
    let declared: Vec<&str> = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    for name in &declared {
        let is_it = |of: &Module| of.name.split('/').next() == Some(name);
        assert!(MODULES.iter().any(is_it), "`{name}` has no row");
    }
    for of in MODULES.iter().filter(|of| of.name != "lib") {
        let name = of.name.split('/').next().unwrap_or_default();
        assert!(declared.contains(&name), "`{}` is no module", of.name);
    }
}

#[test]
fn stages_do_not_know_each_other() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    for file in source_files(&src) {
        let relative = file.strip_prefix(&src).expect("the file was found there");
        let parts: Vec<String> =
            relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        // Each driver has a row of its own: the one does not know the other.
        let module = if parts[0] == "drivers" { parts[..2].join("/") } else { parts[0].clone() };
        let module = module.trim_end_matches(".rs");
        let text = std::fs::read_to_string(&file).expect("the file was listed");
        let is_test = file.file_stem().is_some_and(|stem| stem == "tests");
        let mut breaches = breaches(module, is_test, &text);
        if module == "flows" {
            breaches.extend(other_flows(&file, &text));
        }
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
        ("drivers/task", "use crate::dispatch::Reviewer;"),
        ("dispatch", "use landlock::Ruleset;"),
        ("agents", "use crate::intake::usage;"),
        ("utils", "fn f() {}"),
        ("judge", "use crate::flows::review::review;"),
        ("judge", "use crate::scope::Repository;"),
        ("record", "use crate::judge::judge;"),
        ("record", "use crate::store::Store;"),
        ("verify", "use crate::dispatch::Run;"),
        ("verify", "use crate::judge::Judgement;"),
        ("base", "use crate::store::Store;"),
        ("panel", "use crate::flows::Reviewed;"),
        ("worktree", "use crate::panel::Panel;"),
        ("flows", "use crate::drivers::rounds::run;"),
        ("flows", "use jury_wire::v1::record::Record;"),
        ("store", "use jury_wire::v1::record as wire;"),
        ("drivers/rounds", "use crate::drivers::task::watch;"),
        ("drivers/task", "use crate::flows::review::review;"),
        ("lib", "use crate::model::Claim;"),
    ] {
        assert!(!breaches(module, false, code).is_empty(), "{module}: {code}");
    }
    let flow = Path::new("src/flows/verify.rs");
    for code in ["use super::review::review;", "crate::flows::gate::gate();", "use crate::flows::abort::abort;"] {
        assert!(!other_flows(flow, code).is_empty(), "{code}");
    }
    assert!(other_flows(flow, "use super::Reviewed;\nuse crate::judge::conclude;").is_empty());
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
    for Module { name, is_pure, .. } in MODULES.iter().filter(|of| of.name != "lib") {
        let name = name.split('/').next().unwrap_or_default();
        let wanted = format!("#[deny(clippy::disallowed_methods, clippy::disallowed_types)]\npub mod {name};");
        assert_eq!(lib.contains(&wanted), *is_pure, "`{name}`: lib.rs and the table differ about it being pure");
        let is_told = lib.contains(&format!("//! - `{name}` ")) || lib.contains(&format!(" and `{name}` "));
        assert!(*is_pure || is_told, "lib.rs does not say how `{name}` touches the world");
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
