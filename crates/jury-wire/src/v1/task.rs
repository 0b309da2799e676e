//! 001's loop driver: the files of `jury task` next to the verdict files of a task, and its output for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `.jury-task.json` in the folder of a task: the roles that have to report.
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
    /// Gaps.
    pub gaps: Vec<Gap>,
}

/// Something that was asked for and not obtained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The kind of gap.
    #[schemars(extend("enum" = ["dead-reviewer", "unreadable-output", "uncovered-hunk", "unknown-state"]))]
    pub kind: String,
    /// The missing part.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its id.
    pub task: String,
    /// The gate by 001's aggregation.
    #[schemars(extend("enum" = ["pass", "fail", "warn"]))]
    pub gate: String,
    /// The outcome, and so the exit code.
    #[schemars(extend("enum" = ["clear", "blocked", "incomplete"]))]
    pub outcome: String,
    /// Every role that is expected, was skipped or has reported, sorted.
    pub roles: Vec<Role>,
    /// Gaps that belong to no role.
    pub gaps: Vec<Gap>,
    /// The blockers of all failing reviewers, for the implementer.
    pub blockers: Vec<Blocker>,
    /// Files in the folder that are no role's verdict.
    pub others: Vec<String>,
    /// Notes for a person.
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
    /// Claims that close the gate.
    pub blockers: Vec<String>,
    /// The other claims.
    pub advisories: Vec<String>,
    /// Where its longer report is; null if it names none.
    pub evidence: Option<String>,
    /// Its gaps. While there is any, the gate is closed.
    pub gaps: Vec<Gap>,
}

/// A blocker, and the roles that state it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blocker {
    /// Its text, with its place.
    pub text: String,
    /// Its reviewers.
    pub roles: Vec<String>,
}

/// Output of `jury task watch --format json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Watched {
    /// The tasks that were watched, sorted by their ids.
    pub tasks: Vec<Task>,
}
