//! Jury's published data: the versioned serde types of every JSON contract, reason codes, exit codes.
//!
//! In: nothing. Out: types, tables, JSON Schemas. Deliberately not here: Jury's own types; published types are
//! separate and versioned, and change only on purpose.

mod exit;
mod reason;
mod schema;
pub mod v1;

pub use exit::ExitCode;
pub use reason::Reason;
pub use schema::{Schema, plain_numbers, schema};
