//! Why a command could not do its work: message, hint and exit code of each reason, in one place.
//!
//! Deliberately not here: a document that does not conform or cannot be converted without loss, which is an outcome.

use std::io;

use jury::drive::DriveError;
use jury::formats::ConvertError;
use jury::model::ScopeKind;
use jury::review::ReviewError;
use jury::scope::ScopeError;
use jury::store::StoreError;
use jury::syntax::diff::DiffError;
use jury::waive::WaiveError;
use jury_rules::RuleError;
use jury_wire::ExitCode;

use crate::render::inert;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file or standard input could not be read.
    #[error("cannot read `{path}`")]
    Read {
        /// The path as it is shown.
        path: String,
        /// The reason the system gives.
        source: io::Error,
    },
    /// Standard input is named twice, and can be read only once.
    #[error("standard input is named more than once")]
    StdinTwice,
    /// What was given as a diff is none.
    #[error("`{path}` is not a unified diff")]
    Diff {
        /// The path as it is shown.
        path: String,
        /// What is wrong with it.
        source: DiffError,
    },
    /// There is no finding of that number.
    #[error("there is no finding {number}; the last is {last}")]
    NoSuchFinding {
        /// The number that was asked for.
        number: usize,
        /// The highest there is.
        last: usize,
    },
    /// A result could not be written where the user wanted it.
    #[error("cannot write `{path}`; the review itself is saved")]
    Output {
        /// The path as it is shown.
        path: String,
        /// The reason the system gives.
        source: io::Error,
    },
    /// Scope and targets do not go together.
    #[error("the scope `{kind}` cannot be taken so: {what}")]
    Target {
        /// The scope.
        kind: ScopeKind,
        /// What is wrong.
        what: &'static str,
    },
    /// A word is no status that a team may set.
    #[error("`{0}` is no status that a team can set")]
    NoSuchStatus(String),
    /// There is no finding of that id.
    #[error("the latest review has no finding `{0}`")]
    NoSuchId(String),
    /// There is no reviewer of that name.
    #[error("jury.toml of the base defines no reviewer `{0}`")]
    NoSuchReviewer(String),
    /// The configuration that is being edited cannot be used.
    #[error("`jury.toml` of the working tree cannot be used: {0}")]
    Edited(String),
    /// Nobody agreed to what was shown.
    #[error("nobody agreed, so nothing is trusted")]
    NotAgreed,
    /// Nobody agreed to the files that were shown.
    #[error("nobody agreed, so nothing was written")]
    NotWritten,
    /// There is no host of that name.
    #[error("there is no host `{0}`")]
    NoSuchHost(String),
    /// There is no ready-made linter of that name.
    #[error("there is no ready-made linter `{0}`")]
    NoSuchLinter(String),
    /// What was remembered of an earlier run cannot be used.
    #[error("the notes of what was installed, `{path}`, cannot be used: {why}")]
    Notes {
        /// Where they are.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// There is no folder for the settings of a user.
    #[error("neither XDG_CONFIG_HOME nor HOME is an absolute path, so there is no place for what is trusted")]
    NoSettings,
    /// There is no rule of that id.
    #[error("there is no rule `{0}`")]
    NoSuchRule(String),
    /// A rule file of the repository is none.
    #[error("a rule of the repository cannot be used: {0}")]
    Rule(RuleError),
    /// There is no review of that id.
    #[error("there is no record of a review `{0}` in this worktree")]
    NoSuchReview(String),
    /// A tool was called with what it does not take.
    #[error("these arguments cannot be used: {0}")]
    Arguments(String),
    /// A finding has another status than whoever claims something about it believes.
    #[error("finding `{id}` is `{is}`, and not `{expected}`; nothing was marked")]
    Moved {
        /// The finding.
        id: String,
        /// Its status.
        is: String,
        /// What it was believed to be.
        expected: String,
    },
    /// An address is not this machine's own.
    #[error("`{0}` is not a loopback address")]
    NotLoopback(std::net::SocketAddr),
    /// The server could not be set up.
    #[error("cannot serve")]
    Serve(#[source] io::Error),
    /// A line that git is to have written was not understood.
    #[error("what is pushed was not understood: `{0}`")]
    PushLine(String),
    /// Nothing has been reviewed.
    #[error("nothing has been reviewed here yet")]
    NoReview,
    /// There is only a quick check, or nothing at all.
    #[error("there is no full review whose findings could be looked at again")]
    NoFullReview,
    /// A reviewer was to be run for a task whose reports dir was not cleared for it.
    #[error("task `{0}` was not started")]
    TaskNotStarted(String),
    /// An abort without a reason.
    #[error("an abort has to say why")]
    NoReason,
    /// A throw-away repository could not be made.
    #[error("cannot write the throw-away repository at `{path}`")]
    Throwaway {
        /// Where.
        path: String,
        /// The reason the system gives.
        source: io::Error,
    },
    /// There is no git.
    #[error("cannot run `git`")]
    NoGit(#[source] io::Error),
    /// Git refused.
    #[error("git failed: {0}")]
    Git(String),
    /// A command line of our own making was refused.
    #[error("a command of the demo was not understood: {0}")]
    Words(String),
    /// A command of the demo did not end as it should.
    #[error("`{typed}` ended with {ended}, and not with {expected}")]
    Demo {
        /// What was typed.
        typed: String,
        /// How it ended.
        ended: u8,
        /// How it should have ended.
        expected: u8,
    },
    /// A finding could not be waived.
    #[error(transparent)]
    Waive(WaiveError),
    /// The program that was to fix could not be started.
    #[error("cannot start `{program}`: {why}")]
    NoFixer {
        /// The program as it is shown.
        program: String,
        /// The reason the system gives.
        why: String,
    },
    /// The program that was to fix has changed what its work is measured by.
    #[error("the fixer {0}")]
    Measure(String),
    /// A review could not be made, or its state not be read.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// Standard output took no more.
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
    /// The report cannot be written in the target.
    #[error(transparent)]
    Convert(#[from] ConvertError),
}

impl Error {
    /// Returns what to do about it, where there is something to say.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Read { source, .. } if source.kind() == io::ErrorKind::IsADirectory => {
                Some("name the files in it, one by one")
            }
            Self::StdinTwice => Some("write `-` once"),
            Self::Convert(ConvertError::Unsayable { .. }) => Some("choose another target; `jury formats` lists them"),
            Self::Diff { .. } => Some("give the output of `git diff`"),
            Self::Target { .. } => Some("`jury review --help` shows how scopes and targets go together"),
            Self::NoSuchStatus(_) => Some("write `jury mark ID… fixed`, `wont_fix` or `open`"),
            Self::NoSuchId(_) | Self::Review(ReviewError::Store(StoreError::UnknownFinding { .. })) => {
                Some("`jury status` lists the findings")
            }
            Self::NoSuchRule(_) => Some("`jury rules` lists them"),
            Self::NoSuchReviewer(_) => Some("`jury trust --list` shows them"),
            Self::Edited(_) => Some("`jury schema jury-toml` has its keys, docs/reviewers.md their meaning"),
            Self::NotAgreed => Some("answer `y` on a terminal, or read the commands and add `--yes`"),
            Self::NotWritten => Some("answer `y` on a terminal, or read what `--dry-run` shows and add `--yes`"),
            Self::NoSuchHost(_) => Some("write claude, codex, gemini, cursor, opencode or git"),
            Self::NoSuchLinter(_) => Some("`docs/reviewers.md` lists them"),
            Self::Notes { .. } => {
                Some("move the file away; without it, `--remove` takes out what it recognises as its own")
            }
            Self::NoSettings => Some("set HOME; in CI, `jury review --trust` trusts the base"),
            Self::Rule(_) => Some("`jury rules check` tries all of them"),
            Self::Arguments(_) => Some("the tool's input schema says what it takes"),
            Self::Moved { .. } => Some("look at it again (`finding_get`), then claim with its present status"),
            Self::NotLoopback(_) => Some("serve on 127.0.0.1 or [::1]; whoever else may ask, asks through a tunnel"),
            Self::PushLine(_) => {
                Some("git writes `<local ref> <local object> <remote ref> <remote object>`, one ref a line")
            }
            Self::NoReview => Some("run `jury review` first"),
            Self::NoFullReview => Some("run `jury review`; a quick check is made again by `jury review --quick`"),
            Self::NoGit(_) => Some("install git, or put it on the PATH"),
            Self::TaskNotStarted(_) => Some("run `jury task start ID --expect ROLE,…` first"),
            Self::NoReason => Some("write `jury abort --reason TEXT`"),
            Self::Waive(error) => of_waiver(error),
            Self::NoFixer { .. } => Some("name a program after `--`; a line of shell needs `sh -c`"),
            Self::Measure(_) => Some("nothing counts as reviewed: a person looks at what it did, then `jury review`"),
            Self::Review(ReviewError::NothingBegun) => {
                Some("run `jury review`: what was answered before is not asked again")
            }
            Self::Review(ReviewError::OtherTree) => {
                Some("run `jury review`: it asks again whoever has not seen this tree, and nobody else")
            }
            Self::Review(ReviewError::Config(_)) => {
                Some("mend the file on the base branch; the default never stands in for it")
            }
            Self::Read { .. }
            | Self::NoSuchFinding { .. }
            | Self::NoSuchReview(_)
            | Self::Output { .. }
            | Self::Throwaway { .. }
            | Self::Git(_)
            | Self::Words(_)
            | Self::Demo { .. }
            | Self::Serve(_)
            | Self::Review(_)
            | Self::Write(_)
            | Self::Convert(ConvertError::ReadOnly(_)) => None,
        }
    }

    /// Returns the exit code.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Read { .. }
            | Self::StdinTwice
            | Self::Diff { .. }
            | Self::NoSuchFinding { .. }
            | Self::NoSuchId(_)
            | Self::NoSuchReview(_)
            | Self::NoSuchReviewer(_)
            | Self::Edited(_)
            | Self::NotAgreed
            | Self::NotWritten
            | Self::NoSuchHost(_)
            | Self::NoSuchLinter(_)
            | Self::NoSettings
            | Self::NoSuchRule(_)
            | Self::NoSuchStatus(_)
            | Self::Rule(_)
            | Self::PushLine(_)
            | Self::Arguments(_)
            | Self::Moved { .. }
            | Self::NotLoopback(_)
            | Self::Serve(_)
            | Self::NoReview
            | Self::NoFullReview
            | Self::TaskNotStarted(_)
            | Self::NoReason
            | Self::NoFixer { .. }
            | Self::Waive(_)
            | Self::Output { .. }
            | Self::Target { .. }
            | Self::Throwaway { .. }
            | Self::NoGit(_)
            | Self::Git(_)
            | Self::Words(_)
            | Self::Write(_)
            | Self::Convert(ConvertError::ReadOnly(_)) => ExitCode::Usage,
            Self::Demo { .. } => ExitCode::Incomplete,
            Self::Measure(_) | Self::Notes { .. } => ExitCode::Refused,
            Self::Review(ReviewError::Config(_) | ReviewError::NothingBegun | ReviewError::OtherTree) => {
                ExitCode::Usage
            }
            Self::Review(ReviewError::Record(_)) => ExitCode::Refused,
            Self::Review(ReviewError::Scope(error)) => of_scope(error),
            Self::Review(ReviewError::Store(error)) => of_store(error),
            Self::Convert(ConvertError::Unsayable { .. }) => ExitCode::Blocked,
        }
    }
}

/// A wish that cannot be meant is a matter of usage; what is meant and cannot be read is not reviewed.
fn of_scope(error: &ScopeError) -> ExitCode {
    match error {
        ScopeError::NotARepository(_)
        | ScopeError::Bare(_)
        | ScopeError::Elsewhere { .. }
        | ScopeError::UnknownRevision { .. }
        | ScopeError::NoBase
        | ScopeError::Outside(_)
        | ScopeError::NoSuchPath(_)
        | ScopeError::NoPackage(_)
        | ScopeError::NoOwners
        | ScopeError::NoTeam { .. } => ExitCode::Usage,
        ScopeError::Unsupported { .. }
        | ScopeError::Git { .. }
        | ScopeError::Io { .. }
        | ScopeError::NoMergeBase(_)
        | ScopeError::Shallow(_)
        | ScopeError::MissingObject { .. }
        | ScopeError::DamagedObject { .. }
        | ScopeError::Moved(_) => ExitCode::Incomplete,
    }
}

/// A mark that cannot be made is a matter of usage; the rest is state that is refused.
fn of_store(error: &StoreError) -> ExitCode {
    match error {
        StoreError::NoReview { .. } | StoreError::UnknownFinding { .. } | StoreError::IllegalMove { .. } => {
            ExitCode::Usage
        }
        StoreError::Io { .. }
        | StoreError::Refused { .. }
        | StoreError::Locked { .. }
        | StoreError::LockingUnavailable { .. }
        | StoreError::Tampered { .. }
        | StoreError::Foreign { .. }
        | StoreError::Newer { .. }
        | StoreError::Damaged { .. }
        | StoreError::Unwritable { .. } => ExitCode::Refused,
    }
}

/// Says what to do about a waiver that was not written.
fn of_waiver(error: &WaiveError) -> Option<&'static str> {
    match error {
        WaiveError::NoReview => Some("run `jury review` first"),
        WaiveError::Unknown(_) => Some("`jury status` lists the findings"),
        WaiveError::Gap(_) => Some("remove the cause, then run `jury review`"),
        WaiveError::Already { .. } => Some("a waiver counts once it is on the base branch and `jury review` has run"),
        WaiveError::Nobody => {
            Some("add `--by NAME`; without it, the `user.name` of the repository counts, if it has one")
        }
        WaiveError::Passed(_) => Some("name a day that is still to come"),
        WaiveError::Broken(_) => Some("mend the file first; nothing was written"),
        WaiveError::NoReason | WaiveError::NotADay(_) | WaiveError::Review(_) => None,
    }
}

impl From<DriveError> for Error {
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Review(error) => Self::Review(error),
            DriveError::NotStarted { program, why } => Self::NoFixer { program: inert::line(&program), why },
            DriveError::Measure(what) => Self::Measure(inert::line(&what)),
        }
    }
}

impl From<WaiveError> for Error {
    fn from(error: WaiveError) -> Self {
        match error {
            WaiveError::Review(error) => Self::Review(error),
            error => Self::Waive(error),
        }
    }
}

impl From<ScopeError> for Error {
    fn from(error: ScopeError) -> Self {
        Self::Review(error.into())
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Review(error.into())
    }
}
