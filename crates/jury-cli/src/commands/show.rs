//! `jury show ID`: one finding of the latest review, with its code, its trail and its history.

use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{ask, help, render};

fn examples() -> String {
    help::after_help(
        &[("jury show security-69bbc8bb-12", "Show code, reason, remedy and trail")],
        &[
            (ExitCode::Clear, "shown"),
            (ExitCode::Usage, "unknown finding, or no review"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Show one finding with its code, trail and history
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Finding id
    #[arg(value_name = "ID")]
    id: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

impl Arguments {
    /// Asks for one finding.
    pub(super) fn new(id: String, format: OutputFormat, place: WorkingDir) -> Self {
        Self { id, format, place }
    }
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let (shown, is_gap) = ask::finding(&workplace, &arguments.id)?;
    match arguments.format {
        OutputFormat::Text => streams.show(&render::shown(&shown, is_gap)),
        OutputFormat::Json => streams.json(&render::pretty(&shown)),
    }
    Ok(ExitCode::Clear)
}
