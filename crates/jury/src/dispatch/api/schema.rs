//! The schema that a model is held to: 004's findings with the nonce, in the part of JSON Schema that all providers enforce.
//!
//! Every member is required and none other allowed, and there are no limits of length or size: strict modes refuse those. The
//! nonce is any text: a model that is made to write the right one has proved nothing by it. Deliberately not here: the check of
//! an answer, which trusts no schema.

use serde_json::{Value, json};

use crate::model::Fulfilment;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dispatch) enum Form {
    /// Findings (004).
    Findings,
    /// The answers to acceptance criteria.
    Criteria,
}

impl Form {
    /// Returns its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Findings => "findings",
            Self::Criteria => "criteria",
        }
    }

    /// Returns its schema.
    pub(super) fn schema(self) -> Value {
        match self {
            Self::Findings => findings(),
            Self::Criteria => criteria(),
        }
    }
}

fn criteria() -> Value {
    let text = || json!({"type": "string"});
    let or_null = |kind: &str| json!({"anyOf": [{"type": kind}, {"type": "null"}]});
    let answers: Vec<&str> = Fulfilment::ALL.iter().map(|answer| answer.token()).collect();
    let criterion = object(&[
        ("criterion", json!({"type": "integer"})),
        ("answer", json!({"type": "string", "enum": answers})),
        ("file", or_null("string")),
        ("line", or_null("integer")),
        ("evidence", json!({"type": "array", "items": {"type": "string"}})),
        ("why", text()),
    ]);
    object(&[("nonce", text()), ("reviewer", text()), ("criteria", json!({"type": "array", "items": criterion}))])
}

fn findings() -> Value {
    let text = || json!({"type": "string"});
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    let one_of = |words: &[&str]| json!({"type": "string", "enum": words});
    let finding = object(&[
        ("title", text()),
        ("severity", one_of(&["P0", "P1", "P2", "P3"])),
        ("file", text()),
        ("line", json!({"type": "integer"})),
        ("why_it_matters", text()),
        ("autofix_class", one_of(&["safe_auto", "gated_auto", "manual", "advisory"])),
        ("owner", one_of(&["review-fixer", "downstream-resolver", "human", "release"])),
        ("requires_verification", json!({"type": "boolean"})),
        ("suggested_fix", json!({"anyOf": [{"type": "string"}, {"type": "null"}]})),
        ("confidence", json!({"type": "integer", "enum": [0, 25, 50, 75, 100]})),
        ("evidence", texts()),
        ("pre_existing", json!({"type": "boolean"})),
    ]);
    object(&[
        ("nonce", text()),
        ("reviewer", text()),
        ("findings", json!({"type": "array", "items": finding})),
        ("residual_risks", texts()),
        ("testing_gaps", texts()),
    ])
}

fn object(members: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model is held to the published schema of 004.
    #[test]
    fn it_asks_for_all_that_004_has() {
        let published = include_str!("../../../../../schemas/findings-json.schema.json");
        let published: Value = serde_json::from_str(published).unwrap();
        let ours = findings();
        for name in published["required"].as_array().unwrap() {
            assert!(ours["required"].as_array().unwrap().contains(name), "{name}");
        }
        let finding = &ours["properties"]["findings"]["items"];
        for (name, member) in published["$defs"]["Detailed"]["properties"].as_object().unwrap() {
            assert_eq!(finding["properties"][name]["enum"], member["enum"], "{name}");
            assert!(finding["required"].as_array().unwrap().contains(&json!(name)), "{name}");
        }
    }
}
