//! `jury status`: the last review, its state since, and whether the gate is open.

use jury::flows::gate::{Subject, gate};
use jury::judge::{current_report, judge};
use jury::model::{Claim, Outcome, Severity, Title};
use jury::verdict::recomputed;
use jury::worktree::recorded;
use jury_wire::ExitCode;

use super::printed::{Output, Shown, document};
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{ask, help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury status", "Show the last review and its findings"),
            ("jury status --format json", "The same as JSON"),
            ("jury status --format github", "Print GitHub Actions annotations"),
        ],
        &[
            (ExitCode::Clear, "shown"),
            (ExitCode::Usage, "invalid command line or jury.toml, or not a repository"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Show the last review and the state of its findings
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    format: Output,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let (status, gaps) = ask::status(&workplace)?;
    match arguments.format {
        Output::Text => streams.show(&render::status(&status, &gaps)),
        Output::Json => streams.json(&render::pretty(&status)),
        format => {
            let view = gate(&workplace.repository, &workplace.store, None, Subject::Head, &workplace::now())?;
            let latest = view.state.latest.as_ref().ok_or(Error::NoReview)?;
            let file = recomputed(&latest.file);
            let review = recorded(&workplace.store, &latest.record)?;
            let mut report = current_report(&review, &judge(&review), &file);
            report.claims.extend((view.gate.outcome == Outcome::Incomplete).then(not_reviewed).map(Box::new));
            let look = latest.verified.as_ref().map(|id| recorded(&workplace.store, id)).transpose()?;
            let verification = look.as_ref().and_then(|look| look.verification.as_ref());
            let shown = Shown { file: &file, report: &report, gaps: &gaps, verification };
            streams.document(&document(format, &shown));
        }
    }
    Ok(ExitCode::Clear)
}

/// States as a finding that this tree was not reviewed: a reader of the report alone must not take an old verdict for it.
fn not_reviewed() -> Claim {
    let title =
        Title::new("Review incomplete: this tree was not reviewed, or not in full").expect("the title is not blank");
    Claim {
        fix: Some("Run `jury review`; `jury gate` has the details.".to_owned()),
        ..Claim::new(title, Severity::High)
    }
}
