//! `jury formats`: the table of formats.

use jury::formats::{FORMATS, Format};
use jury_wire::ExitCode;
use jury_wire::v1::formats as wire;

use super::OutputFormat;
use crate::error::Error;
use crate::help;
use crate::render;
use crate::streams::Streams;

fn examples() -> String {
    help::after_help(
        &[
            ("jury formats", "List the formats"),
            ("jury formats --format json", "JSON; see `jury schema formats-output`"),
        ],
        &[],
    )
}

/// List the formats
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    match arguments.format {
        OutputFormat::Text => {
            let rows = FORMATS.iter().map(|format| [format.id, format.seed, directions(format), format.what]);
            streams.show(&render::table(["FORMAT", "CONTRACT", "CAN", "DESCRIPTION"], rows));
        }
        OutputFormat::Json => {
            let output = wire::Output { formats: FORMATS.iter().map(|format| entry(format)).collect() };
            let json = serde_json::to_string_pretty(&output).expect("strings and truth values are always JSON");
            streams.json(&json);
        }
    }
    Ok(ExitCode::Clear)
}

fn directions(format: &Format) -> &'static str {
    if format.is_writable() { "read, write" } else { "read" }
}

fn entry(format: &Format) -> wire::Format {
    wire::Format {
        id: format.id.to_owned(),
        seed: format.seed.to_owned(),
        read: true,
        write: format.is_writable(),
        extension: format.extension.to_owned(),
        what: format.what.to_owned(),
    }
}
