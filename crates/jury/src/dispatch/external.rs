//! Reviewers that a team defines: a tool or an agent, run on a private copy of the tree, or a model behind an API (DESIGN §10).
//!
//! In: a definition of the base, whether a person trusts it, and the tree. Out: its output, or the reason why that does not count.
//! Deliberately not here: reading its output, and granting trust.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant, UNIX_EPOCH};

use super::brief::{self, Split, Told, Unit};
use super::contest_brief::{self, ContestedFinding};
use super::dependencies::{self, Linked, OwnTree};
use super::enabled;
use super::executed::{BaseFiles, Executed};
use super::export::{Export, Tree, random_hex, told};
use super::settings::{self, is_for_agents};
use super::{Answer, Reviewer, Unanswered, api, check};
use crate::agents;
use crate::model::{
    ChangedFile, Definition, Domain, FileChange, Guideline, Price, RepoPath, ReviewerKind, Scope, Side, Weighting,
    short_digest,
};
use crate::process::{self, Bounds, Ended};
use crate::record::{Output, ROOT, UnseenFile};

/// How much a reviewer may print.
const MOST_OUTPUT: usize = 16 << 20;
/// The kept length of an invalid output.
const MOST_KEPT: usize = 64 << 10;
/// The environment variables of Jury that a program sees.
const ENVIRONMENT: &[&str] =
    &["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "SSL_CERT_DIR", "SSL_CERT_FILE", "TERM", "TZ", "USER"];

/// A tool, or an agent or a model with one unit of the change.
pub struct External<'t> {
    definition: Cow<'t, Definition>,
    /// The domain of its findings: that of the reviewer in whose place it is asked.
    domain: Domain,
    is_trusted: bool,
    /// Who is asked if it is not sure, and whether that one is trusted.
    second: Option<(&'t Definition, bool)>,
    /// Who is asked if it cannot answer, and whether each is trusted.
    fallback: Vec<(&'t Definition, bool)>,
    tree: &'t dyn Tree,
    /// The side of the change that a tool looks at.
    side: Side,
    task: Task,
    /// The files of the change that its briefs do not show.
    left_out: Vec<RepoPath>,
    /// The files that changed since it answered last.
    since: Option<&'t [RepoPath]>,
    /// The team's own rules for files of the change.
    guidelines: &'t [Guideline],
    /// The acceptance criteria that it assesses.
    criteria: &'t [String],
    /// The files that its command runs.
    executed: OnceLock<Result<Executed, String>>,
    unconfined: OnceLock<String>,
}

#[derive(Clone)]
enum Task {
    /// It is not asked, for this reason.
    Skipped(String),
    /// It should be asked, and cannot be, for this reason.
    Missing(String),
    /// A tool looks at the tree.
    Look,
    /// An agent or a model reads one brief; these files are in none.
    Read(Unit, Vec<(String, String)>),
}

impl<'t> External<'t> {
    /// Returns the requests about a change: one for a tool, one for each unit for an agent or a model. Who is not
    /// enabled is there, too, and says so.
    pub fn of(definition: &'t Definition, is_trusted: bool, tree: &'t dyn Tree, scope: &Scope) -> Vec<Self> {
        let with = |task| Self {
            definition: Cow::Borrowed(definition),
            domain: definition.domain.clone(),
            is_trusted,
            second: None,
            fallback: Vec::new(),
            tree,
            side: Side::Right,
            task,
            left_out: Vec::new(),
            since: None,
            guidelines: &[],
            criteria: &[],
            executed: OnceLock::new(),
            unconfined: OnceLock::new(),
        };
        if let Some(why) = enabled::skipped(&definition.enabled_when, scope) {
            return vec![with(Task::Skipped(why))];
        }
        if definition.kind == ReviewerKind::Check {
            return vec![with(Task::Look)];
        }
        if definition.kind == ReviewerKind::Tool {
            let tool = with(Task::Look);
            let is_needed = !wants_files(definition) || !tool.paths(scope).is_empty();
            let why = "no file that is still there is one that it is for";
            return vec![if is_needed { tool } else { Self { task: Task::Skipped(why.to_owned()), ..tool } }];
        }
        let Split { mut units, mut too_large, mut left_out } = brief::units(definition, scope);
        if units.is_empty() && !too_large.is_empty() {
            units.push(Unit::default());
        }
        if units.is_empty() {
            return vec![with(Task::Skipped("nothing is left to look at".to_owned()))];
        }
        let asked = units.into_iter().map(|unit| Self {
            left_out: std::mem::take(&mut left_out),
            ..with(Task::Read(unit, std::mem::take(&mut too_large)))
        });
        asked.collect()
    }

    /// Returns one that is not asked.
    pub fn skipped(definition: &'t Definition, tree: &'t dyn Tree, why: &str) -> Self {
        let task = Task::Skipped(why.to_owned());
        Self {
            definition: Cow::Borrowed(definition),
            domain: definition.domain.clone(),
            is_trusted: false,
            second: None,
            fallback: Vec::new(),
            tree,
            side: Side::Right,
            task,
            left_out: Vec::new(),
            since: None,
            guidelines: &[],
            criteria: &[],
            executed: OnceLock::new(),
            unconfined: OnceLock::new(),
        }
    }

    /// Returns one that should be asked and cannot be.
    pub fn missing(definition: &'t Definition, tree: &'t dyn Tree, why: &str) -> Self {
        Self { task: Task::Missing(why.to_owned()), ..Self::skipped(definition, tree, why) }
    }

    /// Returns the model that answers, if it is known.
    pub fn model_of(definition: &Definition) -> Option<String> {
        if let Some(service) = &definition.service {
            return Some(service.family());
        }
        // Reviewers of the same program count as the same model: its agreement with itself proves nothing.
        let program = definition.command.first().filter(|_| definition.kind == ReviewerKind::Agent)?;
        let program = program.rsplit('/').next()?;
        Some(agents::model_of_program(program).to_owned())
    }

    /// Asks an agent or a model about a contested finding. Returns the nonce of its brief, and what it printed; or why there is no answer.
    pub fn contested(
        definition: &'t Definition,
        tree: &'t dyn Tree,
        scope: &Scope,
        contested: &ContestedFinding,
    ) -> Result<(String, String), String> {
        let reviewer = Self { is_trusted: true, ..Self::skipped(definition, tree, "") };
        let brief = |nonce: &str| contest_brief::brief(definition, contested, nonce);
        let said = reviewer.answered_to(scope, &brief).map_err(|unanswered| match unanswered {
            Unanswered::Failed { why, .. } | Unanswered::Skipped(why) => why,
        })?;
        match (said.nonce, said.output) {
            (Some(nonce), Output::Printed(text)) => Ok((nonce, text)),
            _ => Err("it has no answer in words".to_owned()),
        }
    }

    /// Says who is asked if it is not sure, and whether that one is trusted.
    pub fn backed_by(self, second: Option<(&'t Definition, bool)>) -> Self {
        Self { second, ..self }
    }

    /// Says who is asked if it cannot answer, and whether each is trusted.
    pub fn replaced_by(self, fallback: Vec<(&'t Definition, bool)>) -> Self {
        Self { fallback, ..self }
    }

    /// Says which files changed since it answered last: its brief names them.
    pub fn since(self, since: Option<&'t [RepoPath]>) -> Self {
        Self { since: since.filter(|_| self.definition.kind == ReviewerKind::Agent), ..self }
    }

    /// Gives it the team's own rules, and the acceptance criteria if it is who assesses them.
    pub fn told(self, guidelines: &'t [Guideline], criteria: &'t [String]) -> Self {
        let criteria = if self.definition.assesses_intent() { criteria } else { &[] };
        Self { guidelines, criteria, ..self }
    }

    /// Returns another reviewer with the same work.
    fn with_work_of(&self, definition: Cow<'t, Definition>, is_trusted: bool) -> Self {
        Self {
            definition,
            domain: self.domain.clone(),
            is_trusted,
            second: None,
            fallback: Vec::new(),
            tree: self.tree,
            side: self.side,
            task: self.task.clone(),
            left_out: self.left_out.clone(),
            since: None,
            guidelines: self.guidelines,
            criteria: self.criteria,
            executed: OnceLock::new(),
            unconfined: OnceLock::new(),
        }
    }

    /// Tells whether it will be asked at all.
    pub fn is_asked(&self) -> bool {
        !matches!(self.task, Task::Skipped(_))
    }

    /// Makes the private copy. The settings of tools, and the files that a command runs, are part of the definition, which the change does not
    /// decide about.
    fn export(&self, scope: &Scope) -> Result<Export, Unanswered> {
        let no_copy = |why: String| failed(format!("no private copy could be made: {why}"));
        let export = Export::new().map_err(|error| no_copy(error.to_string()))?;
        let is_agent = self.definition.kind == ReviewerKind::Agent;
        if self.definition.kind == ReviewerKind::Check {
            // What it checks is the tree as it is, with the scripts and settings of that tree.
            export.fill(self.tree, &|_| self.side == Side::Left, &|_| false).map_err(no_copy)?;
            return Ok(export);
        }
        if !is_agent {
            self.executed().as_ref().map_err(|why| no_copy(why.clone()))?;
        }
        let asked: BTreeSet<RepoPath> = self.paths(scope).into_iter().collect();
        let is_asked = |path: &str| RepoPath::new(path).is_ok_and(|path| asked.contains(&path));
        // A tool that is given files takes nothing else that looks like settings from the change.
        let has_files = wants_files(&self.definition);
        let is_from_base = |path: &str| {
            self.side == Side::Left
                || self.is_of_definition(path)
                || (has_files && settings::looks_like_settings(path) && !is_asked(path))
        };
        let is_left_out = |path: &str| is_agent && is_for_agents(path);
        export.fill(self.tree, &is_from_base, &is_left_out).map_err(no_copy)?;
        Ok(export)
    }

    /// Returns the packages that it needs beside the tree, installed if need be.
    fn linked(&self, scope: &Scope) -> Result<Vec<Linked>, Unanswered> {
        let wanted = &self.definition.dependencies;
        let own = self.own_packages().map_err(failed)?;
        let prepare = |tree: &Path, temporary: &Path| {
            let mut command = self.command(&wanted.prepare, tree, temporary, &[]);
            let bounds = Bounds { time: self.definition.timeout, output: MOST_OUTPUT };
            let writable = self.writable([tree.to_owned(), temporary.to_owned()]);
            let ended = process::run(&mut command, None, bounds, writable.as_deref());
            match ended.trouble(&[0]) {
                Some(what) => Err(format!("`prepare` {what}{}", self.hint(&ended.last_words))),
                None => Ok(()),
            }
        };
        let (tree, kept_by): (&dyn Tree, _) = match &own {
            Some(own) => (own, Some(scope.tree.as_str())),
            None => (self.tree, None),
        };
        dependencies::folders(wanted, tree, kept_by, &prepare).map_err(failed)
    }

    /// Returns the tree after the change if a check needs other packages than the base: it alters a lockfile or a file of settings.
    fn own_packages(&self) -> Result<Option<OwnTree<'_>>, String> {
        let wanted = &self.definition.dependencies;
        if self.definition.kind != ReviewerKind::Check || self.side == Side::Left || wanted.prepare.is_empty() {
            return Ok(None);
        }
        let own = OwnTree::of(self.tree)?;
        let key = dependencies::key(wanted, &own)?;
        Ok(Some(own).filter(|_| dependencies::key(wanted, self.tree).map_or(true, |of_base| of_base != key)))
    }

    /// Explains a refusal by the confinement.
    fn hint(&self, last_words: &str) -> &'static str {
        match self.unconfined.get().is_none() && is_refused(last_words) {
            true => "; it may write only to its private copy, its TMPDIR and the places in `writes`",
            false => "",
        }
    }

    /// Returns the files that its command runs, or why they cannot be known.
    fn executed(&self) -> &Result<Executed, String> {
        self.executed.get_or_init(|| BaseFiles::of(self.tree).map(|base| Executed::of(&self.definition.command, &base)))
    }

    /// Tells whether a file configures tools or is run by this one, so that the base decides about it.
    fn is_of_definition(&self, path: &str) -> bool {
        let is_tool = self.definition.kind == ReviewerKind::Tool;
        let is_run = || self.executed().as_ref().is_ok_and(|executed| executed.has(path));
        settings::configures_tools(path) || (is_tool && is_run())
    }

    /// Returns the files that a tool is asked about: those that it sees as they are.
    fn paths(&self, scope: &Scope) -> Vec<RepoPath> {
        let mut paths = paths(&self.definition, scope, self.side);
        paths.retain(|path| self.side == Side::Left || !self.is_of_definition(path.as_str()));
        paths
    }

    /// Puts the values in the place of the placeholders.
    fn expanded(&self, scope: &Scope) -> Vec<String> {
        let base = scope.base.commit.as_deref().unwrap_or_default();
        let head = scope.head.as_deref().unwrap_or_default();
        let argument =
            |path: RepoPath| if path.as_str().starts_with('-') { format!("./{path}") } else { path.to_string() };
        let mut words = Vec::new();
        for word in &self.definition.command {
            match word.as_str() {
                FILES => words.extend(self.paths(scope).into_iter().map(argument)),
                // The private copy is the working directory.
                word => words.push(word.replace("{base}", base).replace("{head}", head).replace("{tree}", ".")),
            }
        }
        words
    }

    /// Makes a command that runs in a tree. Programs of linked folders are found before others.
    fn command(&self, words: &[String], tree: &Path, temporary: &Path, linked: &[Linked]) -> Command {
        let (program, arguments) = words.split_first().expect("config refuses a command without a program");
        let mut command = Command::new(program);
        command.args(arguments).current_dir(tree).env_clear();
        let named = self.definition.env.iter().map(String::as_str);
        for name in ENVIRONMENT.iter().copied().chain(named) {
            match name.split_once('=') {
                Some((name, value)) => _ = command.env(name, value),
                None => _ = std::env::var_os(name).map(|value| command.env(name, value)),
            }
        }
        // A folder that is relative would be one of the tree, and its programs those of the change.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let absolute = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
        if let Ok(path) = std::env::join_paths(dependencies::programs(linked).chain(absolute)) {
            command.env("PATH", path);
        }
        command.env("TMPDIR", temporary).env("NO_COLOR", "1");
        command
    }

    /// Returns its writable paths: its private folders, and those of its definition; `None` for anywhere.
    fn writable(&self, private: [PathBuf; 2]) -> Option<Vec<PathBuf>> {
        if self.definition.writes.iter().any(|place| place == Definition::ANYWHERE) {
            _ = self.unconfined.set("its definition allows writes anywhere".to_owned());
            return None;
        }
        let home = std::env::var_os("HOME").filter(|home| Path::new(home).is_absolute());
        let place = |written: &String| match written.strip_prefix("~/") {
            Some(below) => home.as_ref().map(|home| Path::new(home).join(below)),
            None => Some(PathBuf::from(written)),
        };
        // A path that names a folder is created, as its program would have done.
        let made = |(written, place): (&String, PathBuf)| {
            if written.ends_with('/') {
                _ = fs::create_dir_all(&place);
            }
            place
        };
        let named = self.definition.writes.iter().filter_map(|written| Some((written, place(written)?))).map(made);
        Some(private.into_iter().chain(named).collect())
    }

    /// Runs the command in the private copy.
    fn ended(&self, scope: &Scope, export: &Export, linked: &[Linked], given: &[u8]) -> Result<Ended, Unanswered> {
        let given = export.given(given).map_err(|error| failed(format!("its input cannot be written: {error}")))?;
        let bounds = Bounds { time: self.definition.timeout, output: MOST_OUTPUT };
        let (tree, temporary) = (export.tree(), export.temporary());
        let mut command = self.command(&self.expanded(scope), &tree, &temporary, linked);
        let writable = self.writable([tree, temporary]);
        let mut ended = process::run(&mut command, Some(given), bounds, writable.as_deref());
        if let Some(why) = ended.unconfined.take() {
            _ = self.unconfined.set(why);
        }
        Ok(ended)
    }

    /// Runs a check, and reads the report of tests that it writes.
    fn checked(&self, scope: &Scope) -> Result<Answer, Unanswered> {
        let export = self.export(scope)?;
        let linked = self.linked(scope)?;
        export.link(&linked).map_err(failed)?;
        let report = self.definition.junit.as_ref().map(|path| export.tree().join(path.as_str()));
        // A report that lies in the tree is none of this run.
        for stale in report.iter().filter(|place| place.symlink_metadata().is_ok()) {
            let removed =
                if stale.is_dir() && !stale.is_symlink() { fs::remove_dir_all(stale) } else { fs::remove_file(stale) };
            removed.map_err(|error| failed(told(stale, &error)))?;
        }
        let start = Instant::now();
        let ended = self.ended(scope, &export, &linked, b"")?;
        let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let report = report.map(|place| text_inside(&export, &place));
        let tree = export.tree().display().to_string();
        let mut result = check::result(&ended, milliseconds, report).map_err(|why| failed(why.replace(&tree, ROOT)))?;
        result.texts_mut().for_each(|text| *text = text.replace(&tree, ROOT));
        Ok(Answer::checked(result))
    }

    /// Runs the command; returns its output, with a fixed name for the private copy.
    fn printed(&self, scope: &Scope, export: &Export, linked: &[Linked], given: &[u8]) -> Result<String, Unanswered> {
        let ended = self.ended(scope, export, linked, given)?;
        let tree = export.tree().display().to_string();
        let hint = self.hint(&ended.last_words);
        let trouble = ended.trouble(&self.definition.exit_codes).map(|what| format!("{what}{hint}"));
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
                usage: None,
            }),
        }
    }

    /// Has a brief answered, by an agent in a private copy of the tree or by a model that sees nothing else.
    fn answered(&self, scope: &Scope, unit: &Unit) -> Result<Answer, Unanswered> {
        let Self { guidelines, criteria, since, .. } = *self;
        let told = Told { guidelines, criteria, since };
        self.answered_to(scope, &|nonce| brief::brief(&self.definition, scope, unit, nonce, told))
    }

    fn answered_to(&self, scope: &Scope, brief: &dyn Fn(&str) -> Vec<u8>) -> Result<Answer, Unanswered> {
        let random = random_hex().map_err(|error| failed(format!("no nonce: {error}")))?;
        let nonce = random[..32].to_owned();
        let brief = brief(&nonce);
        let (output, usage) = match &self.definition.service {
            Some(service) => {
                let form = if self.criteria.is_empty() { api::Form::Findings } else { api::Form::Criteria };
                let said = api::ask(service, (&String::from_utf8_lossy(&brief), form), self.definition.timeout)?;
                (said.text, said.usage)
            }
            None => {
                let export = self.export(scope)?;
                let printed = self.printed(scope, &export, &[], &brief)?;
                (delivered(&export, printed)?, None)
            }
        };
        Ok(Answer { nonce: Some(nonce), usage, ..Answer::whole(output) })
    }

    /// Returns the identity of the program and its variables: another version may answer differently.
    fn surroundings(&self) -> Vec<String> {
        let program = self.definition.command.first().map(String::as_str).unwrap_or_default();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = std::env::split_paths(&path).map(|folder| folder.join(program));
        let file = places.into_iter().find_map(|place| Some((fs::metadata(&place).ok()?, place)));
        let file = file.map(|(file, place)| {
            let changed =
                file.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
            format!("{} {} {}", place.display(), file.len(), changed.as_nanos())
        });
        let value = |name: &String| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let values = self.definition.env.iter().map(|name| value(name).unwrap_or_default());
        file.into_iter().chain(values).collect()
    }
}

impl Reviewer for External<'_> {
    fn name(&self) -> Domain {
        self.definition.name.clone()
    }

    fn domain(&self) -> Domain {
        self.domain.clone()
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
        Self::model_of(&self.definition)
    }

    fn price(&self) -> Option<Price> {
        self.definition.price
    }

    fn input(&self, scope: &Scope) -> Option<String> {
        // Folders of the working tree can be other ones without anybody noticing.
        if !self.is_trusted || !self.definition.dependencies.links.is_empty() {
            return None;
        }
        // Tools execute files of the base, which moves while the tree stays.
        let executed = self.tree.executed_from();
        let side = if self.side == Side::Left { "the base" } else { "" };
        // A check of the base is the same for every change.
        let is_of_base = self.definition.kind == ReviewerKind::Check && self.side == Side::Left;
        let seen_tree = if is_of_base { "" } else { scope.tree.as_str() };
        let tree = [seen_tree, scope.base.commit.as_deref().unwrap_or_default(), &executed, side];
        let words = match &self.task {
            Task::Skipped(_) | Task::Missing(_) => return None,
            Task::Look => {
                let wanted = &self.definition.dependencies;
                let mut words = self.expanded(scope);
                if !wanted.prepare.is_empty() {
                    words.push(dependencies::key(wanted, self.tree).ok()?);
                }
                words
            }
            // The nonce is no part of it: it is another one every time; nor is what it answered before.
            Task::Read(unit, _) => {
                let told = Told { guidelines: self.guidelines, criteria: self.criteria, since: None };
                vec![String::from_utf8_lossy(&brief::brief(&self.definition, scope, unit, "", told)).into_owned()]
            }
        };
        // A model sees only the brief; a program may read the whole tree.
        let seen = if self.definition.service.is_some() { Vec::new() } else { self.surroundings() };
        let tree = tree.iter().filter(|_| self.definition.service.is_none());
        let parts: Vec<&str> = tree.copied().chain(words.iter().chain(&seen).map(String::as_str)).collect();
        Some(short_digest(&parts, 64))
    }

    fn second(&self) -> Option<Box<dyn Reviewer + '_>> {
        let Task::Read(..) = &self.task else { return None };
        let (definition, is_trusted) = match self.second {
            None => (self.definition.clone(), self.is_trusted),
            // Another model, in the same role.
            Some((other, is_trusted)) => {
                let Definition { name, domain, persona, enabled_when, second, .. } = self.definition.as_ref().clone();
                let other = Definition { name, domain, persona, enabled_when, second, ..other.clone() };
                (Cow::Owned(other), self.is_trusted && is_trusted)
            }
        };
        Some(Box::new(self.with_work_of(definition, is_trusted)))
    }

    fn fallback(&self) -> Vec<Box<dyn Reviewer + '_>> {
        let stand_in = |(other, is_trusted): &(&'_ Definition, bool)| {
            Box::new(self.with_work_of(Cow::Owned((*other).clone()), *is_trusted)) as Box<dyn Reviewer + '_>
        };
        self.fallback.iter().map(stand_in).collect()
    }

    fn on_base(&self) -> Option<Box<dyn Reviewer + '_>> {
        let has_base = || self.tree.base_paths().is_ok_and(|paths| !paths.is_empty());
        let is_one = self.definition.kind == ReviewerKind::Check && self.side == Side::Right && has_base();
        let on_base = || Self { side: Side::Left, ..self.with_work_of(self.definition.clone(), self.is_trusted) };
        is_one.then(|| Box::new(on_base()) as Box<dyn Reviewer + '_>)
    }

    fn weighting(&self) -> Weighting {
        self.definition.weighting.clone()
    }

    fn files(&self, scope: &Scope) -> Option<Vec<RepoPath>> {
        match &self.task {
            Task::Skipped(_) | Task::Missing(_) => None,
            Task::Look if self.definition.kind == ReviewerKind::Check => None,
            Task::Look => wants_files(&self.definition).then(|| self.paths(scope)),
            Task::Read(unit, _) => Some(unit.files.clone()),
        }
    }

    fn criteria(&self) -> Vec<String> {
        match self.task {
            Task::Read(..) => self.criteria.to_vec(),
            Task::Skipped(_) | Task::Missing(_) | Task::Look => Vec::new(),
        }
    }

    fn left_out(&self) -> Vec<RepoPath> {
        self.left_out.clone()
    }

    fn links(&self) -> Vec<RepoPath> {
        self.definition.dependencies.links.clone()
    }

    fn unconfined(&self) -> Option<String> {
        self.unconfined.get().cloned()
    }

    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered> {
        let is_untrusted = !self.is_trusted;
        let untrusted = || {
            // A substitute has the name of the reviewer it replaces.
            let name = match (&self.definition.second, self.second) {
                (Some(second), None) => second,
                _ => &self.definition.name,
            };
            let what = match &self.definition.service {
                Some(service) => format!("sending code to {} is not trusted", service.url),
                None => "its command is not trusted".to_owned(),
            };
            failed(format!("{what}; run `jury trust {name}`"))
        };
        match &self.task {
            Task::Skipped(why) => Err(Unanswered::Skipped(why.clone())),
            Task::Missing(why) => Err(failed(why.clone())),
            _ if is_untrusted => Err(untrusted()),
            Task::Look if self.definition.kind == ReviewerKind::Check => self.checked(scope),
            Task::Look => {
                let export = self.export(scope)?;
                let linked = self.linked(scope)?;
                export.link(&linked).map_err(failed)?;
                Ok(Answer::whole(self.printed(scope, &export, &linked, b"")?))
            }
            Task::Read(unit, too_large) if unit.files.is_empty() => {
                let (path, why) = too_large.first().map_or(("the change", "it is empty"), |(path, why)| (path, why));
                Err(failed(format!("{path} cannot be put into a brief: {why}")))
            }
            Task::Read(unit, too_large) => Ok(Answer { unseen: unseen(too_large), ..self.answered(scope, unit)? }),
        }
    }

    fn run_within(&self, scope: &Scope, time: Duration) -> Result<Answer, Unanswered> {
        let timeout = self.definition.timeout.min(time);
        let definition = Cow::Owned(Definition { timeout, ..self.definition.as_ref().clone() });
        let work = self.with_work_of(definition, self.is_trusted);
        let hurried = External { second: self.second, since: self.since, ..work };
        let result = hurried.run(scope);
        if let Some(why) = hurried.unconfined.into_inner() {
            // It was not set before: a reviewer runs once.
            _ = self.unconfined.set(why);
        }
        result
    }
}

/// Reads the verdict file that an answer points at (001), if it points at one in the private copy.
fn delivered(export: &Export, printed: String) -> Result<String, Unanswered> {
    let pointer = printed.lines().next().and_then(|line| line.strip_prefix("verdict-file:")).map(str::trim);
    let Some(pointer) = pointer else { return Ok(printed) };
    let tree = export.tree();
    let relative = pointer.strip_prefix(ROOT).map_or(pointer, |below| below.trim_start_matches('/'));
    let refused = |why: String| Unanswered::Failed { why, printed: Some(printed.clone()), usage: None };
    let text = text_inside(export, &tree.join(relative));
    let text = text.map_err(|why| refused(format!("its verdict file {pointer:?} cannot be read: {why}")))?;
    Ok(text.replace(&tree.display().to_string(), ROOT))
}

/// Reads a text file of the private copy.
fn text_inside(export: &Export, place: &Path) -> Result<String, String> {
    // Where symlinks lead counts, not where they lie.
    let found = place.canonicalize().map_err(|error| told(place, &error))?;
    let is_file = || fs::metadata(&found).is_ok_and(|it| it.is_file() && it.len() <= MOST_OUTPUT as u64);
    match found.starts_with(export.tree()) && is_file() {
        true => fs::read_to_string(&found).map_err(|error| told(place, &error)),
        false => Err("it is not a file of the private copy".to_owned()),
    }
}

/// Returns the files that are too large for a brief.
fn unseen(too_large: &[(String, String)]) -> Vec<UnseenFile> {
    let path = |path: &str| RepoPath::new(path).expect("a brief is made of files of the scope");
    too_large.iter().map(|(file, why)| UnseenFile { path: path(file), why: why.clone() }).collect()
}

/// Tells whether a program complains that it may not do something.
fn is_refused(last_words: &str) -> bool {
    ["ermission denied", "EACCES", "not permitted"].iter().any(|said| last_words.contains(said))
}

fn failed(why: String) -> Unanswered {
    Unanswered::failed(why)
}

const FILES: &str = "{files}";

fn wants_files(definition: &Definition) -> bool {
    definition.command.iter().any(|word| word == FILES)
}

/// Returns the files that a tool is asked about: those of the change that are there, before or after it.
fn paths(definition: &Definition, scope: &Scope, side: Side) -> Vec<RepoPath> {
    let is_asked =
        |file: &&ChangedFile| scope.is_reviewed(&file.path) && enabled::concerns(&definition.enabled_when, file);
    let path = |file: &ChangedFile| match (side, &file.change) {
        (Side::Right, _) => (file.after.is_some() && !file.is_symlink).then(|| file.path.clone()),
        (Side::Left, FileChange::Renamed { from }) => Some(from.clone()),
        (Side::Left, _) => file.before.is_some().then(|| file.path.clone()),
    };
    scope.files.iter().filter(is_asked).filter_map(path).collect()
}
