//! `jury waive`: writes down that a person accepts a finding, for that person to commit on the base.

use jury::waive::{self, Request};
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            (
                "jury waive security-69bbc8bb-12 --reason \"a constant of the build\" --expires 2027-01-31",
                "Accept a finding until a day",
            ),
            ("jury waive ID --reason TEXT --expires DAY --by \"Lee\"", "The same in another's name"),
        ],
        &[
            (ExitCode::Clear, "written to .jury/waivers.toml of the working tree"),
            (
                ExitCode::Usage,
                "there is no such finding, it cannot be waived so, or the file is broken; nothing was written",
            ),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Write a waiver of a finding into .jury/waivers.toml, to be committed on the base
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// The id of the finding
    #[arg(value_name = "ID")]
    id: String,
    /// Why it is accepted
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The last day on which the waiver counts, such as 2027-01-31
    #[arg(long, value_name = "DAY")]
    expires: String,
    /// Who accepts it; else the `user.name` of the repository's own configuration
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { id, reason, expires, by, place } = arguments;
    let workplace = place.open()?;
    let request = Request { id, reason, by, expires, now: workplace::now() };
    let waived = waive::waive(&workplace.repository, &workplace.store, &request)?;
    streams.show(&render::waived(&waived));
    Ok(ExitCode::Clear)
}
