//! Values without a place in SARIF: the members of the property bag `jury`, both directions.
//!
//! In: the object under that key. Out: the parts of a claim that it states; they take precedence over the result's own
//! members. Only values that those cannot express exactly are written.

use jury_wire::Reason;
use serde_json::{Map, Value, json};

use super::{MOST_WEAKNESSES, member};
use crate::formats::json::token;
use crate::model::{AutofixClass, Category, Confidence, Owner, Status, Title};
use crate::syntax::{Node, Reader, Unknown};

/// The parts of a claim that stand in the bag.
#[derive(Default)]
pub(super) struct Bag {
    /// The title; then the reason is the one that stands beside it, and the message is for people only.
    pub(super) title: Option<Title>,
    pub(super) why: Option<String>,
    pub(super) confidence: Option<Confidence>,
    pub(super) category: Option<Category>,
    pub(super) cwe: Option<Vec<u32>>,
    pub(super) evidence: Option<Vec<String>>,
    pub(super) fix: Option<String>,
    pub(super) autofix: Option<AutofixClass>,
    pub(super) owner: Option<Owner>,
    pub(super) requires_verification: Option<bool>,
    pub(super) pre_existing: Option<bool>,
    pub(super) status: Option<Status>,
    pub(super) system_breaking: bool,
    /// Whether the rule id was only made up from the title.
    pub(super) has_minted_rule: bool,
}

impl Bag {
    /// Reads the bag of a result.
    pub(super) fn read<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Self> {
        let mut fields = reader.fields(node)?;
        let owned = |reader: &mut Reader<'_, 'a>, node: &Node<'a>| reader.string(node).map(str::to_owned);
        let bag = Self {
            title: member(reader, &mut fields, "title", |reader, node| {
                let text = reader.string(node)?;
                reader.expect(Reason::Blank, node.span, Title::new(text))
            }),
            why: member(reader, &mut fields, "why", owned),
            confidence: member(reader, &mut fields, "confidence", |reader, node| {
                let text = reader.number(node)?;
                reader.expect(Reason::BadConfidence, node.span, Confidence::from_fraction(text))
            }),
            category: member(reader, &mut fields, "category", |reader, node| {
                token(reader, node, Category::ALL, Category::token)
            }),
            cwe: member(reader, &mut fields, "cwe", weaknesses),
            evidence: member(reader, &mut fields, "evidence", Reader::strings),
            fix: member(reader, &mut fields, "fix", owned),
            autofix: member(reader, &mut fields, "autofixClass", |reader, node| {
                token(reader, node, AutofixClass::ALL, AutofixClass::token)
            }),
            owner: member(reader, &mut fields, "owner", |reader, node| token(reader, node, Owner::ALL, Owner::token)),
            requires_verification: member(reader, &mut fields, "requiresVerification", Reader::boolean),
            pre_existing: member(reader, &mut fields, "preExisting", Reader::boolean),
            status: member(reader, &mut fields, "status", |reader, node| {
                token(reader, node, Status::ALL, Status::token)
            }),
            system_breaking: member(reader, &mut fields, "systemBreaking", Reader::boolean).unwrap_or(false),
            has_minted_rule: member(reader, &mut fields, "mintedRule", Reader::boolean).unwrap_or(false),
        };
        fields.end(reader, Unknown::Allow).then_some(bag)
    }

    /// Writes the bag; empty if there is nothing to say.
    pub(super) fn to_map(&self) -> Map<String, Value> {
        let confidence =
            self.confidence.map(|confidence| confidence.fraction().parse::<f64>().expect("a fraction is a number"));
        let members = [
            ("mintedRule", self.has_minted_rule.then(|| json!(true))),
            ("title", self.title.as_ref().map(|title| json!(title.as_str()))),
            ("why", self.why.as_ref().map(|why| json!(why))),
            ("confidence", confidence.map(|confidence| json!(confidence))),
            ("category", self.category.map(|category| json!(category.token()))),
            ("cwe", self.cwe.as_ref().map(|cwe| json!(cwe))),
            ("evidence", self.evidence.as_ref().map(|evidence| json!(evidence))),
            ("fix", self.fix.as_ref().map(|fix| json!(fix))),
            ("autofixClass", self.autofix.map(|class| json!(class.token()))),
            ("owner", self.owner.map(|owner| json!(owner.token()))),
            ("requiresVerification", self.requires_verification.map(|required| json!(required))),
            ("preExisting", self.pre_existing.map(|pre_existing| json!(pre_existing))),
            ("status", self.status.map(|status| json!(status.token()))),
            ("systemBreaking", self.system_breaking.then(|| json!(true))),
        ];
        members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

fn weaknesses<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for node in reader.items(node)? {
        let number = reader.integer(node)?;
        let number =
            u32::try_from(number).ok().filter(|number| *number > 0).ok_or(format!("{number} is not a CWE number"));
        numbers.push(reader.expect(Reason::BadCount, node.span, number)?);
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers.truncate(MOST_WEAKNESSES);
    Some(numbers)
}
