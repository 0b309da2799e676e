//! Where a command works: the repository that a folder lies in, and Jury's state in it. And the current time.

use std::path::PathBuf;

use jury::model::Timestamp;
use jury::panel::AskOptions;
use jury::scope::{Repository, Request};
use jury::store::{StateDirs, Store, Trust, Trusted};

use crate::error::Error;

/// Where to work.
#[derive(Clone, clap::Args)]
pub(crate) struct WorkingDir {
    /// Working directory
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

impl WorkingDir {
    /// Opens the repository and its state.
    pub(crate) fn open(&self) -> Result<Workplace, Error> {
        let repository = Repository::discover(&self.folder)?;
        let store = Store::open(StateDirs {
            worktree: repository.root().to_path_buf(),
            git_dir: repository.git_dir().to_path_buf(),
            common_dir: repository.common_dir().to_path_buf(),
        })?;
        Ok(Workplace { repository, store })
    }

    /// Opens the same with a commit in the place of HEAD and of the working tree, if one is named.
    pub(crate) fn open_at(&self, head: Option<&str>) -> Result<Workplace, Error> {
        let Workplace { repository, store } = self.open()?;
        let repository = head.map_or(Ok(None), |head| repository.at(head).map(Some))?.unwrap_or(repository);
        Ok(Workplace { repository, store })
    }
}

impl Workplace {
    /// Opens the user's trust file for this repository.
    pub(crate) fn trusted(&self) -> Result<Trusted, Error> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let settings = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")));
        let settings = settings.ok_or(Error::NoSettings)?;
        Ok(Trusted::new(&settings.join("jury"), self.repository.common_dir()))
    }

    /// Returns the usual options for asking reviewers.
    pub(crate) fn ask_options(&self) -> Result<AskOptions, Error> {
        Ok(AskOptions { trust: self.trust(false)?, ..AskOptions::default() })
    }

    /// Returns the trusted definitions: all of the base's, or those of the user. Without settings, none.
    pub(crate) fn trust(&self, is_all: bool) -> Result<Trust, Error> {
        match self.trusted() {
            _ if is_all => Ok(Trust::all()),
            Err(Error::NoSettings) => Ok(Trust::default()),
            trusted => Ok(trusted?.read()?),
        }
    }
}

/// Returns the request for what is staged. git names the index of a commit in the making to its hooks (`git commit -a`, `git commit
/// FILE`), relative to the root of the worktree, where it starts them.
pub(crate) fn staged() -> Request {
    let index = std::env::var_os("GIT_INDEX_FILE").filter(|file| !file.is_empty());
    Request::Staged { index: index.map(|file| std::path::absolute(&file).unwrap_or(file.into())) }
}

/// Returns the time in UTC, to the second. Only the edge looks at a clock.
pub(crate) fn now() -> Timestamp {
    let seconds = jiff::Timestamp::now().as_second();
    let moment = jiff::Timestamp::from_second(seconds).expect("the clock is within the range of the calendar");
    Timestamp::new(&moment.to_string()).expect("a moment is written as ISO 8601 has it")
}
