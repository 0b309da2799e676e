//! Output of `jury formats --format json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The whole output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Every format, in the order in which a document is tried against them.
    pub formats: Vec<Format>,
}

/// One format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Format {
    /// The id on the command line.
    pub id: String,
    /// The contract it comes from.
    pub seed: String,
    /// Whether it can be read.
    pub read: bool,
    /// Whether it can be written.
    pub write: bool,
    /// The usual ending of its files, without the dot.
    pub extension: String,
    /// Its description in one line.
    pub what: String,
}
