//! The `jury` binary.
fn main() {}
