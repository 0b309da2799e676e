//! `jury config`: every setting that counts, and where it comes from.

use jury::base::configured;
use jury::config::POLICY_FILE;
use jury::config::effective::settings;
use jury::error::FlowError;
use jury::model::RepoPath;
use jury::worktree::snapshot;
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury config", "Effective settings of this branch, with sources"),
            ("jury config --worktree", "The same for jury.toml of the working tree"),
            ("jury schema jury-toml", "JSON Schema of jury.toml for editors"),
        ],
        &[(ExitCode::Clear, "shown"), (ExitCode::Usage, "invalid jury.toml, with its line")],
    )
}

/// Show the effective configuration and the source of each value
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Use jury.toml of the working tree, which takes effect once it is on the base
    #[arg(long)]
    worktree: bool,
    /// Branch to read jury.toml from; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
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
        false => FlowError::from(error).into(),
    })?;
    let differs = (!worktree && edited != of_base).then(|| match configured(repository, &base, edited.as_deref()) {
        Ok(_) => format!("it differs; it takes effect once it is on {}", base.name),
        Err(error) => format!("invalid: {}", error.what),
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
