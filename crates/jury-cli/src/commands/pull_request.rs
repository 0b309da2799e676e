//! The pull request that a command is about: options over what the environment of CI says; and a gate with its approvals.

use std::time::Duration;

use jury::flows::GateView;
use jury::flows::approvals::{Approvals, ApprovalsError, approvals};
use jury::flows::gate::{Subject, approved};
use jury::forge::{self, Forge, Named, Pace, Place};
use jury::model::Outcome;

use crate::error::Error;
use crate::render;
use crate::streams::Streams;
use crate::workplace::{self, Workplace};

/// Which repository of which forge, and how to speak with it.
#[derive(clap::Args)]
pub(super) struct ForgeOptions {
    /// Kind of forge: github, gitlab or gitea (also Forgejo); default: that of the CI
    #[arg(long, value_name = "FORGE")]
    pub(super) forge: Option<String>,
    /// Address of the server, or of its API
    #[arg(long, value_name = "URL")]
    pub(super) url: Option<String>,
    /// Repository: OWNER/NAME, or the project's path or number on GitLab
    #[arg(long, value_name = "REPO")]
    pub(super) repo: Option<String>,
    /// Milliseconds between two writes; without a time from the forge, a limit is waited for 60 times as long
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub(super) pace: u64,
}

impl ForgeOptions {
    /// Finds the pull request and speaks with its forge.
    pub(super) fn open(&self, number: Option<u64>) -> Result<(Place, Box<dyn Forge>), Error> {
        let named = Named { forge: self.forge.clone(), url: self.url.clone(), repo: self.repo.clone(), number };
        let event = std::env::var_os("GITHUB_EVENT_PATH").and_then(|path| std::fs::read_to_string(path).ok());
        let place = forge::find(&named, &|name| std::env::var(name).ok(), event.as_deref()).map_err(Error::Place)?;
        let forge = forge::open(&place, Pace(Duration::from_millis(self.pace)));
        Ok((place, forge))
    }
}

/// Checks a gate again with the approvals of a pull request. A forge that does not tell approves nothing.
pub(super) fn with_approvals<'f>(
    workplace: &Workplace,
    view: GateView,
    base: Option<&str>,
    (place, forge): (&Place, &'f mut (dyn Forge + 'f)),
    streams: &mut Streams,
) -> Result<GateView, Error> {
    // Nothing waits, or nothing that waits is anybody's to decide there.
    if matches!(view.gate.outcome, Outcome::Clear | Outcome::Aborted) {
        return Ok(view);
    }
    match approvals(&workplace.repository, &workplace.store, &view, base, (place.forge, forge)) {
        Ok(Approvals { counted, refused }) => {
            let subject = (Subject::Head, counted.as_slice());
            let mut view = approved(&workplace.repository, &workplace.store, base, subject, &workplace::now())?;
            view.refused.extend(refused);
            Ok(view)
        }
        Err(ApprovalsError::Flow(error)) => Err(error.into()),
        Err(error @ ApprovalsError::Forge(_)) => {
            streams.remark(&render::note(&format!("approvals do not count: {error}")));
            Ok(view)
        }
    }
}
