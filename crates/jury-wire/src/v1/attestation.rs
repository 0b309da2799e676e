//! A signed verdict: the DSSE envelope, the in-toto statement in it, and its predicate, Simple Verification Result v0.2.
//!
//! Jury reads only what it writes, so a member that is not here is refused. The member `jury` is an extension, which other readers of the
//! predicate pass over.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An envelope (DSSE v1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Envelope {
    /// The kind of payload.
    #[schemars(extend("const" = "application/vnd.in-toto+json"))]
    pub payload_type: String,
    /// The statement, in base64.
    pub payload: String,
    /// The signatures over the PAE of both.
    pub signatures: Vec<EnvelopeSignature>,
}

/// A signature of an envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnvelopeSignature {
    /// Always empty: keys are told by the signature alone.
    #[schemars(extend("const" = ""))]
    pub keyid: String,
    /// The signature in base64: SSHSIG in the namespace `jury-verdict@v1`, or 64 bytes of Ed25519.
    pub sig: String,
}

/// The statement (in-toto v1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    /// The type of statement.
    #[serde(rename = "_type")]
    #[schemars(extend("const" = "https://in-toto.io/Statement/v1"))]
    pub kind: String,
    /// Exactly one: the git tree.
    #[schemars(extend("minItems" = 1, "maxItems" = 1))]
    pub subject: Vec<Subject>,
    /// The type of predicate.
    #[schemars(extend("const" = "https://in-toto.io/attestation/svr/v0.2"))]
    pub predicate_type: String,
    /// The result.
    pub predicate: Predicate,
}

/// The subject of a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Always `tree`.
    pub name: String,
    /// Its digest.
    pub digest: TreeDigest,
}

/// The digest of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeDigest {
    /// The id of the git tree of the commit.
    pub git_tree: String,
}

/// The predicate: Simple Verification Result v0.2.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Predicate {
    /// The verifier, and the policies that it applied.
    pub verifier: Verifier,
    /// When.
    pub time_created: String,
    /// The verified properties: `JURY_GATE_CLEAR`, and one for each condition of the gate.
    pub properties: Vec<String>,
    /// The extension that only Jury reads.
    pub jury: Extension,
}

/// The verifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verifier {
    /// The identity of the verifier.
    pub id: String,
    /// The policies of the base.
    pub policies: Vec<PolicyDigest>,
}

/// A policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyDigest {
    /// Its name.
    pub name: String,
    /// Its digest.
    pub digest: Sha256Digest,
}

/// A digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sha256Digest {
    /// In hexadecimal.
    pub sha256: String,
}

/// The facts that a verifier compares with the clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Extension {
    /// The version of this extension: 1.
    pub version: u32,
    /// The first commit of the repository.
    pub repository: String,
    /// The base of the change.
    pub base: AttestedBase,
    /// The patch id of the change, with the place of every hunk.
    pub patch: String,
    /// All files that the change touches.
    pub changed: ChangedFiles,
    /// The review.
    pub review: AttestedReview,
    /// The conditions of the gate that held.
    pub conditions: Vec<String>,
    /// The waivers that the review counted.
    pub waivers: Vec<AttestedWaiver>,
    /// The acceptances that the gate counted, by the digests that they are kept under.
    pub acceptances: Vec<String>,
    /// The reviewers whose answers are those of models.
    pub models: Vec<String>,
    /// The last moment at which it counts.
    pub not_after: String,
}

/// The base of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestedBase {
    /// The name that it had.
    pub name: String,
    /// Its commit; null for the empty tree.
    pub commit: Option<String>,
}

/// All files that a change touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedFiles {
    /// How many there are.
    pub files: u64,
    /// The SHA-256 over the paths, modes and SHA-256 of all of them, before and after: git's own ids may be of SHA-1.
    pub sha256: String,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestedReview {
    /// Its id.
    pub id: String,
    /// The digest of its record.
    pub record: Sha256Digest,
    /// Whether the record travels along.
    pub travels: bool,
}

/// A waiver that a review counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestedWaiver {
    /// Its subject.
    pub finding: String,
    /// Whose it is.
    pub author: String,
    /// Its last day.
    pub expires: String,
}

/// Output of `jury attest --format json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Signed {
    /// The tree.
    pub tree: String,
    /// The ref that the envelope is kept under.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The last moment at which it counts.
    pub not_after: String,
    /// How many keys have signed this verdict that count here.
    pub keys: u64,
    /// How many keys have to sign.
    pub needed: u64,
    /// Why it does not count here, if it does not.
    pub refused: Vec<RefusedVerdict>,
}

/// Output of `jury attest verify --format json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// Whether enough keys signed verdicts that count.
    pub verified: bool,
    /// The tree of HEAD; null if something else is staged.
    pub tree: Option<String>,
    /// How many keys did.
    pub keys: u64,
    /// How many have to.
    pub needed: u64,
    /// The verdicts that count.
    pub counted: Vec<CountedVerdict>,
    /// Those that do not.
    pub refused: Vec<RefusedVerdict>,
}

/// A verdict that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountedVerdict {
    /// The SHA-256 of its envelope.
    pub digest: String,
    /// The review that it states.
    pub review_id: String,
    /// Who signed it.
    pub signers: Vec<Signer>,
}

/// Somebody who signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Signer {
    /// The names of the key in the list of signers.
    pub principal: String,
    /// The fingerprint of the key.
    pub fingerprint: String,
    /// Whether a person touched the key for it.
    pub touched: bool,
}

/// A verdict, or a signature of one, that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedVerdict {
    /// The SHA-256 of its envelope, as the ref names it.
    pub digest: String,
    /// The reason code.
    pub reason: String,
    /// The problem.
    pub what: String,
}
