//! `[people]` of `jury.toml`: the number of people that an acceptance needs. In: the table. Out: the policy, and its settings for `jury config`.

use std::num::NonZeroU8;

use serde::Deserialize;
use toml::Value;

use crate::model::{NamedApprover, PeoplePolicy};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    gaps: Option<NonZeroU8>,
    integrity: Option<NonZeroU8>,
    high: Option<NonZeroU8>,
    blocker: Option<NonZeroU8>,
    not_author: Option<bool>,
    software_keys: Option<bool>,
    unsigned: Option<bool>,
    approvers: Option<Vec<String>>,
}

impl Table {
    pub(super) fn policy(self) -> PeoplePolicy {
        let default = PeoplePolicy::default();
        PeoplePolicy {
            gaps: self.gaps.unwrap_or(default.gaps),
            integrity: self.integrity.unwrap_or(default.integrity),
            high: self.high.unwrap_or(default.high),
            blocker: self.blocker.unwrap_or(default.blocker),
            not_author: self.not_author.unwrap_or(default.not_author),
            software_keys: self.software_keys.unwrap_or(default.software_keys),
            unsigned: self.unsigned.unwrap_or(default.unsigned),
            approvers: self.approvers.iter().flatten().map(|name| NamedApprover::parse(name)).collect(),
        }
    }
}

/// Lists the settings.
pub(super) fn settings(policy: &PeoplePolicy) -> [(&'static str, Value); 8] {
    let PeoplePolicy { gaps, integrity, high, blocker, not_author, software_keys, unsigned, approvers } = policy;
    let number = |number: &NonZeroU8| Value::from(i64::from(number.get()));
    [
        ("people.gaps", number(gaps)),
        ("people.integrity", number(integrity)),
        ("people.high", number(high)),
        ("people.blocker", number(blocker)),
        ("people.not_author", Value::from(*not_author)),
        ("people.software_keys", Value::from(*software_keys)),
        ("people.unsigned", Value::from(*unsigned)),
        ("people.approvers", Value::from(approvers.iter().map(NamedApprover::name).collect::<Vec<_>>())),
    ]
}
