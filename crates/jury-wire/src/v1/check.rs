//! Output of `jury check --format json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The whole output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// One entry for each file, in the order given.
    pub files: Vec<File>,
}

/// The format of one file and whether it conforms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// The path as it was given; `-` for standard input.
    pub path: String,
    /// The id of the format it was read as; null if it was not recognised.
    pub format: Option<String>,
    /// Whether it conforms to that format in every point.
    pub conforming: bool,
    /// Whether it is accepted: it conforms or, without `--strict`, all of it was understood with repairs that leave no doubt.
    pub accepted: bool,
    /// The verdict it states, in its own words; null if it states none that can be relied upon.
    pub verdict: Option<String>,
    /// How sure the reviewer is of the report as a whole (`high`, `med` or `low`); null if it does not say.
    pub confidence: Option<String>,
    /// How many findings were understood.
    pub findings: usize,
    /// How many findings were present and could not be relied upon.
    pub rejected: usize,
    /// Every point in which it does not conform, in the order of the document.
    pub deviations: Vec<Deviation>,
    /// Remarks on a conforming file.
    pub notes: Vec<Deviation>,
    /// Its reading with repairs; absent if it conforms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Taken>,
}

/// The reading of a file that does not conform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Taken {
    /// The id of the format, or the word for the dialect, that it was taken as.
    pub dialect: String,
    /// The envelopes of agent programs that were taken off, outermost first.
    pub envelopes: Vec<String>,
    /// How many findings are there: those understood and those rejected.
    pub present: usize,
    /// How many of them were understood.
    pub findings: usize,
    /// Every finding that was there and cannot be relied upon.
    pub rejected: Vec<super::merge::Rejected>,
    /// Every liberty that was taken.
    pub repairs: Vec<super::merge::Repair>,
    /// The gaps; never empty if something was not understood.
    pub gaps: Vec<Deviation>,
}

/// One remark and its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Deviation {
    /// The stable reason code.
    pub code: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The value found and the value expected.
    pub message: String,
    /// How to mend it.
    pub help: String,
}
