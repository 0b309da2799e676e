//! `jury waive`: writes down that a person accepts a finding, for that person to commit on the base.

use jury::flows::waive::{self, WaiveRequest};
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            (
                "jury waive security-69bbc8bb-12 --reason \"a constant of the build\" --expires 2027-01-31",
                "Accept a finding until a day",
            ),
            ("jury waive ID --reason TEXT --expires DAY --by \"Lee\"", "Accept it in the name of another person"),
        ],
        &[
            (ExitCode::Clear, "written to .jury/waivers.toml of the working tree"),
            (ExitCode::Usage, "unknown finding, invalid waiver or broken file; nothing was written"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Write a waiver to .jury/waivers.toml for a commit on the base
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Finding id
    #[arg(value_name = "ID")]
    id: String,
    /// Reason for the waiver
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Last valid day, such as 2027-01-31
    #[arg(long, value_name = "DAY")]
    expires: String,
    /// Person who accepts the finding; default: `user.name` of the repository's configuration
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { id, reason, expires, by, place } = arguments;
    let workplace = place.open()?;
    let request = WaiveRequest { id, reason, by, expires, now: workplace::now() };
    let waived = waive::waive(&workplace.repository, &workplace.store, &request)?;
    streams.show(&render::waived(&waived));
    Ok(ExitCode::Clear)
}
