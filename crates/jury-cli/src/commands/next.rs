//! `jury next`: 003's action protocol, as data and as words.

use jury::gate::look;
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury next", "Say what to do after the last review"),
            ("jury next --format json", "The same for an agent: action, ids, command"),
        ],
        &[
            (ExitCode::Clear, "said"),
            (ExitCode::Usage, "the command or jury.toml was not understood, or this is no repository"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Say what to do after the last review
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
    let look = look(&workplace.repository, &workplace.store, None, &workplace::now())?;
    let next = render::wire_next(&look)?;
    match arguments.format {
        OutputFormat::Text => streams.show(&render::next(&next, &look)),
        OutputFormat::Json => streams.json(&render::pretty(&next)),
    }
    Ok(ExitCode::Clear)
}
