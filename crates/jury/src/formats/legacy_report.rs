//! `legacy-report`: the prose blocks `qa_report:`, `code_quality_report:` and their like (001, "Backward compatibility").
//!
//! Read only, with one note that the format is deprecated. Text around the block is tolerated, as it always came with
//! some; a second block, or a verdict or list outside of it, is not. A block that is understood by half is not at all.

use jury_wire::Reason;

use super::gate_words::{self, List};
use super::reading::{Claims, Reading};
use super::{Format, json, prose, vocabulary};
use crate::model::{Claim, Confidence, GateVerdict, LineRange, Location, Report, Severity, Stated, Title};
use crate::syntax::{Deviation, Fields, Limits, Node, Reader, Source, Span, Unknown, Value, yaml};

pub(super) const FORMAT: Format = Format {
    id: "legacy-report",
    seed: "001",
    what: "the deprecated prose blocks `*_report:` of earlier reviewers",
    extension: "md",
    states_attendance: false,
    recognises: |source| source.lines().any(|(_, line)| is_heading(line)),
    read,
    write: None,
};

/// Where the old reviewers put their verdict; the first that is there counts.
const VERDICTS: [&str; 4] = ["verdict", "status", "result", "decision"];
/// The lists of findings.
const LISTS: [&str; 5] = ["blockers", "issues", "advisories", "warnings", "suggestions"];

/// An old verdict before the blockers are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Pass,
    Fail,
    /// `warn` without a blocker, `fail` with one (001, "Authoring rules").
    NeedsWork,
}

/// 001's map of old tokens, each also in lower case.
const WORDS: [(&str, Word); 12] = [
    ("PASS", Word::Pass),
    ("pass", Word::Pass),
    ("FAIL", Word::Fail),
    ("fail", Word::Fail),
    ("REJECT", Word::Fail),
    ("reject", Word::Fail),
    ("STOP", Word::Fail),
    ("stop", Word::Fail),
    ("NEEDS_WORK", Word::NeedsWork),
    ("needs_work", Word::NeedsWork),
    ("WARNING", Word::NeedsWork),
    ("warning", Word::NeedsWork),
];

fn word(text: &str) -> Option<Word> {
    WORDS.iter().find(|(word, _)| *word == text).map(|(_, word)| *word)
}

/// Tells whether a line starts a block: `^\s*\w+_report:`.
fn is_heading(line: &str) -> bool {
    let name = line.trim_start().split_once(':').and_then(|(name, _)| name.strip_suffix("_report"));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let mut reader = Reader::new(source, limits);
    let blocks = blocks(source);
    let Some(first) = blocks.first().copied() else {
        let message = "expected a block such as `qa_report:`";
        return Reading::unreadable(Deviation::new(Reason::MissingField, Span::at(0), message));
    };
    let is_alone = check_outside(&mut reader, &blocks);
    let (claims, header) = match yaml::parse(source, first, limits) {
        Ok(root) => report(&mut reader, &root).unwrap_or_default(),
        Err(deviation) => {
            reader.deviations.push(unparsed(source, first, deviation));
            (Claims::default(), None)
        }
    };
    let start = first.start + indentation(source.slice(first));
    let heading = Span::new(start, source.line_at(start).end);
    let note = Deviation::new(Reason::DeprecatedFormat, heading, "expected the YAML verdict block instead");
    Reading { notes: vec![note], ..claims.end(reader, header.filter(|_| is_alone)) }
}

/// Returns every block: from its heading to the last line that is indented deeper.
fn blocks(source: &Source<'_>) -> Vec<Span> {
    let mut blocks: Vec<Span> = Vec::new();
    let mut open = None;
    for (span, line) in source.lines().filter(|(_, line)| !line.trim().is_empty()) {
        match (open, blocks.last_mut()) {
            (Some(depth), Some(block)) if indentation(line) > depth => block.end = span.end,
            _ => {
                open = is_heading(line).then(|| indentation(line));
                if open.is_some() {
                    blocks.push(span);
                }
            }
        }
    }
    blocks
}

/// Notes text outside the one block that could disagree with it; false if there is any.
fn check_outside(reader: &mut Reader<'_, '_>, blocks: &[Span]) -> bool {
    if let [_, second, ..] = blocks {
        reader.deviate(Reason::SeveralBlocks, reader.source.line_at(second.start), "a second block starts here");
        return false;
    }
    let source = reader.source;
    let is_inside = |span: Span| blocks.iter().any(|block| block.start <= span.start && span.end <= block.end);
    let says_something = |line: &str| {
        let key = line.trim_start().split_once(':').map(|(key, _)| key);
        key.is_some_and(|key| VERDICTS.contains(&key) || LISTS.contains(&key))
    };
    let mut is_alone = true;
    for (span, _) in source.lines().filter(|(span, line)| !is_inside(*span) && says_something(line)) {
        reader.deviate(Reason::UnexpectedLine, span, "this line is outside its block");
        is_alone = false;
    }
    is_alone
}

/// Says of a block that is not YAML which verdict its lines alone would give, and that this is not enough.
fn unparsed(source: &Source<'_>, block: Span, deviation: Deviation) -> Deviation {
    let mut lines = source.slice(block).lines().map(str::trim);
    let verdict = lines.find(|line| VERDICTS.iter().any(|key| line.split_once(':').is_some_and(|(k, _)| k == *key)));
    let verdict = verdict.map(|line| format!("; `{line}` alone does not count")).unwrap_or_default();
    Deviation { message: format!("{}{verdict}", deviation.message), ..deviation }
}

fn report<'a>(reader: &mut Reader<'_, 'a>, root: &Node<'a>) -> Option<(Claims, Option<Report>)> {
    let Value::Object(members) = &root.value else {
        reader.fields(root);
        return None;
    };
    let body = &members.first()?.node;
    let mut fields = reader.fields(body)?;
    let word = stated_word(reader, &mut fields);
    let confidence = fields.get("confidence").and_then(confidence);
    let lists: Vec<(&str, &Node<'a>)> =
        LISTS.into_iter().filter_map(|name| fields.get(name).map(|node| (name, node))).collect();
    fields.end(reader, Unknown::Allow);
    note_unknown_lists(reader, body);
    let count = |name: &str| lists.iter().filter(|(of, _)| *of == name).map(|(_, node)| length(node)).sum::<usize>();
    let verdict = word.and_then(|(word, span)| {
        let (verdict, blockers) = match word {
            Word::Pass => (GateVerdict::Pass, count("blockers")),
            Word::Fail => (GateVerdict::Fail, count("blockers") + count("issues")),
            Word::NeedsWork if count("blockers") > 0 => (GateVerdict::Fail, count("blockers")),
            Word::NeedsWork => (GateVerdict::Warn, 0),
        };
        gate_words::agrees(reader, verdict, span, blockers).then_some(verdict)
    });
    let mut claims = Claims::default();
    for (name, node) in lists {
        let severity = severity(name, verdict);
        read_list(reader, &mut claims, node, severity, confidence);
    }
    let stated = verdict.map(Stated::Gate);
    Some((claims, stated.map(|stated| Report { stated: Some(stated), confidence, ..Report::default() })))
}

/// Reads the verdict: the first of the names that is there. Another one that says something else contradicts it.
fn stated_word<'a>(reader: &mut Reader<'_, 'a>, fields: &mut Fields<'_, 'a>) -> Option<(Word, Span)> {
    let nodes: Vec<&Node<'a>> = VERDICTS.into_iter().filter_map(|name| fields.get(name)).collect();
    let Some((first, others)) = nodes.split_first() else {
        reader.deviate(Reason::MissingField, fields.opening(reader), "`verdict` is missing");
        return None;
    };
    let stated = reader.token(first, word, WORDS.iter().map(|(word, _)| *word))?;
    for other in others {
        if let Value::String(text) = &other.value
            && word(text).is_some_and(|word| word != stated)
        {
            reader.deviate(Reason::VerdictContradiction, other.span, format!("`{text}` contradicts the verdict above"));
            return None;
        }
    }
    Some((stated, first.span))
}

fn confidence(node: &Node<'_>) -> Option<Confidence> {
    match &node.value {
        Value::String(text) => vocabulary::confidence_from_word(text),
        _ => None,
    }
}

/// Counts the items of a list, understood or not.
fn length(node: &Node<'_>) -> usize {
    match &node.value {
        Value::Array(items) => items.len(),
        Value::Null => 0,
        _ => 1,
    }
}

fn severity(list: &str, verdict: Option<GateVerdict>) -> Severity {
    match list {
        "blockers" => List::Blockers.severity(verdict),
        "issues" if verdict == Some(GateVerdict::Fail) => Severity::Blocker,
        "issues" => Severity::Medium,
        _ => List::Advisories.severity(verdict),
    }
}

fn read_list<'a>(
    reader: &mut Reader<'_, 'a>,
    claims: &mut Claims,
    node: &Node<'a>,
    severity: Severity,
    confidence: Option<Confidence>,
) {
    match &node.value {
        Value::Array(items) => {
            claims.read_each(reader, items, |reader, item| claim(reader, item, severity, confidence));
        }
        // `blockers:` with nothing after it was the old way to say that there is none.
        Value::Null => {}
        _ => claims.read_one(reader, node.span, |reader| {
            reader.items(node);
            None
        }),
    }
}

fn claim<'a>(
    reader: &mut Reader<'_, 'a>,
    node: &Node<'a>,
    severity: Severity,
    confidence: Option<Confidence>,
) -> Option<Claim> {
    if !matches!(node.value, Value::Object(_)) {
        let text = prose::one_line(reader.string(node)?);
        return gate_words::claim(reader, node.span, &text, severity, confidence);
    }
    let mut fields = reader.fields(node)?;
    let texts = ["title", "description", "message"].map(|name| fields.nullable(reader, name, Reader::text));
    let file = fields.nullable(reader, "file", json::file);
    let lines = fields.nullable(reader, "line", |reader, node| match &node.value {
        Value::String(text) => reader.expect(Reason::BadLine, node.span, LineRange::parse(text)),
        _ => json::line(reader, node).map(LineRange::single),
    });
    if !fields.end(reader, Unknown::Refuse) {
        return None;
    }
    let mut texts = texts.into_iter().flatten();
    let Some(title) = texts.next().and_then(|text| Title::new(&prose::one_line(text)).ok()) else {
        reader.deviate(Reason::MissingField, node.span, "`title`, `description` or `message` is missing");
        return None;
    };
    let file = file.flatten();
    if lines.is_some() && file.is_none() {
        reader.deviate(Reason::BadLine, node.span, "there is a line but no file");
        return None;
    }
    let why: Vec<&str> = texts.collect();
    Some(Claim {
        confidence,
        location: file.map(|file| Location::new(file, lines)),
        why: (!why.is_empty()).then(|| why.join("\n")),
        ..Claim::new(title, severity)
    })
}

/// Notes every field that is not understood and has a list in it: it may hold findings.
fn note_unknown_lists(reader: &mut Reader<'_, '_>, body: &Node<'_>) {
    let Value::Object(members) = &body.value else { return };
    let is_known = |key: &str| VERDICTS.contains(&key) || LISTS.contains(&key);
    for member in members.iter().filter(|member| !is_known(&member.key) && has_items(&member.node)) {
        let message = format!("`{}` has an invalid list", member.key);
        reader.deviate(Reason::UnknownField, member.key_span, message);
    }
}

fn has_items(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => members.iter().any(|member| has_items(&member.node)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
