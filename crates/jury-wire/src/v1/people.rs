//! An acceptance, as it is signed and kept below `refs/jury/acceptances/`.
//!
//! The signed bytes are the statement as canonical JSON (sorted keys, no white space); the envelope carries exactly these bytes. A reader
//! refuses a member that it does not know, because it would not know what was signed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of statements and envelopes that this program writes, and the newest that it reads.
pub const VERSION: u32 = 1;

/// The signed part of an acceptance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The version of this type.
    pub version: u32,
    /// The root commit of the repository.
    pub repository: String,
    /// The accepted findings and files; each entry counts by itself.
    pub accepted: Vec<Accepted>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts; null is for as long as what it is for stays as it is.
    pub expires: Option<String>,
    /// Where it was decided. Noted for people, not binding: a rebase keeps it.
    pub noted: Noted,
}

/// One thing that is accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Accepted {
    /// A finding.
    Finding {
        /// The domain of the reviewer that raised it.
        source: String,
        /// Its file; `.` is the whole repository.
        path: String,
        /// Its identity across edits elsewhere.
        fingerprint: String,
        /// How many findings of the file have this fingerprint: one more is not covered.
        places: usize,
        /// The file before and after the change, of a finding that is about the file and not about lines of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<FileStates>,
        /// The patch id of the change, of a finding that is about no file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        patch: Option<String>,
        /// Its title, for people; not binding.
        title: String,
    },
    /// A file that nobody here can read.
    File {
        /// Its path.
        path: String,
        /// Its content before and after the change.
        file: FileStates,
    },
}

/// A file before and after the change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileStates {
    /// Before the change; null if it is new.
    pub before: Option<FileState>,
    /// After the change; null if it is gone.
    pub after: Option<FileState>,
}

/// A file at one time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileState {
    /// Its mode, in the octal digits of git.
    pub mode: String,
    /// The SHA-256 of its bytes; of a symlink, of where it points; of a submodule, of the id of its commit.
    pub sha256: String,
}

/// Where a decision was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Noted {
    /// The base of the change.
    pub base: Option<String>,
    /// The SHA-256 of `jury.toml` on the base; null without one.
    pub policy: Option<String>,
    /// The review that was looked at.
    pub review: String,
    /// The day.
    pub day: String,
}

/// An acceptance as it is kept: the signed bytes, and the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// The version of this type.
    pub version: u32,
    /// The statement: canonical JSON, byte for byte what is signed.
    pub statement: String,
    /// The proof.
    pub proof: Proof,
}

/// Who stands for an acceptance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Proof {
    /// A key that signed the statement, in the namespace `jury-accept@v1`.
    Signed {
        /// The armoured SSH signature.
        signature: String,
    },
    /// Somebody on this machine, without a key.
    Unsigned {
        /// The name that was given.
        by: String,
    },
}
