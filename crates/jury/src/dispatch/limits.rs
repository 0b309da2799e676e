//! The limits under which a reviewer of a team's own is asked: the cache, the budget, and a second question after an answer of low
//! confidence (001).
//!
//! In: a reviewer. Out: one run, or two. Deliberately not here: where answers are kept (`store`), and reading them (`intake`).

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{Answer, Reviewer, Unanswered, caught, run_of};
use crate::model::{Budget, CheckOnBase, Domain, ReviewerKind, Scope, Usage, Weighting, exact_dollars, short_digest};
use crate::record::{Output, RecordedAnswer, Run};

/// The start of every cache key: an answer to another contract does not count.
const CONTRACT: &str = concat!("jury ", env!("CARGO_PKG_VERSION"), " contract 1");

/// Tells the second question from the first in a cache key.
const AGAIN: &str = "again";

/// The limits under which reviewers are asked.
pub struct AskLimits<'t> {
    /// How many at once.
    pub parallel: usize,
    /// How much they may take together.
    pub budget: Budget,
    /// The cache of answers.
    pub cache: &'t dyn AnswerCache,
    /// Whether cached answers are dropped.
    pub is_fresh: bool,
    /// Takes in a single result.
    pub inspect: fn(&dyn Reviewer, &Result<Answer, Unanswered>) -> ResultFacts,
}

/// The cache of answers.
pub trait AnswerCache: Sync {
    /// Returns the answer that is kept under a key.
    fn recall(&self, key: &str) -> Option<Answer>;

    /// Keeps an answer. If that cannot be done, it is paid for again.
    fn keep(&self, key: &str, reviewer: &str, answer: &Answer);

    /// Removes the entry of a key.
    fn forget(&self, key: &str);
}

/// A single result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultFacts {
    /// A failed agent's own words on its failure.
    pub complaint: Option<String>,
    /// Tokens and cost, if the output states them.
    pub usage: Option<Usage>,
    /// Whether an agent says in its envelope that it failed, though its program ended well.
    pub has_failed: bool,
    /// Whether nothing in it counts: it is empty, cannot be read, or was not written for its brief.
    pub is_unheard: bool,
    /// Whether it counts, and was understood in full.
    pub is_whole: bool,
    /// Whether it states a low confidence (001).
    pub is_unsure: bool,
}

/// The budget, and the part of it that is spent.
pub(super) struct Account {
    start: Instant,
    budget: Budget,
    spent: Mutex<Spent>,
    /// The check that the change broke, if one did.
    broken: Mutex<Option<Domain>>,
}

#[derive(Clone, Copy, Default)]
struct Spent {
    cost: u64,
    tokens: u64,
}

impl Account {
    pub(super) fn open(budget: Budget) -> Self {
        Self { start: Instant::now(), budget, spent: Mutex::default(), broken: Mutex::default() }
    }

    fn take(&self, usage: Usage) {
        let mut spent = self.spent.lock().expect("no thread panics while holding the account");
        spent.cost = spent.cost.saturating_add(usage.cost.unwrap_or_default());
        spent.tokens = spent.tokens.saturating_add(usage.tokens());
    }

    /// Returns how much time is left, where it is limited.
    fn left(&self) -> Option<Duration> {
        self.budget.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// Notes that the change broke a check.
    fn breaks(&self, check: Domain) {
        *self.broken.lock().expect("no thread panics while holding the account") = Some(check);
    }

    /// Names the limit that keeps a reviewer from being asked, if one does. A tool or a check takes only time.
    fn spent(&self, kind: ReviewerKind) -> Option<String> {
        let spent = *self.spent.lock().expect("no thread panics while holding the account");
        let Budget { cost, tokens, time } = self.budget;
        let is_model = matches!(kind, ReviewerKind::Agent | ReviewerKind::Api);
        let broken = self.broken.lock().expect("no thread panics while holding the account").clone();
        if let Some(check) = broken.filter(|_| is_model) {
            return Some(format!(
                "not asked: the check {check} fails, and no model is paid for a change that fails a check"
            ));
        }
        let told = |what: String, limit: &str| format!("not asked: {what} ({limit})");
        if let Some(most) = cost.filter(|most| is_model && spent.cost >= *most) {
            let (spent, most) = (exact_dollars(spent.cost), exact_dollars(most));
            let what = format!("this review has cost {spent} of {most}");
            return Some(told(what, "budget max_cost"));
        }
        if let Some(most) = tokens.filter(|most| is_model && spent.tokens >= *most) {
            let what = format!("this review has used {} of {most} tokens", spent.tokens);
            return Some(told(what, "budget max_tokens"));
        }
        let time = time.filter(|_| self.left().is_some_and(|left| left.is_zero()))?;
        Some(told(format!("this review has used its {time:?}"), "budget max_time"))
    }
}

/// A step of asking.
pub(super) enum Step {
    /// Somebody is asked.
    Began(Domain),
    /// Somebody has ended.
    Ended(Box<Run>),
}

impl AskLimits<'_> {
    /// Asks a reviewer, and a second time if its confidence is low.
    pub(super) fn ask(&self, reviewer: &dyn Reviewer, scope: &Scope, account: &Account, told: &mut dyn FnMut(Step)) {
        told(Step::Began(reviewer.name()));
        let (run, heard) = self.once(reviewer, scope, account, None);
        // An answer that nobody understands is none.
        let failed = (run.failure().is_some() || heard.is_unheard).then(|| run.reviewer.clone());
        told(Step::Ended(Box::new(self.held_against_base(run, reviewer, scope, account))));
        if let Some(failed) = failed {
            self.ask_instead(&failed, reviewer, scope, account, told);
        }
        if let Some(second) = reviewer.second().filter(|_| heard.is_unsure) {
            told(Step::Began(second.name()));
            let (run, _) = self.once(second.as_ref(), scope, account, Some(AGAIN));
            told(Step::Ended(Box::new(Run { is_again: true, ..run })));
        }
    }

    /// Runs a check that does not pass on the base, too: what fails there is not broken by the change.
    fn held_against_base(&self, mut run: Run, reviewer: &dyn Reviewer, scope: &Scope, account: &Account) -> Run {
        let Ok(RecordedAnswer { output: Output::Checked(result), .. }) = &mut run.result else { return run };
        if let Some(base) = reviewer.on_base().filter(|_| !result.has_passed()) {
            let (of_base, _) = self.once(base.as_ref(), scope, account, None);
            result.on_base = Some(match (of_base.checked(), of_base.failure()) {
                (Some(of_base), _) if of_base.has_passed() => CheckOnBase::Passes,
                (Some(of_base), _) => CheckOnBase::Fails(
                    of_base.tests.as_ref().map(|tests| tests.failed.iter().map(|test| test.name.clone()).collect()),
                ),
                (None, why) => CheckOnBase::Unknown(why.unwrap_or("it was not run").to_owned()),
            });
        }
        if result.is_broken_by_change() {
            account.breaks(reviewer.name());
        }
        run
    }

    /// Asks those who stand in for a reviewer that cannot answer, until one answers.
    fn ask_instead(
        &self,
        failed: &Domain,
        reviewer: &dyn Reviewer,
        scope: &Scope,
        account: &Account,
        told: &mut dyn FnMut(Step),
    ) {
        for other in reviewer.fallback() {
            told(Step::Began(other.name()));
            let (run, heard) = self.once(other.as_ref(), scope, account, None);
            let has_answered = run.answer().is_some() && !heard.is_unheard;
            let weighting = Weighting { role: reviewer.weighting().role, ..run.weighting };
            told(Step::Ended(Box::new(Run { weighting, stands_in_for: Some(failed.clone()), ..run })));
            if has_answered {
                return;
            }
        }
    }

    /// Drops cached answers first, so that an aborted run cannot reuse them.
    pub(super) fn forget<'r>(&self, reviewers: impl Iterator<Item = &'r dyn Reviewer>, scope: &Scope) {
        for reviewer in reviewers {
            let again = reviewer.second().and_then(|second| key(second.as_ref(), scope, Some(AGAIN)));
            let fallback: Vec<String> =
                reviewer.fallback().iter().filter_map(|other| key(other.as_ref(), scope, None)).collect();
            let on_base = reviewer.on_base().and_then(|base| key(base.as_ref(), scope, None));
            let keys = key(reviewer, scope, None).into_iter().chain(again).chain(fallback).chain(on_base);
            keys.for_each(|key| self.cache.forget(&key));
        }
    }

    fn once(
        &self,
        reviewer: &dyn Reviewer,
        scope: &Scope,
        account: &Account,
        again: Option<&str>,
    ) -> (Run, ResultFacts) {
        let key = key(reviewer, scope, again);
        let kept = key.as_ref().and_then(|key| self.cache.recall(key)).map(Ok);
        let kept = kept.map(|kept| ((self.inspect)(reviewer, &kept), kept)).filter(|(heard, _)| heard.is_whole);
        if let Some((heard, kept)) = kept {
            return (Run { is_cached: true, ..run_of(reviewer, scope, kept, None) }, heard);
        }
        let result = caught(reviewer, |reviewer| match account.spent(reviewer.kind()).filter(|_| key.is_some()) {
            Some(why) => Err(Unanswered::failed(why)),
            None => match account.left() {
                None => reviewer.run(scope),
                Some(left) => reviewer.run_within(scope, left).map_err(|error| in_time(error, account)),
            },
        });
        let heard = (self.inspect)(reviewer, &result);
        let result = if heard.has_failed { result.and_then(|answer| Err(reported_failure(answer))) } else { result };
        let said = match &result {
            Ok(answer) => answer.usage,
            Err(Unanswered::Failed { usage, .. }) => *usage,
            Err(Unanswered::Skipped(_)) => None,
        };
        let usage = said.or(heard.usage).map(|usage| usage.priced(reviewer.price()));
        account.take(usage.unwrap_or_default());
        if let (Some(key), Ok(answer)) = (key.filter(|_| heard.is_whole), &result) {
            self.cache.keep(&key, reviewer.name().as_str(), answer);
        }
        let complaint = heard.complaint.clone();
        (Run { usage, ..run_of(reviewer, scope, result, complaint) }, heard)
    }
}

/// Returns the failure of an agent that ended well and says that it failed.
fn reported_failure(answer: Answer) -> Unanswered {
    let Answer { output, usage, .. } = answer;
    let printed = match output {
        Output::Printed(text) => Some(text),
        Output::Stated(_) | Output::Checked(_) => None,
    };
    Unanswered::Failed { why: "it reported a failure".to_owned(), printed, usage }
}

/// Returns the cache key of an answer.
fn key(reviewer: &dyn Reviewer, scope: &Scope, again: Option<&str>) -> Option<String> {
    let input = reviewer.input(scope)?;
    let parts = [CONTRACT, &reviewer.definition(), &input];
    Some(short_digest(&parts.into_iter().chain(again).collect::<Vec<_>>(), 64))
}

/// Names the budget in the failure of a run that it ended.
fn in_time(error: Unanswered, account: &Account) -> Unanswered {
    match (error, account.budget.time) {
        (Unanswered::Failed { why, printed, usage }, Some(time))
            if account.left().is_some_and(|left| left.is_zero()) =>
        {
            let why = format!("{why}; this review may take no more than {time:?} (budget max_time)");
            Unanswered::Failed { why, printed, usage }
        }
        (error, _) => error,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::dispatch::dispatch;
    use crate::dispatch::tests::scope_of;
    use crate::model::Change;

    /// Keeps nothing.
    pub(crate) struct Nothing;

    impl AnswerCache for Nothing {
        fn recall(&self, _: &str) -> Option<Answer> {
            None
        }
        fn keep(&self, _: &str, _: &str, _: &Answer) {}
        fn forget(&self, _: &str) {}
    }

    pub(crate) fn plain() -> AskLimits<'static> {
        AskLimits {
            parallel: 4,
            budget: Budget::default(),
            cache: &Nothing,
            is_fresh: false,
            inspect: |_, _| ResultFacts::default(),
        }
    }

    #[derive(Default)]
    struct Kept(Mutex<BTreeMap<String, Answer>>);

    impl AnswerCache for Kept {
        fn recall(&self, key: &str) -> Option<Answer> {
            self.0.lock().unwrap().get(key).cloned()
        }
        fn keep(&self, key: &str, _: &str, answer: &Answer) {
            self.0.lock().unwrap().insert(key.to_owned(), answer.clone());
        }
        fn forget(&self, key: &str) {
            self.0.lock().unwrap().remove(key);
        }
    }

    /// A model whose answers each take 100 tokens and are called `unsure` the first so many times.
    struct Model {
        unsure: u32,
    }

    impl Reviewer for Model {
        fn domain(&self) -> Domain {
            Domain::new("qa").unwrap()
        }
        fn kind(&self) -> ReviewerKind {
            ReviewerKind::Api
        }
        fn definition(&self) -> String {
            "model".to_owned()
        }
        fn format(&self) -> Option<&'static str> {
            None
        }
        fn input(&self, _: &Scope) -> Option<String> {
            Some("input".to_owned())
        }
        fn second(&self) -> Option<Box<dyn Reviewer + '_>> {
            let unsure = self.unsure.saturating_sub(1);
            Some(Box::new(Self { unsure }))
        }
        fn run(&self, _: &Scope) -> Result<Answer, Unanswered> {
            let said = if self.unsure > 0 { "unsure" } else { "sure" };
            let usage = Some(Usage { input: 90, output: 10, cost: Some(5) });
            Ok(Answer { usage, ..Answer::whole(said.to_owned()) })
        }
    }

    fn model(unsure: u32) -> Box<dyn Reviewer> {
        Box::new(Model { unsure })
    }

    fn inspect(_: &dyn Reviewer, result: &Result<Answer, Unanswered>) -> ResultFacts {
        let is_unsure = result.as_ref().is_ok_and(|answer| answer.output == Output::Printed("unsure".to_owned()));
        ResultFacts { is_whole: result.is_ok(), is_unsure, ..ResultFacts::default() }
    }

    fn asked(reviewers: &[Box<dyn Reviewer>], budget: Budget, cache: &dyn AnswerCache) -> Vec<Run> {
        let limits = AskLimits { parallel: 1, budget, cache, is_fresh: false, inspect };
        dispatch(reviewers, &limits, &scope_of(Vec::new(), Change::default()), &mut |_| ())
    }

    #[test]
    fn who_is_not_sure_is_asked_once_more_and_no_more() {
        for (unsure, expected) in [(0, vec![("sure", false)]), (1, vec![("unsure", false), ("sure", true)])] {
            let runs = asked(&[model(unsure)], Budget::default(), &Nothing);
            let said: Vec<(&str, bool)> = runs.iter().map(|run| (run.printed().unwrap(), run.is_again)).collect();
            assert_eq!(said, expected);
        }
        assert_eq!(asked(&[model(9)], Budget::default(), &Nothing).len(), 2);
    }

    #[test]
    fn what_was_answered_is_not_paid_for_again() {
        let kept = Kept::default();
        let first = asked(&[model(1)], Budget::default(), &kept);
        assert!(first.iter().all(|run| !run.is_cached && run.usage.is_some()));
        let second = asked(&[model(1)], Budget::default(), &kept);
        let said: Vec<(bool, bool, bool)> =
            second.iter().map(|run| (run.is_cached, run.is_again, run.usage.is_none())).collect();
        assert_eq!(said, [(true, false, true), (true, true, true)], "the two askings have a key each");
    }

    #[test]
    fn whoever_is_asked_anew_leaves_nothing_old_behind() {
        let kept = Kept::default();
        asked(&[model(1)], Budget::default(), &kept);
        assert_eq!(kept.0.lock().unwrap().len(), 2);
        // No reviewer can be asked, so that nothing new is cached.
        let budget = Budget { cost: Some(0), ..Budget::default() };
        let limits = AskLimits { parallel: 1, budget, cache: &kept, is_fresh: true, inspect };
        let runs = dispatch(&[model(1)], &limits, &scope_of(Vec::new(), Change::default()), &mut |_| ());
        assert!(runs.iter().all(|run| run.result.is_err()) && kept.0.lock().unwrap().is_empty());
    }

    #[test]
    fn who_would_be_beyond_the_budget_is_not_asked_and_says_which() {
        let three = || [model(0), model(0), model(0)];
        for (budget, named) in [
            (Budget { cost: Some(10), ..Budget::default() }, "max_cost"),
            (Budget { tokens: Some(150), ..Budget::default() }, "max_tokens"),
        ] {
            let runs = asked(&three(), budget, &Nothing);
            assert!(runs[0].result.is_ok() && runs[1].result.is_ok());
            let why = runs[2].failure().unwrap();
            assert!(why.contains(named), "{why}");
        }
        let none = Budget { time: Some(Duration::ZERO), ..Budget::default() };
        assert!(asked(&three(), none, &Nothing).iter().all(|run| run.result.is_err()));
        let kept = Kept::default();
        asked(&[model(0)], Budget::default(), &kept);
        let free = asked(&three(), Budget { cost: Some(0), ..Budget::default() }, &kept);
        assert!(free.iter().all(|run| run.is_cached), "what is kept costs nothing");
    }
}
