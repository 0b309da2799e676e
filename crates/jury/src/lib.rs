//! Jury as a library: findings of reviewers, checked, merged, decided.
//!
//! From the bottom: `model` (the words), `syntax` and `formats` (text with places, one file per contract), `agents` (one file per
//! agent host), `asset` (images, by their structure), `record` (a review as types, and on disk); the stages of a review, which never import each other; the things that join stages (`base`, `worktree`,
//! `focus`, `panel`, `look_back`, `judge`, `rewrite`, `saving`); `flows`, one for each thing that a user asks for; `drivers`, which call flows. A test holds that
//! order.
//!
//! **Judging is pure.** The modules that the lint below holds take values and give values: no files, processes, environment or
//! clock (`clippy.toml` has the list). These touch the world instead, and judge nothing:
//!
//! - `scope` reads git repositories and their working trees. It writes nothing and starts nothing.
//! - `dispatch` runs reviewers, and asks models.
//! - `process` runs programs and ends them.
//! - `signing` has `ssh-keygen` sign, with a private folder.
//! - `store` is the only writer.
//! - `base` and `worktree` read through `scope` and `store`, and `focus` reads through `scope`.
//! - `saving` writes through `store`.
//! - `clone_facts` reads the facts that a signed verdict is compared with, through `scope` and `base`.
//! - `decisions` reads the decisions of people, through `scope` and `store`.
//! - `forge` speaks with forges.
//! - `keeping` has `git` write objects below `refs/jury/`, and exchange them with a remote.
//! - `panel` asks reviewers through `dispatch`, and `look_back` asks them about the base.
//! - `pull_request` reads the head of a pull request, through `scope` and `store`.
//! - `rejudged` runs the built-in specialists again, through `panel` and `look_back`.
//! - `voices` asks reviewers about a contested finding, through `panel` and `dispatch`.
//! - `rewrite` reads files of the worktree through `store`.
//! - `flows` and `drivers` call all of these. `drivers/task` starts the reviewers of 001's tasks and watches for their files; the part that
//!   decides in it is pure, and held to be in its own `mod.rs`.

#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod agents;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod asset;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod attestation;
pub mod base;
pub mod clone_facts;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod config;
pub mod decisions;
pub mod dispatch;
pub mod drivers;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod error;
pub mod flows;
pub mod focus;
pub mod forge;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod formats;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod intake;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod judge;
pub mod keeping;
pub mod look_back;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod model;
pub mod panel;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod people;
pub mod process;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod publish;
pub mod pull_request;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod record;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod refutation;
pub mod rejudged;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod report;
pub mod rewrite;
pub mod saving;
pub mod scope;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod signature;
pub mod signing;
pub mod store;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod syntax;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod synthesis;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod verdict;
#[deny(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod verify;
pub mod voices;
pub mod worktree;
