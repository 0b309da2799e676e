//! `cargo xtask test`: the steps of CI, in the order in which they fail fastest.

use std::process::Command;

use crate::{Failure, cargo, cargo_with, generate, root, say};

pub(crate) fn run() -> Result<(), Failure> {
    step("whole files", no_merge_left_open)?;
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

/// Refuses files that still hold both sides of a merge.
fn no_merge_left_open() -> Result<(), Failure> {
    let mut git = Command::new("git");
    git.args(["grep", "--line-number", "--extended-regexp", "^(<{7}|>{7}) ", "--", ".", ":!*.lock"])
        .current_dir(root());
    let output = git.output().map_err(|error| format!("git does not start: {error}"))?;
    // With nothing found, git's answer is 1.
    match output.status.code() {
        Some(1) => Ok(()),
        _ => Err(format!("a merge was left open:\n{}", String::from_utf8_lossy(&output.stdout))),
    }
}

fn step(name: &str, run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    say(&format!("\n── {name}"));
    run()
}
