//! `jury status`: the last review, what has become of it since, and whether the gate is open.

use jury::formats;
use jury::gate::{look, recomputed};
use jury::model::{Claim, Outcome, Report, Severity, Title};
use jury::store::VerdictFile;
use jury::syntax::Limits;
use jury_wire::ExitCode;

use super::review::{Output, document};
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{ask, help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury status", "The last review and its findings, as they stand now"),
            ("jury status --format json", "The same for a program"),
            ("jury status --format github", "As annotations of GitHub Actions"),
        ],
        &[
            (ExitCode::Clear, "said, whatever it is"),
            (ExitCode::Usage, "the command or jury.toml was not understood, or this is no repository"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Show the last review and how its findings stand
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// How to print it; all but `text` and `json` say what the verdict file says
    #[arg(long, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    format: Output,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let status = ask::status(&workplace)?;
    match arguments.format {
        Output::Text => streams.show(&render::status(&status)),
        Output::Json => streams.json(&render::pretty(&status)),
        format => {
            let look = look(&workplace.repository, &workplace.store, None, &workplace::now())?;
            let latest = look.state.latest.as_ref().ok_or(Error::NoReview)?;
            let file = recomputed(&latest.file);
            let mut report = as_report(&file);
            report.claims.extend((look.gate.outcome == Outcome::Incomplete).then(not_reviewed).map(Box::new));
            streams.document(&document(format, &file, &report));
        }
    }
    Ok(ExitCode::Clear)
}

/// Reads the verdict file as a report: every finding as it stands now, with what 000 says of it.
fn as_report(file: &VerdictFile) -> Report {
    let text = serde_json::to_string(file).expect("a verdict is always JSON");
    let format = formats::by_id("code-review").expect("000 is a format");
    format.read(text.as_bytes(), &Limits::default()).report.expect("the store vouches for the verdict file")
}

/// States as a finding that this tree was not reviewed: whoever reads only the report must not take an old verdict for one about it.
fn not_reviewed() -> Claim {
    let title =
        Title::new("Review incomplete: this tree was not reviewed, or not in full").expect("the title is not blank");
    Claim {
        fix: Some("Run `jury review`; `jury gate` says what is missing.".to_owned()),
        ..Claim::new(title, Severity::High)
    }
}
