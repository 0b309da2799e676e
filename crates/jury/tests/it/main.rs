//! The library from outside: fixtures, properties, boundaries.

mod fixtures;
mod review_md;
