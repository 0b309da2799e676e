//! `jury report`: writes the report of the last full review, for teams that do not want one file for each review.

use jury::flows::report;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::help;
use crate::render::inert;
use crate::streams::Streams;
use crate::workplace::WorkingDir;

fn examples() -> String {
    help::after_help(
        &[
            ("jury report", "Write the report to docs/code-reviews/, before a pull request"),
            ("jury report --print", "Print it, and write nothing"),
        ],
        &[
            (ExitCode::Clear, "written"),
            (ExitCode::Usage, "no full review, or not a repository"),
            (ExitCode::Refused, "the state on disk was refused, or somebody edited the report"),
        ],
    )
}

/// Write the report of the last full review
///
/// It has the findings with their statuses of now, and the last verification. With `[report] write = "always"`, the default, `jury review` and
/// `jury verify` write it by themselves.
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Print the report and write nothing
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    if arguments.print {
        let report = report::report(&workplace.store)?.ok_or(Error::NoFullReview)?;
        streams.document(&report.text);
        return Ok(ExitCode::Clear);
    }
    let report = report::write(&workplace.store)?.ok_or(Error::NoFullReview)?;
    streams.show(&format!("report: {}\n", inert::line(report.path.as_str())));
    Ok(ExitCode::Clear)
}
