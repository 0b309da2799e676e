//! Version 1 of every JSON contract.

pub mod check;
pub mod code_review;
pub mod findings;
pub mod formats;
pub mod review;
