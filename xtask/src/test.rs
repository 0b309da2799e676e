//! `cargo xtask test`: the steps of CI, in the order in which they fail fastest; and `cargo xtask campaign`: the tests at full size.

use std::process::{Command, Stdio};

use jury_testkit::campaign;

use crate::{Failure, cargo, cargo_with, dependencies, features, generate, root, say, spelling};

/// The same property cases on every run: the verdict of CI on a change is about the change. `cargo test` alone explores.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20260216");

pub(crate) fn run() -> Result<(), Failure> {
    step("whole files", no_merge_left_open)?;
    step("format", || cargo(&["fmt", "--all", "--check"]))?;
    step("spelling", spelling::check)?;
    step("features", features::check)?;
    step("dependencies", dependencies::check)?;
    step("lints", || cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))?;
    step("generated files", || generate::run(true))?;
    step("tests", || tests(None))?;
    step("documentation", || {
        cargo_with(&["doc", "--workspace", "--no-deps", "--locked"], |command| {
            command.env("RUSTDOCFLAGS", "-D warnings")
        })
    })?;
    say("\nxtask: everything holds");
    Ok(())
}

/// Runs all tests with the long campaigns at full size, and with property cases of its own.
pub(crate) fn campaign() -> Result<(), Failure> {
    step("tests at full size", || tests(Some((campaign::VARIABLE, campaign::FULL))))
}

/// Runs all tests: by `cargo nextest`, which runs those of all packages side by side, where it is installed.
fn tests(campaign: Option<(&str, &str)>) -> Result<(), Failure> {
    let environment = campaign.or(Some(SEED));
    let mut has_nextest = Command::new("cargo-nextest");
    has_nextest.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !has_nextest.status().is_ok_and(|status| status.success()) {
        say("cargo-nextest is not installed; `cargo test` does the same in more time");
        return cargo_with(&["test", "--workspace", "--locked"], |command| command.envs(environment));
    }
    cargo_with(&["nextest", "run", "--workspace", "--locked"], |command| command.envs(environment))?;
    // Examples in the documentation are no part of `nextest`.
    cargo(&["test", "--workspace", "--locked", "--doc", "--quiet"])
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
