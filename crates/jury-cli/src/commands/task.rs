//! `jury task`: 001's loop driver. Starts a task, runs its reviewers, waits for them, sums up, and says whether the gate opens.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury::drivers::task::{self, Reviewer, RunError, TaskStatus, Watching};
use jury::model::{Outcome, Role, TaskId};
use jury::process::Bounds;
use jury::store::Reports;
use jury_wire::ExitCode;
use jury_wire::v1::task as wire;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

/// The state dirs of the two orchestrators that 001 names, the usual one first.
const STATE_DIRS: [&str; 2] = [".dartai", ".workflow"];

fn examples() -> String {
    help::after_help(
        &[
            ("jury task start T-17 --expect qa,quality", "Start a task with two expected roles"),
            ("jury task run T-17 --role qa -- ./review-qa", "Run a reviewer and read its report"),
            ("jury task watch T-17 --timeout 10m", "Wait for reviewers run elsewhere, then aggregate"),
            ("jury task aggregate T-17", "Write verdict-summary.kdl"),
            ("jury task gate T-17 --brief", "Check the gate and print the blockers"),
        ],
        &gate_codes(),
    )
}

fn gate_codes() -> [(ExitCode, &'static str); 5] {
    [
        (ExitCode::Clear, "the gate is open: every expected role reported without a blocker"),
        (ExitCode::Blocked, "a reviewer states a blocker"),
        (ExitCode::Usage, "invalid command line"),
        (ExitCode::Incomplete, "a role is missing or not understood, or no role is expected"),
        (ExitCode::Refused, "the state dir was refused"),
    ]
}

/// Drive the reviewers of a task by verdict files
#[derive(clap::Args)]
#[command(after_help = examples(), arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    Start(Start),
    Run(Run),
    Watch(Watch),
    Aggregate(Aggregate),
    Gate(Gate),
}

/// Where tasks are, and who the output is for.
#[derive(clap::Args)]
struct Common {
    /// State dir with `reports/`; default: .dartai or .workflow if present, else .dartai
    #[arg(long, value_name = "DIR", display_order = 700)]
    state_dir: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT", display_order = 701)]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// Who has to report.
#[derive(clap::Args)]
struct Expect {
    /// Additional roles that have to report
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    expect: Vec<Role>,
}

/// Start a task: clear its reports dir and store the expected roles
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[
        ("jury task start T-17 --expect qa,quality,security", "Expect three roles"),
        ("jury task start T-17 --expect qa --skip ts-strict", "Skip a role that is not enabled"),
    ],
    &[
        (ExitCode::Clear, "started"),
        (ExitCode::Usage, "invalid command line"),
        (ExitCode::Refused, "the state dir was refused, or a reviewer of the task is still running"),
    ],
))]
struct Start {
    /// Task id
    #[arg(value_name = "ID")]
    task: TaskId,
    /// Roles that have to report; `jury task run` adds its role
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    expect: Vec<Role>,
    /// Roles that are not enabled for this change, listed as skipped
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    skip: Vec<Role>,
    #[command(flatten)]
    common: Common,
}

/// Run the reviewer of a role and read its verdict file, pointer or block
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[("jury task run T-17 --role qa -- claude -p \"Review as qa\"", "Run an agent; its report becomes qa.md, or a gap")],
    &[
        (ExitCode::Clear, "the reviewer passes"),
        (ExitCode::Blocked, "the reviewer states a blocker"),
        (ExitCode::Usage, "invalid command line, or the task was not started"),
        (ExitCode::Incomplete, "the reviewer failed, or its report was not understood"),
        (ExitCode::Refused, "the state dir was refused, or the reviewer is already running"),
    ],
))]
struct Run {
    /// Task id
    #[arg(value_name = "ID")]
    task: TaskId,
    /// Role of the reviewer
    #[arg(long, value_name = "ROLE")]
    role: Role,
    /// Time limit
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    timeout: Duration,
    /// Output limit in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 4 << 20)]
    max_output: usize,
    /// Reviewer command; JURY_TASK, JURY_ROLE and JURY_VERDICT_FILE are in its environment
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    common: Common,
}

/// Wait for all expected roles, then aggregate
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[
        ("jury task watch T-17", "Watch one task"),
        ("jury task watch --timeout 1h", "Watch all tasks of the state dir, including new ones"),
        ("jury task watch T-17 --linger 5s", "Wait for late writes"),
    ],
    &gate_codes(),
))]
struct Watch {
    /// Task id; default: all tasks
    #[arg(value_name = "ID")]
    task: Option<TaskId>,
    #[command(flatten)]
    expect: Expect,
    /// Time limit; a role without a report by then is missing
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    timeout: Duration,
    /// Time to wait for late writes after the last report
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = duration)]
    linger: Duration,
    #[command(flatten)]
    common: Common,
}

/// Read the reports and write verdict-summary.kdl
#[derive(clap::Args)]
#[command(after_help = help::after_help(&[("jury task aggregate T-17", "Aggregate the reports so far")], &gate_codes()))]
struct Aggregate {
    /// Task id
    #[arg(value_name = "ID")]
    task: TaskId,
    #[command(flatten)]
    expect: Expect,
    /// Print the blockers of all failing reviewers for the implementer
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    common: Common,
}

/// Check whether a task may continue, by its verdict files alone
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[
        ("jury task gate T-17", "Check the roles of the task"),
        ("jury task gate T-17 --expect qa,quality", "Also expect these roles"),
    ],
    &gate_codes(),
))]
struct Gate {
    /// Task id
    #[arg(value_name = "ID")]
    task: TaskId,
    #[command(flatten)]
    expect: Expect,
    /// Print the blockers of all failing reviewers for the implementer
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    match arguments.action {
        Action::Start(start) => start.run(streams),
        Action::Run(run) => run.run(streams),
        Action::Watch(watch) => watch.run(streams),
        Action::Aggregate(aggregate) => aggregate.run(streams),
        Action::Gate(gate) => gate.run(streams),
    }
}

/// The state dir: where it is, and how a path from the folder of work spells it.
struct StateDir {
    path: PathBuf,
    spelled: String,
}

impl Common {
    fn state_dir(&self) -> StateDir {
        let folder = &self.place.folder;
        let usual = || STATE_DIRS.into_iter().find(|name| folder.join(name).is_dir()).unwrap_or(STATE_DIRS[0]).into();
        let spelled = self.state_dir.clone().unwrap_or_else(usual);
        StateDir { path: folder.join(&spelled), spelled: plain(&spelled) }
    }

    fn show(&self, task: &wire::Task, is_brief: bool, streams: &mut Streams) {
        match self.format {
            OutputFormat::Text if is_brief => streams.show(&render::task_brief(task)),
            OutputFormat::Text => streams.show(&render::task(task)),
            OutputFormat::Json => streams.json(&render::pretty(task)),
        }
    }
}

impl StateDir {
    /// Returns the folder of a task, as a pointer spells it.
    fn folder(&self, task: &TaskId) -> String {
        format!("{}/reports/{task}", self.spelled)
    }

    fn summary(&self, task: &TaskId) -> String {
        format!("{}/{}", self.folder(task), task::SUMMARY)
    }
}

/// Spells a path without `.` and slashes at its end.
fn plain(path: &Path) -> String {
    let path: PathBuf = path.components().filter(|part| *part != std::path::Component::CurDir).collect();
    path.to_string_lossy().into_owned()
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration: jiff::SignedDuration =
        text.parse().map_err(|_| "expected a duration, such as 90s or 10m".to_owned())?;
    Duration::try_from(duration).map_err(|_| "a duration cannot be negative".to_owned())
}

impl Start {
    fn run(self, streams: &mut Streams) -> Result<ExitCode, Error> {
        let reports = Reports::make(&self.common.state_dir().path)?;
        let standing = task::start(&reports, &self.task, &self.expect, &self.skip)?;
        self.common.show(&render::wire_task(&standing, None), false, streams);
        Ok(ExitCode::Clear)
    }
}

impl Run {
    fn run(self, streams: &mut Streams) -> Result<ExitCode, Error> {
        let state_dir = self.common.state_dir();
        let not_started = || Error::TaskNotStarted(self.task.to_string());
        let reports = Reports::open(&state_dir.path)?.ok_or_else(not_started)?;
        let reviewer = Reviewer {
            role: &self.role,
            command: &self.command,
            folder: &self.common.place.folder,
            reports: &state_dir.folder(&self.task),
            bounds: Bounds { time: self.timeout, output: self.max_output },
        };
        let standing = task::run(&reports, &self.task, &reviewer).map_err(|error| match error {
            RunError::NotStarted(_) => not_started(),
            RunError::Store(error) => error.into(),
        })?;
        self.common.show(&render::wire_task(&standing, None), false, streams);
        // The outcome of all tasks is the job of `gate`; this run was about one.
        Ok(super::exit_code(standing.outcome_of(&self.role)))
    }
}

impl Watch {
    fn run(self, streams: &mut Streams) -> Result<ExitCode, Error> {
        let state_dir = self.common.state_dir();
        let reports = Reports::make(&state_dir.path)?;
        let is_for_people = self.common.format == OutputFormat::Text;
        let watching =
            Watching { task: self.task, expect: self.expect.expect, timeout: self.timeout, linger: self.linger };
        let standings = task::watch(&reports, &watching, |standing| {
            if is_for_people {
                streams.remark(&render::task_line(standing));
            }
        })?;
        let shown = |standing: &TaskStatus| {
            let is_there = reports.task(&standing.task).is_ok_and(|folder| folder.is_some());
            render::wire_task(standing, is_there.then(|| state_dir.summary(&standing.task)))
        };
        let tasks: Vec<wire::Task> = standings.iter().map(shown).collect();
        match self.common.format {
            OutputFormat::Text if tasks.is_empty() => streams.show(&render::note("no task found")),
            OutputFormat::Text => tasks.iter().for_each(|task| streams.show(&render::task(task))),
            OutputFormat::Json => streams.json(&render::pretty(&wire::Watched { tasks })),
        }
        Ok(super::exit_code(worst(&standings)))
    }
}

/// Returns the outcome of several tasks. Without any, nothing was reviewed.
fn worst(standings: &[TaskStatus]) -> Outcome {
    let is = |outcome| standings.iter().any(|standing| standing.outcome == outcome);
    if is(Outcome::Blocked) {
        Outcome::Blocked
    } else if standings.is_empty() || is(Outcome::Incomplete) {
        Outcome::Incomplete
    } else {
        Outcome::Clear
    }
}

impl Aggregate {
    fn run(self, streams: &mut Streams) -> Result<ExitCode, Error> {
        let state_dir = self.common.state_dir();
        let reports = Reports::open(&state_dir.path)?;
        let standing = task::look(reports.as_ref(), &self.task, &self.expect.expect)?;
        let written = reports.map(|reports| task::write_summary(&reports, &standing)).transpose()?.flatten();
        let summary = written.map(|_| state_dir.summary(&self.task));
        self.common.show(&render::wire_task(&standing, summary), self.brief, streams);
        Ok(super::exit_code(standing.outcome))
    }
}

impl Gate {
    fn run(self, streams: &mut Streams) -> Result<ExitCode, Error> {
        let reports = Reports::open(&self.common.state_dir().path)?;
        let mut standing = task::look(reports.as_ref(), &self.task, &self.expect.expect)?;
        if reports.map(|reports| task::is_summary_stale(&reports, &standing)).transpose()? == Some(true) {
            let note = format!("{} is out of date; run `jury task aggregate`", task::SUMMARY);
            standing.notes.push(note);
        }
        self.common.show(&render::wire_task(&standing, None), self.brief, streams);
        Ok(super::exit_code(standing.outcome))
    }
}
