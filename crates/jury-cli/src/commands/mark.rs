//! `jury mark`: a team agent says what it has done about a finding. It is a claim, and stays one until Jury has looked.

use clap::ValueEnum;
use jury::gate::recomputed;
use jury::model::Status;
use jury::review::PATIENCE;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury mark security-69bbc8bb-12 fixed", "Claim that a finding is fixed"),
            ("jury mark ID ID wont_fix --reason \"generated code\"", "Decline findings, and say why"),
            ("jury mark ID open", "Take it back"),
        ],
        &[
            (ExitCode::Clear, "marked"),
            (ExitCode::Usage, "there is no such finding, or it cannot be marked so; nothing was marked"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Claim that findings are fixed, decline them, or take that back
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// The ids of the findings, then `fixed`, `wont_fix` or `open`
    #[arg(value_name = "ID… STATUS", required = true, num_args = 2..)]
    words: Vec<String>,
    /// Why; kept with the mark
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// What a team may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Said {
    Fixed,
    WontFix,
    Open,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { mut words, reason, place } = arguments;
    let word = words.pop().unwrap_or_default();
    let status = match Said::from_str(&word, false) {
        Ok(Said::Fixed) => Status::Fixed,
        Ok(Said::WontFix) => Status::WontFix,
        Ok(Said::Open) => Status::Open,
        Err(_) => return Err(Error::NoSuchStatus(word)),
    };
    // A mark is kept, and shown to whoever asks.
    let reason = reason.map(|reason| jury_rules::redact(&reason).into_owned());
    let workplace = place.open()?;
    let moves: Vec<(&str, Status)> = words.iter().map(|id| (id.as_str(), status)).collect();
    let locked = workplace.store.lock(PATIENCE)?;
    let current = locked.mark(&moves, reason.as_deref(), &workplace::now(), recomputed)?;
    streams.show(&render::marked(&words, status, &current.file));
    Ok(ExitCode::Clear)
}
