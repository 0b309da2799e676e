//! `verdict-kdl`: the aggregated verdict of a task, `verdict-summary.kdl` (001).
//!
//! 001 names the file, its place and how the gate is computed, and leaves the shape open. This is ours, version 1, in
//! KDL v2:
//!
//! ```kdl
//! verdict-summary version=1
//! task-id "abc123"
//! gate "fail"
//! reviewer "qa" verdict="pass" confidence="high" file="qa.md"
//! reviewer "quality" verdict="fail" confidence="high" file="quality.md" {
//!     blocker "src/handler.ts:88 — SQL string-concat with user input"
//!     advisory "src/auth.ts:42 — consider extracting role-check helper"
//! }
//! skipped "ts-strict"
//! missing "security"
//! ```
//!
//! `verdict-summary` is the first node; `task-id` and `gate` occur once; a name has one role. `gate` is the result of 001's
//! aggregation, and a reviewer's verdict is `fail` exactly if it has a blocker.

mod read;
mod write;

use super::Format;
use crate::syntax::{Limits, kdl};

pub(super) const FORMAT: Format = Format {
    id: "verdict-kdl",
    seed: "001",
    what: "the aggregated verdict of a task, `verdict-summary.kdl`",
    extension: "kdl",
    states_attendance: true,
    recognises: |source| {
        let name = kdl::first_name(source.text(), &Limits::default());
        name.is_some_and(|name| [SUMMARY, TASK_ID, GATE].contains(&name.as_ref()))
    },
    read: read::read,
    write: Some(write::write),
};

/// The version that is written, and the highest that is read.
const VERSION: i64 = 1;

// The names of the nodes.
const SUMMARY: &str = "verdict-summary";
const TASK_ID: &str = "task-id";
const GATE: &str = "gate";
const REVIEWER: &str = "reviewer";
const SKIPPED: &str = "skipped";
const MISSING: &str = "missing";
const BLOCKER: &str = "blocker";
const ADVISORY: &str = "advisory";
