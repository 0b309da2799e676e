//! A contest: somebody holds a finding to be false, and says why. What was shown, and what each voice answered.
//!
//! Deliberately not here: its result (`people`), which is decided from these facts each time and stored nowhere.

use super::closed_set::closed_set;
use super::{Day, Domain, Fingerprint, Line, RepoPath, Severity, TreeId};

/// Evidence against a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CounterEvidence {
    /// A line of the tree, as it reads.
    Quote {
        /// Its file.
        path: RepoPath,
        /// Its number.
        line: Line,
        /// Its text, or a part of it.
        quote: String,
    },
    /// The file of the finding declares this name.
    Declared(String),
    /// Nothing but words.
    Reason,
}

closed_set! {
    /// A positive premise of a finding, which a look at the tree refutes.
    Premise {
        /// A file is said not to exist.
        FileMissing = "file-missing",
        /// A name is said not to be declared.
        NameUndeclared = "name-undeclared",
        /// Code is quoted that the file does not have.
        CodeQuoted = "code-quoted",
    }
}

closed_set! {
    /// What a voice answered.
    Stance {
        /// The finding is false.
        Concedes = "concedes",
        /// The finding stands.
        Upholds = "upholds",
        /// No answer that counts.
        Silent = "silent",
    }
}

closed_set! {
    /// The result of a contest.
    ContestResult {
        /// The tree refutes it.
        Refuted = "refuted",
        /// Two voices concede it, and it is not grave.
        Conceded = "conceded",
        /// Two voices concede it, and a person decides.
        ForPerson = "for-person",
        /// Somebody upholds it.
        Upheld = "upheld",
        /// Not enough have answered.
        Unanswered = "unanswered",
    }
}

impl ContestResult {
    /// Tells whether the finding is settled for the gate.
    pub const fn settles(self) -> bool {
        matches!(self, Self::Refuted | Self::Conceded)
    }
}

/// Somebody who was asked about a contested finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestVoice {
    /// Who.
    pub reviewer: Domain,
    /// What two voices have to differ in to be two: the family of a model, or the name of a tool or specialist.
    pub family: String,
    /// Whether it raised the finding.
    pub is_raiser: bool,
    /// The answer.
    pub stance: Stance,
    /// Why, in its words, or why there is no answer.
    pub why: String,
    /// The nonce of its brief and all that it printed, of a model that answered.
    pub answer: Option<(String, String)>,
}

/// A contest of one finding on one tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The id of the finding in the verdict file.
    pub finding: String,
    /// Its identity across edits.
    pub fingerprint: Fingerprint,
    /// How bad it was.
    pub severity: Severity,
    /// Who raised it.
    pub raised_by: Vec<Domain>,
    /// The tree that everybody looked at.
    pub tree: TreeId,
    /// Who contests it.
    pub by: String,
    /// Why.
    pub reason: String,
    /// The evidence.
    pub evidence: CounterEvidence,
    /// The premise that the tree refuted, with what refutes it, in words.
    pub refuted: Option<(Premise, String)>,
    /// Who was asked.
    pub voices: Vec<ContestVoice>,
    /// When.
    pub day: Day,
}
