//! Review reports in Markdown and prose: headings that name a severity, tagged lines, labelled fields, tables.
//!
//! In: a text. Out: claims, rejects and gaps in the ledger. Every possible finding is entered as one, and understood or
//! rejected; a text that states neither findings nor their absence is a gap. Deliberately not here: how one finding is read
//! (`prose`).

mod accounts;
mod ending;
mod headings;
mod items;
mod paragraphs;
mod pending;
mod restated;
mod rows;
mod state;

use std::ops::Range;

use super::finding::Scope;
use super::ledger::Ledger;
use super::location::InheritedPlace;
use super::markdown_units::{Kind, Unit, front_matter, units};
use super::prose::{self, Draft};
use super::rating::{self, Legend};
use super::sections::Section;
use super::synonyms::{self, Field, Part, Settled};
use super::{account, blocks, no_findings, places, scalars};
use crate::model::Severity;
use crate::syntax::{Limits, Member, Source, Span, Value, yaml};
use ending::is_progress;
pub(super) use ending::{names_verdict, states_verdict};
use pending::{Origin, Pending, has_severity_field};
use restated::Entered;
use state::{Doubts, Found, Position, Said};

/// The level of a label that stands for a heading: below all headings.
const LABEL_LEVEL: usize = 7;

/// Tells whether a line names a place with a line and, in a word of its own, a severity that blocks.
fn speaks_of_a_blocker(line: &str) -> bool {
    let names_severity = || {
        line.split(|c: char| !c.is_alphanumeric()).any(|word| {
            let is_word = word.len() > 1 && (word.starts_with(char::is_uppercase) || word.starts_with("block"));
            is_word
                && (word == "ERROR" || rating::tag(word).is_some_and(|severity| severity.is_at_least(Severity::High)))
        })
    };
    names_severity() && places::marked_place(line).is_some_and(|place| place.lines.is_some())
}

/// Reads a member that counts findings of one severity.
fn count_of(member: &Member<'_>) -> Option<(Severity, usize)> {
    let Value::Number(text) = &member.node.value else { return None };
    let Some(Part::OfSeverity(severity)) = synonyms::part(&member.key) else { return None };
    Some((severity, text.parse().ok()?))
}

/// Tells whether a text is a fence of a programming language.
fn is_code(text: &str) -> bool {
    let info = text.trim_start().strip_prefix("```").and_then(|rest| rest.lines().next()).unwrap_or_default();
    let language = blocks::language(info);
    !["", "text", "txt", "plaintext", "markdown", "md", "json", "yaml", "yml", "toml", "xml", "csv"]
        .contains(&language.as_str())
}

/// Leaves out the fences of programming languages.
fn without_code(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("```") {
        let end = rest[start + 3..].find("```").map_or(rest.len(), |length| start + length + 6);
        kept.push_str(&rest[..start]);
        if !is_code(&rest[start..end]) {
            kept.push_str(&rest[start..end]);
        }
        rest = &rest[end..];
    }
    kept + rest
}

/// Reads a text.
pub(super) fn read(ledger: &mut Ledger<'_>, text: &str) {
    let front = front_matter(text);
    let mut document = Document::new(ledger, text);
    let body = front.as_ref().map_or(0, |front| front.end);
    document.at.body = body;
    if let Some(front) = front {
        document.front_matter(front);
    }
    for unit in units(text, body, &Legend::of(text)) {
        document.unit(unit);
    }
    document.end();
}

/// A document while it is being read.
struct Document<'d, 'l, 't> {
    ledger: &'d mut Ledger<'l>,
    text: &'t str,
    legend: Legend,
    at: Position,
    pending: Option<Pending<'t>>,
    found: Found<'t>,
    said: Said,
    doubts: Doubts,
}

impl<'d, 'l, 't> Document<'d, 'l, 't> {
    fn new(ledger: &'d mut Ledger<'l>, text: &'t str) -> Self {
        let legend = Legend::of(text);
        let (at, found) = (Position::default(), Found::default());
        Self { ledger, text, legend, at, pending: None, found, said: Said::default(), doubts: Doubts::default() }
    }

    fn section(&self) -> Section {
        self.at
            .headings
            .iter()
            .rev()
            .map(|(_, section)| *section)
            .find(|section| *section != Section::Plain)
            .map_or(Section::Plain, |section| if section == Section::Open { Section::Findings } else { section })
    }

    fn is_settled(&self) -> bool {
        let nearest = self
            .at
            .headings
            .iter()
            .rev()
            .find(|(_, section)| matches!(section, Section::Settled | Section::Open | Section::Findings));
        nearest.is_some_and(|(_, section)| *section == Section::Settled)
    }

    /// Returns the place that stands before a finding: in the line before, or in the heading.
    fn inherited(&self) -> Option<InheritedPlace> {
        let of_section = || self.at.files.last().map(|(_, file)| InheritedPlace { file: file.clone(), lines: None });
        self.at.inherited.clone().or_else(of_section)
    }

    fn is_below(&self, wanted: Section) -> bool {
        self.at.headings.iter().any(|(_, section)| *section == wanted)
    }

    fn scope(&self) -> Scope {
        let severity = match self.section() {
            Section::OfSeverity(severity) => Some(severity),
            _ => None,
        };
        Scope {
            is_listed: true,
            is_loose: false,
            severity,
            is_settled: self.is_settled(),
            is_pre_existing: self.is_below(Section::PreExisting),
            reviewer: None,
            inherited: None,
        }
    }

    fn draft(&self, lead: &str, body: &str, severity: Option<Severity>, span: Span) -> Draft<'t> {
        Draft {
            lead: rating::past_ordinal(lead.trim_start()).to_owned(),
            body: body.to_owned(),
            severity,
            status: prose::status_in(lead),
            span,
            scope: self.scope(),
            raw: self.text.get(span.start..span.end).unwrap_or_default(),
            inherited: self.inherited(),
        }
    }

    /// Reads the front matter: a file for one finding states its priority there, and its title in the first heading.
    fn front_matter(&mut self, range: Range<usize>) {
        let limits = Limits::default();
        let Ok(source) = Source::new(self.text.as_bytes(), &limits) else { return };
        let end = self.text[range.clone()].rfind("---").map_or(range.end, |at| range.start + at);
        let Ok(root) = yaml::parse(&source, Span::new(range.start, end), &limits) else { return };
        let Value::Object(members) = &root.value else { return };
        let value = |wanted: Field| {
            members.iter().find_map(|member| match (&member.node.value, synonyms::field(&member.key)) {
                (Value::String(text), Some((field, _))) if field == wanted => {
                    Some((text.to_string(), member.node.span))
                }
                _ => None,
            })
        };
        self.front_statements(members, range.clone());
        let Some((severity, span)) =
            value(Field::Severity).and_then(|(text, span)| Some((scalars::severity(&text)?.0, span)))
        else {
            return;
        };
        let Some(title) = self.text[range.end..].lines().find_map(|line| line.strip_prefix("# ")) else { return };
        let status = value(Field::Status).map(|(text, _)| format!("Status: {text}\n")).unwrap_or_default();
        let body = format!("{status}{}", &self.text[range.end..]);
        let draft = self.draft(title, &body, Some(severity), span);
        self.found.has_front_claim = true;
        self.enter(&draft);
    }

    /// Hears the verdict and the counts that the front matter states.
    fn front_statements(&mut self, members: &[Member<'_>], range: Range<usize>) {
        let span = Span::new(range.start, range.end);
        let mut numbers: Vec<(Severity, usize)> = Vec::new();
        for member in members {
            match (&member.node.value, synonyms::part(&member.key)) {
                (Value::String(text), Some(Part::VerdictHint)) if is_progress(text) => {}
                (Value::String(text), Some(Part::Verdict | Part::VerdictHint)) => {
                    self.said.passes |= self.verdict_text(text, member.node.span);
                }
                (Value::Object(inner), _) => numbers.extend(inner.iter().filter_map(count_of)),
                _ => numbers.extend(count_of(member)),
            }
        }
        if numbers.is_empty() {
            return;
        }
        let blocking: usize =
            numbers.iter().filter(|(severity, _)| severity.is_at_least(Severity::High)).map(|(_, number)| number).sum();
        self.said.counted.push((blocking, span));
        let names_blocking = numbers.iter().any(|(severity, _)| severity.is_at_least(Severity::High));
        // The counts of what blocks are given, and are zero.
        self.said.none_blocking |= names_blocking && blocking == 0;
        if numbers.iter().all(|(_, number)| *number == 0) && names_blocking {
            self.said.none = true;
            self.said.none_blocking = true;
        }
    }

    fn unit(&mut self, unit: Unit<'t>) {
        let span = unit.span;
        self.at.is_among_fields &= matches!(unit.kind, Kind::Item { .. });
        match unit.kind {
            Kind::Heading { level, .. } => self.check_bare_heading(Some(level)),
            _ => self.doubts.bare_heading = None,
        }
        match unit.kind {
            Kind::Heading { level, text } => {
                self.heading(level, &text, span);
                let starts_finding = self.pending.as_ref().is_some_and(|pending| pending.origin == Origin::Heading);
                self.at.sections += usize::from(!starts_finding);
                let is_finding = self.pending.as_ref().is_some_and(|pending| pending.is_certain);
                let is_plain = self.at.headings.last().is_none_or(|(_, section)| *section == Section::Plain);
                let is_statement = no_findings::says_none(&text)
                    || no_findings::denied(&text).is_some()
                    || account::stated_count(&text).is_some();
                self.doubts.bare_heading = (is_plain && !is_finding && !is_statement).then_some((level, span));
            }
            Kind::Item { lead, body } => self.item(&lead, &body, span),
            Kind::Paragraph { lead, body } => self.paragraph(lead, body, span),
            Kind::Table { head, rows } => {
                self.at.sections += 1;
                self.table(&head, &rows, span);
                self.at.sections += 1;
            }
            Kind::End => {
                self.flush();
                self.at.headings.pop();
            }
            Kind::Other => match self.fenced_record(span) {
                Some((lead, body, span)) => self.paragraph(lead, body, span),
                None => self.append(span),
            },
        }
    }

    /// Returns the record of a finding that stands in a fence of plain text, under a heading for findings and in none of them.
    fn fenced_record(&self, span: Span) -> Option<(&'t str, &'t str, Span)> {
        let is_free = self.pending.as_ref().is_none_or(|pending| !pending.is_rated() && !pending.is_certain);
        let is_of_findings = matches!(self.section(), Section::OfSeverity(_) | Section::Findings);
        let (info, inside) = self.text.get(span.start..span.end)?.strip_prefix("```")?.split_once('\n')?;
        let (content, _) = inside.split_once("\n```")?;
        let is_plain = ["", "text", "txt", "plaintext"].contains(&blocks::language(info).as_str());
        let start = span.start + "```".len() + info.len() + 1;
        let (lead, body) = content.split_once('\n')?;
        let is_record = is_free && is_of_findings && is_plain && has_severity_field(content);
        is_record.then(|| (lead, body, Span::new(start, start + content.len())))
    }

    fn append(&mut self, span: Span) {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        match &mut self.pending {
            Some(pending) => pending.append(text),
            // Code says what it likes.
            None if is_code(text) => {}
            None => self.check_dropped(text, span),
        }
    }

    /// Sees to it that text which is part of no finding does not hide one that blocks.
    fn check_dropped(&mut self, text: &str, span: Span) {
        if !self.is_settled() && text.lines().any(speaks_of_a_blocker) {
            self.doubts.unheard.get_or_insert(span);
        }
    }

    fn start(&mut self, draft: Draft<'t>, origin: Origin, is_certain: bool) {
        self.flush();
        self.at.inherited = None;
        self.pending = Some(Pending::new(draft, origin, is_certain));
    }

    /// Ends the finding that is being gathered.
    fn flush(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        let states_severity =
            || prose::labelled(&pending.draft.body).iter().any(|(field, _)| *field == Field::Severity);
        let is_finding = pending.draft.severity.is_some()
            || pending.draft.scope.severity.is_some()
            || pending.is_certain
            || states_severity();
        let is_settled =
            pending.draft.scope.is_settled || matches!(pending.draft.status, Some(Settled::Fixed | Settled::WontFix));
        // A settled finding without a severity is history.
        let is_history = is_settled
            && pending.draft.severity.is_none()
            && pending.draft.scope.severity.is_none()
            && !states_severity();
        if is_finding && !is_history {
            self.enter(&pending.draft);
        } else if !is_settled {
            self.said.parts.text |= !pending.draft.body.trim().is_empty();
            let body = without_code(&pending.draft.body);
            self.check_dropped(&format!("{}\n{body}", pending.draft.lead), pending.draft.span);
        }
    }

    /// Enters a draft as a claim. Whether one without a severity is a claim is for the accounts of the document to say.
    fn enter(&mut self, draft: &Draft<'t>) {
        if prose::lacks_severity(draft) && !self.found.has_front_claim {
            return self.found.undecided.push(draft.clone());
        }
        self.found.claimed.push(draft.span);
        if !self.ledger.claim_present(draft.raw, draft.span) {
            self.found.rejected += 1;
            return;
        }
        match prose::read(self.ledger, draft) {
            Ok(claim) => {
                self.found.entered.push(Entered { claim, span: draft.span, raw: draft.raw, section: self.at.sections });
            }
            Err((reason, message)) => {
                self.found.rejected += 1;
                self.ledger.reject(reason, draft.span, draft.raw, message);
            }
        }
    }

    /// Tells whether a statement that there is nothing speaks for a part of the document alone: below an unknown heading for the
    /// subject of that heading, below a lesser severity for that severity, and with `No other issues` for all but what is stated.
    fn speaks_for_a_part(&self, lead: &str) -> bool {
        let is_of_section = match self.section() {
            Section::Plain => self.at.headings.last().is_some_and(|(level, _)| *level > 1),
            Section::OfSeverity(severity) => !severity.is_at_least(Severity::High),
            _ => false,
        };
        is_of_section && !no_findings::ends_with_none(lead) || no_findings::is_of_the_rest(lead)
    }

    fn none(&mut self, lead: &str) {
        self.flush_item();
        let matters = !matches!(self.section(), Section::Settled | Section::PreExisting);
        if matters {
            self.doubts.blocking_section = None;
            self.said.empty_sections.note(self.section());
            let is_part = self.speaks_for_a_part(lead);
            let is_lesser = matches!(self.section(), Section::OfSeverity(_));
            self.said.parts.lesser_none |= is_part && is_lesser;
            self.said.parts.none |= is_part && !is_lesser;
            self.said.none |= !is_part;
            let is_limited = no_findings::is_of_some_severities(lead);
            self.said.none_blocking |= !is_part && no_findings::denies_all_that_blocks(lead);
            self.at.section_says_none = !is_limited;
        }
    }
}
