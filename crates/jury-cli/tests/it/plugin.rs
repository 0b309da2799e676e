//! What agents load, held against what their hosts read. Where a host publishes a schema, those in `tests/plugin` are our reading of it
//! (docs/agents.md says which version); every command that a file names is one that the program understands.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::commands;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json_of(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns every file below a folder, by its path from the root.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}")) {
        let entry = entry.expect("the folder can be read");
        let path = format!("{folder}/{}", entry.file_name().to_str().expect("names are UTF-8"));
        if entry.path().is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn check(schema: &Value, path: &str) {
    let validator = jsonschema::validator_for(schema).expect("the schema is one");
    let document = match path.ends_with(".toml") {
        true => toml::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}")),
        false => json_of(path),
    };
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{path}: {errors:#?}");
}

/// `tests/plugin/<path>.schema.json` says how the host reads `plugin/<path>`; `<version>` is ours.
#[test]
fn settings_are_what_each_host_reads() {
    let generated: Vec<String> =
        jury_cli::plugin::generated().into_iter().map(|(path, _)| format!("plugin/{path}")).collect();
    let is_settings = |path: &&String| path.ends_with(".json") || path.ends_with(".toml");
    let settings: Vec<String> =
        files("plugin").into_iter().filter(|path| is_settings(&path) && !generated.contains(path)).collect();
    let schemas = "crates/jury-cli/tests/plugin";
    for path in &settings {
        let below = path.strip_prefix("plugin/").expect("it lies there");
        let schema = read(&format!("{schemas}/{below}.schema.json")).replace("<version>", env!("CARGO_PKG_VERSION"));
        check(&serde_json::from_str(&schema).unwrap_or_else(|error| panic!("{below}: {error}")), path);
    }
    assert_eq!(files(schemas).len(), settings.len(), "a schema is about no file of the plugin");
}

#[test]
fn manifests_name_what_is_there() {
    let text = json!({"type": "string", "minLength": 1});
    let person =
        json!({"type": "object", "required": ["name"], "additionalProperties": false, "properties": {"name": text}});
    let marketplace = json!({"type": "object", "required": ["name", "owner", "plugins"], "additionalProperties": false, "properties": {
        "name": {"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}, "owner": person,
        "metadata": {"type": "object", "additionalProperties": false, "properties": {"description": text}},
        "plugins": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["name", "source"], "additionalProperties": false,
            "properties": {"name": text, "source": {"pattern": "^\\./"}, "description": text, "category": text, "license": text}}}}});
    check(&marketplace, ".claude-plugin/marketplace.json");
    let listed = &json_of(".claude-plugin/marketplace.json")["plugins"][0];
    let source = listed["source"].as_str().expect("it is a text").trim_start_matches("./");
    assert_eq!(json_of(&format!("{source}/.claude-plugin/plugin.json"))["name"], listed["name"]);
}

/// Takes front matter apart: keys at its margin, with their text.
fn front_matter(path: &str) -> Vec<(String, String)> {
    let text = read(path);
    let matter =
        text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap_or_else(|| panic!("{path}")).0;
    let lines = matter.lines().filter(|line| !line.starts_with(' '));
    lines
        .map(|line| line.split_once(':').expect("a key and a text"))
        .map(|(key, text)| (key.to_owned(), text.trim().to_owned()))
        .collect()
}

#[test]
fn skills_are_in_the_portable_form() {
    const FIELDS: &[&str] = &["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
    let skills: Vec<String> = files("plugin/skills").into_iter().filter(|path| path.ends_with("/SKILL.md")).collect();
    assert_eq!(skills.len(), 3);
    for path in skills {
        let matter = front_matter(&path);
        assert!(matter.iter().all(|(key, _)| FIELDS.contains(&key.as_str())), "{path}: {matter:?}");
        let value = |key: &str| {
            matter.iter().find(|(known, _)| known == key).map(|(_, text)| text.as_str()).unwrap_or_default()
        };
        assert_eq!(value("name"), path.rsplit('/').nth(1).expect("it lies in a folder"), "{path}");
        assert!(value("name").len() <= 64);
        assert!((1..=1024).contains(&value("description").chars().count()), "{path}");
        assert!(value("compatibility").chars().count() <= 500, "{path}");
        assert!(!value("description").contains(": "), "{path}: a plain scalar cannot hold a colon and a space");
        assert!(read(&path).lines().count() < 500, "{path}");
    }
}

#[test]
fn every_persona_is_a_sub_agent_of_each_host_that_has_some() {
    // The one for acceptance criteria needs the brief of a review, and is no sub-agent.
    let names: Vec<String> = files("crates/jury/personas")
        .iter()
        .filter(|path| !path.ends_with("/intent.md"))
        .map(|path| path.rsplit('/').next().unwrap().replace(".md", "-reviewer"))
        .collect();
    assert_eq!(names.len(), 13);
    for name in names {
        let claude = front_matter(&format!("plugin/agents/{name}.md"));
        assert_eq!(claude[0], ("name".to_owned(), name.clone()));
        assert_eq!(claude.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["name", "description", "tools"]);
        let codex: toml::Table =
            read(&format!("plugin/codex/agents/{name}.toml")).parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(codex["name"].as_str(), Some(name.as_str()));
        assert!(
            codex["developer_instructions"].as_str().is_some_and(|text| text.contains("verdict: pass | fail | warn"))
        );
        let opencode = front_matter(&format!("plugin/opencode/agents/{name}.md"));
        assert!(opencode.contains(&("mode".to_owned(), "subagent".to_owned())), "{name}");
    }
}

/// Returns the commands in JSON: under `command`, as a text, as a list, or as a program with `args` beside it.
fn in_json(value: &Value, found: &mut Vec<String>) {
    let list = |value: &Value| {
        value.as_array().map(|words| words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
    };
    match value {
        Value::Object(members) => {
            let program = members.get("command").and_then(|it| it.as_str().map(str::to_owned).or_else(|| list(it)));
            let arguments = members.get("args").and_then(list);
            found.extend(
                program.map(|program| [Some(program), arguments].into_iter().flatten().collect::<Vec<_>>().join(" ")),
            );
            members.values().for_each(|value| in_json(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| in_json(value, found)),
        _ => {}
    }
}

#[test]
fn every_command_that_a_file_names_is_understood() {
    let (mut number, mut faults) = (0, Vec::new());
    for path in files("plugin") {
        let named = if path.ends_with(".json") {
            let mut found = Vec::new();
            in_json(&json_of(&path), &mut found);
            found
        } else {
            commands::in_markdown(&read(&path))
        };
        number += named.len();
        faults.extend(named.iter().filter_map(|line| commands::fault(line)).map(|fault| format!("{path}: {fault}")));
    }
    assert!(number > 60, "only {number} commands were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
