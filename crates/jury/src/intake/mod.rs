//! Intake: whatever a reviewer printed becomes reports, rejects and gaps. Believing nobody, losing nothing (DESIGN §6).
//!
//! In: the bytes of a reviewer's output. Out: an [`Intake`], which says what was understood, every liberty that was taken
//! to understand it, what was rejected with its raw text, and what was not obtained. Deliberately not here: files that
//! an output points at, and any decision.

mod absence;
mod answers;
mod assignments;
mod beside;
mod blocks;
mod documents;
mod doubts;
mod drift;
mod echo;
mod elements;
mod envelope;
mod fields;
mod finding;
mod grids;
mod ledger;
mod location;
mod loose_yaml;
mod markdown;
mod places;
mod prose;
mod rating;
mod repair;
mod sections;
mod shapes;
mod sniff;
mod standing;
mod strays;
mod summaries;
mod synonyms;
mod tables;
mod unfinished;
mod units;
mod values;
mod wrappings;
mod yaml_mend;

pub use echo::echoes;
pub use envelope::{complaint, usage};
pub use standing::{Standing, standing};

use jury_wire::Reason;

use crate::formats::Format;
use crate::model::{Domain, Gap, GapKind, Report, Severity};
use crate::syntax::{Deviation, Limits, Source, Span};
use ledger::Ledger;

/// What an output was taken as.
#[derive(Clone, Copy, Debug)]
pub enum Dialect {
    /// One of the formats, to the letter or with deviations that are listed as repairs.
    Format(&'static Format),
    /// JSON that says the same in other words.
    Json,
    /// YAML that says the same in other words.
    Yaml,
    /// Markdown or prose.
    Markdown,
    /// None of these.
    Unknown,
}

impl Dialect {
    /// Returns the id of the format, or the word for the dialect.
    pub fn id(self) -> &'static str {
        match self {
            Self::Format(format) => format.id,
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Markdown => "markdown",
            Self::Unknown => "unknown",
        }
    }
}

/// A reading that was not literal, or a change that was needed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The stable reason.
    pub reason: Reason,
    /// Where, in the original bytes.
    pub span: Span,
    /// What stood there.
    pub was: String,
    /// What it was read as.
    pub became: String,
}

/// A claim that was there and cannot be relied upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// The stable reason.
    pub reason: Reason,
    /// Where, in the original bytes.
    pub span: Span,
    /// The claim as it was written.
    pub raw: String,
    /// What is wrong with it.
    pub message: String,
}

/// What came of a reviewer's output.
#[derive(Clone, Debug)]
pub struct Intake {
    /// What it was taken as.
    pub dialect: Dialect,
    /// The envelopes that were taken off, outermost first.
    pub envelopes: Vec<&'static str>,
    /// What was understood: usually one report.
    pub reports: Vec<Report>,
    /// Every liberty that was taken, in the order of reading.
    pub repairs: Vec<Repair>,
    /// Every claim that was there and is not in a report.
    pub rejected: Vec<Reject>,
    /// What was not obtained. Never empty if something was not understood.
    pub gaps: Vec<Deviation>,
    /// How many claims were there: those understood and those rejected.
    pub present: usize,
}

impl Intake {
    /// Returns how many claims were understood.
    pub fn understood(&self) -> usize {
        self.reports.iter().map(|report| report.claims.len()).sum()
    }

    /// Tells whether everything was understood and nothing at all stands in the way: no finding that blocks, whatever is
    /// said to have become of it, no reject, no gap.
    pub fn is_clear(&self) -> bool {
        let blocks = |report: &Report| report.claims.iter().any(|claim| claim.severity.is_at_least(Severity::High));
        self.gaps.is_empty() && self.rejected.is_empty() && !self.reports.is_empty() && !self.reports.iter().any(blocks)
    }

    /// Returns the gaps as those of a reviewer, with what to do about each.
    pub fn gaps_of(&self, reviewer: &Domain) -> Vec<Gap> {
        let gap = |gap: &Deviation| Gap {
            reviewer: reviewer.clone(),
            kind: match gap.reason {
                Reason::EnvelopeFailed | Reason::NoFinalMessage | Reason::NotAReport => GapKind::DeadReviewer,
                _ => GapKind::UnreadableOutput,
            },
            what: gap.message.clone(),
            remedy: gap.reason.help().to_owned(),
        };
        self.gaps.iter().map(gap).collect()
    }
}

/// Takes whatever a reviewer printed. With `from`, it is read as that format and nothing else.
pub fn take(bytes: &[u8], from: Option<&'static Format>, limits: &Limits) -> Intake {
    take_below(bytes, from, &[], limits)
}

/// Takes whatever a reviewer printed, like [`take`], and reads absolute paths below one of the folders in which the reviewer
/// saw the tree as the files that they are.
pub fn take_below(bytes: &[u8], from: Option<&'static Format>, roots: &[&str], limits: &Limits) -> Intake {
    let mut ledger = Ledger::new(limits, roots);
    if let Some((text, reason, what)) =
        wrappings::decoded(bytes).filter(|_| from.is_none() && bytes.len() <= limits.bytes)
    {
        let whole = Span::new(0, bytes.len());
        ledger.repair(reason, whole, what, "UTF-8");
        ledger.inside(ledger::Place::Within(whole), |ledger| sniff::take(ledger, &text, 0));
        return ledger.close();
    }
    match (Source::new(bytes, limits), from) {
        (Err(deviation), _) => ledger.gap(deviation.reason, deviation.span, deviation.message),
        (Ok(source), Some(format)) => {
            ledger.dialect = Dialect::Format(format);
            let text = source.text();
            sniff::take_strict(&mut ledger, text, format.read_source(&source.below(roots), limits));
        }
        (Ok(source), None) => sniff::take(&mut ledger, source.text(), 0),
    }
    ledger.close()
}
