//! Reviewers that a team defines: a tool or an agent, run on a private copy of the tree (DESIGN §10).
//!
//! In: a definition of the base, whether a person trusts it, and the tree. Out: what it printed, or why that does not count.
//! Deliberately not here: reading what it printed, and who may trust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::brief::{self, Unit};
use super::enabled;
use super::export::{Export, Tree, random_hex, told};
use super::gate_integrity::{is_executed_by_tools, is_for_agents};
use super::{Answer, Reviewer, Unanswered};
use crate::model::{Definition, Domain, ReviewerKind, Scope};
use crate::process::{self, Bounds};

/// The path that stands for the private copy in what reviewers print, so that the same output is the same bytes.
pub const ROOT: &str = "/jury/tree";

/// How much a reviewer may print.
const MOST_OUTPUT: usize = 16 << 20;
/// How much is kept of what does not count.
const MOST_KEPT: usize = 64 << 10;
/// What a program is told of the environment that Jury itself was started in.
const ENVIRONMENT: &[&str] =
    &["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "SSL_CERT_DIR", "SSL_CERT_FILE", "TERM", "TZ", "USER"];

/// A tool, or an agent with one unit of the change.
pub struct Outside<'t> {
    definition: &'t Definition,
    is_trusted: bool,
    tree: &'t dyn Tree,
    task: Task,
    unconfined: OnceLock<String>,
}

enum Task {
    /// It is not asked, for this reason.
    Skipped(String),
    /// A tool looks at the tree.
    Look,
    /// An agent reads one brief; these files are in none.
    Read(Unit, Vec<(String, String)>),
}

impl<'t> Outside<'t> {
    /// Returns whoever has to be asked about a change: one for a tool, one for each unit for an agent. Who is not enabled is
    /// there, too, and says so.
    pub fn of(definition: &'t Definition, is_trusted: bool, tree: &'t dyn Tree, scope: &Scope) -> Vec<Self> {
        let with = |task| Self { definition, is_trusted, tree, task, unconfined: OnceLock::new() };
        if let Some(why) = enabled::skipped(&definition.enabled_when, scope) {
            return vec![with(Task::Skipped(why))];
        }
        if definition.kind == ReviewerKind::Tool {
            let wants_files = definition.command.iter().any(|word| word == FILES);
            let task = match wants_files && files(definition, scope).is_empty() {
                true => Task::Skipped("no file that is still there is one that it is for".to_owned()),
                false => Task::Look,
            };
            return vec![with(task)];
        }
        let (mut units, mut too_large) = brief::units(scope);
        if units.is_empty() && !too_large.is_empty() {
            units.push(Unit::default());
        }
        if units.is_empty() {
            return vec![with(Task::Skipped("nothing is left to look at".to_owned()))];
        }
        units.into_iter().map(|unit| with(Task::Read(unit, std::mem::take(&mut too_large)))).collect()
    }

    /// Returns one that is not asked.
    pub fn skipped(definition: &'t Definition, tree: &'t dyn Tree, why: &str) -> Self {
        let task = Task::Skipped(why.to_owned());
        Self { definition, is_trusted: false, tree, task, unconfined: OnceLock::new() }
    }

    /// Tells whether it will be asked at all.
    pub fn is_asked(&self) -> bool {
        !matches!(self.task, Task::Skipped(_))
    }

    fn export(&self) -> Result<Export, Unanswered> {
        let export = Export::new().map_err(|error| failed(format!("no private copy could be made: {error}")))?;
        let is_agent = self.definition.kind == ReviewerKind::Agent;
        // A file that the command itself names is part of the definition, which the change does not decide about.
        let is_named = |path: &str| self.definition.command.iter().any(|word| word == path);
        let is_executed = |path: &str| is_executed_by_tools(path) || is_named(path);
        let is_left_out = |path: &str| is_agent && is_for_agents(path);
        let filled = export.fill(self.tree, &is_executed, &is_left_out);
        filled.map_err(|why| failed(format!("no private copy could be made: {why}")))?;
        Ok(export)
    }

    fn command(&self, scope: &Scope, export: &Export) -> Command {
        let words = expanded(self.definition, scope);
        let (program, arguments) = words.split_first().expect("config refuses a command without a program");
        let mut command = Command::new(program);
        command.args(arguments).current_dir(export.tree()).env_clear();
        let named = self.definition.env.iter().map(String::as_str);
        for name in ENVIRONMENT.iter().copied().chain(named) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        // A folder that is relative would be one of the tree, and its programs those of the change.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let absolute = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
        if let Ok(path) = std::env::join_paths(absolute) {
            command.env("PATH", path);
        }
        command.env("TMPDIR", export.temporary()).env("NO_COLOR", "1");
        command
    }

    /// Returns where it may write: in what was made for it, and where its definition says.
    fn writable(&self, export: &Export) -> Vec<PathBuf> {
        let home = std::env::var_os("HOME").filter(|home| Path::new(home).is_absolute());
        let place = |written: &String| match written.strip_prefix("~/") {
            Some(below) => home.as_ref().map(|home| Path::new(home).join(below)),
            None => Some(PathBuf::from(written)),
        };
        let named = self.definition.writes.iter().filter_map(place);
        [export.tree(), export.temporary()].into_iter().chain(named).collect()
    }

    /// Runs the command; returns what it printed, with the private copy under a name that is always the same.
    fn printed(&self, scope: &Scope, export: &Export, given: &[u8]) -> Result<String, Unanswered> {
        let given =
            export.given(given).map_err(|error| failed(format!("what it is to read cannot be written: {error}")))?;
        let bounds = Bounds { time: self.definition.timeout, output: MOST_OUTPUT };
        let writable = self.writable(export);
        let mut ended = process::run(&mut self.command(scope, export), Some(given), bounds, Some(&writable));
        if let Some(why) = ended.unconfined.take() {
            _ = self.unconfined.set(why);
        }
        let tree = export.tree().display().to_string();
        let is_refused = self.unconfined.get().is_none() && is_refused(&ended.last_words);
        let trouble = ended.trouble(&self.definition.exit_codes).map(|what| match is_refused {
            true => format!("{what}; it may write only in its private copy, its TMPDIR, and where `writes` says"),
            false => what,
        });
        let (printed, broken) = match String::from_utf8(ended.printed) {
            Ok(text) => (text, None),
            Err(error) => (
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                Some("it printed something that is not UTF-8".to_owned()),
            ),
        };
        let printed = printed.replace(&tree, ROOT);
        match trouble.map(|what| format!("it {what}")).or(broken) {
            None => Ok(printed),
            Some(why) => Err(Unanswered::Failed {
                why: why.replace(&tree, ROOT),
                printed: Some(printed.chars().take(MOST_KEPT).collect()),
            }),
        }
    }
}

impl Reviewer for Outside<'_> {
    fn name(&self) -> Domain {
        self.definition.name.clone()
    }

    fn domain(&self) -> Domain {
        self.definition.domain.clone()
    }

    fn kind(&self) -> ReviewerKind {
        self.definition.kind
    }

    fn definition(&self) -> String {
        self.definition.digest()
    }

    fn format(&self) -> Option<&'static str> {
        self.definition.format
    }

    fn model(&self) -> Option<String> {
        // Whoever is started by the same program is taken for the same model: agreeing with oneself proves nothing.
        let program = self.definition.command.first().filter(|_| self.definition.kind == ReviewerKind::Agent)?;
        program.rsplit('/').next().map(str::to_owned)
    }

    fn unconfined(&self) -> Option<String> {
        self.unconfined.get().cloned()
    }

    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered> {
        let is_untrusted = !self.is_trusted;
        let untrusted = || {
            let name = &self.definition.name;
            failed(format!("nobody has trusted its command here; `jury trust {name}` shows it and asks to be sure"))
        };
        match &self.task {
            Task::Skipped(why) => Err(Unanswered::Skipped(why.clone())),
            _ if is_untrusted => Err(untrusted()),
            Task::Look => {
                let export = self.export()?;
                let output = self.printed(scope, &export, b"")?;
                Ok(Answer { output, unreviewed: Vec::new(), nonce: None })
            }
            Task::Read(unit, too_large) if unit.files.is_empty() => {
                let (path, why) = too_large.first().map_or(("the change", "it is empty"), |(path, why)| (path, why));
                Err(failed(format!("{path} cannot be put into a brief: {why}")))
            }
            Task::Read(unit, too_large) => {
                let random = random_hex().map_err(|error| failed(format!("there is no nonce: {error}")))?;
                let nonce = random[..32].to_owned();
                let export = self.export()?;
                let printed = self.printed(scope, &export, &brief::brief(self.definition, scope, unit, &nonce))?;
                let output = delivered(&export, printed)?;
                Ok(Answer { output, unreviewed: too_large.clone(), nonce: Some(nonce) })
            }
        }
    }
}

/// Reads the verdict file that an answer points at (001), if it points at one in the private copy.
fn delivered(export: &Export, printed: String) -> Result<String, Unanswered> {
    let pointer = printed.lines().next().and_then(|line| line.strip_prefix("verdict-file:")).map(str::trim);
    let Some(pointer) = pointer else { return Ok(printed) };
    let tree = export.tree();
    let relative = pointer.strip_prefix(ROOT).map_or(pointer, |below| below.trim_start_matches('/'));
    let place = tree.join(relative);
    let refused = |why: String| Unanswered::Failed { why, printed: Some(printed.clone()) };
    // Where symlinks lead counts, not where they lie.
    let found = place
        .canonicalize()
        .map_err(|error| refused(format!("its verdict file cannot be read: {}", told(&place, &error))))?;
    let is_inside =
        found.starts_with(&tree) && fs::metadata(&found).is_ok_and(|it| it.is_file() && it.len() <= MOST_OUTPUT as u64);
    if !is_inside {
        return Err(refused(format!("its verdict file {pointer:?} is no file of the folder that it was given")));
    }
    let text =
        fs::read_to_string(&found).map_err(|error| refused(format!("its verdict file cannot be read: {error}")))?;
    Ok(text.replace(&tree.display().to_string(), ROOT))
}

/// Tells whether a program complains that it may not do something.
fn is_refused(last_words: &str) -> bool {
    ["ermission denied", "EACCES", "not permitted"].iter().any(|said| last_words.contains(said))
}

fn failed(why: String) -> Unanswered {
    Unanswered::Failed { why, printed: None }
}

const FILES: &str = "{files}";

/// Returns the files that a tool is asked about: those of the change that are still there.
fn files(definition: &Definition, scope: &Scope) -> Vec<String> {
    let is_there = |file: &&crate::model::ChangedFile| file.after.is_some() && !file.is_symlink;
    let is_asked = |file: &&crate::model::ChangedFile| {
        scope.is_in_focus(&file.path) && enabled::concerns(&definition.enabled_when, file)
    };
    let argument = |path: &str| if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    scope.files.iter().filter(is_there).filter(is_asked).map(|file| argument(file.path.as_str())).collect()
}

/// Puts the values in the place of the placeholders.
fn expanded(definition: &Definition, scope: &Scope) -> Vec<String> {
    let base = scope.base.commit.as_deref().unwrap_or_default();
    let head = scope.head.as_deref().unwrap_or_default();
    let mut words = Vec::new();
    for word in &definition.command {
        match word.as_str() {
            FILES => words.extend(files(definition, scope)),
            word => words.push(word.replace("{base}", base).replace("{head}", head)),
        }
    }
    words
}
