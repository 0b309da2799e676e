//! The pull request that a command is about: options over what the environment of CI says.

use std::time::Duration;

use jury::forge::{self, Forge, Named, Pace, Place};

use crate::error::Error;

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
