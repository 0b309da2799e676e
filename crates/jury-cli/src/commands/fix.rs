//! `jury fix`: the rewrites that rules state, made where they hold, and marked.

use jury::flows::fix::{self, FixRequest};
use jury::rewrite::{FixEnd, Selection};
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury fix --dry-run", "Print the diff"),
            ("jury fix", "Apply every safe rewrite of the latest review"),
            ("jury fix typescript-quality-69bbc8bb-12", "Apply the rewrite of one finding, safe or not"),
            ("jury fix --safe ID", "Apply that one and all safe ones"),
        ],
        &[
            (ExitCode::Clear, "every requested fix was applied, or there was none"),
            (ExitCode::Blocked, "a rewrite failed or was rolled back; the others were applied"),
            (ExitCode::Usage, "unknown finding, or no review"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Apply the rewrites that rules define, keep those that work, and mark the findings fixed
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Finding ids of the latest review; default: all with a safe rewrite
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Also apply all safe rewrites
    #[arg(long)]
    safe: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { ids, safe, dry_run, format, place } = arguments;
    let workplace = place.open()?;
    let request = FixRequest { selection: Selection { ids, safe }, dry_run, now: workplace::now() };
    let fixes = fix::fix(&workplace.repository, &workplace.store, &request)?.ok_or(Error::NoReview)?;
    let fixed = render::wire_fixed(&fixes, dry_run);
    match format {
        OutputFormat::Text => streams.show(&render::fixed(&fixed)),
        OutputFormat::Json => streams.json(&render::pretty(&fixed)),
    }
    let is_whole = fixes.attempts.iter().all(|attempt| attempt.end == FixEnd::Fixed);
    Ok(if is_whole { ExitCode::Clear } else { ExitCode::Blocked })
}
