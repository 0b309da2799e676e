//! Why a command could not do its work: message, hint and exit code of each reason, in one place.
//!
//! Deliberately not here: a document that does not conform or cannot be converted without loss, which is an outcome.

use std::io;
use std::sync::LazyLock;

use jury::base::BaseError;
use jury::drivers::rounds::LoopError;
use jury::error::FlowError;
use jury::flows::accept::AcceptError;
use jury::flows::attest::AttestError;
use jury::flows::contest::ContestError;
use jury::flows::publish::PublishError;
use jury::flows::waive::WaiveError;
use jury::forge::PlaceError;
use jury::formats::ConvertError;
use jury::keeping::KeepError;
use jury::model::ScopeKind;
use jury::scope::ScopeError;
use jury::store::StoreError;
use jury::syntax::diff::DiffError;
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
    #[error("standard input is given more than once")]
    StdinTwice,
    /// The given diff is not one.
    #[error("`{path}` is not a unified diff")]
    Diff {
        /// The path as it is shown.
        path: String,
        /// The problem.
        source: DiffError,
    },
    /// There is no finding of that number.
    #[error("no finding {number}; the last is {last}")]
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
    #[error("invalid scope `{kind}`: {what}")]
    Target {
        /// The scope.
        kind: ScopeKind,
        /// The problem.
        what: &'static str,
    },
    /// A text has no acceptance criteria.
    #[error("{0} has no acceptance criteria: no item of a list, and no paragraph")]
    NoCriteria(String),
    /// A text has more acceptance criteria than one change can have.
    #[error("{name} has {count} acceptance criteria; at most {} are taken", jury::intake::MOST_CRITERIA)]
    TooManyCriteria {
        /// The text.
        name: String,
        /// How many it has.
        count: usize,
    },
    /// The environment names no pull request.
    #[error("no pull request: neither GITHUB_EVENT_PATH nor CI_MERGE_REQUEST_IID names one")]
    NoPullRequest,
    /// A word is no status that a team may set.
    #[error("invalid status `{0}`")]
    NoSuchStatus(String),
    /// There is no finding of that id.
    #[error("no finding `{0}` in the latest review")]
    NoSuchId(String),
    /// There is no reviewer of that name.
    #[error("no reviewer `{0}` in jury.toml of the base")]
    NoSuchReviewer(String),
    /// The configuration that is being edited cannot be used.
    #[error("invalid `jury.toml` in the working tree: {0}")]
    Edited(String),
    /// The user did not agree to the command that was shown.
    #[error("not confirmed; nothing was trusted")]
    NotAgreed,
    /// The user did not agree to the files that were shown.
    #[error("not confirmed; nothing was written")]
    NotWritten,
    /// There is no host of that name.
    #[error("unknown host `{0}`")]
    NoSuchHost(String),
    /// There is no ready-made linter of that name.
    #[error("unknown linter preset `{0}`")]
    NoSuchLinter(String),
    /// The notes of an earlier run are invalid.
    #[error("invalid installation notes `{path}`: {why}")]
    Notes {
        /// Where they are.
        path: String,
        /// The problem.
        why: String,
    },
    /// There is no folder for the settings of a user.
    #[error("no place for the trust file: neither XDG_CONFIG_HOME nor HOME is an absolute path")]
    NoSettings,
    /// There is no rule of that id.
    #[error("unknown rule `{0}`")]
    NoSuchRule(String),
    /// A rule file of the repository is none.
    #[error("invalid rule in the repository: {0}")]
    Rule(RuleError),
    /// There is no review of that id.
    #[error("no record of review `{0}` in this worktree")]
    NoSuchReview(String),
    /// A tool was called with invalid arguments.
    #[error("invalid arguments: {0}")]
    Arguments(String),
    /// A finding has another status than the caller expects.
    #[error("finding `{id}` is `{is}`, expected `{expected}`; nothing was marked")]
    Moved {
        /// The finding.
        id: String,
        /// Its status.
        is: String,
        /// The expected status.
        expected: String,
    },
    /// An address is not this machine's own.
    #[error("`{0}` is not a loopback address")]
    NotLoopback(std::net::SocketAddr),
    /// The server could not be set up.
    #[error("cannot serve")]
    Serve(#[source] io::Error),
    /// A line that git is to have written was not understood.
    #[error("invalid pre-push line: `{0}`")]
    PushLine(String),
    /// Nothing has been reviewed.
    #[error("no review yet")]
    NoReview,
    /// There is only a quick check, or nothing at all.
    #[error("no full review to verify")]
    NoFullReview,
    /// A reviewer was to be run for a task whose reports dir was not cleared for it.
    #[error("task `{0}` was not started")]
    TaskNotStarted(String),
    /// An abort without a reason.
    #[error("an abort needs a reason")]
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
    #[error("invalid demo command: {0}")]
    Words(String),
    /// A command of the demo did not end as it should.
    #[error("`{typed}` exited with {ended}, expected {expected}")]
    Demo {
        /// The typed word.
        typed: String,
        /// How it ended.
        ended: u8,
        /// How it should have ended.
        expected: u8,
    },
    /// Something could not be accepted.
    #[error(transparent)]
    Accept(AcceptError),
    /// Nothing was contested.
    #[error(transparent)]
    Contest(ContestError),
    /// Nothing was signed.
    #[error(transparent)]
    Attest(AttestError),
    /// HEAD has another tree than was asked about.
    #[error("HEAD does not have the tree `{0}`")]
    OtherTree(String),
    /// The decisions of people could not be exchanged.
    #[error(transparent)]
    Sync(KeepError),
    /// It cannot be told which pull request is meant.
    #[error(transparent)]
    Place(PlaceError),
    /// Nothing was published.
    #[error(transparent)]
    Publish(PublishError),
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
    /// The fixer changed its own measure.
    #[error("the fixer {0}")]
    Measure(String),
    /// A review could not be made, or its state not be read.
    #[error(transparent)]
    Review(#[from] FlowError),
    /// Standard output took no more.
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
    /// The report cannot be written in the target.
    #[error(transparent)]
    Convert(#[from] ConvertError),
}

/// The names that `jury init --hosts` takes.
static HOST_HINT: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<&str> = jury::agents::HOSTS.iter().map(|host| host.name).collect();
    format!("write {} or git", names.join(", "))
});

impl Error {
    /// Returns the remedy, if there is one.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Read { source, .. } if source.kind() == io::ErrorKind::IsADirectory => {
                Some("name the files in it, one by one")
            }
            Self::StdinTwice => Some("write `-` once"),
            Self::Convert(ConvertError::Unsayable { .. }) => Some("choose another target; `jury formats` lists them"),
            Self::Diff { .. } => Some("give the output of `git diff`"),
            Self::Target { .. } => Some("see `jury review --help`"),
            Self::NoSuchStatus(_) => Some("write `jury mark ID… fixed`, `wont_fix` or `open`"),
            Self::NoSuchId(_) | Self::Review(FlowError::Store(StoreError::UnknownFinding { .. })) => {
                Some("`jury status` lists the findings")
            }
            Self::NoSuchRule(_) => Some("`jury rules` lists them"),
            Self::NoSuchReviewer(_) => Some("`jury trust --list` shows them"),
            Self::Edited(_) => Some("see `jury schema jury-toml` and docs/reviewers.md"),
            Self::NotAgreed => Some("answer `y` on a terminal, or read the commands and add `--yes`"),
            Self::NotWritten => Some("answer `y` on a terminal, or check `--dry-run` and add `--yes`"),
            Self::NoSuchHost(_) => Some(&HOST_HINT),
            Self::NoSuchLinter(_) => Some("`docs/reviewers.md` lists them"),
            Self::Notes { .. } => {
                Some("move the file away; without it, `--remove` removes the parts that it recognises")
            }
            Self::NoSettings => Some("set HOME; in CI, `jury review --trust` trusts the base"),
            Self::Rule(_) => Some("run `jury rules check`"),
            Self::Arguments(_) => Some("see the tool's input schema"),
            Self::Moved { .. } => Some("read it again (`finding_get`), then claim with its current status"),
            Self::NotLoopback(_) => Some("use 127.0.0.1 or [::1], and a tunnel for remote clients"),
            Self::PushLine(_) => {
                Some("git writes `<local ref> <local object> <remote ref> <remote object>`, one ref a line")
            }
            Self::NoReview => Some("run `jury review` first"),
            Self::NoFullReview => Some("run `jury review`; to repeat a quick check, run `jury review --quick`"),
            Self::NoGit(_) => Some("install git, or put it on the PATH"),
            Self::TaskNotStarted(_) => Some("run `jury task start ID --expect ROLE,…` first"),
            Self::NoReason => Some("write `jury abort --reason TEXT`"),
            Self::Accept(error) => of_acceptance(error),
            Self::Contest(error) => of_contest(error),
            Self::Attest(error) => of_attestation(error),
            Self::OtherTree(_) => Some("check out a commit that has it"),
            Self::Sync(KeepError::Prunes { .. }) => None,
            Self::Sync(_) => Some("check the remote with `git ls-remote`; the acceptances of this clone are kept"),
            Self::Place(PlaceError::NoToken(_)) => Some("see docs/publish.md for the rights that it needs"),
            Self::Publish(PublishError::NoReview) => Some("run `jury review` first"),
            Self::Publish(PublishError::OtherHead { .. }) => {
                Some("check out the head of the pull request, run `jury review`, then `jury publish`")
            }
            Self::Publish(PublishError::Forge(_)) => Some("check the token, then run `jury publish` again"),
            Self::Waive(error) => of_waiver(error),
            Self::NoFixer { .. } => Some("name a program after `--`; a line of shell needs `sh -c`"),
            Self::Measure(_) => {
                Some("nothing counts as reviewed; have a person check the changes, then run `jury review`")
            }
            Self::NoCriteria(_) => Some("write one criterion for each item of a list"),
            Self::TooManyCriteria { .. } => Some("name the criteria of this change alone"),
            Self::NoPullRequest => Some("run it for a pull or merge request, or name a file with `--intent FILE`"),
            Self::Review(FlowError::NobodyForIntent) => {
                Some("add one to the base: `[reviewers.intent]` with `kind`, `use` and `persona = \"intent\"`")
            }
            Self::Review(FlowError::NothingBegun) => Some("run `jury review`; cached answers are reused"),
            Self::Review(FlowError::OtherTree) => {
                Some("run `jury review`; only reviewers that have not seen this tree run again")
            }
            Self::Review(FlowError::Config(_)) => {
                Some("fix the file on the base branch; the default is never used instead")
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
            | Self::Place(_)
            | Self::Publish(PublishError::Flow(_))
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
            | Self::NoCriteria(_)
            | Self::TooManyCriteria { .. }
            | Self::NoPullRequest
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
            | Self::Accept(_)
            | Self::Contest(_)
            | Self::OtherTree(_)
            | Self::Sync(_)
            | Self::Place(_)
            | Self::Publish(PublishError::NoReview)
            | Self::Waive(_)
            | Self::Output { .. }
            | Self::Target { .. }
            | Self::Throwaway { .. }
            | Self::NoGit(_)
            | Self::Git(_)
            | Self::Words(_)
            | Self::Write(_)
            | Self::Convert(ConvertError::ReadOnly(_)) => ExitCode::Usage,
            Self::Attest(
                AttestError::Closed(_) | AttestError::Observed | AttestError::Unsigned | AttestError::WorkingTree(_),
            ) => ExitCode::Blocked,
            Self::Attest(_) => ExitCode::Usage,
            Self::Demo { .. } | Self::Publish(PublishError::OtherHead { .. } | PublishError::Forge(_)) => {
                ExitCode::Incomplete
            }
            Self::Publish(PublishError::Flow(error)) => of_flow(error),
            Self::Measure(_) | Self::Notes { .. } => ExitCode::Refused,
            Self::Review(error) => of_flow(error),
            Self::Convert(ConvertError::Unsayable { .. }) => ExitCode::Blocked,
        }
    }
}

/// Returns the exit code of a flow that could not do its job.
fn of_flow(error: &FlowError) -> ExitCode {
    match error {
        FlowError::Config(_) | FlowError::NothingBegun | FlowError::OtherTree | FlowError::NobodyForIntent => {
            ExitCode::Usage
        }
        FlowError::Record(_) => ExitCode::Refused,
        FlowError::Scope(error) => of_scope(error),
        FlowError::Store(error) => of_store(error),
    }
}

/// An impossible request is a usage error; a valid one that cannot be read is incomplete.
fn of_scope(error: &ScopeError) -> ExitCode {
    match error {
        ScopeError::NotARepository(_)
        | ScopeError::Bare(_)
        | ScopeError::Elsewhere { .. }
        | ScopeError::UnknownRevision { .. }
        | ScopeError::ShallowUnknown(_)
        | ScopeError::NoBase
        | ScopeError::ShallowNoBase
        | ScopeError::LocalBase(_)
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
        | StoreError::Unshown { .. }
        | StoreError::Unwritable { .. } => ExitCode::Refused,
    }
}

/// Returns the remedy for an acceptance that was not kept.
fn of_acceptance(error: &AcceptError) -> Option<&'static str> {
    match error {
        AcceptError::NoReview => Some("run `jury review` first"),
        AcceptError::Aborted => Some("read .code-review/abort-reason.md; a later review that does not abort lifts it"),
        AcceptError::Changed(_) => Some("run `jury review`, then accept what it finds"),
        AcceptError::Unknown(_) => Some("`jury next` lists what a person decides"),
        AcceptError::NotForPeople(_) => Some("remove the cause, then run `jury review`"),
        AcceptError::Nobody => Some("add `--by NAME`, or set `user.name` in the repository's configuration"),
        AcceptError::Passed(_) => Some("use a future day"),
        AcceptError::NoRoot => Some("run `git fetch --unshallow`"),
        AcceptError::NoKey => Some("add `--key FILE`, or set `user.signingkey` of git"),
        AcceptError::Refused(refused) => Some(refused.reason.help()),
        AcceptError::Signing(_) => Some("run `ssh-keygen -Y sign -n test -f KEY` to see what the key needs"),
        AcceptError::NoReason | AcceptError::NotADay(_) | AcceptError::Keeping(_) | AcceptError::Flow(_) => None,
    }
}

/// Returns the remedy for a verdict that was not signed.
fn of_attestation(error: &AttestError) -> Option<&'static str> {
    match error {
        AttestError::Closed(_) => Some("`jury gate` says why"),
        AttestError::Observed => Some("set `policy.mode` to enforce or warn, and merge that first"),
        AttestError::Unsigned => Some("list keys in .jury/signers on the base, and accept it with one of them"),
        AttestError::WorkingTree(_) => {
            Some("install its packages by `prepare` on the base, or give it the role optional there")
        }
        AttestError::Staged => Some("run `git status`"),
        AttestError::Verified => Some("run `jury review`"),
        AttestError::Contested => Some("leave `--record` out, or have a person accept the finding"),
        AttestError::NoRoot => Some("run `git fetch --unshallow`"),
        AttestError::NoKey => Some("add `--key FILE`, or `ssh-add` a key that the base lists"),
        AttestError::Signing(_) => Some("run `ssh-keygen -Y sign -n test -f KEY` to see what the key needs"),
        AttestError::Days(_) | AttestError::Keeping(_) | AttestError::Flow(_) => None,
    }
}

/// Returns the remedy for a contest that was not made.
fn of_contest(error: &ContestError) -> Option<&'static str> {
    match error {
        ContestError::NoReview => Some("run `jury review` first"),
        ContestError::Aborted => Some("read .code-review/abort-reason.md; a later review that does not abort lifts it"),
        ContestError::Changed(_) => Some("run `jury review`, then contest what it finds"),
        ContestError::Unknown(_) => Some("`jury status` lists the findings"),
        ContestError::Gap(_) => Some("remove the cause, then run `jury review`"),
        ContestError::Check(_) => Some("make the check pass, or have a person look at it"),
        ContestError::Already { .. } => Some("fix it, or have a person decide with `jury accept ID --reason TEXT`"),
        ContestError::Place(_) => Some("write a path from the root of the repository, a colon, and a line number"),
        ContestError::Ungrounded { .. } => {
            Some("quote the line as it reads in this tree, at least four characters of it")
        }
        ContestError::Undeclared { .. } => {
            Some("only a declaration with a body or value at the top of that file counts; else give `--reason`")
        }
        ContestError::NoReason => Some("add `--reason TEXT`"),
        ContestError::Nobody => Some("add `--by NAME`, or set `user.name` in the repository's configuration"),
        ContestError::Untrusted(_) => Some("run `jury trust NAME`, or add `--trust` in CI"),
        ContestError::Settled(_) | ContestError::Flow(_) => None,
    }
}

/// Returns the remedy for a waiver that was not written.
fn of_waiver(error: &WaiveError) -> Option<&'static str> {
    match error {
        WaiveError::NoReview => Some("run `jury review` first"),
        WaiveError::Unknown(_) => Some("`jury status` lists the findings"),
        WaiveError::Gap(_) => Some("remove the cause, then run `jury review`"),
        WaiveError::Check(_) => Some("make the check pass, or change its definition on the base branch"),
        WaiveError::Already { .. } => {
            Some("a waiver takes effect once it is on the base branch and `jury review` has run")
        }
        WaiveError::Nobody => Some("add `--by NAME`, or set `user.name` in the repository's configuration"),
        WaiveError::Passed(_) => Some("use a future day"),
        WaiveError::Broken(_) => Some("fix the file first; nothing was written"),
        WaiveError::NoReason | WaiveError::NotADay(_) | WaiveError::Flow(_) => None,
    }
}

impl From<BaseError> for Error {
    fn from(error: BaseError) -> Self {
        Self::Review(error.into())
    }
}

impl From<LoopError> for Error {
    fn from(error: LoopError) -> Self {
        match error {
            LoopError::Flow(error) => Self::Review(error),
            LoopError::NotStarted { program, why } => Self::NoFixer { program: inert::line(&program), why },
            LoopError::Measure(what) => Self::Measure(inert::line(&what)),
        }
    }
}

impl From<AttestError> for Error {
    fn from(error: AttestError) -> Self {
        match error {
            AttestError::Flow(error) => Self::Review(error),
            error => Self::Attest(error),
        }
    }
}

impl From<ContestError> for Error {
    fn from(error: ContestError) -> Self {
        match error {
            ContestError::Flow(error) => Self::Review(error),
            error => Self::Contest(error),
        }
    }
}

impl From<AcceptError> for Error {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::Flow(error) => Self::Review(error),
            error => Self::Accept(error),
        }
    }
}

impl From<KeepError> for Error {
    fn from(error: KeepError) -> Self {
        Self::Sync(error)
    }
}

impl From<WaiveError> for Error {
    fn from(error: WaiveError) -> Self {
        match error {
            WaiveError::Flow(error) => Self::Review(error),
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
