//! `jury verify`, which is `jury review --verify`: what is marked fixed is looked at again (003).

use std::path::PathBuf;

use jury::recheck::recheck;
use jury::review::Asking;
use jury_wire::ExitCode;

use super::review::{Output, print};
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury verify", "Look again at every finding that is marked fixed"),
            ("jury verify --format json", "The same, and print the verdict file as it is now"),
        ],
        &[
            (ExitCode::Clear, "all that was marked fixed is, and nothing blocks"),
            (ExitCode::Blocked, "a finding was reopened, is still open, or came with the fixes"),
            (ExitCode::Usage, "there is no full review, or the command or jury.toml was not understood"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "it could not be told, or more has changed than was marked fixed"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Look again at what is marked fixed
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Run every command that jury.toml of the base names, trusted or not; for CI
    #[arg(long)]
    pub(super) trust: bool,
    /// How to print the result; `json` is the verdict file itself
    #[arg(long, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    pub(super) format: Output,
    /// Print the result into this file
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { trust, format, output, place } = arguments;
    let workplace = place.open()?;
    let mut progress = render::Progress::new(streams.can_animate());
    let asking = Asking { trust: workplace.trust(trust)?, ..Asking::default() };
    let (repository, store) = (&workplace.repository, &workplace.store);
    let rechecked = recheck(repository, store, &asking, &workplace::now(), &mut |event| progress.tell(event));
    progress.end();
    let rechecked = rechecked?.ok_or(Error::NoFullReview)?;
    print(streams, format, output, &rechecked.file, &rechecked.report, || render::rechecked(&rechecked))?;
    Ok(super::exit_code(rechecked.outcome))
}
