//! `jury sync`: a remote in; the acceptances that are there fetched, and those that are here pushed.

use std::collections::BTreeSet;

use crate::error::FlowError;
use crate::keeping::{EXCHANGED, KeepError, exchange};
use crate::scope::{Repository, ScopeError};

/// What was exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// How many objects came from the remote.
    pub came: usize,
    /// How many there are here and there now.
    pub all: usize,
}

/// Why nothing, or not everything, was exchanged.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The remote could not be reached, or refused.
    #[error(transparent)]
    Keeping(#[from] KeepError),
    /// The refs could not be read.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

impl From<ScopeError> for SyncError {
    fn from(error: ScopeError) -> Self {
        Self::Flow(error.into())
    }
}

/// Exchanges the decisions of people with a remote.
pub fn sync(repository: &Repository, remote: &str) -> Result<Synced, SyncError> {
    let before = names(repository)?;
    exchange(repository.root(), remote)?;
    let after = names(repository)?;
    Ok(Synced { came: after.difference(&before).count(), all: after.len() })
}

fn names(repository: &Repository) -> Result<BTreeSet<String>, ScopeError> {
    let mut names = BTreeSet::new();
    for prefix in EXCHANGED {
        names.extend(repository.objects_below(prefix, 0)?.into_iter().map(|object| format!("{prefix}{}", object.name)));
    }
    Ok(names)
}
