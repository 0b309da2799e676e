//! One finding in prose: a heading, a list item or a paragraph, with its body, becomes a claim.
//!
//! In: the lead line and the body of a finding as Markdown. Out: its severity, status, place, confidence, title and fields.
//! Deliberately not here: which parts of a document are findings (`markdown`), and severities (`rating`) and
//! places (`places`) in a line.

use super::finding::{self, Refusal, Scope};
use super::ledger::Ledger;
use super::lexicon::List;
use super::location::{self, InheritedPlace};
use super::places::{first_place, is_surely_a_file, leading_line, leading_place, marked_place, named_line};
use super::synonyms::{self, Field, STATUSES, Settled};
use super::{rating, scalars};
use crate::model::{Claim, Confidence, Location, Severity, Status, Title};
use crate::syntax::Span;
use jury_wire::Reason;

/// Reads the status that a heading or lead states for its finding: `(RESOLVED)`, `— **Fixed** ✅`, `Unresolved: …`.
pub(super) fn status_in(line: &str) -> Option<Settled> {
    if line.trim_start().starts_with("~~") {
        return Some(Settled::Fixed);
    }
    let pieces = line.split(['—', '–', '(', ')', ':', '[', ']', '|']).chain(line.split(" -- "));
    pieces
        .map(|piece| piece.split([',', ';', '.']).next().unwrap_or(piece))
        .filter(|piece| piece.split_whitespace().count() <= 4)
        .find_map(|piece| {
            let folded = synonyms::fold_word(piece);
            let folded = folded.strip_prefix("✓ ").unwrap_or(&folded).trim();
            List::Statuses.has(folded).then(|| synonyms::word(STATUSES, folded)).flatten()
        })
}

/// Finds `confidence: 92`, `confidence 0.60`, `92% confidence` in a line.
pub(super) fn confidence_in(line: &str) -> Option<Confidence> {
    let lower = line.to_ascii_lowercase();
    let at = lower.find("confidence")?;
    let after = line
        .get(at + "confidence".len()..)?
        .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '*' | '=' | '`' | '~'));
    let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '%'))).unwrap_or(after.len());
    let value = after[..end].trim_end_matches('.');
    if let Some((confidence, _)) = scalars::confidence(value) {
        return Some(confidence);
    }
    let before = line.get(..at)?.trim_end();
    let start = before
        .rfind(|c: char| !(c.is_ascii_digit() || c == '%' || c == '.'))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    scalars::confidence(&before[start..]).map(|(confidence, _)| confidence)
}

/// A finding as it was gathered from a document.
#[derive(Clone)]
pub(super) struct Draft<'t> {
    pub(super) lead: String,
    pub(super) body: String,
    pub(super) severity: Option<Severity>,
    pub(super) status: Option<Settled>,
    pub(super) span: Span,
    pub(super) scope: Scope,
    pub(super) raw: &'t str,
    /// The place that the section or the line before names, for a finding that names no file itself.
    pub(super) inherited: Option<InheritedPlace>,
}

/// The labelled fields of a body: `- **Location**: x`, `Fix: y`, with the lines that go on.
pub(super) fn labelled(body: &str) -> Vec<(Field, String)> {
    let mut fields: Vec<(Field, String)> = Vec::new();
    let mut is_open = false;
    for line in body.lines() {
        match label(line) {
            Some((field, value)) => {
                fields.push((field, value.to_owned()));
                is_open = true;
            }
            None if line.trim().is_empty() => {}
            None if is_open && other_label(line) => is_open = false,
            None if is_open => {
                if let Some((_, text)) = fields.last_mut() {
                    text.push('\n');
                    text.push_str(line.trim());
                }
            }
            None => {}
        }
    }
    fields
}

/// Splits a text of labelled fields into its records: each starts with the label that the first one starts with.
pub(super) fn records(text: &str) -> Vec<&str> {
    let name = |line: &str| {
        let is_first =
            |(field, _): &(Field, &str)| matches!(field, Field::Title | Field::Severity | Field::File | Field::Place);
        label(line).filter(is_first)?;
        line.split([':', '：']).next().map(synonyms::fold_name)
    };
    let mut first: Option<String> = None;
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(name) = name(line)
            && *first.get_or_insert_with(|| name.clone()) == name
        {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| text.get(*start..end)).collect()
}

/// Reads a line as a labelled field of a finding.
pub(super) fn label(line: &str) -> Option<(Field, &str)> {
    let line = line.trim_start().trim_start_matches(['-', '>', ' ', '\t', '•']).trim_start();
    let bare = rating::past_ordinal(line.trim_start_matches(['*', '_']));
    let bare = bare.strip_prefix(' ').unwrap_or(bare);
    let (name, rest) = bare.split_once([':', '：'])?;
    let name = name.trim().trim_matches(['*', '_', ' ', '`']);
    if !name.starts_with(char::is_alphabetic) || name.len() > 30 || name.split_whitespace().count() > 3 {
        return None;
    }
    let (field, _) = synonyms::field(name.trim_end_matches("(s)"))?;
    // A flag has no text of its own: `RESOLVED: x` is a resolved finding.
    if matches!(field, Field::IsSettled | Field::Passed) {
        return None;
    }
    let value = rest.trim_start_matches(['*', '_', ' ']).trim();
    Some((field, value))
}

fn other_label(line: &str) -> bool {
    let bare = line.trim_start().trim_start_matches(['-', ' ']);
    bare.starts_with("**") && bare.contains(":**") || bare.starts_with("**") && bare.contains("**:")
}

/// Tells whether neither a draft nor what stands around it states a severity.
pub(super) fn lacks_severity(draft: &Draft<'_>) -> bool {
    draft.severity.is_none()
        && draft.scope.severity.is_none()
        && !labelled(&draft.body).iter().any(|(field, text)| *field == Field::Severity && !text.trim().is_empty())
}

/// Reads a draft as a claim. `Ok(None)` if it turns out to be none after all, for want of a severity.
pub(super) fn read(ledger: &mut Ledger<'_>, draft: &Draft<'_>) -> Result<Claim, Refusal> {
    let fields = labelled(&draft.body);
    let text = |wanted: Field| {
        fields.iter().find(|(field, text)| *field == wanted && !text.trim().is_empty()).map(|(_, text)| text.as_str())
    };
    let severity = match (draft.severity, text(Field::Severity)) {
        (_, Some(stated)) => {
            let first = stated.lines().next().unwrap_or(stated);
            let first = first.split(['|', '·']).next().unwrap_or(first);
            // An emoji beside a word only decorates it; an arrow says that the rating was changed.
            let first = first.rsplit(['→', '➜', '⇒']).next().unwrap_or(first);
            scalars::severity(rating::without_emoji(first).trim_matches(['*', '_', '`']))
                .map(|(severity, _)| severity)
                .or(draft.severity)
                .ok_or_else(|| (Reason::UnknownToken, format!("unknown severity {first:?}")))?
        }
        (Some(severity), None) => severity,
        (None, None) => {
            draft.scope.severity.ok_or_else(|| (Reason::MissingField, "`severity` is missing".to_owned()))?
        }
    };
    if draft.severity.is_none() && text(Field::Severity).is_none() {
        ledger.repair(Reason::SeverityFromContext, draft.span, "", severity.word());
    }
    let (place, rest) = leading_place(&draft.lead);
    let rest = if place.is_none() { leading_line(&draft.lead).map_or(rest, |(_, rest)| rest) } else { rest };
    let named =
        text(Field::Title).or(text(Field::Why)).filter(|_| label(&draft.lead).is_some() || draft.lead.is_empty());
    let title = named
        .and_then(|named| title(named, named, ""))
        .or_else(|| title(rest, "", ""))
        // A lead that is only a number has its title in the fields.
        .or_else(|| text(Field::Title).or(text(Field::Why)).and_then(|named| title(named, named, "")))
        .or_else(|| title(rest, &draft.lead, &draft.body))
        .ok_or_else(|| (Reason::MissingField, "`title` is missing".to_owned()))?;
    let mut claim = Claim::new(title, severity);
    claim.location = location(ledger, draft, place, &fields)?;
    claim.confidence = confidence_in(&draft.lead)
        .or_else(|| {
            text(Field::Confidence)
                .and_then(|text| scalars::confidence(text.trim_matches(['*', '`', ' '])))
                .map(|(confidence, _)| confidence)
        })
        .or_else(|| {
            confidence_in(
                draft.body.lines().find(|line| line.to_ascii_lowercase().contains("confidence")).unwrap_or_default(),
            )
        });
    let joined = |wanted: Field| {
        let texts: Vec<&str> = fields
            .iter()
            .filter(|(field, text)| *field == wanted && !text.trim().is_empty())
            .map(|(_, text)| text.trim())
            .collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    };
    claim.why = joined(Field::Why).or_else(|| {
        let whole = format!("{}\n{}", draft.lead, draft.body);
        let whole = whole.trim();
        (whole.len() > claim.title.as_str().len() + 20).then(|| whole.to_owned())
    });
    claim.fix = joined(Field::Fix);
    claim.evidence = fields
        .iter()
        .filter(|(field, text)| *field == Field::Evidence && !text.trim().is_empty())
        .map(|(_, text)| text.trim().to_owned())
        .collect();
    claim.reviewer = draft.scope.reviewer.clone();
    claim.pre_existing = draft.scope.is_pre_existing.then_some(true);
    claim.status = status(ledger, draft, text(Field::Status));
    Ok(claim)
}

fn status(ledger: &mut Ledger<'_>, draft: &Draft<'_>, field: Option<&str>) -> Option<Status> {
    let stated =
        field.and_then(|text| finding::settled(text.lines().next().unwrap_or(text))).map(|(settled, _)| settled);
    let settled =
        stated.or(draft.status).unwrap_or(if draft.scope.is_settled { Settled::Fixed } else { Settled::Open });
    let status = match settled {
        Settled::Open => return None,
        Settled::Fixed => Status::Fixed,
        Settled::WontFix => Status::WontFix,
    };
    ledger.repair(Reason::StatusTaken, draft.span, field.unwrap_or(&draft.lead), status.token());
    Some(status)
}

/// Makes a title of the rest of the lead: its bold part, or its first sentence.
fn title(rest: &str, lead: &str, body: &str) -> Option<Title> {
    let rest = strip_id(rest.trim());
    let bold = rest
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"))
        .map(|(bold, _)| bold)
        .filter(|bold| bold.trim().len() > 8);
    let bold = bold.filter(|bold| !bold.to_ascii_lowercase().trim_matches(['(', ' ']).starts_with("confidence"));
    let source = bold.unwrap_or(rest);
    for text in [source, rest, first_text(body), lead] {
        let cleaned = cleaned(text);
        if cleaned.chars().filter(|c| c.is_alphanumeric()).count() >= 3 {
            return Title::new(&scalars::first_sentence(&cleaned)).ok();
        }
    }
    None
}

fn first_text(body: &str) -> &str {
    body.lines().find(|line| !line.trim().is_empty() && label(line).is_none()).unwrap_or_default()
}

/// Takes an id off the front: `H1:`, `[M2]`, `C-1 —`, `1 —`, `Finding S-1:`, `F3.`.
fn strip_id(text: &str) -> &str {
    let mut rest = text;
    for word in List::BeforeIds.iter() {
        rest = rest
            .strip_prefix(word)
            .filter(|after| !after.starts_with(char::is_alphanumeric))
            .map_or(rest, str::trim_start);
    }
    let bare = rest.trim_start_matches(['*', '[', '#', '(']);
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(bare.len());
    let (id, after) = bare.split_at(end);
    let is_id = !id.is_empty()
        && id.len() <= 10
        && id.bytes().any(|b| b.is_ascii_digit())
        && id.bytes().filter(u8::is_ascii_lowercase).count() <= 2;
    let follows = after.trim_start_matches(['*', ']', ')', ' ']);
    if is_id
        && (follows.starts_with([':', '—', '–', '.', '('])
            || follows.starts_with("- ")
            || after.starts_with([']', ')', '*']))
    {
        let mut rest = follows.trim_start_matches([':', '—', '–', '.', '-', ' ']);
        // `C-1 (Critical): x`
        if rest.starts_with('(')
            && let Some((inside, after)) = rest.split_once(')')
            && inside.split_whitespace().count() <= 4
        {
            rest = after.trim_start_matches([':', '—', '–', '.', '-', ' ', '*']);
        }
        return if rest.is_empty() { text } else { rest };
    }
    rest
}

/// Takes the marks of Markdown and a confidence in brackets out of a text.
fn cleaned(text: &str) -> String {
    let mut text = text.replace("**", "").replace("~~", "");
    while let Some(start) =
        text.to_ascii_lowercase().find("(confidence").or_else(|| text.to_ascii_lowercase().find("[confidence"))
    {
        let Some(length) = text[start..].find([')', ']']) else { break };
        text.replace_range(start..=start + length, "");
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | ':' | '—' | '–' | '-' | '_' | '#' | '✅' | '✓');
    let text = text.trim_matches(marks);
    // The status is read elsewhere: `x — RESOLVED`.
    let text = match text.rsplit_once(['—', '–']) {
        Some((before, after)) if status_in(after).is_some() && before.trim().len() > 5 => before.trim_matches(marks),
        _ => text,
    };
    text.to_owned()
}

/// Reads the whole of a field that can hold nothing but a file as its path, which may have blanks.
fn whole_file(field: Field, text: &str) -> Option<scalars::FileRef<'_>> {
    let file = text.trim();
    let is_path = field == Field::File
        && file.contains(' ')
        && file.contains('/')
        && !file.contains([':', '#', ',', '(', '`', ';', '\n', '*'])
        && file.rsplit('/').next().is_some_and(is_surely_a_file)
        && file.split(' ').rev().skip(1).all(|piece| !is_surely_a_file(piece) || piece.matches('.').count() == 0);
    is_path.then_some(scalars::FileRef { file, lines: None, rest: None })
}

fn location(
    ledger: &mut Ledger<'_>,
    draft: &Draft<'_>,
    place: Option<scalars::FileRef<'_>>,
    fields: &[(Field, String)],
) -> Result<Option<Location>, Refusal> {
    let mut found = None;
    let has_lines = |found: &Option<Location>| found.as_ref().is_some_and(|location| location.lines.is_some());
    // A field for the place with a line in it says where; a place in front of the text may be one that it speaks of.
    let is_stated = fields.iter().any(|(field, text)| {
        matches!(field, Field::File | Field::Place | Field::Places)
            && first_place(text).is_some_and(|place| place.lines.is_some())
    });
    if let Some(place) = place.filter(|_| !is_stated) {
        found = location::location_of(ledger, draft.span, &place)?;
    }
    for (field, text) in fields {
        if has_lines(&found) {
            break;
        }
        if matches!(field, Field::File | Field::Place | Field::Places) {
            let stated = whole_file(*field, text).or_else(|| first_place(text));
            if let Some(place) = stated {
                let place = location::location_of(ledger, draft.span, &place)?;
                if has_lines(&place) || found.is_none() {
                    found = place;
                }
            }
        }
    }
    if let Some(location) = found.as_mut().filter(|location| location.lines.is_none())
        && let Some((_, text)) = fields.iter().find(|(field, _)| *field == Field::Line)
        && let scalars::Lines::Exact(range) | scalars::Lines::Read(range) =
            scalars::lines(text.trim().trim_matches('`'))
    {
        location.lines = Some(range);
    }
    if !has_lines(&found) {
        let inside = [draft.lead.as_str(), draft.body.as_str()].into_iter().find_map(marked_place);
        if let Some(place) = inside
            && let Ok(Some(location)) = location::location_of(ledger, draft.span, &place)
            && found.as_ref().is_none_or(|found| found.file == location.file)
        {
            found = Some(location);
        }
    }
    // `In src/a.ts around line 210`, `at line 40 of src/a.ts`: the line stands in the same line of text as the file.
    if let Some(location) = found.as_mut().filter(|location| location.lines.is_none()) {
        let name = location.file.as_str();
        let mut lines = draft.lead.lines().chain(draft.body.lines());
        if let Some(line) = lines.find(|line| line.contains(name)).and_then(named_line)
            && let scalars::Lines::Exact(range) | scalars::Lines::Read(range) = scalars::lines(line)
        {
            location.lines = Some(range);
        }
    }
    if found.is_none()
        && let Some(inherited) = &draft.inherited
    {
        let own = leading_line(&draft.lead).map(|(lines, _)| lines).or_else(|| named_line(&draft.lead));
        let labelled = fields.iter().find(|(field, _)| *field == Field::Line).map(|(_, text)| text.trim());
        let lines = own.or(labelled).or(inherited.lines.as_deref());
        let place = scalars::FileRef { file: &inherited.file, lines, rest: None };
        found = location::location_of(ledger, draft.span, &place).ok().flatten();
    }
    if found.is_some() {
        ledger.repair(
            Reason::LocationSplit,
            draft.span,
            "a place in prose",
            &found.as_ref().map(ToString::to_string).unwrap_or_default(),
        );
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_start_with_the_same_label() {
        let text = "So:\n- Title: a\n  Severity: low\n  Name: b\n- Title: c\n  Severity: high\n";
        assert_eq!(records(text), ["- Title: a\n  Severity: low\n  Name: b\n", "- Title: c\n  Severity: high\n"]);
        assert_eq!(records("Severity: low\nFix: x\n"), ["Severity: low\nFix: x\n"]);
        assert_eq!(records("no label here\n"), [""; 0]);
    }

    #[test]
    fn confidences_and_statuses_are_found_in_a_line() {
        assert_eq!(confidence_in("**x (confidence: 92)**").map(Confidence::percent), Some(92));
        assert_eq!(confidence_in("(api-contract, confidence 0.60)").map(Confidence::percent), Some(60));
        assert_eq!(confidence_in("no such"), None);
        assert_eq!(status_in("C-1 (Critical): x — **RESOLVED** ✅"), Some(Settled::Fixed));
        assert_eq!(status_in("Unresolved: S-4 — x (Major, carried)"), Some(Settled::Open));
        assert_eq!(status_in("Fixed width tables break"), None);
    }
}
