//! What a text is, found by looking in a fixed order (DESIGN §6).
//!
//! In: a text, perhaps the payload of an envelope. Out: entries in the ledger. The order: the formats to the letter; a
//! result envelope; JSON, alone or in dirt; a fenced block; YAML; a format with deviations; Markdown and prose.

use std::cmp::Ordering;

use jury_wire::Reason;

use super::blocks::{self, Block, Found};
use super::drift::{self, Damage};
use super::envelope::{self, Opened};
use super::ledger::{Ledger, Place};
use super::synonyms::{self, Field, Part};
use super::{Dialect, markdown, repair, shapes, units, values};
use crate::formats::{self, Format, Reading};
use crate::model::Severity;
use crate::syntax::{Node, Source, Span, Value, json, yaml};

/// How many envelopes and encodings may lie in one another.
const DEEPEST: usize = 3;

/// Takes a text.
pub(super) fn take(ledger: &mut Ledger<'_>, text: &str, depth: usize) {
    if let Some(bare) = text.strip_prefix('\u{feff}') {
        let mark = text.len() - bare.len();
        ledger.repair(Reason::ByteOrderMark, Span::new(0, mark), "a byte order mark", "");
        return ledger.inside(Place::Part(mark), |ledger| take(ledger, bare, depth));
    }
    if let Some(plain) = without_colours(text) {
        let whole = Span::new(0, text.len());
        ledger.repair(Reason::ProseRemoved, whole, "colours of a terminal", "");
        return ledger.inside(Place::Within(whole), |ledger| take(ledger, &plain, depth));
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
        ledger.dialect = Dialect::Format(format);
        let states_verdict = reading.report.as_ref().is_some_and(|report| report.stated.is_some());
        take_strict(ledger, text, reading);
        if is_contract(format) && !states_verdict {
            heed_further_members(ledger, text, depth);
        }
        return;
    }
    if let Some((id, opened)) = envelope::open(text, &limits) {
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
        // Of JSON with deviations the loose reader keeps what the strict one leaves out, such as risks that are objects.
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

/// Takes the colours of a terminal out of a text that is no JSON; `None` if it has none.
fn without_colours(text: &str) -> Option<String> {
    if !text.contains("\u{1b}[") || text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        // Anything but a colour moves the cursor or erases: what was shown is not known.
        plain.push_str(rest.strip_prefix('m')?);
    }
    Some(plain)
}

fn is_contract(format: &Format) -> bool {
    format.seed.starts_with("00")
}

/// Takes what a strict reader made of a text: its deviations are repairs if there is a report, and gaps if there is none.
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
        let message = format!("more than {DEEPEST} envelopes or encodings lie in one another");
        return ledger.gap(Reason::LimitDepth, span, message);
    }
    let (reason, was, became) = note;
    ledger.repair(reason, span, was, became);
    ledger.inside(Place::Within(span), |ledger| take(ledger, payload, depth + 1));
}

fn take_loose(ledger: &mut Ledger<'_>, source: &Source<'_>, depth: usize) {
    let text = source.text();
    let limits = *ledger.limits;
    if is_error_page(text) {
        return ledger.gap(Reason::NotAReport, Span::at(0), "the output is an HTML page");
    }
    match json::parse(source, &limits) {
        Ok(root) => return take_tree(ledger, text, &root, depth),
        Err(deviation) if deviation.reason == Reason::LimitDepth && text.trim_start().starts_with(['{', '[']) => {
            return ledger.gap(deviation.reason, deviation.span, deviation.message);
        }
        Err(_) => {}
    }
    if take_json_lines(ledger, source) {
        return;
    }
    let found = blocks::find(source, &limits);
    if !found.blocks.is_empty() || !found.unreadable.is_empty() {
        return take_blocks(ledger, source, found);
    }
    if looks_like_yaml(text) {
        match yaml::parse(source, source.whole(), &limits) {
            Ok(mut root) if matches!(root.value, Value::Object(_) | Value::Array(_)) => {
                ledger.dialect = Dialect::Yaml;
                shapes::widen(&mut root);
                // Markdown with labels instead of headings is YAML by accident; whoever understands more is right.
                let mut as_yaml = ledger.scratch();
                drift::read(&mut as_yaml, text, &root, &Damage::default());
                if as_yaml.has_blocking_gaps() && text.trim_start().starts_with("# ") {
                    let mut as_markdown = ledger.scratch();
                    as_markdown.dialect = Dialect::Markdown;
                    markdown::read(&mut as_markdown, text);
                    if !as_markdown.has_blocking_gaps()
                        || as_markdown.understood().count() > as_yaml.understood().count()
                    {
                        return ledger.adopt(as_markdown);
                    }
                }
                return ledger.adopt(as_yaml);
            }
            Ok(_) => {}
            // Prose may look like YAML; only what has the fields of a finding was meant to be it.
            Err(deviation) if is_limit(deviation.reason) || has_yaml_fields(text) => {
                ledger.gap(deviation.reason, deviation.span, deviation.message);
            }
            Err(_) => {}
        }
    }
    ledger.dialect = Dialect::Markdown;
    markdown::read(ledger, text);
    // YAML that is damaged in its first line still says what it says further down.
    if !ledger.has_blocking()
        && let Some(span) = stray_yaml_line(text)
    {
        ledger.gap(Reason::YamlSyntax, span, "findings are stated as YAML states them, but the text is none");
    }
}

/// Finds a line that states, as YAML does, a severity that blocks or that nobody knows, or that opens a list of findings.
fn stray_yaml_line(text: &str) -> Option<Span> {
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        if ["findings:", "issues:", "blockers:"].contains(&line.trim_end()) {
            return Some(span);
        }
        let (_, behind) = line.split_once("severity:")?;
        let stated = behind.split_whitespace().next()?.trim_matches(['"', '\'', ',', '`', '*']);
        let blocks = values::severity(stated).is_none_or(|(severity, _)| severity.is_at_least(Severity::High));
        (!stated.is_empty() && !shapes::says_none(stated) && blocks).then_some(span)
    })
}

fn is_limit(reason: Reason) -> bool {
    matches!(reason, Reason::LimitDepth | Reason::LimitAliases | Reason::LimitBytes | Reason::LimitLine)
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
            let note = (Reason::DoubleEncoded, "a string", "the document that it holds");
            return take_payload(ledger, inner, root.span, depth, note);
        }
        Value::Object(members) if !shapes::is_report_like(root) => {
            // A wrapper whose one text is the document.
            let holds = |text: &str| text.trim_start().starts_with(['{', '[', '`']);
            let mut texts =
                members.iter().filter(|member| matches!(&member.node.value, Value::String(text) if holds(text)));
            if let (Some(member), None) = (texts.next(), texts.next())
                && let Value::String(inner) = &member.node.value
            {
                let note = (Reason::DoubleEncoded, member.key.as_ref(), "the document that it holds");
                return take_payload(ledger, inner, member.node.span, depth, note);
            }
        }
        _ => {}
    }
    ledger.dialect = Dialect::Json;
    drift::read(ledger, text, root, &Damage::default());
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
        && shapes::is_report_like(first)
        && rest.iter().all(|other| blocks::same(first, other))
    {
        ledger.dialect = Dialect::Json;
        ledger.repair(Reason::BlockRepeated, Span::new(first.span.end, text.len()), "the same again", "");
        let first = first.clone();
        drift::read(ledger, text, &first, &damage);
        return true;
    }
    // Reports on lines of their own disagree unless each names its own reviewer; findings on lines are a list.
    if items.iter().filter(|item| shapes::is_report(item)).count() > 1 && !shapes::name_different_reviewers(&items) {
        disagree(ledger, text, &lines);
        return true;
    }
    ledger.dialect = Dialect::Json;
    ledger.repair(Reason::JsonLines, source.whole(), "one value on each line", "a list");
    let root = Node { span: source.whole(), value: Value::Array(items) };
    drift::read(ledger, text, &root, &damage);
    true
}

fn disagree(ledger: &mut Ledger<'_>, text: &str, spans: &[Span]) {
    let message = format!("{} documents do not say the same", spans.len());
    ledger.gap(Reason::BlocksDisagree, spans.first().copied().unwrap_or_default(), message);
    for span in spans {
        let raw = text.get(span.start..span.end).unwrap_or_default();
        if ledger.claim_present(raw, *span) {
            ledger.reject(Reason::BlocksDisagree, *span, raw, "one of several documents that do not say the same");
        }
    }
}

/// Takes the one block that a text has. Several must say the same; prose beside it must not say more.
fn take_blocks(ledger: &mut Ledger<'_>, source: &Source<'_>, found: Found<'_>) {
    let text = source.text();
    let Found { blocks, unreadable } = found;
    for (span, deviation) in &unreadable {
        let raw = text.get(span.start..span.end).unwrap_or_default();
        ledger.gap(deviation.reason, deviation.span, deviation.message.clone());
        if ledger.claim_present(raw, *span) {
            ledger.reject(deviation.reason, *span, raw, deviation.message.clone());
        }
    }
    let Some((first, others)) = blocks.split_first() else { return };
    if !others
        .iter()
        .all(|other| blocks::same(&first.root, &other.root) && other.damage.is_none() && first.damage.is_none())
    {
        let spans: Vec<Span> = blocks.iter().map(|block| block.span).collect();
        return disagree(ledger, text, &spans);
    }
    ledger.dialect = if first.is_yaml { Dialect::Yaml } else { Dialect::Json };
    note_surroundings(ledger, text, first, others);
    // What needed no mending may be one of the formats, whose reader knows more of it.
    let inner = Span::new(first.root.span.start, first.root.span.end);
    let inner_text = text.get(inner.start..inner.end).unwrap_or_default();
    if !first.is_yaml && first.mends.is_empty() && first.damage.is_none() {
        let inner_source = Source::new(inner_text.as_bytes(), ledger.limits).map(|source| source.below(ledger.roots));
        let (format, reading) =
            inner_source.map(|source| formats::read_source(&source, ledger.limits)).unwrap_or_default();
        let is_known = |format: &&Format| reading.is_conforming() || reading.report.is_some() && !is_contract(format);
        if let Some(format) = format.filter(is_known) {
            ledger.dialect = Dialect::Format(format);
            let states_verdict = reading.report.as_ref().is_some_and(|report| report.stated.is_some());
            ledger.inside(Place::Part(inner.start), |ledger| {
                take_strict(ledger, inner_text, reading);
                if is_contract(format) && !states_verdict {
                    heed_further_members(ledger, inner_text, DEEPEST);
                }
            });
            return heed_prose(ledger, text, &blocks);
        }
    }
    for (reason, span, became) in &first.mends {
        let was = text.get(span.start..span.end).unwrap_or_default();
        ledger.repair(*reason, *span, was, became);
    }
    drift::read(ledger, text, &first.root, &first.damage);
    // Where it had to be decided what belongs together, a finding may have fallen out of its list.
    if let Some((_, span, _)) = first.mends.iter().find(|mend| repair::is_structural(mend))
        && ledger.present() == 0
    {
        let message = "nothing is listed, but the document had to be mended here";
        ledger.gap(Reason::NoFindingsStated, *span, message);
    }
    heed_prose(ledger, text, &blocks);
}

fn note_surroundings(ledger: &mut Ledger<'_>, text: &str, first: &Block<'_>, others: &[Block<'_>]) {
    if first.is_fenced {
        ledger.repair(Reason::FenceRemoved, first.span, "a fenced block", "its content");
    }
    for other in others {
        ledger.repair(Reason::BlockRepeated, other.span, "the same again", "");
    }
    let before = &text[..first.span.start];
    let last_end = others.last().map_or(first.span.end, |last| last.span.end);
    let after = text.get(last_end..).unwrap_or_default();
    for (part, start) in [(before, 0), (after, last_end)] {
        if !part.trim().is_empty() {
            ledger.repair(Reason::ProseRemoved, Span::new(start, start + part.len()), part.trim(), "");
        }
    }
}

/// Sees to it that prose around a block which states findings that block, or a failed verdict, does not go unheard.
fn heed_prose(ledger: &mut Ledger<'_>, text: &str, blocks: &[Block<'_>]) {
    if ledger.has_blocking() {
        return;
    }
    // A bracket that closes too early leaves a part of the document outside it.
    let first = blocks.first().map_or(0, |block| block.span.start);
    let last = blocks.last().map_or(0, |block| block.span.end);
    for span in [Span::new(0, first), Span::new(last, text.len())] {
        if has_torn_members(text.get(span.start..span.end).unwrap_or_default()) {
            return ledger.gap(Reason::JsonSyntax, span, "what looks like a part of the document stands outside it");
        }
    }
    let mut prose = String::new();
    let mut at = 0;
    for block in blocks {
        prose.push_str(text.get(at..block.span.start).unwrap_or_default());
        prose.push_str("\n\n");
        at = block.span.end;
    }
    prose.push_str(text.get(at..).unwrap_or_default());
    if says_unfinished(&prose) {
        let message = "the prose around the document says that the review was not finished";
        return ledger.gap(Reason::EnvelopeFailed, Span::at(0), message);
    }
    let mut beside = ledger.scratch();
    markdown::read(&mut beside, &prose);
    if beside.has_blocking() {
        let message = "the prose around the document states findings that block, and the document does not";
        ledger.gap(Reason::BlocksDisagree, Span::at(0), message);
    }
}

/// Sees to it that a member which a contract allows and does not know, such as a verdict or an error, does not go unheard.
fn heed_further_members(ledger: &mut Ledger<'_>, text: &str, depth: usize) {
    let is_telling = |key: &str| {
        matches!(
            synonyms::part(key),
            Some(Part::Verdict | Part::VerdictHint | Part::Error | Part::Failed | Part::Completed | Part::Count)
        ) || synonyms::field(key).is_some_and(|(field, _)| field == Field::Severity)
    };
    let limits = *ledger.limits;
    if let Ok(source) = Source::new(text.as_bytes(), &limits)
        && json::top_level_keys(text).any(|key| is_telling(&key))
    {
        let mut loose = ledger.scratch();
        take_loose(&mut loose, &source, depth);
        ledger.adopt_gaps(loose);
    }
}

/// Words by which a reviewer says that it did not do its work.
const UNFINISHED: &[&str] = &[
    "could not review",
    "couldn't review",
    "unable to review",
    "not able to review",
    "could not complete",
    "couldn't complete",
    "unable to complete",
    "could not access",
    "unable to access",
    "did not finish",
    "could not finish",
    "rate limit",
    "timed out",
];

fn says_unfinished(prose: &str) -> bool {
    let lower = prose.to_lowercase().replace('’', "'");
    UNFINISHED.iter().any(|words| lower.contains(words))
}

/// Tells whether a text has members of a finding in it: a quoted name for the severity, or any at the start of a line, and a
/// colon.
fn has_torn_members(text: &str) -> bool {
    let starts_with_name = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', ',', '{', '}', '[', ']']);
        let rest = line.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        rest.is_some_and(|(name, rest)| !name.contains(' ') && rest.trim_start().starts_with(':'))
    };
    if text.lines().any(starts_with_name) {
        return true;
    }
    let lower = text.to_lowercase();
    ["severity\"", "severity'", "severity”", "priority\""]
        .iter()
        .any(|name| lower.match_indices(name).any(|(at, _)| lower[at + name.len()..].trim_start().starts_with(':')))
}

/// Tells whether a text starts like YAML: after comments, a name with a colon, or a list item with one.
fn looks_like_yaml(text: &str) -> bool {
    let first = text
        .lines()
        .map(str::trim_end)
        .find(|line| !line.trim().is_empty() && !line.starts_with('#') && *line != "---");
    let Some(line) = first else { return false };
    // YAML between two `---` lines with text after them is the front matter of Markdown.
    if units::front_matter(text).is_some_and(|front| !text[front.end..].trim().is_empty()) {
        return false;
    }
    let line = line.trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let is_name = |name: &str| {
        !name.is_empty() && name.len() < 50 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-\"'".contains(&b))
    };
    line.split_once(':').is_some_and(|(name, rest)| is_name(name) && (rest.is_empty() || rest.starts_with(' ')))
}

/// Tells whether a text has lines that state a severity or open a list of findings as YAML does.
fn has_yaml_fields(text: &str) -> bool {
    // Nothing in YAML looks like the second-level heading of a document.
    if text.lines().any(|line| line.starts_with("## ")) {
        return false;
    }
    text.lines().any(|line| {
        let line = line.trim_start().trim_start_matches("- ");
        ["severity:", "findings:", "priority:", "issues:", "blockers:", "verdict:"]
            .iter()
            .any(|name| line.starts_with(name))
    })
}
