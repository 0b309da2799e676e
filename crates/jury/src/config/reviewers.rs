//! `[reviewers.NAME]` of `jury.toml` in; definitions out, ready-made ones filled in.
//!
//! Strict: an unknown key, a word outside the set, a command that the change could replace are errors with
//! their line. Deliberately not here: whether a program is installed, and whether it is trusted.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use super::api::{self, PriceTable};
use super::ready::TOOLS;
use super::{ConfigError, POLICY_FILE};
use crate::agents;
use crate::formats;
use crate::model::{
    Definition, Dependencies, Domain, EnabledWhen, LEVELS, Persona, Provider, RepoPath, ReviewerKind, ReviewerRole,
    RuleSeverity, Severity, Weighting,
};

/// The default time limit of a reviewer.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// The longest time that can be asked for.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);
/// How a tool ends that ran to its end: nothing found, or something found.
const DEFAULT_EXIT_CODES: [i32; 2] = [0, 1];

/// One table, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    kind: Kind,
    #[serde(rename = "use")]
    ready: Option<String>,
    command: Option<Command>,
    format: Option<Format>,
    domain: Option<Name>,
    timeout: Option<Timeout>,
    persona: Option<String>,
    exit_codes: Option<Vec<u8>>,
    #[serde(default)]
    env: Vec<Given>,
    #[serde(default)]
    writes: Vec<Place>,
    enabled_when: Option<Enabled>,
    provider: Option<Offered>,
    url: Option<Address>,
    model: Option<String>,
    key_env: Option<Variable>,
    price: Option<PriceTable>,
    second: Option<Name>,
    #[serde(default)]
    fallback: Vec<Name>,
    role: Option<RoleWord>,
    #[serde(default)]
    severity: BTreeMap<String, Rating>,
    prepare: Option<Command>,
    #[serde(default)]
    links: Vec<FolderPath>,
    junit: Option<FolderPath>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Tool,
    Check,
    Agent,
    Api,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enabled {
    #[serde(default)]
    paths: Vec<Glob>,
    #[serde(default)]
    languages: Vec<Language>,
    #[serde(default)]
    contents: Vec<Expression>,
    changed_lines: Option<u32>,
}

/// Declares a text that is checked as it is read, so that an error has its line.
macro_rules! checked {
    ($name:ident($inner:ty), $from:ty, $check:expr) => {
        #[derive(Deserialize)]
        #[serde(try_from = "toml::Value")]
        pub(super) struct $name(pub(super) $inner);

        impl TryFrom<toml::Value> for $name {
            type Error = String;

            fn try_from(value: toml::Value) -> Result<Self, String> {
                let value = value.try_into::<$from>().map_err(|error| error.message().to_owned())?;
                let check: fn($from) -> Result<$inner, String> = $check;
                check(value).map(Self)
            }
        }
    };
}

checked!(Command(Vec<String>), Vec<String>, command);
checked!(Format(String), String, format);
checked!(FolderPath(RepoPath), String, |word| RepoPath::new(word.trim_end_matches('/'))
    .map_err(|error| format!("{word:?}: {error}")));
checked!(Name(Domain), String, |word| Domain::new(&word).map_err(|error| format!("{word:?}: {error}")));
checked!(RoleWord(ReviewerRole), String, |word| ReviewerRole::from_token(&word)
    .ok_or_else(|| format!("unknown role {word:?}; expected required, optional or advisory")));
checked!(Rating(Severity), String, |word| super::severity(&word)
    .ok_or_else(|| format!("unknown severity {word:?}; expected Blocker, High, Medium, Low or Info")));
checked!(Offered(Provider), String, |word| api::provider(&word));
checked!(Address(String), String, api::url);
checked!(Timeout(Duration), String, |word| timeout(&word)
    .ok_or_else(|| format!("invalid duration {word:?}; expected one such as \"30s\", \"10m\" or \"1h\", up to 24h")));
checked!(Variable(String), String, variable);
checked!(Given(String), String, |word| match word.split_once('=') {
    Some((name, value)) if !value.contains('\0') => variable(name.to_owned()).map(|_| word),
    _ => variable(word),
});
checked!(Place(String), String, |word| {
    let below = word.strip_prefix("~/").or_else(|| word.strip_prefix('/'));
    let is_plain = below.is_some_and(|below| !word.contains('\0') && below.split('/').all(|part| part != ".."));
    match is_plain || word == Definition::ANYWHERE {
        true => Ok(word),
        false => Err(format!("invalid path {word:?}; use an absolute path, one below \"~/\", or \"*\" for anywhere")),
    }
});
checked!(Glob(String), String, |word| match globset::Glob::new(&word) {
    Ok(_) => Ok(word),
    Err(error) => Err(format!("invalid glob {word:?}: {}", error.kind())),
});
checked!(Expression(String), String, |word| match EnabledWhen::expression(&word) {
    Ok(_) => Ok(word),
    // The last line is the error; those before it draw the expression.
    Err(error) => {
        let what = error.to_string();
        Err(format!("invalid regular expression {word:?}: {}", what.lines().next_back().unwrap_or_default().trim()))
    }
});
checked!(Language(String), String, |word| match jury_rules::Language::named(&word) {
    Some(_) => Ok(word),
    None => Err(format!("unknown language {word:?}")),
});

fn variable(word: String) -> Result<String, String> {
    let is_name = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { Ok(word) } else { Err(format!("invalid environment variable {word:?}")) }
}

fn command(words: Vec<String>) -> Result<Vec<String>, String> {
    let program = words.first().map(String::as_str).unwrap_or_default();
    if program.is_empty() {
        return Err("`command` names no program".to_owned());
    }
    if program.contains('/') && !program.starts_with('/') {
        return Err(format!(
            "`command` runs {program:?}, a file that the change itself could replace; name a program of the PATH, or an absolute path"
        ));
    }
    if let Some(word) = words.iter().find(|word| word.contains("{files}") && *word != "{files}") {
        return Err(format!("`command` has {word:?}; `{{files}}` stands alone, for it is one argument for each file"));
    }
    match words.iter().find(|word| word.contains('\0')) {
        Some(word) => Err(format!("`command` has a NUL in {word:?}")),
        None => Ok(words),
    }
}

fn format(word: String) -> Result<String, String> {
    if word == "auto" || formats::by_id(&word).is_some() {
        return Ok(word);
    }
    let ids = formats::FORMATS.iter().map(|format| format.id);
    Err(format!("unknown format {word:?}{}; `jury formats` lists them", super::meant(&word, ids)))
}

fn timeout(word: &str) -> Option<Duration> {
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &word[digits.len()..] {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return None,
    };
    let seconds = digits.parse::<u64>().ok()?.checked_mul(unit)?;
    let timeout = Duration::from_secs(seconds);
    (seconds > 0 && timeout <= LONGEST_TIMEOUT).then_some(timeout)
}

/// Makes definitions of the tables, by name. `personas` has the text of a persona, if there is one of that name.
pub(super) fn definitions(
    tables: BTreeMap<String, Table>,
    personas: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Definition>, ConfigError> {
    let of = |(name, table): (String, Table)| {
        definition(&name, table, personas)
            .map_err(|what| ConfigError { file: POLICY_FILE.to_owned(), what: format!("[reviewers.{name}]: {what}") })
    };
    let definitions: Vec<Definition> = tables.into_iter().map(of).collect::<Result<_, _>>()?;
    for definition in &definitions {
        let checked = check_second(definition, &definitions).and_then(|()| check_fallback(definition, &definitions));
        checked.map_err(|what| ConfigError {
            file: POLICY_FILE.to_owned(),
            what: format!("[reviewers.{}]: {what}", definition.name),
        })?;
    }
    Ok(definitions)
}

/// A second look is made by another reviewer, which can read the same brief.
fn check_second(definition: &Definition, all: &[Definition]) -> Result<(), String> {
    let Some(second) = &definition.second else { return Ok(()) };
    let names = all.iter().map(|other| other.name.as_str());
    let found = all.iter().find(|other| other.name == *second && other.name != definition.name);
    match found.map(|other| other.kind) {
        Some(ReviewerKind::Agent | ReviewerKind::Api) => Ok(()),
        Some(_) => Err(format!("`second` is {second}, which is neither an agent nor an api")),
        None => {
            Err(format!("`second` is {second}, which is not another reviewer{}", super::meant(second.as_str(), names)))
        }
    }
}

/// A fallback can do the same work, and has none itself, so that asking comes to an end.
fn check_fallback(definition: &Definition, all: &[Definition]) -> Result<(), String> {
    let is_tool = |definition: &Definition| definition.kind == ReviewerKind::Tool;
    for name in &definition.fallback {
        let names = all.iter().map(|other| other.name.as_str());
        let Some(other) = all.iter().find(|other| other.name == *name && other.name != definition.name) else {
            let meant = super::meant(name.as_str(), names);
            return Err(format!("`fallback` names {name}, which is not another reviewer{meant}"));
        };
        if is_tool(other) != is_tool(definition) {
            return Err(format!("`fallback` names {name}: a tool and a model cannot stand in for each other"));
        }
        if !other.fallback.is_empty() {
            return Err(format!("`fallback` names {name}, which has a `fallback` itself; name all of them here"));
        }
    }
    Ok(())
}

/// Takes the severities of a table, with those of something ready-made for the patterns that it leaves out.
fn weighting(
    role: Option<RoleWord>,
    given: BTreeMap<String, Rating>,
    ready: &[(&str, Severity)],
) -> Result<Weighting, String> {
    for pattern in given.keys() {
        if crate::model::matcher(pattern).is_none() {
            return Err(format!("`severity` has an invalid glob {pattern:?}"));
        }
    }
    // A level that the team names is meant for all rules that it does not name.
    let has_levels = given.keys().any(|pattern| LEVELS.iter().any(|(word, _)| word == pattern));
    let is_left = |pattern: &str| !(given.contains_key(pattern) || has_levels && pattern == "*");
    let ready = ready.iter().filter(|(pattern, _)| is_left(pattern));
    let ready = ready.map(|(pattern, severity)| ((*pattern).to_owned(), *severity)).collect::<Vec<_>>();
    let given = given.into_iter().map(|(pattern, rating)| (pattern, rating.0));
    let all: BTreeMap<String, Severity> = given.chain(ready).collect();
    let all = all.into_iter().map(|(pattern, severity)| RuleSeverity { pattern, severity });
    Ok(Weighting { role: role.map_or(ReviewerRole::Required, |role| role.0), severities: all.collect() })
}

fn definition(name: &str, table: Table, personas: &dyn Fn(&str) -> Option<String>) -> Result<Definition, String> {
    let named = Domain::new(name).map_err(|error| error.to_string())?;
    if name == "scope" || name == "gate-integrity" {
        return Err("the name is one of Jury's own".to_owned());
    }
    let env = table.env.into_iter().map(|variable| variable.0);
    let writes = table.writes.into_iter().map(|place| place.0);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let given = table.enabled_when.map(|given| EnabledWhen {
        paths: given.paths.into_iter().map(|glob| glob.0).collect(),
        languages: given.languages.into_iter().map(|language| language.0).collect(),
        contents: given.contents.into_iter().map(|expression| expression.0).collect(),
        changed_lines: given.changed_lines,
    });
    let codes = table.exit_codes.map(|codes| codes.into_iter().map(i32::from).collect::<Vec<_>>());
    if codes.as_ref().is_some_and(Vec::is_empty) {
        return Err("`exit_codes` is empty, so that no run could count".to_owned());
    }
    let timeout = table.timeout.map_or(DEFAULT_TIMEOUT, |timeout| timeout.0);
    let command = table.command.map(|command| command.0);
    let price = table.price.map(|price| price.price());
    let second = table.second.map(|second| second.0);
    let fallback: Vec<Domain> = table.fallback.into_iter().map(|name| name.0).collect();
    let is_level = |pattern: &String| LEVELS.iter().any(|(word, _)| word == pattern);
    if !matches!(table.kind, Kind::Tool) && table.severity.keys().any(|pattern| !is_level(pattern)) {
        return Err("only a tool has rules for `severity` to name; use `error`, `warning`, `note` or `info`".to_owned());
    }
    let dependencies = Dependencies {
        prepare: table.prepare.map(|command| command.0).unwrap_or_default(),
        links: table.links.into_iter().map(|path| path.0).collect(),
    };
    if !matches!(table.kind, Kind::Tool | Kind::Check) && dependencies != Dependencies::default() {
        return Err("only a tool or a check has `prepare` and `links`".to_owned());
    }
    let junit = table.junit.map(|path| path.0);
    if !matches!(table.kind, Kind::Check) && junit.is_some() {
        return Err("only a check has `junit`".to_owned());
    }
    let is_api = matches!(table.kind, Kind::Api);
    if !is_api && (table.provider.is_some() || table.url.is_some() || table.model.is_some() || table.key_env.is_some())
    {
        return Err("only an api has `provider`, `url`, `model` and `key_env`".to_owned());
    }
    let persona = |named: Option<String>| {
        let persona = named.unwrap_or_else(|| name.to_owned());
        let text = personas(&persona).ok_or_else(|| {
            let known = super::personas::EMBEDDED.iter().map(|(name, _)| *name);
            let meant = super::meant(&persona, known);
            format!("unknown persona {persona:?}{meant}; use an embedded one, or a Markdown file of the base")
        })?;
        Ok::<_, String>(Persona { name: persona, text: super::personas::body(&text).to_owned() })
    };
    match table.kind {
        Kind::Tool => {
            if table.persona.is_some() {
                return Err("a tool has no `persona`".to_owned());
            }
            if price.is_some() || second.is_some() {
                return Err("a tool has no `price` and no `second`".to_owned());
            }
            let known: Vec<_> = TOOLS.iter().map(|tool| (tool.name, tool)).collect();
            let ready = ready(&known, table.ready.as_deref())?;
            let mut enabled_when = given.unwrap_or_default();
            if let Some(ready) = ready.filter(|_| enabled_when.paths.is_empty() && enabled_when.languages.is_empty()) {
                enabled_when.paths = words(ready.paths);
            }
            let domain = ready.and_then(|ready| Domain::new(ready.domain).ok());
            let is_told = |word: &String| word == "{files}" || word.contains("{tree}");
            if command.as_ref().is_some_and(|command| !command.iter().any(is_told)) {
                return Err(NOT_TOLD.to_owned());
            }
            Ok(Definition {
                domain: table.domain.map(|domain| domain.0).or(domain).unwrap_or_else(|| named.clone()),
                name: named,
                kind: ReviewerKind::Tool,
                command: command.or(ready.map(|ready| words(ready.command))).ok_or(NO_COMMAND)?,
                // `auto` is no format, and so it is to be found out.
                format: table
                    .format
                    .map_or(ready.map(|ready| ready.format), |it| formats::by_id(&it.0).map(|it| it.id)),
                timeout,
                persona: None,
                exit_codes: codes
                    .or(ready.map(|ready| ready.exit_codes.to_vec()))
                    .unwrap_or_else(|| DEFAULT_EXIT_CODES.to_vec()),
                env: env.collect(),
                writes: ready.into_iter().flat_map(|ready| words(ready.writes)).chain(writes).collect(),
                enabled_when,
                service: None,
                price: None,
                second: None,
                fallback,
                weighting: weighting(table.role, table.severity, ready.map_or(&[], |ready| ready.severities))?,
                dependencies,
                junit: None,
            })
        }
        Kind::Check => {
            let has_role = table.role.as_ref().is_some_and(|role| role.0 != ReviewerRole::Required);
            let is_rated = has_role || !table.severity.is_empty() || !fallback.is_empty();
            if is_rated || codes.is_some() || table.format.is_some() || table.persona.is_some() || table.ready.is_some()
            {
                return Err(NOT_OF_CHECK.to_owned());
            }
            if price.is_some() || second.is_some() {
                return Err("a check has no `price` and no `second`".to_owned());
            }
            let command = command.ok_or("it has no `command`")?;
            if let Some(word) = command.iter().find(|word| word.contains("{files}")) {
                return Err(format!(
                    "a check is about the whole tree and is given no files, but `command` has {word:?}"
                ));
            }
            Ok(Definition {
                domain: table.domain.map_or_else(|| named.clone(), |domain| domain.0),
                name: named,
                kind: ReviewerKind::Check,
                command,
                format: None,
                timeout,
                persona: None,
                exit_codes: vec![0],
                env: env.collect(),
                writes: writes.collect(),
                enabled_when: given.unwrap_or_default(),
                service: None,
                price: None,
                second: None,
                fallback,
                weighting: Weighting::default(),
                dependencies,
                junit,
            })
        }
        Kind::Agent => {
            if codes.is_some() || table.format.is_some() {
                return Err("an agent has no `format` and no `exit_codes`: its brief says how to answer".to_owned());
            }
            let ready = ready(&agents::reviewers(), table.ready.as_deref())?;
            let persona = persona(table.persona)?;
            // A command that is not the ready-made one may hold itself less.
            let is_own = command.is_some();
            let places = ready.into_iter().flat_map(|ready| words(ready.writes));
            let places = places.filter(|place| !(is_own && place == Definition::ANYWHERE));
            let command = command.or(ready.map(|ready| words(ready.command))).ok_or(NO_COMMAND)?;
            if let Some(word) = command.iter().find(|word| word.contains("{files}")) {
                return Err(format!("an agent is given a brief and no files, but `command` has {word:?}"));
            }
            Ok(Definition {
                domain: table.domain.map_or_else(|| named.clone(), |domain| domain.0),
                name: named,
                kind: ReviewerKind::Agent,
                command,
                format: None,
                timeout,
                persona: Some(persona),
                exit_codes: vec![0],
                env: ready.into_iter().flat_map(|ready| words(ready.env)).chain(env).collect(),
                writes: places.chain(writes).collect(),
                enabled_when: given.unwrap_or_default(),
                service: None,
                price,
                second,
                fallback,
                weighting: weighting(table.role, table.severity, &[])?,
                dependencies,
                junit: None,
            })
        }
        Kind::Api => {
            let (env, writes): (Vec<String>, Vec<String>) = (env.collect(), writes.collect());
            let is_run =
                command.is_some() || table.ready.is_some() || codes.is_some() || !env.is_empty() || !writes.is_empty();
            if is_run || table.format.is_some() {
                return Err(
                    "an api has no `command`, `use`, `format`, `exit_codes`, `env` and `writes`: nothing is run"
                        .to_owned(),
                );
            }
            Ok(Definition {
                domain: table.domain.map_or_else(|| named.clone(), |domain| domain.0),
                name: named,
                kind: ReviewerKind::Api,
                command: Vec::new(),
                format: None,
                timeout,
                persona: Some(persona(table.persona)?),
                exit_codes: Vec::new(),
                env,
                writes,
                enabled_when: given.unwrap_or_default(),
                service: Some(api::service(
                    table.provider.map(|provider| provider.0),
                    table.url.map(|url| url.0),
                    table.model,
                    table.key_env.map(|variable| variable.0),
                )?),
                price,
                second,
                fallback,
                weighting: weighting(table.role, table.severity, &[])?,
                dependencies,
                junit: None,
            })
        }
    }
}

const NOT_OF_CHECK: &str = "a check has no `use`, `format`, `exit_codes`, `persona`, `severity` and `fallback`, and is always required: \
                            its exit code is the evidence";
const NO_COMMAND: &str = "it has neither `command` nor `use`";

const NOT_TOLD: &str = "`command` has neither `{files}` nor `{tree}`, so it does not say what the tool looks at; add \"{files}\" for the changed files, or \"{tree}\" for the whole tree";

/// Finds the ready-made reviewer that a table uses, if it uses one.
fn ready<T>(known: &[(&'static str, &'static T)], word: Option<&str>) -> Result<Option<&'static T>, String> {
    let Some(word) = word else { return Ok(None) };
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, it)| Some(*it)).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!(
            "unknown preset {word:?}{}; expected one of {}",
            super::meant(word, names.iter().copied()),
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn read(text: &str) -> Result<Vec<Definition>, String> {
        let config =
            Config::read(Some(text.as_bytes()), &|path| (path == "docs/us.md").then(|| "We are us.".to_owned()));
        config.map(|config| config.reviewers).map_err(|error| error.to_string())
    }

    #[test]
    fn a_tool_and_an_agent_are_taken_as_they_are_written() {
        let text = "[reviewers.eslint]\nkind = \"tool\"\ncommand = [\"eslint\", \"{files}\"]\nformat = \"eslint\"\n\
            domain = \"typescript-quality\"\ntimeout = \"30s\"\nexit_codes = [0, 2]\nenv = [\"NODE_OPTIONS\", \"A=b=c\"]\nwrites = [\"~/.npm\"]\n\
            enabled_when = { paths = [\"src/**\"], languages = [\"typescript\"], contents = [\"(?i)select\"], changed_lines = 5 }\n\
            [reviewers.us]\nkind = \"agent\"\ncommand = [\"ask\"]\npersona = \"docs/us.md\"\n";
        let [eslint, us] = read(text).unwrap().try_into().unwrap();
        assert_eq!(
            (eslint.kind, eslint.format, eslint.domain.as_str()),
            (ReviewerKind::Tool, Some("eslint"), "typescript-quality")
        );
        assert_eq!(
            (eslint.timeout, eslint.exit_codes, eslint.env),
            (Duration::from_secs(30), vec![0, 2], vec!["NODE_OPTIONS".to_owned(), "A=b=c".to_owned()])
        );
        assert_eq!(
            (eslint.enabled_when.contents, eslint.enabled_when.changed_lines),
            (vec!["(?i)select".to_owned()], Some(5))
        );
        assert_eq!(eslint.writes, ["~/.npm"]);
        assert_eq!(
            (us.kind, us.domain.as_str(), us.persona.unwrap().text.as_str()),
            (ReviewerKind::Agent, "us", "We are us.")
        );
        assert_eq!((us.timeout, us.exit_codes), (DEFAULT_TIMEOUT, vec![0]));
    }

    #[test]
    fn what_is_ready_made_need_only_be_named() {
        for tool in TOOLS {
            let [read] = read(&format!("[reviewers.x]\nkind = \"tool\"\nuse = \"{}\"\n", tool.name))
                .unwrap()
                .try_into()
                .unwrap();
            assert_eq!(
                (read.command, read.format, read.domain.as_str()),
                (tool.command.iter().map(ToString::to_string).collect(), Some(tool.format), tool.domain)
            );
        }
        for (name, _) in agents::reviewers() {
            let text = format!("[reviewers.security]\nkind = \"agent\"\nuse = \"{name}\"\nenv = [\"MORE\"]\n");
            let [read] = read(&text).unwrap().try_into().unwrap();
            assert_eq!(read.env.last().map(String::as_str), Some("MORE"));
            assert!(read.persona.unwrap().text.contains("injection"), "the persona is that of the name");
        }
        // A reviewer with a command of its own is confined by default.
        let codex = "[reviewers.qa]\nkind = \"agent\"\nuse = \"codex\"\n";
        for (more, expected) in [
            ("", vec!["*"]),
            ("command = [\"codex\"]\n", vec![]),
            ("command = [\"codex\"]\nwrites = [\"*\"]\n", vec!["*"]),
        ] {
            let [read] = read(&format!("{codex}{more}")).unwrap().try_into().unwrap();
            assert_eq!(read.writes, expected, "{more}");
        }
    }

    #[test]
    fn a_model_behind_an_api_is_taken_as_it_is_written() {
        let text = "[reviewers.security]\nkind = \"api\"\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\n\
            price = { input = 3.0, output = \"15\" }\nsecond = \"qa\"\n\
            [reviewers.qa]\nkind = \"api\"\nprovider = \"openai\"\nurl = \"http://127.0.0.1:1/v1/\"\nmodel = \"m\"\nkey_env = \"KEY\"\n";
        let [qa, security] = read(text).unwrap().try_into().unwrap();
        let service = security.service.unwrap();
        assert_eq!(
            (service.url.as_str(), service.key_env.as_deref()),
            ("https://api.anthropic.com", Some("ANTHROPIC_API_KEY"))
        );
        let price = security.price.unwrap();
        assert_eq!((price.input, price.output, security.second.unwrap().as_str()), (3_000_000, 15_000_000, "qa"));
        let service = qa.service.unwrap();
        assert_eq!((service.url.as_str(), service.key_env.as_deref()), ("http://127.0.0.1:1/v1", Some("KEY")));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_what_was_meant() {
        let api = "[reviewers.qa]\nkind = \"api\"\nprovider = \"openai\"\nmodel = \"m\"\n";
        let tool = "[reviewers.x]\nkind = \"tool\"\ncommand = [\"x\", \"{files}\"]\n";
        let agent = "[reviewers.security]\nkind = \"agent\"\ncommand = [\"x\"]\n";
        for (text, said) in [
            (format!("{tool}timout = \"1m\"\n"), "line 4: unknown field `timout`, did you mean `timeout`?"),
            (format!("{tool}enabled_when = {{ path = [] }}\n"), "did you mean `paths`?"),
            (format!("{tool}timeout = \"1d\"\n"), "line 4: invalid duration \"1d\""),
            (format!("{tool}timeout = \"0s\"\n"), "invalid duration"),
            (format!("{tool}timeout = \"25h\"\n"), "invalid duration"),
            (format!("{tool}timeout = \"99999999999999999999h\"\n"), "invalid duration"),
            (format!("{tool}timeout = 10\n"), "line 4"),
            (format!("{tool}format = \"serif\"\n"), "line 4: unknown format \"serif\", did you mean `sarif`?"),
            (format!("{tool}domain = \"\"\n"), "line 4"),
            (format!("{tool}env = [\"A-B\"]\n"), "line 4: invalid environment variable \"A-B\""),
            (format!("{tool}env = [\"=B\"]\n"), "line 4: invalid environment variable \"\""),
            (format!("{tool}env = [\"A=\\u0000\"]\n"), "line 4"),
            (
                format!("{tool}role = \"must\"\n"),
                "line 4: unknown role \"must\"; expected required, optional or advisory",
            ),
            (format!("{tool}severity = {{ \"E*\" = \"high\" }}\n"), "line 4: unknown severity \"high\""),
            (format!("{tool}severity = {{ \"[\" = \"High\" }}\n"), "`severity` has an invalid glob \"[\""),
            (format!("{tool}fallback = [\"y\"]\n"), "`fallback` names y, which is not another reviewer"),
            (format!("{tool}fallback = [\"x\"]\n"), "`fallback` names x, which is not another reviewer"),
            (format!("{tool}fallback = [\"qa\"]\n{api}"), "a tool and a model cannot stand in for each other"),
            (
                format!("{api}fallback = [\"security\"]\n{agent}fallback = [\"qa\"]\n"),
                "which has a `fallback` itself; name all of them here",
            ),
            (format!("{agent}severity = {{ \"E*\" = \"High\" }}\n"), "only a tool has rules for `severity` to name"),
            (
                format!("[policy]\nrequired = [\"x\"]\n{tool}role = \"optional\"\n"),
                "[reviewers.x] is optional, but `policy.required` names it",
            ),
            (format!("{tool}writes = [\"cache\"]\n"), "line 4: invalid path \"cache\""),
            (format!("{tool}writes = [\"~/../cache\"]\n"), "invalid path"),
            (format!("{tool}writes = [\"~root/x\"]\n"), "invalid path"),
            (format!("{tool}enabled_when = {{ paths = [\"[\"] }}\n"), "line 4: invalid glob \"[\""),
            (format!("{tool}enabled_when = {{ languages = [\"cobol\"] }}\n"), "unknown language"),
            (format!("{tool}enabled_when = {{ contents = [\"(\"] }}\n"), "line 4: invalid regular expression \"(\""),
            (
                format!("{tool}enabled_when = {{ contents = [\"(x{{1000}}){{1000}}\"] }}\n"),
                "invalid regular expression",
            ),
            (format!("{tool}exit_codes = []\n"), "empty"),
            (format!("{tool}exit_codes = [-1]\n"), "line 4"),
            (format!("{tool}persona = \"qa\"\n"), "a tool has no `persona`"),
            (format!("{agent}format = \"sarif\"\n"), "an agent has no `format`"),
            (format!("{agent}persona = \"securty\"\n"), "did you mean `security`?"),
            ("[reviewers.x]\nkind = \"tol\"\n".to_owned(), "line 2"),
            ("[reviewers.x]\nkind = \"tool\"\n".to_owned(), "neither `command` nor `use`"),
            ("[reviewers.x]\nkind = \"tool\"\nuse = \"rufff\"\n".to_owned(), "did you mean `ruff`?"),
            (
                "[reviewers.x]\nkind = \"tool\"\ncommand = [\"x\", \"files\"]\n".to_owned(),
                "neither `{files}` nor `{tree}`",
            ),
            (
                "[reviewers.x]\nkind = \"tool\"\nuse = \"ruff\"\ncommand = [\"x\"]\n".to_owned(),
                "neither `{files}` nor `{tree}`",
            ),
            ("[reviewers.x]\nkind = \"tool\"\ncommand = []\n".to_owned(), "line 3: `command` names no program"),
            ("[reviewers.x]\nkind = \"tool\"\ncommand = [\"./lint.sh\"]\n".to_owned(), "could replace"),
            ("[reviewers.x]\nkind = \"tool\"\ncommand = [\"x\", \"-f={files}\"]\n".to_owned(), "stands alone"),
            ("[reviewers.x]\nkind = \"agent\"\ncommand = [\"x\"]\n".to_owned(), "unknown persona \"x\""),
            ("[reviewers.qa]\nkind = \"agent\"\ncommand = [\"x\", \"{files}\"]\n".to_owned(), "no files"),
            ("[reviewers.gate-integrity]\nkind = \"tool\"\ncommand = [\"x\"]\n".to_owned(), "Jury's own"),
            ("[reviewers.x]\ncommand = [\"x\"]\n".to_owned(), "kind"),
            (api.replace("openai", "opnai"), "line 3: unknown provider \"opnai\", did you mean `openai`?"),
            (api.replace("model = \"m\"\n", ""), "no `model`"),
            (api.replace("provider = \"openai\"\n", ""), "no `provider`"),
            (format!("{api}url = \"http://example.com\"\n"), "line 5: `url` \"http://example.com\" would send"),
            (format!("{api}key = \"sk\"\n"), "line 5: unknown field `key`"),
            (format!("{api}key_env = \"sk-1\"\n"), "line 5"),
            (format!("{api}command = [\"x\"]\n"), "an api has no `command`"),
            (format!("{api}price = {{ input = -1, output = 1 }}\n"), "line 5: invalid amount \"-1\""),
            (format!("{api}price = {{ input = 1 }}\n"), "line 5"),
            (format!("{api}second = \"qa\"\n"), "is not another reviewer"),
            (format!("{api}second = \"x\"\n{tool}"), "neither an agent nor an api"),
            (format!("{tool}url = \"https://x\"\n"), "only an api has"),
            (format!("{tool}price = {{ input = 1, output = 1 }}\n"), "a tool has no `price`"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(said), "{text}\n{error}");
        }
    }
}
