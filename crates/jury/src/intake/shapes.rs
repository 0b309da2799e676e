//! What a tree looks like before it is read: a report, a finding, counts.
//!
//! In: a tree, or a part of one. Out: what it could be, by the names in it. Deliberately not here: what it says (`drift`).

use super::finding;
use super::synonyms::{self, Field, Part};
use crate::syntax::{Member, Node, Span, Value};

/// Makes the places of lists and objects cover what they hold: a YAML block knows only where it starts.
pub(super) fn widen(node: &mut Node<'_>) -> Span {
    let mut whole = node.span;
    let mut cover = |span: Span| {
        whole = Span::new(whole.start.min(span.start), whole.end.max(span.end));
    };
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| cover(widen(item))),
        Value::Object(members) => members.iter_mut().for_each(|member| {
            cover(member.key_span);
            cover(widen(&mut member.node));
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    node.span = whole;
    whole
}

/// Tells whether a tree could be a report: it states a verdict or counts, or findings stand anywhere in it.
pub(super) fn is_report_like(node: &Node<'_>) -> bool {
    is_report(node) || looks_like_finding(node) || has_verdict_or_counts(node) || {
        match &node.value {
            Value::Array(items) => items.iter().any(is_report_like),
            Value::Object(members) => members.iter().any(|member| is_report_like(&member.node)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
    }
}

pub(super) fn has_verdict_or_counts(node: &Node<'_>) -> bool {
    let Value::Object(members) = &node.value else { return false };
    let has = |wanted: fn(Part) -> bool| members.iter().any(|member| synonyms::part(&member.key).is_some_and(wanted));
    let counts = members.iter().filter(|member| is_count(member)).count();
    has(|part| part == Part::Verdict) || counts > 1
}

/// Tells whether an object holds findings.
pub(super) fn is_report(node: &Node<'_>) -> bool {
    let Value::Object(members) = &node.value else { return false };
    members.iter().any(|member| {
        let holds = matches!(member.node.value, Value::Array(_) | Value::Object(_));
        holds
            && matches!(
                synonyms::part(&member.key),
                Some(Part::Findings | Part::ResidualRisks | Part::TestingGaps | Part::OfSeverity(_))
            )
    })
}

/// Tells whether reports name reviewers, each another one, so that they need not say the same.
pub(super) fn name_different_reviewers(nodes: &[Node<'_>]) -> bool {
    let name = |node: &Node<'_>| {
        let Value::Object(members) = &node.value else { return None };
        let member = members.iter().find(|member| synonyms::part(&member.key) == Some(Part::Reviewer))?;
        finding::reviewer_name(&member.node)
    };
    let mut names: Vec<Option<String>> = nodes.iter().map(name).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    names.len() == all && names.iter().all(Option::is_some)
}

/// Tells whether a report stands anywhere below a node.
pub(super) fn holds_report(node: &Node<'_>, depth: usize) -> bool {
    depth < 8
        && match &node.value {
            Value::Object(members) => {
                is_report(node) || members.iter().any(|member| holds_report(&member.node, depth + 1))
            }
            _ => false,
        }
}

pub(super) fn looks_like_finding(node: &Node<'_>) -> bool {
    let Value::Object(members) = &node.value else { return false };
    let has = |wanted: &[Field]| {
        members.iter().any(|member| {
            !matches!(member.node.value, Value::Null)
                && synonyms::field(&member.key).is_some_and(|(field, _)| wanted.contains(&field))
        })
    };
    has(&[Field::Severity])
        && has(&[Field::Title, Field::Why, Field::File, Field::Place, Field::Places, Field::Fix, Field::Evidence])
}

pub(super) fn is_count(member: &Member<'_>) -> bool {
    matches!(member.node.value, Value::Number(_)) && matches!(synonyms::part(&member.key), Some(Part::OfSeverity(_)))
}

/// Tells whether a text says in so many words that there is nothing.
pub(super) fn says_none(text: &str) -> bool {
    let folded = synonyms::fold_word(text);
    let plain = [
        "none",
        "no findings",
        "no issues",
        "no issues found",
        "no findings found",
        "nothing",
        "none found",
        "n/a",
        "no problems found",
    ];
    plain.contains(&folded.as_str())
}
