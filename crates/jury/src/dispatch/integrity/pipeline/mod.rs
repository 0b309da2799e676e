//! CI and hooks as jobs and steps, whatever file they stand in, and the difference between two of them.
//!
//! In: the texts of a file before and after. Out: edits (`edits`), each with what it means. One file here reads each form (`github`, `gitlab`, `hooks`),
//! one compares (`compare`). Deliberately not here: severities.

pub(super) mod checks;
pub(super) mod commands;
mod compare;
mod condition;
mod github;
mod gitlab;
mod hooks;
mod jobs;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use super::data_tree::DataTree;
use commands::{Command, commands};
pub(super) use compare::{Found, Surroundings, checks_of, compare};
use condition::Condition;

/// The jobs of a file.
#[derive(Debug, Default)]
pub(super) struct Pipeline {
    /// What starts it: events with their filters. A file without any has jobs that something else starts.
    events: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    /// Files of other places that are part of it.
    includes: Vec<Uses>,
    jobs: Vec<Job>,
    /// Parts that nobody here knows.
    rest: BTreeMap<String, String>,
}

/// A job: steps that run one after the other in one place.
#[derive(Debug, Default)]
struct Job {
    id: String,
    name: String,
    line: u32,
    condition: Condition,
    /// Its failure fails nothing.
    may_fail: bool,
    /// The levels of access that it has, by what they are for; `None` is what the repository gives by default.
    access: Option<BTreeMap<String, u8>>,
    runner: Vec<String>,
    image: Option<String>,
    needs: BTreeSet<String>,
    /// How often it runs with which values.
    matrix: Option<DataTree>,
    env: BTreeMap<String, String>,
    /// The secrets that it passes to all its steps, or to what it calls.
    secrets: BTreeSet<String>,
    steps: Vec<Step>,
    /// Parts that nobody here knows.
    rest: BTreeMap<String, String>,
}

/// A step.
#[derive(Clone, Debug, Default)]
struct Step {
    name: String,
    line: u32,
    condition: Condition,
    may_fail: bool,
    what: What,
    with: BTreeMap<String, String>,
    env: BTreeMap<String, String>,
    secrets: BTreeSet<String>,
    shell: Option<String>,
    folder: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Run(Vec<Command>),
    Uses(Uses),
}

impl Default for What {
    fn default() -> Self {
        Self::Run(Vec::new())
    }
}

/// An action, a workflow, a file or a hook of another place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Uses {
    /// Where it is: owner, repository and path.
    key: String,
    /// Which version; empty if none is said.
    version: String,
}

impl Uses {
    /// Tells whether the version can be another tomorrow: it is no number and no commit.
    fn is_unpinned(&self) -> bool {
        !self.is_local() && !self.version.contains(|c: char| c.is_ascii_digit())
    }

    /// Tells whether the version is a commit.
    fn is_pinned(&self) -> bool {
        self.version.contains("sha256:")
            || self.version.len() >= 40 && self.version.chars().all(|c| c.is_ascii_hexdigit())
    }

    fn is_local(&self) -> bool {
        self.key.starts_with('.') || self.key.starts_with('/')
    }

    fn owner(&self) -> &str {
        self.key.split('/').next().unwrap_or_default()
    }
}

impl Step {
    fn run(script: &str, is_pipefail: bool) -> What {
        What::Run(commands(script, is_pipefail))
    }

    /// Returns its commands.
    fn commands(&self) -> &[Command] {
        if let What::Run(commands) = &self.what { commands } else { &[] }
    }

    /// Tells whether it can find something wrong.
    fn is_check(&self) -> bool {
        match &self.what {
            What::Run(commands) => commands.iter().any(|command| command.is_check() && command.can_fail),
            What::Uses(uses) => checks::is_check_action(&uses.key),
        }
    }

    fn is_jury(&self) -> bool {
        match &self.what {
            What::Run(commands) => commands.iter().any(Command::is_jury),
            What::Uses(uses) => uses.key.split('/').any(|part| part == "jury" || part == "jury-action"),
        }
    }

    /// Names it.
    fn said(&self) -> String {
        match &self.what {
            _ if !self.name.is_empty() => self.name.clone(),
            What::Uses(uses) => uses.key.clone(),
            What::Run(commands) => commands.first().map(Command::said).unwrap_or_default(),
        }
    }
}

impl Job {
    fn is_check(&self) -> bool {
        self.steps.iter().any(Step::is_check)
    }

    fn is_jury(&self) -> bool {
        self.steps.iter().any(Step::is_jury)
    }

    /// Tells whether it can write somewhere or knows a secret.
    fn is_powerful(&self) -> bool {
        let writes = self.access.as_ref().is_some_and(|access| access.values().any(|level| *level > 1));
        writes || !self.secrets.is_empty() || self.steps.iter().any(|step| !step.secrets.is_empty())
    }
}

impl Pipeline {
    fn is_check(&self) -> bool {
        self.jobs.iter().any(Job::is_check)
    }
}

/// The forms of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Workflow,
    Action,
    GitLab,
    PreCommit,
    Lefthook,
    /// A table from hooks, or patterns of files, to commands.
    Table,
    Script,
    Makefile,
}

impl Form {
    /// Returns the form of a file, by its path.
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = path.to_lowercase();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        let is_in = |part: &str| format!("{folder}/").contains(part);
        match name {
            "action.yml" | "action.yaml" => Some(Self::Action),
            _ if is_yaml
                && ["github", "gitea", "forgejo"]
                    .iter()
                    .any(|host| format!("/{folder}").ends_with(&format!("/.{host}/workflows"))) =>
            {
                Some(Self::Workflow)
            }
            _ if is_yaml && (name.starts_with(".gitlab-ci") || is_in(".gitlab/")) => Some(Self::GitLab),
            ".pre-commit-config.yaml" | ".pre-commit-config.yml" => Some(Self::PreCommit),
            _ if name.starts_with("lefthook") || name.starts_with(".lefthook") => {
                (!name.ends_with(".toml")).then_some(Self::Lefthook)
            }
            ".lintstagedrc"
            | ".lintstagedrc.json"
            | ".lintstagedrc.yml"
            | ".lintstagedrc.yaml"
            | ".simple-git-hooks.json"
            | "simple-git-hooks.json" => Some(Self::Table),
            "makefile" | "gnumakefile" => Some(Self::Makefile),
            _ if [".husky/", ".githooks/", ".git-hooks/", ".hooks.d/"].iter().any(|part| is_in(part)) => {
                (!name.contains('.') || name.ends_with(".sh")).then_some(Self::Script)
            }
            _ => None,
        }
    }

    /// Reads a file.
    fn read(self, path: &str, text: &str) -> Result<Pipeline, String> {
        match self {
            Self::Workflow => github::workflow(&DataTree::read(text)?),
            Self::Action => github::action(&DataTree::read(text)?),
            Self::GitLab => gitlab::pipeline(&DataTree::read(text)?),
            Self::PreCommit => hooks::pre_commit(&DataTree::read(text)?),
            Self::Lefthook => hooks::lefthook(&DataTree::read(text)?),
            Self::Table => hooks::table(&DataTree::read(text)?),
            Self::Script => hooks::script(path, text),
            Self::Makefile => Ok(hooks::makefile(text)),
        }
    }
}

/// Returns the secrets that a text names.
fn secrets_in(texts: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in texts {
        for part in text.split("secrets").skip(1) {
            let rest = part.trim_start_matches([' ', '.', '[', '\'', '"']);
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '-').collect();
            let is_reference = part.starts_with(['.', '[', ' ', ')', '}']) && text.contains("${{");
            if is_reference && name != "GITHUB_TOKEN" {
                found.insert(if name.is_empty() { "all secrets".to_owned() } else { name });
            }
        }
    }
    found
}

/// Returns a map of texts.
fn texts_of(tree: Option<&DataTree>) -> BTreeMap<String, String> {
    let members = tree.map(DataTree::members).unwrap_or_default();
    members.iter().map(|(key, value)| (key.clone(), value.canonical())).collect()
}
