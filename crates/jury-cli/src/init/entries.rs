//! Merges Jury's entries into a foreign file, and removes them again: JSON settings, a block of TOML, a
//! section of Markdown. In: texts. Out: the new text, or why the file is to be left alone. Pure.
//!
//! A file that would not round-trip (comments, numbers of another spelling, duplicate keys) is not rewritten.

use serde::Serialize as _;
use serde_json::ser::PrettyFormatter;
use serde_json::{Map, Value};

const SECTION: [&str; 2] = ["<!-- jury:begin -->", "<!-- jury:end -->"];
const BLOCK: [&str; 2] = ["# jury:begin", "# jury:end"];
/// How the commands start that hooks of ours run.
const HOOK: &str = "jury hook ";
/// The name of our MCP server.
const SERVER: &str = "jury";

/// Joins several documents of the plugin into the one that a host wants; descriptions are left out.
pub(crate) fn wanted_json(texts: &[&str]) -> Value {
    let mut wanted = Map::new();
    for text in texts {
        let value: Value = serde_json::from_str(text).expect("a test reads every file of the plugin");
        wanted.extend(value.as_object().cloned().unwrap_or_default());
    }
    wanted.shift_remove("description");
    Value::Object(wanted)
}

/// Merges the wanted entries into a document.
pub(crate) fn into_json(text: Option<&str>, wanted: &Value) -> Result<String, String> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Ok(printed(wanted, "  ", "\n") + "\n");
    };
    let mut value = parsed(text)?;
    let before = value.clone();
    add(&mut value, wanted, "the document")?;
    Ok(if value == before { text.to_owned() } else { written_like(text, &value) })
}

/// Removes Jury's entries from a document; `None` if nothing else is left.
pub(crate) fn out_of_json(text: &str, wanted: &Value) -> Result<Option<String>, String> {
    let mut value = parsed(text)?;
    let before = value.clone();
    take(&mut value, wanted);
    if value == before {
        return Ok(Some(text.to_owned()));
    }
    // The rest may be only the version of the file's form.
    let is_bare = value
        .as_object()
        .is_some_and(|left| left.iter().all(|(key, value)| !value.is_object() && wanted.get(key) == Some(value)));
    Ok((!is_bare).then(|| written_like(text, &value)))
}

fn parsed(text: &str) -> Result<Value, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not plain JSON: {error}"))?;
    if !value.is_object() {
        return Err("it is not a JSON object".to_owned());
    }
    let written = value.to_string();
    if written != compact(text) {
        return Err("it cannot be written back unchanged: a duplicate key, or an unusual spelling".to_owned());
    }
    Ok(value)
}

/// Returns a document without the white space between its words.
fn compact(text: &str) -> String {
    let (mut is_text, mut is_escaped) = (false, false);
    let keep = |letter: &char| {
        let keeps = is_text || !letter.is_ascii_whitespace();
        match (is_text, is_escaped, letter) {
            (true, true, _) => is_escaped = false,
            (true, false, '\\') => is_escaped = true,
            (_, false, '"') => is_text = !is_text,
            _ => {}
        }
        keeps
    };
    text.chars().filter(keep).collect()
}

fn add(value: &mut Value, wanted: &Value, place: &str) -> Result<(), String> {
    match (value, wanted) {
        (Value::Object(here), Value::Object(wanted)) => {
            for (key, wanted) in wanted {
                match here.get_mut(key) {
                    // A server of that name that is set up otherwise is the user's business.
                    Some(_) if key == SERVER => {}
                    Some(here) => add(here, wanted, &format!("`{key}`"))?,
                    None => _ = here.insert(key.clone(), wanted.clone()),
                }
            }
            Ok(())
        }
        (Value::Array(here), Value::Array(wanted)) => {
            for item in wanted.iter().filter(|item| !here.contains(item)).collect::<Vec<_>>() {
                let ours = commands(item);
                // Of an older version: the same command, and nothing else beside it.
                here.retain(|it| commands(it) != ours);
                if !here.iter().any(|it| commands(it).iter().any(|command| ours.contains(command))) {
                    here.push(item.clone());
                }
            }
            Ok(())
        }
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => {
            Err(format!("{place} has another type there"))
        }
        // Existing settings stay.
        _ => Ok(()),
    }
}

fn take(value: &mut Value, wanted: &Value) {
    match (value, wanted) {
        (Value::Object(here), Value::Object(wanted)) => {
            for (key, wanted) in wanted {
                let Some(inner) = here.get_mut(key) else { continue };
                if key == SERVER {
                    here.shift_remove(key);
                    continue;
                }
                take(inner, wanted);
                let is_empty =
                    inner.as_object().is_some_and(Map::is_empty) || inner.as_array().is_some_and(Vec::is_empty);
                if is_empty {
                    here.shift_remove(key);
                }
            }
        }
        (Value::Array(here), Value::Array(_)) => {
            here.iter_mut().for_each(take_handlers);
            let is_ours =
                |item: &Value| !commands(item).is_empty() && commands(item).iter().all(|it| it.starts_with(HOOK));
            let is_left_empty = |item: &Value| item["hooks"].as_array().is_some_and(Vec::is_empty);
            here.retain(|item| !is_ours(item) && !is_left_empty(item));
        }
        _ => {}
    }
}

/// Takes our handlers out of a group that has others, too.
fn take_handlers(group: &mut Value) {
    if let Some(handlers) = group.get_mut("hooks").and_then(Value::as_array_mut) {
        handlers.retain(|handler| !commands(handler).iter().any(|command| command.starts_with(HOOK)));
    }
}

/// Returns every command in a value.
fn commands(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let own = members.get("command").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(members.values().flat_map(commands)).collect()
        }
        Value::Array(items) => items.iter().flat_map(commands).collect(),
        _ => Vec::new(),
    }
}

/// Writes a value with the indentation, the line ends and the last line of a text.
fn written_like(text: &str, value: &Value) -> String {
    let indented = text.lines().find(|line| line.starts_with([' ', '\t']) && line.trim_start().starts_with('"'));
    let indent = indented.map_or("  ", |line| &line[..line.len() - line.trim_start().len()]);
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let end = &text[text.trim_end().len()..];
    printed(value, indent, line_end) + end
}

fn printed(value: &Value, indent: &str, line_end: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(indent.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    value.serialize(&mut serializer).expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("JSON is UTF-8").replace('\n', line_end)
}

/// Puts the section into a Markdown file: in the place of an older one, else at the end.
pub(crate) fn into_section(text: Option<&str>, section: &str) -> Result<String, String> {
    between(text, section, SECTION)
}

/// Takes the section out; `None` if nothing else is left.
pub(crate) fn out_of_section(text: &str) -> Result<Option<String>, String> {
    without(text, SECTION)
}

/// Puts a block into a TOML file, unless the table is there already.
pub(crate) fn into_toml(text: Option<&str>, block: &str, table: [&str; 2]) -> Result<String, String> {
    let here = text.unwrap_or_default();
    let value: toml::Table =
        here.parse().map_err(|error: toml::de::Error| format!("it is not TOML: {}", error.message()))?;
    let has_table = value.get(table[0]).and_then(|outer| outer.get(table[1])).is_some();
    if has_table && !here.contains(BLOCK[0]) {
        return Ok(here.to_owned());
    }
    let written = between(text, block, BLOCK)?;
    let is_read = written
        .parse::<toml::Table>()
        .is_ok_and(|value| value.get(table[0]).is_some_and(|it| it.get(table[1]).is_some()));
    if is_read {
        Ok(written)
    } else {
        Err(format!("a table [{}] at its end would not be parsed as one", table.join(".")))
    }
}

/// Takes the block out; `None` if nothing else is left.
pub(crate) fn out_of_toml(text: &str) -> Result<Option<String>, String> {
    without(text, BLOCK)
}

fn between(text: Option<&str>, body: &str, [begin, end]: [&str; 2]) -> Result<String, String> {
    let text = text.unwrap_or_default();
    let block = format!("{begin}\n{}\n{end}\n", body.trim_end());
    if let Some((start, stop)) = marked(text, begin, end)? {
        return Ok(format!("{}{block}{}", &text[..start], &text[stop..]));
    }
    let gap = match text {
        "" => "",
        text if text.ends_with("\n\n") => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Ok(format!("{text}{gap}{block}"))
}

fn without(text: &str, [begin, end]: [&str; 2]) -> Result<Option<String>, String> {
    let Some((start, stop)) = marked(text, begin, end)? else { return Ok(Some(text.to_owned())) };
    let (above, below) = (&text[..start], &text[stop..]);
    // The empty line that set it off goes with it.
    let above = above.strip_suffix("\n\n").map_or(above, |kept| &text[..kept.len() + 1]);
    let left = format!("{above}{below}");
    Ok((!left.trim().is_empty()).then_some(left))
}

/// Finds the text between the marks, the marks and their line ends included.
fn marked(text: &str, begin: &str, end: &str) -> Result<Option<(usize, usize)>, String> {
    let (starts, ends) = (text.matches(begin).count(), text.matches(end).count());
    match (starts, ends, text.find(begin), text.find(end)) {
        (0, 0, ..) => Ok(None),
        (1, 1, Some(start), Some(stop)) if start < stop => {
            let stop = stop + end.len();
            let line_end = text[stop..].len()
                - text[stop..].strip_prefix("\r\n").or(text[stop..].strip_prefix('\n')).unwrap_or(&text[stop..]).len();
            Ok(Some((start, stop + line_end)))
        }
        _ => Err(format!("it does not have the marks `{begin}` and `{end}` once each, in this order")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WANTED: &str = r#"{"description": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "jury hook claude stop", "timeout": 300}]}]}}"#;

    fn wanted() -> Value {
        wanted_json(&[WANTED, r#"{"mcpServers": {"jury": {"command": "jury", "args": ["mcp"]}}}"#])
    }

    #[test]
    fn a_new_file_is_what_is_wanted() {
        let text = into_json(None, &wanted()).unwrap();
        assert!(text.starts_with("{\n  \"hooks\": {\n") && text.ends_with("}\n") && !text.contains("description"));
        assert_eq!(into_json(Some(&text), &wanted()).unwrap(), text, "twice is once");
        assert_eq!(out_of_json(&text, &wanted()).unwrap(), None);
    }

    #[test]
    fn what_is_there_stays_where_it_is_and_as_it_is() {
        let theirs = "{\n\t\"model\": \"x\",\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"command\": \"./mine\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t],\n\t\t\"Other\": []\n\t},\n\t\"last\": 1\n}";
        let joined = into_json(Some(theirs), &wanted()).unwrap();
        assert!(joined.starts_with("{\n\t\"model\": \"x\",\n\t\"hooks\""), "{joined}");
        assert!(joined.find("./mine").unwrap() < joined.find("jury hook claude stop").unwrap());
        assert!(joined.contains("\"last\": 1,\n\t\"mcpServers\"") && !joined.ends_with('\n'));
        assert_eq!(into_json(Some(&joined), &wanted()).unwrap(), joined);
        assert_eq!(out_of_json(&joined, &wanted()).unwrap().as_deref(), Some(theirs));
    }

    #[test]
    fn a_handler_in_a_group_of_theirs_is_enough_and_goes_alone() {
        let mixed =
            r#"{"hooks": {"Stop": [{"hooks": [{"command": "./mine"}, {"command": "jury hook claude stop"}]}]}}"#;
        let joined: Value = serde_json::from_str(&into_json(Some(mixed), &wanted()).unwrap()).unwrap();
        assert_eq!(joined["hooks"]["Stop"].as_array().unwrap().len(), 1);
        let left: Value = serde_json::from_str(&out_of_json(mixed, &wanted()).unwrap().unwrap()).unwrap();
        assert_eq!(left, serde_json::json!({"hooks": {"Stop": [{"hooks": [{"command": "./mine"}]}]}}));
    }

    #[test]
    fn an_older_hook_of_ours_is_replaced_and_a_server_of_that_name_kept() {
        let older = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "jury hook claude stop", "timeout": 5}]}]}, "mcpServers": {"jury": {"command": "/opt/jury"}}}"#;
        let joined: Value = serde_json::from_str(&into_json(Some(older), &wanted()).unwrap()).unwrap();
        assert_eq!(joined["hooks"]["Stop"], wanted()["hooks"]["Stop"]);
        assert_eq!(joined["mcpServers"]["jury"]["command"], "/opt/jury");
    }

    #[test]
    fn what_cannot_be_written_back_is_refused() {
        for text in [
            "{ // why\n}",
            "{\"a\": 1, \"a\": 2}",
            "{\"a\": 1e3}",
            "{\"a\": 123456789012345678901234567890}",
            "{\"a\": \"\\u00e9\"}",
            "[]",
            "{\"hooks\": []}",
            "{\"hooks\": {\"Stop\": \"x\"}}",
            "{",
        ] {
            assert!(into_json(Some(text), &wanted()).is_err(), "{text}");
        }
        assert!(into_json(Some("{\"a b\": \"x \\\" y\", \"c\":[1.5, -2, true, null]}"), &wanted()).is_ok());
    }

    #[test]
    fn line_ends_stay_as_they_are() {
        let joined = into_json(Some("{\r\n    \"a\": 1\r\n}\r\n"), &wanted()).unwrap();
        assert!(joined.starts_with("{\r\n    \"a\": 1,\r\n    \"hooks\"") && joined.ends_with("}\r\n"));
        assert!(!joined.replace("\r\n", "").contains('\n'));
    }

    #[test]
    fn a_section_comes_and_goes() {
        for theirs in ["# Theirs\n\nText.\n", "Text.", "Text.\n\n"] {
            let joined = into_section(Some(theirs), "## Ours\n\nOne.\n").unwrap();
            assert!(joined.starts_with(theirs) && joined.ends_with("One.\n<!-- jury:end -->\n"), "{joined:?}");
            assert_eq!(into_section(Some(&joined), "## Ours\n\nOne.\n").unwrap(), joined);
            assert_eq!(out_of_section(&joined).unwrap().unwrap().trim_end(), theirs.trim_end());
        }
        let between = "a\n<!-- jury:begin -->\nold\n<!-- jury:end -->\nb\n";
        assert_eq!(
            into_section(Some(between), "new\n").unwrap(),
            "a\n<!-- jury:begin -->\nnew\n<!-- jury:end -->\nb\n"
        );
        assert_eq!(out_of_section(&into_section(None, "x").unwrap()).unwrap(), None);
        assert_eq!(out_of_section("plain\n").unwrap().as_deref(), Some("plain\n"));
        for broken in [
            "<!-- jury:begin -->\nx",
            "<!-- jury:end -->\n<!-- jury:begin -->",
            "<!-- jury:begin --><!-- jury:begin --><!-- jury:end -->",
        ] {
            assert!(into_section(Some(broken), "x").is_err() && out_of_section(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_block_of_toml_comes_and_goes() {
        let table = ["mcp_servers", "jury"];
        let block = "[mcp_servers.jury]\ncommand = \"jury\"\n";
        let theirs = "model = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let joined = into_toml(Some(theirs), block, table).unwrap();
        assert!(joined.starts_with(theirs));
        assert_eq!(into_toml(Some(&joined), block, table).unwrap(), joined);
        assert_eq!(out_of_toml(&joined).unwrap().as_deref(), Some(theirs));
        let own = "[mcp_servers.jury]\ncommand = \"/opt/jury\"\n";
        assert_eq!(into_toml(Some(own), block, table).unwrap(), own, "theirs stays");
        assert!(into_toml(Some("mcp_servers = { other = {} }\n"), block, table).is_err());
        assert!(into_toml(Some("x = \n"), block, table).is_err());
    }

    /// Values of any shape, without values that JSON can spell in more than one way.
    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-z äß\n\"\\\\]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            let list = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
            let map = prop::collection::btree_map("[a-z]{1,6}", inner, 0..4);
            prop_oneof![list, map.prop_map(|map| Value::Object(map.into_iter().collect()))]
        })
    }

    /// Foreign settings: anything, with hooks and servers among it.
    fn settings() -> impl Strategy<Value = (Value, &'static str)> {
        let others = prop::collection::btree_map("[a-z]{1,4}", values(), 0..4);
        let hook = |command: String| serde_json::json!({"hooks": [{"type": "command", "command": command}]});
        let hooks = prop::option::of(prop::collection::vec("[a-z/.]{1,9}".prop_map(hook), 1..3));
        let server = prop::option::of(values());
        let indent = prop_oneof![Just("  "), Just("    "), Just("\t")];
        (others, hooks, server, indent).prop_map(|(others, hooks, server, indent)| {
            let mut all: Map<String, Value> = others.into_iter().collect();
            all.extend(hooks.map(|hooks| ("hooks".to_owned(), serde_json::json!({"Stop": hooks}))));
            all.extend(server.map(|server| ("mcpServers".to_owned(), serde_json::json!({"other": server}))));
            (Value::Object(all), indent)
        })
    }

    proptest! {
        #[test]
        fn whatever_the_settings_are_twice_is_once_and_out_is_as_before((theirs, indent) in settings()) {
            let text = printed(&theirs, indent, "\n") + "\n";
            let joined = into_json(Some(&text), &wanted()).unwrap();
            prop_assert_eq!(&into_json(Some(&joined), &wanted()).unwrap(), &joined);
            let value: Value = serde_json::from_str(&joined).unwrap();
            for (key, theirs) in theirs.as_object().unwrap() {
                prop_assert!(value.get(key) == Some(theirs) || ["hooks", "mcpServers"].contains(&key.as_str()));
            }
            prop_assert!(joined.contains("jury hook claude stop"));
            let left = out_of_json(&joined, &wanted()).unwrap();
            prop_assert_eq!(left.unwrap_or_else(|| "{}\n".to_owned()), text);
        }

        #[test]
        fn whatever_the_text_is_a_section_comes_and_goes(theirs in "[a-z#\n ]{0,40}") {
            let joined = into_section(Some(&theirs), "## Ours\n").unwrap();
            prop_assert!(joined.starts_with(&theirs));
            prop_assert_eq!(&into_section(Some(&joined), "## Ours\n").unwrap(), &joined);
            let left = out_of_section(&joined).unwrap().unwrap_or_default();
            prop_assert_eq!(left.trim_end(), theirs.trim_end());
        }
    }
}
