//! One table of a reviewer in; its definition out, filled in from a preset. What a kind of reviewer cannot have is an error.

use std::collections::BTreeMap;
use std::time::Duration;

use super::ready::TOOLS;
use super::reviewer_table::{Kind, Rating, RoleWord, Table};
use crate::agents;
use crate::formats;
use crate::model::{
    Definition, Dependencies, Domain, EnabledWhen, LEVELS, Persona, ReviewerKind, ReviewerRole, RuleSeverity, Severity,
    Weighting,
};

/// The default time limit of a reviewer.
pub(super) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// How a tool ends that ran to its end: nothing found, or something found.
const DEFAULT_EXIT_CODES: [i32; 2] = [0, 1];
/// The placeholder for the changed files.
const FILES: &str = "{files}";

/// Makes a definition of a table. `personas` has the text of a persona, if there is one of that name.
pub(super) fn definition(
    name: &str,
    mut table: Table,
    personas: &dyn Fn(&str) -> Option<String>,
) -> Result<Definition, String> {
    let persona = |named: Option<String>| persona(named.unwrap_or_else(|| name.to_owned()), personas);
    let common = common(name, &mut table)?;
    match table.kind {
        Kind::Tool => tool(table, common),
        Kind::Check => check(table, common),
        Kind::Agent => agent(table, common, &persona),
        Kind::Api => api(table, common, &persona),
    }
}

/// Takes what every kind of reviewer may have out of a table, and refuses what only another kind has.
fn common(name: &str, table: &mut Table) -> Result<Definition, String> {
    let name = Domain::new(name).map_err(|error| error.to_string())?;
    if name.as_str() == "scope" || name.as_str() == "gate-integrity" {
        return Err("the name is one of Jury's own".to_owned());
    }
    if table.exit_codes.as_ref().is_some_and(Vec::is_empty) {
        return Err("`exit_codes` is empty, so that no run could count".to_owned());
    }
    let is_level = |pattern: &String| LEVELS.iter().any(|(word, _)| word == pattern);
    if table.kind != Kind::Tool && table.severity.keys().any(|pattern| !is_level(pattern)) {
        return Err("only a tool has rules for `severity` to name; use `error`, `warning`, `note` or `info`".to_owned());
    }
    let dependencies = Dependencies {
        prepare: table.prepare.take().map(|command| command.0).unwrap_or_default(),
        links: std::mem::take(&mut table.links).into_iter().map(|path| path.0).collect(),
    };
    if !matches!(table.kind, Kind::Tool | Kind::Check) && dependencies != Dependencies::default() {
        return Err("only a tool or a check has `prepare` and `links`".to_owned());
    }
    if table.kind != Kind::Check && table.junit.is_some() {
        return Err("only a check has `junit`".to_owned());
    }
    let has_service = table.provider.is_some() || table.url.is_some() || table.model.is_some();
    if table.kind != Kind::Api && (has_service || table.key_env.is_some()) {
        return Err("only an api has `provider`, `url`, `model` and `key_env`".to_owned());
    }
    let enabled_when = table.enabled_when.take().map(|given| EnabledWhen {
        paths: given.paths.into_iter().map(|glob| glob.0).collect(),
        languages: given.languages.into_iter().map(|language| language.0).collect(),
        contents: given.contents.into_iter().map(|expression| expression.0).collect(),
        changed_lines: given.changed_lines,
    });
    Ok(Definition {
        domain: table.domain.as_ref().map_or_else(|| name.clone(), |domain| domain.0.clone()),
        name,
        kind: match table.kind {
            Kind::Tool => ReviewerKind::Tool,
            Kind::Check => ReviewerKind::Check,
            Kind::Agent => ReviewerKind::Agent,
            Kind::Api => ReviewerKind::Api,
        },
        command: Vec::new(),
        format: None,
        timeout: table.timeout.take().map_or(DEFAULT_TIMEOUT, |timeout| timeout.0),
        persona: None,
        exit_codes: vec![0],
        env: std::mem::take(&mut table.env).into_iter().map(|variable| variable.0).collect(),
        writes: std::mem::take(&mut table.writes).into_iter().map(|place| place.0).collect(),
        enabled_when: enabled_when.unwrap_or_default(),
        service: None,
        price: table.price.take().map(|price| price.price()),
        second: table.second.take().map(|second| second.0),
        fallback: std::mem::take(&mut table.fallback).into_iter().map(|name| name.0).collect(),
        weighting: Weighting::default(),
        dependencies,
        junit: table.junit.take().map(|path| path.0),
    })
}

fn tool(table: Table, common: Definition) -> Result<Definition, String> {
    if table.persona.is_some() {
        return Err("a tool has no `persona`".to_owned());
    }
    if common.price.is_some() || common.second.is_some() {
        return Err("a tool has no `price` and no `second`".to_owned());
    }
    let known: Vec<_> = TOOLS.iter().map(|tool| (tool.name, tool)).collect();
    let ready = ready(&known, table.ready.as_deref())?;
    let mut enabled_when = common.enabled_when;
    if let Some(ready) = ready.filter(|_| enabled_when.paths.is_empty() && enabled_when.languages.is_empty()) {
        enabled_when.paths = words(ready.paths);
    }
    let domain = ready.filter(|_| table.domain.is_none()).and_then(|ready| Domain::new(ready.domain).ok());
    let command = table.command.map(|command| command.0);
    let is_told = |word: &String| word == FILES || word.contains("{tree}");
    if command.as_ref().is_some_and(|command| !command.iter().any(is_told)) {
        return Err(NOT_TOLD.to_owned());
    }
    let codes = table.exit_codes.map(|codes| codes.into_iter().map(i32::from).collect());
    Ok(Definition {
        domain: domain.unwrap_or(common.domain),
        command: command.or(ready.map(|ready| words(ready.command))).ok_or(NO_COMMAND)?,
        // `auto` is no format, and so it is to be found out.
        format: table.format.map_or(ready.map(|ready| ready.format), |it| formats::by_id(&it.0).map(|it| it.id)),
        exit_codes: codes
            .or(ready.map(|ready| ready.exit_codes.to_vec()))
            .unwrap_or_else(|| DEFAULT_EXIT_CODES.to_vec()),
        writes: ready.into_iter().flat_map(|ready| words(ready.writes)).chain(common.writes).collect(),
        enabled_when,
        weighting: weighting(table.role, table.severity, ready.map_or(&[], |ready| ready.severities))?,
        ..common
    })
}

fn check(table: Table, common: Definition) -> Result<Definition, String> {
    let has_role = table.role.as_ref().is_some_and(|role| role.0 != ReviewerRole::Required);
    let is_rated = has_role || !table.severity.is_empty() || !common.fallback.is_empty();
    let is_read = table.exit_codes.is_some() || table.format.is_some();
    if is_rated || is_read || table.persona.is_some() || table.ready.is_some() {
        return Err(NOT_OF_CHECK.to_owned());
    }
    if common.price.is_some() || common.second.is_some() {
        return Err("a check has no `price` and no `second`".to_owned());
    }
    let command = table.command.map(|command| command.0).ok_or("it has no `command`")?;
    if let Some(word) = command.iter().find(|word| word.contains(FILES)) {
        return Err(format!("a check is about the whole tree and is given no files, but `command` has {word:?}"));
    }
    Ok(Definition { command, ..common })
}

fn agent(table: Table, common: Definition, persona: &AsPersona<'_>) -> Result<Definition, String> {
    if table.exit_codes.is_some() || table.format.is_some() {
        return Err("an agent has no `format` and no `exit_codes`: its brief says how to answer".to_owned());
    }
    let ready = ready(&agents::reviewers(), table.ready.as_deref())?;
    let persona = persona(table.persona)?;
    // A command that is not the ready-made one may hold itself less.
    let is_own = table.command.is_some();
    let places = ready.into_iter().flat_map(|ready| words(ready.writes));
    let places = places.filter(|place| !(is_own && place == Definition::ANYWHERE));
    let command = table.command.map(|command| command.0);
    let command = command.or(ready.map(|ready| words(ready.command))).ok_or(NO_COMMAND)?;
    if let Some(word) = command.iter().find(|word| word.contains(FILES)) {
        return Err(format!("an agent is given a brief and no files, but `command` has {word:?}"));
    }
    Ok(Definition {
        command,
        persona: Some(persona),
        env: ready.into_iter().flat_map(|ready| words(ready.env)).chain(common.env).collect(),
        writes: places.chain(common.writes).collect(),
        weighting: weighting(table.role, table.severity, &[])?,
        ..common
    })
}

fn api(table: Table, common: Definition, persona: &AsPersona<'_>) -> Result<Definition, String> {
    let is_run = table.command.is_some() || table.ready.is_some() || table.exit_codes.is_some();
    if is_run || !common.env.is_empty() || !common.writes.is_empty() || table.format.is_some() {
        return Err(
            "an api has no `command`, `use`, `format`, `exit_codes`, `env` and `writes`: nothing is run".to_owned()
        );
    }
    Ok(Definition {
        persona: Some(persona(table.persona)?),
        exit_codes: Vec::new(),
        service: Some(super::api::service(
            table.provider.map(|provider| provider.0),
            table.url.map(|url| url.0),
            table.model,
            table.key_env.map(|variable| variable.0),
        )?),
        weighting: weighting(table.role, table.severity, &[])?,
        ..common
    })
}

/// Reads the persona of an agent or a model; the one of the reviewer's own name if none is named.
type AsPersona<'p> = dyn Fn(Option<String>) -> Result<Persona, String> + 'p;

fn persona(name: String, personas: &dyn Fn(&str) -> Option<String>) -> Result<Persona, String> {
    let text = personas(&name).ok_or_else(|| {
        let known = super::personas::EMBEDDED.iter().map(|(name, _)| *name);
        let meant = super::meant(&name, known);
        format!("unknown persona {name:?}{meant}; use an embedded one, or a Markdown file of the base")
    })?;
    Ok(Persona { name, text: super::personas::body(&text).to_owned() })
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
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
