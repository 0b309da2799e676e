//! The decisions of the base of a change: policy, waivers, the repository's own rules, the definitions of reviewers.
//!
//! In: a repository and a base. Out: values that were read from the base, never from the change; and whether a review was decided
//! by the same. Deliberately not here: finding the base (`scope`), and reading TOML (`config`).

use std::collections::{BTreeMap, BTreeSet};

use jury_rules::{PROJECT, RuleError, RuleFile, Specialist};

use crate::config::{self, Config, ConfigError};
use crate::model::{
    Base, ChangedFile, Day, Definition, Domain, Guideline, Line, LineRange, Mode, RepoPath, ReviewerKind, Scope, Side,
    Timestamp, Waiver, beside,
};
use crate::record::{Record, RecordedPolicy, Run};
use crate::scope::{Repository, ScopeError, Snapshot};

/// Why the base could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BaseError {
    /// The repository could not be read.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// A file of the team cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// A team's policy, as on the base.
pub struct BasePolicy {
    /// The base.
    pub base: Base,
    /// The policy, and the reviewers that have to report.
    pub config: Config,
    /// The waivers.
    pub waivers: Vec<config::waivers::Entry>,
    /// The repository's own rules, if it has any.
    pub rules: Option<&'static Specialist>,
    /// The day on which the base was committed: today is not earlier than that, regardless of the clock.
    pub as_of: Option<Day>,
    /// What agents are told of the change that is judged; empty where none is.
    pub guidelines: Vec<Guideline>,
}

impl BasePolicy {
    /// Reads the policy that judges a review: that of the base. A quick check compares with the last commit, which is part of the
    /// change; it is judged by the base of the branch.
    pub fn judging(repository: &Repository, snapshot: &Snapshot, scope: &Scope, mode: Mode) -> Result<Self, BaseError> {
        let base = judging_base(repository, snapshot, mode == Mode::Quick, &scope.base)?;
        let mut policy = Self::read(repository, &base)?;
        policy.guidelines = guidelines(repository, &base, &policy.config, scope)?;
        Ok(policy)
    }

    /// Reads it from the base.
    pub fn read(repository: &Repository, base: &Base) -> Result<Self, BaseError> {
        let file = |path: &str| repository.base_file(base, &RepoPath::new(path).expect("the path is a plain one"));
        Ok(Self {
            base: base.clone(),
            config: configured(repository, base, file(config::POLICY_FILE)?.as_deref())?,
            waivers: config::waivers::read(file(config::WAIVERS_FILE)?.as_deref())?,
            rules: own_rules(repository, base)?,
            as_of: repository.base_day(base)?,
            guidelines: Vec::new(),
        })
    }

    /// Takes what the base excludes out of a scope. Every line of a file counts as touched that the change moves out of what is excluded:
    /// nobody reviewed it where it was.
    pub fn exclude(&self, repository: &Repository, scope: &mut Scope) -> Result<(), ScopeError> {
        let excluded = repository.excluded(scope, &self.config.scope, &self.base)?;
        let moved = scope.files.iter().filter(|file| excluded.moved_out.contains(&file.path));
        let moved: Vec<_> = moved.filter_map(|file| Some((file.path.clone(), all_lines(file)?))).collect();
        for (path, lines) in moved {
            scope.change.add_lines(path, Side::Right, lines);
        }
        scope.excluded = excluded.paths;
        Ok(())
    }

    /// Returns the policy as records keep it. A reviewer that the team defines has to report.
    pub fn policy(&self) -> RecordedPolicy {
        let config = &self.config;
        let defined = config.reviewers.iter().map(|reviewer| &reviewer.name);
        let stands_in = |name: &Domain| config.reviewers.iter().any(|other| other.fallback.contains(name));
        let defined = defined.filter(|name| !config.required.contains(name) && !stands_in(name));
        RecordedPolicy {
            policy: config.policy.clone(),
            required: config.required.iter().chain(defined).cloned().collect(),
            scope: config.scope.clone(),
        }
    }

    /// Returns the guidelines that some runs were told, as records keep them.
    pub fn told(&self, runs: &[Run]) -> BTreeMap<RepoPath, String> {
        let is_model = |run: &&Run| matches!(run.kind, ReviewerKind::Agent | ReviewerKind::Api);
        let saw = |path: &RepoPath| {
            let mut models = runs.iter().filter(is_model).filter(|run| run.skipped().is_none());
            models.any(|run| run.files.as_ref().is_none_or(|files| files.contains(path)))
        };
        let told = self.guidelines.iter().filter(|guideline| guideline.covers.iter().any(saw));
        told.map(|guideline| (guideline.file.clone(), guideline.text.clone())).collect()
    }

    /// Returns the waivers as records keep them.
    pub fn waivers(&self) -> Vec<Waiver> {
        self.waivers.iter().map(|entry| entry.waiver.clone()).collect()
    }

    /// Returns the waivers that have ended. A clock that runs behind the base brings none of them back (FAULTS, row 25).
    pub fn ended(&self, today: Day) -> Vec<config::waivers::Entry> {
        config::waivers::ended(&self.waivers, self.as_of.map_or(today, |as_of| as_of.max(today)))
    }

    /// Returns the waivers that a review counted and that have ended since. A clock that runs behind the review brings none of
    /// them back.
    pub fn ended_since(&self, record: &Record, now: &Timestamp) -> Vec<Waiver> {
        let ended = self.ended(Day::of(now).max(Day::of(&record.timestamp)));
        ended.into_iter().map(|entry| entry.waiver).filter(|waiver| record.counts(waiver)).collect()
    }

    /// Tells whether a review was decided by the same policy, rules, reviewers and waivers. A waiver that came since opens
    /// nothing; one that the review counted and that was taken back or altered does not count any more.
    pub fn is_same_as(&self, record: &Record) -> bool {
        // Reasons may have lost their secrets in the record, and decide nothing.
        let terms = |waiver: &Waiver| (waiver.finding.clone(), waiver.author.clone(), waiver.expires);
        let still: BTreeSet<_> = self.waivers().iter().map(terms).collect();
        let counted = record.waivers.iter().filter(|waiver| record.counts(waiver));
        let are_kept = counted.map(terms).all(|waiver| still.contains(&waiver));
        let rules_then = record.runs.iter().find(|run| run.reviewer.as_str() == PROJECT);
        let are_same_rules =
            rules_then.map(|run| run.definition.clone()) == self.rules.map(Specialist::definition_digest);
        // A reviewer that is defined otherwise now was never asked; a new one is required, and so part of the policy.
        let is_as_asked = |definition: &Definition| {
            // A built-in specialist may go by the same name.
            let is_its = |run: &&Run| run.reviewer == definition.name && run.kind == definition.kind && !run.is_again;
            record.runs.iter().filter(is_its).all(|run| run.definition == definition.digest())
        };
        let are_same_reviewers = self.config.reviewers.iter().all(is_as_asked);
        self.policy() == record.policy && are_kept && are_same_rules && are_same_reviewers
    }
}

/// Returns the range of all lines of a file, if it has a text.
pub fn all_lines(file: &ChangedFile) -> Option<LineRange> {
    let count = String::from_utf8_lossy(file.after.as_deref()?).lines().count();
    let line = |number: usize| Line::new(i64::try_from(number).unwrap_or(i64::MAX)).ok();
    LineRange::new(line(1)?, line(count.max(1))?).ok()
}

/// Returns the base whose policy judges. A quick check compares with the last commit, which is part of the change.
fn judging_base(
    repository: &Repository,
    snapshot: &Snapshot,
    is_quick: bool,
    compared_with: &Base,
) -> Result<Base, ScopeError> {
    if !is_quick {
        return Ok(compared_with.clone());
    }
    match repository.base_of(snapshot, None) {
        // Without any branch to merge into, the last commit is the best there is.
        Err(ScopeError::NoBase | ScopeError::ShallowNoBase) => Ok(compared_with.clone()),
        base => base,
    }
}

/// Returns the repository's own rules, as they judged a review.
pub fn rules_of(
    repository: &Repository,
    snapshot: &Snapshot,
    recorded: &Base,
    is_quick: bool,
) -> Result<Option<&'static Specialist>, BaseError> {
    let found = judging_base(repository, snapshot, true, recorded)?;
    let base = if is_quick || found.name == recorded.name { found } else { recorded.clone() };
    Ok(BasePolicy::read(repository, &base)?.rules)
}

/// Reads a policy. The personas that it names are those of the base, wherever it comes from itself.
pub fn configured(repository: &Repository, base: &Base, policy: Option<&[u8]>) -> Result<Config, ConfigError> {
    Config::read(policy, &|path| base_text(repository, base, path))
}

/// Reads a file of the base as text; `None` if there is none.
fn base_text(repository: &Repository, base: &Base, path: &str) -> Option<String> {
    let bytes = repository.base_file(base, &RepoPath::new(path).ok()?).ok()??;
    String::from_utf8(bytes).ok()
}

/// Returns the guidelines for the files of a change: those that the policy names, and the nearest `REVIEW.md` of each file.
fn guidelines(
    repository: &Repository,
    base: &Base,
    config: &Config,
    scope: &Scope,
) -> Result<Vec<Guideline>, ScopeError> {
    let paths = || scope.files.iter().map(|file| &file.path);
    let mut found: BTreeMap<RepoPath, Guideline> = BTreeMap::new();
    let mut add = |file: &RepoPath, text: &str, covers: Vec<RepoPath>| {
        let new = || Guideline { file: file.clone(), text: text.to_owned(), covers: Vec::new() };
        let guideline = found.entry(file.clone()).or_insert_with(new);
        guideline.covers.extend(covers);
        guideline.covers.sort();
        guideline.covers.dedup();
    };
    for rule in &config.guidelines {
        let covered = rule.covered(paths());
        if !covered.is_empty() {
            add(&rule.file, &rule.text, covered);
        }
    }
    // Each place is looked up once, whether it has something or not.
    let mut seen: BTreeMap<RepoPath, Option<String>> = BTreeMap::new();
    for path in paths() {
        for place in beside(path) {
            if !seen.contains_key(&place) {
                let bytes = repository.base_file(base, &place)?;
                let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                seen.insert(place.clone(), text);
            }
            if let Some(Some(text)) = seen.get(&place) {
                add(&place, text, vec![path.clone()]);
                break;
            }
        }
    }
    Ok(found.into_values().collect())
}

/// Reads the repository's own rules.
fn own_rules(repository: &Repository, base: &Base) -> Result<Option<&'static Specialist>, BaseError> {
    let folder = RepoPath::new(config::RULES_FOLDER).expect("the path is a plain one");
    let mut files = Vec::new();
    for (path, bytes) in repository.base_files(base, &folder)? {
        if !["yml", "yaml"].contains(&path.extension().unwrap_or_default()) {
            continue;
        }
        let path = path.to_string();
        let text = String::from_utf8(bytes)
            .map_err(|_| ConfigError { file: path.clone(), what: "it is not UTF-8".to_owned() })?;
        files.push(RuleFile { path, text });
    }
    if files.is_empty() {
        return Ok(None);
    }
    let refuse = |RuleError { file, line, column, what }| ConfigError {
        file,
        what: format!("line {line}, column {column}: {what}"),
    };
    Ok(Some(Specialist::of_project(files).map_err(refuse)?))
}
