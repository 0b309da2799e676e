//! Headings of a document: a section, a finding, or a heading that must not go unheard.
//!
//! In: one heading. Out: the section that it opens, or the finding that it starts. Deliberately not here: the text below it.

use jury_wire::Reason;

use super::super::sections::{Section, classify, is_named_finding, starts_with_blocking_word};
use super::super::{no_findings, places, prose, rating};
use super::Document;
use super::ending::names_verdict;
use super::pending::Origin;
use crate::model::Severity;
use crate::syntax::Span;

impl<'t> Document<'_, '_, 't> {
    /// Notes the file that a heading or label is nothing but the name of.
    pub(super) fn file_heading(&mut self, level: usize, text: &str) -> bool {
        while self.at.files.last().is_some_and(|(last, _)| *last >= level) {
            self.at.files.pop();
        }
        self.at.inherited = None;
        let file = places::only_a_file(text);
        self.at.files.extend(file.map(|file| (level, file.to_owned())));
        file.is_some()
    }

    /// Takes a heading or line that says that there is none of its kind: `### BLOCKER: None`.
    pub(super) fn denied(&mut self, label: &str) {
        let section = rating::pure(label).map_or_else(|| classify(label), Section::OfSeverity);
        if matches!(section, Section::OfSeverity(_) | Section::Findings | Section::Open) {
            let is_part = matches!(section, Section::OfSeverity(severity) if !severity.is_at_least(Severity::High));
            self.said.parts.lesser_none |= is_part;
            self.said.none |= !is_part;
            self.doubts.blocking_section = None;
            self.said.empty_sections.note(section);
        }
    }

    /// Sees to it that under a heading for findings that block there is a finding, or word that there is none.
    pub(super) fn close_blocking_section(&mut self) {
        if let Some((span, before)) = self.doubts.blocking_section.take()
            && self.ledger.present() == before
        {
            let what = "a heading for blocking findings without a readable finding or a statement of none";
            self.ledger.gap(Reason::NoFindingsStated, span, what);
        }
    }

    /// Sees to it that a section without content does not go unheard: its name or its content may have been lost.
    pub(super) fn check_bare_heading(&mut self, next: Option<usize>) {
        if let Some((level, span)) = self.doubts.bare_heading.take()
            && next.is_none_or(|next| next <= level)
        {
            self.ledger.gap(Reason::NoFindingsStated, span, "a heading without a finding or a statement of none");
        }
    }

    /// Returns the severity that a heading is nothing but the name of, or that it gives to the findings below it.
    fn severity_of_section(&self, text: &str) -> Option<Severity> {
        // A heading with a rating is a finding, under any name.
        let is_rated = || {
            self.legend.rated(text).is_some() || rating::bracketed(text).is_some() || rating::closing(text).is_some()
        };
        rating::pure(text).or_else(|| rating::group(text)).or_else(|| rating::naming(text).filter(|_| !is_rated()))
    }

    /// Tells whether a heading belongs to the finding whose heading stands above it, on a lesser level: it is no finding itself.
    fn belongs_to_finding(&self, level: usize, text: &str) -> bool {
        let is_below_finding = self
            .pending
            .as_ref()
            .is_some_and(|pending| pending.origin == Origin::Heading && pending.draft.severity.is_some())
            && self.at.headings.last().is_some_and(|(last, _)| level > *last);
        is_below_finding
            && self.legend.rated(text).is_none()
            && rating::closing(text).is_none()
            && !is_named_finding(text)
            && !matches!(classify(text), Section::Findings | Section::Open)
    }

    pub(super) fn heading(&mut self, level: usize, text: &str, span: Span) {
        self.at.awaits_verdict = false;
        let severity = self.severity_of_section(text);
        if severity.is_none() && self.belongs_to_finding(level, text) {
            return self.append(span);
        }
        self.flush();
        self.file_heading(level, text);
        self.at.section_says_none = false;
        while self.at.headings.last().is_some_and(|(last, _)| *last >= level) {
            self.at.headings.pop();
        }
        if !matches!(self.section(), Section::OfSeverity(_)) || severity.is_some() {
            self.close_blocking_section();
        }
        match severity {
            Some(severity) => {
                self.at.headings.push((level, Section::OfSeverity(severity)));
                if severity.is_at_least(Severity::High) {
                    self.doubts.blocking_section = Some((span, self.ledger.present()));
                }
            }
            None => self.heading_of_text(level, text, span),
        }
    }

    /// Reads a heading that is more than the name of a severity.
    fn heading_of_text(&mut self, level: usize, text: &str, span: Span) {
        self.verdict_line(text, span);
        self.count_line(text, span);
        let under = self.section();
        let section = classify(text);
        let is_under_severity = matches!(under, Section::OfSeverity(_));
        let bracketed = || {
            let severity = rating::bracketed(text).filter(|_| text.split_whitespace().count() > 2)?;
            Some((severity, text.to_owned()))
        };
        let closing = || rating::closing(text).filter(|_| !section.is_aside());
        let tagged = self.legend.rated(text).or_else(bracketed).or_else(closing);
        self.at.headings.push((level, if tagged.is_some() || is_under_severity { Section::Plain } else { section }));
        self.at.awaits_verdict = names_verdict(text) || text.eq_ignore_ascii_case("status");
        if no_findings::says_none(text) {
            self.said.none = true;
            return;
        }
        if let Some(label) = no_findings::denied(text) {
            return self.denied(label);
        }
        if self.count_leaf(text, span) {
            return;
        }
        if tagged.is_none() && starts_with_blocking_word(text) {
            self.doubts.unheard.get_or_insert(span);
        }
        // A lost line break glues a heading and its finding together.
        let is_glued = prose::confidence_in(text).is_some() && text.contains('`') || places::quotes_a_line(text);
        let is_named = is_named_finding(text) || is_glued;
        if let Some((severity, rest)) = tagged {
            let mut draft = self.draft(&rest, "", Some(severity), span);
            draft.status = prose::status_in(text);
            self.start(draft, Origin::Heading, true);
        } else if let Section::OfSeverity(severity) = under
            && !section.is_aside()
        {
            let mut draft = self.draft(text, "", None, span);
            draft.scope.severity = Some(severity);
            self.start(draft, Origin::Heading, true);
        // It is a finding if its body says how bad it is, or if it is called one.
        } else if is_named
            || !section.is_aside() && !matches!(section, Section::Findings | Section::Open | Section::Settled)
        {
            let draft = self.draft(text, "", None, span);
            self.start(draft, Origin::Heading, is_named);
        }
    }
}
