//! `jury gate`: may this tree merge? No reviewer runs, nothing is written.

use clap::ValueEnum;
use jury::gate::{Look, look};
use jury::report::github_gate;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury gate", "Say whether this tree may merge, condition by condition"),
            ("jury gate --base origin/main --format json", "The same in CI, for a program"),
        ],
        &[
            (ExitCode::Clear, "the gate is open"),
            (ExitCode::Blocked, "a finding blocks, or is only claimed to be fixed"),
            (ExitCode::Usage, "the command or jury.toml was not understood, or this is no repository"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "this tree was not reviewed, or not in full"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Say whether this tree may merge
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// What the change is to be merged into; else the upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Who the output is for
    #[arg(long, value_enum, default_value_t = GateFormat::Text, value_name = "FORMAT")]
    format: GateFormat,
    #[command(flatten)]
    place: Place,
}

/// Who the output is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GateFormat {
    Text,
    Json,
    /// Annotations of GitHub Actions
    Github,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let look: Look = look(&workplace.repository, &workplace.store, arguments.base.as_deref(), &workplace::now())?;
    match arguments.format {
        GateFormat::Text => streams.show(&render::gate(&look)),
        GateFormat::Json => streams.json(&render::pretty(&render::wire_gate(&look))),
        GateFormat::Github => {
            let failing = look.gate.checked.iter().filter(|checked| !checked.holds);
            streams.document(&github_gate(failing.map(|it| (it.condition.token(), it.seen.as_str(), it.remedy))));
        }
    }
    Ok(super::exit_code(look.gate.outcome))
}
