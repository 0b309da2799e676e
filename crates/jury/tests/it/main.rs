//! The library from outside: fixtures, properties, boundaries.

mod fixtures;
mod kdl_oracle;
mod schemas;
mod verdict_kdl;
