//! The features of findings ↔ their wire types.

use jury_wire::v1::record as wire;

use super::{domain, line_from_wire, line_to_wire};
use crate::model::{Features, FindingName, FoundFeatures};
use crate::record::RecordError;

pub(super) fn found_to_wire(found: &FoundFeatures) -> wire::FoundFeatures {
    let FoundFeatures { open, others } = found;
    let list = |list: &[Features]| list.iter().map(to_wire).collect();
    wire::FoundFeatures { open: list(open), others: list(others) }
}

pub(super) fn found_from_wire(found: wire::FoundFeatures) -> Result<FoundFeatures, RecordError> {
    let wire::FoundFeatures { open, others } = found;
    let list = |list: Vec<wire::Features>| list.into_iter().map(from_wire).collect::<Result<_, _>>();
    Ok(FoundFeatures { open: list(open)?, others: list(others)? })
}

fn to_wire(features: &Features) -> wire::Features {
    let Features { names, title, quote, place } = features;
    let name = |FindingName { domain, what, cwe }: &FindingName| wire::FindingName {
        domain: domain.to_string(),
        rule_or_title: what.clone(),
        cwe: *cwe,
    };
    wire::Features {
        names: names.iter().map(name).collect(),
        title: title.clone(),
        quote: quote.clone(),
        at: place.as_ref().map(line_to_wire),
    }
}

fn from_wire(features: wire::Features) -> Result<Features, RecordError> {
    let wire::Features { names, title, quote, at } = features;
    let name = |wire::FindingName { domain: name, rule_or_title, cwe }| {
        Ok(FindingName { domain: domain("found", &name)?, what: rule_or_title, cwe })
    };
    Ok(Features {
        names: names.into_iter().map(name).collect::<Result<_, RecordError>>()?,
        title,
        quote,
        place: at.map(line_from_wire).transpose()?,
    })
}
