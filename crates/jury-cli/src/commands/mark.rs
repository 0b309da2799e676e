//! `jury mark`: a status claim of a team agent about a finding. It stays a claim until Jury has verified it.

use clap::ValueEnum;
use jury::model::Status;
use jury::verdict::recomputed;
use jury::worktree::PATIENCE;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{ask, help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury mark security-69bbc8bb-12 fixed", "Claim a fix"),
            ("jury mark ID ID wont_fix --reason \"generated code\"", "Decline findings with a reason"),
            ("jury mark ID open", "Take the mark back"),
        ],
        &[
            (ExitCode::Clear, "marked"),
            (ExitCode::Usage, "unknown finding or illegal status; nothing was marked"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Mark findings as fixed, declined or open
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Finding ids, then `fixed`, `wont_fix` or `open`
    #[arg(value_name = "ID… STATUS", required = true, num_args = 2..)]
    words: Vec<String>,
    /// Reason, stored with the mark
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    place: WorkingDir,
}

/// The statuses that a team may set.
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
    // A mark is stored and shown later.
    let reason = reason.map(|reason| jury_rules::redact(&reason).into_owned());
    let workplace = place.open()?;
    let moves: Vec<(&str, Status)> = words.iter().map(|id| (id.as_str(), status)).collect();
    let locked = workplace.store.lock(PATIENCE)?;
    locked.mark(&moves, reason.as_deref(), &workplace::now(), recomputed)?;
    drop(locked);
    streams.show(&render::marked(&ask::marked(&workplace, words)?, status));
    Ok(ExitCode::Clear)
}
