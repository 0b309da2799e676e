//! The documents that stand in a text: which of them count, and what becomes of those that do.
//!
//! In: the blocks of a text. Out: entries in the ledger. One counts; several must say the same, or hold a part of the findings each.
//! Deliberately not here: finding them (`blocks`), and hearing what stands around them (`beside`).

use std::borrow::Cow;

use jury_wire::Reason;

use super::beside::{has_torn_members, heed_prose, heed_text};
use super::blocks::{self, Block, Found};
use super::drift::{self, Damage};
use super::ledger::{Ledger, Place};
use super::sniff::{DEEPEST, is_contract, take_conforming, take_strict};
use super::{Dialect, assignments, elements, markdown, repair, shapes, strays};
use crate::formats::{self, Format};
use crate::model::Report;
use crate::syntax::{Member, Node, Source, Span, Value};

pub(super) fn disagree(ledger: &mut Ledger<'_>, text: &str, spans: &[Span]) {
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
pub(super) fn take_blocks(ledger: &mut Ledger<'_>, source: &Source<'_>, found: Found<'_>) {
    let text = source.text();
    let Found { blocks, unreadable, examples, .. } = found;
    for span in &examples {
        ledger.repair(Reason::ProseRemoved, *span, "an example of the form that was asked for", "");
    }
    for (span, deviation) in &unreadable {
        let raw = text.get(span.start..span.end).unwrap_or_default();
        ledger.gap(deviation.reason, deviation.span, deviation.message.clone());
        if ledger.claim_present(raw, *span) {
            ledger.reject(deviation.reason, *span, raw, deviation.message.clone());
        }
    }
    let Some((first, others)) = blocks.split_first() else { return };
    if unreadable.is_empty() && take_remarked(ledger, text, &blocks, &examples) {
        return;
    }
    if !others.is_empty() && are_parts(&blocks) {
        return take_parts(ledger, text, &blocks, &examples);
    }
    if let Some(root) = with_remarks(&blocks) {
        ledger.dialect = if blocks.iter().any(|block| block.is_yaml) { Dialect::Yaml } else { Dialect::Json };
        let mut damage = Damage::default();
        for block in &blocks {
            ledger.repair(Reason::FenceRemoved, block.span, "a fenced block", "its content");
            damage.join(block.damage.clone());
        }
        ledger.repair(Reason::PartsJoined, root.span, "a report and what others say of it", "one report");
        drift::read(ledger, text, &root, &damage);
        return heed_prose(ledger, text, &blocks, &examples);
    }
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
            ledger.inside(Place::Part(inner.start), |ledger| {
                take_conforming(ledger, inner_text, format, reading, DEEPEST);
            });
            return heed_prose(ledger, text, &blocks, &examples);
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
    heed_comments(ledger, text, first);
    heed_prose(ledger, text, &blocks, &examples);
}

/// Sees to it that a finding that blocks is not passed over as a comment: one letter makes any line one.
fn heed_comments(ledger: &mut Ledger<'_>, text: &str, block: &Block<'_>) {
    let hides = |(reason, span, _): &&repair::Mend| {
        let comment = text.get(span.start..span.end).unwrap_or_default();
        *reason == Reason::CommentRemoved && has_torn_members(comment) && blocks::names_blocking(comment)
    };
    if !ledger.has_blocking()
        && let Some((_, span, _)) = block.mends.iter().find(hides)
    {
        ledger.gap(Reason::JsonSyntax, *span, "a comment has the members of a finding that blocks");
    }
}

/// Takes a report in Markdown whose one block only remarks on it, by its verdict or by counts; false if it is none. The findings stand in
/// the Markdown then, and what the block says is held against them.
fn take_remarked(ledger: &mut Ledger<'_>, text: &str, blocks: &[Block<'_>], examples: &[Span]) -> bool {
    let [block] = blocks else { return false };
    if !block.is_fenced || !block.mends.is_empty() || !block.damage.is_none() || !is_remark(block) {
        return false;
    }
    let mut alone = ledger.scratch();
    drift::read(&mut alone, text, &block.root, &block.damage);
    if alone.present() > 0 {
        return false;
    }
    let mut attempt = ledger.scratch();
    attempt.dialect = Dialect::Markdown;
    markdown::read(&mut attempt, &without(text, [block.span].iter().chain(examples)));
    let Some(reports) = attempt.take_reports() else { return false };
    let rejected = attempt.rejected();
    let present = attempt.present();
    ledger.adopt(attempt);
    ledger.repair(Reason::FenceRemoved, block.span, "a fenced block", "what it says of the report around it");
    let report = reports.into_iter().reduce(joined).unwrap_or_default();
    drift::read_beside(ledger, text, &block.root, drift::Beside { report, rejected, present });
    true
}

/// Puts the findings of two reports into one.
fn joined(mut one: Report, other: Report) -> Report {
    one.claims.extend(other.claims);
    one
}

/// Returns a text with blanks in the place of some parts, so that all else stands where it stood.
fn without<'s>(text: &str, parts: impl Iterator<Item = &'s Span>) -> String {
    let mut blanked = text.to_owned();
    for part in parts {
        let blanks: String = text
            .get(part.start..part.end)
            .unwrap_or_default()
            .chars()
            .map(|c| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) })
            .collect();
        blanked.replace_range(part.start..part.start + blanks.len(), &blanks);
    }
    blanked
}

/// Tells whether a block is an object without findings, such as one that gives the verdict for those of another.
fn is_remark(block: &Block<'_>) -> bool {
    matches!(block.root.value, Value::Object(_))
        && !shapes::is_report(&block.root)
        && !shapes::looks_like_finding(&block.root)
}

/// Puts a report in one fence and what another one remarks on it into one document: a wrapper's record of who reviewed what, and the
/// reviewer's own answer. A remark can only add to what is said, so that a verdict in it which is worse is heard.
fn with_remarks<'a>(blocks: &[Block<'a>]) -> Option<Node<'a>> {
    let is_whole = |block: &Block<'_>| block.is_fenced && block.mends.is_empty() && block.damage.is_none();
    let (reports, remarks): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| shapes::is_report(&block.root));
    let ([report], [remark]) = (reports.as_slice(), remarks.as_slice()) else { return None };
    let Value::Object(members) = &report.root.value else { return None };
    if !blocks.iter().all(is_whole) || !is_remark(remark) {
        return None;
    }
    let remark = Member { key: Cow::Borrowed("remark"), key_span: remark.span, node: remark.root.clone() };
    let members = members.iter().cloned().chain([remark]).collect();
    Some(Node { span: report.root.span, value: Value::Object(members) })
}

/// Tells whether blocks each hold a part of one report: findings and nothing else, or what different reviewers say.
fn are_parts(blocks: &[Block<'_>]) -> bool {
    let is_repeated = blocks.iter().all(|block| blocks::same(&blocks[0].root, &block.root));
    let names_reviewers = || {
        let roots: Vec<Node<'_>> = blocks.iter().map(|block| block.root.clone()).collect();
        shapes::name_different_reviewers(&roots)
    };
    let (parts, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| shapes::is_part(&block.root));
    let are_remarks = others.len() < 2 && others.iter().all(|block| is_remark(block));
    !is_repeated && (!parts.is_empty() && are_remarks || names_reviewers())
}

/// Takes blocks that hold a part each as one list. Nothing in one can take anything out of another.
fn take_parts(ledger: &mut Ledger<'_>, text: &str, blocks: &[Block<'_>], examples: &[Span]) {
    ledger.dialect = if blocks.iter().any(|block| block.is_yaml) { Dialect::Yaml } else { Dialect::Json };
    let mut damage = Damage::default();
    let mut parts: Vec<Node<'_>> = Vec::new();
    let mut remarks: Vec<Member<'_>> = Vec::new();
    let mut end = 0;
    for block in blocks {
        if block.is_fenced {
            ledger.repair(Reason::FenceRemoved, block.span, "a fenced block", "its content");
        }
        let before = text.get(end..block.span.start).unwrap_or_default();
        if !before.trim().is_empty() {
            ledger.repair(Reason::ProseRemoved, Span::new(end, block.span.start), before.trim(), "");
        }
        end = block.span.end;
        if parts.iter().any(|part| blocks::same(part, &block.root)) {
            ledger.repair(Reason::BlockRepeated, block.span, "the same again", "");
            continue;
        }
        for (reason, span, became) in &block.mends {
            ledger.repair(*reason, *span, text.get(span.start..span.end).unwrap_or_default(), became);
        }
        damage.join(block.damage.clone());
        let is_finding = shapes::is_part(&block.root) || shapes::is_report(&block.root);
        match &block.root.value {
            Value::Object(members) if !is_finding => remarks.extend(members.iter().cloned()),
            _ => parts.push(block.root.clone()),
        }
    }
    let whole = Span::new(blocks.first().map_or(0, |block| block.span.start), end);
    ledger.repair(Reason::PartsJoined, whole, "several blocks", "one list");
    // A list in a list would be one finding.
    let flat = parts.into_iter().flat_map(|part| match part.value {
        Value::Array(items) => items,
        value => vec![Node { span: part.span, value }],
    });
    let list = Node { span: whole, value: Value::Array(flat.collect()) };
    let root = if remarks.is_empty() {
        list
    } else {
        remarks.push(Member { key: Cow::Borrowed("findings"), key_span: whole, node: list });
        Node { span: whole, value: Value::Object(remarks) }
    };
    drift::read(ledger, text, &root, &damage);
    heed_prose(ledger, text, blocks, examples);
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

/// Takes the one fenced document that is XML in a format of its own; false if there is none.
pub(super) fn take_markup(ledger: &mut Ledger<'_>, source: &Source<'_>, markup: &[(Span, Span)]) -> bool {
    let [(fence, content)] = markup else { return false };
    let inner = source.slice(*content);
    let Ok(inner_source) = Source::new(inner.as_bytes(), ledger.limits).map(|source| source.below(ledger.roots)) else {
        return false;
    };
    let (Some(format), reading) = formats::read_source(&inner_source, ledger.limits) else { return false };
    if reading.report.is_none() {
        return false;
    }
    ledger.dialect = Dialect::Format(format);
    ledger.repair(Reason::FenceRemoved, *fence, "a fenced block", "its content");
    ledger.inside(Place::Part(content.start), |ledger| take_strict(ledger, inner, reading));
    let prose = format!("{}\n\n{}", &source.text()[..fence.start], &source.text()[fence.end..]);
    heed_text(ledger, &prose);
    true
}

/// Takes findings that are written as elements; false if there are none.
pub(super) fn take_elements(ledger: &mut Ledger<'_>, text: &str) -> bool {
    let Some(root) = elements::parse(text).filter(shapes::is_report_like) else { return false };
    let mut attempt = ledger.scratch();
    attempt.dialect = Dialect::Markdown;
    drift::read(&mut attempt, text, &root, &Damage::default());
    if attempt.present() == 0 {
        return false;
    }
    attempt.repair(Reason::TableRead, root.span, "elements", "an object for each finding");
    if !attempt.has_blocking()
        && let Some(span) = elements::stray_severity(text)
    {
        attempt.gap(Reason::XmlSyntax, span, "a severity that blocks stands here, and no element says so");
    }
    ledger.adopt(attempt);
    // What stands outside of the elements is prose beside them.
    let Value::Object(members) = &root.value else { return true };
    let mut prose = String::new();
    let mut at = 0;
    for member in members {
        prose.push_str(text.get(at..member.node.span.start).unwrap_or_default());
        prose.push_str("\n\n");
        at = member.node.span.end.max(at);
    }
    prose.push_str(text.get(at..).unwrap_or_default());
    heed_text(ledger, &prose);
    true
}

/// Takes findings that are written as assignments; false if there are none, or if they only stand in a report of another kind.
pub(super) fn take_assignments(ledger: &mut Ledger<'_>, source: &Source<'_>) -> bool {
    let text = source.text();
    let parts = assignments::find(source, ledger.limits);
    let Some(first) = parts.first() else { return false };
    let prose = without(text, parts.iter().map(|part| &part.span));
    let mut beside = ledger.scratch();
    markdown::read(&mut beside, &prose);
    if beside.understood().next().is_some() {
        return false;
    }
    let mut attempt = ledger.scratch();
    attempt.dialect = Dialect::Markdown;
    for part in &parts {
        attempt.repair(Reason::AssignmentsRead, part.span, "assignments", "an object for each finding");
    }
    let roots: Vec<Node<'_>> = parts.iter().map(|part| part.root.clone()).collect();
    let mut damage = Damage::default();
    parts.iter().for_each(|part| damage.join(part.damage.clone()));
    let are_parts = parts.len() > 1;
    let whole = Span::new(first.span.start, parts.last().map_or(first.span.end, |last| last.span.end));
    let root = if are_parts { Node { span: whole, value: Value::Array(roots) } } else { first.root.clone() };
    drift::read(&mut attempt, text, &root, &damage);
    let states_none = !are_parts && shapes::is_report(&root);
    if attempt.present() == 0 && !states_none {
        return false;
    }
    if !attempt.has_blocking()
        && let Some(span) = strays::word(text)
    {
        attempt.gap(Reason::NoFindingsStated, span, "a severity that blocks stands here, and no finding says so");
    }
    ledger.adopt(attempt);
    heed_text(ledger, &prose);
    true
}
