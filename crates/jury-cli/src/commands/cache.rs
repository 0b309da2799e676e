//! `jury cache`: the answers of reviewers that are kept, and how to be rid of them.

use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury cache", "Cached answers by reviewer, with age"),
            ("jury cache --clear", "Clear the cache"),
            ("jury cache --clear eslint", "Clear the answers of one reviewer"),
            ("jury review --fresh", "Review without the cache"),
        ],
        &[
            (ExitCode::Clear, "listed or cleared"),
            (ExitCode::Usage, "not a repository"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// List or clear cached reviewer answers
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Reviewer whose answers are cleared; default: all
    #[arg(value_name = "NAME", requires = "clear")]
    name: Option<String>,
    /// Clear the cache
    #[arg(long)]
    clear: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT", conflicts_with = "clear")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { name, clear, format, place } = arguments;
    let store = place.open()?.store;
    if clear {
        let number = store.clear_kept(name.as_deref())?;
        streams.show(&format!("{} removed\n", render::count(number, "answer was", "answers were")));
        return Ok(ExitCode::Clear);
    }
    let cache = render::wire_cache(&store.kept()?);
    match format {
        OutputFormat::Text => streams.show(&render::cache(&cache)),
        OutputFormat::Json => streams.json(&render::pretty(&cache)),
    }
    Ok(ExitCode::Clear)
}
