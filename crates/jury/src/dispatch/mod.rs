//! Reviewers and what is under review in; what each of them returned out, in the format that was agreed.
//!
//! Every reviewer is run alike: it is given the scope and returns a document, or a reason why there is none. A reviewer
//! that crashes takes nobody with it and is a failed run, never an empty one. Deliberately not here: reading what they
//! returned, which is `intake`.

mod builtin;
mod gate_integrity;
mod suppressions;
mod weakened;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

pub use builtin::BuiltIn;
pub use gate_integrity::GateIntegrity;

use crate::model::{Domain, Scope};

/// Anything that reviews.
pub trait Reviewer: Sync {
    /// Returns its domain.
    fn domain(&self) -> Domain;

    /// Returns a digest of how it is defined, so that a record says who it was that reviewed.
    fn definition(&self) -> String;

    /// Returns the format of its output.
    fn format(&self) -> &'static str;

    /// Reviews.
    fn run(&self, scope: &Scope) -> Answer;
}

/// What a reviewer returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The document.
    pub output: String,
    /// Files that it could not look at, each with the reason.
    pub unreviewed: Vec<(String, String)>,
}

/// One reviewer's run, at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Who.
    pub reviewer: Domain,
    /// The digest of its definition.
    pub definition: String,
    /// The format of the output.
    pub format: &'static str,
    /// What it returned, or why it did not.
    pub result: Result<Answer, String>,
}

/// Runs all reviewers at once, and tells the watcher of each as it ends. The runs come back in the order of the reviewers.
pub fn dispatch(reviewers: &[Box<dyn Reviewer>], scope: &Scope, watch: &mut dyn FnMut(&Run)) -> Vec<Run> {
    let (sender, receiver) = mpsc::channel();
    let mut runs: Vec<(usize, Run)> = std::thread::scope(|threads| {
        for (index, reviewer) in reviewers.iter().enumerate() {
            let sender = sender.clone();
            threads.spawn(move || {
                // A receiver that is gone has taken the whole review with it.
                _ = sender.send((index, run(reviewer.as_ref(), scope)));
            });
        }
        drop(sender);
        receiver.iter().inspect(|(_, run)| watch(run)).collect()
    });
    runs.sort_by_key(|(index, _)| *index);
    runs.into_iter().map(|(_, run)| run).collect()
}

fn run(reviewer: &dyn Reviewer, scope: &Scope) -> Run {
    let result = catch_unwind(AssertUnwindSafe(|| reviewer.run(scope))).map_err(|_| "it crashed".to_owned());
    Run { reviewer: reviewer.domain(), definition: reviewer.definition(), format: reviewer.format(), result }
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
        fn format(&self) -> &'static str {
            "findings-json"
        }
        fn run(&self, _: &Scope) -> Answer {
            assert!(self.1, "planted");
            Answer { output: self.0.to_owned(), unreviewed: Vec::new() }
        }
    }

    #[test]
    fn a_reviewer_that_crashes_is_a_failed_run_and_takes_nobody_with_it() {
        let reviewers: Vec<Box<dyn Reviewer>> =
            vec![Box::new(Fake("a", true)), Box::new(Fake("b", false)), Box::new(Fake("c", true))];
        let mut seen = Vec::new();
        let runs = dispatch(&reviewers, &scope_of(Vec::new(), Change::default()), &mut |run| {
            seen.push(run.reviewer.to_string());
        });
        let ended: Vec<(&str, bool)> = runs.iter().map(|run| (run.reviewer.as_str(), run.result.is_ok())).collect();
        assert_eq!(ended, [("a", true), ("b", false), ("c", true)]);
        seen.sort();
        assert_eq!(seen, ["a", "b", "c"]);
    }
}
