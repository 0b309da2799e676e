//! Signed verdicts: envelopes and facts of a clone in; which verdicts count, and why the others do not, out.
//!
//! A verdict is an in-toto statement (Simple Verification Result v0.2) in a DSSE envelope. Nothing that it states is believed: every
//! member is held against a fact that was made out from the clone. Deliberately not here: those facts (`clone_facts`), signing, and refs.

mod envelope;
mod refusal;
mod standing;
mod statement;

pub use envelope::{Envelope, pae, read, write};
pub use refusal::Refusal;
pub use standing::{CloneFacts, Counted, Refused, Rules, Standing, Stored, named_acceptances, standing};
pub use statement::{Attested, Content, PolicyPart, statement};

/// The purpose of a signature.
pub const NAMESPACE: &str = "jury-verdict@v1";
/// The type of payload.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
/// Where envelopes are kept: below it, the tree and the SHA-256 of the envelope.
pub const REFS: &str = "refs/jury/verdicts/";
/// Where records are kept that travel along: below it, the SHA-256 of the record.
pub const RECORD_REFS: &str = "refs/jury/records/";
/// The most bytes of an envelope.
pub const MOST_BYTES: usize = 64 * 1024;
/// The most signatures of an envelope.
pub const MOST_SIGNATURES: usize = 16;
/// The longest time for which a verdict counts, in days.
pub const MOST_DAYS: u16 = 365;
/// The most envelopes of one tree that are looked at, by name.
pub const MOST_ENVELOPES: usize = 4_096;
