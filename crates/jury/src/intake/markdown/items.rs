//! Items of lists: each is a finding, a part of the one before, or says that there is none.
//!
//! In: the lead and the body of one item. Out: a finding that starts, or a further line of the one that is being gathered.
//! Deliberately not here: paragraphs, which start findings by other signs.

use jury_wire::Reason;

use super::super::markdown_units::{is_marker, item, nested_items};
use super::super::sections::{Section, is_finding_shaped, is_good_news, is_summary};
use super::super::synonyms::Field;
use super::super::{no_findings, places, prose, rating};
use super::Document;
use super::pending::Origin;
use crate::model::Severity;
use crate::syntax::Span;

/// Tells whether an item starts with a few words and a colon: `What else is affected: x`, `**Seen by:** y`.
fn is_unknown_label(lead: &str) -> bool {
    let bare = lead.trim_start_matches(['*', '_', ' ']);
    let name = bare.split_once(':').map_or("", |(name, _)| name);
    let words = name.split_whitespace().count();
    (1..=5).contains(&words) && name.len() <= 40 && !name.contains(['`', '/', '(', '['])
}

impl<'t> Document<'_, '_, 't> {
    pub(super) fn item(&mut self, lead: &str, body: &str, span: Span) {
        // Where no finding is open that it could be a field of, a labelled severity with a text behind it starts one.
        let is_free = self.pending.as_ref().is_none_or(|pending| pending.origin == Origin::Item && pending.is_rated());
        if let Some((severity, rest)) = rating::labelled(lead).filter(|_| is_free) {
            let draft = self.draft(&rest, body, Some(severity), span);
            return self.start(draft, Origin::Item, true);
        }
        let is_label = prose::label(lead).is_some_and(|(field, _)| field != Field::Title);
        // Among the fields of a finding, every label is a field.
        let is_further = self.at.is_among_fields && is_unknown_label(lead) && self.legend.rated(lead).is_none();
        self.at.is_among_fields = (is_label || is_further) && self.pending.is_some();
        if self.at.is_among_fields {
            return self.append(span);
        }
        self.verdict_line(lead, span);
        self.count_line(lead, span);
        if body.trim().is_empty() && self.count_leaf(lead, span) || is_summary(lead) || self.explains(lead, span) {
            return;
        }
        if let Some(label) = no_findings::denied(lead).filter(|_| body.trim().is_empty()) {
            self.denied(label);
        }
        if no_findings::says_none(lead) {
            return self.none(lead);
        }
        if let Some(severity) = rating::pure(lead)
            && !body.trim().is_empty()
        {
            return self.nested(severity, body, span);
        }
        if let Some((severity, rest)) = self.legend.rated(lead).or_else(|| self.rated_otherwise(lead, body)) {
            let mut draft = self.draft(&rest, body, Some(severity), span);
            draft.status = prose::status_in(lead);
            return self.start(draft, Origin::Item, true);
        }
        // An item that only groups others: `Correctness`, and below it findings that say how bad they are.
        let inner = nested_items(body);
        if inner.iter().any(|(lead, _)| self.legend.rated(lead).is_some()) && places::marked_place(lead).is_none() {
            return inner.iter().for_each(|(lead, body)| self.item(lead, body, span));
        }
        self.item_without_rating(lead, body, span, is_label)
    }

    /// Takes an item that states no severity: as one by its section or its form, or as text of the finding before.
    fn item_without_rating(&mut self, lead: &str, body: &str, span: Span, is_label: bool) {
        // A heading that may yet turn out to be none does not hide an item in the form of a finding.
        let is_tentative = self.pending.as_ref().is_some_and(|pending| {
            !pending.is_certain && pending.draft.severity.is_none() && pending.draft.scope.severity.is_none()
        });
        if is_tentative && self.section() == Section::Plain && is_finding_shaped(lead) && !self.found.has_front_claim {
            return self.unrated(lead, body, span, Origin::Item);
        }
        let is_detail = self.pending.as_ref().is_some_and(|pending| {
            pending.origin != Origin::Item
                && (pending.draft.severity.is_some()
                    || pending.draft.scope.severity.is_some()
                    || pending.is_certain
                    || self.section() != Section::Findings)
        });
        if is_detail || is_label {
            return self.append(span);
        }
        match self.section() {
            Section::OfSeverity(_) => {
                let draft = self.draft(lead, body, None, span);
                self.start(draft, Origin::Item, true);
            }
            Section::Findings if !self.found.has_front_claim => self.unrated(lead, body, span, Origin::Item),
            // An item in the form of a finding is one, even without a heading that says so.
            Section::Plain if is_finding_shaped(lead) && !self.found.has_front_claim => {
                self.unrated(lead, body, span, Origin::Item)
            }
            _ => self.flush_item(),
        }
    }

    /// An item outside every section of findings ends the item before it.
    pub(super) fn flush_item(&mut self) {
        if self.pending.as_ref().is_some_and(|pending| pending.origin == Origin::Item) {
            self.flush();
        }
    }

    /// Enters an item without a severity under a heading for findings. Where the document states that nothing
    /// blocks, it is Low; otherwise it is rejected, because its severity is unknown.
    pub(super) fn unrated(&mut self, lead: &str, body: &str, span: Span, origin: Origin) {
        if is_good_news(lead) || self.at.section_says_none {
            return self.flush_item();
        }
        let mut draft = self.draft(lead, body, None, span);
        if self.said.none_blocking {
            draft.scope.severity = Some(Severity::Low);
        }
        self.start(draft, origin, true);
    }

    /// Tells whether a line explains severities instead of stating one.
    pub(super) fn explains(&mut self, line: &str, span: Span) -> bool {
        if rating::is_legend(line) {
            return true;
        }
        let entry = self.legend.rated(line).filter(|_| self.section() == Section::Legend);
        match entry.filter(|_| places::marked_place(line).is_none()) {
            Some((severity, _)) => {
                self.doubts.explained.push((severity, span));
                true
            }
            None => false,
        }
    }

    /// A legend has one entry for each severity. A list with two for one severity may be findings under another heading.
    pub(super) fn check_legend(&mut self) {
        let mut seen: Vec<Severity> = Vec::new();
        let again = self.doubts.explained.iter().find(|(severity, _)| {
            let is_known = seen.contains(severity);
            seen.push(*severity);
            is_known
        });
        if let Some((_, span)) = again.or(self.doubts.explained.first().filter(|_| self.doubts.explained.len() < 2)) {
            self.ledger.gap(
                Reason::NoFindingsStated,
                *span,
                "an explanation of a severity by its heading may be a finding",
            );
        }
    }

    /// Finds the severity of a finding where it is not at the front: in brackets, at the end, in a sentence. Without a
    /// place, a mark or a heading for findings, these words may be about anything.
    pub(super) fn rated_otherwise(&self, lead: &str, body: &str) -> Option<(Severity, String)> {
        let denies = lead.split([':', '—', '–']).skip(1).any(no_findings::says_none);
        if self.section().is_aside() || self.section() == Section::Legend || denies {
            return None;
        }
        if let Some(rated) = rating::diagnostic(lead, body.lines().next().unwrap_or_default()) {
            return Some(rated);
        }
        let has_place = places::marked_place(lead).or_else(|| places::marked_place(body)).is_some();
        let is_marked = has_place || lead.trim_start().starts_with("**") || self.section() == Section::Findings;
        let is_label = prose::label(lead).is_some();
        let closing = rating::behind_title(lead).filter(|_| !is_label).or_else(|| rating::closing(lead));
        let closing = closing.filter(|_| is_marked);
        let in_sentences = || {
            let may_be = has_place && !matches!(self.section(), Section::OfSeverity(_) | Section::Settled);
            let severity = may_be.then(|| rating::in_sentences(&format!("{lead}\n{body}")))??;
            Some((severity, lead.to_owned()))
        };
        // Prose continues with unrated text, so that an unrated item counts only where nothing blocks.
        let may_be_told = self.section() == Section::Findings && self.said.none_blocking;
        let told = || Some((rating::told(lead).filter(|_| may_be_told)?, lead.to_owned()));
        closing.or_else(in_sentences).or_else(told)
    }

    fn nested(&mut self, severity: Severity, body: &str, span: Span) {
        self.flush();
        for line in body.lines().filter(|line| is_marker(line.trim())) {
            let (lead, _) = item(line.trim());
            if no_findings::says_none(&lead) {
                self.none(&lead);
                continue;
            }
            let mut draft = self.draft(&lead, "", Some(severity), span);
            draft.status = prose::status_in(&lead);
            self.enter(&draft);
        }
    }
}
