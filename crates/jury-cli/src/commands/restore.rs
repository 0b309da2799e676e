//! `jury restore`: the true verdict file back, and what stood in its place kept beside it.

use jury::review::PATIENCE;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::Place;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[("jury restore", "Write back what Jury wrote; legal status marks are kept")],
        &[
            (ExitCode::Clear, "the verdict file is the true one"),
            (ExitCode::Usage, "there is no review to restore"),
            (ExitCode::Refused, "the state on disk cannot be restored"),
        ],
    )
}

/// Write the true verdict file back
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let restored = workplace.store.lock(PATIENCE)?.restore()?;
    streams.show(&render::restored(&restored));
    Ok(ExitCode::Clear)
}
