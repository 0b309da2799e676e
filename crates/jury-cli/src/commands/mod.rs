//! The commands, one file each: its arguments, and `run`.

mod abort;
mod accept;
mod attest;
mod cache;
mod check;
mod config;
mod contest;
mod convert;
mod demo;
mod doctor;
mod explain;
mod fix;
mod formats;
mod gate;
mod hook;
mod init;
mod r#loop;
mod mark;
mod mcp;
mod merge;
mod next;
mod printed;
mod publish;
mod pull_request;
mod replay;
mod report;
mod restore;
mod review;
mod rules;
mod schema;
mod show;
mod status;
mod sync;
mod task;
mod trust;
mod verify;
mod waive;

use clap::{Args as _, Subcommand, ValueEnum};
use jury::formats::Format;
use jury::model::Outcome;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;

/// The action.
#[derive(Subcommand)]
pub(crate) enum Command {
    Review(review::Arguments),
    Verify(verify::Arguments),
    Status(status::Arguments),
    Show(show::Arguments),
    Report(report::Arguments),
    Mark(mark::Arguments),
    Accept(accept::Arguments),
    Contest(contest::Arguments),
    Waive(waive::Arguments),
    Fix(fix::Arguments),
    Loop(r#loop::Arguments),
    Next(next::Arguments),
    Gate(gate::Arguments),
    Explain(explain::Arguments),
    Replay(replay::Arguments),
    Abort(abort::Arguments),
    Publish(publish::Arguments),
    Attest(attest::Arguments),
    Restore(restore::Arguments),
    Trust(trust::Arguments),
    Config(config::Arguments),
    Cache(cache::Arguments),
    Sync(sync::Arguments),
    Task(task::Arguments),
    Hook(hook::Arguments),
    Mcp(mcp::Arguments),
    Init(init::Arguments),
    Doctor(doctor::Arguments),
    Demo(demo::Arguments),
    Rules(rules::Arguments),
    Check(check::Arguments),
    Convert(convert::Arguments),
    Merge(merge::Arguments),
    Schema(schema::Arguments),
    Formats(formats::Arguments),
}

/// The commands as the help shows them, in groups.
pub(crate) const GROUPS: &[(&str, &[&str])] = &[
    ("Start here", &["init", "review", "next", "gate", "demo"]),
    ("Every day", &["verify", "mark", "status", "show", "report", "fix", "loop"]),
    ("People decide", &["accept", "contest", "waive", "explain", "replay", "abort", "restore"]),
    ("Teams and CI", &["publish", "attest", "sync", "task", "trust", "config", "cache"]),
    ("Editors and agents", &["hook", "mcp", "doctor"]),
    ("Formats and rules", &["check", "convert", "merge", "schema", "formats", "rules"]),
];

impl Command {
    /// Tells whether it looks at the state and is done in a moment, as at every stop of an agent.
    pub(crate) fn only_looks(&self) -> bool {
        matches!(self, Self::Status(_) | Self::Next(_) | Self::Gate(_))
    }

    /// Does it.
    pub(crate) fn run(self, streams: &mut Streams) -> Result<ExitCode, Error> {
        match self {
            Self::Review(arguments) => review::run(arguments, streams),
            Self::Verify(arguments) => verify::run(arguments, streams),
            Self::Status(arguments) => status::run(arguments, streams),
            Self::Show(arguments) => show::run(arguments, streams),
            Self::Report(arguments) => report::run(arguments, streams),
            Self::Mark(arguments) => mark::run(arguments, streams),
            Self::Accept(arguments) => accept::run(arguments, streams),
            Self::Contest(arguments) => contest::run(arguments, streams),
            Self::Waive(arguments) => waive::run(arguments, streams),
            Self::Fix(arguments) => fix::run(arguments, streams),
            Self::Loop(arguments) => r#loop::run(arguments, streams),
            Self::Next(arguments) => next::run(arguments, streams),
            Self::Gate(arguments) => gate::run(arguments, streams),
            Self::Explain(arguments) => explain::run(arguments, streams),
            Self::Replay(arguments) => replay::run(arguments, streams),
            Self::Abort(arguments) => abort::run(arguments, streams),
            Self::Publish(arguments) => publish::run(arguments, streams),
            Self::Attest(arguments) => attest::run(arguments, streams),
            Self::Restore(arguments) => restore::run(arguments, streams),
            Self::Config(arguments) => config::run(arguments, streams),
            Self::Trust(arguments) => trust::run(arguments, streams),
            Self::Cache(arguments) => cache::run(arguments, streams),
            Self::Sync(arguments) => sync::run(arguments, streams),
            Self::Task(arguments) => task::run(arguments, streams),
            Self::Hook(arguments) => hook::run(arguments, streams),
            Self::Mcp(arguments) => mcp::run(arguments, streams),
            Self::Init(arguments) => init::run(arguments, streams),
            Self::Doctor(arguments) => doctor::run(arguments, streams),
            Self::Demo(arguments) => demo::run(arguments, streams),
            Self::Rules(arguments) => rules::run(arguments, streams),
            Self::Check(arguments) => check::run(arguments, streams),
            Self::Convert(arguments) => convert::run(arguments, streams),
            Self::Merge(arguments) => merge::run(arguments, streams),
            Self::Schema(arguments) => schema::run(arguments, streams),
            Self::Formats(arguments) => formats::run(arguments, streams),
        }
    }
}

/// Returns the description of a command that runs at every stop or edit of an agent; `None` for others.
pub(crate) fn frequent(name: &str) -> Option<clap::Command> {
    Some(match name {
        "gate" => gate::Arguments::augment_args(clap::Command::new("gate")),
        "hook" => hook::Arguments::augment_args(clap::Command::new("hook")),
        "next" => next::Arguments::augment_args(clap::Command::new("next")),
        "status" => status::Arguments::augment_args(clap::Command::new("status")),
        _ => return None,
    })
}

/// Who the output is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Text,
    Json,
}

/// Who a result is for, or the format to write it in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResultFormat {
    Text,
    Json,
    Format(&'static Format),
}

/// Returns the exit code of an outcome (DESIGN §11).
fn exit_code(outcome: Outcome) -> ExitCode {
    match outcome {
        Outcome::Clear => ExitCode::Clear,
        Outcome::Blocked => ExitCode::Blocked,
        Outcome::Aborted => ExitCode::Aborted,
        Outcome::Incomplete => ExitCode::Incomplete,
        Outcome::Waiting => ExitCode::Waiting,
    }
}
