//! Something asked for and not obtained. A gap is a finding too (DESIGN §5).

use super::closed_set::closed_set;
use super::{Claim, Confidence, Domain, Finding, GateOwner, Severity, Title};

closed_set! {
    /// The kind of a missing part.
    GapKind {
        /// A reviewer that should have run did not, or did not end well.
        DeadReviewer = "dead-reviewer",
        /// A reviewer's output could not be understood in full.
        UnreadableOutput = "unreadable-output",
        /// A file that no reviewer here can read, so that a person has to look at it.
        UnreadableFile = "unreadable-file",
        /// Part of the change that some required reviewer did not see.
        UncoveredHunk = "uncovered-hunk",
        /// State that cannot be told, so nothing is known.
        UnknownState = "unknown-state",
    }
}

/// Something that was asked for and not obtained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Whose part is missing.
    pub reviewer: Domain,
    /// Its kind.
    pub kind: GapKind,
    /// The missing part, for a person.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

/// The start of every gap's title.
const PREFIX: &str = "Review incomplete: ";

impl Gap {
    /// Says who can close the gap.
    pub fn owner(&self) -> GateOwner {
        match self.kind {
            GapKind::UnreadableFile => GateOwner::Person,
            GapKind::DeadReviewer | GapKind::UnreadableOutput | GapKind::UncoveredHunk | GapKind::UnknownState => {
                GateOwner::Agent
            }
        }
    }

    /// States the gap as a High finding on the repository as a whole, so that a reader who knows only 000 is not misled.
    pub fn as_finding(&self) -> Finding {
        let title = Title::new(&format!("{PREFIX}{}", self.what)).expect("the prefix is not blank");
        let mut claim = Claim::new(title, Severity::High);
        claim.reviewer = Some(self.reviewer.clone());
        claim.confidence = Some(Confidence::from_percent(100).expect("100 is a percent"));
        claim.fix = Some(self.remedy.clone());
        Finding::of_claim(self.reviewer.clone(), claim)
    }
}
