//! Embeds the rule files and the knowledge files. In: `rules/<domain>/*.yml`, `knowledge/*.yml`. Out: per domain the rules as JSON,
//! which parses in a fraction of YAML's time, their examples, their digest, and an index that says which files need a rule.
//!
//! Rules and examples are compressed. Rules for the same languages are one text, so that a review unpacks few others.
//! The index holds positions and bits instead of lists of texts: every pointer in the binary is relocated when a process starts.
//! A rule without at least three bad and three good examples does not build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use zlib_rs::{DeflateConfig, ReturnCode, compress_bound, compress_slice};

/// The minimum number of examples of each kind.
const FEWEST: usize = 3;

fn main() {
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=knowledge");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut languages = Vec::new();
    let folders = entries(Path::new("rules"));
    let mut table = format!("static PACKS: [Pack; {}] = [\n", folders.len());
    for folder in folders {
        table.push_str(&pack(&folder, &out, &mut languages));
    }
    table.push_str("];\nstatic KNOWLEDGE: &[(&[&str], &str)] = &[\n");
    let mut digest = Sha256::new();
    for path in entries(Path::new("knowledge")) {
        let known = document(&path, &text(&path));
        let languages = words(known.get("languages"));
        let json = Value::Object(known.clone()).to_string();
        add(&mut digest, &json);
        writeln!(table, "(&{languages:?}, {json:?}),").expect("a string takes any text");
    }
    writeln!(table, "];\nstatic KNOWLEDGE_DIGEST: [u8; 32] = {:?};", digest.finalize().as_slice())
        .expect("a string takes any text");
    writeln!(table, "static LANGUAGE_BITS: &[&str] = &{languages:?};").expect("a string takes any text");
    write(&out.join("packs.rs"), table.as_bytes());
}

/// Writes the rules and the examples of a domain, and returns its row of the table. `languages` are the names that bits stand for.
fn pack(folder: &Path, out: &Path, languages: &mut Vec<String>) -> String {
    let domain = name(folder);
    let mut rules: BTreeMap<u32, String> = BTreeMap::new();
    let (mut examples, mut digest, mut rows) = (String::new(), Sha256::new(), Vec::new());
    for path in entries(folder) {
        let text = text(&path);
        let rule = rule(&path, &text);
        let [syntax, flow] = [syntax(&rule), flow(&rule)].map(|names| bits(&names, languages));
        let (adds_names, finds_secrets) = (adds_names(&rule), finds_secrets(&rule));
        let keywords = keywords(&rule).join("\u{1f}");
        let json = Value::Object(rule).to_string();
        add(&mut digest, &json);
        let range = append(rules.entry(syntax | flow).or_default(), &json);
        let at =
            text.find("\ninvalid:").unwrap_or_else(|| panic!("{}: the examples do not stand last", path.display()));
        let examples = append(&mut examples, &text[at + 1..]);
        let row = format!(
            "id: {:?}, keywords: {keywords:?}, syntax: {syntax}, flow: {flow}, adds_names: {adds_names}, \
             finds_secrets: {finds_secrets}, range: {range:?}, examples: {examples:?}",
            name(&path)
        );
        rows.push((syntax | flow, row));
    }
    let mut sources = String::new();
    for (languages, row) in rows {
        let text = rules.keys().position(|other| *other == languages).expect("every rule is in a text");
        writeln!(sources, "Source {{ {row}, text: {text} }},").expect("a string takes any text");
    }
    let texts = rules.iter().map(|(languages, text)| packed(&out.join(format!("{domain}-{languages}.rules")), text));
    let texts = texts.collect::<Vec<_>>();
    let rules = format!("{{ static TEXTS: [Packed; {}] = [{}]; &TEXTS }}", texts.len(), texts.join(", "));
    let examples = packed(&out.join(format!("{domain}.examples")), &examples);
    format!(
        "Pack {{ domain: {domain:?}, digest: {:?}, rules: {rules}, examples: {examples}, sources: &[\n{sources}] }},\n",
        digest.finalize().as_slice()
    )
}

/// Writes a text, compressed, and returns the expression that embeds it.
fn packed(path: &Path, text: &str) -> String {
    write(path, &compressed(text.as_bytes()));
    format!("Packed::new(include_bytes!({path:?}), {})", text.len())
}

/// Adds a text to a digest, so that no two lists of texts look alike.
fn add(digest: &mut Sha256, text: &str) {
    digest.update((text.len() as u64).to_be_bytes());
    digest.update(text);
}

/// Appends a text, and returns where it stands.
fn append(all: &mut String, text: &str) -> (usize, usize) {
    let start = all.len();
    all.push_str(text);
    (start, all.len())
}

/// Returns languages as bits; one that is not known yet gets the next.
fn bits(names: &[&str], languages: &mut Vec<String>) -> u32 {
    let mut bit = |name: &&str| {
        let known = languages.iter().position(|known| known == name);
        1 << known.unwrap_or_else(|| {
            languages.push((*name).to_owned());
            languages.len() - 1
        })
    };
    names.iter().fold(0, |all, name| all | bit(name))
}

/// Compresses bytes in the format of zlib.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; compress_bound(bytes.len())];
    let (packed, code) = compress_slice(&mut out, bytes, DeflateConfig::best_compression());
    assert_eq!(code, ReturnCode::Ok, "the buffer takes any outcome");
    packed.to_vec()
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Reads what of a rule file is not examples.
fn rule(path: &Path, text: &str) -> Map<String, Value> {
    let mut rule = document(path, text);
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

/// Returns the items of a member of a rule, which may be a list or a single value.
fn members<'r>(rule: &'r Map<String, Value>, name: &str) -> impl Iterator<Item = &'r Value> {
    rule.get(name).into_iter().flat_map(|one| one.as_array().map_or(std::slice::from_ref(one), Vec::as_slice))
}

/// Returns the keywords of a rule, and those of its patterns.
fn keywords(rule: &Map<String, Value>) -> Vec<&str> {
    let of_patterns = members(rule, "text").flat_map(|pattern| words(pattern.get("keywords")));
    words(rule.get("keywords")).into_iter().chain(of_patterns).collect()
}

/// Returns the languages of a rule's syntax patterns.
fn syntax(rule: &Map<String, Value>) -> Vec<&str> {
    let own = |tree: &'_ Value| tree.get("languages").is_some_and(|languages| !words(Some(languages)).is_empty());
    let of = members(rule, "match");
    of.flat_map(|tree| words(if own(tree) { tree.get("languages") } else { rule.get("languages") })).collect()
}

/// Returns the languages of a rule's flow patterns.
fn flow(rule: &Map<String, Value>) -> Vec<&str> {
    if rule.contains_key("flow") { words(rule.get("languages")) } else { Vec::new() }
}

/// Tells whether the names in a rule affect other rules as well.
fn adds_names(rule: &Map<String, Value>) -> bool {
    let of = |name: &str| words(rule.get("flow").and_then(|flow| flow.get(name)));
    !of("passes").is_empty() || !of("sanitisers").is_empty() || of("sources").iter().any(|one| one.contains(['.', '*']))
}

/// Tells whether a pattern of a rule finds secrets.
fn finds_secrets(rule: &Map<String, Value>) -> bool {
    members(rule, "text").any(|pattern| pattern.get("secret").is_some())
}

fn document(path: &Path, text: &str) -> Map<String, Value> {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the entries of a directory, ordered by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("rule files have plain names")
}
