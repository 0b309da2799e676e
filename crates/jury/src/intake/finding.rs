//! One finding of a report in a dialect: an object or a text becomes a claim.
//!
//! In: a node and its scope. Out: the claim, or why it cannot be one; every repair is noted in the ledger.
//! Deliberately not here: where findings are found.

use std::borrow::Cow;

use jury_wire::Reason;

use super::fields::{Fields, boolean, duplicates, flattened, note_name};
use super::ledger::Ledger;
use super::location::{self, InheritedPlace, location, place_in_text};
use super::synonyms::{self, AUTOFIXES, CATEGORIES, Field, OWNERS, STATUSES, Settled};
use super::{node_kinds, places, rating, scalars};
use crate::formats::settled_conflict;
use crate::model::{AutofixClass, Claim, Domain, Owner, Severity, Status, Support, Title, whole_number};
use crate::syntax::{Member, Node, Span, Value};

/// Why an object is no claim.
pub(super) type Refusal = (Reason, String);

/// Facts that the surroundings state for everything inside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Every item here is a finding.
    pub(super) is_listed: bool,
    /// It is the whole document, and no name calls it a list of findings.
    pub(super) is_loose: bool,
    /// The severity that a key or a heading gives.
    pub(super) severity: Option<Severity>,
    /// Items here are stated to be settled.
    pub(super) is_settled: bool,
    /// Items here are stated to be pre-existing.
    pub(super) is_pre_existing: bool,
    /// The reviewer.
    pub(super) reviewer: Option<Domain>,
    /// The file that a key or an object around names, for findings that name none themselves.
    pub(super) inherited: Option<InheritedPlace>,
}

/// Tells whether an object is the record of a check that found nothing: no severity, and `passed: true` or `status: pass`.
pub(super) fn is_passed_check(members: &[Member<'_>]) -> bool {
    let fields = Fields::of(members);
    fields.first(Field::Severity).is_none() && passed(&fields).is_some_and(|(_, passed)| passed)
}

/// Tells whether an object is the record of a check that failed and has a name.
pub(super) fn is_failed_check(node: &Node<'_>) -> bool {
    let Value::Object(members) = &node.value else { return false };
    let fields = Fields::of(members);
    let is_named =
        fields.text(Field::Title).or_else(|| fields.text(Field::Rule)).is_some_and(|name| !name.trim().is_empty());
    is_named && passed(&fields).is_some_and(|(_, passed)| !passed)
}

/// Returns the result that an object states for a check, and its member.
fn passed<'n, 'a>(fields: &Fields<'n, 'a>) -> Option<(&'n Member<'a>, bool)> {
    fields.all(Field::Passed).chain(fields.all(Field::Status)).find_map(|member| match &member.node.value {
        Value::Bool(passed) => Some((member, *passed)),
        Value::String(text) => match synonyms::fold_word(text).as_str() {
            "pass" | "passed" | "met" => Some((member, true)),
            "fail" | "failed" | "not met" => Some((member, false)),
            _ => None,
        },
        _ => None,
    })
}

/// Tells whether an object states a blocking or an unknown severity.
pub(super) fn states_blocking_severity(members: &[Member<'_>]) -> bool {
    match Fields::of(members).first(Field::Severity).map(|member| &member.node.value) {
        Some(Value::String(text)) => {
            scalars::severity(text).is_none_or(|(severity, _)| severity.is_at_least(Severity::High))
        }
        Some(Value::Number(text)) => !matches!(text.as_ref(), "2" | "3"),
        Some(_) => true,
        None => false,
    }
}

/// Returns the severity that a text states for itself, and the rest of the text: `[P1] x`, `src/a.ts:3 - **High**: x`,
/// `Severity: High. x`, `x (High)`.
pub(super) fn rating_of_text(text: &str) -> Option<(Severity, String)> {
    rating::rated(text).or_else(|| rating::named(text)).or_else(|| rating::closing(text))
}

/// Reads a text that stands where a finding is expected.
pub(super) fn of_text(ledger: &mut Ledger<'_>, span: Span, text: &str, scope: &Scope) -> Result<Claim, Refusal> {
    // A severity at the end of a text may be part of a remark, so the list around it counts first.
    let rated = if scope.severity.is_some() { rating::rated(text) } else { rating_of_text(text) };
    let severity =
        rated.as_ref().map(|(severity, _)| *severity).or(scope.severity).ok_or_else(|| missing("severity"))?;
    ledger.repair(Reason::SeverityFromContext, span, text, severity.word());
    let said = rated.as_ref().map_or(text, |(_, rest)| rest);
    let (_, said) = places::leading_place(said);
    let title =
        Title::new(&scalars::first_sentence(said)).map_err(|_| (Reason::Blank, "the finding is blank".to_owned()))?;
    ledger.repair(Reason::TitleFromText, span, text, title.as_str());
    let mut claim = Claim::new(title, severity);
    claim.why = Some(text.trim().to_owned());
    claim.reviewer = scope.reviewer.clone();
    claim.pre_existing = scope.is_pre_existing.then_some(true);
    claim.status = scope.is_settled.then_some(Status::Fixed);
    claim.location = match place_in_text(ledger, span, text) {
        Some(place) => Some(place),
        None => location::of_surroundings(ledger, span, None, scope.inherited.as_ref())?,
    };
    Ok(claim)
}

/// Reads an object as a finding.
pub(super) fn read(
    ledger: &mut Ledger<'_>,
    node: &Node<'_>,
    members: &[Member<'_>],
    scope: &Scope,
) -> Result<Claim, Refusal> {
    if !duplicates(members).is_empty() {
        return Err((Reason::DuplicateKey, "a name occurs twice, so its value is ambiguous".to_owned()));
    }
    let fields = Fields::of_finding(members);
    let severity = severity(ledger, node, &fields, scope)?;
    let severity = blocks(members).filter(|flagged| flagged.is_at_least(severity)).unwrap_or(severity);
    let (title, title_name) = title(ledger, &fields)?;
    let mut claim = Claim::new(title, severity);
    claim.location = match location(ledger, &fields)? {
        Some(place) => Some(place),
        None => location::elsewhere(ledger, node.span, &fields, scope.inherited.as_ref())?,
    };
    claim.confidence = confidence(ledger, &fields);
    claim.why = why(ledger, &fields, title_name);
    claim.fix = joined(ledger, &fields, Field::Fix, "suggested_fix", &[]);
    claim.evidence = evidence(ledger, &fields);
    claim.reviewer = reviewer(ledger, &fields).or_else(|| scope.reviewer.clone());
    claim.status = status(ledger, &fields, scope);
    claim.pre_existing = boolean(&fields, Field::PreExisting).or(scope.is_pre_existing.then_some(true));
    claim.requires_verification = boolean(&fields, Field::RequiresVerification);
    claim.system_breaking = boolean(&fields, Field::SystemBreaking).unwrap_or(false);
    claim.support = support(members);
    claim.category = fields.text(Field::Category).and_then(|text| synonyms::word(CATEGORIES, &text));
    claim.rule = fields.text(Field::Rule).filter(|text| !text.trim().is_empty()).map(Cow::into_owned);
    claim.cwe = cwe(&fields);
    claim.autofix = word(ledger, &fields, Field::Autofix, AUTOFIXES, AutofixClass::token);
    claim.owner = word(ledger, &fields, Field::Owner, OWNERS, Owner::token);
    Ok(claim)
}

/// Returns the severity that a flag gives to a finding: `"blocking": true`. Of two ratings the worse counts.
fn blocks(members: &[Member<'_>]) -> Option<Severity> {
    let is_set = |member: &&Member<'_>| matches!(member.node.value, Value::Bool(true));
    let flagged = members.iter().filter(is_set).filter_map(|member| match synonyms::part(&member.key) {
        Some(synonyms::Part::OfSeverity(severity)) => Some(severity),
        Some(synonyms::Part::Refused) => Some(Severity::High),
        _ => None,
    });
    flagged.filter(|severity| severity.is_at_least(Severity::High)).reduce(rating::worse)
}

/// Reads the mark of a finding that conflicts with a settled decision, which keeps it from being suppressed.
fn support(members: &[Member<'_>]) -> Option<Box<Support>> {
    let member = members.iter().find(|member| synonyms::fold_name(&member.key) == "settledconflict")?;
    let settled_conflict = Some(settled_conflict(&member.node)?);
    Some(Box::new(Support { settled_conflict, ..Support::default() }))
}

fn missing(name: &str) -> Refusal {
    (Reason::MissingField, format!("`{name}` is missing"))
}

fn severity(
    ledger: &mut Ledger<'_>,
    node: &Node<'_>,
    fields: &Fields<'_, '_>,
    scope: &Scope,
) -> Result<Severity, Refusal> {
    let is_blank = |member: &Member<'_>| matches!(&member.node.value, Value::String(text) if text.trim().is_empty());
    // Of a number and a word for the same, the word is the one that can be read.
    let is_word = |member: &&Member<'_>| match &member.node.value {
        Value::String(text) => scalars::severity(text).is_some(),
        _ => false,
    };
    let first = || fields.all(Field::Severity).find(|member| !is_blank(member));
    let word = first().filter(|member| matches!(member.node.value, Value::Number(_)) && member.key != "priority");
    let stated = word.and_then(|_| fields.all(Field::Severity).find(is_word)).or_else(first);
    if let Some(member) = stated {
        let unknown = |text: &str| (Reason::UnknownToken, format!("unknown severity {text:?}"));
        let severity = match &member.node.value {
            Value::String(text) => {
                let known = scalars::severity(text).filter(|_| !node_kinds::is_placeholder(text));
                let (severity, reason) = known.ok_or_else(|| unknown(text))?;
                if let Some(reason) = reason {
                    ledger.repair(reason, member.node.span, text, severity.word());
                }
                severity
            }
            // Priorities count from 0, the worst. A number under any other name could count either way.
            Value::Number(text) if synonyms::fold_name(&member.key) == "priority" => {
                let severity = match whole_number(text) {
                    Some(0) => Severity::Blocker,
                    Some(1) => Severity::High,
                    Some(2) => Severity::Medium,
                    Some(3) => Severity::Low,
                    _ => return Err(unknown(text)),
                };
                ledger.repair(Reason::SynonymWord, member.node.span, text, severity.word());
                severity
            }
            Value::Number(text) => return Err(unknown(text)),
            Value::Object(members) => {
                let inner = members.iter().find_map(|inner| match &inner.node.value {
                    Value::String(text) => scalars::severity(text).map(|(severity, _)| (severity, text)),
                    _ => None,
                });
                let (severity, text) = inner.ok_or_else(|| unknown(&flattened(&member.node)))?;
                ledger.repair(Reason::SynonymWord, member.node.span, text, severity.word());
                severity
            }
            _ => return Err((Reason::WrongType, format!("a severity cannot be {}", member.node.kind()))),
        };
        note_name(ledger, member, "severity");
        return Ok(severity);
    }
    if let Some((member, severity)) = fields.all(Field::Score).find_map(|member| {
        let text = match &member.node.value {
            Value::Number(text) | Value::String(text) => text,
            _ => return None,
        };
        scalars::severity_of_score(text).map(|severity| (member, severity))
    }) {
        ledger.repair(Reason::SynonymField, member.key_span, &member.key, severity.word());
        return Ok(severity);
    }
    let hint = fields.all(Field::SeverityHint).find_map(|member| match &member.node.value {
        Value::String(text) => scalars::severity(text).map(|(severity, _)| (member, severity)),
        _ => None,
    });
    if let Some((member, severity)) = hint {
        ledger.repair(Reason::SynonymField, member.key_span, &member.key, severity.word());
        return Ok(severity);
    }
    if let Some(severity) = scope.severity {
        ledger.repair(Reason::SeverityFromContext, node.span, "", severity.word());
        return Ok(severity);
    }
    if let Some((member, severity)) = severity_in_text(fields) {
        ledger.repair(Reason::SeverityFromContext, member.node.span, &flattened(&member.node), severity.word());
        return Ok(severity);
    }
    if let Some((member, false)) = passed(fields) {
        ledger.repair(Reason::SeverityFromContext, member.node.span, "a check that failed", Severity::High.word());
        return Ok(Severity::High);
    }
    Err(missing("severity"))
}

/// Finds the severity that the text of a finding starts with: `**High:** x`, `[P2] x`, `nit: x`.
pub(super) fn severity_in_text<'n, 'a>(fields: &Fields<'n, 'a>) -> Option<(&'n Member<'a>, Severity)> {
    fields.all(Field::Title).chain(fields.all(Field::Why)).find_map(|member| match &member.node.value {
        Value::String(text) => {
            let line = text.trim_start().trim_start_matches('#').lines().next()?;
            let severity = rating::rated(line).map(|(severity, _)| severity).or_else(|| rating::only(line))?;
            Some((member, severity))
        }
        _ => None,
    })
}

fn title<'n>(ledger: &mut Ledger<'_>, fields: &Fields<'n, '_>) -> Result<(Title, &'n str), Refusal> {
    let say_something =
        |member: &&Member<'_>| matches!(&member.node.value, Value::String(text) if !text.trim().is_empty());
    if let Some(member) = fields.all(Field::Title).find(say_something)
        && let Value::String(text) = &member.node.value
        && let Ok(title) = Title::new(text.trim())
        && !is_tagged(fields, text)
    {
        note_name(ledger, member, "title");
        return Ok((title, member.key.as_ref()));
    }
    let source = [Field::Title, Field::Why, Field::Fix, Field::Evidence]
        .into_iter()
        .flat_map(|field| fields.all(field))
        .map(|member| (member, flattened(&member.node)))
        .find(|(_, text)| !text.trim().is_empty());
    let (member, text) = source.ok_or_else(|| missing("title"))?;
    // The tag is the severity, not part of the title.
    let untagged =
        if is_tagged(fields, &text) { rating::leading(text.trim_start()).map(|(_, rest)| rest) } else { None };
    let title = Title::new(&scalars::first_sentence(untagged.unwrap_or(&text))).map_err(|_| missing("title"))?;
    ledger.repair(Reason::TitleFromText, member.node.span, &text, title.as_str());
    Ok((title, ""))
}

/// Tells whether a text starts with the severity of a finding that has no field for it.
fn is_tagged(fields: &Fields<'_, '_>, text: &str) -> bool {
    fields.first(Field::Severity).is_none() && rating::leading(text.trim_start()).is_some()
}

/// Joins all explanations, and the other candidates for the title.
fn why(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>, title_name: &str) -> Option<String> {
    let others: Vec<&Member<'_>> = fields.all(Field::Title).filter(|member| member.key != title_name).collect();
    joined(ledger, fields, Field::Why, "why_it_matters", &others)
}

fn joined(
    ledger: &mut Ledger<'_>,
    fields: &Fields<'_, '_>,
    field: Field,
    name: &str,
    more: &[&Member<'_>],
) -> Option<String> {
    let mut texts: Vec<String> = Vec::new();
    for member in fields.all(field).chain(more.iter().copied()) {
        let text = flattened(&member.node);
        if text.trim().is_empty() || texts.contains(&text) {
            continue;
        }
        note_name(ledger, member, name);
        if !matches!(member.node.value, Value::String(_)) {
            ledger.repair(Reason::TextFromStructure, member.node.span, member.node.kind(), &text);
        }
        texts.push(text);
    }
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

fn evidence(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>) -> Vec<String> {
    let mut evidence = Vec::new();
    for member in fields.all(Field::Evidence) {
        note_name(ledger, member, "evidence");
        match &member.node.value {
            Value::Array(items) => {
                for item in items {
                    if !matches!(item.value, Value::String(_)) {
                        ledger.repair(Reason::TextFromStructure, item.span, item.kind(), "a text");
                    }
                    evidence.push(flattened(item));
                }
            }
            _ => {
                ledger.repair(Reason::TextFromStructure, member.node.span, member.node.kind(), "a list of texts");
                evidence.push(flattened(&member.node));
            }
        }
    }
    evidence.retain(|text| !text.trim().is_empty());
    evidence
}

fn confidence(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>) -> Option<crate::model::Confidence> {
    let member = fields.first(Field::Confidence)?;
    let text = flattened(&member.node);
    // A list or an object of numbers is no confidence of this finding.
    let is_scalar = !matches!(member.node.value, Value::Array(_) | Value::Object(_));
    match scalars::confidence(&text).filter(|_| is_scalar) {
        Some((confidence, reason)) => {
            note_name(ledger, member, "confidence");
            if let Some(reason) = reason {
                ledger.repair(reason, member.node.span, &text, &confidence.percent().to_string());
            }
            Some(confidence)
        }
        None => {
            ledger.repair(Reason::ValueDropped, member.node.span, &text, "no confidence");
            None
        }
    }
}

/// Returns the name of a reviewer: a text, the persona of an object, the first of a list.
pub(super) fn reviewer_name(node: &Node<'_>) -> Option<String> {
    let text = match &node.value {
        Value::String(text) => text.split(',').next().unwrap_or(text).to_owned(),
        Value::Array(items) => return items.first().and_then(reviewer_name),
        Value::Object(_) => {
            let names = ["persona", "name", "reviewer", "agent", "id", "model"];
            return names.iter().find_map(|name| node.get(name)).and_then(reviewer_name);
        }
        _ => return None,
    };
    let bare = text.split(" (").next().unwrap_or(&text).trim().to_owned();
    (!bare.is_empty()).then_some(bare)
}

fn reviewer(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>) -> Option<Domain> {
    let member = fields.first(Field::Reviewer).or_else(|| fields.first(Field::Reviewers))?;
    let name = reviewer_name(&member.node)?;
    match Domain::new(&name) {
        Ok(domain) => {
            if !matches!(&member.node.value, Value::String(text) if text.as_ref() == name) {
                ledger.repair(Reason::TextFromStructure, member.node.span, &flattened(&member.node), domain.as_str());
            }
            Some(domain)
        }
        Err(_) => {
            ledger.repair(Reason::ValueDropped, member.node.span, &name, "no reviewer");
            None
        }
    }
}

/// Reads the status of a finding. A reviewer can state that it is fixed, never that the fix was verified.
fn status(ledger: &mut Ledger<'_>, fields: &Fields<'_, '_>, scope: &Scope) -> Option<Status> {
    if let Some(member) = fields.first(Field::Status)
        && let Value::String(text) = &member.node.value
        && let Some((settled, is_literal)) = settled(text)
    {
        return match settled {
            Settled::Open => (text == "open").then_some(Status::Open),
            Settled::Fixed | Settled::WontFix => {
                let status = if settled == Settled::Fixed { Status::Fixed } else { Status::WontFix };
                if !is_literal {
                    ledger.repair(Reason::StatusTaken, member.node.span, text, status.token());
                }
                Some(status)
            }
        };
    }
    if boolean(fields, Field::FalsePositive) == Some(true) {
        return Some(Status::WontFix);
    }
    let said = fields.all(Field::IsSettled).find(|member| matches!(member.node.value, Value::Bool(true)));
    if let Some(member) = said {
        ledger.repair(Reason::StatusTaken, member.node.span, &member.key, Status::Fixed.token());
        return Some(Status::Fixed);
    }
    scope.is_settled.then_some(Status::Fixed)
}

/// Reads a status from a text or its start; says whether it was 000's own word.
pub(super) fn settled(text: &str) -> Option<(Settled, bool)> {
    let is_literal = Status::from_token(text).is_some_and(|status| status != Status::Verified);
    let whole = synonyms::word(STATUSES, text);
    let start = || {
        let end = text.find(['—', '–', '(', '.', ',', ':', ';']).or_else(|| text.find(" - ")).unwrap_or(text.len());
        synonyms::word(STATUSES, &text[..end])
    };
    whole.or_else(start).map(|settled| (settled, is_literal))
}

fn cwe(fields: &Fields<'_, '_>) -> Vec<u32> {
    let text = fields.all(Field::Cwe).map(|member| flattened(&member.node)).collect::<Vec<_>>().join(" ");
    let mut numbers: Vec<u32> =
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).filter(|n| *n > 0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn word<T: Copy>(
    ledger: &mut Ledger<'_>,
    fields: &Fields<'_, '_>,
    field: Field,
    table: &[(T, &[&str])],
    token: fn(T) -> &'static str,
) -> Option<T> {
    let member = fields.first(field)?;
    let Value::String(text) = &member.node.value else { return None };
    match synonyms::word(table, text) {
        Some(value) => {
            if token(value) != text.as_ref() {
                ledger.repair(Reason::SynonymWord, member.node.span, text, token(value));
            }
            Some(value)
        }
        None => {
            ledger.repair(Reason::ValueDropped, member.node.span, text, "unknown");
            None
        }
    }
}
