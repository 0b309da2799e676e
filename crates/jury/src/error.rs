//! Why a flow could not do its job. The state on disk is as it was before.

use crate::base::BaseError;
use crate::config::ConfigError;
use crate::record::RecordError;
use crate::scope::ScopeError;
use crate::store::StoreError;

/// Why a flow could not do its job.
#[derive(Debug, thiserror::Error)]
pub enum FlowError {
    /// The scope could not be found out.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// The state on disk was refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of the team cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no unfinished review to resume.
    #[error("no unfinished review")]
    NothingBegun,
    /// The unfinished review was of another tree.
    #[error("the unfinished review was of another tree")]
    OtherTree,
    /// There are acceptance criteria, and nobody to hold the change against them.
    #[error("acceptance criteria were given, and no reviewer in jury.toml of the base has the persona `intent`")]
    NobodyForIntent,
}

impl From<BaseError> for FlowError {
    fn from(error: BaseError) -> Self {
        match error {
            BaseError::Scope(error) => Self::Scope(error),
            BaseError::Config(error) => Self::Config(error),
        }
    }
}
