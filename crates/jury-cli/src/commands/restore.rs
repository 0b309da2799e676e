//! `jury restore`: restores the sealed verdict file, and keeps the other one beside it.

use jury::worktree::PATIENCE;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[("jury restore", "Restore the file; legal status marks are kept")],
        &[
            (ExitCode::Clear, "the verdict file matches the seal"),
            (ExitCode::Usage, "no review to restore"),
            (ExitCode::Refused, "the state on disk cannot be restored"),
        ],
    )
}

/// Restore the sealed verdict file
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let restored = workplace.store.lock(PATIENCE)?.restore()?;
    streams.show(&render::restored(&restored));
    Ok(ExitCode::Clear)
}
