//! Acceptance criteria: the text that has them in, a list out; and the answer of the reviewer that assesses them.
//!
//! A criterion is an item of a list; in a text without lists, a paragraph. Comments, headings and code say nothing. A criterion that an
//! answer leaves out, or answers with another word, is not assessed. Deliberately not here: whether an answer is borne out by the tree, and what
//! follows from it.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::blocks;
use super::nonce::final_message;
use crate::model::{Assessment, Fulfilment, Line, LineRange, RepoPath};
use crate::syntax::{Limits, Node, Source, Span, Value, json};

/// The most criteria that one change can have.
pub const MOST_CRITERIA: usize = 100;
/// The longest criterion, in characters.
const LONGEST: usize = 600;
/// The longest reason and the longest quote of an answer that are kept.
const LONGEST_ANSWER: usize = 2_000;

/// Returns the criteria of a text, in order, each once.
pub fn criteria_of(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut paragraphs = Vec::new();
    // The texts that are open, from the outside in, each with whether it is an item.
    let mut open: Vec<(bool, String)> = Vec::new();
    let mut is_skipped = false;
    for event in Parser::new_ext(text, Options::ENABLE_TASKLISTS | Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_)) => {
                is_skipped = true
            }
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_)) => {
                is_skipped = false
            }
            Event::Start(Tag::Item) => open.push((true, String::new())),
            Event::Start(Tag::Paragraph) if open.is_empty() => open.push((false, String::new())),
            Event::End(TagEnd::Item) => items.extend(open.pop().map(|(_, text)| text)),
            Event::End(TagEnd::Paragraph) if matches!(open.as_slice(), [(false, _)]) => {
                paragraphs.extend(open.pop().map(|(_, text)| text));
            }
            Event::Text(text) if !is_skipped => extend(&mut open, &text),
            Event::Code(code) if !is_skipped => extend(&mut open, &format!("`{code}`")),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph) => extend(&mut open, " "),
            _ => {}
        }
    }
    let is_of_items = items.iter().any(|item| !item.trim().is_empty());
    let found = if is_of_items { in_order(text, items) } else { paragraphs };
    let mut criteria: Vec<String> = Vec::new();
    for text in found {
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
        if !text.is_empty() && !criteria.contains(&text) {
            criteria.push(text);
        }
    }
    criteria
}

/// An item that holds others ends after them; as criteria, it comes before.
fn in_order(text: &str, mut items: Vec<String>) -> Vec<String> {
    let place = |item: &String| {
        let first = item.split_whitespace().next().unwrap_or_default().trim_matches('`').to_owned();
        let start: String = item.trim_start().chars().take(24).collect();
        text.find(start.trim_end()).or_else(|| text.find(&first)).unwrap_or(usize::MAX)
    };
    items.sort_by_key(place);
    items
}

fn extend(open: &mut [(bool, String)], text: &str) {
    if let Some((_, last)) = open.last_mut() {
        last.push_str(text);
    }
}

/// Reads the answer to so many criteria, or says why it is none.
pub fn assessments(bytes: &[u8], count: usize, limits: &Limits) -> Result<Vec<Assessment>, String> {
    let none = || "the answer has no final message".to_owned();
    let text = final_message(bytes, limits).ok_or_else(none)?;
    let source = Source::new(text.as_bytes(), limits).map_err(|deviation| deviation.message)?;
    if let Ok(root) = json::parse(&source, limits) {
        return read(&root, count);
    }
    let mut answers = documents(&source, limits);
    match (answers.pop(), answers.is_empty()) {
        (Some(root), true) => read(&root, count),
        (None, _) => Err("the answer has no JSON object with `criteria`".to_owned()),
        (Some(_), false) => Err("the answer has several documents with `criteria`".to_owned()),
    }
}

/// Returns the objects with criteria in a text that is no JSON as a whole: those in fences, or the one with prose around it.
fn documents<'a>(source: &Source<'a>, limits: &Limits) -> Vec<Node<'a>> {
    let text = source.text();
    let fences = blocks::fences(source);
    let mut spans: Vec<Span> = fences.iter().map(|fence| fence.content).collect();
    if let (true, Some(start), Some(end)) = (spans.is_empty(), text.find('{'), text.rfind('}')) {
        spans.push(Span::new(start, (end + 1).max(start)));
    }
    let parsed = spans.into_iter().filter_map(|span| {
        let (root, end) = json::parse_at(&text[..span.end], span.start, limits).ok()?;
        text[end..span.end].trim().is_empty().then_some(root)
    });
    parsed.filter(|root| root.get("criteria").is_some()).collect()
}

fn read(root: &Node<'_>, count: usize) -> Result<Vec<Assessment>, String> {
    let Some(Value::Array(entries)) = root.get("criteria").map(|node| &node.value) else {
        return Err("the answer has no list `criteria`".to_owned());
    };
    let is_empty = |node: &Node<'_>| {
        matches!(&node.value, Value::Null) || matches!(&node.value, Value::Array(all) if all.is_empty())
    };
    if root.get("findings").is_some_and(|node| !is_empty(node)) {
        return Err(
            "the answer states findings, which nobody asked it for; let another reviewer look for them".to_owned()
        );
    }
    let mut answers: BTreeMap<usize, Assessment> = BTreeMap::new();
    for entry in entries {
        let number = entry.get("criterion").and_then(number).filter(|number| (1..=count).contains(number));
        let Some(number) = number else {
            return Err(format!("the answer has an entry whose `criterion` is no number from 1 to {count}"));
        };
        let answer = assessment(entry, number - 1);
        // Of two answers to one criterion, the worse one counts.
        match answers.get(&answer.criterion) {
            Some(before) if rank(before.answer) >= rank(answer.answer) => {}
            _ => _ = answers.insert(answer.criterion, answer),
        }
    }
    let missing = |criterion| Assessment {
        criterion,
        answer: Fulfilment::NotAssessed,
        file: None,
        lines: None,
        evidence: Vec::new(),
        why: "the answer does not mention it".to_owned(),
    };
    Ok((0..count).map(|criterion| answers.remove(&criterion).unwrap_or_else(|| missing(criterion))).collect())
}

/// Orders the answers of several reviewers, or of several parts of a change: who says that it is not met has seen something, and what one part shows
/// another need not show.
pub const fn rank(answer: Fulfilment) -> u8 {
    match answer {
        Fulfilment::NotAssessed => 0,
        Fulfilment::Met => 1,
        Fulfilment::NotMet => 2,
    }
}

fn assessment(entry: &Node<'_>, criterion: usize) -> Assessment {
    let text = |member: &str| entry.get(member).and_then(text).map(|text| short(&text)).filter(|text| !text.is_empty());
    let word = text("answer").unwrap_or_default();
    let plain = word.to_lowercase().replace(['_', '-'], " ");
    let answer = Fulfilment::from_token(plain.trim());
    let line = entry.get("line").and_then(number).and_then(|line| Line::new(i64::try_from(line).ok()?).ok());
    let evidence = match entry.get("evidence").map(|node| &node.value) {
        Some(Value::Array(items)) => items.iter().filter_map(self::text).map(|item| short(&item)).collect(),
        Some(Value::String(item)) => vec![short(item)],
        _ => Vec::new(),
    };
    let why = match answer {
        Some(_) => text("why").unwrap_or_default(),
        None => format!("it is answered with {word:?}"),
    };
    Assessment {
        criterion,
        answer: answer.unwrap_or(Fulfilment::NotAssessed),
        file: text("file").and_then(|path| RepoPath::new(path.trim_start_matches("./")).ok()),
        lines: line.map(LineRange::single),
        evidence,
        why,
    }
}

fn text(node: &Node<'_>) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}

fn number(node: &Node<'_>) -> Option<usize> {
    match &node.value {
        Value::Number(text) | Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn short(text: &str) -> String {
    text.trim().chars().take(LONGEST_ANSWER).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_are_items_or_else_paragraphs() {
        for (text, expected) in [
            ("", vec![]),
            (
                "# Title\n\nThe total is shown.\nIn euros.\n\n<!-- a template -->\n\nIt is rounded.\n",
                vec!["The total is shown. In euros.", "It is rounded."],
            ),
            (
                "Intro\n\n- [ ] The total is shown\n- [x] It is `rounded`\n",
                vec!["The total is shown", "It is `rounded`"],
            ),
            (
                "1. One\n   more\n2. Two\n   - Two and a half\n\n```\ncode\n```\n",
                vec!["One more", "Two", "Two and a half"],
            ),
            ("- A\n- A\n", vec!["A"]),
        ] {
            assert_eq!(criteria_of(text), expected, "{text}");
        }
    }

    fn answered(text: &str) -> Result<Vec<(Fulfilment, String)>, String> {
        let answers = assessments(text.as_bytes(), 2, &Limits::default())?;
        assert!(answers.iter().enumerate().all(|(index, it)| it.criterion == index));
        Ok(answers.into_iter().map(|it| (it.answer, it.why)).collect())
    }

    #[test]
    fn what_is_not_answered_is_not_assessed() {
        use Fulfilment::{Met, NotAssessed, NotMet};
        let of = |entries: &str| answered(&format!("{{\"nonce\":\"N\",\"criteria\":[{entries}]}}"));
        let met = r#"{"criterion":1,"answer":"met","file":"a.ts","line":1,"evidence":["x"],"why":"w"}"#;
        let left = (NotAssessed, "the answer does not mention it".to_owned());
        assert_eq!(of(met).unwrap(), [(Met, "w".to_owned()), left.clone()]);
        assert_eq!(of("").unwrap(), [left.clone(), left.clone()]);
        let both = format!("{met},{}", met.replace("\"met\"", "\"Not_Met\""));
        assert_eq!(of(&both).unwrap()[0].0, NotMet);
        let word = of(&met.replace("\"met\"", "\"mostly\"")).unwrap();
        assert_eq!(word[0], (NotAssessed, "it is answered with \"mostly\"".to_owned()));
        for bad in [
            "{}".to_owned(),
            "All criteria are met.".to_owned(),
            format!("{{\"criteria\":[{}]}}", met.replace(":1,\"answer", ":3,\"answer")),
            format!("{{\"criteria\":[{met}],\"findings\":[{{\"title\":\"t\"}}]}}"),
        ] {
            assert!(answered(&bad).is_err(), "{bad}");
        }
        assert_eq!(answered(&format!("Here:\n```json\n{{\"criteria\":[{met}]}}\n```\n")).unwrap()[0].0, Met);
    }
}
