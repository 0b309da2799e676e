//! The accounts of structured data: parts that could be claims and were not read as such, and texts that are documents themselves.
//!
//! In: a tree of JSON, YAML, TOML or the like, and the spans of its claims. Out: the unread parts and the texts to read again.
//! Deliberately not here: reading a text again (`nested`).

use super::fate::Unread;
use crate::intake::lexicon::List;
use crate::intake::synonyms::{self, Field, Part};
use crate::intake::{lexicon, node_kinds, scalars};
use crate::syntax::{Member, Node, Span, Value};

/// Trees are no deeper than the limits allow; this only keeps the walk from trusting that.
const DEEPEST: usize = 256;

/// The parts of a tree that no claim covers.
#[derive(Debug, Default)]
pub(in crate::intake) struct Structure<'n> {
    pub(in crate::intake) unread: Vec<(Span, Unread)>,
    /// Texts of several lines, or that start like a list, a heading or a document.
    pub(in crate::intake) texts: Vec<(Span, &'n str)>,
}

/// Walks a tree. `claims` are the spans of its claims, sorted.
pub(in crate::intake) fn structure<'n>(root: &'n Node<'_>, claims: &[Span]) -> Structure<'n> {
    let mut walk = Walk { claims, found: Structure::default() };
    walk.node(root, false, 0);
    walk.found
}

struct Walk<'c, 'n> {
    claims: &'c [Span],
    found: Structure<'n>,
}

impl<'n> Walk<'_, 'n> {
    fn is_claim(&self, span: Span) -> bool {
        let next = self.claims.partition_point(|claim| claim.start <= span.start);
        self.claims[..next].iter().rev().take(4).any(|claim| span.end <= claim.end)
    }

    fn holds_claim(&self, span: Span) -> bool {
        let next = self.claims.partition_point(|claim| claim.start < span.start);
        self.claims.get(next).is_some_and(|claim| claim.start < span.end)
    }

    /// Visits a node. In an aside, only texts that are documents count.
    fn node(&mut self, node: &'n Node<'_>, is_aside: bool, depth: usize) {
        if depth > DEEPEST || self.is_claim(node.span) {
            return;
        }
        match &node.value {
            Value::String(text) if is_document(text) => self.found.texts.push((node.span, text)),
            Value::Object(members) => {
                self.found.unread.extend(uncounted(members).map(|member| (member.node.span, Unread::UnknownMark)));
                if !is_aside && !self.holds_claim(node.span) && is_claim_shaped(members) {
                    return self.found.unread.push((node.span, Unread::Place));
                }
                members.iter().for_each(|member| self.member(member, is_aside, depth));
            }
            Value::Array(items) => {
                let has_claims = items.iter().any(|item| self.holds_claim(item.span));
                for item in items {
                    let is_beside = has_claims && !is_aside && !self.holds_claim(item.span) && is_unknown_pair(item);
                    if is_beside {
                        self.found.unread.push((item.span, Unread::UnknownMark));
                    } else {
                        self.node(item, is_aside, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, member: &'n Member<'_>, is_aside: bool, depth: usize) {
        let part = synonyms::part(&member.key);
        let field = synonyms::field(&member.key).map(|(field, _)| field);
        if field == Some(Field::Evidence) || quotes_code(&member.key) {
            return;
        }
        let name = member.key.replace(['_', '-'], " ");
        let is_named = part.is_some() || lexicon::name(&spaced(&name)).is_some();
        let is_unknown = !is_named && field.is_none() && !is_aside;
        if let Value::Array(items) = &member.node.value
            && is_unknown
            && !self.holds_claim(member.node.span)
            && let Some(item) = items.iter().find(|item| is_statement(item))
        {
            self.found.unread.push((item.span, Unread::UnknownMark));
        }
        let is_read = matches!(part, Some(Part::Findings | Part::OfSeverity(_)));
        self.node(&member.node, is_aside || is_named && !is_read, depth + 1);
    }
}

/// Splits a name in camel case into words.
fn spaced(name: &str) -> String {
    let mut spaced = String::new();
    for c in name.chars() {
        if c.is_uppercase() && spaced.ends_with(|c: char| c.is_lowercase()) {
            spaced.push(' ');
        }
        spaced.extend(c.to_lowercase());
    }
    spaced
}

/// Tells whether a member quotes code or the input of the review.
fn quotes_code(key: &str) -> bool {
    let key = synonyms::fold_word(key);
    key.split(' ').any(|part| List::QuotedMembers.has(part))
}

/// Returns the members that count something unknown in an object of which another member counts findings of a severity.
fn uncounted<'n, 'a>(members: &'n [Member<'a>]) -> impl Iterator<Item = &'n Member<'a>> {
    let is_number = |member: &&Member<'_>| matches!(member.node.value, Value::Number(_));
    let is_of_severity = |member: &Member<'_>| matches!(synonyms::part(&member.key), Some(Part::OfSeverity(_)));
    let is_tally =
        members.len() > 1 && members.iter().all(|member| is_number(&member)) && members.iter().any(is_of_severity);
    let is_some = |member: &&Member<'_>| matches!(&member.node.value, Value::Number(number) if !number.trim_matches(['0', '.']).is_empty());
    let is_unknown = |member: &&Member<'_>| {
        let name = spaced(&member.key.replace(['_', '-'], " "));
        synonyms::part(&member.key).is_none()
            && synonyms::field(&member.key).is_none()
            && lexicon::name(&name).is_none()
            && scalars::severity(&name).is_none()
    };
    members.iter().filter(move |member| is_tally && is_some(member) && is_unknown(member))
}

/// Tells whether an object has a text and a file, as a finding has.
fn is_claim_shaped(members: &[Member<'_>]) -> bool {
    let has = |wanted: &[Field]| {
        members.iter().any(|member| {
            let is_text = |text: &str| text.split_whitespace().count() > 2 || !wanted.contains(&Field::Why);
            matches!(&member.node.value, Value::String(text) if is_text(text))
                && synonyms::field(&member.key).is_some_and(|(field, _)| wanted.contains(&field))
        })
    };
    has(&[Field::Title, Field::Why])
        && node_kinds::names_place(members)
        && !members.iter().any(|member| {
            matches!(synonyms::field(&member.key), Some((Field::Status | Field::Passed | Field::IsSettled, _)))
        })
}

/// Tells whether an item of a list is one pair of an unknown name and a sentence: `MUST: fix the lock`.
fn is_unknown_pair(item: &Node<'_>) -> bool {
    let Value::Object(members) = &item.value else { return false };
    let [member] = members.as_slice() else { return false };
    let is_unknown = synonyms::part(&member.key).is_none() && synonyms::field(&member.key).is_none();
    is_unknown
        && matches!(&member.node.value, Value::String(text) if text.split_whitespace().count() > 1 && !node_kinds::says_none(text))
}

/// Tells whether an item of a list states something: a sentence, and not only places.
fn is_statement(item: &Node<'_>) -> bool {
    match &item.value {
        Value::String(text) => {
            let is_place = scalars::split_place(text).is_some_and(|place| place.rest.is_none());
            text.split_whitespace().count() > 2 && !is_place && !node_kinds::says_none(text)
        }
        Value::Object(members) => is_claim_shaped(members),
        _ => false,
    }
}

/// Tells whether a text is a document of its own.
fn is_document(text: &str) -> bool {
    let bare = text.trim();
    let starts = |marks: &[&str]| marks.iter().any(|mark| bare.starts_with(mark));
    bare.len() > 10 && (bare.contains('\n') || starts(&["- ", "* ", "# ", "## ", "### ", "{", "[{", "1. ", "**[", "["]))
}
