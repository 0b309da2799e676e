//! Where a command works: the repository that a folder lies in, and Jury's state in it. And what time it is.

use std::path::PathBuf;

use jury::model::Timestamp;
use jury::scope::Repository;
use jury::store::{Places, Store};

use crate::error::Error;

/// Where to work.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// Work as if started in this folder
    #[arg(short = 'C', value_name = "DIR", default_value = ".", hide_default_value = true, display_order = 800)]
    pub(crate) folder: PathBuf,
}

/// A repository and Jury's state in it.
pub(crate) struct Workplace {
    /// The repository.
    pub(crate) repository: Repository,
    /// The state.
    pub(crate) store: Store,
}

impl Place {
    /// Opens what is there.
    pub(crate) fn open(&self) -> Result<Workplace, Error> {
        let repository = Repository::discover(&self.folder)?;
        let store = Store::open(Places {
            worktree: repository.root().to_path_buf(),
            git_dir: repository.git_dir().to_path_buf(),
            common_dir: repository.common_dir().to_path_buf(),
        })?;
        Ok(Workplace { repository, store })
    }
}

/// Returns the time in UTC, to the second. Only the edge looks at a clock.
pub(crate) fn now() -> Timestamp {
    let seconds = jiff::Timestamp::now().as_second();
    let moment = jiff::Timestamp::from_second(seconds).expect("the clock is within what a calendar has");
    Timestamp::new(&moment.to_string()).expect("a moment is written as ISO 8601 has it")
}
