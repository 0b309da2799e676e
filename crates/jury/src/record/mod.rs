//! The record of one review as types: everything that is judged, and the decision.
//!
//! In: the results of the stages. Out: values for `judge`, and bytes for the store (`wire.rs`). Only this module uses the wire types
//! of the record. Deliberately not here: judging, and where records are kept.

mod coverage;
mod id;
mod not_read;
mod packages;
mod redact;
mod run;
mod scope;
mod v1;
mod verdict_file;
mod verification;
mod wire;

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::code_review::ReviewVerdict as VerdictFile;

use crate::model::{
    BaseLook, Day, Domain, FoundFeatures, Gap, Mode, Policy, RepoPath, ReviewId, ScopeKind, ScopePolicy, Timestamp,
    Waiver,
};

pub use coverage::{Cell, Coverage, Row, TextOnly, on_one_line, places};
pub use id::RecordId;
pub use not_read::NotRead;
pub use redact::{cited_text, redact_runs, secrets_of};
pub use run::{NoAnswer, Output, RecordedAnswer, Run, UnseenFile};
pub use scope::{RecordedFile, RecordedScope};
pub use verdict_file::{mode_of, severity_of, status_of, verdict_of};
pub use verification::{NewFinding, Recheck, Since, Verification};
pub use wire::{VERSION, canonical_json, read, read_check, write, write_check};

#[cfg(test)]
pub(crate) use coverage::tests as fixtures;

/// The folder in which a reviewer of the team's own is told that the tree lies; paths below it are files of the tree.
pub const ROOT: &str = "/jury/tree";

/// One review, complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Which review.
    pub review_id: ReviewId,
    /// When it was made.
    pub timestamp: Timestamp,
    /// How it was made.
    pub mode: Mode,
    /// The scope of the review.
    pub scope: RecordedScope,
    /// The policy of the base.
    pub policy: RecordedPolicy,
    /// The waivers of the base.
    pub waivers: Vec<Waiver>,
    /// The day on which the base was committed; by it, too, waivers end.
    pub base_day: Option<Day>,
    /// The runs of the reviewers, in the order in which they were asked.
    pub runs: Vec<Run>,
    /// The second look, at the text before the change; `None` in records of version 1, in which lines decide alone.
    pub base_look: Option<BaseLook>,
    /// The files that claims name, as they were reviewed: quotes are checked against them.
    pub cited: BTreeMap<RepoPath, String>,
    /// The team's own rules that agents were told, by their file of the base: quoted rules are checked against them.
    pub guidelines: BTreeMap<RepoPath, String>,
    /// Gaps outside any reviewer's run.
    pub gaps: Vec<Gap>,
    /// The path of the report for people; `None` for a quick check.
    pub report_path: Option<RepoPath>,
    /// The decision, once it is made.
    pub decision: Option<Decision>,
    /// The features of all findings, by which a later review recognises them; `None` until it is decided, and in records of versions
    /// 1 and 2.
    pub found: Option<FoundFeatures>,
    /// The comparison with the full review before, if there was one.
    pub since: Option<Since>,
    /// The result of a verification, if the record is one.
    pub verification: Option<Verification>,
}

/// How it was to be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPolicy {
    /// The thresholds.
    pub policy: Policy,
    /// The reviewers that have to report.
    pub required: Vec<Domain>,
    /// Which files are looked at, and how.
    pub scope: ScopePolicy,
}

/// The verdict file as it was first written, with the facts that 000 has no member for.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The verdict file.
    pub file: VerdictFile,
    /// The ids of its findings that state a gap.
    pub gaps: BTreeSet<String>,
    /// The ids of its findings that only a person can settle.
    pub person: BTreeSet<String>,
    /// What the waivers name that moved a finding aside; `None` in records up to version 3, in which any may have.
    pub waived: Option<BTreeSet<String>>,
    /// The ids of its findings that are failures of checks.
    pub checks: BTreeSet<String>,
}

/// Why a record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid {member} in the record: {what}")]
pub struct RecordError {
    /// Which member of the record.
    pub member: &'static str,
    /// The problem.
    pub what: String,
}

impl Record {
    /// Begins a record; runs, gaps and cited files are still to come.
    pub fn new(
        review_id: ReviewId,
        timestamp: Timestamp,
        mode: Mode,
        scope: RecordedScope,
        policy: RecordedPolicy,
        waivers: Vec<Waiver>,
    ) -> Self {
        let report_path = (mode != Mode::Quick).then(|| report_path(&timestamp, scope.kind, &review_id));
        Self {
            review_id,
            timestamp,
            mode,
            scope,
            policy,
            waivers,
            base_day: None,
            runs: Vec::new(),
            base_look: Some(BaseLook::default()),
            cited: BTreeMap::new(),
            guidelines: BTreeMap::new(),
            gaps: Vec::new(),
            report_path,
            decision: None,
            found: None,
            since: None,
            verification: None,
        }
    }

    /// Returns the ids of the findings of its verdict file that state a gap.
    pub fn gap_ids(&self) -> BTreeSet<String> {
        self.decision.as_ref().map(|decision| decision.gaps.clone()).unwrap_or_default()
    }

    /// Returns the ids of the findings of its verdict file that only a person can settle.
    pub fn person_ids(&self) -> BTreeSet<String> {
        self.decision.as_ref().map(|decision| decision.person.clone()).unwrap_or_default()
    }

    /// Returns the day by which waivers are judged: a clock that runs behind the base brings none of them back.
    pub fn today(&self) -> Day {
        let today = Day::of(&self.timestamp);
        self.base_day.map_or(today, |day| day.max(today))
    }

    /// Tells whether the decision rests on a waiver, or may.
    pub fn counts(&self, waiver: &Waiver) -> bool {
        let is_kept = self.waivers.iter().any(|kept| kept.finding == waiver.finding);
        let counted = self.decision.as_ref().and_then(|decision| decision.waived.as_ref());
        is_kept && counted.is_none_or(|counted| counted.contains(&waiver.finding))
    }

    /// Returns the ids of the findings of its verdict file that are failures of checks: a mark does not settle them.
    pub fn check_ids(&self) -> BTreeSet<String> {
        self.decision.as_ref().map(|decision| decision.checks.clone()).unwrap_or_default()
    }

    /// Returns all gaps that are known before any output is read: those outside the runs, then the files that a reviewer could
    /// not look at.
    pub fn known_gaps(&self) -> Vec<Gap> {
        let unseen = self
            .runs
            .iter()
            .filter(|run| run.has_to_answer())
            .flat_map(|run| run.unseen().iter().map(|unseen| unseen.gap(&run.reviewer)));
        self.gaps.iter().cloned().chain(unseen).collect()
    }
}

/// Returns the path of the report for people: `docs/code-reviews/{date}-{scope}-{reviewId}.md` (000).
pub fn report_path(now: &Timestamp, kind: ScopeKind, review_id: &ReviewId) -> RepoPath {
    let path = format!("docs/code-reviews/{}-{kind}-{review_id}.md", Day::of(now));
    RepoPath::new(&path).expect("a day, a word and hexadecimal digits make a plain path")
}
