//! 001's loop driver: the folder of a task, who has to report, what they delivered, and the gate over all of it.
//!
//! In: a state dir, ids of tasks, roles, commands. Out: how each task stands, and `verdict-summary.kdl`. `decide`, `folder`,
//! `deliver` and `delivery` are pure; `files`, `run` and `watch` touch the world and decide nothing. Deliberately not here:
//! how a file is written (`store`), and what any format means.

#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod decide;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod deliver;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod delivery;
mod files;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod folder;
mod run;
mod watch;

pub use decide::{Content, Contents, RoleStanding, SUMMARY, Standing, State, decide};
pub use files::{is_summary_stale, look, start, write_summary};
pub use run::{Reviewer, RunError, run};
pub use watch::{INTERVAL, Watching, watch};
