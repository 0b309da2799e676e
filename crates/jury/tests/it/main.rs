//! The library from outside: fixtures, properties, boundaries.

mod arbitrary;
mod boundaries;
mod fixtures;
mod intake;
mod laws;
mod review_md;
mod schemas;
mod yaml;
