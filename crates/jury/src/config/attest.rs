//! `[attest]` of `jury.toml`: by which rules a signed verdict counts. In: the table. Out: the policy, and its settings for `jury config`.

use std::num::NonZeroU8;

use serde::Deserialize;
use toml::Value;

use crate::model::AttestPolicy;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    threshold: Option<NonZeroU8>,
    software_keys: Option<bool>,
    attested_models: Option<bool>,
}

impl Table {
    pub(super) fn policy(self) -> AttestPolicy {
        let default = AttestPolicy::default();
        AttestPolicy {
            threshold: self.threshold.unwrap_or(default.threshold),
            software_keys: self.software_keys.unwrap_or(default.software_keys),
            attested_models: self.attested_models.unwrap_or(default.attested_models),
        }
    }
}

/// Lists the settings.
pub(super) fn settings(policy: &AttestPolicy) -> [(&'static str, Value); 3] {
    let AttestPolicy { threshold, software_keys, attested_models } = policy;
    [
        ("attest.threshold", Value::from(i64::from(threshold.get()))),
        ("attest.software_keys", Value::from(*software_keys)),
        ("attest.attested_models", Value::from(*attested_models)),
    ]
}
