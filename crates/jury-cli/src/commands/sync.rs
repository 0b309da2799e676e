//! `jury sync`: exchanges acceptances, signed verdicts and their records with a remote.

use jury::flows::sync::sync;
use jury::keeping::fetch_always;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury sync", "Fetch the acceptances and verdicts of origin, and push those of this clone"),
            ("jury sync --always", "The same, and with every `git fetch` from now on"),
            ("jury sync upstream", "Exchange them with another remote"),
        ],
        &[
            (ExitCode::Clear, "exchanged; refs that differ are named, and left as they are"),
            (ExitCode::Usage, "the remote could not be reached, or refused; nothing is lost"),
        ],
    )
}

/// Fetch and push acceptances, signed verdicts and their records (refs/jury)
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Remote to exchange them with
    #[arg(value_name = "REMOTE", default_value = "origin")]
    remote: String,
    /// Have every `git fetch` of the remote bring them, too (`remote.NAME.fetch`)
    #[arg(long)]
    always: bool,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    if arguments.always {
        fetch_always(workplace.repository.root(), &arguments.remote)?;
    }
    let synced = sync(&workplace.repository, &arguments.remote)?;
    streams.show(&render::synced(&synced, &arguments.remote));
    Ok(ExitCode::Clear)
}
