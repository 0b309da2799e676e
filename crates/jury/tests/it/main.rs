//! The library from outside: fixtures, properties, boundaries.

mod api;
mod arbitrary;
mod boundaries;
mod fixtures;
mod gate;
mod identity;
mod intake;
mod kdl_oracle;
mod laws;
mod minimal;
mod published;
mod records;
mod review_md;
mod reviewers;
mod reviews;
mod sarif;
mod schemas;
mod scope;
mod signatures;
mod similar;
mod store;
mod synthesis;
mod task;
mod verdict_kdl;
mod verify;
mod yaml;
