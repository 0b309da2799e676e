//! The panel of a review: which reviewers look, under which limits, and their runs.
//!
//! In: the policy of the base, the scope, and the options of the command. Out: one run for each reviewer, as records keep them.
//! Deliberately not here: how a reviewer is run (`dispatch`), and where answers are kept (`store`).

use std::sync::LazyLock;

use jury_rules::PROJECT;

use crate::base::BasePolicy;
use crate::config;
use crate::dispatch::{
    Answer, AnswerCache, AskLimits, BuiltIn, External, GateIntegrity, ResultFacts, Reviewer, Tree, Unanswered, dispatch,
};
use crate::error::FlowError;
use crate::formats;
use crate::intake;
use crate::judge::{SecondLook, is_unsure};
use crate::model::{Budget, Definition, Domain, RepoPath, Report, ReviewerKind, Scope};
use crate::record::{Output, ROOT, Run, UnseenFile, secrets_of};
use crate::store::{Kept, Store, Trust};
use crate::syntax::Limits;

/// The longest part of an agent's own words on its failure that is kept, in characters.
const LONGEST_COMPLAINT: usize = 300;

/// The options of a command that asks reviewers.
#[derive(Clone, Debug, Default)]
pub struct AskOptions {
    /// The reviewers whose commands may be run, and to which code may be sent.
    pub trust: Trust,
    /// The budget, beside that of the policy.
    pub budget: Budget,
    /// The use of the cache.
    pub cache: CacheMode,
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
        /// The reviewers.
        reviewers: Vec<Domain>,
    },
    /// A reviewer has ended.
    Ended(&'a Run),
}

/// The reviewers of a review.
pub struct Panel<'a>(Vec<Box<dyn Reviewer + 'a>>);

impl<'a> Panel<'a> {
    /// Returns every built-in specialist that the team does not define itself, the team's own rules and reviewers, and always
    /// gate-integrity. In a quick check: 003's two specialists, and the reviewers that have to report.
    pub fn of(base: &'a BasePolicy, is_quick: bool, trust: &Trust, tree: &'a dyn Tree, scope: &Scope) -> Self {
        let BasePolicy { config, rules, .. } = base;
        let is_asked_if_quick = |name: &Domain| !is_quick || config.required.contains(name);
        let second = |definition: &Definition| {
            let name = definition.second.as_ref()?;
            let second = config.reviewers.iter().find(|other| other.name == *name)?;
            Some((second, trust.covers(second)))
        };
        let outside: Vec<External<'a>> = config
            .reviewers
            .iter()
            .flat_map(|definition| match is_asked_if_quick(&definition.name) {
                true => {
                    let all = External::of(definition, trust.covers(definition), tree, scope);
                    all.into_iter().map(|reviewer| reviewer.backed_by(second(definition))).collect()
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
        reviewers.push(Box::new(GateIntegrity::of(&config.reviewers, tree)));
        reviewers.extend(outside.into_iter().map(|reviewer| Box::new(reviewer) as Box<dyn Reviewer + 'a>));
        Self(reviewers)
    }

    /// Returns the reviewers of a second look, at the base: the built-in specialists and the tools that are asked again.
    pub fn of_base(
        base: &'a BasePolicy,
        wanted: &SecondLook,
        trust: &Trust,
        tree: &'a dyn Tree,
        scope: &Scope,
    ) -> Self {
        let specialists = BuiltIn::all(base.rules).filter(|reviewer| wanted.built_in.contains(&reviewer.domain()));
        let mut reviewers: Vec<Box<dyn Reviewer + 'a>> = Vec::new();
        for reviewer in specialists {
            reviewers.push(Box::new(reviewer));
        }
        let is_asked = |it: &&Definition| it.kind == ReviewerKind::Tool && wanted.tools.contains(&it.domain);
        for definition in base.config.reviewers.iter().filter(is_asked) {
            for reviewer in External::of(definition, trust.covers(definition), tree, scope) {
                reviewers.push(Box::new(reviewer));
            }
        }
        Self(reviewers)
    }

    /// Returns the names of the reviewers.
    pub fn names(&self) -> Vec<Domain> {
        self.0.iter().map(|reviewer| reviewer.name()).collect()
    }

    /// Notes in the store that a review has begun, if it may last. A review that is resumed has to be of the same tree: answers
    /// about another tree are no answers.
    pub fn begin(&self, store: &Store, cache: CacheMode, is_quick: bool, scope: &Scope) -> Result<(), FlowError> {
        if cache == CacheMode::Resume {
            match store.begun()? {
                None => return Err(FlowError::NothingBegun),
                Some(tree) if tree != scope.tree.as_str() => return Err(FlowError::OtherTree),
                Some(_) => {}
            }
        }
        if !is_quick && self.0.iter().any(|reviewer| reviewer.kind() != ReviewerKind::BuiltIn) {
            store.begin(scope.tree.as_str())?;
        }
        Ok(())
    }

    /// Asks every reviewer, within the limits of the team and of the command.
    pub fn ask(
        &self,
        store: &Store,
        base: &BasePolicy,
        options: &AskOptions,
        scope: &Scope,
        watch: &mut dyn FnMut(Progress<'_>),
    ) -> Vec<Run> {
        let redactor = LazyLock::new(|| secrets_of(scope));
        let redact = |text: &str| redactor.redact(text).into_owned();
        let cache = CachedAnswers { store, redact: &redact };
        let limits = AskLimits {
            parallel: base.config.parallel,
            budget: base.config.budget.and(options.budget),
            cache: &cache,
            is_fresh: options.cache == CacheMode::Ignore,
            inspect,
        };
        dispatch(&self.0, &limits, scope, &mut |run| watch(Progress::Ended(run)))
    }
}

/// The cache of a store, without the secrets of the change.
struct CachedAnswers<'s> {
    store: &'s Store,
    redact: &'s (dyn Fn(&str) -> String + Sync),
}

impl AnswerCache for CachedAnswers<'_> {
    fn recall(&self, key: &str) -> Option<Answer> {
        let Kept { output, unreviewed, nonce, .. } = self.store.recall(key)?;
        let unseen = |(path, why): (String, String)| Some(UnseenFile { path: RepoPath::new(&path).ok()?, why });
        let unseen = unreviewed.into_iter().map(unseen).collect::<Option<_>>()?;
        Some(Answer { unseen, nonce, ..Answer::whole(output) })
    }

    fn keep(&self, key: &str, reviewer: &str, answer: &Answer) {
        // Built-in reviewers are run anew every time.
        let Output::Printed(text) = &answer.output else { return };
        let unseen = answer.unseen.iter().map(|unseen| (unseen.path.to_string(), unseen.why.clone()));
        let kept = Kept::new(reviewer, &(self.redact)(text), &unseen.collect::<Vec<_>>(), answer.nonce.as_deref());
        // A cache that cannot be written to costs money later, and nothing else.
        _ = self.store.keep(key, &kept);
    }

    fn forget(&self, key: &str) {
        _ = self.store.forget(key);
    }
}

/// Takes a single result in, while others are still asked.
fn inspect(reviewer: &dyn Reviewer, result: &Result<Answer, Unanswered>) -> ResultFacts {
    let limits = Limits::default();
    let is_agent = reviewer.kind() == ReviewerKind::Agent;
    let usage = |text: &str| is_agent.then(|| intake::usage(text.as_bytes(), &limits)).flatten();
    let answer = match result {
        Ok(answer) => answer,
        Err(Unanswered::Failed { printed: Some(text), .. }) => {
            // An agent that fails says why in its envelope, and seldom anywhere else.
            let complaint = intake::complaint(text, &limits, LONGEST_COMPLAINT);
            return ResultFacts { usage: usage(text), complaint, ..ResultFacts::default() };
        }
        Err(_) => return ResultFacts::default(),
    };
    let Output::Printed(text) = &answer.output else { return ResultFacts { is_whole: true, ..ResultFacts::default() } };
    let format = reviewer.format().and_then(formats::by_id);
    let taken = intake::take_below(text.as_bytes(), format, &[ROOT], &limits);
    let is_understood = taken.gaps.is_empty() && taken.rejected.is_empty() && !taken.reports.is_empty();
    let is_echoed = answer.nonce.as_deref().is_none_or(|nonce| intake::repeats_nonce(text.as_bytes(), nonce, &limits));
    let is_complete = |report: &Report| report.gaps().is_empty() && report.facts.verdict_file.is_none();
    ResultFacts {
        usage: usage(text),
        complaint: None,
        is_whole: is_understood && is_echoed && taken.reports.iter().all(is_complete),
        is_unsure: taken.reports.iter().any(is_unsure),
    }
}
