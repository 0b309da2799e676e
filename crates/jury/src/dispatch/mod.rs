//! Reviewers and what is under review in; what each of them returned out, in the format that was agreed.
//!
//! Every reviewer is run alike: it is given the scope and returns a document, or a reason why there is none. A reviewer
//! that crashes takes nobody with it and is a failed run, never an empty one. Deliberately not here: reading what they
//! returned, which is `intake`.

mod api;
mod brief;
mod builtin;
mod enabled;
mod export;
mod gate_integrity;
mod outside;
mod suppressions;
mod terms;
mod weakened;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

pub use builtin::BuiltIn;
pub use export::{Tree, TreeFile};
pub use gate_integrity::GateIntegrity;
pub use outside::{Outside, ROOT};
pub use terms::{Heard, Memory, Terms};

use crate::model::{Domain, Price, ReviewerKind, Scope, Usage};
use terms::Account;

/// Anything that reviews.
pub trait Reviewer: Sync {
    /// Returns what its findings are about.
    fn domain(&self) -> Domain;

    /// Returns what it is called.
    fn name(&self) -> Domain {
        self.domain()
    }

    /// Says who stands behind it.
    fn kind(&self) -> ReviewerKind {
        ReviewerKind::BuiltIn
    }

    /// Returns the model that speaks, as far as that is known.
    fn model(&self) -> Option<String> {
        None
    }

    /// Returns a digest of how it is defined, so that a record says who it was that reviewed.
    fn definition(&self) -> String;

    /// Returns the format of its output, where it is agreed.
    fn format(&self) -> Option<&'static str>;

    /// Returns the files of the scope that it is asked about; `None` is all of them.
    fn files(&self, _: &Scope) -> Option<Vec<String>> {
        None
    }

    /// Returns what its tokens cost, where it is a model.
    fn price(&self) -> Option<Price> {
        None
    }

    /// Returns a digest of all that it is given, its definition aside; `None` if nothing is to be kept of it.
    fn input(&self, _scope: &Scope) -> Option<String> {
        None
    }

    /// Returns who is asked if it is not sure of its answer (001); `None` for whoever cannot be unsure.
    fn second(&self) -> Option<Box<dyn Reviewer + '_>> {
        None
    }

    /// Says, once it has run, why it could write elsewhere than it may, if it was to be kept from that and could not be.
    fn unconfined(&self) -> Option<String> {
        None
    }

    /// Reviews.
    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered>;

    /// Reviews within a time, where it takes any worth a limit.
    fn run_within(&self, scope: &Scope, _time: Duration) -> Result<Answer, Unanswered> {
        self.run(scope)
    }
}

/// What a reviewer returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The document.
    pub output: String,
    /// Files that it could not look at, each with the reason.
    pub unreviewed: Vec<(String, String)>,
    /// What the document has to repeat to count.
    pub nonce: Option<String>,
    /// What it took, where whoever answered says so outside the document.
    pub usage: Option<Usage>,
}

impl Answer {
    /// Returns an answer that is about everything, and cost nothing.
    pub(crate) fn whole(output: String) -> Self {
        Self { output, unreviewed: Vec::new(), nonce: None, usage: None }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// It did not come to a good end.
    Failed {
        /// Why.
        why: String,
        /// What it had printed by then, which does not count.
        printed: Option<String>,
        /// What it took, all the same.
        usage: Option<Usage>,
    },
    /// It was not asked, for this reason.
    Skipped(String),
}

impl Unanswered {
    /// Returns a failure of which nothing but the reason is left.
    pub(crate) fn failed(why: String) -> Self {
        Self::Failed { why, printed: None, usage: None }
    }
}

/// One reviewer's run, at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Who.
    pub reviewer: Domain,
    /// What its findings are about.
    pub domain: Domain,
    /// Who stands behind it.
    pub kind: ReviewerKind,
    /// The model that speaks, as far as that is known.
    pub model: Option<String>,
    /// The digest of its definition.
    pub definition: String,
    /// The format of the output, where it is agreed.
    pub format: Option<&'static str>,
    /// The files that it was asked about; `None` is everything in scope.
    pub files: Option<Vec<String>>,
    /// What it returned, or why it did not.
    pub result: Result<Answer, Unanswered>,
    /// What that took now, as far as it is known.
    pub usage: Option<Usage>,
    /// Whether the answer is one that was kept, and nobody was asked.
    pub is_kept: bool,
    /// Whether this is the second asking, after an answer that was not sure (001).
    pub is_again: bool,
    /// Why it could write elsewhere than it may, if it was to be kept from that and could not be.
    pub unconfined: Option<String>,
}

/// Runs all reviewers, those of a team's own on their terms, and tells the watcher of each as it ends. The runs come back in the
/// order of the reviewers.
pub fn dispatch(
    reviewers: &[Box<dyn Reviewer + '_>],
    terms: &Terms<'_>,
    scope: &Scope,
    watch: &mut dyn FnMut(&Run),
) -> Vec<Run> {
    let (sender, receiver) = mpsc::channel();
    let (own, outside): (Vec<usize>, Vec<usize>) =
        (0..reviewers.len()).partition(|index| reviewers[*index].kind() == ReviewerKind::BuiltIn);
    if terms.is_fresh {
        terms.forget(outside.iter().map(|index| reviewers[*index].as_ref() as &dyn Reviewer), scope);
    }
    let workers = terms.parallel.min(outside.len());
    let queue = Mutex::new(outside.into_iter());
    let account = Account::open(terms.budget);
    let account = &account;
    let mut runs: Vec<(usize, Run)> = std::thread::scope(|threads| {
        // A receiver that is gone has taken the whole review with it.
        let told = move |index: usize, run: Run| _ = sender.send((index, run));
        for index in own {
            let told = told.clone();
            threads.spawn(move || told(index, ended(reviewers[index].as_ref(), scope, |it| it.run(scope))));
        }
        for _ in 0..workers {
            let (told, queue) = (told.clone(), &queue);
            let next = || queue.lock().expect("nobody panics while holding the queue").next();
            threads.spawn(move || {
                while let Some(index) = next() {
                    terms.ask(reviewers[index].as_ref(), scope, account, &mut |run| told(index, run));
                }
            });
        }
        drop(told);
        receiver.iter().inspect(|(_, run)| watch(run)).collect()
    });
    // The sort is stable: who is asked twice has answered in that order.
    runs.sort_by_key(|(index, _)| *index);
    runs.into_iter().map(|(_, run)| run).collect()
}

/// Has a reviewer come to its end, and says how that was.
fn ended(reviewer: &dyn Reviewer, scope: &Scope, run: impl FnOnce(&dyn Reviewer) -> Result<Answer, Unanswered>) -> Run {
    let crashed = || Unanswered::failed("it crashed".to_owned());
    let result = catch_unwind(AssertUnwindSafe(|| run(reviewer))).unwrap_or_else(|_| Err(crashed()));
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
        is_kept: false,
        is_again: false,
        unconfined: reviewer.unconfined(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::{Base, Change, PatchId, ScopeKind, TreeId, WholeTree};

    pub(crate) fn scope_of(files: Vec<crate::model::ChangedFile>, change: Change) -> Scope {
        Scope {
            kind: ScopeKind::Changeset,
            target: "main..HEAD".to_owned(),
            base: Base { name: "main".to_owned(), commit: None, tip: None },
            head: None,
            branch: None,
            commits: Vec::new(),
            tree: TreeId::new(&"0".repeat(40)).unwrap(),
            whole: WholeTree::default(),
            patch: PatchId::new(&"0".repeat(64)).unwrap(),
            files,
            change,
            unreviewed: Vec::new(),
            focus: None,
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
        let runs = dispatch(&reviewers, &terms::tests::plain(), &scope_of(Vec::new(), Change::default()), &mut |run| {
            seen.push(run.reviewer.to_string());
        });
        let ended: Vec<(&str, bool)> = runs.iter().map(|run| (run.reviewer.as_str(), run.result.is_ok())).collect();
        assert_eq!(ended, [("a", true), ("b", false), ("c", true)]);
        seen.sort();
        assert_eq!(seen, ["a", "b", "c"]);
    }
}
