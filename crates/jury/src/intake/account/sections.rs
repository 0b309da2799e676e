//! The meaning of a heading, or of a label above a list, for the leaves below it.
//!
//! In: the text of a heading. Out: the kind of its section. A heading is a name only as a whole; an unknown one is unknown.

use crate::intake::lexicon::{self, Name};
use crate::intake::sections::{self, Section as Kind};
use crate::intake::{markdown, rating};
use crate::model::Severity;

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Severity(Severity),
    Findings,
    /// Plainly about earlier findings.
    Earlier,
    PreExisting,
    Legend,
    Praise,
    Aside,
    Unknown,
}

impl Section {
    /// Returns the section that a heading opens.
    pub(super) fn of(text: &str) -> Self {
        if markdown::names_verdict(text) {
            return Self::Aside;
        }
        if let Some(severity) = rating::pure(text).or_else(|| rating::group(text)).or_else(|| rating::naming(text)) {
            return Self::Severity(severity);
        }
        if lexicon::is_about_earlier(text) {
            return Self::Earlier;
        }
        match (sections::classify(text), lexicon::name(text)) {
            (Kind::PreExisting, _) => Self::PreExisting,
            (Kind::Legend, _) => Self::Legend,
            (_, Some(Name::Praise)) => Self::Praise,
            (_, Some(Name::Aside)) => Self::Aside,
            (Kind::Findings | Kind::Open, _) => Self::Findings,
            _ if lexicon::names_findings(text) && text.split_whitespace().count() <= 6 => Self::Findings,
            _ => Self::Unknown,
        }
    }

    /// Tells whether leaves in it are known to state no claim.
    pub(super) fn is_aside(self) -> bool {
        matches!(self, Self::Praise | Self::Aside | Self::Legend)
    }

    /// Tells whether it is for findings.
    pub(super) fn is_of_findings(self) -> bool {
        matches!(self, Self::Severity(_) | Self::Findings)
    }
}
