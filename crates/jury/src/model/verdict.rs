//! The decision in each contract's words, and the tables of 000, 001 and 002 that give it.
//!
//! In: how many findings of each severity stand. Out: PASS/WARN/FAIL/ABORT, pass/warn/fail, and the approval. The
//! tables live here because formats check documents against them; folding findings, gaps and policy into
//! a tally is the `verdict` stage.

use super::closed_set::closed_set;
use super::{Attendance, Claim, Reviewer, Severity};

closed_set! {
    /// The verdict in the words of 000.
    ReviewVerdict {
        /// Neither a Blocker nor a High stands.
        Pass = "PASS",
        /// A High stands.
        Warn = "WARN",
        /// A Blocker stands.
        Fail = "FAIL",
        /// A system-breaking Blocker stands.
        Abort = "ABORT",
    }
}

closed_set! {
    /// The verdict in the words of 001.
    GateVerdict {
        /// The gate may open.
        Pass = "pass",
        /// The gate must stay closed.
        Fail = "fail",
        /// The gate may open; something is worth a look.
        Warn = "warn",
    }
}

closed_set! {
    /// The verdict in the words of 002.
    Approval {
        /// Nothing but praise.
        Approved = "APPROVED",
        /// A Critical or High stands.
        ChangesRequested = "CHANGES_REQUESTED",
        /// Something minor stands.
        Commented = "COMMENTED",
    }
}

closed_set! {
    /// The outcome of a run, and so its exit code.
    Outcome {
        /// Nothing stands in the way.
        Clear = "clear",
        /// Findings stand in the way.
        Blocked = "blocked",
        /// Something could not be reviewed.
        Incomplete = "incomplete",
        /// A person has to look first.
        Aborted = "aborted",
        /// Only a person can go on: nothing is left for an agent to do.
        Waiting = "waiting",
    }
}

closed_set! {
    /// Who can open a closed gate.
    GateOwner {
        /// The agent, by a fix, a verification or another review.
        Agent = "agent",
        /// A person, by a decision.
        Person = "person",
    }
}

impl Outcome {
    /// Returns the graver of two outcomes: an abort, then findings, then a missing review, then a person's decision.
    #[must_use]
    pub fn or_graver(self, other: Self) -> Self {
        let rank = |outcome| match outcome {
            Self::Clear => 0,
            Self::Waiting => 1,
            Self::Incomplete => 2,
            Self::Blocked => 3,
            Self::Aborted => 4,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// A verdict as a document states it, in the document's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// In the words of 000.
    Review(ReviewVerdict),
    /// In the words of 001.
    Gate(GateVerdict),
    /// In the words of 002.
    Approval(Approval),
}

impl Stated {
    /// Returns it in 001's words: where a Blocker or High stands, the gate is closed (DESIGN §5).
    pub const fn gate(self) -> GateVerdict {
        match self {
            Self::Gate(verdict) => verdict,
            Self::Review(ReviewVerdict::Pass) | Self::Approval(Approval::Approved) => GateVerdict::Pass,
            Self::Approval(Approval::Commented) => GateVerdict::Warn,
            Self::Review(ReviewVerdict::Warn | ReviewVerdict::Fail | ReviewVerdict::Abort)
            | Self::Approval(Approval::ChangesRequested) => GateVerdict::Fail,
        }
    }

    /// Tells whether the gate is closed by it.
    pub fn closes_the_gate(self) -> bool {
        self.gate() == GateVerdict::Fail
    }
}

impl std::fmt::Display for Stated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Review(verdict) => verdict.token(),
            Self::Gate(verdict) => verdict.token(),
            Self::Approval(verdict) => verdict.token(),
        })
    }
}

/// The decision, in every vocabulary at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// For readers of 000.
    pub review: ReviewVerdict,
    /// For readers of 001.
    pub gate: GateVerdict,
    /// For readers of 002.
    pub approval: Approval,
    /// For the exit code.
    pub outcome: Outcome,
}

/// How many findings of each severity stand, and whether one of them halts the team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [usize; Severity::ALL.len()],
    system_breaking: bool,
}

impl Tally {
    /// Counts the claims that pass the filter.
    pub fn of_claims(claims: impl IntoIterator<Item = impl AsRef<Claim>>, counts: impl Fn(&Claim) -> bool) -> Self {
        let mut tally = Self::default();
        for claim in claims {
            let claim = claim.as_ref();
            if counts(claim) {
                tally.add(claim.severity, claim.is_system_breaking());
            }
        }
        tally
    }

    /// Counts one more that stands.
    pub fn add(&mut self, severity: Severity, system_breaking: bool) {
        for (count, of) in self.counts.iter_mut().zip(Severity::ALL) {
            *count += usize::from(of == severity);
        }
        self.system_breaking |= system_breaking && severity == Severity::Blocker;
    }

    /// Returns how many of a severity stand.
    pub fn count(&self, severity: Severity) -> usize {
        self.counts.iter().zip(Severity::ALL).find(|(_, of)| *of == severity).map_or(0, |(count, _)| *count)
    }

    fn any(&self, severities: &[Severity]) -> bool {
        severities.iter().any(|severity| self.count(*severity) > 0)
    }

    /// Tells whether anything at least this bad stands. Praise is nothing bad.
    pub fn any_at_least(&self, lowest: Severity) -> bool {
        let defects = Severity::ALL.into_iter().filter(|severity| *severity != Severity::Praise);
        defects.into_iter().any(|severity| severity.is_at_least(lowest) && self.count(severity) > 0)
    }

    /// Decides by 000's verdict table.
    pub fn review(&self) -> ReviewVerdict {
        if self.system_breaking {
            ReviewVerdict::Abort
        } else if self.any(&[Severity::Blocker]) {
            ReviewVerdict::Fail
        } else if self.any(&[Severity::High]) {
            ReviewVerdict::Warn
        } else {
            ReviewVerdict::Pass
        }
    }

    /// Decides in 001's words as DESIGN §5 lays down.
    pub fn gate(&self) -> GateVerdict {
        if self.any(&[Severity::Blocker, Severity::High]) {
            GateVerdict::Fail
        } else if self.any(&[Severity::Medium]) {
            GateVerdict::Warn
        } else {
            GateVerdict::Pass
        }
    }

    /// Decides by 002's verdict logic.
    pub fn approval(&self) -> Approval {
        if self.any(&[Severity::Blocker, Severity::High]) {
            Approval::ChangesRequested
        } else if self.any(&[Severity::Medium, Severity::Low, Severity::Info]) {
            Approval::Commented
        } else {
            Approval::Approved
        }
    }
}

/// Decides for several reviewers by 001: any fail → fail; else any warn → warn; else pass. Skipped reviewers do not
/// count. A missing one fails, and so does the absence of all: an unreviewed task is never green.
pub fn aggregate(reviewers: &[Reviewer]) -> GateVerdict {
    let mut verdicts = reviewers.iter().filter_map(|reviewer| match reviewer.attendance {
        Attendance::Spoke { verdict, .. } => Some(verdict.unwrap_or(GateVerdict::Fail)),
        Attendance::Missing => Some(GateVerdict::Fail),
        Attendance::Skipped => None,
    });
    let first = verdicts.next().unwrap_or(GateVerdict::Fail);
    verdicts.fold(first, |worst, verdict| match (worst, verdict) {
        (GateVerdict::Fail, _) | (_, GateVerdict::Fail) => GateVerdict::Fail,
        (GateVerdict::Warn, _) | (_, GateVerdict::Warn) => GateVerdict::Warn,
        (GateVerdict::Pass, GateVerdict::Pass) => GateVerdict::Pass,
    })
}
