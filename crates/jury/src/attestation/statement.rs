//! The statement of a verdict: facts in, the in-toto statement out, in its only bytes.

use jury_wire::v1::attestation as wire;

use crate::model::{PatchId, Timestamp, TreeId, Waiver};

/// The type of statement.
pub(super) const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// The type of predicate.
pub(super) const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/svr/v0.2";
/// The version of what only Jury reads.
pub(super) const VERSION: u32 = 1;
/// The identity of the verifier.
pub(super) const VERIFIER: &str = "urn:jury:gate:v1";
/// The property that every verdict has.
const CLEAR: &str = "JURY_GATE_CLEAR";

/// All files that a change touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// How many.
    pub files: usize,
    /// The SHA-256 over their paths, modes and SHA-256, before and after, in hexadecimal.
    pub sha256: String,
}

/// A part of the policy of the base, by its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyPart {
    /// Its name.
    pub name: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// What a verdict is about, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attested {
    /// The tree of the commit.
    pub tree: TreeId,
    /// The first commit of the repository.
    pub repository: String,
    /// The name of the base.
    pub base_name: String,
    /// The commit of the base; `None` is the empty tree.
    pub base: Option<String>,
    /// The patch id of the change.
    pub patch: PatchId,
    /// The changed files.
    pub content: Content,
    /// The policy of the base.
    pub policies: Vec<PolicyPart>,
    /// The id of the review.
    pub review_id: String,
    /// The digest of its record.
    pub record: String,
    /// Whether the record travels along.
    pub travels: bool,
    /// The conditions of the gate that hold.
    pub conditions: Vec<String>,
    /// The waivers that the review counted.
    pub waivers: Vec<Waiver>,
    /// The acceptances that the gate counted.
    pub acceptances: Vec<String>,
    /// The reviewers whose answers are those of models.
    pub models: Vec<String>,
    /// When it was made.
    pub made: Timestamp,
    /// Until when it counts.
    pub not_after: Timestamp,
}

/// Returns the statement in its only bytes.
pub fn statement(attested: &Attested) -> Vec<u8> {
    bytes(&wire_of(attested))
}

/// Returns the only bytes of a statement.
pub(super) fn bytes(statement: &wire::Statement) -> Vec<u8> {
    serde_json::to_vec(statement).expect("the statement has texts and numbers only")
}

/// Returns a waiver as it is stated.
pub(super) fn wire_waiver(waiver: &Waiver) -> wire::AttestedWaiver {
    wire::AttestedWaiver {
        finding: waiver.finding.clone(),
        author: waiver.author.clone(),
        expires: waiver.expires.to_string(),
    }
}

fn sha256(digest: &str) -> wire::Sha256Digest {
    wire::Sha256Digest { sha256: digest.to_owned() }
}

fn wire_of(attested: &Attested) -> wire::Statement {
    let policy = |part: &PolicyPart| wire::PolicyDigest { name: part.name.clone(), digest: sha256(&part.sha256) };
    let property = |condition: &String| format!("JURY_{}", condition.to_ascii_uppercase().replace('-', "_"));
    let properties = std::iter::once(CLEAR.to_owned()).chain(attested.conditions.iter().map(property));
    let mut waivers: Vec<wire::AttestedWaiver> = attested.waivers.iter().map(wire_waiver).collect();
    waivers.sort();
    waivers.dedup();
    wire::Statement {
        kind: STATEMENT_TYPE.to_owned(),
        subject: vec![wire::Subject {
            name: "tree".to_owned(),
            digest: wire::TreeDigest { git_tree: attested.tree.to_string() },
        }],
        predicate_type: PREDICATE_TYPE.to_owned(),
        predicate: wire::Predicate {
            verifier: wire::Verifier {
                id: VERIFIER.to_owned(),
                policies: attested.policies.iter().map(policy).collect(),
            },
            time_created: attested.made.to_string(),
            properties: properties.collect(),
            jury: wire::Extension {
                version: VERSION,
                repository: attested.repository.clone(),
                base: wire::AttestedBase { name: attested.base_name.clone(), commit: attested.base.clone() },
                patch: attested.patch.to_string(),
                changed: wire::ChangedFiles {
                    files: attested.content.files as u64,
                    sha256: attested.content.sha256.clone(),
                },
                review: wire::AttestedReview {
                    id: attested.review_id.clone(),
                    record: sha256(&attested.record),
                    travels: attested.travels,
                },
                conditions: attested.conditions.clone(),
                waivers,
                acceptances: attested.acceptances.clone(),
                models: attested.models.clone(),
                not_after: attested.not_after.to_string(),
            },
        },
    }
}
