//! `jury loop`: review, fix by a command, verify, until the gate passes or progress stops.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::time::Duration;

use jury::drivers::rounds::{self, Event, LoopRequest};
use jury::model::{Budget, micro_dollars};
use jury_wire::ExitCode;

use super::OutputFormat;
use super::task::duration;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury loop -- ./fix.sh", "Let a script fix the findings in $JURY_BRIEF"),
            (
                "jury loop --max-rounds 3 --max-time 1h -- sh -c 'claude -p \"Fix the findings in $JURY_BRIEF\"'",
                "Let an agent fix, in at most three rounds",
            ),
            ("jury loop --format json -- ./fix.sh", "The same as JSON; `ended` has the reason for the end"),
        ],
        &[
            (ExitCode::Clear, "converged: the gate is open after a full review"),
            (ExitCode::Blocked, "stuck, oscillating or regressing: progress stopped with findings open"),
            (ExitCode::Usage, "the command cannot be started, or invalid jury.toml"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "out of rounds, time or budget, or part of the change was not reviewed"),
            (ExitCode::Refused, "the fixer changed the verdict file, the branch or its base, or the state was refused"),
            (ExitCode::Waiting, "only a person can decide what is left"),
        ],
    )
}

/// Repeat review, fix by a command, and verify until the gate passes or progress stops
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Maximum number of rounds
    #[arg(long, value_name = "N", default_value = "5")]
    max_rounds: NonZeroUsize,
    /// Maximum total time; a running command is ended
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = duration)]
    max_time: Duration,
    /// Maximum cost of the reviewing models over all rounds
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_cost: Option<u64>,
    /// Maximum number of tokens over all rounds
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Run all reviewers in jury.toml of the base, trusted or not; for CI
    #[arg(long)]
    trust: bool,
    /// Output format; output of the command goes to standard error
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    /// Fixer command; JURY_BRIEF, JURY_VERDICT and JURY_ROUND are in its environment
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    place: WorkingDir,
}

fn dollars(text: &str) -> Result<u64, String> {
    micro_dollars(text).ok_or_else(|| "expected an amount of dollars, such as 2.50".to_owned())
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { max_rounds, max_time, max_cost, max_tokens, base, trust, format, command, place } = arguments;
    let workplace = place.open()?;
    let trust = workplace.trust(trust)?;
    let request = LoopRequest {
        base: base.as_deref(),
        command: &command,
        folder: &place.folder,
        rounds: max_rounds.get(),
        time: max_time,
        budget: Budget { cost: max_cost, tokens: max_tokens, time: None },
        trust: &trust,
    };
    let mut progress = render::Progress::new(streams.can_animate());
    let mut watch = |event: Event<'_>| match event {
        Event::Progress(event) => progress.tell(event),
        event => streams.remark(&render::round(&event)),
    };
    let looped = rounds::run(&workplace.repository, &workplace.store, &request, &workplace::now, &mut watch)?;
    let shown = render::wire_loop(&looped);
    match format {
        OutputFormat::Text => streams.show(&render::looped(&shown)),
        OutputFormat::Json => streams.json(&render::pretty(&shown)),
    }
    Ok(super::exit_code(looped.outcome()))
}
