//! Embeds the rule files and the knowledge files. In: `rules/<domain>/*.yml`, `knowledge/*.yml`. Out: tables of them, each
//! file as JSON, which takes a fraction of YAML's time to read, its text as it is for its examples, and what tells without reading
//! either whether a file needs the rule.
//!
//! A rule without at least three bad and three good examples does not build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Map, Value};

/// The fewest examples of each kind.
const FEWEST: usize = 3;

fn main() {
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=knowledge");
    let mut table = String::from("static PACKS: &[(&str, &[Source])] = &[\n");
    for folder in entries(Path::new("rules")) {
        writeln!(table, "({:?}, &[", name(&folder)).expect("a string takes any text");
        for path in entries(&folder) {
            let rule = rule(&path);
            let (keywords, syntax, flow) = (keywords(&rule), syntax(&rule), flow(&rule));
            let (adds_names, json) = (adds_names(&rule), Value::Object(rule.clone()).to_string());
            let path = fs::canonicalize(path).expect("a file that was read has a path");
            writeln!(
                table,
                "Source {{ id: {:?}, keywords: &{keywords:?}, syntax: &{syntax:?}, flow: &{flow:?}, \
                 adds_names: {adds_names}, json: {json:?}, yaml: include_str!({path:?}) }},",
                name(&path)
            )
            .expect("a string takes any text");
        }
        table.push_str("]),\n");
    }
    table.push_str("];\nstatic KNOWLEDGE: &[(&[&str], &str)] = &[\n");
    for path in entries(Path::new("knowledge")) {
        let known = document(&path, &text(&path));
        let languages = words(known.get("languages"));
        writeln!(table, "(&{languages:?}, {:?}),", Value::Object(known.clone()).to_string())
            .expect("a string takes any text");
    }
    table.push_str("];\n");
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("packs.rs");
    fs::write(&target, table).unwrap_or_else(|error| panic!("{}: {error}", target.display()));
}

/// Reads what of a rule file is not examples.
fn rule(path: &Path) -> Map<String, Value> {
    let mut rule = document(path, &text(path));
    for kind in ["invalid", "valid"] {
        let examples = rule.remove(kind);
        let count = examples.as_ref().and_then(Value::as_array).map_or(0, Vec::len);
        assert!(count >= FEWEST, "{}: {count} `{kind}` examples; expected {FEWEST} or more", path.display());
    }
    assert_eq!(
        rule.get("id").and_then(Value::as_str),
        Some(name(path)),
        "{}: the id is not the file's name",
        path.display()
    );
    rule
}

/// Returns the texts of a list.
fn words(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns what a member of a rule lists, which may be one thing alone.
fn members<'r>(rule: &'r Map<String, Value>, name: &str) -> impl Iterator<Item = &'r Value> {
    rule.get(name).into_iter().flat_map(|one| one.as_array().map_or(std::slice::from_ref(one), Vec::as_slice))
}

/// Returns the keywords of a rule, and those of its patterns.
fn keywords(rule: &Map<String, Value>) -> Vec<&str> {
    let of_patterns = members(rule, "text").flat_map(|pattern| words(pattern.get("keywords")));
    words(rule.get("keywords")).into_iter().chain(of_patterns).collect()
}

/// Returns the languages whose syntax a rule matches.
fn syntax(rule: &Map<String, Value>) -> Vec<&str> {
    let own = |tree: &'_ Value| tree.get("languages").is_some_and(|languages| !words(Some(languages)).is_empty());
    let of = members(rule, "match");
    of.flat_map(|tree| words(if own(tree) { tree.get("languages") } else { rule.get("languages") })).collect()
}

/// Returns the languages whose flows a rule matches.
fn flow(rule: &Map<String, Value>) -> Vec<&str> {
    if rule.contains_key("flow") { words(rule.get("languages")) } else { Vec::new() }
}

/// Tells whether what a rule says about names counts for other rules, too.
fn adds_names(rule: &Map<String, Value>) -> bool {
    let of = |name: &str| words(rule.get("flow").and_then(|flow| flow.get(name)));
    !of("passes").is_empty() || !of("sanitisers").is_empty() || of("sources").iter().any(|one| one.contains(['.', '*']))
}

fn document(path: &Path, text: &str) -> Map<String, Value> {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns what is in a folder, in the order of names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("rule files have plain names")
}
