//! `jury replay`: the same decision again, from the record alone, byte for byte.

use jury::flows::replay::{Comparison, Replayed, replay};
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[("jury replay a3f8c12b", "Repeat the decision and print the verdict file")],
        &[
            (ExitCode::Clear, "the decision is the same"),
            (ExitCode::Usage, "unknown review"),
            (ExitCode::Refused, "the decision differs, or the record is damaged"),
        ],
    )
}

/// Repeat the decision of a review from its record
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Review id
    #[arg(value_name = "REVIEW-ID")]
    review_id: String,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let replayed = replay(&workplace.store, &arguments.review_id)?;
    let Replayed { again, comparison } = replayed.ok_or(Error::NoSuchReview(arguments.review_id))?;
    streams.document(&format!("{}\n", render::pretty(&again)));
    match comparison {
        Comparison::Same => {}
        Comparison::Reworded => {
            streams.remark("the decision is the same; this version of Jury words its gaps differently\n");
        }
        Comparison::Different => {
            streams.remark(&render::with_hint(
                "the decision differs from the recorded one",
                Some("this version of Jury decides differently from the one that made the review"),
            ));
            return Ok(ExitCode::Refused);
        }
    }
    Ok(ExitCode::Clear)
}
