//! `jury rules`: the rules of the built-in specialists and of the repository: their list, one page each, and whether those of
//! the repository hold to their own examples.
//!
//! The repository's own rules are listed from the working tree; reviews read the base.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use jury::config::RULES_FOLDER;
use jury::scope::{Repository, ScopeError};
use jury_rules::{Language, PROJECT, Rule, RuleError, RuleFile, SPECIALISTS, Specialist};
use jury_wire::ExitCode;
use jury_wire::v1::rules as wire;

use super::OutputFormat;
use crate::error::Error;
use crate::render::inert;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury rules", "List every rule"),
            ("jury rules --domain security --language python", "List some of them"),
            ("jury rules show sql-injection", "Show reason, remedy and examples"),
            ("jury rules check", "Test the rules in .jury/rules/"),
        ],
        &[(ExitCode::Clear, "shown"), (ExitCode::Usage, "invalid command line, or a broken rule file")],
    )
}

fn check_examples() -> String {
    help::after_help(
        &[("jury rules check", "Test all files in .jury/rules/"), ("jury rules check draft.yml", "Test one file")],
        &[
            (ExitCode::Clear, "every rule passes its examples"),
            (ExitCode::Blocked, "a rule fails one of its examples"),
            (ExitCode::Usage, "a file is not a rule, or cannot be read"),
        ],
    )
}

/// List the rules, show one, or test your own
#[derive(clap::Args)]
#[command(after_help = examples(), args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Domain to list
    #[arg(long, value_name = "DOMAIN", value_parser = PossibleValuesParser::new(domains()))]
    domain: Option<String>,
    /// Language to list, by name or file extension; `text` for rules over any text
    #[arg(long, value_name = "LANGUAGE", value_parser = readable)]
    language: Option<Readable>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

#[derive(clap::Subcommand)]
enum Action {
    Show(Show),
    Check(Check),
}

/// Show one rule with its reason, remedy and examples
#[derive(clap::Args)]
struct Show {
    /// Rule id
    #[arg(value_name = "ID")]
    id: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// Test your own rules on their examples
#[derive(clap::Args)]
#[command(after_help = check_examples())]
struct Check {
    /// Rule files; default: .jury/rules/ of the working tree
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// The input of rules.
#[derive(Clone, Copy, Debug)]
enum Readable {
    Text,
    Code(Language),
}

fn domains() -> Vec<&'static str> {
    SPECIALISTS.iter().map(|specialist| specialist.domain).chain([PROJECT]).collect()
}

fn readable(word: &str) -> Result<Readable, String> {
    if word == "text" {
        return Ok(Readable::Text);
    }
    Language::named(word).map(Readable::Code).ok_or_else(|| "no rules for this language".to_owned())
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    match arguments.action {
        Some(Action::Show(arguments)) => show(&arguments, streams),
        Some(Action::Check(arguments)) => check(&arguments, streams),
        None => list(&arguments, streams),
    }
}

fn list(arguments: &Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let is_wanted = |rule: &&Rule| match arguments.language {
        None => true,
        Some(Readable::Text) => rule.languages().is_empty(),
        Some(Readable::Code(language)) => rule.languages().contains(&language),
    };
    let mut domains: Vec<(&Specialist, Vec<wire::Rule>)> = Vec::new();
    for specialist in all(&arguments.place)? {
        if arguments.domain.as_deref().is_none_or(|domain| domain == specialist.domain) {
            let rules = specialist.rules().filter(is_wanted).map(|rule| entry(specialist, rule)).collect();
            domains.push((specialist, rules));
        }
    }
    match arguments.format {
        OutputFormat::Text => streams.show(&render::rules(&domains)),
        OutputFormat::Json => {
            let rules = domains.into_iter().flat_map(|(_, rules)| rules).collect();
            streams.json(&render::pretty(&wire::Output { rules }));
        }
    }
    Ok(ExitCode::Clear)
}

fn show(arguments: &Show, streams: &mut Streams) -> Result<ExitCode, Error> {
    let specialists = all(&arguments.place)?;
    let found = specialists.iter().find_map(|of| Some((*of, of.rules().find(|rule| rule.id == arguments.id)?)));
    let (specialist, rule) = found.ok_or_else(|| Error::NoSuchRule(arguments.id.clone()))?;
    let page = page(specialist, rule);
    match arguments.format {
        OutputFormat::Text => streams.show(&render::rule(&page)),
        OutputFormat::Json => streams.json(&render::pretty(&page)),
    }
    Ok(ExitCode::Clear)
}

fn check(arguments: &Check, streams: &mut Streams) -> Result<ExitCode, Error> {
    let files = if arguments.files.is_empty() {
        own_files(&arguments.place)?
    } else {
        arguments.files.iter().map(|path| read(path, path.display().to_string())).collect::<Result<_, _>>()?
    };
    // A rule that is valid alone may clash with another.
    let clash = Specialist::of_project(files.clone()).err();
    let mut checked = wire::Checked { files: files.into_iter().map(tried).collect() };
    if let Some(clash) = clash
        && let Some(file) = checked.files.iter_mut().find(|file| file.path == clash.file && file.error.is_none())
    {
        *file = refused(clash);
    }
    match arguments.format {
        OutputFormat::Text => streams.show(&render::checked_rules(&checked)),
        OutputFormat::Json => streams.json(&render::pretty(&checked)),
    }
    Ok(if checked.files.iter().any(|file| file.error.is_some()) {
        ExitCode::Usage
    } else if checked.files.iter().any(|file| !file.accepted) {
        ExitCode::Blocked
    } else {
        ExitCode::Clear
    })
}

/// Reads a rule file and tries it on its own examples.
fn tried(file: RuleFile) -> wire::CheckedFile {
    let path = file.path.clone();
    let specialist = match Specialist::of_project(vec![file]) {
        Ok(specialist) => specialist,
        Err(error) => return refused(error),
    };
    let of_rule = |rule| specialist.failures(rule).expect("the examples were read when the rule was");
    let failures: Vec<wire::Failure> = specialist
        .rules()
        .flat_map(of_rule)
        .map(|failure| wire::Failure { example: failure.example, what: failure.what })
        .collect();
    wire::CheckedFile { path, accepted: failures.is_empty(), error: None, failures }
}

fn refused(error: RuleError) -> wire::CheckedFile {
    wire::CheckedFile {
        path: error.file,
        accepted: false,
        error: Some(wire::RuleError { line: error.line, column: error.column, what: error.what }),
        failures: Vec::new(),
    }
}

/// Returns every specialist, the repository's own last, if it has one.
fn all(place: &WorkingDir) -> Result<Vec<&'static Specialist>, Error> {
    let files = own_files(place)?;
    let own = if files.is_empty() { None } else { Some(Specialist::of_project(files).map_err(Error::Rule)?) };
    Ok(SPECIALISTS.iter().chain(own).collect())
}

/// Reads the rule files of the working tree; outside of a repository there are none.
fn own_files(place: &WorkingDir) -> Result<Vec<RuleFile>, Error> {
    let root = match Repository::discover(&place.folder) {
        Ok(repository) => repository.root().to_path_buf(),
        Err(ScopeError::NotARepository(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let folder = root.join(RULES_FOLDER);
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml"));
    paths.sort();
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    paths.iter().map(|path| read(path, format!("{RULES_FOLDER}/{}", name(path)))).collect()
}

fn read(path: &Path, shown: String) -> Result<RuleFile, Error> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| Error::Read { path: inert::line(&shown), source })?;
    Ok(RuleFile { path: shown, text })
}

fn entry(specialist: &Specialist, rule: &Rule) -> wire::Rule {
    wire::Rule {
        id: rule.id.clone(),
        domain: specialist.domain.to_owned(),
        title: rule.title.clone(),
        severity: rule.severity.token().to_owned(),
        confidence: rule.confidence,
        languages: rule.languages().into_iter().map(Language::name).collect(),
        cwe: rule.cwe.clone(),
        autofix_class: rule.autofix_class.token().to_owned(),
        owner: rule.owner.token().to_owned(),
        system_breaking: rule.is_system_breaking(),
        rewrite: rule.has_fix(),
    }
}

fn page(specialist: &Specialist, rule: &Rule) -> wire::Page {
    let examples = rule.examples().expect("the examples of every rule are read when it is built or loaded");
    let example = |example: &jury_rules::Example| wire::Example {
        path: example.path(),
        code: example.code.clone(),
        before: example.before.clone(),
    };
    wire::Page {
        rule: entry(specialist, rule),
        why_it_matters: rule.why_it_matters.clone(),
        suggested_fix: rule.suggested_fix.clone(),
        severity_in_tests: rule.severity_in_tests.map(|severity| severity.token().to_owned()),
        skip_in_tests: rule.skip_in_tests,
        invalid: examples.invalid.iter().map(example).collect(),
        valid: examples.valid.iter().map(example).collect(),
    }
}
