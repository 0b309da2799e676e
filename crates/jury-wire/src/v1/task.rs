//! 001's loop driver: what `jury task` keeps beside the verdict files of a task, and what it prints for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `.jury-task.json` in the folder of a task: who has to report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started {
    /// The version of this file.
    pub version: u64,
    /// The roles that have to report.
    pub expected: Vec<String>,
    /// The roles that were not enabled for this change.
    pub skipped: Vec<String>,
}

/// `.jury-run-<role>.json` in the folder of a task: how the run of one reviewer went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The version of this file.
    pub version: u64,
    /// Whether it has ended; if its driver was killed, it never will.
    pub ended: bool,
    /// What was asked for and not obtained.
    pub gaps: Vec<Gap>,
}

/// Something that was asked for and not obtained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// What kind of gap it is.
    #[schemars(extend("enum" = ["dead-reviewer", "unreadable-output", "uncovered-hunk", "unknown-state"]))]
    pub kind: String,
    /// What is missing.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its id.
    pub task: String,
    /// What 001's aggregation gives.
    #[schemars(extend("enum" = ["pass", "fail", "warn"]))]
    pub gate: String,
    /// What it comes to, and so the exit code.
    #[schemars(extend("enum" = ["clear", "blocked", "incomplete"]))]
    pub outcome: String,
    /// Every role that is expected, was skipped or has reported, sorted.
    pub roles: Vec<Role>,
    /// What is not obtained and belongs to no role.
    pub gaps: Vec<Gap>,
    /// The blockers of all failing reviewers, for the implementer.
    pub blockers: Vec<Blocker>,
    /// Names in the folder that are nobody's verdict.
    pub others: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// The path of the summary; null if it was not written.
    pub summary: Option<String>,
}

/// How one role stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Role {
    /// The role.
    pub role: String,
    /// Whether it has to report.
    pub expected: bool,
    /// How far it is.
    #[schemars(extend("enum" = ["reported", "running", "missing", "skipped"]))]
    pub state: String,
    /// Its verdict as it was understood; null without one.
    #[schemars(extend("enum" = ["pass", "fail", "warn", null]))]
    pub verdict: Option<String>,
    /// How sure it is; null if it does not say.
    #[schemars(extend("enum" = ["high", "med", "low", null]))]
    pub confidence: Option<String>,
    /// The name of its verdict file; null without one.
    pub file: Option<String>,
    /// What closes the gate.
    pub blockers: Vec<String>,
    /// What else it says.
    pub advisories: Vec<String>,
    /// Where its longer report is; null if it names none.
    pub evidence: Option<String>,
    /// What was not obtained of it. While there is any, the gate is closed.
    pub gaps: Vec<Gap>,
}

/// A blocker, and everybody who states it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blocker {
    /// What it says, with its place.
    pub text: String,
    /// Who says so.
    pub roles: Vec<String>,
}

/// What `jury task watch --format json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Watched {
    /// The tasks that were watched, sorted by their ids.
    pub tasks: Vec<Task>,
}
