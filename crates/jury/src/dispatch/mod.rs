//! Reviewers and what is under review in; what each of them returned out, in the format that was agreed.
//!
//! Every reviewer is run alike: it is given the scope and returns a document, or a reason why there is none. A reviewer
//! that crashes takes nobody with it and is a failed run, never an empty one. Deliberately not here: reading what they
//! returned, which is `intake`.

mod brief;
mod builtin;
mod enabled;
mod export;
mod gate_integrity;
mod outside;
mod suppressions;
mod weakened;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, mpsc};

pub use builtin::BuiltIn;
pub use export::{Tree, TreeFile};
pub use gate_integrity::GateIntegrity;
pub use outside::{Outside, ROOT};

use crate::model::{Domain, ReviewerKind, Scope};

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

    /// Says, once it has run, why it could write elsewhere than it may, if it was to be kept from that and could not be.
    fn unconfined(&self) -> Option<String> {
        None
    }

    /// Reviews.
    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered>;
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
    },
    /// It was not asked, for this reason.
    Skipped(String),
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
    /// What it returned, or why it did not.
    pub result: Result<Answer, Unanswered>,
    /// Why it could write elsewhere than it may, if it was to be kept from that and could not be.
    pub unconfined: Option<String>,
}

/// Runs all reviewers, those of a team's own no more than `parallel` at once, and tells the watcher of each as it ends. The runs
/// come back in the order of the reviewers.
pub fn dispatch(
    reviewers: &[Box<dyn Reviewer + '_>],
    parallel: usize,
    scope: &Scope,
    watch: &mut dyn FnMut(&Run),
) -> Vec<Run> {
    let (sender, receiver) = mpsc::channel();
    let (own, outside): (Vec<usize>, Vec<usize>) =
        (0..reviewers.len()).partition(|index| reviewers[*index].kind() == ReviewerKind::BuiltIn);
    let workers = parallel.min(outside.len());
    let queue = Mutex::new(outside.into_iter());
    let mut runs: Vec<(usize, Run)> = std::thread::scope(|threads| {
        // A receiver that is gone has taken the whole review with it.
        let look = move |index: usize| _ = sender.send((index, run(reviewers[index].as_ref(), scope)));
        for index in own {
            let look = look.clone();
            threads.spawn(move || look(index));
        }
        for _ in 0..workers {
            let (look, queue) = (look.clone(), &queue);
            let next = || queue.lock().expect("nobody panics while holding the queue").next();
            threads.spawn(move || {
                while let Some(index) = next() {
                    look(index);
                }
            });
        }
        drop(look);
        receiver.iter().inspect(|(_, run)| watch(run)).collect()
    });
    runs.sort_by_key(|(index, _)| *index);
    runs.into_iter().map(|(_, run)| run).collect()
}

fn run(reviewer: &dyn Reviewer, scope: &Scope) -> Run {
    let crashed = || Unanswered::Failed { why: "it crashed".to_owned(), printed: None };
    let result = catch_unwind(AssertUnwindSafe(|| reviewer.run(scope))).unwrap_or_else(|_| Err(crashed()));
    Run {
        reviewer: reviewer.name(),
        domain: reviewer.domain(),
        kind: reviewer.kind(),
        model: reviewer.model(),
        definition: reviewer.definition(),
        format: reviewer.format(),
        result,
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
            Ok(Answer { output: self.0.to_owned(), unreviewed: Vec::new(), nonce: None })
        }
    }

    #[test]
    fn a_reviewer_that_crashes_is_a_failed_run_and_takes_nobody_with_it() {
        let reviewers: Vec<Box<dyn Reviewer>> =
            vec![Box::new(Fake("a", true)), Box::new(Fake("b", false)), Box::new(Fake("c", true))];
        let mut seen = Vec::new();
        let runs = dispatch(&reviewers, 4, &scope_of(Vec::new(), Change::default()), &mut |run| {
            seen.push(run.reviewer.to_string());
        });
        let ended: Vec<(&str, bool)> = runs.iter().map(|run| (run.reviewer.as_str(), run.result.is_ok())).collect();
        assert_eq!(ended, [("a", true), ("b", false), ("c", true)]);
        seen.sort();
        assert_eq!(seen, ["a", "b", "c"]);
    }
}
