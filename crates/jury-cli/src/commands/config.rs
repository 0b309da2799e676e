//! `jury config`: every setting that counts, and where it comes from.

use jury::config::POLICY_FILE;
use jury::config::effective::settings;
use jury::model::RepoPath;
use jury::review::{ReviewError, configured, snapshot};
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::Place;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury config", "What counts for this branch, and where each value comes from"),
            ("jury config --worktree", "The same for the jury.toml that is being edited"),
            ("jury schema jury-toml", "The JSON Schema of the file, for editors"),
        ],
        &[(ExitCode::Clear, "shown"), (ExitCode::Usage, "jury.toml was not understood; the line is named")],
    )
}

/// Show the configuration that counts, and where each value comes from
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Show the file of the working tree, which counts once it is on the base
    #[arg(long)]
    worktree: bool,
    /// The branch whose jury.toml counts; else the upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Who the output is for
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { worktree, base, format, place } = arguments;
    let workplace = place.open()?;
    let repository = &workplace.repository;
    let snapshot = snapshot(repository, &workplace.store)?;
    let base = repository.base_of(&snapshot, base.as_deref())?;
    let path = RepoPath::new(POLICY_FILE).expect("the path is a plain one");
    let (of_base, edited) = (repository.base_file(&base, &path)?, snapshot.file(&path));
    let counts = if worktree { &edited } else { &of_base };
    let config = configured(repository, &base, counts.as_deref()).map_err(|error| match worktree {
        true => Error::Edited(error.what),
        false => ReviewError::from(error).into(),
    })?;
    let differs = (!worktree && edited != of_base).then(|| match configured(repository, &base, edited.as_deref()) {
        Ok(_) => format!("it is another one; it counts once it is on {}", base.name),
        Err(error) => format!("it cannot be used: {}", error.what),
    });
    let text = counts.as_deref().map(String::from_utf8_lossy);
    let from = if worktree { "the working tree" } else { &base.name };
    let effective = render::wire_config(from, settings(&config, text.as_deref()), text.is_some(), differs);
    match format {
        OutputFormat::Text => streams.show(&render::config(&effective)),
        OutputFormat::Json => streams.json(&render::pretty(&effective)),
    }
    Ok(ExitCode::Clear)
}
