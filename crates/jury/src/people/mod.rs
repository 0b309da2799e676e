//! Decisions of people about the findings of a review: which acceptances stand, which are refused and why, and whether they are enough.
//!
//! In: the stored acceptances as bytes, what can be accepted now, the policy of the base; and the facts of contests. Out: a decision for each
//! finding, and every refusal with its reason. Pure: a clock and a signature are asked for by the caller. Acceptances are one list with
//! different proofs: a signature, a name on this machine, an approval on a forge.
//! Deliberately not here: reading refs and files (`decisions`), signatures (`signature`), and what the gate makes of it (`verdict`).

mod contest;
mod contests;
mod premise;
mod standing;
mod statement;

pub use contest::{Count, Counts, contest_counts, contest_result};
pub use contests::{ContestsError, read_contests, write_contests};
pub use premise::premise;
pub use standing::{Approval, Check, Decided, Ground, Place, Refused, Standing, Stored, Wanted, standing};
pub use statement::{
    Acceptance, Accepted, Broken, MOST_BYTES, NAMESPACE, Noted, Proof, REFS, Statement, envelope, name_of, read,
    statement_bytes,
};
