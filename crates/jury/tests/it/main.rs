//! The library from outside: fixtures, properties, boundaries.

mod arbitrary;
mod boundaries;
mod fixtures;
mod laws;
mod near;
mod schemas;
mod synthesis;
