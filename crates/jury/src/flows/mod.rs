//! One file for each thing that a user asks for: one function that reads top to bottom in the order of the stages.
//!
//! A flow calls stages and the things that join them (`worktree`, `base`, `panel`, `judge`), never another flow. Deliberately not
//! here: the work of any stage, and anything that is shown.

pub mod abort;
pub mod accept;
pub mod approvals;
pub mod attest;
pub mod attested;
pub mod contest;
pub mod fix;
pub mod gate;
pub mod merge;
pub mod next;
pub mod publish;
pub mod replay;
pub mod report;
pub mod review;
pub mod sync;
pub mod verify;
pub mod waive;

use crate::config::waivers::Entry;
use crate::judge::Judgement;
use crate::model::{Base, Outcome, RepoPath, ReportWriting, ReviewVerdict, TreeId};
use crate::people::Refused;
use crate::record::{Record, verdict_of};
use crate::store::{Current, State};
use crate::verdict::{Gate, Match};

/// A review that was made.
pub struct Reviewed {
    /// The record, with the decision.
    pub record: Record,
    /// The judgement of the record.
    pub judgement: Judgement,
    /// The new path of a verdict file that Jury did not write.
    pub set_aside: Option<RepoPath>,
    /// When the report is written.
    pub report: ReportWriting,
}

impl Reviewed {
    /// Returns the outcome, and so the exit code of the command.
    pub fn outcome(&self) -> Outcome {
        self.judgement.merged.verdict.outcome
    }
}

/// The tree, HEAD and base that the gate judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The working tree.
    pub tree: TreeId,
    /// The commit that is checked out.
    pub head: Option<String>,
    /// The base of the change, and how it was found.
    pub base: Base,
}

/// A worktree and its gate.
pub struct GateView {
    /// The state on disk.
    pub state: State,
    /// The record of the last full review, or of the last verification of it.
    pub full: Option<Record>,
    /// How the tree compares with the one that the last full review judged.
    pub tree: Option<Match>,
    /// The tree, HEAD and base that the gate judged; `None` without a full review.
    pub judged: Option<Judged>,
    /// The waivers of the base that have ended, each with its line.
    pub ended: Vec<Entry>,
    /// The acceptances that do not count.
    pub refused: Vec<Refused>,
    /// The gate.
    pub gate: Gate,
}

impl GateView {
    /// Returns the review that the team acts on: the latest, unless the last full one halted the team. A quick check sees
    /// uncommitted changes only, so it lifts no abort.
    pub fn acted_on(&self) -> Option<&Current> {
        let is_aborted = |full: &&Current| verdict_of(&full.sealed) == Some(ReviewVerdict::Abort);
        self.state.full.as_ref().filter(is_aborted).or(self.state.latest.as_ref())
    }
}
