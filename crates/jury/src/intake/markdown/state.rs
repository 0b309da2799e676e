//! What is known of a document while it is being read.
//!
//! In: what the reader of headings, items, paragraphs and tables notes. Out: the same, in four parts: where it stands, what it
//! found, what the document says of itself, and what leaves a doubt. Deliberately not here: any reading.

use super::super::location::InheritedPlace;
use super::super::prose::Draft;
use super::super::sections::Section;
use super::restated::Entered;
use crate::model::{GateVerdict, Report, Severity};
use crate::syntax::Span;

/// Where the reader stands.
#[derive(Default)]
pub(super) struct Position {
    /// Where the text behind the front matter starts.
    pub(super) body: usize,
    /// The headings above, with their levels.
    pub(super) headings: Vec<(usize, Section)>,
    /// The files that headings and labels name, with their levels.
    pub(super) files: Vec<(usize, String)>,
    /// The place that the line before the next finding names.
    pub(super) inherited: Option<InheritedPlace>,
    /// The number of the section.
    pub(super) sections: usize,
    /// Whether this section has stated that there is nothing, so that further text elaborates on that.
    pub(super) section_says_none: bool,
    /// Whether the item before was a labelled field of the finding that is being gathered.
    pub(super) is_among_fields: bool,
    pub(super) awaits_verdict: bool,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found<'t> {
    /// The places of the claims that were entered, and the drafts without a severity, whose fate the accounts decide.
    pub(super) claimed: Vec<Span>,
    pub(super) undecided: Vec<Draft<'t>>,
    /// The claims in order, until those of one finding are put together.
    pub(super) entered: Vec<Entered<'t>>,
    pub(super) report: Report,
    pub(super) rejected: usize,
    /// Whether the front matter states the one finding of the document.
    pub(super) has_front_claim: bool,
}

/// What the document says of itself.
#[derive(Default)]
pub(super) struct Said {
    /// That there is nothing, and that nothing blocks.
    pub(super) none: bool,
    pub(super) none_blocking: bool,
    /// A verdict on a line of its own that lets the change pass.
    pub(super) passes: bool,
    pub(super) parts: Parts,
    pub(super) empty_sections: EmptySections,
    pub(super) verdicts: Vec<(GateVerdict, Span, String)>,
    /// Counts of findings that block, and where they stand.
    pub(super) counted: Vec<(usize, Span)>,
}

/// What the parts of the document say, which do not speak for the whole.
#[derive(Default)]
pub(super) struct Parts {
    /// Whether a section of no known kind says that there is nothing in it, and whether one for a lesser severity does.
    pub(super) none: bool,
    pub(super) lesser_none: bool,
    /// Whether there is text that was not understood, and any text besides, in asides as well.
    pub(super) text: bool,
    pub(super) any_text: bool,
}

/// What leaves a doubt.
#[derive(Default)]
pub(super) struct Doubts {
    /// The section for blocking findings, if this is one: where it starts, and the number of claims before it.
    pub(super) blocking_section: Option<(Span, usize)>,
    /// The heading that came last, if nothing stands under it so far and it names no kind of findings.
    pub(super) bare_heading: Option<(usize, Span)>,
    /// A heading that starts with a word for findings that block, and was not understood as one.
    pub(super) unheard: Option<Span>,
    /// A line of text that may be a heading and its finding, or an item without its marker.
    pub(super) glued: Option<Span>,
    /// Prose under a heading for findings that was understood neither as one nor as their absence.
    pub(super) unrated: Option<Span>,
    /// Whether a text that is no finding has a word for findings that block.
    pub(super) has_rated_text: bool,
    /// The entries of a legend in a list.
    pub(super) explained: Vec<(Severity, Span)>,
}

/// The sections for findings that block and say that there is none.
#[derive(Default)]
pub(super) struct EmptySections {
    blocker: bool,
    high: bool,
}

impl EmptySections {
    pub(super) fn note(&mut self, section: Section) {
        self.blocker |= section == Section::OfSeverity(Severity::Blocker);
        self.high |= section == Section::OfSeverity(Severity::High);
    }

    /// Tells whether they leave nothing that blocks.
    pub(super) fn says_so(&self) -> bool {
        self.blocker && self.high
    }
}
