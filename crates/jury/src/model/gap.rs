//! Something asked for and not obtained. A gap is a finding too (DESIGN §5).

use super::closed_set::closed_set;
use super::{Claim, Confidence, Domain, Finding, FindingId, Severity, Title};

closed_set! {
    /// What kind of thing was not obtained.
    GapKind {
        /// A reviewer that should have run did not, or did not end well.
        DeadReviewer = "dead-reviewer",
        /// A reviewer's output could not be understood in full.
        UnreadableOutput = "unreadable-output",
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
    /// What kind of gap it is.
    pub kind: GapKind,
    /// What is missing, for a person.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// What the title of every gap starts with.
const PREFIX: &str = "Review incomplete: ";

impl Gap {
    /// Tells whether a finding of a verdict file states a gap. A reviewer that words a finding so gains nothing by it: a
    /// gap cannot be marked away.
    pub fn is_stated_as(title: &str, file: &str) -> bool {
        title.starts_with(PREFIX) && file == FindingId::WHOLE_REPOSITORY
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
