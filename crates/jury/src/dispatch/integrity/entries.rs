//! A settings file in; its entries out, key and value. TOML and JSON are parsed; anything else is read line by line, which is enough for YAML, INI,
//! ignore files and the literals in a program. Deliberately not here: what an entry means (`setting_words`).

use std::collections::BTreeMap;

/// One setting: its keys from the outside in, and its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) keys: String,
    pub(super) value: String,
}

/// Returns what a setting says in whichever file of its tool it stands: its keys without those that only name the file's part, and its value.
pub(super) fn placeless(entry: &Entry) -> (String, String) {
    let parts = entry.keys.split(['.', ':']).filter(|part| !["tool", "lint", "ini_options"].contains(part));
    (parts.collect::<Vec<_>>().join("."), entry.value.clone())
}

/// Tells whether a settings file is a program.
pub(super) fn is_program(path: &str) -> bool {
    jury_rules::Language::of(path).is_some_and(|language| language != jury_rules::Language::Yaml)
}

/// Reads the entries of a settings file.
pub(super) fn entries(path: &str, text: &str) -> Vec<Entry> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let parsed = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "toml" => toml::from_str::<toml::Value>(text).ok().and_then(|value| serde_json::to_value(value).ok()),
        "json" | "jsonc" | "json5" => serde_json::from_str(&plain_json(text)).ok(),
        _ if text.trim_start().starts_with('{') => serde_json::from_str(&plain_json(text)).ok(),
        _ => None,
    };
    let mut entries = Vec::new();
    match parsed {
        Some(value) => flatten(&value, "", &mut entries),
        None => entries = lines(text, is_program(path)),
    }
    entries
}

fn flatten(value: &serde_json::Value, keys: &str, entries: &mut Vec<Entry>) {
    use serde_json::Value;
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            let keys = if keys.is_empty() { key.clone() } else { format!("{keys}.{key}") };
            flatten(value, &keys, entries);
        }),
        // The place in a list does not count.
        Value::Array(items) => {
            items.iter().for_each(|item| flatten(item, &format!("{}|", keys.trim_end_matches('|')), entries))
        }
        Value::String(text) => entries.push(Entry { keys: keys.to_owned(), value: text.clone() }),
        other => entries.push(Entry { keys: keys.to_owned(), value: other.to_string() }),
    }
}

/// Removes comments and the last comma of lists.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut is_string = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if is_string => plain.extend([Some(c), chars.next()].into_iter().flatten()),
            '"' => {
                is_string = !is_string;
                plain.push(c);
            }
            '/' if !is_string && chars.peek() == Some(&'/') => while chars.next_if(|c| *c != '\n').is_some() {},
            '/' if !is_string && chars.peek() == Some(&'*') => {
                let mut last = ' ';
                while let Some(c) = chars.next().filter(|c| !(last == '*' && *c == '/')) {
                    last = c;
                }
            }
            ']' | '}' if !is_string => {
                let kept = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(kept);
                plain.push(c);
            }
            c => plain.push(c),
        }
    }
    plain
}

/// Reads entries line by line: `[section]`, `key: value`, `key = value`, `- item`, each below the keys that are indented less.
fn lines(text: &str, is_program: bool) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut section = String::new();
    let mut open: BTreeMap<usize, String> = BTreeMap::new();
    for line in text.lines() {
        let code = uncommented(line, is_program);
        let indent = line.len() - line.trim_start().len();
        for (nth, piece) in pieces(&code, is_program).into_iter().enumerate() {
            let indent = indent * 100 + nth;
            let piece = piece.trim().trim_end_matches([',', ';']).trim();
            if let Some(name) =
                piece.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|_| !is_program && indent == 0)
            {
                name.trim().clone_into(&mut section);
                open.clear();
                continue;
            }
            let item = piece.strip_prefix("- ").or_else(|| piece.strip_prefix('-').filter(|rest| rest.is_empty()));
            let (is_item, piece) = (item.is_some(), item.unwrap_or(piece));
            open.retain(|at, _| *at < indent || (*at == indent && is_item));
            let pair = piece.split_once([':', '=']).filter(|(key, _)| is_key(key));
            // Text in quotes stays as it is.
            let trim = |text: &str| {
                let bare = text.trim_matches(['[', ']', '(', ')', '{', '}', ' ', '\t']);
                bare.trim_matches(['"', '\'', '`']).to_owned()
            };
            let above: Vec<&str> = std::iter::once(section.as_str())
                .chain(open.values().map(String::as_str))
                .filter(|key| !key.is_empty())
                .collect();
            match pair {
                Some((key, value)) => {
                    let key = trim(key.trim_start_matches(['-', ' ']));
                    let keys = above.iter().copied().chain([key.as_str()]).collect::<Vec<_>>().join(".");
                    if !trim(value).is_empty() {
                        entries.push(Entry { keys, value: trim(value) });
                    } else if !value.trim().is_empty() && !is_program {
                        // A name without any value of its own stands in a list of names.
                        entries.push(Entry { keys: format!("{}|", above.join(".")), value: key.clone() });
                    }
                    open.insert(indent, key);
                }
                None if trim(piece).chars().any(char::is_alphanumeric) || piece.contains('*') => {
                    entries.push(Entry { keys: format!("{}|", above.join(".")), value: trim(piece) });
                }
                None => {}
            }
        }
    }
    // The frame of a program says nothing.
    entries.retain(|entry| {
        !is_program || !["export default", "module.exports"].contains(&entry.keys.as_str()) || entry.value.len() > 2
    });
    entries.retain(|entry| {
        !(is_program
            && (entry.value.starts_with("import ")
                || entry.value.starts_with("export default") && entry.value.len() < 17))
    });
    entries
}

/// Splits a line of a program, which may hold several settings.
fn pieces(code: &str, is_program: bool) -> Vec<String> {
    if !is_program {
        return vec![code.to_owned()];
    }
    let mut pieces = vec![String::new()];
    let mut quote = None;
    for c in code.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'' | '`') => quote = Some(c),
            _ => {}
        }
        match c {
            '{' | '}' | ',' | ';' | '[' if quote.is_none() => pieces.push(String::new()),
            c => pieces.last_mut().expect("there is one from the start").push(c),
        }
    }
    pieces
}

fn is_key(key: &str) -> bool {
    let key = key.trim().trim_start_matches("- ");
    !key.is_empty()
        && key.len() < 80
        && !key.contains("//")
        && key.chars().all(|c| c.is_alphanumeric() || "_-.\"'@/ *$:".contains(c))
}

fn uncommented(line: &str, is_program: bool) -> String {
    let code = line.trim_start();
    let openers: &[&str] = if is_program { &["//", "/*", "*", "#"] } else { &["#", ";", "//"] };
    if openers.iter().any(|opener| code.starts_with(opener)) && !(is_program && code.starts_with("**")) {
        return String::new();
    }
    let trailing = if is_program { line.find(" //") } else { line.find(" #") };
    trailing.map_or(line, |at| &line[..at]).to_owned()
}
