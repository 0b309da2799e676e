//! The configuration that counts, setting by setting, each with where it comes from. In: a configuration and the text that it was
//! read from. Out: a list for people and programs. Deliberately not here: which commit the text is of.

use std::time::Duration;

use toml::Value;
use toml::de::{DeTable, DeValue};

use super::ready::TOOLS;
use super::{Config, attest, line_of, people};
use crate::agents;
use crate::model::{
    AttestPolicy, Budget, Definition, Domain, EnabledWhen, GuidelineRule, PathPolicy, Policy, Price, RepoPath,
    ReviewerKind, ScopePolicy, Service,
};

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
    /// The default.
    Default,
    /// This line of the file, from 1.
    Line(usize),
    /// The ready-made definition of this name.
    Ready(String),
}

/// Lists every setting of a configuration that was read from this text.
pub fn settings(config: &Config, text: Option<&str>) -> Vec<Setting> {
    let text = text.unwrap_or_default();
    let table = DeTable::parse(text).map(toml::Spanned::into_inner).unwrap_or_default();
    let written = Written { text, table };
    let Config {
        policy,
        required,
        reviewers,
        parallel,
        budget,
        scope,
        people,
        attest: of_verdicts,
        guidelines,
        report,
    } = config;
    let ScopePolicy { text_only, assets_ok, exclude, linguist } = scope;
    let Policy { mode, block_at, paths, abort_domains, accept_wont_fix, not_met } = policy;
    let Budget { cost, tokens, time } = budget;
    let mut values = vec![
        ("policy.mode", Value::from(mode.token())),
        ("policy.block_at", Value::from(block_at.word())),
        ("policy.required", names(required)),
        ("policy.abort_domains", names(abort_domains)),
        ("policy.accept_wont_fix", Value::from(accept_wont_fix.token())),
        ("policy.not_met", Value::from(not_met.word())),
        ("policy.parallel", number(*parallel as u64)),
        ("report.write", Value::from(report.token())),
    ];
    if !paths.is_empty() {
        let of_paths = |it: &PathPolicy| {
            let globs = it.globs.iter().cloned().map(Value::from).collect();
            let entries = [("paths", Value::Array(globs)), ("block_at", Value::from(it.block_at.word()))];
            Value::Table(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        };
        values.push(("policy.paths", Value::Array(paths.iter().map(of_paths).collect())));
    }
    let of_scope = [("scope.text_only", text_only), ("scope.assets_ok", assets_ok), ("scope.exclude", exclude)];
    let globs = |globs: &[String]| Value::Array(globs.iter().cloned().map(Value::from).collect());
    values.extend(of_scope.iter().filter(|(_, all)| !all.is_empty()).map(|(key, all)| (*key, globs(all))));
    values.extend(linguist.then_some(("scope.linguist", Value::from(true))));
    if !guidelines.is_empty() {
        let of_guidelines = |it: &GuidelineRule| {
            let entries = [("paths", globs(&it.paths)), ("file", Value::from(it.file.as_str()))];
            Value::Table(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        };
        values.push(("guidelines", Value::Array(guidelines.iter().map(of_guidelines).collect())));
    }
    if *of_verdicts != AttestPolicy::default() {
        values.extend(attest::settings(of_verdicts));
    }
    values.extend(people::settings(people));
    values.extend(cost.map(|cost| ("budget.max_cost", money(cost))));
    values.extend(tokens.map(|tokens| ("budget.max_tokens", number(tokens))));
    values.extend(time.map(|time| ("budget.max_time", Value::from(written_time(time)))));
    let setting = |(key, value): (&str, Value)| {
        let origin = written.line(&key.split('.').collect::<Vec<_>>()).map_or(Origin::Default, Origin::Line);
        Setting { key: key.to_owned(), value, origin }
    };
    let mut settings: Vec<Setting> = values.into_iter().map(setting).collect();
    settings.extend(reviewers.iter().flat_map(|definition| of_reviewer(definition, &written)));
    settings
}

fn of_reviewer(definition: &Definition, written: &Written<'_>) -> Vec<Setting> {
    let name = &definition.name;
    let setting = |(key, value): (&'static str, Value)| {
        let path: Vec<&str> = ["reviewers", name.as_str()].into_iter().chain(key.split('.')).collect();
        let origin = match (written.line(&path), written.ready(name)) {
            (Some(line), _) => Origin::Line(line),
            (None, Some(ready)) if brings(&ready, key) => Origin::Ready(ready),
            _ => Origin::Default,
        };
        Setting { key: path.join("."), value, origin }
    };
    values_of(definition).into_iter().map(setting).collect()
}

/// Returns the definition of a reviewer, by the keys of its table. Values that its kind has no key for are left out.
fn values_of(definition: &Definition) -> Vec<(&'static str, Value)> {
    let Definition {
        name: _,
        kind,
        command,
        format,
        domain,
        timeout,
        persona,
        exit_codes,
        env,
        writes,
        enabled_when,
        ..
    } = definition;
    let Definition { service, price, second, fallback, weighting, dependencies, junit, .. } = definition;
    let EnabledWhen { paths, languages, contents, changed_lines } = enabled_when;
    let mut values = vec![
        ("kind", Value::from(kind.token())),
        ("domain", Value::from(domain.as_str())),
        ("timeout", Value::from(written_time(*timeout))),
    ];
    if let Some(Service { provider, url, model, key_env }) = service {
        values.push(("provider", Value::from(provider.token())));
        values.push(("url", Value::from(url.as_str())));
        values.push(("model", Value::from(model.as_str())));
        values.extend(key_env.as_deref().map(|name| ("key_env", Value::from(name))));
    } else {
        values.push(("command", Value::from(command.clone())));
        values.push(("env", Value::from(env.clone())));
        values.push(("writes", Value::from(writes.clone())));
    }
    if *kind == ReviewerKind::Tool {
        values.push(("format", Value::from(format.unwrap_or("auto"))));
        values.push(("exit_codes", Value::from(exit_codes.iter().map(|code| i64::from(*code)).collect::<Vec<_>>())));
    }
    values.extend(persona.as_ref().map(|persona| ("persona", Value::from(persona.name.as_str()))));
    if let Some(Price { input, output }) = price {
        values.push(("price.input", money(*input)));
        values.push(("price.output", money(*output)));
    }
    values.extend(second.as_ref().map(|second| ("second", Value::from(second.as_str()))));
    values.push(("role", Value::from(weighting.role.token())));
    if !fallback.is_empty() {
        values.push(("fallback", names(fallback)));
    }
    if !dependencies.prepare.is_empty() {
        values.push(("prepare", Value::from(dependencies.prepare.clone())));
    }
    if !dependencies.links.is_empty() {
        let links: Vec<&str> = dependencies.links.iter().map(RepoPath::as_str).collect();
        values.push(("links", Value::from(links)));
    }
    values.extend(junit.as_ref().map(|path| ("junit", Value::from(path.as_str()))));
    if !weighting.severities.is_empty() {
        let rows = weighting.severities.iter().map(|it| (it.pattern.clone(), Value::from(it.severity.word())));
        values.push(("severity", Value::Table(rows.collect())));
    }
    let lists =
        [("enabled_when.paths", paths), ("enabled_when.languages", languages), ("enabled_when.contents", contents)];
    let given = lists.into_iter().filter(|(_, list)| !list.is_empty());
    values.extend(given.map(|(key, list)| (key, Value::from(list.clone()))));
    values.extend(changed_lines.map(|lines| ("enabled_when.changed_lines", number(lines.into()))));
    values
}

/// Tells whether something ready-made comes with a value for a key.
fn brings(ready: &str, key: &str) -> bool {
    let is_tool = TOOLS.iter().any(|tool| tool.name == ready);
    let of_tool = ["command", "writes", "format", "domain", "exit_codes", "enabled_when.paths", "severity"];
    let of_agent = ["command", "env", "writes"];
    let is_agent = agents::reviewers().iter().any(|(name, _)| *name == ready);
    (is_tool && of_tool.contains(&key)) || (is_agent && of_agent.contains(&key))
}

/// The content of a file, with its places.
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

    /// Returns the name of the ready-made definition that a reviewer uses.
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

/// Says an amount of dollars as the file has it, to the last of its digits.
fn money(micro_dollars: u64) -> Value {
    let text = format!("{}.{:06}", micro_dollars / 1_000_000, micro_dollars % 1_000_000);
    Value::from(text.trim_end_matches('0').trim_end_matches('.'))
}

fn number(number: u64) -> Value {
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
                    timeout = \"2h\"\nenabled_when = { contents = [\"a\"] }\n[reviewers.qa]\nkind = \"agent\"\nuse = \"claude\"\nsecond = \"model\"\n\
                    [reviewers.model]\nkind = \"api\"\nprovider = \"anthropic\"\nmodel = \"m\"\npersona = \"qa\"\n\
                    price = { input = 3, output = \"15.5\" }\n[budget]\nmax_cost = \"2.505\"\nmax_tokens = 9\nmax_time = \"1m\"\n";
        let config = Config::read(Some(text.as_bytes()), &|_| None).unwrap();
        let written: String =
            settings(&config, None).iter().map(|setting| format!("{} = {}\n", setting.key, setting.value)).collect();
        assert_eq!(Config::read(Some(written.as_bytes()), &|_| None), Ok(config), "{written}");
    }
}
