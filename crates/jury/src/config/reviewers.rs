//! `[reviewers.NAME]` of `jury.toml` in; definitions out, ready-made ones filled in.
//!
//! Strict: an unknown key, a word outside the set, a command that the change could replace are errors with
//! their line. Deliberately not here: whether a program is installed, and whether it is trusted.

use std::collections::BTreeMap;

use super::definition::definition;
use super::reviewer_table::Table;
use super::{ConfigError, POLICY_FILE};
use crate::model::{Definition, ReviewerKind};

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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::agents;
    use crate::config::Config;
    use crate::config::definition::DEFAULT_TIMEOUT;
    use crate::config::ready::TOOLS;

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
