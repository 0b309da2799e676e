//! One finding in prose: a heading, a list item or a paragraph, with its body, becomes a claim.
//!
//! In: the lead line and the body of a finding as Markdown. Out: its severity, status, place, confidence, title and fields.
//! Deliberately not here: which parts of a document are findings (`markdown`), and severities (`rating`) and
//! places (`places`) in a line.

mod place;
mod title;

use jury_wire::Reason;

use super::finding::{self, Refusal, Scope};
use super::ledger::Ledger;
use super::lexicon::List;
use super::location::InheritedPlace;
use super::places::{leading_line, leading_place};
use super::synonyms::{self, Field, STATUSES, Settled};
use super::{rating, scalars};
use crate::model::{Claim, Confidence, Severity, Status};
use crate::syntax::Span;

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

/// The labelled fields of a finding.
struct Fields(Vec<(Field, String)>);

impl Fields {
    /// Returns the texts of a field.
    fn all(&self, wanted: Field) -> impl Iterator<Item = &str> {
        let stated = self.0.iter().filter(move |(field, text)| *field == wanted && !text.trim().is_empty());
        stated.map(|(_, text)| text.as_str())
    }

    fn first(&self, wanted: Field) -> Option<&str> {
        self.all(wanted).next()
    }

    fn joined(&self, wanted: Field) -> Option<String> {
        let texts: Vec<&str> = self.all(wanted).map(str::trim).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }
}

/// Reads a draft as a claim.
pub(super) fn read(ledger: &mut Ledger<'_>, draft: &Draft<'_>) -> Result<Claim, Refusal> {
    let fields = Fields(labelled(&draft.body));
    let severity = severity(draft, fields.first(Field::Severity))?;
    if draft.severity.is_none() && fields.first(Field::Severity).is_none() {
        ledger.repair(Reason::SeverityFromContext, draft.span, "", severity.word());
    }
    let (place, rest) = leading_place(&draft.lead);
    let rest = if place.is_none() { leading_line(&draft.lead).map_or(rest, |(_, rest)| rest) } else { rest };
    let stated = fields.first(Field::Title).or(fields.first(Field::Why));
    let of_field = |named: Option<&str>| named.and_then(|named| title::of(named, named, ""));
    let title = of_field(stated.filter(|_| label(&draft.lead).is_some() || draft.lead.is_empty()))
        .or_else(|| title::of(rest, "", ""))
        // A lead that is only a number has its title in the fields.
        .or_else(|| of_field(stated))
        .or_else(|| title::of(rest, &draft.lead, &draft.body))
        .ok_or_else(|| (Reason::MissingField, "`title` is missing".to_owned()))?;
    let mut claim = Claim::new(title, severity);
    claim.location = place::of(ledger, draft, place, &fields.0)?;
    claim.confidence = confidence(draft, fields.first(Field::Confidence));
    claim.why = fields.joined(Field::Why).or_else(|| {
        let whole = format!("{}\n{}", draft.lead, draft.body);
        let whole = whole.trim();
        (whole.len() > claim.title.as_str().len() + 20).then(|| whole.to_owned())
    });
    claim.fix = fields.joined(Field::Fix);
    claim.evidence = fields.all(Field::Evidence).map(|text| text.trim().to_owned()).collect();
    claim.reviewer = draft.scope.reviewer.clone();
    claim.pre_existing = draft.scope.is_pre_existing.then_some(true);
    claim.status = status(ledger, draft, fields.first(Field::Status));
    Ok(claim)
}

/// Returns the severity of a finding: that of its field, of its own line, or of its section.
fn severity(draft: &Draft<'_>, field: Option<&str>) -> Result<Severity, Refusal> {
    let Some(stated) = field else {
        let missing = || (Reason::MissingField, "`severity` is missing".to_owned());
        return draft.severity.or(draft.scope.severity).ok_or_else(missing);
    };
    let first = stated.lines().next().unwrap_or(stated);
    let first = first.split(['|', '·']).next().unwrap_or(first);
    // An emoji beside a word only decorates it; an arrow says that the rating was changed.
    let first = first.rsplit(['→', '➜', '⇒']).next().unwrap_or(first);
    scalars::severity(rating::without_emoji(first).trim_matches(['*', '_', '`']))
        .map(|(severity, _)| severity)
        .or(draft.severity)
        .ok_or_else(|| (Reason::UnknownToken, format!("unknown severity {first:?}")))
}

fn confidence(draft: &Draft<'_>, field: Option<&str>) -> Option<Confidence> {
    let of_field =
        |text: &str| scalars::confidence(text.trim_matches(['*', '`', ' '])).map(|(confidence, _)| confidence);
    let in_body = || draft.body.lines().find(|line| line.to_ascii_lowercase().contains("confidence"));
    confidence_in(&draft.lead).or_else(|| field.and_then(of_field)).or_else(|| in_body().and_then(confidence_in))
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
