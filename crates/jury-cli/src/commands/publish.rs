//! `jury publish`: the review of this worktree in its pull request.
//!
//! What cannot be posted is listed and annotated, so that a read-only token loses nothing.

use clap::ValueEnum;
use jury::flows::gate::{Subject, gate};
use jury::flows::publish::{PublishError, PublishRequest, publish};
use jury::judge::{current_report, judge};
use jury::report::github;
use jury::verdict::recomputed;
use jury::worktree::recorded;
use jury_wire::ExitCode;

use super::OutputFormat;
use super::pull_request::{ForgeOptions, with_approvals};
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir, Workplace};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury publish", "Publish in the pull request of this CI job"),
            ("jury publish --dry-run", "Show what would be written"),
            ("jury publish --resolve never", "Leave every thread for a person to resolve"),
            (
                "jury publish --forge gitea --url https://git.example --repo o/r --pr 7",
                "Publish from anywhere, with JURY_FORGE_TOKEN",
            ),
        ],
        &[
            (ExitCode::Clear, "all is said, whatever the verdict"),
            (ExitCode::Usage, "invalid command line, no pull request or token found, or no review"),
            (ExitCode::Incomplete, "not all was posted, or the head is not what was reviewed"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Publish the review in its pull request
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Number of the pull request; default: that of the CI job
    #[arg(long, value_name = "N")]
    pr: Option<u64>,
    #[command(flatten)]
    forge: ForgeOptions,
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// The commit that was reviewed with `jury review --head`
    #[arg(long, value_name = "COMMIT")]
    head: Option<String>,
    /// Read the forge and show what would be written
    #[arg(long)]
    dry_run: bool,
    /// Whether threads of verified findings are resolved
    #[arg(long, value_enum, default_value_t = Resolve::Auto, value_name = "WHEN")]
    resolve: Resolve,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// Whether threads are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Resolve {
    /// Those of verified findings
    Auto,
    Never,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open_at(arguments.head.as_deref())?;
    let (place, mut forge) = arguments.forge.open(arguments.pr)?;
    let (base, now) = (arguments.base.as_deref(), workplace::now());
    let view = gate(&workplace.repository, &workplace.store, base, Subject::Head, &now)?;
    // The status says what the gate of this pull request says.
    let view = with_approvals(&workplace, view, base, (&place, forge.as_mut()), streams)?;
    let request = PublishRequest {
        place: &place,
        base,
        is_dry: arguments.dry_run,
        resolves: arguments.resolve == Resolve::Auto,
        now: &now,
    };
    let published = match publish(&workplace.repository, &workplace.store, &view, forge.as_mut(), &request) {
        Err(error @ PublishError::Forge(_)) => {
            streams.remark(&annotations(&workplace)?);
            return Err(Error::Publish(error));
        }
        published => published.map_err(Error::Publish)?,
    };
    let wire = render::wire_published(&published, &place);
    match arguments.format {
        OutputFormat::Text => streams.show(&render::published(&wire, arguments.dry_run)),
        OutputFormat::Json => streams.json(&render::pretty(&wire)),
    }
    if wire.complete {
        return Ok(ExitCode::Clear);
    }
    match arguments.format {
        OutputFormat::Text => streams.document(&annotations(&workplace)?),
        OutputFormat::Json => streams.remark(&annotations(&workplace)?),
    }
    Ok(ExitCode::Incomplete)
}

/// Returns the findings as annotations, which every log shows.
fn annotations(workplace: &Workplace) -> Result<String, Error> {
    let state = workplace.store.state()?;
    let full = state.full.ok_or(Error::NoFullReview)?;
    let review = recorded(&workplace.store, &full.record)?;
    let report = current_report(&review, &judge(&review), &recomputed(&full.file));
    Ok(github(
        &report,
        &format!("Jury: {} (review {}), not all of it in the pull request", full.file.verdict, full.file.review_id),
    ))
}
