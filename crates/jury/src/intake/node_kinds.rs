//! Kinds of nodes, recognised before they are read: a report, a finding, counts.
//!
//! In: a tree, or a part of one. Out: its likely kind, by the names in it. Deliberately not here: reading it (`dialect`).

use super::fields::Fields;
use super::finding::{self, severity_in_text};
use super::location::InheritedPlace;
use super::synonyms::{self, Field, Part};
use super::{no_findings, places, scalars};
use crate::syntax::{Member, Node, Span, Value};

/// Tells whether a tree is a JSON Schema, which describes reports and is none.
pub(super) fn is_schema(node: &Node<'_>) -> bool {
    let is_object = |name: &str| matches!(node.get(name), Some(inner) if matches!(inner.value, Value::Object(_)));
    let is_text = |name: &str| matches!(node.get(name), Some(inner) if matches!(inner.value, Value::String(_)));
    is_object("properties") && (is_text("$schema") || is_text("type"))
        || is_text("$schema") && (is_object("$defs") || is_object("definitions"))
}

/// Makes the spans of lists and objects cover their content: a YAML block knows only its start.
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

/// Returns the meaning of a member of a report. A list of objects with the name of some kind of findings is one of findings; an empty one says
/// nothing of the other kinds.
pub(super) fn part(member: &Member<'_>) -> Option<Part> {
    let is_list = match &member.node.value {
        Value::Array(items) => !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Object(_))),
        _ => false,
    };
    let of_kind = || (is_list && synonyms::lists_findings(&member.key)).then_some(Part::Findings);
    synonyms::part(&member.key).or_else(of_kind)
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
                part(member),
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
    let is_placed = || has(&[Field::File, Field::Place, Field::Line]) || has_places(members);
    let says_place = || {
        let texts = members.iter().filter_map(|member| match &member.node.value {
            Value::String(text) => Some(text.as_ref()),
            _ => None,
        });
        texts.filter_map(places::marked_place).any(|place| place.lines.is_some())
    };
    let is_rated = has(&[Field::Severity])
        || is_placed() && has(&[Field::Title, Field::Why]) && hinted_severity(members)
        || severity_in_text(&Fields::of(members)).is_some() && (is_placed() || says_place());
    is_rated
        && has(&[
            Field::Title,
            Field::Why,
            Field::File,
            Field::Place,
            Field::Places,
            Field::Fix,
            Field::Evidence,
            Field::Line,
        ])
}

/// Tells whether an object names a place: in a member for that, or as a file and a line under any other name.
pub(super) fn names_place(members: &[Member<'_>]) -> bool {
    members.iter().any(|member| {
        let Value::String(text) = &member.node.value else { return false };
        match synonyms::field(&member.key) {
            Some((Field::File | Field::Place, _)) => true,
            Some((Field::Evidence, _)) => false,
            _ => scalars::split_place(text).is_some_and(|place| place.lines.is_some() && place.rest.is_none()),
        }
    })
}

fn has_places(members: &[Member<'_>]) -> bool {
    members.iter().any(|member| {
        let is_list = matches!(&member.node.value, Value::Array(items) if !items.is_empty());
        is_list && synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::Places)
    })
}

/// Returns the one object in a record that is a finding, where the record says nothing itself: `{"reason": "message", "message": {…}}`.
pub(super) fn wrapped_finding<'n, 'a>(members: &'n [Member<'a>]) -> Option<&'n Node<'a>> {
    let mut inner = members
        .iter()
        .filter(|member| matches!(member.node.value, Value::Object(_)) && synonyms::part(&member.key).is_none());
    let first = inner.by_ref().find(|member| looks_like_finding(&member.node))?;
    let says_something = members.iter().any(|member| {
        let is_text = matches!(&member.node.value, Value::String(text) if text.trim().contains(char::is_whitespace));
        is_text && synonyms::field(&member.key).is_some_and(|(field, _)| matches!(field, Field::Title | Field::Why))
    });
    (!says_something && !inner.any(|member| looks_like_finding(&member.node))).then_some(&first.node)
}

/// Tells whether an object has a level or a kind that is the word of a severity: `"level": "warning"`.
fn hinted_severity(members: &[Member<'_>]) -> bool {
    members.iter().any(|member| {
        let is_hint = synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::SeverityHint);
        matches!(&member.node.value, Value::String(text) if is_hint && scalars::severity(text).is_some())
    })
}

/// Tells whether a finding stands anywhere in a tree.
pub(super) fn holds_finding(node: &Node<'_>) -> bool {
    looks_like_finding(node)
        || match &node.value {
            Value::Array(items) => items.iter().any(holds_finding),
            Value::Object(members) => members.iter().any(|member| holds_finding(&member.node)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
}

/// Tells whether an object is nothing but numbers, flags and single words that rate nothing: it counts something, and says nothing.
pub(super) fn is_tally(node: &Node<'_>) -> bool {
    let Value::Object(members) = &node.value else { return false };
    let says_nothing = |member: &Member<'_>| match &member.node.value {
        Value::Number(_) | Value::Bool(_) | Value::Null => true,
        Value::String(text) => !text.contains(char::is_whitespace) && scalars::severity(text).is_none(),
        Value::Array(_) | Value::Object(_) => false,
    };
    let is_of_finding = |member: &Member<'_>| {
        synonyms::field(&member.key).is_some_and(|(field, _)| {
            matches!(field, Field::Title | Field::Why | Field::Severity | Field::File | Field::Line)
        })
    };
    !members.is_empty() && members.iter().all(|member| says_nothing(member) && !is_of_finding(member))
}

/// Finds a node with a file and a line, like a finding, outside of settled or positive parts.
pub(super) fn described(node: &Node<'_>) -> Option<Span> {
    match &node.value {
        Value::Array(items) => items.iter().find_map(described),
        Value::Object(members) => {
            let fields = Fields::of(members);
            let has = |field: Field| fields.text(field).is_some();
            let is_described = (has(Field::Title) || has(Field::Why)) && has(Field::File) && has(Field::Line);
            let is_meant = |member: &&Member<'_>| {
                !matches!(synonyms::part(&member.key), Some(Part::Settled | Part::Praise | Part::PreExisting))
            };
            let inside = || members.iter().filter(is_meant).find_map(|member| described(&member.node));
            if is_described { Some(node.span) } else { inside() }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Tells whether an object only groups findings: it says nothing itself, and holds objects or lists under names of its own.
pub(super) fn is_group(members: &[Member<'_>]) -> bool {
    let says_something = members.iter().any(|member| {
        let is_text = matches!(member.node.value, Value::String(_) | Value::Number(_));
        is_text
            && synonyms::field(&member.key)
                .is_some_and(|(field, _)| matches!(field, Field::Title | Field::Why | Field::Severity))
    });
    let holds = |node: &Node<'_>| match &node.value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => items.iter().any(|item| matches!(item.value, Value::Object(_))),
        _ => false,
    };
    // A place or a fix is an object of a finding's own.
    let holds_findings =
        |node: &Node<'_>| matches!(&node.value, Value::Array(items) if items.iter().any(looks_like_finding));
    let is_own = |member: &Member<'_>| {
        synonyms::field(&member.key).is_some_and(|(field, _)| field != Field::Title) && !holds_findings(&member.node)
    };
    !says_something && members.iter().any(|member| holds(&member.node) && !is_own(member))
}

/// Tells whether an object is a finding but for its severity, which its surroundings give.
pub(super) fn is_unrated_finding(members: &[Member<'_>]) -> bool {
    let has = |wanted: &[Field]| {
        members.iter().any(|member| {
            matches!(member.node.value, Value::String(_) | Value::Number(_))
                && synonyms::field(&member.key).is_some_and(|(field, _)| wanted.contains(&field))
        })
    };
    has(&[Field::Title, Field::Why]) && has(&[Field::File, Field::Place, Field::Line, Field::Fix, Field::Evidence])
}

/// Tells whether an item of a list has nothing at all that a finding has.
pub(super) fn is_other_record(node: &Node<'_>) -> bool {
    let Value::Object(members) = &node.value else { return false };
    let is_of_finding = |member: &Member<'_>| {
        let is_word = matches!(&member.node.value, Value::String(text) if !text.trim().contains(char::is_whitespace));
        synonyms::field(&member.key).is_some_and(|(field, _)| match field {
            // One word names the kind of a record, and describes nothing.
            Field::Why => !is_word,
            Field::Title
            | Field::Severity
            | Field::File
            | Field::Place
            | Field::Fix
            | Field::Evidence
            | Field::Line => !matches!(member.node.value, Value::Object(_)),
            _ => false,
        })
    };
    let is_nested = |member: &Member<'_>| {
        matches!(member.node.value, Value::Array(_) | Value::Object(_)) && says_something(&member.node)
    };
    !members.is_empty() && !members.iter().any(|member| is_of_finding(member) || is_nested(member))
}

/// Tells whether a tree has a text of several words, or the word of a severity.
fn says_something(node: &Node<'_>) -> bool {
    match &node.value {
        Value::String(text) => text.split_whitespace().count() > 3 || scalars::severity(text).is_some(),
        Value::Array(items) => items.iter().any(says_something),
        Value::Object(members) => members.iter().any(|member| says_something(&member.node)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Reads the name of a member as the place that everything below it is in.
pub(super) fn place_in_name(name: &str) -> Option<InheritedPlace> {
    let place =
        scalars::split_place(name).filter(|place| place.rest.is_none() && places::is_surely_a_file(place.file))?;
    // `auth/session` is a category as well as a folder.
    let is_file = |file: &&str| file.contains('.') || places::is_surely_a_file(file);
    place.file.rsplit('/').next().filter(is_file)?;
    Some(InheritedPlace { file: place.file.to_owned(), lines: place.lines.map(str::to_owned) })
}

/// Returns the file that an object names beside the findings that it holds.
pub(super) fn place_of(members: &[Member<'_>]) -> Option<InheritedPlace> {
    let text = |wanted: Field| {
        members.iter().find_map(|member| match (&member.node.value, synonyms::field(&member.key)) {
            (Value::String(text) | Value::Number(text), Some((field, _))) if field == wanted => Some(text.as_ref()),
            _ => None,
        })
    };
    // A target or a component may be anything; it is a file if its name ends like one.
    let is_file = |inherited: &InheritedPlace| inherited.file.rsplit('/').next().is_some_and(places::is_surely_a_file);
    let inherited = match text(Field::File) {
        Some(file) => place_in_name(file)?,
        None => {
            let named = [Field::Place, Field::Title].into_iter().filter_map(text).find_map(place_in_name);
            named.filter(is_file)?
        }
    };
    let lines = inherited.lines.clone().or_else(|| text(Field::Line).map(str::to_owned));
    Some(InheritedPlace { lines, ..inherited })
}

/// Tells whether a name is a number.
pub(super) fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit())
}

/// Tells whether a tree is findings and nothing else: one, or a list of them.
pub(super) fn is_part(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Object(_) => looks_like_finding(node) && !is_report(node),
        Value::Array(items) => !items.is_empty() && items.iter().all(is_part),
        _ => false,
    }
}

/// Tells whether a tree is the example of a schema: all that should be severities are choices or names in angle brackets.
pub(super) fn is_example(node: &Node<'_>) -> bool {
    let (placeholders, stated) = placeholders(node);
    placeholders > 0 && placeholders == stated
}

/// Counts the severities of a tree that are none, and all of them.
fn placeholders(node: &Node<'_>) -> (usize, usize) {
    let sum = |one: (usize, usize), other: (usize, usize)| (one.0 + other.0, one.1 + other.1);
    match &node.value {
        Value::Array(items) => items.iter().map(placeholders).fold((0, 0), sum),
        Value::Object(members) => members
            .iter()
            .map(|member| {
                let is_severity = synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::Severity);
                match &member.node.value {
                    Value::String(text) if is_severity => (usize::from(is_placeholder(text)), 1),
                    _ => placeholders(&member.node),
                }
            })
            .fold((0, 0), sum),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (0, 0),
    }
}

/// Tells whether a text stands for a severity and is none: `critical|high|low`, `<severity>`, `...`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let inside = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let choices = inside.unwrap_or(text).split('|').filter(|word| scalars::severity(word).is_some()).count();
    // `<b>critical</b>` is a severity with a tag around it.
    let is_named = || text.split(|c: char| !c.is_alphanumeric()).any(|word| scalars::severity(word).is_some());
    choices > 2 || inside.is_some() && (choices > 1 || !is_named()) || text == "..." || text == "…"
}

pub(super) fn is_count(member: &Member<'_>) -> bool {
    matches!(member.node.value, Value::Number(_)) && matches!(synonyms::part(&member.key), Some(Part::OfSeverity(_)))
}

/// Tells whether a text says in so many words that there is nothing.
pub(super) fn says_none(text: &str) -> bool {
    let folded = synonyms::fold_word(text);
    // A sentence may deny findings, too: `None from a design perspective.`
    if folded.contains(' ') && no_findings::says_none(text) {
        return !no_findings::is_of_some_severities(text);
    }
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

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn what_stands_for_a_severity_is_told_from_one() {
        for text in ["critical|high|low", "<severity>", "<critical|high>", "<critical|high|medium|low>", "...", "…"] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["critical", "<b>critical</b>", "<critical>", "high|critical", ""] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
