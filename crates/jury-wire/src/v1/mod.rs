//! Version 1 of every JSON contract.

pub mod attestation;
pub mod check;
pub mod code_quality;
pub mod code_review;
pub mod config;
pub mod contest;
pub mod findings;
pub mod formats;
pub mod merge;
pub mod people;
pub mod rdformat;
pub mod record;
pub mod review;
pub mod rules;
pub mod sarif;
pub mod surface;
pub mod task;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected};

/// Reads a whole number however JSON spells it: `7.0` is an integer to JSON Schema, though not to serde.
fn whole<'de, D: Deserializer<'de>, N: TryFrom<u64>>(deserializer: D) -> Result<N, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    // Every whole double below 2^53 is exact, and no count or line comes near that.
    let exact = |float: &f64| float.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(float);
    let whole = number.as_u64().or_else(|| number.as_f64().filter(exact).map(|float| float as u64));
    whole.and_then(|whole| N::try_from(whole).ok()).ok_or_else(|| {
        D::Error::invalid_value(Unexpected::Other(&number.to_string()), &"a whole number that is not negative")
    })
}
