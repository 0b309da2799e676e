//! A team's definition of a reviewer of its own: a tool, an agent or a model behind an API, and its limits (DESIGN §10).
//!
//! In: values that `config` has checked. Out: plain data for `dispatch`, and the digest by which it is trusted and known
//! again. Deliberately not here: TOML, and how anything is run.

use std::time::Duration;

use super::closed_set::closed_set;
use super::{Domain, Price, RepoPath, ReviewerRole, RuleSeverity, Service, Weighting, short_digest};

closed_set! {
    /// Who stands behind a run.
    ReviewerKind {
        /// A specialist of Jury's own, the rules of the project, or the keeper of the gate.
        BuiltIn = "built-in",
        /// A linter or the like, which prints one of the formats.
        Tool = "tool",
        /// A command whose exit code is the evidence.
        Check = "check",
        /// A model behind a command line, which is given a brief.
        Agent = "agent",
        /// A model behind an API, which is given the same brief.
        Api = "api",
        /// A team agent that raises something itself.
        Team = "team",
    }
}

impl ReviewerKind {
    /// Tells whether a model answers.
    pub fn is_model(self) -> bool {
        matches!(self, Self::Agent | Self::Api)
    }
}

/// A reviewer that a team defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: Domain,
    /// Its kind: a tool, a check, an agent or a model behind an API.
    pub kind: ReviewerKind,
    /// The program and its arguments, with their placeholders; empty for a model behind an API.
    pub command: Vec<String>,
    /// The format of its output; `None` to find out.
    pub format: Option<&'static str>,
    /// The domain of its findings.
    pub domain: Domain,
    /// How long it may run.
    pub timeout: Duration,
    /// Who an agent is.
    pub persona: Option<Persona>,
    /// With which codes it ends if it ran to its end.
    pub exit_codes: Vec<i32>,
    /// Further variables of the environment that it is given: those of these names, and `NAME=VALUE` with a value of its own.
    pub env: Vec<String>,
    /// Its writable paths beside its private folders: absolute paths, those that start with `~/`, and [`Self::ANYWHERE`].
    pub writes: Vec<String>,
    /// When it is asked at all.
    pub enabled_when: EnabledWhen,
    /// Where a model behind an API is found.
    pub service: Option<Service>,
    /// The price of its tokens.
    pub price: Option<Price>,
    /// The reviewer that is asked in its place if it is not sure of its answer (001); else itself.
    pub second: Option<Domain>,
    /// The reviewers that are asked in its place, one after the other, if it cannot answer.
    pub fallback: Vec<Domain>,
    /// How its findings and its failure count.
    pub weighting: Weighting,
    /// The packages that a tool or a check needs beside the tree.
    pub dependencies: Dependencies,
    /// Where a check writes its report of tests, in the form of JUnit.
    pub junit: Option<RepoPath>,
}

/// How the packages are had that a tool needs beside the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// The command that installs them into a copy of the base; empty for none.
    pub prepare: Vec<String>,
    /// Folders of the working tree that hold them.
    pub links: Vec<RepoPath>,
}

/// The role description of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persona {
    /// The name of an embedded one, or the path of a file of the base.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// When a reviewer is asked: every condition that is given has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnabledWhen {
    /// Globs, of which one has to match a file of the change; empty is no condition.
    pub paths: Vec<String>,
    /// Languages, of which one has to be that of a file of the change; empty is no condition.
    pub languages: Vec<String>,
    /// Regular expressions, of which one has to match the text of such a file, before or after the change; empty is no condition.
    pub contents: Vec<String>,
    /// How many lines have to be added or removed at least.
    pub changed_lines: Option<u32>,
}

impl EnabledWhen {
    /// Compiles one of `contents`: linear in the text, and of bounded size.
    pub fn expression(pattern: &str) -> Result<regex::bytes::Regex, regex::Error> {
        regex::bytes::RegexBuilder::new(pattern).size_limit(1 << 20).multi_line(true).build()
    }
}

impl Definition {
    /// The path for anywhere: such a reviewer is not confined.
    pub const ANYWHERE: &'static str = "*";

    /// The embedded persona that assesses acceptance criteria.
    pub const INTENT: &'static str = "intent";

    /// Tells whether it assesses acceptance criteria, and finds nothing else.
    pub fn assesses_intent(&self) -> bool {
        self.persona.as_ref().is_some_and(|persona| persona.name == Self::INTENT)
    }

    /// Returns the digest of the whole definition: trust covers nothing else.
    pub fn digest(&self) -> String {
        let Self {
            name,
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
            service,
            price,
            second,
            fallback,
            weighting,
            dependencies,
            junit,
        } = self;
        let EnabledWhen { paths, languages, contents, changed_lines } = enabled_when;
        let seconds = timeout.as_secs().to_string();
        let lines = changed_lines.map(|lines| lines.to_string());
        let codes: Vec<String> = exit_codes.iter().map(ToString::to_string).collect();
        let persona = persona.as_ref().map_or([""; 2], |persona| [&persona.name, &persona.text]);
        let mut parts = vec!["2", name.as_str(), kind.token(), format.unwrap_or("auto"), domain.as_str(), &seconds];
        parts.extend(persona);
        parts.push(lines.as_deref().unwrap_or_default());
        for list in [command, &codes, env, paths, languages, contents, writes] {
            // A list of lists is told apart by the name of each, which no length could be taken for.
            parts.push("list");
            parts.extend(list.iter().map(String::as_str));
        }
        // These are always as many, so that they are told apart from the last list.
        parts.extend(service.as_ref().map_or([""; 4], |service| {
            let key = service.key_env.as_deref().unwrap_or_default();
            [service.provider.token(), &service.url, &service.model, key]
        }));
        let price = price.map(|price| format!("{} {}", price.input, price.output)).unwrap_or_default();
        parts.extend([price.as_str(), second.as_ref().map(Domain::as_str).unwrap_or_default()]);
        // Left out where they say nothing, so that trust of before holds.
        let Weighting { role, severities } = weighting;
        if *role != ReviewerRole::Required {
            parts.extend(["role", role.token()]);
        }
        for name in fallback {
            parts.extend(["fallback", name.as_str()]);
        }
        for RuleSeverity { pattern, severity } in severities {
            parts.extend(["severity", pattern, severity.word()]);
        }
        for word in &dependencies.prepare {
            parts.extend(["prepare", word]);
        }
        for path in &dependencies.links {
            parts.extend(["link", path.as_str()]);
        }
        if let Some(path) = junit {
            parts.extend(["junit", path.as_str()]);
        }
        short_digest(&parts, 64)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::Provider;

    pub(crate) fn tool() -> Definition {
        let name = Domain::new("lint").unwrap();
        Definition {
            name: name.clone(),
            kind: ReviewerKind::Tool,
            command: vec!["lint".to_owned(), "{files}".to_owned()],
            format: Some("sarif"),
            domain: name,
            timeout: Duration::from_secs(60),
            persona: None,
            exit_codes: vec![0, 1],
            env: Vec::new(),
            writes: Vec::new(),
            enabled_when: EnabledWhen::default(),
            service: None,
            price: None,
            second: None,
            fallback: Vec::new(),
            weighting: Weighting::default(),
            dependencies: Dependencies::default(),
            junit: None,
        }
    }

    pub(crate) fn service() -> Service {
        let [url, model] = ["https://models.example", "m"].map(str::to_owned);
        Service { provider: Provider::OpenAi, url, model, key_env: None }
    }

    #[test]
    fn whatever_is_changed_is_another_definition() {
        let changes: [fn(&mut Definition); 25] = [
            |it| it.name = Domain::new("other").unwrap(),
            |it| it.kind = ReviewerKind::Agent,
            |it| it.command.push("--fix".to_owned()),
            |it| it.format = None,
            |it| it.domain = Domain::new("other").unwrap(),
            |it| it.timeout = Duration::from_secs(61),
            |it| it.persona = Some(Persona { name: "p".to_owned(), text: "t".to_owned() }),
            |it| it.exit_codes = vec![0],
            |it| it.env.push("TOKEN".to_owned()),
            |it| it.writes.push("/srv/cache".to_owned()),
            |it| it.enabled_when.paths.push("src/**".to_owned()),
            |it| it.enabled_when.contents.push("src/**".to_owned()),
            |it| it.enabled_when.changed_lines = Some(1),
            |it| it.service = Some(service("https://a", "m", None)),
            |it| it.service = Some(service("https://b", "m", None)),
            |it| it.service = Some(service("https://a", "n", None)),
            |it| it.service = Some(service("https://a", "m", Some("KEY"))),
            |it| it.price = Some(Price { input: 1, output: 2 }),
            |it| it.second = Some(Domain::new("other").unwrap()),
            |it| it.fallback.push(Domain::new("other").unwrap()),
            |it| it.dependencies.prepare.push("npm".to_owned()),
            |it| it.dependencies.links.push(RepoPath::new("node_modules").unwrap()),
            |it| it.junit = Some(RepoPath::new("junit.xml").unwrap()),
            |it| it.weighting.role = ReviewerRole::Advisory,
            |it| {
                let pattern = "*".to_owned();
                it.weighting.severities.push(RuleSeverity { pattern, severity: crate::model::Severity::Low });
            },
        ];
        fn service(url: &str, model: &str, key: Option<&str>) -> Service {
            let [url, model] = [url, model].map(str::to_owned);
            Service { provider: Provider::OpenAi, url, model, key_env: key.map(str::to_owned) }
        }
        let mut digests = vec![tool().digest()];
        for change in changes {
            let mut changed = tool();
            change(&mut changed);
            assert!(!digests.contains(&changed.digest()), "{changed:?}");
            digests.push(changed.digest());
        }
    }
}
