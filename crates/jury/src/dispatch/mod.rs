//! Reviewers and the scope in; the output of each out, in its format.
//!
//! Every reviewer is run alike: it is given the scope and returns an answer, or a reason why there is none. A reviewer that
//! crashes is a failed run, never an empty one, and the others go on. Deliberately not here: reading the answers (`intake`).

mod api;
mod brief;
mod builtin;
mod check;
mod contest_brief;
mod dependencies;
mod enabled;
mod executed;
mod export;
mod external;
mod integrity;
mod junit;
mod limits;
mod runners;
mod settings;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

pub use builtin::BuiltIn;
pub use contest_brief::{ContestedFinding, ShownFile};
pub use export::{Tree, TreeFile};
pub use external::External;
pub use integrity::GateIntegrity;
pub use limits::{AnswerCache, AskLimits, ResultFacts};

use jury_wire::v1::findings::Artifact;

use crate::model::{CheckResult, Domain, PackageChanges, Price, RepoPath, ReviewerKind, Scope, Usage, Weighting};
use crate::record::{NoAnswer, Output, RecordedAnswer, Run, UnseenFile};
use limits::{Account, Step};

/// Anything that reviews.
pub trait Reviewer: Sync {
    /// Returns the domain of its findings.
    fn domain(&self) -> Domain;

    /// Returns its name.
    fn name(&self) -> Domain {
        self.domain()
    }

    /// Returns the kind of reviewer.
    fn kind(&self) -> ReviewerKind {
        ReviewerKind::BuiltIn
    }

    /// Returns the model that answers, if it is known.
    fn model(&self) -> Option<String> {
        None
    }

    /// Returns a digest of its definition, which records keep.
    fn definition(&self) -> String;

    /// Returns the id of the format of its output, if it is agreed.
    fn format(&self) -> Option<&'static str>;

    /// Returns the files of the scope that it is asked about; `None` is all of them.
    fn files(&self, _: &Scope) -> Option<Vec<RepoPath>> {
        None
    }

    /// Returns the price of its tokens, if it is a model.
    fn price(&self) -> Option<Price> {
        None
    }

    /// Returns a digest of its input without its definition; `None` if its answers are not cached.
    fn input(&self, _scope: &Scope) -> Option<String> {
        None
    }

    /// Returns the reviewer that is asked after an answer of low confidence (001); `None` if it states none.
    fn second(&self) -> Option<Box<dyn Reviewer + '_>> {
        None
    }

    /// Returns the reviewers that are asked in its place, one after the other, if it cannot answer.
    fn fallback(&self) -> Vec<Box<dyn Reviewer + '_>> {
        Vec::new()
    }

    /// Returns the same check on the base.
    fn on_base(&self) -> Option<Box<dyn Reviewer + '_>> {
        None
    }

    /// Returns how its findings and its failure count.
    fn weighting(&self) -> Weighting {
        Weighting::default()
    }

    /// Returns the files of the change that it was given no part of, by its definition or because a program wrote them.
    fn left_out(&self) -> Vec<RepoPath> {
        Vec::new()
    }

    /// Returns the acceptance criteria that it answers.
    fn criteria(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the folders of the working tree that it depends on.
    fn links(&self) -> Vec<RepoPath> {
        Vec::new()
    }

    /// Returns, once it has run, why its writes were not confined, if they should have been.
    fn unconfined(&self) -> Option<String> {
        None
    }

    /// Reviews.
    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered>;

    /// Reviews within a time limit.
    fn run_within(&self, scope: &Scope, _time: Duration) -> Result<Answer, Unanswered> {
        self.run(scope)
    }
}

/// A reviewer's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The findings, stated or printed.
    pub output: Output,
    /// Files that it could not look at.
    pub unseen: Vec<UnseenFile>,
    /// Files that have a syntax error, so that it read only a part of them.
    pub broken: Vec<RepoPath>,
    /// Files that hold code of no known grammar, so that it searched them as text only.
    pub text_only: Vec<RepoPath>,
    /// The nonce that the output has to repeat to count.
    pub nonce: Option<String>,
    /// The packages that the lockfiles of the change move.
    pub packages: PackageChanges,
    /// Tokens and cost, if they are stated outside the output.
    pub usage: Option<Usage>,
}

impl Answer {
    /// Returns a printed answer about the whole scope.
    pub(crate) fn whole(text: String) -> Self {
        Self::about_all(Output::Printed(text))
    }

    /// Returns the answer of a built-in reviewer about the whole scope.
    pub(crate) fn stated(document: Artifact) -> Self {
        Self::about_all(Output::Stated(Box::new(document)))
    }

    /// Returns the result of a check.
    pub(crate) fn checked(result: CheckResult) -> Self {
        Self::about_all(Output::Checked(Box::new(result)))
    }

    fn about_all(output: Output) -> Self {
        Self {
            output,
            unseen: Vec::new(),
            broken: Vec::new(),
            text_only: Vec::new(),
            nonce: None,
            packages: PackageChanges::default(),
            usage: None,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The run failed.
    Failed {
        /// Why.
        why: String,
        /// The output until then, which does not count.
        printed: Option<String>,
        /// Tokens and cost.
        usage: Option<Usage>,
    },
    /// The reviewer was not asked, for this reason.
    Skipped(String),
}

impl Unanswered {
    /// Returns a failure without any output.
    pub(crate) fn failed(why: String) -> Self {
        Self::Failed { why, printed: None, usage: None }
    }
}

/// What happens while reviewers run.
pub enum Happening<'a> {
    /// One is asked.
    Began(&'a Domain),
    /// One has ended.
    Ended(&'a Run),
    /// Nothing, for a while.
    Waiting,
}

/// What a thread tells of a reviewer.
enum Told {
    Began(Domain),
    Ended(usize, Box<Run>),
}

/// How long nothing may happen until the watcher is told so.
const PULSE: Duration = Duration::from_millis(500);

/// Runs all reviewers, those of a team's own under limits, and tells the watcher of each as it begins and ends. Checks run first: no model is paid
/// for a change that fails them. The runs come back in the order of the reviewers.
pub fn dispatch(
    reviewers: &[Box<dyn Reviewer + '_>],
    limits: &AskLimits<'_>,
    scope: &Scope,
    watch: &mut dyn FnMut(Happening<'_>),
) -> Vec<Run> {
    let (sender, receiver) = mpsc::channel();
    let (own, outside): (Vec<usize>, Vec<usize>) =
        (0..reviewers.len()).partition(|index| reviewers[*index].kind() == ReviewerKind::BuiltIn);
    if limits.is_fresh {
        limits.forget(outside.iter().map(|index| reviewers[*index].as_ref() as &dyn Reviewer), scope);
    }
    let (checks, others) = outside.into_iter().partition(|index| reviewers[*index].kind() == ReviewerKind::Check);
    let account = Account::open(limits.budget);
    let account = &account;
    let mut runs: Vec<(usize, Run)> = std::thread::scope(|threads| {
        // A receiver that is gone has taken the whole review with it.
        let tell = move |told: Told| _ = sender.send(told);
        for index in own {
            let tell = tell.clone();
            threads.spawn(move || {
                let reviewer = reviewers[index].as_ref();
                let run = run_of(reviewer, scope, caught(reviewer, |it| it.run(scope)), None);
                tell(Told::Ended(index, Box::new(run)));
            });
        }
        threads.spawn(move || {
            for group in [checks, others] {
                ask_all(group, limits.parallel, &|index| {
                    let told = &mut |step: Step| match step {
                        Step::Began(name) => tell(Told::Began(name)),
                        Step::Ended(run) => tell(Told::Ended(index, run)),
                    };
                    limits.ask(reviewers[index].as_ref(), scope, account, told);
                });
            }
        });
        let mut runs = Vec::new();
        loop {
            match receiver.recv_timeout(PULSE) {
                Ok(Told::Began(name)) => watch(Happening::Began(&name)),
                Ok(Told::Ended(index, run)) => {
                    watch(Happening::Ended(&run));
                    runs.push((index, *run));
                }
                Err(RecvTimeoutError::Timeout) => watch(Happening::Waiting),
                Err(RecvTimeoutError::Disconnected) => break runs,
            }
        }
    });
    // The sort is stable: who is asked twice has answered in that order.
    runs.sort_by_key(|(index, _)| *index);
    runs.into_iter().map(|(_, run)| run).collect()
}

/// Asks the reviewers of a group, so many at once, and waits for them.
fn ask_all(group: Vec<usize>, parallel: usize, ask: &(dyn Fn(usize) + Sync)) {
    let workers = parallel.min(group.len());
    let queue = Mutex::new(group.into_iter());
    let next = || queue.lock().expect("no thread panics while holding the queue").next();
    std::thread::scope(|threads| {
        for _ in 0..workers {
            threads.spawn(|| {
                while let Some(index) = next() {
                    ask(index);
                }
            });
        }
    });
}

/// Runs a reviewer. One that crashes has failed.
fn caught(
    reviewer: &dyn Reviewer,
    run: impl FnOnce(&dyn Reviewer) -> Result<Answer, Unanswered>,
) -> Result<Answer, Unanswered> {
    let crashed = || Unanswered::failed("it crashed".to_owned());
    catch_unwind(AssertUnwindSafe(|| run(reviewer))).unwrap_or_else(|_| Err(crashed()))
}

/// Returns the run of a reviewer as records keep it. A failed agent's own words on its failure follow the reason.
fn run_of(
    reviewer: &dyn Reviewer,
    scope: &Scope,
    result: Result<Answer, Unanswered>,
    complaint: Option<String>,
) -> Run {
    let result = match result {
        Ok(Answer { output, unseen, broken, text_only, nonce, packages, usage: _ }) => {
            Ok(RecordedAnswer { output, unseen, broken, text_only, nonce, packages })
        }
        Err(Unanswered::Failed { why, printed, .. }) => {
            let why = complaint.map_or(why.clone(), |said| format!("{why}: {said}"));
            Err(NoAnswer::Failed { why, printed })
        }
        Err(Unanswered::Skipped(why)) => Err(NoAnswer::Skipped(why)),
    };
    Run {
        reviewer: reviewer.name(),
        domain: reviewer.domain(),
        kind: reviewer.kind(),
        model: reviewer.model(),
        definition: reviewer.definition(),
        format: reviewer.format(),
        files: reviewer.files(scope),
        result,
        usage: None,
        is_cached: false,
        is_again: false,
        weighting: reviewer.weighting(),
        stands_in_for: None,
        unconfined: reviewer.unconfined(),
        links: reviewer.links(),
        left_out: reviewer.left_out(),
        criteria: reviewer.criteria(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::{Base, BaseRule, Change, PatchId, ScopeKind, TreeId, WholeTree};

    pub(crate) fn scope_of(files: Vec<crate::model::ChangedFile>, change: Change) -> Scope {
        Scope {
            kind: ScopeKind::Changeset,
            target: "main..HEAD".to_owned(),
            base: Base {
                name: "main".to_owned(),
                commit: None,
                tip: None,
                rule: BaseRule::LocalBranch,
                is_local_only: false,
            },
            head: None,
            branch: None,
            commits: Vec::new(),
            tree: TreeId::new(&"0".repeat(40)).unwrap(),
            whole: WholeTree::default(),
            patch: PatchId::new(&"0".repeat(64)).unwrap(),
            files,
            change,
            unreviewed: Vec::new(),
            excluded: std::collections::BTreeSet::new(),
            focus: None,
            former: std::collections::BTreeMap::new(),
        }
    }

    struct Fake(&'static str, bool);

    impl Reviewer for Fake {
        fn domain(&self) -> Domain {
            Domain::new(self.0).unwrap()
        }
        fn definition(&self) -> String {
            "none".to_owned()
        }
        fn format(&self) -> Option<&'static str> {
            Some("findings-json")
        }
        fn run(&self, _: &Scope) -> Result<Answer, Unanswered> {
            assert!(self.1, "planted");
            Ok(Answer::whole(self.0.to_owned()))
        }
    }

    #[test]
    fn a_reviewer_that_crashes_is_a_failed_run_and_takes_nobody_with_it() {
        let reviewers: Vec<Box<dyn Reviewer>> =
            vec![Box::new(Fake("a", true)), Box::new(Fake("b", false)), Box::new(Fake("c", true))];
        let mut seen = Vec::new();
        let runs = dispatch(&reviewers, &limits::tests::plain(), &scope_of(Vec::new(), Change::default()), &mut |it| {
            if let Happening::Ended(run) = it {
                seen.push(run.reviewer.to_string());
            }
        });
        let ended: Vec<(&str, bool)> = runs.iter().map(|run| (run.reviewer.as_str(), run.result.is_ok())).collect();
        assert_eq!(ended, [("a", true), ("b", false), ("c", true)]);
        seen.sort();
        assert_eq!(seen, ["a", "b", "c"]);
    }
}
