//! The library from outside: fixtures, properties, boundaries.

mod arbitrary;
mod boundaries;
mod fixtures;
mod kdl_oracle;
mod laws;
mod review_md;
mod sarif;
mod schemas;
mod verdict_kdl;
mod yaml;
