//! Findings in tabular form: rows below a header, parallel columns, texts that hold an object each.
//!
//! In: a tree. Out: the same tree with an object for each finding, and the places that were transposed. A table whose rows do not all
//! fit its header is left alone, for its reader to reject. Deliberately not here: the meaning of the fields.

use super::lexicon::List;
use super::synonyms::{self, Field};
use crate::syntax::{Limits, Member, Node, Span, Value, json};

/// Turns every grid of a tree into objects. Returns where they stood; nothing if there is none.
pub(super) fn turned<'a>(root: &Node<'a>, limits: &Limits) -> Option<(Node<'a>, Vec<Span>)> {
    // Most trees have no grid, and are not copied for that.
    if !may_hold_grid(root) {
        return None;
    }
    let mut places = Vec::new();
    let turned = turn(root, limits, &mut places);
    (!places.is_empty()).then_some((turned, places))
}

fn may_hold_grid(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Array(items) => match items.first().map(|item| &item.value) {
            Some(Value::Array(_)) => true,
            Some(Value::String(text)) => text.trim_start().starts_with('{'),
            _ => items.iter().any(may_hold_grid),
        },
        Value::Object(members) => members.iter().any(|member| {
            let is_column = matches!(member.node.value, Value::Array(_))
                && synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::Severity);
            is_column || may_hold_grid(&member.node)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn turn<'a>(node: &Node<'a>, limits: &Limits, places: &mut Vec<Span>) -> Node<'a> {
    if let Some(objects) = rows(node).or_else(|| named_rows(node)).or_else(|| columns(node)) {
        places.push(node.span);
        return Node { span: node.span, value: Value::Array(objects) };
    }
    let value = match &node.value {
        Value::Array(items) => match encoded(items, limits) {
            Some(objects) => {
                places.push(node.span);
                Value::Array(objects)
            }
            None => Value::Array(items.iter().map(|item| turn(item, limits, places)).collect()),
        },
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|member| Member { node: turn(&member.node, limits, places), ..member.clone() })
                .collect(),
        ),
        value => value.clone(),
    };
    Node { span: node.span, value }
}

/// Tells whether names are those of the fields of a finding.
fn name_a_finding<'n>(names: impl Iterator<Item = &'n str> + Clone) -> bool {
    let has = |wanted: &[Field]| {
        names.clone().any(|name| synonyms::field(name).is_some_and(|(field, _)| wanted.contains(&field)))
    };
    has(&[Field::Severity]) && has(&[Field::Title, Field::Why])
}

/// Reads `[["severity", "title"], ["high", "x"]]`.
fn rows<'a>(node: &Node<'a>) -> Option<Vec<Node<'a>>> {
    let Value::Array(items) = &node.value else { return None };
    let (header, rows) = items.split_first()?;
    objects(header, rows)
}

/// Reads `{"columns": ["severity", "title"], "rows": [["high", "x"]]}`.
fn named_rows<'a>(node: &Node<'a>) -> Option<Vec<Node<'a>>> {
    let Value::Object(members) = &node.value else { return None };
    let find = |names: List| {
        members
            .iter()
            .find(|member| names.iter().any(|name| synonyms::fold_name(name) == synonyms::fold_name(&member.key)))
    };
    let Value::Array(rows) = &find(List::GridRows)?.node.value else { return None };
    objects(&find(List::GridHeaders)?.node, rows)
}

fn objects<'a>(header: &Node<'a>, rows: &[Node<'a>]) -> Option<Vec<Node<'a>>> {
    let Value::Array(names) = &header.value else { return None };
    let texts: Vec<_> = names
        .iter()
        .map(|name| match &name.value {
            Value::String(text) => Some((text.clone(), name.span)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    if rows.is_empty() || !name_a_finding(texts.iter().map(|(text, _)| text.as_ref())) {
        return None;
    }
    rows.iter()
        .map(|row| match &row.value {
            Value::Array(cells) if cells.len() == texts.len() => {
                let members = texts.iter().zip(cells).map(|((key, key_span), cell)| Member {
                    key: key.clone(),
                    key_span: *key_span,
                    node: cell.clone(),
                });
                Some(Node { span: row.span, value: Value::Object(members.collect()) })
            }
            _ => None,
        })
        .collect()
}

/// Reads `{"severity": ["high", "low"], "title": ["x", "y"]}`.
fn columns<'a>(node: &Node<'a>) -> Option<Vec<Node<'a>>> {
    let Value::Object(members) = &node.value else { return None };
    let cells = |member: &Member<'a>| match &member.node.value {
        Value::Array(items) if items.iter().all(|item| !matches!(item.value, Value::Array(_) | Value::Object(_))) => {
            Some(items.clone())
        }
        _ => None,
    };
    let columns: Vec<(&Member<'a>, Vec<Node<'a>>)> =
        members.iter().filter_map(|member| Some((member, cells(member)?))).collect();
    let count = columns.first()?.1.len();
    let is_even = count > 0 && columns.iter().all(|(_, cells)| cells.len() == count);
    if !is_even || !name_a_finding(columns.iter().map(|(member, _)| member.key.as_ref())) {
        return None;
    }
    let object = |at: usize| {
        let members = columns.iter().map(|(member, cells)| Member { node: cells[at].clone(), ..(*member).clone() });
        Node { span: columns[0].1[at].span, value: Value::Object(members.collect()) }
    };
    Some((0..count).map(object).collect())
}

/// Reads a list of texts each of which is a JSON object. The objects stand where their texts do.
fn encoded<'a>(items: &[Node<'a>], limits: &Limits) -> Option<Vec<Node<'a>>> {
    let object = |item: &Node<'a>| {
        let Value::String(text) = &item.value else { return None };
        if !text.trim_start().starts_with('{') {
            return None;
        }
        let (node, end) = json::parse_at(text, 0, limits).ok()?;
        text[end..].trim().is_empty().then(|| placed(&node, item.span))
    };
    (!items.is_empty()).then(|| items.iter().map(object).collect::<Option<Vec<_>>>())?
}

/// Copies a tree out of the text that it was read from, and puts all of it in one place.
fn placed<'a>(node: &Node<'_>, span: Span) -> Node<'a> {
    let owned = |text: &str| std::borrow::Cow::Owned(text.to_owned());
    let value = match &node.value {
        Value::Null => Value::Null,
        Value::Bool(value) => Value::Bool(*value),
        Value::Number(text) => Value::Number(owned(text)),
        Value::String(text) => Value::String(owned(text)),
        Value::Array(items) => Value::Array(items.iter().map(|item| placed(item, span)).collect()),
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|member| Member { key: owned(&member.key), key_span: span, node: placed(&member.node, span) })
                .collect(),
        ),
    };
    Node { span, value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Source;

    fn objects(text: &str) -> Option<usize> {
        fn count(node: &Node<'_>) -> usize {
            match &node.value {
                Value::Object(members) => {
                    usize::from(members.iter().any(|member| member.key == "severity"))
                        + members.iter().map(|member| count(&member.node)).sum::<usize>()
                }
                Value::Array(items) => items.iter().map(count).sum(),
                _ => 0,
            }
        }
        let limits = Limits::default();
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        let root = json::parse(&source, &limits).unwrap();
        turned(&root, &limits).map(|(root, _)| count(&root))
    }

    #[test]
    fn every_grid_is_an_object_for_each_finding() {
        for text in [
            r#"[["severity","title"],["high","x"],["low","y"]]"#,
            r#"{"findings":{"columns":["severity","title"],"rows":[["high","x"],["low","y"]]}}"#,
            r#"{"severity":["high","low"],"title":["x","y"],"count":2}"#,
            r#"{"findings":["{\"severity\":\"high\",\"title\":\"x\"}","{\"severity\":\"low\",\"title\":\"y\"}"]}"#,
        ] {
            assert_eq!(objects(text), Some(2), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_alone() {
        for text in [
            r#"[["severity","title"],["high"]]"#,
            r#"[["a","b"],["high","x"]]"#,
            r#"{"severity":["high","low"],"title":["x"]}"#,
            r#"{"severity":[],"title":[]}"#,
            r#"{"findings":["{\"severity\":","y"]}"#,
            r#"{"findings":[]}"#,
        ] {
            assert_eq!(objects(text), None, "{text}");
        }
    }
}
