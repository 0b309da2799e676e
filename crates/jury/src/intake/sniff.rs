//! The kind of a text, found by looking in a fixed order (DESIGN §6).
//!
//! In: a text, perhaps the payload of an envelope. Out: entries in the ledger. The order: the formats to the letter; a
//! result envelope; JSON, alone or in dirt; a fenced block; YAML; a format with deviations; Markdown and prose.

use std::cmp::Ordering;

use jury_wire::Reason;

use super::blocks::Found;
use super::dialect::{self, Damage};
use super::documents::{disagree, take_assignments, take_blocks, take_elements, take_markup};
use super::envelope::{self, Opened};
use super::ledger::{Ledger, TextOrigin};
use super::{
    Dialect, assignments, blocks, lenient_yaml, markdown, markdown_units, node_kinds, tables, unclaimed, wrappings,
};
use crate::formats::{self, Format, Reading};
use crate::model::Report;
use crate::syntax::{Member, Node, Source, Span, Value, json};

/// How many envelopes and encodings may lie in one another.
pub(super) const DEEPEST: usize = 3;

/// Takes a text.
pub(super) fn take(ledger: &mut Ledger<'_>, text: &str, depth: usize) {
    if let Some(bare) = text.strip_prefix('\u{feff}') {
        let mark = text.len() - bare.len();
        ledger.repair(Reason::ByteOrderMark, Span::new(0, mark), "a byte order mark", "");
        return ledger.inside(TextOrigin::Part(mark), |ledger| take(ledger, bare, depth));
    }
    if text.trim().is_empty() {
        return ledger.gap(Reason::EmptyDocument, Span::at(0), "the output is empty");
    }
    let limits = *ledger.limits;
    let roots = ledger.roots;
    let source = match Source::new(text.as_bytes(), &limits) {
        Ok(source) => source.below(roots),
        Err(deviation) => return ledger.gap(deviation.reason, deviation.span, deviation.message),
    };
    let (format, reading) = formats::read_source(&source, &limits);
    if let Some(format) = format
        && reading.is_conforming()
    {
        return take_conforming(ledger, &source, format, reading, depth);
    }
    if format.is_none()
        && let Some(returns) = formats::returns(&source, &limits)
    {
        return take_returns(ledger, text, returns);
    }
    if let Some((plain, reason, what)) = wrappings::unwrapped(text) {
        let whole = Span::new(0, text.len());
        ledger.repair(reason, whole, what, "");
        return ledger.inside(TextOrigin::Within(whole), |ledger| take(ledger, &plain, depth));
    }
    if let Some((id, opened)) = envelope::open(&source, &limits) {
        ledger.envelopes.push(id);
        return take_opened(ledger, id, opened, depth);
    }
    // A format that is no contract of ours has a reader that knows it better than any table of synonyms.
    let strict = format.map(|format| (format, reading));
    if let Some((format, reading)) = strict.as_ref()
        && reading.report.is_some()
        && !is_contract(format)
    {
        ledger.dialect = Dialect::Format(format);
        return take_strict(ledger, text, reading.clone());
    }
    let mut loose = ledger.scratch();
    take_loose(&mut loose, &source, depth);
    let is_json = text.trim_start().starts_with(['{', '[']);
    // A contract's own reader knows more fields; the loose one finds more findings, and more to object to.
    let is_better = |reading: &Reading| match loose.understood().count().cmp(&reading.understood()) {
        Ordering::Less => true,
        // Of JSON with deviations the tolerant reader keeps parts that the strict one drops, for example risks that are objects.
        Ordering::Equal => reading.rejected.is_empty() && !loose.has_blocking_gaps() && !is_json,
        Ordering::Greater => false,
    };
    match strict {
        Some((format, reading)) if reading.report.is_some() && is_better(&reading) => {
            ledger.dialect = Dialect::Format(format);
            take_strict(ledger, text, reading);
        }
        _ => ledger.adopt(loose),
    }
}

pub(super) fn is_contract(format: &Format) -> bool {
    format.seed.starts_with("00")
}

/// Takes the result of a strict reader: its deviations are repairs if there is a report, and gaps if there is none.
pub(super) fn take_strict(ledger: &mut Ledger<'_>, text: &str, reading: Reading) {
    let raw = |span: Span| text.get(span.start..span.end).unwrap_or_default();
    let is_reliable = reading.report.is_some();
    for deviation in &reading.deviations {
        if is_reliable {
            ledger.repair(deviation.reason, deviation.span, raw(deviation.span), &deviation.message);
        } else {
            ledger.gap(deviation.reason, deviation.span, deviation.message.clone());
        }
    }
    for rejected in &reading.rejected {
        if ledger.claim_present(raw(rejected.span), rejected.span) {
            ledger.reject(rejected.reason, rejected.span, raw(rejected.span), rejected.reason.description());
        }
    }
    if let Some(report) = reading.report {
        ledger.strict_report(report);
    }
}

/// Takes a document that conforms to a format. A contract may allow unknown members, and its lists of risks are free texts;
/// findings, verdicts and errors in them still count.
pub(super) fn take_conforming(
    ledger: &mut Ledger<'_>,
    source: &Source<'_>,
    format: &'static Format,
    reading: Reading,
    depth: usize,
) {
    let says_more = is_contract(format)
        && reading.report.as_ref().is_none_or(|report| report.stated.is_none())
        && has_remarks(reading.report.as_ref(), json::names(source).iter().map(AsRef::as_ref));
    ledger.dialect = Dialect::Format(format);
    let mut strict = ledger.scratch();
    take_strict(&mut strict, source.text(), reading);
    if says_more {
        let mut loose = ledger.scratch();
        take_loose(&mut loose, source, depth);
        if loose.understood().count() > strict.understood().count() {
            return ledger.adopt(loose);
        }
        strict.adopt_gaps(loose);
    }
    ledger.adopt(strict);
}

/// Takes conforming returns of 004 in one list. Besides its findings, each is read like any other document.
fn take_returns(ledger: &mut Ledger<'_>, text: &str, returns: Vec<(&Node<'_>, Report)>) {
    ledger.dialect = Dialect::Json;
    for (node, report) in returns {
        let Value::Object(members) = &node.value else { continue };
        if !has_remarks(Some(&report), members.iter().map(|member| member.key.as_ref())) {
            ledger.strict_report(report);
            continue;
        }
        let remarks = members.iter().filter(|member| member.key != "findings").cloned().collect();
        let remarks = Node { span: node.span, value: Value::Object(remarks) };
        // The risks are read again with the rest: a finding may stand among them.
        let report = Report { residual_risks: Vec::new(), testing_gaps: Vec::new(), ..report };
        let findings = dialect::ReadFindings { present: report.claims.len(), rejected: 0, report };
        ledger.claims_present(findings.present);
        dialect::read_with_findings(ledger, text, &remarks, findings);
    }
}

/// Tells whether a report has risks, or members that the reader of 004 does not take in full.
fn has_remarks<'n>(report: Option<&Report>, mut names: impl Iterator<Item = &'n str>) -> bool {
    report.is_some_and(|report| !report.residual_risks.is_empty() || !report.testing_gaps.is_empty())
        || names.any(|name| !OWN_MEMBERS.contains(&name))
}

/// The members of 004 that its own reader takes in full.
const OWN_MEMBERS: &[&str] = &["reviewer", "findings", "residual_risks", "testing_gaps"];

fn take_opened(ledger: &mut Ledger<'_>, id: &'static str, opened: Opened, depth: usize) {
    match opened {
        Opened::Message(message, span) => {
            take_payload(ledger, &message, span, depth, (Reason::EnvelopeUnwrapped, id, "its final message"));
        }
        Opened::Nothing(reason, span, what) => ledger.gap(reason, span, what),
    }
}

/// Takes a text that stands inside another, and notes how it came out.
fn take_payload(ledger: &mut Ledger<'_>, payload: &str, span: Span, depth: usize, note: (Reason, &str, &str)) {
    if depth >= DEEPEST {
        let message = format!("more than {DEEPEST} nested envelopes or encodings");
        return ledger.gap(Reason::LimitDepth, span, message);
    }
    let (reason, was, became) = note;
    ledger.repair(reason, span, was, became);
    ledger.inside(TextOrigin::Within(span), |ledger| take(ledger, payload, depth + 1));
}

fn take_loose(ledger: &mut Ledger<'_>, source: &Source<'_>, depth: usize) {
    let text = source.text();
    let limits = *ledger.limits;
    if is_error_page(text) && !tables::states_findings(text) {
        return ledger.gap(Reason::NotAReport, Span::at(0), "the output is an HTML page");
    }
    match json::tree(source, &limits) {
        Ok(root) => return take_tree(ledger, text, root, depth),
        Err(deviation) if deviation.reason == Reason::LimitDepth && text.trim_start().starts_with(['{', '[']) => {
            return ledger.gap(deviation.reason, deviation.span, deviation.message);
        }
        Err(_) => {}
    }
    if let Some(deviation) = source.long_line(&limits) {
        return ledger.gap(deviation.reason, deviation.span, deviation.message);
    }
    if take_json_lines(ledger, source) {
        return;
    }
    let found = blocks::find(source, &limits);
    let shortened = found.shortened.first().copied();
    take_found(ledger, source, found);
    if !ledger.has_blocking()
        && let Some(span) = shortened
    {
        ledger.gap(Reason::TailCutOff, span, "a document was shortened here, and no other text blocks");
    }
}

/// Takes a text by the documents that stand in it, or as one that is none of JSON.
fn take_found(ledger: &mut Ledger<'_>, source: &Source<'_>, found: Found<'_>) {
    let text = source.text();
    if found.blocks.is_empty() && found.unreadable.is_empty() && take_markup(ledger, source, &found.markup) {
        return;
    }
    if !found.blocks.is_empty() || !found.unreadable.is_empty() {
        return take_blocks(ledger, source, found);
    }
    if take_elements(ledger, text) || lenient_yaml::take_front(ledger, source) {
        return;
    }
    if take_assignments(ledger, source) || lenient_yaml::take(ledger, source) {
        return;
    }
    ledger.dialect = Dialect::Markdown;
    markdown::read(ledger, text);
    let front = markdown_units::front_matter(text).map_or(0, |front| front.end);
    let body = &text[front..];
    // YAML with a damaged first line still has its findings further down.
    if !ledger.has_blocking()
        && let Some(span) = unclaimed::line(body).or_else(|| has_fields(body).then(|| unclaimed::word(body))?)
    {
        ledger.gap(Reason::YamlSyntax, span, "the findings look like YAML, but the text is not YAML");
    }
}

/// Tells whether a text that was read as prose has lines that state a severity by its name, as YAML and settings do.
fn has_fields(text: &str) -> bool {
    lenient_yaml::has_fields(text) || assignments::has_fields(text)
}

fn is_error_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(200).flat_map(char::to_lowercase).collect();
    start.starts_with("<!doctype")
        || start.starts_with("<html")
        || start.starts_with("<?xml") && start.contains("<html")
}

/// Takes the one JSON value that a text is.
fn take_tree(ledger: &mut Ledger<'_>, text: &str, root: &Node<'_>, depth: usize) {
    match &root.value {
        Value::String(inner) => {
            let note = (Reason::DoubleEncoded, "a string", "its document");
            return take_payload(ledger, inner, root.span, depth, note);
        }
        Value::Object(members) if !node_kinds::is_report_like(root) => {
            if let Some((key, inner, span)) = wrapped(members) {
                // The text outside may state that the review failed.
                let mut outside = ledger.scratch();
                dialect::read(&mut outside, text, root, &Damage::default());
                outside.forget_silence();
                ledger.adopt_gaps(outside);
                return take_payload(ledger, inner, span, depth, (Reason::DoubleEncoded, key, "its document"));
            }
        }
        _ => {}
    }
    ledger.dialect = Dialect::Json;
    dialect::read(ledger, text, root, &Damage::default());
}

/// Finds the one text of a wrapper that is the document: JSON, a fenced block, or several lines where no other text has them.
fn wrapped<'n>(members: &'n [Member<'_>]) -> Option<(&'n str, &'n str, Span)> {
    let mut texts = Vec::new();
    texts_of(members, &mut texts);
    let only = |holds: &dyn Fn(&str) -> bool| {
        let mut held = texts.iter().filter(|(_, text, _)| holds(text));
        held.next().filter(|_| held.next().is_none()).copied()
    };
    only(&|text| text.trim_start().starts_with(['{', '[', '`']))
        .or_else(|| only(&|text| text.trim().lines().count() > 2))
}

fn texts_of<'n>(members: &'n [Member<'_>], texts: &mut Vec<(&'n str, &'n str, Span)>) {
    fn inside<'n>(key: &'n str, node: &'n Node<'_>, texts: &mut Vec<(&'n str, &'n str, Span)>) {
        match &node.value {
            Value::String(text) => texts.push((key, text, node.span)),
            Value::Object(members) => texts_of(members, texts),
            Value::Array(items) => items.iter().for_each(|item| inside(key, item, texts)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    members.iter().for_each(|member| inside(&member.key, &member.node, texts));
}

/// Takes a text with one JSON object on each line; false if it is none.
fn take_json_lines(ledger: &mut Ledger<'_>, source: &Source<'_>) -> bool {
    let text = source.text();
    let limits = *ledger.limits;
    let lines: Vec<Span> = source.lines().filter(|(_, line)| !line.trim().is_empty()).map(|(span, _)| span).collect();
    let object = |span: &Span| {
        let (node, end) = json::parse_at(text, span.start, &limits).ok()?;
        let is_whole =
            matches!(node.value, Value::Object(_)) && end <= span.end && text[end..span.end].trim().is_empty();
        is_whole.then_some(node)
    };
    let starts = lines.iter().all(|span| text[span.start..].trim_start().starts_with('{'));
    if lines.len() < 2 || !starts || lines.first().and_then(object).is_none() {
        return false;
    }
    let mut items = Vec::new();
    let mut damage = Damage::default();
    for span in &lines {
        match object(span) {
            Some(node) => items.push(node),
            None => {
                damage.broken.push(*span);
                items.push(Node { span: *span, value: Value::Object(Vec::new()) });
            }
        }
    }
    // The same object on every line is one document that was printed twice.
    if let Some((first, rest)) = items.split_first()
        && damage.broken.is_empty()
        && node_kinds::is_report_like(first)
        && rest.iter().all(|other| blocks::same(first, other))
    {
        ledger.dialect = Dialect::Json;
        ledger.repair(Reason::BlockRepeated, Span::new(first.span.end, text.len()), "the same again", "");
        let first = first.clone();
        dialect::read(ledger, text, &first, &damage);
        return true;
    }
    // Reports on lines of their own disagree unless each names its own reviewer; findings on lines are a list.
    if items.iter().filter(|item| node_kinds::is_report(item)).count() > 1
        && !node_kinds::name_different_reviewers(&items)
    {
        disagree(ledger, text, &lines);
        return true;
    }
    ledger.dialect = Dialect::Json;
    ledger.repair(Reason::JsonLines, source.whole(), "one value on each line", "a list");
    let root = Node { span: source.whole(), value: Value::Array(items) };
    dialect::read(ledger, text, &root, &damage);
    true
}
