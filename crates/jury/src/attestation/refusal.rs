//! Why a signed verdict does not count.

use jury_wire::Reason;

use crate::signature;

/// Why a signed verdict does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It has more bytes than any has.
    #[error("the envelope has more than {} bytes", super::MOST_BYTES)]
    TooLong,
    /// It is not exactly what Jury writes.
    #[error("the envelope is not one of jury: {0}")]
    Shape(String),
    /// The envelope states another type of payload.
    #[error("the type of payload is `{0}`")]
    PayloadType(String),
    /// The statement is of another type, or has another predicate.
    #[error("the statement is a `{0}`")]
    Predicate(String),
    /// A later version wrote it.
    #[error("it is of version {0}")]
    Newer(u64),
    /// A signature names a key.
    #[error("a signature names the key id `{0}`")]
    KeyId(String),
    /// There is not exactly one subject.
    #[error("it has {0} subjects")]
    Subjects(usize),
    /// The ref names something else.
    #[error("its ref names another {0}")]
    Name(&'static str),
    /// It is about another tree.
    #[error("it is about the tree {0}")]
    Tree(String),
    /// It is about another repository.
    #[error("it is about a repository that begins with {0}")]
    Repository(String),
    /// It is about another change.
    #[error("it is about another change: {0}")]
    Base(String),
    /// Files have other bytes with the same id.
    #[error("the changed files have other bytes than it states")]
    Content,
    /// The policy is another one.
    #[error("`{0}` of the base differs from the one that it states")]
    Policy(String),
    /// The policy only observes.
    #[error("`policy.mode` of the base is observe")]
    Observed,
    /// A waiver is gone or has ended.
    #[error("the waiver of {0} is gone from the base, or has ended")]
    Waiver(String),
    /// An acceptance is missing or does not count.
    #[error("the acceptance {0} is missing, or does not count")]
    Acceptance(String),
    /// A condition of the gate is not stated.
    #[error("it does not state the condition `{0}`")]
    Conditions(String),
    /// It is from the future.
    #[error("it was made at {0}")]
    NotYet(String),
    /// It has expired.
    #[error("it expired at {0}")]
    Expired(String),
    /// It rests on answers of models.
    #[error("it rests on answers of models: {0}")]
    Models(String),
    /// The record does not lead to this verdict.
    #[error("the record does not lead to this verdict: {0}")]
    Record(String),
    /// The key does not require a touch.
    #[error("the key does not require a touch")]
    Touch,
    /// Its key signed already.
    #[error("the key of {0} has signed already, and counts once")]
    SameKey(String),
    /// A signature does not count.
    #[error(transparent)]
    Signature(#[from] signature::Refusal),
}

impl Refusal {
    /// Returns the reason, with its stable code.
    pub const fn reason(&self) -> Reason {
        match self {
            Self::TooLong => Reason::AttestationTooLong,
            Self::Shape(_) => Reason::AttestationShape,
            Self::PayloadType(_) => Reason::AttestationPayloadType,
            Self::Predicate(_) => Reason::AttestationPredicate,
            Self::Newer(_) => Reason::AttestationNewer,
            Self::KeyId(_) => Reason::AttestationKeyId,
            Self::Subjects(_) => Reason::AttestationSubjects,
            Self::Name(_) => Reason::AttestationName,
            Self::Tree(_) => Reason::AttestationTree,
            Self::Repository(_) => Reason::AttestationRepository,
            Self::Base(_) => Reason::AttestationBase,
            Self::Content => Reason::AttestationContent,
            Self::Policy(_) => Reason::AttestationPolicy,
            Self::Observed => Reason::AttestationObserved,
            Self::Waiver(_) => Reason::AttestationWaiver,
            Self::Acceptance(_) => Reason::AttestationAcceptance,
            Self::Conditions(_) => Reason::AttestationConditions,
            Self::NotYet(_) => Reason::AttestationNotYet,
            Self::Expired(_) => Reason::AttestationExpired,
            Self::Models(_) => Reason::AttestationModels,
            Self::Record(_) => Reason::AttestationRecord,
            Self::Touch => Reason::AttestationTouch,
            Self::SameKey(_) => Reason::AttestationSameKey,
            Self::Signature(refusal) => refusal.reason(),
        }
    }
}
