//! `jury task`: 001's loop driver. Starts a task, runs its reviewers, waits for them, sums up, and says whether the gate opens.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury::model::{Outcome, Role, TaskId};
use jury::process::Bounds;
use jury::store::Reports;
use jury::task::{self, Reviewer, RunError, Standing, Watching};
use jury_wire::ExitCode;
use jury_wire::v1::task as wire;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::Place;
use crate::{help, render};

/// The state dirs of the two orchestrators that 001 names, the usual one first.
const STATE_DIRS: [&str; 2] = [".dartai", ".workflow"];

fn examples() -> String {
    help::after_help(
        &[
            ("jury task start T-17 --expect qa,quality", "Clear the reports dir of a task and say who has to report"),
            ("jury task run T-17 --role qa -- ./review-qa", "Run a reviewer and take what it delivers"),
            ("jury task watch T-17 --timeout 10m", "Wait for those that others run, then sum up"),
            ("jury task aggregate T-17", "Write verdict-summary.kdl"),
            ("jury task gate T-17 --brief", "Say whether it may go on, and what the implementer has to mend"),
        ],
        &gate_codes(),
    )
}

fn gate_codes() -> [(ExitCode, &'static str); 5] {
    [
        (ExitCode::Clear, "the gate is open: everybody who has to report did, and nobody failed it"),
        (ExitCode::Blocked, "a reviewer states a blocker"),
        (ExitCode::Usage, "the command was not understood"),
        (ExitCode::Incomplete, "a role did not report, was not understood, or nobody is known to have to report"),
        (ExitCode::Refused, "the state dir was refused"),
    ]
}

/// Drive the reviewers of a task, and decide by their verdict files
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
    /// The state dir below which `reports/` lies; else .dartai if it is there, .workflow if it is there, .dartai
    #[arg(long, value_name = "DIR", display_order = 700)]
    state_dir: Option<PathBuf>,
    /// Who the output is for
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT", display_order = 701)]
    format: OutputFormat,
    #[command(flatten)]
    place: Place,
}

/// Who has to report.
#[derive(clap::Args)]
struct Expect {
    /// Roles that have to report, beside those that the task was started with
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    expect: Vec<Role>,
}

/// Clear the reports dir of a task, and say who has to report
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[
        ("jury task start T-17 --expect qa,quality,security", "These three have to report"),
        ("jury task start T-17 --expect qa --skip ts-strict", "One was not enabled for this change"),
    ],
    &[
        (ExitCode::Clear, "started"),
        (ExitCode::Usage, "the command was not understood"),
        (ExitCode::Refused, "the state dir was refused, or a reviewer of the task is still running"),
    ],
))]
struct Start {
    /// The id of the task
    #[arg(value_name = "ID")]
    task: TaskId,
    /// Roles that have to report; those that `jury task run` runs have to as well
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    expect: Vec<Role>,
    /// Roles that are not enabled for this change, to be named as skipped
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    skip: Vec<Role>,
    #[command(flatten)]
    common: Common,
}

/// Run the reviewer of a role, and take what it delivers: a verdict file, a pointer to it, or a block
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[("jury task run T-17 --role qa -- claude -p \"Review as qa\"", "Whatever it prints or writes becomes qa.md, or a gap")],
    &[
        (ExitCode::Clear, "the reviewer lets it pass"),
        (ExitCode::Blocked, "the reviewer states a blocker"),
        (ExitCode::Usage, "the command was not understood, or the task was not started"),
        (ExitCode::Incomplete, "the reviewer did not end well, or delivered nothing that was understood"),
        (ExitCode::Refused, "the state dir was refused, or the reviewer is running already"),
    ],
))]
struct Run {
    /// The id of the task
    #[arg(value_name = "ID")]
    task: TaskId,
    /// The role that the reviewer has
    #[arg(long, value_name = "ROLE")]
    role: Role,
    /// How long it may run
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    timeout: Duration,
    /// How many bytes it may print
    #[arg(long, value_name = "BYTES", default_value_t = 4 << 20)]
    max_output: usize,
    /// The reviewer; it finds JURY_TASK, JURY_ROLE and JURY_VERDICT_FILE in its environment
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    common: Common,
}

/// Wait until everybody has reported, then sum up
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[
        ("jury task watch T-17", "One task"),
        ("jury task watch --timeout 1h", "All tasks of the state dir, also those that are started meanwhile"),
        ("jury task watch T-17 --linger 5s", "Go on for late writes"),
    ],
    &gate_codes(),
))]
struct Watch {
    /// The id of the task; all tasks if absent
    #[arg(value_name = "ID")]
    task: Option<TaskId>,
    #[command(flatten)]
    expect: Expect,
    /// How long to wait for the last; who has not reported by then is missing
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    timeout: Duration,
    /// How long to go on once everybody has reported
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = duration)]
    linger: Duration,
    #[command(flatten)]
    common: Common,
}

/// Read what was delivered, and write verdict-summary.kdl
#[derive(clap::Args)]
#[command(after_help = help::after_help(&[("jury task aggregate T-17", "Sum up what is there now")], &gate_codes()))]
struct Aggregate {
    /// The id of the task
    #[arg(value_name = "ID")]
    task: TaskId,
    #[command(flatten)]
    expect: Expect,
    /// Print the blockers of all failing reviewers, for the implementer
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    common: Common,
}

/// Say whether a task may go on, by its verdict files alone; nothing is written
#[derive(clap::Args)]
#[command(after_help = help::after_help(
    &[
        ("jury task gate T-17", "By who was started"),
        ("jury task gate T-17 --expect qa,quality", "These have to report, whatever the task was started with"),
    ],
    &gate_codes(),
))]
struct Gate {
    /// The id of the task
    #[arg(value_name = "ID")]
    task: TaskId,
    #[command(flatten)]
    expect: Expect,
    /// Print the blockers of all failing reviewers, for the implementer
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
    let duration: jiff::SignedDuration = text.parse().map_err(|_| "write it as in `90s` or `10m`".to_owned())?;
    Duration::try_from(duration).map_err(|_| "a time to wait is not negative".to_owned())
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
        // What all of them come to is for `gate` to say; this run was about one.
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
        let shown = |standing: &Standing| {
            let is_there = reports.task(&standing.task).is_ok_and(|folder| folder.is_some());
            render::wire_task(standing, is_there.then(|| state_dir.summary(&standing.task)))
        };
        let tasks: Vec<wire::Task> = standings.iter().map(shown).collect();
        match self.common.format {
            OutputFormat::Text if tasks.is_empty() => streams.show(&render::note("there is no task")),
            OutputFormat::Text => tasks.iter().for_each(|task| streams.show(&render::task(task))),
            OutputFormat::Json => streams.json(&render::pretty(&wire::Watched { tasks })),
        }
        Ok(super::exit_code(worst(&standings)))
    }
}

/// Returns what several tasks come to. Without any, nothing was reviewed.
fn worst(standings: &[Standing]) -> Outcome {
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
            let note = format!("{} says something else; `jury task aggregate` writes it anew", task::SUMMARY);
            standing.notes.push(note);
        }
        self.common.show(&render::wire_task(&standing, None), self.brief, streams);
        Ok(super::exit_code(standing.outcome))
    }
}
