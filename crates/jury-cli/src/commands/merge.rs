//! `jury merge`: the outputs of several reviewers, in any mix of formats, as one result.
//!
//! Every claim is in the result once: as a finding, merged into one, suppressed, pre-existing, or rejected with its text.

use std::path::PathBuf;

use clap::ValueEnum;
use jury::flows::merge::merge;
use jury::formats::{self, Format};
use jury::judge::{Content, ReviewerOutput};
use jury::model::{Change, Policy};
use jury::syntax::Limits;
use jury::syntax::diff::{self, DiffError};
use jury::synthesis::{Options, Source, TreeContent};
use jury_wire::ExitCode;

use super::ResultFormat;
use crate::error::Error;
use crate::folder_tree::FolderTree;
use crate::input::Input;
use crate::streams::Streams;
use crate::{help, ids, render};

fn examples() -> String {
    let to = help::some_format();
    help::after_help(
        &[
            ("jury merge correctness.json security.md", "Merge two outputs and print the verdict"),
            (
                "jury merge --tree . --diff change.diff *.json",
                "Check every quote, and separate findings outside the change",
            ),
            ("jury merge --explain 3 *.json", "Show how finding 3 was built"),
            (&format!("jury merge --format {to} *.json"), "Write the result in another format"),
        ],
        &[
            (ExitCode::Clear, "nothing blocks"),
            (ExitCode::Blocked, "a finding blocks"),
            (ExitCode::Usage, "invalid command line, or a file cannot be read"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "an output was not fully understood"),
        ],
    )
}

/// Merge the outputs of several reviewers into one verdict
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Folder to check quotes and lines against; absolute paths below it count as its files
    #[arg(long, value_name = "DIR")]
    tree: Option<PathBuf>,
    /// Unified diff; findings outside it that do not say otherwise are pre-existing
    #[arg(long, value_name = "FILE")]
    diff: Option<Input>,
    /// Merging of near-duplicates
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "on|off", hide_possible_values = true)]
    near: Switch,
    /// Output: `text`, `json`, or a format id
    #[arg(long, value_name = "text|json|ID", default_value = "text", value_parser = ids::results(), hide_possible_values = true)]
    format: ResultFormat,
    /// Show how finding N was built
    #[arg(long, value_name = "N", conflicts_with = "format")]
    explain: Option<usize>,
    /// Input format instead of detection (see `jury formats`)
    #[arg(long, value_name = "ID", value_parser = ids::readable(), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// Reviewer outputs; `-` is standard input
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
    let folder = tree.map(FolderTree::open).transpose()?;
    let change = diff.map(|input| read_change(&input)).transpose()?;
    let read = |input: &Input| input.bytes_without_secrets(jury_rules::redact);
    let documents: Vec<(&Input, Vec<u8>)> =
        files.iter().map(|input| read(input).map(|bytes| (input, bytes))).collect::<Result<_, Error>>()?;
    let output = |input: &Input, bytes| {
        let content = Content::Printed(bytes, from);
        ReviewerOutput {
            reviewer: input.reviewer(),
            content,
            source: Source::Unknown,
            weighting: None,
            asked: None,
            replaced_by: None,
        }
    };
    let outputs: Vec<ReviewerOutput<'_>> = documents.iter().map(|(input, bytes)| output(input, bytes)).collect();
    let options = Options {
        tree: folder.as_ref().map(|folder| folder as &dyn TreeContent),
        change: change.as_ref(),
        near_duplicates: near == Switch::On,
        ..Options::default()
    };
    let roots: Vec<&str> = folder.iter().flat_map(FolderTree::names).collect();
    let merged = merge(&outputs, &roots, &options, &Policy::default(), &limits);
    let code = super::exit_code(merged.verdict.outcome);
    let sources: Vec<render::Named<'_>> =
        documents.iter().map(|(input, bytes)| render::Named { path: input.path(), bytes }).collect();
    match (explain, format) {
        (Some(number), _) => streams.show(&render::trail(&merged, number)?),
        (None, ResultFormat::Text) => streams.show(&render::merged(&merged, &sources)),
        (None, ResultFormat::Json) => streams.json(&render::merged_json(merged, &sources)),
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
