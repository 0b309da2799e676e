//! The configuration that counts, setting by setting, each with where it comes from. In: a configuration and the text that it was
//! read from. Out: a list for people and programs. Deliberately not here: which commit the text is of.

use std::time::Duration;

use toml::Value;
use toml::de::{DeTable, DeValue};

use super::ready::{AGENTS, TOOLS};
use super::{Config, line_of};
use crate::model::{Definition, Domain, EnabledWhen, Policy, ReviewerKind};

/// One value that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its key, as `policy.block_at`.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody says otherwise.
    Default,
    /// This line of the file, from 1.
    Line(usize),
    /// What is ready-made under this name.
    Ready(String),
}

/// Lists every setting of a configuration that was read from this text.
pub fn settings(config: &Config, text: Option<&str>) -> Vec<Setting> {
    let text = text.unwrap_or_default();
    let table = DeTable::parse(text).map(toml::Spanned::into_inner).unwrap_or_default();
    let written = Written { text, table };
    let Config { policy, required, reviewers, parallel } = config;
    let Policy { block_at, abort_domains, accept_wont_fix } = policy;
    let of_policy = [
        ("block_at", Value::from(block_at.word())),
        ("required", names(required)),
        ("abort_domains", names(abort_domains)),
        ("accept_wont_fix", Value::from(accept_wont_fix.token())),
        ("parallel", number(*parallel)),
    ];
    let setting = |(key, value): (&str, Value)| {
        let origin = written.line(&["policy", key]).map_or(Origin::Default, Origin::Line);
        Setting { key: format!("policy.{key}"), value, origin }
    };
    let mut settings: Vec<Setting> = of_policy.into_iter().map(setting).collect();
    settings.extend(reviewers.iter().flat_map(|definition| of_reviewer(definition, &written)));
    settings
}

fn of_reviewer(definition: &Definition, written: &Written<'_>) -> Vec<Setting> {
    let Definition { name, kind, command, format, domain, timeout, persona, exit_codes, env, enabled_when } =
        definition;
    let EnabledWhen { paths, languages, contents, changed_lines } = enabled_when;
    let is_tool = *kind == ReviewerKind::Tool;
    let mut values = vec![
        ("kind", Value::from(kind.token())),
        ("command", Value::from(command.clone())),
        ("domain", Value::from(domain.as_str())),
        ("timeout", Value::from(written_time(*timeout))),
        ("env", Value::from(env.clone())),
    ];
    if is_tool {
        values.push(("format", Value::from(format.unwrap_or("auto"))));
        values.push(("exit_codes", Value::from(exit_codes.iter().map(|code| i64::from(*code)).collect::<Vec<_>>())));
    }
    values.extend(persona.as_ref().map(|persona| ("persona", Value::from(persona.name.as_str()))));
    for (key, list) in [("paths", paths), ("languages", languages), ("contents", contents)] {
        if !list.is_empty() {
            values.push((key, Value::from(list.clone())));
        }
    }
    values.extend(changed_lines.map(|lines| ("changed_lines", Value::from(i64::from(lines)))));
    let setting = |(key, value): (&'static str, Value)| {
        let is_condition = ["paths", "languages", "contents", "changed_lines"].contains(&key);
        let within: &[&str] = if is_condition { &["enabled_when", key] } else { &[key] };
        let path: Vec<&str> = ["reviewers", name.as_str()].iter().chain(within).copied().collect();
        let origin = match (written.line(&path), written.ready(name)) {
            (Some(line), _) => Origin::Line(line),
            (None, Some(ready)) if brings(&ready, key) => Origin::Ready(ready),
            _ => Origin::Default,
        };
        Setting { key: path.join("."), value, origin }
    };
    values.into_iter().map(setting).collect()
}

/// Tells whether something ready-made comes with a value for a key.
fn brings(ready: &str, key: &str) -> bool {
    let is_tool = TOOLS.iter().any(|tool| tool.name == ready);
    let of_tool = ["command", "format", "domain", "exit_codes", "paths"];
    let of_agent = ["command", "env"];
    (is_tool && of_tool.contains(&key)) || (AGENTS.iter().any(|agent| agent.name == ready) && of_agent.contains(&key))
}

/// What a file says, with its places.
struct Written<'t> {
    text: &'t str,
    table: DeTable<'t>,
}

impl Written<'_> {
    /// Returns the line of a key, if the file has it.
    fn line(&self, path: &[&str]) -> Option<usize> {
        let (last, tables) = path.split_last()?;
        let mut table = &self.table;
        for name in tables {
            table = table.get(*name)?.get_ref().as_table()?;
        }
        let (key, _) = table.get_key_value(*last)?;
        Some(line_of(self.text, key.span().start))
    }

    /// Returns the name of what is ready-made that a reviewer uses.
    fn ready(&self, reviewer: &Domain) -> Option<String> {
        let reviewers = self.table.get("reviewers")?.get_ref().as_table()?;
        let used = reviewers.get(reviewer.as_str())?.get_ref().as_table()?.get("use")?;
        match used.get_ref() {
            DeValue::String(name) => Some(name.to_string()),
            _ => None,
        }
    }
}

fn names<'d>(domains: impl IntoIterator<Item = &'d Domain>) -> Value {
    Value::from(domains.into_iter().map(|domain| domain.as_str()).collect::<Vec<_>>())
}

fn number(number: usize) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Writes a time as the file has it: in the largest unit that holds it whole.
fn written_time(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds % 3_600, seconds % 60) {
        (0, _) => format!("{}h", seconds / 3_600),
        (_, 0) => format!("{}m", seconds / 60),
        _ => format!("{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String, Origin)> {
        let config = Config::read(Some(text.as_bytes()), &|_| None).unwrap();
        settings(&config, Some(text)).into_iter().map(|it| (it.key, it.value.to_string(), it.origin)).collect()
    }

    #[test]
    fn every_value_says_where_it_comes_from() {
        let text = "[policy]\nrequired = [\"security\"]\n\n[reviewers.lint]\nuse = \"ruff\"\nkind = \"tool\"\ntimeout = \"90s\"\n\
                    enabled_when.changed_lines = 5\n\n[reviewers]\nqa = { kind = \"agent\", command = [\"ask\"] }\n";
        let settings = read(text);
        let of = |key: &str| {
            let found = settings.iter().find(|(name, _, _)| name == key).unwrap_or_else(|| panic!("{key}"));
            (found.1.as_str(), found.2.clone())
        };
        assert_eq!(of("policy.block_at"), ("\"High\"", Origin::Default));
        assert_eq!(of("policy.required"), ("[\"security\"]", Origin::Line(2)));
        assert_eq!(of("reviewers.lint.kind"), ("\"tool\"", Origin::Line(6)));
        assert_eq!(of("reviewers.lint.timeout"), ("\"90s\"", Origin::Line(7)));
        assert_eq!(of("reviewers.lint.format"), ("\"sarif\"", Origin::Ready("ruff".to_owned())));
        assert_eq!(of("reviewers.lint.enabled_when.changed_lines"), ("5", Origin::Line(8)));
        assert_eq!(of("reviewers.lint.enabled_when.paths").1, Origin::Ready("ruff".to_owned()));
        assert_eq!(of("reviewers.lint.env"), ("[]", Origin::Default));
        assert_eq!(of("reviewers.qa.command"), ("[\"ask\"]", Origin::Line(11)));
        assert_eq!(of("reviewers.qa.persona"), ("\"qa\"", Origin::Default));
        assert_eq!(of("reviewers.qa.timeout"), ("\"10m\"", Origin::Default));
    }

    #[test]
    fn what_is_written_back_is_the_same_configuration() {
        let text = "[policy]\nblock_at = \"Low\"\nparallel = 2\n[reviewers.x]\nkind = \"tool\"\nuse = \"eslint\"\n\
                    timeout = \"2h\"\nenabled_when = { contents = [\"a\"] }\n[reviewers.qa]\nkind = \"agent\"\nuse = \"claude\"\n";
        let config = Config::read(Some(text.as_bytes()), &|_| None).unwrap();
        let written: String =
            settings(&config, None).iter().map(|setting| format!("{} = {}\n", setting.key, setting.value)).collect();
        assert_eq!(Config::read(Some(written.as_bytes()), &|_| None), Ok(config), "{written}");
    }
}
