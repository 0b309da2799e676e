//! A value as JSON, for people and programs.

use serde::Serialize;

/// Writes a value as JSON for people and programs.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("strings, numbers and lists are always JSON")
}
