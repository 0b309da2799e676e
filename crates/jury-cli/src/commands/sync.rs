//! `jury sync`: exchanges the decisions of people with a remote.

use jury::flows::sync::sync;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury sync", "Fetch the acceptances of origin, and push those of this clone"),
            ("jury sync upstream", "Exchange them with another remote"),
        ],
        &[
            (ExitCode::Clear, "exchanged"),
            (ExitCode::Usage, "the remote could not be reached, or refused; nothing is lost"),
        ],
    )
}

/// Fetch and push the acceptances below refs/jury
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Remote to exchange them with
    #[arg(value_name = "REMOTE", default_value = "origin")]
    remote: String,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let synced = sync(&workplace.repository, &arguments.remote)?;
    streams.show(&render::synced(&synced, &arguments.remote));
    Ok(ExitCode::Clear)
}
