//! Review reports in Markdown and prose: headings that name a severity, tagged lines, labelled fields, tables.
//!
//! In: a text. Out: claims, rejects and gaps in the ledger. What may be a finding is entered as one, and understood or
//! rejected; a text that states neither findings nor their absence is a gap. Deliberately not here: how one finding is read
//! (`prose`).

use std::ops::Range;

use jury_wire::Reason;

use super::finding::Scope;
use super::ledger::Ledger;
use super::prose::{self, Draft, Near};
use super::rating::{self, Legend};
use super::sections::{
    Section, classify, counts, is_finding_shaped, is_good_news, is_named_finding, is_pending_label, is_summary,
    marks_a_place, starts_with_blocking_word,
};
use super::synonyms::{self, Field, Settled};
use super::units::{Kind, Unit, front_matter, is_marker, item, nested_items, units};
use super::{absence, places, values};
use crate::model::{GateVerdict, Report, Severity, Stated, Tally};
use crate::syntax::{Limits, Source, Span, Value, yaml};

/// The level of a label that stands for a heading: below all headings.
const LABEL_LEVEL: usize = 7;

/// Names of verdicts in lines such as `Gesamturteil: x`, beside those that end with the word itself.
#[rustfmt::skip]
const VERDICT_NAMES: &[&str] = &[
    "decision", "gate decision", "recommendation", "overall", "overall correctness", "quality gate", "gesamturteil", "urteil",
    "fazit", "décision", "veredicto", "decisión", "verdetto", "decisione", "结论", "判定", "結論",
];

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

/// Reads a text.
pub(super) fn read(ledger: &mut Ledger<'_>, text: &str) {
    let front = front_matter(text);
    let mut document = Document::new(ledger, text);
    let body = front.as_ref().map_or(0, |front| front.end);
    if let Some(front) = front {
        document.front_matter(front);
    }
    for unit in units(text, body, &Legend::of(text)) {
        document.unit(unit);
    }
    document.end();
}

/// What started the finding that is being gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Heading,
    Paragraph,
    Item,
}

/// A finding while its body is being gathered.
struct Pending<'t> {
    draft: Draft<'t>,
    origin: Origin,
    /// Whether it is a finding whatever its body says.
    is_certain: bool,
    /// Whether it says so far how bad it is in a labelled field, and where it is.
    has_severity_field: bool,
    has_place: bool,
}

impl<'t> Pending<'t> {
    fn new(draft: Draft<'t>, origin: Origin, is_certain: bool) -> Self {
        let has_place = draft.near.is_some()
            || [&draft.lead, &draft.body].into_iter().any(|text| places::marked_place(text).is_some());
        let has_severity_field = has_severity_field(&draft.body);
        Self { draft, origin, is_certain, has_severity_field, has_place }
    }

    /// Adds to the body. What it says is looked at once, however long the body grows.
    fn append(&mut self, text: &str) {
        self.draft.body.push('\n');
        self.draft.body.push_str(text);
        self.has_severity_field |= has_severity_field(text);
        self.has_place |= places::marked_place(text).is_some();
    }

    fn is_rated(&self) -> bool {
        self.draft.severity.is_some() || self.draft.scope.severity.is_some()
    }
}

fn has_severity_field(text: &str) -> bool {
    prose::labelled(text).iter().any(|(field, text)| *field == Field::Severity && !text.is_empty())
}

/// A document while it is being read.
struct Document<'d, 'l, 't> {
    ledger: &'d mut Ledger<'l>,
    text: &'t str,
    headings: Vec<(usize, Section)>,
    legend: Legend,
    /// The entries of a legend in a list.
    explained: Vec<(Severity, Span)>,
    /// The files that headings and labels name, with their levels.
    files: Vec<(usize, String)>,
    /// The place that the line before the next finding names.
    near: Option<Near>,
    pending: Option<Pending<'t>>,
    report: Report,
    rejected: usize,
    says_none: bool,
    says_none_blocking: bool,
    /// Whether a section of no known kind says that there is nothing in it, and whether another one was not understood.
    section_of_none: bool,
    section_of_text: bool,
    has_front_claim: bool,
    verdicts: Vec<(GateVerdict, Span, String)>,
    counted: Vec<(usize, Span)>,
    awaits_verdict: bool,
    /// Whether this section has said that there is nothing, so that what follows elaborates on that.
    section_says_none: bool,
    /// The section for findings that block, if this is one: where it starts, and what was present before.
    blocking_section: Option<(Span, usize)>,
    /// The heading that came last, if nothing stands under it so far and it names no kind of findings.
    bare_heading: Option<(usize, Span)>,
    /// A heading that starts with a word for findings that block, and was not understood as one.
    unheard: Option<Span>,
    /// Prose under a heading for findings that was understood neither as one nor as their absence.
    unrated: Option<Span>,
}

impl<'d, 'l, 't> Document<'d, 'l, 't> {
    fn new(ledger: &'d mut Ledger<'l>, text: &'t str) -> Self {
        Self {
            ledger,
            text,
            headings: Vec::new(),
            legend: Legend::of(text),
            explained: Vec::new(),
            files: Vec::new(),
            near: None,
            pending: None,
            report: Report::default(),
            rejected: 0,
            says_none: false,
            says_none_blocking: false,
            section_of_none: false,
            section_of_text: false,
            has_front_claim: false,
            verdicts: Vec::new(),
            counted: Vec::new(),
            awaits_verdict: false,
            section_says_none: false,
            blocking_section: None,
            bare_heading: None,
            unheard: None,
            unrated: None,
        }
    }

    fn section(&self) -> Section {
        self.headings
            .iter()
            .rev()
            .map(|(_, section)| *section)
            .find(|section| *section != Section::Plain)
            .map_or(Section::Plain, |section| if section == Section::Open { Section::Findings } else { section })
    }

    fn is_settled(&self) -> bool {
        let nearest =
            self.headings.iter().rev().find(|(_, section)| matches!(section, Section::Settled | Section::Open));
        nearest.is_some_and(|(_, section)| *section == Section::Settled)
    }

    /// Returns the place that stands before a finding: in the line before, or in the heading.
    fn near(&self) -> Option<Near> {
        let of_section = || self.files.last().map(|(_, file)| Near { file: file.clone(), lines: None });
        self.near.clone().or_else(of_section)
    }

    /// Notes the file that a heading or label is nothing but the name of.
    fn file_heading(&mut self, level: usize, text: &str) -> bool {
        while self.files.last().is_some_and(|(last, _)| *last >= level) {
            self.files.pop();
        }
        self.near = None;
        let file = places::only_a_file(text);
        self.files.extend(file.map(|file| (level, file.to_owned())));
        file.is_some()
    }

    fn is_below(&self, wanted: Section) -> bool {
        self.headings.iter().any(|(_, section)| *section == wanted)
    }

    fn scope(&self) -> Scope {
        let severity = match self.section() {
            Section::OfSeverity(severity) => Some(severity),
            _ => None,
        };
        Scope {
            is_listed: true,
            severity,
            is_settled: self.is_settled(),
            is_pre_existing: self.is_below(Section::PreExisting),
            reviewer: None,
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
            near: self.near(),
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
        let Some((severity, span)) =
            value(Field::Severity).and_then(|(text, span)| Some((values::severity(&text)?.0, span)))
        else {
            return;
        };
        let Some(title) = self.text[range.end..].lines().find_map(|line| line.strip_prefix("# ")) else { return };
        let status = value(Field::Status).map(|(text, _)| format!("Status: {text}\n")).unwrap_or_default();
        let body = format!("{status}{}", &self.text[range.end..]);
        let draft = self.draft(title, &body, Some(severity), span);
        self.has_front_claim = true;
        self.enter(&draft);
    }

    /// Sees to it that under a heading for findings that block there is a finding, or word that there is none.
    fn close_blocking_section(&mut self) {
        if let Some((span, before)) = self.blocking_section.take()
            && self.ledger.present() == before
        {
            let what = "under a heading for findings that block stands none that could be read, nor that there is none";
            self.ledger.gap(Reason::NoFindingsStated, span, what);
        }
    }

    /// Sees to it that a section without content does not go unheard: its name or its content may have been lost.
    fn heed_bare_heading(&mut self, next: Option<usize>) {
        if let Some((level, span)) = self.bare_heading.take()
            && next.is_none_or(|next| next <= level)
        {
            self.ledger.gap(
                Reason::NoFindingsStated,
                span,
                "under this heading stands nothing, nor that there is nothing",
            );
        }
    }

    fn unit(&mut self, unit: Unit<'t>) {
        let span = unit.span;
        match unit.kind {
            Kind::Heading { level, .. } => self.heed_bare_heading(Some(level)),
            _ => self.bare_heading = None,
        }
        match unit.kind {
            Kind::Heading { level, text } => {
                self.heading(level, text, span);
                let is_finding = self.pending.as_ref().is_some_and(|pending| pending.is_certain);
                let is_plain = self.headings.last().is_none_or(|(_, section)| *section == Section::Plain);
                self.bare_heading = (is_plain && !is_finding).then_some((level, span));
            }
            Kind::Item { lead, body } => self.item(&lead, &body, span),
            Kind::Paragraph { lead, body } => self.paragraph(lead, body, span),
            Kind::Table { head, rows } => self.table(&head, &rows, span),
            Kind::End => {
                self.flush();
                self.headings.pop();
            }
            Kind::Other => self.append(span),
        }
    }

    fn append(&mut self, span: Span) {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        match &mut self.pending {
            Some(pending) => pending.append(text),
            None => self.heed_dropped(text, span),
        }
    }

    /// Sees to it that text which is part of no finding does not hide one that blocks.
    fn heed_dropped(&mut self, text: &str, span: Span) {
        if !self.is_settled() && text.lines().any(speaks_of_a_blocker) {
            self.unheard.get_or_insert(span);
        }
    }

    fn start(&mut self, draft: Draft<'t>, origin: Origin, is_certain: bool) {
        self.flush();
        self.near = None;
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
        // A finding that is said to be settled, of which nobody says how bad it was, is history.
        let is_history = is_settled
            && pending.draft.severity.is_none()
            && pending.draft.scope.severity.is_none()
            && !states_severity();
        if is_finding && !is_history {
            self.enter(&pending.draft);
        } else if !is_settled {
            self.section_of_text |= !pending.draft.body.trim().is_empty();
            self.heed_dropped(&format!("{}\n{}", pending.draft.lead, pending.draft.body), pending.draft.span);
        }
    }

    fn enter(&mut self, draft: &Draft<'t>) {
        if !self.ledger.claim_present(draft.raw, draft.span) {
            self.rejected += 1;
            return;
        }
        match prose::read(self.ledger, draft) {
            Ok(claim) => self.report.claims.push(Box::new(claim)),
            Err((reason, message)) => {
                self.rejected += 1;
                self.ledger.reject(reason, draft.span, draft.raw, message);
            }
        }
    }

    fn heading(&mut self, level: usize, text: &'t str, span: Span) {
        // What stands below a finding's heading on a deeper level belongs to it, unless it is a finding itself.
        let below_finding = self
            .pending
            .as_ref()
            .is_some_and(|pending| pending.origin == Origin::Heading && pending.draft.severity.is_some())
            && self.headings.last().is_some_and(|(last, _)| level > *last);
        self.awaits_verdict = false;
        let pure = rating::pure(text);
        if pure.is_none()
            && below_finding
            && self.legend.rated(text).is_none()
            && rating::closing(text).is_none()
            && !matches!(classify(text), Section::Findings | Section::Open)
        {
            return self.append(span);
        }
        self.flush();
        self.file_heading(level, text);
        self.section_says_none = false;
        while self.headings.last().is_some_and(|(last, _)| *last >= level) {
            self.headings.pop();
        }
        if !matches!(self.section(), Section::OfSeverity(_)) || pure.is_some() {
            self.close_blocking_section();
        }
        if let Some(severity) = pure {
            self.headings.push((level, Section::OfSeverity(severity)));
            if severity.is_at_least(Severity::High) {
                self.blocking_section = Some((span, self.ledger.present()));
            }
            return;
        }
        self.verdict_line(text, span);
        self.count_line(text, span);
        let under = self.section();
        let section = classify(text);
        let is_under_severity = matches!(under, Section::OfSeverity(_));
        let tagged = self
            .legend
            .rated(text)
            .or_else(|| {
                let severity = rating::bracketed(text).filter(|_| text.split_whitespace().count() > 2)?;
                Some((severity, text.to_owned()))
            })
            .or_else(|| rating::closing(text).filter(|_| section != Section::Aside));
        self.headings.push((level, if tagged.is_some() || is_under_severity { Section::Plain } else { section }));
        if text.to_lowercase().trim_matches(['*', ' ', ':']).ends_with("verdict") || text.eq_ignore_ascii_case("status")
        {
            self.awaits_verdict = true;
        }
        if absence::says_none(text) {
            self.says_none = true;
            return;
        }
        // A lost line break glues a heading and its finding together.
        let is_glued = prose::confidence_in(text).is_some() && text.contains('`') || places::quotes_a_line(text);
        if tagged.is_none() && starts_with_blocking_word(text) {
            self.unheard.get_or_insert(span);
        }
        match tagged {
            Some((severity, rest)) => {
                let mut draft = self.draft(&rest, "", Some(severity), span);
                draft.status = prose::status_in(text);
                self.start(draft, Origin::Heading, true);
            }
            None if is_under_severity && section != Section::Aside => {
                let mut draft = self.draft(text, "", None, span);
                draft.scope.severity = match under {
                    Section::OfSeverity(severity) => Some(severity),
                    _ => None,
                };
                self.start(draft, Origin::Heading, true);
            }
            // It is a finding if its body says how bad it is, or if it is called one.
            None if !matches!(section, Section::Findings | Section::Open | Section::Aside | Section::Settled)
                || is_named_finding(text)
                || is_glued =>
            {
                let draft = self.draft(text, "", None, span);
                let is_certain = is_named_finding(text) || is_glued;
                self.start(draft, Origin::Heading, is_certain);
            }
            None => {}
        }
    }

    fn item(&mut self, lead: &str, body: &str, span: Span) {
        let is_label = prose::label(lead).is_some_and(|(field, _)| field != Field::Title);
        if is_label && self.pending.is_some() {
            return self.append(span);
        }
        self.verdict_line(lead, span);
        self.count_line(lead, span);
        if is_summary(lead) || self.explains(lead, span) {
            return;
        }
        if absence::says_none(lead) {
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
        // A heading that may yet turn out to be none does not hide what has the shape of a finding.
        let is_tentative = self.pending.as_ref().is_some_and(|pending| {
            !pending.is_certain && pending.draft.severity.is_none() && pending.draft.scope.severity.is_none()
        });
        if is_tentative && self.section() == Section::Plain && is_finding_shaped(lead) && !self.has_front_claim {
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
            Section::Findings if !self.has_front_claim => self.unrated(lead, body, span, Origin::Item),
            // What has the shape of a finding is one, although no heading says so.
            Section::Plain if is_finding_shaped(lead) && !self.has_front_claim => {
                self.unrated(lead, body, span, Origin::Item)
            }
            _ => self.flush_item(),
        }
    }

    /// An item outside every section of findings ends the item before it.
    fn flush_item(&mut self) {
        if self.pending.as_ref().is_some_and(|pending| pending.origin == Origin::Item) {
            self.flush();
        }
    }

    /// Enters what stands under a heading for findings and does not say how bad it is. Where the document says that nothing
    /// blocks, it is Low; otherwise it is rejected, because nobody knows.
    fn unrated(&mut self, lead: &str, body: &str, span: Span, origin: Origin) {
        if is_good_news(lead) || self.section_says_none {
            return self.flush_item();
        }
        let mut draft = self.draft(lead, body, None, span);
        if self.says_none_blocking {
            draft.scope.severity = Some(Severity::Low);
        }
        self.start(draft, origin, true);
    }

    /// Tells whether a line explains severities instead of stating one.
    fn explains(&mut self, line: &str, span: Span) -> bool {
        if rating::is_legend(line) {
            return true;
        }
        let entry = self.legend.rated(line).filter(|_| self.section() == Section::Legend);
        match entry.filter(|_| places::marked_place(line).is_none()) {
            Some((severity, _)) => {
                self.explained.push((severity, span));
                true
            }
            None => false,
        }
    }

    /// A legend has an entry for each severity. What has two for one may be findings under a heading that is no legend's.
    fn heed_legend(&mut self) {
        let mut seen: Vec<Severity> = Vec::new();
        let again = self.explained.iter().find(|(severity, _)| {
            let is_known = seen.contains(severity);
            seen.push(*severity);
            is_known
        });
        if let Some((_, span)) = again.or(self.explained.first().filter(|_| self.explained.len() < 2)) {
            self.ledger.gap(
                Reason::NoFindingsStated,
                *span,
                "what explains a severity by its heading may be a finding",
            );
        }
    }

    /// Finds how bad a finding is where it is said elsewhere than at its front: in brackets, at its end, in a sentence. Without a
    /// place, a mark or a heading for findings, such words may speak of anything.
    fn rated_otherwise(&self, lead: &str, body: &str) -> Option<(Severity, String)> {
        let denies = lead.split([':', '—', '–']).skip(1).any(absence::says_none);
        if matches!(self.section(), Section::Aside | Section::Legend) || denies {
            return None;
        }
        let has_place = places::marked_place(lead).or_else(|| places::marked_place(body)).is_some();
        let is_marked = has_place || lead.trim_start().starts_with("**") || self.section() == Section::Findings;
        let closing = rating::closing(lead).filter(|_| is_marked);
        let in_sentences = || {
            let may_be = has_place && !matches!(self.section(), Section::OfSeverity(_) | Section::Settled);
            let severity = may_be.then(|| rating::in_sentences(&format!("{lead}\n{body}")))??;
            Some((severity, lead.to_owned()))
        };
        closing.or_else(in_sentences)
    }

    fn nested(&mut self, severity: Severity, body: &str, span: Span) {
        self.flush();
        for line in body.lines().filter(|line| is_marker(line.trim())) {
            let (lead, _) = item(line.trim());
            if absence::says_none(&lead) {
                self.none(&lead);
                continue;
            }
            let mut draft = self.draft(&lead, "", Some(severity), span);
            draft.status = prose::status_in(&lead);
            self.enter(&draft);
        }
    }

    fn paragraph(&mut self, lead: &'t str, body: &'t str, span: Span) {
        let whole = self.text.get(span.start..span.end).unwrap_or_default();
        for line in whole.lines() {
            // A heading that lost its line break or its blank is still heard, and so is an item that lost its marker.
            let is_glued = self.section() == Section::Plain
                && self.pending.as_ref().is_none_or(|pending| !pending.is_certain)
                && (line.contains("**") || prose::confidence_in(line).is_some())
                && places::quotes_a_line(line)
                && self.legend.rated(line).is_none();
            if is_glued || line.split('#').skip(1).any(starts_with_blocking_word) {
                self.unheard.get_or_insert(span);
            }
            self.verdict_line(line, span);
            self.count_line(line, span);
        }
        if self.awaits_verdict {
            self.awaits_verdict = false;
            self.verdict_text(lead, span);
        }
        if is_summary(lead) || self.explains(lead, span) {
            return;
        }
        let announced = rating::announced(lead).filter(|_| body.trim().is_empty());
        if absence::says_none(lead) && announced.is_none() {
            return self.none(lead);
        }
        // A line that only rates: what it rates comes next.
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
        let label = prose::label(lead).is_some_and(|(field, _)| field != Field::Title);
        let past_ordinal = rating::past_ordinal(lead.trim_start());
        let is_bold = past_ordinal.starts_with(['*', '`']) || past_ordinal.len() < lead.trim_start().len();
        let is_section_label = announced
            .or_else(|| rating::pure(lead).filter(|_| body.trim().is_empty() && lead.trim_end().ends_with([':', '*'])));
        // A label on a line of its own stands for a heading.
        let is_label_line = lead.trim_end().trim_end_matches('*').ends_with(':')
            && lead.split_whitespace().count() <= 4
            && body.trim().is_empty();
        let is_label_line = is_label_line || is_bold && body.trim().is_empty() && classify(lead) == Section::Legend;
        let labelled = is_section_label.map(Section::OfSeverity).or_else(|| is_label_line.then(|| classify(lead)));
        // A label that nobody knows ends what was said to be settled.
        if labelled == Some(Section::Plain) && !label {
            self.headings.retain(|(level, section)| *level < LABEL_LEVEL || matches!(section, Section::OfSeverity(_)));
        }
        if let Some(section) = labelled.filter(|section| *section != Section::Plain) {
            self.flush();
            self.section_says_none = false;
            while self.headings.last().is_some_and(|(last, _)| *last >= LABEL_LEVEL) {
                self.headings.pop();
            }
            self.headings.push((LABEL_LEVEL, section));
            return;
        }
        let is_pending = |origin: Origin| {
            self.pending.as_ref().is_some_and(|pending| {
                pending.origin == origin && (pending.draft.severity.is_some() || pending.draft.scope.severity.is_some())
            })
        };
        // What follows a finding that has its severity belongs to it.
        let is_rated = is_pending(Origin::Heading) || is_pending(Origin::Paragraph) || is_pending(Origin::Item);
        match self.section() {
            Section::OfSeverity(_) if !label && is_bold && !is_pending(Origin::Heading) && !is_pending_label(lead) => {
                let draft = self.draft(lead, body, None, span);
                self.start(draft, Origin::Paragraph, true);
            }
            Section::OfSeverity(_) if !label && self.pending.is_none() && lead.trim() != "---" => {
                let draft = self.draft(lead, body, None, span);
                self.start(draft, Origin::Paragraph, true);
            }
            Section::Findings
                if is_bold
                    && !label
                    && marks_a_place(lead)
                    && !self.has_front_claim
                    && !is_pending(Origin::Heading) =>
            {
                self.unrated(lead, body, span, Origin::Paragraph);
            }
            Section::Plain if !label && is_finding_shaped(lead) && !self.has_front_claim && !is_rated => {
                self.unrated(lead, body, span, Origin::Paragraph);
            }
            section => {
                if section == Section::Findings && self.pending.is_none() && !self.section_says_none && !label {
                    self.unrated.get_or_insert(span);
                }
                self.append(span);
            }
        }
    }

    /// Starts a finding at a paragraph of labelled fields, or at one in bold that its fields may follow.
    fn record(&mut self, lead: &'t str, whole: &'t str, span: Span) -> bool {
        if self.has_front_claim || matches!(self.section(), Section::Aside | Section::Settled | Section::Legend) {
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
        self.near = Some(Near { file: place.file.to_owned(), lines: place.lines.map(str::to_owned) });
        self.heed_dropped(lead, span);
        true
    }

    /// Ends the finding that is being gathered if it is one.
    fn flush_rated(&mut self) {
        if self.pending.as_ref().is_some_and(|pending| pending.is_certain) {
            self.flush();
        }
    }

    fn none(&mut self, lead: &str) {
        self.flush_item();
        let matters = !matches!(self.section(), Section::Settled | Section::PreExisting);
        if matters {
            self.blocking_section = None;
            // Under a heading of no known kind it speaks for what that heading names alone.
            let is_part = self.section() == Section::Plain && self.headings.last().is_some_and(|(level, _)| *level > 1);
            self.section_of_none |= is_part;
            self.says_none |= !is_part;
            let is_limited = lead.to_lowercase().contains("block");
            self.says_none_blocking |= is_limited;
            self.section_says_none = !is_limited;
        }
    }

    fn table(&mut self, head: &[&'t str], rows: &[(Vec<&'t str>, Span)], span: Span) {
        let names: Vec<String> = head.iter().map(|cell| synonyms::fold_word(cell)).collect();
        let column = |wanted: &dyn Fn(&str) -> bool| names.iter().position(|name| wanted(name));
        let of_field = |field: Field| move |name: &str| synonyms::field(name).is_some_and(|(found, _)| found == field);
        let severity = column(&of_field(Field::Severity)).or_else(|| column(&|name| name == "level"));
        let Some(severity) = severity else { return self.table_of_section(&names, rows, span) };
        let is_summary =
            column(&|name| matches!(name, "count" | "total" | "number" | "findings" | "issues" | "#" | "open"))
                .is_some()
                && names.len() <= 4
                && rows.iter().all(|(cells, _)| {
                    cells.iter().enumerate().any(|(at, cell)| {
                        at != severity
                            && !cell.is_empty()
                            && cell.trim_matches(['*', ' ']).bytes().all(|b| b.is_ascii_digit())
                    }) && cells.iter().all(|cell| cell.len() < 40)
                })
                && column(&of_field(Field::Title)).is_none_or(|at| names[at] == "issue" || names[at] == "finding");
        if is_summary {
            let blocking = rows.iter().filter_map(|(cells, _)| {
                let worst = values::severity(cells.get(severity)?.trim_matches(['*', ' ']))
                    .is_some_and(|(severity, _)| severity.is_at_least(Severity::High));
                let number = cells
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != severity)
                    .find_map(|(_, cell)| cell.trim_matches(['*', ' ']).parse::<usize>().ok())?;
                Some(if worst { number } else { 0 })
            });
            self.counted.push((blocking.sum(), span));
            // Counts that are all zero say that there is nothing.
            let is_number = |cell: &&&str| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
            let mut numbers = rows.iter().flat_map(|(cells, _)| cells.iter().filter(is_number));
            self.says_none |= rows.len() > 2 && numbers.all(|number| number.bytes().all(|b| b == b'0'));
            return;
        }
        self.flush();
        let is_id = |name: &str| matches!(name, "#" | "id" | "r1 id" | "r2 id" | "no" | "ref") || name.is_empty();
        let title = column(&|name| {
            synonyms::field(name).is_some_and(|(field, _)| field == Field::Title)
                || name.ends_with("finding")
                || name.ends_with("title")
        })
        .or_else(|| column(&of_field(Field::Why)))
        .or_else(|| names.iter().enumerate().position(|(at, name)| at != severity && !is_id(name)));
        let Some(title) = title else { return };
        for (cells, row_span) in rows {
            self.row(&names, cells, Some(severity), title, *row_span);
        }
    }

    /// Reads a table whose rows do not say how bad they are: the section may.
    fn table_of_section(&mut self, names: &[String], rows: &[(Vec<&'t str>, Span)], span: Span) {
        let position = |wanted: &[Field]| {
            names.iter().position(|name| synonyms::field(name).is_some_and(|(field, _)| wanted.contains(&field)))
        };
        let title = position(&[Field::Title]).or_else(|| position(&[Field::Why]));
        let names_places = position(&[Field::File, Field::Place]).is_some();
        let is_of_findings = match self.section() {
            Section::OfSeverity(_) => true,
            Section::Findings => names_places && !self.has_front_claim,
            _ => false,
        };
        let Some(title) = title.filter(|_| is_of_findings) else { return self.append(span) };
        self.flush();
        for (cells, row_span) in rows {
            self.row(names, cells, None, title, *row_span);
        }
    }

    fn row(&mut self, names: &[String], cells: &[&'t str], severity: Option<usize>, title: usize, span: Span) {
        let stated = severity.and_then(|at| cells.get(at)).map_or("", |cell| cell.trim_matches(['*', ' ', '`']));
        let lead = cells.get(title).copied().unwrap_or_default();
        if values::is_nothing(stated) && values::is_nothing(lead) || absence::says_none(lead) {
            self.says_none |= !self.is_below(Section::Settled);
            self.blocking_section = None;
            return;
        }
        let mut body = String::new();
        for (name, cell) in names.iter().zip(cells) {
            body.push_str(&format!("{name}: {cell}\n"));
        }
        let status = names
            .iter()
            .zip(cells)
            .find(|(name, _)| synonyms::field(name).is_some_and(|(field, _)| field == Field::Status));
        let mut draft = self.draft(lead, &body, None, span);
        draft.status = status
            .and_then(|(_, cell)| super::finding::settled(cell.trim_matches(['*', ' ', '✅', '❌', '⚠', '\u{fe0f}'])))
            .map(|(settled, _)| settled)
            .or(draft.status);
        if status.is_some() && draft.status.is_none() {
            draft.scope.is_settled = false;
        }
        self.enter(&draft);
    }

    /// Reads `Verdict: PASS`, `**STATUS:** pass`, `Gate Decision: FAIL`.
    fn verdict_line(&mut self, line: &str, span: Span) {
        let bare = line.trim().trim_start_matches(['-', '*', '#', ' ', '_', '>']);
        let Some((name, value)) = bare.split_once([':', '：']) else { return };
        let folded = synonyms::fold_word(name);
        let is_certain = folded.ends_with("verdict") || VERDICT_NAMES.contains(&folded.as_str());
        let is_hint = ["status", "result", "outcome", "coverage gate", "gate"].contains(&folded.as_str());
        if folded.split(' ').count() > 4 || !(is_certain || is_hint) {
            return;
        }
        self.verdict_text(value, span);
    }

    fn verdict_text(&mut self, text: &str, span: Span) {
        let bare = text.trim().trim_matches(['*', '_', '`', ' ', '✅', '❌']).trim_start_matches(['*', ' ']);
        let bare = bare.split("**").next().unwrap_or(bare);
        if let Some(verdict) = values::verdict(bare) {
            self.verdicts.push((verdict, span, bare.to_owned()));
        }
    }

    fn count_line(&mut self, line: &str, span: Span) {
        let counted = counts(line);
        if counted.len() > 2 && !self.is_below(Section::Settled) {
            let blocking = counted
                .iter()
                .filter(|(severity, _)| severity.is_at_least(Severity::High))
                .map(|(_, number)| number)
                .sum();
            self.counted.push((blocking, span));
        }
    }

    fn end(mut self) {
        self.flush();
        self.heed_bare_heading(None);
        self.close_blocking_section();
        self.heed_legend();
        let blocking = self.report.claims.iter().filter(|claim| claim.severity.is_at_least(Severity::High)).count()
            + self.rejected;
        if let Some(span) = self.unheard.filter(|_| blocking == 0) {
            self.ledger.gap(
                Reason::NoFindingsStated,
                span,
                "a heading speaks of findings that block, and none is stated",
            );
        }
        for (counted, span) in std::mem::take(&mut self.counted) {
            if counted > blocking {
                let message = format!("{counted} findings are counted as High or worse, but {blocking} are stated");
                self.ledger.gap(Reason::CountMismatch, span, message);
            }
        }
        let is_empty = self.report.claims.is_empty() && self.rejected == 0;
        // "None" in a section speaks for that section alone, unless all sections say so.
        self.says_none |= self.section_of_none && !self.section_of_text;
        // A sentence that says "no issues" may be about anything; a report has a heading, a list, a table or a verdict.
        let has_structure = !self.verdicts.is_empty()
            || self.text.lines().any(|line| line.trim_start().starts_with(['#', '|', '-', '*']));
        if let Some(span) = self.unrated.filter(|_| is_empty && self.says_none) {
            let message = "a text under a heading for findings states neither one nor their absence";
            return self.ledger.gap(Reason::NoFindingsStated, span, message);
        }
        if is_empty && !(self.says_none && has_structure) {
            let whole = Span::new(0, self.text.len());
            return self.ledger.gap(
                Reason::NoFindingsStated,
                whole,
                "the text states neither findings nor their absence",
            );
        }
        self.settle_verdict();
        self.ledger.repair(Reason::ProseRead, Span::new(0, self.text.len()), "Markdown or prose", "a report");
        self.ledger.report(self.report);
    }

    fn settle_verdict(&mut self) {
        let standing = Tally::of_claims(&self.report.claims, |claim| claim.status().stands());
        for (verdict, span, text) in std::mem::take(&mut self.verdicts) {
            match verdict {
                GateVerdict::Fail if !standing.any_at_least(Severity::High) && self.rejected == 0 => {
                    let message = format!("the verdict is {text:?}, but no finding stands that blocks");
                    self.ledger.gap(Reason::VerdictContradiction, span, message);
                }
                GateVerdict::Pass | GateVerdict::Warn if standing.any_at_least(Severity::High) => {
                    self.ledger.repair(Reason::VerdictOverruled, span, &text, standing.gate().token());
                }
                verdict => {
                    self.report.stated = Some(Stated::Gate(verdict))
                        .filter(|_| verdict == standing.gate() || self.report.claims.is_empty())
                }
            }
        }
    }
}
