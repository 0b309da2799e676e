//! The documents in a text: which of them count, and how those are taken.
//!
//! In: the blocks of a text. Out: entries in the ledger. One counts; several must say the same, or hold a part of the findings each.
//! Deliberately not here: finding them (`blocks`), and the text around them (`surrounding_text`).

use std::borrow::Cow;

use jury_wire::Reason;

use super::blocks::{self, Block, Found};
use super::dialect::{self, Damage};
use super::ledger::{Ledger, TextOrigin};
use super::sniff::{DEEPEST, is_contract, take_conforming, take_strict};
use super::surrounding_text::{check_prose, check_text, has_torn_members};
use super::{Dialect, assignments, elements, markdown, node_kinds, repair, unclaimed};
use crate::formats::{self, Format};
use crate::model::Report;
use crate::syntax::{Member, Node, Source, Span, Value};

pub(super) fn disagree(ledger: &mut Ledger<'_>, text: &str, spans: &[Span]) {
    let message = format!("{} documents disagree", spans.len());
    ledger.gap(Reason::BlocksDisagree, spans.first().copied().unwrap_or_default(), message);
    for span in spans {
        let raw = text.get(span.start..span.end).unwrap_or_default();
        if ledger.claim_present(raw, *span) {
            ledger.reject(Reason::BlocksDisagree, *span, raw, "one of several documents that disagree");
        }
    }
}

/// Takes the one block that a text has. Several must say the same; prose beside it must not say more.
pub(super) fn take_blocks(ledger: &mut Ledger<'_>, source: &Source<'_>, found: Found<'_>) {
    let text = source.text();
    let Found { blocks, unreadable, examples, .. } = found;
    for span in &examples {
        ledger.repair(Reason::ProseRemoved, *span, "an example of the requested format", "");
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
        ledger.repair(Reason::PartsJoined, root.span, "a report and comments on it", "one report");
        dialect::read(ledger, text, &root, &damage);
        return check_prose(ledger, text, &blocks, &examples);
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
    // A document that needed no repair may be in one of the formats, whose reader knows more of it.
    let inner = Span::new(first.root.span.start, first.root.span.end);
    let inner_text = text.get(inner.start..inner.end).unwrap_or_default();
    if !first.is_yaml && first.mends.is_empty() && first.damage.is_none() {
        let inner_source = Source::new(inner_text.as_bytes(), ledger.limits).map(|source| source.below(ledger.roots));
        if let Ok(source) = inner_source {
            let (format, reading) = formats::read_source(&source, ledger.limits);
            let is_known =
                |format: &&Format| reading.is_conforming() || reading.report.is_some() && !is_contract(format);
            if let Some(format) = format.filter(is_known) {
                ledger.inside(TextOrigin::Part(inner.start), |ledger| {
                    take_conforming(ledger, &source, format, reading, DEEPEST);
                });
                return check_prose(ledger, text, &blocks, &examples);
            }
        }
    }
    for (reason, span, became) in &first.mends {
        let was = text.get(span.start..span.end).unwrap_or_default();
        ledger.repair(*reason, *span, was, became);
    }
    dialect::read(ledger, text, &first.root, &first.damage);
    // Where the repair had to guess the nesting, a finding may have fallen out of its list.
    if let Some((_, span, _)) = first.mends.iter().find(|mend| repair::is_structural(mend))
        && ledger.present() == 0
    {
        let message = "no finding is listed, but the document had to be repaired here";
        ledger.gap(Reason::NoFindingsStated, *span, message);
    }
    check_comments(ledger, text, first);
    check_prose(ledger, text, &blocks, &examples);
}

/// Sees to it that a finding that blocks is not passed over as a comment: one letter makes any line one.
fn check_comments(ledger: &mut Ledger<'_>, text: &str, block: &Block<'_>) {
    let hides = |(reason, span, _): &&repair::Mend| {
        let comment = text.get(span.start..span.end).unwrap_or_default();
        *reason == Reason::CommentRemoved && has_torn_members(comment) && blocks::names_blocking(comment)
    };
    if !ledger.has_blocking()
        && let Some((_, span, _)) = block.mends.iter().find(hides)
    {
        ledger.gap(Reason::JsonSyntax, *span, "a comment has the members of a blocking finding");
    }
}

/// Takes a Markdown report whose one block only gives its verdict or counts; false if it is none. The findings are in the
/// Markdown then, and the block is checked against them.
fn take_remarked(ledger: &mut Ledger<'_>, text: &str, blocks: &[Block<'_>], examples: &[Span]) -> bool {
    let [block] = blocks else { return false };
    if !block.is_fenced || !block.mends.is_empty() || !block.damage.is_none() || !is_remark(block) {
        return false;
    }
    let mut alone = ledger.scratch();
    dialect::read(&mut alone, text, &block.root, &block.damage);
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
    ledger.repair(Reason::FenceRemoved, block.span, "a fenced block", "its content");
    let report = reports.into_iter().reduce(joined).unwrap_or_default();
    dialect::read_with_findings(ledger, text, &block.root, dialect::ReadFindings { report, rejected, present });
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

/// Tells whether a block is an object without findings, for example the verdict over the findings of another block.
fn is_remark(block: &Block<'_>) -> bool {
    matches!(block.root.value, Value::Object(_))
        && !node_kinds::is_report(&block.root)
        && !node_kinds::looks_like_finding(&block.root)
}

/// Joins a report in one fence and a remark on it in another into one document: a wrapper's log of the run, and the
/// reviewer's own answer. A remark can only add, so that a worse verdict in it counts.
fn with_remarks<'a>(blocks: &[Block<'a>]) -> Option<Node<'a>> {
    let is_whole = |block: &Block<'_>| block.is_fenced && block.mends.is_empty() && block.damage.is_none();
    let (reports, remarks): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| node_kinds::is_report(&block.root));
    let ([report], [remark]) = (reports.as_slice(), remarks.as_slice()) else { return None };
    let Value::Object(members) = &report.root.value else { return None };
    if !blocks.iter().all(is_whole) || !is_remark(remark) {
        return None;
    }
    let remark = Member { key: Cow::Borrowed("remark"), key_span: remark.span, node: remark.root.clone() };
    let members = members.iter().cloned().chain([remark]).collect();
    Some(Node { span: report.root.span, value: Value::Object(members) })
}

/// Tells whether each block holds a part of one report: findings and nothing else, or the report of a different reviewer.
fn are_parts(blocks: &[Block<'_>]) -> bool {
    let is_repeated = blocks.iter().all(|block| blocks::same(&blocks[0].root, &block.root));
    let names_reviewers = || {
        let roots: Vec<Node<'_>> = blocks.iter().map(|block| block.root.clone()).collect();
        node_kinds::name_different_reviewers(&roots)
    };
    let (parts, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| node_kinds::is_part(&block.root));
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
        let is_finding = node_kinds::is_part(&block.root) || node_kinds::is_report(&block.root);
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
    dialect::read(ledger, text, &root, &damage);
    check_prose(ledger, text, blocks, examples);
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
    ledger.inside(TextOrigin::Part(content.start), |ledger| take_strict(ledger, inner, reading));
    let prose = format!("{}\n\n{}", &source.text()[..fence.start], &source.text()[fence.end..]);
    check_text(ledger, &prose);
    true
}

/// Takes findings that are written as elements; false if there are none.
pub(super) fn take_elements(ledger: &mut Ledger<'_>, text: &str) -> bool {
    let Some(root) = elements::parse(text).filter(node_kinds::is_report_like) else { return false };
    let mut attempt = ledger.scratch();
    attempt.dialect = Dialect::Markdown;
    dialect::read(&mut attempt, text, &root, &Damage::default());
    if attempt.present() == 0 {
        return false;
    }
    attempt.repair(Reason::TableRead, root.span, "elements", "an object for each finding");
    if !attempt.has_blocking()
        && let Some(span) = elements::stray_severity(text)
    {
        attempt.gap(Reason::XmlSyntax, span, "a blocking severity outside of any element");
    }
    ledger.adopt(attempt);
    // Text outside of the elements is prose.
    let Value::Object(members) = &root.value else { return true };
    let mut prose = String::new();
    let mut at = 0;
    for member in members {
        prose.push_str(text.get(at..member.node.span.start).unwrap_or_default());
        prose.push_str("\n\n");
        at = member.node.span.end.max(at);
    }
    prose.push_str(text.get(at..).unwrap_or_default());
    check_text(ledger, &prose);
    true
}

/// Takes findings that are written as assignments; false if there are none, or if they only stand in a report of another kind.
pub(super) fn take_assignments(ledger: &mut Ledger<'_>, source: &Source<'_>) -> bool {
    let text = source.text();
    let parts = assignments::find(source, ledger.limits);
    let Some(first) = parts.first() else { return false };
    let prose = without(text, parts.iter().map(|part| &part.span));
    let mut outside = ledger.scratch();
    markdown::read(&mut outside, &prose);
    if outside.understood().next().is_some() {
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
    dialect::read(&mut attempt, text, &root, &damage);
    let states_none = !are_parts && node_kinds::is_report(&root);
    if attempt.present() == 0 && !states_none {
        return false;
    }
    if !attempt.has_blocking()
        && let Some(span) = unclaimed::word(text)
    {
        attempt.gap(Reason::NoFindingsStated, span, "a blocking severity outside of any finding");
    }
    ledger.adopt(attempt);
    check_text(ledger, &prose);
    true
}
