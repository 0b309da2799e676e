//! A finding of a document while its body is being gathered.
//!
//! In: the start of a finding, then the text after it. Out: the draft of the finding. Deliberately not here: where one starts and ends.

use super::super::places;
use super::super::prose::{self, Draft};
use super::super::synonyms::Field;

/// The element that started the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Heading,
    Paragraph,
    Item,
}

/// A finding while its body is being gathered.
pub(super) struct Pending<'t> {
    pub(super) draft: Draft<'t>,
    pub(super) origin: Origin,
    /// Whether it is a finding with any body.
    pub(super) is_certain: bool,
    /// Whether it says so far how bad it is in a labelled field, and where it is.
    pub(super) has_severity_field: bool,
    pub(super) has_place: bool,
}

impl<'t> Pending<'t> {
    pub(super) fn new(draft: Draft<'t>, origin: Origin, is_certain: bool) -> Self {
        let has_place = draft.inherited.is_some()
            || [&draft.lead, &draft.body].into_iter().any(|text| places::marked_place(text).is_some());
        let has_severity_field = has_severity_field(&draft.body);
        Self { draft, origin, is_certain, has_severity_field, has_place }
    }

    /// Adds to the body. Each text is looked at once, however long the body grows.
    pub(super) fn append(&mut self, text: &str) {
        self.draft.body.push('\n');
        self.draft.body.push_str(text);
        self.has_severity_field |= has_severity_field(text);
        self.has_place |= places::marked_place(text).is_some();
    }

    pub(super) fn is_rated(&self) -> bool {
        self.draft.severity.is_some() || self.draft.scope.severity.is_some()
    }
}

pub(super) fn has_severity_field(text: &str) -> bool {
    prose::labelled(text).iter().any(|(field, text)| *field == Field::Severity && !text.is_empty())
}
