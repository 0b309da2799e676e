//! The commands, one file each: its arguments, and `run`.

mod check;
mod convert;
mod formats;
mod merge;
mod schema;

use clap::{Subcommand, ValueEnum};
use jury::formats::Format;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Check(check::Arguments),
    Convert(convert::Arguments),
    Merge(merge::Arguments),
    Schema(schema::Arguments),
    Formats(formats::Arguments),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self, streams: &mut Streams) -> Result<ExitCode, Error> {
        match self {
            Self::Check(arguments) => check::run(arguments, streams),
            Self::Convert(arguments) => convert::run(arguments, streams),
            Self::Merge(arguments) => merge::run(arguments, streams),
            Self::Schema(arguments) => schema::run(arguments, streams),
            Self::Formats(arguments) => formats::run(arguments, streams),
        }
    }
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
