//! `jury convert`: a document in another format, and the losses.
//!
//! A document with a rejected finding is not converted: the finding would be lost in the copy.

use jury::formats::{self, Format};
use jury_wire::ExitCode;

use crate::error::Error;
use crate::input::{Document, Input};
use crate::render::{self, Weight};
use crate::streams::Streams;
use crate::{help, ids};

fn examples() -> String {
    let to = help::some_format();
    help::after_help(
        &[
            (&format!("jury convert --to {to} in.json"), "Write to standard output, losses to standard error"),
            (&format!("reviewer | jury convert --to {to}"), "Read standard input"),
            (&format!("jury convert --strict --to {to} in.json"), "Write nothing if any value would be lost"),
        ],
        &[
            (ExitCode::Clear, "converted"),
            (ExitCode::Blocked, "not converted: unusable document, or a loss with --strict"),
            (ExitCode::Usage, "invalid command line, or the file cannot be read"),
        ],
    )
}

/// Convert a document to another format and list the losses
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Input format instead of detection (see `jury formats`)
    #[arg(long, value_name = "ID", value_parser = ids::readable(), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// Output format (see `jury formats`)
    #[arg(long, value_name = "ID", value_parser = ids::writable(), hide_possible_values = true)]
    to: &'static Format,
    /// Write nothing if any value would be lost
    #[arg(long)]
    strict: bool,
    /// File to convert; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: Input,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { from, to, strict, file } = arguments;
    let document = file.read(from, jury_rules::redact)?;
    let Some(report) = document.reading.report.as_ref().filter(|_| document.reading.rejected.is_empty()) else {
        streams.remark(&refusal(&document));
        return Ok(ExitCode::Blocked);
    };
    streams.remark(&render::deviations(&document, Weight::Warning));
    let conversion = formats::convert(report, to)?;
    let is_withheld = strict && !conversion.losses.is_empty();
    if !is_withheld {
        streams.document(&conversion.text);
    }
    streams.remark(&render::losses(report, &conversion.losses, to));
    if is_withheld {
        let lost = render::count(conversion.losses.len(), "loss", "losses");
        streams.remark(&render::with_hint(&format!("nothing was written, because of {lost}"), Some(WITHOUT_STRICT)));
        return Ok(ExitCode::Blocked);
    }
    streams.remark(&render::filled_in(report, &conversion.filled, to));
    Ok(ExitCode::Clear)
}

const WITHOUT_STRICT: &str = "without `--strict` the document is written anyway";

fn refusal(document: &Document) -> String {
    let deviations = render::deviations(document, Weight::Error);
    let message = format!("`{}` was not converted", document.name);
    let hint = "fix the document first: its unusable parts would be missing from the copy";
    deviations + &render::summary(document, None) + &render::with_hint(&message, Some(hint))
}
