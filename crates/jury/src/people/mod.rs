//! What people decided about the findings of a review: which acceptances stand, which are refused and why, and whether they are enough.
//!
//! In: the stored acceptances as bytes, what can be accepted now, the policy of the base. Out: a decision for each finding, and every
//! refusal with its reason. Pure: a clock and a signature are asked for by the caller. An acceptance is one list with different proofs;
//! the approval on a forge is a third one, which comes with `jury publish`.
//! Deliberately not here: reading refs and files (`decisions`), signatures (`signature`), and what the gate makes of it (`verdict`).

mod standing;
mod statement;

pub use standing::{Check, Claimed, Decided, Ground, Place, Refused, Standing, Stored, Wanted, standing};
pub use statement::{
    Acceptance, Accepted, Broken, NAMESPACE, Noted, Proof, REFS, Statement, envelope, name_of, read, statement_bytes,
};
