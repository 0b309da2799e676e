//! `jury contest`: shows that a finding is false. The tree and the reviewers that raised it answer.

use jury::flows::contest::{ContestRequest, contest};
use jury::model::ContestResult;
use jury::panel::AskOptions;
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury contest ID --shows src/b.ts:1 \"export const b\"", "The file that is said not to exist is there"),
            ("jury contest ID --declared parseUser", "The name that is said not to be defined is declared in its file"),
            ("jury contest ID --reason \"the caller checks it\"", "Ask the reviewer that raised it, and one more"),
        ],
        &[
            (ExitCode::Clear, "the finding is refuted, and settled for the gate"),
            (ExitCode::Blocked, "the finding stands"),
            (ExitCode::Usage, "unknown finding, contested before on this tree, or what is shown is not there"),
            (ExitCode::Refused, "the state on disk was refused"),
            (ExitCode::Waiting, "a person decides"),
        ],
    )
}

/// Contest a finding with evidence: the tree refutes it, or who raised it is asked again
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Id of the finding
    #[arg(value_name = "ID")]
    id: String,
    /// Line that speaks against it, and what it reads
    #[arg(long, num_args = 2, value_names = ["PATH:LINE", "QUOTE"], conflicts_with = "declared")]
    shows: Option<Vec<String>>,
    /// Name that the file of the finding declares
    #[arg(long, value_name = "SYMBOL")]
    declared: Option<String>,
    /// Why the finding is false
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["shows", "declared"])]
    reason: Option<String>,
    /// Who contests it; default: `user.name` of the repository's configuration
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Ask reviewers in jury.toml of the base, trusted or not; for CI
    #[arg(long)]
    trust: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { id, shows, declared, reason, by, base, trust, format, place } = arguments;
    let workplace = place.open()?;
    let options = AskOptions { trust: workplace.trust(trust)?, ..AskOptions::default() };
    let shows = shows.and_then(|words| {
        let mut words = words.into_iter();
        Some((words.next()?, words.next()?))
    });
    let request = ContestRequest { id, shows, declared, reason, by, base, options, now: workplace::now() };
    let contested = contest(&workplace.repository, &workplace.store, &request)?;
    let shown = render::wire_contested(&contested);
    match format {
        OutputFormat::Text => streams.show(&render::contested(&shown)),
        OutputFormat::Json => streams.json(&render::pretty(&shown)),
    }
    Ok(match contested.result {
        ContestResult::Refuted | ContestResult::Conceded => ExitCode::Clear,
        ContestResult::Upheld => ExitCode::Blocked,
        ContestResult::ForPerson | ContestResult::Unanswered => ExitCode::Waiting,
    })
}
