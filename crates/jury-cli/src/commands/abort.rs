//! `jury abort`: a team agent halts its own work, and leaves word why (003).

use jury::flows::abort::abort;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[(
            "jury abort --reason \"the migration drops a live table\"",
            "Halt, close the gate, and write abort-reason.md",
        )],
        &[
            (ExitCode::Usage, "invalid command line, or not a repository"),
            (ExitCode::Aborted, "halted"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Halt the team and write abort-reason.md for a person
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Reason for the halt
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    if arguments.reason.trim().is_empty() {
        return Err(Error::NoReason);
    }
    let workplace = arguments.place.open()?;
    let reviewed = abort(&workplace.repository, &workplace.store, &arguments.reason, &workplace::now())?;
    streams.show(&render::reviewed(&reviewed, None));
    Ok(super::exit_code(reviewed.outcome()))
}
