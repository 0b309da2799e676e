//! `jury fix`: the rewrites that rules state, made where they hold, and marked.

use jury::fix::{self, End, Request};
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury fix --dry-run", "Show what would be changed"),
            ("jury fix", "Make every rewrite of the latest review that is safe"),
            ("jury fix typescript-quality-69bbc8bb-12", "Make that of one finding, safe or not"),
            ("jury fix --safe ID", "Make that one, and all that are safe"),
        ],
        &[
            (ExitCode::Clear, "everything that was to be fixed is fixed, or there was nothing to do"),
            (ExitCode::Blocked, "a rewrite did not hold or could not be made; the rest is fixed"),
            (ExitCode::Usage, "there is no such finding, or no review"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Make the rewrites that rules state, keep those that hold, and mark the findings fixed
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// The ids of findings of the latest review; without any, all that are safe
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Beside those that are named, make all rewrites that are safe
    #[arg(long)]
    safe: bool,
    /// Show what would be changed, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Who the output is for
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { ids, safe, dry_run, format, place } = arguments;
    let workplace = place.open()?;
    let request = Request { ids, safe, dry_run, now: workplace::now() };
    let fixes = fix::fix(&workplace.repository, &workplace.store, &request)?.ok_or(Error::NoReview)?;
    let fixed = render::wire_fixed(&fixes, dry_run);
    match format {
        OutputFormat::Text => streams.show(&render::fixed(&fixed)),
        OutputFormat::Json => streams.json(&render::pretty(&fixed)),
    }
    let is_whole = fixes.attempts.iter().all(|attempt| attempt.end == End::Fixed);
    Ok(if is_whole { ExitCode::Clear } else { ExitCode::Blocked })
}
