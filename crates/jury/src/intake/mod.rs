//! Intake: the output of a reviewer becomes reports, rejects and gaps. Nothing is trusted, nothing is lost (DESIGN §6).
//!
//! In: the bytes of a reviewer's output. Out: an [`Intake`] with the reports, every repair that was needed to read them,
//! the rejects with their raw text, and the gaps. Deliberately not here: files that
//! an output points at, and any decision.

mod account;
mod answers;
mod assignments;
mod blocks;
mod contradictions;
mod criteria;
mod dialect;
mod documents;
mod elements;
mod envelope;
mod fields;
mod finding;
mod glyphs;
mod incomplete;
mod ledger;
mod lenient_yaml;
mod lexicon;
mod location;
mod markdown;
mod markdown_units;
mod nested;
mod no_findings;
mod node_kinds;
mod nonce;
mod places;
mod prose;
mod rating;
mod reliability;
mod repair;
mod scalars;
mod sections;
mod sniff;
mod summaries;
mod surrounding_text;
mod synonyms;
mod tables;
mod tabular;
mod unclaimed;
mod wrappings;
mod yaml_repair;

pub use account::{Fate, Leaf, NonClaim, Unread};
pub use criteria::{MOST_CRITERIA, assessments, criteria_of, rank};
pub use envelope::{complaint, usage};
pub use nonce::repeats_nonce;
pub use reliability::{Reliability, reliability};

use jury_wire::Reason;

use crate::formats::Format;
use crate::model::{Domain, Gap, GapKind, Report, Severity};
use crate::syntax::{Deviation, Limits, Source, Span};
use ledger::Ledger;

/// The form in which an output was read.
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
    /// The original text.
    pub was: String,
    /// The text as it was read.
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
    /// The error.
    pub message: String,
}

/// The result of reading a reviewer's output.
#[derive(Clone, Debug)]
pub struct Intake {
    /// The form in which it was read.
    pub dialect: Dialect,
    /// The envelopes that were taken off, outermost first.
    pub envelopes: Vec<&'static str>,
    /// Reports that were understood: usually one.
    pub reports: Vec<Report>,
    /// Every liberty that was taken, in the order of reading.
    pub repairs: Vec<Repair>,
    /// Every claim that was there and is not in a report.
    pub rejected: Vec<Reject>,
    /// The gaps. Never empty if something was not understood.
    pub gaps: Vec<Deviation>,
    /// The leaves of a document in Markdown, each with its fate; none for a format that was read to the letter.
    pub leaves: Vec<Leaf>,
    /// How many claims were there: those understood and those rejected.
    pub present: usize,
}

impl Intake {
    /// Returns how many claims were understood.
    pub fn understood(&self) -> usize {
        self.reports.iter().map(|report| report.claims.len()).sum()
    }

    /// Tells whether everything was understood and nothing stands in the way: no blocking finding of any status,
    /// no reject, no gap.
    pub fn is_clear(&self) -> bool {
        let blocks = |report: &Report| report.claims.iter().any(|claim| claim.severity.is_at_least(Severity::High));
        self.gaps.is_empty() && self.rejected.is_empty() && !self.reports.is_empty() && !self.reports.iter().any(blocks)
    }

    /// Moves every place, where another text than the original was read.
    fn move_spans(&mut self, moved: impl Fn(Span) -> Span) {
        self.repairs.iter_mut().for_each(|repair| repair.span = moved(repair.span));
        self.rejected.iter_mut().for_each(|reject| reject.span = moved(reject.span));
        self.gaps.iter_mut().for_each(|gap| gap.span = moved(gap.span));
        self.leaves.iter_mut().for_each(|leaf| leaf.span = moved(leaf.span));
    }

    /// Returns the gaps as those of a reviewer, with a remedy for each.
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

/// Takes a report that never was text.
pub fn take_stated(report: Report, format: &'static Format) -> Intake {
    Intake {
        dialect: Dialect::Format(format),
        envelopes: Vec::new(),
        present: report.claims.len(),
        reports: vec![report],
        repairs: Vec::new(),
        rejected: Vec::new(),
        gaps: Vec::new(),
        leaves: Vec::new(),
    }
}

/// Takes the output of a reviewer. With `from`, it is read as that format and nothing else.
pub fn take(bytes: &[u8], from: Option<&'static Format>, limits: &Limits) -> Intake {
    take_below(bytes, from, &[], limits)
}

/// Takes the output of a reviewer, like [`take`], and makes absolute paths below one of the folders in which the reviewer
/// saw the tree relative to it. Letters that look like others are read as they look.
pub fn take_below(bytes: &[u8], from: Option<&'static Format>, roots: &[&str], limits: &Limits) -> Intake {
    let folded = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= limits.bytes).and_then(glyphs::folded);
    let Some(folded) = folded.filter(|_| from.is_none()) else { return take_plain(bytes, from, roots, limits) };
    // The words of a format are exact, so that another letter in one is a deviation there.
    let as_written = take_plain(bytes, from, roots, limits);
    if matches!(as_written.dialect, Dialect::Format(_)) {
        return as_written;
    }
    let mut taken = take_plain(folded.text.as_bytes(), from, roots, limits);
    // Where the letters make no difference, the places of the original are exact. Folding never opens what was closed.
    let severities = |intake: &Intake| -> Vec<Severity> {
        intake.reports.iter().flat_map(Report::claims).map(|claim| claim.severity).collect()
    };
    let is_same = severities(&taken) == severities(&as_written) && taken.present == as_written.present;
    let opens = taken.is_clear() && !as_written.is_clear();
    if is_same && taken.is_clear() == as_written.is_clear() || opens {
        return as_written;
    }
    taken.move_spans(|span| folded.original(span));
    let whole = Span::new(0, bytes.len());
    let repair = Repair {
        reason: Reason::GlyphsFolded,
        span: whole,
        was: "letters that look like others".to_owned(),
        became: "plain letters".to_owned(),
    };
    taken.repairs.insert(0, repair);
    taken
}

fn take_plain(bytes: &[u8], from: Option<&'static Format>, roots: &[&str], limits: &Limits) -> Intake {
    let mut ledger = Ledger::new(limits, roots);
    if let Some((text, reason, what)) =
        wrappings::decoded(bytes).filter(|_| from.is_none() && bytes.len() <= limits.bytes)
    {
        let whole = Span::new(0, bytes.len());
        ledger.repair(reason, whole, what, "UTF-8");
        ledger.inside(ledger::TextOrigin::Within(whole), |ledger| sniff::take(ledger, &text, 0));
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
