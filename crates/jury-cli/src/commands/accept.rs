//! `jury accept`: a person accepts findings and gaps, with a key that the base lists.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use jury::flows::accept::{AcceptRequest, ToSign, accept};
use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury accept scope-cdb4ee2a-0 --reason \"the new logo\"", "Accept files that nobody here can read"),
            (
                "jury accept ID ID --reason TEXT --expires 2027-01-31",
                "Accept several until a day, with one touch of the key",
            ),
            ("jury accept ID --reason TEXT --key ~/.ssh/id_ed25519_sk", "Sign with this key"),
        ],
        &[
            (ExitCode::Clear, "accepted, and it counts"),
            (ExitCode::Usage, "unknown finding, no key, or a signature that would not count; nothing was kept"),
            (ExitCode::Refused, "the state on disk was refused"),
            (ExitCode::Waiting, "confirmed without a key, which opens nothing by the policy of the base"),
        ],
    )
}

/// Accept findings or unreadable files as a person, signed with a key that the base lists
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Ids of findings and gaps
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Reason for the acceptance
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Last valid day, such as 2027-01-31; default: until the accepted code or file changes
    #[arg(long, value_name = "DAY")]
    expires: Option<String>,
    /// Key to sign with; default: `user.signingkey` of git, or the only listed key of the SSH agent
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Name for a confirmation without a key; default: `user.name` of the repository's configuration
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { ids, reason, expires, key, by, base, place } = arguments;
    let workplace = place.open()?;
    let now = workplace::now();
    let is_attended = std::io::stderr().is_terminal();
    let request = AcceptRequest { ids, reason, expires, key, by, base, is_attended, now };
    let mut show = |to_sign: &ToSign| streams.remark(&render::to_sign(to_sign));
    let accepted = accept(&workplace.repository, &workplace.store, &request, &mut show)?;
    streams.show(&render::accepted(&accepted));
    Ok(if accepted.counts { ExitCode::Clear } else { ExitCode::Waiting })
}
