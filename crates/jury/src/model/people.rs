//! Decisions of people: how many of them it takes, and the accepted subjects.
//!
//! Deliberately not here: signatures, and what counts (`people`).

use std::num::NonZeroU8;

use super::closed_set::closed_set;
use super::{Domain, Fingerprint, GateOwner, PatchId, RepoPath, Severity};

/// The number of people that an acceptance needs, by the policy of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeoplePolicy {
    /// For a file that nobody here can read.
    pub gaps: NonZeroU8,
    /// For an edit to policy, rules, tests or CI.
    pub integrity: NonZeroU8,
    /// For a finding below Blocker that closes the gate.
    pub high: NonZeroU8,
    /// For a Blocker.
    pub blocker: NonZeroU8,
    /// Whether those who wrote the change do not count.
    pub not_author: bool,
    /// Whether keys count that demand nobody's touch.
    pub software_keys: bool,
    /// Whether a confirmation without a key counts on the machine where it was given.
    pub unsigned: bool,
    /// Who decides by approving the change on a forge; nobody by default.
    pub approvers: Vec<NamedApprover>,
}

/// Who decides by approving a change on a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedApprover {
    /// The owners of a file, for what is found in it, as the base's CODEOWNERS has them.
    Owners,
    /// The members of a team, by its name with its organisation.
    Team(String),
    /// An account.
    Account(String),
}

impl NamedApprover {
    /// Reads one as `jury.toml` names it, or an owner as CODEOWNERS does.
    pub fn parse(text: &str) -> Self {
        let name = text.trim().trim_start_matches('@');
        match name {
            _ if text.trim().eq_ignore_ascii_case("codeowners") => Self::Owners,
            team if team.contains('/') => Self::Team(team.to_owned()),
            account => Self::Account(account.to_owned()),
        }
    }

    /// Returns its name as `jury.toml` has it.
    pub fn name(&self) -> String {
        match self {
            Self::Owners => "codeowners".to_owned(),
            Self::Team(team) => format!("@{team}"),
            Self::Account(account) => account.clone(),
        }
    }
}

impl Default for PeoplePolicy {
    fn default() -> Self {
        let one = NonZeroU8::MIN;
        Self {
            gaps: one,
            integrity: one,
            high: one,
            blocker: one.saturating_add(1),
            not_author: false,
            software_keys: false,
            unsigned: false,
            approvers: Vec::new(),
        }
    }
}

impl PeoplePolicy {
    /// Returns how many people have to accept a finding.
    pub fn for_finding(&self, severity: Severity, domain: &str) -> NonZeroU8 {
        let by_severity = if severity == Severity::Blocker { self.blocker } else { self.high };
        let is_integrity = domain == Domain::GATE_INTEGRITY;
        match (is_integrity, severity) {
            (true, Severity::Blocker) => by_severity.max(self.integrity),
            (true, _) => self.integrity,
            (false, _) => by_severity,
        }
    }
}

closed_set! {
    /// How it is known who accepted something.
    Proof {
        /// A key that the base lists signed for it.
        Signed = "signed",
        /// A name was given on this machine.
        Unsigned = "unsigned",
        /// A person approved the change on a forge.
        Forge = "forge",
    }
}

/// A file at one time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileState {
    /// Its mode, in the octal digits of git.
    pub mode: String,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// A file before and after a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileStates {
    /// Before; `None` if it is new.
    pub before: Option<FileState>,
    /// After; `None` if it is gone.
    pub after: Option<FileState>,
}

/// The content that a finding is bound to beside its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// The lines of its fingerprint.
    Lines,
    /// Its file, before and after the change.
    File(FileStates),
    /// The change as a whole.
    Change(PatchId),
}

/// The accepted subject. Two are the same if nothing changed that the decision was about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A finding.
    Finding {
        /// The domain of the reviewer that raised it.
        source: Domain,
        /// Its file; `.` is the whole repository.
        path: String,
        /// Its identity across edits elsewhere.
        fingerprint: Fingerprint,
        /// How many findings of the file have this fingerprint.
        places: usize,
        /// Further content that it is bound to.
        bound: Bound,
    },
    /// A file that nobody here can read.
    File {
        /// Its path.
        path: RepoPath,
        /// Its content.
        states: FileStates,
    },
}

impl Subject {
    /// Tells whether both are about the same thing, which may have changed between them.
    pub fn is_about_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File { path, .. }, Self::File { path: other, .. }) => path == other,
            (Self::Finding { source, path, .. }, Self::Finding { source: other_source, path: other_path, .. }) => {
                source == other_source && path == other_path
            }
            _ => false,
        }
    }
}

/// A part of a finding of the verdict file that people can accept, before its files were looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptable {
    /// A finding.
    Finding {
        /// The domain of the reviewer that raised it.
        source: Domain,
        /// Its file; `.` is the whole repository.
        path: String,
        /// Its identity.
        fingerprint: Fingerprint,
        /// How many findings of the file have it.
        places: usize,
        /// Whether lines of the file are what it is about.
        has_lines: bool,
        /// Its title.
        title: String,
    },
    /// Files that nobody here can read, each by the path that is shown.
    Files(Vec<String>),
}

/// A finding of the verdict file that people can accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptableFinding {
    /// Its id.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
    /// Who else could settle it.
    pub owner: GateOwner,
    /// The subject of an acceptance.
    pub what: Acceptable,
}
