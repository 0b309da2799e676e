//! `jury gate`: may this tree merge? No reviewer runs, nothing is written.

use clap::ValueEnum;
use jury::flows::gate::{Subject, gate};
use jury::report::github_gate;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury gate", "Check every condition for this tree"),
            ("jury gate --worktree", "Check them before the commit"),
            ("jury gate --base origin/main --format json", "The same in CI, as JSON"),
        ],
        &[
            (ExitCode::Clear, "the gate is open"),
            (ExitCode::Blocked, "a finding blocks, or a fix is unverified"),
            (ExitCode::Usage, "invalid command line or jury.toml, or not a repository"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "this tree was not reviewed, or not in full, or is not committed"),
            (ExitCode::Refused, "the state on disk was refused"),
            (ExitCode::Waiting, "only a person can go on"),
        ],
    )
}

/// Check whether this tree may merge
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Judge the working tree, committed or not
    #[arg(long)]
    worktree: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = GateFormat::Text, value_name = "FORMAT")]
    format: GateFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// Who the output is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GateFormat {
    Text,
    Json,
    /// GitHub Actions annotations
    Github,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let subject = if arguments.worktree { Subject::Worktree } else { Subject::Head };
    let view = gate(&workplace.repository, &workplace.store, arguments.base.as_deref(), subject, &workplace::now())?;
    match arguments.format {
        GateFormat::Text => streams.show(&render::gate(&view)),
        GateFormat::Json => streams.json(&render::pretty(&render::wire_gate(&view))),
        GateFormat::Github => {
            let failing = view.gate.checked.iter().filter(|checked| !checked.holds);
            streams.document(&github_gate(failing.map(|it| (it.condition.token(), it.seen.as_str(), it.remedy))));
        }
    }
    Ok(super::exit_code(view.gate.outcome))
}
