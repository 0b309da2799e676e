//! `jury loop`: review, let a command fix, look again, until nothing required stands or going on makes no sense.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::time::Duration;

use jury::drive::{Event, Request, drive};
use jury::model::{Budget, micro_dollars};
use jury_wire::ExitCode;

use super::OutputFormat;
use super::task::duration;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury loop -- ./fix.sh", "Let a script fix what `$JURY_BRIEF` says, until nothing required stands"),
            (
                "jury loop --max-rounds 3 --max-time 1h -- sh -c 'claude -p \"Fix what $JURY_BRIEF says\"'",
                "Let an agent do it, three times at most",
            ),
            ("jury loop --format json -- ./fix.sh", "The same, for a program: `ended` says how it came to its end"),
        ],
        &[
            (ExitCode::Clear, "converged: nothing required stands, and the whole tree was reviewed"),
            (ExitCode::Blocked, "stuck, oscillating or regressing: findings stand, and a further round would not help"),
            (ExitCode::Usage, "the command could not be started, or jury.toml was not understood"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "out of rounds, time or budget, or something could not be reviewed"),
            (ExitCode::Refused, "the fixer changed the verdict file, the branch or its base, or the state was refused"),
        ],
    )
}

/// Review, let a command fix what was found, look again, and so on until it passes or makes no sense
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// How many times the command may be run
    #[arg(long, value_name = "N", default_value = "5")]
    max_rounds: NonZeroUsize,
    /// How long all of it may take; a command that is running then is ended
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = duration)]
    max_time: Duration,
    /// How many dollars the models may cost that review, in all rounds
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_cost: Option<u64>,
    /// How many tokens they may take
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// What to compare with; else the upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Run every reviewer that jury.toml of the base names, trusted or not; for CI
    #[arg(long)]
    trust: bool,
    /// Who the output is for; what the command prints goes to standard error
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    /// The fixer; it finds JURY_BRIEF, JURY_VERDICT and JURY_ROUND in its environment
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    place: Place,
}

fn dollars(text: &str) -> Result<u64, String> {
    micro_dollars(text).ok_or_else(|| "expected an amount of dollars, such as 2.50".to_owned())
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { max_rounds, max_time, max_cost, max_tokens, base, trust, format, command, place } = arguments;
    let workplace = place.open()?;
    let trust = workplace.trust(trust)?;
    let request = Request {
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
    let driven = drive(&workplace.repository, &workplace.store, &request, &workplace::now, &mut watch)?;
    let shown = render::wire_loop(&driven);
    match format {
        OutputFormat::Text => streams.show(&render::looped(&shown)),
        OutputFormat::Json => streams.json(&render::pretty(&shown)),
    }
    Ok(super::exit_code(driven.outcome()))
}
