//! Embeds the rule files and the knowledge files. In: `rules/<domain>/*.yml`, `knowledge/*.yml`. Out: tables of them, each
//! file as JSON, which takes a fraction of YAML's time to read, and its text as it is for its examples.
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
            let json = rule(&path);
            let path = fs::canonicalize(path).expect("a file that was read has a path");
            writeln!(table, "Source {{ id: {:?}, json: {json:?}, yaml: include_str!({path:?}) }},", name(&path))
                .expect("a string takes any text");
        }
        table.push_str("]),\n");
    }
    table.push_str("];\nstatic KNOWLEDGE: &[&str] = &[\n");
    for path in entries(Path::new("knowledge")) {
        let known = Value::Object(document(&path, &text(&path)));
        writeln!(table, "{:?},", known.to_string()).expect("a string takes any text");
    }
    table.push_str("];\n");
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("packs.rs");
    fs::write(&target, table).unwrap_or_else(|error| panic!("{}: {error}", target.display()));
}

/// Reads what of a rule file is not examples.
fn rule(path: &Path) -> String {
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
    Value::Object(rule).to_string()
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
