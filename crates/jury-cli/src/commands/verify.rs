//! `jury verify`, which is `jury review --verify`: verifies the findings marked fixed (003).

use std::path::PathBuf;

use jury::flows::verify::verify;
use jury::panel::AskOptions;
use jury_wire::ExitCode;

use super::printed::{Output, Shown, print};
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury verify", "Verify every finding marked fixed"),
            ("jury verify --format json", "Verify and print the verdict file"),
        ],
        &[
            (ExitCode::Clear, "every marked fix is verified, and nothing blocks"),
            (ExitCode::Blocked, "a finding was reopened, is still open, or appeared with the fixes"),
            (ExitCode::Usage, "no full review, or invalid command line or jury.toml"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "inconclusive, or more changed than the marked findings"),
            (ExitCode::Refused, "the state on disk was refused"),
            (ExitCode::Waiting, "only a person can decide what is left"),
        ],
    )
}

/// Verify findings marked fixed
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Run all reviewers in jury.toml of the base, trusted or not; for CI
    #[arg(long)]
    pub(super) trust: bool,
    /// Output format; `json` is the verdict file
    #[arg(long, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    pub(super) format: Output,
    /// Output file
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { trust, format, output, place } = arguments;
    let workplace = place.open()?;
    let mut progress = render::Progress::new(streams.can_animate());
    let options = AskOptions { trust: workplace.trust(trust)?, ..AskOptions::default() };
    let (repository, store) = (&workplace.repository, &workplace.store);
    let verified = verify(repository, store, &options, &workplace::now(), &mut |event| progress.tell(event));
    progress.end();
    let verified = verified?.ok_or(Error::NoFullReview)?;
    let (gaps, verification) = (verified.record.gap_ids(), Some(&verified.verification));
    let shown = Shown { file: &verified.file, report: &verified.report, gaps: &gaps, verification };
    print(streams, format, output, &shown, || render::verified(&verified))?;
    Ok(super::exit_code(verified.outcome))
}
