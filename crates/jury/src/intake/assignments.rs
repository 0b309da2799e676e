//! Findings as assignments: TOML, sections of settings, and records of `name=value` pairs, on a line of their own or a line for each.
//!
//! In: a text. Out: the tree of its first part in this form that states a severity, with the damage in it.
//! Deliberately not here: the meaning of the names for a finding, and the text around that part.

use std::borrow::Cow;

use super::dialect::Damage;
use super::lexicon::List;
use super::synonyms::{self, Field, Part};
use super::{blocks, node_kinds, scalars};
use crate::model::Severity;
use crate::syntax::{Limits, Member, Node, Source, Span, Value, toml_tree};

/// A part of a text that is written as assignments.
pub(super) struct Assigned<'a> {
    pub(super) root: Node<'a>,
    pub(super) damage: Damage,
    /// With its fence, if it has one.
    pub(super) span: Span,
}

/// Reads every part of a text that is written as assignments and could be a report.
pub(super) fn find<'a>(source: &Source<'a>, limits: &Limits) -> Vec<Assigned<'a>> {
    let fences = blocks::fences(source);
    let mut found = Vec::new();
    let mut at = 0;
    for fence in &fences {
        found.extend(runs(source, Span::new(at, fence.span.start), limits));
        at = fence.span.end;
        if List::SettingFences.has(&blocks::language(fence.info)) {
            let cut_at = (!fence.is_closed).then_some(fence.content.end);
            found.extend(part(source, fence.content, limits).map(|assigned| Assigned {
                damage: Damage { cut_at, ..assigned.damage },
                span: fence.span,
                ..assigned
            }));
        }
    }
    found.extend(runs(source, Span::new(at, source.text().len()), limits));
    found
}

/// Tells whether a text has a line that sets a severity.
pub(super) fn has_fields(text: &str) -> bool {
    let is_severity = |pair: &Pair<'_>| synonyms::field(pair.name).is_some_and(|(field, _)| field == Field::Severity);
    text.lines().any(|line| matches!(read_line(line), Line::Pairs(pairs) if pairs.iter().any(is_severity)))
}

/// The kind of a line.
enum Line<'t> {
    Blank,
    /// `[name]` or `[[name]]`.
    Section(&'t str),
    Pairs(Vec<Pair<'t>>),
    /// An assignment to an unknown name: part of the record around it, and the start of nothing.
    Unknown(Pair<'t>),
    Other,
}

/// A name and its value.
struct Pair<'t> {
    name: &'t str,
    value: &'t str,
}

/// Finds the runs of lines that are assignments, and reads those that could be a report.
fn runs<'a>(source: &Source<'a>, part: Span, limits: &Limits) -> Vec<Assigned<'a>> {
    let text = source.text();
    let mut runs: Vec<Span> = Vec::new();
    let mut run: Option<Span> = None;
    for (span, line) in lines(text, part) {
        match (read_line(line), &mut run) {
            (Line::Blank, _) => {}
            (Line::Section(_) | Line::Pairs(_) | Line::Unknown(_), Some(run)) => run.end = span.end,
            (Line::Section(_) | Line::Pairs(_), None) => run = Some(span),
            // A line that lost its `=` is still one of its record.
            (Line::Other, Some(run)) if names_severity(line) => run.end = span.end,
            (Line::Other, None) if names_severity(line) && !line.trim_end().ends_with(':') => run = Some(span),
            (Line::Unknown(_), None) => {}
            (Line::Other, _) => runs.extend(run.take()),
        }
    }
    runs.extend(run);
    runs.into_iter().filter_map(|run| self::part(source, run, limits)).collect()
}

/// Reads a part of a text as TOML or, if it is none, line by line.
fn part<'a>(source: &Source<'a>, span: Span, limits: &Limits) -> Option<Assigned<'a>> {
    let text = source.slice(span);
    if !text.lines().any(|line| matches!(read_line(line), Line::Pairs(_))) {
        return None;
    }
    let assigned = match toml_tree::parse(source, span, limits) {
        Some(mut root) => {
            node_kinds::widen(&mut root);
            Assigned { root, damage: Damage::default(), span }
        }
        None => settings(source.text(), span),
    };
    node_kinds::is_report_like(&assigned.root).then_some(assigned)
}

fn lines(text: &str, part: Span) -> impl Iterator<Item = (Span, &str)> {
    let mut at = part.start;
    text[part.start..part.end].split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        (Span::new(start, start + bare.len()), bare)
    })
}

/// A finding, or any other section, while its lines are being read.
#[derive(Default)]
struct Record<'t> {
    section: Option<&'t str>,
    members: Vec<Member<'t>>,
    is_closed: bool,
}

impl Record<'_> {
    fn has(&self, wanted: &[Field]) -> bool {
        let is_wanted = |name: &str| synonyms::field(name).is_some_and(|(field, _)| wanted.contains(&field));
        self.members.iter().any(|member| is_wanted(&member.key))
    }

    /// Tells whether the record has any field of a finding. A finding that lost its severity is rejected then, and not passed over.
    fn is_of_finding(&self) -> bool {
        self.has(&[Field::Severity, Field::Title, Field::Why, Field::File, Field::Place, Field::Line])
            && !self.is_remark()
    }

    /// Tells whether the record is a log line without a place, with a level below a warning.
    fn is_remark(&self) -> bool {
        let is_low = |member: &Member<'_>| match &member.node.value {
            Value::String(text) => scalars::severity(text).is_some_and(|(severity, _)| severity == Severity::Info),
            _ => false,
        };
        let is_hint =
            |member: &&Member<'_>| synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::SeverityHint);
        !self.has(&[Field::Severity, Field::File, Field::Place, Field::Line])
            && self.members.iter().find(is_hint).is_some_and(is_low)
    }
}

/// Reads lines of settings: a record for each section, each line of several pairs, and each run of lines between blank ones.
fn settings(text: &str, span: Span) -> Assigned<'_> {
    let mut damage = Damage::default();
    let mut records: Vec<Record<'_>> = Vec::new();
    let mut record = Record::default();
    for (at, line) in lines(text, span) {
        match read_line(line) {
            Line::Blank => record.is_closed |= record.section.is_none(),
            Line::Section(name) => {
                records.push(std::mem::replace(&mut record, Record { section: Some(name), ..Record::default() }));
            }
            Line::Unknown(pair) => record.members.push(member(text, &pair)),
            Line::Pairs(pairs) => {
                let is_whole = pairs.len() > 1;
                let is_again = pairs.iter().any(|pair| record.members.iter().any(|member| member.key == pair.name));
                if is_whole || record.is_closed || is_again && record.section.is_none() {
                    let section = record.section;
                    records.push(std::mem::replace(&mut record, Record { section, ..Record::default() }));
                }
                record.members.extend(pairs.iter().map(|pair| member(text, pair)));
                record.is_closed = is_whole;
            }
            Line::Other => damage.broken.push(at),
        }
    }
    records.push(record);
    Assigned { root: Node { span, value: root(records, span) }, damage, span }
}

/// Makes a report of records: those with the fields of a finding are its list, all others are its members.
fn root(records: Vec<Record<'_>>, span: Span) -> Value<'_> {
    let mut members: Vec<Member<'_>> = Vec::new();
    let mut findings: Vec<(Option<Severity>, Node<'_>)> = Vec::new();
    for mut record in records.into_iter().filter(|record| !record.members.is_empty()) {
        let start = record.members.first().map_or(span.start, |member| member.key_span.start);
        let end = record.members.last().map_or(start, |member| member.node.span.end);
        let span = Span::new(start, end);
        let section = record.section.unwrap_or_default();
        if record.is_of_finding() {
            // A section may be called by the place, or by how bad it is.
            if node_kinds::place_in_name(section).is_some() && !record.has(&[Field::File, Field::Place]) {
                let node = Node { span, value: Value::String(Cow::Borrowed(section)) };
                record.members.push(Member { key: Cow::Borrowed("location"), key_span: span, node });
            }
            let word = section.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            let severity = match synonyms::part(word) {
                Some(Part::OfSeverity(severity)) if !record.has(&[Field::Severity]) => Some(severity),
                _ => None,
            };
            findings.push((severity, Node { span, value: Value::Object(record.members) }));
        } else if section.is_empty() {
            // A member that a log repeats is about another moment.
            let is_new = |member: &Member<'_>| members.iter().all(|known| known.key != member.key);
            let further: Vec<Member<'_>> = record.members.into_iter().filter(is_new).collect();
            members.extend(further);
        } else {
            let node = Node { span, value: Value::Object(record.members) };
            members.push(Member { key: Cow::Borrowed(section), key_span: span, node });
        }
    }
    for wanted in [
        None,
        Some(Severity::Blocker),
        Some(Severity::High),
        Some(Severity::Medium),
        Some(Severity::Low),
        Some(Severity::Info),
    ] {
        let items: Vec<Node<'_>> =
            findings.iter().filter(|(severity, _)| *severity == wanted).map(|(_, node)| node.clone()).collect();
        if !items.is_empty() {
            let key = wanted.map_or("findings".to_owned(), |severity| severity.word().to_lowercase());
            let node = Node { span, value: Value::Array(items) };
            members.push(Member { key: Cow::Owned(key), key_span: span, node });
        }
    }
    Value::Object(members)
}

fn member<'t>(text: &'t str, pair: &Pair<'t>) -> Member<'t> {
    let place = |piece: &str| {
        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
        Span::new(start, start + piece.len())
    };
    let value = match pair.value {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        number if node_kinds::is_number(number) => Value::Number(Cow::Borrowed(number)),
        text => Value::String(unquoted(text)),
    };
    Member { key: Cow::Borrowed(pair.name), key_span: place(pair.name), node: Node { span: place(pair.value), value } }
}

fn unquoted(value: &str) -> Cow<'_, str> {
    let inner = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    match inner {
        Some(inner) if inner.contains('\\') => {
            Cow::Owned(inner.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\"))
        }
        Some(inner) => Cow::Borrowed(inner),
        None => Cow::Borrowed(value),
    }
}

fn read_line(line: &str) -> Line<'_> {
    let bare = line.trim();
    if bare.is_empty() || bare.starts_with(['#', ';']) {
        return Line::Blank;
    }
    let section = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some(name) = section {
        let name = name.trim_start_matches('[').trim_end_matches(']').trim().trim_matches(['"', '\'']);
        let is_name = !name.is_empty() && !name.contains(['[', ']', '=', '"', '{']);
        return if is_name { Line::Section(name) } else { Line::Other };
    }
    let bare = bare.strip_prefix("- ").or(bare.strip_prefix("* ")).unwrap_or(bare);
    let unknown = || {
        let (name, value) = name_length(bare).map(|length| bare.split_at(length))?;
        let value = value.trim_start().strip_prefix('=')?.trim();
        let is_known = synonyms::field(name).is_some() || synonyms::part(name).is_some();
        (!is_known && !names_severity(bare)).then_some(Line::Unknown(Pair { name, value }))
    };
    pairs(bare).map(Line::Pairs).or_else(unknown).unwrap_or(Line::Other)
}

/// Returns how long the name at the start of a text is, if `=` follows.
fn name_length(text: &str) -> Option<usize> {
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    let is_name = length > 0 && text.starts_with(|c: char| c.is_ascii_alphabetic());
    let after = text[length..].trim_start_matches([' ', '\t']);
    (is_name && after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>")).then_some(length)
}

/// Takes a line apart into its pairs. The first name is one that means something here, unless the line is nothing but pairs.
fn pairs(line: &str) -> Option<Vec<Pair<'_>>> {
    let is_known = |name: &str| synonyms::field(name).is_some() || synonyms::part(name).is_some();
    let name = &line[..name_length(line)?];
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    let (mut rest, mut is_pure) = (line, true);
    while !rest.is_empty() {
        let name = &rest[..name_length(rest)?];
        let after = rest[name.len()..].trim_start().strip_prefix('=')?;
        let value_at = after.trim_start();
        let end = value_end(value_at, &is_known)?;
        let value = value_at[..end].trim_end().trim_end_matches([',', ';']);
        is_pure &= value.starts_with(['"', '\'']) || !value.contains(char::is_whitespace);
        pairs.push(Pair { name, value });
        rest = value_at[end..].trim_start_matches([' ', '\t', ',', ';']);
    }
    (is_known(name) || is_pure && pairs.len() > 1).then_some(pairs)
}

/// Returns where a value ends: behind its closing quote, or before the next known name. A quote that is glued to something,
/// or is not closed, may have lost its end.
fn value_end(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<usize> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let mut is_escaped = false;
        let closes = |(_, c): &(usize, char)| {
            let is_end = *c == quote && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            is_end
        };
        let (at, _) = text.char_indices().skip(1).find(closes)?;
        let is_glued = text[at + 1..].starts_with(|c: char| !c.is_whitespace() && !matches!(c, ',' | ';'));
        return (!is_glued).then_some(at + 1);
    }
    let starts_pair = |at: &usize| {
        let word = &text[*at..];
        // In a line of nothing but pairs every name counts; in a text only those that mean something.
        let is_word = name_length(word).is_some_and(|length| {
            word[length..].starts_with('=') && (is_known(&word[..length]) || !text[..*at].trim().contains(' '))
        });
        is_word && *at > 0
    };
    let words = text.match_indices([' ', '\t', ',', ';']).map(|(at, _)| at + 1);
    Some(words.filter(|at| text.is_char_boundary(*at)).find(starts_pair).unwrap_or(text.len()))
}

/// Tells whether a line that is no assignment may have been one that states a severity.
fn names_severity(line: &str) -> bool {
    let is_name =
        |word: &str| {
            word.char_indices().skip(1).map(|(at, _)| &word[..at]).chain([word]).any(|start| {
                start.len() > 2 && synonyms::field(start).is_some_and(|(field, _)| field == Field::Severity)
            })
        };
    let blocks = |word: &str| scalars::severity(word).is_some_and(|(severity, _)| severity.is_at_least(Severity::High));
    let words = || line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let is_short = words().count() <= 3;
    // A line that sets several known names is a record, even if its first name is damaged.
    let sets_known = |token: &&str| token.split_once('=').is_some_and(|(name, _)| synonyms::field(name).is_some());
    let is_record = line.split_whitespace().filter(sets_known).count() > 1;
    is_record || line.contains('=') && words().any(is_name) || is_short && (words().any(is_name) || words().any(blocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        fn of(node: &Node<'_>) -> String {
            match &node.value {
                Value::Array(items) => format!("[{}]", items.iter().map(of).collect::<Vec<_>>().join(", ")),
                Value::Object(members) => {
                    let members = members.iter().map(|member| format!("{}: {}", member.key, of(&member.node)));
                    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
                }
                Value::String(text) | Value::Number(text) => text.to_string(),
                value => format!("{value:?}"),
            }
        }
        let limits = Limits::default();
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        match find(&source, &limits).as_slice() {
            [] => None,
            [only] => Some(of(&only.root) + &"!".repeat(only.damage.broken.len())),
            several => Some(several.iter().map(|assigned| of(&assigned.root)).collect::<Vec<_>>().join(" & ")),
        }
    }

    #[test]
    fn assignments_are_records_however_they_are_laid_out() {
        let two = "{findings: [{severity: high, file: a.rs, title: x y}, {severity: low, file: b.rs, title: z}]}";
        for text in [
            "[[findings]]\nseverity = \"high\"\nfile = \"a.rs\"\ntitle = \"x y\"\n[[findings]]\nseverity = \"low\"\nfile = \"b.rs\"\ntitle = \"z\"\n",
            "severity=high file=a.rs title=\"x y\"\nseverity=low file=b.rs title=z\n",
            "- severity=high file=a.rs title=x y\n- severity=low, file=b.rs, title=z\n",
            "severity=high\nfile=a.rs\ntitle=x y\n\nseverity=low\nfile=b.rs\ntitle=z\n",
            "severity = high\nfile = a.rs\ntitle = x y\nseverity = low\nfile = b.rs\ntitle = z\n",
            "[finding 1]\nseverity = high\nfile = a.rs\n\ntitle = x y\n[finding 2]\nseverity=low\nfile=b.rs\ntitle=z\n",
            "So:\n\n```ini\nseverity=high file=a.rs title='x y'\nseverity=low file=b.rs title=z\n```\nBye.\n",
        ] {
            assert_eq!(shown(text).as_deref(), Some(two), "{text}");
        }
        assert_eq!(
            shown("verdict = fail\n[high.1]\ntitle = x\n[a/b.rs:3]\nseverity = low\ntitle = y = z\n").as_deref(),
            Some("{verdict: fail, findings: [{severity: low, title: y = z, location: a/b.rs:3}], high: [{title: x}]}")
        );
    }

    #[test]
    fn what_lost_a_sign_is_broken_and_not_passed_over() {
        for text in [
            "severityhigh\nfile=a.rs\ntitle=x\n\nseverity=low\nfile=b.rs\ntitle=z\n",
            "severity=low file=b.rs title=\"z\"severity=high file=a.rs title=\"x\"\nseverity=low file=c.rs title=z\n",
            "severity=low file=b.rs title=z\ns=verity=high file=a.rs line=3 titlex\n",
            "severity=low file=b.rs title=z\ns verity=high file=a.rs title=x\n",
            "severity high file=a.rs title=x\nseverity=low file=b.rs title=z\n",
        ] {
            assert!(shown(text).is_some_and(|shown| shown.ends_with('!')), "{text}: {:?}", shown(text));
        }
    }

    #[test]
    fn code_and_prose_are_left_alone() {
        for text in [
            "```rust\nlet severity = \"high\";\n```\n",
            "The call sets x=1 and y=2.\n",
            "```toml\n[dependencies]\nserde = \"1\"\n```\n",
            "severity == high\n",
            "",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
