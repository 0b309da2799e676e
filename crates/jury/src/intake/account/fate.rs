//! The fates of leaves, and the reasons for them.
//!
//! In: nothing. Out: the words. Deliberately not here: which leaf has which fate (`fates`).

/// What became of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A claim, or part of one.
    Claim,
    /// Known to state no claim, for this reason.
    NonClaim(NonClaim),
    /// Could be a claim, and was not read as one.
    Unread(Unread),
}

impl Fate {
    /// Returns the fate in a word, for the margin of a document.
    pub fn word(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Unread(_) => "UNREAD",
            Self::NonClaim(why) => why.word(),
        }
    }
}

/// Why a leaf states no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonClaim {
    /// States that there is none.
    Absence,
    /// Counts findings.
    Count,
    /// States the verdict.
    Verdict,
    /// Explains a scale.
    Legend,
    /// Settled on its own line, or below a heading about earlier findings.
    Settled,
    /// A field of the claim above.
    Field,
    /// Praises, or reports a check that passed.
    Praise,
    /// Stands in a section that holds no findings.
    Aside,
    /// Code.
    Code,
    /// A heading.
    Heading,
    /// Text that nothing marks as a claim.
    Text,
}

impl NonClaim {
    fn word(self) -> &'static str {
        match self {
            Self::Absence => "none",
            Self::Count => "count",
            Self::Verdict => "verdict",
            Self::Legend => "legend",
            Self::Settled => "settled",
            Self::Field => "field",
            Self::Praise => "praise",
            Self::Aside => "aside",
            Self::Code => "code",
            Self::Heading => "heading",
            Self::Text => "text",
        }
    }
}

/// Why a leaf could be a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Has a mark whose word is unknown, where others have a severity.
    UnknownMark,
    /// Names a place, below a heading of no known kind.
    Place,
    /// Has a title, below a heading of no known kind beside sections for findings.
    Titled,
    /// Stands below a heading of no known kind, where the headings beside that are severities.
    Beside,
    /// Starts with a file without a line, as all members of its list do, below a heading of no known kind.
    Listed,
    /// Stands in a section for findings, without a mark.
    Unmarked,
    /// Reports a check that failed.
    Failed,
    /// Has no known word for a pass where its siblings have one.
    NotPassed,
    /// Has an empty box where its siblings have a checked one.
    Unchecked,
    /// Stands where the verdict does, and is none that is known.
    Verdict,
}

impl Unread {
    /// Tells whether the leaf has no mark of any kind: if the reviewer states that nothing blocks, it does not either, and is an
    /// open finding.
    pub(in crate::intake) fn is_unmarked(self) -> bool {
        matches!(self, Self::Unmarked | Self::Listed)
    }

    /// Tells whether the leaf is no finding if the reviewer states that nothing blocks.
    pub(in crate::intake) fn is_settled_by_a_pass(self) -> bool {
        matches!(self, Self::NotPassed | Self::Unchecked | Self::Verdict)
    }

    /// Returns why the leaf could be a claim, for people.
    pub fn why(self) -> &'static str {
        match self {
            Self::UnknownMark => "its mark is unknown",
            Self::Place => "it names a place below a heading of no known kind",
            Self::Titled => "it has a title, beside sections for findings",
            Self::Beside => "its heading is unknown, and stands beside headings of severities",
            Self::Listed => "it names a file, as all in its list do, below a heading of no known kind",
            Self::Unmarked => "it stands in a section for findings",
            Self::Failed => "it reports a check that failed",
            Self::NotPassed => "it states no pass where those beside it do",
            Self::Unchecked => "its box is empty where others are checked",
            Self::Verdict => "it stands where the verdict does, and is none that is known",
        }
    }
}
