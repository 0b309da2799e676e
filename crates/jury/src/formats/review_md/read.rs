//! Markdown to a review: the parts of the template in their order, each value at its place.
//!
//! Every value that a line states becomes a node as if it stood in JSON, and is judged by the rules of `review_json`.
//! Only the structure is checked here.

use std::borrow::Cow;

use jury_wire::Reason;

use super::super::reading::{Claims, Reading};
use super::super::review_json;
use super::blocks::{Block, Document, Line, LineKind, Part, without_blanks};
use super::trailer::{Extra, Trailer};
use super::{EVIDENCE, FILE, FILES, FINDINGS, HEADER, RULE, SUGGESTED_FIX, TITLE, stand_in_title, text};
use crate::model::{Approval, Claim, Facts, RepoPath, Report};
use crate::syntax::{Limits, Member, Node, Reader, Source, Span, Value};

pub(super) fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let mut reader = Reader::new(source, limits);
    let document = Document::new(source);
    let trailer = Trailer::read(&mut reader, document.trailer);
    let blocks = document.blocks();
    check_order(&mut reader, &blocks);
    let mut claims = Claims::default();
    let mut header = Header::default();
    let mut files = None;
    let mut notes = None;
    let mut nth = 0;
    for block in &blocks {
        let unclosed = document.unclosed_in(block.span());
        match block.part {
            Part::Header => header = Header::read(&mut reader, block),
            Part::Files => files = read_files(&mut reader, block),
            Part::Findings => note_unexpected(&mut reader, block.body),
            Part::Finding => claims.read_one(&mut reader, block.span(), |reader| {
                nth += 1;
                note_unclosed(reader, unclosed)?;
                read_finding(reader, block, &trailer, nth)
            }),
            Part::Notes => notes = read_notes(&mut reader, block),
        }
        if block.part != Part::Finding {
            note_unclosed(&mut reader, unclosed);
        }
    }
    let has_findings = blocks.iter().any(|block| block.part == Part::Findings);
    let stated =
        if has_findings { review_json::check(&mut reader, &claims, header.verdict, &header.counts) } else { None };
    let facts = Facts { files_reviewed: files, re_review_required: trailer.re_review_required, notes, ..header.facts };
    claims.end(reader, stated.map(|stated| Report { stated: Some(stated), facts, ..Report::default() }))
}

fn deviate(reader: &mut Reader<'_, '_>, span: Span, message: impl Into<String>) {
    reader.deviate(Reason::MarkdownShape, span, message);
}

/// Notes parts that are missing, that stand elsewhere than the template has them, and rules that are not there.
fn check_order(reader: &mut Reader<'_, '_>, blocks: &[Block<'_, '_>]) {
    let start = blocks.first().map_or(Span::at(0), |block| block.heading.span);
    for (part, heading) in [(Part::Files, FILES), (Part::Findings, FINDINGS)] {
        if !blocks.iter().any(|block| block.part == part) {
            deviate(reader, start, format!("`{heading}` is missing"));
        }
    }
    let mut latest = Part::Header;
    for pair in blocks.windows(2) {
        let [before, block] = pair else { continue };
        if block.part < latest || (block.part == latest && block.part != Part::Finding) {
            deviate(reader, block.heading.span, format!("`{}` is in the wrong place", block.heading.trimmed()));
            continue;
        }
        latest = block.part;
        match (before.rule, block.part == Part::Finding && before.part == Part::Findings) {
            (None, false) => deviate(reader, block.heading.span, format!("expected `{RULE}` before this line")),
            (Some(rule), true) => deviate(reader, rule.span, "expected the first finding"),
            _ => {}
        }
    }
}

/// Notes the first line that should not be there; the rest of them is the same mistake.
fn note_unexpected(reader: &mut Reader<'_, '_>, lines: &[Line<'_>]) {
    if let Some(line) = lines.iter().find(|line| !line.is_blank()) {
        deviate(reader, line.span, "this line is not part of the template");
    }
}

/// Notes fenced code that is never closed; `None` if there is any.
fn note_unclosed(reader: &mut Reader<'_, '_>, fence: Option<Span>) -> Option<()> {
    if let Some(span) = fence {
        reader.deviate(Reason::FenceOpen, span, "this fence is not closed before the end or the next fence");
    }
    fence.is_none().then_some(())
}

/// The part above the first section.
#[derive(Default)]
struct Header {
    facts: Facts,
    verdict: Option<(Approval, Span)>,
    counts: Vec<review_json::StatedCount>,
}

impl Header {
    fn read<'a>(reader: &mut Reader<'_, 'a>, block: &Block<'_, 'a>) -> Self {
        let values = labelled(reader, block);
        let [reviewed, base, verdict, blocking] = values;
        let title = title(reader, block.heading, reviewed.and_then(|(_, value)| text::split_code_span(value)));
        let mut commit = |value: Option<(&Line<'a>, &'a str)>| {
            let (line, value) = value?;
            let Some((sha, "")) = text::split_code_span(value) else {
                deviate(reader, line.place(value), "expected a commit between backticks");
                return None;
            };
            review_json::commit(reader, &string(line.place(sha), sha))?
        };
        let (reviewed_sha, base_sha) = (commit(reviewed), commit(base));
        // Of two verdicts it is unknown which one counts.
        let is_ambiguous = block.body.iter().filter(|line| line.after(HEADER[2]).is_some()).count() > 1;
        let verdict = verdict.filter(|_| !is_ambiguous).and_then(|(line, value)| {
            let node = string(line.place(value), value);
            review_json::verdict(reader, &node)
        });
        let counts = blocking.and_then(|(line, value)| {
            let Some(node) = blocking_node(line, value) else {
                deviate(reader, line.place(value), "expected as in `0 Critical, 1 High`");
                return None;
            };
            review_json::blocking_count(reader, &node)
        });
        let facts = Facts { title, reviewed_sha, base_sha, ..Facts::default() };
        Self { facts, verdict, counts: counts.unwrap_or_default() }
    }
}

/// Returns the values of the four labels.
fn labelled<'d, 'a>(reader: &mut Reader<'_, 'a>, block: &Block<'d, 'a>) -> [Option<(&'d Line<'a>, &'a str)>; 4] {
    let mut values = [None; 4];
    let mut has_unexpected = false;
    for line in block.body.iter().filter(|line| !line.is_blank()) {
        let label = HEADER.iter().enumerate().find_map(|(index, label)| line.after(label).map(|value| (index, value)));
        match label {
            Some((index, value)) => {
                if values[index..].iter().any(Option::is_some) {
                    deviate(reader, line.span, format!("`{}` occurs twice or too late", HEADER[index]));
                }
                values[index].get_or_insert((line, value));
            }
            None if !has_unexpected => {
                has_unexpected = true;
                note_unexpected(reader, &[*line]);
            }
            None => {}
        }
    }
    for (label, _) in HEADER.iter().zip(&values).filter(|(_, value)| value.is_none()) {
        deviate(reader, block.heading.span, format!("`{label}` is missing"));
    }
    values
}

fn title<'a>(reader: &mut Reader<'_, 'a>, heading: &Line<'a>, reviewed_sha: Option<(&str, &str)>) -> Option<String> {
    let spelled = heading.after(&format!("{TITLE}:")).unwrap_or_default();
    if reviewed_sha.is_some_and(|(sha, _)| spelled == stand_in_title(sha)) {
        return None;
    }
    let title = review_json::said(&text::unescape(spelled));
    if title.is_none() {
        deviate(reader, heading.span, format!("expected `{TITLE}: ` and a title"));
    }
    title
}

fn blocking_node<'a>(line: &Line<'a>, value: &'a str) -> Option<Node<'a>> {
    let (critical, rest) = value.split_once(" Critical, ")?;
    let high = rest.strip_suffix(" High")?;
    let count = |digits: &'a str| is_number(digits).then(|| number(line.place(digits), digits));
    Some(object(line.place(value), [("critical", Some(count(critical)?)), ("high", Some(count(high)?))]))
}

fn read_files<'a>(reader: &mut Reader<'_, 'a>, block: &Block<'_, 'a>) -> Option<Vec<RepoPath>> {
    let mut items = Vec::new();
    for line in block.body.iter().filter(|line| !line.is_blank()) {
        let Some((path, "")) = line.after("-").and_then(text::split_code_span) else {
            deviate(reader, line.span, "expected `- ` and a file between backticks");
            return None;
        };
        items.push(Node { span: line.place(path), value: Value::String(text::path_from_shown(path)) });
    }
    let list = Node { span: block.span(), value: Value::Array(items) };
    review_json::files(reader, &list)
}

fn read_finding<'a>(
    reader: &mut Reader<'_, 'a>,
    block: &Block<'_, 'a>,
    trailer: &Trailer<'a>,
    nth: usize,
) -> Option<Claim> {
    let line = block.heading;
    let Some([id, severity, category, summary]) = line.finding() else {
        deviate(reader, line.span, "expected as in `### F001: [High/Error] Summary`");
        return None;
    };
    let ordinary = Extra::default();
    let extra = trailer.finding(id).unwrap_or(&ordinary);
    let (file, rest) = block.body.split_first().unwrap_or((line, &[]));
    let Some(location) = location(file, extra.side.as_ref()) else {
        deviate(reader, file.span, "expected as in `` **File:** `src/main.rs:42`-45 ``");
        return None;
    };
    let Some(label) = rest.iter().position(|line| line.is(EVIDENCE)) else {
        deviate(reader, line.span, format!("`{EVIDENCE}` is missing"));
        return None;
    };
    let reason = without_blanks(&rest[..label]);
    note_structure(reader, reason);
    let (evidence, rest) = fenced(reader, &rest[label], &rest[label + 1..])?;
    let (suggestion, rest) = match without_blanks(rest).split_first() {
        Some((label, rest)) if label.is(SUGGESTED_FIX) => {
            fenced(reader, label, rest).map(|(code, rest)| (Some(code), rest))?
        }
        _ => (None, rest),
    };
    note_unexpected(reader, rest);
    let text = |part: &'a str| Some(string(line.place(part), part));
    let owned = |span: Span, text: String| Some(Node { span, value: Value::String(Cow::Owned(text)) });
    let node = object(
        block.span(),
        [
            ("id", text(id)),
            ("severity", text(severity)),
            ("category", text(category)),
            ("location", Some(location)),
            ("summary", owned(line.place(summary), text::unescape(summary))),
            ("reason", reason.first().and_then(|first| owned(first.span, prose(reason)))),
            ("evidence", owned(evidence.0, extra.evidence(evidence.1))),
            ("suggestion", suggestion.and_then(|(span, shown)| owned(span, extra.suggestion(shown)))),
        ],
    );
    review_json::claim(reader, &node, nth)
}

/// Takes `` **File:** `path:12`-15 `` apart; the range may stand inside the backticks, too.
fn location<'a>(line: &Line<'a>, side: Option<&Node<'a>>) -> Option<Node<'a>> {
    let value = line.after(FILE)?;
    let (place, range) = text::split_code_span(value)?;
    let (path, lines) = place.rsplit_once(':')?;
    let (start, end) = match (lines.split_once('-'), range.strip_prefix('-')) {
        (Some((start, end)), None) if range.is_empty() => (start, Some(end)),
        (None, end) if range.is_empty() || end.is_some() => (lines, end),
        _ => return None,
    };
    let line_number = |digits: &'a str| is_number(digits).then(|| number(line.place(digits), digits));
    let end = match end {
        Some(end) => Some(line_number(end)?),
        None => None,
    };
    let file = Node { span: line.place(path), value: Value::String(text::path_from_shown(path)) };
    Some(object(
        line.place(value),
        [("file", Some(file)), ("line_start", Some(line_number(start)?)), ("line_end", end), ("side", side.cloned())],
    ))
}

/// Code and where its fence opens.
type Fenced = (Span, String);

/// Reads the fenced code that follows a label. Returns it and the lines after it.
fn fenced<'d, 'a>(
    reader: &mut Reader<'_, '_>,
    label: &Line<'_>,
    lines: &'d [Line<'a>],
) -> Option<(Fenced, &'d [Line<'a>])> {
    let lines = without_blanks(lines);
    let open = lines.first().filter(|line| line.kind == LineKind::Open && line.text.starts_with('`'));
    let close = lines.iter().position(|line| line.kind == LineKind::Close);
    let (Some(open), Some(close)) = (open, close) else {
        deviate(
            reader,
            label.span,
            format!("expected a block of code fenced by backticks after `{}`", label.trimmed()),
        );
        return None;
    };
    let code: Vec<&str> = lines[1..close].iter().map(|line| line.text).collect();
    Some(((open.span, code.join("\n")), &lines[close + 1..]))
}

fn read_notes(reader: &mut Reader<'_, '_>, block: &Block<'_, '_>) -> Option<String> {
    note_structure(reader, block.body);
    let notes = review_json::said(&prose(block.body));
    if notes.is_none() {
        deviate(reader, block.heading.span, "a review without notes does not have this section");
    }
    notes
}

/// Reads lines of prose; code among them is taken as it is.
fn prose(lines: &[Line<'_>]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| if line.kind == LineKind::Text { text::unescape(line.trimmed()) } else { line.text.to_owned() })
        .collect();
    lines.join("\n")
}

/// Notes the first line of prose that looks like a part of the template, for example a second title among the notes.
fn note_structure(reader: &mut Reader<'_, '_>, prose: &[Line<'_>]) {
    let is_structure = |line: &&Line<'_>| {
        let text = line.trimmed().trim_start_matches(' ');
        let is_label = |label: &str| text.starts_with(label);
        line.kind == LineKind::Text
            && (text == RULE
                || is_heading(text)
                || HEADER.into_iter().chain([FILE, EVIDENCE, SUGGESTED_FIX]).any(is_label))
    };
    if let Some(line) = prose.iter().find(is_structure) {
        deviate(reader, line.span, "this is part of the template; escape it with a backslash in text");
    }
}

/// Tells whether a line is a heading of one of the three levels that the template uses.
fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=3).contains(&(line.len() - rest.len())) && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn is_number(digits: &str) -> bool {
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

fn string<'a>(span: Span, text: &'a str) -> Node<'a> {
    Node { span, value: Value::String(Cow::Borrowed(text)) }
}

fn number<'a>(span: Span, digits: &'a str) -> Node<'a> {
    Node { span, value: Value::Number(Cow::Borrowed(digits)) }
}

/// Makes an object of the members that are there.
fn object<'a, const N: usize>(span: Span, members: [(&'static str, Option<Node<'a>>); N]) -> Node<'a> {
    let members = members.into_iter().filter_map(|(name, node)| {
        let node = node?;
        Some(Member { key: Cow::Borrowed(name), key_span: node.span, node })
    });
    Node { span, value: Value::Object(members.collect()) }
}
