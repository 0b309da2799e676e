//! `jury sync`: a remote in; the acceptances, verdicts and records that are there fetched, and those that are here pushed.

use crate::keeping::{self, Exchanged, KeepError};
use crate::scope::Repository;

/// Exchanges the decisions of people with a remote.
pub fn sync(repository: &Repository, remote: &str) -> Result<Exchanged, KeepError> {
    keeping::exchange(repository.root(), remote)
}
