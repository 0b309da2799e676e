//! 001's loop driver: the folder of a task, its expected roles, their deliveries, and the gate over all of it.
//!
//! In: a state dir, ids of tasks, roles, commands. Out: the status of each task, and `verdict-summary.kdl`. `decide`, `inventory`,
//! `deliver` and `delivery` are pure; `files`, `run` and `watch` touch the world and decide nothing. Deliberately not here:
//! how a file is written (`store`), and the meaning of any format.

#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod decide;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod deliver;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod delivery;
mod files;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
mod inventory;
mod run;
mod watch;

pub use decide::{Content, Contents, RoleStatus, SUMMARY, State, TaskStatus, decide};
pub use files::{is_summary_stale, look, start, write_summary};
pub use run::{Reviewer, RunError, run};
pub use watch::{INTERVAL, Watching, watch};
