//! What other programs read of Jury: the versioned serde types of every JSON contract, reason codes, exit codes.
//!
//! In: nothing. Out: types, tables, JSON Schemas. Deliberately not here: Jury's own types; what is published is a
//! separate, versioned thing that changes only on purpose.

mod exit;
mod reason;
mod schema;
pub mod v1;

pub use exit::ExitCode;
pub use reason::Reason;
pub use schema::{Schema, plain_numbers, schema};
