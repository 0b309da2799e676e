//! How bad a claim is. Deliberately not here: how each contract spells it (`formats/vocabulary.rs`).

use std::cmp::Ordering;

/// The six severities of DESIGN §5, from praise to blocker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Must not merge.
    Blocker,
    /// Should not merge.
    High,
    /// Fix if straightforward.
    Medium,
    /// At the author's discretion.
    Low,
    /// For information.
    Info,
    /// Something done well; never counts against a change.
    Praise,
}

impl Severity {
    /// Every severity, worst first.
    pub const ALL: [Self; 6] = [Self::Blocker, Self::High, Self::Medium, Self::Low, Self::Info, Self::Praise];

    /// Returns how bad it is as a number, for ordering only.
    const fn badness(self) -> u8 {
        match self {
            Self::Praise => 0,
            Self::Info => 1,
            Self::Low => 2,
            Self::Medium => 3,
            Self::High => 4,
            Self::Blocker => 5,
        }
    }

    /// Tells whether this severity is at least as bad as the other.
    pub fn is_at_least(self, other: Self) -> bool {
        self.badness() >= other.badness()
    }

    /// Orders the worse severity first, the order in which findings are shown.
    pub fn worst_first(self, other: Self) -> Ordering {
        other.badness().cmp(&self.badness())
    }

    /// Returns Jury's own word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Blocker => "Blocker",
            Self::High => "High",
            Self::Medium => "Medium",
            Self::Low => "Low",
            Self::Info => "Info",
            Self::Praise => "Praise",
        }
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}
