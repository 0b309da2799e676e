//! One finding as one reviewer stated it, with the fields of the reviewer's format; others are `None`.

use super::closed_set::closed_set;
use super::{Confidence, Domain, Line, LineRange, Location, Severity, Title};

closed_set! {
    /// The category of a defect (002).
    Category {
        /// A vulnerability.
        Security = "Security",
        /// Wrong behaviour.
        Logic = "Logic",
        /// Errors not handled.
        Error = "Error",
        /// Types that do not hold.
        Type = "Type",
        /// Missing or weak tests.
        Test = "Test",
        /// Slow or wasteful.
        Perf = "Perf",
        /// How it reads.
        Style = "Style",
        /// Its text.
        Doc = "Doc",
    }
}

closed_set! {
    /// How a fix may be made (004), from the freest to the most careful.
    AutofixClass {
        /// A local, deterministic fix that needs no approval.
        SafeAuto = "safe_auto",
        /// A concrete fix that needs approval.
        GatedAuto = "gated_auto",
        /// Needs a design decision.
        Manual = "manual",
        /// Nothing to fix, only to know.
        Advisory = "advisory",
    }
}

closed_set! {
    /// Who owns the next action (004).
    Owner {
        /// The fixer of the review itself.
        ReviewFixer = "review-fixer",
        /// Later, separate work.
        DownstreamResolver = "downstream-resolver",
        /// A person, before any code changes.
        Human = "human",
        /// Roll-out and operation.
        Release = "release",
    }
}

closed_set! {
    /// How far a finding has come (000).
    Status {
        /// New or unaddressed.
        Open = "open",
        /// The team claims to have resolved it.
        Fixed = "fixed",
        /// The fix was confirmed.
        Verified = "verified",
        /// The fix was checked, and the defect is still there.
        Reopened = "reopened",
        /// The team holds it to be a false positive or intended.
        WontFix = "wont_fix",
    }
}

impl Status {
    /// Tells whether a finding counts in 000's verdict table: open or reopened.
    pub const fn stands(self) -> bool {
        matches!(self, Self::Open | Self::Reopened)
    }

    /// Tells whether a format without statuses still has to state the finding. `fixed` is only a claim, so it does.
    pub const fn is_unsettled(self) -> bool {
        matches!(self, Self::Open | Self::Reopened | Self::Fixed)
    }
}

/// The support of a claim: members of reviewers' contracts beside those of 004.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Who states it, where a synthesis speaks for several.
    pub reviewers: Vec<Domain>,
    /// Which of them are independent of each other, where a synthesis speaks for several.
    pub independent_reviewers: Vec<Domain>,
    /// Whether the reviewer was verified to be independent.
    pub independence_verified: Option<bool>,
    /// Whether agreement has already raised the confidence; `None` if unknown.
    pub promoted: Option<bool>,
    /// The decision it conflicts with, settled by people: never suppressed.
    pub settled_conflict: Option<String>,
    /// The line of code that it rests on.
    pub first_evidence: Option<String>,
    /// Why the author of the code wants it to be let be (`jury-ignore`).
    pub ignored: Option<String>,
    /// The line of that comment.
    pub ignored_at: Option<Line>,
}

/// One defect, or one praise, as one reviewer stated it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who says so.
    pub reviewer: Option<Domain>,
    /// The defect, in one line.
    pub title: Title,
    /// How bad it is.
    pub severity: Severity,
    /// How sure the reviewer is.
    pub confidence: Option<Confidence>,
    /// Where; `None` means the change as a whole.
    pub location: Option<Location>,
    /// The category.
    pub category: Option<Category>,
    /// The rule of the reviewer that it breaks, by its id.
    pub rule: Option<String>,
    /// The weaknesses it is an instance of, as numbers of the Common Weakness Enumeration, ascending.
    pub cwe: Vec<u32>,
    /// Other places that belong to it, such as the way of the data.
    pub related: Vec<Location>,
    /// The lines of its file that it rests on: the whole match, and for a value that was followed its source and every step.
    /// Ascending and apart from each other; empty if it is not stated.
    pub trace: Vec<LineRange>,
    /// The consequence.
    pub why: Option<String>,
    /// Quotes and observations that support it.
    pub evidence: Vec<String>,
    /// The remedy, as prose or code.
    pub fix: Option<String>,
    /// How a fix may be made.
    pub autofix: Option<AutofixClass>,
    /// Who owns the next action.
    pub owner: Option<Owner>,
    /// Whether a fix must be checked again.
    pub requires_verification: Option<bool>,
    /// Whether the defect was there before the change.
    pub pre_existing: Option<bool>,
    /// How far it has come.
    pub status: Option<Status>,
    /// Whether the reviewer asks to halt the team until a person has looked.
    pub system_breaking: bool,
    /// Further support; boxed, because few claims have any.
    pub support: Option<Box<Support>>,
}

impl AsRef<Self> for Claim {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Claim {
    /// Makes a claim of which nothing but the title and severity is known.
    pub fn new(title: Title, severity: Severity) -> Self {
        Self {
            reviewer: None,
            title,
            severity,
            confidence: None,
            location: None,
            category: None,
            rule: None,
            cwe: Vec::new(),
            related: Vec::new(),
            trace: Vec::new(),
            why: None,
            evidence: Vec::new(),
            fix: None,
            autofix: None,
            owner: None,
            requires_verification: None,
            pre_existing: None,
            status: None,
            system_breaking: false,
            support: None,
        }
    }

    /// Returns the status; open unless marked.
    pub fn status(&self) -> Status {
        self.status.unwrap_or(Status::Open)
    }

    /// Returns the settled decision that it conflicts with.
    pub fn settled_conflict(&self) -> Option<&str> {
        self.support.as_ref()?.settled_conflict.as_deref()
    }

    /// Returns the line of code that it says it rests on.
    pub fn first_evidence(&self) -> Option<&str> {
        self.support.as_ref()?.first_evidence.as_deref()
    }

    /// Returns why it is let be at its author's wish. What halts the team is not, and what was there before the change needs
    /// no such wish.
    pub fn ignored(&self) -> Option<&str> {
        let reason = self.support.as_ref()?.ignored.as_deref()?;
        (!self.is_system_breaking() && self.pre_existing != Some(true)).then_some(reason)
    }

    /// Tells whether this is a Blocker that halts the team (DESIGN §5, ABORT): it says so, or it is 004's P0 that only
    /// a person may touch.
    pub fn is_system_breaking(&self) -> bool {
        self.severity == Severity::Blocker && (self.system_breaking || self.owner == Some(Owner::Human))
    }
}
