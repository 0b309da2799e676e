//! `cargo xtask test`: the steps of CI, in the order in which they fail fastest.

use crate::{Failure, cargo, cargo_with, generate, say};

pub(crate) fn run() -> Result<(), Failure> {
    step("format", || cargo(&["fmt", "--all", "--check"]))?;
    step("lints", || cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))?;
    step("generated files", || generate::run(true))?;
    // The same cases on every run: what CI says of a change is about the change. `cargo test` alone explores.
    step("tests", || {
        cargo_with(&["test", "--workspace", "--locked"], |command| command.env("PROPTEST_RNG_SEED", "20260216"))
    })?;
    step("documentation", || {
        cargo_with(&["doc", "--workspace", "--no-deps", "--locked"], |command| {
            command.env("RUSTDOCFLAGS", "-D warnings")
        })
    })?;
    say("\nxtask: everything holds");
    Ok(())
}

fn step(name: &str, run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    say(&format!("\n── {name}"));
    run()
}
