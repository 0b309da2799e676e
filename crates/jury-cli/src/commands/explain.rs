//! `jury explain`: why this verdict, condition by condition; with an id, why this finding.

use jury_wire::ExitCode;

use super::{OutputFormat, show};
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{ask, help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury explain", "Explain the verdict and the gate"),
            ("jury explain security-69bbc8bb-12", "Explain one finding"),
        ],
        &[
            (ExitCode::Clear, "explained"),
            (ExitCode::Usage, "unknown finding, or no review"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Explain the verdict and the gate, or one finding
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Finding id
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { id, format, place } = arguments;
    if let Some(id) = id {
        return show::run(show::Arguments::new(id, format, place), streams);
    }
    let workplace = place.open()?;
    let explained = ask::decision(&workplace)?;
    match format {
        OutputFormat::Text => streams.show(&render::explained(&explained)),
        OutputFormat::Json => streams.json(&render::pretty(&explained)),
    }
    Ok(ExitCode::Clear)
}
