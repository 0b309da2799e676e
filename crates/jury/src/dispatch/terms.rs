//! On what terms a reviewer of a team's own is asked: what was kept of an earlier asking, how much all may take, and asking once
//! more whoever is not sure of its answer (001).
//!
//! In: a reviewer. Out: one run, or two. Deliberately not here: where answers are kept, and reading them, which others do.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{Answer, Reviewer, Run, Unanswered, ended};
use crate::model::{Budget, ReviewerKind, Scope, Usage, exact_dollars, short_digest};

/// What the keys of kept answers start from. An answer to another contract is none to this one.
const CONTRACT: &str = concat!("jury ", env!("CARGO_PKG_VERSION"), " contract 1");

/// What tells the second asking from the first.
const AGAIN: &str = "again";

/// On what terms reviewers are asked.
pub struct Terms<'t> {
    /// How many at once.
    pub parallel: usize,
    /// How much they may take together.
    pub budget: Budget,
    /// What was answered before.
    pub memory: &'t dyn Memory,
    /// Whether everybody is asked anew.
    pub is_fresh: bool,
    /// What can be told of a result on its own.
    pub hear: fn(&dyn Reviewer, &Result<Answer, Unanswered>) -> Heard,
}

/// What was answered before.
pub trait Memory: Sync {
    /// Returns the answer that is kept under a key.
    fn recall(&self, key: &str) -> Option<Answer>;

    /// Keeps an answer. If that cannot be done, it is paid for again.
    fn keep(&self, key: &str, reviewer: &str, answer: &Answer);

    /// Forgets what is kept under a key.
    fn forget(&self, key: &str);
}

/// What can be told of a result on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// What it took, where the document says so.
    pub usage: Option<Usage>,
    /// Whether it counts, and was understood in full.
    pub is_whole: bool,
    /// Whether it says of itself that it is not sure (001, `confidence: low`).
    pub is_unsure: bool,
}

/// What was taken of a budget.
pub(super) struct Account {
    start: Instant,
    budget: Budget,
    spent: Mutex<Spent>,
}

#[derive(Clone, Copy, Default)]
struct Spent {
    cost: u64,
    tokens: u64,
}

impl Account {
    pub(super) fn open(budget: Budget) -> Self {
        Self { start: Instant::now(), budget, spent: Mutex::default() }
    }

    fn take(&self, usage: Usage) {
        let mut spent = self.spent.lock().expect("nobody panics while holding the account");
        spent.cost = spent.cost.saturating_add(usage.cost.unwrap_or_default());
        spent.tokens = spent.tokens.saturating_add(usage.tokens());
    }

    /// Returns how much time is left, where it is limited.
    fn left(&self) -> Option<Duration> {
        self.budget.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// Says which limit keeps a reviewer from being asked, if one does. Who is no model takes only time.
    fn spent(&self, kind: ReviewerKind) -> Option<String> {
        let spent = *self.spent.lock().expect("nobody panics while holding the account");
        let Budget { cost, tokens, time } = self.budget;
        let is_model = kind != ReviewerKind::Tool;
        let told = |what: String, limit: &str| format!("it was not asked any more: {what} ({limit})");
        if let Some(most) = cost.filter(|most| is_model && spent.cost >= *most) {
            let (spent, most) = (exact_dollars(spent.cost), exact_dollars(most));
            let what = format!("this review has cost {spent}, and may cost {most}");
            return Some(told(what, "budget max_cost"));
        }
        if let Some(most) = tokens.filter(|most| is_model && spent.tokens >= *most) {
            let what = format!("this review has taken {} tokens, and may take {most}", spent.tokens);
            return Some(told(what, "budget max_tokens"));
        }
        let time = time.filter(|_| self.left().is_some_and(|left| left.is_zero()))?;
        Some(told(format!("this review has taken the {time:?} that it may"), "budget max_time"))
    }
}

impl Terms<'_> {
    /// Asks a reviewer, and whoever stands behind it if it is not sure.
    pub(super) fn ask(&self, reviewer: &dyn Reviewer, scope: &Scope, account: &Account, told: &mut dyn FnMut(Run)) {
        let (run, is_unsure) = self.once(reviewer, scope, account, None);
        told(run);
        if let Some(second) = reviewer.second().filter(|_| is_unsure) {
            let (run, _) = self.once(second.as_ref(), scope, account, Some(AGAIN));
            told(Run { is_again: true, ..run });
        }
    }

    /// Forgets what reviewers have answered to this, before any is asked: if it comes to no end, what was to count no more must not
    /// be there for whoever goes on.
    pub(super) fn forget<'r>(&self, reviewers: impl Iterator<Item = &'r dyn Reviewer>, scope: &Scope) {
        for reviewer in reviewers {
            let again = reviewer.second().and_then(|second| key(second.as_ref(), scope, Some(AGAIN)));
            key(reviewer, scope, None).iter().chain(&again).for_each(|key| self.memory.forget(key));
        }
    }

    fn once(&self, reviewer: &dyn Reviewer, scope: &Scope, account: &Account, again: Option<&str>) -> (Run, bool) {
        let key = key(reviewer, scope, again);
        let kept = key.as_ref().and_then(|key| self.memory.recall(key)).map(Ok);
        let kept = kept.map(|kept| ((self.hear)(reviewer, &kept), kept)).filter(|(heard, _)| heard.is_whole);
        if let Some((heard, kept)) = kept {
            return (Run { is_kept: true, ..ended(reviewer, scope, |_| kept) }, heard.is_unsure);
        }
        let mut run =
            ended(reviewer, scope, |reviewer| match account.spent(reviewer.kind()).filter(|_| key.is_some()) {
                Some(why) => Err(Unanswered::failed(why)),
                None => match account.left() {
                    None => reviewer.run(scope),
                    Some(left) => reviewer.run_within(scope, left).map_err(|error| in_time(error, account)),
                },
            });
        let heard = (self.hear)(reviewer, &run.result);
        let said = match &run.result {
            Ok(answer) => answer.usage,
            Err(Unanswered::Failed { usage, .. }) => *usage,
            Err(Unanswered::Skipped(_)) => None,
        };
        run.usage = said.or(heard.usage).map(|usage| usage.priced(reviewer.price()));
        account.take(run.usage.unwrap_or_default());
        if let (Some(key), Ok(answer)) = (key.filter(|_| heard.is_whole), &run.result) {
            self.memory.keep(&key, reviewer.name().as_str(), answer);
        }
        (run, heard.is_unsure)
    }
}

/// Returns what an answer is kept under.
fn key(reviewer: &dyn Reviewer, scope: &Scope, again: Option<&str>) -> Option<String> {
    let input = reviewer.input(scope)?;
    let parts = [CONTRACT, &reviewer.definition(), &input];
    Some(short_digest(&parts.into_iter().chain(again).collect::<Vec<_>>(), 64))
}

/// Names the budget where it is what has ended a run.
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
    use crate::model::{Change, Domain};

    /// Keeps nothing.
    pub(crate) struct Nothing;

    impl Memory for Nothing {
        fn recall(&self, _: &str) -> Option<Answer> {
            None
        }
        fn keep(&self, _: &str, _: &str, _: &Answer) {}
        fn forget(&self, _: &str) {}
    }

    pub(crate) fn plain() -> Terms<'static> {
        Terms {
            parallel: 4,
            budget: Budget::default(),
            memory: &Nothing,
            is_fresh: false,
            hear: |_, _| Heard::default(),
        }
    }

    #[derive(Default)]
    struct Kept(Mutex<BTreeMap<String, Answer>>);

    impl Memory for Kept {
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

    fn hear(_: &dyn Reviewer, result: &Result<Answer, Unanswered>) -> Heard {
        let is_unsure = result.as_ref().is_ok_and(|answer| answer.output == "unsure");
        Heard { usage: None, is_whole: result.is_ok(), is_unsure }
    }

    fn asked(reviewers: &[Box<dyn Reviewer>], budget: Budget, memory: &dyn Memory) -> Vec<Run> {
        let terms = Terms { parallel: 1, budget, memory, is_fresh: false, hear };
        dispatch(reviewers, &terms, &scope_of(Vec::new(), Change::default()), &mut |_| ())
    }

    #[test]
    fn who_is_not_sure_is_asked_once_more_and_no_more() {
        for (unsure, expected) in [(0, vec![("sure", false)]), (1, vec![("unsure", false), ("sure", true)])] {
            let runs = asked(&[model(unsure)], Budget::default(), &Nothing);
            let said: Vec<(&str, bool)> =
                runs.iter().map(|run| (run.result.as_ref().unwrap().output.as_str(), run.is_again)).collect();
            assert_eq!(said, expected);
        }
        assert_eq!(asked(&[model(9)], Budget::default(), &Nothing).len(), 2);
    }

    #[test]
    fn what_was_answered_is_not_paid_for_again() {
        let kept = Kept::default();
        let first = asked(&[model(1)], Budget::default(), &kept);
        assert!(first.iter().all(|run| !run.is_kept && run.usage.is_some()));
        let second = asked(&[model(1)], Budget::default(), &kept);
        let said: Vec<(bool, bool, bool)> =
            second.iter().map(|run| (run.is_kept, run.is_again, run.usage.is_none())).collect();
        assert_eq!(said, [(true, false, true), (true, true, true)], "the two askings have a key each");
    }

    #[test]
    fn whoever_is_asked_anew_leaves_nothing_old_behind() {
        let kept = Kept::default();
        asked(&[model(1)], Budget::default(), &kept);
        assert_eq!(kept.0.lock().unwrap().len(), 2);
        // Nobody can be asked, so that nothing new is kept.
        let budget = Budget { cost: Some(0), ..Budget::default() };
        let terms = Terms { parallel: 1, budget, memory: &kept, is_fresh: true, hear };
        let runs = dispatch(&[model(1)], &terms, &scope_of(Vec::new(), Change::default()), &mut |_| ());
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
            let Err(Unanswered::Failed { why, .. }) = &runs[2].result else { panic!("{:?}", runs[2]) };
            assert!(why.contains(named), "{why}");
        }
        let none = Budget { time: Some(Duration::ZERO), ..Budget::default() };
        assert!(asked(&three(), none, &Nothing).iter().all(|run| run.result.is_err()));
        let kept = Kept::default();
        asked(&[model(0)], Budget::default(), &kept);
        let free = asked(&three(), Budget { cost: Some(0), ..Budget::default() }, &kept);
        assert!(free.iter().all(|run| run.is_kept), "what is kept costs nothing");
    }
}
