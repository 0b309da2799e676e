//! One reviewer's run: the reviewer, its input, and its output; sums over all runs of a record.
//!
//! Deliberately not here: how a reviewer is run (`dispatch`), and reading its output (`intake`).

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::findings::Artifact;

use super::Record;
use crate::model::{
    CheckResult, Domain, Gap, GapKind, PackageChanges, RepoPath, ReviewerKind, Spent, Usage, Weighting,
};

/// One reviewer's run, at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The reviewer.
    pub reviewer: Domain,
    /// The domain of its findings.
    pub domain: Domain,
    /// The kind of reviewer.
    pub kind: ReviewerKind,
    /// The model that answered, if it is known.
    pub model: Option<String>,
    /// The digest of the reviewer's definition.
    pub definition: String,
    /// The id of the format of the output, if it was agreed.
    pub format: Option<&'static str>,
    /// The files that it was asked about; `None` is everything in scope.
    pub files: Option<Vec<RepoPath>>,
    /// Its answer, or why there is none.
    pub result: Result<RecordedAnswer, NoAnswer>,
    /// Tokens and cost of this run, if they are known.
    pub usage: Option<Usage>,
    /// Whether the answer comes from the cache.
    pub is_cached: bool,
    /// Whether this is the second question, after an answer of low confidence (001).
    pub is_again: bool,
    /// Why its writes were not confined, if they should have been.
    pub unconfined: Option<String>,
    /// The folders of the working tree that it depends on, which nobody reviewed.
    pub links: Vec<RepoPath>,
    /// The files of the change that its briefs left out: it is not for them, or a program wrote them.
    pub left_out: Vec<RepoPath>,
    /// The acceptance criteria that it was asked to answer; empty for a reviewer that looks for defects.
    pub criteria: Vec<String>,
    /// How its findings and its failure count.
    pub weighting: Weighting,
    /// The reviewer in whose place it was asked.
    pub stands_in_for: Option<Domain>,
}

/// A reviewer's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedAnswer {
    /// The findings, stated or printed.
    pub output: Output,
    /// Files that it could not look at; each is a gap.
    pub unseen: Vec<UnseenFile>,
    /// Files that have a syntax error, so that it read only a part of them.
    pub broken: Vec<RepoPath>,
    /// Files that hold code of no known grammar, so that it searched them as text only.
    pub text_only: Vec<RepoPath>,
    /// The nonce that the output has to repeat to count.
    pub nonce: Option<String>,
    /// The packages that the lockfiles of the change move.
    pub packages: PackageChanges,
}

/// The findings of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A value of a built-in reviewer, in the words of 004.
    Stated(Box<Artifact>),
    /// The text that a program or a model printed.
    Printed(String),
    /// How a check ended.
    Checked(Box<CheckResult>),
}

/// A file that a reviewer could not look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnseenFile {
    /// Its path.
    pub path: RepoPath,
    /// The reason.
    pub why: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The run failed.
    Failed {
        /// The reason.
        why: String,
        /// The output until then, which does not count.
        printed: Option<String>,
    },
    /// The reviewer was not asked, for this reason.
    Skipped(String),
}

impl UnseenFile {
    /// Returns the gap that the file is.
    pub fn gap(&self, reviewer: &Domain) -> Gap {
        Gap {
            reviewer: reviewer.clone(),
            kind: GapKind::UnreadableFile,
            what: format!("{} was not reviewed: {}", self.path, self.why),
            remedy: "have a person review the file, or split it".to_owned(),
        }
    }
}

impl Run {
    /// Returns the answer, if there is one.
    pub fn answer(&self) -> Option<&RecordedAnswer> {
        self.result.as_ref().ok()
    }

    /// Returns why the run failed, if it did.
    pub fn failure(&self) -> Option<&str> {
        match &self.result {
            Err(NoAnswer::Failed { why, .. }) => Some(why),
            _ => None,
        }
    }

    /// Returns why the reviewer was not asked, if it was not.
    pub fn skipped(&self) -> Option<&str> {
        match &self.result {
            Err(NoAnswer::Skipped(why)) => Some(why),
            _ => None,
        }
    }

    /// Returns the files that it could not look at.
    pub fn unseen(&self) -> &[UnseenFile] {
        self.answer().map(|answer| answer.unseen.as_slice()).unwrap_or_default()
    }

    /// Returns how a check ended, if the run is one that did.
    pub fn checked(&self) -> Option<&CheckResult> {
        match &self.answer()?.output {
            Output::Checked(result) => Some(result),
            Output::Stated(_) | Output::Printed(_) => None,
        }
    }

    /// Tells whether the review is incomplete without its answer.
    pub fn has_to_answer(&self) -> bool {
        self.weighting.has_to_report()
    }

    /// Returns the text that was printed, whether it counts or not.
    pub fn printed(&self) -> Option<&str> {
        match &self.result {
            Ok(RecordedAnswer { output: Output::Printed(text), .. }) => Some(text),
            Err(NoAnswer::Failed { printed, .. }) => printed.as_deref(),
            _ => None,
        }
    }
}

impl Record {
    /// Returns the run that answered in the place of this one, about the same files.
    pub fn replaced_by(&self, run: &Run) -> Option<&Run> {
        let stands_in = |other: &&Run| other.stands_in_for.as_ref() == Some(&run.reviewer) && other.files == run.files;
        self.runs.iter().filter(stands_in).find(|other| other.answer().is_some())
    }

    /// Sums up tokens and cost of the models that were asked; `None` if no run states them.
    pub fn spent(&self) -> Option<Spent> {
        let is_model = |run: &Run| matches!(run.kind, ReviewerKind::Agent | ReviewerKind::Api);
        // A run that failed with an output was asked all the same.
        let has_output = |run: &Run| run.answer().is_some() || run.printed().is_some();
        let is_asked = |run: &&Run| is_model(run) && !run.is_cached && has_output(run);
        let names = |is_said: bool| -> BTreeSet<&str> {
            let runs = self.runs.iter().filter(is_asked).filter(|run| run.usage.is_some() == is_said);
            runs.map(|run| run.reviewer.as_str()).collect()
        };
        let usage = self.runs.iter().filter_map(|run| run.usage).reduce(Usage::and)?;
        Some(Spent { models: names(true).len().max(1), silent: names(false).len(), usage })
    }

    /// Returns the acceptance criteria of the review.
    pub fn criteria(&self) -> &[String] {
        self.runs.iter().map(|run| run.criteria.as_slice()).find(|all| !all.is_empty()).unwrap_or_default()
    }

    /// Says how the checks ended, in one line; `None` if there are none.
    pub fn checks(&self) -> Option<String> {
        let ended = self.runs.iter().filter_map(|run| Some(format!("{} {}", run.reviewer, run.checked()?)));
        let ended: Vec<String> = ended.collect();
        (!ended.is_empty()).then(|| format!("checks: {}", ended.join("; ")))
    }

    /// Names the reviewers that depend on folders of the working tree, a line for each.
    pub fn dependent(&self) -> Vec<String> {
        let is_one = |run: &&Run| !run.links.is_empty() && !run.is_again && run.answer().is_some();
        let line = |run: &Run| {
            let links: Vec<&str> = run.links.iter().map(RepoPath::as_str).collect();
            format!("{} depends on the working tree: {}", run.reviewer, links.join(", "))
        };
        self.runs.iter().filter(is_one).map(line).collect()
    }

    /// Names the reviewers whose writes were not confined; one line for each reason.
    pub fn unconfined(&self) -> Vec<String> {
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (run, why) in self.runs.iter().filter_map(|run| Some((run, run.unconfined.as_ref()?))) {
            let names = by_reason.entry(why).or_default();
            if names.last() != Some(&run.reviewer.as_str()) {
                names.push(run.reviewer.as_str());
            }
        }
        let line = |(why, names): (&str, Vec<&str>)| format!("Writes were not confined ({}): {why}", names.join(", "));
        by_reason.into_iter().map(line).collect()
    }
}
