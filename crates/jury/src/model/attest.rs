//! By which rules of the base a signed verdict counts.

use std::num::NonZeroU8;

/// By which rules of the base a signed verdict counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttestPolicy {
    /// How many keys have to sign it.
    pub threshold: NonZeroU8,
    /// Whether keys count that demand nobody's touch.
    pub software_keys: bool,
    /// Whether the answers of models count that it rests on.
    pub attested_models: bool,
}

impl Default for AttestPolicy {
    fn default() -> Self {
        Self { threshold: NonZeroU8::MIN, software_keys: false, attested_models: false }
    }
}
