//! `jury merge`: the outputs of several reviewers, in any mix of formats, as one result.
//!
//! Every claim is in the result once: as a finding, merged into one, suppressed, pre-existing, or rejected with its text.

use std::path::PathBuf;

use clap::ValueEnum;
use jury::formats::{self, Format};
use jury::merge;
use jury::model::{Change, Policy};
use jury::syntax::Limits;
use jury::syntax::diff::{self, DiffError};
use jury::synthesis::{Options, Tree};
use jury_wire::ExitCode;

use super::ResultFormat;
use crate::error::Error;
use crate::input::Input;
use crate::streams::Streams;
use crate::tree::Folder;
use crate::{help, ids, render};

fn examples() -> String {
    let to = help::some_format();
    help::after_help(
        &[
            ("jury merge correctness.json security.md", "What the reviewers say together, and the verdict"),
            (
                "jury merge --tree . --diff change.diff *.json",
                "Check every quote, and leave out what the change did not touch",
            ),
            ("jury merge --explain 3 *.json", "How finding 3 came to be what it is"),
            (&format!("jury merge --format {to} *.json"), "The result in another format"),
        ],
        &[
            (ExitCode::Clear, "nothing blocks"),
            (ExitCode::Blocked, "a finding blocks"),
            (ExitCode::Usage, "the command was not understood, or a file could not be read"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "an output could not be understood in full"),
        ],
    )
}

/// Merge the outputs of several reviewers and decide
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Hold quotes and lines against the files in this folder; absolute paths below it name its files
    #[arg(long, value_name = "DIR")]
    tree: Option<PathBuf>,
    /// Take what this unified diff does not touch for pre-existing
    #[arg(long, value_name = "FILE")]
    diff: Option<Input>,
    /// Whether claims that are nearly the same are merged, too
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "on|off", hide_possible_values = true)]
    near: Switch,
    /// Who the output is for: `text`, `json`, or the id of a format to write
    #[arg(long, value_name = "text|json|ID", default_value = "text", value_parser = ids::results(), hide_possible_values = true)]
    format: ResultFormat,
    /// Show how the finding of this number came to be what it is
    #[arg(long, value_name = "N", conflicts_with = "format")]
    explain: Option<usize>,
    /// Read the files as this format instead of finding it by looking (`jury formats` lists them)
    #[arg(long, value_name = "ID", value_parser = ids::readable(), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// The outputs; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Input>,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { tree, diff, near, format, explain, from, files } = arguments;
    Input::check_stdin_once(files.iter().chain(&diff))?;
    let limits = Limits::default();
    let folder = tree.map(Folder::open).transpose()?;
    let change = diff.map(|input| read_change(&input)).transpose()?;
    let read = |input: &Input| input.bytes_without_secrets(jury_rules::redact);
    let documents: Vec<(&Input, Vec<u8>)> =
        files.iter().map(|input| read(input).map(|bytes| (input, bytes))).collect::<Result<_, Error>>()?;
    let outputs: Vec<merge::Output<'_>> = documents
        .iter()
        .map(|(input, bytes)| merge::Output { reviewer: input.reviewer(), bytes, from, is_ours: false, asked: None })
        .collect();
    let options = Options {
        tree: folder.as_ref().map(|folder| folder as &dyn Tree),
        change: change.as_ref(),
        near: near == Switch::On,
        ..Options::default()
    };
    let roots: Vec<&str> = folder.iter().flat_map(Folder::names).collect();
    let merged = merge::merge(&outputs, &roots, Vec::new(), &options, &Policy::default(), &limits);
    let code = super::exit_code(merged.verdict.outcome);
    let sources: Vec<render::Named<'_>> =
        documents.iter().map(|(input, bytes)| render::Named { path: input.path(), bytes }).collect();
    match (explain, format) {
        (Some(number), _) => streams.show(&render::trail(&merged, number)?),
        (None, ResultFormat::Text) => streams.show(&render::merged(&merged, &sources)),
        (None, ResultFormat::Json) => streams.json(&render::merged_json(&merged, &sources)),
        (None, ResultFormat::Format(target)) => {
            let report = merged.into_report();
            let conversion = formats::convert(&report, target)?;
            streams.document(&conversion.text);
            streams.remark(&render::losses(&report, &conversion.losses, target));
            streams.remark(&render::filled_in(&report, &conversion.filled, target));
        }
    }
    Ok(code)
}

fn read_change(input: &Input) -> Result<Change, Error> {
    let bytes = input.bytes()?;
    let text = String::from_utf8_lossy(&bytes);
    // No change at all would put every finding aside; it is far more likely that the diff was not made.
    if text.trim().is_empty() {
        let source = DiffError { line: 1, what: "the diff is empty".to_owned() };
        return Err(Error::Diff { path: input.shown(), source });
    }
    diff::parse(&text).map_err(|source| Error::Diff { path: input.shown(), source })
}
