//! `jury replay`: the same decision again, from the record alone, byte for byte.

use jury::gate::record;
use jury::judge::judge;
use jury::recheck;
use jury::review::ReviewError;
use jury::store::RecordId;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::Place;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[("jury replay a3f8c12b", "Decide a review again from its record, and print the verdict file it gives")],
        &[
            (ExitCode::Clear, "the decision is the same, byte for byte"),
            (ExitCode::Usage, "there is no such review"),
            (ExitCode::Refused, "the decision is another one, or the record is damaged"),
        ],
    )
}

/// Decide a review again from its record alone
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// The id of the review
    #[arg(value_name = "REVIEW-ID")]
    review_id: String,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let id = workplace.store.find(&arguments.review_id)?.ok_or(Error::NoSuchReview(arguments.review_id))?;
    let record = record(&workplace.store, &id)?;
    let again = match &record.verification {
        None => judge(&record).map_err(ReviewError::from)?.file,
        Some(verification) => {
            let of = RecordId::new(&verification.of).ok_or(Error::NoSuchReview(verification.of.clone()))?;
            recheck::replay(self::record(&workplace.store, &of)?, &record).map_err(ReviewError::from)?
        }
    };
    let again = render::pretty(&again);
    let then = record.decision.as_ref().map(render::pretty).unwrap_or_default();
    streams.document(&format!("{again}\n"));
    if again != then {
        streams.remark(&render::with_hint(
            "the decision is not the one that was recorded",
            Some("this Jury decides otherwise than the one that made the review"),
        ));
        return Ok(ExitCode::Refused);
    }
    Ok(ExitCode::Clear)
}
