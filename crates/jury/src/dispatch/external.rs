//! Reviewers that a team defines: a tool or an agent, run on a private copy of the tree, or a model behind an API (DESIGN §10).
//!
//! In: a definition of the base, whether a person trusts it, and the tree. Out: its output, or the reason why that does not count.
//! Deliberately not here: its private copy (`private_copy`) and its command (`program`), reading its output, and granting trust.

mod private_copy;
mod program;

use std::borrow::Cow;
use std::sync::OnceLock;
use std::time::Duration;

use super::brief::{self, Split, Told, Unit};
use super::contest_brief::{self, ContestedFinding};
use super::enabled;
use super::executed::Executed;
use super::export::Tree;
use super::{Answer, Reviewer, Unanswered, dependencies};
use crate::agents;
use crate::model::{
    Definition, Domain, Guideline, Price, RepoPath, ReviewerKind, Scope, Side, Weighting, short_digest,
};
use crate::record::{Output, UnseenFile};

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

/// Returns the files that are too large for a brief.
fn unseen(too_large: &[(String, String)]) -> Vec<UnseenFile> {
    let path = |path: &str| RepoPath::new(path).expect("a brief is made of files of the scope");
    too_large.iter().map(|(file, why)| UnseenFile { path: path(file), why: why.clone() }).collect()
}

fn failed(why: String) -> Unanswered {
    Unanswered::failed(why)
}

/// The placeholder for the files that a tool is asked about.
const FILES: &str = "{files}";

fn wants_files(definition: &Definition) -> bool {
    definition.command.iter().any(|word| word == FILES)
}
