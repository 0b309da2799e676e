//! `verdict-yaml`: the fenced YAML block that a reviewer emits as its final message (001, "Wire format").
//!
//! The seed's "entire block" is counted with both fence lines. A single block without a fence, or with text
//! around it, is understood and noted; of several blocks none is, because they may disagree.

use jury_wire::Reason;

use super::gate_words::{self, Item, List, Statement};
use super::reading::{Claims, Reading};
use super::{Format, Written, fence, prose};
use crate::model::{Confidence, Evidence, Report, Severity, Stated};
use crate::syntax::{Limits, Node, Reader, Source, Span, Unknown, Value, acts, yaml};

pub(super) const FORMAT: Format = Format {
    id: "verdict-yaml",
    seed: "001",
    what: "the fenced YAML verdict block, a reviewer's whole final message",
    extension: "md",
    states_attendance: false,
    recognises,
    read,
    write: Some(write),
};

/// 001: "Keep the entire block ≤30 lines."
const MOST_LINES: usize = 30;
/// The fences, `verdict`, `confidence`, and the names of both lists.
const FRAME_LINES: usize = 6;
const FIELDS: [&str; 5] = ["verdict", "confidence", "blockers", "advisories", "evidence_path"];
/// Allowed info strings.
const INFO: [&str; 2] = ["yaml", "yml"];

fn recognises(source: &Source<'_>) -> bool {
    let has_line = |text: &str, keys: &[&str]| {
        text.lines().any(|line| keys.iter().any(|key| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))))
    };
    // A mapping in braces or in quotes has its first name on its first line.
    let starts_with_a_field = |text: &str| {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        let first = first.unwrap_or_default().trim_start_matches([' ', '{', '"', '\'']);
        FIELDS.iter().any(|name| first.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', '"', '\''])))
    };
    let blocks = fence::blocks(source);
    let is_ours = |block: &fence::Block<'_>| {
        let text = source.slice(block.body);
        let is_yaml = block.info.is_empty() || INFO.contains(&block.info);
        has_line(text, &["verdict"]) || (is_yaml && starts_with_a_field(text))
    };
    if !blocks.is_empty() {
        return blocks.iter().any(is_ours);
    }
    // The body of `evidence:` in a verdict file may hold anything.
    let head = source.text().split("\nevidence:").next().unwrap_or_default();
    has_line(head, &["verdict"]) && has_line(head, &["blockers", "advisories", "evidence_path"])
}

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let mut reader = Reader::new(source, limits);
    let root = block(&mut reader).and_then(|block| match yaml::parse(source, block, limits) {
        Ok(root) => Some(root),
        Err(deviation) => {
            reader.deviations.push(deviation);
            None
        }
    });
    let (claims, header) = root.and_then(|root| document(&mut reader, &root)).unwrap_or_default();
    claims.end(reader, header)
}

/// Finds the one block of the message and notes how it is not as it should be.
fn block(reader: &mut Reader<'_, '_>) -> Option<Span> {
    let source = reader.source;
    let blocks = fence::blocks(source);
    let block = match blocks.as_slice() {
        [] => {
            let text = source.text();
            let first_line = source.line_at(text.len() - text.trim_start().len());
            reader.deviate(Reason::FenceMissing, first_line, "expected a line ```yaml");
            check_length(reader, Span::new(first_line.start, text.trim_end().len()));
            return Some(source.whole());
        }
        [block] => block,
        [_, second, ..] => {
            reader.deviate(Reason::SeveralBlocks, second.opening, "a second block starts here");
            return None;
        }
    };
    if !INFO.contains(&block.info) {
        reader.deviate(Reason::FixedLine, block.opening, "expected a line ```yaml");
    }
    if block.closing.is_none() {
        reader.deviate(Reason::FenceOpen, block.opening, "no line closes this block");
    }
    let whole = block.whole();
    let around = [Span::new(0, whole.start), Span::new(whole.end, source.text().len())];
    for part in around {
        let text = source.slice(part);
        if !text.trim().is_empty() {
            let start = part.start + text.len() - text.trim_start().len();
            reader.deviate(Reason::TextAround, source.line_at(start), "expected nothing but the block");
        }
    }
    check_length(reader, Span::new(whole.start, whole.start + source.slice(whole).trim_end().len()));
    Some(block.body)
}

fn check_length(reader: &mut Reader<'_, '_>, block: Span) {
    let source = reader.source;
    let lines =
        || source.lines().map(|(span, _)| span).filter(|line| line.start >= block.start && line.start < block.end);
    if let Some(line) = lines().nth(MOST_LINES) {
        let message = format!("the block has {} lines, at most {MOST_LINES} are allowed", lines().count());
        reader.deviate(Reason::TooManyLines, line, message);
    }
}

fn document<'a>(reader: &mut Reader<'_, 'a>, root: &Node<'a>) -> Option<(Claims, Option<Report>)> {
    let mut fields = reader.fields(root)?;
    let verdict = fields.required(reader, "verdict", |reader, node| {
        let text = reader.string(node)?;
        gate_words::verdict(reader, node.span, text).map(|verdict| (verdict, node.span))
    });
    let confidence = fields.required(reader, "confidence", |reader, node| {
        let text = reader.string(node)?;
        gate_words::confidence(reader, node.span, text)
    });
    let mut claims = Claims::default();
    let of_list = |list: List| list.severity(verdict.map(|(verdict, _)| verdict));
    let blockers = items(reader, &mut claims, fields.get("blockers"), of_list(List::Blockers), confidence);
    items(reader, &mut claims, fields.get("advisories"), of_list(List::Advisories), confidence);
    let evidence = fields.optional(reader, "evidence_path", |reader, node| {
        let text = reader.string(node)?;
        gate_words::evidence_path(reader, node.span, text)
    });
    fields.end(reader, Unknown::Refuse);
    let verdict = verdict.filter(|(verdict, span)| gate_words::agrees(reader, *verdict, *span, blockers));
    let header = verdict.map(|(verdict, _)| Report {
        stated: Some(Stated::Gate(verdict)),
        confidence,
        evidence,
        ..Report::default()
    });
    Some((claims, header))
}

/// Reads the items of a list and returns how many there are, understood or not. Another value in place of
/// the list is one unreadable item; a null is none.
fn items<'a>(
    reader: &mut Reader<'_, 'a>,
    claims: &mut Claims,
    node: Option<&Node<'a>>,
    severity: Severity,
    confidence: Option<Confidence>,
) -> usize {
    let Some(node) = node else { return 0 };
    if let Value::Array(items) = &node.value {
        claims.read_each(reader, items, |reader, item| {
            let text = reader.string(item)?;
            gate_words::claim(reader, item.span, text, severity, confidence)
        });
        return items.len();
    }
    if node.value == Value::Null {
        reader.items(node);
        return 0;
    }
    claims.read_one(reader, node.span, |reader| {
        reader.items(node);
        None
    });
    1
}

fn write(report: &Report) -> Written {
    let statement = Statement::of(report);
    let evidence = match &report.evidence {
        Some(Evidence::Path(path)) if prose::is_plain(path) && gate_words::check_evidence_path(path).is_ok() => {
            Some(path)
        }
        _ => None,
    };
    let room = MOST_LINES - FRAME_LINES - usize::from(evidence.is_some());
    let (blockers, advisories) = fitted(statement.blockers.clone(), statement.advisories.clone(), room);
    let mut text = format!("```yaml\nverdict: {}\nconfidence: {}\n", statement.verdict, statement.confidence_word());
    let mut kept = Vec::new();
    for (name, items) in [("blockers", blockers), ("advisories", advisories)] {
        text.push_str(&format!("{name}:{}\n", if items.is_empty() { " []" } else { "" }));
        for item in items {
            text.push_str(&format!("  - {}\n", quoted(&prose::with_reference(item.location, &item.title))));
            kept.push(item.claim_index);
        }
    }
    if let Some(path) = evidence {
        text.push_str(&format!("evidence_path: {}\n", quoted(path)));
    }
    text.push_str("```\n");
    Written { text, kept }
}

/// Cuts both lists to so many items together, blockers first. A list that is cut ends by saying how much it leaves out.
fn fitted<'r>(blockers: Vec<Item<'r>>, advisories: Vec<Item<'r>>, room: usize) -> (Vec<Item<'r>>, Vec<Item<'r>>) {
    let for_blockers = room - advisories.len().min(1);
    let blockers = cut(List::Blockers, blockers, for_blockers);
    let for_advisories = room - blockers.len();
    (blockers, cut(List::Advisories, advisories, for_advisories))
}

fn cut(list: List, mut items: Vec<Item<'_>>, room: usize) -> Vec<Item<'_>> {
    let count = items.len();
    if count > room {
        items.truncate(room.saturating_sub(1));
        let left_out = gate_words::more(list, count - items.len());
        items.extend(left_out.map(|title| Item::summary(title, list.severity(None))));
    }
    items
}

/// Writes a text in double quotes, in one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if !is_escaped(c) => quoted.push(c),
            '\u{10000}'.. => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
            _ => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

/// Tells which characters are escaped: invisible and active ones, although YAML would take some of them, and those that YAML
/// does not take.
fn is_escaped(c: char) -> bool {
    acts(c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Claim, Title};

    #[test]
    fn every_character_is_read_back_as_it_was_written() {
        let every: Vec<char> = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        for chunk in every.chunks(4_096) {
            let text: String = chunk.iter().collect();
            let quoted = quoted(&text);
            assert!(prose::is_one_line(&quoted));
            let source = Source::new(quoted.as_bytes(), &Limits::default()).unwrap();
            let node = yaml::parse(&source, source.whole(), &Limits::default()).unwrap();
            assert_eq!(node.value, Value::String(text.into()));
        }
    }

    #[test]
    fn long_reports_are_cut_to_thirty_lines_and_say_so() {
        let claims = |severity, count| {
            (0..count).map(move |n| Claim::new(Title::new(&format!("{severity} {n}")).unwrap(), severity))
        };
        for (blockers, advisories, has_evidence, shown) in [
            (24, 0, false, [24, 0]),
            (25, 0, false, [24, 0]),
            (23, 1, false, [23, 1]),
            (23, 9, false, [23, 1]),
            (24, 1, false, [23, 1]),
            (40, 40, true, [22, 1]),
            (3, 40, true, [3, 20]),
            (0, 40, false, [0, 24]),
        ] {
            let report = Report {
                claims: claims(Severity::Low, advisories)
                    .chain(claims(Severity::High, blockers))
                    .map(Box::new)
                    .collect(),
                evidence: has_evidence.then(|| Evidence::Path("./x.md".to_owned())),
                ..Report::default()
            };
            let written = write(&report);
            let reading = FORMAT.read(written.text.as_bytes(), &Limits::default());
            assert!(reading.is_conforming(), "{:?}\n{}", reading.deviations, written.text);
            let again = reading.report.unwrap();
            let count = |severity| again.claims.iter().filter(|claim| claim.severity == severity).count();
            assert_eq!([count(Severity::Blocker), count(Severity::Low)], shown, "{}", written.text);
            assert_eq!(written.kept.len(), again.claims.len());
            for (index, claim) in written.kept.iter().zip(&again.claims) {
                match report.claims.get(*index) {
                    Some(original) => assert_eq!(original.title, claim.title),
                    None => assert!(claim.title.as_str().contains(" more "), "{}", claim.title),
                }
            }
        }
    }
}
