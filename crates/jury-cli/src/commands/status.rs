//! `jury status`: the last review, what has become of it since, and whether the gate is open.

use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::Place;
use crate::{ask, help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury status", "The last review and its findings, as they stand now"),
            ("jury status --format json", "The same for a program"),
        ],
        &[
            (ExitCode::Clear, "said, whatever it is"),
            (ExitCode::Usage, "the command or jury.toml was not understood, or this is no repository"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Show the last review and how its findings stand
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Who the output is for
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let status = ask::status(&workplace)?;
    match arguments.format {
        OutputFormat::Text => streams.show(&render::status(&status)),
        OutputFormat::Json => streams.json(&render::pretty(&status)),
    }
    Ok(ExitCode::Clear)
}
