//! Finding the documents in a text: fenced blocks, and JSON that stands bare in prose.
//!
//! In: a text. Out: every block that could be a report, with the tree it holds. Fences tagged as a diff or as code, quoted
//! blocks, and fences nested in another are skipped. Deliberately not here: which block counts.

use jury_wire::Reason;

use super::dialect::Damage;
use super::lexicon::List;
use super::repair::{self, Mend};
use super::{node_kinds, scalars, unclaimed};
use crate::model::Severity;
use crate::syntax::{Deviation, Limits, Member, Node, Source, Span, Value, json, yaml};

/// A document in a text.
pub(super) struct Block<'a> {
    pub(super) root: Node<'a>,
    pub(super) mends: Vec<Mend>,
    pub(super) damage: Damage,
    /// The text of the block, its fence included.
    pub(super) span: Span,
    pub(super) is_fenced: bool,
    pub(super) is_yaml: bool,
}

impl<'a> Block<'a> {
    /// Makes a block of the YAML in a fence. A fence that is not closed was cut off.
    fn of_yaml(root: Node<'a>, fence: &Fence<'a>) -> Self {
        let cut_at = (!fence.is_closed).then_some(fence.content.end);
        let damage = Damage { cut_at, ..Damage::default() };
        Self { root, mends: Vec::new(), damage, span: fence.span, is_fenced: true, is_yaml: true }
    }
}

/// All blocks of a text.
pub(super) struct Found<'a> {
    pub(super) blocks: Vec<Block<'a>>,
    /// Blocks that were meant as a report and cannot be read.
    pub(super) unreadable: Vec<(Span, Deviation)>,
    /// Examples of the form that was asked for, which report nothing.
    pub(super) examples: Vec<Span>,
    /// Fenced XML: the fence, and its content.
    pub(super) markup: Vec<(Span, Span)>,
    /// Documents of which a log kept only the start of a line.
    pub(super) shortened: Vec<Span>,
}

/// A fenced part of a text.
pub(super) struct Fence<'t> {
    pub(super) info: &'t str,
    /// With the fence.
    pub(super) span: Span,
    pub(super) content: Span,
    pub(super) is_closed: bool,
}

/// Finds every block of a text that could be a report.
pub(super) fn find<'a>(source: &Source<'a>, limits: &Limits) -> Found<'a> {
    let text = source.text();
    let mut found = Found {
        blocks: Vec::new(),
        unreadable: Vec::new(),
        examples: Vec::new(),
        markup: Vec::new(),
        shortened: Vec::new(),
    };
    // Each start costs at most the length read from it, and all together no more than a few passes over the text.
    let mut budget = text.len() * 4 + 65_536;
    let fences = fences(source);
    let mut bare_from = 0;
    for fence in &fences {
        bare(text, Span::new(bare_from, fence.span.start), limits, &mut found, &mut budget);
        fenced(source, fence, limits, &mut found);
        bare_from = fence.span.end;
    }
    bare(text, Span::new(bare_from, text.len()), limits, &mut found, &mut budget);
    // An example alone is no answer; beside one it is only the question again.
    if found.blocks.iter().any(|block| !node_kinds::is_example(&block.root)) {
        let (examples, blocks) = found.blocks.into_iter().partition(|block| node_kinds::is_example(&block.root));
        found.blocks = blocks;
        found.examples = Vec::from_iter(examples.iter().map(|block: &Block<'_>| block.span));
    }
    found
}

/// Finds the fenced parts of a text.
pub(super) fn fences<'a>(source: &Source<'a>) -> Vec<Fence<'a>> {
    let mut fences: Vec<Fence<'a>> = Vec::new();
    let mut open: Option<(char, usize, &'a str, Span)> = None;
    for (span, line) in source.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = line.trim_start_matches(' ');
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = mark.map_or(0, |mark| line.chars().take_while(|c| *c == mark).count());
        let info = line.get(length..).unwrap_or_default().trim();
        match open {
            None if length >= 3 && indent < 4 && !(mark == Some('`') && info.contains('`')) => {
                // The document may start on the line of the fence: "```json {".
                let glued = info.find(['{', '[']).filter(|_| info.starts_with("json"));
                let (info, behind) = info.split_at(glued.unwrap_or(info.len()));
                let info = if glued.is_some() { "json" } else { info };
                let end = if glued.is_some() { span.end - behind.len() } else { span.end + 1 };
                open = Some((mark.unwrap_or('`'), length, info, Span::new(span.start, end)));
            }
            Some((opened, opened_length, opened_info, start))
                if mark == Some(opened) && length >= opened_length && info.is_empty() =>
            {
                let content = Span::new(start.end.min(span.start), span.start);
                fences.push(Fence {
                    info: opened_info,
                    span: Span::new(start.start, span.end),
                    content,
                    is_closed: true,
                });
                open = None;
            }
            _ => {}
        }
    }
    if let Some((_, _, info, start)) = open {
        let end = source.text().len();
        let content = Span::new(start.end.min(end), end);
        fences.push(Fence { info, span: Span::new(start.start, end), content, is_closed: false });
    }
    fences
}

/// Returns the language that a fence names; nothing if the fence is named after its content.
pub(super) fn language(info: &str) -> String {
    let language = info.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    if List::FenceNames.has(&language) { String::new() } else { language }
}

fn fenced<'a>(source: &Source<'a>, fence: &Fence<'a>, limits: &Limits, found: &mut Found<'a>) {
    let language = language(fence.info);
    let content = source.slice(fence.content);
    let is_json = content.trim_start().starts_with(['{', '[']);
    match language.as_str() {
        "json" | "jsonc" | "json5" | "jsonl" | "ndjson" | "sarif" | "text" | "txt" | "plaintext" | "output" | ""
            if is_json =>
        {
            let start = fence.content.start;
            // The parser must not read past the fence.
            let inside = &source.text()[..fence.content.end];
            match parse_all(inside, start, limits) {
                Ok((root, mends, mut damage, end)) if node_kinds::is_report_like(&root) => {
                    if !inside[end..].trim().is_empty() && damage.cut_at.is_none() {
                        let message = "text follows the document inside its fence";
                        let span = Span::new(end, inside.len());
                        found.unreadable.push((fence.span, Deviation::new(Reason::SeveralBlocks, span, message)));
                        return;
                    }
                    if !fence.is_closed && damage.cut_at.is_none() && !inside[..end].trim_end().ends_with(['}', ']']) {
                        damage.cut_at = Some(end);
                    }
                    found.blocks.push(Block { root, mends, damage, span: fence.span, is_fenced: true, is_yaml: false });
                }
                Ok((_, mends, damage, _)) => {
                    found
                        .unreadable
                        .extend(lost_finding(content, &mends, &damage, fence.content).map(|it| (fence.span, it)));
                }
                Err(deviation) => {
                    if looks_meant(content) || names_blocking(content) || deviation.reason == Reason::LimitDepth {
                        found.unreadable.push((fence.span, deviation));
                    }
                }
            }
        }
        // A fence that says JSON and does not start like it lost its first bracket.
        "json" | "jsonc" | "json5" | "jsonl" | "ndjson" | "sarif" if names_blocking(content) => {
            let message = "expected an object or a list";
            let deviation = Deviation::new(Reason::JsonSyntax, fence.content, message);
            found.unreadable.push((fence.span, deviation));
        }
        "yaml" | "yml" => match yaml::parse(source, fence.content, limits) {
            Ok(mut root) if node_kinds::is_report_like(&root) => {
                node_kinds::widen(&mut root);
                found.blocks.push(Block::of_yaml(root, fence));
            }
            Ok(_) => {}
            Err(deviation) => {
                if looks_meant(content) {
                    found.unreadable.push((fence.span, deviation));
                }
            }
        },
        // A block of no named kind is YAML only if it says so by its names.
        "text" | "txt" | "plaintext" | "" if is_yaml_report(content) => {
            if let Ok(mut root) = yaml::parse(source, fence.content, limits)
                && node_kinds::is_report_like(&root)
                && fence.is_closed
            {
                node_kinds::widen(&mut root);
                found.blocks.push(Block::of_yaml(root, fence));
            }
        }
        "xml" | "" if content.trim_start().starts_with('<') => found.markup.push((fence.span, fence.content)),
        _ => {}
    }
}

fn is_yaml_report(content: &str) -> bool {
    content.lines().any(|line| {
        let line = line.trim_start().trim_start_matches("- ");
        ["severity:", "findings:", "issues:", "verdict:", "priority:"].iter().any(|name| line.starts_with(name))
    })
}

/// Reads the JSON of a fence. Findings that stand one after another are a list; anything else ends at the first value.
fn parse_all<'a>(text: &'a str, start: usize, limits: &Limits) -> Result<Parsed<'a>, Deviation> {
    let (root, mut mends, mut damage, mut end) = parse(text, start, limits)?;
    if !node_kinds::is_part(&root) {
        return Ok((root, mends, damage, end));
    }
    let mut parts = vec![root];
    let mut last = end;
    while let Some(next) = next_value(text, last) {
        let Ok((root, more, harm, after)) = parse(text, next, limits) else { break };
        if !node_kinds::is_part(&root) {
            break;
        }
        mends.extend(more);
        damage.join(harm);
        parts.push(root);
        last = after;
    }
    if parts.len() == 1 {
        let root = parts.remove(0);
        return Ok((root, mends, damage, end));
    }
    end = last;
    let span = Span::new(parts[0].span.start, end);
    mends.push((Reason::JsonLines, span, "a list"));
    Ok((Node { span, value: Value::Array(parts) }, mends, damage, end))
}

/// Returns where the next object or list starts, if nothing but a comma stands before it.
fn next_value(text: &str, after: usize) -> Option<usize> {
    let rest = text.get(after..)?.trim_start();
    let rest = rest.strip_prefix([',', ';']).unwrap_or(rest).trim_start();
    rest.starts_with(['{', '[']).then(|| text.len() - rest.len())
}

type Parsed<'a> = (Node<'a>, Vec<Mend>, Damage, usize);

/// Reads JSON strictly, and tolerantly where that fails.
pub(super) fn parse<'a>(text: &'a str, start: usize, limits: &Limits) -> Result<Parsed<'a>, Deviation> {
    match json::parse_at(text, start, limits) {
        Ok((root, end)) => Ok((root, Vec::new(), Damage::default(), end)),
        Err(deviation) if deviation.reason == Reason::LimitDepth => Err(deviation),
        Err(_) => {
            repair::parse(text, start, limits).map(|mended| (mended.root, mended.mends, mended.damage, mended.end))
        }
    }
}

/// Tells whether something that cannot be read was meant to be a report.
pub(super) fn looks_meant(text: &str) -> bool {
    let lower: String = text.chars().take(100_000).flat_map(char::to_lowercase).collect();
    ["severity", "\"findings\"", "findings:", "\"issues\"", "verdict", "\"priority\""]
        .iter()
        .any(|word| lower.contains(word))
}

/// Says that a block may have been a finding, if it had to be mended, is none, and still names a severity that blocks: the damage may
/// be in the names of its members.
fn lost_finding(text: &str, mends: &[Mend], damage: &Damage, span: Span) -> Option<Deviation> {
    let is_damaged = !mends.is_empty() || !damage.is_none();
    (is_damaged && names_blocking(text))
        .then(|| Deviation::new(Reason::JsonSyntax, span, "a damaged block that names a severity but is not a finding"))
}

/// Tells whether a word of a text is that of a severity that blocks.
pub(super) fn names_blocking(text: &str) -> bool {
    let blocks = |word: &str| scalars::severity(word).is_some_and(|(severity, _)| severity.is_at_least(Severity::High));
    text.split(|c: char| !c.is_alphanumeric()).any(|word| !word.is_empty() && blocks(word))
}

/// Finds JSON that stands in the open.
fn bare<'a>(text: &'a str, span: Span, limits: &Limits, found: &mut Found<'a>, budget: &mut usize) {
    let inside = &text[..span.end];
    let mut at = span.start;
    while let Some(offset) = inside[at..].find(['{', '[', '(']) {
        let name = name_before(&inside[at..at + offset]);
        let is_constructed = inside[at + offset..].starts_with('(');
        let start = if is_constructed { at + offset - name } else { at + offset };
        at += offset + 1;
        let starts = if is_constructed {
            repair::starts_constructed(&inside[start..])
        } else {
            starts_json(&inside[start..]) || is_literal(inside, start)
        };
        if !starts || is_quoted(inside, start) {
            continue;
        }
        if let Some(end) = shortened_at(inside, start, limits) {
            *budget = budget.saturating_sub(end - start);
            found.shortened.push(Span::new(start, end));
            at = end;
            continue;
        }
        if *budget == 0 {
            let message = "the text has too many objects to read each";
            found
                .unreadable
                .push((Span::new(start, span.end), Deviation::new(Reason::SeveralBlocks, Span::at(start), message)));
            return;
        }
        match parse(inside, start, limits) {
            Ok((root, mends, damage, end)) => {
                *budget = budget.saturating_sub(end - start);
                at = end;
                let span = Span::new(start, end);
                if !node_kinds::is_report_like(&root) {
                    // A call in the prose may be code, with any name.
                    let lost = lost_finding(&inside[start..end], &mends, &damage, span);
                    let is_lost = !is_constructed || unclaimed::member(&root).is_some();
                    found.unreadable.extend(lost.filter(|_| is_lost).map(|it| (span, it)));
                } else {
                    found.blocks.push(Block { root, mends, damage, span, is_fenced: false, is_yaml: false });
                }
            }
            Err(deviation) => {
                let end = deviation.span.end.max(start + 1);
                *budget = budget.saturating_sub(end - start + 64);
                let line = inside[start..].lines().next().unwrap_or_default();
                let is_meant = if is_constructed {
                    looks_meant(line) && names_blocking(line)
                } else {
                    looks_meant(&inside[start..]) || start == inside.len() - inside.trim_start().len()
                };
                if is_meant || deviation.reason == Reason::LimitDepth {
                    // A block inside an unreadable document is a part of it, and no document.
                    found.unreadable.push((Span::new(start, span.end), deviation));
                    return;
                }
            }
        }
    }
}

/// Returns the end of the line in which a document starts and is cut short with dots, as logs cut long values: `got: {"verdict": "fa...`.
/// Something else follows; a document that ends with the text was cut off.
fn shortened_at(text: &str, start: usize, limits: &Limits) -> Option<usize> {
    let (line, behind) = text[start..].split_once('\n')?;
    let is_left_off = line.trim_end().ends_with("...") || line.trim_end().ends_with('…');
    // A line that starts with the document is the document, and no log of one.
    let is_logged = !text[..start].rsplit('\n').next().unwrap_or_default().trim().is_empty();
    let is_torn =
        || parse(&text[..start + line.len()], start, limits).map_or(true, |(_, _, damage, _)| damage.cut_at.is_some());
    (is_left_off && is_logged && !behind.trim().is_empty() && is_torn()).then_some(start + line.len())
}

/// Returns how long the name is that a text ends with.
fn name_before(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    text.len() - text.trim_end_matches(is_part).len()
}

/// Tells whether an opening bracket starts JSON rather than prose or code.
fn starts_json(text: &str) -> bool {
    let inside = text[1..].trim_start();
    let is_name = |text: &str| text.starts_with(['"', '\'', '“', '”']);
    match text.as_bytes().first() {
        Some(b'{') => is_name(inside) || inside.starts_with(['}', '/']),
        _ => {
            inside.strip_prefix('{').is_some_and(|inside| is_name(inside.trim_start()))
                || repair::starts_constructed(inside)
        }
    }
}

/// Tells whether an opening bracket starts an object with names that are not quoted, and the text with it: alone, or after `x =`.
fn is_literal(text: &str, at: usize) -> bool {
    let is_comment = |line: &str| ["//", "#", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark));
    let before: Vec<&str> = text[..at].lines().filter(|line| !line.trim().is_empty() && !is_comment(line)).collect();
    let is_first = match before.as_slice() {
        [] => true,
        [line] => line.trim_end().ends_with('='),
        _ => false,
    };
    let inside = text[at + 1..].trim_start();
    let inside = match text.as_bytes()[at] {
        b'[' => inside.strip_prefix('{').map(str::trim_start),
        _ => Some(inside),
    };
    is_first && inside.is_some_and(starts_with_name)
}

/// Tells whether a text starts with a name that is not quoted, and a colon.
fn starts_with_name(text: &str) -> bool {
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    length > 0 && text[length..].starts_with(':')
}

/// Tells whether a place stands in a quoted line, a diff line or a code span.
fn is_quoted(text: &str, at: usize) -> bool {
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[line_start..at];
    before.trim_start().starts_with(['>', '+']) || before.matches('`').count() % 2 == 1
}

/// Tells whether two trees say the same, wherever they stand.
pub(super) fn same(one: &Node<'_>, other: &Node<'_>) -> bool {
    match (&one.value, &other.value) {
        (Value::Array(ones), Value::Array(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| same(one, other))
        }
        (Value::Object(ones), Value::Object(others)) => {
            let same_member =
                |(one, other): (&Member<'_>, &Member<'_>)| one.key == other.key && same(&one.node, &other.node);
            ones.len() == others.len() && ones.iter().zip(others).all(same_member)
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> (Vec<bool>, usize) {
        let limits = Limits::default();
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        let found = find(&source, &limits);
        (found.blocks.iter().map(|block| block.is_fenced).collect(), found.unreadable.len())
    }

    #[test]
    fn reports_are_found_fenced_and_bare() {
        let report = r#"{"findings": []}"#;
        assert_eq!(spans(&format!("Here:\n```json\n{report}\n```\nBye {{x}}")), (vec![true], 0));
        assert_eq!(spans(&format!("Result: {report} done")), (vec![false], 0));
        assert_eq!(spans(&format!("{report}\n{report}")), (vec![false, false], 0));
        assert_eq!(spans("```yaml\nverdict: pass\nfindings: []\n```\n"), (vec![true], 0));
        assert_eq!(spans(&format!("~~~\n{report}\n~~~\n")), (vec![true], 0));
        assert_eq!(spans(&format!("```json {report}\n```\n")), (vec![true], 0));
    }

    #[test]
    fn quotes_diffs_and_code_are_left_alone() {
        let report = r#"{"findings": []}"#;
        for text in [
            format!("```diff\n+{report}\n```"),
            format!("> {report}"),
            format!("+{report}"),
            format!("````md\n```json\n{report}\n```\n````"),
            format!("the code `{report}` is"),
            "function f() { return {\"a\": 1} }".to_owned(),
        ] {
            assert_eq!(spans(&text), (vec![], 0), "{text}");
        }
    }

    #[test]
    fn documents_that_a_log_left_off_are_no_documents() {
        assert_eq!(spans("[x] captured: {\"findings\": [{\"severity\": \"P0\", ...\n# Review\n"), (vec![], 0));
        assert_eq!(spans("so: {\"findings\": [{\"severity\": \"P0\", ..."), (vec![false], 0));
    }

    #[test]
    fn broken_reports_are_not_passed_over() {
        assert_eq!(spans("so: {\"findings\": [{\"severity\" \"P0\"}"), (vec![], 1));
        assert_eq!(spans(&format!("so: {}\"severity\"", "{\"a\":".repeat(1000))), (vec![], 1));
    }
}
