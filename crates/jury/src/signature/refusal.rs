//! Why a signature, or a list of signers, is refused.

use jury_wire::Reason;

/// Why a signature does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Refusal {
    /// It has more bytes than any signature has.
    #[error("the signature has more than {} bytes", super::MOST_SIGNATURE_BYTES)]
    TooLong,
    /// It is no SSHSIG signature, is cut off, or has more after its end.
    #[error("not an SSHSIG signature: {0}")]
    Shape(&'static str),
    /// It was made for another purpose.
    #[error("the signature is for another namespace")]
    Namespace,
    /// Keys or signatures of this kind are not read.
    #[error("keys or signatures of this kind are not supported")]
    KeyKind,
    /// The base does not list its key.
    #[error("the base does not list the key")]
    Unlisted,
    /// It is not a signature of this content by this key.
    #[error("the signature does not match the content")]
    Mismatch,
    /// The certificate is broken, of a host, not by its authority, or has conditions that are not understood.
    #[error("the certificate is invalid: {0}")]
    Certificate(&'static str),
    /// The certificate, or the line of the key, is for later.
    #[error("the key is not valid yet")]
    NotYet,
    /// The certificate, or the line of the key, has ended.
    #[error("the key is no longer valid")]
    Expired,
    /// The base lists the key for other purposes.
    #[error("the base does not list the key for this namespace")]
    NotForNamespace,
    /// The names of the certificate are none that the authority may vouch for.
    #[error("the authority may not vouch for the names of the certificate")]
    Principal,
}

impl Refusal {
    /// Returns the reason, with its stable code.
    pub const fn reason(self) -> Reason {
        match self {
            Self::TooLong => Reason::SignatureTooLong,
            Self::Shape(_) => Reason::SignatureShape,
            Self::Namespace => Reason::SignatureNamespace,
            Self::KeyKind => Reason::SignatureKeyKind,
            Self::Unlisted => Reason::SignerUnlisted,
            Self::Mismatch => Reason::SignatureMismatch,
            Self::Certificate(_) => Reason::SignerCertificate,
            Self::NotYet => Reason::SignerNotYet,
            Self::Expired => Reason::SignerExpired,
            Self::NotForNamespace => Reason::SignerNamespace,
            Self::Principal => Reason::SignerPrincipal,
        }
    }
}

/// Why a list of signers cannot be used. None of its lines counts then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignersError {
    /// It has more bytes or keys than a list may have.
    #[error("more than {most} {what}")]
    TooLarge {
        /// The limit.
        most: usize,
        /// The counted things.
        what: &'static str,
    },
    /// It is not text.
    #[error("not UTF-8")]
    NotUtf8,
    /// A line is not one of the form.
    #[error("line {line}: {what}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The error.
        what: String,
    },
}
