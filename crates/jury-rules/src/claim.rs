//! Turns a match into a claim. In: a file, a rule, the matched bytes and the texts of the metavariables. Out: one
//! finding in the vocabulary of 004. Its line is one that the change touches, if the match has one, and its evidence is
//! from that line.

use std::cell::OnceCell;
use std::ops::Range;

use jury_wire::v1::findings::{Detailed, MergeTier};
use serde_json::{Map, Value};

use crate::SourceFile;
use crate::ignore::{Ignore, covering};
use crate::redact::{first_secret, redact};
use crate::rule::{Rule, Severity};

/// 004: `maxLength` of `title`.
const LONGEST_TITLE: usize = 100;
/// The longest text of a metavariable in a title, in characters.
const LONGEST_NAME: usize = 40;
/// The longest evidence in characters.
const LONGEST_EVIDENCE: usize = 200;
/// The shortest matched code that is quoted alone; for shorter code the whole line is quoted.
const SHORTEST_EVIDENCE: usize = 12;
/// The most ranges of lines in a trace.
const MOST_RANGES: usize = 64;

/// The member of a finding with every line that it is about: `[first, last]` pairs, ascending and disjoint.
pub(crate) const TRACE: &str = "trace";
/// The member with the lines of the source of its value: `[first, last]`.
const SOURCE: &str = "source";

/// A file with its line starts, to turn offsets into line numbers.
pub(crate) struct Lines<'a> {
    pub(crate) file: &'a SourceFile<'a>,
    /// Line starts, computed on first use: only files with findings need them.
    starts: OnceCell<Vec<usize>>,
}

/// A match of a rule, before it becomes a claim.
pub(crate) struct Match<'r> {
    pub(crate) rule: &'r Rule,
    /// The bytes that matched.
    pub(crate) span: Range<usize>,
    /// Further bytes that the finding is about: the source of its value, every step from there, definitions.
    pub(crate) trace: Vec<Range<usize>>,
    /// The source of its value.
    pub(crate) source: Option<Range<usize>>,
    /// The title with its metavariables filled in.
    pub(crate) title: String,
    /// The offset of a secret that must not be quoted.
    pub(crate) secret_at: Option<usize>,
    /// Severity and confidence, where they differ from the rule.
    pub(crate) severity: Option<Severity>,
    pub(crate) confidence: Option<u32>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(file: &'a SourceFile<'a>) -> Self {
        Self { file, starts: OnceCell::new() }
    }

    fn starts(&self) -> &[usize] {
        self.starts.get_or_init(|| {
            let ends = self.file.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect()
        })
    }

    /// Returns the line, from 1, of an offset.
    fn number(&self, offset: usize) -> u32 {
        u32::try_from(self.starts().partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// Returns the bytes of a line, without its end.
    fn bytes(&self, line: u32) -> Range<usize> {
        let start = self.starts()[line as usize - 1];
        let end = self.starts().get(line as usize).copied().unwrap_or(self.file.text.len());
        start..start + self.file.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// Returns the first and the last line of a span.
    fn lines_of(&self, span: &Range<usize>) -> (u32, u32) {
        (self.number(span.start), self.number(span.end.saturating_sub(1).max(span.start)))
    }

    /// Returns the span of a line; of the last one, if there are fewer.
    pub(crate) fn span(&self, line: u32) -> Range<usize> {
        let last = u32::try_from(self.starts().len()).unwrap_or(u32::MAX);
        self.bytes(line.clamp(1, last))
    }

    /// Returns the lines of spans.
    fn traced(&self, spans: impl Iterator<Item = Range<usize>>) -> Value {
        let lines = disjoint(spans.map(|span| self.lines_of(&span)).collect());
        Value::from(lines.into_iter().map(pair).collect::<Vec<Value>>())
    }

    /// Returns the first line of a range that the change touches.
    fn first_touched(&self, first: u32, last: u32) -> Option<u32> {
        let range = self.file.touched.iter().find(|(_, end)| *end >= first)?;
        (range.0 <= last).then(|| range.0.max(first))
    }

    /// Returns the line that a claim about a span names, and whether the change touches it. It is the first touched
    /// line of the span, if there is one.
    pub(crate) fn line(&self, span: &Range<usize>) -> (u32, bool) {
        let (first, last) = self.lines_of(span);
        let touched = self.first_touched(first, last);
        (touched.unwrap_or(first), touched.is_some())
    }

    /// Returns the ignore comment that covers the findings of a rule about a span: on the line of the claim or the
    /// first line of the span, or above either.
    pub(crate) fn ignored<'i>(&self, ignores: &'i [Ignore], rule: &Rule, span: &Range<usize>) -> Option<&'i Ignore> {
        let lines = [self.line(span).0, self.number(span.start)];
        lines.iter().filter_map(|line| covering(ignores, &rule.id, *line)).min_by_key(|ignore| ignore.line)
    }

    /// Turns a match into a claim.
    pub(crate) fn claim(&self, found: Match<'_>, is_test: bool) -> Detailed {
        let Match { rule, span, trace, source, title, secret_at, severity, confidence } = found;
        let (line, is_touched) = self.line(&span);
        let evidence = self.evidence(line, &span, secret_at);
        let mut claim = detailed(rule, title, ClaimSite { file: self.file.path, line, is_touched, is_test }, evidence);
        if let Some(severity) = severity {
            claim.merge.severity = severity.token().to_owned();
        }
        claim.merge.confidence = confidence.unwrap_or(rule.confidence);
        let trace = self.traced([span].into_iter().chain(trace).chain(source.clone()));
        claim.other.insert(TRACE.to_owned(), trace);
        if let Some(source) = source {
            claim.other.insert(SOURCE.to_owned(), pair(self.lines_of(&source)));
        }
        claim
    }

    /// Quotes the matched code of a line, up to the first secret.
    fn evidence(&self, line: u32, span: &Range<usize>, secret_at: Option<usize>) -> String {
        let whole = self.bytes(line);
        let start = span.start.max(whole.start);
        let end = span.end.min(whole.end).max(start);
        let is_short = self.file.text[start..end].trim().chars().count() < SHORTEST_EVIDENCE;
        // Short code is not telling enough, and a secret is identified by the text before it: for both the whole line
        // is quoted, unless it is so long that the quote would not reach them.
        let wants_line = is_short || secret_at.is_some();
        let start = if wants_line && start - whole.start < LONGEST_EVIDENCE { whole.start } else { start };
        let end = if wants_line { whole.end } else { end };
        let text = beginning(&self.file.text[start..end.max(start)]);
        let known = secret_at.and_then(|at| at.checked_sub(start)).filter(|at| *at <= text.len());
        let hidden = known.into_iter().chain(first_secret(text)).min();
        let shown = hidden.map_or(text, |at| &text[..at]).trim();
        if shown.is_empty() {
            return format!("line {line} starts with what must not be shown");
        }
        let cut = shown.char_indices().nth(LONGEST_EVIDENCE).map_or(shown.len(), |(at, _)| at);
        shown[..cut].trim_end().to_owned()
    }
}

fn pair((first, last): (u32, u32)) -> Value {
    Value::from(vec![first, last])
}

/// Sorts ranges of lines and merges those that overlap or touch. Of too many only the outermost bounds are kept: a
/// trace may name too many lines, and never too few.
fn disjoint(mut lines: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    lines.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (first, last) in lines {
        match merged.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    match (merged.first(), merged.last()) {
        (Some((first, _)), Some((_, last))) if merged.len() > MOST_RANGES => vec![(*first, *last)],
        _ => merged,
    }
}

/// Adds the lines of one claim to those of another.
pub(crate) fn absorb_trace(claim: &mut Detailed, other: &Detailed) {
    let lines = |claim: &Detailed| -> Vec<(u32, u32)> {
        let ranges = claim.other.get(TRACE).and_then(Value::as_array).into_iter().flatten();
        let bound = |range: &Value, at: usize| range.get(at)?.as_u64().and_then(|line| u32::try_from(line).ok());
        ranges.filter_map(|range| Some((bound(range, 0)?, bound(range, 1)?))).collect()
    };
    let all = disjoint(lines(claim).into_iter().chain(lines(other)).collect());
    claim.other.insert(TRACE.to_owned(), all.into_iter().map(pair).collect());
}

/// Moves a claim to a line of another file, which the change touches.
pub(crate) fn place_at(claim: &mut Detailed, file: &SourceFile<'_>, line: u32) {
    let text = file.text.lines().nth(line as usize - 1).unwrap_or_default();
    file.path.clone_into(&mut claim.merge.file);
    claim.merge.line = line;
    claim.merge.pre_existing = false;
    claim.evidence = vec![redact(text.trim()).chars().take(LONGEST_EVIDENCE).collect()];
    claim.other.remove(SOURCE);
    claim.other.insert(TRACE.to_owned(), Value::from(vec![pair((line, line))]));
}

/// The place of a claim.
struct ClaimSite<'a> {
    file: &'a str,
    line: u32,
    is_touched: bool,
    is_test: bool,
}

fn detailed(rule: &Rule, title: String, place: ClaimSite<'_>, evidence: String) -> Detailed {
    let mut other = Map::new();
    other.insert("rule".to_owned(), Value::from(rule.id.as_str()));
    if let Some(cwe) = &rule.cwe {
        other.insert("cwe".to_owned(), Value::from(cwe.as_str()));
    }
    Detailed {
        merge: MergeTier {
            title,
            severity: rule.severity_for(place.is_test).token().to_owned(),
            file: place.file.to_owned(),
            line: place.line,
            autofix_class: rule.autofix_class.token().to_owned(),
            owner: rule.owner.token().to_owned(),
            requires_verification: rule.requires_verification,
            suggested_fix: rule.suggested_fix.clone(),
            confidence: rule.confidence,
            pre_existing: !place.is_touched,
        },
        why_it_matters: rule.why_it_matters.clone(),
        evidence: vec![evidence],
        other,
    }
}

/// Returns the prefix of a text that is searched for secrets: the quoted part, and enough after it to recognise a
/// secret that starts there. Without the limit, nested matches would each be searched in full.
fn beginning(text: &str) -> &str {
    const LONGEST: usize = 4_000;
    &text[..text.floor_char_boundary(LONGEST)]
}

/// Fills in the metavariables of a title. An unbound name becomes `…`.
pub(crate) fn fill<'t>(title: &str, value: impl Fn(&str) -> Option<std::borrow::Cow<'t, str>>) -> String {
    let mut filled = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once('$') {
        filled.push_str(before);
        let length = after.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
        let (name, behind) = after.split_at(length);
        filled.push_str(&value(name).map_or_else(|| "…".to_owned(), |text| shortened(&text)));
        rest = behind;
    }
    filled.push_str(rest);
    filled.chars().take(LONGEST_TITLE).collect()
}

/// Returns the names of the metavariables in a title.
pub(crate) fn variables(title: &str) -> impl Iterator<Item = &str> {
    title.split('$').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Shortens code for a title: one line, no secret, no backtick that would end a quote, at most 40 characters.
pub(crate) fn shortened(code: &str) -> String {
    let words: Vec<&str> = beginning(code).split_whitespace().collect();
    let line: String = redact(&words.join(" ")).replace('`', "'").chars().filter(|c| !c.is_control()).collect();
    if line.chars().count() <= LONGEST_NAME {
        return line;
    }
    line.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_the_thing_in_few_characters() {
        let value = |name: &str| (name == "A").then(|| "f(\n  `x`,   \u{7}y)".into());
        assert_eq!(variables("text from `$A`, not $B_C").collect::<Vec<_>>(), ["A", "B_C"]);
        assert_eq!(fill("text from `$A`, not `$B`", value), "text from `f( 'x', y)`, not `…`");
        let long = fill("`$A` and on", |_| Some("é".repeat(90).into()));
        assert_eq!(long, format!("`{}…` and on", "é".repeat(39)));
        assert_eq!(fill(&"long ".repeat(40), |_| None).chars().count(), LONGEST_TITLE);
    }

    #[test]
    fn ranges_of_lines_are_merged_and_never_narrowed() {
        assert_eq!(disjoint(vec![(5, 6), (1, 2), (3, 3), (9, 9), (5, 5)]), [(1, 3), (5, 6), (9, 9)]);
        assert_eq!(disjoint(Vec::new()), []);
        let many: Vec<(u32, u32)> = (1..=100).map(|line| (line * 2, line * 2)).collect();
        assert_eq!(disjoint(many), [(2, 200)]);
    }

    #[test]
    fn the_first_touched_line_of_a_match_is_found() {
        let file = SourceFile { path: "a", text: "1\n2\n3\n4\n5\n6\n", touched: &[(2, 3), (5, 5)] };
        let lines = Lines::new(&file);
        for (range, expected) in
            [((1, 1), None), ((1, 4), Some(2)), ((3, 9), Some(3)), ((4, 4), None), ((4, 6), Some(5))]
        {
            assert_eq!(lines.first_touched(range.0, range.1), expected, "{range:?}");
        }
        assert_eq!((lines.number(0), lines.number(2), lines.number(11)), (1, 2, 6));
        assert_eq!(
            (lines.lines_of(&(0..4)), lines.lines_of(&(2..5)), lines.lines_of(&(4..4))),
            ((1, 2), (2, 3), (3, 3))
        );
        assert_eq!(&file.text[lines.bytes(6)], "6");
    }
}
