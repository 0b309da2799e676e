//! Paragraphs: tagged lines, labels that stand for headings, records of labelled fields, lines that name a place.
//!
//! In: one paragraph. Out: the start of a finding, a section, a place for the next finding, or text of the finding before.

use super::super::location::InheritedPlace;
use super::super::prose;
use super::super::sections::{
    Section, classify, is_finding_shaped, is_named_finding, is_pending_label, is_summary, marks_a_place,
    starts_with_blocking_word, starts_with_torn_tag,
};
use super::super::synonyms::{Field, fold_word};
use super::super::{no_findings, places, rating};
use super::pending::{Origin, Pending, has_severity_field};
use super::{Document, LABEL_LEVEL};
use crate::model::Severity;
use crate::syntax::Span;

/// Counts the words of a line that stand in no brackets.
fn words_outside_brackets(line: &str) -> usize {
    let (before, behind) = line.split_once(['(', '（']).unwrap_or((line, ""));
    let behind = behind.split_once([')', '）']).map_or("", |(_, behind)| behind);
    let words = |text: &str| text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    words(before) + words(behind)
}

/// Tells whether a line is a labelled field of a finding.
fn is_field(lead: &str) -> bool {
    prose::label(lead).is_some_and(|(field, _)| field != Field::Title)
}

/// Tells whether a paragraph starts like a finding: in bold, with code, or with an ordinal.
fn is_marked(lead: &str) -> bool {
    let past_ordinal = rating::past_ordinal(lead.trim_start());
    past_ordinal.starts_with(['*', '`']) || past_ordinal.len() < lead.trim_start().len()
}

impl<'t> Document<'_, '_, 't> {
    pub(super) fn paragraph(&mut self, lead: &'t str, body: &'t str, span: Span) {
        let whole = self.text.get(span.start..span.end).unwrap_or_default();
        let verdicts = self.said.verdicts.len();
        self.hear(whole, span);
        if self.at.awaits_verdict && self.verdict_below_heading(lead, span) {
            return;
        }
        // A line that gives the verdict of the document is no finding of the section that it ends.
        let names_verdict = lead.split([':', '：']).next().is_some_and(|name| fold_word(name).ends_with("verdict"));
        if self.said.verdicts.len() > verdicts && names_verdict && body.trim().is_empty() {
            return self.flush();
        }
        if body.trim().is_empty() && self.count_leaf(lead, span) || is_summary(lead) || self.explains(lead, span) {
            return;
        }
        if let Some(label) = no_findings::denied(lead).filter(|_| body.trim().is_empty()) {
            self.denied(label);
        }
        // The last line of a paragraph may announce the next finding.
        let last = body.trim_end().lines().next_back().and_then(rating::announced);
        if let Some(severity) = last.filter(|_| self.legend.rated(lead).is_none()) {
            self.append(span);
            return self.label_section(Section::OfSeverity(severity));
        }
        let announced = rating::announced(lead).filter(|_| body.trim().is_empty());
        if no_findings::says_none(lead) && announced.is_none() {
            return self.none(lead);
        }
        // A line with nothing but a rating rates the next finding.
        if let Some(severity) = rating::only(lead).filter(|_| body.trim().is_empty()) {
            let draft = self.draft("", "", Some(severity), span);
            return self.start(draft, Origin::Paragraph, true);
        }
        let is_under_finding = self.pending.as_ref().is_some_and(|pending| {
            pending.origin == Origin::Heading
                && (pending.draft.severity.is_some() || pending.draft.scope.severity.is_some())
        });
        let rated = self.legend.rated(lead).or_else(|| self.rated_otherwise(lead, body).filter(|_| !is_under_finding));
        if let Some((severity, rest)) = rated.filter(|_| announced.is_none()) {
            let mut draft = self.draft(&rest, body, Some(severity), span);
            draft.status = prose::status_in(lead);
            return self.start(draft, Origin::Paragraph, true);
        }
        if self.record(lead, whole, span) || self.place_line(lead, body, span) {
            return;
        }
        if let Some(section) = self.section_of_label(lead, body, announced) {
            return self.label_section(section);
        }
        self.plain(lead, body, span);
    }

    /// Hears what each line of a paragraph says of the document.
    fn hear(&mut self, whole: &str, span: Span) {
        for line in whole.lines() {
            // A heading that lost its line break or its blank is still heard, and so is an item that lost its marker.
            let is_glued = self.section() == Section::Plain
                && self.pending.as_ref().is_none_or(|pending| !pending.is_certain)
                && (line.contains("**") || prose::confidence_in(line).is_some())
                && places::quotes_a_line(line)
                && self.legend.rated(line).is_none();
            if line.split('#').skip(1).any(starts_with_blocking_word) || starts_with_torn_tag(line) {
                self.doubts.unheard.get_or_insert(span);
            }
            if is_glued {
                self.doubts.glued.get_or_insert(span);
            }
            self.verdict_line(line, span);
            self.count_line(line, span);
        }
    }

    /// Takes the verdict below its heading. `**Merge.** No P0 or P1 findings.` states the absence of findings, too.
    fn verdict_below_heading(&mut self, lead: &str, span: Span) -> bool {
        self.at.awaits_verdict = false;
        let behind = lead.split_once(". ").or_else(|| lead.split_once(".** ")).map_or("", |(_, behind)| behind);
        let is_whole = !no_findings::is_of_some_severities(behind) || no_findings::denies_all_that_blocks(behind);
        let passes = self.verdict_text(lead, span);
        self.said.passes |= passes;
        let says_none = passes && is_whole && no_findings::says_none(behind);
        if says_none {
            self.none(behind);
        }
        says_none
    }

    /// Returns the section that a label on a line of its own opens.
    fn section_of_label(&mut self, lead: &str, body: &str, announced: Option<Severity>) -> Option<Section> {
        let is_alone = body.trim().is_empty();
        let bare = lead.trim_end();
        let severity = announced.or_else(|| rating::pure(lead).filter(|_| is_alone && bare.ends_with([':', '*'])));
        let is_label = bare.trim_end_matches('*').ends_with(':') && words_outside_brackets(lead) <= 4 && is_alone;
        let is_label = is_label || is_marked(lead) && is_alone && classify(lead) == Section::Legend;
        let section = severity.map(Section::OfSeverity).or_else(|| is_label.then(|| classify(lead)))?;
        // An unknown label ends the section of settled findings.
        if section == Section::Plain && !is_field(lead) {
            self.at.headings.retain(|(level, above)| *level < LABEL_LEVEL || matches!(above, Section::OfSeverity(_)));
        }
        (section != Section::Plain).then_some(section)
    }

    /// Takes a paragraph that states no severity: as a finding by its section or its form, or as text of the finding before.
    fn plain(&mut self, lead: &str, body: &str, span: Span) {
        let is_label = is_field(lead);
        let may_be_one = !is_label && !self.found.has_front_claim;
        // Text after a finding with a severity belongs to it.
        let rated = self.pending.as_ref().filter(|pending| pending.is_rated()).map(|pending| pending.origin);
        let is_under_heading = rated == Some(Origin::Heading);
        match self.section() {
            Section::OfSeverity(_)
                if !is_label
                    && (is_marked(lead) && !is_under_heading && !is_pending_label(lead)
                        || self.pending.is_none() && lead.trim() != "---") =>
            {
                let draft = self.draft(lead, body, None, span);
                self.start(draft, Origin::Paragraph, true);
            }
            Section::Findings if is_marked(lead) && may_be_one && marks_a_place(lead) && !is_under_heading => {
                self.unrated(lead, body, span, Origin::Paragraph);
            }
            Section::Plain if may_be_one && is_finding_shaped(lead) && rated.is_none() => {
                self.unrated(lead, body, span, Origin::Paragraph);
            }
            section => {
                if section == Section::Findings && self.pending.is_none() && !self.at.section_says_none && !is_label {
                    self.doubts.unrated.get_or_insert(span);
                }
                self.append(span);
            }
        }
    }

    /// Opens the section that a label stands for.
    fn label_section(&mut self, section: Section) {
        self.flush();
        self.at.section_says_none = false;
        while self.at.headings.last().is_some_and(|(last, _)| *last >= LABEL_LEVEL) {
            self.at.headings.pop();
        }
        self.at.headings.push((LABEL_LEVEL, section));
    }

    /// Starts a finding at a paragraph of labelled fields, or at one in bold that its fields may follow.
    fn record(&mut self, lead: &'t str, whole: &'t str, span: Span) -> bool {
        if self.found.has_front_claim
            || self.section().is_aside()
            || matches!(self.section(), Section::Settled | Section::Legend)
        {
            return false;
        }
        let is_free =
            self.pending.as_ref().is_none_or(|pending| pending.draft.severity.is_none() && pending.has_severity_field);
        let bold = lead.trim().strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
        let title =
            bold.filter(|bold| !bold.contains("**") && lead.trim() == whole.trim() && prose::label(lead).is_none());
        if let Some(title) = title
            && rating::pure(title).is_none()
            && !title.ends_with(':')
            && classify(title) != Section::Legend
            && places::only_a_file(title).is_none()
            && (is_free && self.section() == Section::Plain || is_named_finding(title))
        {
            let draft = self.draft(title, "", None, span);
            self.start(draft, Origin::Paragraph, is_named_finding(title));
            return true;
        }
        // Records without a blank line between them start with the same label each.
        let records = prose::records(whole);
        if is_free && records.len() > 1 && has_severity_field(whole) {
            for record in records {
                let draft = self.draft("", record, None, span);
                self.start(draft, Origin::Paragraph, true);
            }
            return true;
        }
        if is_free && has_severity_field(whole) {
            let (lead, body) = if prose::label(lead).is_some() { ("", whole) } else { (lead, whole) };
            let draft = self.draft(lead, body, None, span);
            self.start(draft, Origin::Paragraph, true);
            return true;
        }
        false
    }

    /// Notes the place that a short line before a finding names: a file of its own, `x commented on src/a.ts line 3`.
    fn place_line(&mut self, lead: &str, body: &str, span: Span) -> bool {
        if !body.trim().is_empty() || lead.split_whitespace().count() > 10 || lead.trim_end().ends_with('.') {
            return false;
        }
        let awaits_place =
            |pending: &Pending<'_>| pending.is_rated() && (!pending.has_place || pending.draft.lead.is_empty());
        if self.pending.as_ref().is_some_and(awaits_place) {
            return false;
        }
        if places::only_a_file(lead).is_some() {
            self.flush_rated();
            return self.file_heading(LABEL_LEVEL, lead);
        }
        let Some(place) =
            places::marked_place(lead).filter(|place| place.rest.is_none() && prose::label(lead).is_none())
        else {
            return false;
        };
        // Under a heading for findings, a short line with a place is one.
        if self.section() != Section::Plain {
            return false;
        }
        self.flush_rated();
        self.at.inherited = Some(InheritedPlace { file: place.file.to_owned(), lines: place.lines.map(str::to_owned) });
        self.check_dropped(lead, span);
        true
    }

    /// Ends the finding that is being gathered if it is one.
    fn flush_rated(&mut self) {
        if self.pending.as_ref().is_some_and(|pending| pending.is_certain) {
            self.flush();
        }
    }
}
