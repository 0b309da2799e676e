//! `jury next`: 003's action protocol, as data and as words.

use jury::flows::gate::{Subject, gate};
use jury::flows::next::next;
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[("jury next", "Print the next step"), ("jury next --format json", "The same as JSON: action, ids, command")],
        &[
            (ExitCode::Clear, "printed"),
            (ExitCode::Usage, "invalid command line or jury.toml, or not a repository"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Print the next step
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let view = gate(&workplace.repository, &workplace.store, None, Subject::Head, &workplace::now())?;
    let step = next(&workplace.store, &view)?;
    let next = render::wire_next(&view, &step);
    match arguments.format {
        OutputFormat::Text => streams.show(&render::next(&next, &view, &step.gaps)),
        OutputFormat::Json => streams.json(&render::pretty(&next)),
    }
    Ok(ExitCode::Clear)
}
