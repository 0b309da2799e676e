//! Jury as a library: what reviewers say, checked, merged, decided.
//!
//! The modules are the stages of a review, in their order. Below them lie `model` (the words), `syntax` (text with
//! places) and `formats` (one file per contract, both directions). Stages never import each other; a test holds that.
//! `review`, `recheck`, `drive`, `fix`, `gate`, `judge`, `merge` and `waive` put them in their order and do none of their work.
//!
//! **Judging is pure.** Every module here takes values and gives values: no files, processes, environment or clock.
//! The lint below holds it, against the list in `clippy.toml`. These touch the world instead, and judge nothing:
//!
//! - `scope` reads git repositories and their working trees. It writes nothing and starts nothing.
//! - `dispatch` runs reviewers, and asks models.
//! - `process` runs programs, for whoever has some to run, and ends them.
//! - `store` is the only writer.
//! - `task` drives the reviewers of 001's tasks: it starts them and watches for their files. What decides in it is pure, and
//!   held to be in its own `mod.rs`.

#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod config;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod coverage;
pub mod dispatch;
pub mod drive;
pub mod fix;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod formats;
pub mod gate;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod intake;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod judge;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod merge;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod model;
pub mod process;
pub mod recheck;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod report;
pub mod review;
pub mod scope;
pub mod store;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod syntax;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod synthesis;
pub mod task;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod verdict;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod verify;
pub mod waive;
