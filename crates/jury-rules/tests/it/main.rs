//! What the specialists promise, from the outside.

#![allow(clippy::unwrap_used)]

mod conformity;
mod growth;
mod hostile;
mod ignores;
mod lockfiles;
mod passed;
mod properties;
mod rewrites;
mod rules;
mod secrets;
mod traces;
mod uses;
