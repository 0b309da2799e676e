//! One reviewer of a task, run to its end: its files and its output become its verdict, or a gap.
//!
//! The run is written down before it starts and again when it has ended: a driver that is killed in between leaves a run that
//! has not ended, which closes the gate. Deliberately not here: the delivery (`deliver`), and how a program is run.

use std::path::Path;
use std::process::Command;

use jury_wire::v1::task as wire;

use super::decide::{Content, SUMMARY, TaskStatus, decide};
use super::deliver::{Delivered, deliver};
use super::files::{contents, json, without_secrets};
use super::inventory::{VERSION, kept, run_file, run_name};
use crate::model::{Role, TaskId};
use crate::process::{self, Bounds};
use crate::store::{Reports, StoreError};

/// Why a reviewer was not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The reports dir was not cleared for it, so its files could be of another run.
    #[error("task {0} was not started")]
    NotStarted(TaskId),
    /// The folder of the task cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A reviewer to run.
#[derive(Clone, Debug)]
pub struct Reviewer<'a> {
    /// Its role.
    pub role: &'a Role,
    /// The program and its arguments.
    pub command: &'a [std::ffi::OsString],
    /// The folder in which it is started.
    pub folder: &'a Path,
    /// The path of the task's folder, as a pointer spells it from there.
    pub reports: &'a str,
    /// How much it may take.
    pub bounds: Bounds,
}

/// Runs a reviewer of a task. Earlier deliveries of its role are removed first (001's stale-verdict rule).
pub fn run(reports: &Reports, task: &TaskId, reviewer: &Reviewer<'_>) -> Result<TaskStatus, RunError> {
    let role = reviewer.role;
    let folder = reports.task(task)?.ok_or_else(|| RunError::NotStarted(task.clone()))?;
    let _hold = folder.hold(&run_name(role))?;
    let keep = |ended, gaps| folder.write(&run_file(role), &json(&wire::Run { version: VERSION, ended, gaps }));
    keep(false, Vec::new())?;
    for stale in [role.file(), role.legacy_file(), SUMMARY.to_owned()] {
        folder.remove(&stale)?;
    }
    let ended = process::run(&mut command(task, reviewer), None, reviewer.bounds, None);
    let mut files = Vec::new();
    for (name, content) in contents(&folder)? {
        match content {
            Content::Bytes(bytes) if [role.file(), role.legacy_file()].contains(&name) => files.push((name, bytes)),
            _ => {}
        }
    }
    files.sort_by_key(|(name, _)| *name != role.file());
    let trouble = ended.trouble(&[0]).map(|what| jury_rules::redact(&what).into_owned());
    let printed = without_secrets(ended.printed);
    let Delivered { file, gaps, notes } = deliver(role, trouble.as_deref(), &printed, &files, reviewer.reports);
    if let Some(text) = file {
        folder.write(&role.file(), text.as_bytes())?;
    }
    keep(true, gaps.iter().map(kept).collect())?;
    let mut standing = decide(task, &contents(&folder)?, &[]);
    standing.notes.extend(notes);
    Ok(standing)
}

fn command(task: &TaskId, reviewer: &Reviewer<'_>) -> Command {
    let (program, arguments) = reviewer.command.split_first().map_or((None, &[][..]), |(p, rest)| (Some(p), rest));
    let mut command = Command::new(program.cloned().unwrap_or_default());
    command.args(arguments).current_dir(reviewer.folder);
    command.env("JURY_TASK", task.as_str()).env("JURY_ROLE", reviewer.role.as_str());
    command.env("JURY_VERDICT_FILE", format!("{}/{}", reviewer.reports, reviewer.role.file()));
    command
}
