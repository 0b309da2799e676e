//! The panel of a review: which reviewers look, under which limits, and their runs.
//!
//! In: the policy of the base, the scope, and the options of the command. Out: one run for each reviewer, and the record of a review
//! with them.
//! Deliberately not here: how a reviewer is run (`dispatch`), and where answers are kept (`store`).

mod cached_answers;
mod inspect;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jury_rules::{PROJECT, Redactor};

use crate::base::BasePolicy;
use crate::config;
use crate::dispatch::{AskLimits, BuiltIn, External, GateIntegrity, Happening, Reviewer, Tree, dispatch};
use crate::error::FlowError;
use crate::model::{Budget, Definition, Domain, Gap, GapKind, Mode, RepoPath, ReviewerKind, Scope, Timestamp};
use crate::record::{Record, RecordedScope, Run, secrets_of};
use crate::scope::{Repository, Snapshot};
use crate::store::{Store, Trust};
use cached_answers::CachedAnswers;
use inspect::inspect;

/// Why nobody is asked about acceptance criteria.
const NO_CRITERIA: &str = "no acceptance criteria were given (`jury review --intent FILE`)";

/// The options of a command that asks reviewers.
#[derive(Clone, Debug, Default)]
pub struct AskOptions {
    /// The reviewers whose commands may be run, and to which code may be sent.
    pub trust: Trust,
    /// The budget, beside that of the policy.
    pub budget: Budget,
    /// The use of the cache.
    pub cache: CacheMode,
    /// Whether no program is started: built-in reviewers and models behind an API are asked, and nobody else.
    pub starts_nothing: bool,
    /// The acceptance criteria of the change.
    pub criteria: Vec<String>,
}

/// Cache mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// Cached answers count.
    #[default]
    Use,
    /// Every reviewer is asked anew.
    Ignore,
    /// Cached answers count, and the unfinished review has to be of the same tree.
    Resume,
}

/// Progress of a review.
pub enum Progress<'a> {
    /// The scope and the reviewers are known.
    Started {
        /// The scope.
        scope: &'a Scope,
        /// The reviewers, each with its kind.
        reviewers: Vec<(Domain, ReviewerKind)>,
    },
    /// A reviewer of the team's own is asked.
    Began(&'a Domain),
    /// A reviewer has ended.
    Ended(&'a Run),
    /// Nothing has happened for a while.
    Waiting,
}

/// The surroundings in which reviewers are asked.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The store, which has the cache.
    pub store: &'a Store,
    /// The policy of the base.
    pub policy: &'a BasePolicy,
    /// The options of the command.
    pub options: &'a AskOptions,
}

/// The reviewers of a review.
pub struct Panel<'a> {
    asking: Asking<'a>,
    reviewers: Vec<Box<dyn Reviewer + 'a>>,
}

/// The full review before: who answered in it, and what changed since.
pub struct LastReview {
    answered: BTreeSet<(Domain, String)>,
    changed: Vec<RepoPath>,
}

impl LastReview {
    /// Compares a review with the same change now.
    pub fn of(before: &Record, snapshot: &Snapshot, scope: &Scope) -> Self {
        let changed = before.scope.changed(&RecordedScope::of(scope), &|path| snapshot.file_id(path));
        let answered = before.runs.iter().filter(|run| run.answer().is_some());
        let answered = answered.map(|run| (run.reviewer.clone(), run.definition.clone()));
        Self { answered: answered.collect(), changed: changed.into_iter().collect() }
    }

    /// Returns the files that changed since a reviewer answered; `None` if it did not.
    fn since(&self, definition: &Definition) -> Option<&[RepoPath]> {
        self.answered.contains(&(definition.name.clone(), definition.digest())).then_some(self.changed.as_slice())
    }
}

/// Tells whether a reviewer is asked without starting a program.
fn starts_nothing(definition: &Definition) -> bool {
    definition.kind == ReviewerKind::Api
}

impl<'a> Panel<'a> {
    /// Returns the panel of these reviewers.
    pub fn new(asking: Asking<'a>, reviewers: Vec<Box<dyn Reviewer + 'a>>) -> Self {
        Self { asking, reviewers }
    }

    /// Returns every built-in specialist that the team does not define itself, the team's own rules and reviewers, and always
    /// gate-integrity. In a quick check: 003's two specialists, and the reviewers that have to report.
    pub fn of(asking: Asking<'a>, mode: Mode, tree: &'a dyn Tree, scope: &Scope, last: Option<&'a LastReview>) -> Self {
        let BasePolicy { config, rules, guidelines, .. } = asking.policy;
        let AskOptions { trust, criteria, .. } = asking.options;
        let may_start = |definition: &Definition| !asking.options.starts_nothing || starts_nothing(definition);
        let is_asked_if_quick = |name: &Domain| mode != Mode::Quick || config.required.contains(name);
        let second = |definition: &Definition| {
            let name = definition.second.as_ref()?;
            let second = config.reviewers.iter().find(|other| other.name == *name).filter(|other| may_start(other))?;
            Some((second, trust.covers(second)))
        };
        let fallback = |definition: &Definition| -> Vec<(&'a Definition, bool)> {
            let found = |name: &Domain| config.reviewers.iter().find(|other| other.name == *name && may_start(other));
            definition.fallback.iter().filter_map(found).map(|other| (other, trust.covers(other))).collect()
        };
        // A reviewer that only stands in for others is not asked by itself.
        let stands_in = |name: &Domain| config.reviewers.iter().any(|other| other.fallback.contains(name));
        let is_asked = |it: &&Definition| !stands_in(&it.name) || config.required.contains(&it.name);
        let outside: Vec<External<'a>> = config
            .reviewers
            .iter()
            .filter(is_asked)
            .flat_map(|definition| match is_asked_if_quick(&definition.name) {
                true if !may_start(definition) => {
                    vec![External::skipped(definition, tree, "it runs a command, and nothing is started here")]
                }
                true if definition.assesses_intent() && criteria.is_empty() => {
                    let of =
                        if config.required.contains(&definition.name) { External::missing } else { External::skipped };
                    vec![of(definition, tree, NO_CRITERIA)]
                }
                true => {
                    let all = External::of(definition, trust.covers(definition), tree, scope);
                    let backed = |reviewer: External<'a>| {
                        let since = last.and_then(|last| last.since(definition));
                        reviewer
                            .backed_by(second(definition))
                            .replaced_by(fallback(definition))
                            .since(since)
                            .told(guidelines, criteria)
                    };
                    all.into_iter().map(backed).collect()
                }
                false => vec![External::skipped(definition, tree, "not part of a quick check")],
            })
            .collect();
        let is_wanted = |reviewer: &BuiltIn| {
            let domain = reviewer.domain();
            let is_quick_one = config::QUICK.contains(&domain.as_str()) || is_asked_if_quick(&domain);
            // A reviewer that stands in for a specialist and is not asked itself leaves the work to it.
            let is_replaced = outside.iter().any(|reviewer| reviewer.is_asked() && reviewer.name() == domain);
            (is_quick_one || domain.as_str() == PROJECT) && !is_replaced
        };
        let mut reviewers: Vec<Box<dyn Reviewer + 'a>> = Vec::new();
        for reviewer in BuiltIn::all(*rules).filter(is_wanted) {
            reviewers.push(Box::new(reviewer));
        }
        reviewers.push(Box::new(GateIntegrity::of(&config.reviewers, tree).heeding_attributes(config.scope.linguist)));
        reviewers.extend(outside.into_iter().map(|reviewer| Box::new(reviewer) as Box<dyn Reviewer + 'a>));
        Self::new(asking, reviewers)
    }

    /// Returns a gap, which a person closes, for each reviewer that has to report and was not started.
    pub fn not_started(&self, record: &Record) -> Vec<Gap> {
        let Asking { policy, options, .. } = self.asking;
        let config = &policy.config;
        let is_out = |definition: &&Definition| options.starts_nothing && !starts_nothing(definition);
        let has_to = |definition: &Definition| {
            let runs = record.runs.iter().filter(|run| run.reviewer == definition.name);
            config.required.contains(&definition.name) || runs.into_iter().any(Run::has_to_answer)
        };
        let out = config.reviewers.iter().filter(is_out).filter(|definition| has_to(definition));
        let gap = |definition: &Definition| Gap {
            reviewer: definition.name.clone(),
            kind: GapKind::UnreadableFile,
            what: format!("{} runs a command, and was not started beside code that must not run here", definition.name),
            remedy: "have a person review the change, or run `jury review` where the code may run".to_owned(),
        };
        out.map(gap).collect()
    }

    /// Leaves out every reviewer of the team's own.
    pub fn built_in(mut self) -> Self {
        self.reviewers.retain(|reviewer| reviewer.kind() == ReviewerKind::BuiltIn);
        self
    }

    /// Leaves out every reviewer but these.
    pub fn only(mut self, names: &BTreeSet<Domain>) -> Self {
        self.reviewers.retain(|reviewer| names.contains(&reviewer.name()));
        self
    }

    /// Asks every reviewer about the change and records the runs, without secrets.
    pub fn review(
        &self,
        scope: &Scope,
        (mode, now): (Mode, &Timestamp),
        redactor: &Redactor,
        watch: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Record, FlowError> {
        let Asking { store, policy, .. } = self.asking;
        self.begin(mode, scope)?;
        let runs = self.ask_all(scope, watch);
        let seed = [now.as_str(), scope.tree.as_str(), &scope.target, mode.token()].join("\n");
        let review_id = store.unused_review_id(seed.as_bytes())?;
        let recorded = RecordedScope::of(scope);
        let mut record = Record::new(review_id, now.clone(), mode, recorded, policy.policy(), policy.waivers());
        record.base_day = policy.as_of;
        record.guidelines = policy.told(&runs);
        record.runs = runs;
        record.redact(redactor);
        Ok(record)
    }

    /// Notes in the store that a review has begun, if it may last. A review that is resumed has to be of the same tree: answers
    /// about another tree are no answers.
    fn begin(&self, mode: Mode, scope: &Scope) -> Result<(), FlowError> {
        let Asking { store, options, .. } = self.asking;
        if options.cache == CacheMode::Resume {
            match store.begun()? {
                None => return Err(FlowError::NothingBegun),
                Some(tree) if tree != scope.tree.as_str() => return Err(FlowError::OtherTree),
                Some(_) => {}
            }
        }
        if mode != Mode::Quick && self.reviewers.iter().any(|reviewer| reviewer.kind() != ReviewerKind::BuiltIn) {
            store.begin(scope.tree.as_str())?;
        }
        Ok(())
    }

    /// Announces the reviewers, and asks them.
    pub fn ask_all(&self, scope: &Scope, watch: &mut dyn FnMut(Progress<'_>)) -> Vec<Run> {
        let reviewers = self.reviewers.iter().map(|reviewer| (reviewer.name(), reviewer.kind())).collect();
        watch(Progress::Started { scope, reviewers });
        self.ask(scope, watch)
    }

    /// Asks every reviewer, within the limits of the team and of the command.
    pub fn ask(&self, scope: &Scope, watch: &mut dyn FnMut(Progress<'_>)) -> Vec<Run> {
        let Asking { store, policy, options, .. } = self.asking;
        let redactor = LazyLock::new(|| secrets_of(scope));
        let redact = |text: &str| redactor.redact(text).into_owned();
        let cache = CachedAnswers { store, redact: &redact };
        let limits = AskLimits {
            parallel: policy.config.parallel,
            budget: policy.config.budget.and(options.budget),
            cache: &cache,
            is_fresh: options.cache == CacheMode::Ignore,
            inspect,
        };
        let watch = &mut |it: Happening<'_>| match it {
            Happening::Began(name) => watch(Progress::Began(name)),
            Happening::Ended(run) => watch(Progress::Ended(run)),
            Happening::Waiting => watch(Progress::Waiting),
        };
        dispatch(&self.reviewers, &limits, scope, watch)
    }
}
